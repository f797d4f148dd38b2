"""JSONL question files: what is read, and that each bad line is rejected by itself."""

from __future__ import annotations

import base64
import gzip
import hashlib
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gumption.records import Answer, GumptionError, Image, Item, Text
from gumption.suites import Suite, read_jsonl

Make = Callable[..., Any]

GOOD: dict[str, Any] = {"id": "good", "question": "Is it red?", "answer": "yes"}


def one(path: Path) -> Item:
    suite = read_jsonl(path)
    assert suite.rejected == ()
    (item,) = suite.items
    return item


def rejection(path: Path) -> tuple[str, str, str]:
    """Id, problem and remedy of the only rejected line, which is the first; the second line is `GOOD`."""
    suite = read_jsonl(path)
    assert [item.id for item in suite.items] == ["good"]
    (rejected,) = suite.rejected
    assert (rejected.file, rejected.row) == (str(path), 1)
    assert rejected.remedy
    return rejected.id, rejected.problem, rejected.remedy


def test_every_key_goes_where_it_belongs(tmp_path: Path, write_lines: Make, picture: Make) -> None:
    data = picture(size=(40, 30))
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / "cup.png").write_bytes(data)
    row = {
        "id": 7,
        "question": "Point at the cup.",
        "images": "seen/cup.png",
        "kind": "point",
        "answer": {"box": [1, 2, 3.5, 4]},
        "convention": "unit_xy",
        "tolerance": 2,
        "category": "c",
        "dimension": "d",
        "cluster": "kitchen",
        "source": "made up",
        "difficulty": {"level": 3},
    }
    path = write_lines(row)
    suite = read_jsonl(path)
    sha256 = hashlib.sha256(data).hexdigest()
    answer = Answer("point", {"box": [1, 2, 3.5, 4]}, None, "unit_xy", (40, 30), 2.0)
    assert suite.items == (
        Item(
            id="7",
            benchmark="quiz",
            parts=(Image(sha256, "image/png", 40, 30), Text("Point at the cup.")),
            answer=answer,
            cluster="kitchen",
            category="c",
            dimension="d",
            meta={"source": "made up", "difficulty": {"level": 3}},
        ),
    )
    assert suite.media.path(sha256) == (tmp_path / "seen" / "cup.png").resolve()
    assert suite.media.read(sha256) == data
    assert suite.name == "quiz"
    assert suite.provenance["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("given", "kind", "gold"),
    [
        ({"answer": "B", "choices": ["left", "right"]}, "choice", "B"),
        ({"answer": "right", "choices": ["left", "right"]}, "choice", "B"),
        ({"answer": "b", "choices": ["left", "right"]}, "choice", "B"),
        ({"answer": 2, "choices": ["1", "2", "4"]}, "choice", "B"),
        ({"answer": "4", "choices": [1, 2, 4]}, "choice", "C"),
        ({"answer": "D", "choices": {"A": "x", "D": ""}}, "choice", "D"),
        ({"answer": "Yes"}, "yes_no", "yes"),
        ({"answer": False}, "yes_no", "no"),
        ({"answer": "True", "kind": "yes_no"}, "yes_no", "yes"),
        ({"answer": "true"}, "text", "true"),
        ({"answer": 3}, "number", 3),
        ({"answer": -0.5}, "number", -0.5),
        ({"answer": "12", "kind": "number"}, "number", 12),
        ({"answer": " 1.5e3 ", "kind": "number"}, "number", 1500.0),
        ({"answer": "12"}, "text", "12"),
        ({"answer": ["a cup", "a mug"]}, "text", ["a cup", "a mug"]),
        ({"answer": {"polygon": [[0, 0], [1, 0], [0, 1]]}, "kind": "point"}, "point", None),
        ({"answer": {"points": [[4, 5]]}, "kind": "point"}, "point", None),
    ],
)
def test_kinds_and_golds(write_lines: Make, given: dict[str, Any], kind: str, gold: Any) -> None:
    answer = one(write_lines({"id": "x", "question": "?", **given})).answer
    assert answer.kind == kind
    assert answer.gold == (given["answer"] if gold is None else gold)


def test_choices_keep_their_order_and_letters(write_lines: Make) -> None:
    row = {"id": "x", "question": "?", "choices": {"B": "second", "A": "first"}, "answer": "A"}
    assert list((one(write_lines(row)).answer.choices or {}).items()) == [("B", "second"), ("A", "first")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What?", [1, 2, "What?"]),
        ("Here <image> and there <image>.", ["Here ", 1, " and there ", 2, "."]),
        ("First <image 2>, then <image 1>?", ["First ", 2, ", then ", 1, "?"]),
        ("<image 2> alone?", [1, 2, " alone?"]),
        ("<image><image>\nWhich?", [1, 2, "\nWhich?"]),
    ],
)
def test_marks_place_pictures(
    tmp_path: Path, write_lines: Make, picture: Make, question: str, expected: list[Any]
) -> None:
    for place in (1, 2):
        (tmp_path / f"{place}.png").write_bytes(picture(size=(place, 9)))
    parts = one(write_lines({**GOOD, "question": question, "images": ["1.png", "2.png"]})).parts
    assert [part.width if isinstance(part, Image) else part.text for part in parts] == expected


