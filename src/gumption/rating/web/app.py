"""The web application of a store of studies.

A rater's personal link `/r/TOKEN` leaves the token in a cookie that scripts cannot read; from then on
addresses hold no secret. Pages work without scripts; with them, forms are saved as they are filled in.
Everything that changes something asks for a second token that only our own pages know.
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from gumption.rating.store import Store
from gumption.rating.web import _opening, _organiser_pages, _rater_pages, api
from gumption.rating.web._answers import install
from gumption.rating.web._cookies import names
from gumption.rating.web._guard import Guard
from gumption.rating.web._limits import Limits

__all__ = ["create_app"]

STATIC = Path(__file__).parent / "static"


def create_app(
    store: Store, *, secure: bool = False, base_url: str = "", limits: Limits | None = None
) -> FastAPI:
    """The application of an open store; the caller closes the store.

    `secure`: it is reached by https, so that cookies are never sent without. `base_url`: where people reach
    it, for the links that the organiser is shown; without it they begin as the organiser's address does.
    """
    app = FastAPI(
        title="Gumption rating",
        version="1",
        description="Ratings of model outputs by people. A personal token is sent as a bearer token.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        # Such a redirect names the host that the request claims, and http behind a proxy.
        redirect_slashes=False,
    )
    app.state.store = store
    app.state.secure = secure
    app.state.base_url = base_url.rstrip("/")
    app.state.cookies = names(secure=secure)
    app.include_router(api.router)
    app.include_router(_opening.router)
    app.include_router(_rater_pages.router)
    app.include_router(_organiser_pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    install(app)
    app.add_middleware(Guard, limits=limits or Limits(), cookies=app.state.cookies)
    return app
