"""What is done to texts before they are compared, as a README says it."""

from __future__ import annotations

import re

from gumption.synthesis.offline._statements import Statements

__all__ = ["KEEPS", "steps_of"]

_SIGNS = (
    (r"full stops?|\bperiods?\b|\bdots?\b", "."),
    (r"\bcommas?\b", ","),
    (r"exclamation (?:marks?|points?)", "!"),
    (r"question marks?", "?"),
    (r"\basterisks?\b|\bstars?\b", "*"),
    (r"\bsemicolons?\b", ";"),
    (r"(?<!semi)\bcolons?\b", ":"),
    (r"\bquot(?:es|ation marks?)\b|\bquotes?\b|inverted commas", "\"'"),
    (r"\bapostrophes?\b", "'"),
    (r"\bbrackets?\b|\bparenthes[ei]s\b", "()[]"),
    (r"\bdash(?:es)?\b", "-"),
    (r"\bbackticks?\b", "`"),
    (r"\bunderscores?\b", "_"),
)
_DROPS = (
    r"\b(?:throw|leav\w+ out|left out|omit|strik|struck|replac|cross(?:ed)? out|small letters|tak(?:e"
    r"|en) out|keep only|kept|clean|eras|eliminat|clear|drop|remov|strip|ignor|delet"
    r"|discard|trim|cut|forgiv|without|disregard|take off"
    r"|not matter|no matter|tak(?:e|en) (?:away|off)"
    r"|(?:are|is|counts? as|as) (?:the same|alike|one and the same)\b|squeez|collaps|not count|no difference"
    r"|irrelevant|neutral|lower[- ]?cas|fold|normali[sz]|regardless|whatever|insensitiv|in any case"
    r"|any case|either case|do(?:es)? not$)\w*"
)
KEEPS = re.compile(
    r"\b(?:case|articles?|punctuation|accents?|hyphens?|spaces?|spelling"
    r"|plurals?)\b(?:(?!\bnot\b|n't|\bno\b)[^.;]){0,25}\b(?:matters?|matter|counts?"
    r"|is kept|are kept|is not (?:ignored|removed|dropped)|are not (?:ignored|removed"
    r"|dropped)|must match|must be right|is significant|is respected"
    r"|stays?)(?!\w)"
    r"|\bcase included\b|\b(?:capital|upper[- ]?case|case)\b[^.;]{0,40}\b(?:are|is) (?:different"
    r"|distinct|not the same"
    r"|not equal)\b"
    r"|\bcase[- ]sensitive|\b(?:do not|don't|doesn't|does not|never|not|no|nor|without) (?:\w+ )?"
    r"(?:drop|remov|strip|ignor|touch|lower|tak\w+ (?:away|off|out)|delet|discard|trim|cut|leav\w+ out"
    r"|forgiv|normali)\w*"
)
_STEPS = (
    (
        "lower",
        r"\b(?:upper|lower)[- ]?case|\b(?:small|large|big)(?: letters)? (?:and|or|from) (?:small|large|big)\b"
        r"|\b(?:in|into|to|as) (?:small|lower)\b|\bupper and lower|\bcase\b|lower-?cas|\bcapitals?\b"
        r"|capitali[sz]ation",
    ),
    (
        "articles",
        r"\barticles?\b|\b(?:(?:a|an|the)\b\W{1,4}){2}(?:(?:and|or)\W{1,2})?(?:a|an|the)\b"
        r"|\b(?:a|an|the)\b\W{1,4}(?:a|an|the)\b\W{1,4}(?:and|or)\W{1,2}(?:a|an|the)\b",
    ),
    ("accents", r"\baccents?\b|\bdiacritic|\bumlaut"),
    ("hyphens", r"\bhyphens?\b"),
    ("quotes", r"\bquot(?:es|ation marks)\b"),
    ("markdown", r"\bmarkdown\b|\bbold\b|\bemphasis\b"),
    ("brackets", r"\b(?:text|words?|anything|what is|remarks?) in (?:brackets|parenthes[ei]s)"),
    (
        "number_words",
        r"\bnumber words?\b|\bspelled[- ]out numbers?|\bnumbers? (?:in|as) words?|\bdigits? and words?",
    ),
    ("plurals", r"\bplurals?\b|\bsingular"),
    (
        "punctuation",
        r"\bpunctuation\b|\bspecial characters\b|\bnon-?alphanumeric|\b(?:everything"
        r"|anything|all) (?:except|but|other than)"
        r" letters|\b(?:is|are) (?:not|neither) (?:an? )?letters?|\bonly (?:keep )?(?:the )?letters",
    ),
    ("spaces", r"\bwhite ?-?space|\bblanks?\b|\bspaces?\b|\bspacing\b"),
)
_ENDS = re.compile(
    r"\bat (?:the|its|either|both) (?:ends?|beginning|start|edges?)|\b(?:trailing"
    r"|leading|surrounding|final|outer|around)\b|\baround (?:it|them|the)"
    r"|\bat the (?:very )?end\b"
)
_LEADING = re.compile(
    r"\b(?:leading|initial|opening|first)\W{1,3}(?:articles?|an?|the)\b"
    r"|\barticles?\b[^.;,]{0,20}\b(?:at the (?:front|start|beginning)|in front|before (?:it|the)"
    r"|(?:it|they) (?:starts?|begins?))\b|\b(?:starts?|begins?) with [^.;]{0,20}\barticle"
)
"""That only an article before all else is taken off."""
_TO_BLANK = re.compile(
    r"\bpunctuation\b(?:(?!\bnot\b|n't\b|\bnever\b|\brather\b|\binstead\b)[^.;])*?\b(?:by|with|in|into"
    r"|to|becomes?)"
    r" (?:an? |single )?(?:blank|space)s?\b"
)


