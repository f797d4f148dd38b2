"""What the verbs share in speaking to a person: a bar for long work, a card, an exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from gumption.records import Scorecard
    from gumption.running import Run

__all__ = ["bar", "finish", "show"]


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=None, rate="")
        start = time.monotonic()

        def update(done: int, planned: int) -> None:
            # Drawing is dear: a hundredth of the work is the smallest step a person can see.
            if done == planned or done % max(1, planned // 100) == 0:
                rate = done / max(time.monotonic() - start, 1e-6)
                progress.update(task, completed=done, total=planned, rate=f"{rate:,.1f}/s")

        yield update


def show(run: Run, *, as_json: bool, at: str = "") -> Scorecard:
    """Print a run's scorecard, for a person or as one line of JSON. at: where it is, if not in its folder."""
    import msgspec
    from rich.console import Console

    from gumption.ranking import scorecard
    from gumption.reporting import print_scorecard, scorecard_json

    card = scorecard(run.folder)
    if as_json:
        sys.stdout.write(msgspec.json.encode(scorecard_json(card)).decode() + "\n")
    else:
        print_scorecard(card, Console(soft_wrap=False))
        for row in run.info.rejected[:10]:
            print(f"Left out: {row}")
        if len(run.info.rejected) > 10:
            print(f"Left out: {len(run.info.rejected) - 10} more rows, named in {run.folder / 'run.json'}")
        for problem, count in list(run.problems.items())[:5]:
            print(f"Failed {count} times: {problem}")
        if run.problems:
            print("To go on: run the same command again. Only what failed or is missing is asked.")
        place = at or str(run.folder)
        print(f"\nRun folder: {place}\nPages to look through: gumption report {place}")
    return card


def finish(cards: list[Scorecard], runs: list[Run]) -> None:
    """Exit with 1 where anything planned was not scored or a row could not be asked."""
    if any(card.total.coverage < 1 for card in cards) or any(run.info.rejected for run in runs):
        raise typer.Exit(1)
