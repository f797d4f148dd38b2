"""Asking for points and scoring them twice: Where2Place, RefSpatial-Bench, RoboSpatial-Home.

How coordinates are meant is an option that is recorded with the run, never inferred from a reply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from msgspec.structs import replace

from gumption.answers import inside
from gumption.benchmarks._beside import OFFICIAL, Official
from gumption.benchmarks.benchmark import reading_of
from gumption.benchmarks.prompts import prompted
from gumption.records import Answer, Convention, Episode, GumptionError, Item, Reading, Score

__all__ = ["FAMILIES", "convention_of", "pointing", "score_points"]

FAMILIES: dict[str, Convention] = {
    "robopoint": "unit_xy",
    "roborefer": "unit_xy",
    "gpt-4o": "unit_xy",
    "claude": "unit_xy",
    "robobrain": "pixel_xy",
    "qwen2.5-vl": "pixel_xy",
    "qwen-json": "per_mille_xy",
    "gemini": "per_mille_yx",
    "molmo": "percent_xy",
}
"""What published scorers take the coordinates of a model family for."""


def convention_of(benchmark: str, options: Mapping[str, str]) -> Convention:
    """The convention under `convention=NAME` or `family=NAME`; 0 to 1 with x first where neither is given.

    Raises GumptionError for any other option, an unknown name, and where both are given.
    """
    known: dict[str, Convention] = {name: name for name in get_args(Convention)}
    named = [
        {"convention": known, "family": FAMILIES}.get(name, known).get(value)
        for name, value in options.items()
    ]
    if not named:
        return "unit_xy"
    if len(named) > 1 or named[0] is None or not options.keys() & {"convention", "family"}:
        raise GumptionError(
            f"{', '.join(f'{name}={value}' for name, value in options.items())} names no one convention",
            where=benchmark,
            remedy=f"convention: {', '.join(known)}; or family: {', '.join(FAMILIES)}",
        )
    return named[0]


def score_points(
    answer: Answer, reading: Reading, reduction: Literal["mean", "first", "any", "all"] = "mean"
) -> Score:
    """The honest score of the points that were read, by which of them lie inside the gold region.

    mean: their share; first: the first one; any; all. The four stand as parts of the score, for scorers in
    use differ in which they take. Points outside the picture are kept and miss; nothing read is 0 and
    counted.
    """
    points = reading.value if reading.outcome == "answered" else []
    hits = [inside(answer.gold, x, y) for x, y in points]
    parts = {
        "mean": sum(hits) / len(hits) if hits else 0.0,
        "first": float(bool(hits) and hits[0]),
        "any": float(any(hits)),
        "all": float(bool(hits) and all(hits)),
    }
    return Score(parts[reduction], parts=parts, reading=reading)


def pointing(official: Official, reduction: Literal["mean", "first"] = "mean") -> Callable[[Item], Episode]:
    """The episode: ask for points, score those that our reader reads, and put the authors' score beside."""

    def episode(item: Item) -> Episode:
        (reply,) = yield (prompted(item),)
        scored = score_points(item.answer, reading_of(reply, item.answer), reduction)
        given = official(reply.text, item)
        return scored if given is None else replace(scored, parts={**scored.parts, OFFICIAL: given})

    return episode
