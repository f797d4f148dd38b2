"""The figures of a leaderboard for a paper: SVG and PDF, readable in grey and by the colour blind."""

from __future__ import annotations

from pathlib import Path

from gumption.reporting._cost_figure import costs_of, draw_cost
from gumption.reporting._leaderboard_figure import draw_beats, draw_leaderboard
from gumption.reporting._part_figures import SPOKES, draw_bars, draw_radar
from gumption.reporting.leaderboard import Leaderboard

__all__ = ["write_figures"]


def write_figures(board: Leaderboard, folder: Path) -> tuple[Path, ...]:
    """Write the figures that the results allow into `folder`, each as .svg and .pdf; returns the files.

    leaderboard: scores with 95 % intervals, places and tiers. beats: P(model i beats model j), from two
    models. bars and radar: by dimension or category, from two and from three of them. cost: tokens or
    seconds per item against the score, where two runs know them.

    Deterministic: the same results make the same bytes, without a date. Raises GumptionError where
    matplotlib is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {"leaderboard": draw_leaderboard}
    if len(board.rows) > 1:
        drawn["beats"] = draw_beats
    if len(board.parts()) > 1:
        drawn["bars"] = draw_bars
    if len(board.parts()) >= SPOKES:
        drawn["radar"] = draw_radar
    if sum(bool(cost) for cost in costs_of(board.costs)[1]) > 1:
        drawn["cost"] = draw_cost
    for name, draw in drawn.items():
        draw(board, folder / name)
    return tuple(folder / f"{name}.{suffix}" for name in drawn for suffix in ("svg", "pdf"))
