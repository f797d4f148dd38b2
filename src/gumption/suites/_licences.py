"""Which licences let the questions themselves lie in a suite's folder that may be handed on.

Judged for questions, options, gold and pictures in a collection with others, whose maker says where each is
from. A guide for a careful default, no legal advice; `by_licence(copy=...)` is for who has looked.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LICENCES", "LicenceRule", "licence_rule"]


@dataclass(frozen=True)
class LicenceRule:
    """Whether items may be copied under a licence, and why."""

    may_copy: bool
    why: str


_NOTICE = LicenceRule(True, "free to hand on with the authors' notice and the text of the licence")
_CREDIT = LicenceRule(True, "free to hand on with credit to the authors and a word on what was changed")
_ALIKE = LicenceRule(
    True, "free to hand on with credit, under the same licence: these items stay under theirs"
)
_NOBODYS = LicenceRule(True, "free to hand on without conditions")
_SOURCE = LicenceRule(
    False, "copyleft for programs: a collection that holds its text may have to come under it as a whole"
)
_NON_COMMERCIAL = LicenceRule(False, "forbids commercial use, and a suite's folder cannot see to that")
_UNCHANGED = LicenceRule(False, "forbids to hand on a changed form, and a choice of items is one")
_UNKNOWN = LicenceRule(False, "not a licence that is known here to allow it, or one with reservations")
_NONE = LicenceRule(False, "no licence is named, so nothing is allowed")

LICENCES: dict[str, LicenceRule] = {
    **dict.fromkeys(("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC"), _NOTICE),
    **dict.fromkeys(("CC-BY-2.0", "CC-BY-3.0", "CC-BY-4.0", "ODC-By-1.0", "CDLA-Permissive-2.0"), _CREDIT),
    **dict.fromkeys(("CC-BY-SA-3.0", "CC-BY-SA-4.0", "ODbL-1.0"), _ALIKE),
    **dict.fromkeys(("CC0-1.0", "Unlicense", "PDDL-1.0"), _NOBODYS),
    **dict.fromkeys(("GPL-2.0", "GPL-3.0", "AGPL-3.0", "LGPL-3.0"), _SOURCE),
    **dict.fromkeys(
        ("CC-BY-NC-3.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-3.0", "CC-BY-NC-SA-4.0", "CC-BY-NC-ND-4.0"),
        _NON_COMMERCIAL,
    ),
    "CC-BY-ND-4.0": _UNCHANGED,
}
"""By SPDX name; GPL's "-only" and "-or-later" are read as the name without them."""

_BY_NAME = {name.lower(): rule for name, rule in LICENCES.items()}


def licence_rule(licence: str) -> LicenceRule:
    """The rule of a licence's name, whatever its case.

    A name with a remark ("Apache-2.0 (of the code)", "MIT AND CC-BY-NC-4.0") is not the licence it begins
    with: what it reserves has to be looked at by a person.
    """
    name = licence.strip().lower().removesuffix("-only").removesuffix("-or-later")
    return _BY_NAME.get(name, _UNKNOWN) if name else _NONE
