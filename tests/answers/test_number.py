"""Which number a reply settles on. The values are by hand: what a careful person would say was answered."""

from __future__ import annotations

import csv
import json
import math
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.answers._reply import passage_of
from gumption.answers.number import read_number
from gumption.records import Reading


def read(reply: str) -> Reading:
    return read_number(passage_of(reply))


WRITTEN = {
    "digits": [("3", 3), ("-1.5", -1.5), (".5", 0.5), ("+5", 5), ("5.0", 5), ("05", 5), ("3.", 3), ("0", 0)],
    "signs": [
        ("\u22125", -5),
        ("- 5 chairs", 5),
        ("-$5", -5),
        ("minus five", -5),
        ("negative 5", -5),
        ("(-3)", -3),
        ("-\u00a35", -5),
        ("-\u20ac5", -5),
        ("-\u00a55", -5),
        ("-\u20b95", -5),
    ],
    "thousands": [
        ("1,200", 1200),
        ("12,345,678", 12345678),
        ("1 200", 1200),
        ("1 200 000.5", 1200000.5),
        ("$1,200.50", 1200.5),
        ("\\boxed{12{,}000}", 12000),
    ],
    "fractions": [
        ("1/2", 0.5),
        ("-3/4", -0.75),
        ("3 1/2", 3.5),
        ("1 and 1/2", 1.5),
        ("\u00bd", 0.5),
        ("3\u00bd", 3.5),
        ("$\\frac{1}{2}$", 0.5),
        ("3\\frac{1}{2}", 3.5),
        ("$$\\dfrac{3}{4}$$", 0.75),
        ("\\frac34", 0.75),
    ],
    "powers": [
        ("10^3", 1000),
        ("2^10", 1024),
        ("10^{-3}", 0.001),
        ("3 x 10^2", 300),
        ("3\u00d710\u00b2", 300),
        ("3*10**2", 300),
        ("$3 \\times 10^{2}$", 300),
        ("1.5\u00d710\u207b\u00b3", 0.0015),
        ("1.2e3", 1200),
        ("6.02e23", 6.02e23),
        (".5 million", 5e5),
        ("1,200 million", 1.2e9),
        ("1 200 x 10^3", 1.2e6),
    ],
    "words": [
        ("three", 3),
        ("SEVEN", 7),
        ("zero", 0),
        ("twenty-three", 23),
        ("twenty five", 25),
        ("two hundred and five", 205),
        ("eleven hundred", 1100),
        ("one hundred twenty-three thousand four hundred fifty-six", 123456),
        ("nine hundred ninety nine million", 999e6),
        ("a hundred and one", 101),
        ("a dozen", 12),
        ("two dozen", 24),
        ("half a dozen", 6),
        ("a half dozen", 6),
        ("1.5 million", 1.5e6),
        ("two and a half million", 2.5e6),
        ("half", 0.5),
        ("one half", 0.5),
        ("a quarter", 0.25),
        ("three quarters", 0.75),
        ("two-thirds", 2 / 3),
        ("a third of it", 1 / 3),
        ("two and a half", 2.5),
        ("3 and a half", 3.5),
        ("one and one half", 1.5),
        ("zero point five", 0.5),
        ("three point one four", 3.14),
    ],
    "Chinese": [
        ("\uff13\uff15", 35),
        ("\uff11\uff0c\uff12\uff10\uff10", 1200),
        ("三", 3),
        ("十二", 12),
        ("两", 2),
        ("二十三", 23),
        ("一百零五", 105),
        ("一百五", 150),
        ("三万五千", 35000),
        ("一亿两千万", 1.2e8),
        ("三点五米", 3.5),
        ("三分之一", 1 / 3),
        ("百分之五十", 50),
        ("负三", -3),
        ("两个半小时", 2.5),
        ("三千克", 3),
        ("大约三千克。", 3),
        ("三萬五千", 35000),
        ("兩億", 2e8),
        ("一百〇五", 105),
        ("图中有3个苹果。", 3),
        ("有三把椅子", 3),
        ("答案是三", 3),
        ("左边有两把椅子,右边有一把,所以一共有3把", 3),
    ],
    "units": [
        ("250 cm", 250),
        ("25m", 25),
        ("5 m^2", 5),
        ("5 m2", 5),
        ("5m\u00b2", 5),
        ("7 m^{2}", 7),
        ("7 m**2", 7),
        ("5 cubic meters", 5),
        ("5 m/s", 5),
        ("20 km/h", 20),
        ("72\u00b0", 72),
        ("-3.5 \u00b0C", -3.5),
        ("50%", 50),
        ("\\boxed{50\\%}", 50),
        ("\\boxed{90^\\circ}", 90),
        ("$3.5\\,\\text{m}$", 3.5),
        ("\u20ac3.50", 3.5),
        ('12"', 12),
        ("a 5-meter rope", 5),
        ("ninety\u00b0.", 90),
    ],
    "Unicode": [(sign, unicodedata.numeric(sign)) for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"],
    "LaTeX": [
        (r"6 \div 2 = 3", 3),
        (r"2 \cdot 3 = 6", 6),
        (r"3 \pm 0.5", 3),
        (r"\approx 3", 3),
        (r"\simeq 3", 3),
        (r"\sim 3", 3),
        (r"\pounds 5", 5),
        (r"90\degree", 90),
        (r"\left(3\right)", 3),
        (r"\tfrac{1}{2}", 0.5),
        (r"\displaystyle 3", 3),
        (r"\fbox{3}", 3),
        (r"0.123\,456", 0.123456),
        (r"1,\!200", 1200),
        (r"\$5", 5),
    ],
    "parts": [
        (f"{count} {name}{'s' * (count != 'one')}", value / number)
        for number, names in {
            2: ["half"],
            3: ["third"],
            4: ["quarter", "fourth"],
            5: ["fifth"],
            6: ["sixth"],
            7: ["seventh"],
            8: ["eighth"],
            9: ["ninth"],
            10: ["tenth"],
        }.items()
        for name in names
        for count, value in (("one", 1), ("three", 3))
        if (count, name) != ("three", "half")
    ],
    "Markdown": [
        ("**3**", 3),
        ("*3*", 3),
        ("`3`", 3),
        ("# 5", 5),
        ("- 5 chairs", 5),
        ('"3"', 3),
        ("[3]", 3),
        ("__3__", 3),
    ],
}

SETTLED = [
    ("3.5 meters", 3.5),
    ("The room is about 25.3 square meters.", 25.3),
    ("~3", 3),
    ("\u2248 3.2 m", 3.2),
    ("3 \u00b1 0.5", 3),
    ("3 plus or minus 0.5", 3),
    ("3 m +/- 0.1 m", 3),
    ("three (3)", 3),
    ("two (2) cups, yes, 2", 2),
    ("2 + 1 = 3", 3),
    ("2 chairs plus 1 table equals 3", 3),
    *((f"2 + 1 {word} 3", 3) for word in ("\u2248", "equal", "makes", "make", "gives", "give", "is")),
    ("There are half a dozen cups", 6),
    ("I see a dozen cups on it", 12),
    ("3\n3", 3),
    ("3, 3", 3),
    ("9 m \u00d7 7 m = 63 m\u00b2", 63),
    ("10 - 4 = 6", 6),
    ("There are 2 chairs and 1 table, so 3 in total. Answer: 3", 3),
    ("There are 2 chairs and 1 table, so 3 in total.", 3),
    ("There are three chairs and one table, four pieces in total.", 4),
    ("I see 2 chairs and 1 table. In total there are 3 objects.", 3),
    ("I see 2 red and 5 blue. Therefore 7.", 7),
    ("First, 2 chairs. Then 3 more. Total: 5 chairs.", 5),
    ("- chairs: 2\n- tables: 3\n- total: 5", 5),
    ("So the total number of chairs is 2 + 3 = 5.", 5),
    ("3\n\nThere are 2 chairs on the left and 1 on the right.", 3),
    ("cup\nplate\n\n2", 2),
    ("3, because there are 2 chairs and 1 stool", 3),
    ("3 (2 red and 1 blue)", 3),
    ("3 chairs: 2 red, 1 blue", 3),
    ("There are 3 chairs: two red and one blue.", 3),
    ("Roughly 20 m\u00b2 (5 m \u00d7 4 m)", 20),
    ("1. Look at the image\n2. Count the chairs\n\nThere are 5 chairs", 5),
    ("Step 1: look. Step 2: count. I see 4 cups", 4),
    ("In image 2 there are 5 chairs", 5),
    ("Images 1 and 2 show 4 cups", 4),
    ("Figure 3 shows 7", 7),
    ("GPT-4 would say 5", 5),
    ("I am 100% sure there are 3", 3),
    ("The one on the left is 3 m away", 3),
    ("The left half of the picture shows 2 cups", 2),
    ("There is one chair.", 1),
    ("Only one of them is visible", 1),
    ("3, not 4", 3),
    ("It is not 3 but 4", 4),
    ("isn't 3, it's 4", 4),
    ("5 rather than 6", 5),
    ("A first try gives 91 cm, which cannot be right. It comes to 89 cm.", 89),
    ("A first try gives 91 cm, which is false. It comes to 89 cm.", 89),
    ("The answer is 3. There are 2 red and 1 blue.", 3),
    ("Answer: I see 3 of them there. Beside those stand 2 plates.", 3),
    ("There are 2 red ones; in total 3, 1 of them blue", 3),
    ("Answer: 3\n...\nAnswer: 4", 4),
    ("Answer: 3\nThe answer is based on the picture.", 3),
    ("Answer:\n\n**3**", 3),
    ("Answer: approx. 3 m", 3),
    ("The answer is not 3 but 4", 4),
    ("The answer is based on the number of chairs: 3", 3),
    ("\\boxed{2} is wrong, so \\boxed{3}", 3),
    ("$\\boxed{x+y}$ and so Answer: 3", 3),
    ("Answer: 3, since $\\boxed{x}$", 3),
    ("\\boxed{x = 4}", 4),
    ("<answer>3 m</answer>", 3),
    ("<think>It could be 5.</think>4", 4),
    ('{"reason": "2 and 1", "answer": "3"}', 3),
    ("I cannot tell exactly, but about 3", 3),
    ("3, but I can't be sure", 3),
    ("I can't see a third chair, so 2.", 2),
]

AMBIGUOUS = [
    "3 or 4",
    "I can see 3 or maybe 4 chairs",
    "between 4 and 6",
    "4-6",
    "4\u20136",
    "4 to 6",
    "4~6",
    "From 25.5 to 28.5 m\u00b2, I would say.",
    "两到三米",
    "more than 5",
    "at least 3",
    "x > 3",
    *(rf"x \{sign} 3" for sign in ("ge", "geq", "le", "leq")),
    "one two three four cups",
    "5+",
    "3, as there are 2 red ones and 1 blue, so 4",
    "1,20",
    "3, 200",
    "12 34",
    "1,2345",
    "5'11\"",
    "1 m 20 cm",
    "3 chairs and 2 tables",
    "There are 2 chairs. There are 3 tables.",
    "3, 4, 5",
    "3 x 4",
    "0.5 x 0.5 m",
    "Length = 9, width = 7",
    "4 of the 5 chairs are empty",
    "Answer: 3 or 4",
    "Answer: between 2 and 4",
    "Answer: 2 chairs and 1 table",
    "<answer>3 or 4</answer>",
    "\\boxed{3 \\text{ or } 4}",
]

UNANSWERED = [
    "",
    "???",
    "unknown",
    "Answer: unknown",
    "I see 3 chairs.\nAnswer: unknown",
    "nan",
    "infinity",
    "1e999999",
    "10^99999999",
    "9^999",
    "9" * 500,
    "1/0",
    "3D",
    "7_left",
    r"7\_b",
    r"\#3",
    r"2\pi",
    "H2O",
    "B2",
    "3x",
    "10:30",
    "the 3rd chair",
    "third",
    "twenty-third",
    "第三个",
    "几十个",
    "Step 1",
    "image 2",
    "Figure 3",
    "option 2",
    "#3",
    "not 3",
    "neither 3 nor 4",
    "hundreds",
    "no one is there",
    "the left one",
    "three-seat sofa",
    "2\u03c0",
    "$\\sqrt{2}$",
    "\\frac{3\\sqrt{5}}{2}",
    "version 3.5.2",
    "<answer></answer>",
    "<think>3",
]

REFUSED = [
    "I'm sorry, but I can't help with that.",
    "Sorry, I cannot judge this from what I was given.",
    "Based on the 2 images, I cannot determine it.",
    "As an AI model from 2023, I cannot answer.",
    "I am unable to see the picture. Please send 1 picture at a time.",
]


@pytest.mark.parametrize(("reply", "value"), [case for kind in WRITTEN.values() for case in kind])
def test_forms(reply: str, value: float) -> None:
    reading = read(reply)
    assert reading.outcome == "answered"
    assert reading.value == pytest.approx(value, rel=1e-12)
    assert isinstance(reading.value, float)


@pytest.mark.parametrize(("reply", "value"), SETTLED)
def test_settled(reply: str, value: float) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == ("answered", value)


@pytest.mark.parametrize(
    ("outcome", "reply"),
    [
        *(("ambiguous", reply) for reply in AMBIGUOUS),
        *(("unanswered", reply) for reply in UNANSWERED),
        *(("refused", reply) for reply in REFUSED),
    ],
)
def test_not_settled(outcome: str, reply: str) -> None:
    reading = read(reply)
    assert (reading.outcome, reading.value) == (outcome, None)


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("<answer>three</answer>", "answer_tag"),
        ("<answer>3</answer>", "answer_tag"),
        ("3", "line"),
        ("I see 2. Answer: 3", "explicit"),
        ("\\boxed{3}", "explicit"),
        ("3\n\nThat is 2 and 1.", "line"),
        ("I count 3 of them", "only_number"),
        ("3, since 2 and 1", "leading"),
        ("2 and 1, so 3", "conclusion"),
        ("2 and 1", "several"),
    ],
)
def test_rule_is_named(reply: str, rule: str) -> None:
    assert read(reply).rule == rule


