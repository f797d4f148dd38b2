"""`gumption rank`: models side by side, best first, and how sure that is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gumption.cli._folders import readable
from gumption.cli._leaderboards import Ranked

if TYPE_CHECKING:
    from gumption.reporting import Leaderboard

__all__ = ["rank"]


def rank(
    sources: Annotated[
        list[Path],
        typer.Argument(
            parser=readable,
            metavar="RUNS...",
            help="Run folders of one suite or their addresses, or one matrix of results (.npz: X, models, "
            "ids, groups).",
        ),
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Rank runs of different protocols, and name the differences.")
    ] = False,
    adjusted: Annotated[
        bool,
        typer.Option("--adjusted", help="Rank by scores above guessing, for suites that mix answer kinds."),
    ] = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Compare every two models, corrected for their number.")
    ] = False,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Rank under other weights of dimensions or categories.")
    ] = False,
    people: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Set the ranking beside people's: people.json of `rate export`."),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write figures for a paper, SVG and PDF.")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the tables as LaTeX (booktabs).")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write places and every slice as CSV.")
    ] = None,
    model_card: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a model card's results (Hugging Face) for each model."),
    ] = None,
    source: Annotated[
        str, typer.Option(metavar="URL", help="Page with the evidence, to be named in the model cards.")
    ] = "",
    hub_benchmark: Annotated[
        str,
        typer.Option(
            metavar="DATASET:TASK",
            help="A benchmark registered on the Hub, as owner/name:task: also write .eval_results files.",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object with all of it.")] = False,
) -> None:
    """Rank models by the official aggregate of their suite, with intervals and tiers.

    Example:  gumption rank runs/blink/* --pairs --figures figures

    Results of others:  gumption rank past.npz --latex table.tex
    """
    import msgspec
    from rich.console import Console

    from gumption.reporting import print_ranking
    from gumption.reporting.standings import print_alignment, print_pairs, print_sensitivity

    ranked = Ranked(sources, force, adjusted)
    ranking, board = ranked.ranking, ranked.board
    compared = ranked.pairs() if pairs else None
    weighed = ranked.weights() if sensitivity else None
    aligned = ranked.beside(people) if people else None
    written = _write(ranked, figures, latex, csv)
    written += _write_cards(ranked, model_card, source, hub_benchmark) if model_card else []
    if as_json:
        whole: dict[str, Any] = {
            **msgspec.to_builtins(ranking),
            "suite": board.suite,
            **_plain(board, ranked.recorded),
            "pairs": compared,
            "sensitivity": weighed and weighed[0],
            "stability": weighed and dict(zip(("parts", "models"), weighed[1], strict=True)),
            "alignment": aligned,
        }
        sys.stdout.write(msgspec.json.encode(whole).decode() + "\n")
        return
    console = Console(soft_wrap=False)
    order = [row.model for row in board.rows]
    clusters = "" if ranking.clusters == ranking.items else f" in {ranking.clusters:,} clusters"
    print(f"{board.suite}: {ranking.aggregate}, {ranking.items:,} items{clusters}\n")
    print_ranking(board.rows, console)
    if not ranked.recorded:
        print("Each item counts as independent: the file names no picture or scene they share.")
    if compared is not None:
        print_pairs(compared, order, console)
    if weighed is not None:
        print_sensitivity(weighed[0], order, weighed[1], console)
    if aligned is not None:
        print_alignment(aligned, console)
    for difference in ranking.differences:
        print(f"Different protocols: {difference}")
    for note in ranking.notes:
        print(f"Note: {note}")
    for line in written:
        print(line)


def _write(ranked: Ranked, figures: Path | None, latex: Path | None, csv: Path | None) -> list[str]:
    """Write what was asked for; a line that says where, for each."""
    from gumption.reporting.figures import write_figures
    from gumption.reporting.latex import latex_tables
    from gumption.reporting.tables import leaderboard_csv

    board = ranked.board
    written = []
    for file, text in ((latex, latex_tables), (csv, leaderboard_csv)):
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text(board), encoding="utf-8")
            written.append(f"Written: {file}")
    if figures:
        drawn = write_figures(board, figures)
        written.append(f"Written: {figures} ({', '.join(file.name for file in drawn)})")
    return written


def _write_cards(ranked: Ranked, folder: Path, source: str, hub_benchmark: str) -> list[str]:
    from gumption.records import GumptionError
    from gumption.reporting.model_card import write_model_cards

    if not ranked.recorded:
        raise GumptionError(
            "a matrix does not say how the models were asked, and a model card must",
            where="--model-card",
            remedy="rank run folders",
        )
    dataset, _, task = hub_benchmark.partition(":")
    if hub_benchmark and not (dataset and task):
        raise GumptionError(
            f"{hub_benchmark!r} names no task",
            where="--hub-benchmark",
            remedy="give the dataset and the task of its eval.yaml, as in owner/name:default",
        )
    board = ranked.board
    files = write_model_cards(
        board.cards,
        folder,
        names=[row.model for row in board.rows],
        source=("Evidence of every score", source) if source else None,
        benchmark=(dataset, task) if hub_benchmark else None,
    )
    return [f"Written: {folder} ({len(files)} files)"]


def _plain(board: Leaderboard, recorded: bool) -> dict[str, Any]:
    """Scorecards and parts as plain data, models in the order of the ranking. Of a matrix the parts alone
    are known."""
    from gumption.reporting import scorecard_json

    parts = {
        part: [
            None
            if cell is None
            else {"mean": cell.score.mean, "low": cell.score.low, "high": cell.score.high}
            | {"n": cell.n, "planned": cell.planned}
            for cell in board.cells(part)
        ]
        for part in board.parts()
    }
    plain: dict[str, Any] = {"by": board.by, "parts": parts}
    if recorded:
        plain |= {"scorecards": [scorecard_json(card) for card in board.cards], "costs": board.costs}
    return plain
