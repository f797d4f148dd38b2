"""Logs of the ViPlan release (merlerm/ViPlan, `results_*.json[.gz]`): one file is one model on one split.

Grounder logs keep every yes/no answer with its gold, and the plans that Fast Downward found; planner logs
keep the plans that the model wrote, as far as they could be read. Of the answers about a whole state only the
answer is kept, in lower case; of those about actions the reply is kept, and that is what is read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from gumption.benchmarks.viplan.blocksworld import SPLITS, problem_file
from gumption.benchmarks.viplan.options import YesNo, options_of
from gumption.exchange._viplan_log import Answers, Grounded, Planned, Replan, read_log
from gumption.records import Answer, GumptionError, Item, Text
from gumption.suites import Suite, write_folder

__all__ = ["Converted", "convert"]

_Replies: TypeAlias = Iterator[tuple[str, str]]
"""Calls of an episode with what was replied."""


class Converted(msgspec.Struct, frozen=True):
    """What came of a log. `gumption run SUITE --model replay/REPLIES` scores it."""

    suite: Path
    replies: Path
    model: str
    log: str
    """Domain and protocol: blocksworld/grounder, household/planner and so on."""
    split: str
    items: int
    logged: dict[str, float]
    """The figures that the log itself states: predicate_accuracy, task_accuracy and the like."""


def convert(path: Path, out: Path, *, data: Path | None = None, yes_no: YesNo = "strict") -> Converted:
    """Make a suite (`out/suite`) and recorded replies (`out/replies.jsonl`) of a log.

    data: the folder with the problems of Blocksworld, which its logs only name; looked for as the benchmark
    does. yes_no: how replies are read, "viplan" being the release's way (benchmarks.viplan.reading).
    Raises GumptionError where the file is no such log, and for logs whose actions failed by chance.
    """
    options = options_of({"yes_no": yes_no})
    log = read_log(path)
    if log.domain == "blocksworld" and log.fail_probability:
        raise GumptionError(
            "actions failed by chance in this log",
            where=str(path),
            remedy="only logs with fail_probability 0 can be followed",
        )
    protocol = "grounder" if isinstance(next(iter(log.tasks.values())), Grounded) else "planner"
    meta = {
        "log": f"{log.domain}/{protocol}",
        "yes_no": options.yes_no,
        "protocol": options.changed,
    }
    items: list[Item] = []
    lines: list[bytes] = []
    for key, task in log.tasks.items():
        item, replies = _item(key, task, meta, data)
        items.append(item)
        lines += [
            msgspec.json.encode({"id": item.id, "model": log.model, "call": call, "reply": reply}) + b"\n"
            for call, reply in replies
        ]
    suite = Suite(
        name=f"viplan-{log.domain}-{protocol}-{log.split}",
        version="1",
        items=tuple(items),
        provenance={"log": path.name, "model": log.model},
        licences={"viplan-recorded": "MIT"},
    )
    out.mkdir(parents=True, exist_ok=True)
    (out / "replies.jsonl").write_bytes(b"".join(lines))
    return Converted(
        suite=write_folder(suite, out / "suite", overwrite=True),
        replies=out / "replies.jsonl",
        model=log.model,
        log=meta["log"],
        split=log.split,
        items=len(items),
        logged=log.logged,
    )


def _item(
    key: str, task: Grounded | Planned, meta: dict[str, str], data: Path | None
) -> tuple[Item, _Replies]:
    """The item of a task, with all that its episode follows, and its replies."""
    blocksworld = meta["log"].startswith("blocksworld/")
    followed: dict[str, Any]
    if isinstance(task, Planned):
        followed, replies = _outcomes(task, SPLITS.get(Path(key).parent.name, 0))
    else:
        followed = {"plans": _plans(task, key)} if blocksworld else _turns(task)
        replies = _answers(task)
    if blocksworld:
        problem = problem_file(key, data)
        followed["problem"] = problem.read_text("utf-8")
        followed["domain"] = (problem.parents[2] / "domain.pddl").read_text("utf-8")
    name, _, scene = Path(key).name.partition(".pddl")
    return Item(
        id=f"{name}/{scene[1:]}" if scene else name,
        benchmark="viplan-recorded",
        parts=(Text(f"ViPlan's log of {name}."),),
        answer=Answer("actions"),
        cluster=name,
        category=Path(key).parent.name,
        dimension=meta["log"],
        meta={**meta, **followed},
    ), replies


# ── grounder logs ────────────────────────────────────────────────────────────────────────────────────


def _replans(task: Grounded) -> list[Replan]:
    """Those that asked for the state."""
    return [replan for replan in task.replans or () if replan.enum_results]


def _enumerations(task: Grounded) -> list[Answers]:
    first = [task.initial_state_enum.results] if task.initial_state_enum else []
    return first + [replan.enum_results for replan in _replans(task)]


def _asked(results: dict[str, Any] | None) -> Iterator[tuple[str, list[Any]]]:
    """The questions among the results about an action; what is said of all of them together is left out."""
    for name, found in (results or {}).items():
        if isinstance(found, list) and len(found) == 7:
            yield name, found


def _answers(task: Grounded) -> _Replies:
    for number, results in enumerate(_enumerations(task)):
        for name, (answer, _) in results.items():
            yield f"enum/{number}/{name}", answer
    for number, action in enumerate(task.action_results or ()):
        for call, asked in (("needs", action.preconditions_results), ("shows", action.effects_results)):
            for name, (answer, *_, raw, _) in _asked(asked):
                yield f"act/{number}/{call}/{name}", str(answer if raw is None else raw)


def _plans(task: Grounded, where: str) -> list[list[str] | None]:
    """The plan after each enumeration. Of the first one only what was taken from it is logged."""
    if task.initial_state_enum is None:
        if task.action_results:
            raise GumptionError("actions without a first enumeration", where=where, remedy="leave it out")
        return []
    if task.action_results is None:
        return [None]
    replans = _replans(task)
    actions = [action.action for action in task.action_results]
    taken = replans[0].step if replans else None
    first = actions + (task.remaining_actions or []) if taken is None else actions[:taken]
    return [first, *(replan.actions for replan in replans)]


def _turns(task: Grounded) -> dict[str, Any]:
    """What an episode on a log of Household follows, see `benchmarks.viplan.recorded`."""
    actions = task.action_results or []
    replans = list(enumerate(_replans(task)))
    turns: list[dict[str, Any]] = []
    for number, action in enumerate(actions):
        turns += [_again(*one) for one in replans if one[1].step == number]
        for call, asked in (("needs", action.preconditions_results), ("shows", action.effects_results)):
            gold = {name: _gold(found) for name, found in _asked(asked)}
            turns.append({"call": f"act/{number}/{call}", "gold": gold})
        turns.append({"action_correct": action.action_state_correct})
    turns += [_again(*one) for one in replans if one[1].step is None or one[1].step >= len(actions)]
    return {
        "turns": turns,
        "left": len(task.remaining_actions or ()),
        "goal_reached": task.goal_reached,
        "planned": task.action_results is not None,
    }


def _again(number: int, replan: Replan) -> dict[str, Any]:
    gold = {name: gold for name, (_, gold) in replan.enum_results.items()}
    return {"call": f"enum/{number}", "gold": gold, "planned": replan.actions is not None}


def _gold(found: list[Any]) -> str | None:
    """What was true: the answer where it matched the state, else the opposite."""
    answer, *_, matched = found
    return answer if matched else {"yes": "no", "no": "yes"}.get(answer)


# ── planner logs ─────────────────────────────────────────────────────────────────────────────────────


def _outcomes(task: Planned, budget: int) -> tuple[dict[str, Any], _Replies]:
    """What an episode follows, and the replies.

    A reply that could not be read ended a task and was not kept: it is an empty text here.
    """
    replies = [msgspec.json.encode(plan).decode() for plan in task.plans]
    last = task.plans[-1] if task.plans else None
    gave_up = isinstance(last, dict) and not last.get("plan")
    if not task.completed and len(replies) < budget and not gave_up:
        replies.append("")
    followed = {
        "budget": len(replies),
        "recorded": True,
        "outcomes": [attempt.success for attempt in task.actions],
        "completed": task.completed,
    }
    return followed, ((f"step/{number}", reply) for number, reply in enumerate(replies))
