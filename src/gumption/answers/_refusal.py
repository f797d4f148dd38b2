"""Whether a reply declines to answer, in words. What a server says of a refusal is a status, not this."""

from __future__ import annotations

import re

__all__ = ["refuses"]

_WINDOW = 600
"""Characters: a refusal is said at the start or at the end of a reply."""

_REFUSAL = re.compile(
    r"""
    \bI(?:\ am|'m)?\ (?:really\ |very\ |so\ )?(?:sorry|apologi[sz]e)
    | \bI(?:\ am|'m)\ (?:\w+\ )?(?:unable|not\ able|not\ in\ a\ position|not\ allowed|not\ comfortable)\b
    | \bI\ (?:\w+\ )?(?:can\s?not|can't|could\ not|couldn't|won't|will\ not|do\ not\ feel|don't\ feel)\b
    | \bI\ (?:do\ not|don't)\ have\ (?:the\ ability|access|enough|the\ capability)
    | \b(?:must|have\ to|need\ to)\ (?:decline|refuse)\b | \bI\ (?:decline|refuse)\b
    | \bas\ an\ (?:AI|artificial)\b
    | ^\W{0,3}(?:my\ )?(?:sorry|apologies)\b | ^\W{0,3}unable\ to\b
    | \u62b1\u6b49 | \u5bf9\u4e0d\u8d77 | \u6211(?:\u65e0\u6cd5|\u4e0d\u80fd)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def refuses(text: str) -> bool:
    """True where the reply says that its author cannot or will not answer."""
    if len(text) > 2 * _WINDOW:
        return bool(_REFUSAL.search(text[:_WINDOW]) or _REFUSAL.search(text[-_WINDOW:]))
    return bool(_REFUSAL.search(text))
