"""Record a terminal session: what real commands print in a terminal of their own.

    python docs/recording/make.py [FOLDER]

Writes session.cast (asciinema's format, version 2) and session.svg, which moves by itself. Typing is played,
and a command that takes long is played faster; what is printed is what was printed.
"""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from drawing import draw
from screen import Screen

# The questions and replies that the documentation speaks of.
sys.path.append(str(Path(__file__).parents[2] / "tests" / "docs"))
from doc_files import make_files

COLUMNS, LINES = 108, 30
COMMANDS = (
    "gumption demo",
    "gumption run questions.jsonl --model 'replay/replies.jsonl#my-model'",
    "gumption report runs/questions/my-model",
)
PROMPT = "\x1b[1;32m$\x1b[0m "
KEY_S = 0.04
LONGEST_S = 6.0
"""Of a command; what takes longer is played faster."""
READ_S = 4.0
"""Between a command's end and the next, and at the end of all."""
FRAME_S = 0.15
UNSEEN = re.compile(r"\r\x1b\[2K[^\r\n]*(?=\r\x1b\[2K)")
"""A line that is drawn over at once."""

Event = tuple[float, str]
"""Seconds from the start, and what comes on the screen then."""


def main() -> None:
    """Record, and write both files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    events = list(gathered(session()))
    header = {
        "version": 2,
        "width": COLUMNS,
        "height": LINES,
        "title": "Gumption (long work is played faster)",
    }
    lines = [header, *([round(at, 2), "o", text] for at, text in events)]
    (folder / "session.cast").write_text("".join(json.dumps(line) + "\n" for line in lines))
    picture = picture_of([(round(at, 2), text) for at, text in events], COLUMNS, LINES)
    (folder / "session.svg").write_text(picture)
    print(f"{len(events)} frames, {events[-1][0]:.0f} s, {len(picture) / 1000:.0f} kB")


def picture_of(events: Sequence[Event], columns: int, lines: int) -> str:
    """The session as an SVG, a frame an event."""
    screen, frames = Screen(columns, lines), []
    for at, text in events:
        screen.feed(text)
        frames.append((at, screen.shown()))
    return draw(frames, columns, lines, READ_S)


def session() -> Iterator[Event]:
    """The commands, typed and run one after another."""
    now = 0.0
    with tempfile.TemporaryDirectory() as home:
        make_files(Path(home) / "work")
        for command in COMMANDS:
            yield now, PROMPT
            for place, key in enumerate(command):
                yield now + 0.5 + place * KEY_S, key
            now += 1.0 + len(command) * KEY_S
            yield now, "\r\n"
            start = time.monotonic()
            said = [(time.monotonic() - start, text) for text in output(command, Path(home))]
            slow = max(1.0, said[-1][0] / LONGEST_S)
            yield from ((now + at / slow, text) for at, text in said)
            now += said[-1][0] / slow + READ_S


def gathered(events: Iterator[Event]) -> Iterator[Event]:
    """What comes within a frame as one, without what nobody sees of it."""
    begun, held = 0.0, ""
    for at, text in events:
        if at - begun >= FRAME_S and held:
            yield begun, UNSEEN.sub("", held)
            begun, held = at, ""
        held += text
    yield begun, UNSEEN.sub("", held)


def output(command: str, home: Path) -> Iterator[str]:
    """What a command prints on a terminal. Raises SystemExit where it fails."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = {"PATH": path, "TERM": "xterm-16color", "LANG": "C.UTF-8", "HOME": str(home)}
    with subprocess.Popen(  # noqa: S603
        ["/bin/sh", "-c", command],
        cwd=home / "work",
        env=settings,
        stdin=inside,
        stdout=inside,
        stderr=inside,
    ) as process:
        os.close(inside)
        decode = codecs.getincrementaldecoder("utf-8")().decode
        while read := _read(terminal):
            yield decode(read)
    os.close(terminal)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")


def _read(terminal: int) -> bytes:
    """What there is, and nothing once the other side is closed, which Linux calls an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


if __name__ == "__main__":
    main()
