"""A sheet to draw on, saved as SVG and as PDF: the same bytes every time, text kept as text."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import GumptionError
from gumption.reporting._certificate_drawing import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BAND", "DARK", "LINE", "LINES", "SOFT", "WIDTH", "named", "percent", "sheet"]

WIDTH = 7.0
"""Inches: the text width of most papers."""
DARK, SOFT, LINE, BAND = "#1c2326", "#5f6b70", "#c9d0d3", "#eef1f2"
LINES: tuple[tuple[str, Any, str], ...] = (
    ("#000000", "-", "o"),
    ("#d55e00", (0, (5, 2)), "s"),
    ("#0072b2", (0, (1.5, 1.5)), "^"),
    ("#009e73", (0, (5, 1.5, 1.5, 1.5)), "D"),
    ("#cc79a7", (0, (8, 2)), "v"),
    ("#e69f00", (0, (3, 1, 1, 1, 1, 1)), "P"),
)
"""Colour, dashes and marker: Okabe and Ito's colours for the colour blind, and dashes for a grey copy."""

_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gumption",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8.5,
    "text.color": DARK,
    "axes.labelcolor": DARK,
    "axes.edgecolor": LINE,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": DARK,
    "ytick.labelcolor": DARK,
    "grid.color": LINE,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
}


@contextmanager
def sheet(stem: Path, width: float, height: float) -> Iterator[Figure]:
    """A figure of that size in inches; once the block is left it is saved as STEM.svg and STEM.pdf.

    Letters that matplotlib's own font lacks are right in the SVG, where the reader's fonts serve, and boxes
    in the PDF. Raises GumptionError where matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise GumptionError(
            "figures need matplotlib", where=str(stem), remedy="pip install 'gumption[figures]'"
        ) from error
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        # The layout takes longest, so it is made once for both files.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        figure.savefig(f"{stem}.svg", metadata={"Date": None, "Creator": None})
        figure.savefig(f"{stem}.pdf", metadata={"CreationDate": None})


def named(text: str, longest: float) -> str:
    """A model's or a part's name on one line, about as wide as `longest` letters at most: a long one is cut
    within, as its end often tells it apart."""
    said = plain(text, len(text))
    if sum(map(_width, said)) <= longest:
        return said
    tail = _fitting(reversed(said), (longest - 1) / 3)
    return f"{said[: _fitting(said, (longest - 1) * 2 / 3)]}…{said[len(said) - tail :]}"


def _fitting(letters: Iterable[str], room: float) -> int:
    """How many of the letters have room."""
    widths = accumulate(map(_width, letters))
    return sum(1 for _ in takewhile(lambda width: width <= room, widths))


def _width(letter: str) -> float:
    """Rough, in letters of a lower-case word."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.7
    if letter in "MWmw@%":
        return 1.6
    return 1.15 if letter.isupper() else 0.55 if letter in "iljI.,:;'|! " else 1.0


def percent(share: float | None) -> float:
    """For an axis in per cent; NaN where nothing is known."""
    return float("nan") if share is None else 100 * share
