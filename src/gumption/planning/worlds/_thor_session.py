"""An episode in AI2-THOR that survives the death of its Unity process."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from gumption.planning.worlds._thor_process import Event, SimulatorError, ThorProcess
from gumption.planning.worlds.scenes import SceneObject

__all__ = ["ThorSession"]

_HOUSEHOLD = "the world `household` has the same rooms and needs no build"
_REMEDIES = (
    (
        "no build exists",
        "AI2-THOR fetches its Unity build from the network when it first runs: let it run once where there "
        "is one and copy ~/.ai2thor/releases here, or name a build with executable=",
    ),
    (
        "missing dependencies",
        "start an X server (sudo ai2thor-xorg start), or take platform='CloudRendering', which needs Vulkan",
    ),
    ("vulkan", "install the Vulkan driver of the graphics card (vulkaninfo tests it)"),
    ("", "see ~/.ai2thor/log/unity.log"),
)


class ThorSession:
    """Commands to a controller. A process that dies or hangs is started again, the episode is replayed up to
    its last good step, and the command is given once more.

    command: starts the process. options: of ai2thor's Controller, without the scene. restarts: how many
    deaths an episode survives.
    """

    def __init__(
        self,
        command: Sequence[str],
        scene: str,
        options: Mapping[str, Any],
        *,
        step_timeout_s: float,
        start_timeout_s: float,
        restarts: int,
    ) -> None:
        self._command, self._scene = command, scene
        self._options = dict(options)
        self._step_timeout_s, self._start_timeout_s = step_timeout_s, start_timeout_s
        self._restarts = restarts
        self.deaths = 0
        """In this episode."""
        self._done: list[Mapping[str, Any]] = []
        self.version = ""
        self._process, self.last = self._start()

    def reset(self) -> Event:
        """The scene from the beginning, in a new process where the old one is dead or does not answer."""
        self._done, self.deaths = [], 0
        try:
            answer = self._process.ask({"do": "reset", "scene": self._scene}, self._start_timeout_s)
            self.last = _seen(answer.event)
        except SimulatorError:
            self._process, self.last = self._start()
        return self.last

    def do(self, command: Mapping[str, Any], *, keep: bool = True) -> Event:
        """Give a command. keep: it changes something and is to be replayed, if it succeeds.

        Raises SimulatorError where the simulator dies once too often or where the replay goes otherwise.
        """
        while True:
            try:
                if not self._process.alive:
                    self._revive()
                event = self._step(command)
            except SimulatorError as error:
                if error.kind not in ("timeout", "crash") or self.deaths >= self._restarts:
                    raise
                self.deaths += 1
                continue
            if event.success and keep:
                self._done.append(command)
            self.last = event
            return event

    def picture(self) -> bytes:
        """What the agent sees, as PNG."""
        if not self._process.alive:
            self._revive()
        return b64decode(self._process.ask({"do": "picture"}, self._step_timeout_s).picture)

    def close(self) -> None:
        self._process.close()

    def _step(self, command: Mapping[str, Any]) -> Event:
        return _seen(self._process.ask({"do": "step", "command": command}, self._step_timeout_s).event)

    def _start(self) -> tuple[ThorProcess, Event]:
        process = ThorProcess(self._command)
        options = self._options | {
            "scene": self._scene,
            "server_timeout": self._step_timeout_s,
            "server_start_timeout": self._start_timeout_s,
        }
        try:
            answer = process.ask({"do": "start", "options": options}, self._start_timeout_s)
        except SimulatorError as error:
            raise _not_started(error) from error
        self.version = answer.version
        return process, _seen(answer.event)

    def _revive(self) -> None:
        """A new process in the state that the old one was last known in."""
        self._process, event = self._start()
        for place, command in enumerate(self._done):
            event = self._step(command)
            if not event.success:
                raise self._otherwise(f"step {place}, {command['action']}, failed: {event.error}")
        if _state(event) != _state(self.last):
            changed = {name for name, _ in _state(event).items() ^ _state(self.last).items()}
            raise self._otherwise(f"now different: {', '.join(sorted(changed)[:5])}")

    def _otherwise(self, what: str) -> SimulatorError:
        self._process.kill()
        return SimulatorError(
            f"after a restart the episode went otherwise: {what}", "replay", remedy="run this task again"
        )


def _seen(event: Event | None) -> Event:
    if event is None:
        raise SimulatorError("an answer without an event", "crash", remedy="run this task again")
    return event


def _state(event: Event) -> dict[str, tuple[Any, ...]]:
    """What of the objects steps depend on: not where exactly they lie."""
    return {one.object_id: (*_flags(one), one.object_id in event.held) for one in event.objects}


def _flags(one: SceneObject) -> tuple[Any, ...]:
    return (
        frozenset(one.parents),
        one.is_open,
        one.is_toggled,
        one.is_sliced,
        one.is_cooked,
        one.is_broken,
        one.is_dirty,
        one.is_filled_with_liquid,
    )


def _not_started(error: SimulatorError) -> SimulatorError:
    if error.kind == "missing":
        return SimulatorError(
            f"ai2thor is not installed: {error.problem}",
            "missing",
            remedy=f"pip install 'gumption[thor]'; or {_HOUSEHOLD}",
        )
    words = error.problem.lower()
    sign, remedy = next((sign, remedy) for sign, remedy in _REMEDIES if sign in words)
    if error.kind == "timeout":
        remedy = "see ~/.ai2thor/log/unity.log; a first start that fetches the build needs a longer time"
    return SimulatorError(
        f"it does not start: {error.problem}",
        "missing" if sign == "no build exists" else "start",
        remedy=f"{remedy}; {_HOUSEHOLD}",
    )
