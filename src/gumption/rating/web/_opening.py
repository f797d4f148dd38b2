"""Opening a personal link: the token moves into a cookie, and the address holds it no more."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from gumption.rating.errors import LinkError
from gumption.rating.store import Store
from gumption.rating.study import Access
from gumption.rating.web._answers import page
from gumption.rating.web._cookies import Role
from gumption.rating.web._rater_pages import form_of
from gumption.rating.web._who import Caller, Organiser, Rater, Stores, caller_of, may_change

__all__ = ["router"]

TOKEN = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{20,128}$")]
FIRST_PAGE: dict[Role, str] = {"rater": "/", "organiser": "/study"}

router = APIRouter(include_in_schema=False)


@router.get("/r/{token}")
def join(token: TOKEN, request: Request, store: Stores) -> Response:
    return _open(request, store, token, "rater")


@router.get("/o/{token}")
def join_as_organiser(token: TOKEN, request: Request, store: Stores) -> Response:
    return _open(request, store, token, "organiser")


@router.post("/r/{token}")
async def join_instead(token: TOKEN, request: Request, store: Stores, who: Rater) -> Response:
    return await _open_instead(request, store, token, "rater", who)


@router.post("/o/{token}")
async def join_as_organiser_instead(
    token: TOKEN, request: Request, store: Stores, who: Organiser
) -> Response:
    return await _open_instead(request, store, token, "organiser", who)


def _open(request: Request, store: Store, token: str, role: Role) -> Response:
    """Lets the holder in, or asks first where the browser is open for somebody else.

    Without being asked, a person who is sent another's link would go on in the other's name, and tell the
    other what they say.
    """
    access = _access(store, token, role)
    try:
        here = caller_of(request, role)
    except LinkError:
        return _let_in(request, token, access)
    if (here.access.study, here.access.rater) == (access.study, access.rater):
        return _let_in(request, token, access)
    return page("instead.html", form_token=here.form_token, role=role)


async def _open_instead(request: Request, store: Store, token: str, role: Role, who: Caller) -> Response:
    """The answer to that question, asked on our own page."""
    form = await form_of(request)
    may_change(request, who, form.get("form_token", ""))
    return _let_in(request, token, await run_in_threadpool(_access, store, token, role))


def _access(store: Store, token: str, role: Role) -> Access:
    access = store.access(token)
    if access.role != role:
        raise LinkError("this link does not open this page", remedy="use the link as it was sent to you")
    return access


def _let_in(request: Request, token: str, access: Access) -> Response:
    answer = RedirectResponse(FIRST_PAGE[access.role], 303)
    answer.set_cookie(
        request.app.state.cookies[access.role],
        token,
        max_age=max(int(access.expires - time.time()), 0),
        httponly=True,
        secure=request.app.state.secure,
        # Lax, not strict: the first page comes from a link in a letter.
        samesite="lax",
    )
    request.state.opened = token
    return answer
