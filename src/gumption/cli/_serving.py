"""Models whose servers a verb starts: their logs, and the lines that say how they do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from gumption.models import Model

__all__ = ["found", "open_told", "refuse_judge", "report_to", "stop_servers"]


def open_told(name: str, base_url: str | None, timeout_s: float = 300.0) -> Model:
    """The one model that `name` stands for. How its servers do, if they are started here, is said."""
    from gumption.models import open_judge

    model = open_judge(name, base_url=base_url, timeout_s=timeout_s)
    report_to(None, model)
    return model


def report_to(folder: Path | None, model: Model) -> None:
    """Keep the logs of the model's servers in `folder`/server (without a folder, in a temporary one), and say
    how they do on standard error. Nothing is done for a model whose server is not started here."""
    from gumption.models import is_served

    if is_served(model):
        model.report(folder and folder / "server", lambda line: typer.echo(line, err=True))


def stop_servers(model: Model) -> None:
    """End the model's servers, where they were started here, so that the next model has their GPUs."""
    from gumption.models import is_served

    if is_served(model):
        model.stop()


def found() -> None:
    """Which programs are there to serve weights. None at all is no fault unless weights are to be served."""
    from gumption.models.serving.engines import ENGINES
    from gumption.records import GumptionError

    for name, engine in ENGINES.items():
        try:
            program = engine.find()
        except GumptionError as error:
            print(f"      {name}: {error.problem}; {name}/NAME cannot be started here")
        else:
            print(f"ok    {name} {program.version}: {program.program}")


def refuse_judge(judge: str | None, base_url: str | None) -> None:
    """Raise GumptionError for a judge whose server would have to be started beside the model's: both would
    take the same GPUs."""
    from gumption.records import GumptionError

    if judge and judge.startswith(("vllm/", "sglang/")) and not base_url:
        raise GumptionError(
            "a judge's server is not started here",
            where=f"--judge {judge}",
            remedy="start it yourself and name it openai/NAME, with its address in OPENAI_BASE_URL",
        )
