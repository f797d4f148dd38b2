"""Small pictures and question files, made here."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A media store of the test's own."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("GUMPTION_CACHE", str(folder))
    return folder


@pytest.fixture
def picture() -> Callable[..., bytes]:
    """The bytes of a plain picture: colour, size, format."""

    def make(colour: str = "red", size: tuple[int, int] = (8, 6), format: str = "PNG") -> bytes:
        stream = io.BytesIO()
        Pillow.new("RGB", size, colour).save(stream, format)
        return stream.getvalue()

    return make


@pytest.fixture
def write_lines(tmp_path: Path) -> Callable[..., Path]:
    """A JSONL file of these rows; bytes and text are written as they are."""

    def write(*rows: Any, name: str = "quiz.jsonl") -> Path:
        path = tmp_path / name
        with path.open("wb") as file:
            for row in rows:
                text = row if isinstance(row, str | bytes) else json.dumps(row)
                file.write((text if isinstance(text, bytes) else text.encode()) + b"\n")
        return path

    return write


@pytest.fixture
def write_table(tmp_path: Path) -> Callable[..., Path]:
    """A TSV file of these rows of cells, the first of which is the header."""

    def write(*rows: list[str], name: str = "quiz.tsv") -> Path:
        path = tmp_path / name
        path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="")
        return path

    return write
