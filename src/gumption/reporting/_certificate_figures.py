"""The figures of a certificate: before and after, maps, likeness of benchmarks, fidelity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gumption.curation.certify import Certificate
from gumption.curation.composition import DimensionMap, Distribution
from gumption.curation.redundancy import Redundancy
from gumption.curation.rivals import Rivals
from gumption.reporting._certificate_drawing import (
    HEAT,
    INK,
    LINE,
    MEASURE,
    PAPER,
    SOFT,
    TROUBLE,
    drawing,
    plain,
)

__all__ = ["before_and_after", "by_size", "dimension_maps", "lifts", "likeness"]

_WIDTH = 4.9
_MOST = 24
"""Names that a figure shows; the table beside it has them all."""


def before_and_after(spread: Distribution, name: str) -> str:
    """For each name its share of the pool and of the suite."""
    counts = spread.counts[:_MOST]
    pool = sum(one.pool for one in spread.counts)
    suite = max(sum(one.suite for one in spread.counts), 1)
    label = f"Shares of the pool and of the suite by {spread.by}"
    with drawing(name, label, _WIDTH, 0.9 + 0.36 * len(counts)) as made:
        axes = made.axes
        rows = range(len(counts))
        axes.barh(
            [row - 0.19 for row in rows],
            [100 * one.pool / pool for one in counts],
            height=0.34,
            color=SOFT,
            alpha=0.45,
            label="pool",
        )
        axes.barh(
            [row + 0.19 for row in rows],
            [100 * one.suite / suite for one in counts],
            height=0.34,
            color=MEASURE,
            label="suite",
        )
        axes.set_yticks(rows, [plain(one.name, 28) for one in counts], color=INK)
        axes.invert_yaxis()
        axes.set_xlabel("share of the items, %")
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        axes.set_axisbelow(True)
        axes.spines["left"].set_visible(False)
        axes.figure.legend(loc="outside upper left", ncols=2)
    return made.svg


def dimension_maps(maps: Sequence[DimensionMap]) -> Iterator[tuple[DimensionMap, str]]:
    """A small map for each dimension."""
    for number, one in enumerate(maps):
        label = f"Map of {one.name}: items left out and items kept"
        with drawing(f"map{number}", label, 2.7, 2.3) as made:
            axes = made.axes
            for points, colour, size, alpha in (
                (one.left_out, SOFT, 2.4, 0.4),
                (one.kept, MEASURE, 3.2, 0.9),
            ):
                axes.plot(
                    [x for x, _ in points],
                    [y for _, y in points],
                    linestyle="",
                    marker="o",
                    markersize=size,
                    markerfacecolor=colour,
                    markeredgewidth=0,
                    alpha=alpha,
                )
            axes.set_xticks([])
            axes.set_yticks([])
            axes.margins(0.05)
        yield one, made.svg


def likeness(alike: Redundancy) -> str:
    """A square for each pair of benchmarks, the darker the more alike."""
    names = alike.benchmarks
    n = len(names)
    with drawing("likeness", "Likeness of benchmarks", _WIDTH, 1.5 + 0.42 * n) as made:
        from matplotlib.patches import Rectangle

        axes = made.axes
        for row, line in enumerate(alike.nearest):
            for column, value in enumerate(line):
                if value is None:
                    continue
                strength = min(max(value, 0.0), 1.0)
                axes.add_patch(
                    Rectangle(
                        (column - 0.47, row - 0.45), 0.94, 0.9, facecolor=HEAT, alpha=0.7 * strength**2, lw=0
                    )
                )
                if n <= 14:
                    axes.text(column, row, f"{value:.2f}".lstrip("0"), ha="center", va="center", color=INK)
        axes.set_xlim(-0.5, n - 0.5)
        axes.set_ylim(n - 0.5, -0.5)
        axes.set_xticks(range(n), [plain(name, 20) for name in names], rotation=40, ha="left", color=INK)
        axes.xaxis.tick_top()
        axes.set_yticks(range(n), [plain(name, 20) for name in names], color=INK)
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)
    return made.svg


def lifts(rivals: Rivals) -> str:
    """Each selector's lift over random with its interval; nought is random."""
    ordered = sorted(rivals.certificates, key=lambda one: -one.lift)
    with drawing("lifts", "Lift of each selector over random", _WIDTH, 0.9 + 0.34 * len(ordered)) as made:
        axes = made.axes
        axes.axvline(0, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
        for row, one in enumerate(ordered):
            low, high = one.lift_interval
            colour = TROUBLE if high < 0 else MEASURE if low > 0 else INK
            axes.plot([low, high], [row, row], color=colour, linewidth=2.2, alpha=0.6, solid_capstyle="round")
            axes.plot([one.lift], [row], marker="o", markersize=6, color=colour, markeredgecolor=PAPER)
        axes.set_yticks(range(len(ordered)), [plain(one.method, 28) for one in ordered], color=INK)
        axes.set_ylim(len(ordered) - 0.4, -0.6)
        axes.set_xlabel("Kendall's tau-b above random suites of the same size")
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
    return made.svg


def by_size(rivals: Rivals) -> str:
    """tau against the number of items, with the band of random suites and the two ceilings."""
    leader = next(one for one in rivals.certificates if one.method == rivals.recommendation.leader)
    found: list[Certificate] = sorted((*rivals.by_size, leader), key=lambda one: one.k)
    sizes = [one.k for one in found]
    with drawing("size", "Ranking fidelity against the size of the suite", _WIDTH, 3.5) as made:
        axes = made.axes
        axes.fill_between(
            sizes,
            [one.random_interval[0] for one in found],
            [one.random_interval[1] for one in found],
            color=SOFT,
            alpha=0.22,
            linewidth=0,
            label="random suites, 5 to 95 %",
        )
        axes.plot(sizes, [one.random_tau for one in found], color=SOFT, label="random suites, mean")
        for value, name, dashes in (
            (leader.ceiling_tau, "ceiling: all items drawn anew", (0, (6, 3))),
            (leader.split_half_tau, "half of the items against half", (0, (1.5, 2))),
        ):
            axes.axhline(value, color=INK, linewidth=1, linestyle=dashes, label=name)
        middle = [one.tau for one in found]
        reach = [
            [one.tau - one.tau_interval[0] for one in found],
            [one.tau_interval[1] - one.tau for one in found],
        ]
        axes.errorbar(
            sizes,
            middle,
            yerr=reach,
            color=MEASURE,
            marker="o",
            markersize=5,
            linewidth=1.6,
            capsize=0,
            label=plain(leader.method, 30),
        )
        axes.set_xscale("log")
        # Two sizes that are near would print one over the other: the leader's own is told in the table.
        told = [size for size in sizes if size != leader.k or all(_apart(size, one) for one in sizes)]
        axes.set_xticks(told, [f"{size:,}" for size in told])
        axes.minorticks_off()
        axes.set_xlabel("items of the suite")
        axes.set_ylabel("Kendall's tau-b with all items")
        axes.set_ylim(top=1.02)
        axes.grid(axis="y", color=LINE)
        axes.figure.legend(loc="outside lower center", ncols=2)
    return made.svg


def _apart(one: int, other: int) -> bool:
    """Whether their labels have room on a logarithmic axis."""
    return one == other or max(one, other) > 1.25 * min(one, other)
