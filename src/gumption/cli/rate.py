"""`gumption rate`: people judge model outputs in a browser, and the ranking that comes of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._folders import readable

if TYPE_CHECKING:
    from gumption.ranking.people import PeopleRanking
    from gumption.rating.store import Store
    from gumption.rating.study import Dimension, Material, Study

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    help="People judge model outputs in a browser.\n\n"
    "Example:  gumption rate new runs/human-scenarios/* -o study --invite 12\n\n"
    "Then:  gumption rate serve study\n\n"
    "After it:  gumption rate export study -o results",
)

Folder = Annotated[Path, typer.Argument(help="The study's folder, as `new` made it.")]
Database = Annotated[
    str, typer.Option("--db", help="postgresql+psycopg://... in place of the folder's own SQLite.")
]
Named = Annotated[str, typer.Option("--study", help="Which study, where the database holds several.")]
Base = Annotated[str, typer.Option("--base-url", help="Where raters reach the server.")]
BASE = "http://127.0.0.1:8765"


@app.command("new")
def new(
    runs: Annotated[
        list[Path],
        typer.Argument(
            parser=readable,
            metavar="RUNS",
            help="Run folders or their addresses, one a model; or for labels one suite.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the study.")],
    kind: Annotated[
        str, typer.Option(help="rating (marks on a form), pairwise (which is better) or labels (of items).")
    ] = "rating",
    name: Annotated[str, typer.Option(help="What raters read at the top.")] = "",
    raters: Annotated[int, typer.Option(min=1, help="People wanted for each output, pair or item.")] = 4,
    per_rater: Annotated[
        int | None, typer.Option(min=1, help="Most that one person is asked; all that is open unless given.")
    ] = None,
    attention: Annotated[
        float, typer.Option(min=0, max=0.5, help="Share of tasks that are attention checks.")
    ] = 0.05,
    duplicates: Annotated[
        float, typer.Option(min=0, max=0.5, help="Share that a person is shown a second time.")
    ] = 0.05,
    invite: Annotated[int, typer.Option(min=0, max=200, help="So many personal links, printed once.")] = 0,
    form: Annotated[
        Path | None, typer.Option(help="TOML file with dimensions of your own, as docs/guides shows.")
    ] = None,
    instructions: Annotated[Path | None, typer.Option(help="A text that raters read first.")] = None,
    seed: Annotated[int, typer.Option(help="Of the orders in which things are shown.")] = 0,
    base_url: Base = BASE,
    db: Database = "",
) -> None:
    """Make a study from runs: every model's reply to every scenario is judged, names hidden.

    Example:  gumption rate new runs/human-scenarios/* -o study --raters 4 --invite 12
    """
    from gumption.records import GumptionError

    store_class = _installed()
    from gumption.rating import from_runs
    from gumption.rating.study import Study

    if kind not in ("rating", "pairwise", "labels"):
        raise GumptionError(f"no study of kind {kind!r}", where="--kind", remedy="rating, pairwise or labels")
    of_suite = kind == "labels" and not (runs[0] / "run.json").exists()
    material = (
        _of_suite(runs) if of_suite else from_runs.material_from_runs(runs, with_outputs=kind != "labels")
    )
    study = Study(
        name=name or ("Which ability is needed?" if kind == "labels" else "Judging plans"),
        dimensions=_form(kind, material, form),
        kind=kind,  # type: ignore[arg-type]
        raters_wanted=raters,
        tasks_per_rater=per_rater,
        seed=seed,
        attention_share=attention,
        duplicate_share=duplicates,
        instructions=_text(instructions) if instructions else "",
    )
    with store_class.open(out, db, create=True) as store:
        organiser = store.create(study, material)
        invited = store.invite(study.id, [""] * invite) if invite else ()
    for line in (*material.left_out, *material.warnings):
        print(f"Note: {line}")
    outputs = f"{len(material.outputs)} outputs of " if material.outputs else ""
    print(f"{study.name}: {outputs}{len(material.scenarios)} scenarios, in {out}")
    print(f"\nYour own page (keep the link to yourself; it is shown this once):\n  {base_url}/o/{organiser}")
    if invited:
        print("\nOne link a person, shown this once:")
        for one in invited:
            print(f"  {base_url}/r/{one.token}")
    print(f"\nNow serve it:  gumption rate serve {out}")


@app.command("serve")
def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="0.0.0.0 lets others in; put https before it.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port.")] = 8765,
    https: Annotated[
        bool, typer.Option("--https", help="It is reached by https: cookies are never sent without.")
    ] = False,
    proxy: Annotated[
        str, typer.Option(help="Address of a proxy in front, whose forwarded headers are believed.")
    ] = "",
    base_url: Annotated[
        str, typer.Option("--base-url", help="Where people reach it, for links that the organiser makes.")
    ] = "",
    db: Database = "",
) -> None:
    """Serve the pages of a folder's studies until interrupted. What was saved is on disk at once.

    Example:  gumption rate serve study --port 8765
    """
    store_class = _installed()
    import uvicorn

    from gumption.rating.web import create_app

    with store_class.open(folder, db) as store:
        print(f"Serving on http://{host}:{port} until Ctrl-C; personal links open it.", file=sys.stderr)
        uvicorn.run(
            create_app(store, secure=https, base_url=base_url),
            host=host,
            port=port,
            # Addresses hold personal links: none goes into a log.
            access_log=False,
            log_level="warning",
            proxy_headers=bool(proxy),
            forwarded_allow_ips=proxy or None,
            server_header=False,
        )


@app.command("invite")
def invite(
    folder: Folder,
    notes: Annotated[list[str], typer.Argument(help="One a person: a name or mark of your own.")],
    days: Annotated[float, typer.Option(min=0.01, max=3650, help="Days until the links expire.")] = 30,
    base_url: Base = BASE,
    study: Named = "",
    db: Database = "",
) -> None:
    """Make personal links. They are printed once: only hashes are kept.

    Example:  gumption rate invite study Ann Ben --base-url https://rate.example.org
    """
    with _opened(folder, db, study) as (store, form):
        for one in store.invite(form.id, notes, days=days):
            print(f"{one.note}\t{base_url}/r/{one.token}")


@app.command("link")
def link(
    folder: Folder,
    rater: Annotated[str, typer.Argument(help="The rater's id or note; of the organiser without.")] = "",
    base_url: Base = BASE,
    study: Named = "",
    db: Database = "",
) -> None:
    """Make a new link where one was lost: the rater's earlier ones stop working.

    Example:  gumption rate link study Ann
    """
    with _opened(folder, db, study) as (store, form):
        if not rater:
            print(f"{base_url}/o/{store.organiser_link(form.id)}")
        else:
            print(f"{base_url}/r/{store.renew(_rater(store, form, rater))}")


@app.command("status")
def status(folder: Folder, study: Named = "", db: Database = "") -> None:
    """How far a study is, and how well people agree so far.

    Example:  gumption rate status study
    """
    from rich.console import Console
    from rich.table import Table

    from gumption.rating.progress import live_agreement, progress
    from gumption.reporting.people import print_agreements

    console = Console(soft_wrap=False)
    with _opened(folder, db, study) as (store, form):
        found, agreements = progress(store, form.id), live_agreement(store, form.id)
    closed = ", closed" if form.closed else ""
    console.print(
        f"{form.name}{closed}: {found.complete} of {len(found.units)} have all {found.wanted} people,"
        f" {found.share:.0%} of the ratings wanted\n",
        markup=False,
    )
    table = Table(box=None)
    for column in ("rater", "id", "sent", "given", "seconds", "checks passed", "same again"):
        table.add_column(column, justify="left" if column in ("rater", "id") else "right")
    for one in found.raters:
        seconds = "" if one.seconds is None else f"{one.seconds:.0f}"
        checks, same = f"{one.passed}/{one.checks}", f"{one.same}/{one.repeats}"
        table.add_row(one.note, one.rater, str(one.done), str(one.given), seconds, checks, same)
    console.print(table)
    print_agreements(agreements.people, console)


@app.command("close")
def close(
    folder: Folder,
    again: Annotated[bool, typer.Option("--open", help="Open it again.")] = False,
    study: Named = "",
    db: Database = "",
) -> None:
    """Take no more ratings, or take them again.

    Example:  gumption rate close study
    """
    with _opened(folder, db, study) as (store, form):
        store.close_study(form.id, closed=not again)
        print(f"{form.name}: {'open' if again else 'closed'}")


@app.command("delete")
def delete(
    folder: Folder,
    rater: Annotated[str, typer.Argument(help="The rater's id or note, see `status`.")],
    study: Named = "",
    db: Database = "",
) -> None:
    """Delete everything that is known of a rater, as on request.

    Example:  gumption rate delete study Ann
    """
    with _opened(folder, db, study) as (store, form):
        store.delete_rater(_rater(store, form, rater))
        print("Deleted: marks, comments, drafts, earlier versions, the link and the note.")


@app.command("export")
def export(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the files.")],
    history: Annotated[bool, typer.Option("--history", help="Every revision, not only the last.")] = False,
    study: Named = "",
    db: Database = "",
) -> None:
    """Write ratings.csv and ratings.parquet, of a study of ratings people.json too; print the ranking.

    Example:  gumption rate export study -o results

    Then:  gumption rank runs/my-suite/* --people results/people.json
    """
    from rich.console import Console

    from gumption.rating import export as exports
    from gumption.reporting.people import print_people, print_strengths

    with _opened(folder, db, study) as (store, form):
        out.mkdir(parents=True, exist_ok=True)
        table = exports.table(store, form.id, history=history)
        exports.write_csv(table, out / "ratings.csv")
        exports.write_parquet(table, out / "ratings.parquet")
        written = [out / "ratings.csv", out / "ratings.parquet"]
        ranking: PeopleRanking | None = None
        if form.kind == "rating" and table.num_rows:
            ranking = exports.people_json(store, form.id, out / "people.json")
            written.append(out / "people.json")
        compared = exports.strengths(store, form.id) if form.kind == "pairwise" and table.num_rows else {}
    console = Console(soft_wrap=False)
    if ranking:
        print_people(ranking, console)
    for name, strengths in compared.items():
        print_strengths(name, strengths, console)
    print(f"{table.num_rows:,} ratings: {', '.join(map(str, written))}")


def _installed() -> type[Store]:
    """The store, where what it needs is installed."""
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn  # noqa: F401

        from gumption.rating.store import Store
    except ImportError as error:
        from gumption.records import GumptionError

        raise GumptionError(
            f"rating needs {error.name}", where="gumption rate", remedy="pip install 'gumption[rating]'"
        ) from error
    return Store


@contextmanager
def _opened(folder: Path, db: str, named: str) -> Iterator[tuple[Store, Study]]:
    """The store and its only study, or the one that is named by its id or name."""
    from gumption.records import GumptionError

    with _installed().open(folder, db) as store:
        studies = store.studies()
        found = [one for one in studies if not named or named in (one.id, one.name)]
        if len(found) != 1:
            known = "; ".join(f"{one.name} ({one.id})" for one in studies)
            raise GumptionError(
                f"{len(found)} studies are meant", where=str(folder), remedy=f"name one with --study: {known}"
            )
        yield store, found[0]


def _rater(store: Store, study: Study, named: str) -> str:
    from gumption.records import GumptionError

    found = [one.id for one in store.raters(study.id) if named in (one.id, one.note)]
    if len(found) != 1:
        raise GumptionError(
            f"{len(found)} raters are meant by {named!r}",
            where="rater",
            remedy="give the id that `status` shows",
        )
    return found[0]


def _of_suite(named: list[Path]) -> Material:
    from gumption.benchmarks import open_suite
    from gumption.rating.from_runs import material_from_suite
    from gumption.records import GumptionError

    if len(named) != 1:
        raise GumptionError(
            f"{len(named)} suites", where="labels", remedy="name one suite, or run folders of one suite"
        )
    return material_from_suite(open_suite(str(named[0])))


def _form(kind: str, material: Material, own: Path | None) -> tuple[Dimension, ...]:
    from gumption.ranking.rating_form import own_form, read_form
    from gumption.rating.forms import BETTER, form_dimensions, label_dimensions
    from gumption.records import GumptionError

    if kind == "pairwise":
        return BETTER
    if kind == "rating":
        return form_dimensions(read_form(own) if own else own_form())
    labels = sorted({one.label for one in material.scenarios} - {""})
    if not labels:
        raise GumptionError(
            "no item has a capability dimension",
            where="labels",
            remedy="give a suite that `gumption curate` made: its dimensions are the labels",
        )
    return label_dimensions(labels)


def _text(path: Path) -> str:
    from gumption.records import GumptionError

    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise GumptionError(
            f"the instructions cannot be read: {error}", where=str(path), remedy="give a text file in UTF-8"
        ) from error
