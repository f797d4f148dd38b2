"""The forms: the eight dimensions of a plan, the question of a comparison, and checking what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gumption.ranking.rating_form import RatingForm, own_form
from gumption.rating.errors import RatingError
from gumption.rating.study import MAIN, Dimension, Study, Values

__all__ = [
    "BETTER",
    "MAX_COMMENT",
    "MAX_SECONDS",
    "PLAN_DIMENSIONS",
    "checked_comment",
    "checked_seconds",
    "checked_values",
    "form_dimensions",
    "label_dimensions",
]

MAX_COMMENT = 4000
"""Characters."""
MAX_SECONDS = 24 * 3600.0


def form_dimensions(form: RatingForm) -> tuple[Dimension, ...]:
    """The lines of a study's form, from a form as the ranking knows it."""
    return tuple(
        Dimension(one.id, one.name, one.question, form.low, form.high, dict(enumerate(one.anchors, form.low)))
        for one in form.dimensions
    )


PLAN_DIMENSIONS = form_dimensions(own_form())
"""Eight equally weighted marks, as A2Eval's human study has (arXiv 2602.01640)."""

BETTER = (Dimension("better", "Better plan", "Which of the two would you rather have carried out?"),)


def label_dimensions(labels: Mapping[str, str] | Iterable[str]) -> tuple[Dimension, ...]:
    """The form of a labelling study: label to what belongs to it, or labels alone."""
    named = labels if isinstance(labels, Mapping) else dict.fromkeys(labels, "")
    return tuple(Dimension(label, label, text) for label, text in named.items())


def checked_values(study: Study, values: Any, *, whole: bool) -> Values:
    """What was chosen, if the study's form has it; `whole` where nothing may be missing.

    Raises RatingError, naming the dimension, for anything else, whatever its type.
    """
    if not isinstance(values, dict):
        raise RatingError(
            "not a mapping of dimensions to marks", where="values", remedy="send {dimension: mark}"
        )
    by_id = {dimension.id: dimension for dimension in study.dimensions}
    for name, value in values.items():
        if name not in by_id:
            where = str(name)[:80].encode(errors="replace").decode()  # it goes back to the browser
            raise RatingError("no such dimension", where=where, remedy=f"one of {', '.join(by_id)}")
        marks = by_id[name].marks(study.kind)
        if type(value) is not int or value not in marks:
            remedy = f"one of {', '.join(map(str, marks))}"
            raise RatingError("not a mark of this scale", where=name, remedy=remedy)
    mains = [name for name, value in values.items() if value == MAIN]
    if study.kind == "labels" and (len(mains) > 1 or (whole and not mains)):
        raise RatingError("not one main label", where="values", remedy="choose one main label")
    missing = [name for name in by_id if name not in values]
    if whole and study.kind != "labels" and missing:
        raise RatingError("no mark", where=missing[0], remedy="choose one on every line")
    return dict(values)


def checked_comment(comment: Any) -> str:
    """The comment, if it is a text that every database can hold. Raises RatingError."""
    if not isinstance(comment, str) or len(comment) > MAX_COMMENT:
        raise RatingError(
            f"not a text of at most {MAX_COMMENT} characters", where="comment", remedy="shorten the comment"
        )
    if "\0" in comment or any("\ud800" <= letter <= "\udfff" for letter in comment):
        raise RatingError("a character that is no text", where="comment", remedy="type the comment anew")
    return comment


def checked_seconds(seconds: Any) -> float:
    """Time spent, at most a day. Raises RatingError."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds >= 0:
        raise RatingError("not a number of seconds", where="seconds", remedy="send 0 or more")
    return min(float(seconds), MAX_SECONDS) if seconds < MAX_SECONDS else MAX_SECONDS
