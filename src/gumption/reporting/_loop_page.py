"""The page of a whole loop as HTML: one file, no script, nothing from a network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gumption.curation.cost import Amount
from gumption.ranking.suite_against_pool import SuiteAgainstPool
from gumption.reporting._certificate_words import ORDER_HEADER, decimal, order_rows, points
from gumption.reporting._loop_figures import saved, scatter
from gumption.reporting._loop_pipelines import pipelines_html
from gumption.reporting._percentages import percentage
from gumption.reporting._pieces import figure, grid, opening, said

if TYPE_CHECKING:
    from gumption.reporting.loop import AskedCost, Loop

__all__ = ["COMPARED_HEADER", "compared_rows", "loop_html", "together", "verdict"]

COMPARED_HEADER = ("Model", "Pool", "Suite [95 %]", "Error", "Place: pool", "suite")


def verdict(compared: SuiteAgainstPool) -> str:
    """What the comparison comes to, in one sentence."""
    tau = compared.tau
    return (
        f"The order of {len(compared.models)} models by {compared.suite_items:,} items has Kendall's tau-b "
        f"{decimal(tau.mean)} ({decimal(tau.low)} to {decimal(tau.high)}) with the order by all "
        f"{compared.pool_items:,}; {compared.swapped} of {compared.pairs} pairs change places, and scores "
        f"are {points(compared.mean_error)} points off on average, {points(compared.largest_error)} at most."
    )


def compared_rows(compared: SuiteAgainstPool) -> Iterator[tuple[str, ...]]:
    """A line for each model, best on the pool first; see COMPARED_HEADER."""
    for row in compared.models:
        ends = f"{percentage(row.suite.low)} to {percentage(row.suite.high)}"
        yield (
            row.model,
            percentage(row.pool.mean),
            f"{percentage(row.suite.mean)}\n{ends}",
            f"{100 * row.error:+.1f}",
            f"{row.pool_place}",
            f"{row.suite_place}",
        )


def together(costs: Sequence[AskedCost]) -> list[tuple[str, Amount]]:
    """The cost of all models together; of tokens only where every model's are known."""
    columns = (
        ("Requests", [one.requests for one in costs]),
        ("Tokens of questions", [one.input_tokens for one in costs]),
        ("Tokens of replies", [one.output_tokens for one in costs]),
        ("Seconds of the runs", [one.seconds for one in costs]),
    )
    found = []
    for name, amounts in columns:
        known = [one for one in amounts if one is not None]
        if len(known) == len(costs):
            found.append((name, Amount(sum(one.pool for one in known), sum(one.suite for one in known))))
    return found


def loop_html(loop: Loop, *, figures: bool = True) -> str:
    """The page. Without `figures` it has the tables only (they need matplotlib)."""
    return "\n".join(_page(loop, figures)) + "\n"


def _page(loop: Loop, figures: bool) -> Iterator[str]:
    yield from opening(loop.title, ("report.css", "certificate.css"))
    yield f'<p class="verdict">{said(verdict(loop.comparison))}</p>'
    yield f"<p>{said(loop.models)}</p>"
    yield from _steps(loop)
    yield from _comparison(loop, figures)
    yield from _costs(loop, figures)
    yield from _ranking(loop)
    yield from _dimensions(loop)
    yield from pipelines_html(loop)
    yield from _recorded(loop, figures)
    yield "<h2>How to make it again</h2>"
    yield f"<p><code>{said(loop.made_by)}</code></p>"
    yield "</main></body></html>"


def _steps(loop: Loop) -> Iterator[str]:
    yield '<h2 id="loop">The loop</h2>'
    yield '<div class="scroll"><table class="words"><thead><tr>'
    yield "".join(f'<th scope="col">{name}</th>' for name in ("Step", "What came of it", "Seconds"))
    yield "</tr></thead><tbody>"
    for step in loop.steps:
        links = " · ".join(f'<a href="{said(address)}">{said(words)}</a>' for words, address in step.links)
        seconds = "" if step.seconds is None else f"{step.seconds:.1f}"
        yield (
            f'<tr><th scope="row">{said(step.name)}</th><td>{said(step.made)}{"<br>" if links else ""}{links}'
            f"</td><td>{seconds}</td></tr>"
        )
    yield "</tbody></table></div>"
    yield (
        "<p class='quiet'>Seconds as measured on this machine when the step was done, over all starts; what "
        "was there already took none of the last one.</p>"
    )


