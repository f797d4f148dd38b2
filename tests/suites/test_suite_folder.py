"""Suite folders: what is written comes back, and what was changed on the way is found."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gumption.records import Answer, GumptionError, Image, Item, Text
from gumption.suites import (
    Media,
    Suite,
    read_file_or_folder,
    read_folder,
    read_items,
    read_jsonl,
    write_folder,
    write_items,
)

Make = Callable[..., Any]


@pytest.fixture
def suite(tmp_path: Path, write_lines: Make, picture: Make) -> Suite:
    """Three questions over two pictures."""
    for colour in ("red", "blue"):
        (tmp_path / f"{colour}.png").write_bytes(picture(colour))
    rows = [
        {"id": 1, "question": "Which?", "images": "red.png", "choices": {"B": "x", "A": "y"}, "answer": "A"},
        {
            "id": 2,
            "question": "Is it?",
            "images": ["red.png", "blue.png"],
            "answer": "no",
            "note": {"a": [1, 2.5]},
        },
        {"id": 3, "question": "Why?", "answer": ["because", "so"]},
    ]
    read = read_jsonl(write_lines(*rows))
    return replace(read, version="1.2", licences={"quiz": "MIT"}, provenance={"from": "a test"})


def describe(folder: Path) -> dict[str, Any]:
    about: dict[str, Any] = json.loads((folder / "suite.json").read_text())
    return about


def test_a_suite_comes_back_as_it_was(tmp_path: Path, suite: Suite) -> None:
    folder = write_folder(suite, tmp_path / "made" / "suite", created="2025-03-01")
    back = read_folder(folder)
    assert (back.name, back.version, back.items) == (suite.name, suite.version, suite.items)
    assert (back.licences, back.provenance, back.rejected) == ({"quiz": "MIT"}, {"from": "a test"}, ())
    assert back.checksum == suite.checksum == describe(folder)["checksum"]
    assert describe(folder)["created"] == "2025-03-01"
    assert set(back.media) == set(suite.media)
    assert {back.media.read(sha256) for sha256 in back.media} == {
        suite.media.read(sha256) for sha256 in suite.media
    }


def test_the_folder_holds_what_the_design_says(tmp_path: Path, suite: Suite, picture: Make) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    assert {file.name for file in folder.iterdir()} == {"suite.json", "items.parquet", "media"}
    hashes = {hashlib.sha256(picture(colour)).hexdigest() for colour in ("red", "blue")}
    assert {file.name for file in (folder / "media").iterdir()} == {f"{sha256}.png" for sha256 in hashes}
    about = describe(folder)
    assert about["media"] == {"count": 2, "bytes": len(picture("red")) + len(picture("blue"))}
    assert (about["format"], about["items"], about["created"][:2]) == (1, 3, "20")


def test_a_folder_outlives_the_pictures_it_was_made_from(tmp_path: Path, suite: Suite, picture: Make) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    for colour in ("red", "blue"):
        (tmp_path / f"{colour}.png").unlink()
    moved = shutil.move(folder, tmp_path / "moved")
    back = read_folder(moved)
    assert back.media.read(hashlib.sha256(picture("red")).hexdigest()) == picture("red")


# ── the checksum ─────────────────────────────────────────────────────────────────────────────────────


def test_the_checksum_does_not_depend_on_order_or_names(suite: Suite) -> None:
    mixed = list(suite.items)
    random.Random(3).shuffle(mixed)
    other = Suite("other", "9", tuple(mixed), provenance={"x": 1}, licences={"y": "z"})
    assert other.checksum == suite.checksum
    assert len(suite.checksum) == 64


@pytest.mark.parametrize(
    "change",
    [
        {"id": "1b"},
        {"benchmark": "b"},
        {"cluster": "c"},
        {"category": "c"},
        {"meta": {"n": 1}},
        {"parts": (Text("Which ?"),)},
        {"parts": (Image("0" * 64, "image/png", 8, 6), Text("Which?"))},
        {"answer": Answer("choice", "B", {"B": "x", "A": "y"})},
        {"answer": Answer("choice", "A", {"A": "y", "B": "x"})},
        {"answer": Answer("choice", "A", {"B": "x", "A": "y"}, tolerance=1.0)},
    ],
    ids=str,
)
def test_the_checksum_sees_every_change_of_an_item(suite: Suite, change: dict[str, Any]) -> None:
    changed = (msgspec.structs.replace(suite.items[0], **change), *suite.items[1:])
    assert replace(suite, items=changed).checksum != suite.checksum


def test_the_checksum_by_hand() -> None:
    item = Item("i", "b", (Text("?"),), Answer("yes_no", "no"), meta={"b": 1, "a": [True, None]})
    text = (
        '[{"answer":{"choices":null,"convention":null,"gold":"no","kind":"yes_no","size":null,"tolerance":0.0},'
        '"benchmark":"b","category":"","cluster":"","dimension":"","id":"i","meta":{"a":[true,null],"b":1},'
        '"parts":[{"text":"?","type":"text"}]},[]]\n'
    )
    assert Suite("n", "1", (item,)).checksum == hashlib.sha256(text.encode()).hexdigest()


def test_two_items_with_one_id_are_no_suite(suite: Suite) -> None:
    with pytest.raises(GumptionError, match="the id '1'"):
        Suite("twice", "1", suite.items[:1] * 2)


# ── what was there before ────────────────────────────────────────────────────────────────────────────


def test_another_suite_is_not_overwritten_unless_told(tmp_path: Path, suite: Suite) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    (folder / "certificate.json").write_text("{}")
    write_folder(suite, folder)
    smaller = replace(suite, items=suite.items[2:])
    with pytest.raises(GumptionError, match="is there already"):
        write_folder(smaller, folder)
    assert read_folder(folder).items == suite.items
    write_folder(smaller, folder, overwrite=True)
    assert read_folder(folder).items == smaller.items
    assert list((folder / "media").iterdir()) == []
    assert (folder / "certificate.json").exists()


@pytest.mark.parametrize("overwrite", [False, True])
def test_other_files_are_never_written_over(tmp_path: Path, suite: Suite, overwrite: bool) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.tex").write_text("x")
    (tmp_path / "file").write_text("x")
    for name in ("home", "file"):
        with pytest.raises(GumptionError, match="something else"):
            write_folder(suite, tmp_path / name, overwrite=overwrite)


def test_a_suite_can_be_written_over_itself(tmp_path: Path, suite: Suite) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    back = read_folder(folder)
    write_folder(replace(back, version="1.3"), folder, overwrite=True)
    assert read_folder(folder).media.read(next(iter(back.media)))


def test_missing_or_altered_bytes_are_not_written(tmp_path: Path, suite: Suite) -> None:
    (tmp_path / "red.png").write_bytes(b"something else")
    with pytest.raises(GumptionError, match="altered"):
        write_folder(suite, tmp_path / "one")
    with pytest.raises(GumptionError, match="no media file"):
        write_folder(replace(suite, media=Media()), tmp_path / "two")
    assert not (tmp_path / "one" / "suite.json").exists()
    assert not (tmp_path / "two" / "suite.json").exists()


def test_provenance_must_be_json(tmp_path: Path, suite: Suite) -> None:
    with pytest.raises(GumptionError, match="cannot be kept"):
        write_folder(replace(suite, provenance={"when": object()}), tmp_path / "suite")


# ── what was changed on the way ──────────────────────────────────────────────────────────────────────


def drop_an_item(folder: Path) -> None:
    write_items(folder / "items.parquet", read_items(folder / "items.parquet")[1:])


def change_a_gold(folder: Path) -> None:
    items = read_items(folder / "items.parquet")
    items[1] = msgspec.structs.replace(items[1], answer=Answer("yes_no", "yes"))
    write_items(folder / "items.parquet", items)


def edit(folder: Path, **changes: Any) -> None:
    (folder / "suite.json").write_text(json.dumps(describe(folder) | changes))


def a_medium(folder: Path) -> Path:
    return min((folder / "media").iterdir())


def swap_for_link(path: Path, target: Path) -> None:
    path.rename(target)
    path.symlink_to(target)


CHANGES: dict[str, Callable[[Path], object]] = {
    "an item is gone": drop_an_item,
    "a gold is another": change_a_gold,
    "no items": lambda folder: (folder / "items.parquet").unlink(),
    "cut items": lambda folder: (folder / "items.parquet").write_bytes(b"PAR1"),
    "no description": lambda folder: (folder / "suite.json").unlink(),
    "no JSON": lambda folder: (folder / "suite.json").write_text("{"),
    "nested JSON": lambda folder: (folder / "suite.json").write_text("[" * 100_000),
    "a list": lambda folder: (folder / "suite.json").write_text("[]"),
    "a newer format": lambda folder: edit(folder, format=2),
    "an unknown key": lambda folder: edit(folder, colour="red"),
    "a wrong type": lambda folder: edit(folder, items="3"),
    "a wrong count": lambda folder: edit(folder, items=4),
    "a wrong checksum": lambda folder: edit(folder, checksum="0" * 64),
    "a large description": lambda folder: edit(folder, name="x" * 2**24),
    "a medium is gone": lambda folder: a_medium(folder).unlink(),
    "no media": lambda folder: shutil.rmtree(folder / "media"),
    "a longer medium": lambda folder: a_medium(folder).write_bytes(b"x" * 5000),
    "a foreign medium": lambda folder: (folder / "media" / "notes.txt").write_text("x"),
    "a long extension": lambda folder: (folder / "media" / f"{'0' * 64}.picture").write_text("x"),
    "a folder as medium": lambda folder: (folder / "media" / f"{'0' * 64}.png").mkdir(),
    "media lead out": lambda folder: swap_for_link(folder / "media", folder.parent / "out"),
    "a medium leads out": lambda folder: swap_for_link(a_medium(folder), folder.parent / "out.png"),
    "items lead out": lambda folder: swap_for_link(folder / "items.parquet", folder.parent / "out"),
    "the description leads out": lambda folder: swap_for_link(folder / "suite.json", folder.parent / "out"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_folder_is_an_error(tmp_path: Path, suite: Suite, change: str) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    CHANGES[change](folder)
    with pytest.raises(GumptionError) as caught:
        read_folder(folder)
    assert str(folder) in caught.value.where
    assert caught.value.remedy


def test_altered_media_are_found_when_they_are_read(tmp_path: Path, suite: Suite) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    file = a_medium(folder)
    data = file.read_bytes()
    file.unlink()
    file.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    back = read_folder(folder)
    with pytest.raises(GumptionError, match="altered") as caught:
        back.media.read(file.stem)
    assert str(file) == caught.value.where
    file.unlink()
    with pytest.raises(GumptionError, match="cannot be read"):
        back.media.read(file.stem)


def test_links_within_the_folder_and_hidden_files_are_fine(tmp_path: Path, suite: Suite) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    (folder / "media" / ".DS_Store").write_text("x")
    swap_for_link(a_medium(folder.resolve()), folder.resolve() / ".kept")
    (tmp_path / "shortcut").symlink_to(folder)
    assert read_folder(tmp_path / "shortcut").items == suite.items


# ── whatever a path leads to ─────────────────────────────────────────────────────────────────────────


def test_files_and_folders_are_told_apart(tmp_path: Path, suite: Suite, cases: Path) -> None:
    folder = write_folder(suite, tmp_path / "suite")
    assert read_file_or_folder(folder).items == suite.items
    assert len(read_file_or_folder(tmp_path / "quiz.jsonl").items) == 3
    assert len(read_file_or_folder(cases / "folders" / "TileQuiz_TSV" / "tilequiz_test.tsv").items) == 20


def test_what_cannot_be_read_says_what_to_do(tmp_path: Path, suite: Suite, cases: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "folder.jsonl").mkdir()
    for path, words in [
        (tmp_path / "missing", "no such file"),
        (tmp_path / "notes.txt", "not a file of questions"),
        (tmp_path / "folder.jsonl", r"no suite\.json"),
        (cases / "folders" / "TileQuiz_TSV", r"no suite\.json"),
    ]:
        with pytest.raises(GumptionError, match=words) as caught:
            read_file_or_folder(path)
        assert caught.value.where == str(path)
        assert caught.value.remedy
    assert "tilequiz_test.tsv" in caught.value.remedy
