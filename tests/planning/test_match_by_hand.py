"""Action pair match, whole results worked by hand from the rules of the reference."""

from __future__ import annotations

import pytest

from gumption.planning import read_plan
from gumption.planning.judges import ExactJudge, Judgement
from gumption.planning.match import (
    ActionPairScore,
    MatchFlags,
    PairScore,
    canonical,
    largest_matching,
    longest_in_order,
    macro,
    match,
    micro,
)

EXACT = ExactJudge()
PICK, OPEN = ("pick", "Apple"), ("open", "Fridge")
RIGHT = PairScore(1, 1.0, 1.0, 1.0)
WRONG = PairScore(0, 0.0, 0.0, 0.0)
NOTHING = PairScore(0, 1.0, 1.0, 1.0)
EMPTY = MatchFlags()


def test_a_pair_of_plans_with_every_field():
    # Verbs in lower case, Navigate left out; of three predicted actions two match, one of them in order.
    found = match(
        [["Open", "Fridge"], ["Navigate", "Sink"], ["Wash", "Mug"], ["Pick", "Apple"]],
        [["Pick", "Apple"], ["OPEN", "Fridge"]],
        EXACT,
    )
    assert found == ActionPairScore(
        quantity=PairScore(2, pytest.approx(2 / 3), 1.0, 0.8),
        order=PairScore(1, pytest.approx(1 / 3), 0.5, 0.4),
        matrix=((False, True), (False, False), (True, False)),
        flags=MatchFlags(both_empty=False, gold_empty=False, judge_failed=False),
        predicted=(("open", "Fridge"), ("wash", "Mug"), ("pick", "Apple")),
        gold=(("pick", "Apple"), ("open", "Fridge")),
        judge="exact",
    )


@pytest.mark.parametrize(
    ("predicted", "gold", "score", "both_empty", "gold_empty"),
    [
        ([PICK], [PICK], RIGHT, False, False),
        ([], [], NOTHING, True, False),
        ([["find", "Apple"]], [["Search", "Mug"], ["navigate", "Sink"]], NOTHING, True, False),
        ([PICK], [], WRONG, False, True),
        ([PICK, OPEN], [], WRONG, False, True),
        ([], [PICK], WRONG, False, False),
        ([[]], [PICK], WRONG, False, False),
        ([OPEN], [PICK], WRONG, False, False),
    ],
)
def test_what_is_empty(predicted, gold, score, both_empty, gold_empty):
    found = match(predicted, gold, EXACT)
    assert found.quantity == found.order == score
    assert (found.flags.both_empty, found.flags.gold_empty) == (both_empty, gold_empty)
    assert found.flags.judge_failed is False and isinstance(found.quantity.count, int)
    assert len(found.matrix) == len(found.predicted)
    assert all(len(row) == len(found.gold) for row in found.matrix)


class Reserved:
    """Never says, and says so."""

    name = "reserved"

    def judge(self, action, gold):
        return Judgement((False,) * len(gold), failed=True)


def test_a_pair_without_a_verdict_has_no_figures():
    found = match([PICK], [PICK], Reserved())
    assert found.quantity == found.order == PairScore(0, None, None, None)
    assert found.flags == MatchFlags(judge_failed=True)
    assert found.predicted == found.gold == (PICK,)
    assert (found.judge, found.matrix) == ("reserved", ((False,),))
    assert macro([found]) == (None, None) == macro([])


def test_verdicts_from_elsewhere_need_no_judge():
    found = match([PICK, OPEN], [OPEN], matrix=[[1], [0]])
    assert (found.judge, found.flags, found.matrix) == ("given", EMPTY, ((True,), (False,)))
    assert found.quantity == found.order == PairScore(1, 0.5, 1.0, pytest.approx(2 / 3))
    for wrong in ([[True]], [[True], [True], [True]], [[True, True], [True, True]]):
        with pytest.raises(ValueError, match="2 x 1"):
            match([PICK, OPEN], [OPEN], matrix=wrong)


