"""Rows of published files: streamed, checked against names and types, errors that name file and row."""

from __future__ import annotations

import base64
import gzip
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image as Pillow

from gumption.benchmarks._hub import Shelf, rows
from gumption.records import GumptionError, Image, Video


def picture(colour: str = "red", size: tuple[int, int] = (4, 3)) -> bytes:
    stream = io.BytesIO()
    Pillow.new("RGB", size, colour).save(stream, "PNG")
    return stream.getvalue()


PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUMPTION_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_parquet_in_the_layout_of_a_data_set(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    table = pa.table(
        {
            "id": pa.array([1, 2], pa.int32()),
            "question": ["a?", "b?"],
            "image": pa.array([{"bytes": picture(), "path": "x.png"}, None], PICTURE),
            "options": pa.array([["x", "y"], ["z"]]),
            "unread": [0, 0],
        }
    )
    pq.write_table(table, tmp_path / "data" / "test-00000-of-00001.parquet", row_group_size=1)
    columns = {"id": "int", "question": "text", "image": "image?", "options": "texts", "absent": "text?"}
    first, second = rows(tmp_path, "data/test-*.parquet", columns)
    assert first == {
        "id": 1,
        "question": "a?",
        "image": picture(),
        "options": ["x", "y"],
        "absent": None,
    }
    assert second["image"] is None
    assert second.where.endswith("test-00000-of-00001.parquet, row 2")


@pytest.mark.parametrize("name", ["q.jsonl", "q.jsonl.gz", "q.json", "q.json.gz"])
def test_the_same_rows_as_json(tmp_path: Path, name: str) -> None:
    given = [{"id": "a", "gold": 2, "image": base64.b64encode(picture()).decode()}, {"id": "b", "gold": 2.5}]
    text = json.dumps(given, indent=1) if ".jsonl" not in name else "\n\n".join(map(json.dumps, given))
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    read = list(rows(tmp_path, "q.json*", {"id": "text", "gold": "number", "image": "image?"}))
    assert [(row["id"], row["gold"]) for row in read] == [("a", 2), ("b", 2.5)]
    assert read[0]["image"] == picture()


def test_a_tsv_holds_numerals_lists_of_pictures_and_blanks(tmp_path: Path) -> None:
    one, two = (base64.b64encode(picture(colour)).decode() for colour in ("red", "blue"))
    lines = ["index\tquestion\tA\timage", f"7\tq\t0.5\t{one}", f"8\tq\tnan\t['{one}', '{two}']"]
    (tmp_path / "B.tsv").write_text("\n".join(lines))
    first, second = rows(tmp_path, "B.tsv", {"index": "int", "A": "number?", "image": "images"})
    assert (first["index"], first["A"], first["image"]) == (7, 0.5, [picture()])
    assert (second["A"], second["image"]) == (None, [picture(), picture("blue")])


def test_a_picture_by_path_stays_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(picture())
    (tmp_path / "secret.png").write_bytes(picture())
    for path in ("a.png", "../secret.png"):
        row = {"image": {"bytes": None, "path": path}}
        (tmp_path / "in" / "q.jsonl").write_text(json.dumps(row))
        if path == "a.png":
            assert next(rows(tmp_path / "in", "q.jsonl", {"image": "image"}))["image"] == picture()
        else:
            with pytest.raises(GumptionError, match="no picture"):
                next(rows(tmp_path / "in", "q.jsonl", {"image": "image"}))


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"gold": "text"}, "column 'gold' holds 3 where text"),
        ({"text": "int"}, "column 'text' holds 'x' where int"),
        ({"flag": "int"}, "column 'flag' holds True where int"),
        ({"none": "text"}, "column 'none' holds None"),
        ({"list": "texts"}, "column 'list' holds"),
        ({"text": "image"}, "column 'text' holds"),
        ({"other": "text"}, "no column other; found: flag, gold, list, none, text"),
    ],
)
def test_what_is_not_as_published_names_file_row_and_column(
    tmp_path: Path, columns: dict[str, str], problem: str
) -> None:
    good = {"gold": "3", "text": "7", "flag": 1, "none": "x", "list": ["a"], "other": "x"}
    bad = {"gold": 3, "text": "x", "flag": True, "none": None, "list": ["a", 1]}
    good["text"] = "iVBORw0KGgo=" if columns == {"text": "image"} else good["text"]
    (tmp_path / "q.jsonl").write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    with pytest.raises(GumptionError) as error:
        list(rows(tmp_path, "q.jsonl", columns))
    assert problem in error.value.problem
    assert error.value.where == f"{tmp_path / 'q.jsonl'}, row 2"
    assert error.value.remedy


def test_a_missing_parquet_column_is_said_before_any_row_is_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "q.parquet")
    with pytest.raises(GumptionError, match="no column b; found: a"):
        next(rows(tmp_path, "q.parquet", {"b": "int"}))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("q.parquet", b"PAR1 and no more"),
        ("q.json", b""),
        ("q.json", b'{"a": 1}'),
        ("q.json", b"[" * 100_000),
        ("q.jsonl", b'{"a": 1}\n{"a":'),
        ("q.jsonl", b"[1]"),
        ("q.csv", b"a\n1"),
        ("q.tsv", b"a\tb\n1\n"),
    ],
)
def test_damaged_files_are_said_to_be(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(GumptionError) as error:
        list(rows(tmp_path, name, {"a": "any"}))
    assert name in error.value.where
    assert error.value.remedy


def test_files_come_in_the_order_of_their_names_and_none_is_an_error(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"name": name}))
    assert [row["name"] for row in rows(tmp_path, "*.jsonl", {"name": "text"})] == ["a", "b", "c"]
    with pytest.raises(GumptionError, match=r"no file \*\.parquet"):
        list(rows(tmp_path, "*.parquet", {"name": "text"}))


def test_the_shelf_keeps_each_picture_once(tmp_path: Path, cache: Path) -> None:
    shelf = Shelf(tmp_path)
    images = [shelf.image(picture()), shelf.image(picture()), shelf.image(picture("blue"))]
    assert images[0] == images[1] != images[2]
    assert (images[0].width, images[0].height, images[0].media_type) == (4, 3, "image/png")
    assert len(list((cache / "media").iterdir())) == len(shelf.media()) == 2
    assert shelf.media().read(images[2].sha256) == picture("blue")


def test_files_on_the_shelf_stay_where_they_are(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "a.png").write_bytes(picture())
    (folder / "clip.MP4").write_bytes(b"not looked into")
    (tmp_path / "outside.png").write_bytes(picture())
    shelf = Shelf(folder)
    image, clip = shelf.file("a.png"), shelf.file("clip.MP4")
    assert isinstance(image, Image) and shelf.media().path(image.sha256) == folder / "a.png"
    assert isinstance(clip, Video) and clip.media_type == "video/mp4"
    assert shelf.media().read(clip.sha256) == b"not looked into"
    assert not (cache / "media").exists()
    for bad in ("../outside.png", "b.png", "/etc/hostname", "a\0"):
        with pytest.raises(GumptionError):
            shelf.file(bad)


def test_bytes_that_are_no_picture_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture()[:30])
    shelf = Shelf(tmp_path)
    with pytest.raises(GumptionError, match="not a whole"):
        shelf.image(b"GIF89a")
    with pytest.raises(GumptionError) as error:
        shelf.file("a.png")
    assert error.value.where.endswith("a.png")
    assert not len(shelf.media())
