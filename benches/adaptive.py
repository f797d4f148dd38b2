"""How often an adaptive run is wrong, and what it saves, over simulated leaderboards.

Each takes some models of one of the five public matrices (BLINK, LogicVista, MathVista, VisOnlyQA, ZeroEval
Crux) and a suite of as many items, drawn from the matrix with replacement, by picture where several items
share one: the truth of the suite is known. Ties are exact, on other items. A leaderboard is wrong if a single
verdict on a pair is; the bound is Clopper and Pearson's, one-sided.

Beside it: t-tests at the same looks, stopped at the first p below .05 (corrected for the pairs), and one
t-test of each pair after as many items as the adaptive run took on average.
Needs the public data: GUMPTION_PUBLIC_DATA.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
from scipy.stats import beta, norm

from benches._table import show
from gumption.ranking.sequential import PairVerdict, Verdict, settle
from gumption.records import Answer, Item
from gumption.running._rounds import rounds
from gumption.suites.drawing import Drawing, draw

CONFIDENCE = 0.95
DATA = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
MATRICES = ("blink_val", "logicvista", "mathvista_testmini", "visonlyqa_noreason", "zeroeval_crux")
NAMES = tuple("abcdef")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Board:
    """One simulated leaderboard."""

    scores: Floats
    """Models x items of the suite."""
    drawing: Drawing

    @property
    def means(self) -> Floats:
        return np.asarray(self.scores.mean(axis=1))

    @property
    def looks(self) -> list[int]:
        return [last for _, last in rounds(self.drawing)]


@dataclass(frozen=True)
class Case:
    """A row of leaderboards."""

    label: str
    boards: int = 1000
    models: int = 6
    tied: int = 0
    """Models of every second leaderboard that are as good as its first; all of every one if all are."""
    margin: float = 0.0
    items: int | None = None
    """Of a suite, about; None is as many as the matrix has."""


CASES = (
    Case("six models, every second board with a tie", tied=2),
    Case("the same, equal within 5 points", tied=2, margin=0.05),
    Case("six exact ties", tied=6),
    Case("two models", models=2),
    Case("six models, suites of 10,000 items", boards=200, tied=2, margin=0.02, items=10_000),
)


@dataclass(frozen=True)
class Outcome:
    wrong: bool
    settled: float
    """Share of the pairs that were settled before the last item."""
    saved: float
    """Share of models x items that was not asked."""


def main() -> None:
    matrices = [(_matrix(name), _clusters(name)) for name in MATRICES]
    rows = []
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for case in CASES:
            start = perf_counter()
            jobs = [(case, number, *matrices[number % len(matrices)]) for number in range(case.boards)]
            found = pool.starmap(_one, jobs, chunksize=10)
            seconds = f"{perf_counter() - start:.0f} s"
            ways = (
                ("adaptive run",) if case.margin else ("adaptive run", "t-tests at every look", "one t-test")
            )
            for place, way in enumerate(ways):
                told = _told([outcomes[place] for outcomes in found])
                rows.append((case.label, f"{case.boards:,}", way, *told, seconds if not place else ""))
    header = ("leaderboards", "", "rule", "wrong", "upper 95 % bound", "pairs settled", "saved", "time")
    show(f"Adaptive runs at confidence {CONFIDENCE}, by simulated leaderboards", header, rows)


def _one(case: Case, number: int, matrix: Floats, clusters: npt.NDArray[np.int64]) -> tuple[Outcome, ...]:
    """What the three rules make of one leaderboard."""
    board = _board(case, number, matrix, clusters)
    adaptive = _adaptive(board, case.margin)
    draws = len(board.drawing.size)
    as_many = min(max(round((1 - adaptive.saved) * draws), 2), draws)
    return (adaptive,) if case.margin else (adaptive, _peeking(board), _peeking(board, as_many))


def _adaptive(board: Board, margin: float) -> Outcome:
    models = len(board.scores)
    whole = [len(board.drawing.size)] * models
    names = NAMES[:models]
    found = settle(
        board.scores, board.drawing, whole, models=names, confidence=CONFIDENCE, margin=margin
    ).pairs
    return _outcome(board, found, margin)


def _peeking(board: Board, only: int | None = None) -> Outcome:
    """Paired t-tests of cluster means, with the correction for a finite suite, at every look or at one."""
    draws = len(board.drawing.size)
    pairs = list(combinations(range(len(board.scores)), 2))
    limit = norm.isf((1 - CONFIDENCE) / 2 / len(pairs))
    looks = np.array(board.looks if only is None else [only])
    found = []
    for first, second in pairs:
        means = board.drawing.means((board.scores[first] - board.scores[second])[None, :])[0]
        gap = means * board.drawing.size
        sums, squares = np.cumsum(gap)[looks - 1], np.cumsum(gap**2)[looks - 1]
        mean = sums / looks
        variance = (squares / looks - mean**2) / np.maximum(looks - 1, 1) * (1 - looks / draws)
        apart = np.flatnonzero(np.abs(mean) > limit * np.sqrt(np.maximum(variance, 0)) + 1e-9)
        if len(apart):
            verdict: Verdict = "a" if mean[apart[0]] > 0 else "b"
            found.append(PairVerdict(NAMES[first], NAMES[second], verdict, int(looks[apart[0]])))
        else:
            found.append(PairVerdict(NAMES[first], NAMES[second], "open", only))
    return _outcome(board, found, 0.0)


def _outcome(board: Board, pairs: list[PairVerdict] | tuple[PairVerdict, ...], margin: float) -> Outcome:
    draws, looks = len(board.drawing.size), np.array(board.looks)
    ends = dict.fromkeys(NAMES[: len(board.scores)], 0)
    wrong, means = False, dict(zip(NAMES, board.means, strict=False))
    for pair in pairs:
        gap = means[pair.a] - means[pair.b]
        wrong |= {"a": gap <= 1e-9, "b": gap >= -1e-9, "equal": abs(gap) > margin + 1e-6, "open": False}[
            pair.verdict
        ]
        for name in (pair.a, pair.b):
            ends[name] = max(ends[name], pair.draws or draws)
    items = np.cumsum(np.bincount(board.drawing.place))
    asked = [items[looks[np.searchsorted(looks, end)] - 1] for end in ends.values()]
    settled = np.mean([pair.verdict != "open" and (pair.draws or draws) < draws for pair in pairs])
    return Outcome(bool(wrong), float(settled), float(1 - np.mean(asked) / items[-1]))


def _told(found: list[Outcome]) -> tuple[str, str, str, str]:
    wrong = sum(one.wrong for one in found)
    bound = float(beta.ppf(0.95, wrong + 1, len(found) - wrong))
    return (
        f"{100 * wrong / len(found):.1f} %",
        f"{100 * bound:.2f} %",
        f"{100 * np.mean([one.settled for one in found]):.0f} %",
        f"{100 * np.mean([one.saved for one in found]):.1f} %",
    )


def _board(case: Case, number: int, matrix: Floats, clusters: npt.NDArray[np.int64]) -> Board:
    rng = np.random.default_rng([number, case.models, case.tied])
    chosen = rng.choice(len(matrix), case.models, replace=False)
    # Whole clusters, so that a suite has about as many items as it should.
    there = int(clusters.max()) + 1
    picked = rng.integers(0, there, round(there * (case.items or len(clusters)) / len(clusters)))
    by_cluster = _members(clusters)
    items = np.concatenate([by_cluster[one] for one in picked])
    owner = np.repeat(np.arange(len(picked)), [len(by_cluster[one]) for one in picked])
    scores = matrix[np.ix_(chosen, items)]
    if case.tied == case.models or number % 2:
        for other in range(1, case.tied):
            scores[other] = _twin(scores[0], rng)
    suite = [Item(str(place), "", (), Answer("choice"), cluster=str(one)) for place, one in enumerate(owner)]
    return Board(scores, draw(suite, None, number))


def _twin(scores: Floats, rng: np.random.Generator) -> Floats:
    """As good to the last item, on other ones: the scores of a random half of the items change places."""
    twin = scores.copy()
    half = rng.permutation(len(scores))[: len(scores) // 2]
    twin[half] = scores[rng.permutation(half)]
    return twin


def _members(clusters: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    order = np.argsort(clusters, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(clusters[order])) + 1)


def _matrix(name: str) -> Floats:
    with np.load(DATA / "response_matrices" / f"{name}.npz") as file:
        return np.asarray(file["X"], np.float64)


def _clusters(name: str) -> npt.NDArray[np.int64]:
    """A number for each item's picture, where the file names one that several share."""
    lines = (DATA / "response_matrices" / f"{name}.items.jsonl").read_text("utf-8").splitlines()
    pictures = [json.loads(line).get("image") or f"item {number}" for number, line in enumerate(lines)]
    return np.asarray(np.unique(pictures, return_inverse=True)[1], np.int64)


if __name__ == "__main__":
    main()
