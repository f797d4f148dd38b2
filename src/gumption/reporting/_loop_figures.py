"""Figures of a whole loop: scores by the suite against scores by the pool, and what the suite saves."""

from __future__ import annotations

from collections.abc import Sequence

from gumption.curation.cost import Amount
from gumption.ranking.suite_against_pool import SuiteAgainstPool
from gumption.reporting._certificate_drawing import INK, LINE, MEASURE, PAPER, SOFT, TROUBLE, drawing, plain

__all__ = ["saved", "scatter"]

_WIDTH = 4.9


def scatter(compared: SuiteAgainstPool, name: str) -> str:
    """A dot for each model, right on the line where suite and pool say the same."""
    rows = compared.models
    lows = [100 * (row.suite.low if row.suite.low is not None else row.pool.mean or 0.0) for row in rows]
    highs = [100 * (row.suite.high if row.suite.high is not None else row.pool.mean or 0.0) for row in rows]
    label = f"Scores by {compared.suite_items} items against scores by all {compared.pool_items}"
    with drawing(name, label, _WIDTH, _WIDTH * 0.86) as made:
        axes = made.axes
        pools = [100 * (row.pool.mean or 0.0) for row in rows]
        ends = [min(*lows, *pools), max(*highs, *pools)]
        axes.plot(ends, ends, color=SOFT, linewidth=1, linestyle=(0, (4, 3)), label="the same score")
        for row, x, low, high in zip(rows, pools, lows, highs, strict=True):
            y = 100 * (row.suite.mean or 0.0)
            colour = MEASURE if low <= x <= high else TROUBLE
            axes.plot([x, x], [low, high], color=colour, linewidth=2.2, alpha=0.5, solid_capstyle="round")
            axes.plot([x], [y], marker="o", markersize=6, color=colour, markeredgecolor=PAPER)
        axes.set_xlabel(f"score by all {compared.pool_items:,} items, %")
        axes.set_ylabel(f"score by the suite's {compared.suite_items:,}, %")
        axes.grid(color=LINE)
        axes.set_axisbelow(True)
        axes.figure.legend(loc="outside upper left")
    return made.svg


def saved(amounts: Sequence[tuple[str, Amount]]) -> str:
    """For each kind of cost the share of the pool's that the suite takes."""
    with drawing(
        "saved", "What the suite takes of the pool's cost", _WIDTH, 0.75 + 0.36 * len(amounts)
    ) as made:
        axes = made.axes
        for row, (_, amount) in enumerate(amounts):
            share = 100 * (amount.kept or 0.0)
            axes.barh([row], [100], height=0.5, color=SOFT, alpha=0.22)
            axes.barh([row], [share], height=0.5, color=MEASURE)
            axes.text(share + 1.5, row, f"{share:.0f} %", va="center", color=INK)
        axes.set_yticks(range(len(amounts)), [plain(name, 28) for name, _ in amounts], color=INK)
        axes.invert_yaxis()
        axes.set_xlim(0, 100)
        axes.set_xlabel("the suite's, in per cent of the pool's (grey)")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    return made.svg
