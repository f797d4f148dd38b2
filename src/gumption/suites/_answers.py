"""From what a row says is right to an `Answer`. Nothing is guessed: what does not fit is an error."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import Any, TypeGuard, get_args

from gumption.records import Answer, AnswerKind, Convention, GumptionError

_YES_NO = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_INTEGER = re.compile(r"[+-]?\d{1,300}", re.ASCII)
_LONGEST_NUMBER = 400
_MOST_POINTS = 100_000


def make_answer(
    gold: Any,
    *,
    kind: str | None = None,
    choices: dict[str, str] | None = None,
    convention: Convention | None = None,
    size: tuple[int, int] | None = None,
    tolerance: float = 0.0,
) -> Answer:
    """The answer of an item with this gold.

    Without `kind`: choices make it choice, "yes"/"no" or a bool yes_no, a number number, all else text.
    Raises GumptionError if the gold is missing, or not what the kind asks for.
    """
    if gold is None or (isinstance(gold, str) and not gold.strip()):
        raise GumptionError("there is no answer", remedy="give the right answer, or drop the row")
    kind = kind or _infer_kind(gold, choices)
    if kind == "choice":
        return Answer("choice", _choice_gold(gold, choices or {}), choices, convention, size, tolerance)
    if kind not in _GOLDS:
        known = kind in get_args(AnswerKind)
        problem = (
            f"items of kind {kind!r} do not come from question files" if known else f"unknown kind {kind!r}"
        )
        raise GumptionError(problem, remedy=f"use one of choice, {', '.join(_GOLDS)}")
    if choices:
        problem = f"an item of kind {kind!r} has choices"
        raise GumptionError(problem, remedy='leave the choices out, or use the kind "choice"')
    name, gold_of = _GOLDS[kind]
    return Answer(name, gold_of(gold), None, convention, size, tolerance)


def letters(options: list[Any] | Mapping[str, Any]) -> dict[str, str]:
    """Letter to option text, from texts in order or from letter to text; numbers become text.

    Raises GumptionError for more than 26, for keys other than single letters and for options of another type.
    """
    if isinstance(options, Mapping):
        pairs = [(key.strip().upper(), option) for key, option in options.items()]
    else:
        if len(options) > len(ascii_uppercase):
            raise GumptionError(
                f"{len(options)} choices are more than the letters A to Z", remedy="use fewer"
            )
        pairs = list(zip(ascii_uppercase, options, strict=False))
    found: dict[str, str] = {}
    for letter, option in pairs:
        if len(letter) != 1 or letter not in ascii_uppercase or letter in found:
            problem = f"{letter!r} is not a letter from A to Z used once"
            raise GumptionError(problem, remedy="name the choices A, B, C, ...")
        if isinstance(option, bool) or not isinstance(option, str | int | float):
            problem = f"choice {letter} is not text: {option!r}"
            raise GumptionError(problem, remedy="write every choice as text")
        found[letter] = str(option)
    return found


def _infer_kind(gold: Any, choices: dict[str, str] | None) -> AnswerKind:
    if choices:
        return "choice"
    if isinstance(gold, bool) or (isinstance(gold, str) and gold.strip().lower() in ("yes", "no")):
        return "yes_no"
    return "number" if isinstance(gold, int | float) else "text"


def _choice_gold(gold: Any, choices: dict[str, str]) -> str:
    if not choices and isinstance(gold, str) and gold.strip().upper() in set(ascii_uppercase):
        return gold.strip().upper()  # options that are known by their letters alone
    if len(choices) < 2:
        problem = f"a choice item has {len(choices)} choices"
        raise GumptionError(problem, remedy="give at least two choices")
    if isinstance(gold, bool) or not isinstance(gold, str | int | float):
        raise _wrong("choice", gold, "give the letter or the text of one choice")
    text = str(gold).strip()
    if text in choices:
        return text
    same = [letter for letter, option in choices.items() if option.strip() == text]
    if len(same) == 1:
        return same[0]
    if isinstance(gold, str) and not same and text.upper() in choices:
        return text.upper()
    reason = f"the text of {len(same)} choices" if same else "neither a letter nor the text of a choice"
    problem = f"the answer {gold!r} is {reason}"
    raise GumptionError(
        problem, remedy=f"give one of the letters {', '.join(choices)}; places are not guessed"
    )


def _yes_no_gold(gold: Any) -> str:
    word = str(gold).strip().lower() if isinstance(gold, str | bool) else ""
    if word not in _YES_NO:
        raise _wrong("yes_no", gold, "give yes or no")
    return _YES_NO[word]


def _number_gold(gold: Any) -> int | float:
    remedy = "give a plain finite number without a unit or thousands marks"
    value = gold
    if isinstance(gold, str) and len(gold) <= _LONGEST_NUMBER:
        try:
            value = int(gold) if _INTEGER.fullmatch(gold.strip()) else float(gold)
        except ValueError as error:
            raise _wrong("number", gold, remedy) from error
    if _is_number(value):
        return value
    raise _wrong("number", gold, remedy)


def _text_gold(gold: Any) -> str | list[str]:
    accepted = gold if isinstance(gold, list) else [gold]
    if not accepted or not all(isinstance(text, str) and text.strip() for text in accepted):
        raise _wrong("text", gold, "give a text, or a list of accepted texts; numbers in quotes")
    return accepted if isinstance(gold, list) else str(gold)


def _point_gold(gold: Any) -> dict[str, Any]:
    match gold:
        case {"box": [x0, y0, x1, y1], **rest}:
            good = not rest and all(map(_is_number, (x0, y0, x1, y1))) and x0 < x1 and y0 < y1
        case {"polygon": [_, _, _, *_] as points, **rest} | {"points": [_, *_] as points, **rest}:
            good = not rest and len(points) <= _MOST_POINTS and all(map(_is_point, points))
        case _:
            good = False
    if not good:
        shapes = '{"box": [x0, y0, x1, y1]}, {"polygon": [[x, y], ...]} or {"points": [[x, y], ...]}'
        raise _wrong("point", gold, f"give {shapes} in pixels")
    return dict(gold)


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _wrong(kind: str, gold: Any, remedy: str) -> GumptionError:
    shown = repr(gold)
    shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
    return GumptionError(f"the answer {shown} does not fit the kind {kind!r}", remedy=remedy)


_GOLDS: dict[str, tuple[AnswerKind, Callable[[Any], Any]]] = {
    "yes_no": ("yes_no", _yes_no_gold),
    "number": ("number", _number_gold),
    "text": ("text", _text_gold),
    "point": ("point", _point_gold),
}
