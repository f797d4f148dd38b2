"""A pipeline against a reference: recorded replies with their scores, or one of our own benchmarks.

What is asked is compared as it is built, what replies are worth reply by reply (A2Eval, arXiv 2602.01640; see
`request_fidelity`, `reading_fidelity` and `fidelity` for what each figure says).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gumption.benchmarks import episode_of
from gumption.models.replay import HARNESS_FAILURES
from gumption.records import GumptionError, Item, Key, Reply, Video
from gumption.running import Progress
from gumption.running.episodes import drive
from gumption.synthesis.calls import Calls, Fault, mechanism_of, said_of
from gumption.synthesis.contract import Verdict
from gumption.synthesis.execute import Built
from gumption.synthesis.fidelity import Pair, ScoringFidelity, scoring_fidelity
from gumption.synthesis.pipeline import Pipeline
from gumption.synthesis.reading_fidelity import ReadingFidelity, Readings, reading_fidelity
from gumption.synthesis.recorded import Recorded
from gumption.synthesis.request_fidelity import (
    ReplyFidelity,
    RequestFidelity,
    Shown,
    reply_fidelity,
    request_fidelity,
    shown_by_item,
    shown_by_request,
)

__all__ = ["Fidelity", "Outputs", "against"]

Outputs: TypeAlias = Mapping[tuple[str, str], str]
"""Replies by item and model."""


class Fidelity(Struct, frozen=True):
    """Everything that is compared; None where there is nothing to compare."""

    requests: RequestFidelity | None
    blank: int
    """Items of the reference that show nothing that can be compared: right answers alone, or a video."""
    outputs: ReplyFidelity | None
    readings: ReadingFidelity | None
    scores: ScoringFidelity | None
    macro: bool
    """Whether a model's score is the mean over categories of their means."""
    unknown: tuple[str, ...]
    """Items of recorded replies that the pipeline has not, or that the reference has not."""
    failed: int
    """Replies that say that a request failed: they are scored by neither."""
    faults: dict[str, int]
    """What the pipeline's scorer failed with, and how often."""


def against(
    pipeline: Pipeline,
    made: Built,
    *,
    recorded: Sequence[Recorded] = (),
    items: Sequence[Item] | None = None,
    outputs: Outputs | None = None,
    unsandboxed: bool = False,
    progress: Progress | None = None,
) -> Fidelity:
    """Compares a pipeline with its reference.

    recorded: replies, with what they are worth by the reference unless there are `items`. items: of a
    benchmark of ours, which is the reference then, for requests as for scores. outputs: replies to the
    pipeline's own requests, to be compared with those recorded. progress: of the replies that are scored.

    Raises GumptionError where the two have no item in common.
    """
    known = made.rows if items is None else made.rows.keys() & {item.id for item in items}
    if not known:
        raise _strangers("the benchmark", [item.id for item in items or ()], made)
    asked = [one for one in recorded if one.item in known]
    if recorded and not asked:
        raise _strangers("the recorded file", [one.item for one in recorded], made)
    replies = [one for one in asked if one.reply.strip() not in HARNESS_FAILURES]
    # To score nothing but row and reply are seen, so the folder that the code may read is its own.
    calls = Calls(pipeline.code, pipeline.folder, mechanism_of(unsandboxed))
    verdicts = calls.score([(made.rows[one.item], one.reply) for one in replies], progress=progress)
    theirs = replies if items is None else _by_ours(replies, {item.id: item for item in items})
    macro = pipeline.spec.scoring.aggregate == "macro"
    shared = None if items is None else [item for item in items if item.id in known]
    comparable = [item for item in shared or () if _comparable(item)]
    return Fidelity(
        requests=_requests(made, comparable) if comparable else None,
        blank=len(shared or ()) - len(comparable),
        outputs=_outputs(outputs, recorded) if outputs is not None else None,
        readings=_readings(theirs, verdicts),
        scores=scoring_fidelity(_pairs(theirs, verdicts, made), macro=macro) if replies else None,
        macro=macro,
        unknown=tuple(dict.fromkeys(one.item for one in recorded if one.item not in known)),
        failed=len(asked) - len(replies),
        faults=dict(Counter(said_of(one) for one in verdicts if isinstance(one, Fault))),
    )


def _outputs(outputs: Outputs, recorded: Sequence[Recorded]) -> ReplyFidelity:
    """Inference fidelity of outputs. Where both sides have one model each, its name is no matter."""
    reference = {(one.item, one.model): one.reply for one in recorded}
    if len({model for _, model in outputs}) == 1 == len({model for _, model in reference}):
        return reply_fidelity(
            {item: text for (item, _), text in outputs.items()},
            {item: text for (item, _), text in reference.items()},
        )
    return reply_fidelity(outputs, reference)


def _strangers(what: str, ids: Sequence[str], made: Built) -> GumptionError:
    theirs, ours = (", ".join(map(repr, list(dict.fromkeys(some))[:3])) for some in (ids, made.rows))
    return GumptionError(
        f"{what} has none of the pipeline's items: {theirs} there, {ours} here",
        where="fidelity",
        remedy="compare with a reference whose ids are those of the pipeline",
    )


def _comparable(item: Item) -> bool:
    return bool(item.parts) and not any(isinstance(part, Video) for part in item.parts)


def _requests(made: Built, items: Sequence[Item]) -> RequestFidelity:
    return request_fidelity(
        {item.id: shown_by_request(made.requests[item.id], made.root) for item in items},
        {item.id: _first_shown(item) for item in items},
    )


def _first_shown(item: Item) -> Shown:
    """What the benchmark's own episode shows first, as a run would ask it."""
    episode = episode_of(item)(item)
    try:
        return shown_by_item(next(episode)[0])
    finally:
        episode.close()


def _by_ours(replies: Sequence[Recorded], items: Mapping[str, Item]) -> list[Recorded]:
    """The same replies, read and scored by our benchmark; by nobody where a judge would have to be asked."""

    async def scored(one: Recorded) -> Recorded:
        reply = Reply(one.item, model=one.model, text=one.reply)

        async def ask(question: Item, key: Key) -> Reply | None:  # noqa: ARG001
            return None if key[2] else reply

        row = await drive(items[one.item], 0, ask)
        read = msgspec.json.decode(row.answer) if row.outcome == "answered" and row.answer else ""
        return replace(one, score=row.value, reading=read if row.outcome else None)

    async def every() -> list[Recorded]:
        return [await scored(one) for one in replies]

    return asyncio.run(every())


def _readings(theirs: Sequence[Recorded], verdicts: Sequence[Verdict | Fault]) -> ReadingFidelity | None:
    both = [
        Readings(one.model, _read(verdict), None if one.reading == "" else one.reading)
        for one, verdict in zip(theirs, verdicts, strict=True)
        if one.reading is not None
    ]
    return reading_fidelity(both) if both else None


def _read(verdict: Verdict | Fault) -> Any:
    return verdict.value if isinstance(verdict, Verdict) and verdict.outcome == "answered" else None


def _pairs(theirs: Sequence[Recorded], verdicts: Sequence[Verdict | Fault], made: Built) -> list[Pair]:
    return [
        Pair(
            one.item,
            one.model,
            verdict.score if isinstance(verdict, Verdict) else None,
            one.score,
            made.requests[one.item].category,
            one.reply,
        )
        for one, verdict in zip(theirs, verdicts, strict=True)
    ]
