"""Inspect's mock model with replies of one's own, what it needs without a network, and a small quiz."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

SITE = """
import tiktoken

def one_token_a_byte(name):
    ranks = {bytes([value]): value for value in range(256)}
    return tiktoken.Encoding(name, pat_str=r"[\\\\s\\\\S]", mergeable_ranks=ranks, special_tokens={})

tiktoken.get_encoding = one_token_a_byte
"""
"""Inspect counts the mock's tokens with a table that is downloaded on first use: here a byte is a token."""


def environment(folder: Path) -> dict[str, str]:
    """Of a process that runs Inspect."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(SITE.replace("\\\\\\\\", "\\\\"))
    return {**os.environ, "PYTHONPATH": str(folder), "INSPECT_LOG_DIR": str(folder / "logs")}


def mock(answer: Callable[[str], str], stop: str = "stop") -> Any:
    """A model of Inspect that answers each prompt by a function of its text."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def output(messages: list[Any], tools: Any, choice: Any, config: Any) -> Any:
        said = ModelOutput.from_content("mockllm/model", answer(messages[-1].text), stop_reason=stop)  # type: ignore[arg-type]
        said.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
        return said

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


QUIZ: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": "Which is red?",
        "images": ["red.png"],
        "choices": ["cup", "plate"],
        "answer": "B",
    },
    {"id": "q2", "question": "Is it red?", "answer": "yes"},
    {"id": "q3", "question": "How many?", "answer": 3},
    {"id": "q4", "question": "Say it.", "answer": "a cup"},
]
REPLIES = {"Which": "The answer is (B).", "Is": "No.", "How": "three", "Say": "I cannot say."}
"""Right, wrong, right and no answer."""


def quiz_file(folder: Path) -> Path:
    """Four questions, the first with a picture."""
    Image.new("RGB", (8, 6), "red").save(folder / "red.png")
    path = folder / "quiz.jsonl"
    path.write_text("".join(json.dumps(question) + "\n" for question in QUIZ))
    return path


def answer(prompt: str) -> str:
    """What the mock says to each of them."""
    return next(reply for word, reply in REPLIES.items() if word in prompt)


def evaluated(task: Any, model: Any, folder: Path, **options: Any) -> Any:
    """The log of one task under Inspect."""
    from inspect_ai import eval as inspect_eval

    (log,) = inspect_eval(task, model=model, log_dir=str(folder), display="none", **options)
    return log
