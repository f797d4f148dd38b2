"""Questions of two choices, each with a picture of its own or with none, as a file for `gumption run`."""

from __future__ import annotations

import io
import json
from pathlib import Path

__all__ = ["PICTURE_BYTES", "RIGHT", "write"]

PICTURE_BYTES = 52_000
RIGHT = 0.75
"""Share of the questions whose answer is A, which is what the server says to all."""


def write(folder: Path, size: int, *, pictures: bool = True) -> Path:
    """`quiz.jsonl` with `size` questions, in a new folder with their pictures."""
    path = folder / f"{size}-{'pictures' if pictures else 'texts'}" / "quiz.jsonl"
    path.parent.mkdir()
    jpeg = _photograph() if pictures else b""
    with path.open("w") as file:
        for number in range(size):
            row = {
                "id": f"q{number}",
                "question": f"Q{number}: where is the cup?",
                "choices": ["left", "right"],
                "answer": "B" if number % 4 == 3 else "A",
            }
            if pictures:
                row["image"] = f"{number}.jpg"
                (path.parent / f"{number}.jpg").write_bytes(_commented(jpeg, number))
            file.write(json.dumps(row) + "\n")
    return path


def _photograph() -> bytes:
    """A JPEG of 640 x 480 that is somewhat smaller than PICTURE_BYTES and as hard to read as a photograph."""
    import numpy as np
    from PIL import Image

    coarse = np.random.default_rng(0).integers(0, 256, (120, 160, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(coarse).resize((640, 480)).save(buffer, "JPEG", quality=28)
    return buffer.getvalue()


def _commented(jpeg: bytes, number: int) -> bytes:
    """The same picture as other bytes, PICTURE_BYTES of them: a comment fills it up."""
    comment = f"{number:>{PICTURE_BYTES - len(jpeg) - 4}}".encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]
