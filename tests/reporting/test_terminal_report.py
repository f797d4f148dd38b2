"""What a stranger sees in a terminal: every failure apart, in 80 columns, and plain when piped."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from gumption.records import Interval
from gumption.reporting import RankRow, print_ranking, print_scorecard
from gumption.reporting._percentages import percentage


def printed(show, *things, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    show(*things, console)
    return console.file.getvalue()


def count_of(text: str, label: str) -> int:
    return int(re.search(rf"^\s*{label}.*?\s{{2,}}([\d,]+)\s", text, re.MULTILINE)[1].replace(",", ""))


def rank_row(model: str, rank: int, **more) -> RankRow:
    fields = {
        "rank_low": rank,
        "rank_high": rank + 1,
        "official": Interval(0.7, 0.6, 0.8),
        **{"n": 1890, "planned": 1901, "coverage": 0.99},
        **{"unread": 0.02, "ambiguous": 0.01, "refused": 0.0, "truncated": 0.03},
        **{"adjusted": 0.4, "tier": "A"},
    }
    return RankRow(model=model, rank=rank, **(fields | more))


def test_the_headline_has_the_official_score_with_its_name_interval_and_coverage(made):
    text = printed(print_scorecard, made.card())
    assert "Official scoring rule (macro over category)  70.0 %, 95 % interval 60.0 to 80.0" in text
    assert "Scored 8 of 10 planned, coverage 80.0 %" in text
    assert "if all missing are wrong 60.0 %, if all are right 80.0 %" in text
    assert text.index("Official") < text.index("Micro") < text.index("Macro") < text.index("Depth")


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        ("gumption-v1", "Asked in words of our own, the prompt gumption-v1"),
        ("gumption-v1/cot", "Asked in words of our own, the prompt gumption-v1/cot"),
        ("prompts of a file, SHA-256 abc", "Asked in the prompts of a file, SHA-256 abc"),
        ("recorded", "Asked elsewhere, in a prompt that is not known"),
    ],
)
def test_the_prompt_is_named_and_ours_gives_no_official_number(made, prompt, line):
    text = printed(print_scorecard, made.card(protocol={"prompt": prompt}))
    assert line in text
    assert "Official scoring rule (macro over category)" in text
    assert "Official score" not in text and "official number" not in text.lower()


def test_the_failures_are_told_apart(made):
    # 2 failed of 10; of 8 scored: 2 truncated, 1 unread, 7 answered, of which 6 right and so 1 wrong.
    text = printed(print_scorecard, made.card())
    counts = {"Failed": 2, "Truncated": 2, "Refused": 0, "Unread": 1, "Ambiguous": 0, "Answered": 7}
    assert {label: count_of(text, label) for label in counts} == counts
    assert (count_of(text, "of these right"), count_of(text, "of these wrong")) == (6, 1)


def test_partial_credit_is_not_shown_as_a_number_of_wrong_answers(made):
    card = made.card(total=made.slice("total", 0.7, 8, 10))
    assert "of these wrong" not in printed(print_scorecard, card)


def test_full_coverage_needs_no_bounds(made):
    assert "missing" not in printed(
        print_scorecard, made.card(total=made.slice("total", 0.75, 8, 8), notes=())
    )


def test_a_run_without_a_score_prints(made):
    nothing = Interval(None, None, None)
    card = made.card(
        total=made.slice("total", None, 0, 10), official=nothing, micro=nothing, macro=nothing, outcomes={},
        statuses={"infra_error": 10}, categories=(),
    )  # fmt: skip
    text = printed(print_scorecard, card)
    assert "Official scoring rule  –" in text
    assert count_of(text, "Failed") == 10


@pytest.mark.parametrize("width", [80, 160])
def test_no_line_is_wider_than_the_console_and_no_colour_is_piped(made, width):
    long = "a-model-with-a-name-that-is-longer-than-any-column-of-the-table"
    card = made.card(
        long, categories=(made.slice("A category whose name does not fit into its column", 0.5, 9, 9),)
    )
    for text in (
        printed(print_scorecard, card, width=width),
        printed(print_ranking, [rank_row(long, 1)], width=width),
    ):
        assert max(len(line) for line in text.splitlines()) <= width
        assert "\x1b" not in text


def test_names_from_data_are_neither_markup_nor_control_codes(made):
    name = "[red]evil[/red] \x1b[31m\x07"
    for text in (
        printed(print_scorecard, made.card(name, categories=(made.slice(name, 0.5, 1, 1),))),
        printed(print_ranking, [rank_row(name, 1)]),
    ):
        assert "[red]evil[/red]" in re.sub(r"\s+", " ", text)
        assert "\x1b" not in text
        assert "\x07" not in text


def test_a_ranking_marks_low_coverage_and_shows_the_places_left_open():
    text = printed(print_ranking, [rank_row("first", 1), rank_row("second", 2, coverage=0.949, rank_high=2)])
    assert re.search(r"^first +1 \[1-2\] +70\.0 \[60\.0 to 80\.0\] +A +40\.0", text, re.MULTILINE)
    assert re.search(r"^second +2\* ", text, re.MULTILINE)
    assert "Coverage under 95 %" in text
    assert "Coverage under" not in printed(print_ranking, [rank_row("first", 1)])


def test_a_ranking_of_a_run_without_scores():
    row = rank_row("none", 1, official=Interval(None, None, None), n=0, coverage=0.0, adjusted=None)
    assert re.search(r"^none +1\* \[1-2\] +– +A +–", printed(print_ranking, [row]), re.MULTILINE)


@pytest.mark.parametrize(
    ("share", "text"), [(0.8125, "81.3"), (0.9165, "91.6"), (0.0455, "4.5"), (-0.0125, "-1.3"), (None, "–")]
)
def test_a_half_is_rounded_as_the_pages_round(share, text):
    """What a browser's toFixed(1) gives for a hundred times the share."""
    assert percentage(share) == text
