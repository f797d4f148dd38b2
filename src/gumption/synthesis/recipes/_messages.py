"""Ready-made conversations as the parts of one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["message_parts"]


def message_parts(
    messages: Sequence[Mapping[str, Any]], picture: Callable[[str], dict[str, str]]
) -> list[dict[str, str]]:
    """Texts and pictures of all turns in order, unchanged; `picture` makes a part of a path or base64."""
    parts: list[dict[str, str]] = []
    for message in messages:
        content = message.get("content", message.get("value"))
        for piece in content if isinstance(content, list) else [content]:
            text, image = _piece(piece)
            if text:
                parts.append({"text": text})
            if image:
                parts.append(picture(image))
    return parts


def _piece(piece: Any) -> tuple[str, str]:
    """Text and picture of one piece of content, whichever it has."""
    if isinstance(piece, str):
        return piece, ""
    if not isinstance(piece, dict):
        return "", ""
    text = piece.get("text")
    for key in ("image_url", "image", "path", "url", "input_image"):
        image = piece.get(key)
        if isinstance(image, dict):
            image = image.get("url", image.get("path"))
        if isinstance(image, str):
            return "", image
    return (text, "") if isinstance(text, str) else ("", "")
