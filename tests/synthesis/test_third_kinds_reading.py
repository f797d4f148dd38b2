"""Rules of reading and scoring in small folders of our own words: what a careful person takes from them.

The replies and what each is worth were decided by reading the READMEs, before the rules were tried on them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import Worths, judged, right
from other_rules import Other

from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline._mra import levels_in
from gumption.synthesis.offline._samples import samples_of
from gumption.synthesis.offline._statements import statements_of
from gumption.synthesis.offline._verdicts import refused
from gumption.synthesis.offline.scorer import OfflineScorer
from gumption.synthesis.recipes._units import in_unit, unit_of
from gumption.synthesis.recipes.reading import Region, label, yes_no
from gumption.synthesis.spec import Asking, Options

OPTIONS = Asking("ask", options=Options(("options",)))
FRUIT = [
    {"id": "f1", "ask": "Which is yellow?", "options": ["plum", "lemon", "fig"], "key": "B"},
    {"id": "f2", "ask": "Which is blue?", "options": ["plum", "lemon", "fig"], "key": "A"},
    {"id": "f3", "ask": "Which has seeds?", "options": ["plum", "lemon", "fig"], "key": "C"},
    {"id": "f4", "ask": "Which is sour?", "options": ["plum", "lemon", "fig"], "key": "B"},
]
BEAMS = [
    {"id": f"b{n}", "ask": "How long is it?", "size": size}
    for n, size in enumerate(["40 cm", "2 m", "1.5 m", "60 centimetres"])
]
FEEDER = [
    {"id": f"w{n}", "ask": "What sits on the feeder?", "ok": ok}
    for n, ok in enumerate(["blue tit|tit", "the jay", "wren", "magpie"])
]
KINDS: dict[str, Other] = {}

# ── only what is said of replies that get nothing narrows what is read ───────────────────────────────

KINDS["lenient-letter"] = Other(
    """Each line has id, ask, options and key, which is the letter of the good option. Ask for the letter
alone.
A point goes to every model that picks the good one. A tag `<answer>` has precedence, and so has "Answer:":
nothing outside of them is considered then.""",
    FRUIT,
    OPTIONS,
    [
        ("f1", "I am fairly sure that it is (B).", 1),
        ("f1", "lemon", 1),
        ("f2", "Answer: plum, or so I hope", 1),
        ("f3", "A or C", 0),
        ("f3", "B was tempting.\n<answer>C</answer>", 1),
        ("f4", "", 0),
    ],
)
KINDS["no-wording"] = Other(
    """`key` is the letter of the right option. It has to come out of the reply which letter is meant,
one point
if it is the right one. No points: the wording of an option on its own, two letters, letters we did not
offer, silence.""",
    FRUIT,
    OPTIONS,
    [
        ("f1", "It must be B, lemon.", 1),
        ("f1", "lemon", 0),
        ("f2", "Answer: A", 1),
        ("f3", "B / C", 0),
        ("f4", "Probably B.", 1),
        ("f4", "D", 0),
    ],
)
KINDS["alone"] = Other(
    """`key` holds the right letter. A reply scores 1 if it equals that letter (a full stop does not hurt). A
whole sentence gets nothing, even one that names the right letter.""",
    FRUIT,
    OPTIONS,
    [("f1", "B", 1), ("f1", "B.", 1), ("f1", "The answer is B", 0), ("f2", "A", 1), ("f3", "B", 0)],
)
KINDS["numbered"] = Other(
    """`key` is the number of the right option, the first being 1. We print the options with numbers and take
the number or the words of one. Worth nothing are letters, numbers beyond the last option and "both".""",
    [{**row, "key": "ABC".index(row["key"]) + 1} for row in FRUIT],
    Asking("ask", options=Options(("options",), label="1. ")),
    [
        ("f1", "2", 1),
        ("f1", "B", 0),
        ("f2", "Option 1", 1),
        ("f3", "fig", 1),
        ("f4", "both", 0),
        ("f4", "7", 0),
    ],
)

# ── stages ───────────────────────────────────────────────────────────────────────────────────────────

KINDS["staged"] = Other(
    """`so` is 1 for yes and 0 for no. The verdict is taken from the <answer> tag. Otherwise it is the
