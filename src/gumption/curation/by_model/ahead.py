"""Votes asked ahead by several processes, so that one client is not what labelling a large pool waits for.

A worker holds the Assigner's own talk over some of the items and gives back what it asked and what came. The
driver passes these questions on as a talk of its own, with the replies ready: so whoever holds that talk
writes the one record of replies, and the Assigner, which then labels all items in the driver, finds them
there. What it does is the same as without any worker, and what they have not asked, or asked in vain, it asks
itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from msgspec import Struct

from gumption.curation.by_model.assigner import ModelAssigner
from gumption.curation.dimensions import Dimensions, Example
from gumption.executors import Executor, LostShardError
from gumption.executors.batch import batch
from gumption.models import Model, ReadMedia
from gumption.records import Item, Key, Reply
from gumption.running.talks import Talk, hold

__all__ = ["VotesAhead"]

OpenModels: TypeAlias = Callable[[], Callable[[str], Model]]
"""Opens, in the process that it is called in, the model behind each call."""
_MOST = 64
"""Items of a shard: some two hundred questions."""


class _Shard(Struct, frozen=True):
    examples: tuple[Example, ...]
    """No two of them look the same to a voter."""
    full: frozenset[str]
    known: tuple[Reply, ...]
    """What was recorded of them before."""


class _Ballot(Struct, frozen=True):
    question: Item
    reply: Reply


_Asked: TypeAlias = tuple[str, str]
"""A question's call and the hash of its request."""


class VotesAhead:
    """Asks what `assigner` will ask. For an Assigner without a budget: what workers spend is counted when the
    Assigner itself comes to it.

    open_models: travels to the workers, so it holds no secret; addresses in it are as the workers see them.
    concurrency: requests under way at once, over all workers.
    """

    def __init__(
        self, assigner: ModelAssigner, open_models: OpenModels, executor: Executor, concurrency: int
    ) -> None:
        self._assigner, self._open, self._executor = assigner, open_models, executor
        self._concurrency = max(1, concurrency // executor.workers)
        self._brought: dict[_Asked, Reply] = {}

    def votes(
        self,
        talk: str,
        examples: Sequence[Example],
        dimensions: Dimensions,
        full: frozenset[str],
        recorded: Iterable[Reply],
    ) -> Talk[None]:
        """Questions whose replies are there already: to be asked of `through`.

        talk: the name under which this and the Assigner's own talk are held. The other arguments are those
        that the Assigner will be given. recorded: replies that are not asked for again.
        """
        start = partial(_asking, talk, self._assigner.afresh(), self._open, dimensions, self._concurrency)
        shards = list(self._shards(examples, dimensions, full, recorded))
        for _, ballots in batch(self._executor, start, shards, most=1, lost=_left_to_the_driver):
            if ballots and all(one.reply.status == "infra_error" for one in ballots):
                return  # nobody answers: who asks next says so
            self._brought.update({(one.question.id, one.reply.request_sha256): one.reply for one in ballots})
            yield tuple([one.question for one in ballots])
            self._brought.clear()

    def through(self, ask_of: Callable[[str], Model]) -> Callable[[str], Model]:
        """The same models, except that a reply which a worker has brought is given."""
        return _giving(ask_of, self._brought)

    def _shards(
        self,
        examples: Sequence[Example],
        dimensions: Dimensions,
        full: frozenset[str],
        recorded: Iterable[Reply],
    ) -> Iterator[_Shard]:
        known: dict[str, list[Reply]] = defaultdict(list)
        mark = f"/{dimensions.sha256[:12]}/"
        for reply in recorded:
            _, of_this_set, item = reply.call.partition(mark)
            if of_this_set and reply.status != "infra_error":
                known[item].append(reply)
        shown, wanted = self._assigner.shown(examples, full)
        size = min(_MOST, max(1, len(shown) // (self._executor.workers * 8)))
        for begin in range(0, len(shown), size):
            some = tuple(shown[begin : begin + size])
            replies = tuple([reply for one in some for reply in known.get(one.id, ())])
            yield _Shard(some, wanted.intersection(one.id for one in some), replies)


def _asking(
    talk: str, assigner: ModelAssigner, open_models: OpenModels, dimensions: Dimensions, concurrency: int
) -> Callable[[tuple[_Shard, ...]], list[list[_Ballot]]]:
    """What asks about shards: of each, the questions that were asked and their replies."""

    def asked(shard: _Shard) -> list[_Ballot]:
        found: list[_Ballot] = []
        known = {(reply.call, reply.request_sha256): reply for reply in shard.known}
        with TemporaryDirectory() as folder:
            talks = {talk: assigner.assign(shard.examples, dimensions, shard.full)}
            models = _giving(open_models(), known, found)
            hold(talks, models, Path(folder) / "replies", concurrency=concurrency)
        return found

    return lambda shards: [asked(shard) for shard in shards]


def _left_to_the_driver(_shard: _Shard, _error: LostShardError) -> list[_Ballot]:
    return []


def _giving(
    ask_of: Callable[[str], Model], known: Mapping[_Asked, Reply], asked: list[_Ballot] | None = None
) -> Callable[[str], Model]:
    models: dict[int, _Giving] = {}

    def model_of(call: str) -> Model:
        model = ask_of(call)
        return models.setdefault(id(model), _Giving(model, known, asked))

    return model_of


class _Giving:
    """A model some of whose replies are known; the others are asked for, and noted in `asked`."""

    def __init__(self, model: Model, known: Mapping[_Asked, Reply], asked: list[_Ballot] | None) -> None:
        self._model, self._known, self._asked = model, known, asked
        self.name, self.prompt, self.decode = model.name, model.prompt, model.decode
        self.identity, self.prepare = model.identity, model.prepare
        self.request_sha256, self.close = model.request_sha256, model.close

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply | None:
        known = self._known.get((question.id, self.request_sha256(question)))
        if known is not None:
            return known
        reply = await self._model.ask(question, key, media)
        if reply is not None and self._asked is not None:
            self._asked.append(_Ballot(question, reply))
        return reply
