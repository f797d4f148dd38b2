"""More rules of reading and scoring in small folders of our own words: what a careful person takes from them.

The replies and what each is worth were decided by reading the READMEs, before the rules were tried on them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import Worths, judged, right
from other_rules import Other

from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline.scorer import OfflineScorer
from gumption.synthesis.spec import Asking, Options

BIRDS = [
    {"id": "b1", "ask": "How many ducks?", "n": 5},
    {"id": "b2", "ask": "How many geese?", "n": 12},
    {"id": "b3", "ask": "How many swans?", "n": 2},
]
DOORS = [
    {"id": "d1", "ask": "Where is the bell?", "spot": [10, 20, 30, 40]},
    {"id": "d2", "ask": "Where is the lock?", "spot": [100, 50, 140, 90]},
    {"id": "d3", "ask": "Where is the hinge?", "spot": [0, 60, 20, 99]},
]
LAMPS = [{"id": f"l{n}", "ask": "Is the lamp lit?", "lit": "yes" if n % 2 else "no"} for n in range(4)]
KNOTS = [
    {"id": "k1", "ask": "Which knot?", "options": ["reef knot", "bowline", "sheet bend"], "key": "B"},
    {"id": "k2", "ask": "Which slips?", "options": ["reef knot", "bowline", "sheet bend"], "key": "A"},
    {"id": "k3", "ask": "Which joins?", "options": ["reef knot", "bowline", "sheet bend"], "key": "C"},
]
CLAIMS = [
    {**row, "key": row["options"]["ABC".index(str(row["key"]))]}
    for row in (
        {
            "id": "c1",
            "ask": "What changed?",
            "options": ["It got wet.", "It fell over.", "Nothing did."],
            "key": "A",
        },
        {
            "id": "c2",
            "ask": "What changed?",
            "options": ["It got wet.", "It fell over.", "Nothing did."],
            "key": "B",
        },
        {
            "id": "c3",
            "ask": "What changed?",
            "options": ["It got wet.", "It fell over.", "Nothing did."],
            "key": "C",
        },
    )
]
LETTERED = Asking("ask", options=Options(("options",)))
COUNTED = Asking("ask", options=Options(("options",), label="0: "))
DASHED = Asking("ask", options=Options(("options",), label="- "))
TILES = [
    {"id": "t1", "ask": "What is it made of?", "ok": ["clay"]},
    {"id": "t2", "ask": "What holds it?", "ok": ["mortar", "a mortar"]},
    {"id": "t3", "ask": "What is on it?", "ok": ["glaze"]},
]
KINDS: dict[str, Other] = {}

# ── credit by distance, and what is no distance ──────────────────────────────────────────────────────

KINDS["one-off-half"] = Other(
    """`n` is the right count. Numbers up to thirty may be spelled out. Full marks for the right count, half a
mark for a count that is one too high or one too low. Anything else is worth nothing.""",
    BIRDS,
    Asking("ask"),
    [("b1", "5", 1), ("b1", "six", 0.5), ("b1", "There are 4.", 0.5), ("b2", "14", 0), ("b2", "12", 1)],
)
KINDS["out-by-two"] = Other(
    """`n` is the right count, with at most thirty birds in a picture. The answer scores 1 if it is exact, and
0.25 if it is off by no more than 2. Otherwise 0.""",
    BIRDS,
    Asking("ask"),
    [("b1", "5", 1), ("b1", "7", 0.25), ("b1", "8", 0), ("b2", "I count 10", 0.25), ("b3", "2", 1)],
)
KINDS["no-distance"] = Other(
    """`n` is the right count. Replies may be up to fifty words long. The count has to be exactly right: 1, or
0 if it is not. If the reply has "Count:" somewhere, the number after that word is the answer.""",
    BIRDS,
    Asking("ask"),
    [
        ("b1", "5", 1),
        ("b1", "6", 0),
        ("b2", "Three, no, more.\nCount: 12", 1),
        ("b2", "40", 0),
        ("b3", "two", 1),
    ],
)

# ── several points ───────────────────────────────────────────────────────────────────────────────────

KINDS["points-shared"] = Other(
    """`spot` is a box: left, top, right, bottom in pixels. Points are (x, y) in pixels. Every point of
the reply
is looked up; the score is the number of hits over the number of points, so one hit among two points
gives 0.5.""",
    DOORS,
    Asking("ask"),
    [
        ("d1", "(20, 30)", 1),
        ("d1", "(20, 30) or perhaps (90, 90)", 0.5),
        ("d2", "I first see (0, 0). Then (110, 60).", 0.5),
    ],
)
KINDS["one-point-only"] = Other(
    """`spot` is a box: left, top, right, bottom in pixels. Points are (x, y) in pixels. A point in the box is
