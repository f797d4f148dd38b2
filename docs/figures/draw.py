"""The figures of the concept pages, drawn with the package's own functions.

python docs/figures/draw.py [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gumption as g

INK, GREY, PALE, BLUE, RED, GREEN = "#1f2933", "#7b8794", "#eef1f4", "#1f6f8b", "#b5403a", "#3d7f4f"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: small, and it can be searched and read aloud
    "svg.hashsalt": "gumption",  # the same figure is the same file
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
}


def main() -> None:
    """Write every figure into the folder, by default the one that this file is in."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    matplotlib.use("svg")
    with matplotlib.rc_context(STYLE):
        for name, draw in FIGURES.items():
            figure = draw()
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})


def evidence() -> Figure:
    """What becomes of a planned item, and what it is worth in the mean."""
    figure, axes = _sheet(8.6, 4.1)
    rows = (
        ("request failed", "no answer: the mean is not touched", "lowers coverage", GREY),
        ("refused, by the server or in words", "0", "refused rate", RED),
        ("no answer found", "0", "unread rate", RED),
        ("several answers, undecided", "0", "ambiguous rate", RED),
        ("one answer, wrong", "0", "", RED),
        ("one answer, right", "1", "", GREEN),
    )
    heads = (
        (0.3, "planned item"),
        (2.0, "what became of it"),
        (5.3, "in the mean as"),
        (7.3, "told beside it as"),
    )
    for x, words in heads:
        axes.text(x, 6.55, words, color=GREY, weight="bold")
    _box(axes, 0.3, 2.2, 1.1, 1.6, PALE)
    axes.text(0.85, 3.0, "asked", ha="center", va="center")
    for number, (what, worth, rate, colour) in enumerate(rows):
        y = 5.45 - number
        axes.plot([1.4, 1.7, 1.7, 2.0], [3.0, 3.0, y + 0.35, y + 0.35], color=GREY, lw=0.9)
        _box(axes, 2.0, y, 3.0, 0.7, "white", colour)
        axes.text(2.15, y + 0.35, what, va="center")
        axes.text(
            5.3, y + 0.35, worth if len(worth) == 1 else "nothing", va="center", color=colour, weight="bold"
        )
        axes.text(7.3, y + 0.35, rate, va="center")
    axes.text(
        2.0, -0.15, "A reply that was cut off is read like any other and counted as truncated.", color=GREY
    )
    return figure


def uncertainty() -> Figure:
    """How often a 95 % interval holds the truth, with questions that share their scene."""
    rng = np.random.default_rng(0)
    scenes, each, mean, runs = 30, 10, 0.6, 400
    clusters = np.repeat(np.arange(scenes), each)
    shares = np.array([0.0, 0.1, 0.2, 0.3, 0.5, 0.7])
    held = np.zeros((2, len(shares)))
    for column, share in enumerate(shares):
        for _ in range(runs):
            values = _answers(rng, scenes, each, mean, share)
            for row, labels in enumerate((None, clusters)):
                found = g.ranking.interval(values, clusters=labels, resamples=200)
                assert found.low is not None and found.high is not None
                held[row, column] += found.low <= mean <= found.high
    figure, axes = _plot(6.4, 3.4)
    axes.axhline(95, color=GREY, lw=0.9, ls="--")
    axes.text(0.72, 98.5, "promised", color=GREY, ha="right")
    for row, colour, words in ((0, RED, "questions resampled"), (1, BLUE, "scenes resampled")):
        axes.plot(shares, held[row] / runs * 100, color=colour, marker="o", ms=4)
        axes.annotate(
            words, (shares[3], held[row, 3] / runs * 100), (0, -18), textcoords="offset points", color=colour
        )
    axes.set(xlabel="how much alike the answers on one scene are (intra-class correlation)", ylim=(35, 104))
    axes.set_ylabel("intervals that hold the truth, %")
    return figure


