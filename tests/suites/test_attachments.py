"""Files that belong to a suite: written with it, checked when they are read, refused when hostile."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from gumption.records import Answer, GumptionError, Item, Text
from gumption.suites import (
    SELECTION,
    Chosen,
    Suite,
    add_to_pool,
    attach,
    check_attachments,
    read_attachment,
    read_folder,
    read_selection,
    selection_bytes,
    sources_of,
    write_folder,
)


def quiz(*ids: str, name: str = "quiz") -> Suite:
    return Suite(name, "1", tuple(Item(id, name, (Text("?"),), Answer("text", "x")) for id in ids))


def said(folder: Path) -> dict[str, Any]:
    about: dict[str, Any] = json.loads((folder / "suite.json").read_text())
    return about


def test_attachments_come_back_and_the_suite_is_the_same(tmp_path: Path) -> None:
    files = {"certificate.json": b"{}", "certificate.html": b"<p>", "induction.jsonl": b""}
    folder = write_folder(quiz("1"), tmp_path / "suite", attachments=files)
    assert {name: read_attachment(folder, name) for name in files} == files
    assert check_attachments(folder) == {"certificate.json": 2, "certificate.html": 3, "induction.jsonl": 0}
    assert said(folder)["attachments"]["certificate.html"]["sha256"] == hashlib.sha256(b"<p>").hexdigest()
    assert read_folder(folder).checksum == quiz("1").checksum
    with pytest.raises(GumptionError, match=r"no attachment 'induction\.md'") as caught:
        read_attachment(folder, "induction.md")
    assert "certificate.html" in caught.value.remedy


def test_a_plain_suite_says_nothing_of_attachments(tmp_path: Path) -> None:
    assert said(write_folder(quiz("1"), tmp_path / "suite")).keys() == {
        "format",
        "name",
        "version",
        "created",
        "items",
        "checksum",
        "media",
        "licences",
        "provenance",
    }


def test_what_was_attached_goes_with_the_items_it_was_of(tmp_path: Path) -> None:
    folder = write_folder(quiz("1"), tmp_path / "suite", attachments={"a.json": b"1", "b.json": b"2"})
    write_folder(quiz("1"), folder)
    assert check_attachments(folder) == {"a.json": 1, "b.json": 1}
    write_folder(quiz("1"), folder, attachments={"b.json": b"33"})
    assert check_attachments(folder) == {"b.json": 2}
    assert not (folder / "a.json").exists()
    write_folder(quiz("1", "2"), folder, overwrite=True)
    assert check_attachments(folder) == {}
    assert {file.name for file in folder.iterdir()} == {"suite.json", "items.parquet"}


def test_attaching_to_a_folder_leaves_the_rest(tmp_path: Path) -> None:
    folder = write_folder(quiz("1"), tmp_path / "suite", created="2026-01-01", attachments={"a.json": b"1"})
    attach(folder, {"certificate.json": b"{}"})
    attach(folder, {"a.json": b"22"})
    assert check_attachments(folder) == {"a.json": 2, "certificate.json": 2}
    assert said(folder)["created"] == "2026-01-01"
    with pytest.raises(GumptionError, match="cannot be read"):
        attach(tmp_path, {"a.json": b""})


def test_a_writing_that_was_cut_short_can_be_done_again(tmp_path: Path) -> None:
    files = {"certificate.html": b"<p>"}
    folder = write_folder(quiz("1"), tmp_path / "suite", attachments=files)
    (folder / "suite.json").unlink()
    assert check_attachments(write_folder(quiz("1"), folder, attachments=files)) == {"certificate.html": 3}


def test_a_foreign_file_is_not_taken_for_an_attachment(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "notes.md").write_text("mine")
    with pytest.raises(GumptionError, match="something else"):
        write_folder(quiz("1"), tmp_path / "home", attachments={"notes.md": b"x"})
    assert (tmp_path / "home" / "notes.md").read_text() == "mine"


BAD_NAMES = [
    "../out.json",
    "/etc/passwd",
    "a/b.json",
    "a\\b.json",
    "..",
    ".hidden.json",
    "suite.json",
    "Suite.json",
    "items.parquet",
    "media",
    "name",
    "a\n.json",
    "a.json\n",
    "é.json",
    "x" * 200 + ".json",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_could_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(GumptionError, match="attachment is called"):
        write_folder(quiz("1"), tmp_path / "suite", attachments={name: b"x"})
    assert not (tmp_path / "suite").exists()
    folder = write_folder(quiz("1"), tmp_path / "suite", attachments={"a.json": b"x"})
    about = said(folder)
    about["attachments"] = {name: about["attachments"]["a.json"]}
    (folder / "suite.json").write_text(json.dumps(about))
    with pytest.raises(GumptionError, match="attachment is called"):
        read_folder(folder)


def test_names_that_some_systems_confuse_and_too_many_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=r"A\.json"):
        write_folder(quiz("1"), tmp_path / "suite", attachments={"a.json": b"", "A.json": b""})
    with pytest.raises(GumptionError, match="65 attachments"):
        write_folder(quiz("1"), tmp_path / "suite", attachments={f"{n}.json": b"" for n in range(65)})


def link_out(file: Path) -> None:
    file.rename(file.parent.parent / "out.json")
    file.symlink_to(file.parent.parent / "out.json")


CHANGES = {
    "altered": lambda file: file.write_bytes(b"y"),
    "longer": lambda file: file.write_bytes(b"x" * 1000),
    "gone": lambda file: file.unlink(),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "a link out": link_out,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_attachment_is_an_error_where_it_is_read(tmp_path: Path, change: str) -> None:
    folder = write_folder(quiz("1"), tmp_path / "suite", attachments={"a.json": b"x"})
    CHANGES[change](folder / "a.json")
    with pytest.raises(GumptionError) as caught:
        read_attachment(folder, "a.json")
    assert caught.value.where == str(folder / "a.json")
    assert caught.value.remedy
    assert len(read_folder(folder).items) == 1


@pytest.mark.parametrize("said_of_it", [{"sha256": "x", "bytes": 1}, {"sha256": "0" * 64, "bytes": 2**40}])
def test_what_is_said_of_an_attachment_is_checked(tmp_path: Path, said_of_it: dict[str, Any]) -> None:
    folder = write_folder(quiz("1"), tmp_path / "suite", attachments={"a.json": b"x"})
    about = said(folder)
    about["attachments"]["a.json"] = said_of_it
    (folder / "suite.json").write_text(json.dumps(about))
    with pytest.raises(GumptionError, match=r"a\.json is over 256 MiB or has no SHA-256"):
        read_folder(folder)


def test_the_selection_comes_back(tmp_path: Path) -> None:
    chosen = [
        Chosen(
            "1", "c" * 64, "vsr", "Where", {"Where": 3, "How many": 2}, 0.2, selector="centroid", weight=2.5
        ),
        Chosen("2", "c" * 64, "vsr", "Where"),
    ]
    folder = write_folder(quiz("1", "2"), tmp_path / "s", attachments={SELECTION: selection_bytes(chosen)})
    assert read_selection(folder) == chosen
    attach(folder, {SELECTION: selection_bytes(chosen) + b"{}\n"})
    with pytest.raises(GumptionError, match="unreadable") as caught:
        read_selection(folder)
    assert caught.value.where.endswith("line 3")


def test_the_source_of_every_item_of_a_pool(tmp_path: Path) -> None:
    for suite in (quiz("1", "2", name="a"), quiz("2", name="a"), quiz("3", name="b")):
        add_to_pool(tmp_path / "pool", suite)
    renamed = Suite("a, second half", "1", quiz("4", name="a").items)
    add_to_pool(tmp_path / "pool", renamed)
    assert sources_of(read_folder(tmp_path / "pool")) == ("a", "a", "b", "a, second half")
    assert sources_of(quiz("1", "2")) == ("quiz", "quiz")
    odd = {"sources": [{"name": "x", "added": 10**12}, {"name": 3, "added": 1}]}
    assert sources_of(Suite("odd", "1", quiz("1").items, provenance=odd)) == ("quiz",)
