"""Rankings for a terminal: the order, the pairs, other weights, people. Legible in 80 columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from gumption.ranking import Alignment, Pair, Pairs, Sensitivity, Stability
from gumption.records import Interval
from gumption.reporting._percentages import percentage
from gumption.reporting._terminal_table import plain, table
from gumption.reporting.leaderboard import FULL_ENOUGH, RankRow

__all__ = ["print_alignment", "print_pairs", "print_ranking", "print_sensitivity"]

WIDE = 132
"""Columns from which a ranking fits into one table."""
_ALL_PAIRS = 66
"""Up to so many pairs (twelve models) each has a line, beyond only neighbours."""
_NUMBERS = 60
"""Columns that the numbers of a pair and the word between its models take."""
_MOST = 20
"""Lines of a list that may be long."""

_Columns: TypeAlias = dict[str, Callable[[RankRow], str]]


def print_ranking(rows: Sequence[RankRow], console: Console) -> None:
    """Print several runs of one benchmark, best first, with every rate a reader needs to trust the order.

    A console narrower than 132 columns gets two tables: the order, then what became of the replies. Where
    replies are not known, what only they tell is left out.
    """
    replies = any(row.unread is not None for row in rows)
    order: _Columns = {
        "Rank": _place,
        "Score [95 %]": lambda row: _with_interval(row.official),
        "Tier": lambda row: row.tier,
    }
    rates: _Columns = {
        "Scored": lambda row: f"{row.n:,}",
        "Coverage": lambda row: percentage(row.coverage),
    }
    if replies:
        order["Adjusted"] = lambda row: percentage(row.adjusted)
        rates |= {
            "Unread": lambda row: percentage(row.unread),
            "Ambiguous": lambda row: percentage(row.ambiguous),
            "Refused": lambda row: percentage(row.refused),
            "Truncated": lambda row: percentage(row.truncated),
        }
    for columns in [order, rates] if replies and console.width < WIDE else [order | rates]:
        cells = [(row.model, *(show(row) for show in columns.values())) for row in rows]
        console.print(table(("Model", *columns), cells, keep=True))
        console.print()
    _say(console, "All numbers but ranks and counts are percentages. Rank [a-b]: places left open.")
    adjusted = "Adjusted: 0 is guessing, 100 is all right. " if replies else ""
    _say(console, f"{adjusted}One tier: not told apart by the data.")
    if any(row.coverage < FULL_ENOUGH for row in rows):
        limit = f"{FULL_ENOUGH:.0%}".replace("%", " %")
        _say(console, f"* Coverage under {limit}: items that were not scored could change this place.")


def print_pairs(pairs: Pairs, order: Sequence[str], console: Console) -> None:
    """Print who is better than whom, and how surely. `order`: the models, best first."""
    place = {model: number for number, model in enumerate(order)}
    ranked = sorted(
        (pair if place[pair.a] < place[pair.b] else _turned(pair) for pair in pairs.pairs),
        key=lambda pair: (place[pair.a], place[pair.b]),
    )
    shown = ranked
    if len(ranked) > _ALL_PAIRS:
        shown = [pair for pair in ranked if place[pair.b] == place[pair.a] + 1]
    _head(console, "Pairs", f"{pairs.apart} of {len(ranked)} are told apart by {pairs.aggregate}")
    room = max(console.width - _NUMBERS, 12)
    cells = [
        (
            f"{_short(pair.a, room)} over {_short(pair.b, room)}",
            _signed(pair.difference.mean),
            _ends(pair.difference),
            _probability(pair.p_better),
            _p(pair.p_holm),
            f"{pair.n:,}",
            "yes" if pair.apart else "no",
        )
        for pair in shown
    ]
    console.print(table(("Pair", "Ahead by", "95 %", "P", "p Holm", "Items", "Apart"), cells, keep=True))
    console.print()
    if len(shown) < len(ranked):
        _say(console, f"Only neighbours in the ranking are shown; --json has all {len(ranked)} pairs.")
    _say(console, "Ahead by: points, over the items that both scored. P: that the first is better.")
    _say(
        console, f"p Holm: corrected for looking at all pairs; apart below {pairs.level:g}. The tiers of the"
    )
    _say(console, "ranking look at one pair at a time, so they may part what stands here together.")


def print_sensitivity(
    weighed: Sensitivity, order: Sequence[str], without: Sequence[Stability], console: Console
) -> None:
    """Print how far the order hangs on the weights of the parts, and on any one part or model. `order`: the
    models, best first; `without`: the order without each part, without each model."""
    _head(console, "Weights", f"the order under other weights of the {len(weighed.parts)} parts")
    equal, proportional = weighed.named.found
    numbers = {name: row for row, name in enumerate(weighed.named.models)}
    cells = [
        (
            model,
            str(equal.place[numbers[model]]),
            str(proportional.place[numbers[model]]),
            _reach(weighed.models[numbers[model]].place_low, weighed.models[numbers[model]].place_high),
            _probability(weighed.models[numbers[model]].first),
        )
        for model in order
        if model in numbers
    ]
    header = ("Model", "Equal", "By items", "Random weights", "First")
    console.print(table(header, cells, keep=True))
    console.print()
    _say(console, "Places: parts count alike, items count alike, 95 % of random weights. First: how often.")
    tau = weighed.tau
    said = f"{tau.mean:.2f}, 5 to 95 % {tau.low:.2f} to {tau.high:.2f}"
    _say(console, f"Kendall's tau-b of random with equal weights: {said}.")
    for stability, kind in zip(without, ("part", "model"), strict=False):
        _print_without(stability, kind, console)


def print_alignment(found: Alignment, console: Console) -> None:
    """Print how two rankings of the same models agree, and the pairs on which they do not."""
    known = len(found.models)
    _head(console, f"{found.a_name} and {found.b_name}", f"{known} models, {found.pairs} pairs")
    names = {"spearman": "Spearman's rho", "tau_b": "Kendall's tau-b", "weighted_tau": "Weighted tau"}
    rows = [
        (
            names[one.name],
            _coefficient(one.value),
            _coefficients(one.items),
            _coefficients(one.models),
            _p(one.p),
            one.p_method,
        )
        for one in (found.spearman, found.tau_b, found.weighted_tau)
    ]
    console.print(table(("", "Value", "95 % items", "95 % models", "p", "By"), rows, keep=True))
    console.print()
    _say(console, "Intervals: for other items of the kind, and for other models of the kind.")
    drawn = " and ".join(found.resampled) or "neither side"
    _say(console, f"Drawn anew by item: {drawn}.")
    console.print()
    places = [
        (one.model, str(one.a_place), str(one.b_place), _coefficient(one.tau_without))
        for one in sorted(found.models, key=lambda one: (one.a_place, one.b_place))
    ]
    header = ("Model", f"By {found.a_name}", f"By {found.b_name}", "tau-b without it")
    console.print(table(header, places, keep=True))
    console.print()
    _say(console, f"{found.agreeing} of {found.pairs} pairs are ordered alike.")
    if found.disagreements:
        room = max(console.width - _NUMBERS, 12)
        header = ("Opposite order", found.a_name, found.b_name, "Told apart by")
        opposite = [
            (
                f"{_short(one.better_by_a, room)} over {_short(one.better_by_b, room)}",
                _signed(one.a_gap),
                _signed(-one.b_gap),
                " and ".join(
                    name
                    for name, apart in ((found.a_name, one.a_apart), (found.b_name, one.b_apart))
                    if apart
                )
                or "neither",
            )
            for one in found.disagreements[:_MOST]
        ]
        console.print(table(header, opposite, keep=True))
        if len(found.disagreements) > _MOST:
            _say(console, f"The widest {_MOST} of {len(found.disagreements)}; --json has all.")
    if found.left_out:
        _say(console, f"Known on one side only: {', '.join(found.left_out)}.")


def _print_without(stability: Stability, kind: str, console: Console) -> None:
    if stability.lowest is None:
        return
    if not any(one.moves for one in stability.without):
        _say(console, f"Without any one {kind} the others keep their order.")
        return
    worst = min((one for one in stability.without if one.tau is not None), key=lambda one: one.tau or 0.0)
    _say(console, f"Without any one {kind}, tau-b with the full order is {stability.lowest:.2f} at least;")
    _say(console, f"without {worst.name} {len(worst.moves)} models change places.")


def _turned(pair: Pair) -> Pair:
    """The same pair seen from the other model."""
    gap = pair.difference
    low, high = (None if end is None else -end for end in (gap.high, gap.low))
    mean = None if gap.mean is None else -gap.mean
    better = None if pair.p_better is None else 1.0 - pair.p_better
    return Pair(
        a=pair.b,
        b=pair.a,
        difference=Interval(mean, low, high, gap.method, gap.name),
        p_better=better,
        p=pair.p,
        p_holm=pair.p_holm,
        mcnemar=pair.mcnemar,
        n=pair.n,
        apart=pair.apart,
    )


def _head(console: Console, name: str, said: str) -> None:
    console.print()
    console.print(Text.assemble((plain(name), "bold"), f": {plain(said)}"))
    console.print()


def _say(console: Console, sentence: str) -> None:
    console.print(Text(plain(sentence)))


def _place(row: RankRow) -> str:
    mark = "" if row.coverage >= FULL_ENOUGH else "*"
    open_places = "" if row.rank_low == row.rank_high else f" [{row.rank_low}-{row.rank_high}]"
    return f"{row.rank}{mark}{open_places}"


def _with_interval(interval: Interval) -> str:
    return percentage(interval.mean) + (f" [{_ends(interval)}]" if interval.low is not None else "")


def _ends(interval: Interval) -> str:
    return "" if interval.low is None else f"{percentage(interval.low)} to {percentage(interval.high)}"


def _short(name: str, room: int) -> str:
    """A name that would be broken loses its middle instead."""
    return name if len(name) <= room else f"{name[: room - 1 - room // 3]}…{name[-(room // 3) :]}"


def _reach(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _signed(share: float | None) -> str:
    return "–" if share is None else f"{'+' if share > 0 else ''}{percentage(share)}"


def _probability(share: float | None) -> str:
    """No draw of a thousand is no proof: never 0 or 1."""
    return (
        "–" if share is None else "<.001" if share < 0.001 else ">.999" if share > 0.999 else _bare(share, 3)
    )


def _p(value: float | None) -> str:
    return "–" if value is None else "<.0001" if value < 0.0001 else _bare(value, 4)


def _bare(value: float, digits: int) -> str:
    said = f"{value:.{digits}f}"
    return said[1:] if said.startswith("0.") else said


def _coefficient(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _coefficients(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "–"
    return f"{interval.low:.2f} to {interval.high:.2f}"
