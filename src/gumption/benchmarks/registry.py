"""Benchmarks by name. A module is imported when its name is asked for, never before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from gumption.benchmarks._circular import ROTATIONS, circular
from gumption.benchmarks.benchmark import Benchmark, one_shot
from gumption.benchmarks.prompts import ASKING
from gumption.records import Aggregate, Episode, GumptionError, Item
from gumption.suites import Place, Suite, read_file_or_folder

__all__ = [
    "episode_of",
    "further_of",
    "get",
    "names",
    "official_of",
    "open_benchmark",
    "open_suite",
    "repeats_of",
    "versions_of",
]

_MODULES = {
    "ai2d": "gumption.benchmarks.ai2d",
    "alfred": "gumption.benchmarks.alfred",
    "blink": "gumption.benchmarks.blink",
    "cosmos-reason1": "gumption.benchmarks.cosmos_reason1",
    "cv-bench": "gumption.benchmarks.cv_bench",
    "egoplan": "gumption.benchmarks.egoplan",
    "egoplan2": "gumption.benchmarks.egoplan2",
    "egothink": "gumption.benchmarks.egothink",
    "embodiedbrain-planning": "gumption.benchmarks.embodiedbrain",
    "embspatial": "gumption.benchmarks.embspatial",
    "erqa": "gumption.benchmarks.erqa",
    "household-fresh": "gumption.benchmarks.household_fresh",
    "household-fresh-loop": "gumption.benchmarks.household_fresh:LOOP",
    "human-scenarios": "gumption.benchmarks.human_scenarios",
    "mm-ifeval": "gumption.benchmarks.mm_ifeval",
    "mmmu": "gumption.benchmarks.mmmu",
    "mmstar": "gumption.benchmarks.mmstar",
    "ocrbench": "gumption.benchmarks.ocrbench",
    "omnispatial": "gumption.benchmarks.omnispatial",
    "openeqa": "gumption.benchmarks.openeqa",
    "prodg": "gumption.benchmarks.prodg",
    "question-pool": "gumption.benchmarks.question_pool",
    "refspatial": "gumption.benchmarks.refspatial",
    "robospatial": "gumption.benchmarks.robospatial",
    "robovqa": "gumption.benchmarks.robovqa",
    "sat": "gumption.benchmarks.sat",
    "spatialscore": "gumption.benchmarks.spatialscore",
    "tabletop": "gumption.benchmarks.tabletop",
    "viewspatial": "gumption.benchmarks.viewspatial",
    "viplan-blocksworld": "gumption.benchmarks.viplan:BLOCKSWORLD_GROUNDER",
    "viplan-blocksworld-planner": "gumption.benchmarks.viplan:BLOCKSWORLD_PLANNER",
    "viplan-household-symbolic": "gumption.benchmarks.viplan:HOUSEHOLD_GROUNDER",
    "viplan-household-symbolic-planner": "gumption.benchmarks.viplan:HOUSEHOLD_PLANNER",
    "viplan-recorded": "gumption.benchmarks.viplan:RECORDED",
    "vlm-plansim": "gumption.benchmarks.vlm_plansim",
    "vsi-bench": "gumption.benchmarks.vsi_bench",
    "where2place": "gumption.benchmarks.where2place",
}


def names() -> tuple[str, ...]:
    """Every benchmark there is, in alphabetical order."""
    return tuple(sorted(_MODULES))


@cache
def get(name: str) -> Benchmark:
    """The benchmark of that name. Raises GumptionError for an unknown one."""
    if name not in _MODULES:
        raise GumptionError(f"no benchmark is called {name!r}", remedy=f"one of: {', '.join(names())}")
    module, _, attribute = _MODULES[name].partition(":")
    benchmark: Benchmark = getattr(import_module(module), attribute or "BENCHMARK")
    return benchmark


def open_suite(address: str, data: Path | None = None) -> Suite:
    """What `address` stands for: a benchmark's name, a suite folder, a .tsv or a .jsonl file.

    A benchmark that can be asked in several ways takes options behind its name: `prodg:mode=direct,shots=3`.
    data: the folder that holds a benchmark's data; for a suite folder, the data of the benchmarks that its
    references lead to, or the folder or file that holds them. Raises GumptionError where there is nothing to
    open, and where a reference cannot be resolved.
    """
    if address.partition(":")[0] in _MODULES:
        return open_benchmark(address, data)
    if not Path(address).exists():
        raise GumptionError(
            f"{address!r} is neither a benchmark nor a file or folder",
            remedy=f"benchmarks: {', '.join(names())}; or the path of a suite folder or question file",
        )
    return read_file_or_folder(Path(address), open_benchmark=open_benchmark, data=data)


def open_benchmark(address: str, data: Path | None = None) -> Suite:
    """The benchmark of a name, with options behind it or without, and never a file or folder.

    Raises GumptionError for an unknown name or option, and where its data cannot be had.
    """
    name, colon, options = address.partition(":")
    benchmark = get(name)
    suite = _configured(benchmark, options, data) if colon else benchmark.load(data)
    return replace(suite, place=Place("benchmark", address))


def _configured(benchmark: Benchmark, options: str, data: Path | None) -> Suite:
    if benchmark.configure is None:
        raise GumptionError(f"{benchmark.name} has no options", remedy=f"write {benchmark.name} alone")
    pairs = [pair.partition("=") for pair in options.split(",")]
    if not all(name and sign for name, sign, _ in pairs):
        raise GumptionError(
            f"{options!r} is not like OPTION=VALUE,OPTION=VALUE",
            where=benchmark.name,
            remedy="write the options without blanks, as in prodg:mode=direct,shots=3",
        )
    return benchmark.configure(data, {name: value for name, _, value in pairs})


def episode_of(item: Item) -> Callable[[Item], Episode]:
    """How this item is asked and scored: as its benchmark says, or in one shot; in every rotation if told."""
    episode = get(item.benchmark).episode if item.benchmark in _MODULES else one_shot
    return circular(episode) if ROTATIONS in item.meta.get(ASKING, {}) else episode


def official_of(items: Iterable[Item]) -> Aggregate | None:
    """The official aggregate, where all items are of one benchmark that has one."""
    benchmark = _only(items)
    return benchmark.official if benchmark else None


def further_of(items: Iterable[Item]) -> tuple[Aggregate, ...]:
    """The other aggregates that the benchmark names, where all items are of one."""
    benchmark = _only(items)
    return benchmark.further if benchmark else ()


def repeats_of(items: Iterable[Item]) -> int:
    """How often the authors ask each question, where all items are of one benchmark; else once."""
    benchmark = _only(items)
    return benchmark.repeats if benchmark else 1


def _only(items: Iterable[Item]) -> Benchmark | None:
    found = {item.benchmark for item in items}
    name = found.pop() if len(found) == 1 else ""
    return get(name) if name in _MODULES else None


def versions_of(items: Iterable[Item]) -> dict[str, str]:
    """The version of each benchmark's asking and scoring among these items, with the options it is under."""
    protocols = {item.benchmark: str(item.meta.get("protocol", "")) for item in items}
    return {
        name: f"{get(name).version} {protocols[name]}".strip() if name in _MODULES else "1"
        for name in sorted(protocols)
    }
