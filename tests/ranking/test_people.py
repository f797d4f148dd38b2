"""A ranking by people: one worked by hand, the krippendorff package, scikit-learn, what must not matter."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from gumption.ranking import rank
from gumption.ranking.people import PeopleRanking, Ratings, rank_by_people
from gumption.ranking.preferences import Preferences, strengths_by_people
from gumption.records import GumptionError

Line = tuple[str, str, str, str, float]
"""rater, model, scenario, dimension, value"""


def ratings(lines: Iterable[Line], low: float = 1, high: float = 5) -> Ratings:
    rater, model, scenario, dimension, value = zip(*lines, strict=True)
    return Ratings(rater, model, scenario, dimension, value, low, high)


def ranked(lines: Iterable[Line], **options: object) -> PeopleRanking:
    return rank_by_people(ratings(lines), resamples=50, **options)  # type: ignore[arg-type]


BY_HAND = {
    # (model, scenario): the marks of ann, bob and cid on the two dimensions
    ("a", "home"): {"goals": (5, 5, 5), "order": (5, 4, 3)},
    ("a", "shop"): {"goals": (4, 4, 4), "order": (5, 5, 5)},
    ("b", "home"): {"goals": (3, 3, 3), "order": (3, 3, 3)},
    ("b", "shop"): {"goals": (2, 3, 4), "order": (1, 1, 1)},
    ("c", "home"): {"goals": (1, 1, 1), "order": (2, 2, 2)},
    ("c", "shop"): {"goals": (1, 2, 3), "order": (3, 2, 1)},
}
LINES: list[Line] = [
    (rater, model, scenario, dimension, mark)
    for (model, scenario), marks in BY_HAND.items()
    for dimension, three in marks.items()
    for rater, mark in zip(("ann", "bob", "cid"), three, strict=True)
]


# ── by hand ──────────────────────────────────────────────────────────────────────────────────────────


def test_three_models_two_scenarios_three_raters_by_hand() -> None:
    """Means over raters: a home 5, 4; a shop 4, 5; b home 3, 3; b shop 3, 1; c home 1, 2; c shop 2, 2.

    As shares of the scale: a home 1, 3/4; a shop 3/4, 1; b home 1/2, 1/2; b shop 1/2, 0; c home 0, 1/4;
    c shop 1/4, 1/4. Over dimensions: a 7/8, 7/8; b 1/2, 1/4; c 1/8, 1/4. Over scenarios: 7/8, 3/8, 3/16.
    """
    people = ranked(LINES)
    assert (people.models, people.scenarios) == (("a", "b", "c"), ("home", "shop"))
    assert people.matrix().tolist() == [[7 / 8, 7 / 8], [1 / 2, 1 / 4], [1 / 8, 1 / 4]]
    assert [(one.model, one.score.mean, one.rank) for one in people.ranking.models] == [
        ("a", 7 / 8, 1),
        ("b", 3 / 8, 2),
        ("c", 3 / 16, 3),
    ]
    goals, order = people.dimensions
    assert (goals.name, goals.scores) == ("goals", (7 / 8, 1 / 2, 1 / 8))
    assert (order.name, order.scores) == ("order", (7 / 8, 1 / 4, 1 / 4))
    assert people.score("b").mean == 3 / 8 and people.notes == ()
    with pytest.raises(GumptionError, match="no ratings of 'd'"):
        people.score("d")


def test_severity_by_hand() -> None:
    """Where they differ: a home order 5 4 3, b shop goals 2 3 4, c shop goals 1 2 3, c shop order 3 2 1.

    ann against the mean of the others: 5 - 3.5, 2 - 3.5, 1 - 2.5, 3 - 1.5, together 0; bob's are all 0; cid's
    the opposite of ann's.
    """
    assert [record.severity for record in ranked(LINES).raters] == [0.0, 0.0, 0.0]
    harder = [(*line[:4], line[4] - (line[0] == "cid" and line[4] == 5)) for line in LINES]
    # cid gives 4 for 5 in a home goals and a shop order: 1 below the others, of 12 marks.
    assert [record.severity for record in ranked(harder).raters] == pytest.approx(
        [-0.5 * 2 / 12, -0.5 * 2 / 12, 2 / 12]
    )


def test_only_the_first_rating_counts_and_later_ones_tell_of_the_rater() -> None:
    again: list[Line] = [
        ("ann", "a", "home", "goals", 1),
        ("ann", "a", "home", "order", 5),
        ("ann", "a", "shop", "goals", 4),
        ("bob", "c", "home", "goals", 1),
    ]
    people = ranked([*LINES, *again])
    assert people.units == ranked(LINES).units
    ann, bob, cid = people.raters
    assert (ann.repeats, ann.exact, ann.ratings) == (3, 2 / 3, 12)
    theirs = cohen_kappa_score([5, 5, 4], [1, 5, 4], weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert ann.kappa == pytest.approx(theirs) == pytest.approx(1 - (16 / 3) / (44 / 9))
    assert (bob.repeats, bob.exact, bob.kappa) == (1, 1.0, None)  # one value: kappa is not defined
    assert (cid.repeats, cid.exact, cid.kappa) == (0, None, None)


def test_raters_who_fail_the_checks_are_flagged_and_the_ranking_without_them_is_told() -> None:
    """dan says the opposite of ann."""
    ann = [line for line in LINES if line[0] == "ann"]
    lines = [*ann, *(("dan", *line[1:4], 6 - line[4]) for line in ann)]
    people = ranked(lines, checks={"ann": (3, 4), "dan": (1, 2)})
    assert [(one.rater, one.flagged) for one in people.raters] == [("ann", False), ("dan", True)]
    assert people.notes == ("1 of 2 raters failed the attention checks.",)
    assert people.matrix().tolist() == [[0.5, 0.5]] * 3  # marks and their opposites
    without = people.without
    assert without is not None and without.raters == ("dan",)
    # ann alone: a home 1, 1; a shop 3/4, 1; b home 1/2, 1/2; b shop 1/4, 0; c home 0, 1/4; c shop 0, 1/2
    scores = {one.model: one.score.mean for one in without.ranking.models}
    assert scores == {"a": 15 / 16, "b": 5 / 16, "c": 3 / 16}
    assert without.largest == 7 / 16 and without.tau is None  # the first order ties all
    assert without.moved == ("b", "c")  # from 1 to 2 and 3
    everybody = ranked(lines, checks={"ann": (0, 1), "dan": (0, 1)})
    assert everybody.without is None and sum(one.flagged for one in everybody.raters) == 2
    assert ranked(LINES, checks={"ann": (0, 0)}).without is None  # no check asked, none failed


def test_what_is_missing_is_told() -> None:
    """Without c in the shop, and without order of b in the shop: there goals alone stand, 1/2."""
    lines = [line for line in LINES if line[1:3] != ("c", "shop") and line[1:4] != ("b", "shop", "order")]
    people = ranked(lines, dimensions=("goals", "order", "space"))
    assert people.units == ((7 / 8, 7 / 8), (1 / 2, 1 / 2), (1 / 8, None))
    assert np.isnan(people.matrix()[2, 1])
    assert [part.missing for part in people.dimensions] == [0, 1, 5]
    assert people.dimensions[2].scores == (None, None, None)
    assert people.notes == (
        "1 of 6 outputs were rated by nobody.",
        "1 of 5 outputs have no rating of order: their scores are means over the other dimensions.",
        "Nobody rated space: the scores are means over the other dimensions.",
    )
    skipped = [(*line[:4], np.nan) if line not in lines else line for line in LINES]
    assert ranked(skipped, dimensions=("goals", "order", "space")).units == people.units


def test_one_rater_has_nobody_to_agree_with() -> None:
    people = ranked(line for line in LINES if line[0] == "ann")
    assert people.agreement is None and people.dimensions[0].agreement is None
    assert people.raters[0].severity is None
    assert people.notes == ("There is one rater, so nothing is known of agreement.",)


# ── against other programs ───────────────────────────────────────────────────────────────────────────


def drawn(seed: int, *, raters: int = 5, models: int = 6, scenarios: int = 8) -> list[Line]:
    """Each output rated by three of the raters, who agree by and large."""
    rng = np.random.default_rng(seed)
    lines: list[Line] = []
    for model, scenario in product(range(models), range(scenarios)):
        for rater in rng.choice(raters, 3, replace=False):
            for dimension in ("goals", "order", "space"):
                mark = float(np.clip(np.round(1 + 0.7 * model + rng.normal()), 1, 5))
                lines.append((f"r{rater}", f"m{model}", f"s{scenario}", dimension, mark))
    return lines


def table(lines: list[Line]) -> np.ndarray:
    """Raters x outputs, filled line by line; the mean over an output's dimensions."""
    raters = sorted({line[0] for line in lines})
    outputs = sorted({line[1:3] for line in lines})
    found = [
        [[x for r, m, s, _, x in lines if r == rater and (m, s) == output] for output in outputs]
        for rater in raters
    ]
    return np.array([[np.mean(marks) if marks else np.nan for marks in row] for row in found])