worth 1. A reply with several different points is worth nothing.""",
    DOORS,
    Asking("ask"),
    [
        ("d1", "(20, 30)", 1),
        ("d1", "(20, 30), (21, 31)", 0),
        ("d1", "(20, 30), again (20, 30)", 1),
        ("d3", "(50, 50)", 0),
    ],
)
KINDS["first-tap"] = Other(
    """`spot` is a box: left, top, right, bottom in pixels. The reply is (x, y) in pixels. If there is
a line that
starts with `Tap:`, the point on the last such line is taken. Otherwise it is the first pair in the reply.""",
    DOORS,
    Asking("ask"),
    [
        ("d1", "(20, 30) or (0, 0)", 1),
        ("d1", "(0, 0)\nTap: (20, 30)", 1),
        ("d2", "Tap: (110, 60)\nNo.\nTap: (1, 1)", 0),
        ("d2", "nothing", 0),
    ],
)

# ── yes and no as words ──────────────────────────────────────────────────────────────────────────────

KINDS["words-occur"] = Other(
    """`lit` is yes or no. A reply counts as yes if it contains yes but not no, and as no if it
contains no but
not yes. One point if that is right.""",
    LAMPS,
    Asking("ask"),
    [
        ("l1", '{"r": "yes"}', 1),
        ("l0", "there is no light", 1),
        ("l1", "yes and no", 0),
        ("l1", "true", 0),
        ("l1", "Yes!", 1),
    ],
)
KINDS["one-of-two-words"] = Other(
    """`lit` is yes or no. Exactly one of the two words has to occur in the reply, and it has to be the
right one.
Other words do not count for either.""",
    LAMPS,
    Asking("ask"),
    [("l1", "I would say yes, it is", 1), ("l0", "correct", 0), ("l0", "[no]", 1), ("l0", "no, or yes", 0)],
)

# ── options ──────────────────────────────────────────────────────────────────────────────────────────

KINDS["bracketed"] = Other(
    """`key` is the letter of the right option. The model names an option by its letter or by the
option's text.
Within a sentence a letter is an option only in brackets, but a reply that is nothing but the letter is
fine.""",
    KNOTS,
    LETTERED,
    [
        ("k1", "B", 1),
        ("k1", "I take (B) here", 1),
        ("k1", "bowline", 1),
        ("k1", "I would choose B here", 0),
        ("k2", "C", 0),
    ],
)
KINDS["from-nought"] = Other(
    """`key` is the number of the right option, counted from 0. We show the options with these numbers.
Taken is
the number or the wording of an option.""",
    [{**row, "key": "ABC".index(str(row["key"]))} for row in KNOTS],
    COUNTED,
    [
        ("k1", "1", 1),
        ("k2", "0", 1),
        ("k2", "Answer: 0", 1),
        ("k3", "sheet bend", 1),
        ("k1", "B", 0),
        ("k3", "2: sheet bend", 1),
    ],
)
KINDS["statement-alone"] = Other(
    """`key` repeats the right statement. It is right if the reply contains the right statement and no
other one
of those offered; capitals do not matter.""",
    CLAIMS,
    DASHED,
    [
        ("c1", "IT GOT WET", 1),
        ("c1", "I think: **it got wet**", 1),
        ("c2", "It got wet. It fell over.", 0),
        ("c3", "C", 0),
    ],
)

# ── texts ────────────────────────────────────────────────────────────────────────────────────────────

KINDS["nothing-more-dropped"] = Other(
    """`ok` lists what is right. We compare in lower case and drop a full stop at the end. We never remove
articles, quotes or asterisks. The rest has to be the same as one of the list.""",
    TILES,
    Asking("ask"),
    [
        ("t1", "Clay.", 1),
        ("t1", "the clay", 0),
        ("t1", "**clay**", 0),
        ("t2", "A mortar", 1),
        ("t3", '"glaze"', 0),
    ],
)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Worths]:
    return judged(KINDS, tmp_path_factory.mktemp("kinds"))


@pytest.mark.parametrize("name", KINDS)
def test_replies_are_worth_what_a_reader_would_say(name: str, scores: dict[str, Worths]) -> None:
    assert scores[name] == pytest.approx(right(KINDS[name]), abs=1e-5)


def test_a_sentence_amid_the_rules_on_which_nothing_rests_is_a_doubt(tmp_path: Path) -> None:
    odd = "Replies in green ink are read backwards."
    kind = Other(
        f"""`key` is the letter of the right option. A small letter is wrong. {odd} Two letters get 0.""",
        KNOTS,
        LETTERED,
        [],
    )
    found = OfflineScorer().propose(inspect_folder(kind.write(tmp_path / "f")), kind.loading, kind.asking)
    assert any(odd in doubt for doubt in found.doubts)
