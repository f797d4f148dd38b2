"""RoboSpatial-Home: free places to point at, and yes/no questions on what fits and what stands where.

Song et al., "RoboSpatial: Teaching Spatial Understanding to 2D and 3D Vision-Language Models for Robotics",
2025; github.com/chanhee-luke/RoboSpatial-Eval. Official score: the first point of the reply inside the
polygon, or its first letters yes or no. The README's total is the mean of the three categories; the code
prints the share of all questions. Both are shown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from warnings import catch_warnings, simplefilter

import msgspec
from msgspec.structs import replace

from gumption.answers import inside
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._pointing import convention_of, pointing
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, Convention, Episode, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_CATEGORIES = ("context", "compatibility", "configuration")
SOURCE = Source(
    repo="chanhee-luke/RoboSpatial-Home",
    files=tuple(f"data/{category}-*.parquet" for category in _CATEGORIES),
    licence="Apache-2.0",
)
_COLUMNS = {"category": "text", "question": "text", "answer": "text", "img": "image"}
_VQA = f"{OFFICIAL}, yes or no"
_N = r"\d++(?:\.\d*+)?"
_TUPLE = re.compile(rf"\(\s*+({_N})\s*+,\s*+({_N})\s*+\)")
_PAIR = re.compile(rf"\[\s*+({_N})\s*+,\s*+({_N})\s*+\]")
_LONGEST_LIST = 2_000
"""Characters of a list of points that is read as Python writes one."""


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    convention = convention_of("robospatial", told)
    protocol = "" if convention == "unit_xy" else f"convention={convention}"

    def item(row: Row, shelf: Shelf, number: int) -> Item:
        picture = shelf.image(row["img"])
        answer = _answer(row["answer"], (picture.width, picture.height), convention)
        return Item(
            id=f"robospatial/{row['category']}/{number}",
            benchmark="robospatial",
            parts=(picture, Text(row["question"])),
            answer=answer,
            category=row["category"],
            meta={"answer": row["answer"], "protocol": protocol},
        )

    name = f"robospatial:{protocol}".rstrip(":")
    return suite_of(name, SOURCE, data, _COLUMNS, item, version="three categories", files="data/*.parquet")


def _answer(published: str, size: tuple[int, int], convention: Convention) -> Answer:
    """Yes or no, or the polygon in pixels."""
    word = published.strip().lower()
    if word in {"yes", "no"}:
        return Answer("yes_no", gold=word)
    corners = [[x * size[0], y * size[1]] for x, y in _polygon(published)]
    return Answer("point", gold={"polygon": corners}, convention=convention, size=size)


def _polygon(published: str) -> list[tuple[float, float]]:
    """The corners from 0 to 1, published as a list of tuples. Raises GumptionError for anything else."""
    try:
        brackets = published.translate({ord("("): "[", ord(")"): "]"})
        corners = msgspec.json.decode(brackets, type=list[tuple[float, float]])
    except (msgspec.MsgspecError, RecursionError) as error:
        problem = f"{published[:60]!r} is neither yes, no nor a polygon"
        raise GumptionError(problem, remedy="fetch the data again") from error
    if len(corners) < 3:
        raise GumptionError(f"a polygon of {len(corners)} corners", remedy="fetch the data again")
    return corners


def official(reply: str, item: Item) -> float:
    """Yes/no: how the reply begins, so that "nothing" is a no. Point: the first one, from 0 to 1.

    That is the first pair in round brackets, else in square ones (no sign, a digit before the dot), else what
    the first list in square brackets holds as a literal of Python: two numbers, or a tuple that comes first.
    """
    if item.answer.kind == "yes_no":
        return float(reply.strip().lower().startswith(str(item.answer.gold)))
    point = _first_point(reply)
    return float(point is not None and inside({"polygon": _polygon(item.meta["answer"])}, *point))


def _first_point(reply: str) -> tuple[float, float] | None:
    match = _TUPLE.search(reply) or _PAIR.search(reply)
    if match:
        return float(match[1]), float(match[2])
    start = reply.find("[")
    end = reply.find("]", start)
    if start < 0 or not 0 < end - start <= _LONGEST_LIST:
        return None
    try:
        with catch_warnings():
            simplefilter("ignore")  # of a literal as in "0.5in"
            listed = ast.literal_eval(f"[{reply[start + 1 : end].strip().removesuffix(',')}]")
        pair = listed if all(isinstance(value, int | float) for value in listed) else listed[0]
        x, y = pair if isinstance(pair, list | tuple) else ()
        return float(x), float(y)
    except (ValueError, TypeError, OverflowError, IndexError, SyntaxError, MemoryError, RecursionError):
        return None  # as their code does at whatever fails


_POINTING = pointing(official, "first")
_ASKING = beside(official)


def _episode(item: Item) -> Episode:
    if item.answer.kind == "point":
        return (yield from _POINTING(item))
    score = yield from _ASKING(item)
    return replace(score, parts={**score.parts, _VQA: score.parts[OFFICIAL]})


BENCHMARK = Benchmark(
    name="robospatial",
    title="RoboSpatial-Home",
    homepage="https://github.com/chanhee-luke/RoboSpatial-Eval",
    licence=SOURCE.licence,
    rule="the first point inside the polygon, or the first letters yes or no; mean of the three categories",
    official=Aggregate("macro over the three categories (README)", by="category", part=OFFICIAL),
    further=(
        Aggregate("micro (as the code prints)", part=OFFICIAL),
        Aggregate("VQA: configuration and compatibility (README)", by="category", part=_VQA),
        Aggregate("macro over the three categories, our reading", by="category"),
    ),
    load=_load,
    configure=_configured,
    episode=_episode,
    source=SOURCE,
    version="2",
    n="350 = context 122 + compatibility 105 + configuration 123",
    formula="(context + compatibility + configuration) / 3, each the share that is right",
    chance="yes/no 1/2; a point drawn uniformly hits with the polygon's share of the picture",
    asked="picture, question, then yes or no, or a list of points in the convention",
    quirks=(
        "The README says mean of the categories, the code prints the share of all questions (micro).",
        "Yes/no goes by how the reply begins: 'nothing' and 'not sure' are a no.",
        "The first pair in round brackets counts, wherever it stands; square brackets come second.",
        "With replies made beforehand a missing one leaves the denominator; asked live, rows without "
        "question "
        "or answer stay in it. Here a failed request lowers coverage.",
    ),
    kits=(
        (
            "lmms-eval",
            "yes/no from the last line, one word there and the other not, also inside words; points "
            "from fenced JSON at 0 to 1,000 alone, any of them in the mask",
        ),
        ("RynnScale", "mean over the points; 'yes' anywhere is a yes"),
        ("FlagEvalMM", "a prompt of its own that ends in an answer line"),
    ),
    checked="hand-worked replies; macro, micro and VQA figure from one set of replies",
)
