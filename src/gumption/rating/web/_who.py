"""Who asks, and whether the request comes from our own page."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated

from fastapi import Depends, Request
from msgspec import Struct

from gumption.rating.errors import LinkError, NotThereError
from gumption.rating.store import Store
from gumption.rating.study import Access
from gumption.rating.web._cookies import Role

__all__ = ["Caller", "Organiser", "Rater", "Stores", "caller_of", "may_change", "own_rater"]


class Caller(Struct, frozen=True):
    """A person with a valid link."""

    access: Access
    form_token: str
    """Told to our own pages only; asked for by whatever changes something."""
    by_header: bool
    """No browser sends this header by itself, so that no other site can make one ask in a person's name."""


def _store_of(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def caller_of(request: Request, role: Role) -> Caller:
    """Raises LinkError for a missing, unknown or expired token, and for one of the other role."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    by_header = scheme.lower() == "bearer"
    token = bearer if by_header else request.cookies.get(request.app.state.cookies[role], "")
    if not token:
        raise LinkError(
            "no personal link was opened here", remedy="open the link that was sent to you, in this browser"
        )
    access = _store_of(request).access(token)
    if access.role != role:
        raise LinkError(f"this link is not one of {role}s", remedy="open the right link")
    # For the guard, which counts what comes with this token apart from its address.
    request.state.opened = token
    return Caller(access, hashlib.sha256(b"form " + token.encode()).hexdigest(), by_header)


def may_change(request: Request, caller: Caller, form_token: str) -> None:
    """Raises LinkError where a browser's request does not come from our page."""
    if caller.by_header:
        return
    from_elsewhere = request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if from_elsewhere or not hmac.compare_digest(form_token.encode(), caller.form_token.encode()):
        raise LinkError("this did not come from our page", remedy="load the page again, then send it again")


def own_rater(store: Store, who: Caller, rater: str) -> None:
    """Raises NotThereError for a rater of another study."""
    if rater not in {one.id for one in store.raters(who.access.study)}:
        raise NotThereError("no such rater", remedy="load the page again")


def _rater(request: Request) -> Caller:
    return caller_of(request, "rater")


def _organiser(request: Request) -> Caller:
    return caller_of(request, "organiser")


Stores = Annotated[Store, Depends(_store_of)]
Rater = Annotated[Caller, Depends(_rater)]
Organiser = Annotated[Caller, Depends(_organiser)]
