"""Figures as SVG that stands inside a page: it takes the page's colours, light and dark, and its letters."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any

from gumption.records import GumptionError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["HEAT", "INK", "LINE", "MEASURE", "PAPER", "SOFT", "TROUBLE", "Drawing", "drawing", "plain"]

# Stand-ins that matplotlib writes as they are; each becomes a variable of the page's style.
INK, SOFT, LINE, PAPER = "#010101", "#020202", "#030303", "#040404"
MEASURE, HEAT, TROUBLE = "#050505", "#060606", "#070707"
_VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    LINE: "var(--line)",
    PAPER: "var(--paper)",
    MEASURE: "var(--measure)",
    HEAT: "var(--heat)",
    TROUBLE: "var(--trouble)",
}
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "gumption",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9.5,
    "axes.labelsize": 9.5,
    "text.color": INK,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
_ID = re.compile(r'(\bid="|href="#|url\(#)')
_FONT = re.compile(r"font-family: [^;\"]+;?|font: ([0-9.]+px) [^;\"]+")


class Drawing:
    """One figure while it is drawn; `svg` once the block is left."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.svg = ""


@contextmanager
def drawing(name: str, label: str, width: float, height: float) -> Iterator[Drawing]:
    """Axes of that size in inches to draw on. `name` keeps ids of several figures apart; `label` is what a
    screen reader says.

    Deterministic. Raises GumptionError where matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise GumptionError(
            "figures need matplotlib", where="certificate", remedy="pip install 'gumption[figures]'"
        ) from error
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # The reader's browser has the letters that matplotlib's own font lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = Figure(figsize=(width, height), layout="constrained")
        made = Drawing(figure.subplots())
        yield made
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    made.svg = _inside(out.getvalue(), name, label)


def plain(text: str, longest: int = 40) -> str:
    """A name as a figure may carry it: one line, no control codes, cut."""
    said = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return said if len(said) <= longest else said[: longest - 1] + "…"


def _inside(svg: str, name: str, label: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = _ID.sub(rf"\g<1>{name}-", svg)
    svg = _FONT.sub(lambda found: f"font-size: {found[1]}" if found[1] else "", svg)
    for stand_in, variable in _VARIABLES.items():
        svg = svg.replace(stand_in, variable)
    head, _, rest = svg.partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    role = f'role="img" aria-label="{escape(plain(label, 200))}"'
    return f"<svg {box[0] if box else ''} {role}>{rest.strip()}"