word that
the reply opens with, and if that is neither, the yes or no anywhere in the reply. 1 for the right
verdict.""",
    [{"id": f"s{n}", "ask": "Is it so?", "so": n % 2} for n in range(4)],
    Asking("ask"),
    [
        ("s1", "Yes, it is.", 1),
        ("s1", "I looked twice and would say yes.", 1),
        ("s0", "No. One might think yes.", 1),
        ("s1", "no <answer>yes</answer>", 1),
        ("s0", "yes and no", 0),
    ],
)
KINDS["last-word-counts"] = Other(
    """`so` says what is right: `pos` when yes is right, `neg` when no is. Models change their minds, so
we go by
the last yes or no in a reply. No other words count. "yes or no" gets 0.""",
    [{"id": f"s{n}", "ask": "Is it so?", "so": ("neg", "pos")[n % 2]} for n in range(4)],
    Asking("ask"),
    [
        ("s1", "No... wait, yes", 1),
        ("s0", "Yes? Rather no.", 1),
        ("s1", "true", 0),
        ("s1", "yes or no", 0),
        ("s0", "**NO**", 1),
        ("s0", "neg", 0),
    ],
)

# ── a few labels ─────────────────────────────────────────────────────────────────────────────────────

KINDS["labels"] = Other(
    """Every line is a claim (`ask`), and `state` is "supported", "refuted" or "open". The state in the
reply has to
be the one in the file. "Undecided" and "not clear" count as "open". A reply with two of them gets 0.""",
    [
        {"id": f"c{n}", "ask": f"Claim {n}.", "state": ("supported", "refuted", "open")[n % 3]}
        for n in range(12)
    ],
    Asking("ask"),
    [
        ("c0", "Supported.", 1),
        ("c1", "I'd call this claim refuted by the text.", 1),
        ("c2", "undecided", 1),
        ("c2", "Not clear!", 1),
        ("c0", "supported or open", 0),
        ("c1", "open", 0),
        ("c1", "false", 0),
    ],
)

# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────

KINDS["converted"] = Other(
    """`size` is the length with its unit. People may answer in any unit of length; bring both to one
unit first.
Right is what differs from the true length by no more than 10 percent of it. The last quantity in a
reply counts. A span such as 3-4 m gets nothing.""",
    BEAMS,
    Asking("ask"),
    [
        ("b0", "0.4 m", 1),
        ("b0", "First 3 m, but no: 41 cm", 1),
        ("b0", "40", 1),
        ("b1", "200 centimetres", 1),
        ("b1", "0.2 m", 0),
        ("b2", "1 m 52 cm", 1),
        ("b3", "50-70 cm", 0),
        ("b3", "between 55 and 65 cm", 0),
    ],
)
KINDS["mra-in-words"] = Other(
    """`size` is the true value. A guess is held against four levels: six, seven, eight and nine tenths.
A level is
passed when the relative error stays below one minus the level. The score is the share of levels passed.""",
    [{"id": f"m{n}", "ask": "How many?", "size": size} for n, size in enumerate([100, 200, 50])],
    Asking("ask"),
    [
        ("m0", "100", 1),
        ("m0", "115", 0.75),
        ("m0", "125", 0.5),
        ("m0", "90.5", 1),
        ("m1", "300", 0),
        ("m2", "?", 0),
    ],
)
KINDS["one-number"] = Other(
    """`size` is the count. There must be just one number in a reply, in digits or in words; the unit does not
matter. Two numbers are wrong, also where one of them is right, e.g. "3 or 4".""",
    [{"id": f"n{n}", "ask": "How many?", "size": n + 3} for n in range(4)],
    Asking("ask"),
    [
        ("n0", "I see three of them.", 1),
        ("n0", "3 or 4", 0),
        ("n1", "About 4 pieces", 1),
        ("n2", "4", 0),
        ("n3", "6", 1),
    ],
)

# ── texts ────────────────────────────────────────────────────────────────────────────────────────────

KINDS["steps"] = Other(
    """`ok`: what we accept, alternatives apart by a bar.

