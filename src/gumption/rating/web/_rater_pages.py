"""The pages of a rater: one task after another, one's own list, and leaving."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, RedirectResponse

from gumption.rating.errors import ClosedError, RatingError, StaleError
from gumption.rating.store import Store
from gumption.rating.study import ALSO, MAIN, Study, Task
from gumption.rating.web._answers import page
from gumption.rating.web._who import Caller, Rater, Stores, may_change
from gumption.records import GumptionError, Text

__all__ = ["ID", "form_of", "router"]

ID = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
MOST_FIELDS = 300
LONG = 700
"""Letters of a prompt from which on it is folded."""

router = APIRouter(include_in_schema=False)


@router.get("/")
def hello(store: Stores, who: Rater) -> Response:
    study = store.study(who.access.study)
    done = sum(line.revision > 0 for line in store.tasks(who.access.rater))
    return page("hello.html", **_facts(study, who), done=done, marks=_anchors(study))


@router.post("/next")
async def following(request: Request, store: Stores, who: Rater) -> Response:
    """To the open task or a new one. Not a GET, so that no browser takes a task in advance."""
    may_change(request, who, (await form_of(request)).get("form_token", ""))
    return await _to_next(store, who)


@router.get("/task/{task}")
def show(task: ID, store: Stores, who: Rater) -> Response:
    return _task_page(store, who, store.task(who.access.rater, task))


@router.post("/task/{task}")
async def submit(task: ID, request: Request, store: Stores, who: Rater) -> Response:
    """Submits the form as browsers send it without scripts, then goes on to the next."""
    form = await form_of(request)
    may_change(request, who, form.get("form_token", ""))
    study = await run_in_threadpool(store.study, who.access.study)
    values, comment = _values(study, form), form.get("comment", "").replace("\r\n", "\n")
    try:
        seconds = min(max(float(form.get("seconds") or 0), 0.0), 86_400.0)
        base = int(form.get("revision") or 0)
    except ValueError as error:
        raise RatingError("a number was altered", where="form", remedy="load the page again") from error
    try:
        await run_in_threadpool(
            store.submit, who.access.rater, task, values, comment, seconds, base_revision=base
        )
    except (RatingError, StaleError) as error:
        if isinstance(error, RatingError):
            await run_in_threadpool(_keep, store, who, task, values, comment, seconds)
        shown = await run_in_threadpool(store.task, who.access.rater, task)
        return await run_in_threadpool(_task_page, store, who, shown, error)
    if form.get("then") == "list":
        return RedirectResponse("/mine", 303)
    return await _to_next(store, who)


@router.get("/mine")
def mine(store: Stores, who: Rater) -> Response:
    """Everything this rater was given, to go back to."""
    study = store.study(who.access.study)
    return page("mine.html", **_facts(study, who), tasks=store.tasks(who.access.rater))


@router.get("/done")
def done(store: Stores, who: Rater) -> Response:
    study = store.study(who.access.study)
    return page("done.html", **_facts(study, who), tasks=store.tasks(who.access.rater))


@router.post("/leave")
async def leave(request: Request, store: Stores, who: Rater) -> Response:
    """Removes everything that is known of this rater."""
    form = await form_of(request)
    may_change(request, who, form.get("form_token", ""))
    if form.get("sure") != "yes":
        raise RatingError("not confirmed", where="leave", remedy="tick the box if you want all of it deleted")
    await run_in_threadpool(store.delete_rater, who.access.rater)
    answer = page("left.html")
    state = request.app.state
    answer.delete_cookie(state.cookies["rater"], secure=state.secure, httponly=True, samesite="lax")
    return answer


@router.get("/media/{sha256}")
def media(sha256: Annotated[str, Path(pattern="^[0-9a-f]{64}$")], store: Stores, who: Rater) -> Response:
    """A picture or clip of the rater's study, never anything that a browser would run."""
    file = store.media(who.access.study, sha256)
    return FileResponse(
        file.path,
        media_type=file.media_type,
        headers={
            "content-security-policy": "default-src 'none'; sandbox",
            "content-disposition": "inline",
            "cache-control": "private, max-age=86400, immutable",
        },
    )


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form; of a field that stands twice the last."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:
        raise RatingError("too many fields", where="form", remedy="load the page again") from error


async def _to_next(store: Store, who: Caller) -> Response:
    task = await run_in_threadpool(store.next_task, who.access.rater)
    return RedirectResponse("/done" if task is None else f"/task/{task.id}", 303)


def _keep(store: Store, who: Caller, task: str, values: dict[str, int], comment: str, seconds: float) -> None:
    """Keeps what was filled in although it is not whole; the page tells what no draft can hold."""
    try:
        store.save_draft(who.access.rater, task, values, comment, seconds)
    except (RatingError, ClosedError):
        return


def _values(study: Study, form: dict[str, str]) -> dict[str, int]:
    """Dimension to mark, as the form's fields say it. Raises RatingError."""
    if study.kind == "labels":
        also = {name[5:]: ALSO for name in form if name.startswith("also.")}
        return also | ({form["main"]: MAIN} if form.get("main") else {})
    try:
        return {name[2:]: int(mark) for name, mark in form.items() if name.startswith("v.")}
    except ValueError as error:
        raise RatingError(
            "not a mark of this scale", where="form", remedy="choose one of the marks"
        ) from error


def _task_page(store: Store, who: Caller, task: Task, error: GumptionError | None = None) -> Response:
    study = store.study(who.access.study)
    lines = store.tasks(who.access.rater)
    at = next(place for place, line in enumerate(lines) if line.id == task.id)
    words = [part.text for part in task.parts if isinstance(part, Text)]
    status = 200 if error is None else 409 if isinstance(error, StaleError) else 422
    return page(
        "task.html",
        status,
        **_facts(study, who),
        task=task,
        folded=sum(map(len, words)) > LONG,
        earlier=lines[at - 1].id if at else "",
        later=lines[at + 1].id if at + 1 < len(lines) else "",
        error=error,
        wrong=error.where if error else "",
        wrong_title=next((one.title for one in study.dimensions if error and one.id == error.where), ""),
        marks=_anchors(study),
    )


def _anchors(study: Study) -> bool:
    return any(dimension.anchors for dimension in study.dimensions)


def _facts(study: Study, who: Caller) -> dict[str, Any]:
    return {"study": study, "form_token": who.form_token, "expires": who.access.expires}
