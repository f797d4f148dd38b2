"""How answers are made: pages from templates, JSON, and one page or object for everything that goes wrong."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from gumption.rating.errors import (
    ClosedError,
    DatabaseError,
    LinkError,
    NotThereError,
    RatingError,
    StaleError,
)
from gumption.rating.web._guard import HEADERS
from gumption.records import GumptionError

__all__ = ["install", "json_answer", "page"]

STATUS: tuple[tuple[type[GumptionError], int], ...] = (
    (LinkError, HTTPStatus.UNAUTHORIZED),
    (NotThereError, HTTPStatus.NOT_FOUND),
    (RatingError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (StaleError, HTTPStatus.CONFLICT),
    (ClosedError, HTTPStatus.CONFLICT),
    (DatabaseError, HTTPStatus.SERVICE_UNAVAILABLE),
    (GumptionError, HTTPStatus.UNPROCESSABLE_ENTITY),
)

_TEMPLATES = Environment(
    loader=PackageLoader("gumption.rating.web"),
    autoescape=select_autoescape(default=True, default_for_string=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(template: str, status: int = 200, **facts: Any) -> HTMLResponse:
    """A page; every fact is escaped where it stands."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(facts), status)


def json_answer(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def install(app: FastAPI) -> None:
    """Let the application answer every error of ours with its status, problem and remedy."""

    @app.exception_handler(GumptionError)
    def _told(request: Request, error: GumptionError) -> Response:
        status = next(status for kind, status in STATUS if isinstance(error, kind))
        answer = _problem(request, status, error.problem, error.where, error.remedy)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            answer.headers["retry-after"] = "2"
        if status == HTTPStatus.UNAUTHORIZED:
            answer.headers["www-authenticate"] = "Bearer"
        return answer

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        answer = _problem(request, error.status_code, error.detail.lower(), "", "go back and try again")
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(RequestValidationError)
    def _not_taken(request: Request, error: RequestValidationError) -> Response:
        # What was sent is not sent back: not all that can be sent as JSON can be written as JSON.
        place, *inside = map(str, error.errors()[0]["loc"])
        if place == "path":
            return _problem(request, 404, "there is no such page", "", "use the link as it was sent to you")
        where = ".".join(inside).encode("ascii", "replace").decode()[:80]
        return _problem(request, 422, error.errors()[0]["msg"], where, "see /api/openapi.json")

    @app.exception_handler(Exception)
    def _failed(request: Request, _: Exception) -> Response:
        remedy = "what was saved is safe: load the page again"
        answer = _problem(request, 500, "the server failed", "", remedy)
        # This answer does not pass the guard.
        answer.headers.update(HEADERS | {"cache-control": "no-store"})
        return answer


def _problem(request: Request, status: int, problem: str, where: str, remedy: str) -> Response:
    if request.url.path.startswith("/api/"):
        return json_answer({"problem": problem, "where": where, "remedy": remedy}, status)
    return page("problem.html", status, problem=problem, where=where, remedy=remedy)