def steps_of(readme: Statements) -> tuple[str, ...]:
    """Steps in the order in which the README names them."""
    found: list[str] = []
    for one in readme:
        clauses = re.split(r"[;,.]|\bbut\b", one.low) if KEEPS.search(one.low) else [one.low.rstrip(".")]
        dropping = False
        for clause in clauses:
            if KEEPS.search(clause):
                readme.use(one)
                dropping = False
                continue
            dropping = dropping or bool(re.search(_DROPS, clause.strip()))
            if dropping and (named := _named(clause)):
                readme.use(one)
                found += [step for step in named if step not in found]
    if {"articles", "leading_article", "punctuation_to_blank", "spaces"} & set(found):  # close up the rest
        found = [*(step for step in found if step != "spaces"), "spaces"]
    return tuple(found)


def _named(low: str) -> list[str]:
    found = [
        (match.start(), name) for name, pattern in _STEPS if (match := re.search(pattern, low)) is not None
    ]
    found = [
        (at, "leading_article" if name == "articles" and _LEADING.search(low) else name) for at, name in found
    ]
    ends = _ENDS.search(low)
    names = {name for _, name in found}
    signs = "".join(sign for pattern, sign in _SIGNS if re.search(pattern, low))
    # "capital letters" of a proper name or "a blank line" are no steps.
    kept = [(at, name) for at, name in found if name not in ("quotes", "spaces", "punctuation", "brackets")]
    if "brackets" in names:
        kept.append((next(at for at, name in found if name == "brackets"), "brackets"))
        signs = signs.replace("()[]", "")
    if "punctuation" in names:
        at = next(at for at, name in found if name == "punctuation")
        kept = [
            one
            for one in kept
            if one[1] != "hyphens" or not re.search(r"\bhyphens?\b[^.;]{0,40}\bincluded", low)
        ]
        kept.append(
            (at, "ends" if ends else "punctuation_to_blank" if _TO_BLANK.search(low) else "punctuation")
        )
    elif signs:
        kept.append((_first_sign(low), f"{'ends' if ends else 'drop'}:{_unique(signs)}{' ' if ends else ''}"))
    if "spaces" in names and not (ends and signs):
        kept.append((next(at for at, name in found if name == "spaces"), "spaces"))
    return [name for _, name in sorted(kept)]


def _unique(signs: str) -> str:
    return "".join(dict.fromkeys(signs))


def _first_sign(low: str) -> int:
    return min(match.start() for pattern, _ in _SIGNS if (match := re.search(pattern, low)))
