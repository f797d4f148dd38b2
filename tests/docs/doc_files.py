"""The small files that the documentation speaks of, made anew in a reader's folder."""

from __future__ import annotations

import base64
import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from gumption.grounding import domains

__all__ = ["make_files"]

COLOURS = ("red", "blue", "green", "yellow", "white", "black")
ASKED = (
    (
        "space",
        "Which is further to the left of the {} cup, the spoon or the plate?",
        ["the spoon", "the plate"],
    ),
    ("number", "How many {} apples lie on the table?", ["two", "three", "four"]),
    ("motion", "What will happen to the {} ball when the ramp is tilted?", ["it rolls", "it stays"]),
    ("plan", "What should the robot do next to put the {} mug away?", ["open the drawer", "pick up the mug"]),
    ("kind", "Which object is {} in the picture?", ["the chair", "the lamp", "the door", "the sofa"]),
)
PROBLEM = """(define (problem three) (:domain blocksworld)
  (:objects a b c - block hand - robot)
  (:init (ontable a) (on b a) (clear b) (ontable c) (clear c) (handempty hand))
  (:goal (and (on b c))))
"""
PLAN = "(unstack b a hand)\n(stack b c hand)\n"
ACTIONS = (
    "<actions>[['Pick','Apple'],['Open','Fridge'],['Place','Apple','Fridge'],['Close','Fridge']]</actions>\n"
)
GOLD = "[['Open','Fridge'],['Pick','Apple'],['Place','Apple','Fridge'],['Close','Fridge']]\n"


def make_files(folder: Path) -> None:
    """Questions and replies, a past response matrix, a planning domain, plans, and logs of another tool."""
    folder.mkdir(parents=True)
    (folder / ".venv").symlink_to(sys.prefix)
    questions = _questions()
    (folder / "kitchen.png").write_bytes(_picture(0))
    _lines(folder / "questions.jsonl", questions)
    _lines(folder / "replies.jsonl", _replies(questions))
    _table(folder / "questions.tsv", questions)
    _past(folder / "past.npz", questions)
    (folder / "domain.pddl").write_text(Path(domains.__path__[0], "blocksworld.pddl").read_text())
    (folder / "problem.pddl").write_text(PROBLEM)
    (folder / "reply.txt").write_text(PROBLEM)
    (folder / "plan.txt").write_text(PLAN)
    (folder / "actions.txt").write_text(ACTIONS)
    (folder / "gold.txt").write_text(GOLD)
    _lines(
        folder / "pairs.jsonl",
        [{"model": model, "predicted": ACTIONS, "gold": GOLD} for model in ("one", "other")],
    )
    _kit_log(folder / "outputs" / "my-model" / "my-model_Kitchen.tsv", questions)


def _questions() -> list[dict[str, Any]]:
    made = []
    for number in range(60):
        category, words, choices = ASKED[number % len(ASKED)]
        made.append(
            {
                "id": f"q{number + 1}",
                "question": words.format(COLOURS[number // len(ASKED) % len(COLOURS)]),
                "images": "kitchen.png",
                "choices": choices,
                "answer": "AB"[number % 2],
                "category": category,
                "cluster": f"scene {number // 3}",
            }
        )
    return made


def _replies(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of two models: one is wrong at every fourth question, the other at every third."""
    return [
        {
            "id": one["id"],
            "model": model,
            "reply": f"So the answer is ({one['answer'] if number % often else 'BA'[number % 2]}).",
        }
        for model, often in (("my-model", 4), ("other-model", 3))
        for number, one in enumerate(questions)
    ]


def _table(path: Path, questions: list[dict[str, Any]]) -> None:
    """In the layout of VLMEvalKit, each row with a picture of its own."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "question", "A", "B", "C", "D", "answer", "category", "image"])
        for number, one in enumerate(questions):
            options = (one["choices"] + [""] * 4)[:4]
            picture = base64.b64encode(_picture(number)).decode()
            writer.writerow([number, one["question"], *options, one["answer"], one["category"], picture])


def _past(path: Path, questions: list[dict[str, Any]]) -> None:
    """Ten models of known ability on the questions."""
    rng = np.random.default_rng(0)
    able = np.linspace(0.3, 0.9, 10)[:, None]
    np.savez_compressed(
        path,
        X=(rng.random((10, len(questions))) < able).astype(float),
        models=np.array([f"model-{number}" for number in range(10)]),
        ids=np.array([str(number) for number in range(len(questions))]),
        groups=np.array([one["category"] for one in questions]),
    )


def _kit_log(path: Path, questions: list[dict[str, Any]]) -> None:
    """As VLMEvalKit leaves it, with its verdicts."""
    path.parent.mkdir(parents=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "question", "A", "B", "C", "D", "answer", "prediction", "hit"])
        for number, one in enumerate(questions[:20]):
            options = (one["choices"] + [""] * 4)[:4]
            said = f"The answer is option {one['answer']}, because it is nearer."
            writer.writerow([number, one["question"], *options, one["answer"], said, int(number % 5 > 0)])


def _picture(number: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (32, 24), (number * 4 % 256, 80, 255 - number * 4 % 256)).save(buffer, "PNG")
    return buffer.getvalue()


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
