"""MM-IFEval: does a reply keep every constraint that the instruction about a picture sets?

Ding et al., "MM-IFEngine: Towards Multimodal Instruction Following", 2025; github.com/SYuan03/MM-IFEngine.
Two kinds of items: C-level, a task with constraints, each checked by a rule, by a judge who sees the picture,
or by a judge who compares the reply with one to the same task without that constraint; and P-level, a
question with answers that a judge looks for. Official score: the mean over all items, an item of the C-level
being the mean over its constraints. Needs a judge; its words are ours, not the authors'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from gumption.answers import visible
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._constraints import check, holds
from gumption.benchmarks._hub import Row, Shelf, Source, fetch, rows
from gumption.benchmarks._mm_ifeval_judge import (
    ask_all,
    ask_comparison,
    ask_points,
    compared,
    judged,
    matched,
)
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark, reading_of
from gumption.records import Aggregate, Answer, Episode, GumptionError, Image, Item, Score, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

SOURCE = Source(
    repo="MM-IFEval",
    files=("MM-IFEval.tsv",),
    kind="tsv",
    licence="Apache-2.0",
    md5="973bb839961a449565073a5ee70ae7a6",
)
_NAMES = {"id": "text|int", "infer_type": "text", "question": "text", "del_cons": "text?"}
_COLUMNS = {**_NAMES, "tag": "text", "answer": "text?", "constraints": "text?", "image": "image"}
_MAIN = "main"
_P_LEVEL = "P-Level"
_KEPT = "a reply that keeps every constraint"
"""Stands for a right reply of the C-level, which nobody has written down: what an oracle says there."""
_FREE = "a reply to the task without one of them"


class _Check(msgspec.Struct):
    func: str
    params: list[Any]


class _Judge(msgspec.Struct):
    method: Literal["direct_gpt", "rule_based", "cmp_gpt"]
    verify_funcs: Any = None


class _Constraint(msgspec.Struct):
    key: str
    value: str
    judge: _Judge

    @property
    def checks(self) -> list[_Check]:
        return msgspec.convert(self.judge.verify_funcs, list[_Check])


def _load(data: Path | None) -> Suite:
    folder = fetch(SOURCE, data)
    without: dict[str, dict[str, str]] = {}
    for row in rows(folder, SOURCE.files[0], _NAMES):
        if row["infer_type"] != _MAIN:
            without.setdefault(str(row["id"]), {})[row["del_cons"] or ""] = row["question"]

    def item(row: Row, shelf: Shelf, number: int) -> Item | None:  # noqa: ARG001
        return _item(row, shelf, without) if row["infer_type"] == _MAIN else None

    return suite_of("mm-ifeval", SOURCE, data, _COLUMNS, item, version="400")


def _item(row: Row, shelf: Shelf, without: Mapping[str, Mapping[str, str]]) -> Item:
    p_level = row["tag"] == _P_LEVEL
    meta: dict[str, Any] = {}
    try:
        if p_level:
            meta["answers"] = msgspec.json.decode(row["answer"] or "", type=list[str])
        else:
            constraints = msgspec.json.decode(row["constraints"] or "", type=list[_Constraint])
            meta["constraints"] = msgspec.to_builtins(constraints)
            meta["without"] = _tasks_without(constraints, without.get(str(row["id"]), {}))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(f"not an item of MM-IFEval: {error}", remedy="fetch the file again") from error
    return Item(
        id=f"mm-ifeval/{row['id']}",
        benchmark="mm-ifeval",
        parts=(Text(row["question"]), shelf.image(row["image"])),
        answer=Answer("text", gold=", ".join(meta["answers"]) if p_level else _KEPT),
        category=row["tag"],
        meta=meta,
    )


def _tasks_without(constraints: Sequence[_Constraint], found: Mapping[str, str]) -> dict[str, str]:
    """Key to the task without that constraint; every rule is looked at, so that none fails in a run."""
    if not constraints:
        raise GumptionError("an item of the C-level has no constraints", remedy="fetch the file again")
    for constraint in constraints:
        if constraint.judge.method == "rule_based":
            for one in constraint.checks:
                check(one.func, one.params)
    wanted = [one.key for one in constraints if one.judge.method == "cmp_gpt"]
    missing = [key for key in wanted if key not in found]
    if missing:
        problem = f"no row asks for the reply without {', '.join(missing)}"
        raise GumptionError(problem, remedy="fetch the file again")
    return {key: found[key] for key in wanted}


def _episode(item: Item) -> Episode:
    return _p_level(item) if "answers" in item.meta else _c_level(item)


def _p_level(item: Item) -> Episode:
    (reply,) = yield (item,)
    reading = reading_of(reply, item.answer)
    (verdict,) = yield (ask_points(item, reply, item.meta["answers"]),)
    value, official = matched(verdict.text)
    return Score(
        value if reading.outcome == "answered" else 0.0,
        parts={} if official is None else {OFFICIAL: official},
        reading=reading,
    )


def _c_level(item: Item) -> Episode:
    constraints = msgspec.convert(item.meta["constraints"], list[_Constraint])
    free = [_without(item, key, task) for key, task in item.meta["without"].items()]
    reply, *others = yield (item, *free)
    without = dict(zip(item.meta["without"], others, strict=True))
    reading = reading_of(reply, item.answer)
    seen = [one for one in constraints if one.judge.method == "direct_gpt"]
    differing = [one for one in constraints if one.judge.method == "cmp_gpt"]
    questions = [ask_all(item, reply, [one.value for one in seen])] if seen else []
    questions += [ask_comparison(item, reply, one.key, one.value, without[one.key]) for one in differing]
    verdicts = [answer.text for answer in (yield tuple(questions))] if questions else []
    direct = judged(verdicts[0], len(seen)) if seen else []
    truths = [compared(text) for text in verdicts[len(verdicts) - len(differing) :]] if differing else []

    ours = {
        "rule-based": [_rules_hold(one, visible(reply.text)[0]) for one in _by_rule(constraints)],
        "judged": [None] * len(seen) if direct is None else direct,
        "compared": truths,
    }
    official = _official(
        None if direct is None else {one.key: score for one, score in zip(seen, direct, strict=True)},
        {one.key: _rules_hold(one, reply.text) for one in _by_rule(constraints)},
        {one.key: truth for one, truth in zip(differing, truths, strict=True)},
    )
    value = _mean([score for scores in ours.values() for score in scores])
    parts = {name: mean for name, scores in ours.items() if (mean := _mean(scores)) is not None}
    return Score(
        value if reading.outcome == "answered" else 0.0,
        parts=parts if official is None else {**parts, OFFICIAL: official},
        reading=reading,
    )


def _official(
    direct: Mapping[str, float] | None, ruled: Mapping[str, float], truths: Mapping[str, float | None]
) -> float | None:
    """The authors' mean: over keys, so that of two constraints with one key the later counts.

    A comparison that cannot be read is left out of it, and a list of scores that cannot be read makes the
    item 0. None where nothing is left to divide by, which ends their run.
    """
    if direct is None:
        return 0.0
    scores = {**direct, **ruled, **{key: truth for key, truth in truths.items() if truth is not None}}
    return _mean(list(scores.values()))


def _mean(scores: Sequence[float | None]) -> float | None:
    """None where there is none, or where one could not be read."""
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known and len(known) == len(scores) else None


def _by_rule(constraints: Sequence[_Constraint]) -> list[_Constraint]:
    return [one for one in constraints if one.judge.method == "rule_based"]


def _rules_hold(constraint: _Constraint, reply: str) -> float:
    return float(all(holds(one.func, one.params, reply) for one in constraint.checks))


def _without(item: Item, key: str, task: str) -> Item:
    """The same picture with the task that lacks one constraint."""
    pictures = [part for part in item.parts if isinstance(part, Image)]
    answer = Answer("text", gold=_FREE)
    return replace(item, id=f"{item.id}/aux/{key}", parts=(Text(task), *pictures), answer=answer)


BENCHMARK = Benchmark(
    name="mm-ifeval",
    title="MM-IFEval",
    homepage="https://github.com/SYuan03/MM-IFEngine",
    licence=SOURCE.licence,
    rule="C-level: mean over an item's constraints, by rule, judge or comparison; P-level: a judge's right "
    "or wrong; mean over all items",
    official=Aggregate("count-weighted mean of C-level and P-level", part=OFFICIAL),
    further=(
        Aggregate("count-weighted mean, our reading of the judge"),
        Aggregate("unweighted mean of C-level and P-level", by="category", part=OFFICIAL),
    ),
    load=_load,
    episode=_episode,
    source=SOURCE,
    n="400 = 300 C-level + 100 P-level, with 287 tasks less one constraint",
    formula="(n_C mean_C + n_P mean_P) / (n_C + n_P)",
    chance="not defined (free text)",
    asked="the task, then the picture, as published; for a compared constraint also the task without it",
    quirks=(
        'Officially a P-level verdict is right as soon as it has "right" in it: "not right" counts as 1.',
        "Officially a comparison that cannot be read is left out of its item, and unreadable scores of the "
        "other constraints make the item 0. Here such an item has no score, and coverage says so.",
        "The judge sees the reply without its reasoning; the authors hand it over whole.",
        "Sentences are told apart by a rule of ours, not by Punkt, as the authors do: the counts agree in "
        "99.6 % of 7,401 public replies, and in 93 % of all 8,679 with those that name points by letter.",
        'A number right before a full stop is no number to the rule that forbids them: "It costs 5." passes.',
        "The authors' judges are gpt-4o for the C-level and gpt-4o-mini for the P-level, at temperature 0.",
    ),
    kits=(
        (
            "VLMEvalKit",
            "has the authors' own scorer; from commit 401916c0 until it was mended every rule-based "
            "constraint ended in an error",
        ),
    ),
    checked="hand-worked replies for every rule and every form of verdict",
)
