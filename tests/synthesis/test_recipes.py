"""The blocks that written scorers are made of, by hand-worked cases."""

from __future__ import annotations

import io
import random
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gumption.records import GumptionError, Reading
from gumption.synthesis.recipes import metrics, reading, scoring
from gumption.synthesis.recipes._masks import mask_of, on_mask, packed
from gumption.synthesis.recipes._png import grey, size_of

OPTIONS = {"A": "a lamp", "B": "two chairs", "C": "the red door"}
DEFAULT = ("answer_tag", "answer_mark", "whole")


# ── the part that counts ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("reply", "order", "text"),
    [
        ("<answer>B</answer> or C", DEFAULT, "B"),
        ("A\n**Final answer:** **(B)**\nBye.", DEFAULT, "(B)**"),
        ("<answer></answer> A", DEFAULT, ""),
        ("just B", DEFAULT, "just B"),
        ("A\n\nB \n\n", ("last_line",), "B"),
        ("A\nB", ("first_line",), "A"),
        ("It is so. It is B. ", ("last_sentence",), "It is B."),
        ("It is 3.5 m. Or 4.", ("first_sentence",), "It is 3.5 m."),
        ("Yes, it is", ("first_word",), "Yes,"),
        (" C because", ("first_character",), "C"),
        ("so \\boxed{1} and \\boxed{\\frac{1}{2}}", ("boxed",), "\\frac{1}{2}"),
        ("no box", ("boxed",), ""),
        ("no box\nlast", ("boxed", "last_line"), "last"),
        ("[[A]] no, [[B]]", ("between:[[ ]]",), "B"),
        ('{"answer": "B", "why": "x"}', ("json:answer",), "B"),
        ("<out>7</out>", ("tag:out",), "7"),
        ("Result: 4\nThanks", ("mark:Result:",), "4"),
        ("2 + 2 = 4", ("after:=",), "4"),
        ("<think>A</think>B", ("whole",), "B"),
        ("", DEFAULT, ""),
    ],
)
def test_the_part_that_counts(reply: str, order: tuple[str, ...], text: str) -> None:
    assert reading.region(reply, order).text == text


def test_all_that_follows_a_mark_counts_where_the_rest_is_wanted() -> None:
    reply = "Final answer:\n[(1, 2),\n(3, 4)]"
    assert reading.region(reply, DEFAULT, rest=True).text == "[(1, 2),\n(3, 4)]"
    assert reading.region(reply, DEFAULT).text == "[(1, 2),"


def test_a_part_by_an_unknown_name_is_refused() -> None:
    for name in ("last_paragraph", "tag:", "mark", "answer_tag:x"):
        with pytest.raises(GumptionError, match="no part"):
            reading.region("A", (name,))


# ── what it says ─────────────────────────────────────────────────────────────────────────────────────


def choose(reply: str, **rules: Any) -> Any:
    return reading.choice(reading.region(reply, DEFAULT), OPTIONS, **rules).value


def test_choices() -> None:
    assert choose("B") == choose("(b)") == choose("Two chairs.") == choose("The answer is B") == "B"
    assert choose("B or C") is None
    assert choose("B. the red door") is None
    assert choose("D") is None


def test_small_letters_do_not_count_where_letters_are_capitals() -> None:
    assert choose("b", letters="capital") is None
    assert choose("option b", letters="capital") is None
    assert choose("B", letters="capital") == choose("two chairs", letters="capital") == "B"


def test_texts_do_not_count_where_only_letters_do() -> None:
    assert choose("two chairs", texts=False) is None
    assert choose("B", texts=False) == "B"


def test_letters_do_not_count_where_only_texts_do() -> None:
    assert choose("B", letters="none") is None
    assert choose("two chairs", letters="none") == "B"


def test_the_first_or_the_last_of_several() -> None:
    assert choose("First C, then B", several="last") == "B"
    assert choose("First C, then B", several="first") == "C"
    assert choose("A and C", several="first") == "A"
    assert choose("A lamp? No: two chairs", several="last") == "B"


def test_the_option_has_to_be_all() -> None:
    assert choose("(B)", whole=True) == choose("two chairs.", whole=True) == "B"
    assert choose("I would take B, I think", whole=True) is None


def test_numbers_for_options() -> None:
    assert choose("2", positions=1) == choose("option 1", positions=0) == "B"
    assert choose("4", positions=1) is None
    assert choose("2") is None


