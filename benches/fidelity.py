"""What suites keep of the order of models on the public matrices: baselines, intervals, selectors.

Needs the public data: `python -m benches fidelity`.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benches._table import show
from gumption.curation.certify import certify
from gumption.ranking.fidelity import fidelity
from gumption.ranking.noise import Draws, item_bootstrap, random_subsets, split_half
from gumption.ranking.pair_order import pair_order

_PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
MATRICES = ("visonlyqa_noreason", "mathvista_testmini", "blink_val", "logicvista", "zeroeval_crux")
SHARE = 0.15
METHODS = (
    "random",
    "stratified",
    "random+post-stratified",
    "random+regression",
    "item-total",
    "correlation",
    "mixed",
    "anchor",
    "disagreement",
    "auto",
)


def main() -> None:
    matrices = {name: _load(name) for name in MATRICES}
    _baselines(matrices)
    _coverage(matrices)
    _selectors(matrices)
    _auto_by_size(matrices)


def _load(name: str) -> tuple[NDArray[np.float64], NDArray[np.str_]]:
    path = _PUBLIC / "response_matrices" / f"{name}.npz"
    with np.load(path, allow_pickle=False) as file:
        return file["X"].astype(np.float64), file["groups"]


def _baselines(matrices: dict[str, tuple[NDArray[np.float64], NDArray[np.str_]]]) -> None:
    rows = []
    for name, (scores, _) in matrices.items():
        k = round(SHARE * scores.shape[1])
        order = pair_order(scores, k)
        kept = [f"{one.kept:.2f}" if one.kept is not None else "–" for one in order.bins[:-1]]
        rows.append(
            (
                name,
                f"{split_half(scores).mean:.2f}",
                _draws(item_bootstrap(scores)),
                f"{_draws(random_subsets(scores, k))} ({k})",
                f"{random_subsets(scores, round(scores.shape[1] / 2)).mean:.2f}",
                _draws(random_subsets(scores, k, rest=True)),
                " ".join(kept),
                "–" if order.smallest_gap is None else f"{100 * order.smallest_gap:.1f}",
            )
        )
    show(
        "Noise and random subsets: tau-b with the full set, 5 to 95 %",
        (
            "matrix",
            "split-half",
            "item bootstrap",
            "random 15 %",
            "random 50 %",
            "15 % vs the rest",
            "pair kept at 0-1, 1-2, 2-3, 3-5, 5-10 points",
            "smallest gap, points",
        ),
        rows,
    )
    print()


def _coverage(matrices: dict[str, tuple[NDArray[np.float64], NDArray[np.str_]]], suites: int = 300) -> None:
    rows = []
    for name, (scores, _) in matrices.items():
        items, rng = scores.shape[1], np.random.default_rng(0)
        for share in (0.05, SHARE, 0.3):
            k = round(share * items)
            expected = random_subsets(scores, k, draws=2000, seed=1).mean
            found = [
                fidelity(scores, rng.choice(items, k, replace=False), resamples=200, seed=n).tau
                for n in range(suites)
            ]
            covered = np.mean([(one.low or 0.0) <= expected <= (one.high or 0.0) for one in found])
            width = np.mean([(one.high or 0.0) - (one.low or 0.0) for one in found])
            rows.append((name, f"{share:.0%}", f"{expected:.2f}", f"{covered:.3f}", f"{width:.2f}"))
    show(
        f"Coverage of the expected tau by tau +- 1.96 bootstrap SE, {suites} random suites",
        ("matrix", "share", "expected tau", "coverage", "mean width"),
        rows,
    )
    print()


def _selectors(matrices: dict[str, tuple[NDArray[np.float64], NDArray[np.str_]]]) -> None:
    rows, lifts = [], []
    for name, (scores, groups) in matrices.items():
        k = round(SHARE * scores.shape[1])
        for method in METHODS:
            start = perf_counter()
            found = certify(scores, method, k, groups=groups)
            low, high = found.lift_interval
            if method == "auto":
                lifts.append(found.lift)
            rows.append(
                (
                    name,
                    method,
                    f"{found.tau:.2f} [{found.tau_interval[0]:.2f}, {found.tau_interval[1]:.2f}]",
                    f"{found.random_tau:.2f}",
                    f"{found.ceiling_tau:.2f}",
                    f"{found.lift:+.3f} [{low:+.3f}, {high:+.3f}]",
                    f"{found.lift_error:.3f}",
                    f"{100 * found.score_error:.1f} ({100 * found.random_score_error:.1f})",
                    found.verdict,
                    f"{perf_counter() - start:.1f}",
                )
            )
    show(
        "Selectors at 15 % on held-out models, 60 splits, seed 0",
        (
            "matrix",
            "method",
            "tau",
            "random",
            "ceiling",
            "lift [95 %]",
            "SE over splits",
            "score error, points (random)",
            "verdict",
            "s",
        ),
        rows,
    )
    print(f"\nMean lift of auto over the matrices: {np.mean(lifts):+.3f}\n")


def _auto_by_size(matrices: dict[str, tuple[NDArray[np.float64], NDArray[np.str_]]]) -> None:
    rows = []
    for name, (scores, groups) in matrices.items():
        for share in (0.05, 0.3):
            found = certify(scores, "auto", round(share * scores.shape[1]), groups=groups)
            low, high = found.lift_interval
            rows.append(
                (
                    name,
                    f"{share:.0%}",
                    f"{found.lift:+.3f} [{low:+.3f}, {high:+.3f}]",
                    f"{100 * found.score_error:.1f} ({100 * found.random_score_error:.1f})",
                    f"{found.score_verdict}",
                    ", ".join(f"{method} {count}" for method, count in sorted(found.chosen_by.items())),
                )
            )
    show(
        "auto at other sizes, 60 splits, seed 0",
        ("matrix", "share", "lift [95 %]", "score error, points (random)", "scores", "chosen by"),
        rows,
    )


def _draws(found: Draws) -> str:
    return f"{found.mean:.2f} [{found.low:.2f}, {found.high:.2f}]"
