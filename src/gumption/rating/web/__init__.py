"""The pages that raters and the organiser see, and the JSON interface under them (FastAPI, Jinja2)."""

from gumption.rating.web.app import create_app

__all__ = ["create_app"]
