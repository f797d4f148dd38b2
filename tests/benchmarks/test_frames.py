"""Frames of clips: which ones, what they show, and that a clip is taken apart once."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from clips import greys, write_clip
from hypothesis import given
from hypothesis import strategies as st

from gumption.benchmarks import _frames
from gumption.benchmarks._clips import Showing
from gumption.benchmarks._frames import frames_of, places
from gumption.benchmarks._hub import Shelf
from gumption.records import Answer, GumptionError, Image, Item, Text, Video
from gumption.suites import Suite


@given(st.integers(1, 5000), st.integers(1, 128))
def test_places_are_even_and_hold_both_ends(total: int, count: int) -> None:
    found = places(total, count)
    assert len(found) == min(total, count) and found == sorted(set(found))
    assert found[0] == 0 and (count == 1 or found[-1] == total - 1)
    steps = {after - before for before, after in pairwise(found)}
    assert not steps or max(steps) - min(steps) <= 1


def test_places_by_hand() -> None:
    assert places(21, 5) == [0, 5, 10, 15, 20]
    assert places(10, 4) == [0, 3, 6, 9]
    assert places(3, 8) == [0, 1, 2]


def test_the_frames_are_those_of_the_clip(tmp_path: Path) -> None:
    write_clip(tmp_path / "a/walk.mp4")
    shelf = Shelf(tmp_path)
    frames = frames_of(shelf, "a/walk.mp4", 5)
    item = Item("i", "b", frames, Answer("text"))
    assert greys(Suite("s", "1", (item,), media=shelf.media()), item) == [0, 5, 10, 15, 20]
    assert {(frame.width, frame.height, frame.media_type) for frame in frames} == {(32, 32, "image/jpeg")}


def test_a_clip_is_taken_apart_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_clip(tmp_path / "walk.mp4", first=1)
    first = frames_of(Shelf(tmp_path), "walk.mp4", 4)
    monkeypatch.setattr(_frames, "_taken", lambda *_: pytest.fail("taken apart again"))
    shelf = Shelf(tmp_path)
    assert frames_of(shelf, "walk.mp4", 4) == first
    assert all(shelf.media().read(frame.sha256) for frame in first)


def test_what_is_no_clip_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.mp4").write_bytes(b"nothing of the kind")
    with pytest.raises(GumptionError, match="no clip") as caught:
        frames_of(Shelf(tmp_path), "bad.mp4", 4)
    assert caught.value.where.endswith("bad.mp4")
    with pytest.raises(GumptionError, match=r"no 'none\.mp4'"):
        frames_of(Shelf(tmp_path), "none.mp4", 4)


def test_how_clips_are_shown_is_an_option(tmp_path: Path) -> None:
    usual = Showing.told("b", {}, 8)
    assert (usual.frames, usual.protocol) == (8, "")
    assert Showing.told("b", {"frames": "8"}, 8).protocol == ""
    four = Showing.told("b", {"frames": "4"}, 8)
    assert (four.protocol, four.meta["frames"]) == ("frames=4", 4)
    whole = Showing.told("b", {"shown": "video"}, 8)
    assert whole.protocol == "shown=video" and "frames" not in whole.meta
    write_clip(tmp_path / "walk.mp4")
    shelf = Shelf(tmp_path)
    assert [type(part) for part in whole.parts(shelf, "walk.mp4")] == [Video]
    assert [type(part) for part in four.parts(shelf, "walk.mp4")] == [Image] * 4
    assert whole.words("Why?") == Text("Why?") and four.words("Why?").text.endswith("\nWhy?")
    for wrong in ({"frames": "0"}, {"frames": "many"}, {"shown": "half"}, {"fps": "2"}):
        with pytest.raises(GumptionError):
            Showing.told("b", wrong, 8)
    with pytest.raises(GumptionError, match="with frames"):
        Showing.told("b", {"shown": "video", "frames": "4"}, 8)
