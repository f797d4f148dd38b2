"""Rules of reading and scoring in words of our own: accepted units, tolerances, boxes, verdict words.

The replies and what each is worth were decided by reading the READMEs, before the rules were tried on them.
"""

from __future__ import annotations

from typing import Any

import pytest
from judged import Worths, judged, right
from other_rules import Other

from gumption.synthesis.recipes._units import has_other_unit
from gumption.synthesis.recipes.metrics import hits
from gumption.synthesis.recipes.scoring import accepted_units, gold_region
from gumption.synthesis.spec import Asking

LAMPS = [{"id": f"l{n}", "ask": "Is the lamp lit?", "lit": bool(n % 2)} for n in range(4)]
COUNTS = [
    {"id": "c1", "ask": "How many seeds?", "n": 40},
    {"id": "c2", "ask": "How many leaves?", "n": 1200},
    {"id": "c3", "ask": "How many roots?", "n": 7},
]
TANKS: list[dict[str, Any]] = [
    {"id": "t1", "ask": "How deep?", "true": 150, "unit": "cm", "aliases": ["centimetres"], "slack": 5},
    {"id": "t2", "ask": "How heavy?", "true": 2.5, "unit": "kg", "aliases": ["kilos"], "slack": 0},
    {"id": "t3", "ask": "How fast?", "true": 12, "unit": "km/h", "aliases": ["kph"], "slack": 1},
]
SCREENS: list[dict[str, Any]] = [
    {"id": "s1", "ask": "Where is play?", "w": 200, "h": 100, "zones": [[10, 20, 40, 30]]},
    {"id": "s2", "ask": "Where is stop?", "w": 400, "h": 100, "zones": [[0, 0, 40, 20], [300, 50, 80, 40]]},
    {"id": "s3", "ask": "Where is mute?", "w": 200, "h": 200, "zones": [[100, 100, 20, 20]]},
]
CORNERS = [{**one, "zones": [[x, y, x + w, y + h] for x, y, w, h in one["zones"]]} for one in SCREENS]
TOOLS = [
    {"id": "k1", "ask": "What cuts?", "ok": ["saw", "hand saw"]},
    {"id": "k2", "ask": "What hits?", "ok": ["hammer"]},
    {"id": "k3", "ask": "What is at the top of the ladder?", "ok": ["end of the ladder"]},
]
KINDS: dict[str, Other] = {}

# ── what else means yes ──────────────────────────────────────────────────────────────────────────────

KINDS["may-be-said-as"] = Other(
    """`lit` is true where the right answer is yes. A right answer is worth one point, everything else 0.
Instead of yes a model may also say true, right or correct; instead of no it may also say false, wrong or
incorrect.""",
    LAMPS,
    Asking("ask"),
    [
        ("l1", "correct", 1),
        ("l1", "Right.", 1),
        ("l0", "incorrect", 1),
        ("l0", "wrong", 1),
        ("l1", "false", 0),
    ],
)
KINDS["equivalents-in-a-list"] = Other(
    """`lit`: whether yes is right. We treat yes, true and correct as equivalent, and so we do no, false and
incorrect. 1 for the right verdict and 0 for anything else.""",
    LAMPS,
    Asking("ask"),
    [("l1", "Correct!", 1), ("l3", "true", 1), ("l0", "incorrect", 1), ("l2", "no", 1), ("l0", "Yes", 0)],
)
KINDS["nothing-else-is-read"] = Other(
    """`lit`: whether yes is right. Only yes and no are read; any other word is worth nothing.""",
    LAMPS,
    Asking("ask"),
    [("l1", "yes", 1), ("l1", "correct", 0), ("l0", "false", 0), ("l0", "No.", 1)],
)

# ── which number counts, and how it is written ───────────────────────────────────────────────────────

