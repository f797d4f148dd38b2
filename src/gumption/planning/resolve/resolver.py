"""Object resolution: from a verb, a role and a phrase to an object of the room, in four layers.

EmbodiedBrain (arXiv 2510.20578) names the layers - parsing, static mapping, context, translation to what is
near - and publishes neither code nor thresholds: this definition is ours. Nothing is guessed silently: each
answer says which layer and which rule gave it, and what else could have been meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from gumption.planning.resolve._broad import BROAD, STAND_INS, WATERED
from gumption.planning.resolve._choice import CONTEXT_TIES, apart, choose
from gumption.planning.resolve.affordances import PLACES, SWITCHES, Affordances, Role, plain_verb
from gumption.planning.resolve.context import Context
from gumption.planning.resolve.parse import read_phrase
from gumption.planning.resolve.resolution import Layer, Query, Resolution, ResolutionOutcome
from gumption.planning.resolve.similarity import THRESHOLD, Likeness, nearest
from gumption.planning.resolve.static import Naming, known, name, spoken
from gumption.planning.worlds.household._effects import pieces
from gumption.planning.worlds.household.facts import SLICES
from gumption.planning.worlds.scenes import Scene, SceneObject

__all__ = ["Resolver"]

_WHOLE = {slice_: whole for whole, slice_ in SLICES.items()}
_UNKNOWN = 2
"""How many unknown words may stand before a noun that is known: "blue-ish ballpoint pen"."""


class Resolver:
    """Finds what phrases stand for in one room, in one episode.

    likeness: another measure for the last layer, such as cosines of embeddings; None compares spelling.
    threshold: what the likeness has to reach, in [0, 1].
    """

    def __init__(
        self, scene: Scene, *, likeness: Likeness | None = None, threshold: float = THRESHOLD
    ) -> None:
        self.context = Context()
        self._likeness, self._threshold = likeness, threshold
        self.see(scene.objects)

    def see(self, objects: Iterable[SceneObject]) -> None:
        """Takes in what the room holds now: after real steps, in place of what they were expected to do."""
        self.objects = {thing.object_id: thing for thing in objects}
        self.affordances = Affordances(self.objects.values())

    def resolve(self, verb: str, role: Role, phrase: str) -> Resolution:
        """What a phrase stands for now. It only looks: nothing is remembered.

        verb: as written, such as "Pick" or "Turn on". role: "object" for the first argument, "target" for the
        second.
        """
        parts = read_phrase(phrase)
        query = Query(plain_verb(verb), role, phrase, parts, name(parts))
        if "|" in phrase:
            return self._by_id(query)
        if parts.pronoun:
            return self._pronoun(query)
        if parts.origin:
            return self._origin(query)
        if parts.near and role == "target" and query.verb in PLACES:
            return self._beside(query)
        if query.naming.rule == "slice":
            return self._slice(query)
        held = self.objects.get(self.context.held or "")
        if query.verb == "pour" and held and held.can_fill_with_liquid and "Faucet" in query.naming.types:
            # "Pour, Water, Vase" with the watering can in hand: the water is in the can.
            return _found(query, held, "context", "held")
        if query.naming.tiers:
            return self._static(query)
        if query.naming.no_type or not parts.words:
            return _missed(query, "unresolved")
        return self._nearest(query)

    # ── one layer each ───────────────────────────────────────────────────────────────────────────────

    def _by_id(self, query: Query) -> Resolution:
        wanted = query.phrase.strip().lower()
        for one in self.objects.values():
            if one.object_id.lower() == wanted:
                return _found(query, one, "static", "object_id")
        return _missed(query, "unresolved")

    def _static(self, query: Query) -> Resolution:
        naming = query.naming
        pools = [self._pool(query, tier) for tier in naming.tiers]
        fitting = [[one for one in pool if self._fits(query, one)] for pool in pools]
        pool = next(filter(None, [*fitting, *pools]), None)
        if pool and query.verb in SWITCHES and not any(fitting) and pool[0].object_type in WATERED:
            return self._faucet(query, pool)
        if pool:
            kinds = {one.object_type for one in pool}
            stands_in = kinds & {STAND_INS.get(kind) for kind in naming.tiers[0]} - set(naming.tiers[0])
            return self._chosen(query, pool, f"{naming.rule}, stand-in" if stands_in else naming.rule)
        cut = self._pool(query, [SLICES[kind] for kind in naming.types if kind in SLICES])
        if cut:
            return self._chosen(query, cut, "slice of what was cut")
        return _missed(query, "absent_in_scene")

    def _faucet(self, query: Query, pool: list[SceneObject]) -> Resolution:
        """To turn on the sink is to turn on the faucet that is nearest to it."""
        basin, _ = choose(query, pool, self.context, self.objects)
        faucets = sorted(self._pool(query, ["Faucet"]), key=lambda one: one.object_id)
        if basin is None or not faucets:
            return _missed(query, "absent_in_scene")
        thing = min(faucets, key=lambda one: apart(one, basin))
        return _found(query, thing, "static", query.naming.rule, "water", faucets)

    def _slice(self, query: Query) -> Resolution:
        """A slice that is there; else the first that cutting the only such thing will give."""
        slices = self._pool(query, query.naming.types)
        if slices:
            last = next((one for one in reversed(self.context.cut) if one in self.objects), None)
            called = self.context.called.get(query.parts.key)
            if last and len({one.object_type for one in slices}) > 1 and called not in self.objects:
                kind = self.objects[last].object_type
                return self._chosen(
                    query, [x for x in slices if x.object_type == kind], "slice of what was cut"
                )
            return self._chosen(query, slices, query.naming.rule)
        wholes = self._pool(query, [_WHOLE[kind] for kind in query.naming.types])
        if not wholes:
            return _missed(query, "absent_in_scene")
        if len({one.object_type for one in wholes}) > 1:
            return _missed(query, "ambiguous", candidates=wholes)
        whole, tie = choose(query, wholes, self.context, self.objects)
        if whole is None:
            return _missed(query, "absent_in_scene", candidates=wholes)
        return _found(query, pieces(whole)[0], "static", query.naming.rule, tie=tie)

    def _pronoun(self, query: Query) -> Resolution:
        context, target = self.context, query.role == "target"
        if query.parts.pronoun == "held" or (not target and query.verb in PLACES and context.held):
            thing = self.objects.get(context.held or "")
            rule = "held"
        else:
            order = [*reversed(context.opened)] if target else []
            order += reversed(context.used)
            last = (self.objects[one] for one in order if one in self.objects and one != context.held)
            again = (self.objects[one] for one in [context.held] if one in self.objects and not target)
            thing = next((one for one in (*last, *again) if self._fits(query, one)), None)
            rule = "pronoun"
        return _found(query, thing, "context", rule) if thing else _missed(query, "unresolved")

    def _origin(self, query: Query) -> Resolution:
        """The place that a thing was taken from in this episode; the held one's where none is named."""
        if query.naming.tiers:
            thing = self.resolve("find", "object", " ".join(query.parts.words)).object_id
        else:
            thing = self.context.held or next(reversed(self.context.origins), None)
        place = self.objects.get(self.context.origins.get(thing or "", ""))
        return _found(query, place, "context", "origin") if place else _missed(query, "unresolved")

    def _beside(self, query: Query) -> Resolution:
        """What the thing stands on, beside which something is to be put."""
        other = self.resolve("find", "object", " ".join(query.parts.words))
        thing = self.objects.get(other.object_id or "")
        place = self.objects.get((self.context.parent(thing) if thing else None) or "")
        return _found(query, place, "context", "beside") if place else _missed(query, "unresolved")

    def _nearest(self, query: Query) -> Resolution:
        """The most similar name of what is there and the verb can be done with; else the head noun."""
        allowed = {one.object_type for one in self.objects.values() if self._fits(query, one)}
        words = query.parts.words
        best = nearest(" ".join(words), spoken(), allowed, self._likeness, self._threshold)
        kept = [one for one in best.namings if not one.no_type]
        if best.namings:
            if len(best.namings) > 1:
                pool = [thing for one in kept for thing in self._pool(query, one.types)]
                return _missed(query, "ambiguous", candidates=pool)
            found = self._among(query, best.namings[0])
            return self._chosen(*found, "spelling", best.likeness) if found else _missed(query, "unresolved")
        for start in range(1, min(len(words), _UNKNOWN + 1)):
            naming = known(words[start:])
            if naming:
                found = self._among(query, naming) if _is_head(words[start:], naming) else None
                share = (len(words) - start) / len(words)
                return self._chosen(*found, "head noun", share) if found else _missed(query, "unresolved")
        return _missed(query, "unresolved")

    # ── what they share ──────────────────────────────────────────────────────────────────────────────

    def _fits(self, query: Query, thing: SceneObject) -> bool:
        return self.affordances.fits(query.verb, query.role, thing)

    def _pool(self, query: Query, kinds: Sequence[str]) -> list[SceneObject]:
        """What is there of these types; nothing is put into itself."""
        held = self.context.held if query.role == "target" and query.verb in PLACES else None
        return [x for x in self.objects.values() if x.object_type in kinds and x.object_id != held]

    def _among(self, query: Query, naming: Naming) -> tuple[Query, list[SceneObject]] | None:
        """The first tier with something that fits, of what a likely name means."""
        for tier in naming.tiers:
            pool = [one for one in self._pool(query, tier) if self._fits(query, one)]
            if pool:
                return msgspec.structs.replace(query, naming=naming), pool
        return None

    def _chosen(
        self, query: Query, pool: list[SceneObject], rule: str, likeness: float | None = None
    ) -> Resolution:
        thing, tie = choose(query, pool, self.context, self.objects)
        if thing is None:
            return _missed(query, "absent_in_scene", candidates=pool)
        if likeness is not None:
            return _found(query, thing, "similarity", rule, tie, pool, likeness)
        by_context = tie in CONTEXT_TIES or thing.object_id in self.context.cut
        return _found(query, thing, "context" if by_context else "static", rule, tie, pool)


def _found(
    query: Query,
    thing: SceneObject,
    layer: Layer,
    rule: str,
    tie: str = "",
    pool: Iterable[SceneObject] = (),
    likeness: float | None = None,
) -> Resolution:
    ids = {one.object_id for one in pool} | {thing.object_id}
    return Resolution(
        query.phrase,
        "resolved",
        thing.object_id,
        thing.object_type,
        layer,
        rule,
        tie,
        tuple(sorted(ids)),
        query.naming.types,
        likeness,
    )


def _missed(query: Query, outcome: ResolutionOutcome, candidates: Iterable[SceneObject] = ()) -> Resolution:
    return Resolution(
        query.phrase,
        outcome,
        rule=query.naming.rule if query.naming.no_type else "",
        candidates=tuple(sorted(one.object_id for one in candidates)),
        types=query.naming.types,
    )


def _is_head(words: Sequence[str], naming: Naming) -> bool:
    """Whether a noun names a kind whatever stands before it: a pen or a lamp, but not a bin or a ball."""
    return naming.rule == "type" or len(words) > 1 or " ".join(words) in BROAD
