"""Two figures of the parts: bars with intervals for each dimension or category, and a radar of the best."""

from __future__ import annotations

import math
from pathlib import Path

from gumption.reporting._figure_sheet import DARK, LINE, LINES, SOFT, WIDTH, named, percent, sheet
from gumption.reporting.leaderboard import Leaderboard

__all__ = ["SPOKES", "draw_bars", "draw_radar"]

SPOKES = 3
"""A radar needs so many parts at least."""
_PAGE, _TITLE, _ROW = 8.6, 0.5, 0.13
"""Inches: the bars of a page, a panel's title, a model. More models than fit are in the table only."""
_FEWEST = 6
_PARTS = 24
"""Parts that a figure shows: those with the most items."""
_COLUMNS = 4


def draw_bars(board: Leaderboard, stem: Path) -> None:
    """A panel for each part with a bar and a 95 % interval for each model, best model first; the dashed
    line is guessing."""
    parts = _largest(board)
    lines = math.ceil(len(parts) / _COLUMNS)
    columns = math.ceil(len(parts) / lines)
    rows = board.rows[: max(_FEWEST, int((_PAGE / lines - _TITLE) / _ROW))]
    with sheet(stem, WIDTH, 0.4 + lines * (_TITLE + _ROW * max(len(rows), 4))) as figure:
        guessed = False
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        for number, axes in enumerate(grid.flat):
            if number >= len(parts):
                axes.set_visible(False)
                continue
            cells = board.cells(parts[number])[: len(rows)]
            for place, cell in enumerate(cells):
                if cell is None or cell.score.mean is None:
                    axes.text(1, place, "not scored", va="center", size=6, color=SOFT)
                    continue
                axes.barh(place, percent(cell.score.mean), height=0.74, color="#8fb3c7", linewidth=0)
                ends = [percent(cell.score.low), percent(cell.score.high)]
                axes.plot(ends, [place, place], color=DARK, linewidth=0.9, solid_capstyle="butt")
            asked = [cell for cell in cells if cell is not None]
            guess = [100 * cell.chance for cell in asked if cell.chance > 0]
            guessed = guessed or bool(guess)
            if guess:
                axes.axvline(sum(guess) / len(guess), color=DARK, linewidth=0.8, linestyle=(0, (3, 2)))
            items = max((cell.planned for cell in asked), default=0)
            axes.set_title(
                f"{named(parts[number], 78 // columns)}\n{items:,} items",
                size=6.5,
                loc="left",
                linespacing=1.2,
            )
            axes.grid(axis="x")
            axes.tick_params(length=0, labelsize=6.5)
            axes.spines["left"].set_visible(False)
            axes.xaxis.set_tick_params(labelbottom=number + columns >= len(parts))
        axes = grid[0, 0]
        axes.set_yticks(range(len(rows)), [f"{named(row.model, 26)}  {row.rank}" for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.set_xticks([0, 50, 100])
        said = "mean, % with 95 % interval; dashed: guessing" if guessed else "mean, % with 95 % interval"
        if len(rows) < len(board.rows):
            said += f"; the best {len(rows)} of {len(board.rows)} models"
        if len(parts) < len(board.parts()):
            said += f"; the largest {len(parts)} of {len(board.parts())} parts"
        figure.supxlabel(said, size=8)


def draw_radar(board: Leaderboard, stem: Path) -> None:
    """A line for each of the best models over the parts, as spokes. Without intervals: the bars have them."""
    parts = _largest(board)
    rows = board.rows[: len(LINES)]
    angles = [2 * math.pi * number / len(parts) for number in range(len(parts))]
    with sheet(stem, WIDTH, 5.2) as figure:
        axes = figure.subplots(subplot_kw={"projection": "polar"})
        axes.set_theta_zero_location("N")  # type: ignore[attr-defined]
        axes.set_theta_direction(-1)  # type: ignore[attr-defined]
        cells = [board.cells(part) for part in parts]
        for place, (row, (colour, dashes, marker)) in enumerate(zip(rows, LINES, strict=False)):
            found = [cell[place] for cell in cells]
            means = [float("nan") if cell is None else percent(cell.score.mean) for cell in found]
            axes.plot(
                [*angles, angles[0]],
                [*means, means[0]],
                color=colour,
                linestyle=dashes,
                marker=marker,
                markersize=3.5,
                linewidth=1.3,
                label=f"{row.rank}  {named(row.model, 32)}",
            )
        axes.set_ylim(0, 100)
        axes.set_yticks([25, 50, 75, 100], ["25", "50", "75 %", ""], size=6.5, color=SOFT)
        axes.set_xticks(angles, [named(part, 20) for part in parts], size=7.5)
        axes.set_rlabel_position(180 / len(parts))  # type: ignore[attr-defined]
        for angle, label in zip(angles, axes.get_xticklabels(), strict=True):
            side = math.sin(angle)
            label.set_horizontalalignment("center" if abs(side) < 0.1 else "left" if side > 0 else "right")
        axes.tick_params(pad=1)
        axes.grid(color=LINE)
        axes.spines["polar"].set_color(LINE)
        title = f"the best {len(rows)} of {len(board.rows)}" if len(rows) < len(board.rows) else None
        figure.legend(loc="outside lower center", ncols=2, fontsize=7.5, title=title, title_fontsize=7.5)


def _largest(board: Leaderboard) -> list[str]:
    """The parts with the most items, by name."""
    parts = board.parts()
    size = {part: max(cell.planned for cell in board.cells(part) if cell is not None) for part in parts}
    return sorted(sorted(parts, key=lambda part: (-size[part], part))[:_PARTS])
