"""The real AI2-THOR as a world: its controller behind the protocol that `household` has too.

AI2-THOR decides what succeeds; the household's rules say what was wrong where it does not, and add what it
lacks: washing, the event sets, redundant steps, a knife for cutting. Where it refuses a step with which
nothing is wrong ("No valid positions to place object found") that is physics and no error of the plan: the
step is tried from other poses, then forced, and the last resort is a SimulatorError.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from gumption.planning.worlds._thor_commands import Command, commands, preparations, receptacles
from gumption.planning.worlds._thor_household import read_household
from gumption.planning.worlds._thor_process import Event, SimulatorError
from gumption.planning.worlds._thor_session import ThorSession
from gumption.planning.worlds.household import Household, Options
from gumption.planning.worlds.household._rules import cast
from gumption.planning.worlds.household.needs import LASTING
from gumption.planning.worlds.world import Action, Fault, Outcome, Thing
from gumption.records import ErrorKind

__all__ = ["SimulatorError", "Thor", "ThorHealth", "check_thor"]

_UNBOUND = frozenset({"unknown_action", "wrong_arity", "absent"})
_OURS = frozenset({"already", "not_at", "no_knife", "not_held", "in_hand", "cut_up", "inside_itself"})
"""Rules that AI2-THOR does not have, or could not tell: PutObject puts down whatever the hand holds."""
_RULED = frozenset({"wash", "fill", "fill_from", "empty"})
"""Actions that AI2-THOR would do anywhere: the rules decide."""
_WITHOUT_REACH = frozenset({"drop", "throw"})


class Thor:
    """A room of AI2-THOR. Use it in a `with` statement, or close it.

    scene: "FloorPlan1" and so on. options: rules that evaluations set differently, as for the household;
    `auto_open` and `capacity` do not act here. executable: a Unity build, in place of the one that ai2thor
    fetches. platform: "Linux64" (X11) or "CloudRendering" (Vulkan). poses: from how many places a step is
    tried. restarts: how often the simulator may die in an episode. size: of pictures, in pixels.
    command: what starts the worker process; for tests.
    Raises SimulatorError, here and in `reset` and `step`: infrastructure, never an error of a plan.
    """

    actions = Household.actions
    features = frozenset({"containers", "liquids", "slices", "events", "navigation", "physics", "pictures"})

    def __init__(
        self,
        scene: str = "FloorPlan1",
        options: Options | None = None,
        *,
        executable: Path | None = None,
        platform: Literal["Linux64", "CloudRendering"] | None = None,
        poses: int = 7,
        restarts: int = 2,
        size: tuple[int, int] = (800, 600),
        step_timeout_s: float = 60.0,
        start_timeout_s: float = 600.0,
        command: Sequence[str] = (sys.executable, "-m", "gumption.planning.worlds._thor_worker"),
    ) -> None:
        if executable is not None and not executable.is_file():
            raise SimulatorError(
                "there is no Unity build", "missing", where=str(executable), remedy="name the program itself"
            )
        self.name = scene
        self.options = options or Options()
        self.physics: list[str] = []
        """What physics refused in this episode though nothing was wrong with it, and was forced."""
        self._poses = poses
        controller: dict[str, Any] = {"width": size[0], "height": size[1]}
        if executable is not None:
            controller["local_executable_path"] = str(executable)
        if platform is not None:
            controller["platform"] = platform
        self._session = ThorSession(
            command,
            scene,
            controller,
            step_timeout_s=step_timeout_s,
            start_timeout_s=start_timeout_s,
            restarts=restarts,
        )
        self._begin(self._session.last)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the simulator."""
        self._session.close()

    @property
    def version(self) -> str:
        """Of ai2thor and of its Unity build; belongs into every result."""
        return self._session.version

    @property
    def held(self) -> str:
        return self._rules.held

    def objects(self) -> Mapping[str, Thing]:
        return self._rules.objects()

    def goals(self) -> frozenset[str]:
        return self._rules.goals()

    def picture(self) -> bytes:
        """What the agent sees, as PNG."""
        return self._session.picture()

    def look(self) -> None:
        """See the room as it is now, without doing anything. Raises SimulatorError where nobody answers."""
        self._session.do({"action": "Done"}, keep=False)
        self._see()

    def reset(self) -> None:
        self._begin(self._session.reset())

    def step(self, action: Action, *, force: bool = False) -> Outcome:
        faults = self._rules.faults(action)
        if any(fault.code in _UNBOUND for fault in faults):
            return Outcome(faults)
        before, held = self.objects(), self.held
        name, (_, thing, target) = cast(
            self._rules, action.verb, before[action.object], before.get(action.target)
        )
        if name == "find" or any(fault.code == "already" for fault in faults):
            return Outcome(faults)
        if name == "navigate":
            self._go(thing)
            self._take_effect(action)
            return Outcome()
        wrong = tuple(fault for fault in faults if fault.fatal)
        decided = any(_is_decided(fault, name) for fault in wrong)
        refused = "" if decided else self._try(name, thing, target)
        kept: tuple[Fault, ...] = ()
        if refused and not wrong:
            self._insist(name, thing, target, refused)
        elif decided or refused:
            lasting = any(fault.static or fault.code in LASTING for fault in wrong)
            failure = refused if lasting or not force else self._force(name, thing, target)
            kept = self._dated(action, faults, failure or refused)
            if lasting or not force or failure:
                self._see()
                return Outcome(kept, self.objects() != before or self.held != held)
            kept = tuple(fault for fault in kept if fault.fatal)
        kept += self._take_effect(action)
        return Outcome(kept, self.objects() != before or self.held != held)

    # ── acting ───────────────────────────────────────────────────────────────────────────────────────

    def _try(self, name: str, thing: Thing, target: Thing) -> str:
        """Give the commands of an action, from where the agent is and then from other poses; "" or what
        AI2-THOR said last."""
        wanted = commands(name, thing, target)
        if not wanted:
            return ""
        first, *rest = wanted
        places = receptacles(self._rules, target) if name == "place" else []
        near = "" if name in _WITHOUT_REACH else (target if name == "place" else thing).id
        refused = ""
        for _ in self._stand(near):
            for one in [{**first, "objectId": place} for place in places] or [{**first}]:
                refused = self._failure([one])
                if not refused:
                    return self._failure([{**command, "forceAction": True} for command in rest])
        return refused

    def _stand(self, near: str) -> Iterator[None]:
        """Where the agent is, then wherever it can touch a thing."""
        yield
        if near:
            for pose in self._poses_near(near):
                if self._session.do(pose).success:
                    yield

    def _insist(self, name: str, thing: Thing, target: Thing, refused: str) -> None:
        """Force what physics refused though nothing is wrong with it."""
        step = " ".join(dict.fromkeys((name, thing.id, target.id)))
        failure = self._force(name, thing, target)
        if failure:
            raise SimulatorError(
                f"{step}: {failure}",
                "physics",
                remedy="nothing is wrong with the step; leave this task out of the figures",
            )
        self.physics.append(f"{step}: {refused}")

    def _force(self, name: str, thing: Thing, target: Thing) -> str:
        """Give the commands so that distance, sight and room do not matter; "" or what AI2-THOR says."""
        wanted = [*preparations(name, thing, self.held), *commands(name, thing, target)]
        return self._failure([{**command, "forceAction": True} for command in wanted])

    def _failure(self, wanted: Sequence[Command]) -> str:
        for command in wanted:
            event = self._session.do(command)
            if not event.success:
                return event.error or f"{command['action']} failed"
        return ""

    def _poses_near(self, thing: str) -> list[Command]:
        """Commands that take the agent to where it can touch a thing, spread over all there are."""
        query = {"action": "GetInteractablePoses", "objectId": thing}
        event = self._session.do(query, keep=False)
        found = event.returned if event.success and isinstance(event.returned, list) else []
        step = max(1, len(found) // self._poses)
        return [{"action": "TeleportFull", **pose} for pose in found[::step][: self._poses]]

    def _go(self, thing: Thing) -> None:
        """Nothing depends on whether the agent gets there: every step finds its own place to stand."""
        for name in dict.fromkeys((thing.id, self._rules.station(thing))):
            for pose in self._poses_near(name):
                if self._session.do(pose).success:
                    return

    # ── seeing ───────────────────────────────────────────────────────────────────────────────────────

    def _begin(self, event: Event) -> None:
        self.physics = []
        self._past: list[Household] = []
        self._rules: Household = self._read(event, {}, "")
        self.scene = self._rules.scene
        """The room as it was at the beginning."""

    def _see(self) -> None:
        self._rules = self._read(self._session.last, self.objects(), self._rules.agent.at)

    def _take_effect(self, action: Action) -> tuple[Fault, ...]:
        """See what a step has led to; which events took place by it, and what else is to be said of it, is
        what the rules say."""
        expected = self._rules.copy()
        outcome = expected.step(action, force=True)
        self._past.append(self._rules)
        self._rules = self._read(self._session.last, expected.objects(), expected.agent.at)
        return tuple(fault for fault in outcome.faults if not fault.fatal)

    def _read(self, event: Event, marks: Mapping[str, Thing], at: str) -> Household:
        return read_household(self.name, event, self.options, marks, at)

    def _dated(self, action: Action, faults: Sequence[Fault], refused: str) -> tuple[Fault, ...]:
        """Faults, with AI2-THOR's words, and as wrong order where the rule was kept in an earlier state."""
        told = []
        for fault in faults:
            kind = fault.kind
            if kind is ErrorKind.MISSING_STEP and self._was_met(action, fault.code):
                kind = ErrorKind.WRONG_ORDER
            detail = f"{fault.detail} (AI2-THOR: {refused})" if refused else fault.detail
            told.append(replace(fault, kind=kind, detail=detail))
        return tuple(told)

    def _was_met(self, action: Action, code: str) -> bool:
        names = {action.object, action.target} - {""}
        return any(
            names <= past.objects().keys() and code not in {fault.code for fault in past.faults(action)}
            for past in self._past
        )


def _is_decided(fault: Fault, name: str) -> bool:
    return fault.code in _OURS or name in _RULED or (fault.static and fault.code != "does_not_go")


class ThorHealth(Struct, frozen=True):
    """A simulator that answered."""

    version: str
    scene: str
    objects: int
    start_s: float
    step_s: float


def check_thor(scene: str = "FloorPlan1", **arguments: Any) -> ThorHealth:
    """Start AI2-THOR, take one step and end it: whether there is one that works.

    arguments: as for `Thor`. Raises SimulatorError with a remedy where there is none.
    """
    started = monotonic()
    with Thor(scene, **arguments) as world:
        ready = monotonic()
        world.look()
        return ThorHealth(world.version, scene, len(world.objects()), ready - started, monotonic() - ready)
