"""Logs sorted into data sets, each with the rules that score it: a benchmark's, or those of the kinds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from gumption.benchmarks import get, names, open_suite
from gumption.exchange._by_data import Questions
from gumption.exchange._names import benchmark_named
from gumption.exchange._official import as_item_of
from gumption.exchange.log import KitLog, Recorded
from gumption.records import GumptionError, Item
from gumption.suites import Rejected

__all__ = ["KINDS", "Set", "sets_of"]

KINDS = "each answer by what kind it is: a choice, yes or no, a number within 1e-9, a text"
_NONE = "none"


class Set(NamedTuple):
    """One data set of one kit."""

    kit: str
    dataset: str
    benchmark: str
    """Whose rules score it, "" for those of the answers' kinds."""
    logs: Sequence[KitLog]
    rejected: Sequence[Rejected] = ()
    notes: Sequence[str] = ()


def sets_of(logs: Iterable[KitLog], told: str = "", data: Path | None = None) -> list[Set]:
    """The data sets of these logs.

    told: the benchmark that all of them are of, with options as in `gumption run`, or "none" for the rules of
    the kinds; otherwise its name in the kit says. data: the folder with the benchmark's own data. Raises
    GumptionError for a benchmark there is not, and where a benchmark that was told cannot score any row.
    """
    if told and told != _NONE:
        get(told.partition(":")[0])
    if data is not None and (not told or told == _NONE):
        raise GumptionError(
            "the data of which benchmark?", where=str(data), remedy="name it: --benchmark NAME --data DIR"
        )
    questions = Questions(open_suite(told, data).items) if told and data else None
    together: dict[tuple[str, str], list[KitLog]] = defaultdict(list)
    for log in logs:
        named = benchmark_named(log.dataset) if told != _NONE else None
        whole = f"{named.benchmark}, all of {named.whole}" if named and named.part else log.dataset
        together[log.kit, whole].append(log)
    return [_set(kit, same, told, questions) for (kit, _), same in together.items()]


def _set(kit: str, logs: Sequence[KitLog], told: str, questions: Questions | None) -> Set:
    datasets = list(dict.fromkeys(log.dataset for log in logs))
    named = benchmark_named(datasets[0])
    benchmark = told.partition(":")[0] or _carried(logs) or (named.benchmark if named else "")
    if benchmark in ("", _NONE):
        return Set(kit, datasets[0], "", logs)
    dataset = datasets[0] if len(datasets) == 1 else benchmark
    rejected: list[Rejected] = []
    official: list[KitLog] = []
    for log in logs:
        part = of_name.part if (of_name := benchmark_named(log.dataset)) else ""
        prefix = f"{log.dataset}/" if len(datasets) > 1 else ""
        item_of = _item_of(benchmark, part, questions)
        rows, refused = _as_asked(log, item_of, prefix)
        rejected += refused
        if rows:
            official.append(replace(log, dataset=dataset, rows=tuple(rows)))
    if official:
        return Set(kit, dataset, benchmark, _merged(official), rejected)
    first = rejected[0]
    if told:
        raise GumptionError(first.problem, where=f"{first.file}, row {first.row}", remedy=first.remedy)
    note = f"not scored by the rules of {benchmark}: {first.problem}. {first.remedy}"
    return Set(kit, dataset, "", _merged([replace(log, dataset=dataset) for log in logs]), (), (note,))


def _item_of(benchmark: str, part: str, questions: Questions | None) -> Callable[[Recorded], Item]:
    if questions is not None:
        return questions.item_of
    return lambda row: row.item if row.item.benchmark == benchmark else as_item_of(benchmark, row, part)


def _carried(logs: Sequence[KitLog]) -> str:
    """The benchmark whose own items these logs carry, as those of our tasks for Inspect do; "" if none."""
    found = {row.item.benchmark for log in logs for row in log.rows}
    return next(iter(found)) if len(found) == 1 and found <= set(names()) else ""


def _as_asked(
    log: KitLog, item_of: Callable[[Recorded], Item], prefix: str
) -> tuple[list[Recorded], list[Rejected]]:
    """The rows with items of the benchmark, under ids that no other part of it has."""
    rows: list[Recorded] = []
    refused: list[Rejected] = []
    for number, row in enumerate(log.rows, 1):
        try:
            item = item_of(row)
        except GumptionError as error:
            refused.append(Rejected(log.file, number, row.item.id, error.problem, error.remedy))
            continue
        id = f"{prefix}{item.id}"
        replies = tuple(replace(reply, item_id=id) for reply in row.replies)
        rows.append(replace(row, item=replace(item, id=id), replies=replies))
    return rows, refused


def _merged(logs: Sequence[KitLog]) -> list[KitLog]:
    """One log a model: the rows of its parts one after the other."""
    of_model: dict[str, KitLog] = {}
    for log in logs:
        other = of_model.get(log.model)
        of_model[log.model] = (
            log
            if other is None
            else replace(
                other,
                rows=(*other.rows, *log.rows),
                rejected=(*other.rejected, *log.rejected),
                notes=tuple(dict.fromkeys((*other.notes, *log.notes))),
            )
        )
    return list(of_model.values())
