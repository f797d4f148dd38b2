"""A plan's steps resolved one after the other, each in the context of those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from gumption.planning.resolve.affordances import CLOSES, CUTS, OPENS, PLACES, TAKES, plain_verb
from gumption.planning.resolve.parse import read_phrase, read_step
from gumption.planning.resolve.resolution import Resolution
from gumption.planning.resolve.resolver import Resolver
from gumption.planning.resolve.similarity import THRESHOLD, Likeness
from gumption.planning.resolve.static import name
from gumption.planning.worlds.household._effects import pieces
from gumption.planning.worlds.household.facts import KNIVES
from gumption.planning.worlds.scenes import Scene
from gumption.records import Mistake

__all__ = ["ResolvedStep", "follow", "resolve_plan"]


class ResolvedStep(Struct, frozen=True):
    """A step with what its arguments stand for."""

    verb: str
    """As it was written."""
    object: Resolution | None = None
    target: Resolution | None = None
    """What something is put into, or poured into."""
    tool: Resolution | None = None
    """Of a cut: the knife, whichever argument it was."""
    errors: tuple[Mistake, ...] = ()
    """unresolved, ambiguous and absent_in_scene, one for each argument that reached nothing."""

    @property
    def arguments(self) -> tuple[Resolution, ...]:
        return tuple(one for one in (self.object, self.target, self.tool) if one is not None)


def resolve_plan(
    actions: Iterable[Sequence[str] | str],
    scene: Scene,
    *,
    likeness: Likeness | None = None,
    threshold: float = THRESHOLD,
    parse: Callable[[str], Sequence[str]] = read_step,
) -> list[ResolvedStep]:
    """The steps of a plan in a room, as it is before anything is done in it.

    actions: each a list of verb, object and target, or a sentence, which `parse` makes into such a list.
    parse: the grammar, or something that asks a model beforehand.
    """
    resolver = Resolver(scene, likeness=likeness, threshold=threshold)
    steps = (parse(one) if isinstance(one, str) else one for one in actions)
    return [follow(resolver, step, number) for number, step in enumerate(steps)]


def follow(resolver: Resolver, action: Sequence[str], step: int | None = None) -> ResolvedStep:
    """Resolves a step's arguments and remembers them; the step is taken to succeed.

    action: verb, object, target; further arguments are left alone.
    step: its place in the plan, for the errors.
    """
    if not action:
        return ResolvedStep("")
    verb, words = plain_verb(action[0]), [one for one in action[1:3] if one.strip()]
    thing = resolver.resolve(verb, "object", words[0]) if words else None
    target = resolver.resolve(verb, "target", words[1]) if len(words) > 1 else None
    tool = None
    if verb in CUTS and target is not None:
        thing, tool = (target, thing) if _is_tool(thing) and not _is_tool(target) else (thing, target)
        target = None
    elif verb in PLACES and thing is not None and target is None:
        thing, target = _held_into(resolver, verb, words[0], thing)
    found = tuple(one for one in (thing, target, tool) if one is not None)
    for one in found:
        _remember(resolver, one)
    _take_effect(resolver, verb, thing, target)
    errors = tuple(
        Mistake(one.error, f"{action[0]}: {one.phrase!r}", step=step)
        for one in found
        if one.error is not None
    )
    return ResolvedStep(action[0], thing, target, tool, errors)


def _is_tool(one: Resolution | None) -> bool:
    return one is not None and one.object_type in KNIVES


def _held_into(
    resolver: Resolver, verb: str, phrase: str, thing: Resolution
) -> tuple[Resolution, Resolution | None]:
    """Of "Place, Table" with a mug in hand, the table is the target and the mug the object."""
    held = resolver.objects.get(resolver.context.held or "")
    other = resolver.objects.get(thing.object_id or "")
    if held is None or other is None or other is held or other.pickupable or not other.receptacle:
        return thing, None
    target = resolver.resolve(verb, "target", phrase)
    return resolver.resolve(verb, "object", "the held object"), target


def _remember(resolver: Resolver, one: Resolution) -> None:
    if one.object_id is None:
        return
    parts = read_phrase(one.phrase)
    names = one.rule not in ("pronoun", "held", "origin", "beside", "object_id")
    resolver.context.use(
        parts.key if names else "", one.object_id, name(parts).adjectives if names else frozenset()
    )


def _take_effect(resolver: Resolver, verb: str, thing: Resolution | None, target: Resolution | None) -> None:
    context = resolver.context
    one = resolver.objects.get((thing.object_id if thing else None) or "")
    if one is None:
        return
    if verb in TAKES and one.pickupable:
        context.take(one.object_id, context.parent(one))
    if verb in PLACES:
        context.put(one.object_id, target.object_id if target else None)
    if verb in OPENS:
        context.open(one.object_id)
    if verb in CLOSES:
        context.close(one.object_id)
    if verb in CUTS and (slices := pieces(one)):
        context.slice(one.object_id, [piece.object_id for piece in slices], context.parent(one))
        resolver.see([*(x for x in resolver.objects.values() if x is not one), *slices])
