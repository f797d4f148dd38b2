"""Pools: folders that several benchmarks' items are gathered in."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gumption.records import GumptionError
from gumption.suites._about import read_about
from gumption.suites.folder import read_folder, write_folder
from gumption.suites.references import OpenBenchmark
from gumption.suites.suite import Rejected, Suite, canonical
from gumption.suites.table import read_table

__all__ = ["PoolChange", "PoolSummary", "add_to_pool", "list_pools"]


@dataclass(frozen=True)
class PoolSummary:
    """What a suite or pool folder holds, without opening its items or media."""

    path: Path
    name: str
    version: str = ""
    created: str = ""
    items: int = 0
    checksum: str = ""
    media_count: int = 0
    media_bytes: int = 0
    benchmarks: tuple[tuple[str, int], ...] = ()
    """Name and items of each benchmark, by name."""
    problem: str = ""
    """Why the folder cannot be read, "" if it can; everything but path and name is then empty."""


@dataclass(frozen=True)
class PoolChange:
    """What `add_to_pool` did."""

    pool: PoolSummary
    added: int
    already_there: int
    """Items that the pool had already, with the same content."""
    rejected: tuple[Rejected, ...]
    """Items whose id the pool has with other content."""


def add_to_pool(
    pool_path: Path | str,
    suite: Suite,
    *,
    open_benchmark: OpenBenchmark | None = None,
    data: Path | None = None,
) -> PoolChange:
    """Add a suite's items and media to a pool folder, which is made if it is not there.

    Items that the suite or the pool keep by reference stay references; `open_benchmark` and `data` resolve
    those of the pool, as in `read_folder`. Provenance lists every suite that added something. Raises
    GumptionError if the folder is not a pool that can be read, or if the two name different licences for a
    benchmark. One writer at a time.
    """
    folder = Path(pool_path)
    is_new = not folder.exists() or not any(folder.iterdir())
    pool = Suite(folder.name, "1", ())
    if not is_new:
        pool = read_folder(folder, open_benchmark=open_benchmark, data=data)
    for benchmark, licence in suite.licences.items():
        if pool.licences.get(benchmark, licence) != licence:
            problem = (
                f"the licence of {benchmark!r} is {pool.licences[benchmark]!r} here and {licence!r} there"
            )
            raise GumptionError(problem, where=str(folder), remedy="find out which is right")
    sources = pool.provenance.get("sources", [])
    if not isinstance(sources, list):
        problem = "`sources` in its provenance is not a list"
        raise GumptionError(problem, where=str(folder), remedy="make a new pool")
    there = {item.id: canonical(item) for item in pool.items}
    added = [item for item in suite.items if item.id not in there]
    clashing = [
        Rejected(
            file=suite.name,
            row=row,
            id=item.id,
            problem="the pool has this id with other content",
            remedy="put the benchmark's name before the id, as in benchmark/id",
        )
        for row, item in enumerate(suite.items, 1)
        if item.id in there and there[item.id] != canonical(item)
    ]
    if added or is_new:
        source = {
            "name": suite.name,
            "version": suite.version,
            "checksum": suite.checksum,
            "added": len(added),
        }
        merged = Suite(
            name=pool.name,
            version=pool.version,
            items=(*pool.items, *added),
            media=pool.media | suite.media,
            provenance={
                **pool.provenance,
                "sources": [*sources, {**source, "provenance": suite.provenance}],
            },
            licences={**pool.licences, **suite.licences},
            references={
                **pool.references,
                **{id: suite.references[id] for id in (item.id for item in added) if id in suite.references},
            },
        )
        write_folder(merged, folder, overwrite=True)
    already_there = len(suite.items) - len(added) - len(clashing)
    return PoolChange(summarize(folder), len(added), already_there, tuple(clashing))


def list_pools(root: Path | str) -> list[PoolSummary]:
    """The suites and pools directly below a folder, by path. GumptionError if there is no such folder."""
    root = Path(root)
    if not root.is_dir():
        raise GumptionError("no such folder", where=str(root), remedy="give a folder that holds pools")
    found = sorted(folder for folder in root.iterdir() if (folder / "suite.json").exists())
    return [_try_to_summarize(folder) for folder in found]


def summarize(path: Path | str) -> PoolSummary:
    """What a suite or pool folder holds. GumptionError if it cannot be read."""
    folder = Path(path)
    about = read_about(folder)
    return PoolSummary(
        path=folder,
        name=about.name,
        version=about.version,
        created=about.created,
        items=about.items,
        checksum=about.checksum,
        media_count=about.media.count,
        media_bytes=about.media.bytes,
        benchmarks=_benchmarks(folder / "items.parquet"),
    )


def _try_to_summarize(folder: Path) -> PoolSummary:
    try:
        return summarize(folder)
    except GumptionError as error:  # one broken pool does not hide the others
        return PoolSummary(folder, folder.name, problem=error.problem)


def _benchmarks(items: Path) -> tuple[tuple[str, int], ...]:
    try:
        named = read_table(items, ["benchmark"]).column("benchmark").to_pylist()
        if None in named:
            raise ValueError("a row has no benchmark")
    except (KeyError, ValueError) as error:  # of which text that is no UTF-8 is one
        problem = f"not an items file: {str(error).splitlines()[0]}"
        raise GumptionError(problem, where=str(items), remedy="fetch or write the folder again") from error
    return tuple(sorted(Counter(named).items()))
