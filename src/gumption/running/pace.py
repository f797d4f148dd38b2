"""How many requests are under way at once: as many as allowed, and fewer while the server cannot keep up.

Additive increase, multiplicative decrease, as TCP does it (Chiu and Jain 1989): a reply that came at the
first attempt makes room for a little more, one that had to be asked for again (HTTP 429, 5xx, a time-out, a
lost connection) halves what is under way.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gumption.records import Reply

__all__ = ["Pace", "Turn"]


class Turn:
    """One request: when it was sent, and what came of it."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._sent_after = pace.cuts

    def told(self, reply: Reply | None) -> None:
        """Learn from the reply. Requests sent before a cut tell of the pace before it, and cut no more."""
        if reply is None:
            return
        if _attempts(reply) == 1:
            self._pace.quicken()
        elif self._sent_after == self._pace.cuts:
            self._pace.slow_down()


class Pace:
    """At most `most` turns at once, at least one."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        """Turns at once by now; its whole part counts."""
        self.cuts = 0
        """How often it was halved."""
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Turn]:
        """Waits until there is room."""
        if self._waiting or self._under_way >= int(self.limit):
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._leave()
                raise
        else:
            self._under_way += 1
        try:
            yield Turn(self)
        finally:
            self._leave()

    def quicken(self) -> None:
        """One turn more after as many good replies as there are turns."""
        self.limit = min(float(self.most), self.limit + 1.0 / self.limit)

    def slow_down(self) -> None:
        self.limit = max(1.0, self.limit / 2)
        self.cuts += 1

    def _leave(self) -> None:
        self._under_way -= 1
        while self._waiting and self._under_way < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self._under_way += 1
                place.set_result(None)


def _attempts(reply: Reply) -> int:
    attempts = reply.params.get("attempts", 1)
    return attempts if isinstance(attempts, int) else 1
