"""Named parts and first mistakes on the scorecard, worked by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gumption.ranking import scorecard
from gumption.records import Aggregate, Scored
from gumption.running.scores import scores_table

ROW = Scored("i", 0, "toy", "", "", "", "atoms", 1.0, "ok", "answered", 0.0)


def rows():
    f1 = [1.0, 0.5, 0.0]
    return [
        *[replace(ROW, item_id=f"i{n}", parts={"f1": f1[n], "steps": 4.0 + n}) for n in range(3)],
        replace(ROW, item_id="i3", errors=("false_atom", "missing_goal"), value=0.0),
        replace(ROW, item_id="i4", errors=("false_atom",), value=0.0),
        replace(ROW, item_id="i5", errors=("unreadable",), value=0.0, parts={"f1": 0.5}),
        replace(
            ROW, item_id="i6", errors=("unreadable",), value=None, status="infra_error", parts={"f1": 1.0}
        ),
    ]


@pytest.mark.parametrize("form", [lambda rows: rows, scores_table], ids=["rows", "table"])
def test_parts_are_means_over_the_scored_rows_that_have_them(form):
    card = scorecard(form(rows()))
    parts = {part.name: part for part in card.parts}
    assert list(parts) == ["f1", "steps"]
    assert (parts["f1"].n, parts["f1"].score.mean) == (4, 0.5)
    assert parts["f1"].score.low < 0.5 < parts["f1"].score.high
    assert (parts["steps"].n, parts["steps"].score.mean, parts["steps"].score.low) == (3, 5.0, None)


@pytest.mark.parametrize("form", [lambda rows: rows, scores_table], ids=["rows", "table"])
def test_only_the_first_mistake_of_a_scored_row_counts(form):
    assert scorecard(form(rows())).failures == {"false_atom": 2, "unreadable": 1}


def test_a_run_without_parts_has_none():
    card = scorecard([replace(ROW, item_id="a")])
    assert card.parts == () and card.failures == {}


def test_an_official_rule_stands_beside_the_honest_one_and_leaves_out_what_it_leaves_out():
    """Honest: 1, 0, 0, 0. Official: 1, .25 (a guess among four), 1; the fourth is left out."""
    official = [1.0, 0.25, 1.0]
    table = scores_table(
        [
            *[
                replace(
                    ROW, item_id=f"i{n}", value=float(n == 0), parts={"official": official[n]}, category="a"
                )
                for n in range(3)
            ],
            replace(ROW, item_id="i3", value=0.0, category="b"),
        ]
    )
    card = scorecard(
        table,
        Aggregate("official", part="official"),
        further=(Aggregate("official by category", by="category", part="official"),),
    )
    assert (card.official.mean, card.micro.mean) == (0.75, 0.25)
    assert [other.name for other in card.further] == ["official by category"]
    assert card.further[0].mean == 0.75
