"""`gumption pool`: gather questions of several benchmarks in one folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gumption.suites import PoolSummary

__all__ = ["app"]

app = typer.Typer(
    help="Gather questions of several benchmarks in one folder, and compare such folders.",
    no_args_is_help=True,
)


@app.command()
def add(
    pool: Annotated[Path, typer.Argument(help="The pool's folder; made if it is not there.")],
    source: Annotated[
        str, typer.Argument(help="A benchmark's name, a suite folder, or a .tsv or .jsonl file.")
    ],
    data: Annotated[
        Path | None,
        typer.Option("--data", "--from", help="Folder that holds the benchmark's data: a local mirror."),
    ] = None,
) -> None:
    """Add the items and pictures of a source to a pool.

    Example:  gumption pool add my-pool questions.tsv
    """
    from gumption.benchmarks import open_benchmark, open_suite
    from gumption.suites import add_to_pool

    suite = open_suite(source, data)
    change = add_to_pool(pool, suite, open_benchmark=open_benchmark, data=data)
    rejected = (*suite.rejected, *change.rejected)
    for row in rejected:
        print(f"Left out: {row}. To mend it: {row.remedy}")
    print(
        f"{change.added} items added, {change.already_there} were there already, {len(rejected)} left out; "
        f"{pool} now has {change.pool.items}."
    )
    if rejected:
        raise typer.Exit(1)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The benchmark's name, as in my-benchmark.")],
    checkout: Annotated[Path, typer.Option("--in", help="A clone of gumption.")] = Path(),
) -> None:
    """Begin a benchmark of your own: write its file, a test that passes, and its line in the registry.

    Example:  gumption pool new my-benchmark
    """
    from gumption.benchmarks.template import write_benchmark

    written = write_benchmark(name, checkout)
    print(f"Written: {', '.join(map(str, written))}")
    print(f"Run its test:  python -m pytest {written[1]}")
    print("Then put the real source, columns and rule in: docs/adding_a_benchmark.md says how.")


@app.command("list")
def list_(folder: Annotated[Path, typer.Argument(help="Where to look.")] = Path()) -> None:
    """List the pools and suites in a folder.

    Example:  gumption pool list .
    """
    from gumption.suites import list_pools

    pools = list_pools(folder)
    for pool in pools:
        print(f"{pool.path}  {pool.problem or _line(pool)}")
    if not pools:
        print(f"No pool in {folder}. Make one: gumption pool add my-pool questions.tsv")


@app.command()
def show(
    pool: Annotated[Path, typer.Argument(help="The pool's folder.")],
    data: Annotated[
        Path | None,
        typer.Option("--data", "--from", help="Folder of the data that items kept by reference are in."),
    ] = None,
) -> None:
    """Check a pool or suite, its attachments too, and say what it holds.

    Example:  gumption pool show my-pool
    """
    from collections import Counter

    from gumption.benchmarks import open_benchmark
    from gumption.suites import check_attachments, read_folder

    suite = read_folder(pool, open_benchmark=open_benchmark, data=data)
    print(f"{suite.name} {suite.version}: {len(suite.items)} items, {len(suite.media)} pictures and clips")
    print(f"checksum {suite.checksum}")
    if suite.references:
        print(f"{len(suite.references)} of the items are references, resolved and checked")
    for name, size in check_attachments(pool).items():
        print(f"attached {name}, {size:,} bytes, as written")
    for label, values in (
        ("benchmark", (item.benchmark for item in suite.items)),
        ("kind", (item.answer.kind for item in suite.items)),
        ("category", (item.category for item in suite.items if item.category)),
    ):
        print(f"\n{label}")
        for name, count in Counter(values).most_common():
            licence = suite.licences.get(name, "unknown licence") if label == "benchmark" else ""
            print(f"  {count:>7,}  {name}  {licence}".rstrip())


@app.command()
def diff(
    a: Annotated[str, typer.Argument(help="A benchmark's name, a suite folder, or a .tsv or .jsonl file.")],
    b: Annotated[str, typer.Argument(help="Another one.")],
    data: Annotated[
        Path | None,
        typer.Option("--data", "--from", help="Folder that holds the data of both: a local mirror."),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="The most that are listed of each kind.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, with everything.")] = False,
) -> None:
    """Say how two suites or pools differ: items, their content, licences, where they come from.

    Example:  gumption pool diff my-pool question-pool

    Ends with code 0 when both ask the same items under the same licences, 1 when they do not, 2 on bad
    usage. Name, version, order and provenance are told and do not count.
    """
    import msgspec

    from gumption.benchmarks import open_suite
    from gumption.cli._pool_diff import lines
    from gumption.suites import diff as differences

    found = differences(open_suite(a, data), open_suite(b, data))
    if as_json:
        print(msgspec.json.encode(found).decode())
    else:
        for line in lines(found, limit):
            print(line)
    if not found.same:
        raise typer.Exit(1)


def _line(pool: PoolSummary) -> str:
    parts = ", ".join(f"{name} {count:,}" for name, count in pool.benchmarks)
    return f"{pool.items:,} items ({parts}), {pool.media_count:,} media files"