def test_a_shared_first_picture_is_a_cluster(tmp_path: Path, write_lines: Make, picture: Make) -> None:
    for colour in ("red", "blue"):
        (tmp_path / f"{colour}.png").write_bytes(picture(colour))
    (tmp_path / "copy.png").write_bytes(picture("red"))
    shown = ["red.png", "copy.png", "blue.png", None]
    rows = [{**GOOD, "id": place, "images": name} for place, name in enumerate(shown)]
    items = read_jsonl(
        write_lines(*rows, {**GOOD, "id": "own", "images": "red.png", "cluster": "room"})
    ).items
    red = hashlib.sha256(picture("red")).hexdigest()
    assert red.startswith(items[0].cluster)
    assert len(items[0].cluster) >= 12
    assert [item.cluster for item in items] == [items[0].cluster] * 2 + ["", "", "room"]


def test_data_urls_go_to_the_store(cache: Path, write_lines: Make, picture: Make) -> None:
    data = picture("blue", format="JPEG")
    url = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    suite = read_jsonl(write_lines({**GOOD, "image": url}, {**GOOD, "id": 2, "image": [url]}))
    sha256 = hashlib.sha256(data).hexdigest()
    assert suite.items[0].parts[0] == Image(sha256, "image/jpeg", 8, 6)
    assert suite.media.path(sha256) == cache / "media" / f"{sha256}.jpg"
    assert [file.name for file in (cache / "media").iterdir()] == [f"{sha256}.jpg"]
    (cache / "media" / f"{sha256}.jpg").write_bytes(b"spoiled")
    assert read_jsonl(write_lines({**GOOD, "image": url})).media.read(sha256) == data


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_picture_formats(tmp_path: Path, write_lines: Make, picture: Make, format: str) -> None:
    (tmp_path / "p").write_bytes(picture(size=(31, 17), format=format))
    image = one(write_lines({**GOOD, "images": "p"})).parts[0]
    assert isinstance(image, Image)
    assert (image.width, image.height) == (31, 17)
    assert image.media_type == f"image/{format.lower()}"


def test_benchmark_names(write_lines: Make) -> None:
    path = write_lines(GOOD, {**GOOD, "id": 2, "benchmark": "ERQA"}, name="mine.jsonl")
    assert [item.benchmark for item in read_jsonl(path).items] == ["mine", "ERQA"]
    named = read_jsonl(path, name="given")
    assert (named.name, named.items[0].benchmark) == ("given", "given")


