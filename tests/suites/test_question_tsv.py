"""VLMEvalKit's TSV files: base64 pictures, unused options, quotes or none, and bad rows."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gumption.records import Answer, GumptionError, Image, Item, Text
from gumption.suites import read_tsv

Make = Callable[..., Any]

HEADER = ["index", "image", "question", "A", "B", "C", "answer"]


@pytest.fixture
def red(picture: Make) -> str:
    """A picture as base64, longer than any index."""
    return base64.b64encode(picture("red")).decode()


@pytest.fixture
def blue(picture: Make) -> str:
    return base64.b64encode(picture("blue", format="JPEG")).decode()


def sha256(text: str) -> str:
    return hashlib.sha256(base64.b64decode(text)).hexdigest()


def answers(path: Path) -> list[Answer]:
    suite = read_tsv(path)
    assert suite.rejected == ()
    return [item.answer for item in suite.items]


def test_the_tile_quiz_is_read_as_its_readme_says(cases: Path) -> None:
    folder = cases / "folders" / "TileQuiz_TSV"
    suite = read_tsv(folder / "tilequiz_test.tsv", name="TileQuiz")
    recorded = [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]
    assert suite.rejected == ()
    assert [item.id for item in suite.items] == list(dict.fromkeys(str(row["item"]) for row in recorded))
    assert len(suite.items) == 20
    assert len({item.cluster for item in suite.items}) == len(suite.media) == 10
    for item in suite.items:
        image, text = item.parts
        assert isinstance(image, Image)
        assert isinstance(text, Text)
        assert (item.benchmark, item.answer.kind) == ("TileQuiz", "choice")
        assert 2 <= len(item.answer.choices or ()) <= 4
        assert item.answer.gold in (item.answer.choices or ())
        assert "nan" not in {option.lower() for option in (item.answer.choices or {}).values()}
        assert item.category
        assert image.width > 0
        assert hashlib.sha256(suite.media.read(image.sha256)).hexdigest() == image.sha256
    types = {part.media_type for item in suite.items for part in item.parts if isinstance(part, Image)}
    assert types == {"image/png", "image/jpeg"}


def test_a_recorded_right_letter_is_the_gold(cases: Path) -> None:
    """The README: 1 when the reply settles on the letter in `answer`."""
    folder = cases / "folders" / "TileQuiz_TSV"
    gold = {item.id: item.answer.gold for item in read_tsv(folder / "tilequiz_test.tsv").items}
    recorded = [json.loads(line) for line in (folder / "recorded.jsonl").read_text().splitlines()]
    letters = [row for row in recorded if row["reply"].strip() in set("ABCD")]
    assert letters
    for row in letters:
        assert (gold[str(row["item"])] == row["reply"].strip()) == (row["score"] == 1.0)


def test_every_column_goes_where_it_belongs(write_table: Make, red: str) -> None:
    header = [
        "index",
        "image",
        "question",
        "hint",
        "A",
        "B",
        "D",
        "answer",
        "category",
        "l2-category",
        "split",
        "x",
    ]
    row = ["30", red, "Where?", "Look up.", "left ", "nan", "right", "D", "place", "near", "val", ""]
    suite = read_tsv(write_table(header, row))
    assert suite.items == (
        Item(
            id="30",
            benchmark="quiz",
            parts=(Image(sha256(red), "image/png", 8, 6), Text("Look up."), Text("Where?")),
            answer=Answer("choice", "D", {"A": "left", "D": "right"}),
            category="place",
            dimension="near",
            meta={"split": "val"},
        ),
    )


@pytest.mark.parametrize(
    ("columns", "category", "dimension"),
    [
        ({"category": "a"}, "a", ""),
        ({"l2-category": "b"}, "b", ""),
        ({"l2_category": "b", "category": "NaN"}, "b", ""),
    ],
)
def test_categories(
    write_table: Make, red: str, columns: dict[str, str], category: str, dimension: str
) -> None:
    path = write_table([*HEADER, *columns], ["1", red, "?", "", "", "", "x", *columns.values()])
    (item,) = read_tsv(path).items
    assert (item.category, item.dimension, item.meta) == (category, dimension, {})


@pytest.mark.parametrize(
    ("cell", "kind", "gold"),
    [
        ("Yes", "yes_no", "yes"),
        ("NO", "yes_no", "no"),
        ("42", "number", 42),
        ("-0.5", "number", -0.5),
        ("007", "text", "007"),
        ("1_000", "text", "1_000"),
        ("inf", "text", "inf"),
        ("a red cup", "text", "a red cup"),
    ],
)
def test_rows_without_options(write_table: Make, red: str, cell: str, kind: str, gold: Any) -> None:
    (answer,) = answers(write_table(HEADER, ["1", red, "?", "", "NaN", "nan", cell]))
    assert (answer.kind, answer.gold, answer.choices) == (kind, gold, None)


@pytest.mark.parametrize("style", [json.dumps, repr])
def test_several_pictures_in_one_cell(write_table: Make, red: str, blue: str, style: Any) -> None:
    row = ["1", style([red, blue]), "Between <image 2> and <image 1>?", "x", "y", "", "B"]
    (item,) = read_tsv(write_table(HEADER, row)).items
    hashes = [part.sha256 for part in item.parts if isinstance(part, Image)]
    assert hashes == [sha256(blue), sha256(red)]
    assert item.parts[0] == Text("Between ")


def test_a_short_cell_is_the_row_that_holds_the_picture(write_table: Make, red: str, blue: str) -> None:
    rows = [
        ["1", "9", "forward?", "x", "y", "", "A"],
        ["5", red, "holds, but has no usable answer", "x", "y", "", "C"],
        ["9", blue, "holds?", "x", "y", "", "B"],
        ["2", "5", "back?", "x", "y", "", "A"],
        ["3", "1", "to a row that points on?", "x", "y", "", "A"],
        ["4", "77", "nowhere?", "x", "y", "", "A"],
    ]
    suite = read_tsv(write_table(HEADER, *rows))
    shown = {item.id: item.parts[0].sha256 for item in suite.items if isinstance(item.parts[0], Image)}
    assert shown == {"1": sha256(blue), "9": sha256(blue), "2": sha256(red)}
    assert [item.id for item in suite.items] == ["1", "9", "2"]
    assert [(bad.row, bad.id) for bad in suite.rejected] == [(2, "5"), (5, "3"), (6, "4")]
    assert suite.items[0].cluster == suite.items[1].cluster == sha256(blue)[: len(suite.items[0].cluster)]
    assert suite.items[2].cluster == ""


def test_a_path_serves_where_no_bytes_are(tmp_path: Path, write_table: Make, red: str, picture: Make) -> None:
    (tmp_path / "a.png").write_bytes(picture("green"))
    header = ["index", "image", "image_path", "question", "answer"]
    rows = [
        ["1", "", "a.png", "?", "x"],
        ["2", red, "gone.png", "?", "x"],
        ["3", "", "['a.png', 'a.png']", "?", "x"],
    ]
    suite = read_tsv(write_table(header, *rows))
    green = hashlib.sha256(picture("green")).hexdigest()
    hashes = [[part.sha256 for part in item.parts if isinstance(part, Image)] for item in suite.items]
    assert hashes == [[green], [sha256(red)], [green, green]]
    assert [item.meta for item in suite.items] == [{}, {"image_path": "gone.png"}, {}]


def test_pictures_are_stored_once_and_not_kept_in_memory(
    cache: Path, write_table: Make, red: str, blue: str
) -> None:
    rows = [[str(place), red if place % 2 else blue, "?", "x", "y", "", "A"] for place in range(10)]
    suite = read_tsv(write_table(HEADER, *rows))
    stored = {file.name for file in (cache / "media").iterdir()}
    assert stored == {f"{sha256(red)}.png", f"{sha256(blue)}.jpg"}
    assert {suite.media.path(hash) for hash in suite.media} == {cache / "media" / name for name in stored}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"index": ""}, "index is empty"),
        ({"index": "NaN"}, "index is empty"),
        ({"index": "good"}, "row 1 has this id"),
        ({"question": "  "}, "question is empty"),
        ({"question": "nan"}, "question is empty"),
        ({"question": "<image 4>?"}, "has 1 pictures"),
        ({"answer": ""}, "no answer"),
        ({"answer": "NaN"}, "no answer"),
        ({"answer": "C"}, "neither a letter nor the text"),
        ({"answer": "E"}, "neither a letter nor the text"),
        ({"answer": "2"}, "neither a letter nor the text"),
        ({"B": ""}, "1 choices"),
        ({"image": "nan"}, "image cell is empty"),
        ({"image": "x" * 65}, "not base64"),
        ({"image": "x" * 68}, "not a whole PNG"),
        ({"image": "[]"}, "list of pictures cannot be read"),
        ({"image": "['abc'"}, "list of pictures cannot be read"),
        ({"image": "[__import__('os').getcwd()]"}, "list of pictures cannot be read"),
        ({"image": "../../etc/passwd"}, "points to row"),
    ],
    ids=str,
)
def test_a_bad_row_is_rejected_by_itself(
    write_table: Make, red: str, change: dict[str, str], words: str
) -> None:
    fair = dict(zip(HEADER, ["good", red, "?", "x", "y", "", "A"], strict=True))
    bad = {**fair, "index": "bad"} | change
    path = write_table(
        HEADER, list(fair.values()), list(bad.values()), [*list(fair.values())[1:], "extra", "x"]
    )
    suite = read_tsv(path)
    assert [item.id for item in suite.items] == ["good"]
    first, short = suite.rejected
    assert (first.file, first.row) == (str(path), 2)
    assert first.id == ("" if change.get("index") == "NaN" else bad["index"])
    assert words in first.problem
    assert first.remedy
    assert (short.row, short.problem) == (3, "8 cells where the header has 7")


def test_a_row_that_is_not_utf8_or_too_long(tmp_path: Path, write_table: Make, red: str) -> None:
    row = ["1", red, "?", "x", "y", "", "A"]
    path = write_table(HEADER, row, row)
    with path.open("ab") as file:
        file.write(b"2\t" + red.encode() + b"\tcaf\xe9?\tx\ty\t\tA\n")
        file.write(b"3\t" + b"A" * (64 * 2**20) + b"\t?\tx\ty\t\tA\n")
        file.write("\t".join(["4", *row[1:]]).encode())
    suite = read_tsv(path)
    assert [item.id for item in suite.items] == ["1", "4"]
    assert [(bad.row, bad.problem[:10]) for bad in suite.rejected] == [
        (2, "row 1 has "),
        (3, "not UTF-8:"),
        (4, "longer tha"),
    ]


def test_a_file_without_pictures_asks_in_text(write_table: Make) -> None:
    header = ["id", "question", "A", "B", "answer", "cluster"]
    (item,) = read_tsv(write_table(header, ["q1", "Which?", "left", "right", "B", "room 3"])).items
    assert (item.id, item.parts, item.cluster) == ("q1", (Text("Which?"),), "room 3")
    assert item.answer == Answer("choice", "B", {"A": "left", "B": "right"})


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (["index", "question", "A"], "no column answer; found: index, question, A"),
        (["question", "answer", "image"], "no column index; found: question, answer, image"),
        (["index", "question", "answer", "answer", "image"], "'answer' more than once"),
        (['"index', "question", "answer", "image"], "quotes of cell 1"),
    ],
)
def test_a_wrong_header_is_an_error(write_table: Make, header: list[str], words: str) -> None:
    with pytest.raises(GumptionError) as caught:
        read_tsv(write_table(header, ["1"] * len(header)))
    assert words in caught.value.problem
    assert caught.value.remedy
    assert "quiz.tsv" in caught.value.where


def test_an_empty_file_is_an_error(write_table: Make) -> None:
    with pytest.raises(GumptionError, match="empty"):
        read_tsv(write_table())
    with pytest.raises(GumptionError, match="no rows"):
        read_tsv(write_table(HEADER))


# ── quotes ───────────────────────────────────────────────────────────────────────────────────────────


def quoted_table(rows: list[list[str]]) -> str:
    """As the csv module (and pandas) writes a TSV: quotes only where a cell needs them."""
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", lineterminator="\n").writerows(rows)
    return stream.getvalue()


# A line with as many tabs as a row has would be taken for one.
CELL = (
    st.text("ab\"\t\n' ,", min_size=1, max_size=8)
    .map(lambda text: f"q{text}z")
    .filter(lambda text: all(line.count("\t") < 3 for line in text.split("\n")))
)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5))
@settings(max_examples=120, deadline=None)
def test_quoted_cells_are_read_as_csv_wrote_them(
    tmp_path_factory: pytest.TempPathFactory, red_once: str, rows: list[tuple[str, str]]
) -> None:
    table = [["index", "image", "question", "answer"]]
    table += [[str(place), red_once, question, answer] for place, (question, answer) in enumerate(rows)]
    path = tmp_path_factory.mktemp("quoted") / "quiz.tsv"
    path.write_text(quoted_table(table), encoding="utf-8", newline="")
    suite = read_tsv(path)
    assert suite.rejected == ()
    read = [(item.parts[1].text, item.answer.gold) for item in suite.items if isinstance(item.parts[1], Text)]
    assert read == rows


@pytest.fixture(scope="module")
def red_once() -> str:
    from PIL import Image as Pillow

    stream = io.BytesIO()
    Pillow.new("RGB", (8, 6), "red").save(stream, "PNG")
    return base64.b64encode(stream.getvalue()).decode()


@pytest.mark.parametrize("last", ["answer", "question"])
def test_unquoted_cells_keep_their_quotes(write_table: Make, red: str, last: str) -> None:
    questions = ['"Stop" or "Go"?', 'A 5" pipe?', '"Unclosed?', 'Is it "so"?', "Plain?", '"Whole?"']
    header = ["index", "image", "question", "answer"]
    rows = [[str(place), red, question, "x"] for place, question in enumerate(questions)]
    table = [header, *rows]
    if last == "question":
        table = [[index, image, answer, question] for index, image, question, answer in table]
    suite = read_tsv(write_table(*table))
    assert suite.rejected == ()
    assert [item.parts[1] for item in suite.items] == [Text(question) for question in questions]


def test_an_unclosed_quote_takes_no_other_row_along(tmp_path: Path, red: str) -> None:
    table = [["index", "image", "question", "answer"]]
    table += [[str(place), red, f'a "quoted"\nword {place}', "x"] for place in range(6)]
    text = quoted_table(table).replace('word 2"', "word 2")
    path = tmp_path / "quiz.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    suite = read_tsv(path)
    assert len(suite.rejected) >= 1
    assert suite.rejected[0].row == 3
    assert [item.id for item in suite.items if item.id not in "23"] == ["0", "1", "4", "5"]
