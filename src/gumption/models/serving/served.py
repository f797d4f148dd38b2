"""A model by the name of its weights: the servers that answer for it are started when it is first asked."""

from __future__ import annotations

import asyncio
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gumption.models.model import ReadMedia
from gumption.models.openai import OpenAI
from gumption.models.serving.engines import Engine, arguments_of, gpus_of
from gumption.models.serving.server import Server, Tell
from gumption.records import GumptionError, Item, Key, Reply

__all__ = ["Served"]

_START_LIMIT_S = 1800.0
"""Enough to load large weights from a slow disk; for a download it may have to be more."""
_STARTS = 2
"""Of one replica: the first, and another one when it died."""
_DEATHS = 3
"""Servers that may die under one question before it counts as a failed request."""
_LOOK_S = 0.1
"""Between two looks whether a server still runs."""
_NOT_YET = "http://127.0.0.1/v1"


class _Replica:
    """One server, and the requests that are with it."""

    def __init__(self, number: int, server: Server) -> None:
        self.number, self.server = number, server
        self.client: OpenAI | None = None
        """Where it can be asked; None while it starts and when it is gone."""
        self.asking: set[asyncio.Task[Reply]] = set()
        """What it is asked now; cancelled when it dies."""
        self.starts = 0


class Served:
    """One model, served by one or more servers of this machine.

    They are started with the first question, and each question goes to the one that has the fewest. They end
    with `stop`, with the last reference to the model, or with the process, however that ends; not by `close`.
    """

    prompt = ""

    def __init__(
        self,
        engine: Engine,
        name: str,
        *,
        arguments: str = "",
        replicas: int = 1,
        gpus: str | None = None,
        start_limit_s: float | None = None,
        **asking: Any,
    ) -> None:
        """name: of the weights, as the engine takes it. arguments: of the server, as on its command line.
        gpus: shared out evenly to the replicas. start_limit_s: until a started server answers, half an hour
        unless said otherwise. asking: as of OpenAI.

        Raises GumptionError where the engine is not installed and for options that do not fit.
        """
        shares = gpus_of(gpus, replicas)
        self.name = name
        self._arguments = arguments_of(engine, arguments, shares[0])
        self._found = engine.find()
        self._open = partial(OpenAI, name, local=True, **asking)
        self._form = self._open(base_url=_NOT_YET)
        self.decode = self._form.decode
        self._shares, self._start_limit_s = shares, start_limit_s or _START_LIMIT_S
        self._tell: Tell = _say_nothing
        self._logs: Path | None = None
        self._replicas: list[_Replica] = []
        self._servers: list[Server] = []
        self._starting: asyncio.Task[None] | None = None
        self._keepers: list[asyncio.Task[None]] = []
        weakref.finalize(self, _stop, self._servers)

    def report(self, logs: Path | None, tell: Tell) -> None:
        """Where the servers' logs are to be kept (None: a temporary folder), and who is told how they do."""
        self._logs, self._tell = logs, tell

    def identity(self) -> dict[str, Any]:
        served = {"version": self._found.version, "arguments": list(self._arguments)}
        return {**self._form.identity(), "kind": self._found.engine.name, **served}

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:
        return self._form.request_sha256(question)

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        """As of OpenAI. A question that was with a server when it died goes to another one.

        Raises GumptionError where the servers cannot be started.
        """
        deaths = 0
        while deaths < _DEATHS and (replica := await self._least_busy()):
            reply = await self._ask(replica, question, key, media)
            if reply is not None:
                known = {"server_deaths": deaths} if deaths else {}
                return msgspec.structs.replace(reply, params={**reply.params, **known})
            deaths += 1
        return Reply(
            *key, self.name, "infra_error",
            error=self._why(), request_sha256=self.request_sha256(question), params={"attempts": deaths},
        )  # fmt: skip

    async def close(self) -> None:
        """Let go of connections, and of the running event loop. The servers go on."""
        tasks = [task for task in (self._starting, *self._keepers) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._starting, self._keepers = None, []
        for replica in self._replicas:
            if replica.client is not None:
                await replica.client.close()

    def stop(self) -> None:
        """End the servers. Asked again, the model starts new ones."""
        _stop(self._servers)
        self._servers.clear()
        self._replicas.clear()
        self._starting = None

    async def _ask(self, replica: _Replica, question: Item, key: Key, media: ReadMedia) -> Reply | None:
        """The replica's reply; None where it died over it."""
        assert replica.client
        asking = asyncio.ensure_future(replica.client.ask(question, key, media))
        replica.asking.add(asking)
        try:
            await asyncio.wait({asking})
            return None if asking.cancelled() else asking.result()
        finally:
            replica.asking.discard(asking)
            asking.cancel()

    async def _least_busy(self) -> _Replica | None:
        """The replica with the fewest requests, once there is one that can be asked; None if none will be."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        await asyncio.shield(self._starting)
        while True:
            ready = [replica for replica in self._replicas if replica.client is not None]
            if ready:
                return min(ready, key=lambda replica: len(replica.asking))
            if all(keeper.done() for keeper in self._keepers):
                return None
            await asyncio.sleep(_LOOK_S)

    async def _start(self) -> None:
        """Have every replica run that did not use up its starts, and watch over them on this event loop."""
        if not self._replicas:
            logs = self._logs or Path(tempfile.mkdtemp(prefix="gumption-server-"))
            for number, gpus in enumerate(self._shares):
                server = Server(
                    self._found, self.name, self._arguments, gpus=gpus, log=logs / f"{number}.log"
                )
                self._servers.append(server)
                self._replicas.append(_Replica(number, server))
        try:
            async with asyncio.TaskGroup() as group:
                for replica in self._replicas:
                    if not replica.server.alive and not replica.starts:
                        group.create_task(self._launch(replica))
        except ExceptionGroup as errors:
            self.stop()
            raise errors.exceptions[0] from None
        self._keepers = [asyncio.ensure_future(self._keep(replica)) for replica in self._replicas]

    async def _launch(self, replica: _Replica) -> None:
        replica.starts += 1
        label = f"{self._found.engine.name}/{self.name}"
        which = f"{label}, server {replica.number + 1} of {len(self._replicas)}"
        self._tell(
            f"{which}: starting {self._found.engine.name} {self._found.version}, log {replica.server.log}"
        )
        began = asyncio.get_running_loop().time()
        try:
            await replica.server.start(self._start_limit_s, self._tell)
        except asyncio.CancelledError:
            replica.starts -= 1  # nobody waits for it any more, which is no fault of the server's
            raise
        self._tell(f"{which}: answers after {asyncio.get_running_loop().time() - began:.0f} s")
        replica.client = self._open(base_url=replica.server.address)

    async def _keep(self, replica: _Replica) -> None:
        """Watch over a replica: when it dies, what it is asked is cancelled, and it is started again while it
        may be."""
        while True:
            while replica.server.alive:
                await asyncio.sleep(_LOOK_S)
            client, replica.client = replica.client, None
            for asking in replica.asking:
                asking.cancel()
            if client is not None:
                self._tell_of(replica.server.died())
                await client.close()
            if replica.starts >= _STARTS:
                return
            try:
                await self._launch(replica)
            except GumptionError as error:
                self._tell_of(error)

    def _tell_of(self, error: GumptionError) -> None:
        self._tell(f"{error}. To mend it: {error.remedy}")

    def _why(self) -> str:
        """Why there is no server left, or none that bears the question."""
        left = [replica for replica in self._replicas if replica.client is not None]
        if left:
            return f"{_DEATHS} servers died while they were asked this"
        return next((str(replica.server.died()) for replica in self._replicas), "no server runs")


def _say_nothing(line: str) -> None:
    """Nobody asked to be told."""


def _stop(servers: Iterable[Server]) -> None:
    """All at once, so that they share one grace."""
    for server in servers:
        server.let_go()
    for server in servers:
        server.stop()
