"""How an option's letter looks in running text: the patterns that the choice readers share."""

from __future__ import annotations

import re

__all__ = ["AFTER_ARTICLE", "BRACKETED", "JOINED", "NAMED", "SIDE_BY_SIDE", "SINGLE"]

_END = r"(?![\w'])"
_OPEN = r"[(\[*\"']{0,3}"

SINGLE = re.compile(rf"(?<![\w'])([A-Z]){_END}")
"""A capital that stands alone."""
BRACKETED = re.compile(r"[(\[]\s?([A-Z])\s?[)\]]")
NAMED = re.compile(rf"\b(?:option|choice|answer)\s{_OPEN}([A-Z]){_END}", re.IGNORECASE)
"""A letter, small ones too, that is called an option."""
JOINED = re.compile(
    r"[)\]*_\"'\s]{0,4}(?:,|/|&|\bor\b|\band\b|\u6216|\u548c)\s{0,3}"
    rf"(?:option\s|maybe\s|perhaps\s|possibly\s)?{_OPEN}([A-Z]){_END}"
)
"""What follows a letter where a second one is set beside it: "A or B"."""
SIDE_BY_SIDE = re.compile(rf"{SINGLE.pattern}(?={JOINED.pattern})")
"""Two letters set side by side, the second one in the second group."""
AFTER_ARTICLE = re.compile(
    r"\s+(?!(?:because|since|as|and|or|which|is|was|for|due|based|but|with|if|where|given|rather|over|in|on)\b)"
    r"[a-z0-9]"
)
"""What follows an A that is the article, or an "I"."""
