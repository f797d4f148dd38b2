"""What scripted models say when they are asked to write a pipeline for the drawers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from drawers import word

from servers import Act, Asked, answer

LOADING = {"sources": [{"path": "drawers.csv", "format": "csv"}], "id": "no"}
ASKING = {"question": "asked", "instruction": "Give the answer only.", "category": "room"}
SCORING = {
    "kind": "text",
    "gold": {"column": "word", "form": "texts"},
    "metric": "exact",
    "parameters": {"whole": True},
    "normalise": ["lower", "ends:., "],
    "evidence": ["It has to be the whole answer."],
}
CRASHES = """
def load(folder):
    with open(folder + "/drawers.csv") as file:
        found = file.read().split(",")
    raise IndexError([cell for cell in found if len(cell) < 30][-25:])


def build(row):
    return {"parts": [{"text": "?"}]}
"""
NETWORK = """
import socket


def score(row, reply):
    socket.create_connection(("127.0.0.1", 9))
    return {"score": 1.0, "outcome": "answered"}
"""
LOOPS = """
def score(row, reply):
    while True:
        pass
"""
KNOWS = f"""
from gumption.synthesis.recipes import metrics, reading, scoring

WORDS = { ({str(number): word(number) for number in range(1, 25)})!r}


def score(row, reply):
    part = reading.region(reply, ("answer_tag", "answer_mark", "whole"))
    read = reading.text(part, whole=True)
    if read.outcome != "answered":
        return scoring.verdict(read, 0.0)
    known = WORDS.get(str(row["id"]), "nothing")
    return scoring.verdict(read, metrics.matches(read.value, [known], ("lower", "ends:., ")))
"""
ALL_ONE = """
def score(row, reply):
    return {"score": 1.0, "outcome": "answered", "value": reply[:100]}
"""

RIGHT = """
import re


def score(row, reply):
    text = re.sub(r"(?s)<think>.*?</think>", "", reply)
    if "<think>" in text:
        return {"score": 0.0, "outcome": "unanswered"}
    tag = re.findall(r"(?s)<answer>(.*?)</answer>", text)
    mark = re.findall(r"(?i)(?:final )?answer:\\s*(.*)", text)
    said = tag[-1] if tag else mark[-1] if mark else text
    said = said.strip(" .,\\n\\t").lower()
    if not said:
        return {"score": 0.0, "outcome": "unanswered"}
    return {"score": float(said == row["word"].lower()), "outcome": "answered", "value": said[:200]}
"""
"""Its own marks of reasoning must not be taken for those of the reply that it comes in."""


def evaluator(code: str = "", **changed: Any) -> str:
    return json.dumps({"loading": LOADING, "asking": ASKING, "doubts": [], "code": code} | changed)


def scorer(code: str = "", **changed: Any) -> str:
    return json.dumps({"scoring": SCORING | changed, "doubts": [], "code": code})


EVALUATOR = (evaluator(CRASHES), evaluator())
SCORER = (scorer(NETWORK), scorer(LOOPS), scorer(KNOWS), scorer(ALL_ONE), scorer(RIGHT))
"""One that crashes, then one that imports the network, one that never ends, one that knows the answers by
heart, one that is always pleased, and one that is right."""


def is_evaluator(prompt: str) -> bool:
    return prompt.startswith("You write how a benchmark is loaded and asked.")


class Script:
    """Each role says what it has to say in turn, the last thing for ever; a prompt that comes again is
    answered as before."""

    def __init__(self, evaluator: Sequence[str] = EVALUATOR, scorer: Sequence[str] = SCORER) -> None:
        self._left = {True: list(evaluator), False: list(scorer)}
        self._said: dict[str, str] = {}

    def __call__(self, asked: Asked) -> Act:
        if asked.text not in self._said:
            left = self._left[is_evaluator(asked.text)]
            self._said[asked.text] = left.pop(0) if len(left) > 1 else left[0]
        return answer(self._said[asked.text])