1. Make reply and accepted answers lower case.
2. Turn punctuation into spaces and cross out the articles.
3. It is a hit (1 point) if an accepted answer stands anywhere in the reply, as whole words. "A magpie,
surely" is
   right where "magpie" is accepted, and "wrens" does not contain "wren".""",
    FEEDER,
    Asking("ask"),
    [
        ("w0", "It's a BLUE-TIT.", 1),
        ("w1", "jay", 1),
        ("w1", "A jay, or a crow", 1),
        ("w2", "wrens", 0),
        ("w2", "wren", 1),
        ("w3", "crow", 0),
    ],
)
KINDS["tokens"] = Other(
    """`ok` lists accepted answers, with | between them. Score: token F1. Lower-case both, remove
punctuation (do not
replace it by a space), drop a, an and the, split at blanks; the best F1 over the accepted answers is the
score.
So "Saw a magpie" gets 0.666667 if "magpie" is accepted.""",
    FEEDER,
    Asking("ask"),
    [
        ("w0", "The blue tit!", 1),
        ("w1", "a jay", 1),
        ("w1", "The old jay", 0.666667),
        ("w2", "crow", 0),
        ("w0", "Tit", 1),
    ],
)
KINDS["by-example"] = Other(
    """`ok` has the accepted answers (a bar between them). A model gets the point when it comes up with one of
them. "I believe it is a wren." is right if "wren" is accepted, whereas "wrensong" is wrong.""",
    FEEDER,
    Asking("ask"),
    [("w2", "Surely a wren", 1), ("w3", "MAGPIE", 1), ("w3", "magpies", 0), ("w0", "It is a tit.", 1)],
)

# ── several options, points ──────────────────────────────────────────────────────────────────────────

KINDS["run-together"] = Other(
    """`key` lists the letters of all right options. A reply must name all of them and no other to get
its point;
commas, blanks or nothing at all between letters are fine. Disregard everything before `Answer:` if there
is one.""",
    [{**row, "key": key} for row, key in zip(FRUIT, ["AB", "C", "BC", "ABC"], strict=True)],
    OPTIONS,
    [
        ("f1", "AB", 1),
        ("f1", "B and A", 1),
        ("f1", "Well, C is odd.\nAnswer: AB", 1),
        ("f2", "C", 1),
        ("f3", "Answer:\nB. lemon\nC. fig", 1),
        ("f4", "AB", 0),
    ],
)
KINDS["runs-from"] = Other(
    """`spot` is a box as x0, y0, x1, y1 in fractions. A point is (x, y), where x goes from 0 at the left
side to 1
at the right side, and y likewise from 0 at the top to 1 at the bottom. The first point of a reply is the
one that
counts. In an <answer> tag, only points in the tag matter. No point: 0.""",
    [{"id": f"p{n}", "ask": "Touch it.", "spot": [0.1, 0.2, 0.3 + n / 10, 0.5]} for n in range(3)],
    Asking("ask"),
    [
        ("p0", "(0.2, 0.3)", 1),
        ("p0", '{"x": 0.2, "y": 0.3}', 1),
        ("p1", "x=0.9, y=0.3", 0),
        ("p1", "(0.2, 0.4), or else (0.9, 0.9)", 1),
        ("p2", "At first (0.9, 0.9).\n<answer>(0.2, 0.4)</answer>", 1),
        ("p2", "somewhere left", 0),
    ],
)


# ── a second round, in other voices ──────────────────────────────────────────────────────────────────

KINDS["second-wording"] = Other(
    """The good option's letter is in `key`. How a reply is turned into a choice: the letter, in whatever
clothes
(B, (b), **B.**), or the option's own words. Whoever only repeats the question, dodges it or picks
two gets a zero.
Everybody else gets a one when right.""",
    FRUIT,
    OPTIONS,
    [
        ("f1", "b)", 1),
        ("f1", "It is the lemon.", 1),
        ("f2", "I think it's A.", 1),
        ("f3", "B, or maybe C", 0),
        ("f4", "A", 0),
    ],
)
KINDS["second-letters"] = Other(
    """key = the letter that is right. Marks: 1 for it, 0 for others. "lemon" is worth 0, for we want
letters and
not words; "B lemon" is worth 1 where B is right.""",
    FRUIT,
    OPTIONS,
    [("f1", "lemon", 0), ("f1", "B", 1), ("f1", "B lemon", 1), ("f2", "(A)", 1), ("f2", "plum", 0)],
)
KINDS["second-yes"] = Other(
    """`so` has T when the answer is yes, F when it is no. Score 1 if the reply says the same as `so`. If