def test_cases(cases: Path) -> None:
    rows = [json.loads(line) for line in (cases / "answers.jsonl").read_text().splitlines()]
    for row in (row for row in rows if row["kind"] == "number"):
        reading = read(row["reply"])
        assert (reading.outcome, reading.value) == (row["outcome"], row["answer"]), row


def test_recorded_scores_of_rough_measure(cases: Path) -> None:
    """The folder's own rule: mean relative accuracy over thresholds .50, .55, ... .95."""
    folder = cases / "folders" / "rough-measure"
    with (folder / "truth.csv").open() as file:
        truth = {row["ref"]: float(row["gt_value"]) for row in csv.DictReader(file)}
    rows = [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]
    assert len(rows) == 120
    for row in rows:
        reading = read(row["reply"])
        error = math.inf if reading.value is None else abs(reading.value - truth[row["item"]])
        thresholds = [(50 + 5 * step) / 100 for step in range(10)]
        score = sum(error / truth[row["item"]] <= 1 - at for at in thresholds) / 10
        assert score == pytest.approx(row["score"], abs=1e-6), row


def test_a_chinese_decimal_with_a_scale_is_read_right_or_not_at_all() -> None:
    assert read("三点五万").value in {None, 35000.0}


@given(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15), st.sampled_from("fge")
)
def test_any_float_reads_back(value: float, form: str) -> None:
    """In the three number formats of Python, bare, with a unit, announced, in a tag and in a sentence."""
    written = f"{value:.6{form}}"
    for reply in (
        "{}",
        "{} m",
        "**{}**",
        "Answer: {}",
        "<answer>{} m\u00b2</answer>",
        "It is about {} kg.",
        "\\boxed{{{}}}",
    ):
        reading = read(reply.format(written))
        assert (reading.outcome, reading.value) == ("answered", float(written)), reply.format(written)


