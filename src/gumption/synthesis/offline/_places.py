"""How texts mark where a picture belongs: whatever word in brackets counts the pictures of its row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from gumption.synthesis.offline._view import View
from gumption.synthesis.recipes import request
from gumption.synthesis.recipes._marks import MARK, place_of
from gumption.synthesis.spec import Asking

__all__ = ["mark_of"]

_PICTURE = (
    r"(?:image|img|pic|picture|photo|photograph|fig|figure|frame|shot|view|still|scene|screenshot|drawing"
    r"|sketch|panel|plate|bild|foto)s?"
)
_LOOKED_AT = 2000
"""Rows in which marks are looked for."""
_OFTEN = 0.5
"""Share of the rows with pictures whose texts have the mark."""


def mark_of(view: View, asking: Asking) -> str:
    """The mark as `Asking.place` wants it, "" for the usual one or none."""
    rows = [(_text(row, asking), len(_pictures(row, asking))) for row in view.rows[:_LOOKED_AT]]
    rows = [(text, count) for text, count in rows if count]
    shapes = Counter(shape for text, _ in rows for shape in {*_shapes(text)})
    for shape, times in shapes.most_common():
        if times < _OFTEN * len(rows) or not _is_of_pictures(view, shape):
            continue
        numbers = [int(found) for text, _ in rows for found in place_of(shape)[0].findall(text) if found]
        mark = shape.replace("1", "0") if 0 in numbers else shape
        usual = place_of("")[0].fullmatch(mark) and mark not in ("<image 0>", "<image_0>")
        if sum(_fits(text, count, mark) for text, count in rows) >= 0.95 * len(rows):
            return "" if usual else mark
    return ""


def _text(row: dict[str, Any], asking: Asking) -> str:
    """All that is shown of a row in words."""
    without = replace(asking, images=(), instruction="")
    return "\n".join(part.get("text", "") for part in request(row, without)["parts"])


def _pictures(row: dict[str, Any], asking: Asking) -> list[dict[str, str]]:
    return [part for part in request(row, asking)["parts"] if "text" not in part]


def _shapes(text: str) -> Iterator[str]:
    """Each mark as the first of its kind would be."""
    for found in MARK.finditer(text):
        number = "1" if found["number"] else ""
        yield f"{found['opens']}{found['before']}{number}{found['after']}"


def _is_of_pictures(view: View, shape: str) -> bool:
    """Whether its word means a picture, or the README speaks of it and of pictures in one sentence."""
    if re.fullmatch(_PICTURE, "".join(re.findall(r"[A-Za-z]+", shape)), re.IGNORECASE):
        return True
    mark = place_of(shape)[0]
    return any(mark.search(one) and re.search(rf"(?i)\b{_PICTURE}\b", one) for one in view.sentences)


def _fits(text: str, count: int, mark: str) -> bool:
    """Whether a text's marks stand for pictures of its row."""
    found, first = place_of(mark)
    said = found.findall(text)
    if all(said):
        return all(0 <= int(one) - first < count for one in said)
    return len(said) <= count
