"""Small folders with other rules than the cases and the made-up twelve have, in other words.

For each: a README, its data, how it is loaded and asked, and replies with what each is worth under that
README, decided by reading it. They were written in four rounds before the rules were tried on them; on first
sight the rules of the time got 7 of 16, 6 of 12, 2 of 10 and 6 of 8 right, and were then widened.
The six at the end, from `after-sign` on, were written with the rules for them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gumption.synthesis.spec import Asking, Loading, Options, Source

__all__ = ["OTHERS", "Other"]


class Other(NamedTuple):
    """A folder in small."""

    readme: str
    rows: Sequence[dict[str, Any]]
    asking: Asking
    replies: Sequence[tuple[str, str, float]]
    """Row, reply, worth."""
    doubtful: bool = False
    """No recipe can score it, and that has to be said."""

    @property
    def loading(self) -> Loading:
        return Loading((Source("data.jsonl", "jsonl"),), next(iter(self.rows[0])))

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        (folder / "README.md").write_text(self.readme)
        (folder / "data.jsonl").write_text("\n".join(map(json.dumps, self.rows)) + "\n")
        return folder


OTHERS: dict[str, Other] = {}

OTHERS["last-letter"] = Other(
    """# Toolbox quiz

One JSON object a line in `data.jsonl`: `nr`, `q` (question), `opts` (list of answers) and `sol` (number
of the
right one, the first is 1).

Evaluation. The model is shown the answers with letters A, B, ... and may think aloud before it decides.
We take the
last letter that stands alone in its reply, small letters too. The words of an answer are not matched, only
letters. Right letter: 1 point, otherwise 0. The score of a model is the mean.
""",
    [
        {"nr": 1, "q": "Which drives nails?", "opts": ["saw", "hammer", "level"], "sol": 2},
        {"nr": 2, "q": "Which cuts wood?", "opts": ["saw", "hammer", "level"], "sol": 1},
        {"nr": 3, "q": "Which shows a slope?", "opts": ["saw", "hammer", "level"], "sol": 3},
    ],
    Asking("q", options=Options(("opts",))),
    [
        ("1", "B", 1),
        ("1", "First A came to mind, but it must be B.", 1),
        ("1", "hammer", 0),
        ("1", "(b)", 1),
        ("2", "A or B? I go for A", 1),
        ("2", "B", 0),
        ("2", "saw", 0),
        ("3", "Option C.", 1),
        ("3", "", 0),
        ("3", "C is out, so B", 0),
        ("2", "I cannot answer that.", 0),
    ],
)

OTHERS["last-line"] = Other(
    """# stairs-mcq

Each line of data.jsonl has `key`, `text`, the choices `c1` to `c4`, and `correct`, the wording of the
correct choice.

**Prompt**: text, then the choices as (A) ... (D).

**Grading**: only the final line of the reply is looked at. It must name the correct choice, by letter
or by wording;
capitalisation plays no role. Anything else on that line that names another choice makes it wrong.
1 or 0.
""",
    [
        {
            "key": "s1",
            "text": "What is at the top?",
            "c1": "a lamp",
            "c2": "a door",
            "c3": "a cat",
            "c4": "a plant",
            "correct": "a door",
        },
        {
            "key": "s2",
            "text": "What is below?",
            "c1": "a rug",
            "c2": "a ball",
            "c3": "a shoe",
            "c4": "a box",
            "correct": "a shoe",
        },
    ],
    Asking("text", options=Options(("c1", "c2", "c3", "c4"), label="(A) ")),
    [
        ("s1", "B", 1),
        ("s1", "Let me see.\nThe answer is B.\nA", 0),
        ("s1", "A lamp? No.\n\na door\n", 1),
        ("s1", "A\nA Door", 1),
        ("s1", "The door is B\nThanks for asking!", 0),
        ("s2", "c", 1),
        ("s2", "(C) a shoe", 1),
        ("s2", "C or D", 0),
        ("s2", "D", 0),
        ("s2", "", 0),
    ],
)

OTHERS["boxed-only"] = Other(
    """# GaugeRead

Reading gauges. `data.jsonl` has `id`, `question`, `reading`.

The model is told to put its final value in \\boxed{}. We extract the content of the last \\boxed{} and
parse it as a
number; a response without \\boxed{} gets 0. A reading is correct when the absolute error is at most 0.5.
Accuracy = correct / all.
""",
    [
        {"id": "g1", "question": "What does it show?", "reading": 12.5},
        {"id": "g2", "question": "And this?", "reading": 80},
    ],
    Asking("question"),
    [
        ("g1", "It is \\boxed{12.5}", 1),
        ("g1", "\\boxed{13}", 1),
        ("g1", "\\boxed{13.1}", 0),
        ("g1", "12.5", 0),
        ("g2", "First \\boxed{70}, no: \\boxed{80}", 1),
        ("g2", "80", 0),
        ("g2", "\\boxed{79.5 bar}", 1),
        ("g2", "", 0),
        ("g2", "\\boxed{about right}", 0),
    ],
)

OTHERS["near-and-nearer"] = Other(
    """# guess-the-price

`data.jsonl`: `pid`, `item`, `price` (in euros).