KINDS["last-figure-is-the-estimate"] = Other(
    """`n` is the true count and has to be met exactly. The last figure in a reply is its estimate. A comma
marks off thousands, the point is for decimals. A range such as "4 to 6" is no estimate.""",
    COUNTS,
    Asking("ask"),
    [
        ("c1", "I thought of 35, but then counted 40.", 1),
        ("c1", "40, or rather 41", 0),
        ("c2", "1,200", 1),
        ("c2", "At first 900. Now 1,200 leaves", 1),
        ("c3", "5 to 7", 0),
    ],
)
KINDS["first-number-we-see"] = Other(
    """`n` is the true count and has to be met exactly. Of a reply we keep the first number and drop what
follows it. Commas are put between thousands only.""",
    COUNTS,
    Asking("ask"),
    [("c1", "40. Or is it 41?", 1), ("c1", "41, no, 40", 0), ("c2", "1,200 leaves and 3 buds", 1)],
)
KINDS["decimal-comma"] = Other(
    """`n` is the true count and has to be met exactly. The comma is the decimal sign, points separate
thousands.""",
    COUNTS,
    Asking("ask"),
    [("c1", "40,0", 1), ("c2", "1.200", 1), ("c1", "40", 1), ("c2", "1,2", 0)],
)

# ── units that a row accepts, and its own tolerance ──────────────────────────────────────────────────

KINDS["unit-of-the-row"] = Other(
    """`true` is the right value, `unit` its unit, `aliases` are further spellings of the unit, and `slack`
says how far away from it a value may lie. A value within the slack is right, the limit included. A wrong
unit makes the reply wrong; without a unit the right one is assumed. Nothing is converted.""",
    TANKS,
    Asking("ask"),
    [
        ("t1", "150 cm", 1),
        ("t1", "155 Centimetres", 1),
        ("t1", "156 cm", 0),
        ("t1", "150", 1),
        ("t1", "1.5 m", 0),
        ("t1", "150 m", 0),
        ("t2", "It is 2.5 kilos.", 1),
        ("t2", "2.5 pounds", 0),
        ("t2", "2.6 kg", 0),
        ("t3", "12 km", 0),
        ("t3", "about 13 KPH", 1),
        ("t3", "12 m/s", 0),
    ],
)
KINDS["other-units-fail"] = Other(
    """The right value is `true`. `slack` is the tolerance: the value must differ from `true` by less than
`slack`, or be the same. Other units than `unit` and `aliases` get 0, whatever they would be after a
conversion.""",
    [{**one, "slack": one["slack"] or 0.1} for one in TANKS],
    Asking("ask"),
    [
        ("t1", "154 cm", 1),
        ("t1", "155 cm", 0),
        ("t1", "1500 mm", 0),
        ("t2", "2.5", 1),
        ("t2", "2500 g", 0),
        ("t3", "12.5 km/h", 1),
    ],
)
KINDS["margin-only"] = Other(
    """`true` is the right value and `slack` the margin. A reply is right if it is not off by more than that
margin. Whatever unit it has is left aside.""",
    TANKS,
    Asking("ask"),
    [("t1", "155", 1), ("t1", "145 inches", 1), ("t1", "144", 0), ("t2", "2.5 kg", 1), ("t2", "2.4", 0)],
)

# ── several boxes, points on another scale ───────────────────────────────────────────────────────────

KINDS["any-zone-percent"] = Other(
    """`zones` are the zones that may be touched, each as x, y, width, height in pixels; it is enough to hit
one. `w` and `h` are the width and height of the screen in pixels. The reply is one point (x, y) in percent
of the screen, from 0 to 100. When it has more than one point, the first one decides. 1 for a hit, else 0.""",
    SCREENS,
    Asking("ask"),
    [
        ("s1", "(10, 30)", 1),
        ("s1", "(5, 20)", 1),
        ("s1", "x=26, y=30", 0),
        ("s2", "(80, 60)", 1),
        ("s2", "[5%, 10%]", 1),
        ("s2", "(50, 60)", 0),
        ("s3", "(55, 55) or (1, 1)", 1),
        ("s3", "(1, 1) or (55, 55)", 0),
        ("s3", "(155, 55)", 0),
    ],
)
KINDS["corners-pixels"] = Other(
    """`zones` lists the boxes that count, [left, top, right, bottom] in pixels, and a point in any of them is
a hit, the edge included. Points are (x, y) in pixels. The first point of a reply is scored.""",
    CORNERS,
    Asking("ask"),
    [("s1", "(50, 50)", 1), ("s1", "(51, 50)", 0), ("s2", "(301, 60)", 1), ("s2", "(39, 19), (0, 99)", 1)],
)
KINDS["thousandths"] = Other(
    """Boxes to be hit stand in `zones`: left, top, width and height of each in pixels of a screen that is `w`
wide and `h` high. Coordinates run from 0 to 1000 along both sides, written as (x, y). Every point of a reply
counts: the score is the share of its points that lie in a box.""",
    SCREENS,
    Asking("ask"),
    [
        ("s1", "(100, 300)", 1),
        ("s2", "(800, 600), (500, 500)", 0.5),
        ("s3", "(510, 590)", 1),
        ("s3", "(400, 510)", 0),
    ],
)

