"""What looks like replies of models and their scores: never shown to who writes a pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

__all__ = ["is_of_models", "is_replies", "is_reply_column", "words_of"]

_FILE = {
    "recorded", "reply", "replies", "prediction", "predictions", "pred", "preds", "output", "outputs", "log",
    "result", "results", "response", "responses", "leaderboard", "score", "scores", "generation",
    "generations", "completion", "completions", "baseline", "baselines", "submission", "submissions", "logs",
}  # fmt: skip
_REPLY = {
    "reply", "response", "prediction", "pred", "predicted", "output", "completion", "generation", "generated",
}  # fmt: skip
_SCORE = {
    "score",
    "correct",
    "judge",
    "judgement",
    "accuracy",
    "passed",
    "verdict",
    "rating",
    "hit",
    "iscorrect",
}
_MODEL = {"model", "system", "engine", "checkpoint", "llm", "vlm", "gpt", "claude", "gemini", "llama", "qwen"}
_SAID = re.compile(
    r"(?i)\b(repl(y|ies)|responses?|predictions?|outputs?|answers?|scores?|results?|said|said by)\b.{0,40}"
    r"\b(models?|systems?|baselines?)\b|\b(models?|systems?|baselines?)\b.{0,40}\b(said|repl|respon|output|predict)"
    r"|what .{0,20}\b(models?|systems?)\b"
)


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case: `groundTruth_2` is ground, truth, 2."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.findall(r"[^\W\d_]+|\d+", spaced)]


def is_reply_column(name: str) -> bool:
    """Whether a column within the data is what some model said or got."""
    words = set(words_of(name))
    return bool(words & {"prediction", "pred", "predicted", "reply", "generated"}) or bool(
        words & _MODEL and words & (_REPLY | _SCORE | {"answer", "said"})
    )


def is_of_models(name: str) -> bool:
    """Whether a column is about a model: which one it was, what it said or what it got."""
    return is_reply_column(name) or bool(set(words_of(name)) & (_MODEL | _SCORE | _REPLY))


def is_replies(path: str, columns: Iterable[str], readme: str) -> bool:
    """Whether a file holds replies of models, by its name, its columns and what the README says of it."""
    words = [set(words_of(name)) for name in columns]
    reply = any(one & _REPLY or is_reply_column(" ".join(one)) for one in words)
    model = any(one & _MODEL for one in words)
    score = any(one & _SCORE for one in words)
    if reply and (model or score):
        return True
    if set(words_of(PurePosixPath(path).stem)) & _FILE and (reply or (model and score)):
        return True
    name = PurePosixPath(path).name
    lines = [line for line in readme.splitlines() if name in line]
    return any(_SAID.search(line.partition(name)[2][:120]) for line in lines) and (reply or model or score)
