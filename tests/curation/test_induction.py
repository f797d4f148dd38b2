"""The loop, with roles that play from a script: when it stops, what it keeps, what it refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from roles_script import CAUSE, COUNT, PLACE, play, said
from word_encoder import encode

from gumption.curation.dimensions import UNREAD, Assignment, Dimension, Dimensions, Example
from gumption.curation.induction import Induction, described, diverse, induce
from gumption.curation.roles import Balance, Brief, Change, Past, Review
from gumption.records import Answer, GumptionError, Item, Text
from gumption.running.talks import Talk

ONE, TWO, THREE = Dimensions((COUNT,)), Dimensions((COUNT, PLACE)), Dimensions((COUNT, PLACE, CAUSE))
NO = Review(False, redundancy="too few", changes=(Change("add", (), "something is missing"),))
YES = Review(True)
POOL = tuple(
    Example(f"{word}{n}", f"b{n % 2}", word, f"{word} thing {n}", "text")
    for word in ("count", "place", "cause")
    for n in range(4)
)


class Proposes:
    name = "script"

    def __init__(self, *sets: Dimensions | None) -> None:
        self.sets, self.briefs = list(sets), list[Brief]()

    def propose(self, brief: Brief) -> Talk[Dimensions | None]:
        self.briefs.append(brief)
        (reply,) = yield (Item(f"propose/{len(brief.past)}", "", (Text("Propose."),), Answer("text")),)
        assert reply.text == "as you like"
        return self.sets.pop(0)


class Reviews:
    name = "script"

    def __init__(self, *reviews: Review | None) -> None:
        self.reviews, self.seen = list(reviews), list[tuple[Past, ...]]()

    def review(self, dimensions: Dimensions, balance: Balance, past: Sequence[Past]) -> Talk[Review | None]:
        yield from ()
        self.seen.append(tuple(past))
        return self.reviews.pop(0)


class Assigns:
    """By the category; by nothing at all where it is mute."""

    name = "script"

    def __init__(self, mute: bool = False) -> None:
        self.mute, self.calls = mute, 0

    def assign(
        self, examples: Sequence[Example], dimensions: Dimensions, full: frozenset[str] = frozenset()
    ) -> Talk[Assignment]:
        yield from ()
        self.calls += 1
        order = ["count", "place", "cause"]
        label = np.array([min(order.index(one.category), len(dimensions.all)) for one in examples])
        votes = np.repeat(label[:, None], 5, axis=1)
        return Assignment(
            dimensions,
            tuple(one.id for one in examples),
            label,
            np.full_like(votes, UNREAD) if self.mute else votes,
            np.array([one.id in full for one in examples]),
            np.zeros(len(examples), dtype=bool),
            votes.size,
            "",
        )


def run(
    sets: Sequence[Dimensions | None],
    reviews: Sequence[Review | None],
    assigns: Assigns | None = None,
    pool: Sequence[Example] = POOL,
    **options: object,
) -> Induction:
    talk = induce(pool, Proposes(*sets), Reviews(*reviews), assigns or Assigns(), encode, **options)
    return play(talk, lambda _: said("as you like"))[0]


def test_stops_when_an_accepted_set_is_proposed_again() -> None:
    assigns = Assigns()
    told: list[int] = []
    found = run([TWO, THREE, THREE], [NO, YES], assigns, told=lambda past: told.append(past.number))
    assert found.dimensions == THREE
    assert found.accepted
    assert found.stopped_because == "the set is accepted and stable"
    assert [one.review.accepted for one in found.past] == [False, True, True]
    assert told == [1, 2, 3]
    # What follows from the set alone is not paid for twice.
    assert assigns.calls == 2
    assert found.past[1].balance.counts == {"Counting": 4, "Place": 4, "Cause": 4, "Other": 0}


def test_no_second_proposal_where_none_is_asked_for() -> None:
    assert len(run([THREE], [YES], stable=0).past) == 1


def test_a_rejected_set_is_refused_by_its_hash_whatever_its_order_and_case() -> None:
    shouted = Dimensions((Dimension("PLACE", PLACE.definition.upper(), ("other",)), COUNT))
    assigns = Assigns()
    found = run([TWO, THREE, shouted, shouted], [NO, NO], assigns)
    assert assigns.calls == 2
    assert found.stopped_because == "the Proposer repeats a set that was rejected"
    assert [one.review.accepted for one in found.past] == [False] * 4
    assert "rejected in iteration 1" in found.past[2].review.redundancy
    # It is told again what was wrong with the set.
    assert found.past[2].review.changes == NO.changes


def test_the_proposer_sees_the_memory_and_the_probe() -> None:
    proposes = Proposes(TWO, THREE, THREE)
    play(
        induce(POOL, proposes, Reviews(NO, YES), Assigns(), encode, wanted=(2, 4)),
        lambda _: said("as you like"),
    )
    assert [[one.number for one in brief.past] for brief in proposes.briefs] == [[], [1], [1, 2]]
    assert proposes.briefs[1].past[0].review == NO
    assert proposes.briefs[0].wanted == (2, 4)
    assert set(proposes.briefs[0].probe) == set(POOL)
    assert proposes.briefs[0].benchmarks["b0"].startswith("6 items: cause (2), count (2), place (2)")


@pytest.mark.parametrize(
    ("sets", "reviews", "mute", "because"),
    [
        ([None], [], False, "the Proposer had no proposal"),
        ([THREE], [None], False, "the Reviewer gave no judgement"),
        ([THREE], [], True, "the Assigner's voters gave no vote"),
    ],
)
def test_a_role_without_a_word_ends_it_well(
    sets: list[Dimensions | None], reviews: list[Review | None], mute: bool, because: str
) -> None:
    found = run(sets, reviews, Assigns(mute))
    assert found.stopped_because == because
    assert not found.accepted
    assert (found.dimensions is None) == (because != "the Reviewer gave no judgement")


def test_what_was_accepted_stays_when_a_later_role_falls_silent() -> None:
    found = run([THREE, None], [YES])
    assert found.accepted
    assert found.dimensions == THREE
    assert found.best == 1


def test_at_the_limit_the_best_is_kept() -> None:
    # One dimension of one has no evenness, two leave a third of the items over; three are even and cover all.
    found = run([ONE, THREE, TWO], [NO, NO, NO], rounds=3, wanted=(1, 9))
    assert found.stopped_because == "the limit of 3 rounds was reached"
    assert [round(one.quality, 6) for one in found.past] == [0.0, 1.0, round(8 / 12, 6)]
    assert found.best == 2
    assert found.dimensions == THREE


def test_a_wanted_number_goes_before_quality_and_acceptance_before_both() -> None:
    assert run([THREE, TWO, ONE], [NO, NO, NO], rounds=3, wanted=(2, 2)).dimensions == TWO
    assert run([ONE, TWO, THREE], [YES, NO, NO], rounds=3, wanted=(2, 2)).dimensions == ONE


def test_limits_and_pools_that_make_no_sense() -> None:
    for options in ({"rounds": 0}, {"probe": 0}, {"stable": -1}, {"wanted": (3, 2)}, {"wanted": (0, 2)}):
        with pytest.raises(GumptionError, match=next(iter(options))):
            run([THREE], [YES], **options)
    with pytest.raises(GumptionError, match="empty"):
        run([THREE], [YES], pool=())
    with pytest.raises(GumptionError, match="ids repeat"):
        run([THREE], [YES], pool=[*POOL, POOL[0]])


def test_a_probe_is_even_over_benchmarks_and_categories() -> None:
    large = [Example(f"l{n}", "large", f"c{n % 10}", f"text {n}", "text") for n in range(1000)]
    small = [Example(f"s{n}", "small", "c", f"text {n}", "text") for n in range(30)]
    found = diverse([*large, *small], 60, seed=3)
    assert Counter(one.benchmark for one in found) == {"large": 30, "small": 30}
    assert set(Counter(one.category for one in found if one.benchmark == "large").values()) == {3}
    assert found == diverse([*large, *small], 60, seed=3)
    assert found != diverse([*large, *small], 60, seed=4)


def test_a_probe_takes_equal_texts_last() -> None:
    pool = [Example(f"{n}", "b", "c", "the same" if n < 95 else f"other {n}", "text") for n in range(100)]
    assert len({one.text for one in diverse(pool, 6, seed=0)}) == 6
    assert len(diverse(pool, 50, seed=0)) == 50


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("pq")), max_size=60),
    st.integers(1, 80),
)
def test_a_probe_has_its_size_and_no_item_twice(rows: list[tuple[str, str, str]], size: int) -> None:
    pool = [Example(str(n), *row, "text") for n, row in enumerate(rows)]
    found = diverse(pool, size, seed=0)
    assert len({one.id for one in found}) == len(found) == min(size, len(pool))
    assert set(found) <= set(pool)


def test_benchmarks_are_described_by_their_categories() -> None:
    pool = [Example("1", "b", "", "t", "text"), Example("2", "b", "left", "t", "text")]
    assert described(pool) == {"b": "2 items: no category (1), left (1)"}
