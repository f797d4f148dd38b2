"""The figure of cost against score: which models no other one beats at less."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gumption.reporting._figure_sheet import DARK, SOFT, WIDTH, named, percent, sheet
from gumption.reporting.leaderboard import Cost, Leaderboard

__all__ = ["costs_of", "draw_cost", "frontier"]

_KEY = 3
"""Columns of the key."""


def costs_of(costs: Sequence[Cost]) -> tuple[str, list[float | None]]:
    """Per item, what more models tell: output tokens, else seconds of requests; "" if neither."""
    means = {name: [cost[name]["mean"] for cost in costs] for name in ("output", "seconds")}
    known = {name: sum(bool(mean) for mean in found) for name, found in means.items()}
    if not any(known.values()):
        return "", [None] * len(costs)
    if known["output"] >= known["seconds"]:
        return "output tokens per item", means["output"]
    return "seconds per item", means["seconds"]


def frontier(points: Sequence[tuple[float, float]]) -> list[int]:
    """Numbers of the points (cost, score) that no other point equals or beats in both and beats in one,
    cheapest first."""
    found: list[int] = []
    best = float("-inf")
    for number in sorted(range(len(points)), key=lambda one: (points[one][0], -points[one][1])):
        cost, score = points[number]
        if score > best or (found and points[found[-1]] == (cost, score)):
            found.append(number)
            best = score
    return found


def draw_cost(board: Leaderboard, stem: Path) -> None:
    """A dot by its rank for each model whose cost is known; the line joins those that no model beats at
    less. The key names them."""
    axis, costs = costs_of(board.costs)
    known = [
        (place, cost, percent(row.official.mean))
        for place, (row, cost) in enumerate(zip(board.rows, costs, strict=True))
        if cost and row.official.mean is not None
    ]
    best = frontier([(cost, score) for _, cost, score in known])
    lines = -(-len(known) // _KEY)
    with sheet(stem, WIDTH, 3.6 + 0.14 * lines) as figure:
        from matplotlib.ticker import LogLocator

        axes, key = figure.subplots(2, 1, height_ratios=(3.1, 0.14 * lines))
        axes.step(
            [known[number][1] for number in best],
            [known[number][2] for number in best],
            where="post",
            color=SOFT,
            linewidth=1.2,
            linestyle=(0, (4, 2)),
        )
        for number, (place, cost, score) in enumerate(known):
            row = board.rows[place]
            on = number in best
            ends = [percent(row.official.low), percent(row.official.high)]
            axes.plot([cost, cost], ends, color=SOFT, linewidth=0.8, alpha=0.6)
            axes.plot(
                [cost],
                [score],
                marker="o",
                markersize=5,
                markerfacecolor=DARK if on else "white",
                markeredgecolor=DARK,
                zorder=3,
            )
            axes.annotate(
                str(row.rank),
                (cost, score),
                xytext=(4, 3),
                textcoords="offset points",
                size=7,
                weight="bold" if on else "normal",
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.4g}")
        axes.minorticks_off()
        axes.set_xlabel(f"{axis}, logarithmic; filled: no model is better at less")
        axes.set_ylabel(f"{named(board.aggregate, 40)}, %")
        axes.grid()
        key.set_axis_off()
        for number, (place, _, _) in enumerate(known):
            row = board.rows[place]
            column, line = divmod(number, lines)
            key.text(
                column / _KEY,
                1 - (line + 0.5) / lines,
                f"{row.rank}  {named(row.model, 27)}",
                va="center",
                size=6.5,
                weight="bold" if number in best else "normal",
                transform=key.transAxes,
                in_layout=False,
            )
