"""Models of known ability that need no server: the floor, and a ceiling that can be lowered.

Each answers from the question alone and its own seed, so that a run can be repeated to the byte.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random as Generator
from typing import Any, ClassVar

from gumption.answers import inside
from gumption.models import _wrong
from gumption.models.model import ReadMedia
from gumption.records import Answer, GumptionError, Item, Key, Reply

__all__ = ["Oracle", "Random", "written"]

_TRIES = 200
"""Draws for a point inside or outside a region before the box or the corner is taken."""


class _Baseline(ABC):
    """Draws from a generator that depends on the seed, the question and the epoch, and on nothing else."""

    name: str
    prompt = ""
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def identity(self) -> dict[str, Any]:
        return {"kind": "baseline", "name": self.name, "seed": self._seed}

    def prepare(self, items: Sequence[Item]) -> None:  # noqa: B027
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:  # noqa: ARG002
        return ""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:  # noqa: ARG002
        generator = Generator(f"{self._seed}/{self.name}/{question.id}/{key[1]}")
        return Reply(*key, self.name, text=self._answer(question, generator))

    async def close(self) -> None:  # noqa: B027 - holds nothing open
        """Nothing to do."""

    @abstractmethod
    def _answer(self, question: Item, generator: Generator) -> str:
        """The reply's text."""


class Random(_Baseline):
    """Guesses uniformly: an option, yes or no, a whole number from 0 to 10, a point of the picture."""

    name = "baseline/random"

    def _answer(self, question: Item, generator: Generator) -> str:
        answer = question.answer
        if answer.kind == "point":
            width, height = _size(answer)
            return written(generator.uniform(0, width), generator.uniform(0, height), answer)
        if answer.kind == "number":
            return str(generator.randint(0, 10))
        options = _options(answer)
        return generator.choice(options) if options else "a guess"


class Oracle(_Baseline):
    """Knows the gold and says it with probability `accuracy`, else something that is wrong.

    Of a list of atoms each is right with that probability by itself; all other answers are right or wrong as
    a whole.
    """

    def __init__(self, accuracy: float = 1.0, seed: int = 0) -> None:
        if not 0.0 <= accuracy <= 1.0:
            raise GumptionError(f"--accuracy is between 0 and 1, not {accuracy}", remedy="try 0.8")
        super().__init__(seed)
        self._accuracy = accuracy
        self.name = f"baseline/oracle-{accuracy:g}"

    def identity(self) -> dict[str, Any]:
        return {**super().identity(), "accuracy": self._accuracy}

    def _answer(self, question: Item, generator: Generator) -> str:
        answer = question.answer
        if answer.gold is None:
            raise GumptionError(
                "the oracle needs a gold answer and this item has none",
                where=question.id,
                remedy="ask another model",
            )
        right = generator.random() < self._accuracy
        match answer.kind:
            case "point":
                return _point(answer, right, generator)
            case "number":
                gold = float(answer.gold)
                step = 2 * answer.tolerance + max(1.0, abs(gold))
                # Off by the gold and more, so that no relative limit holds; and away from 0, for some rules
                # drop the sign.
                return repr(gold if right else gold + math.copysign(step, gold))
            case "atoms":
                return _wrong.atoms(answer.gold, self._accuracy, generator)
            case "problem":
                return answer.gold if right else _wrong.problem(answer.gold, generator)
            case "actions":
                return _wrong.actions(answer.gold, right=right)
            case "text":
                first = answer.gold if isinstance(answer.gold, str) else answer.gold[0]
                return first if right else _wrong.text(answer.gold)
        wrong = [option for option in _options(answer) if option != answer.gold]
        return answer.gold if right or not wrong else generator.choice(wrong)


def _options(answer: Answer) -> list[str]:
    if answer.kind == "yes_no":
        return ["yes", "no"]
    return list(answer.choices or ())


def _size(answer: Answer) -> tuple[int, int]:
    if answer.size is None:
        raise GumptionError("a point needs the size of its picture", remedy="give the item `size`")
    return answer.size


def _point(answer: Answer, right: bool, generator: Generator) -> str:
    """A point drawn until it falls inside (or outside) the gold region."""
    width, height = _size(answer)
    low_x, low_y, high_x, high_y = _bounds(answer, width, height) if right else (0.0, 0.0, width, height)
    for _ in range(_TRIES):
        x, y = generator.uniform(low_x, high_x), generator.uniform(low_y, high_y)
        if inside(answer.gold, x, y, answer.tolerance) == right:
            return written(x, y, answer)
    return written((low_x + high_x) / 2, (low_y + high_y) / 2, answer) if right else written(-1, -1, answer)


def _bounds(answer: Answer, width: int, height: int) -> tuple[float, float, float, float]:
    region: dict[str, Any] = answer.gold
    if "box" in region:
        return tuple(float(value) for value in region["box"])  # type: ignore[return-value]
    points = region.get("polygon") or region["points"]
    reach = answer.tolerance if "points" in region else 0.0
    xs, ys = [point[0] for point in points[:1]], [point[1] for point in points[:1]]
    if "polygon" in region:
        xs, ys = [point[0] for point in points], [point[1] for point in points]
    return (
        max(0.0, min(xs) - reach),
        max(0.0, min(ys) - reach),
        min(float(width), max(xs) + reach),
        min(float(height), max(ys) + reach),
    )


def written(x: float, y: float, answer: Answer) -> str:
    """The point as the item's convention wants it."""
    width, height = _size(answer)
    scale = {"unit_xy": 1.0, "percent_xy": 100.0, "per_mille_xy": 1000.0, "per_mille_yx": 1000.0}
    if answer.convention is None:
        raise GumptionError("a point needs an explicit convention", remedy="give the item `convention`")
    if answer.convention == "pixel_xy":
        return f"[({_plain(x)}, {_plain(y)})]"
    a, b = x / width * scale[answer.convention], y / height * scale[answer.convention]
    if answer.convention == "per_mille_yx":
        a, b = b, a
    return f"[({_plain(a)}, {_plain(b)})]"


def _plain(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else "0"
