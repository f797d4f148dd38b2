"""The part of a certificate's page on the single dimensions, and on their weights."""

from __future__ import annotations

from collections.abc import Iterator

from gumption.curation.dossier import Dossier
from gumption.reporting._certificate_words import ORDER_HEADER, order_rows, place_rows
from gumption.reporting._pieces import grid

__all__ = ["orders_html"]


def orders_html(dossier: Dossier) -> Iterator[str]:
    orders, rivals = dossier.orders, dossier.fidelity
    if orders is None or not orders.dimensions:
        return
    yield "<h2>How far can each dimension be trusted?</h2>"
    if rivals is not None and not (rivals.suite is not None and rivals.suite.held_out):
        yield (
            '<p class="fault">The suite may have been chosen by the answers of these very models: what is '
            "said of it here is then flattered, more so the fewer its items. What is said of the pool is "
            "not.</p>"
        )
    yield from grid(ORDER_HEADER, order_rows(orders))
    yield (
        "<p class='quiet'>Reliability: one half of a dimension's items in the suite against the other half, "
        "as correlation of the models' scores, stepped up to the whole after Spearman and Brown; below it "
        "the range of 90 % of the splits. 1: the items tell the models apart without noise. Under about .5 "
        "the order of that dimension is mostly noise: do not read it alone. tau: the dimension's order in "
        "the suite with its order in the pool.</p>"
    )
    yield "<details><summary>The order of the models in each dimension</summary>"
    yield from grid(
        ("Dimension", "Best first, score in points of 100"),
        (
            (one.name, ", ".join(f"{model} {100 * score:.1f}" for model, score in one.order))
            for one in orders.dimensions
        ),
        wide=True,
    )
    yield "</details>"
    found = orders.weightings
    if found is None:
        return
    yield "<h3>What the order owes to the weights of the dimensions</h3>"
    agree = "" if found.tau is None else f" The two orders that differ most agree at tau-b {found.tau:.2f}."
    yield (
        f"<p>How much a dimension weighs is a choice. Of the {found.pairs:,} pairs of models "
        f"{found.swapped:,} stand the other way round under another weighting, and no model moves more than "
        f"{found.farthest} place{'' if found.farthest == 1 else 's'}.{agree}</p>"
    )
    yield "<details><summary>Places under each weighting</summary>"
    yield from grid(("Model", *(one.name.capitalize() for one in found.found)), place_rows(found))
    yield "</details>"