How an answer is worth: a guess that is off by no more than 10 % of the price scores 1, off by no more
than 25 %
scores 0.5, anything further off scores 0. If the reply holds several numbers the last one is used.
Currency signs are
ignored. No number: 0.
""",
    [{"pid": "a", "item": "A broom", "price": 20}, {"pid": "b", "item": "A kettle", "price": 40}],
    Asking("item"),
    [
        ("a", "20", 1),
        ("a", "22 euros", 1),
        ("a", "24", 0.5),
        ("a", "16", 0.5),
        ("a", "30", 0),
        ("a", "no idea", 0),
        ("b", "Maybe 30, I would say 40", 1),
        ("b", "Maybe 40, I would say 30", 0.5),
        ("b", "€49.99", 0.5),
        ("b", "51", 0),
    ],
)

OTHERS["integers"] = Other(
    """# count-me

Counting questions. Fields: `uid`, `question`, `n` (the true count).

Scoring: The count has to be exactly right, a reply that is off by one gets nothing. We read the first
number in the reply; digits only,
written-out numbers ("three") are not read.
""",
    [{"uid": "u1", "question": "How many?", "n": 3}, {"uid": "u2", "question": "How many?", "n": 12}],
    Asking("question"),
    [
        ("u1", "3", 1),
        ("u1", "three", 0),
        ("u1", "There are 3 of 5.", 1),
        ("u1", "Of 5 I see 3", 0),
        ("u1", "4", 0),
        ("u2", "12 cups", 1),
        ("u2", "11", 0),
        ("u2", "", 0),
    ],
)

OTHERS["strict-yes-no"] = Other(
    """# door-check

`data.jsonl`: `n`, `image_text`, `open` (y or n).

A reply counts only if its first word is yes or no. Other words such as true or correct do not count.
Case and
punctuation are ignored. Right answers give one point, everything else gives none.
""",
    [
        {"n": 1, "image_text": "Is the door open?", "open": "y"},
        {"n": 2, "image_text": "Is it shut?", "open": "n"},
    ],
    Asking("image_text", guesses=2),
    [
        ("1", "Yes", 1),
        ("1", "YES, it is.", 1),
        ("1", "True", 0),
        ("1", "It is open, yes", 0),
        ("1", "no", 0),
        ("2", "No.", 1),
        ("2", "no, but yes in the other picture", 1),
        ("2", "yes", 0),
        ("2", "False", 0),
        ("2", "", 0),
    ],
)

OTHERS["any-point"] = Other(
    """# grasp-here

Where to grasp? Fields in `data.jsonl`: `gid`, `instruction`, `xmin`, `ymin`, `xmax`, `ymax` (target
rectangle,
pixels), `width`, `height` (of the picture).

Models answer with x and y as percentages of width and height, from 0 to 100. An answer is right (1) as
soon as at least
one of its points is inside the rectangle, otherwise it is wrong (0).
""",
    [
        {
            "gid": "p",
            "instruction": "Grasp the cup",
            "xmin": 100,
            "ymin": 100,
            "xmax": 200,
            "ymax": 150,
            "width": 400,
            "height": 200,
        },
        {
            "gid": "r",
            "instruction": "Grasp the jug",
            "xmin": 0,
            "ymin": 0,
            "xmax": 40,
            "ymax": 40,
            "width": 400,
            "height": 400,
        },
    ],
    Asking("instruction"),
    [
        ("p", "(30, 60)", 1),
        ("p", "(30, 60), (90, 90)", 1),
        ("p", "[(90, 90), (80, 80)]", 0),
        ("p", "(150, 120)", 0),
        ("r", "x=5, y=5", 1),
        ("r", "(5, 50)", 0),
        ("r", "nowhere", 0),
    ],
)

OTHERS["first-point"] = Other(
    """# tap

A task is an `utterance`, an `id` and a `polygon` [[x, y], ...] in the same normalised coordinates that
the model uses:
x to the right and y down, both between 0 and 1.

Only the first point in a reply is scored, further points are ignored. Inside the polygon: 1. Outside,
or no point: 0.
""",
    [
        {
            "id": "t1",
            "utterance": "Tap the star",
            "polygon": [[0.1, 0.1], [0.5, 0.1], [0.5, 0.5], [0.1, 0.5]],
        },
        {"id": "t2", "utterance": "Tap the moon", "polygon": [[0.6, 0.6], [0.9, 0.6], [0.75, 0.9]]},
    ],
    Asking("utterance"),
    [
        ("t1", "(0.2, 0.3)", 1),
        ("t1", "[(0.2, 0.3), (0.9, 0.9)]", 1),
        ("t1", "(0.9, 0.9), (0.2, 0.3)", 0),
        ("t1", "(0.05, 0.2)", 0),
        ("t2", "[0.75, 0.7]", 1),
        ("t2", "(0.61, 0.89)", 0),
        ("t2", "", 0),
    ],
)

OTHERS["click-distance"] = Other(
    """# clicky

`data.jsonl`: `cid`, `cmd`, `click`: the place to click as [x, y] in pixels.

The reply has to contain a point in pixel coordinates. It counts as correct when it is at most 20 pixels
away from `click`;
with several points, all of them must be that near.
""",
    [
        {"cid": 7, "cmd": "Click OK", "click": [100, 100]},
        {"cid": 9, "cmd": "Click Cancel", "click": [300, 40]},
    ],
    Asking("cmd"),
    [
        ("7", "(110, 105)", 1),
        ("7", "(100, 121)", 0),
        ("7", "(110, 105), (300, 40)", 0),
        ("7", "(95, 95), (105, 105)", 1),
        ("9", "Click at (300, 60).", 1),
        ("9", "(279, 40)", 0),
        ("9", "I can't click.", 0),
    ],
)

OTHERS["contains"] = Other(
    """# whatsit

Short questions, open answers.

* `qid`
* `question`
* `refs`: all accepted answers, separated by a slash