def _comparison(loop: Loop, figures: bool) -> Iterator[str]:
    found = loop.comparison
    yield '<h2 id="comparison">Does the suite say what the pool says?</h2>'
    if figures:
        yield figure(
            scatter(found, "loop"),
            "Each dot is a model: across its score by all items, upwards its score by the suite with the "
            "95 % interval. On the broken line both are the same. A red interval does not hold the pool's "
            "score.",
        )
    yield from grid(COMPARED_HEADER, compared_rows(found))
    yield (
        f"<p class='quiet'>Scores in per cent, {said(found.aggregate)}; error: suite less pool, in points. "
        f"The pool's score lies in the suite's interval for {found.within} of {len(found.models)} models; "
        "95 % is what an interval for fresh items promises. Both sides were asked and scored apart; the pool "
        "contains the suite, so agreement is flattered a little. The certificate sets the suite beside "
        "random ones of its size, by plain means over items: large dimensions weigh more in the pool and not "
        "in the suite, so its tau is another.</p>"
    )
    for line in found.differences:
        yield f'<p class="fault">Asked differently: {said(line)}</p>'


def _costs(loop: Loop, figures: bool) -> Iterator[str]:
    yield '<h2 id="cost">What does it cost?</h2>'
    counted = [
        ("Items", loop.certificate.cost.items),
        ("Characters of text", loop.certificate.cost.characters),
    ]
    if loop.certificate.cost.pictures.pool:
        counted.append(("Pictures", loop.certificate.cost.pictures))
    asked = together(loop.costs)
    if figures:
        yield figure(
            saved([*counted, *asked]),
            "What asking the suite takes of what asking the pool takes. Items that are kept may be dearer "
            "than those left out, so that their share alone flatters a suite.",
        )
    rows = [_amount(f"{name}, of one model", amount) for name, amount in counted]
    yield from grid(
        ("", "Pool", "Suite", "Kept"), [*rows, *(_amount(f"{name}, all models", one) for name, one in asked)]
    )
    yield "<details><summary>Model by model</summary>"
    yield from grid(
        ("Model", "Requests: pool", "suite", "Tokens: pool", "suite", "Seconds: pool", "suite"),
        (
            (
                one.model,
                *_both(one.requests),
                *_both(_sum(one.input_tokens, one.output_tokens)),
                f"{one.seconds.pool:.2f}",
                f"{one.seconds.suite:.2f}",
            )
            for one in loop.costs
        ),
    )
    yield "</details>"
    yield (
        "<p class='quiet'>A request is a line of the recorded replies; a closed loop takes several an item. "
        "Tokens are those that a server counted: models that are no server have none. Seconds are wall time "
        "of each run here, scoring included.</p>"
    )


def _ranking(loop: Loop) -> Iterator[str]:
    yield '<h2 id="ranking">The ranking by the suite</h2>'
    yield from grid(
        ("Model", "Place", "Score [95 %]", "Tier", "Above guessing", "Refused", "Unread", "Coverage"),
        (
            (
                row.model,
                f"{row.rank}"
                if row.rank_low == row.rank_high
                else f"{row.rank} [{row.rank_low}-{row.rank_high}]",
                f"{percentage(row.official.mean)}\n{percentage(row.official.low)} to "
                f"{percentage(row.official.high)}",
                row.tier,
                percentage(row.adjusted),
                percentage(row.refused),
                percentage(row.unread),
                percentage(row.coverage),
            )
            for row in loop.ranking
        ),
    )
    yield (
        "<p class='quiet'>In per cent. Place [a-b]: places left open. Models of one tier are not told apart "
        "by these items. Above guessing: 0 is guessing, 100 is all right.</p>"
    )


def _dimensions(loop: Loop) -> Iterator[str]:
    orders = loop.certificate.orders
    if orders is None:
        return
    yield '<h2 id="dimensions">Dimension by dimension</h2>'
    yield from grid(ORDER_HEADER, order_rows(orders))
    yield (
        "<p class='quiet'>Reliability of the order of the models by the items of one dimension (split-half, "
        "stepped up): 1 is no noise. tau: the order by the suite's items with that by the pool's.</p>"
    )


def _recorded(loop: Loop, figures: bool) -> Iterator[str]:
    yield '<h2 id="recorded">Real models, as they were recorded elsewhere</h2>'
    if loop.no_recorded:
        yield f"<p>{said(loop.no_recorded)}</p>"
    for number, side in enumerate(loop.recorded):
        yield f"<h3>{said(side.title)}</h3>"
        yield f"<p>{said(verdict(side.comparison))} {said(side.about)}</p>"
        links = ", ".join(f'<a href="{said(address)}">{said(words)}</a>' for words, address in side.links)
        if links:
            yield f"<p>See {links}.</p>"
        if figures:
            yield figure(scatter(side.comparison, f"side{number}"), "As above.")
        yield "<details><summary>Model by model</summary>"
        yield from grid(COMPARED_HEADER, compared_rows(side.comparison))
        yield "</details>"


def _amount(name: str, amount: Amount) -> tuple[str, ...]:
    return name, *_both(amount), "–" if amount.kept is None else f"{percentage(amount.kept)} %"


def _both(amount: Amount | None) -> tuple[str, str]:
    return ("–", "–") if amount is None else (f"{amount.pool:,.0f}", f"{amount.suite:,.0f}")


def _sum(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None or other is None else Amount(one.pool + other.pool, one.suite + other.suite)
