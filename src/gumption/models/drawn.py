"""Pictures that an episode makes on its way, such as the render of a state that it has just reached.

The media of a suite know the suite's own pictures alone. A drawn picture carries its bytes in the question
itself, so that there is nothing to store or to look up: resuming, scoring again and replaying draw it anew,
and `Reply.media_sha256` tells which bytes were sent.
"""

from __future__ import annotations

import hashlib

from gumption.models.model import ReadMedia
from gumption.records import Image

__all__ = ["Drawn", "bytes_of", "drawn"]


class Drawn(Image, frozen=True):
    """A picture that carries its own bytes. Only for questions, never for the items of a suite."""

    data: bytes = b""

    def __repr__(self) -> str:
        return f"Drawn({self.sha256[:12]}, {self.media_type}, {len(self.data)} bytes)"


def drawn(data: bytes, size: tuple[int, int] = (0, 0), media_type: str = "image/png") -> Drawn:
    """A part for a question out of the bytes of a picture that was just made.

    data: the encoded picture; the same bytes for the same state, or replies stand beside pictures that were
    never shown. size: width and height in pixels, (0, 0) where nobody asks.
    """
    return Drawn(hashlib.sha256(data).hexdigest(), media_type, *size, data=data)


def bytes_of(picture: Image, media: ReadMedia) -> bytes:
    """The bytes of a picture: its own, else those that the suite has for its hash."""
    return picture.data if isinstance(picture, Drawn) else media(picture.sha256)
