"""Counts, overlap and confusion of labelled items, and the log: against hand-worked cases."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from gumption.curation import induction_log
from gumption.curation.balance import balance_of, evenness, quality
from gumption.curation.dimensions import ABSENT, UNREAD, Assignment, Dimension, Dimensions, Example
from gumption.curation.induction import Induction
from gumption.curation.roles import Balance, Change, Past, Review
from gumption.records import GumptionError

DIMENSIONS = Dimensions((Dimension("Red", "Red things."), Dimension("Blue", "Blue things.")))
RIGHT, UP, LEFT = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]
EXAMPLES = tuple(
    Example(str(n), benchmark, "", f"text {n}", "text") for n, benchmark in enumerate("xxyyz", start=1)
)


def assignment(labels: list[int], votes: list[list[int]], full: list[bool] | None = None) -> Assignment:
    return Assignment(
        DIMENSIONS,
        tuple(one.id for one in EXAMPLES),
        np.array(labels),
        np.array(votes),
        np.array(full or [True] * 5),
        np.zeros(5, dtype=bool),
        25,
        "",
    )


SAME = [[0] * 3, [0] * 3, [1] * 3, [1] * 3, [2] * 3]


def measured(votes: list[list[int]] = SAME, full: list[bool] | None = None) -> Balance:
    return balance_of(
        assignment([0, 0, 1, 1, 2], votes, full),
        EXAMPLES,
        np.array([RIGHT, RIGHT, LEFT, LEFT, UP], dtype=np.float32),
        np.array([RIGHT, UP], dtype=np.float32),
    )


def test_counts_sources_and_other() -> None:
    found = measured()
    assert found.counts == {"Red": 2, "Blue": 2, "Other": 1}
    assert found.sources == {"Red": {"x": 2}, "Blue": {"y": 2}, "Other": {"z": 1}}
    assert found.other == pytest.approx(0.2)
    assert found.entropy == pytest.approx(1.0)
    assert found.examples["Other"] == ("text 5",)


def test_overlap_is_the_mean_of_definitions_and_of_items_about_their_mean() -> None:
    # The mean of all items is (0, .2); red is (1, -.2) from it and blue (-1, -.2): cosine -.96 / 1.04.
    # The definitions are at right angles: cosine 0.
    assert measured().overlap == {"Red | Blue": pytest.approx(-0.96 / 1.04 / 2, abs=1e-4)}


def test_a_dimension_without_items_has_its_definition_alone() -> None:
    found = balance_of(
        assignment([0, 0, 0, 0, 0], SAME),
        EXAMPLES,
        np.array([RIGHT] * 5, dtype=np.float32),
        np.array([RIGHT, [0.6, 0.8]], dtype=np.float32),
    )
    assert found.overlap == {"Red | Blue": pytest.approx(0.6, abs=1e-4)}
    assert found.counts["Blue"] == 0
    assert found.entropy == 0.0


def test_confusion_counts_splits_between_just_two_where_all_voted() -> None:
    votes = [[0, 1, 0], [1, 0, 1], [0, 1, 2], [2, 1, 1], [0, 0, 0]]
    assert measured(votes).confusion == {"Red | Blue": 0.5, "Blue | Other": 0.25}
    # Only of items on which all voters were asked, and of votes that could be read.
    assert measured(votes, [True, False, True, False, True]).confusion == {"Red | Blue": 0.5}
    votes[0] = [0, 1, UNREAD]
    votes[1] = [0, 1, ABSENT]
    assert measured(votes).confusion == {"Blue | Other": 0.5}
    assert measured().confusion == {}


def test_evenness_and_quality() -> None:
    assert evenness(np.array([5, 5, 5])) == pytest.approx(1.0)
    assert evenness(np.array([8, 0])) == 0.0
    assert evenness(np.array([7])) == 0.0
    # 3 to 1: -(.75 ln .75 + .25 ln .25) / ln 2.
    assert evenness(np.array([3, 1])) == pytest.approx(0.811278)
    plain = Balance({}, {}, 0.1, 0.8, {"a | b": 0.4}, {}, {})
    assert quality(plain) == pytest.approx(0.72)
    assert quality(msgspec.structs.replace(plain, overlap={"a | b": 0.75})) == pytest.approx(0.36)
    assert quality(msgspec.structs.replace(plain, overlap={"a | b": 1.0})) == 0.0


def past(number: int = 1, review: Review | None = None, dimensions: Dimensions = DIMENSIONS) -> Past:
    return Past(number, dimensions, measured(), review or Review(True), 0.8)


def test_lines_are_read_back_and_a_torn_one_is_left_out() -> None:
    both = (past(), past(2, Review(False, "r", "c", "b", (Change("split", ("Red",), "why"),))))
    text = "".join(induction_log.line(one) + "\n" for one in both)
    assert induction_log.read_log(text) == both
    assert induction_log.read_log(text[:-40]) == both[:1]
    with pytest.raises(GumptionError, match="line 1"):
        induction_log.read_log("{\n" + text)


def test_a_person_reads_set_counts_critique_and_what_changed() -> None:
    rejected = Review(False, "They overlap.", "", "", (Change("merge", ("Red", "Blue"), "0.9 alike"),))
    other = Dimensions((Dimension("Red", "Anything red."), Dimension("Green", "Green things.")))
    changed = Past(
        2,
        other,
        Balance(
            {"Red": 1, "Green": 4, "Other": 0},
            {"Red": {"x": 1}, "Green": {"y": 4}, "Other": {}},
            0.0,
            0.7,
            {},
            {},
            {"Green": ("a | b <script>\n# no heading",)},
        ),
        rejected,
        0.5,
    )
    told = induction_log.markdown(changed, past())
    for words in (
        "## Iteration 2: rejected",
        "- New: Green",
        "- Gone: Blue",
        "- Defined anew: Red",
        "| Green | 4 | y 4 | Green things. |",
        "Redundancy: They overlap.",
        "Asked: merge Red, Blue: 0.9 alike",
    ):
        assert words in told
    assert "<script>" not in told
    assert "\n# no heading" not in told
    assert "a \\| b" in told


def test_the_end_is_told_in_a_paragraph() -> None:
    end = Induction(
        DIMENSIONS, True, "the set is accepted", (past(),), 1, ("1", "2"), {"proposer": "p"}, 8, 0, (5, 9), 7
    )
    told = induction_log.summary(end)
    assert "a probe of 2 items (seed 7)" in told
    assert "Stopped because the set is accepted." in told
    assert "iteration 1 (2 dimensions, accepted, fewer than the 5 that were wanted)" in told
    none = msgspec.structs.replace(end, dimensions=None, accepted=False, best=0, past=())
    assert "No set was kept." in induction_log.summary(none)
