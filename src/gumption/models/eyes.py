"""A plain vision program for Tabletop: colour patches and geometry; nothing learnt, no look at the gold.

It answers the questions whose wording it knows from what it makes out in the pictures. Where a thing that is
asked for cannot be made out, it says so; it never guesses. Things that are partly hidden or striped defeat
it, and it reads no letters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

from gumption.models._sight import Blob, View, see
from gumption.models.baseline import written
from gumption.models.model import ReadMedia
from gumption.records import Answer, Image, Item, Key, Reply, Text

__all__ = ["Eyes"]

_UNCLEAR = "That is not clear to me."
_CANNOT_READ = "I cannot read that."
_SEEN_AT_ONCE = 64
"""Pictures whose patches are kept."""


class _Unclear(Exception):  # noqa: N818 - an honest answer
    """What is asked for cannot be made out."""


class Eyes:
    """Looks and measures. Deterministic."""

    name = "baseline/eyes"
    prompt = ""
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        self._seen: dict[str, View] = {}

    def identity(self) -> dict[str, Any]:
        return {"kind": "baseline", "name": self.name}

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:  # noqa: ARG002
        return ""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        text = " ".join(part.text for part in question.parts if isinstance(part, Text))
        shown = tuple(part.sha256 for part in question.parts if isinstance(part, Image))
        for pattern, answer in _ANSWERS.items():
            if match := re.search(pattern, text):
                views = [self._view(sha256, media) for sha256 in shown]
                try:
                    said = answer(views, match.groups(), question.answer)
                except _Unclear:
                    said = _UNCLEAR
                return Reply(*key, self.name, text=said, media_sha256=shown)
        unread = _CANNOT_READ if question.answer.kind == "text" else _UNCLEAR
        return Reply(*key, self.name, text=unread, media_sha256=shown)

    async def close(self) -> None:
        """Nothing is held open."""

    def _view(self, sha256: str, media: ReadMedia) -> View:
        if sha256 not in self._seen:
            if len(self._seen) >= _SEEN_AT_ONCE:
                del self._seen[next(iter(self._seen))]
            self._seen[sha256] = see(media(sha256))
        return self._seen[sha256]


_Rule: TypeAlias = Callable[[list[View], tuple[str, ...], Answer], str]


def _find(view: View, name: str) -> Blob:
    blob = view.find(name.removeprefix("the "))
    if blob is None:
        raise _Unclear
    return blob


def _optional(view: View, answer: Answer) -> dict[str, Blob]:
    """Letter to the thing that the option names."""
    return {letter: _find(view, text) for letter, text in (answer.choices or {}).items()}


def _option(text: str, answer: Answer) -> str:
    for letter, option in (answer.choices or {}).items():
        if option == text:
            return letter
    raise _Unclear


def _told(truth: bool) -> str:
    return "yes" if truth else "no"


def _piece(view: View, name: str) -> Blob:
    found = view.largest(name)
    if found is None:
        raise _Unclear
    return found


def _there(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001 - as all rules
    colour, shape = words
    alike = [blob.shape for blob in views[0].things if blob.colour == colour]
    if shape not in alike and "" in alike:
        raise _Unclear
    return _told(shape in alike)


def _count_shape(views: list[View], words: tuple[str, ...], answer: Answer) -> str:
    shapes = [blob.shape for blob in views[0].things]
    if "" in shapes:
        raise _Unclear
    return _option(str(shapes.count(words[0])), answer)


def _in_tray(view: View) -> list[Blob]:
    tray = _piece(view, "tray")
    return [
        blob
        for blob in view.things
        if tray.left < blob.centre[0] < tray.right and tray.top < blob.centre[1] < tray.bottom
    ]


def _count_in_tray(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    return _option(str(len(_in_tray(views[0]))), answer)


def _tray_after(views: list[View], words: tuple[str, ...], answer: Answer) -> str:
    change = 1 if words[0] == "put into" else -1
    return _option(str(len(_in_tray(views[0])) + change), answer)


def _is_in_tray(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    return _told(_find(views[0], words[0]) in _in_tray(views[0]))


def _size(views: list[View], words: tuple[str, ...], answer: Answer) -> str:
    area = {letter: blob.width * blob.height for letter, blob in _optional(views[0], answer).items()}
    return (max if words[0] == "largest" else min)(area, key=area.__getitem__)


def _left(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    a, b = (_find(views[0], name) for name in words)
    return _told(a.centre[0] < b.centre[0])


def _left_from_behind(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    a, b = (_find(views[0], name) for name in words)
    return _told(a.centre[0] > b.centre[0])


def _distance(views: list[View], words: tuple[str, ...], answer: Answer) -> str:
    target = _find(views[0], words[1]).centre
    away = {letter: math.dist(blob.centre, target) for letter, blob in _optional(views[0], answer).items()}
    return (min if words[0] == "nearest to" else max)(away, key=away.__getitem__)


def _front(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    """The one of the two whose lower edge is nearer."""
    bottom = {letter: blob.bottom for letter, blob in _optional(views[0], answer).items()}
    return max(bottom, key=bottom.__getitem__)


def _reach(view: View, blob: Blob) -> bool:
    gripper, line = _piece(view, "metal"), [one for one in view.scenery if one.colour == "line"]
    if not line:
        raise _Unclear
    reach = max(math.dist(one.centre, gripper.centre) for one in line)
    return math.dist(blob.centre, gripper.centre) < reach


def _reachable(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    return _told(_reach(views[0], _find(views[0], words[0])))


def _point(views: list[View], words: tuple[str, ...], answer: Answer) -> str:
    return written(*_find(views[0], words[0]).centre, answer)


def _free_mat(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    return written(*_piece(views[0], "mat").centre, answer)


def _swap(views: list[View], words: tuple[str, ...], answer: Answer) -> str:
    a, b, side = words
    places = {letter: blob.centre[0] for letter, blob in _optional(views[0], answer).items()}
    one, other = _option(f"the {a}", answer), _option(f"the {b}", answer)
    places[one], places[other] = places[other], places[one]
    return (min if side == "left" else max)(places, key=places.__getitem__)


def _tower(view: View) -> list[str]:
    """Colours of the blocks that stand on the plate, from bottom to top."""
    plate = _piece(view, "metal")
    blocks = [b for b in view.things if abs(b.centre[0] - plate.centre[0]) < 4 and b.shape == "block"]
    return [block.colour for block in sorted(blocks, key=lambda block: -block.bottom)]


def _next(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    now, then = map(_tower, views)
    if then[: len(now)] != now or len(now) >= len(then):
        raise _Unclear
    return _option(f"the {then[len(now)]} block", answer)


def _missing(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    now, then = map(_tower, views)
    return _option(str(len(then) - len(now)), answer)


def _order(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    heights = [len(_tower(view)) for view in views]
    if len(set(heights)) < len(heights):
        raise _Unclear
    order = sorted(range(len(heights)), key=heights.__getitem__)
    return _option("picture " + ", ".join(str(place + 1) for place in order), answer)


def _above(views: list[View], words: tuple[str, ...], answer: Answer) -> str:  # noqa: ARG001
    tower = _tower(views[0])
    if not {*words} <= {*tower}:
        raise _Unclear
    return _told(tower.index(words[0]) > tower.index(words[1]))


_THING = r"the (\w+ \w+)"
_ANSWERS: dict[str, _Rule] = {
    r"Is there a (\w+) (\w+) in the picture": _there,
    r"How many (circle|square|triangle|diamond|cross)(?:s|es) are there in the picture": _count_shape,
    r"How many things are in the grey tray": _count_in_tray,
    rf"Suppose that {_THING[:4]}\w+ \w+ is (put into|taken out of) the grey tray": _tray_after,
    rf"Is {_THING} in the grey tray": _is_in_tray,
    r"Which of these is the (largest|smallest)": _size,
    rf"side of the table and look back this way. Is {_THING} then to the left of {_THING}": _left_from_behind,
    rf"Is {_THING} to the left of {_THING}": _left,
    rf"Which of these is (nearest to|farthest away from) {_THING}": _distance,
    r"overlap in the picture. Which of them is in front": _front,
    rf"Can it reach {_THING}": _reachable,
    rf"Point at {_THING}\.": _point,
    r"Point at the free one": _free_mat,
    rf"Suppose that {_THING} and {_THING} change places. .* farthest to the (left|right)": _swap,
    r"Which block is put on next": _next,
    r"How many blocks must still be put on": _missing,
    r"In which order were the pictures taken": _order,
    r"Is the (\w+) block higher up in the tower than the (\w+) block": _above,
}
"""How questions are worded, and what is done about them. The first that fits is used."""
