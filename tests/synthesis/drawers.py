"""A made-up benchmark whose every answer is a word of its own, so that it can be looked for anywhere."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

README = """# Drawers

{count} questions about what lies in a drawer. Text only, a word each.

- `drawers.csv`: `no` (id of the row), `asked` (the question), `room` (kind of question), `word` (the answer).
- `recorded.jsonl`: replies of one model with its scores.

Please ask for the answer only, without a sentence around it.

Scoring: a reply is right (1) if it equals the word, otherwise wrong (0). Before comparing we take what
stands inside `<answer>` tags, or after `Answer:` or `Final answer:`, if the reply has that, otherwise the
whole reply; we ignore upper and lower case and drop full stops, commas and spaces at the ends. It has to be
the whole answer.
"""
ROOMS = ("kitchen", "cellar", "attic")


def word(number: int) -> str:
    """The right answer of a row: letters only, found nowhere else."""
    digest = hashlib.sha256(f"drawer {number}".encode()).hexdigest()[:12]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


def recorded(number: int) -> str:
    """What the recorded model said: marked, so that it can be looked for."""
    return f"recorded{word(number + 1_000)}"


def make(folder: Path, count: int = 24, also: str = "") -> Path:
    """The folder. also: more README, such as orders to whoever reads it."""
    folder.mkdir(parents=True)
    (folder / "README.md").write_text(README.format(count=count) + also)
    with (folder / "drawers.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["no", "asked", "room", "word"])
        for number in range(1, count + 1):
            asked = f"Which word is written on the note in drawer {number}?"
            rows.writerow([number, asked, ROOMS[number % 3], word(number)])
    with (folder / "recorded.jsonl").open("w") as stream:
        for number in range(1, count + 1):
            right = number % 4 == 0
            line = {
                "item": number,
                "model": "m",
                "reply": word(number) if right else recorded(number),
                "score": float(right),
            }
            stream.write(json.dumps(line) + "\n")
    return folder