def test_agreement_is_that_of_the_krippendorff_package() -> None:
    lines = drawn(3)
    people = ranked(lines)
    assert people.agreement is not None
    theirs = krippendorff.alpha(table(lines), level_of_measurement="ordinal")
    assert people.agreement.alpha.mean == pytest.approx(theirs)
    for part in people.dimensions:
        of = table([line for line in lines if line[3] == part.name])
        assert part.agreement is not None
        theirs = krippendorff.alpha(of, level_of_measurement="ordinal")
        assert part.agreement.alpha.mean == pytest.approx(theirs)


def test_scores_and_intervals_are_those_of_the_matrix() -> None:
    """With eight scenarios: Student's t over them."""
    lines = drawn(4)
    people = ranked(lines)
    unit: dict[tuple[str, str], list[float]] = {}
    for model, scenario, dimension in {line[1:4] for line in lines}:
        marks = [line[4] for line in lines if line[1:4] == (model, scenario, dimension)]
        unit.setdefault((model, scenario), []).append((np.mean(marks) - 1) / 4)
    by_hand = np.array([[np.mean(unit[f"m{m}", f"s{s}"]) for s in range(8)] for m in range(6)])
    assert people.matrix() == pytest.approx(by_hand)
    assert people.ranking == rank(people.matrix(), models=people.models, resamples=50)
    middle = people.score("m3")
    reach = 2.364624251592785 * by_hand[3].std(ddof=1) / 8**0.5  # t of 7 degrees of freedom at .975
    assert middle.method == "t"
    assert (middle.low, middle.high) == pytest.approx((middle.mean - reach, middle.mean + reach))