def test_several_right_options() -> None:
    for reply in ("A, C", "AC", "A and C", "(C) and (A)"):
        assert reading.choices(reading.region(reply), OPTIONS).value == ["A", "C"]
    assert metrics.overlap(["A"], ["A", "C"]) == 0.5
    assert metrics.overlap(["A", "B"], ["A", "C"]) == 0.0
    assert metrics.among(["A", "C"], "A", most=2, credit=0.5) == 0.5
    assert metrics.among(["A", "B", "C"], "A", most=2, credit=0.5) == 0.0


def test_yes_and_no() -> None:
    def said(reply: str, **rules: Any) -> Any:
        return reading.yes_no(reading.region(reply, DEFAULT), **rules).value

    assert said("Yes, it is") == said("yep") == said("TRUE") == "yes"
    assert said("yes or no") is None
    assert said("Probably true.") == said("**Most likely correct**") == said("I think true") == "yes"
    assert (
        said("Probably false.") == said("Not sure, probably incorrect.") == said("Probably not true.") == "no"
    )
    assert said("I think correct answers are rare") is said("Is it probably true or false?") is None
    assert said("TRUE", words={"true": ""}) is None
    assert said("It is unsafe", words={"safe": "yes", "unsafe": "no"}) == "no"
    assert said("y", words={"y": "yes", "n": "no"}) == "yes"
    assert said("yes it is", whole=True) is None
    assert said("Yes.", whole=True) == "yes"


def test_numbers() -> None:
    def said(reply: str, **rules: Any) -> Any:
        return reading.number(reading.region(reply, DEFAULT), **rules).value

    assert said("1,250 cm") == 1250.0
    assert said("thirty degrees") == 30.0
    assert said("thirty degrees", words=False) is None
    assert said("4 to 6") is None
    assert said("between 4 and 6", ranges="middle") == 5.0
    assert said("3 of 5", several="first") == 3.0
    assert said("3 of 5", several="last") == 5.0
    assert said("1.250,5 m", decimal=",") == 1250.5
    assert said("about 5 or so, I think", whole=True) is None
    assert said("5 m", whole=True) == 5.0


def test_points_are_read_as_they_are_written_with_x_first() -> None:
    assert reading.points(reading.region("[(350, 280), (1, 2)]")).value == [(350, 280), (1, 2)]
    assert reading.points(reading.region("[280, 350]"), order="yx").value == [(350, 280)]
    assert reading.points(reading.region("x=350, y=280"), order="yx").value == [(350, 280)]
    assert reading.points(reading.region("nowhere")).outcome == "unanswered"


@given(st.text(max_size=300))
def test_reading_never_fails_and_verdicts_are_of_the_contract(reply: str) -> None:
    part = reading.region(reply, DEFAULT)
    reads = [
        reading.choice(part, OPTIONS, letters="capital"),
        reading.choice(part, OPTIONS, several="last"),
        reading.choice(part, {}),
        reading.choices(part, OPTIONS),
        reading.yes_no(part, words={"y": "yes"}),
        reading.number(part, several="last", ranges="middle"),
        reading.points(part, order="yx"),
        reading.text(part, whole=True),
    ]
    for read in reads:
        made = scoring.verdict(read, 1.0)
        assert made["score"] == float(read.outcome == "answered")
        msgspec.json.encode(made)


def test_long_replies_are_read_in_time() -> None:
    for reply in (
        "[[" * 40_000,
        "<answer>" * 20_000,
        "Answer: " * 20_000,
        "\\boxed{" * 20_000,
        "1," * 60_000,
    ):
        for order in (DEFAULT, ("boxed",), ("between:[[ ]]",), ("tag:x", "last_sentence"), ("json:answer",)):
            part = reading.region(reply, order)
            reading.number(part, several="last", ranges="middle")
            reading.choices(part, OPTIONS)


# ── what it is worth ─────────────────────────────────────────────────────────────────────────────────


def test_mean_relative_accuracy() -> None:
    """Ten thresholds, `<=`: an error of .2 counts at .50 to .80, which are seven."""
    assert metrics.mra(80, 100) == metrics.mra(120, 100) == 0.7
    assert metrics.mra(80, 100, inclusive=False) == 0.6
    assert metrics.mra(100, 100) == 1.0
    assert metrics.mra(150, 100) == 0.1
    assert metrics.mra(151, 100) == 0.0
    assert metrics.mra(12, 10, thresholds=(0.5, 0.6, 0.7, 0.8, 0.9), inclusive=False) == pytest.approx(0.6)
    assert metrics.mra(0, 0) == 1.0
    assert metrics.mra(1, 0) == 0.0


