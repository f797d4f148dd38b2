"""A symbolic AI2-THOR: the rooms, actions and preconditions of the simulator, without the simulator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from gumption.planning.worlds.household._beginning import beginning
from gumption.planning.worlds.household._cast import Cast
from gumption.planning.worlds.household._links import link
from gumption.planning.worlds.household._rules import RULES, cast
from gumption.planning.worlds.household._state import Agent, Journal, State
from gumption.planning.worlds.household.facts import ENCLOSING, pieces
from gumption.planning.worlds.household.needs import LASTING, Need, basin_of
from gumption.planning.worlds.household.options import Options
from gumption.planning.worlds.scenes import Scene, SceneObject
from gumption.planning.worlds.world import Action, Fault, Outcome, Thing
from gumption.records import ErrorKind, GumptionError

__all__ = ["Household", "decode_state"]

_DONE, _IDLE = Outcome((), True), Outcome()
_GOALS = frozenset(
    {"in", "held", "open", "closed", "on", "off", "clean", "dirty", "filled", "empty"}
    | {"heated", "cooled", "cooked", "sliced", "broken", "exists"}
)


class Household:
    """A room to act in.

    Deterministic; `copy` makes another that goes its own way; `state` and `restore` are its JSON.
    Raises GumptionError for a scene whose objects are in each other or in something that is not there.
    """

    actions = frozenset(RULES) - {"fill", "fill_from"} | {"pour", "toggle"}
    features = frozenset({"containers", "liquids", "slices", "events", "navigation", "deterministic"})

    def __init__(self, scene: Scene, options: Options | None = None) -> None:
        self.scene = scene
        self.options = options or Options()
        self.about: dict[str, SceneObject] = {one.object_id: one for one in scene.objects}
        self.about |= {piece.object_id: piece for one in scene.objects for piece in pieces(one)}
        self.links = link(scene.objects)
        self.floor = tuple(one.object_id for one in scene.objects if one.object_type == "Floor")[:1]
        self._first = beginning(scene, self.links)
        self.reset()

    @property
    def name(self) -> str:
        return self.scene.name

    @property
    def agent(self) -> Agent:
        return self._state.agent

    @property
    def held(self) -> str:
        return self._state.agent.held

    def goals(self) -> frozenset[str]:
        return _GOALS

    def objects(self) -> Mapping[str, Thing]:
        return self._things

    # ── states ───────────────────────────────────────────────────────────────────────────────────────

    def reset(self) -> None:
        """Back to the scene as it was loaded."""
        self._enter(self._first.copied())

    def beginning(self) -> Mapping[str, Thing]:
        """All objects as they were in the beginning, by objectId."""
        return self._first.things

    def state(self) -> State:
        """All that steps have changed, and all else of the state: a copy, ready for msgspec.json."""
        return self._state.copied()

    def restore(self, state: State) -> None:
        """Go on from a state of this scene. What came before it is not known any more, so that an unmet
        precondition counts as never met. Raises GumptionError for a state of other objects."""
        if state.scene != self.name or not state.things.keys() <= self.about.keys():
            raise GumptionError(f"a state of {state.scene}, not of {self.name}", remedy="load its scene")
        self._enter(state.copied())

    def copy(self) -> Household:
        """Another household in the same state with the same past."""
        other = object.__new__(Household)
        other.__dict__ |= self.__dict__
        other._enter(self._state.copied())
        other._keep(self._journal.followed_by(other._state))
        return other

    def _enter(self, state: State) -> None:
        self._state = state
        self._things = state.things
        self._keep(Journal(state))

    def _keep(self, journal: Journal) -> None:
        self._journal = journal
        self.put, self.add = journal.put, journal.add

    # ── steps ────────────────────────────────────────────────────────────────────────────────────────

    def step(self, action: Action, *, force: bool = False) -> Outcome:
        """Take a step. Steps at fault change nothing; forced ones do what only the state forbids."""
        bound = self._bind(action)
        if isinstance(bound, Fault):
            return Outcome((bound,))
        name, cast_ = bound
        rule = RULES[name]
        for holds in rule.tests:
            if not holds(cast_):
                return self._at_fault(action, name, cast_, force)
        if rule.already is not None and rule.already(cast_):
            return Outcome((self._redundant(name, cast_),))
        before = self._journal.begin()
        rule.effect(cast_)
        if action.verb == "toggle":
            note = (
                f"{cast_.thing.id} now {'on' if cast_.thing.on else 'off'}: the step does not say which way"
            )
            return Outcome((Fault("which_way", ErrorKind.AMBIGUOUS, note, fatal=False),), True)
        return _DONE if self._journal.end() > before and name != "navigate" else _IDLE

    def faults(self, action: Action) -> tuple[Fault, ...]:
        """All that is wrong with a step as things are now, without taking it."""
        bound = self._bind(action)
        return (bound,) if isinstance(bound, Fault) else tuple(self._unmet(*bound))

    def can_place(self, thing: str, receptacle: str) -> bool:
        """Whether a thing, once it is in the hand, goes into a receptacle as that is now."""
        return all(
            fault.code == "not_held" or not fault.fatal
            for fault in self.faults(Action("place", thing, receptacle))
        )

    def _bind(self, action: Action) -> tuple[str, Cast] | Fault:
        """The name of the rule and the objects of a step; or why there are none."""
        verb, name, at = action
        thing = self._things.get(name)
        target = self._things.get(at)
        if verb not in self.actions:
            return Fault("unknown_action", ErrorKind.UNKNOWN_ACTION, f"there is no action {verb!r}")
        if not name or (not at and verb == "place"):
            return Fault("wrong_arity", ErrorKind.WRONG_ARITY, f"{verb} lacks an object")
        if thing is None or (at and target is None):
            missing = name if thing is None else at
            return Fault("absent", ErrorKind.ABSENT_IN_SCENE, f"there is no {missing!r} in {self.name}")
        return cast(self, verb, thing, target)

    def _at_fault(self, action: Action, name: str, step: Cast, force: bool) -> Outcome:
        faults = tuple(self._unmet(name, step))
        if self.options.auto_open and self._open_way(step, faults):
            return self.step(action, force=force)._replace(changed=True)
        fatal = [fault for fault in faults if fault.fatal]
        if any(not force or fault.static or fault.code in LASTING for fault in fatal):
            return Outcome(faults)
        if any(fault.code == "already" for fault in faults):
            return Outcome(faults)
        before = self._journal.begin()
        RULES[name].effect(step)
        return Outcome(faults, self._journal.end() > before)

    def _unmet(self, name: str, step: Cast) -> Iterator[Fault]:
        """What is wrong with a step. Where what it wants already holds, only that."""
        rule = RULES[name]
        unmet = [need for need in rule.needs if not need.holds(step)]
        if rule.already is not None and not any(need.static for need in unmet) and rule.already(step):
            yield self._redundant(name, step)
            return
        for need in unmet:
            fatal = need.code != "does_not_go" or self.options.placement == "fail"
            if fatal or self.options.placement == "warn":
                yield Fault(need.code, self._kind(need, step), self._say(need, step), need.static, fatal)

    def _kind(self, need: Need, step: Cast) -> ErrorKind:
        if need.static or need.code == "no_room":
            return ErrorKind.AFFORDANCE
        earlier = self._journal.earlier(lambda: need.holds(step), (step.thing.id, step.target.id))
        return ErrorKind.WRONG_ORDER if earlier else ErrorKind.MISSING_STEP

    def _say(self, need: Need, step: Cast) -> str:
        shut_in = step.target if "{target}" in need.says else step.thing
        return need.says.format(
            thing=step.thing.id,
            target=step.target.id,
            held=self.held,
            inside=self._shut_by(shut_in),
            basin=basin_of(step.target),
        )

    def _redundant(self, name: str, step: Cast) -> Fault:
        what = " ".join(dict.fromkeys((name, step.thing.id, step.target.id)))
        fatal = self.options.redundant_fails
        return Fault("already", ErrorKind.REDUNDANT_STEP, f"what it does already holds: {what}", fatal=fatal)

    def _open_way(self, step: Cast, faults: Sequence[Fault]) -> bool:
        """Open what is closed and in the way; whether anything was opened."""
        codes = {fault.code for fault in faults}
        closed = [self._shut_by(step.thing), self._shut_by(step.target)] if "inside_closed" in codes else []
        if "closed" in codes:
            closed.append(step.target.id)
        return any(self.step(Action("open", name)).changed for name in dict.fromkeys(closed) if name)

    # ── where things are ─────────────────────────────────────────────────────────────────────────────

    def containers(self, thing: Thing) -> set[str]:
        """All that a thing is in or on, at any depth."""
        found = set(thing.parents)
        for name in thing.parents:
            found |= self.containers(self._things[name])
        return found

    def contents(self, name: str) -> list[Thing]:
        """All that is in or on a thing, at any depth."""
        found = [one for one in self._things.values() if name in one.parents]
        for one in found.copy():
            if self.about[one.id].receptacle:
                found += self.contents(one.id)
        return found

    def shut_in(self, thing: Thing) -> bool:
        """Whether there is a closed container around a thing: AI2-THOR would not show it."""
        return self._shut_by(thing) is not None

    def _shut_by(self, thing: Thing) -> str | None:
        for name in thing.parents:
            parent = self._things[name]
            if not parent.open and parent.type in ENCLOSING and self.about[name].openable:
                return name
            if parent.parents:
                further = self._shut_by(parent)
                if further is not None:
                    return further
        return None

    def station(self, thing: Thing) -> str:
        """Where one stands to reach a thing: the furniture it is on; where the agent is, if it is held."""
        while thing.parents:
            thing = self._things[thing.parents[0]]
        if thing.id == self.held:
            return self.agent.at
        return self.links.station.get(thing.id, thing.id)

    def at(self, thing: Thing) -> bool:
        """Whether the agent has gone to a thing, or to what it is in or on."""
        return self.agent.at != "" and self.station(thing) == self.agent.at


def decode_state(text: bytes | str) -> State:
    """A state from its JSON. Raises GumptionError where it is none."""
    try:
        return msgspec.json.decode(text, type=State)
    except msgspec.MsgspecError as error:
        raise GumptionError(f"not a state of a household: {error}") from error