the reply is
JSON, look into its field `verdict`; if it is not, into the whole reply. "Can't say" and "maybe" are 0.""",
    [{"id": f"s{n}", "ask": "Is it so?", "so": "FT"[n % 2]} for n in range(6)],
    Asking("ask"),
    [
        ("s1", '{"why": "no idea, really", "verdict": "yes"}', 1),
        ("s0", "I'd say no.", 1),
        ("s1", "Can't say", 0),
        ("s0", "Yes", 0),
        ("s1", "yes/no", 0),
    ],
)
KINDS["second-labels"] = Other(
    """Each sentence in `ask` has a `mood`: happy, sad or neither. The model should say which. We look
for these three
in its reply, in any case; exactly one of them must be there.""",
    [{"id": f"c{n}", "ask": f"Line {n}.", "mood": ("happy", "sad", "neither")[n % 3]} for n in range(12)],
    Asking("ask"),
    [
        ("c0", "Happy!", 1),
        ("c1", "The mood is sad.", 1),
        ("c2", "neither", 1),
        ("c0", "happy or sad", 0),
        ("c1", "angry", 0),
    ],
)
KINDS["second-units"] = Other(
    """`size` is what we measured. A reply is right when it is off by one twentieth at most. Replies in
centimetres are
as good as replies in metres: we convert. If a reply has more than one number, its first one is what
counts.""",
    BEAMS,
    Asking("ask"),
    [
        ("b0", "0.41 m", 1),
        ("b0", "41 cm. Not 3 m.", 1),
        ("b1", "205 cm", 1),
        ("b1", "2.3 m", 0),
        ("b2", "150 cm", 1),
        ("b3", "0.9 m", 0),
    ],
)
KINDS["second-mra"] = Other(
    """`size` is the truth. Mean relative accuracy with ten thresholds from one half to nineteen
twentieths, a twentieth
apart. At threshold t a reply passes if the distance to the truth, over the truth, is not larger than 1 -
t.""",
    [{"id": f"m{n}", "ask": "How many?", "size": size} for n, size in enumerate([100, 200, 50])],
    Asking("ask"),
    [("m0", "100", 1), ("m0", "150", 0.1), ("m1", "300", 0.1), ("m2", "about 60", 0.7), ("m0", "170", 0)],
)
KINDS["second-text"] = Other(
    """`ok` lists good answers, separated by |. Capitals and punctuation are thrown out on both sides
before they are
compared. "the jay" and "jay" are one and the same, so leave out the, a and an. What is left must be the same
text; "a jay, I think" gets 0.""",
    FEEDER,
    Asking("ask"),
    [
        ("w1", "Jay.", 1),
        ("w1", "THE JAY", 1),
        ("w1", "a jay, I think", 0),
        ("w0", "blue tit", 1),
        ("w2", "crow", 0),
    ],
)
KINDS["second-set"] = Other(
    """Several options may be right; `key` has their letters. The reply must give just these letters, in
any order. One
missing or one too many: 0. We read the letters behind "Answer:" if it is there, else all capital letters that
stand alone or in a run.""",
    [{**row, "key": key} for row, key in zip(FRUIT, ["AB", "C", "BC", "ABC"], strict=True)],
    OPTIONS,
    [
        ("f1", "AB", 1),
        ("f1", "I would take A and also B.", 1),
        ("f2", "C", 1),
        ("f3", "B", 0),
        ("f4", "Answer: A, B, C", 1),
        ("f4", "A C", 0),
    ],
)
KINDS["second-points"] = Other(
    """`spot`: left, top, width and height of a box in pixels of the picture; pictures are 200 wide (`w`)
