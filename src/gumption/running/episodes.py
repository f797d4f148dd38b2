"""Driving one episode: from an item to its score, with every reply on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from gumption.benchmarks import chance_of, episode_of
from gumption.records import Item, Key, Mistake, Reply, Score, Scored, Status

__all__ = ["Ask", "drive", "is_judge"]

DETAILED = 50
"""Mistakes of an item that are kept in words."""

Ask = Callable[[Item, Key], Awaitable[Reply | None]]
"""Answers one question of an episode; None where nothing was recorded for it."""


def is_judge(call: str) -> bool:
    """Whether a question of an episode goes to the judge: its call is "judge" or below it."""
    return call.partition("/")[0] == "judge"


async def drive(item: Item, epoch: int, ask: Ask) -> Scored:
    """Run the item's episode to its end and say what came of it.

    Questions yielded together are asked together. A failed request, a missing recorded reply, or a judge that
    is not there ends the episode unscored: that is no fault of the model.
    Errors in an episode's own code are raised, with the item's id in a note.
    """
    episode = episode_of(item)(item)
    worst: Status = "ok"
    try:
        questions = next(episode)
        while True:
            keys = [(item.id, epoch, call_of(item, question)) for question in questions]
            if len(keys) == 1:
                answers = [await ask(questions[0], keys[0])]
            else:
                answers = await asyncio.gather(*map(ask, questions, keys))
            replies = [reply for reply in answers if reply is not None]
            if len(replies) < len(answers):
                unjudged = all(
                    is_judge(key[2]) for key, reply in zip(keys, answers, strict=True) if not reply
                )
                return _row(item, epoch, "unscored" if unjudged else "diverged", Score(None))
            for key, reply in zip(keys, replies, strict=True):
                if reply.status == "infra_error":
                    return _row(item, epoch, "infra_error", Score(None))
                if reply.status != "ok" and not is_judge(key[2]):
                    worst = reply.status
            questions = episode.send(tuple(replies))
    except StopIteration as stop:
        score: Score = stop.value
        return _row(item, epoch, worst if score.value is not None or score.for_people else "unscored", score)
    except Exception as error:
        error.add_note(f"in the episode of item {item.id!r} ({item.benchmark})")
        raise
    finally:
        episode.close()


def call_of(item: Item, question: Item) -> str:
    """Which question of the episode this is: its id beyond the item's, "" for the item itself."""
    return question.id[len(item.id) + 1 :]


def _row(
    item: Item,
    epoch: int,
    status: Literal["ok", "refused", "truncated", "infra_error", "diverged", "unscored"],
    score: Score,
) -> Scored:
    reading = score.reading
    return Scored(
        item_id=item.id,
        epoch=epoch,
        benchmark=item.benchmark,
        category=item.category,
        dimension=item.dimension,
        cluster=item.cluster,
        kind=item.answer.kind,
        value=score.value,
        status=status,
        outcome=reading.outcome if reading else "",
        chance=chance_of(item),
        rule=reading.rule if reading else "",
        answer=""
        if reading is None or reading.value is None
        else msgspec.json.encode(reading.value).decode(),
        repairs=reading.repairs if reading else (),
        errors=tuple(mistake.kind.value for mistake in score.errors),
        details=tuple(map(_told, score.errors[:DETAILED])),
        parts=score.parts,
    )


def _told(mistake: Mistake) -> str:
    """A mistake in words; steps are counted from 1 for people."""
    step = "" if mistake.step is None else f"step {mistake.step + 1}: "
    return f"{step}{mistake.detail}{' (may follow from an earlier mistake)' if mistake.secondary else ''}"