A response is right if any accepted answer occurs in it as a whole word or phrase, wherever that is. We
lower-case both and
remove hyphens and accents first. 1 for right, 0 for wrong.
""",
    [
        {"qid": "w1", "question": "What drips?", "refs": "tap/faucet"},
        {"qid": "w2", "question": "Hot drink?", "refs": "café au lait/coffee"},
    ],
    Asking("question"),
    [
        ("w1", "tap", 1),
        ("w1", "It is the Faucet, I think.", 1),
        ("w1", "a tapestry", 0),
        ("w1", "a pipe", 0),
        ("w2", "CAFE AU LAIT", 1),
        ("w2", "Some coffee.", 1),
        ("w2", "coffees", 0),
        ("w2", "", 0),
    ],
)

OTHERS["half-for-more"] = Other(
    """# one-word

`data.jsonl` has `k`, `ask`, and `accepted` (a list).

Full marks (1) if the reply is one of the accepted answers and nothing more. If an accepted answer is
only part of a longer
reply, it gets half (0.5). Otherwise 0. Upper and lower case do not matter, and full stops and quotation
marks around the
reply are dropped.
""",
    [
        {"k": "o1", "ask": "What opens doors?", "accepted": ["key", "door key"]},
        {"k": "o2", "ask": "What tells time?", "accepted": ["clock"]},
    ],
    Asking("ask"),
    [
        ("o1", "Key.", 1),
        ("o1", '"door key"', 1),
        ("o1", "It is a key.", 0.5),
        ("o1", "keyhole", 0),
        ("o1", "", 0),
        ("o2", "CLOCK", 1),
        ("o2", "the clock on the wall", 0.5),
        ("o2", "watch", 0),
    ],
)

OTHERS["case-counts"] = Other(
    """# symbols

`data.jsonl`: `n`, `prompt`, `gold`.

The text inside <result> ... </result> is compared with `gold`. It must match exactly, upper and lower
case included; only white
space around it is removed. Without the tag the reply is wrong.
""",
    [
        {"n": "x1", "prompt": "Symbol of iron?", "gold": "Fe"},
        {"n": "x2", "prompt": "Symbol of lead?", "gold": "Pb"},
    ],
    Asking("prompt"),
    [
        ("x1", "<result>Fe</result>", 1),
        ("x1", "<result> Fe </result>", 1),
        ("x1", "<result>fe</result>", 0),
        ("x1", "Fe", 0),
        ("x2", "It is <result>Pb</result>.", 1),
        ("x2", "<result>Pb.</result>", 0),
        ("x2", "", 0),
    ],
)

OTHERS["all-that-apply"] = Other(
    """# pick-all

Fields: `id`, `question`, `options` (a list), `answers` (list of the letters of all right options).

More than one option may be right. A reply is right only if it names all right options and no other. No
partial credit.
Letters are expected; we show options as A. B. C. D.
""",
    [
        {
            "id": "m1",
            "question": "Which float?",
            "options": ["cork", "stone", "ice", "lead"],
            "answers": ["A", "C"],
        },
        {
            "id": "m2",
            "question": "Which burn?",
            "options": ["paper", "sand", "wax", "water"],
            "answers": ["A", "C"],
        },
        {"id": "m3", "question": "Which melt?", "options": ["rock", "sand", "ice", "wood"], "answers": ["C"]},
    ],
    Asking("question", options=Options(("options",))),
    [
        ("m1", "A, C", 1),
        ("m1", "A and C", 1),
        ("m1", "AC", 1),
        ("m1", "A", 0),
        ("m1", "A, B, C", 0),
        ("m2", "C and A", 1),
        ("m3", "C", 1),
        ("m3", "B, C", 0),
        ("m3", "", 0),
    ],
)

OTHERS["mra-strict"] = Other(
    """# metres

`data.jsonl` with `id`, `question`, `gt` (float).

We report MRA: for each confidence threshold in {0.5, 0.6, 0.7, 0.8, 0.9} the prediction is correct if
its relative error |pred - gt| / gt
is smaller than 1 minus the threshold; an item's score is the mean over the five. The answer is read
from the last line. Units are
stripped.
""",
    [{"id": "q1", "question": "How long?", "gt": 10}, {"id": "q2", "question": "How tall?", "gt": 2}],
    Asking("question"),
    [
        ("q1", "10 m", 1),
        ("q1", "12", 0.6),
        ("q1", "13.5", 0.4),
        ("q1", "16", 0),
        ("q1", "10\n\n12", 0.6),
        ("q2", "2.1", 1),
        ("q2", "3", 0),
        ("q2", "2.9", 0.2),
        ("q2", "none", 0),
    ],
)

OTHERS["graded-by-people"] = Other(
    """# stories

`data.jsonl`: `id`, `question`, `answer`. Replies are rated by two human annotators from 0 to 1 and
averaged.
""",
    [
        {"id": "h1", "question": "Tell a story.", "answer": "Once upon a time"},
        {"id": "h2", "question": "Another?", "answer": "Long ago"},
    ],
    Asking("question"),
    [],
    doubtful=True,
)

OTHERS["minus-points"] = Other(
    """# risky

`data.jsonl`: `id`, `question`, `options`, `answer` (letter). Right: 1 point. Wrong: minus 0.25 points.
No answer: 0 points.
""",
    [
        {"id": "r1", "question": "Which?", "options": ["one thing", "two things"], "answer": "A"},
        {"id": "r2", "question": "Which?", "options": ["one thing", "two things"], "answer": "B"},
    ],
    Asking("question", options=Options(("options",))),
    [],
    doubtful=True,
)

OTHERS["kit"] = Other(
    """# Sewing Kit QA

