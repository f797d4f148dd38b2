"""The cookies in which a browser keeps what a personal link held."""

from __future__ import annotations

from typing import Literal, TypeAlias

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

__all__ = ["Names", "Role", "claimed", "names"]

Role: TypeAlias = Literal["rater", "organiser"]
Names: TypeAlias = dict[Role, str]


def names(*, secure: bool) -> Names:
    """By what the token opens. With https the prefix keeps other hosts of the domain from setting them."""
    prefix = "__Host-" if secure else ""
    return {"rater": f"{prefix}gumption_rater", "organiser": f"{prefix}gumption_organiser"}


def claimed(headers: Headers, cookies: Names) -> list[str]:
    """The tokens that a request comes with, whether or not they open anything."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return [bearer] if bearer else []
    kept = cookie_parser(headers.get("cookie", ""))
    return [kept[name] for name in cookies.values() if kept.get(name)]
