"""A logged question as an item of the benchmark that it is of, so that the benchmark's own rules score it.

Only what the log itself carries is used: question, options, right answer, and the columns or records that say
what the official aggregate is taken over. What the log leaves out is never guessed: such a row is refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from gumption.benchmarks import get
from gumption.exchange._answers import answer_of, options_in
from gumption.exchange.log import Recorded
from gumption.records import Answer, GumptionError, Item, Text

__all__ = ["as_item_of"]

_JUDGED = ("egothink", "mm-ifeval", "openeqa")
_CATEGORIES = {
    "blink": ("sub_task", "subtask", "category", "task"),
    "cv-bench": ("source",),
    "mmmu": ("subdomain", "category", "subject"),
    "vsi-bench": ("question_type", "type", "category"),
}
"""Where the kits say what an aggregate is taken over."""
_USUAL_CATEGORIES = ("question_type", "category", "relation", "task_type", "subset")
_LISTS = ("candidates", "options", "choices")
_LONGEST_LIST = 20_000
"""Characters of a list that is written out in a cell."""
_MARK = re.compile(r"\(?[A-Z][.):]\s+")
_RIGHT_AND_OTHERS = 2
_FORMULAS = "handwrittenmathematicalexpressionrecognition"


def as_item_of(benchmark: str, row: Recorded, part: str = "") -> Item:
    """The item of that benchmark. part: the sub-task that the log is of, where its name says so.

    Raises GumptionError where the log does not carry what the benchmark's rule works on.
    """
    if benchmark not in _MAKE:
        needs = "a judge" if benchmark in _JUDGED else "what only its own data have"
        raise GumptionError(
            f"the rule of {benchmark} needs {needs}, which no log carries",
            remedy=f"ask again on recorded replies: gumption run {benchmark} --model replay/FILE.jsonl",
        )
    names = _CATEGORIES.get(benchmark, _USUAL_CATEGORIES)
    said = (row.carried.get(name) for name in names)
    category = next((text for text in said if isinstance(text, str) and text), row.item.category)
    item = replace(row.item, benchmark=benchmark, category=category)
    return _MAKE[benchmark](item, row, part)


def _choice(item: Item, row: Recorded, part: str) -> Item:  # noqa: ARG001
    return replace(item, answer=_chosen(row))


def _lettered(item: Item, row: Recorded, part: str) -> Item:  # noqa: ARG001
    """A choice whose rule goes through the options."""
    answer = _chosen(row)
    if not answer.choices:
        raise GumptionError("the log does not carry the options", remedy="log the prompts too")
    return replace(item, answer=answer)


def _chosen(row: Recorded) -> Answer:
    answer = row.item.answer
    if answer.kind != "choice" or not answer.choices:
        options = _options(row)
        answer = answer_of(row.gold, options) if options else answer
    if answer.kind != "choice":
        shown = str(row.gold)[:60]
        raise GumptionError(
            f"{shown!r} is no letter and the log does not carry the options", remedy="log the prompts too"
        )
    return answer


def _options(row: Recorded) -> dict[str, str]:
    """The options of a column or record that lists them, else of the prompt."""
    for name in _LISTS:
        texts = _listed(row.carried.get(name))
        if len(texts) > 1:
            marked = all(_MARK.match(text) for text in texts)
            bare = [_MARK.sub("", text, count=1) if marked else text for text in texts]
            return {chr(ord("A") + number): text for number, text in enumerate(bare[:26])}
    return options_in("\n".join(part.text for part in row.item.parts if isinstance(part, Text)))


def _listed(value: Any) -> list[str]:
    """A list of texts, or one that is written out as Python writes it; empty for all else."""
    if isinstance(value, str) and value.lstrip().startswith("[") and len(value) <= _LONGEST_LIST:
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return []
    return [str(one) for one in value] if isinstance(value, list) else []


def _vsi_bench(item: Item, row: Recorded, part: str) -> Item:  # noqa: ARG001
    weights = get("vsi-bench").official.weights or {}
    if item.category not in weights:
        raise GumptionError(
            f"{item.category!r} is no task of VSI-Bench", remedy="give a log that says the type of question"
        )
    if _is_choice(item.category):
        return replace(item, answer=_chosen(row))
    return replace(item, answer=Answer("number", _number(row.gold)))


def _is_choice(task: str) -> bool:
    return task.startswith(("object_rel_", "route_", "obj_appearance_"))


def _number(gold: Any) -> float:
    answer = answer_of(gold)
    if answer.kind != "number":
        raise GumptionError(f"the right number is {str(gold)[:60]!r}", remedy="fetch the log again")
    return float(answer.gold)


def _mmmu(item: Item, row: Recorded, part: str) -> Item:
    """Open questions are told by the record, or by the option that VLMEvalKit puts in place of all others."""
    choices = row.item.answer.choices or {}
    if choices.get("B") == "Other Answers" and len(choices) == _RIGHT_AND_OTHERS:
        gold: Any = choices["A"]
    elif row.carried.get("question_type") == "open" or not (choices or _options(row)):
        gold = row.carried.get("answer", row.gold)
    else:
        return _lettered(item, row, part)
    accepted = _listed(gold) or str(gold)
    return replace(item, answer=Answer("text", accepted))


def _ocrbench(item: Item, row: Recorded, part: str) -> Item:
    """The accepted answers as texts, whatever they look like; of formulas, their data set."""
    gold = row.carried.get("ground_truth", row.gold)
    accepted = _listed(gold) or [str(gold)]
    formula = _FORMULAS in (_plain(item.category), _plain(part)) or row.carried.get("dataset") == "HME100k"
    return replace(item, answer=Answer("text", accepted), meta={"dataset": "HME100k"} if formula else {})


def _blink(item: Item, row: Recorded, part: str) -> Item:
    from gumption.benchmarks.blink import TASKS

    tasks = {_plain(task): task for task in TASKS}
    task = tasks.get(_plain(item.category), tasks.get(_plain(part), ""))
    if not task:
        raise GumptionError(
            f"{item.category or part!r} is no sub-task of BLINK", remedy="give a log that says the sub-task"
        )
    return replace(item, answer=_chosen(row), category=task)


def _cv_bench(item: Item, row: Recorded, part: str) -> Item:
    weights = get("cv-bench").official.weights or {}
    of_3d = (
        part == "3d" or row.carried.get("type") == "3D" or row.carried.get("task") in ("Depth", "Distance")
    )
    source = item.category if item.category in weights else "Omni3D" if of_3d else ""
    if not source:
        raise GumptionError(
            "the log does not say which data set the picture is of, over which CV-Bench's number is taken",
            remedy="give a log with a column or record called source",
        )
    return replace(item, answer=_chosen(row), category=source)


def _omnispatial(item: Item, row: Recorded, part: str) -> Item:  # noqa: ARG001
    """Read in the authors' default way, the line "Answer: X"."""
    return replace(item, answer=_chosen(row), meta={"format": "re", "prompt": "cot", "protocol": ""})


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


_MAKE: Mapping[str, Callable[[Item, Recorded, str], Item]] = {
    **dict.fromkeys(
        ("ai2d", "egoplan", "egoplan2", "embspatial", "erqa", "mmstar", "sat", "viewspatial"), _choice
    ),
    "blink": _blink,
    "cv-bench": _cv_bench,
    "mmmu": _mmmu,
    "ocrbench": _ocrbench,
    "omnispatial": _omnispatial,
    "vsi-bench": _vsi_bench,
}
"""How a logged question becomes an item of the benchmark."""
