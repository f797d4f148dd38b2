"""What a certificate says, in words and numbers: the same in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator

from gumption.curation.certify import Certificate
from gumption.curation.cost import Amount, Cost
from gumption.curation.dossier import Dossier
from gumption.curation.orders import Orders
from gumption.curation.rivals import Rivals
from gumption.ranking.noise import Draws
from gumption.ranking.weightings import Weightings

__all__ = [
    "ORDER_HEADER",
    "SELECTOR_HEADER",
    "SPREAD_HEADER",
    "chosen",
    "cost_rows",
    "decimal",
    "facts",
    "gap_rows",
    "likeness_rows",
    "order_rows",
    "place_rows",
    "points",
    "selector_rows",
    "spread_rows",
    "verdicts",
]

SELECTOR_HEADER = (
    "Selector",
    "tau",
    "95 %",
    "Random",
    "Lift",
    "95 %",
    "Ceiling",
    "Split-half",
    "Gap",
    "Verdict",
)
ORDER_HEADER = ("Dimension", "Items", "of pool", "Reliability", "in the pool", "tau", "Best", "Lowest")
SPREAD_HEADER = ("By", "Values", "Entropy before", "after", "Gini before", "after")


def decimal(value: float | None, signed: bool = False) -> str:
    """Two decimals, without the nought before the point."""
    if value is None:
        return "–"
    text = f"{value:+.2f}" if signed else f"{value:.2f}"
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text


def points(gap: float | None) -> str:
    """A difference of scores in points of 100."""
    return "–" if gap is None else f"{100 * gap:.1f}"


def _ends(ends: tuple[float, float], signed: bool = False) -> str:
    return " to ".join(decimal(end, signed) for end in ends)


def chosen(dossier: Dossier) -> str:
    """How the items were chosen, to stand behind "chosen"."""
    selector = dossier.origin.selector
    return "at random" if selector == "random" else f"by {selector}"


def verdicts(rivals: Rivals) -> Iterator[str]:
    """What the page begins with: the suite itself where one is certified, then the selectors."""
    suite = rivals.suite
    if suite is not None:
        yield (
            f"This suite orders the {suite.models} models at tau-b {decimal(suite.tau)} "
            f"({_ends(suite.tau_interval)}) with the pool; random suites of its size reach "
            f"{decimal(suite.random_tau)}, all items drawn anew {decimal(suite.ceiling_tau)}. "
            + (
                f"{suite.verdict.capitalize()}."
                if suite.held_out
                else "These models may have chosen it, so that is flattered."
            )
        )
    yield ("For another suite of these items: " if suite is not None else "") + rivals.recommendation.words


def selector_rows(rivals: Rivals) -> Iterator[tuple[str, ...]]:
    """A line for each selector, the highest lift first, then random, then the suite itself."""
    for one in sorted(rivals.certificates, key=lambda one: -one.lift):
        yield _selector(one, one.method)
    first = rivals.certificates[0]
    yield (
        "random",
        decimal(first.random_tau),
        _ends(first.random_interval) + " *",
        decimal(first.random_tau),
        "–",
        "–",
        decimal(first.ceiling_tau),
        decimal(first.split_half_tau),
        points(first.random_smallest_gap),
        "the measure",
    )
    if rivals.suite is not None:
        yield _selector(rivals.suite, "this suite, all models")


def _selector(one: Certificate, name: str) -> tuple[str, ...]:
    return (
        name,
        decimal(one.tau),
        _ends(one.tau_interval),
        decimal(one.random_tau),
        decimal(one.lift, signed=True),
        _ends(one.lift_interval, signed=True),
        decimal(one.ceiling_tau),
        decimal(one.split_half_tau),
        points(one.smallest_gap),
        one.verdict if one.held_out else "not held out",
    )


def gap_rows(rivals: Rivals) -> Iterator[tuple[str, ...]]:
    """How often each selector keeps the order of a pair, by the pair's gap."""
    for one in sorted(rivals.certificates, key=lambda one: -one.lift):
        yield one.method, *("–" if bin.kept is None else f"{100 * bin.kept:.0f} %" for bin in one.kept)


