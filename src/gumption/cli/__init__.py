"""The command line. One file a verb, each thin: parse, call, print. Rooms load when a verb runs."""

import os
import sys

import typer

from gumption.cli import (
    certify,
    curate,
    demo,
    denominators,
    doctor,
    export,
    ground,
    plan,
    pool,
    rank,
    rate,
    report,
    run,
    score,
    synthesize,
)
from gumption.cli._start import collect_less
from gumption.records import GumptionError

__all__ = ["app", "main"]

app = typer.Typer(
    help="Find out what an embodied brain can do, and how sure that is.",
    epilog="Start here:  gumption demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("score")(score.score)
app.command("rank")(rank.rank)
app.command("report")(report.report)
app.command("curate")(curate.curate)
app.command("certify")(certify.certify)
app.command("doctor")(doctor.doctor)
app.command("export")(export.export)
app.command("denominators")(denominators.denominators)
app.add_typer(rate.app, name="rate")
app.add_typer(pool.app, name="pool")
app.add_typer(plan.app, name="plan")
app.add_typer(ground.app, name="ground")
app.add_typer(synthesize.app, name="synthesize")


def main() -> None:
    """Run the command line. Bad input is said in two lines on standard error and ends with code 2."""
    # Arrow's own pool keeps what it once had: ten megabytes of a run that needs 140.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    collect_less()
    try:
        app()
    except GumptionError as error:
        print(f"Error: {error}", file=sys.stderr)
        if error.remedy:
            print(f"To mend it: {error.remedy}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        sys.stderr.close()
        sys.exit(1)
