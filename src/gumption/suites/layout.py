"""Where the pictures of a question stand among its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.records import GumptionError, Image, Part, Text

__all__ = ["lay_out"]

_MARK = re.compile(r"<image(?: ?(\d{1,4}))?>", re.ASCII)


def lay_out(question: str, images: Sequence[Image], hint: str = "") -> tuple[Part, ...]:
    """The parts of a question: pictures first, in order, then the hint, then the text.

    "<image 2>" in the question puts the second picture there, and "<image>" the next one in order;
    pictures without a mark still come first. The words around a mark are kept as they are.
    GumptionError for a mark without a picture, or when there are no words at all.
    """
    body: list[Part] = []
    shown: set[int] = set()
    unnumbered = end = 0
    for mark in _MARK.finditer(question):
        if mark[1] is None:
            unnumbered += 1
        place = int(mark[1]) if mark[1] else unnumbered
        if not 1 <= place <= len(images):
            problem = f"the question has the mark {mark[0]!r}, but the row has {len(images)} pictures"
            raise GumptionError(problem, remedy="add the picture or take the mark out")
        body += [*_words(question[end : mark.start()]), images[place - 1]]
        shown.add(place)
        end = mark.end()
    body += _words(question[end:])
    if not any(isinstance(part, Text) for part in body):
        raise GumptionError("the question is empty", remedy="write the question, or drop the row")
    first = [image for place, image in enumerate(images, 1) if place not in shown]
    return (*first, *_words(hint), *body)


def _words(text: str) -> list[Text]:
    return [Text(text)] if text.strip() else []