and 100
high (`h`). Models were told to give points in thousandths of width and height, first down and then
across: [y, x].
Every point counts: two points of which one hits make a half. Off the picture is a miss.""",
    [{"id": f"p{n}", "ask": "Touch it.", "spot": [20, 10, 40 + n, 30], "w": 200, "h": 100} for n in range(3)],
    Asking("ask"),
    [
        ("p0", "[200, 150]", 1),
        ("p0", "[150, 800]", 0),
        ("p1", "[[200, 150], [900, 900]]", 0.5),
        ("p1", "[200, 1500]", 0),
        ("p2", "(x=150, y=200)", 1),
    ],
)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Worths]:
    return judged(KINDS, tmp_path_factory.mktemp("kinds"))


@pytest.mark.parametrize("name", KINDS)
def test_replies_are_worth_what_a_reader_would_say(name: str, scores: dict[str, Worths]) -> None:
    assert scores[name] == pytest.approx(right(KINDS[name]), abs=1e-5)


@pytest.mark.parametrize(
    ("said", "levels"),
    [
        ("ten levels: fifty per cent, sixty, seventy-five and ninety-five per cent", (0.5, 0.6, 0.75, 0.95)),
        ("thresholds of .5, .6, ..., .9", (0.5, 0.6, 0.7, 0.8, 0.9)),
        ("from 60 % to 90 %, ten points apart", (0.6, 0.7, 0.8, 0.9)),
        ("an error of at most 0.3, 0.2, 0.1 passes the three limits", (0.7, 0.8, 0.9)),
        ("levels: seven, eight and nine tenths", (0.7, 0.8, 0.9)),
        ("there are ten levels", None),
    ],
)
def test_levels_in_words(said: str, levels: tuple[float, ...] | None) -> None:
    assert levels_in(said) == levels


def test_what_is_worth_nothing_is_told_from_what_does_not_matter() -> None:
    readme = statements_of(
        "Capitals are ignored. No credit for a refusal, two letters or a number. Small letters: 0. "
        "The wording alone is wrong. Otherwise the reply is right."
    )
    phrases = [phrase for _, phrase in refused(readme)]
    assert phrases == ["a refusal", "two letters", "a number", "small letters", "the wording alone"]


def test_samples_are_read_with_their_verdicts() -> None:
    readme = statements_of(
        '"Perhaps C" and "[C]" are C. A range ("2 to 3") is wrong. "plain-song" becomes "plainsong". '
        'If "oak" is accepted, "an oak" gets 1.'
    )
    found = [(one.reply, one.value, one.worth, one.accepted, one.becomes) for one in samples_of(readme)]
    assert found == [
        ("Perhaps C", "C", None, (), ""),
        ("[C]", "C", None, (), ""),
        ("plain-song", "", None, (), "plainsong"),
        ("an oak", "", 1.0, ("oak",), ""),
        ("2 to 3", "", 0.0, (), ""),
    ]


def test_a_sample_that_no_reading_agrees_with_is_a_doubt(tmp_path: Path) -> None:
    kind = Other('`key` is the right letter. "neither A nor B" is C.', FRUIT, OPTIONS, [])
    found = OfflineScorer().propose(inspect_folder(kind.write(tmp_path / "f")), kind.loading, kind.asking)
    assert any("neither A nor B" in doubt for doubt in found.doubts)


@pytest.mark.parametrize(
    ("text", "unit", "converted"),
    [
        ("4.5 m", "cm", "450 cm"),
        ("1 h and 30 min", "min", "90 min"),
        ("1,250 g", "kg", "1.25 kg"),
        ("3 kg", "m", "3 kg"),
        ("12 metres in 3 minutes", "km", "0.012 km in 3 minutes"),
        ("7", "cm", "7"),
        ("5 miles an hour", "", "5 miles an hour"),
    ],
)
def test_quantities_in_another_unit(text: str, unit: str, converted: str) -> None:
    assert in_unit(text, unit) == converted


def test_units_of_cells() -> None:
    assert [unit_of(one) for one in ("10.5 km", "litres", "4", "3 apples", "")] == [
        "km",
        "litres",
        "",
        "",
        "",
    ]


def test_words_of_a_label_do_not_deny_another() -> None:
    labels = {"cannot tell": "cannot tell", "true": "true", "can't tell": "cannot tell"}
    assert label(Region("cannot tell or true", False), labels=labels).outcome == "ambiguous"
    assert label(Region("I can\u2019t tell.", False), labels=labels).value == "cannot tell"
    assert label(Region("It is not true.", False), labels=labels).outcome != "answered"


def test_the_last_yes_or_no_counts_unless_both_stand_side_by_side() -> None:
    assert yes_no(Region("No? Looking again: yes.", False), several="last").value == "yes"
    assert yes_no(Region("No? Looking again: yes.", False), several="first").value == "no"
    assert yes_no(Region("I see it. Either yes or no.", False), several="last").outcome == "ambiguous"
