"""The organiser's page: progress, agreement, personal links, export, and ending it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from gumption.rating import export, progress
from gumption.rating.errors import RatingError
from gumption.rating.web._answers import page
from gumption.rating.web._rater_pages import ID, form_of
from gumption.rating.web._who import Caller, Organiser, Stores, may_change, own_rater
from gumption.records import GumptionError

__all__ = ["router"]

MOST_INVITED = 200
MOST_DAYS = 365

router = APIRouter(include_in_schema=False)


@router.get("/study")
def overview(store: Stores, who: Organiser) -> Response:
    return _overview(store, who, ())


@router.post("/study/invite")
async def invite(request: Request, store: Stores, who: Organiser) -> Response:
    """Makes personal links, shown this once."""
    form = await form_of(request)
    may_change(request, who, form.get("form_token", ""))
    notes = [line.strip() for line in form.get("notes", "").splitlines() if line.strip()]
    try:
        count, days = min(int(form.get("count") or 0), MOST_INVITED + 1), float(form.get("days") or 30)
    except ValueError as error:
        raise RatingError("not a number", where="invite", remedy="go back and give a number") from error
    notes = notes or [""] * count
    if not 1 <= len(notes) <= MOST_INVITED or not 0 < days <= MOST_DAYS:
        raise RatingError(
            "nobody, or too many, or for too long",
            where="invite",
            remedy=f"name 1 to {MOST_INVITED} people for up to {MOST_DAYS} days",
        )
    made = await run_in_threadpool(store.invite, who.access.study, notes, days=days)
    base = request.app.state.base_url or str(request.base_url).rstrip("/")
    links = [(one, f"{base}/r/{one.token}") for one in made]
    return await run_in_threadpool(_overview, store, who, links)


@router.post("/study/raters/{rater}/{what}")
async def change_rater(rater: ID, what: str, request: Request, store: Stores, who: Organiser) -> Response:
    """Renews or revokes a link, or deletes the rater's data."""
    form = await form_of(request)
    may_change(request, who, form.get("form_token", ""))
    await run_in_threadpool(own_rater, store, who, rater)
    if what == "delete" and form.get("sure") == "yes":
        await run_in_threadpool(store.delete_rater, rater)
    elif what == "revoke":
        await run_in_threadpool(store.revoke, rater)
    else:
        raise RatingError("not confirmed", where=what[:20], remedy="go back and tick the box")
    return RedirectResponse("/study", 303)


@router.post("/study/close")
async def close(request: Request, store: Stores, who: Organiser) -> Response:
    form = await form_of(request)
    may_change(request, who, form.get("form_token", ""))
    closed = form.get("closed") == "yes"
    await run_in_threadpool(store.close_study, who.access.study, closed=closed)
    return RedirectResponse("/study", 303)


@router.get("/study/ratings.csv")
def as_csv(store: Stores, who: Organiser) -> Response:
    """Every rating, raters under pseudonyms."""
    return _file(store, who, "ratings.csv", "text/csv", export.write_csv)


@router.get("/study/ratings.parquet")
def as_parquet(store: Stores, who: Organiser) -> Response:
    return _file(store, who, "ratings.parquet", "application/vnd.apache.parquet", export.write_parquet)


@router.get("/study/people.json")
def people(store: Stores, who: Organiser) -> Response:
    """The human ranking, for `gumption rank --people`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "people.json")
        export.people_json(store, who.access.study, path)
        return _download(path.read_bytes(), path.name, "application/json")


def _file(store: Stores, who: Caller, name: str, media_type: str, write: Any) -> Response:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(export.table(store, who.access.study), path)
        return _download(path.read_bytes(), name, media_type)


def _download(data: bytes, name: str, media_type: str) -> Response:
    return Response(
        data, media_type=media_type, headers={"content-disposition": f"attachment; filename={name}"}
    )


def _overview(store: Stores, who: Caller, links: Any) -> Response:
    found = progress.progress(store, who.access.study)
    try:
        agreements, why = progress.live_agreement(store, who.access.study), ""
    except GumptionError as error:
        agreements, why = None, error.problem
    return page(
        "study.html",
        study=found.study,
        form_token=who.form_token,
        progress=found,
        agreements=agreements,
        why=why,
        links=links,
    )