def test_tolerances() -> None:
    assert metrics.within(11, 10, relative=0.1) == 1.0
    assert metrics.within(11, 10, relative=0.1, inclusive=False) == 0.0
    assert metrics.within(11.01, 10, relative=0.1) == 0.0
    assert metrics.within(1.3, 1.0, absolute=0.3) == 1.0
    assert metrics.within(0.1 + 0.2, 0.3) == 1.0
    assert metrics.within(2.6, 3, decimals=0) == 1.0
    assert metrics.within(-9, -10, relative=0.1) == 1.0


def test_steps_and_lines() -> None:
    steps = ((0.1, 1.0), (0.25, 0.5))
    assert [metrics.bands(value, 40, steps=steps) for value in (44, 45, 50, 51)] == [1.0, 0.5, 0.5, 0.0]
    assert metrics.bands(4, 5, steps=((0.0, 1.0), (1.0, 0.5)), relative=False) == 0.5
    assert metrics.linear(60, 50) == pytest.approx(0.8)
    assert metrics.linear(100, 50) == 0.0
    assert metrics.linear(60, 50, zero=0.4) == pytest.approx(0.5)


@given(st.floats(1, 1e6), st.floats(0, 2), st.floats(0, 1))
def test_number_metrics_fall_with_the_error(gold: float, error: float, less: float) -> None:
    near, far = gold * (1 + error * less), gold * (1 + error)
    for worth in (
        lambda value: metrics.mra(value, gold),
        lambda value: metrics.within(value, gold, relative=0.3),
        lambda value: metrics.linear(value, gold),
        lambda value: metrics.bands(value, gold, steps=((0.1, 1.0), (0.5, 0.25))),
    ):
        assert 0.0 <= worth(far) <= worth(near) <= 1.0


def test_hits() -> None:
    box = {"box": [320, 240, 399, 319]}
    assert metrics.hits([(0.55, 0.58)], box, scale=(1, 1), size=(640, 480)) == [True]
    assert metrics.hits([(550, 580), (100, 100)], box, scale=(1000, 1000), size=(640, 480)) == [True, False]
    assert metrics.hits([(350, 280)], box) == [True]
    assert metrics.hits([(100, 121), (100, 120)], {"points": [[100, 100]]}, radius=20) == [False, True]
    with pytest.raises(GumptionError, match="size"):
        metrics.hits([(1, 1)], box, scale=(1, 1))


def test_several_points_become_one_score() -> None:
    marks = [True, False, False, False]
    told = {"share": 0.25, "any": 1.0, "all": 0.0, "first": 1.0, "last": 0.0}
    assert {how: metrics.reduce(marks, how) for how in told} == told  # type: ignore[arg-type]
    assert metrics.reduce([], "all") == 0.0


def test_texts() -> None:
    steps = ("lower", "articles", "ends:.,!* ")
    assert metrics.matches("**The Soup Spoon!**", ["spoon", "soup spoon"], steps) == 1.0
    assert metrics.matches("It is a spoon.", ["spoon"], steps) == 0.0
    assert metrics.matches("spoon", ["Spoon"], ()) == 0.0
    assert metrics.matches("", [""], ()) == 0.0
    assert metrics.matches("Café-Bar", ["cafe bar"], ("lower", "accents", "hyphens")) == 1.0
    assert metrics.mentioned("a tapestry", ["tap"], ("lower",)) == 0.0
    assert metrics.mentioned("a tapestry", ["tap"], ("lower",), words=False) == 1.0
    assert metrics.mentioned("tap and hose", ["tap", "hose", "sink"], (), how="share") == pytest.approx(2 / 3)
    assert metrics.mentioned("tap and hose", ["tap", "sink"], (), how="all") == 0.0
    assert metrics.f1("the red door", ["red door", "gate"], ()) == pytest.approx(0.8)
    with pytest.raises(GumptionError, match="no step"):
        metrics.normal("x", ("stem",))


# ── right answers ────────────────────────────────────────────────────────────────────────────────────


