"""`gumption synthesize fidelity`: a pipeline beside a reference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar
from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.synthesis.against import Fidelity

__all__ = ["fidelity"]


def fidelity(
    pipeline: Annotated[Path, typer.Argument(help="The pipeline's folder.")],
    recorded: Annotated[
        Path | None,
        typer.Option(
            help="Replies with the reference's scores, .jsonl or .jsonl.gz: lines of item, model, reply, "
            "score, or of id, model, reply, extracted, gold as the kits write them."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(help="A benchmark of ours, as in blink: its requests and its scorer are the reference."),
    ] = None,
    reference_data: Annotated[
        Path | None, typer.Option(help="The folder with that benchmark's data.")
    ] = None,
    outputs: Annotated[
        Path | None,
        typer.Option(
            help="Replies to the pipeline's own requests, a run folder or such a file: compared with those "
            "recorded, letter by letter. It says something of replies without sampling (temperature 0)."
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The benchmark's folder, where it lies elsewhere now.")
    ] = None,
    unsandboxed: Annotated[
        bool, typer.Option("--unsandboxed", help="Run written code with nothing around it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """How faithful a pipeline is to a reference: what it asks, and what it makes of recorded replies.

    Prints the two figures of A2Eval (inference and scoring fidelity) beside what they hide: agreement reply
    by reply, each model's shift, and whether the order of the models stays.

    Example:  gumption synthesize fidelity pipeline --recorded replies.jsonl

    Example:  gumption synthesize fidelity pipeline --reference blink --recorded replies.jsonl.gz

    Ends with code 0 whatever the figures are.
    """
    from gumption.cli._fidelity_tables import show

    found = _compared(
        pipeline, recorded, reference, reference_data, outputs, data=data, unsandboxed=unsandboxed
    )
    show(found, recorded=recorded, reference=reference, as_json=as_json)


def _compared(
    folder: Path,
    recorded: Path | None,
    reference: str | None,
    reference_data: Path | None,
    outputs: Path | None,
    *,
    data: Path | None,
    unsandboxed: bool,
) -> Fidelity:
    """The comparison that the options ask for, with a bar on a terminal."""
    from gumption.benchmarks import open_benchmark
    from gumption.synthesis.against import against
    from gumption.synthesis.execute import built
    from gumption.synthesis.pipeline import read_pipeline
    from gumption.synthesis.recorded import read_recorded

    if recorded is None and (reference is None or outputs is not None):
        raise GumptionError(
            "there are no replies to compare with" if outputs else "there is nothing to compare with",
            where="synthesize fidelity",
            remedy="name recorded replies with --recorded FILE"
            + ("" if outputs else ", or a benchmark of ours with --reference NAME"),
        )
    pipeline = read_pipeline(folder)
    replies = read_recorded(recorded, scored=reference is None) if recorded else []
    items = open_benchmark(reference, reference_data).items if reference else None
    made = built(pipeline, data=data, unsandboxed=unsandboxed)
    with bar("replies scored") as progress:
        return against(
            pipeline,
            made,
            recorded=replies,
            items=items,
            outputs=_outputs(outputs) if outputs else None,
            unsandboxed=unsandboxed,
            progress=progress,
        )


def _outputs(path: Path) -> dict[tuple[str, str], str]:
    from gumption.running import Run, settled
    from gumption.synthesis.recorded import read_recorded

    if path.is_dir():
        replies = settled(Run.open(path).replies()).values()
        return {(one.item_id, one.model): one.text for one in replies if one.status in ("ok", "truncated")}
    return {(one.item, one.model): one.reply for one in read_recorded(path, scored=False)}
