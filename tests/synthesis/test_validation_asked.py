"""What the contract gate says of requests that leave something out, in whatever way the question is given."""

from __future__ import annotations

from typing import Any

import pytest

from gumption.synthesis.contract import requests_of
from gumption.synthesis.recipes import request
from gumption.synthesis.spec import Asking, Gold, Loading, Options, Scoring, Source, Spec
from gumption.synthesis.validation._asked import asked_as_declared
from gumption.synthesis.validation._declared import Declared

ROW: dict[str, Any] = {
    "thing": "red  mug",
    "side": 2.0,
    "ask": "Look at <image 1>. Where is it?",
    "talk": [
        {"role": "system", "content": "You are careful."},
        {"role": "user", "content": [{"type": "text", "text": "Where is the mug?"}]},
    ],
    "hint": "It is not on the floor.",
    "none": "nan",
    "several": ["a", "b"],
    "form": "Say yes or no.",
    "a": "on the shelf",
    "b": "in the sink",
    "picture": "a.png",
    "right": "yes",
}
TEMPLATE = Asking("", template="Is there a {thing}\n on side {side}?")
PLACED = Asking("ask", images=("picture",))


def missing(asking: Asking, parts: list[dict[str, str]]) -> list[str]:
    """What the gate says is not shown of a row that is asked by these parts."""
    scoring = Scoring("yes_no", Gold("right", "yes_no"), "exact")
    spec = Spec("s", Loading((Source("a.jsonl", "jsonl"),), "id"), asking, scoring)
    (asked,) = requests_of([{"parts": parts}])
    return [one.check for one in asked_as_declared(Declared("7", ROW), asked, spec)]


@pytest.mark.parametrize(
    ("asking", "parts", "wanted"),
    [
        (TEMPLATE, ["Is there a red mug on side 2?"], []),
        (TEMPLATE, ["Is there a cup on side 2?"], ["the template's thing is shown"]),
        (TEMPLATE, ["Is there a red mug on side two?"], ["the template's side is shown"]),
        (TEMPLATE, ["red mug 2?"], ["the template's text is shown"] * 2),
        (Asking("", template="{several} {thing}"), ["a, b: red mug"], []),
        (PLACED, ["Look at", "@a.png", ". Where is it?"], []),
        (PLACED, ["Look at", "@a.png"], ["the question is shown"]),
        (PLACED, ["Look at <image 1>. Where is it?"], ["the declared pictures are shown"]),
        (Asking("talk"), ["You are careful.\nWhere is the mug?"], []),
        (Asking("talk"), ["Where is the mug?"], ["the question is shown"]),
        (Asking("form", context=("hint", "none")), ["It is not on the floor. Say yes or no."], []),
        (Asking("form", context=("hint", "none")), ["Say yes or no."], ["the column hint is shown"]),
        (Asking("hint", closing=("form",)), ["It is not on the floor."], ["the column form is shown"]),
        (Asking("form", context=("hint",), order=("question",)), ["Say yes or no."], []),
        (
            Asking("", template="Where is the {thing}?", options=Options(("a", "b"))),
            ["Where is the red mug? A. on the shelf"],
            ["all options are shown"],
        ),
    ],
)
def test_what_is_left_out_is_found_and_nothing_else(
    asking: Asking, parts: list[str], wanted: list[str]
) -> None:
    made = [{"image": part[1:]} if part.startswith("@") else {"text": part} for part in parts]
    assert missing(asking, made) == wanted


@pytest.mark.parametrize(
    "asking",
    [
        TEMPLATE,
        PLACED,
        Asking("talk"),
        Asking("talk", images=("picture",)),
        Asking("", template="See <image>: a {thing}?", images=("picture",), closing=("form",)),
        Asking("form", context=("hint", "none", "several"), labels={"hint": "Hint: "}),
        Asking("ask", images=("picture",), options=Options(("a", "b")), instruction="One letter."),
    ],
)
def test_what_the_recipe_makes_is_as_declared(asking: Asking) -> None:
    assert missing(asking, request(ROW, asking)["parts"]) == []