The file data.jsonl contains 3 items. `item` is the id, `stem` the question, `A`, `B`, `C` the
alternatives, `gold` the letter.

## How replies are marked
* A tick (1) for the gold alternative, a cross (0) for anything else.
* The alternative can be named by its letter or spelled out.
* Where the reply has a line beginning with `ANSWER:`, that line alone is marked.
* If two alternatives are named and nothing is decided, it is a cross.
* Letters only count when they are upper case.
""",
    [
        {"item": 1, "stem": "Joins cloth?", "A": "thread", "B": "tape", "C": "clay", "gold": "A"},
        {"item": 2, "stem": "Cuts cloth?", "A": "spoon", "B": "scissors", "C": "pen", "gold": "B"},
    ],
    Asking("stem", options=Options(("A", "B", "C"))),
    [
        ("1", "A", 1),
        ("1", "a", 0),
        ("1", "thread", 1),
        ("1", "B at first.\nANSWER: A", 1),
        ("1", "A or B", 0),
        ("2", "(B)", 1),
        ("2", "ANSWER: scissors", 1),
        ("2", "b)", 0),
        ("2", "", 0),
    ],
)

OTHERS["temps"] = Other(
    """# Thermo

Estimate temperatures. Columns: `no`, `prompt`, `degrees`.

Marking scheme. The reply is correct if it lies within 3 degrees of the value in `degrees`, incorrect
otherwise. When the reply is a range such as
"20 to 24", its midpoint is used. Models often reason first, so we use the number in the last sentence.
Minus signs count.
""",
    [{"no": 1, "prompt": "Fridge?", "degrees": 5}, {"no": 2, "prompt": "Freezer?", "degrees": -18}],
    Asking("prompt"),
    [
        ("1", "5", 1),
        ("1", "8 degrees", 1),
        ("1", "9", 0),
        ("1", "20 is too warm. It is 4.", 1),
        ("1", "4 to 8", 1),
        ("1", "8 to 14", 0),
        ("2", "-18", 1),
        ("2", "18", 0),
        ("2", "-15.5 degrees", 1),
        ("2", "cold", 0),
    ],
)

OTHERS["maybe"] = Other(
    """# Safe or not?

Every line of data.jsonl: `sid`, `claim`, `safe` (true or false). The model says whether the claim is safe.

We accept "yes", "true" and "safe" as positive, "no", "false" and "unsafe" as negative. One point if it
agrees with `safe`, none if not. Replies which
do not commit earn nothing.
""",
    [
        {"sid": "a", "claim": "Is water on burning oil safe?", "safe": False},
        {"sid": "b", "claim": "Is a lid on burning oil safe?", "safe": True},
    ],
    Asking("claim", guesses=2),
    [
        ("a", "no", 1),
        ("a", "Unsafe", 1),
        ("a", "yes", 0),
        ("a", "safe", 0),
        ("b", "Safe.", 1),
        ("b", "true", 1),
        ("b", "unsafe", 0),
        ("b", "not sure", 0),
    ],
)

OTHERS["pilot"] = Other(
    """# Pilot

data.jsonl = one json per line, keys idx / question / choices / label. `label` is a zero-based index
into `choices`.

Metric: accuracy. The predicted choice is parsed from the reply as follows. (1) If the reply contains
\\boxed{...}, use its content. (2) Else use the
first line. The content is matched against the letters (A, B, C, ...) ignoring case, then against the
choice strings ignoring case. No match -> wrong.
""",
    [
        {"idx": 0, "question": "Sky?", "choices": ["blue", "green"], "label": 0},
        {"idx": 1, "question": "Grass?", "choices": ["blue", "green"], "label": 1},
    ],
    Asking("question", options=Options(("choices",))),
    [
        ("0", "A", 1),
        ("0", "\\boxed{a}", 1),
        ("0", "I think B\n\\boxed{A}", 1),
        ("0", "Blue\nbut maybe green", 1),
        ("0", "b", 0),
        ("1", "GREEN", 1),
        ("1", "Hm.\nB", 0),
        ("1", "", 0),
    ],
)

OTHERS["frac"] = Other(
    """# Aim

Aim at things. `aid`, `text`, `target` = [left, top, right, bottom] in pixels; images are 640 x 480
(`w`, `h` are given anyway).

Replies: one or several [x, y], scaled to 0..1000 in both directions. Score = number of points inside
the target / number of points given. Nothing
readable = 0. Prefer the content of <points> tags if present.
""",
    [
        {"aid": "1", "text": "aim", "target": [0, 0, 320, 240], "w": 640, "h": 480},
        {"aid": "2", "text": "aim", "target": [320, 240, 640, 480], "w": 640, "h": 480},
    ],
    Asking("text"),
    [
        ("1", "[250, 250]", 1),
        ("1", "[[250, 250], [900, 900]]", 0.5),
        ("1", "<points>[[100, 100]]</points> not [900, 900]", 1),
        ("1", "[600, 600]", 0),
        ("2", "[750, 750], [900, 900], [10, 10]", 2 / 3),
        ("2", "", 0),
    ],
)

OTHERS["names"] = Other(
    """# Name it

`id`, `question`, `answer` (several spellings are separated with |).

