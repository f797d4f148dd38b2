"""What servers print when they fail, as users of vLLM and SGLang have shown it, and what is made of that."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gumption.models.serving import ENGINES, cause_of

ROOT_CAUSE = "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above."


def cause(folder: Path, *lines: str, code: int | None = 1, engine: str = "vllm") -> tuple[str, str]:
    log = folder / "0.log"
    log.write_text("".join(f"{line}\n" for line in lines))
    found = cause_of(log, code, ENGINES[engine])
    return found.problem, found.remedy


@pytest.mark.parametrize(
    ("line", "problem", "remedies"),
    [
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 250.00 MiB. GPU 0 has a total "
            "capacity of 15.89 GiB of which 195.50 MiB is free.",
            "memory is not enough",
            ["--max-model-len", "--gpus 0,1", "smaller or quantised"],
        ),
        (
            "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` "
            "when initializing the engine.",
            "no room for the cache",
            ["--gpu-memory-utilization 0.95", "--max-model-len", "--gpus 0,1"],
        ),
        (
            "[rank0]: ValueError: The model's max seq len (60000) is larger than the maximum number of "
            "tokens that can be stored in KV cache (58384). Try increasing `gpu_memory_utilization` or "
            "decreasing `max_model_len` when initializing the engine.",
            "58384 tokens would fit",
            ["--max-model-len 58384", "--gpu-memory-utilization"],
        ),
        (
            "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV "
            "cache is needed, which is larger than the available KV cache memory (9.10 GiB). Based on the "
            "available memory, the estimated maximum model length is 74528. Try increasing "
            "`gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
            "74528 tokens would fit",
            ["--max-model-len 74528"],
        ),
        (
            "(EngineCore pid=253) ValueError: Free memory on device cuda:0 (12.18/23.56 GiB) on startup is "
            "less than desired GPU memory utilization (0.92, 21.67 GiB). Decrease GPU memory utilization or "
            "reduce GPU memory used by other processes.",
            "another program holds the GPU's memory: free of all is (12.18/23.56 GiB)",
            ["nvidia-smi", "--gpus", "--gpu-memory-utilization"],
        ),
        (
            "ValueError: Total number of attention heads (28) must be divisible by tensor parallel size (8).",
            "cannot be shared by that many GPUs",
            ["--gpus", "--tensor-parallel-size"],
        ),
        ("RuntimeError: No CUDA GPUs are available", "no GPU", ["nvidia-smi"]),
        (
            "ModuleNotFoundError: No module named 'qwen_vl_utils'",
            "missing where the engine is installed: qwen_vl_utils",
            ["pip install"],
        ),
        (
            "ImportError: This modeling file requires the following packages that were not found in your "
            "environment: einops, timm. Run `pip install einops timm`",
            "missing where the engine is installed: einops, timm",
            ["pip install einops, timm"],
        ),
        (
            "OSError: You are trying to access a gated repo.",
            "not given to everyone",
            ["licence", "HF_TOKEN"],
        ),
        (
            "OSError: no/such is not a local folder and is not a valid model identifier listed on "
            "'https://huggingface.co/models'",
            "no weights are known by this name",
            ["OWNER/NAME"],
        ),
        ("vllm: error: unrecognized arguments: --max-len 5", "--max-len 5", ["--server-args", "--help"]),
        ("OSError: [Errno 28] No space left on device", "disk is full", ["HF_HOME"]),
    ],
)
def test_known_failures_of_vllm_are_said_in_words(
    tmp_path: Path, line: str, problem: str, remedies: list[str]
) -> None:
    said, remedy = cause(tmp_path, "INFO loading", line, ROOT_CAUSE)
    assert problem in said
    assert all(word in remedy for word in remedies), remedy


def test_sglang_is_told_of_its_own_options(tmp_path: Path) -> None:
    line = "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static."
    said, remedy = cause(tmp_path, line, engine="sglang")
    assert "no room for the cache" in said
    assert (
        "--mem-fraction-static 0.95" in remedy
        and "--context-length" in remedy
        and "--gpu-memory" not in remedy
    )


def test_a_warning_is_no_reason(tmp_path: Path) -> None:
    said, _ = cause(
        tmp_path,
        "WARNING 04-23 14:42:53 [_custom_ops.py:21] Failed to import from vllm._C with "
        "ModuleNotFoundError: No module named 'vllm._C'",
        "RuntimeError: something nobody knows",
    )
    assert said == "the last that it wrote was: RuntimeError: something nobody knows"


def test_what_an_earlier_start_said_is_no_reason(tmp_path: Path) -> None:
    said, _ = cause(
        tmp_path,
        "$ vllm serve m --host 127.0.0.1 --port 1",
        "torch.OutOfMemoryError: CUDA out of memory.",
        "$ vllm serve m --host 127.0.0.1 --port 2",
        "RuntimeError: No CUDA GPUs are available",
    )
    assert "no GPU" in said


def test_a_kill_without_a_word_is_the_machines_memory(tmp_path: Path) -> None:
    said, remedy = cause(tmp_path, "INFO loading", code=-9)
    assert "machine's memory" in said and "free -h" in remedy


def test_silence_is_said(tmp_path: Path) -> None:
    assert cause(tmp_path)[0] == "it wrote nothing"
    assert cause_of(tmp_path / "absent.log", 1, ENGINES["vllm"]).problem == "it wrote nothing"


def test_a_log_of_any_size_and_bytes_is_read_in_no_time(tmp_path: Path) -> None:
    log = tmp_path / "0.log"
    log.write_bytes(b"\xff(Free memory" * 3_000_000 + b"\nAccess to model " * 100_000 + b"\n{what} {0}\n")
    began = time.process_time()
    said = cause_of(log, 1, ENGINES["vllm"]).problem
    assert time.process_time() - began < 2 and len(said) < 500 and said.endswith("{what} {0}")
