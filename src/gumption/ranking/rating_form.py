"""What raters are asked of a plan: dimensions, each with a question and words for every step of its scale."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from gumption.records import GumptionError

__all__ = ["RatingDimension", "RatingForm", "own_form", "read_form"]

_LARGEST = 2**20
"""Bytes of a form."""
_REMEDY = "write it as ranking/rating_form.toml of this package is written"

_Words = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]


class RatingDimension(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is rated."""

    id: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    name: _Words
    question: _Words
    anchors: Annotated[tuple[_Words, ...], Meta(min_length=2, max_length=11)]
    """What each step of the scale means, from the lowest to the highest."""


class RatingForm(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is rated of one output, on one scale of whole numbers; every dimension weighs the same."""

    format: Literal["gumption-rating-form-1"]
    name: _Words
    low: int
    high: int
    dimensions: Annotated[tuple[RatingDimension, ...], Meta(min_length=1, max_length=32)]


@cache
def own_form() -> RatingForm:
    """The form of this package: eight dimensions from 1 to 5."""
    resource = files("gumption.ranking") / "rating_form.toml"
    return _form(resource.read_bytes(), "rating_form.toml")


def read_form(path: Path | str) -> RatingForm:
    """A form from a TOML file. Raises GumptionError for a file that is none, naming what is wrong."""
    path = Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise GumptionError(f"over {_LARGEST // 2**20} MiB", where=str(path), remedy=_REMEDY)
        return _form(path.read_bytes(), str(path))
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise GumptionError(problem, where=str(path), remedy="check the path and the permissions") from error


def _form(text: bytes, where: str) -> RatingForm:
    try:
        form = msgspec.toml.decode(text, type=RatingForm)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:  # of numbers and letters too
        raise GumptionError(f"no rating form: {error}", where=where, remedy=_REMEDY) from error
    names = [one.id for one in form.dimensions]
    if len(set(names)) < len(names):
        raise GumptionError("two dimensions have the same id", where=where, remedy="rename one")
    steps = form.high - form.low + 1
    for one in form.dimensions:
        if len(one.anchors) != steps:
            problem = f"{one.id} has {len(one.anchors)} anchors for {form.low} to {form.high}"
            raise GumptionError(problem, where=where, remedy=f"write {steps}, one for each step")
    return form
