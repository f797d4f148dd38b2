"""Pictures in numbers: copies stay close, other pictures do not, and what is broken is refused."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw

from gumption.curation._copies import copies
from gumption.curation._picture_features import FEATURES, Fingerprint, decoded, fingerprint
from gumption.records import GumptionError


def scene(seed: int, size: tuple[int, int] = (320, 240)) -> Pillow.Image:
    rng = np.random.default_rng(seed)
    picture = Pillow.new("RGB", size, tuple(int(one) for one in rng.integers(80, 200, 3)))
    pen = ImageDraw.Draw(picture)
    for _ in range(12):
        x, y = int(rng.integers(size[0])), int(rng.integers(size[1]))
        pen.ellipse((x - 25, y - 25, x + 25, y + 25), fill=tuple(int(one) for one in rng.integers(0, 256, 3)))
    return picture


def saved(picture: Pillow.Image, format: str = "PNG", **how: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, format, **how)
    return file.getvalue()


def cells_of(*pictures: bytes) -> list[np.ndarray]:
    return [fingerprint(decoded(one)).cells for one in pictures]


def test_a_unit_vector_that_comes_back_from_bytes() -> None:
    look = fingerprint(scene(0))
    assert look.features.shape == (FEATURES,) and np.linalg.norm(look.features) == pytest.approx(1, abs=1e-5)
    again, rest = Fingerprint.from_bytes(look.to_bytes() + b"more")
    assert np.array_equal(again.features, look.features) and np.array_equal(again.cells, look.cells)
    assert rest == b"more"


def test_copies_are_found_and_other_pictures_are_not() -> None:
    scenes = [scene(seed) for seed in range(8)]
    files = [saved(one) for one in scenes]
    for one in scenes:
        files += [
            saved(one, "JPEG", quality=60),
            saved(one.resize((160, 120), Pillow.Resampling.LANCZOS)),
            saved(one, "WEBP", quality=70),
        ]
    assert copies(cells_of(*files)).tolist() == [*range(8), *(seed for seed in range(8) for _ in range(3))]


def test_a_thing_that_moved_makes_another_picture() -> None:
    pictures = []
    for x in (100, 130):
        one = scene(3)
        ImageDraw.Draw(one).rectangle((x, 100, x + 20, 120), fill="black")
        pictures.append(saved(one))
    assert copies(cells_of(*pictures)).tolist() == [0, 1]


def test_many_equal_pictures_are_one_and_none_are_none() -> None:
    assert copies(cells_of(saved(scene(1))) * 3000).tolist() == [0] * 3000
    assert copies([]).tolist() == []


def test_plain_pictures_have_finite_vectors_and_differ_by_colour() -> None:
    white, black = (fingerprint(Pillow.new("RGB", (50, 50), one)) for one in ("white", "black"))
    assert np.isfinite(white.features).all() and white.features @ black.features < 0.5
    assert copies([white.cells, black.cells]).tolist() == [0, 1]


def test_transparent_is_white_and_the_camera_turned_is_upright() -> None:
    clear = decoded(saved(Pillow.new("RGBA", (10, 10), (255, 0, 0, 0))))
    assert clear.getpixel((5, 5)) == (255, 255, 255)
    exif = Pillow.Exif()
    exif[0x0112] = 6
    assert decoded(saved(scene(0), "JPEG", exif=exif)).size == (240, 320)


def test_a_bomb_is_not_decoded() -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    bomb = (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )
    with pytest.raises(GumptionError, match="too large"):
        decoded(bomb)


@pytest.mark.parametrize("data", [b"", b"no picture", saved(scene(0))[:2000], b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_broken_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(GumptionError, match="not a whole picture"):
        decoded(data)