def test_right_options_in_all_forms() -> None:
    assert scoring.gold_letter("b", OPTIONS, "letter") == "B"
    assert scoring.gold_letter("(B) two chairs", OPTIONS, "letter") == "B"
    assert scoring.gold_letter(1, OPTIONS, "index0") == scoring.gold_letter("2", OPTIONS, "index1") == "B"
    assert scoring.gold_letter("Two Chairs", OPTIONS, "option_text") == "B"
    assert scoring.gold_letters("AC", OPTIONS, "letter") == scoring.gold_letters(
        '["C", "A"]', OPTIONS, "letter"
    )
    for cell, form in (
        ("D", "letter"),
        (3, "index0"),
        (0, "index1"),
        ("a door", "letter"),
        ("x", "option_text"),
    ):
        with pytest.raises(GumptionError, match="none of the options"):
            scoring.gold_letter(cell, OPTIONS, form)


def test_options_that_are_left_out_keep_their_places() -> None:
    assert scoring.gold_letter(2, {"A": "x", "C": "z"}, "index0") == "C"


def test_other_right_answers() -> None:
    assert scoring.gold_number("1,250") == 1250.0
    assert scoring.gold_number("12.5 kg") == 12.5
    assert scoring.gold_yes_no(True, ("1", "true")) == scoring.gold_yes_no(1, ("1",)) == "yes"
    assert scoring.gold_texts("spoon; soup spoon", ";") == scoring.gold_texts('["spoon", "soup spoon"]')
    assert scoring.gold_region([10, 20, 30, 40], "box_xywh") == {"box": [10, 20, 40, 60]}
    assert scoring.gold_region("10, 20, 30, 40", "box_xyxy") == {"box": [10, 20, 30, 40]}
    assert scoring.gold_region([0, 0, 9, 0, 9, 9], "polygon") == {"polygon": [[0, 0], [9, 0], [9, 9]]}
    for cell, form in (("left", "box_xyxy"), ([1, 2], "polygon"), ({"bits": 3}, "mask")):
        with pytest.raises(GumptionError):
            scoring.gold_region(cell, form)


def test_a_reading_without_an_answer_is_worth_nothing() -> None:
    assert scoring.verdict(Reading("refused"), 1.0)["score"] == 0.0
    assert scoring.verdict(Reading("answered", "B"), None)["score"] is None


# ── masks and pictures ───────────────────────────────────────────────────────────────────────────────


def drawn(mode: str, seed: int, size: tuple[int, int] = (37, 23)) -> Image.Image:
    source = random.Random(seed)
    picture = Image.new("RGB", size)
    picture.putdata([tuple(source.choice((0, 255)) for _ in range(3)) for _ in range(size[0] * size[1])])
    return picture.convert(mode)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16"])
def test_png_is_read_as_pillow_reads_it(mode: str) -> None:
    picture = drawn("L", 3) if mode == "I;16" else drawn(mode, 3)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=mode in ("L", "RGB"))
    plain = np.asarray(Image.open(io.BytesIO(file.getvalue())).convert("RGBA"), float) / 255
    wanted = plain[..., :3].max(axis=2) * plain[..., 3]
    assert np.abs(grey(file.getvalue(), "x") - wanted).max() < 1 / 250


