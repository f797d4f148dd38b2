"""The induction of capability dimensions (A2Eval, arXiv 2602.01640): propose, assign, count, review, again.

The loop is a talk: whatever its roles ask of models, it passes on. It keeps every set with its critique, so
that a proposal which was rejected before is known by its hash and refused here, not by asking a model not
to repeat itself. What the paper leaves open is stated: when it stops, and by what the best set is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from gumption.curation._inputs import Vectors, vectors_of
from gumption.curation._probe import diverse
from gumption.curation.balance import balance_of, definition_of, quality
from gumption.curation.dimensions import Dimensions, Example
from gumption.curation.roles import Assigner, Balance, Brief, Past, Proposer, Review, Reviewer
from gumption.records import GumptionError
from gumption.running.talks import Talk

__all__ = ["Encode", "Induction", "described", "diverse", "induce"]

Encode = Callable[[Sequence[str]], Vectors]
"""Texts to vectors of length 1: float32[n, d]."""


class Induction(Struct, frozen=True):
    """What came of it, with everything that led there."""

    dimensions: Dimensions | None
    """The best set; None where no set was ever labelled and reviewed."""
    accepted: bool
    """Whether the Reviewer accepted that set."""
    stopped_because: str
    past: tuple[Past, ...]
    """All iterations."""
    best: int
    """The number of the iteration whose set is kept; 0 where there is none."""
    probe: tuple[str, ...]
    """Ids of the items that were labelled in the loop."""
    roles: dict[str, str]
    """proposer, reviewer and assigner by name."""
    rounds: int
    stable: int
    wanted: tuple[int, int]
    seed: int


def induce(
    examples: Sequence[Example],
    proposer: Proposer,
    reviewer: Reviewer,
    assigner: Assigner,
    encode: Encode,
    *,
    benchmarks: Mapping[str, str] | None = None,
    probe: int = 800,
    rounds: int = 8,
    stable: int = 1,
    wanted: tuple[int, int] = (5, 9),
    seed: int = 0,
    told: Callable[[Past], None] | None = None,
) -> Talk[Induction]:
    """Dimensions of a pool.

    In each of at most `rounds` iterations the Proposer proposes, the Assigner labels a diverse probe of
    `probe` items, and the Reviewer judges the set by what was counted. It stops when an accepted set has been
    proposed again `stable` times, when the rounds are used up, when a rejected set is proposed twice running,
    or when a role has nothing to say. Kept is the accepted set of the highest quality (`balance.quality`);
    where none was accepted, of those with a wanted number of dimensions, then of all.

    benchmarks: descriptions by name, made from the examples (`described`) where None. wanted: fewest and most
    dimensions. told: called with each iteration as it ends, to write the log; after a resumption the first
    ones are told again.

    Raises GumptionError for no examples, ids that repeat, and limits that make no sense.
    """
    _check(examples, probe, rounds, stable, wanted)
    sample = diverse(examples, probe, seed)
    ids = frozenset(one.id for one in sample)
    items = vectors_of(encode([one.text for one in sample]))
    known = dict(benchmarks) if benchmarks is not None else described(examples)
    past: list[Past] = []
    unchanged = 0
    reason = f"the limit of {rounds} rounds was reached"
    while len(past) < rounds:
        dimensions = yield from proposer.propose(Brief(known, sample, tuple(past), wanted))
        if dimensions is None:
            reason = "the Proposer had no proposal"
            break
        before = next((one for one in past if one.dimensions.sha256 == dimensions.sha256), None)
        if before is not None:
            # Labels follow from the set, so nothing is labelled or reviewed twice.
            again = past[-1].dimensions.sha256 == dimensions.sha256
            review = before.review if before.review.accepted else _refused(before)
            past.append(_iteration(len(past) + 1, before.dimensions, before.balance, review, told))
            if review.accepted:
                unchanged = unchanged + 1 if again else 0
                if unchanged >= stable:
                    reason = "the set is accepted and stable"
                    break
            elif again:
                reason = "the Proposer repeats a set that was rejected"
                break
            continue
        assignment = yield from assigner.assign(sample, dimensions, full=ids)
        if not (assignment.votes >= 0).any():
            reason = "the Assigner's voters gave no vote"
            break
        definitions = vectors_of(encode([definition_of(one) for one in dimensions.all]))
        balance = balance_of(assignment, sample, items, definitions)
        review_or_none = yield from reviewer.review(dimensions, balance, tuple(past))
        if review_or_none is None:
            past.append(_iteration(len(past) + 1, dimensions, balance, _UNREVIEWED, told))
            reason = "the Reviewer gave no judgement"
            break
        unchanged = 0
        past.append(_iteration(len(past) + 1, dimensions, balance, review_or_none, told))
        if review_or_none.accepted and not stable:
            reason = "the set is accepted"
            break
    best = _best(past, wanted)
    return Induction(
        dimensions=best.dimensions if best else None,
        accepted=bool(best and best.review.accepted),
        stopped_because=reason,
        past=tuple(past),
        best=best.number if best else 0,
        probe=tuple(one.id for one in sample),
        roles={"proposer": proposer.name, "reviewer": reviewer.name, "assigner": assigner.name},
        rounds=rounds,
        stable=stable,
        wanted=wanted,
        seed=seed,
    )


def described(examples: Sequence[Example]) -> dict[str, str]:
    """A line on each benchmark: how many items it has, and of which categories."""
    counts: dict[str, dict[str, int]] = {}
    for one in examples:
        inside = counts.setdefault(one.benchmark, {})
        inside[one.category] = inside.get(one.category, 0) + 1
    return {
        name: f"{sum(inside.values())} items: "
        + ", ".join(f"{category or 'no category'} ({count})" for category, count in sorted(inside.items()))
        for name, inside in sorted(counts.items())
    }


_UNREVIEWED = Review(False, coverage="No judgement could be had.")


def _iteration(
    number: int,
    dimensions: Dimensions,
    balance: Balance,
    review: Review,
    told: Callable[[Past], None] | None,
) -> Past:
    made = Past(number, dimensions, balance, review, quality(balance))
    if told is not None:
        told(made)
    return made


def _refused(before: Past) -> Review:
    return Review(
        False,
        redundancy=f"Refused without review: this set was rejected in iteration {before.number}.",
        changes=before.review.changes,
    )


def _best(past: Sequence[Past], wanted: tuple[int, int]) -> Past | None:
    low, high = wanted
    return max(
        past,
        key=lambda one: (
            one.review.accepted,
            low <= len(one.dimensions.all) <= high,
            one.quality,
            -one.number,
        ),
        default=None,
    )


def _check(
    examples: Sequence[Example], probe: int, rounds: int, stable: int, wanted: tuple[int, int]
) -> None:
    if not examples:
        raise GumptionError("the pool is empty", where="induce", remedy="give one item at least")
    if len({one.id for one in examples}) < len(examples):
        raise GumptionError("ids repeat", where="induce", remedy="give every item an id of its own")
    if probe < 1 or rounds < 1 or stable < 0 or not 1 <= wanted[0] <= wanted[1]:
        raise GumptionError(
            f"probe {probe}, rounds {rounds}, stable {stable}, wanted {wanted}",
            where="induce",
            remedy="probe and rounds from 1, stable from 0, wanted as (fewest, most)",
        )
