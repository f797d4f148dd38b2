"""What `docs/architecture.md` says of rooms holds in the code: who imports from whom, and what is private."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[1]
PAGE = (REPOSITORY / "docs" / "architecture.md").read_text()
FIGURES = REPOSITORY / "docs" / "figures"


def _program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_rooms", FIGURES / "rooms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ROOMS = _program()
IMPORTS = list(ROOMS.imports(ROOMS.SOURCE))
ORDER = re.findall(r"^\| `([a-z]+)(?:/|\.py)` \|", PAGE, re.MULTILINE)
"""The rooms, as the page's table has them."""


def test_the_page_names_every_room_once() -> None:
    assert sorted(ORDER) == sorted(ROOMS.rooms(ROOMS.SOURCE))


def test_a_room_imports_only_from_rooms_above_it() -> None:
    upwards = [
        f"{file} imports {imported}"
        for file, imported in IMPORTS
        if (room := ROOMS.room_of(file)) in ORDER and (other := imported.split(".")[1]) in ORDER
        if ORDER.index(other) > ORDER.index(room)
    ]
    assert not upwards


BORROWED = {
    "answers._amounts",
    "answers._coordinates",
    "answers._evidence",
    "answers._reply",
    "ranking._official",
    "ranking._resampling",
    "ranking._runs",
}
"""Private files that another room takes from all the same. The list may only become shorter."""


def test_files_with_an_underscore_belong_to_their_room() -> None:
    crossed = {
        ".".join(imported.split(".")[1:3])
        for file, imported in IMPORTS
        if imported.split(".")[1] != ROOMS.room_of(file)
        if any(re.match("_[^_]", part) for part in imported.split("."))
    }
    assert crossed == BORROWED


def test_the_figure_is_drawn_from_the_imports() -> None:
    """`python docs/figures/rooms.py` draws it again."""
    assert (FIGURES / "rooms.svg").read_text() == ROOMS.figure(ROOMS.rooms(ROOMS.SOURCE))


def test_lines_that_follow_from_others_are_left_out() -> None:
    uses = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}}
    assert ROOMS.depths(uses) == {"a": 0, "b": 1, "c": 2, "d": 1}
    assert ROOMS.direct(uses) == {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}}
    with pytest.raises(ValueError, match="a, b"):
        ROOMS.depths({"a": {"b"}, "b": {"a"}, "c": set()})