def test_smooth_png_uses_all_filters() -> None:
    rows, columns = np.mgrid[0:64, 0:96]
    smooth = ((rows * 3 + columns * 2) % 256).astype(np.uint8)
    for picture in (smooth, np.dstack([smooth, smooth // 2, smooth // 3])):
        file = io.BytesIO()
        Image.fromarray(picture).save(file, "PNG", optimize=True)
        wanted = picture if picture.ndim == 2 else picture.max(axis=2)
        assert np.abs(grey(file.getvalue(), "x") * 255 - wanted).max() < 0.5


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
def test_sizes(kind: str) -> None:
    file = io.BytesIO()
    drawn("RGB", 1, (61, 17)).save(file, kind)
    assert size_of(file.getvalue(), "x") == (61, 17)


@given(st.binary(max_size=200))
def test_damaged_pictures_are_refused(data: bytes) -> None:
    for head in (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"RIFF1234WEBPVP8X"):
        for read in (size_of, grey):
            try:
                read(head + data, "x")
            except GumptionError:
                continue


def test_masks_go_through_rows() -> None:
    picture = Image.new("L", (40, 20), 0)
    picture.paste(200, (10, 5, 20, 15))
    file = io.BytesIO()
    picture.save(file, "PNG")
    mask = mask_of(msgspec.json.decode(msgspec.json.encode(packed(file.getvalue(), 0.5, False, "x"))))
    assert mask.size == (40, 20)
    assert on_mask(mask, 10, 5)
    assert on_mask(mask, 19.9, 14.9)
    assert not on_mask(mask, 20, 10)
    assert not on_mask(mask, -1, 5)
    assert not on_mask(mask, float("nan"), 5)
    dark = mask_of(packed(file.getvalue(), 0.5, True, "x"))
    assert on_mask(dark, 0, 0)
    assert not on_mask(dark, 12, 8)


def test_the_far_edge_of_written_coordinates_is_the_last_pixel() -> None:
    file = io.BytesIO()
    Image.new("L", (40, 20), 255).save(file, "PNG")
    mask = mask_of(packed(file.getvalue(), 0.5, False, "x"))
    assert metrics.hits([(1000, 1000), (1001, 5), (-1, 5)], mask, scale=(1000, 1000)) == [True, False, False]
    assert metrics.hits([(40, 20), (39, 19)], mask) == [False, True]


def test_masks_and_sizes_are_read_below_the_folder_only(tmp_path: Path) -> None:
    outside = tmp_path / "secret.png"
    Image.new("L", (4, 4), 255).save(outside)
    folder = tmp_path / "folder"
    folder.mkdir()
    Image.new("L", (6, 3), 255).save(folder / "m.png")
    rows = scoring.with_masks(folder, [{"m": "m.png"}], "m")
    assert rows[0]["@mask"]["size"] == [6, 3]
    assert scoring.with_sizes(folder, [{"q": "?", "m": "m.png"}], {"question": "q", "images": ["m"]})[0][
        "@size"
    ] == [6, 3]
    for path in ("../secret.png", str(outside), "none.png"):
        with pytest.raises(GumptionError):
            scoring.with_masks(folder, [{"m": path}], "m")


# ── replies that are made to take long ───────────────────────────────────────────────────────────────

LONG = 200_000
SIGNS = [*map(chr, range(32, 48)), *map(chr, range(58, 65)), *map(chr, range(91, 97)), *"{|}~\n\t1aA\u00e9"]


@pytest.mark.parametrize("repeated", [*SIGNS, "A ", "red ", "[[", "\\boxed{", "1) ", "no "])
def test_no_recipe_takes_long_over_a_sign_without_end(repeated: str) -> None:
    text = (repeated * LONG)[:LONG] + " 5 a b c d"
    part = reading.Region(text, False)
    options = {"A": "red", "B": "dark red", "C": "3"}
    begun = time.process_time()
    for name in (
        "last_word",
        "last_sentence",
        "boxed",
        "between:[[ ]]",
        "between:( )",
        "after:##",
        "tag:out",
    ):
        reading.region(text, (name,))
    reading.choice(part, options, positions=1, letters="none")
    reading.choice(part, options, several="last")
    reading.choices(part, options)
    reading.number(part, whole=True)
    reading.number(part, several="last", ranges="middle")
    reading.yes_no(part, words={"fine": "yes"})
    assert time.process_time() - begun < 5.0


def test_numbers_stand_for_options() -> None:
    options = {"A": "red", "B": "dark red", "C": "3 cups"}

    def named(reply: str, letters: Any = "any") -> Any:
        return reading.choice(reading.Region(reply, False), options, positions=1, letters=letters).value

    assert [named(one) for one in ("2", "The answer is 2.", "Maybe 2.", "2) dark red", "**2**")] == ["B"] * 5
    assert [named(one) for one in ("1 or 2", "4", "2) red", "There are 2 chairs.")] == [None] * 4
    said = (
        "Number 2.",
        "I take number 2, I think.",
        "Option 2 is right.",
        "no. 2",
        "Not number 1 but number 2.",
    )
    assert [named(one) for one in said] == ["B"] * 5
    assert [named(one) for one in ("number 1 or number 2", "It is number 7.", "It is not number 1.")] == [
        None
    ] * 3
    assert named("3 cups") == named("3") == "C"
    assert named("B") == "B"
    assert named("B", "none") is None
    assert named("dark red", "none") == "B"


def test_a_small_letter_in_a_bracket_behind_words_is_an_option() -> None:
    options = {"A": "red", "B": "blue"}
    assert reading.choice(reading.Region("maybe b)", True), options).value == "B"
    assert reading.choice(reading.Region("maybe a) or b)", True), options).value is None