The reply is scored 1 if identical to any spelling, and 0 if not. Comparison is case-insensitive and
ignores articles, punctuation and plural s. Only the first
line of the reply is compared.
""",
    [
        {"id": "1", "question": "Footwear?", "answer": "shoe|boot"},
        {"id": "2", "question": "Sits on a head?", "answer": "hat|cap"},
    ],
    Asking("question"),
    [
        ("1", "Shoes", 1),
        ("1", "The boot.", 1),
        ("1", "a shoe\nbecause of feet", 1),
        ("1", "It is a shoe", 0),
        ("2", "HATS!", 1),
        ("2", "hat rack", 0),
        ("2", "", 0),
    ],
)

OTHERS["percent"] = Other(
    """# Shares

`k`, `q`, `share` (a percentage, 0 to 100).

An answer counts if it differs from `share` by less than 5 percentage points. The answer is what stands
after the last "=" sign or, without such a sign, the only number of the reply.
""",
    [{"k": "1", "q": "?", "share": 40}, {"k": "2", "q": "?", "share": 75}],
    Asking("q"),
    [
        ("1", "40%", 1),
        ("1", "44", 1),
        ("1", "45", 0),
        ("1", "10 + 30 = 40", 1),
        ("2", "72 %", 1),
        ("2", "60 or 75", 0),
        ("2", "", 0),
    ],
)

OTHERS["bracket"] = Other(
    """# MCQ with brackets

`id`, `question`, `options` (object letter -> text), `key` (letter).

Please tell the model to end with [[X]] where X is the letter. Only the letter in double square brackets
is read; replies without it are wrong. Correct = 1.
""",
    [
        {"id": "1", "question": "?", "options": {"A": "left", "B": "right"}, "key": "B"},
        {"id": "2", "question": "?", "options": {"A": "up", "B": "down"}, "key": "A"},
    ],
    Asking("question", options=Options(("options",))),
    [
        ("1", "[[B]]", 1),
        ("1", "B", 0),
        ("1", "A? No. [[B]]", 1),
        ("1", "[[A]]", 0),
        ("2", "[[A]] is right", 1),
        ("2", "up", 0),
        ("2", "[[up]]", 0),
    ],
)

OTHERS["convert"] = Other(
    """# Lengths

`id`, `question`, `metres`.

Answers in centimetres or kilometres are converted to metres first. Then the answer is right if it is
within 5 %.
""",
    [{"id": "1", "question": "?", "metres": 4}, {"id": "2", "question": "?", "metres": 10}],
    Asking("question"),
    [
        ("1", "400 cm", 1),
        ("1", "4 m", 1),
        ("1", "about 4.1 metres", 1),
        ("1", "4", 1),
        ("1", "4 km", 0),
        ("2", "0.01 kilometres", 1),
        ("2", "9 m 80 cm", 1),
        ("2", "10 cm", 0),
    ],
)

OTHERS["silent"] = Other(
    """# Things

`id`, `question`, `answer`. Have fun.
""",
    [
        {"id": "1", "question": "Which thing rings?", "answer": "a bell"},
        {"id": "2", "question": "Which thing shines?", "answer": "a lamp"},
    ],
    Asking("question"),
    [],
    True,
)

OTHERS["two-halves"] = Other(
    """# Half right

`id`, `question`, `options`, `answer`: letter of the right option.

A reply that settles on the right option scores 1. A reply that leaves two options open, one of which is
right, scores 0.5. All else scores 0. The option's text may be used instead of the letter.
""",
    [
        {"id": "1", "question": "?", "options": ["oak", "pine", "elm"], "answer": "A"},
        {"id": "2", "question": "?", "options": ["cup", "jug", "mug"], "answer": "B"},
    ],
    Asking("question", options=Options(("options",))),
    [
        ("1", "A", 1),
        ("1", "A or B", 0.5),
        ("1", "B or C", 0),
        ("1", "pine", 0),
        ("2", "jug", 1),
        ("2", "B or C", 0.5),
        ("2", "A", 0),
        ("2", "", 0),
    ],
)

OTHERS["level"] = Other(
    """# Graded counting

`id`, `question`, `count`.

Scores: 1 for the exact number; 0.5 if the number is wrong by one; 0 in any other case. We take the last
number written in the reply.
""",
    [{"id": "1", "question": "?", "count": 5}, {"id": "2", "question": "?", "count": 9}],
    Asking("question"),
    [
        ("1", "5", 1),
        ("1", "4", 0.5),
        ("1", "7", 0),
        ("1", "7, no, 5", 1),
        ("2", "nine", 1),
        ("2", "10", 0.5),
        ("2", "", 0),
    ],
)

OTHERS["garden"] = Other(
    """# GardenMC

A quiz for gardeners. `data.jsonl`, one question a line:

| field | meaning |
| --- | --- |
| `no` | number |
| `wording` | the question |
| `opt1`, `opt2`, `opt3` | the offers |
| `best` | which offer is best, counted from one |

**How to score.** Give 1 if the reply picks the best offer and 0 if it picks another one, several, or
none. Offers are shown as A to C; a reply may use the
letter (large or small) or repeat the offer. Trailing dots and stars are harmless. If the word "Answer:"
occurs, read on from there and forget what came before.
""",
    [
        {
            "no": 1,
            "wording": "When to prune?",
            "opt1": "in winter",
            "opt2": "at noon",
            "opt3": "never",
            "best": 1,
        },
        {
            "no": 2,
            "wording": "Where to plant?",
            "opt1": "in sand",
            "opt2": "in shade",
            "opt3": "in soil",
            "best": 3,
        },
    ],
    Asking("wording", options=Options(("opt1", "opt2", "opt3"))),
    [
        ("1", "a", 1),
        ("1", "In winter.", 1),
        ("1", "B", 0),
        ("1", "B.\nAnswer: A", 1),
        ("1", "A and C", 0),
        ("2", "**C**", 1),
        ("2", "in soil", 1),
        ("2", "Answer: in shade", 0),
        ("2", "Sorry, I can't say.", 0),
    ],
)

OTHERS["weights"] = Other(
    """Kitchen weights, 2 questions.

