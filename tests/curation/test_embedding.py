"""Items to vectors: once for each content, the same in shards, and nothing made up where there is nothing."""

from __future__ import annotations

import hashlib
import io
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from gumption.curation.duplicates import duplicates
from gumption.curation.embedding import CachedTexts, embed, joined
from gumption.records import Answer, GumptionError, Image, Item, Part, Text, Video
from gumption.suites import Media


class Letters:
    """Counts of letters: an encoder whose vectors can be worked out by hand."""

    def __init__(self, id: str = "letters@1") -> None:
        self.id, self.asked = id, list[str]()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        rows = np.array([[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Broken(Letters):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.full((len(texts), 26), np.nan, dtype=np.float32)


class Mean:
    """A picture encoder: its mean colour."""

    id = "mean@1"

    def encode(self, pictures: Sequence[Pillow.Image]) -> np.ndarray:
        rows = np.stack([np.asarray(one, np.float32).mean(axis=(0, 1)) + 1 for one in pictures])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Shelf:
    def __init__(self, folder: Path) -> None:
        self.folder, self.paths = folder, dict[str, Path]()

    def picture(self, colour: str, format: str = "PNG") -> Image:
        picture = Pillow.new("RGB", (64, 48), colour)
        picture.paste("black", (8, 8, 24, 24))
        file = io.BytesIO()
        picture.save(file, format)
        return Image(self.put(file.getvalue()))

    def put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        self.paths[name] = self.folder / name
        self.paths[name].write_bytes(data)
        return name

    @property
    def media(self) -> Media:
        return Media(self.paths)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def item(id: str, *parts: Part | str, gold: object = "yes", benchmark: str = "b", **more: object) -> Item:
    told = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Item(id, benchmark, told, Answer("yes_no", gold=gold), **more)


def test_each_distinct_text_is_encoded_once_and_kept(tmp_path: Path) -> None:
    encoder, cache = Letters(), tmp_path / "cache"
    items = [item("1", "abc"), item("2", "abc"), item("3", "xyz")]
    first = embed(items, Media(), encoder=encoder, cache=cache)
    assert sorted(encoder.asked) == ["abc", "xyz"]
    again = embed(items[::-1], Media(), encoder=encoder, cache=cache)
    assert len(encoder.asked) == 2
    assert np.array_equal(first.text, again.text[::-1]) and np.array_equal(first.text[0], first.text[1])
    other = Letters("letters@2")
    embed(items, Media(), encoder=other, cache=cache)
    assert len(other.asked) == 2, "vectors of another encoder were taken"
    assert first.encoder == "letters@1"


def test_shards_joined_are_the_whole(shelf: Shelf) -> None:
    red = shelf.picture("red")
    items = [item("1", "abc"), item("2", "abd", red), item("3", "xyz"), item("4", "q", red)]
    whole = embed(items, shelf.media, encoder=Letters())
    parts = joined(
        [embed(some, shelf.media, encoder=Letters()) for some in (items[:1], items[1:3], items[3:])]
    )
    assert parts.ids == whole.ids and parts.shows == whole.shows and parts.unseen == whole.unseen
    assert np.array_equal(parts.text, whole.text) and np.array_equal(parts.image, whole.image)
    assert np.array_equal(parts.fused, whole.fused) and parts.image_encoder == whole.image_encoder
    with pytest.raises(GumptionError, match="letters@2"):
        joined([whole, embed(items, shelf.media, encoder=Letters("letters@2"))])
    with pytest.raises(GumptionError):
        joined([])


def test_a_fused_cosine_is_the_mean_of_both_and_of_one_where_there_is_one(shelf: Shelf) -> None:
    red, blue = shelf.picture("red"), shelf.picture("blue")
    items = [
        item("1", "ab", red),
        item("2", "ac", blue),
        item("3", "ab"),
        item("4", red),
        item("5", "ab", red),
    ]
    e = embed(items, shelf.media, encoder=Letters(), image_encoder=Mean())
    assert np.linalg.norm(e.fused, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    cosine = e.fused @ e.fused.T
    # "ab" and "ac" share one of two letters: .5.
    assert cosine[0, 1] == pytest.approx(0.25 + 0.5 * float(e.image[0] @ e.image[1]), abs=1e-5)
    assert cosine[0, 4] == pytest.approx(1, abs=1e-5) and cosine[2, 3] == pytest.approx(0, abs=1e-6)
    assert e.image_encoder == "looks-1+mean@1"


def test_nothing_to_embed_is_zero_named_and_no_duplicate() -> None:
    items = [item("1"), item("2"), item("3", " \n"), item("4", "abc")]
    e = embed(items, Media(), encoder=Letters(), text_alone={"b"})
    assert e.blank.tolist() == [True, True, True, False]
    assert not e.fused[:3].any()
    assert duplicates(items, e).stands.tolist() == [0, 1, 2, 3]
    alone = embed(items[:2], Media(), encoder=Letters())
    assert alone.text.shape == (2, 26)


def test_media_that_cannot_be_seen_are_named(shelf: Shelf) -> None:
    good, broken = shelf.picture("red"), Image(shelf.put(b"no picture"))
    clip, gone = Video(shelf.put(b"no clip")), Image("f" * 64)
    altered = shelf.picture("green")
    shelf.paths[altered.sha256].write_bytes(b"altered")
    items = [item(str(n), "a", one) for n, one in enumerate((good, broken, clip, gone, altered))]
    e = embed(items, shelf.media, encoder=Letters())
    assert e.image.any(axis=1).tolist() == [True, False, False, False, False]
    assert set(e.unseen) == {broken.sha256, clip.sha256, gone.sha256, altered.sha256}
    assert "not a whole picture" in e.unseen[broken.sha256] and "altered" in e.unseen[altered.sha256]


def test_a_clip_is_seen_by_its_first_frames(shelf: Shelf, tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    path = tmp_path / "clip.mp4"
    with av.open(path, "w") as file:
        stream = file.add_stream("mpeg4", rate=5)
        stream.width, stream.height = 64, 48
        for _ in range(6):
            picture = Pillow.new("RGB", (64, 48), "red")
            file.mux(stream.encode(av.VideoFrame.from_ndarray(np.asarray(picture), format="rgb24")))
        file.mux(stream.encode())
    clip = Video(shelf.put(path.read_bytes()))
    still = Image(shelf.put(_png(Pillow.new("RGB", (64, 48), "red"))))
    blue = Image(shelf.put(_png(Pillow.new("RGB", (64, 48), "blue"))))
    e = embed([item("1", clip), item("2", still), item("3", blue)], shelf.media, encoder=Letters())
    assert not e.unseen and e.image[0] @ e.image[1] > 0.9 > e.image[0] @ e.image[2]
    assert clip.sha256 not in e.cells


def _png(picture: Pillow.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def test_pictures_come_from_the_cache(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [item("1", "a", shelf.picture("red")), item("2", "a", shelf.picture("blue"))]
    first = embed(items, shelf.media, encoder=Letters(), image_encoder=Mean(), cache=tmp_path / "c")
    monkeypatch.setattr("gumption.curation._looks.decoded", None)
    again = embed(items, shelf.media, encoder=Letters(), image_encoder=Mean(), cache=tmp_path / "c")
    assert np.array_equal(first.image, again.image) and set(again.cells) == set(first.cells)


def test_vectors_that_are_not_finite_are_refused_and_not_kept(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="not finite") as caught:
        embed([item("1", "abc")], Media(), encoder=Broken(), cache=tmp_path / "c")
    assert "letters@1" in str(caught.value)
    sound = Letters()
    assert np.isfinite(embed([item("1", "abc")], Media(), encoder=sound, cache=tmp_path / "c").text).all()
    assert sound.asked == ["abc"]


def test_an_empty_pool_is_said_to_be_empty() -> None:
    with pytest.raises(GumptionError, match="empty"):
        embed([], Media(), encoder=Letters())


def test_a_lone_surrogate_is_no_crash(tmp_path: Path) -> None:
    assert CachedTexts(Letters(), tmp_path / "c").encode(["abc \ud800"]).shape == (1, 26)


def test_a_vector_altered_in_the_cache_is_made_again(tmp_path: Path) -> None:
    cache, encoder = tmp_path / "c", Letters()
    first = CachedTexts(encoder, cache).encode(["abc", "xyz"])
    with sqlite3.connect(cache) as database:
        database.execute("UPDATE vectors SET vector = zeroblob(104)")
    database.close()
    assert np.array_equal(CachedTexts(encoder, cache).encode(["abc", "xyz"]), first)
    assert len(encoder.asked) == 4


def test_a_file_that_is_no_cache_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"something else" * 100)
    with pytest.raises(GumptionError, match="cannot be used") as caught:
        CachedTexts(Letters(), tmp_path / "c").encode(["a"])
    assert "delete" in caught.value.remedy


_KILLED = """
import os, signal, sys
from pathlib import Path
from gumption.curation._vector_cache import VectorCache
cache = VectorCache(Path(sys.argv[1]))
for n in range(10_000):
    cache.put("e", {f"{n:064x}": bytes(1536), f"{n + 10_000:064x}": bytes(1536)})
    if n == 7:
        print("some", flush=True)
"""


def test_a_writer_killed_leaves_whole_blocks(tmp_path: Path) -> None:
    from gumption.curation._vector_cache import VectorCache

    path = tmp_path / "c"
    writer = subprocess.Popen([sys.executable, "-c", _KILLED, str(path)], stdout=subprocess.PIPE)
    assert writer.stdout is not None and writer.stdout.readline() == b"some\n"
    writer.kill()
    writer.wait()
    writer.stdout.close()
    found = VectorCache(path).get("e", [f"{n:064x}" for n in range(20_000)])
    numbers = {int(key, 16) for key in found}
    written = {n for n in numbers if n < 10_000}
    assert len(written) >= 8 and numbers == written | {n + 10_000 for n in written}
    assert written == set(range(len(written)))
