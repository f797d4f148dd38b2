"""Where an answer stands in a reply: each declared region alone, behind a decoy, and against the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gumption.synthesis.spec import Scoring

__all__ = ["Frame", "bare", "frames"]

Wrap: TypeAlias = Callable[[str, str], "str | None"]
"""From an answer and a decoy to a reply; None where the answer does not fit there."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One place of an answer."""

    name: str
    wrap: Wrap


def bare(scoring: Scoring) -> Wrap:
    """The plainest place: the last declared region, which is the whole reply as a rule."""
    place = _places(scoring.region[-1])[0].wrap
    return lambda answer, _: place(answer, "")


def frames(scoring: Scoring) -> Iterator[Frame]:
    """All places that the record declares, and pairs of which the one that is declared first counts."""
    regions = scoring.region
    for at, name in enumerate(regions):
        yield from _places(name)
        for later in regions[at + 1 :]:
            if _is_apart(name) and _is_apart(later):
                first, second = _places(name)[0].wrap, _places(later)[0].wrap
                yield Frame(f"{name} before {later}", _both(first, second))
    if regions[-1] == "whole" and scoring.kind != "text" and not scoring.parameters.get("whole"):
        said = "({})" if scoring.parameters.get("bracketed") else "{}"
        yield Frame(
            "with a line behind it",
            lambda answer, _: f"The answer is {said.format(answer)}.\nThat settles it.",
        )
    fallback = bare(scoring)
    yield Frame(
        "after reasoning",
        lambda answer, decoy: _behind(f"<think>{decoy or 'Hm.'}</think>\n", fallback(answer, "")),
    )


def _both(first: Wrap, second: Wrap) -> Wrap:
    def wrap(answer: str, decoy: str) -> str | None:
        one, other = first(answer, ""), second(decoy, "")
        return None if one is None or other is None else f"{other}\n{one}"

    return wrap


def _behind(before: str, reply: str | None) -> str | None:
    return None if reply is None else before + reply


def _is_apart(name: str) -> bool:
    return name in ("answer_tag", "answer_mark", "boxed") or name.partition(":")[0] in (
        "tag",
        "mark",
        "after",
        "between",
        "json",
    )


def _places(name: str) -> list[Frame]:
    """The first takes the answer alone, without a decoy."""
    kind, _, told = name.partition(":")
    match kind:
        case "answer_tag":
            return _apart(name, "<answer>{}</answer>")
        case "answer_mark":
            return [*_marked(name, "Answer: {}"), *_marked("final answer mark", "Final answer: {}")]
        case "boxed":
            return _apart(name, "\\boxed{{{}}}", without="{}", lines=False)
        case "tag":
            return _apart(name, f"<{told}>{{}}</{told}>")
        case "mark" | "after":
            return _marked(name, f"{told.replace('{', '{{').replace('}', '}}')} {{}}")
        case "between":
            opens, _, closes = told.partition(" ")
            return _apart(
                name,
                f"{opens}{{}}{closes}".replace("{}", "\0")
                .replace("{", "{{")
                .replace("}", "}}")
                .replace("\0", "{}"),
                without=opens + closes,
                lines=False,
            )
        case "json":
            return [Frame(name, lambda answer, _: _in_json(told, answer))]
        case "last_line":
            return _pieces(name, "{decoy}\n{answer}")
        case "first_line":
            return _pieces(name, "{answer}\n{decoy}")
        case "last_sentence":
            return _pieces(name, "{decoy}\n{answer}", without=". ")
        case "first_sentence":
            return _pieces(name, "{answer}\n{decoy}", without=". ")
        case "first_word":
            return _pieces(name, "{answer} {decoy}", without=" ")
        case "last_word":
            return _pieces(name, "{decoy} {answer}", without=" ")
    return [Frame("the whole reply", lambda answer, _: answer)]


def _apart(name: str, form: str, *, without: str = "", lines: bool = True) -> list[Frame]:
    def fits(answer: str) -> bool:
        return not any(sign in answer for sign in without) and (lines or "\n" not in answer)

    def alone(answer: str, _: str) -> str | None:
        return form.format(answer) if fits(answer) else None

    def behind(answer: str, decoy: str) -> str | None:
        return f"{decoy}\n\nOn second thoughts:\n{form.format(answer)}" if fits(answer) and decoy else None

    def around(answer: str, decoy: str) -> str | None:
        return f"{decoy}\n{form.format(answer)}\n{decoy}" if fits(answer) and decoy else None

    return [
        Frame(f"{name} alone", alone),
        Frame(f"{name} behind something else", behind),
        Frame(f"{name} amid something else", around),
    ]


def _marked(name: str, form: str) -> list[Frame]:
    """Behind a mark. Whether a second line behind it counts is not asked: READMEs rarely say it."""
    return _apart(name, form, lines=False)[:2]


def _pieces(name: str, form: str, *, without: str = "\n") -> list[Frame]:
    def wrap(answer: str, decoy: str) -> str | None:
        if without in answer or "\n" in answer:
            return None
        return form.format(answer=answer, decoy=decoy) if decoy else answer

    return [
        Frame(f"{name} alone", lambda answer, _: wrap(answer, "")),
        Frame(f"{name} beside something else", wrap),
    ]


def _in_json(key: str, answer: str) -> str | None:
    return None if any(sign in answer for sign in '"\\\n') else json.dumps({"why": "seen", key: answer})
