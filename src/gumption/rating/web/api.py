"""The JSON interface: what a rater's page saves through, and what an organiser's scripts may ask."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from gumption.rating import progress as progresses
from gumption.rating.forms import MAX_COMMENT
from gumption.rating.web._answers import json_answer
from gumption.rating.web._who import Organiser, Rater, Stores, may_change, own_rater

__all__ = ["router"]

ID = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
FORM_TOKEN = Annotated[str, Header(alias="x-form-token", max_length=128)]
SAVED_BY_MARK = 200
"""Most marks of one form."""

_JSON: dict[str, Any] = {"content": {"application/json": {"schema": {"type": "object"}}}}
_PROBLEM: dict[str, Any] = {
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["problem", "where", "remedy"],
                "properties": {name: {"type": "string"} for name in ("problem", "where", "remedy")},
            }
        }
    }
}
_REFUSED: dict[int | str, dict[str, Any]] = {
    401: {"description": "No valid link, or not from our page", **_PROBLEM},
    422: {"description": "Not what is taken here", **_PROBLEM},
    429: {"description": "Too many requests"},
    503: {"description": "The database is busy; nothing was changed", **_PROBLEM},
}
_NOT_THERE: dict[int | str, dict[str, Any]] = {404: {"description": "Not there", **_PROBLEM}}
_CHANGED: dict[int | str, dict[str, Any]] = {
    **_NOT_THERE,
    400: {"description": "Not JSON", **_PROBLEM},
    409: {"description": "Study closed, or revised elsewhere", **_PROBLEM},
    408: {"description": "Too slow"},
    413: {"description": "Too much at once"},
}

router = APIRouter(prefix="/api", responses=_REFUSED)


class Form(BaseModel):
    """What was filled in."""

    model_config = ConfigDict(extra="forbid", strict=True)
    values: dict[str, int] = Field(default_factory=dict, max_length=SAVED_BY_MARK)
    comment: str = Field("", max_length=MAX_COMMENT)
    seconds: float = Field(0.0, ge=0, allow_inf_nan=False)


class Submitted(Form):
    base_revision: int | None = Field(None, ge=0)
    """The revision that the page was made from."""


class Invited(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    notes: list[Annotated[str, Field(max_length=200, pattern="^[^\\x00-\\x1f]*$")]] = Field(
        default_factory=lambda: [""], min_length=1, max_length=200
    )
    days: float = Field(30.0, gt=0, le=3650, allow_inf_nan=False)


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    closed: bool


# ── raters ───────────────────────────────────────────────────────────────────────────────────────────


@router.post("/next", responses={200: {"description": "The task, or null", **_JSON}, **_CHANGED})
def next_task(request: Request, store: Stores, who: Rater, token: FORM_TOKEN = "") -> Response:
    """The open task again, or a new one; null where nothing is left."""
    may_change(request, who, token)
    return json_answer({"task": _task(store.next_task(who.access.rater))})


@router.get("/tasks", responses={200: {"description": "In the order given out", **_JSON}, **_NOT_THERE})
def tasks(store: Stores, who: Rater) -> Response:
    """The rater's own tasks."""
    return json_answer({"tasks": store.tasks(who.access.rater)})


@router.get("/tasks/{task}", responses={200: {"description": "The task", **_JSON}, **_NOT_THERE})
def task(task: ID, store: Stores, who: Rater) -> Response:
    """One of the rater's own tasks with what was saved."""
    return json_answer({"task": _task(store.task(who.access.rater, task))})


@router.put("/tasks/{task}/draft", responses={200: {"description": "Saved", **_JSON}, **_CHANGED})
def save_draft(
    task: ID, form: Form, request: Request, store: Stores, who: Rater, token: FORM_TOKEN = ""
) -> Response:
    """Keep a form that need not be whole."""
    may_change(request, who, token)
    store.save_draft(who.access.rater, task, form.values, form.comment, form.seconds)
    return json_answer({"saved": True})


@router.post("/tasks/{task}/rating", responses={200: {"description": "On disk", **_JSON}, **_CHANGED})
def submit(
    task: ID, form: Submitted, request: Request, store: Stores, who: Rater, token: FORM_TOKEN = ""
) -> Response:
    """Submit or revise a rating."""
    may_change(request, who, token)
    rating = store.submit(
        who.access.rater, task, form.values, form.comment, form.seconds, base_revision=form.base_revision
    )
    return json_answer({"rating": rating})


@router.delete("/me", responses={200: {"description": "Deleted", **_JSON}, **_CHANGED})
def delete_me(request: Request, store: Stores, who: Rater, token: FORM_TOKEN = "") -> Response:
    """Remove everything that is known of the rater."""
    may_change(request, who, token)
    store.delete_rater(who.access.rater)
    return json_answer({"deleted": True})


# ── the organiser ────────────────────────────────────────────────────────────────────────────────────


@router.get("/study/progress", responses={200: {"description": "Counts", **_JSON}, **_NOT_THERE})
def progress(store: Stores, who: Organiser) -> Response:
    """How far the study is."""
    return json_answer(progresses.progress(store, who.access.study))


@router.get("/study/agreement", responses={200: {"description": "By dimension", **_JSON}, **_NOT_THERE})
def live_agreement(store: Stores, who: Organiser) -> Response:
    """Agreement of the raters so far."""
    return json_answer(progresses.live_agreement(store, who.access.study))


@router.post("/study/raters", responses={200: {"description": "Links, shown once", **_JSON}, **_CHANGED})
def invite(
    invited: Invited, request: Request, store: Stores, who: Organiser, token: FORM_TOKEN = ""
) -> Response:
    """New personal links."""
    may_change(request, who, token)
    made = store.invite(who.access.study, invited.notes, days=invited.days)
    return json_answer({"invitations": made})


@router.delete("/study/raters/{rater}", responses={200: {"description": "Deleted", **_JSON}, **_CHANGED})
def delete_rater(
    rater: ID, request: Request, store: Stores, who: Organiser, token: FORM_TOKEN = ""
) -> Response:
    """Remove everything that is known of a rater of this study."""
    may_change(request, who, token)
    own_rater(store, who, rater)
    store.delete_rater(rater)
    return json_answer({"deleted": True})


@router.put("/study/closed", responses={200: {"description": "Done", **_JSON}, **_CHANGED})
def close(
    closed: Closed, request: Request, store: Stores, who: Organiser, token: FORM_TOKEN = ""
) -> Response:
    """Take no more ratings, or take them again."""
    may_change(request, who, token)
    store.close_study(who.access.study, closed=closed.closed)
    return json_answer({"closed": closed.closed})


def _task(task: Any) -> Any:
    return None if task is None else msgspec.to_builtins(task)