def test_self_consistency_is_sklearns_weighted_kappa() -> None:
    rng = np.random.default_rng(5)
    once = rng.integers(1, 6, 60)
    again = np.clip(once + rng.integers(-1, 2, 60), 1, 5)
    lines: list[Line] = [
        ("ann", "a", f"s{n}", "goals", float(mark)) for marks in (once, again) for n, mark in enumerate(marks)
    ]
    (ann,) = ranked(lines).raters
    assert ann.kappa == pytest.approx(cohen_kappa_score(once, again, weights="quadratic"))
    assert ann.exact == pytest.approx(np.mean(once == again))


# ── what must not matter ─────────────────────────────────────────────────────────────────────────────

MARKS = st.lists(st.integers(0, 4), min_size=24, max_size=24)
"""Of 2 raters x 3 models x 2 scenarios x 2 dimensions."""


def blocks(marks: list[int], shift: int = 0) -> Ratings:
    names = product(("ann", "bob"), ("a", "b", "c"), ("home", "shop"), ("goals", "order"))
    lines = [(*name, mark + shift * (name[0] == "bob")) for name, mark in zip(names, marks, strict=True)]
    return ratings(lines, 0, 10)


@given(MARKS, st.integers(1, 6))
def test_a_raters_constant_shift_leaves_the_order_of_complete_blocks(marks: list[int], shift: int) -> None:
    one = rank_by_people(blocks(marks), resamples=5)
    other = rank_by_people(blocks(marks, shift), resamples=5)
    assert [(m.model, m.rank) for m in one.ranking.models] == [
        (m.model, m.rank) for m in other.ranking.models
    ]
    assert other.matrix() == pytest.approx(one.matrix() + shift / 2 / 10)
    severity = [record.severity for record in one.raters]
    assert [record.severity for record in other.raters] == pytest.approx(
        [severity[0] + shift, severity[1] - shift]
    )


