"""What every world offers: it is reset, takes steps, shows its objects and says which goals it can tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from gumption.records import ErrorKind, GumptionError

__all__ = ["Action", "Fault", "Outcome", "Thing", "World", "require"]


class Action(NamedTuple):
    """A step with its objects known: what to do, to which objectId, and where or with what."""

    verb: str
    object: str = ""
    target: str = ""


class Fault(Struct, frozen=True):
    """Something that is wrong with a step."""

    code: str
    """Which rule it breaks, such as "hand_full": those of the household are in `household.needs`."""
    kind: ErrorKind
    detail: str = ""
    static: bool = False
    """It is about what kind of thing an object is: no state would make the step possible."""
    fatal: bool = True
    """The step cannot be executed. A redundant step can: what it wants already holds."""


class Outcome(NamedTuple):
    """What became of a step."""

    faults: tuple[Fault, ...] = ()
    changed: bool = False
    """Something in the room or in the hand is different now. Looking and walking change nothing."""

    @property
    def ok(self) -> bool:
        return not any(fault.fatal for fault in self.faults)


class Thing(Struct):
    """An object as it is now. Read it; only its world writes it."""

    id: str
    type: str
    parents: tuple[str, ...] = ()
    """What it is in or on. Only what can be carried has a place; of furniture, a basin is in its sink."""
    open: bool = False
    on: bool = False
    dirty: bool = False
    liquid: str = ""
    """What it is filled with; "" if it is empty."""
    sliced: bool = False
    cooked: bool = False
    broken: bool = False
    temperature: str = "RoomTemp"
    """RoomTemp, Hot or Cold."""
    cleaned: bool = False
    """It was in a basin when the water went on, or was washed there. ALFRED's event set, not a flag of the
    simulator: most things that are washed cannot be dirty. So are `heated` and `cooled`."""
    heated: bool = False
    """It was in a microwave that went on."""
    cooled: bool = False
    """It was in a fridge that was closed."""
    washed: bool = False
    """A step said to wash it."""
    poured: bool = False
    """A step said to fill it."""


class World(Protocol):
    """A room to act in. Deterministic worlds replay exactly; others say so in `features`."""

    @property
    def name(self) -> str:
        """Which room."""

    @property
    def actions(self) -> frozenset[str]:
        """The verbs of the actions that it can take."""

    @property
    def features(self) -> frozenset[str]:
        """What it keeps: of "containers", "liquids", "slices", "events", "navigation", "physics",
        "pictures", "deterministic"."""

    @property
    def held(self) -> str:
        """The objectId in the hand, "" if there is none."""

    def reset(self) -> None:
        """Back to the beginning."""

    def step(self, action: Action, *, force: bool = False) -> Outcome:
        """Take a step. A step at fault changes nothing, unless it is forced and only the state forbids it.

        Never raises for what a model may write: an unknown verb or object is a fault.
        """

    def objects(self) -> Mapping[str, Thing]:
        """All objects as they are now, by objectId."""

    def goals(self) -> frozenset[str]:
        """The predicates whose truth it can tell; see `planning.goals`."""


def require(
    world: World, *, actions: Iterable[str] = (), features: Iterable[str] = (), goals: Iterable[str] = ()
) -> None:
    """Raises GumptionError where the world lacks what a benchmark asks for, naming all that is missing."""
    wanted: dict[str, tuple[Iterable[str], Any]] = {
        "actions": (actions, world.actions),
        "features": (features, world.features),
        "goals": (goals, world.goals()),
    }
    missing = [
        f"{kind} {', '.join(sorted(lacking))}"
        for kind, (names, known) in wanted.items()
        if (lacking := set(names) - known)
    ]
    if missing:
        raise GumptionError(
            f"this world has no {'; no '.join(missing)}",
            where=world.name,
            remedy="take another world, or leave these tasks out",
        )
