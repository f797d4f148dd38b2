"""Items that a suite's folder names but does not hold, since their licence forbids to hand their text on."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import msgspec

from gumption.records import GumptionError, Item
from gumption.suites._licences import LICENCES, LicenceRule, licence_rule
from gumption.suites._readers import reader_of
from gumption.suites._stored import Reference, read_stored, stored_media
from gumption.suites.media import Media
from gumption.suites.suite import Origin, Place, Suite, canonical, shown_media

__all__ = ["LICENCES", "LicenceRule", "OpenBenchmark", "by_licence", "licence_rule", "resolved"]

_SHOWN = 5


class OpenBenchmark(Protocol):
    """Opens a benchmark by name and options, as `gumption.benchmarks.open_benchmark` does."""

    def __call__(self, address: str, data: Path | None = None, /) -> Suite: ...


def by_licence(suite: Suite, *origins: Suite, copy: Collection[str] = ()) -> Suite:
    """The suite, of which a folder will hold only those items whose licence lets them be copied.

    The others become references: to the origin that holds them, or to where that one refers to. An item may
    differ from the origin's in benchmark, category, dimension and cluster, in nothing else. `copy` names
    benchmarks that are copied all the same. What was decided for each benchmark, and why, is in
    `provenance["copying"]`.

    Raises GumptionError for a name in `copy` that the suite does not have, and for an item that may not be
    copied and that no origin holds which was opened from a name or a path.
    """
    counts = Counter(item.benchmark for item in suite.items)
    if unknown := sorted(set(copy) - set(counts)):
        problem = f"no items of {', '.join(map(repr, unknown))} to copy"
        raise GumptionError(problem, where=suite.name, remedy=f"name some of: {', '.join(sorted(counts))}")
    copying: dict[str, dict[str, str | int]] = {}
    kept: set[str] = set()
    for benchmark, count in sorted(counts.items()):
        licence = suite.licences.get(benchmark, "")
        rule = licence_rule(licence)
        held = "copied" if rule.may_copy else "copied on request" if benchmark in copy else "by reference"
        copying[benchmark] = {"licence": licence, "items": count, "held": held, "why": rule.why}
        if held == "by reference":
            kept.add(benchmark)
    held_by = [(origin, {item.id: item for item in origin.items}) for origin in origins]
    references = {item.id: _origin(item, held_by, suite) for item in suite.items if item.benchmark in kept}
    return replace(suite, references=references, provenance={**suite.provenance, "copying": copying})


def resolved(
    stored: Sequence[Item | Reference],
    origins: Sequence[Origin],
    folder: Path,
    open_benchmark: OpenBenchmark | None,
    data: Path | None,
) -> tuple[tuple[Item, ...], Media, dict[str, Origin]]:
    """A folder's items, each reference taken from its origin and checked against its SHA-256.

    Gives the items in their order, the media of the origins, and the origin of each reference. Where a path
    no longer has an item, the benchmark of the item's name is asked for it. Raises GumptionError that names
    what cannot be had, why, and what to get.
    """
    known = {origin.place.address: _in_memory(origin, folder) for origin in origins}
    wanted = _grouped(stored, lambda reference: reference.source)
    if strange := wanted.keys() - known.keys():
        problem = f"a reference names the origin {min(strange)!r}, which suite.json does not have"
        raise GumptionError(problem, where=str(folder), remedy="fetch or write the folder again")
    found: dict[str, Item] = {}
    media = Media()
    reasons: list[tuple[str, GumptionError | None]] = []

    def take(references: Sequence[Reference], place: Place) -> list[Reference]:
        nonlocal media
        source = _opened(place, open_benchmark, data)
        found.update(_taken(references, source))
        media |= source.media
        return [reference for reference in references if reference.known.id not in found]

    lost: list[Reference] = []
    for address, references in wanted.items():
        missing, why = references, None
        try:
            missing = take(references, known[address].place)
        except GumptionError as error:
            why = error
        if missing:
            reasons.append((_named(known[address], address), why))
        if known[address].place.kind == "benchmark":
            lost += missing
            continue
        for benchmark, some in _grouped(missing, lambda reference: reference.known.benchmark).items():
            try:
                lost += take(some, Place("benchmark", benchmark))
            except GumptionError:  # an item's benchmark need not be one of ours: the origin is what to mend
                lost += some
    if lost:
        raise _lost(lost, len(stored), reasons, folder)
    items = tuple(found[row.known.id] if isinstance(row, Reference) else row for row in stored)
    return items, media, {one.known.id: known[one.source] for some in wanted.values() for one in some}


def _grouped(rows: Iterable[Item | Reference], key: Callable[[Reference], str]) -> dict[str, list[Reference]]:
    groups: dict[str, list[Reference]] = {}
    for row in rows:
        if isinstance(row, Reference):
            groups.setdefault(key(row), []).append(row)
    return groups


def _origin(item: Item, held_by: Sequence[tuple[Suite, Mapping[str, Item]]], suite: Suite) -> Origin:
    bare = _bare(item)
    for origin, items in held_by:
        if item.id not in items or _bare(items[item.id]) != bare:
            continue
        if item.id in origin.references:
            return origin.references[item.id]
        if origin.place:
            return Origin(origin.place, origin.name, origin.version, origin.checksum, origin.provenance)
    if item.id in suite.references:
        return suite.references[item.id]
    licence = suite.licences.get(item.benchmark, "")
    problem = (
        f"{item.id!r} of {item.benchmark} may not be copied (licence {licence or 'unknown'}: "
        f"{licence_rule(licence).why}), and no suite that can be opened again holds it as it is here"
    )
    remedy = f"give the suite it was chosen from, or ask to copy {item.benchmark} where you have the right"
    raise GumptionError(problem, where=suite.name, remedy=remedy)


def _bare(item: Item) -> bytes:
    """What a reference takes from its origin."""
    return canonical(msgspec.structs.replace(item, benchmark="", category="", dimension="", cluster=""))


def _taken(references: Sequence[Reference], source: Suite) -> dict[str, Item]:
    """Those of the references that the source holds, with the hash that they are known by."""
    held = {item.id: item for item in source.items}
    taken: dict[str, Item] = {}
    for reference in references:
        if reference.known.id in held:
            known, there = reference.known, held[reference.known.id]
            item = msgspec.structs.replace(known, parts=there.parts, answer=there.answer, meta=there.meta)
            shown = all(sha256 in source.media for sha256 in shown_media([item]))
            if shown and hashlib.sha256(canonical(item)).hexdigest() == reference.sha256:
                taken[item.id] = item
    return taken


def _opened(place: Place, open_benchmark: OpenBenchmark | None, data: Path | None) -> Suite:
    if place.kind == "benchmark":
        if open_benchmark is None:
            raise GumptionError(
                "benchmarks cannot be opened from here", remedy="open it with gumption.benchmarks.open_suite"
            )
        return open_benchmark(place.address, data)
    path = Path(place.address)
    for candidate in [path, data / path.name, data] if data else [path]:
        if (candidate / "suite.json").is_file():
            # Only what it holds whole: references to references are never written, and could go in a circle.
            whole = tuple(row for row in read_stored(candidate) if isinstance(row, Item))
            return Suite(candidate.name, "", whole, stored_media(candidate))
        if candidate.is_file() and (read := reader_of(candidate)):
            return read(candidate)
    raise GumptionError(
        f"no suite folder or question file at {path}",
        remedy=f"put {path.name} there, or name the folder that holds it with --data",
    )


def _in_memory(origin: Origin, folder: Path) -> Origin:
    """The origin with a path that can be opened from anywhere."""
    address = origin.place.address
    if origin.place.kind == "benchmark":
        return origin
    if Path(address).is_absolute() or "\0" in address:
        problem = f"the origin {address[:80]!r} is not a path relative to the folder"
        raise GumptionError(problem, where=str(folder), remedy="fetch or write the folder again")
    return msgspec.structs.replace(origin, place=Place("path", str((folder / address).resolve())))


def _named(origin: Origin, address: str) -> str:
    of = f" of revision {origin.provenance['revision']}" if origin.provenance.get("revision") else ""
    return f"{origin.name} {origin.version}{of} ({address}, checksum {origin.checksum[:12]})"


def _lost(
    lost: Sequence[Reference],
    planned: int,
    reasons: Sequence[tuple[str, GumptionError | None]],
    folder: Path,
) -> GumptionError:
    of = Counter(reference.known.benchmark for reference in lost)
    shown = ", ".join(reference.known.id for reference in lost[:_SHOWN])
    more = f" and {len(lost) - _SHOWN:,} more" if len(lost) > _SHOWN else ""
    why = "; ".join(
        f"{name}: {error}" if error else f"{name}: it lacks them, or has them with other content"
        for name, error in reasons
    )
    remedies = [
        error.remedy or f"get {name}" if error else f"get just this: {name}" for name, error in reasons
    ]
    counted = ", ".join(f"{benchmark} {count:,}" for benchmark, count in sorted(of.items()))
    return GumptionError(
        f"{len(lost):,} of {planned:,} items are references that cannot be resolved ({counted}): "
        f"{shown}{more}. {why}",
        where=str(folder),
        remedy="; ".join(dict.fromkeys(remedies)) or "fetch the folder again",
    )
