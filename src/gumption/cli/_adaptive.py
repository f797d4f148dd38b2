"""Runs that end when enough is known: the options that say when, and what is said at the end."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gumption.cli._console import bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from gumption.models import Model
    from gumption.ranking import Settlement
    from gumption.records import StopRule
    from gumption.running import Run
    from gumption.suites import Suite
    from gumption.suites.drawing import Drawing

__all__ = ["print_stops", "run_adaptively", "stop_rule"]

_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def stop_rule(
    when: Sequence[str], *, confidence: float, margin: float, order: str, prices: str | None, seed: int
) -> StopRule:
    """The rule that `--stop-when` and its options say. Raises GumptionError for what they cannot say."""
    from gumption.ranking.sequential import check_rule
    from gumption.records import GumptionError, StopRule
    from gumption.synthesis.spent import prices_of

    found: dict[str, Any] = {}
    for rule in when:
        name, _, text = rule.partition("=")
        if rule == "settled":
            found["settled"] = True
        elif name == "tokens" and text.isdecimal() and int(text):
            found["most_tokens"] = int(text)
        elif name == "cost" and (cost := _number(text)):
            found["most_cost"] = cost
        elif name == "time" and (time := _number(text.rstrip("smh"))) and text[-1:] in _SECONDS:
            found["most_seconds"] = time * _SECONDS[text[-1]]
        else:
            raise GumptionError(
                f"{rule!r} is no rule",
                where="--stop-when",
                remedy="write settled, tokens=200000, cost=2.50 or time=30m (s, m or h)",
            )
    check_rule(confidence, margin)
    if ("most_cost" in found) != (prices is not None):
        raise GumptionError(
            "a budget of money and prices belong together",
            where="--stop-when cost=",
            remedy="give both: --stop-when cost=2.50 --prices 0.5,1.5 (of a million tokens in, out)",
        )
    if prices is not None:
        paid = prices_of(prices)
        found["prices"] = (paid.question, paid.answer)
    if order not in ("random", "information"):
        raise GumptionError(f"--order {order} is not known", remedy="random, or information (exploratory)")
    if order == "information":
        typer.echo(
            "Exploratory: items that earlier runs disagree on come first. Nothing has an error rate.",
            err=True,
        )
    return StopRule(
        seed=seed,
        confidence=confidence,
        margin=margin,
        order="information" if order == "information" else "random",
        **found,
    )


def run_adaptively(
    suite: Suite,
    models: Sequence[Model],
    folders: Sequence[Path],
    rule: StopRule,
    against: Sequence[Path],
    **how: Any,
) -> list[Run]:
    """Ask the models in step until the rule says that it is enough. how: as for `running.run_until`."""
    from gumption.ranking.sequential import settle
    from gumption.running import run_until

    def judged(
        values: npt.NDArray[np.float64], drawing: Drawing, drawn: Sequence[int], names: Sequence[str]
    ) -> Settlement:
        return settle(
            values,
            drawing,
            drawn,
            models=names,
            confidence=rule.confidence,
            margin=rule.margin,
            fixed=len(against),
        )

    with bar(f"{len(models)} models" if len(models) > 1 else models[0].name) as progress:
        return run_until(suite, models, folders, rule, judged, against=against, progress=progress, **how)


def print_stops(runs: Sequence[Run]) -> None:
    """What was asked and what that saved, over all models of one call."""
    items = sum(run.info.items for run in runs)
    asked = sum(stop.asked if (stop := run.info.stopped_early) else run.info.items for run in runs)
    saved = f"{100 * (1 - asked / items):.1f} %"
    print(f"\nAsked {asked:,} of {items:,} items over {len(runs)} models: {saved} saved.")
    for run in runs:
        stop = run.info.stopped_early
        why = f"stopped after {stop.asked:,} items ({stop.reason})" if stop else "asked every item"
        print(f"  {run.info.model}: {why}")


def _number(text: str) -> float | None:
    """A positive number, else None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number < math.inf else None