@given(st.permutations(LINES))
def test_the_order_of_the_lines_does_not_matter(lines: list[Line]) -> None:
    assert (
        rank_by_people(ratings(lines), resamples=2).units == rank_by_people(ratings(LINES), resamples=2).units
    )


@given(MARKS)
def test_scores_are_shares_and_the_best_marks_are_1(marks: list[int]) -> None:
    units = rank_by_people(blocks(marks), resamples=2).matrix()
    assert (units >= 0).all() and (units <= 0.4).all()


def test_all_best_and_all_worst() -> None:
    best = ranked([("ann", "a", "s", "d", 5), ("bob", "a", "s", "d", 5), ("bob", "b", "s", "d", 1)])
    assert best.units == ((1.0,), (0.0,))


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (Ratings(["r"], ["m"], ["s"], ["d"], [6.0]), "6 is not within 1 and 5"),
        (Ratings(["r"], ["m"], ["s"], ["d"], [np.inf]), "inf is not within"),
        (Ratings(["r"], ["m"], ["s"], ["d"], [np.nan]), "no rating"),
        (Ratings([], [], [], [], []), "no rating"),
        (Ratings(["r"], ["m"], ["s"], ["d"], [3.0, 4.0]), "columns of"),
        (Ratings(["r"], ["m"], ["s"], ["d"], [[3.0]]), "shape"),
        (Ratings(["r"], ["m"], ["s"], ["d"], ["good"]), "not numbers"),
        (Ratings(["r"], [""], ["s"], ["d"], [3.0]), "names no model"),
        (Ratings(["r"], ["m"], ["s"], ["d"], [3.0], 5, 1), "a scale from 5 to 1"),
    ],
)
def test_ratings_that_are_none(broken: Ratings, problem: str) -> None:
    with pytest.raises(GumptionError, match=problem) as caught:
        rank_by_people(broken)
    assert caught.value.where and caught.value.remedy


def test_checks_and_dimensions_that_do_not_fit() -> None:
    with pytest.raises(GumptionError, match="no ratings of rater 'eve'"):
        ranked(LINES, checks={"eve": (1, 1)})
    with pytest.raises(GumptionError, match="3 of 2 attention checks"):
        ranked(LINES, checks={"ann": (3, 2)})
    with pytest.raises(GumptionError, match="no dimension 'goals'"):
        ranked(LINES, dimensions=("order",))
    everyone = [str(n) for n in range(8_000)]
    with pytest.raises(GumptionError, match="too many"):
        rank_by_people(Ratings(everyone, everyone, ["s"] * 8_000, ["d"] * 8_000, [3.0] * 8_000))


# ── preferences ──────────────────────────────────────────────────────────────────────────────────────


def test_preferences_are_wins_and_ties_half_of_one() -> None:
    """a wins 3 of 4 against b: the odds are 3 to 1, and a tie is half a win on each side."""
    four = Preferences(
        ["x"] * 400, ["a", "b", "a", "b"] * 100, ["b", "a", "b", "a"] * 100, [-1, 1, -1, -1] * 100
    )
    found = strengths_by_people(four, resamples=10)
    first, second = found.models
    assert (first.model, first.wins, second.wins, first.comparisons) == ("a", 300.0, 100.0, 400.0)
    assert found.preferred[0][1] == pytest.approx(0.75, abs=0.001)
    tied = strengths_by_people(Preferences(["x", "y"], ["a", "b"], ["b", "a"], [0, 0]), resamples=10)
    assert [one.wins for one in tied.models] == [1.0, 1.0] and tied.comparisons == 2.0
    assert tied.preferred[0][1] == pytest.approx(0.5)


@pytest.mark.parametrize(
    "broken",
    [
        Preferences(["x"], ["a"], ["b"], [2]),
        Preferences(["x"], ["a"], ["a"], [1]),
        Preferences(["x"], ["a"], ["b"], []),
        Preferences([], [], [], []),
    ],
)
def test_preferences_that_are_none(broken: Preferences) -> None:
    with pytest.raises(GumptionError) as caught:
        strengths_by_people(broken)
    assert caught.value.where.startswith("preferences") and caught.value.remedy
