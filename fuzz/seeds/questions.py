"""Files of questions, pictures, items files and suite folders."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tempfile
import zlib
from pathlib import Path
from typing import Any

from fuzz.mutating import Folder, Link
from fuzz.seeds.pieces import as_folder, huge, lines, picture, png

__all__ = ["jsonl", "parquet", "pictures", "suite", "suites", "tsv"]


def tsv() -> list[Folder]:
    packed = base64.b64encode(picture()).decode()
    head = "index\tquestion\thint\tA\tB\tanswer\tcategory\timage\n"
    rows = f"0\tWhich?\t\tone\ttwo\tA\tx\t{packed}\n1\tWhich?\tlook\tone\ttwo\tB\tx\t0\n"
    quoted = 'id\tquestion\tanswer\timage_path\n1\t"a ""b""\tc\nd"\t3.5\t"[\'a.png\', \'b.jpg\']"\n'
    quoted += "2\tx\tyes\ta.png\n"
    files = {"a.png": picture(), "b.jpg": picture("JPEG")}
    return [
        {"q.tsv": (head + rows).encode()},
        {"q.tsv": quoted.encode(), **files},
        {"q.tsv.gz": gzip.compress((head + rows).encode())},
        {"q.tsv": quoted.encode(), "a.png": Link("../secret"), "b.jpg": huge()},
    ]


def jsonl() -> list[Folder]:
    url = "data:image/png;base64," + base64.b64encode(picture()).decode()
    rows = lines(
        {"id": "1", "question": "Which? <image>", "images": ["a.png"], "choices": ["x", "y"], "answer": "A"},
        {
            "id": 2,
            "question": "Where?",
            "image": url,
            "kind": "point",
            "answer": {"box": [0, 0, 9, 9]},
            "convention": "unit_xy",
            "size": [24, 24],
        },
        {"id": 3, "question": "How many?", "answer": 3, "tolerance": 0.5, "cluster": "c", "more": {"a": [1]}},
        {
            "id": 4,
            "question": "Where?",
            "kind": "point",
            "answer": {"polygon": [[0, 0], [9, 0], [9, 9]]},
            "convention": "pixel_xy",
            "images": ["b.webp"],
        },
        {"id": 5, "question": "Is it?", "answer": True},
    )
    files = {"a.png": picture(), "b.webp": picture("WEBP")}
    return [
        {"q.jsonl": rows, **files},
        {"q.jsonl.gz": gzip.compress(rows), **files},
        {"q.jsonl": rows, "a.png": Link("../secret"), "b.webp": huge()},
    ]


def pictures() -> list[Folder]:
    sound = [{"p": picture(format)} for format in ("PNG", "JPEG", "WEBP", "GIF", "BMP")]
    packed = png(9_999, 9_999, zlib.compress(bytes(1251 * 9_999)))  # 100 megapixels in a few kB
    return [*sound, {"p": huge()}, {"p": packed}]


def suite() -> Any:
    """Three questions, one with a picture, in memory."""
    from gumption.records import Answer, Image, Item, Text
    from gumption.suites import Media, Suite
    from gumption.suites.media import store

    data = picture()
    sha256 = hashlib.sha256(data).hexdigest()
    items = (
        Item(
            "1",
            "b",
            (Text("Which?"), Image(sha256, "image/png", 24, 24)),
            Answer("choice", "A", {"A": "x", "B": "y"}),
        ),
        Item("2", "b", (Text("How many?"),), Answer("number", 3), cluster="c", meta={"a": [1, {"b": None}]}),
        Item("3", "c", (Text("Where?"),), Answer("point", {"box": [0, 0, 9, 9]}, None, "unit_xy", (24, 24))),
    )
    media = Media({sha256: store(data, sha256, "image/png")})
    return Suite("s", "1", items, media, {"sources": [{"name": "b", "added": 3}]}, {"b": "MIT"})


def parquet() -> list[Folder]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from gumption.suites import items_to_table

    table = items_to_table(suite().items)
    made = []
    for packing in ("zstd", "none", "gzip"):
        file = io.BytesIO()
        pq.write_table(table, file, compression=packing)
        made.append({"items.parquet": file.getvalue()})
    # One long cell that every row refers to: a few kB that are 4 GB of text once written out.
    columns = {name: pa.array(["x"] * 4096).dictionary_encode() for name in table.column_names}
    columns["meta"] = pa.DictionaryArray.from_arrays(
        pa.array([0] * 4096, pa.int32()), pa.array(['{"a":"' + "x" * 2**20 + '"}'])
    )
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, compression="zstd", store_schema=False)
    return [*made, {"items.parquet": file.getvalue()}]


def suites() -> list[Folder]:
    from gumption.suites import write_folder

    with tempfile.TemporaryDirectory() as place:
        whole = as_folder(
            write_folder(
                suite(),
                Path(place, "s"),
                attachments={
                    "selection.jsonl": lines({"id": "1", "pool": "p", "source": "b", "dimension": "d"})
                },
            )
        )
    shown = next(name for name in whole if name.startswith("media/"))
    return [
        whole,
        {**whole, shown: Link("../../secret")},
        {**whole, "items.parquet": Link("/dev/zero")},
        {**whole, "selection.jsonl": Link("../secret")},
        {**whole, shown: huge()},
        {**whole, "items.parquet": parquet()[-1]["items.parquet"]},
    ]
