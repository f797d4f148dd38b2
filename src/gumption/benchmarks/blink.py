"""BLINK: fourteen visual perception tasks that people solve within a blink.

Fu et al., "BLINK: Multimodal Large Language Models Can See but Not Perceive", 2024;
github.com/zeyofu/BLINK_Benchmark. Official score: accuracy per sub-task, then the unweighted mean over the
fourteen. The authors read replies with a letter rule and a language model as matcher; we read them with
`answers.read`, and docs/benchmarks/blink.md shows where the two differ.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from gumption.benchmarks._data import find
from gumption.benchmarks.benchmark import Benchmark
from gumption.lines import decode, read_lines
from gumption.records import Aggregate, Answer, GumptionError, Item
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

_FILE = "response_matrices/blink_val.items.jsonl"
_HOME = "https://github.com/zeyofu/BLINK_Benchmark"


class _Row(msgspec.Struct):
    """A line of the item list: options are given where a sub-task has the same ones throughout."""

    id: str
    group: str
    answer: str
    choices: dict[str, str] | None = None


def _load(data: Path | None) -> Suite:
    path = find(_FILE, data, get_from=_HOME)
    items = []
    for number, line in read_lines(path):
        try:
            items.append(_item(msgspec.json.decode(decode(line), type=_Row)))
        except msgspec.MsgspecError as error:
            raise GumptionError(
                f"not an item of BLINK: {error}", where=f"{path}, line {number}", remedy="fetch it again"
            ) from error
    return Suite(
        name="blink",
        version="val",
        items=tuple(items),
        provenance={"homepage": _HOME, "file": path.name, "split": "val"},
        licences={"blink": BENCHMARK.licence},
    )


def _item(row: _Row) -> Item:
    # Counting has four options of its own for each picture; its letters are known, its texts are not.
    choices = row.choices or dict.fromkeys("ABCD", "")
    return Item(
        id=row.id,
        benchmark="blink",
        parts=(),
        answer=Answer("choice", gold=row.answer.strip("()"), choices=choices),
        category=row.group,
    )


BENCHMARK = Benchmark(
    name="blink",
    title="BLINK (val)",
    homepage=_HOME,
    licence="Apache-2.0",
    rule="accuracy per sub-task, unweighted mean over the 14 sub-tasks",
    official=Aggregate("macro over the 14 sub-tasks", by="category"),
    load=_load,
)