@given(st.integers(-(10**15), 10**15), st.sampled_from([",", " "]))
def test_any_grouped_integer_reads_back(value: int, separator: str) -> None:
    reply = f"{value:,}".replace(",", separator)
    for text in (reply, f"The answer is {reply}.", f"{reply} chairs"):
        assert read(text).value == value


@given(st.integers(0, 999_999_999))
def test_any_number_in_words_reads_back(value: int) -> None:
    assert read(in_words(value)).value == value
    assert read(f"There are {in_words(value)} chairs.").value == value


@given(st.integers(-999, 999), st.integers(1, 999))
def test_any_fraction_reads_back(top: int, bottom: int) -> None:
    for reply in (f"{top}/{bottom}", f"{top} / {bottom} m", f"\\frac{{{top}}}{{{bottom}}}"):
        assert read(reply).value == pytest.approx(top / bottom)


@given(st.integers(-999, 999), st.integers(-999, 999))
def test_two_numbers_are_never_one(first: int, second: int) -> None:
    reading = read(f"{first} chairs and {second} tables")
    assert reading.outcome == ("answered" if first == second else "ambiguous")


SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(value: int) -> str:
    """English words, written for this test from the rules of the language."""
    for scale, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= scale:
            rest = f" and {in_words(value % scale)}" if scale == 100 else f" {in_words(value % scale)}"
            return f"{in_words(value // scale)} {name}{rest if value % scale else ''}"
    if value < 20:
        return SMALL[value]
    return TENS[value // 10] + (f"-{SMALL[value % 10]}" if value % 10 else "")
