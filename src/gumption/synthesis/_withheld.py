"""What looks like replies of models and their scores: never shown to who writes a pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from gumption.synthesis.recipes._cells import text_of

__all__ = ["is_of_models", "is_replies", "is_reply_column", "looks_like_replies", "words_of"]

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
_MOST_COLUMNS = 16
_MOST_MODELS = 200
_FEWEST_ITEMS = 3
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


def looks_like_replies(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether rows hold replies of models by their content, whatever their columns are called.

    Every item comes again for each of a few names, with a free text that differs and is no question, and a
    score from 0 to 1.
    """
    names = list(dict.fromkeys(name for row in rows[:20] for name in row))[:_MOST_COLUMNS]
    cells = {name: [text_of(row.get(name)) for row in rows] for name in names}
    distinct = {name: len(set(found)) for name, found in cells.items()}
    repeated = [name for name in names if 2 <= distinct[name] <= len(rows) / 2]
    scores = [name for name in repeated if all(_is_score(cell) for cell in cells[name])]
    who = [name for name in repeated if distinct[name] <= _MOST_MODELS and _are_names(cells[name])]
    texts = [name for name in names if distinct[name] >= 3 and _are_free(cells[name])]
    for score in scores:
        for one in who:
            for item in repeated:
                for text in texts:
                    apart = len({score, one, item, text}) == 4 and distinct[item] >= _FEWEST_ITEMS
                    if apart and _is_grid(cells[item], cells[one], cells[text]):
                        return True
    return False


def _is_score(text: str) -> bool:
    if text.lower() in ("true", "false"):
        return True
    return bool(re.fullmatch(r"(?:0|1|0?\.\d{1,17}|0\.\d{1,17}|1\.0*)", text))


def _are_names(cells: Sequence[str]) -> bool:
    return all(
        0 < len(one) <= 60 and len(one.split()) <= 4 and re.search("[A-Za-z]", one) for one in set(cells)
    )


def _are_free(cells: Sequence[str]) -> bool:
    """Texts, few of which are questions."""
    worded = sum(bool(re.search("[A-Za-z]", one)) for one in cells)
    return worded >= 0.3 * len(cells) and sum("?" in one for one in cells) <= 0.3 * len(cells)


def _is_grid(items: Sequence[str], names: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether nearly every item has one text of each name, and the texts of many items differ and do not
    merely hold the name."""
    pairs = set(zip(items, names, strict=True))
    whole = len(set(items)) * len(set(names))
    if len(pairs) < len(items) or len(pairs) < 0.8 * whole:
        return False
    if sum(name.lower() in text.lower() for name, text in zip(names, texts, strict=True)) > 0.2 * len(texts):
        return False
    said: dict[str, set[str]] = {}
    for item, text in zip(items, texts, strict=True):
        said.setdefault(item, set()).add(text)
    return sum(len(one) > 1 for one in said.values()) >= 0.5 * len(said)
