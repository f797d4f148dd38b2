"""The column that holds how far off each row's answer may be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gumption.synthesis._withheld import words_of
from gumption.synthesis.offline._statements import Statement, Statements

__all__ = ["is_tolerance", "own_tolerance"]

_CALLED = re.compile(
    r"\b(?:tol|tolerances?|plus ?minus|pm|margin|slack|leeway|allowance|deviation|play|uncertainty|epsilon"
    r"|(?:max|allowed|permitted) (?:error|off|diff|difference))\b"
)
"""How a column may be called that is how far off an answer may be, ..."""
_HOW_FAR = re.compile(
    r"(?:is |gives |says |tells |holds |has |the |an? |its |by |row's |own )*(?:how (?:far|much|close"
    r"|near|wide)\b"
    r"|(?:(?:allowed|permitted|accepted|absolute|greatest|largest|maximal|maximum) )*"
    r"(?:tolerance|margin|slack|leeway|deviation|error|distance|difference|play)\b|\u00b1|\+/-"
    r"|plus or minus\b)"
)
"""... and how it is described."""
_LESS = re.compile(r"(?:<(?!=)|(?<!not )(?<!no )\b(?:less|smaller|nearer|closer) than)[^.;]{0,25}$")


def is_tolerance(column: str, note: str) -> bool:
    """Whether a column of numbers is how far off answers may be, by its name or by what is said of it."""
    name = " ".join(words_of(column.rpartition(".")[2]))
    return bool(_CALLED.search(name) or any(_HOW_FAR.match(one) for one in note.lower().split(" / ")))


def own_tolerance(
    readme: Statements, columns: Sequence[str], told: Mapping[str, str]
) -> tuple[list[Statement], str, bool] | None:
    """The statements by which a column holds how far off a row's answer may be; and whether less is wanted.

    `columns`: those of numbers; `told`: what is said of each.
    """
    named = _compared(readme, columns)
    if named is not None:
        return named
    for column in columns:
        last = column.rpartition(".")[2].lower()
        if is_tolerance(column, told.get(column, "")):
            name = rf"(?<![\w])[`\"']?{re.escape(last)}[`\"']?(?!\w)"
            found = readme.find(name)
            less = any(
                _LESS.search(one.low[: match.start()])
                for one in found
                for match in re.finditer(name, one.low)
            )
            return found, column, less
    return None


def _compared(readme: Statements, columns: Sequence[str]) -> tuple[list[Statement], str, bool] | None:
    """The column that a sentence names as a limit."""
    for column in columns:
        name = rf"[`\"']?{re.escape(column.rpartition('.')[2].lower())}[`\"']?(?![\w])"
        limit = re.compile(
            rf"(?P<less><(?!=)|\b(?:less|smaller) than)\s?(?:the |its )?{name}(?!\s?[-*/+])"
            rf"|(?:<=|\u2264|\bat most|\bno more than|\bup to|\bby more than|\bnot exceed|\+/-|\u00b1"
            rf"|\btolerance (?:of|in|is|from)|\bwithin(?: a margin of| a tolerance of)?) ?(?:the |its "
            rf"|that row's )?"
            rf"(?:(?:tolerance|margin|column|value) )?(?:in )?{name}(?!\s?[-*/+]| of the)"
        )
        for one in readme:
            match = limit.search(one.low)
            if match:
                return [one], column, bool(match["less"])
    return None
