"""Whether a reply declines to answer, in words. What a server says of a refusal is a status, not this."""

from __future__ import annotations

import re

from gumption.answers._reply import lower

__all__ = ["refuses"]

_WINDOW = 600
"""Characters: a refusal is said at the start or at the end of a reply."""

_HINT = re.compile(
    "sorry|apolog|n't|not|unable|declin|refus|as an a"
    "|\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u6211\u65e0|\u6211\u4e0d"
)
"""One of these stands in every refusal; most replies have none and are done with."""

_REFUSAL = re.compile(
    r"""
    \bi(?:\ am|'m)?\ (?:really\ |very\ |so\ )?(?:sorry|apologi[sz]e)
    | \bi(?:\ am|'m)\ (?:\w+\ )?(?:unable|not\ able|not\ in\ a\ position|not\ allowed|not\ comfortable)\b
    | \bi\ (?:\w+\ )?(?:can\s?not|can't|could\ not|couldn't|won't|will\ not|do\ not\ feel|don't\ feel)\b
    | \bi\ (?:do\ not|don't)\ have\ (?:the\ ability|access|enough|the\ capability)
    | \b(?:must|have\ to|need\ to)\ (?:decline|refuse)\b | \bi\ (?:decline|refuse)\b
    | \bas\ an\ (?:ai|artificial)\b
    | ^\W{0,3}(?:my\ )?(?:sorry|apologies)\b | ^\W{0,3}unable\ to\b
    | \u62b1\u6b49 | \u5bf9\u4e0d\u8d77 | \u6211(?:\u65e0\u6cd5|\u4e0d\u80fd)
    """,
    re.VERBOSE,
)
"""On lower-case text."""


def refuses(text: str) -> bool:
    """True where the reply says that its author cannot or will not answer."""
    parts = (text,) if len(text) <= 2 * _WINDOW else (text[:_WINDOW], text[-_WINDOW:])
    return any(_HINT.search(low) and _REFUSAL.search(low) for low in map(lower, parts))
