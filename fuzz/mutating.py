"""Damage: of bytes as they are, of JSON values, inside archives and tables, and of folders."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["Folder", "Link", "damaged"]

MOST = 2**20
"""Bytes of one damaged file."""


@dataclass(frozen=True)
class Link:
    """A symbolic link in place of a file."""

    target: str


Folder: TypeAlias = Mapping[str, bytes | Link]
"""Relative name to content."""

_INNER = 2**20
"""Bytes of a file that is taken apart to damage what is inside; a larger one is a bomb."""
_SIGNS = r"""
" ' \ ( ) [ ] { } < > , : ; = # -- /* */ [[[[ ]]]] {{{{ ''' %s {0} ``` ||| &lt; ?x \boxed{ (not (and
NaN Infinity -Infinity 1e999 -0 0x10 1_000 ² ٣ ½ null true false None <think> </think> <actions> </actions>
../secret /etc/hostname data:image/png;base64, __import__('os') index image answer (define 🦆 İ
"""
_TOKENS = (
    *(sign.encode() for sign in _SIGNS.split()),
    *(b"", b"\0", b" ", b"\n", b"\r", b"\t", b"\x1b[2J", b"\x80", b"\x00" * 64, b"1" * 400, b"9" * 5000),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf5", b"(forall (?x) ", b"<!ENTITY a 'b'>"),
)
_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        [],
        [[]],
        [None],
        {},
        {"": ""},
        {"id": 1},
        ["a", "a"],
        [0.0, float("inf")],
        [{}] * 40,
    ),
    *(0, -1, 1, 2**31, 2**53 + 1, 2**64, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf")),
    *("", " ", "\0", "A", "AA", "yes", "²", "\ud800", "x" * 70_000, "9" * 5000, "../secret", "[1, 2", "nan"),
)


def damaged(folder: Folder, others: list[Folder], rng: random.Random) -> Folder:
    """The folder with one to six of its files, names or links made wrong. `others`: to take pieces from."""
    made = dict(folder)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        if not made:
            break
        name = rng.choice(sorted(made))
        content = made[name]
        if len(made) > 1 and rng.random() < 0.08:
            _misplaced(made, name, rng)
        elif isinstance(content, bytes):
            pieces = [one for other in others for one in other.values() if isinstance(one, bytes)]
            made[name] = _file(name, content, rng.choice(pieces) if pieces else b"", rng)
    return made


def _misplaced(made: dict[str, bytes | Link], name: str, rng: random.Random) -> None:
    """A file that is gone, elsewhere, a link or another file's content."""
    match rng.randrange(4):
        case 0:
            del made[name]
        case 1:
            made[name] = Link(rng.choice(("../secret", name, ".", "/dev/zero", "nowhere", "..")))
        case 2:
            made[name] = made[rng.choice(sorted(made))]
        case _:
            made[name + rng.choice((".gz", ".new", "²", "\n", ".json", ".tsv"))] = made.pop(name)


def _file(name: str, content: bytes, other: bytes, rng: random.Random) -> bytes:
    """Damage where a reader of this format will come to it, half of the time; else anywhere."""
    inner = _inside(name, content, other, rng) if rng.random() < 0.5 else None
    return (_bytes(content, other, rng) if inner is None else inner)[:MOST]


def _inside(name: str, content: bytes, other: bytes, rng: random.Random) -> bytes | None:
    try:
        if content[:2] == b"\x1f\x8b":
            return gzip.compress(
                _file(name.removesuffix(".gz"), zlib.decompressobj(31).decompress(content, MOST), other, rng),
                1,
            )
        if content[:4] == b"PK\x03\x04":
            return _zip(content, other, rng)
        if content[:4] == b"PAR1":
            return _parquet(content, other, rng)
        lines = content.split(b"\n")
        if len(lines) > 2:
            place = rng.randrange(len(lines))
            lines[place] = _json(lines[place], rng)
            return b"\n".join(lines)
        return _json(content, rng)
    # What was damaged before is no longer of its format: it is damaged as bytes.
    except (
        ValueError,
        RuntimeError,
        zlib.error,
        OSError,
        EOFError,
        KeyError,
        zipfile.BadZipFile,
        pa.ArrowException,
    ):
        return None


def _zip(content: bytes, other: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {one.filename: archive.open(one).read(MOST) for one in archive.infolist()}
    if not members:
        return content
    name = rng.choice(sorted(members))
    members[name] = _file(name, members[name], other, rng)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, data in members.items():
            archive.writestr("../secret" if rng.random() < 0.02 else one, data)
    return made.getvalue()


def _parquet(content: bytes, other: bytes, rng: random.Random) -> bytes:
    if pq.read_metadata(io.BytesIO(content)).num_rows > 100:
        raise ValueError("a bomb, which is not to be set off here")
    table = pq.read_table(io.BytesIO(content))
    name = rng.choice(table.column_names)
    kind = table.schema.field(name).type
    cells = table.column(name).to_pylist()
    place = rng.randrange(len(cells))
    if isinstance(cells[place], str):
        cell = cells[place].encode()
        changed = (_json if cell[:1] in b"{[" else lambda cell, rng: _bytes(cell, other, rng))(cell, rng)
        cells[place] = changed.decode(errors="replace")
    else:
        cells[place] = None
    if rng.random() < 0.1:
        cells, kind = [rng.randrange(9) for _ in cells], pa.int64()
    made = io.BytesIO()
    pq.write_table(table.set_column(table.column_names.index(name), name, pa.array(cells, kind)), made)
    return made.getvalue()


def _json(content: bytes, rng: random.Random) -> bytes:
    """One value somewhere in it replaced, taken out or repeated. ValueError where it is no JSON."""
    value = json.loads(content)
    whole: Any = [value]
    holder: Any = whole
    key: Any = 0
    while isinstance(inner := holder[key], list | dict) and inner and rng.random() < 0.8:
        holder = inner
        key = rng.choice(sorted(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
    match rng.randrange(5):
        case 0 if holder is not whole:
            del holder[key]
        case 1:
            holder[key] = [holder[key]] * rng.choice((2, 30))
        case 2 if isinstance(holder, dict):
            holder[rng.choice(("", "id", "x", "image", "format"))] = rng.choice(_VALUES)
        case 3:
            mark = f"<{rng.random()}>"
            holder[key] = mark
            depth = rng.choice((50, 1200, 200_000))
            nested = b"[" * depth + b"]" * depth
            return json.dumps(whole[0]).encode().replace(json.dumps(mark).encode(), nested)
        case _:
            holder[key] = rng.choice(_VALUES)
    return json.dumps(whole[0]).encode()


def _bytes(content: bytes, other: bytes, rng: random.Random) -> bytes:
    start = rng.randint(0, len(content))
    end = min(len(content), start + rng.choice((0, 1, 1, 2, 8, 64, 1024)))
    before, cut, after = content[:start], content[start:end], content[end:]
    match rng.randrange(8):
        case 0:
            return before + bytes(one ^ (1 << rng.randrange(8)) for one in cut) + after
        case 1:
            return before + after
        case 2:
            return before
        case 3:
            return before + rng.randbytes(rng.choice((1, 2, 4, 40))) + after
        case 4:
            begin = rng.randint(0, len(other))
            return before + other[begin : begin + rng.choice((4, 64, 4096))] + after
        case 5:
            # Long runs of what stands there already show what grows faster than its input.
            return before + cut * rng.choice((2, 50, 5000, 20_000)) + after
        case 6:
            return before + rng.choice(_TOKENS) * rng.choice((1, 1, 1, 3, 300, 20_000)) + after
    return before + rng.choice(_TOKENS) + cut + rng.choice(_TOKENS) + after