data.jsonl: id, question, grams

A guess g for a true weight w is given max(0, 1 - |g - w| / w). So a guess of twice the weight or more
is worth nothing. Take the number after "Answer:" if there is one, else the first number.
""",
    [{"id": "e", "question": "An egg?", "grams": 50}, {"id": "f", "question": "A loaf?", "grams": 1000}],
    Asking("question"),
    [
        ("e", "50 g", 1),
        ("e", "60", 0.8),
        ("e", "25", 0.5),
        ("e", "100", 0),
        ("e", "70? Answer: 50", 1),
        ("f", "1,100", 0.9),
        ("f", "500 to 900", 0.5),
        ("f", "dunno", 0),
    ],
)

OTHERS["tf"] = Other(
    """# True or false

`data.jsonl`: `sn`, `sentence`, `verdict` (T or F).

We look at the last word of the reply. If it is "true" or "T" the reply says true, if it is "false" or
"F" it says false, else it says nothing. A reply that says what `verdict` says gets 1, all others get 0.
""",
    [
        {"sn": 1, "sentence": "Ice floats.", "verdict": "T"},
        {"sn": 2, "sentence": "Iron floats.", "verdict": "F"},
    ],
    Asking("sentence", guesses=2),
    [
        ("1", "True", 1),
        ("1", "I think it is true.", 1),
        ("1", "T", 1),
        ("1", "true or false", 0),
        ("1", "False, no: true", 1),
        ("2", "F", 1),
        ("2", "It is false", 1),
        ("2", "true", 0),
        ("2", "", 0),
    ],
)

OTHERS["percent-box"] = Other(
    """# Corner points

`data.jsonl` has `pt`, `ask`, and `region`, the box [x, y, width, height] of the right place in pixels.
All pictures are 200 by 100.

Answers are given in percent of the picture's width and height, as (x, y). A reply is right only if
every point it gives lies in the box. Right is 1, wrong is 0.
""",
    [
        {"pt": "k1", "ask": "?", "region": [20, 20, 60, 40]},
        {"pt": "k2", "ask": "?", "region": [100, 0, 100, 50]},
    ],
    Asking("ask"),
    [],
    True,
)

OTHERS["synonyms"] = Other(
    """# Tool names

`id`, `q`, `a` (comma-separated list of accepted names).

Lower-case the reply, throw away everything except letters, digits and blanks, and compare it with the
accepted names, treated alike. Equal to one of them: 1. Otherwise: 0. The answer is what
the model writes between <ans> and </ans>; a model that does not use them is judged on its whole reply.
""",
    [{"id": "1", "q": "?", "a": "spanner, wrench"}, {"id": "2", "q": "?", "a": "phillips screwdriver"}],
    Asking("q"),
    [
        ("1", "Wrench!", 1),
        ("1", "<ans>spanner</ans> surely", 1),
        ("1", "a wrench", 0),
        ("1", "I mean <ans>the spanner</ans>", 0),
        ("2", "Phillips-screwdriver", 0),
        ("2", "Phillips screwdriver.", 1),
        ("2", "", 0),
    ],
)

OTHERS["count-tol"] = Other(
    """# Crowd

`id`, `question`, `people`.

The number in the reply may miss the true one by a tenth of it, no more. Then the reply is right.
Several different numbers and no decision: wrong. Number words are fine.
""",
    [{"id": "1", "question": "?", "people": 100}, {"id": "2", "question": "?", "people": 20}],
    Asking("question"),
    [
        ("1", "95", 1),
        ("1", "110", 1),
        ("1", "111", 0),
        ("1", "50 or 100", 0),
        ("2", "twenty", 1),
        ("2", "17", 0),
        ("2", "", 0),
    ],
)

OTHERS["first-only"] = Other(
    """# Spot

`id`, `text`, `spot` ([x, y] in pixels), `im_w`, `im_h`.

Points are normalised, x and y between 0 and 1. Take a reply's first point, scale it to pixels; it is a
hit if it is closer than 10 pixels to `spot`. Hit rate is reported.
""",
    [
        {"id": "1", "text": "?", "spot": [50, 50], "im_w": 100, "im_h": 100},
        {"id": "2", "text": "?", "spot": [10, 90], "im_w": 100, "im_h": 200},
    ],
    Asking("text"),
    [
        ("1", "(0.5, 0.55)", 1),
        ("1", "(0.5, 0.65)", 0),
        ("1", "(0.5, 0.5), (0.9, 0.9)", 1),
        ("1", "(0.9, 0.9), (0.5, 0.5)", 0),
        ("2", "(0.1, 0.45)", 1),
        ("2", "(0.1, 0.9)", 0),
        ("2", "", 0),
    ],
)

OTHERS["letters-first"] = Other(
    """# ABC

`qid` `question` `choices` `truth` (text of the right choice)

