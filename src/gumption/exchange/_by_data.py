"""A logged question found again among a benchmark's own, where its data are at hand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from gumption.exchange.log import Recorded
from gumption.records import GumptionError, Item, Text

__all__ = ["Questions"]

_MOST_LINES, _LONGEST = 60, 2**15
"""Lines and characters of a prompt in which a question is looked for."""


class Questions:
    """The questions of a benchmark by their words."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._at: dict[str, list[tuple[int, Item]]] = defaultdict(list)
        for number, item in enumerate(items):
            self._at[_words(max(_texts(item), key=len, default=""))].append((number, item))

    def item_of(self, row: Recorded) -> Item:
        """The question that whole lines of the row's prompt are: the longest such, and of several with the
        same words the one whose place in the file or name the row says. Raises GumptionError without one."""
        prompt = "\n".join(_texts(row.item))
        found = max(
            (self._at[words] for words in _runs(prompt) if words in self._at),
            key=lambda same: max(map(len, _texts(same[0][1])), default=0),
            default=[],
        )
        if len(found) == 1:
            return found[0][1]
        for number, item in found:
            if row.item.id in (str(number), item.id, item.id.rpartition("/")[2]):
                return item
        problem = (
            f"{len(found)} questions of the data have these words" if found else "not a question of the data"
        )
        remedy = "give the data of the version that the kit asked, or leave --data out"
        raise GumptionError(problem, remedy=remedy)


def _runs(prompt: str) -> Iterator[str]:
    """The words of every run of lines, and the same without a head such as "Question:"."""
    lines = [line for line in prompt[:_LONGEST].splitlines() if line.strip()][:_MOST_LINES]
    for start, first in enumerate(lines):
        heads = (first, first.partition(":")[2]) if ":" in first else (first,)
        for head in heads:
            words = _words(head)
            yield words
            for line in lines[start + 1 :]:
                words = f"{words} {_words(line)}".strip()
                yield words


def _texts(item: Item) -> list[str]:
    return [part.text for part in item.parts if isinstance(part, Text)]


def _words(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()
