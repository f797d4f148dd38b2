"""Why a server ended, by what it wrote last: in words, with what helps.

The messages are those that vLLM, SGLang, PyTorch, transformers and huggingface_hub print.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gumption.models.serving.engines import Engine

__all__ = ["STARTED", "Cause", "cause_of", "last_start"]

_TAIL = 256 << 10
"""Bytes of the log that are looked at."""
_LINE = 1000
STARTED = "$ "
"""How the line begins that is written before each start."""
_HARMLESS = re.compile(r"\b(WARNING|INFO|DEBUG)\b")

_SMALLER = (
    'shorten the context (--server-args "{context} 8192"), spread the model over more GPUs (--gpus 0,1), end '
    "what else is on the GPU (nvidia-smi shows it), or take a smaller or quantised model"
)
_MORE_CACHE = (
    'let it take more of the GPU (--server-args "{memory} 0.95"), shorten the context ({context} 8192), or '
    "spread the model over more GPUs (--gpus 0,1)"
)
_SHORTER = (
    'shorten it with --server-args "{context} {what}", let the engine take more of the GPU ({memory} 0.95), '
    "or spread the model over more GPUs (--gpus 0,1)"
)

_KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        r"estimated maximum model length is (?P<what>\d+)",
        "the GPU has no room for a context as long as the model's: {what} tokens would fit",
        _SHORTER,
    ),
    (
        r"maximum number of tokens that can be stored in KV cache \((?P<what>\d+)\)",
        "the GPU has no room for a context as long as the model's: {what} tokens would fit",
        _SHORTER,
    ),
    (
        r"KV cache is needed, which is larger than the available KV cache memory",
        "the GPU has no room for a context as long as the model's",
        _MORE_CACHE,
    ),
    (
        r"No available memory for the cache blocks|Not enough memory\. Please try to increase --mem-fraction",
        "the weights fit the GPU, but leave no room for the cache of the requests",
        _MORE_CACHE,
    ),
    (
        r"(?P<what>\([\d./]+ GiB\)) on startup is less than desired GPU memory",
        "another program holds the GPU's memory: free of all is {what}",
        "end that program (nvidia-smi shows it), name GPUs that are free with --gpus, or take less with "
        '--server-args "{memory} 0.5"',
    ),
    (
        r"OutOfMemoryError|(CUDA|HIP|GPU) out of memory|CUDA error: out of memory",
        "the GPU's memory is not enough for the model",
        _SMALLER,
    ),
    (
        r"attention heads.*divisible by tensor parallel|tensor.parallel.*(divisible|larger than)",
        "the model cannot be shared by that many GPUs",
        'name another number of GPUs with --gpus, or say how with --server-args "{parallel} 2"',
    ),
    (
        r"No CUDA GPUs are available|Found no NVIDIA driver|Failed to infer device type"
        r"|driver version is insufficient",
        "the engine finds no GPU that it can use",
        "see what nvidia-smi says, name GPUs that are there with --gpus, or install the engine's build for "
        "this machine",
    ),
    (
        r"packages that were not found in your environment: (?P<what>[\w., -]{1,100}?)\. Run",
        "a package is missing where the engine is installed: {what}",
        "pip install {what} there",
    ),
    (
        r"(ModuleNotFoundError|ImportError): No module named '(?P<what>[\w.]{1,80})'",
        "a package is missing where the engine is installed: {what}",
        "pip install what has it there (the module's name is {what})",
    ),
    (
        r"ImportError: (?P<what>.{1,200})",
        "a package does not fit where the engine is installed: {what}",
        "install the versions that the engine asks for: pip install --upgrade {engine}",
    ),
    (
        r"gated repo|Access to model .{1,200} is restricted|401 Client Error|403 Client Error",
        "the weights are not given to everyone",
        "accept their licence on the model's page and set HF_TOKEN",
    ),
    (
        r"is not a valid model identifier|Repository Not Found|RepositoryNotFoundError|Repo id must",
        "no weights are known by this name",
        "write it as on the hub, OWNER/NAME, or give the folder that holds the weights",
    ),
    (
        r"couldn't connect to|LocalEntryNotFoundError|offline mode is enabled",
        "the weights are not on this machine and cannot be downloaded",
        "mend the network, or give the folder that holds the weights",
    ),
    (
        r"trust_remote_code=True|--trust-remote-code",
        "the model comes with code of its own",
        'read that code, then allow it with --server-args "--trust-remote-code"',
    ),
    (
        r"unrecognized arguments?: (?P<what>.{1,200})|error: (?P<other>argument .{1,200})",
        "the engine does not take an argument: {what}",
        "mend --server-args by the engine's own list (--help)",
    ),
    (
        r"No space left on device",
        "the disk is full",
        "make room where the weights are kept (HF_HOME), or have them kept elsewhere",
    ),
    (
        r"[Aa]ddress already in use",
        "another program took the port first",
        "run the same command again",
    ),
    (
        r"CUDA error: (?P<what>.{1,100})|NCCL error",
        "the GPU or its driver failed: {what}",
        "run the same command again; where it comes back, look for the GPU's faults (nvidia-smi -q, dmesg)",
    ),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern), problem, remedy) for pattern, problem, remedy in _KNOWN)


@dataclass(frozen=True)
class Cause:
    """Why a server ended."""

    problem: str
    remedy: str


def cause_of(log: Path, code: int | None, engine: Engine) -> Cause:
    """What the log of the last start says, and if that says nothing known, how the server ended.

    code: what it ended with, -N for signal N; None where it still runs.
    """
    lines = last_start(log)
    telling = [line for line in lines if not _HARMLESS.search(line)]
    for pattern, problem, remedy in _PATTERNS:
        # The last of its kind: what was tried before and did without is no reason to end.
        hit = next((hit for line in reversed(telling) if (hit := pattern.search(line))), None)
        if hit:
            groups = hit.groupdict()
            what = groups.get("what") or groups.get("other") or hit[0]
            words = {
                "what": what.strip(), "engine": engine.name, "context": engine.context,
                "memory": engine.memory, "parallel": engine.parallel,
            }  # fmt: skip
            return Cause(problem.format(**words), remedy.format(**words))
    if code == -signal.SIGKILL:
        return Cause(
            "it was killed, as the system does when the machine's memory is used up",
            "see the machine's memory (free -h, dmesg), start fewer replicas or take a smaller model",
        )
    return Cause(_last_words(telling or lines), "read its log")


def last_start(log: Path) -> Sequence[str]:
    """The lines since the last start that are at the end of the log, each cut; none where there is no log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL))
            lines = file.read(_TAIL).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    starts = [number for number, line in enumerate(lines) if line.startswith(STARTED)]
    return [line[:_LINE] for line in lines[starts[-1] + 1 if starts else 0 :] if line.strip()]


def _last_words(lines: Sequence[str]) -> str:
    if not lines:
        return "it wrote nothing"
    errors = [line for line in lines if re.search(r"\w(Error|Exception)\b|\bfatal\b|error:", line)]
    return f"the last that it wrote was: {(errors or lines)[-1].strip()[:300]}"