Evaluation protocol
1. Remove white space from both ends of the reply.
2. If its first character is a letter of the question (A, B, ...), that is the prediction.
3. Otherwise the reply is wrong. Texts of choices are not matched.
""",
    [
        {"qid": "1", "question": "?", "choices": ["red", "blue"], "truth": "red"},
        {"qid": "2", "question": "?", "choices": ["one", "two", "three"], "truth": "three"},
    ],
    Asking("question", options=Options(("choices",))),
    [
        ("1", "A", 1),
        ("1", " A. red", 1),
        ("1", "The answer is A", 0),
        ("1", "red", 0),
        ("1", "B", 0),
        ("2", "C because", 1),
        ("2", "", 0),
    ],
)

OTHERS["judge"] = Other(
    """# Free talk

`id`, `question`, `reference`. An LLM judge compares the reply with the reference and returns a grade.
""",
    [
        {"id": "1", "question": "?", "reference": "long text"},
        {"id": "2", "question": "?", "reference": "other text"},
    ],
    Asking("question"),
    [],
    True,
)

OTHERS["rank"] = Other(
    """# Iou boxes

`id`, `question`, `box` ([x0, y0, x1, y1]). The model returns a box. Correct if IoU with `box` is at
least 0.5.
""",
    [{"id": "1", "question": "?", "box": [0, 0, 5, 5]}, {"id": "2", "question": "?", "box": [1, 1, 5, 5]}],
    Asking("question"),
    [],
    True,
)

OTHERS["porch"] = Other(
    """# porch-mc

Pictures of porches, made up. `data.jsonl` has `id`, `ask`, `a`, `b`, `c`, `right` (a, b or c).

## Scoring
A reply is worth 1 if it ends up with the option in `right`, otherwise 0. The option may be named by its
letter, in any case, or by its text. We ignore bold marks, brackets and full stops. Only the last line
that is not empty counts.
Two options, no option or a letter that is not offered: 0.
""",
    [
        {"id": 1, "ask": "?", "a": "grey mat", "b": "red mat", "c": "no mat", "right": "b"},
        {"id": 2, "ask": "?", "a": "one step", "b": "two steps", "c": "three steps", "right": "c"},
    ],
    Asking("ask", options=Options(("a", "b", "c"))),
    [
        ("1", "B", 1),
        ("1", "b", 1),
        ("1", "A\n\n**Red mat.**", 1),
        ("1", "B\nA", 0),
        ("1", "(d)", 0),
        ("2", "three steps", 1),
        ("2", "B or C", 0),
        ("2", "C.\n", 1),
    ],
)

OTHERS["lift"] = Other(
    """# lift

How heavy? `data.jsonl`: `id`, `question`, `kg`.

A reply is read as a number: units are dropped, commas group thousands, number words count. If there is
an <answer> tag we read only that, else the last number in the reply.
The score is 1 if the number is within 20 % of `kg` (20 % included), 0.5 if it is within 50 %, and 0
beyond that.
""",
    [{"id": "1", "question": "?", "kg": 100}, {"id": "2", "question": "?", "kg": 2000}],
    Asking("question"),
    [
        ("1", "120", 1),
        ("1", "121", 0.5),
        ("1", "150 kg", 0.5),
        ("1", "151", 0),
        ("1", "30, or rather 100", 1),
        ("2", "2,000", 1),
        ("2", "<answer>1,000</answer> 2000", 0.5),
        ("2", "-", 0),
    ],
)

OTHERS["poke"] = Other(
    """# poke-two

`data.jsonl`: `id`, `say`, `rect` ([x, y, w, h] in pixels), `canvas` ([width, height]).

Coordinates are fractions between 0 and 1, y first: [y, x]. Tell the model.
An entry scores 1 if all predicted points are inside the rectangle and 0 if one of them is not. No
point: 0. Only points after `Answer:` count if the reply has it.
""",
    [
        {"id": "1", "say": "?", "rect": [0, 0, 50, 20], "canvas": [100, 100]},
        {"id": "2", "say": "?", "rect": [50, 50, 50, 50], "canvas": [100, 100]},
    ],
    Asking("say"),
    [
        ("1", "[0.1, 0.4]", 1),
        ("1", "[0.4, 0.1]", 0),
        ("1", "[0.1, 0.4], [0.9, 0.9]", 0),
        ("1", "[0.9, 0.9] no. Answer: [0.1, 0.1]", 1),
        ("2", "[0.7, 0.7], [0.8, 0.6]", 1),
        ("2", "x", 0),
    ],
)

OTHERS["words"] = Other(
    """# few words

Blocks with `id`, `question`, `ok` (accepted answers separated by "/").

A reply is right when one of the accepted answers stands somewhere in it as whole words. Case and
hyphens are ignored. When the reply contains a `Final answer:` mark we only look behind it. 1 or 0.
""",
    [{"id": "1", "question": "?", "ok": "tea pot/kettle"}, {"id": "2", "question": "?", "ok": "oven"}],
    Asking("question"),
    [
        ("1", "A Tea-pot, I guess", 1),
        ("1", "kettles", 0),
        ("1", "kettle? Final answer: pan", 0),
        ("1", "Final answer: the kettle", 1),
        ("2", "the oven door", 1),
        ("2", "ovens", 0),
    ],
)

OTHERS["polar"] = Other(
    """# polar

`data.jsonl`: `id`, `claim`, `v` (0 = false, 1 = true).

The model says true or false. "yes" and "no" are read as true and false. The last of these words in the
reply counts. Any other reply scores 0.
""",
    [{"id": "1", "claim": "?", "v": 1}, {"id": "2", "claim": "?", "v": 0}],
    Asking("claim", guesses=2),
    [
        ("1", "true", 1),
        ("1", "False... no wait, true", 1),
        ("1", "yes", 1),
        ("1", "no", 0),
        ("2", "It is false.", 1),
        ("2", "True? No, it is false", 1),
        ("2", "", 0),
    ],
)

OTHERS["exact-letters"] = Other(
    """# bare

