"""Raters at work: what fifty browsers send to the rating application, and what they were told is saved.

Each rater is a task of its own with its own cookies and connection. A request that gets no answer, or is told
to come back, is sent again as it was, as a browser's person would.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from gumption.rating.record import Record
from gumption.rating.study import Study

__all__ = ["Load", "counted_wrongly", "lost", "work"]

DRAFTS = 3
"""Saves of a form before it is sent."""
AGAIN_S = 0.2
PATIENCE_S = 120
_FORM_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
_LATER = (429, 500, 502, 503, 504)


@dataclass
class Load:
    """What a crowd of raters met with."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Kind of request to the times from when it was first sent until it was answered."""
    refused: Counter[str] = field(default_factory=Counter)
    """Status, or "no connection", to how often it was met."""
    acknowledged: dict[str, tuple[dict[str, int], str]] = field(default_factory=dict)
    """Task to the marks and comment that the server said were saved."""
    wall_s: float = 0.0

    @property
    def requests(self) -> int:
        return sum(map(len, self.seconds.values()))


async def work(home: str, tokens: Sequence[str], study: Study, load: Load) -> None:
    """One rater a token, as fast as they can, until nothing is left for them. `load` fills up meanwhile."""
    start = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for token in tokens:
            group.create_task(_Rater(home, token, study, load).work())
    load.wall_s = time.perf_counter() - start


class _Rater:
    def __init__(self, home: str, token: str, study: Study, load: Load) -> None:
        self._browser = httpx.AsyncClient(base_url=home, timeout=PATIENCE_S)
        self._token, self._study, self._load = token, study, load

    async def work(self) -> None:
        async with self._browser:
            await self._ask("open", "GET", f"/r/{self._token}", expect=303)
            page = await self._ask("page", "GET", "/")
            form_token = _FORM_TOKEN.search(page.text)
            assert form_token
            self._form_token = form_token[1]
            given = await self._ask(
                "next", "POST", "/next", expect=303, data={"form_token": self._form_token}
            )
            while (address := given.headers["location"]) != "/done":
                given = await self._judge(address)

    async def _judge(self, address: str) -> httpx.Response:
        """Look at a task, fill it in bit by bit, send it, and be told of the next."""
        await self._ask("page", "GET", address)
        task = address.removeprefix("/task/")
        lot = random.Random(task)
        marks = {one.id: lot.choice(one.marks("rating")) for one in self._study.dimensions}
        filled = list(marks.items())
        comment = f"of {task}: {lot.random()}"
        for draft in range(DRAFTS):
            some = dict(filled[: (draft + 1) * len(filled) // DRAFTS])
            await self._ask(
                "save",
                "PUT",
                f"/api/tasks/{task}/draft",
                headers={"x-form-token": self._form_token},
                json={"values": some, "comment": comment[: 8 * draft], "seconds": draft + 0.5},
            )
        form = {f"v.{name}": str(mark) for name, mark in marks.items()}
        form |= {"comment": comment, "seconds": "4.5", "revision": "0", "form_token": self._form_token}
        given = await self._ask("submit", "POST", address, expect=303, data=form)
        self._load.acknowledged[task] = marks, comment
        return given

    async def _ask(
        self, kind: str, method: str, address: str, expect: int = 200, **said: Any
    ) -> httpx.Response:
        start = time.perf_counter()
        while True:
            wait = AGAIN_S
            try:
                answer = await self._browser.request(method, address, **said)
            except httpx.TransportError:
                self._load.refused["no connection"] += 1
            else:
                if answer.status_code == expect:
                    self._load.seconds[kind].append(time.perf_counter() - start)
                    return answer
                self._load.refused[str(answer.status_code)] += 1
                if answer.status_code not in _LATER:
                    raise AssertionError(f"{method} {address[:9]}: {answer.status_code} {answer.text[:500]}")
                wait = float(answer.headers.get("retry-after", AGAIN_S))
            if time.perf_counter() - start > PATIENCE_S:
                raise AssertionError(f"{method} {address[:9]} was not answered in {PATIENCE_S} s")
            await asyncio.sleep(wait)


def lost(load: Load, records: Sequence[Record]) -> int:
    """Ratings that were acknowledged and are not in the store as they were sent."""
    there = {one.task: (one.values, one.comment) for one in records if one.revision}
    return sum(there.get(task) != said for task, said in load.acknowledged.items())


def counted_wrongly(study: Study, units: int, records: Sequence[Record]) -> int:
    """Revisions that nobody made, and people too many or too few on a unit; `records` with their history."""
    people = Counter(
        one.unit for one in records if one.revision == 1 and one.expected is None and not one.repeat
    )
    revised = sum(one.revision > 1 for one in records)
    off = sum(abs(count - study.raters_wanted) for count in people.values())
    return revised + off + (units - len(people)) * study.raters_wanted
