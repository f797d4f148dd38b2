"""Fidelity with a reference, against figures that were worked out by hand."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import Answer, GumptionError, Image, Item, Text, Video
from gumption.synthesis._edit_distance import edit_distance, likeness
from gumption.synthesis.contract import Part, Request
from gumption.synthesis.fidelity import Pair, scoring_fidelity, split
from gumption.synthesis.reading_fidelity import Readings, reading_fidelity
from gumption.synthesis.recorded import read_recorded
from gumption.synthesis.request_fidelity import (
    reply_fidelity,
    request_fidelity,
    shown_by_item,
    shown_by_request,
)

_SHORT = st.text(alphabet="abc", max_size=9)


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("kitten", "sitting", 3), ("", "abc", 3), ("flaw", "lawn", 2), ("same", "same", 0), ("ab", "ba", 2)],
)
def test_edit_distance_of_known_pairs(one: str, other: str, distance: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == distance
    assert likeness(one, other) == pytest.approx(1 - distance / max(len(one), len(other)))


@given(_SHORT, _SHORT)
def test_edit_distance_is_that_of_the_table(one: str, other: str) -> None:
    row = list(range(len(other) + 1))
    for at, sign in enumerate(one, 1):
        above, row[0] = row[:], at
        for n, second in enumerate(other, 1):
            row[n] = min(above[n] + 1, row[n - 1] + 1, above[n - 1] + (sign != second))

    assert edit_distance(one, other) == row[-1]


def test_two_empty_texts_are_alike_and_huge_ones_are_refused() -> None:
    assert likeness("", "") == 1.0
    with pytest.raises(GumptionError):
        edit_distance("a" * 60_000, "b" * 60_000)


# ── requests and replies ─────────────────────────────────────────────────────────────────────────────


def test_requests_are_compared_with_items_of_ours(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"abc")
    sha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # of "abc", FIPS 180-4
    item = Item("1", "b", (Image(sha), Text("Which?"), Text("A. x")), Answer("choice"))
    by_path = Request((Part(image="a.png"), Part(text="Which?\nA. x")))
    by_bytes = Request(
        (Part(image_base64=base64.b64encode(b"abc").decode()), Part(text="Which?"), Part(text="A. x"))
    )

    wanted = shown_by_item(item)

    assert wanted == (("image", sha), ("text", "Which?\nA. x"))
    assert shown_by_request(by_path, tmp_path) == shown_by_request(by_bytes, tmp_path) == wanted


def test_a_picture_outside_of_the_folder_or_a_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.png").write_bytes(b"abc")
    (tmp_path / "in/link.png").symlink_to(tmp_path / "out.png")

    for name in ("link.png", "missing.png"):
        with pytest.raises(GumptionError):
            shown_by_request(Request((Part(image=name),)), tmp_path / "in")
    with pytest.raises(GumptionError):
        shown_by_item(Item("1", "b", (Video("0" * 64),), Answer("text")))


def test_request_fidelity_worked_by_hand() -> None:
    reference = {
        "same": (("image", "p"), ("text", "abcd")),
        "worded": (("image", "p"), ("text", "abcd")),
        "turned": (("image", "p"), ("text", "abcd")),
        "other": (("image", "p"), ("text", "abcd")),
        "lost": (("text", "abcd"),),
    }
    made = {
        "same": (("image", "p"), ("text", "abcd")),
        "worded": (("image", "p"), ("text", "abce")),
        "turned": (("text", "abcd"), ("image", "p")),
        "other": (("image", "q"), ("text", "abcd")),
    }

    found = request_fidelity(made, reference)

    assert (found.items, found.missing) == (5, 1)
    assert found.equal == pytest.approx(1 / 5)
    assert found.same_parts == pytest.approx(2 / 5)
    assert found.same_media == pytest.approx(3 / 5)
    assert found.text == pytest.approx((1 + 0.75 + 1 + 1 + 0) / 5)
    assert found.unequal == ("worded", "turned", "other", "lost")
    with pytest.raises(GumptionError):
        request_fidelity(made, {})


def test_reading_fidelity_worked_by_hand() -> None:
    both = [
        Readings("m", "A", "a "),
        Readings("m", None, "B"),
        Readings("n", "C", None),
        Readings("n", "1,000", "1000"),
        Readings("n", [[0.5, 1]], ((0.5, 1.0),)),
        Readings("n", 12, "12.0"),
    ]

    found = reading_fidelity(both)

    assert (found.replies, found.read, found.only_here) == (6, 5, 1)
    assert found.answered == pytest.approx(4 / 5)
    assert found.agreement == pytest.approx(3 / 4)  # "1,000" is no number that Python reads
    assert found.worst == ("m", pytest.approx(1 / 2))
    with pytest.raises(GumptionError):
        reading_fidelity([])


def test_reply_fidelity_worked_by_hand() -> None:
    found = reply_fidelity({1: "kitten", 2: "x", 9: "y"}, {1: "sitting", 2: "x", 3: "z"})

    assert found.mean == pytest.approx((4 / 7 + 1) / 2)
    assert (found.replies, found.missing) == (2, 1)


# ── scores ───────────────────────────────────────────────────────────────────────────────────────────


def _pairs(model: str, scores: list[float | None], references: list[float | None]) -> list[Pair]:
    return [
        Pair(str(n), model, score, reference)
        for n, (score, reference) in enumerate(zip(scores, references, strict=True))
    ]


def test_the_papers_figure_hides_what_the_others_show() -> None:
    found = scoring_fidelity(_pairs("m", [1, 1, 0, 0], [0, 0, 1, 1]))

    assert found.relative == 1.0
    assert found.agreement == 0.0
    assert found.kappa.mean == pytest.approx(-1.0)
    assert (found.lost, found.gained, found.mcnemar) == (2, 2, 1.0)
    assert found.tau.mean is None


def test_scoring_fidelity_worked_by_hand() -> None:
    pairs = [
        *_pairs("m", [1, 1, 0, 0, None, 1], [1, 0, 0, 0, 1, None]),
        *_pairs("n", [0, 0, 0, 1, None, None], [1, 1, 0, 1, None, None]),
    ]

    found = scoring_fidelity(pairs)

    assert (found.pairs, found.only_score, found.only_reference) == (8, 1, 1)
    # m: .5 against .25 is 1 - 1; n: .25 against .75 is 1 - 2/3.
    assert found.relative == pytest.approx((0 + 1 / 3) / 2)
    assert found.agreement == pytest.approx(5 / 8)
    assert found.difference == pytest.approx(3 / 8)
    # Agreement by chance: 3/8 * 4/8 + 5/8 * 4/8 = 1/2.
    assert found.kappa.mean == pytest.approx((5 / 8 - 1 / 2) / (1 / 2))
    assert (found.lost, found.gained) == (2, 1)
    assert found.mcnemar == 1.0
    assert [(one.model, one.shift, one.band) for one in found.shifts] == [
        ("n", pytest.approx(-0.5), "fails"),
        ("m", pytest.approx(0.25), "fails"),
    ]
    assert found.tau.mean == -1.0
    assert (found.swapped, found.largest_gap_swapped) == (1, pytest.approx(0.5))
    assert [(one.item, one.model) for one in found.unequal] == [("1", "m"), ("0", "n"), ("1", "n")]


def test_a_macro_mean_is_that_over_categories() -> None:
    # Category a: 1, 1, 1 here and 1, 1, 0 by the reference; b: 0 here and 1 by the reference.
    here, reference = [1, 1, 1, 0], [1, 1, 0, 1]
    pairs = [
        Pair(str(n), "m", mine, theirs, "b" if n == 3 else "a")
        for n, (mine, theirs) in enumerate(zip(here, reference, strict=True))
    ]

    (macro,) = scoring_fidelity(pairs, macro=True).shifts
    (micro,) = scoring_fidelity(pairs).shifts

    assert (macro.score, macro.reference) == (pytest.approx(1 / 2), pytest.approx((2 / 3 + 1) / 2))
    assert (micro.score, micro.reference) == (pytest.approx(3 / 4), pytest.approx(3 / 4))


def test_models_with_other_items_are_ordered_all_the_same() -> None:
    """Some resamplings then hold no item of one of the models."""
    found = scoring_fidelity([Pair("1", "m", 1, 1), Pair("2", "n", 0, 0), Pair("3", "n", 0, 1)])

    assert found.tau.mean == 1.0


def test_mcnemar_is_exact() -> None:
    # Six lost and none gained: 2 * (1/2)^6.
    found = scoring_fidelity(_pairs("m", [0] * 6 + [1] * 6, [1] * 12))

    assert found.mcnemar == pytest.approx(2 / 64)


@pytest.mark.parametrize(("wrong", "band"), [(0, "good"), (1, "good"), (2, "acceptable"), (3, "fails")])
def test_bands_are_those_of_easi(wrong: int, band: str) -> None:
    # One reply of forty is 2.5 points.
    found = scoring_fidelity(_pairs("m", [0.0] * wrong + [1.0] * (40 - wrong), [1.0] * 40))

    assert found.shifts[0].band == band


def test_partial_scores_have_no_mcnemar_and_equal_scorers_agree_in_all() -> None:
    pairs = [*_pairs("m", [0.2, 1, 0.5], [0.2000004, 1, 0.5]), *_pairs("n", [0.1, 0, 0.5], [0.1, 0, 0.5])]

    found = scoring_fidelity(pairs)

    assert found.mcnemar is None
    assert found.agreement == 1.0
    assert found.relative == pytest.approx(1.0, abs=1e-6)
    assert found.tau.mean == 1.0
    assert found.kappa.mean == pytest.approx(1.0)
    assert (found.swapped, found.unequal) == (0, ())


def test_nothing_scored_by_both_is_refused() -> None:
    with pytest.raises(GumptionError):
        scoring_fidelity(_pairs("m", [None, 1], [1, None]))


def test_recorded_files_are_read_and_checked(cases: Path, tmp_path: Path) -> None:
    found = read_recorded(cases / "folders/hearth40/recorded.jsonl")

    assert len(found) == 120
    assert (found[0].item, found[0].model, found[0].score) == ("700", "model-a", 1.0)
    for line in ('{"item": 1}', '{"item": 1, "model": "m", "reply": "r", "score": 2}', "[1"):
        (tmp_path / "bad.jsonl").write_text(
            f'{{"item": 1, "model": "m", "reply": "r", "score": 1}}\n\n{line}\n'
        )
        with pytest.raises(GumptionError, match=r"bad\.jsonl, line 3"):
            read_recorded(tmp_path / "bad.jsonl")


def test_the_split_goes_by_the_id_alone() -> None:
    ids = [f"item-{n}" for n in range(2000)]
    visible, hidden = split(ids)

    assert sorted(visible + hidden) == sorted(ids)
    assert 0.2 < len(hidden) / len(ids) < 0.3
    assert split(reversed(ids))[1] == hidden[::-1]
