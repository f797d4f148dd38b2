"""Talks: generators that ask as they go and return something other than an item's score.

The roles of the Data Agent are talks. They are driven and recorded as episodes are, in a folder of the same
form as a run's, so that a talk which was cut short is taken up by holding it again: what was recorded is not
asked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from gumption.models import Model
from gumption.records import GumptionError, Item, Key, Reply
from gumption.running._writing import Writer
from gumption.running.store import Protocol, Run, RunInfo

__all__ = ["Talk", "TalkProgress", "hold"]

T = TypeVar("T")
Talk: TypeAlias = Generator[tuple[Item, ...], tuple[Reply, ...], T]
"""Yields questions to be asked side by side, is sent their replies, failed ones too, and returns what it made
of them. Deterministic. A question's id is its call, such as "vote/3/ITEM": what the talk itself is called is
known to who holds it."""
TalkProgress: TypeAlias = Callable[[int, int], None]
"""Called with (answered, asked so far) after each reply: how many questions there will be is not known."""

_INFO = RunInfo(
    suite="talks",
    suite_version="",
    suite_address="",
    data="",
    model="",
    items=0,
    protocol=Protocol(suite="", benchmarks={}, prompt="", reading="", scoring="", epochs=1),
)
"""A run without items. What a reply answers is told by the hash of its request, not by a protocol."""


def hold(
    talks: Mapping[str, Talk[T]],
    ask_of: Callable[[str], Model],
    folder: Path,
    *,
    concurrency: int = 16,
    progress: TalkProgress | None = None,
) -> dict[str, T]:
    """What the talks return, by name, all held at once.

    ask_of: the model that answers a call, by its path; several calls may share one model, and each is closed
    at the end. folder: of the replies, kept to this process meanwhile; every reply is appended with the key
    (talk, 0, call) before the talk is sent it. concurrency: requests under way at once over all talks.

    A recorded reply is given again where the request is the same one; failed requests are asked again, and so
    are those whose words have changed. Raises GumptionError where the folder holds something else, is held by
    another process or cannot be written, and what a talk or a model raises.
    """
    if concurrency < 1:
        raise GumptionError(f"{concurrency} requests at once", remedy="give a concurrency of 1 or more")
    with Run.taken(folder, _INFO, []) as (record, part), Writer(part) as writer:
        recorded = {
            (reply.key, reply.request_sha256): reply
            for reply in record.replies()
            if reply.status != "infra_error"
        }
        return asyncio.run(_Holder(ask_of, recorded, writer, progress).hold(talks, concurrency))


@dataclass(frozen=True)
class _Waiting:
    """A question in the queue."""

    question: Item
    key: Key
    model: Model
    reply: asyncio.Future[Reply]


class _Holder:
    """One queue of questions for all talks, and as many workers as requests may be under way."""

    def __init__(
        self,
        ask_of: Callable[[str], Model],
        recorded: dict[tuple[Key, str], Reply],
        writer: Writer,
        progress: TalkProgress | None,
    ) -> None:
        self._ask_of, self._recorded, self._writer, self._progress = ask_of, recorded, writer, progress
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._models: dict[int, Model] = {}
        self._asked = self._answered = 0

    async def hold(self, talks: Mapping[str, Talk[T]], concurrency: int) -> dict[str, T]:
        try:
            async with asyncio.TaskGroup() as group:
                workers = [group.create_task(self._work()) for _ in range(concurrency)]
                held = {name: group.create_task(self._drive(name, talk)) for name, talk in talks.items()}
                if held:
                    await asyncio.wait(held.values())
                for worker in workers:
                    worker.cancel()
        except ExceptionGroup as group_error:
            # The first failure is the reason; the others were stopped because of it.
            raise group_error.exceptions[0] from None
        finally:
            for talk in talks.values():
                talk.close()
            for model in self._models.values():
                await model.close()
        return {name: task.result() for name, task in held.items()}

    async def _drive(self, name: str, talk: Talk[T]) -> T:
        try:
            questions = next(talk)
            while True:
                questions = talk.send(await self._replies(name, questions))
        except StopIteration as stop:
            value: T = stop.value
            return value
        except Exception as error:
            error.add_note(f"in the talk {name!r}")
            raise

    async def _replies(self, name: str, questions: tuple[Item, ...]) -> tuple[Reply, ...]:
        loop = asyncio.get_running_loop()
        replies: list[Reply | asyncio.Future[Reply]] = []
        for question in questions:
            key = (name, 0, question.id)
            model = self._ask_of(question.id)
            self._models[id(model)] = model
            reply: Reply | asyncio.Future[Reply] | None = self._recorded.get(
                (key, model.request_sha256(question))
            )
            if reply is None:
                reply = loop.create_future()
                self._queue.put_nowait(_Waiting(question, key, model, reply))
            else:
                self._answered += 1
            replies.append(reply)
        self._asked += len(replies)
        return tuple([reply if isinstance(reply, Reply) else await reply for reply in replies])

    async def _work(self) -> None:
        while True:
            waiting = await self._queue.get()
            model, key = waiting.model, waiting.key
            reply = await model.ask(waiting.question, key, _no_media)
            if reply is None:
                reply = Reply(*key, model.name, "infra_error", error="nothing is recorded for this question")
            else:
                self._writer.append(reply)
            if reply.status != "infra_error":
                self._recorded[key, model.request_sha256(waiting.question)] = reply
            self._answered += 1
            if self._progress:
                self._progress(self._answered, self._asked)
            waiting.reply.set_result(reply)


def _no_media(sha256: str) -> bytes:
    raise GumptionError(f"a talk shows pictures ({sha256})", remedy="ask in words")
