"""Screens one after another as an SVG that moves by itself, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from screen import Cell

__all__ = ["draw"]

WIDE, HIGH, SIZE = 8.4, 18, 14
"""Pixels of a column and of a line, and of the letters."""
EDGE = 14
FONTS = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
PAPER, INK = "#1f2933", "#e4e7eb"
COLOURS = (
    "#52606d", "#ef8e86", "#8fd19e", "#f0c674", "#81b5e0", "#c3a6e0", "#7fc8cc", "#e4e7eb",
    "#7b8794", "#f7aaa3", "#abe3b8", "#f7dc9c", "#a5cdf0", "#d8c2ee", "#a3dfe2", "#ffffff",
)  # fmt: skip

Frame = tuple[tuple[Cell, ...], ...]


def draw(frames: Sequence[tuple[float, Frame]], columns: int, lines: int, hold_s: float) -> str:
    """Each frame from its time in seconds on, the last one for `hold_s`, then all over again.

    Whoever asks for no motion sees the last frame. A line that several frames show is written once.
    """
    end = frames[-1][0] + hold_s
    wide, high = round(columns * WIDE + 2 * EDGE), round(lines * HIGH + 2 * EDGE)
    names: dict[tuple[Cell, ...], str] = {}
    strip = []
    for number, (_, frame) in enumerate(frames):
        uses = "".join(
            f'<use href="#{names.setdefault(line, f"l{len(names)}")}" y="{row * HIGH}"/>'
            for row, line in enumerate(frame)
            if line
        )
        strip.append(f'<g transform="translate({number * wide})">{uses}</g>')
    steps = "".join(
        f"{100 * at / end:.3f}%{{transform:translateX({-number * wide}px)}}"
        for number, (at, _) in enumerate(frames)
    )
    last = -(len(frames) - 1) * wide
    style = (
        f"text{{font:{SIZE}px {FONTS};fill:{INK};white-space:pre}}"
        + "".join(f".c{number}{{fill:{colour}}}" for number, colour in enumerate(COLOURS))
        + ".b{font-weight:bold}.d{opacity:.7}"
        f"#s{{animation:s {end:.2f}s step-end infinite}}@keyframes s{{{steps}}}"
        f"@media(prefers-reduced-motion:reduce){{#s{{animation:none;transform:translateX({last}px)}}}}"
    )
    defined = "".join(f'<g id="{name}">{_line(line)}</g>' for line, name in names.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{style}</style><defs>{defined}</defs>"
        f'<rect width="{wide}" height="{high}" rx="8" fill="{PAPER}"/>'
        f'<svg x="{EDGE}" y="{EDGE}" width="{wide - 2 * EDGE}" height="{high - 2 * EDGE}">'
        f'<g id="s">{"".join(strip)}</g></svg></svg>\n'
    )


def _line(line: Sequence[Cell]) -> str:
    """Runs of one look, each as wide as its columns whatever the font."""
    parts, column = [], 0
    for look, cells in groupby(line, lambda cell: (cell.colour, cell.bold, cell.dim)):
        text = "".join(cell.text for cell in cells)
        colour, bold, dim = look
        names = [f"c{colour}"] if colour is not None else []
        names += ["b"] * bold + ["d"] * dim
        kind = f' class="{" ".join(names)}"' if names else ""
        if text.strip():
            parts.append(
                f'<text{kind} x="{column * WIDE:.1f}" y="{SIZE}" textLength="{len(text) * WIDE:.1f}" '
                f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
            )
        column += len(text)
    return "".join(parts)
