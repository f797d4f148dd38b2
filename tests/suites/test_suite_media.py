"""Media by hash, and the bounds on what is looked at."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

from gumption.records import GumptionError
from gumption.suites import Media
from gumption.suites._images import image_of
from gumption.suites.media import store

Make = Callable[..., Any]


def test_media_are_read_by_hash(tmp_path: Path) -> None:
    paths = {}
    for word in ("one", "two"):
        path = tmp_path / word
        path.write_text(word)
        paths[hashlib.sha256(word.encode()).hexdigest()] = path
    one, two = paths
    media = Media({one: paths[one]}) | Media({two: paths[two], one: tmp_path / "elsewhere"})
    assert (list(media), len(media)) == ([two, one], 2)
    assert (media.read(one), media.path(one)) == (b"one", tmp_path / "one")
    assert one in media
    assert "0" * 64 not in media
    assert media.path("0" * 64) is None
    with pytest.raises(GumptionError, match="no media file"):
        media.read("0" * 64)


def test_the_store_mends_a_spoiled_file(cache: Path) -> None:
    sha256 = hashlib.sha256(b"data").hexdigest()
    path = store(b"data", sha256, "image/png")
    path.write_bytes(b"spoiled")
    assert store(b"data", sha256, "image/png") == path == cache / "media" / f"{sha256}.png"
    assert path.read_bytes() == b"data"
    assert list((cache / "media").iterdir()) == [path]


def test_every_cut_of_a_picture_is_refused_or_whole(picture: Make) -> None:
    stream = io.BytesIO()
    Pillow.effect_noise((40, 40), 60).convert("RGB").save(stream, "PNG")
    data = stream.getvalue()
    end = len(data) - 12  # the empty last chunk, without which every pixel is there
    for length in range(0, end, 97):
        with pytest.raises(GumptionError):
            image_of(data[:length])


@given(st.sampled_from(["PNG", "JPEG", "WEBP", "GIF", "BMP"]), st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_bytes_are_a_picture_or_a_clear_error(format: str, data: st.DataObject) -> None:
    stream = io.BytesIO()
    Pillow.linear_gradient("L").resize((24, 18)).save(stream, format)
    raw = bytearray(stream.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        image = image_of(bytes(raw))
    except GumptionError as error:
        assert error.problem and error.remedy
    else:
        assert image.sha256 == hashlib.sha256(raw).hexdigest()


def test_a_picture_of_exactly_the_limit_is_taken(picture: Make) -> None:
    stream = io.BytesIO()
    Pillow.new("1", (10_000, 10_000)).save(stream, "PNG")
    assert image_of(stream.getvalue()).width == 10_000


def test_several_jpegs_in_one_file_are_a_jpeg() -> None:
    stream = io.BytesIO()
    pages = [Pillow.new("RGB", (20, 10), colour) for colour in ("red", "blue")]
    pages[0].save(stream, "MPO", save_all=True, append_images=pages[1:])
    image = image_of(stream.getvalue())
    assert (image.media_type, image.width, image.height) == ("image/jpeg", 20, 10)
