"""Certificates of suites: to a terminal, and as one page that opens in any browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.text import Text

from gumption.atomic import replacing
from gumption.curation.dossier import Dossier
from gumption.reporting._certificate_page import certificate_html
from gumption.reporting._certificate_words import (
    ORDER_HEADER,
    cost_rows,
    likeness_rows,
    order_rows,
    selector_rows,
    spread_rows,
)
from gumption.reporting._terminal_table import plain, table

__all__ = ["certificate_page", "print_certificate", "write_certificate_page"]

_SELECTORS = ("Selector", "tau", "95 %", "Random", "Lift", "95 %", "Ceiling", "Half", "Gap")
"""As on the page, without the verdict: its words stand below."""


def certificate_page(dossier: Dossier) -> str:
    """The page as HTML. Without matplotlib it has no figures and says so."""
    return certificate_html(dossier, figures=_can_draw())


def write_certificate_page(dossier: Dossier, path: Path | str) -> Path:
    """Write the page, whole or not at all, and return its path."""
    path = Path(path)
    with replacing(path) as temporary:
        temporary.write_text(certificate_page(dossier), encoding="utf-8")
    return path


def print_certificate(dossier: Dossier, console: Console) -> None:
    """Print the fidelity of the selectors, the recommendation, balance, likeness and cost."""
    rivals = dossier.fidelity
    if rivals is not None:
        first = rivals.certificates[0]
        console.print(
            Text(
                f"{len(rivals.models)} models, {rivals.items:,} items; {rivals.k:,} kept; "
                f"{first.splits} splits, {first.models} models held out in each ({first.pairs} pairs)"
            )
        )
        console.print()
        console.print(table(_SELECTORS, (row[: len(_SELECTORS)] for row in selector_rows(rivals))))
        console.print()
        console.print(Text(plain(rivals.recommendation.words), style="bold"))
        console.print(
            Text(
                "tau: Kendall's tau-b with the order by all items. Random: suites of the same size; * 5 to "
                "95 % of them. Ceiling: all items drawn anew. Half: one half of the items against the other. "
                "Gap: points between two models that keep their order 80 % of the time."
            )
        )
        console.print()
    if dossier.orders is not None:
        # Models' names are long: who is best and who is not stands on the page.
        rows = [[cell.partition("\n")[0] for cell in row[:6]] for row in order_rows(dossier.orders)]
        console.print(table(ORDER_HEADER[:6], rows))
        found = dossier.orders.weightings
        if found is not None:
            console.print(
                Text(
                    f"Under other weights of the dimensions {found.swapped} of {found.pairs} pairs of models "
                    f"change places; no model moves more than {found.farthest}."
                )
            )
        console.print()
    console.print(table(("Balance by", "Values", "Entropy", "after", "Gini", "after"), spread_rows(dossier)))
    console.print()
    if dossier.redundancy is not None:
        label = f"Alike: cosine of {dossier.redundancy.threshold:g}"
        console.print(table((label, "Pool", "Suite"), likeness_rows(dossier)))
        console.print()
    console.print(table(("Cost", "Pool", "Suite", "Kept"), cost_rows(dossier.cost)))
    console.print(Text(dossier.cost.basis))
    console.print()
    for line in dossier.missing:
        console.print(Text(f"Not certified: {plain(line)}"))


def _can_draw() -> bool:
    try:
        return find_spec("matplotlib") is not None
    except ValueError:
        # Python's own answer for a module that is barred from being imported.
        return False