# ── texts that are cleaned ───────────────────────────────────────────────────────────────────────────

KINDS["article-in-front"] = Other(
    """`ok` has what is accepted. Before it is compared, a reply is put in small letters, full stops, commas,
quotation marks and blanks are stripped from both ends, and an article at the front is dropped; so are the
accepted texts. What is left has to be one of them.
With "saw" accepted, "The saw." and "a saw" are correct, while "it is a saw" and "saw or axe" are not.""",
    TOOLS,
    Asking("ask"),
    [
        ("k1", "A hand saw.", 1),
        ("k1", '"Saw"', 1),
        ("k1", "saw, I guess", 0),
        ("k3", "the end of the ladder", 1),
        ("k3", "end of ladder", 0),
    ],
)
KINDS["leading-article"] = Other(
    """`ok` has what is accepted. Upper and lower case are the same; a leading article and a closing full stop
are ignored. The reply must equal one of the accepted texts.""",
    TOOLS,
    Asking("ask"),
    [("k2", "The hammer.", 1), ("k2", "hammer", 1), ("k2", "the big hammer", 0), ("k3", "end of ladder", 0)],
)
KINDS["articles-everywhere"] = Other(
    """`ok` has what is accepted. Case and articles are ignored wherever they stand. The reply must equal one
of the accepted texts.""",
    TOOLS,
    Asking("ask"),
    [("k2", "The Hammer", 1), ("k3", "end of ladder", 1), ("k2", "hammer and nail", 0)],
)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Worths]:
    return judged(KINDS, tmp_path_factory.mktemp("kinds"))


@pytest.mark.parametrize("name", KINDS)
def test_replies_are_worth_what_a_reader_would_say(name: str, scores: dict[str, Worths]) -> None:
    assert scores[name] == pytest.approx(right(KINDS[name]), abs=1e-5)


# ── the recipes by themselves ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "value", "other"),
    [
        ("5", 5, False),
        ("5 m", 5, False),
        ("**5** M.", 5, False),
        ("It is 5 m long.", 5, False),
        ("5 mm", 5, True),
        ("5 m/s", 5, True),
        ("5 m per second", 5, True),
        ("5 m²", 5, True),
        ("5 in total", 5, False),
        ("5 in", 5, True),
        ("-5 km", -5, True),
        ("1,500 metres", 1500, False),
        ("5 parsecs", 5, True),
        ("$5", 5, True),
    ],
)
def test_another_unit_is_seen(text: str, value: float, other: bool) -> None:
    assert has_other_unit(text, value, ["m", "Metres"]) is other


def test_accepted_units_are_cells_or_units() -> None:
    row = {"unit": "cm", "more": ["centimetre", "centimetres"], "gold": "45 cm", "packed": "min; minutes"}
    assert accepted_units(row, ("unit", "more")) == ["cm", "centimetre", "centimetres"]
    assert accepted_units(row, ("gold", "packed", "kg")) == ["cm", "min", "minutes", "kg"]


def test_any_of_several_boxes_is_hit() -> None:
    target = gold_region([[0, 0, 10, 10], [50, 50, 10, 10]], "box_xywh")
    assert hits([(10, 10), (55, 60), (30, 30)], target) == [True, True, False]
    assert gold_region("[1, 2, 3, 4]", "box_xywh") == gold_region([[1, 2, 4, 6]], "box_xyxy")
