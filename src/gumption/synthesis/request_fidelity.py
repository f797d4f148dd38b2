"""Inference fidelity with a reference (A2Eval, arXiv 2602.01640): of what is asked, and of what comes back.

The paper compares outputs by normalised edit distance; at a temperature above 0 that mixes sampling noise
with faults of the pipeline. So requests are compared, where there is no noise.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from gumption.records import GumptionError, Image, Item, Text
from gumption.synthesis._edit_distance import likeness
from gumption.synthesis.contract import Request

__all__ = [
    "ReplyFidelity",
    "RequestFidelity",
    "Shown",
    "reply_fidelity",
    "request_fidelity",
    "shown_by_item",
    "shown_by_request",
]

Shown: TypeAlias = tuple[tuple[Literal["text", "image"], str], ...]
"""What a model is shown, in order: texts, texts that follow each other joined, and SHA-256 of pictures."""
_NAMED = 20


class RequestFidelity(Struct, frozen=True):
    """How far requests equal those of a reference, over its items; one that is missing is unequal."""

    items: int
    missing: int
    equal: float
    """Share with the same texts and pictures in the same order, to the byte."""
    same_parts: float
    """Share with as many parts in the same order of text and picture, the pictures being the same."""
    same_media: float
    """Share with the same pictures in the same order."""
    text: float
    """Mean of 1 - edit distance / length of the longer, over all text of a request: the paper's inference
    fidelity, of requests, where no sampling noise is in it."""
    unequal: tuple[str, ...]
    """The first items that are not equal."""


class ReplyFidelity(Struct, frozen=True):
    """The paper's inference fidelity of outputs: mean of 1 - edit distance / length of the longer."""

    mean: float | None
    replies: int
    missing: int


def shown_by_request(request: Request, folder: Path) -> Shown:
    """What a request shows. Raises GumptionError for a picture that is not in the folder."""
    root = folder.resolve()
    parts: list[tuple[Literal["text", "image"], str]] = []
    for part in request.parts:
        if part.text:
            parts.append(("text", part.text))
            continue
        path = (root / part.image).resolve()
        try:
            if part.image and not path.is_relative_to(root):
                raise GumptionError(
                    "it is not in the folder", where=part.image, remedy="stay below the folder"
                )
            data = path.read_bytes() if part.image else base64.b64decode(part.image_base64, validate=True)
        except (OSError, binascii.Error) as error:
            raise GumptionError(
                f"the picture cannot be read: {type(error).__name__}",
                where=part.image or "base64",
                remedy="check it",
            ) from error
        parts.append(("image", hashlib.sha256(data).hexdigest()))
    return _joined(parts)


def shown_by_item(item: Item) -> Shown:
    """What an item of ours shows, as of `benchmarks`. Raises GumptionError for one that shows a video."""
    parts: list[tuple[Literal["text", "image"], str]] = []
    for part in item.parts:
        if isinstance(part, Text):
            parts.append(("text", part.text))
        elif isinstance(part, Image):
            parts.append(("image", part.sha256))
        else:
            raise GumptionError(
                "it shows a video", where=item.id, remedy="compare items of text and pictures"
            )
    return _joined(parts)


def _joined(parts: Iterable[tuple[Literal["text", "image"], str]]) -> Shown:
    out: list[tuple[Literal["text", "image"], str]] = []
    for kind, told in parts:
        if kind == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", f"{out[-1][1]}\n{told}")
        else:
            out.append((kind, told))
    return tuple(out)


def request_fidelity(made: Mapping[str, Shown], reference: Mapping[str, Shown]) -> RequestFidelity:
    """Compares requests by item id. Raises GumptionError for a reference without items."""
    if not reference:
        raise GumptionError("the reference has no items", where="fidelity", remedy="give one with items")
    rows = [(id, made.get(id), wanted) for id, wanted in reference.items()]
    known = [(id, given, wanted) for id, given, wanted in rows if given is not None]

    def share(same: Iterable[bool]) -> float:
        return sum(same) / len(rows)

    def outline(shown: Shown) -> list[str]:
        return [kind if kind == "text" else told for kind, told in shown]

    return RequestFidelity(
        items=len(rows),
        missing=len(rows) - len(known),
        equal=share(given == wanted for _, given, wanted in known),
        same_parts=share(outline(given) == outline(wanted) for _, given, wanted in known),
        same_media=share(_of("image", given) == _of("image", wanted) for _, given, wanted in known),
        text=sum(
            likeness("\n".join(_of("text", given)), "\n".join(_of("text", wanted)))
            for _, given, wanted in known
        )
        / len(rows),
        unequal=tuple([id for id, given, wanted in rows if given != wanted][:_NAMED]),
    )


def _of(kind: str, shown: Shown) -> list[str]:
    return [told for one, told in shown if one == kind]


def reply_fidelity(replies: Mapping[Any, str], reference: Mapping[Any, str]) -> ReplyFidelity:
    """Compares outputs by key. It says something only of replies without sampling (temperature 0): print the
    reference run twice beside it as the most that can be had."""
    both = [key for key in reference if key in replies]
    alike = [likeness(replies[key], reference[key]) for key in both]
    return ReplyFidelity(sum(alike) / len(alike) if alike else None, len(both), len(reference) - len(both))
