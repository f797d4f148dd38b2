"""`gumption score`: read and score recorded replies again, without asking anything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gumption.cli._console import bar, finish, show
from gumption.cli._executors import On, Workers
from gumption.cli._folders import placed, tell_left

if TYPE_CHECKING:
    from gumption.exchange.rescore import Rescored
    from gumption.executors import Executor

__all__ = ["score"]

_MOST_NAMED = 5
"""Rejected rows and files left out that are printed one by one."""


def score(
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="RUNS", help="Run folders or their addresses.")
    ] = None,
    imported: Annotated[
        Path | None,
        typer.Option(
            "--import",
            help="A log of VLMEvalKit, lmms-eval, evalscope or Inspect, or a folder of them: score its "
            "replies with our readers, and show what the kit made of them beside that.",
        ),
    ] = None,
    model: Annotated[
        str, typer.Option(help="Of --import: the model's name, where the log does not say it.")
    ] = "",
    benchmark: Annotated[
        str,
        typer.Option(
            help="Of --import: whose official rule to score by, where the data set's name in the log does "
            "not say it; none for the rules of the answers' kinds."
        ),
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", "--from", help="Of --benchmark: folder with its data, to score by its own questions."
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Of --import: where run folders and the list of moved items go.")
    ] = Path("imported"),
    infra_text: Annotated[
        str | None,
        typer.Option(help="Of --import: replies that match this pattern are failed requests."),
    ] = None,
    on: On = "local",
    workers: Workers = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a run or data set.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Also write every slice of every run as CSV.")] = None,
) -> None:
    """Read and score the recorded replies of runs again. Nothing is asked, no reply is changed.

    Example:  gumption score runs/tabletop/baseline-oracle-0.8

    Old runs of another tool:  gumption score --import outputs/Qwen2.5-VL-7B --out rescored

    A data set that is one of our benchmarks is scored by its official rule, and by our reading beside it.
    """
    from gumption.executors import open_executor
    from gumption.records import GumptionError

    if bool(runs) == bool(imported):
        raise GumptionError(
            "give either run folders or --import",
            remedy="gumption score RUN, or gumption score --import PATH",
        )
    if imported:
        if on != "local" or workers:
            raise GumptionError(
                "logs are scored in this process",
                where="--import",
                remedy="leave out --on and --workers; gumption score RUN --on ray scores a run that it wrote",
            )
        ways = {"benchmark": benchmark, "data": data, "infra_text": infra_text}
        _score_logs(imported, model, out, ways, as_json=as_json, csv=csv)
    else:
        with open_executor(on, workers=workers) as executor:
            _score_runs(runs or [], executor, as_json=as_json, csv=csv)


def _score_runs(runs: list[str], executor: Executor, *, as_json: bool, csv: Path | None) -> None:
    from gumption.records import GumptionError
    from gumption.reporting import scorecard_csv
    from gumption.running import score_run
    from gumption.synthesis.execute import is_pipeline_run, score_pipeline_run

    spread = None if executor.name == "local" else executor
    done, cards, places = [], [], []
    for named in runs:
        with placed(named, there=True) as place:
            places.append(place)
            if is_pipeline_run(place.folder):
                if spread:
                    raise GumptionError(
                        "a pipeline's run is scored by its own code in a sandbox of this machine",
                        where=named,
                        remedy=f"leave out --on {executor.name}",
                    )
                done.append(score_pipeline_run(place.folder))
            else:
                with bar(place.folder.name) as progress:
                    done.append(score_run(place.folder, executor=spread, progress=progress))
            cards.append(show(done[-1], as_json=as_json, at=str(place)))
    tell_left(places)
    if csv:
        csv.write_text(scorecard_csv(cards), encoding="utf-8")
    finish(cards, done)


def _score_logs(
    path: Path, model: str, out: Path, ways: dict[str, Any], *, as_json: bool, csv: Path | None
) -> None:
    import msgspec

    from gumption.exchange import read_logs, rescore
    from gumption.ranking import scorecard
    from gumption.reporting import scorecard_csv

    logs, left_out = read_logs(path, model)
    found = rescore(logs, out, **ways)
    for one in found:
        if as_json:
            sys.stdout.write(msgspec.json.encode(_as_json(one)).decode() + "\n")
        else:
            _print(one)
    if not as_json:
        _print_some("Not read", left_out)
    cards = [scorecard(side.run.folder) for one in found for side in one.sides]
    if csv:
        csv.write_text(scorecard_csv(cards), encoding="utf-8")
    finish(cards, [side.run for one in found for side in one.sides])
    if any(one.rejected for one in found):
        raise typer.Exit(1)


def _print(one: Rescored) -> None:
    from rich.console import Console
    from rich.table import Table

    print(f"{one.dataset}: what {one.kit} made of these replies, and what we make of them")
    print(f"Scored by {f'the official rule of {one.benchmark}: ' if one.benchmark else ''}{one.rule}\n")
    table = Table(box=None)
    official = ("official",) if one.benchmark else ()
    for name in ("model", "replies", "kit", *official, "ours", "place", "moved", "up", "down", "failed"):
        table.add_column(name, justify="left" if name == "model" else "right", no_wrap=name != "model")
    for side in one.sides:
        place = f"{side.kit_rank} > {side.rank}" if side.kit_rank != side.rank else str(side.rank)
        counts = (side.moved, side.up, side.down, side.unscored)
        means = (_percent(side.kit), *(_percent(side.official) for _ in official), _percent(side.ours))
        table.add_row(side.model, str(side.both), *means, place, *map(str, counts))
    Console(soft_wrap=False).print(table)
    print()
    if one.benchmark:
        print(
            "official: the authors' aggregate of all replies that are scored; kit and ours: plain means over"
        )
        print("the replies that both scored, ours by our reading. Places go by official.")
    if any(side.unjudged for side in one.sides):
        without = sum(side.unjudged for side in one.sides)
        print(f"The kit gives no score for {without} replies: they are in our run folders alone.")
    for note in one.notes:
        print(f"Note: {note}")
    _print_some("Left out", [str(row) for row in one.rejected])
    print(f"Run folders, one a model: {one.moved.parent}")
    print(f"Every reply that moved, with the row it comes from: {one.moved}\n")


def _print_some(label: str, lines: list[str]) -> None:
    for line in lines[:_MOST_NAMED]:
        print(f"{label}: {line}")
    if len(lines) > _MOST_NAMED:
        print(f"{label}: {len(lines) - _MOST_NAMED} more")


def _percent(mean: float | None) -> str:
    return "" if mean is None else f"{100 * mean:.1f} %"


def _as_json(one: Rescored) -> dict[str, Any]:
    import msgspec

    sides = [
        {
            **{name: getattr(side, name) for name in side.__struct_fields__ if name != "run"},
            "moved": side.moved,
            "run": str(side.run.folder),
        }
        for side in one.sides
    ]
    rejected = [str(row) for row in one.rejected]
    told = {name: getattr(one, name) for name in ("kit", "dataset", "benchmark", "rule")}
    kept = {**told, "models": sides, "moved": str(one.moved)}
    return {**msgspec.to_builtins(kept), "rejected": rejected, "notes": list(one.notes)}
