"""Where the replies of a run come from: what is recorded, then the cache, then the model or the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gumption.models import Model, ReadMedia
from gumption.records import Item, Key, Reply
from gumption.running._writing import Writer
from gumption.running.cache import ReplyCache
from gumption.running.episodes import is_judge
from gumption.running.pace import Pace

__all__ = ["Asker", "settled"]


def settled(replies: Iterable[Reply]) -> dict[Key, Reply]:
    """The reply that stands for each question: the first that did not fail, else the first failure."""
    found: dict[Key, Reply] = {}
    for reply in replies:
        before = found.get(reply.key)
        if before is None or (before.status == "infra_error" and reply.status != "infra_error"):
            found[reply.key] = reply
    return found


class Asker:
    """Answers from what is recorded; asks for the rest, where there is somebody to ask, and records it."""

    def __init__(
        self,
        recorded: Mapping[Key, Reply],
        *,
        model: Model | None = None,
        judge: Model | None = None,
        writer: Writer | None = None,
        media: ReadMedia | None = None,
        cache: ReplyCache | None = None,
        concurrency: int = 1,
    ) -> None:
        self._recorded, self._model, self._judge = recorded, model, judge
        self._writer, self._media, self._cache = writer, media, cache
        self._pace = Pace(concurrency)
        self.problems: Counter[str] = Counter()
        """What failed requests said, with how often."""

    async def __call__(self, question: Item, key: Key) -> Reply | None:
        reply = self._recorded.get(key)
        if reply is not None or self._writer is None or self._media is None:
            return reply
        model = self._judge if is_judge(key[2]) else self._model
        if model is None:
            return None
        request = model.request_sha256(question) if self._cache else ""
        known = self._cache.get(request, key) if self._cache and request else None
        if known is not None:
            self._writer.append(known)
            return known
        async with self._pace.turn() as turn:
            reply = await model.ask(question, key, self._media)
            turn.told(reply)
        if reply is None:
            return None
        self._writer.append(reply)
        if reply.status == "infra_error":
            self.problems[reply.error or "no reason given"] += 1
        elif self._cache and request:
            self._cache.put(request, reply)
        return reply