def compact_suites() -> Figure:
    """The order of models by k random items against the order by all."""
    rng = np.random.default_rng(1)
    ability, hardness = rng.normal(0, 0.5, size=(20, 1)), rng.normal(0, 1.2, size=(1, 1200))
    matrix = (rng.random((20, 1200)) < 1 / (1 + np.exp(hardness - ability))).astype(float)
    sizes = [25, 50, 100, 200, 400, 800]
    drawn = [g.ranking.random_subsets(matrix, k, draws=200) for k in sizes]
    ceiling = g.ranking.item_bootstrap(matrix, draws=200).mean
    figure, axes = _plot(6.4, 3.4)
    axes.fill_between(sizes, [d.low for d in drawn], [d.high for d in drawn], color=BLUE, alpha=0.15, lw=0)
    axes.plot(sizes, [d.mean for d in drawn], color=BLUE, marker="o", ms=4)
    axes.axhline(ceiling, color=GREY, lw=0.9, ls="--")
    axes.text(25, ceiling + 0.015, "all 1,200 items drawn anew", color=GREY)
    axes.annotate(
        "random suites: mean, and 90 % of them",
        (sizes[2], drawn[2].mean),
        (12, -22),
        textcoords="offset points",
        color=BLUE,
    )
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(k) for k in sizes])
    axes.minorticks_off()
    axes.set(
        xlabel="items in the suite, of 1,200", ylabel="order of 20 models kept (tau-b)", ylim=(0.15, 1.02)
    )
    return figure


def plan_errors() -> Figure:
    """A plan of seven steps, and everything that is wrong with it."""
    domain = g.grounding.read_domain(
        resources.files("gumption.grounding.domains").joinpath("blocksworld.pddl").read_text()
    )
    problem = g.grounding.read_problem(PROBLEM, domain).problem
    assert problem is not None
    steps = g.grounding.read_actions(PLAN)
    verdict = g.grounding.validate(domain, problem, steps)
    figure, axes = _sheet(8.6, 3.4)
    for number, step in enumerate([*steps, ("the goal: b on c",)]):
        y = 6.1 - number * 0.99
        at = None if number == len(steps) else number
        errors = [error for error in verdict.errors if error.step == at]
        colour = GREEN if not errors else GREY if all(error.secondary for error in errors) else RED
        _box(axes, 0.2, y, 2.7, 0.72, "white", colour)
        axes.text(
            0.35, y + 0.36, f"{number + 1}  {' '.join(step)}" if at is not None else step[0], va="center"
        )
        said = "; ".join(dict.fromkeys(f"{error.kind}: {error.detail}" for error in errors)) or (
            "holds" if at is None else "executes"
        )
        rank = "" if not errors else "  may follow from it" if colour == GREY else "  the first error"
        axes.text(3.1, y + 0.36, said[:78], va="center", color=colour if errors else GREEN)
        axes.text(9.9, y + 0.36, rank, va="center", ha="right", color=colour, weight="bold")
    return figure


PROBLEM = """(define (problem p) (:domain blocksworld) (:objects a b c - block hand - robot)
  (:init (ontable a) (on b a) (clear b) (ontable c) (clear c) (handempty hand)) (:goal (on b c)))"""
PLAN = "(unstack b a hand) (pick-up c hand) (stack b d hand) (stack b c hand) (unstack b a hand) (fly b c)"


def _answers(rng: np.random.Generator, scenes: int, each: int, mean: float, share: float) -> np.ndarray:
    """Right or wrong by a rate of the scene's own, from a beta of the intra-class correlation `share`."""
    spread = (1 - share) / share if share else 0
    rates = rng.beta(mean * spread, (1 - mean) * spread, scenes) if share else np.full(scenes, mean)
    return (rng.random((scenes, each)) < rates[:, None]).astype(float).ravel()


def _sheet(width: float, height: float) -> tuple[Figure, Axes]:
    """A sheet of 10 x 7 units to put boxes on."""
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 10), ylim=(-0.4, 7))
    axes.axis("off")
    return figure, axes


def _plot(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _box(axes: Axes, x: float, y: float, width: float, height: float, fill: str, edge: str = GREY) -> None:
    axes.add_patch(
        matplotlib.patches.FancyBboxPatch(
            (x, y), width, height, "round,pad=0,rounding_size=0.08", fc=fill, ec=edge
        )
    )


FIGURES: dict[str, Callable[[], Figure]] = {
    "evidence": evidence,
    "uncertainty": uncertainty,
    "compact-suites": compact_suites,
    "plan-errors": plan_errors,
}

if __name__ == "__main__":
    main()
