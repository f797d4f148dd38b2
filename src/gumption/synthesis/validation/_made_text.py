"""Made replies to open questions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gumption.synthesis.spec import Scoring
from gumption.synthesis.validation._declared import Declared
from gumption.synthesis.validation._made import REFUSAL, Made
from gumption.synthesis.validation._worth import of_text

__all__ = ["text"]

_IGNORED = "what the protocol ignores in a text, and nothing else"


def text(item: Declared, scoring: Scoring, other: str) -> Iterator[Made]:
    """Answers of every form; the first is right, the second wrong. `other`: an answer to another item."""
    if scoring.metric == "label":
        yield from _labels(item, scoring)
        return
    accepted = [one for one in item.gold if "\n" not in one and "<" not in one]
    for n, one in enumerate(accepted):
        yield Made(one, of_text(scoring, one, item.gold), "answered", "an accepted answer scores full")
        if n == 0:
            yield Made(other, of_text(scoring, other, item.gold), "any", "an answer to another question")
    if not accepted:
        return
    right = accepted[0]
    for variant in _variants(right, other):
        if variant != right and variant.strip():
            yield Made(variant, of_text(scoring, variant, item.gold), "any", _IGNORED)
    yield Made(REFUSAL, of_text(scoring, REFUSAL, item.gold), "any", "a refusal is worth what it says")


def _labels(item: Declared, scoring: Scoring) -> Iterator[Made]:
    """Where a reply has to settle on one of a few labels."""
    labels: dict[str, str] = scoring.parameters["labels"]
    right = next(one for one in labels.values() if one.casefold() == item.gold[0].casefold())
    wrong = next(one for one in labels.values() if one != right)
    yield Made(right, 1.0, "answered", "the right label scores 1")
    yield Made(wrong, 0.0, "answered", "another label scores 0")
    for said, meant in labels.items():
        for form in ("{}", "**{}**", "{}.", "I would say {}."):
            why = "what is said for a label, in a sentence or alone"
            yield Made(form.format(said), float(meant == right), "answered", why)
        yield Made(said.upper(), float(meant == right), "answered", "upper or lower case is ignored")
    for one, other in ((right, wrong), (wrong, right)):
        yield Made(f"{one} or {other}", 0.0, "not", "two labels that are left open score 0")
    yield Made("Hard to say.", 0.0, "not", "a reply without a label is counted and scores 0")


def _variants(right: str, other: str) -> Iterator[str]:
    yield from (right.upper(), right.lower(), right.title())
    yield from (f"the {right}", f"a {right}", f"The {right}")
    yield from (
        f"{right}.",
        f"{right}!",
        f"**{right}**",
        f'"{right}"',
        f"{right},",
        f"`{right}`",
        f"({right})",
    )
    yield from (
        f"It is {right}.",
        f"{right} or {other}",
        f"probably {right}",
        f"un{right}",
        f"{right}{right}",
    )
    yield "  ".join(right.split(" "))
    yield "".join(one for one in unicodedata.normalize("NFKD", right) if not unicodedata.combining(one))
    yield re.sub(r"(?<=\w)-(?=\w)", " ", right)
    yield right.replace("'", "")
    yield re.sub("[aeiou]", lambda found: f"{found[0]}\u0301", right, count=1)
    if right[-1:].isalpha() and right[-1:] not in "sS":
        yield f"{right}s"
