"""What the Eval Agent of `gumption demo --full` is given: questions of the tabletop as strangers would
publish them, a README with data and pictures. Nothing in a folder says that Gumption can score it already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import Text

if TYPE_CHECKING:
    from gumption.records import Item
    from gumption.suites import Media, Suite

__all__ = ["write_folders"]

_README = """# {title}

{about}

Pictures are drawn; each question is about one of them.

- `questions.jsonl`: one question a line, with `id`, `image` (path of the picture in this folder), `question`,
  {answer} and `topic`.
- `images/`: the pictures.

Scoring: 1 for a right answer, 0 for a wrong one, and the plain mean over the questions. {rule}
"""
_FOLDERS = {
    "choice": (
        "tabletop-quiz",
        {
            "title": "Tabletop quiz",
            "about": "Multiple choice about things on a table: pick one of the options.",
            "answer": "`options` (letter to text), `answer` (the letter of the right option)",
            "rule": "A reply may give the letter, or the text of an option, or both; if it names several "
            "options without settling on one it is wrong.",
        },
    ),
    "yes_no": (
        "is-it-so",
        {
            "title": "Is it so?",
            "about": "Yes/no questions about things on a table. Please ask for yes or no.",
            "answer": "`answer` (yes or no)",
            "rule": "We accept yes and no in any case. A reply without a yes or no gets 0.",
        },
    ),
    "number": (
        "how-heavy",
        {
            "title": "How heavy?",
            "about": "Sums of weights that are written on things. Every answer is a whole number.",
            "answer": "`answer` (the number)",
            "rule": "A reply is right if its number equals the answer exactly; a unit behind it does not "
            "matter.",
        },
    ),
    "text": (
        "labels",
        {
            "title": "Labels",
            "about": "What is written on a thing? The answer is a short code.",
            "answer": "`answer` (the code)",
            "rule": "A reply is right if it equals the code, whatever the case; full stops and spaces at the "
            "ends are dropped. It has to be the whole answer.",
        },
    ),
}
"""By the kind of answer: the folder's name, and what its README says."""
_FEWEST = 10
"""Questions that a folder is made of: with fewer there is little to prove a pipeline on."""


def write_folders(pool: Suite, out: Path) -> dict[str, list[Item]]:
    """Write a folder for each kind of tabletop question below `out`; the items of each, by its name.

    Only questions about one picture: the READMEs speak of one.
    """
    found = {}
    for kind, (name, readme) in _FOLDERS.items():
        items = [item for item in pool.items if item.answer.kind == kind and len(item.parts) == 2]
        items = [item for item in items if item.benchmark == "tabletop"]
        if len(items) >= _FEWEST:
            found[name] = items
            _write(out / name, _README.format(**readme), items, pool.media)
    return found


def _write(folder: Path, readme: str, items: list[Item], media: Media) -> None:
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(readme, encoding="utf-8")
    lines = []
    for item in items:
        row: dict[str, Any] = {"id": item.id}
        for part in item.parts:
            if isinstance(part, Text):
                row["question"] = part.text
            else:
                row["image"] = f"images/{part.sha256[:16]}.png"
                (folder / row["image"]).write_bytes(media.read(part.sha256))
        if item.answer.choices:
            row["options"] = item.answer.choices
        lines.append(json.dumps({**row, "answer": item.answer.gold, "topic": item.category}) + "\n")
    (folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
