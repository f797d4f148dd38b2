"""Runs of one benchmark side by side: the same items for all, who leads, and who beats whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from gumption.ranking import Ranking, rank
from gumption.records import Aggregate, Item, Scorecard
from gumption.reporting._evidence import Found, bits

__all__ = ["Board", "Floats", "make_boards", "ranked", "ranking_row"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MICRO = Aggregate("micro")


class Ranked(Protocol):
    """What is asked of a run here."""

    scorecard: Scorecard
    official: Aggregate | None


@dataclass(frozen=True, slots=True)
class Board:
    """The runs of one benchmark over the union of their items."""

    benchmark: str
    runs: tuple[int, ...]
    """Their numbers in the report; the rows of everything below."""
    names: tuple[str, ...]
    items: tuple[Item, ...]
    aggregate: Aggregate
    """The official one of the first run."""
    values: Floats
    """Runs x items in [0, 1], NaN where there is none."""
    official: Floats
    flags: Ints
    """Runs x items: the outcomes, as in `Found`."""
    kinds: tuple[str, ...]
    mistakes: Ints
    """Runs x items: the first mistakes, as a sum of 2 ** (place in `kinds`)."""

    def clusters(self) -> list[int]:
        """A number per item, shared within its scene, video or image."""
        numbers: dict[tuple[str, ...], int] = {}
        keys = (
            (item.benchmark, item.cluster) if item.cluster else (item.benchmark, item.id, "alone")
            for item in self.items
        )
        return [numbers.setdefault(key, len(numbers)) for key in keys]

    def strata(self) -> tuple[Ints, list[str], Mapping[str, float] | None]:
        """The items that the official aggregate weighs, the stratum of each, and the weights by stratum.

        As `ranking.scorecard` has it: items without a name stay out, unless the weights name "".
        """
        by, weights = self.aggregate.by, self.aggregate.weights
        if not by:
            return np.arange(len(self.items)), ["all"] * len(self.items), None
        names: list[str] = [getattr(item, by) for item in self.items]
        inside = [
            place
            for place, name in enumerate(names)
            if (name if weights is None else weights.get(name, 1.0 if name else 0.0))
        ]
        return np.array(inside, dtype=np.int64), [names[place] for place in inside], weights

    def parts(self, field: str) -> list[tuple[str, list[int]]]:
        """The items of each category or dimension, by name; items without one are left out."""
        places: dict[str, list[int]] = {}
        for place, item in enumerate(self.items):
            if name := getattr(item, field):
                places.setdefault(name, []).append(place)
        return sorted(places.items())


def make_boards(
    runs: Sequence[Ranked],
    names: Sequence[str],
    asked: Sequence[Sequence[Item]],
    items: Sequence[Item],
    found: Sequence[Sequence[Found]],
    kinds: tuple[str, ...],
) -> list[Board]:
    """One board for each benchmark, in the order first met. By run: its name in the report, the items it was
    asked, and what it made of every one of `items`. `kinds`: of mistakes, those that are told apart."""
    benchmarks = [run.scorecard.benchmark for run in runs]
    place_of = {(item.benchmark, item.id): place for place, item in enumerate(items)}
    boards = []
    for benchmark in dict.fromkeys(benchmarks):
        own = tuple(number for number, name in enumerate(benchmarks) if name == benchmark)
        places = sorted({place_of[item.benchmark, item.id] for run in own for item in asked[run]})
        rows = [[found[run][place] for place in places] for run in own]
        boards.append(
            Board(
                benchmark=benchmark,
                runs=own,
                names=tuple(names[run] for run in own),
                items=tuple(items[place] for place in places),
                aggregate=runs[own[0]].official or MICRO,
                values=_matrix([[one.value for one in row] for row in rows]),
                official=_matrix([[one.official for one in row] for row in rows]),
                flags=np.array([[one.flags for one in row] for row in rows], dtype=np.int64),
                kinds=kinds,
                mistakes=np.array(
                    [[bits(one.mistakes, kinds) for one in row] for row in rows], dtype=np.int64
                ),
            )
        )
    return boards


def _matrix(rows: Sequence[Sequence[float | None]]) -> Floats:
    return np.array(rows, dtype=np.float64)  # None becomes NaN


def ranked(board: Board) -> Ranking | None:
    """The ranking of a board's runs by their official aggregate, `row` being a row of the board.

    By micro, named so, where the aggregate weighs nothing that was scored. None where nothing was scored.
    """
    clusters = np.array(board.clusters())
    inside, strata, weights = board.strata()
    if len(inside) and not np.isnan(board.official[:, inside]).all():
        official = rank(board.official[:, inside], clusters=clusters[inside], strata=strata, weights=weights)
        return replace(official, aggregate=board.aggregate.name)
    return None if np.isnan(board.values).all() else rank(board.values, clusters=clusters)


def ranking_row(board: Board, ranking: Ranking | None) -> dict[str, Any]:
    """What the pages draw of a ranking; its models best first."""
    if ranking is None:
        return {"places": [], "beats": []}
    return {
        "places": [
            {
                "run": board.runs[model.row],
                "rank": model.rank,
                "low": model.rank_low,
                "high": model.rank_high,
                "tier": model.tier,
                "coverage": round(model.coverage, 4),
                "flagged": model.flagged,
            }
            for model in ranking.models
        ],
        "beats": [[round(chance, 4) for chance in row] for row in ranking.beats],
        "clusters": ranking.clusters,
    }
