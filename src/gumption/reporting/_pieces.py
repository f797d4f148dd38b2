"""The pieces that pages of their own are put together from: figures, tables, and texts made harmless."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources

from gumption.reporting._folder import MARK

__all__ = ["figure", "grid", "opening", "said"]

_UNPRINTED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control codes but the line break, marks that turn the writing round, halves of surrogate pairs."""


def opening(title: str, styles: Sequence[str], *, linked: bool = False) -> Iterator[str]:
    """A page up to its heading, with styles of the report in it or, `linked`, beside it.

    Nothing else may be loaded and nothing runs.
    """
    source = "'self' file:" if linked else "'unsafe-inline'"
    policy = f"default-src 'none'; style-src {source}; img-src data:; base-uri 'none'; form-action 'none'"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield MARK
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f'<title>{said(title)}</title><link rel="icon" href="data:,">'
    if linked:
        yield "".join(f'<link rel="stylesheet" href="{name}">' for name in styles)
    else:
        files = resources.files("gumption.reporting") / "site_files"
        yield f"<style>{''.join((files / name).read_text(encoding='utf-8') for name in styles)}</style>"
    yield f"</head><body><main><h1>{said(title)}</h1>"


def figure(svg: str, caption: str) -> str:
    words = f"<figcaption>{said(caption)}</figcaption>"
    return f'<figure class="drawn-figure"><div class="scroll">{svg}</div>{words}</figure>'


def grid(header: Sequence[str], rows: Iterable[Sequence[str]], *, wide: bool = False) -> Iterator[str]:
    """A table whose first column names the row; what follows a line break in a cell is small.
    `wide`: cells of running text."""
    kind = "words" if wide else "numbers"
    yield f'<div class="scroll"><table class="{kind}"><thead><tr>'
    yield "".join(f'<th scope="col">{said(name)}</th>' for name in header)
    yield "</tr></thead><tbody>"
    for first, *rest in rows:
        cells = "".join(f"<td>{_cell(cell)}</td>" for cell in rest)
        yield f'<tr><th scope="row">{said(first)}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _cell(text: str) -> str:
    first, _, small = text.partition("\n")
    return said(first) + (f"<small>{said(small)}</small>" if small else "")


def said(text: str) -> str:
    """Names and texts are data: no markup and no control codes of theirs reach the page."""
    return html.escape(_UNPRINTED.sub("\N{REPLACEMENT CHARACTER}", text))
