"""What may be said for each of a few labels, as a README says it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.synthesis.offline._statements import Statements

__all__ = ["labels_of"]

_QUOTED = r"[`\"'\u201c]([^`\"\u201c\u201d]{1,40}?)[`\"'\u201d](?!\w)"
_READ_AS = re.compile(
    rf"((?:(?<!\w){_QUOTED}(?:\s?\([^()]*\))?(?:,? (?:and|or|as well as) |, |/| )?)+)"
    rf"(?:is|are|counts?|counted|means?|stands? for|taken|read)\b[^`\"\u201c.;]{{0,30}}{_QUOTED}"
)


def labels_of(readme: Statements, labels: Sequence[str]) -> dict[str, str]:
    """What may be said for each of a few labels: itself, and what the README reads as it."""
    told = {one: one for one in labels}
    for one in readme:
        for match in _READ_AS.finditer(one.low):
            if match[3] in labels:
                readme.use(one)
                told |= {said: match[3] for said in re.findall(_QUOTED, match[1]) if said not in labels}
    readme.use(*(one for one in readme if all(label in one.low for label in labels)))
    return told
