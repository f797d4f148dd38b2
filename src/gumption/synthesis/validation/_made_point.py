"""Made replies to questions for points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from gumption.synthesis.spec import Scoring
from gumption.synthesis.validation._declared import Declared
from gumption.synthesis.validation._made import Made, Read
from gumption.synthesis.validation._targets import Target
from gumption.synthesis.validation._worth import of_marks

__all__ = ["point"]

Pair: TypeAlias = tuple[float, float]


def point(item: Declared, scoring: Scoring, turn: int) -> Iterator[Made]:
    """Answers of every form in the declared convention; the first is right, the second wrong."""
    target: Target = item.gold
    written = _Convention(scoring, target)
    on = [one for one in target.points(True, 3, written.margin, turn) if written.told(one) is True]
    off = [one for one in target.points(False, 3, written.margin, turn) if written.told(one) is False]
    if not on or not off:
        return
    hit, miss = on[0], off[0]
    yield Made(f"[{written(hit)}]", 1.0, "answered", "a point on the target scores 1")
    yield Made(f"[{written(miss)}]", 0.0, "answered", "a point off the target scores 0")
    for one, worth in ((hit, 1.0), (miss, 0.0)):
        yield Made(written(one), worth, "answered", "the brackets of a list are free")
        yield Made(f"The point is {written(one)}.", worth, "answered", "an answer in a sentence")
    read: Read = "not" if scoring.parameters.get("several") == "none" else "answered"
    pairs: list[tuple[Sequence[Pair], Sequence[bool]]] = [
        ((hit, miss), (True, False)),
        ((miss, hit), (False, True)),
    ]
    pairs.append(((*on, *off), (True,) * len(on) + (False,) * len(off)))
    pairs.append((on, (True,) * len(on)))
    for several, marks in pairs:
        reply = f"[{', '.join(written(one) for one in several)}]"
        yield Made(
            reply, of_marks(scoring, marks), read, "the worth of several points by the declared metric"
        )
    outside = (target.size[0] * 1.5, target.size[1] * 1.5)
    yield Made(f"[{written(outside)}]", 0.0, "answered", "a point outside the picture is a miss")
    both = of_marks(scoring, (True, False))
    yield Made(
        f"[{written(hit)}, {written(outside)}]",
        both,
        read,
        "a point outside the picture stays in the count",
    )
    if scoring.parameters.get("rest", True) and scoring.region[-1] == "whole":
        both = of_marks(scoring, (True, False))
        lines = f"{written(hit)}\n{written(miss)}"
        yield Made(lines, both, read, "points on several lines all count")
        if "answer_mark" in scoring.region:
            yield Made(f"Answer:\n{lines}", both, read, "points on several lines behind a mark all count")
    yield Made("It is next to the door.", 0.0, "not", "a reply without a point is counted and scores 0")


class _Convention:
    """How points are written."""

    def __init__(self, scoring: Scoring, target: Target) -> None:
        self.size = target.size
        scale = scoring.parameters.get("scale")
        self.scale: Pair = (float(scale[0]), float(scale[1])) if scale is not None else target.size
        self.turned = scoring.parameters.get("order") == "yx"
        self.digits = 0 if self.scale[0] > 200 else 3 if self.scale[0] <= 2 else 1
        self.target = target
        self.margin = 1.5 if target.size[0] > 2 else 0.01

    def __call__(self, at: Pair) -> str:
        x, y = self._rounded(at)
        return f"({y}, {x})" if self.turned else f"({x}, {y})"

    def told(self, at: Pair) -> bool | None:
        """Whether the point as it is written is on the target; None too near to its edge."""
        x, y = (
            float(one) * side / full
            for one, side, full in zip(self._rounded(at), self.size, self.scale, strict=True)
        )
        return self.target.clear(x, y, self.margin / 3)

    def _rounded(self, at: Pair) -> tuple[str, str]:
        x, y = (
            f"{one * full / side:.{self.digits}f}"
            for one, side, full in zip(at, self.size, self.scale, strict=True)
        )
        return x, y
