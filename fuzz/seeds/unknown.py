"""Rooms, archives, and benchmark folders that nobody has seen."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zlib
from importlib.resources import files
from typing import Literal

from fuzz.mutating import Folder, Link
from fuzz.seeds.pieces import huge, lines, picture, png, zipped
from fuzz.seeds.questions import parquet

__all__ = ["archives", "folders", "scenes"]


def scenes() -> list[Folder]:
    own = files("gumption.planning").joinpath("rooms", "bathroom.json").read_bytes()
    rooms = json.dumps({"kitchens": [json.loads(own)], "bathrooms": []}).encode()
    bomb = gzip.compress(bytes(2**20)) * 1500  # 1.5 GB in as many parts of 1 kB
    return [
        {"rooms.json": own},
        {"rooms.json": rooms},
        {"rooms.json.gz": gzip.compress(rooms)},
        {"rooms.json.gz": bomb},
    ]


def archives() -> list[Folder]:
    def packed(mode: Literal["w", "w:gz"], *members: tuple[str, bytes, str]) -> bytes:
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode=mode) as archive:
            for name, data, link in members:
                member = tarfile.TarInfo(name)
                member.size, member.linkname = len(data), link
                member.type = tarfile.SYMTYPE if link else tarfile.REGTYPE
                archive.addfile(member, io.BytesIO(data))
        return made.getvalue()

    plain = ("a/b.png", picture(), "")
    return [
        {"x.zip": zipped({"a/b.png": picture(), "c.txt": b"text" * 99})},
        {"x.zip": zipped({"../out": b"x", "/out": b"x", "a/../../out": b"x"})},
        {"x.tar": packed("w", plain)},
        {"x.tar.gz": packed("w:gz", plain, ("c.txt", b"text" * 99, ""))},
        {"x.tar": packed("w", ("out", b"", ".."), ("out/out", b"x", ""))},
        {"x.tar": packed("w", ("../out", b"x", ""))},
    ]


def folders() -> list[Folder]:
    readme = (
        b"# Quiz\n\n`questions.jsonl` has `question`, `options` and `answer`, a letter. Score: accuracy.\n"
    )
    rows = lines(
        *(
            {
                "id": n,
                "question": "Which?",
                "options": ["x", "y"],
                "answer": "AB"[n % 2],
                "image": f"p/{n}.png",
            }
            for n in range(6)
        )
    )
    table = b"id,question,answer,mask\n" + b"".join(
        b"%d,How many?,%d,m/%d.png\n" % (n, n * n, n) for n in range(6)
    )
    nested = json.dumps({"data": [{"id": n, "turns": [{"q": "a", "gold": n}]} for n in range(4)]}).encode()
    blocks = b"".join(b"Q: which %d?\nA: x\nB: y\nAnswer: A\n\n" % n for n in range(5))
    pictures: dict[str, bytes | Link] = {f"p/{n}.png": picture(side=8 + n) for n in range(3)}
    masks: dict[str, bytes | Link] = {f"m/{n}.png": png(8, 8, zlib.compress(b"\0\xf0" * 8)) for n in range(2)}
    return [
        {"README.md": readme, "questions.jsonl": rows, **pictures},
        {
            "README.txt": b"Counting. `t.csv` has id, question, answer; a reply is right within 5 %.",
            "t.csv": table,
            **masks,
        },
        {"README.md": readme, "d.json": nested, "b.txt": blocks},
        {"README.md": Link("../secret"), "questions.jsonl": rows, "p/0.png": huge(), "loop": Link(".")},
        {
            "README.md": readme,
            "items.parquet": parquet()[-1]["items.parquet"],
            "r.jsonl": lines({"item": 1, "model": "m", "reply": "A", "score": 1}),
        },
    ]
