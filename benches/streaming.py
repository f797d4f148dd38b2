"""A 2 GB Parquet file of half-megabyte pictures, loaded into a suite and run: time and peak memory.

The pictures stand in the file in row groups of 100, as data sets of pictures are written, and of 1,000. A
bare reader of the same file, which hashes the pictures and keeps nothing, is the baseline.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benches._table import show

PICTURES = 4_000
GROUPS = (100, 1_000)
_SIZE = (800, 608)
_COLUMNS = {"id": "int", "question": "text", "image": "image", "answer": "text"}


def main() -> None:
    pictures = int(os.environ.get("PICTURES", PICTURES))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for group in GROUPS:
            _alone("make", folder, pictures, group)
            size = sum(path.stat().st_size for path in Path(folder, "data").iterdir()) / 1e9
            steps = [_alone(step, folder, pictures, group) for step in ("bare", "load", "again")]
            rows += [(f"{group:,}", f"{size:.2f} GB", *step.split("|")) for step in steps]
            for path in Path(folder, "cache", "media").iterdir():
                path.unlink()
    show(
        f"{pictures:,} pictures from one Parquet file",
        ("rows in a group", "file", "what", "time", "peak memory"),
        rows,
    )


def _alone(what: str, folder: str, pictures: int, group: int) -> str:
    """Run a step in a process of its own, so that its peak of memory is its own."""
    code = f"from benches.streaming import {what}; {what}({folder!r}, {pictures}, {group})"
    environment = os.environ | {
        "GUMPTION_CACHE": str(Path(folder, "cache")),
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # as the command line has it
    }
    return subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True, env=environment
    ).stdout


def make(folder: str, pictures: int, group: int) -> None:
    """Write the file: noise as JPEG, every picture another."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from PIL import Image

    generator = random.Random(7)
    path = Path(folder, "data", "test-00000-of-00001.parquet")
    path.parent.mkdir(exist_ok=True)
    schema = pa.schema(
        [
            ("id", pa.int64()),
            ("question", pa.string()),
            ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
            ("answer", pa.string()),
        ]
    )
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, pictures, group):
            rows = []
            for number in range(start, min(start + group, pictures)):
                stream = io.BytesIO()
                noise = Image.frombytes("RGB", _SIZE, generator.randbytes(3 * _SIZE[0] * _SIZE[1]))
                noise.save(stream, "JPEG", quality=93)
                image = {"bytes": stream.getvalue(), "path": None}
                rows.append({"id": number, "question": "Noise?", "image": image, "answer": "yes"})
            writer.write_table(pa.Table.from_pylist(rows, schema), row_group_size=group)


def bare(folder: str, pictures: int, group: int) -> None:  # noqa: ARG001
    """What reading row group by row group costs without us."""
    import hashlib

    import pyarrow.parquet as pq

    start = time.perf_counter()
    file = pq.ParquetFile(Path(folder, "data", "test-00000-of-00001.parquet"))
    for number in range(file.num_row_groups):
        for image in file.read_row_group(number, columns=["image"]).column("image"):
            hashlib.sha256(image["bytes"].as_py()).digest()
    _report("bare loop over row groups, SHA-256 of each", start)


def load(folder: str, pictures: int, group: int) -> None:
    """A loader as benchmarks have it, and a run that looks at every picture."""
    _load_and_run("loaded and run, pictures kept by hash", folder, pictures, group)


def again(folder: str, pictures: int, group: int) -> None:
    """The same with the pictures in the cache."""
    _load_and_run("loaded and run again", folder, pictures, group)


def _load_and_run(what: str, folder: str, pictures: int, group: int) -> None:
    from gumption.benchmarks._hub import Shelf, Source, fetch, provenance, rows
    from gumption.models.baseline import Random
    from gumption.records import Answer, Item, Text
    from gumption.running import run
    from gumption.suites import Suite

    start = time.perf_counter()
    source = Source(repo="made/noise", files=("data/*.parquet",), licence="CC0-1.0")
    place = fetch(source, Path(folder))
    shelf = Shelf(place)
    items = tuple(
        Item(
            f"noise/{row['id']}",
            "noise",
            (shelf.image(row["image"]), Text(row["question"])),
            Answer("yes_no", gold=row["answer"]),
        )
        for row in rows(place, "data/*.parquet", _COLUMNS)
    )
    suite = Suite("noise", "1", items, shelf.media(), provenance=provenance(source, place))
    record = run(suite, Random(seed=0), Path(folder, f"run-{group}-{what[-5:]}"))
    for sha256 in suite.media:
        suite.media.read(sha256)
    if record.scores().num_rows != pictures:
        raise SystemExit(f"{record.scores().num_rows} of {pictures} were scored")
    _report(what, start)


def _report(what: str, start: float) -> None:
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(f"{what}|{time.perf_counter() - start:.1f} s|{int(peak.split()[1]) / 1024:.0f} MB", end="")