def test_packed_files_marks_and_blank_lines(tmp_path: Path, write_lines: Make) -> None:
    plain = write_lines(b"\xef\xbb\xbf" + b'{"id": 1, "question": "?", "answer": 1}\r', "", "  ", GOOD)
    packed = tmp_path / "quiz2.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_jsonl(packed, name="q").items == read_jsonl(plain, name="q").items
    assert [item.id for item in read_jsonl(packed).items] == ["1", "good"]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("{", "not valid JSON"),
        ('{"id": "bad", "question": "?", "answer": NaN}', "not valid JSON"),
        ("[1, 2]", "not a JSON object"),
        (b'{"id": "\xff"}', "not UTF-8"),
        ('{"id": "bad", "meta": ' + "[" * 90 + "]" * 90 + "}", "nested"),
        ('{"id": "bad", "meta": ' + "[" * 200_000, "not valid JSON"),
        ('{"id": "bad", "question": "?", "answer": 1' + "0" * 400 + "}", "beyond every float"),
        ({"question": "?", "answer": "x"}, "no id"),
        ({"id": True, "question": "?", "answer": "x"}, "no id"),
        ({"id": "  ", "question": "?", "answer": "x"}, "no id"),
        ({**GOOD, "id": "bad", "question": None}, "no question"),
        ({**GOOD, "id": "bad", "question": " \n"}, "question is empty"),
        ({**GOOD, "id": "bad", "question": 5}, "`question` is not a text"),
        ({**GOOD, "id": "bad", "category": 5}, "`category` is not a text"),
        ({**GOOD, "id": "bad", "choices": "A. x"}, "`choices` is not a list"),
        ({**GOOD, "id": "bad", "answer": None}, "no answer"),
        ({**GOOD, "id": "bad", "answer": " "}, "no answer"),
        ({**GOOD, "id": "bad", "kind": "guess"}, "unknown kind 'guess'"),
        ({**GOOD, "id": "bad", "kind": "actions"}, "do not come from question files"),
        ({**GOOD, "id": "bad", "kind": "choice"}, "0 choices"),
        ({**GOOD, "id": "bad", "choices": ["yes", "no"], "kind": "yes_no"}, "has choices"),
        ({**GOOD, "id": "bad", "choices": ["yes"]}, "1 choices"),
        ({**GOOD, "id": "bad", "choices": ["yes", None]}, "choice B is not text"),
        ({**GOOD, "id": "bad", "choices": {"AB": "yes", "C": "no"}}, "'AB' is not a letter"),
        ({**GOOD, "id": "bad", "choices": ["yes"] * 27}, "27 choices"),
        ({**GOOD, "id": "bad", "choices": ["yes", "yes"]}, "text of 2 choices"),
        ({**GOOD, "id": "bad", "choices": ["x", "y"], "answer": "C"}, "neither a letter nor the text"),
        ({**GOOD, "id": "bad", "choices": ["x", "y"], "answer": 1}, "neither a letter nor the text"),
        ({**GOOD, "id": "bad", "choices": ["x", "y"], "answer": True}, "does not fit"),
        ({**GOOD, "id": "bad", "choices": ["x", "y"], "answer": ["A"]}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "yes_no", "answer": "maybe"}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "yes_no", "answer": 1}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "number", "answer": "1,200"}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "number", "answer": "nan"}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "number", "answer": "9" * 500}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "number", "answer": True}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "text", "answer": 5}, "does not fit"),
        ({**GOOD, "id": "bad", "answer": []}, "does not fit"),
        ({**GOOD, "id": "bad", "answer": ["a", ""]}, "does not fit"),
        ({**GOOD, "id": "bad", "answer": {"box": [0, 0, 1, 1]}}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "point", "answer": {"box": [2, 0, 1, 1]}}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "point", "answer": {"box": [0, 0, 1]}}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "point", "answer": {"polygon": [[0, 0], [1, 1]]}}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "point", "answer": {"points": [[0, "1"]]}}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "point", "answer": {"points": []}}, "does not fit"),
        ({**GOOD, "id": "bad", "kind": "point", "answer": {"points": [[0, 1]], "box": 1}}, "does not fit"),
        ({**GOOD, "id": "bad", "convention": "pixels"}, "unknown convention"),
        ({**GOOD, "id": "bad", "convention": ["unit_xy"]}, "unknown convention"),
        ({**GOOD, "id": "bad", "size": [640]}, "`size` is not"),
        ({**GOOD, "id": "bad", "size": [640, 0]}, "`size` is not"),
        ({**GOOD, "id": "bad", "tolerance": -1}, "`tolerance` is not"),
        ({**GOOD, "id": "bad", "images": 5}, "`images` is not"),
        ({**GOOD, "id": "bad", "images": [""]}, "`images` is not"),
        ({**GOOD, "id": "bad", "images": ["fine.png"], "image": "fine.png"}, "both"),
        ({**GOOD, "id": "bad", "images": "gone.png"}, "not there"),
        ({**GOOD, "id": "bad", "images": "."}, "not there"),
        ({**GOOD, "id": "bad", "images": "nul\0.png"}, "cannot be followed"),
        ({**GOOD, "id": "bad", "images": "x" * 5000}, "cannot be"),
        ({**GOOD, "id": "bad", "images": "https://example.org/a.png"}, "on the network"),
        ({**GOOD, "id": "bad", "images": "data:image/png;base64,@@@@"}, "not base64"),
        ({**GOOD, "id": "bad", "images": "../outside.png"}, "leaves the folder"),
        ({**GOOD, "id": "bad", "images": "/etc/hostname"}, "leaves the folder"),
        ({**GOOD, "id": "bad", "images": "link.png"}, "leaves the folder"),
        ({**GOOD, "id": "bad", "images": "linked/outside.png"}, "leaves the folder"),
        ({**GOOD, "id": "bad", "images": "loop.png"}, "cannot be followed"),
        ({**GOOD, "id": "bad", "images": "text.png"}, "not a whole PNG"),
        ({**GOOD, "id": "bad", "images": "short.png"}, "not a whole PNG"),
        ({**GOOD, "id": "bad", "images": "short.jpg"}, "not a whole PNG"),
        ({**GOOD, "id": "bad", "images": "picture.tiff"}, "not a whole PNG"),
        ({**GOOD, "id": "bad", "images": "bomb.png"}, "megapixels"),
        ({**GOOD, "id": "bad", "images": "large.png"}, "megapixels"),
        ({**GOOD, "id": "bad", "question": "<image 2>?", "images": "fine.png"}, "has 1 pictures"),
        ({**GOOD, "id": "bad", "question": "<image 0>?", "images": "fine.png"}, "has 1 pictures"),
        ({**GOOD, "id": "bad", "question": "What is in <image>?"}, "has 0 pictures"),
        ({**GOOD, "id": "bad", "question": "<image>", "images": "fine.png"}, "question is empty"),
    ],
    ids=lambda value: str(value)[:70].encode("ascii", "replace").decode().replace("\0", " "),
)
def test_a_bad_line_is_rejected_by_itself(
    tmp_path: Path, write_lines: Make, picture: Make, row: Any, words: str
) -> None:
    fine = picture(size=(64, 64), format="JPEG")
    outside = tmp_path / "outside.png"
    outside.write_bytes(picture())
    home = tmp_path / "home"
    home.mkdir()
    (home / "fine.png").write_bytes(picture())
    (home / "text.png").write_text("this is no picture")
    (home / "short.png").write_bytes(picture(size=(99, 99))[:-40])
    (home / "short.jpg").write_bytes(fine[: len(fine) // 2])
    (home / "picture.tiff").write_bytes(picture(format="TIFF"))
    (home / "bomb.png").write_bytes(claimed_png(60_000, 60_000))
    (home / "large.png").write_bytes(claimed_png(10_000, 10_001))
    (home / "link.png").symlink_to(outside)
    (home / "linked").symlink_to(tmp_path)
    (home / "loop.png").symlink_to("loop.png")
    id, problem, _ = rejection(write_lines(row, GOOD, name="home/quiz.jsonl"))
    assert words in problem
    assert id == (row["id"] if isinstance(row, dict) and row.get("id") == "bad" else "")


def claimed_png(width: int, height: int) -> bytes:
    """A PNG file whose header claims a size that its few bytes do not have."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def test_a_repeated_id_rejects_the_second_line(write_lines: Make) -> None:
    suite = read_jsonl(write_lines({**GOOD, "id": 1}, {**GOOD, "id": "1", "question": "Another?"}))
    assert [item.parts for item in suite.items] == [(Text("Is it red?"),)]
    assert [(bad.row, bad.id) for bad in suite.rejected] == [(2, "1")]
    assert "row 1 has this id" in suite.rejected[0].problem
    assert str(suite.rejected[0]) == f"{suite.rejected[0].file}, row 2 (1): row 1 has this id already"


def test_a_line_over_the_limit_is_skipped(write_lines: Make) -> None:
    long = '{"id": "long", "question": "' + "x" * (64 * 2**20) + '", "answer": "x"}'
    suite = read_jsonl(write_lines(long, GOOD))
    assert [item.id for item in suite.items] == ["good"]
    assert [(bad.row, bad.problem) for bad in suite.rejected] == [(1, "longer than 64 MiB")]


def test_a_picture_file_over_the_limit_is_not_read(tmp_path: Path, write_lines: Make) -> None:
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    assert "over 64 MiB" in rejection(write_lines({**GOOD, "id": "bad", "images": "huge.png"}, GOOD))[1]


@pytest.mark.parametrize("rows", [(), ("",), ("{", "nonsense"), ({"id": 1},)])
def test_a_file_without_a_usable_row_is_an_error(write_lines: Make, rows: tuple[Any, ...]) -> None:
    path = write_lines(*rows)
    with pytest.raises(GumptionError) as caught:
        read_jsonl(path)
    assert caught.value.where == str(path)
    assert caught.value.remedy


def test_a_damaged_or_missing_file_is_an_error(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"id": 1, "question": "?", "answer": 1}\n' * 1000)
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "plain.jsonl.gz").write_bytes(b"not packed")
    for name in ("cut.jsonl.gz", "plain.jsonl.gz", "missing.jsonl"):
        with pytest.raises(GumptionError, match="cannot be read"):
            read_jsonl(tmp_path / name)


def test_the_public_pool_loads_or_says_why(public_data: Path) -> None:
    suite: Suite = read_jsonl(public_data / "question_pool" / "pool.jsonl.gz")
    assert len(suite.items) + len(suite.rejected) == 23_068
    # Of the rows without pictures (OpenEQA, VSR and ViewSpatial name theirs, which are not there), one has
    # no question: the four benchmarks and SpatialScore have 1 200 + 1 000 + 700 + 448 + 1 400 rows.
    assert len(suite.items) == 4_747
    assert "no question" in next(bad.problem for bad in suite.rejected if bad.id == "logicvista/v1_382")


def test_a_choice_may_be_known_by_its_letter_alone(write_lines: Make) -> None:
    rows = ({"id": 1, "question": "Which?", "kind": "choice", "answer": gold} for gold in ("b", "x y", "?"))
    suite = read_jsonl(write_lines(*({**row, "id": n} for n, row in enumerate(rows))))
    (item,) = suite.items
    assert item.answer == Answer("choice", "B", None)
    assert len(suite.rejected) == 2