def test_without_a_judge_the_rules_judge():
    found = match([["Grasp", "Apple"]], [["Pick", "Apple"]])
    assert (found.judge, found.quantity) == ("rule", RIGHT)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Pick up", "pick"),
        ("Pick and Place", "place"),
        ("Catch", "handover"),
        ("Slide", "drag"),
        ("Turn", "twist"),
        ("Give a thumbs-up", "like"),
        ("Make a heart with hands", "heart sign"),
        ("Turn on", "turn on"),
        ("Turn off", "turn off"),
    ],
)
def test_what_the_official_scorer_takes_for_the_same_verb(said, meant):
    assert canonical([(said, "Lamp", "Table")]) == ((meant, "Lamp", "Table"),)


def test_own_verbs_in_place_of_the_official_ones():
    own = {"ignore_verbs": ("Look",), "synonyms": {"grab": "pick"}}
    predicted = [["look", "Apple"], [" Grab ", "Apple"], ["Find", "Mug"]]
    assert match(predicted, [PICK], EXACT, **own).predicted == (PICK, ("find", "Mug"))
    assert match([["Grab"], ["Find"]], [PICK], EXACT, preset="official", **own).predicted == (("grab",),)


TIDY = '<response>Sure.</response><plans>1.[Pick] Take it</plans><actions>[["Pick", "Apple"]]</actions>'
BROKEN = '<actions>[["Pick", "Apple"]'


def test_replies_are_read_and_repaired_but_by_the_official_preset():
    assert not read_plan(TIDY).repaired and read_plan(BROKEN).repaired
    for plan in (TIDY, BROKEN, read_plan(TIDY), read_plan(BROKEN)):
        assert match(plan, [PICK], EXACT).quantity == RIGHT
        assert match([PICK], plan, EXACT).quantity == RIGHT
    for plan in (TIDY, read_plan(TIDY)):
        assert match(plan, [PICK], EXACT, preset="official").quantity == RIGHT
    for plan in (BROKEN, read_plan(BROKEN), "I would rather not say.", None):
        assert match(plan, [PICK], EXACT, preset="official").predicted == ()
    # Only a reply is held to the format: the gold plan is what it is.
    assert match([PICK], BROKEN, EXACT, preset="official").quantity == RIGHT
    assert match("I would rather not say.", [PICK], EXACT).quantity == WRONG
    assert match(None, None, EXACT, preset="official").order == WRONG


def test_sizes_of_nothing():
    assert largest_matching([]) == largest_matching([()]) == largest_matching([(), ()]) == 0
    assert longest_in_order([]) == longest_in_order([()]) == longest_in_order([(), ()]) == 0
    assert largest_matching([(True,)]) == longest_in_order([(True,)]) == 1
    assert largest_matching([(False, True)]) == longest_in_order([(False, True)]) == 1


def test_means_over_pairs_and_over_actions():
    # One right, one wrong and two that are empty on both sides: over pairs (1 + 0 + 1 + 1) / 4.
    pairs = [match([PICK], [PICK], EXACT), match([OPEN], [PICK], EXACT), match([], [], EXACT)]
    assert macro([*pairs, pairs[2]]) == (0.75, 0.75)
    # Over actions 1 of 2 predicted and 1 of 2 gold ones.
    assert micro([*pairs, pairs[2]]) == (PairScore(1, 0.5, 0.5, 0.5),) * 2
    assert micro([pairs[2]]) == (NOTHING, NOTHING)
    assert micro([pairs[2], match([PICK], [], EXACT)]) == (WRONG, WRONG)
    # Quantity and order apart: all of it and half of it, then half of it and half of it.
    turned = match([OPEN, PICK], [PICK, OPEN], EXACT)
    half = match([OPEN, OPEN], [PICK, OPEN], EXACT)
    assert macro([turned, half]) == (0.75, 0.5)
    assert micro([turned, half]) == (PairScore(3, 0.75, 0.75, 0.75), PairScore(2, 0.5, 0.5, 0.5))
