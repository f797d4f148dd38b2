"""Two figures of the order: scores with intervals and tiers, and who beats whom how surely."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gumption.reporting._figure_sheet import BAND, DARK, SOFT, WIDTH, named, percent, sheet
from gumption.reporting._percentages import with_ends
from gumption.reporting.leaderboard import FULL_ENOUGH, Leaderboard, RankRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_beats", "draw_leaderboard"]

_MANY = 24
"""More models than this stand closer together."""
_NUMBERED = 14
"""Up to so many models the squares of the heat map carry their number."""
_HEAD = -0.85
"""Where the columns' heads stand, in rows."""


def draw_leaderboard(board: Leaderboard, stem: Path) -> None:
    """A dot with its 95 % interval for each model; bands of grey and white are the tiers. A hollow dot has
    coverage under 95 %."""
    rows = board.rows
    many = len(rows) > _MANY
    size = 7.0 if many else 8.5
    with sheet(stem, WIDTH, 0.8 + (0.165 if many else 0.25) * max(len(rows), 2)) as figure:
        axes, columns = figure.subplots(1, 2, sharey=True, width_ratios=(2.5, 2.4))
        figure.set_layout_engine("constrained", wspace=0, w_pad=0)
        tiers = list(dict.fromkeys(row.tier for row in rows))
        for place, row in enumerate(rows):
            if tiers.index(row.tier) % 2 == 0:
                for band in (axes, columns):
                    band.axhspan(place - 0.5, place + 0.5, color=BAND, linewidth=0, zorder=0)
            official = row.official
            ends = [percent(official.low), percent(official.high)]
            axes.plot(ends, [place, place], color=SOFT, linewidth=1.6, solid_capstyle="butt")
            axes.plot(
                [percent(official.mean)],
                [place],
                marker="o",
                markersize=4 if many else 5.5,
                markerfacecolor=DARK if row.coverage >= FULL_ENOUGH else "white",
                markeredgecolor=DARK,
                linestyle="",
            )
            _write(columns, place, (with_ends(official), _places(row), row.tier), size, DARK)
        _write(columns, _HEAD, ("score [95 %]", "places", "tier"), size, SOFT)
        columns.set_xlim(0, 1)
        columns.set_axis_off()
        axes.set_yticks(range(len(rows)), [f"{named(row.model, 36)}  {row.rank}" for row in rows], size=size)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"{named(board.aggregate, 48)}, %")
        hollow = any(row.coverage < FULL_ENOUGH for row in rows)
        if hollow:
            columns.text(
                0.05, len(rows) + 0.1, "hollow: coverage under 95 %", va="top", size=size, color=SOFT
            )


def _write(axes: Axes, place: float, cells: tuple[str, str, str], size: float, colour: str) -> None:
    """A line of the columns beside the dots."""
    for right, cell in zip((0.6, 0.83, 0.98), cells, strict=True):
        axes.text(
            right, place, cell, ha="right", va="center", size=size, color=colour, in_layout=place == _HEAD
        )


def draw_beats(board: Leaderboard, stem: Path) -> None:
    """A square for each pair: how surely the model of the row is better than that of the column.

    Dark is sure, and so in a grey copy; the frames are the tiers.
    """
    rows = board.rows
    n = len(rows)
    many = n > _MANY
    size = 6.5 if many else 8.0
    side = min(max(0.3 * n, 1.6), 5.4 if many else 4.2)
    names = [f"{named(row.model, 28)}  {row.rank}" for row in rows]
    # What is left for the squares is about as wide as it is high.
    beside = max(map(len, names)) * size * 0.0086 + 1.0
    with sheet(stem, side + beside, side + 0.5) as figure:
        from matplotlib.patches import Rectangle

        axes = figure.subplots()
        shown = [
            [float("nan") if i == j else 100 * value for j, value in enumerate(line)]
            for i, line in enumerate(board.beats)
        ]
        mesh = axes.pcolormesh(shown, cmap="Blues", vmin=0, vmax=100, edgecolors="white", linewidth=0.3)
        if n <= _NUMBERED:
            for i, line in enumerate(shown):
                for j, value in enumerate(line):
                    if i != j:
                        ink = "white" if value > 60 else DARK
                        axes.text(
                            j + 0.5, i + 0.5, f"{value:.0f}", ha="center", va="center", color=ink, size=7
                        )
        for tier in dict.fromkeys(row.tier for row in rows):
            places = [place for place, row in enumerate(rows) if row.tier == tier]
            first, length = places[0], len(places)
            axes.add_patch(
                Rectangle(
                    (first, first), length, length, fill=False, edgecolor=DARK, linewidth=1.0, clip_on=False
                )
            )
        axes.set_xlim(0, n)
        axes.set_ylim(n, 0)
        middles = [place + 0.5 for place in range(n)]
        axes.set_yticks(middles, names, size=size)
        axes.set_xticks(middles, [str(row.rank) for row in rows], size=size, rotation=90 if many else 0)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel("… beats the model of this rank")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        bar = figure.colorbar(mesh, ax=axes, shrink=min(1.0, 1.6 / side), aspect=12, anchor=(0, 1))
        bar.outline.set_visible(False)
        bar.set_label("probability, %")


def _places(row: RankRow) -> str:
    return str(row.rank) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"
