"""The page of a whole loop: from a pool of benchmarks to a ranking, and what the compact suite saved.

It leads from the table of the loop's steps to certificate, ranking and pipelines. Every number is given to
it; nothing is computed here but shares and sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.text import Text

from gumption.atomic import replacing
from gumption.curation.cost import Amount
from gumption.curation.dossier import Dossier
from gumption.ranking.suite_against_pool import SuiteAgainstPool
from gumption.reporting._loop_page import COMPARED_HEADER, compared_rows, loop_html, together, verdict
from gumption.reporting._terminal_table import table
from gumption.reporting.leaderboard import RankRow
from gumption.synthesis.against import Fidelity
from gumption.synthesis.agent import Account
from gumption.synthesis.validation import Validation

__all__ = [
    "AskedCost",
    "Loop",
    "PipelineRow",
    "RecordedSide",
    "Step",
    "print_comparison",
    "write_loop_page",
]


_TOLD = ("comparison", "ranking", "costs", "pipelines", "recorded")
"""What `results.json` holds; the certificate has a file of its own."""


class Step(Struct, frozen=True):
    """One line of the loop's table."""

    name: str
    made: str
    """What came of it, in words."""
    seconds: float | None
    """None where it was not timed."""
    links: tuple[tuple[str, str], ...] = ()
    """Words and address, relative to the page."""


class AskedCost(Struct, frozen=True):
    """What one model's two runs took, each measured on its own."""

    model: str
    requests: Amount
    """Lines of replies."""
    input_tokens: Amount | None
    """None where no server counted them."""
    output_tokens: Amount | None
    seconds: Amount
    """Wall time of the runs."""


class PipelineRow(Struct, frozen=True):
    """What the Eval Agent made of one folder."""

    name: str
    items: int
    account: Account
    validation: Validation | None
    """None where no pipeline was written, as the next."""
    fidelity: Fidelity | None
    """Beside our own scorer, on the replies of all models."""
    folder: str
    """Relative to the page."""


class RecordedSide(Struct, frozen=True):
    """A comparison made of what real models said or scored elsewhere."""

    title: str
    about: str
    comparison: SuiteAgainstPool
    links: tuple[tuple[str, str], ...] = ()


class Loop(Struct, frozen=True):
    """Everything that the page says."""

    title: str
    models: str
    """Who was asked, and what is made of them, in words."""
    steps: tuple[Step, ...]
    certificate: Dossier
    comparison: SuiteAgainstPool
    ranking: tuple[RankRow, ...]
    """By the suite, best first."""
    costs: tuple[AskedCost, ...]
    pipelines: tuple[PipelineRow, ...]
    no_pipelines: str
    """Why there are none, "" where there are."""
    recorded: tuple[RecordedSide, ...]
    no_recorded: str
    """Why there is none, "" where there is."""
    made_by: str
    """The command."""


def write_loop_page(loop: Loop, out: Path) -> Path:
    """Write `index.html` into the folder `out`, and its numbers as `results.json` for programs, each whole or
    not at all; the page's path. Without matplotlib it has no figures."""
    told = {name: getattr(loop, name) for name in _TOLD}
    with replacing(out / "results.json") as temporary:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n")
    with replacing(out / "index.html") as temporary:
        temporary.write_text(loop_html(loop, figures=find_spec("matplotlib") is not None), encoding="utf-8")
    return out / "index.html"


def print_comparison(compared: SuiteAgainstPool, costs: Sequence[AskedCost], console: Console) -> None:
    """Print the models by pool and by suite, what the suite takes of the cost, and what it comes to."""
    rows = [
        [cell.replace("\n", " [") + "]" * ("\n" in cell) for cell in row] for row in compared_rows(compared)
    ]
    console.print(table(COMPARED_HEADER, rows, keep=True))
    console.print()
    console.print(Text(verdict(compared)))
    if costs:
        taken = ", ".join(
            f"{name.lower()} {amount.suite:,.0f} of {amount.pool:,.0f}" for name, amount in together(costs)
        )
        console.print(Text(f"Cost: {taken}."))
