"""The terminal session of the README: the terminal, the picture, and that they belong together."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest
from doc_commands import check_mention

RECORDING = Path(__file__).parents[2] / "docs" / "recording"


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(RECORDING)
    import make

    return make


def text(screen) -> list[str]:
    return ["".join(cell.text for cell in line) for line in screen.shown()]


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        ("one\r\ntwo", ["one", "two"]),
        ("one\rt", ["tne"]),
        ("12345678", ["1234567", "8"]),
        ("a\r\nb\r\nc\r\nd", ["b", "c", "d"]),  # it scrolls
        ("bar 9 %\r\x1b[2Kbar 2", ["bar 2"]),
        ("a\r\nbar\r\n\r\x1b[1A\x1b[2Kb", ["a", "b", ""]),
        ("a\x1b[1;3", ["a"]),  # the rest of the code is to come
        ("\x1b[?25la\x1b[0m b  ", ["a b"]),
    ],
)
def test_a_terminal_shows_what_terminals_show(make: ModuleType, output: str, lines: list[str]) -> None:
    screen = make.Screen(7, 3)
    for place in range(len(output)):
        screen.feed(output[place])
    assert text(screen) == [line[:7] for line in lines]


def test_a_code_that_is_not_known_is_refused(make: ModuleType) -> None:
    for code in ("\x1b[2J", "\x1b[38;5;9m"):
        with pytest.raises(ValueError, match="does not know"):
            make.Screen(7, 3).feed(code)


def test_colours_end_where_they_are_ended(make: ModuleType) -> None:
    screen = make.Screen(20, 3)
    screen.feed("\x1b[1;31mred\x1b[0m\x1b[92mgreen\x1b[39m.")
    (line,) = screen.shown()
    assert [(cell.colour, cell.bold) for cell in (line[0], line[3], line[8])] == [
        (1, True),
        (10, False),
        (None, False),
    ]


def test_what_is_drawn_over_within_a_frame_is_left_out(make: ModuleType) -> None:
    events = [(0.0, "a\r\n"), (0.01, "\r\x1b[2K10 %"), (0.02, "\r\x1b[2K20 %"), (0.5, "\r\x1b[2K30 %")]
    assert list(make.gathered(iter(events))) == [(0.0, "a\r\n\r\x1b[2K20 %"), (0.5, "\r\x1b[2K30 %")]


def test_the_picture_is_that_of_the_recording(make: ModuleType) -> None:
    """Played again it gives the same picture, which is small, whole, and loads nothing."""
    head, *events = map(json.loads, (RECORDING / "session.cast").read_text().splitlines())
    assert head["version"] == 2 and all(kind == "o" for _, kind, _ in events)
    assert [at for at, _, _ in events] == sorted(at for at, _, _ in events)
    picture = (RECORDING / "session.svg").read_text()
    assert picture == make.picture_of(
        [(at, output) for at, _, output in events], head["width"], head["height"]
    )
    assert len(picture) < 400_000
    ET.fromstring(picture)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|<script|<image", picture)


def test_its_commands_are_there(make: ModuleType) -> None:
    screen = make.Screen(200, 10_000)
    for line in (RECORDING / "session.cast").read_text().splitlines()[1:]:
        screen.feed(json.loads(line)[2])
    typed = [line.removeprefix("$ ") for line in text(screen) if line.startswith("$ ")]
    assert typed == list(make.COMMANDS)
    for command in typed:
        check_mention(shlex.split(command))