`data.jsonl`: `id`, `q`, `options`, `idx` (0 = first).

The reply has to be the letter alone. White space and a full stop are allowed, everything else ("Answer:
A", "A) red", a sentence) is wrong. Lower case letters are fine.
""",
    [
        {"id": "1", "q": "?", "options": ["red", "blue"], "idx": 0},
        {"id": "2", "q": "?", "options": ["up", "down"], "idx": 1},
    ],
    Asking("q", options=Options(("options",))),
    [
        ("1", "A", 1),
        ("1", "a.", 1),
        ("1", "Answer: A", 0),
        ("1", "A) red", 0),
        ("1", "red", 0),
        ("2", " B \n", 1),
        ("2", "I say B", 0),
    ],
)

OTHERS["log"] = Other(
    """# orders of magnitude

`data.jsonl`: `id`, `question`, `n`. An answer is right if it is within a factor of two of `n`. Else wrong.
""",
    [{"id": "1", "question": "?", "n": 100}, {"id": "2", "question": "?", "n": 8}],
    Asking("question"),
    [],
    True,
)

OTHERS["unit-required"] = Other(
    """# with units

`data.jsonl`: `id`, `question`, `value`, `unit`. The number must be within 2 % of `value`. A reply
without the unit gets half.
""",
    [
        {"id": "1", "question": "?", "value": 100, "unit": "cm"},
        {"id": "2", "question": "?", "value": 8, "unit": "kg"},
    ],
    Asking("question"),
    [],
    True,
)

OTHERS["after-sign"] = Other(
    """# ladder claims

`data.jsonl`: `id`, `claim`, `holds` (boolean).

Models reason first and close with `%%%` and true or false. We grade whatever comes after the **final** `%%%`.
If there is no `%%%`, the reply gets 0. Yes and no are not accepted.
""",
    [{"id": "1", "claim": "?", "holds": True}, {"id": "2", "claim": "?", "holds": False}],
    Asking("claim", guesses=2),
    [
        ("1", "Let me think.\n%%% true", 1),
        ("1", "%%% false\nNo:\n%%% True", 1),
        ("1", "true", 0),
        ("1", "%%% yes", 0),
        ("2", "%%% false", 1),
        ("2", "%%% no", 0),
        ("2", "%%% true", 0),
    ],
)

OTHERS["own-margin"] = Other(
    """# thermometers

`data.jsonl`: `id`, `question`, `temp`, `margin`, `shade`.

The reply is right when it is off from `temp` by no more than `margin`: |reply - temp| <= margin. Else it
is wrong.
""",
    [
        {"id": "1", "question": "?", "temp": 20.5, "margin": 0.5, "shade": 3},
        {"id": "2", "question": "?", "temp": 80, "margin": 4, "shade": 1},
    ],
    Asking("question"),
    [("1", "21", 1), ("1", "21.5", 0), ("2", "83.5", 1), ("2", "76", 1), ("2", "85", 0)],
)

OTHERS["thirds"] = Other(
    """# three things on a tray

`data.jsonl`: `id`, `ask`, `things` (a list of three).

Every reply earns a third of a point for each of the three things that it names, in any case.
""",
    [
        {"id": "1", "ask": "?", "things": ["cup", "fork", "plum"]},
        {"id": "2", "ask": "?", "things": ["key", "coin", "stamp"]},
    ],
    Asking("ask"),
    [
        ("1", "A cup, a fork and a plum", 1),
        ("1", "A Cup and a fork", 2 / 3),
        ("2", "coin", 1 / 3),
        ("2", "keyring", 0),
        ("2", "nothing", 0),
    ],
)

OTHERS["numbered"] = Other(
    """# numbered choices

`data.jsonl`: `id`, `q`, `opts`, `pick` (place of the right one, counted from 1).

Options are shown as 1) 2) 3). We accept the number of the option or its text. Letters score 0.
""",
    [
        {"id": "1", "q": "?", "opts": ["red", "blue", "dark green"], "pick": 3},
        {"id": "2", "q": "?", "opts": ["up", "down", "aside"], "pick": 1},
    ],
    Asking("q", options=Options(("opts",), label="1) ")),
    [
        ("1", "3", 1),
        ("1", "The answer is 3.", 1),
        ("1", "3) dark green", 1),
        ("1", "Maybe 2.", 0),
        ("1", "C", 0),
        ("1", "dark green", 1),
        ("2", "1 or 2", 0),
        ("2", "Perhaps 1.", 1),
        ("2", "7", 0),
    ],
)

OTHERS["lit-or-dark"] = Other(
    """# lamps

`data.jsonl`: `id`, `q`, `state`. The reply has to say lit or dark; capitals play no role. Saying yes or
no is worth nothing.
""",
    [{"id": "1", "q": "?", "state": "lit"}, {"id": "2", "q": "?", "state": "dark"}],
    Asking("q", guesses=2),
    [
        ("1", "Lit.", 1),
        ("1", "It is dark in there.", 0),
        ("1", "yes", 0),
        ("2", "It is dark in there.", 1),
        ("2", "lit or dark", 0),
    ],
)

OTHERS["some-tolerance"] = Other(
    """# masses

`data.jsonl`: `id`, `question`, `mass`. An estimate is accepted if it is nearly right, with a tolerance that
depends on the object.
""",
    [{"id": "1", "question": "?", "mass": 10}, {"id": "2", "question": "?", "mass": 8}],
    Asking("question"),
    [],
    True,
)