def spread_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    """Entropy and Gini's coefficient, before and after."""
    for spread in dossier.balance:
        yield (
            spread.by,
            f"{len(spread.counts)}",
            decimal(spread.pool_entropy),
            decimal(spread.suite_entropy),
            decimal(spread.pool_gini),
            decimal(spread.suite_gini),
        )


def order_rows(orders: Orders) -> Iterator[tuple[str, ...]]:
    """For each dimension how reliable its items are, and who stands at the ends of its order."""
    for one in orders.dimensions:
        yield (
            one.name,
            f"{one.suite:,}",
            f"{one.pool:,}",
            _drawn(one.reliability),
            _drawn(one.pool_reliability),
            decimal(one.tau),
            one.order[0][0] if one.order else "–",
            one.order[-1][0] if one.order else "–",
        )


def place_rows(weightings: Weightings) -> Iterator[tuple[str, ...]]:
    """For each model its place under each weighting, with its score, best by the first one first."""
    places = [one.place for one in weightings.found]
    for row in sorted(range(len(weightings.models)), key=lambda row: (places[0][row], row)):
        yield (
            weightings.models[row],
            *(f"{one.place[row]}\n{100 * one.score[row]:.1f} points" for one in weightings.found),
        )


def _drawn(draws: Draws | None) -> str:
    return "–" if draws is None else f"{decimal(draws.mean)}\n{_ends((draws.low, draws.high))}"


def likeness_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    """Shares of alike pairs and items, before and after."""
    before, after = dossier.redundancy, dossier.suite_redundancy
    if before is None or after is None:
        return
    yield "Alike pairs within a benchmark", *(_percent(one.share_within) for one in (before, after))
    yield "Alike pairs across benchmarks", *(_percent(one.share_across) for one in (before, after))
    yield "Items with an alike item", *(_percent(one.items_alike) for one in (before, after))
    if before.pairs_across:
        yield (
            "Those with one in another benchmark",
            *(_percent(one.items_alike_across) for one in (before, after)),
        )
    yield "Items compared", *(f"{one.items:,} of {one.of:,}" for one in (before, after))


def cost_rows(cost: Cost) -> Iterator[tuple[str, ...]]:
    """What is asked of a model, by pool and by suite."""
    yield _amount("Items", cost.items)
    yield _amount("Characters of text", cost.characters)
    for name, amount in (("Pictures", cost.pictures), ("Clips", cost.clips)):
        if amount.pool:
            yield _amount(name, amount)
    for run in cost.runs:
        of = "" if run.measured.pool == cost.items.pool else f", on {run.measured.pool:,.0f} measured items"
        for name, measured in (
            ("input tokens", run.input_tokens),
            ("output tokens", run.output_tokens),
            ("frames", run.frames),
            ("hours of requests", run.request_hours),
        ):
            if measured is not None:
                yield _amount(f"{run.model}: {name}{of}", measured)


def facts(dossier: Dossier) -> Iterator[tuple[str, str]]:
    """What is needed to make the suite again."""
    origin = dossier.origin
    yield "Pool", origin.pool
    yield "Checksum of the pool", origin.pool_checksum
    if origin.suite_checksum:
        yield "Checksum of the suite", origin.suite_checksum
    yield "Selector", origin.selector
    for name, value in origin.parameters.items():
        yield str(name).replace("_", " "), _value(value)
    yield "Seed", str(origin.seed)
    yield "Encoder", origin.encoder or "none: no vectors were used"
    if origin.encoder_sha256:
        yield "Encoder's weights, SHA-256 begins", origin.encoder_sha256
    for benchmark, licence in origin.licences.items():
        yield f"Licence of {benchmark}", licence
    if origin.gumption:
        yield "Made by", f"gumption {origin.gumption}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)


def _percent(share: float | None) -> str:
    if share is None:
        return "–"
    percent = 100 * share
    return "under 0.1 %" if 0 < percent < 0.1 else f"{percent:.1f} %"


def _amount(name: str, amount: Amount) -> tuple[str, ...]:
    kept = "–" if amount.kept is None else f"{100 * amount.kept:.1f} %"
    return name, _number(amount.pool), _number(amount.suite), kept


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:,.3g}"
