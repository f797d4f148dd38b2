"""Looking into folders: what files hold, what joins them, what is kept from those who write."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_folders import make_all, make_odd
from made_quizzes import Scene

from gumption.records import GumptionError
from gumption.synthesis.folder import BenchmarkFolder, Table, inspect_folder
from gumption.synthesis.recipes import read


def written(path: Path, **files: str | bytes) -> Path:
    """A folder with files, `__` in a name standing for a full stop."""
    path.mkdir(exist_ok=True)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (path / name.replace("__", ".")).write_bytes(data)
    return path


def only(folder: BenchmarkFolder) -> Table:
    assert len(folder.tables) == 1, [table.source for table in folder.tables]
    return folder.tables[0]


ROWS = [
    {"id": "1", "note": "plain", "answer": "yes"},
    {"id": "2", "note": "a, b; c | d", "answer": "no"},
    {"id": "3", "note": 'she said "so"', "answer": "no"},
]


class TestSeparated:
    @pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
    @pytest.mark.parametrize("name", ["data__csv", "data__txt", "data"])
    def test_every_separator_under_any_name(self, tmp_path: Path, separator: str, name: str) -> None:
        out = io.StringIO()
        table = csv.DictWriter(out, list(ROWS[0]), delimiter=separator)
        table.writeheader()
        table.writerows(ROWS)
        folder = inspect_folder(written(tmp_path, **{name: out.getvalue()}))
        assert only(folder).source.separator == separator
        assert read(tmp_path, only(folder).source) == ROWS

    def test_mark_blank_lines_and_unnamed_columns(self, tmp_path: Path) -> None:
        text = "\ufeff,what is it,what is it\r\n\r\n1,a,x\r\n\r\n2,b,y\r\n"
        table = only(inspect_folder(written(tmp_path, d__csv=text)))
        assert [column.name for column in table.columns] == ["Unnamed: 0", "what is it", "what is it.1"]
        assert table.rows == 2

    def test_quotes_that_are_none(self, tmp_path: Path) -> None:
        text = 'id\ttext\n1\t"Stop" says the sign\n2\t5" pipe\n3\t"\n4\t"unclosed\n'
        table = only(inspect_folder(written(tmp_path, d__tsv=text)))
        texts = [row["text"] for row in read(tmp_path, table.source)]
        assert texts == ['"Stop" says the sign', '5" pipe', '"', '"unclosed']

    def test_line_breaks_within_quotes(self, tmp_path: Path) -> None:
        table = only(inspect_folder(written(tmp_path, d__csv='id,text\n1,"two\nlines, one cell"\n2,b\n')))
        assert read(tmp_path, table.source)[0]["text"] == "two\nlines, one cell"

    def test_no_header(self, tmp_path: Path) -> None:
        text = "1,Is it red?,yes\n2,Is it blue?,no\n3,Is it new?,no\n"
        table = only(inspect_folder(written(tmp_path, d__csv=text)))
        assert not table.source.header
        assert read(tmp_path, table.source)[2] == {"0": "3", "1": "Is it new?", "2": "no"}

    def test_utf16_and_windows(self, tmp_path: Path) -> None:
        written(tmp_path, a__csv="id,ä\n1,ö\n2,ü\n".encode("utf-16"))
        assert read(tmp_path, only(inspect_folder(tmp_path)).source)[1] == {"id": "2", "ä": "ü"}
        written(tmp_path, a__csv="id,ä\n1,ö\n2,ü\n".encode("cp1252"))
        assert read(tmp_path, only(inspect_folder(tmp_path)).source)[1] == {"id": "2", "ä": "ü"}

    def test_prose_is_no_table(self, tmp_path: Path) -> None:
        text = "Dear reader,\nthis is a letter, and it has commas, here and there.\nNo rows.\n\nBye, me\n"
        assert inspect_folder(written(tmp_path, letter__txt=text)).tables == ()


class TestJson:
    @pytest.mark.parametrize(
        ("value", "path"),
        [
            ([{"a": 1}, {"a": 2}], "[]"),
            ({"meta": 1, "data": {"list": [{"a": 1}, {"a": 2}]}}, "data.list[]"),
            ({"q1": {"a": 1, "b": 2}, "q2": {"a": 2, "b": 3}, "q3": {"a": 3, "b": 0}}, "{}"),
            ({"a": [1, 2], "b": ["x", "y"]}, "columns"),
            ({"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": "y"}}, "columns"),
        ],
    )
    def test_where_the_rows_lie(self, tmp_path: Path, value: Any, path: str) -> None:
        table = only(inspect_folder(written(tmp_path, d__json=json.dumps(value))))
        assert table.source.rows == path
        assert [row["a"] for row in read(tmp_path, table.source)][:2] == [1, 2]

    def test_fields_from_above_are_not_the_row_s_own(self, tmp_path: Path) -> None:
        value = {"v": 1, "rooms": [{"name": "n", "asks": [{"k": i, "q": "?"} for i in range(3)]}]}
        folder = inspect_folder(written(tmp_path, d__json=json.dumps(value)))
        inner = folder.tables[-1]
        assert inner.source.rows == "rooms[].asks[]"
        assert inner.own == ("k", "q")
        assert {column.name for column in inner.columns} == {"v", "name", "k", "q"}

    def test_lines(self, tmp_path: Path) -> None:
        lines = '{"id": 1, "messages": [{"role": "user", "content": "Hi?"}]}\n\n{"id": 2, "messages": []}\n'
        table = only(inspect_folder(written(tmp_path, chat__txt=lines)))
        assert (table.source.format, table.rows) == ("jsonl", 2)

    def test_one_item_a_file(self, tmp_path: Path) -> None:
        for n in range(5):
            written(tmp_path, **{f"i{n}__json": json.dumps({"q": f"{n}?", "a": n})})
        table = only(inspect_folder(tmp_path))
        assert (table.source.path, table.rows) == ("*.json", 5)
        assert [row["@stem"] for row in read(tmp_path, table.source)] == [f"i{n}" for n in range(5)]

    def test_one_folder_an_item_with_its_picture(self, tmp_path: Path, random_scene: Scene) -> None:
        for n in range(5):
            written(tmp_path / f"it{n}", meta__json=json.dumps({"q": f"{n}?"}), view__png=random_scene.png())
        folder = inspect_folder(tmp_path)
        assert only(folder).source.path == "*/meta.json"
        assert [listing.source.on for listing in folder.listings] == ["@folder"]

    def test_replies_beside_parts_of_the_data_are_no_part(self, tmp_path: Path) -> None:
        rows = {f"part{n}__jsonl": json.dumps({"id": n, "question": "Is it?"}) + "\n" for n in range(4)}
        reply = json.dumps({"item": 1, "model": "m", "reply": "yes", "score": 1}) + "\n"
        folder = inspect_folder(written(tmp_path, **rows, recorded__jsonl=reply))
        assert folder.withheld == ("recorded.jsonl",)
        assert sum(table.rows for table in folder.tables) == 4


@pytest.fixture
def random_scene() -> Scene:
    from random import Random

    return Scene(Random(3), 120, 90)


class TestBlocks:
    def test_remarks_and_long_answers(self, tmp_path: Path) -> None:
        text = "%% first\n\n#1\nQ: What?\nA: this\n  and that\n\n%% more\n#2\nQ: Who?\nA: me\n"
        table = only(inspect_folder(written(tmp_path, d__txt=text)))
        assert read(tmp_path, table.source) == [
            {"id": "1", "Q": "What?", "A": "this\nand that"},
            {"id": "2", "Q": "Who?", "A": "me"},
        ]

    def test_aiken(self, tmp_path: Path) -> None:
        text = "Which one?\nA. this\nB. that\nANSWER: A\n\nAnd now?\nA. so\nB. thus\nANSWER: B\n"
        table = only(inspect_folder(written(tmp_path, d__txt=text)))
        assert read(tmp_path, table.source)[1] == {"text": "And now?", "A": "so", "B": "thus", "ANSWER": "B"}


class TestWithheld:
    @pytest.mark.parametrize(
        ("name", "columns"),
        [
            ("recorded__jsonl", ("item", "model", "reply", "score")),
            ("gpt4__jsonl", ("question_id", "response", "model_id")),
            ("x__jsonl", ("id", "prediction", "correct")),
            ("results__jsonl", ("model", "accuracy")),
            ("outputs__jsonl", ("id", "output")),
        ],
    )
    def test_replies_and_scores_of_models(self, tmp_path: Path, name: str, columns: tuple[str, ...]) -> None:
        line = json.dumps(dict.fromkeys(columns, "zzz-secret"))
        folder = inspect_folder(written(tmp_path, **{name: f"{line}\n{line}\n"}))
        assert folder.withheld == (name.replace("__", "."),)
        assert "zzz-secret" not in repr(folder)
        assert folder.files == ()

    def test_columns_with_replies_of_models(self, tmp_path: Path) -> None:
        text = "id,question,answer,gpt4_answer,pred\n1,Is it?,yes,zzz,zzz\n2,Was it?,no,zzz,zzz\n"
        table = only(inspect_folder(written(tmp_path, d__csv=text)))
        assert [column.name for column in table.columns] == ["id", "question", "answer"]

    def test_what_is_asked_is_not_withheld(self, tmp_path: Path) -> None:
        for name, path in make_all(tmp_path).items():
            folder = inspect_folder(path)
            assert folder.withheld == ("recorded.jsonl",), name
            assert folder.tables, name


class TestJoins:
    def test_by_key_in_another_order_and_by_foreign_key(self, tmp_path: Path) -> None:
        written(
            tmp_path,
            q__csv="ref,scene_id,question\na,s1,Is it?\nb,s2,Was it?\nc,s1,Will it?\n",
            truth__csv="ref,answer\nc,no\na,yes\nb,no\n",
            scenes__csv="id,room\ns2,hall\ns1,attic\n",
        )
        folder = inspect_folder(tmp_path)
        names = [table.source.path for table in folder.tables]
        joins = {(names[one.table], one.column, names[one.other], one.key) for one in folder.joins}
        assert ("q.csv", "ref", "truth.csv", "ref") in joins
        assert ("q.csv", "scene_id", "scenes.csv", "id") in joins

    def test_pictures_called_after_cells(self, tmp_path: Path, random_scene: Scene) -> None:
        rows = [{"name": f"d{n}", "shot": f"s{n % 3}", "level": n % 3} for n in range(6)]
        written(tmp_path, t__json=json.dumps(rows))
        for n in range(6):
            random_scene.save(tmp_path / f"left/d{n}_l.png")
            random_scene.save_mask(tmp_path / f"mask/d{n}.png", 0)
        for n in range(3):
            random_scene.save(tmp_path / f"shots/s{n}.jpg")
        folder = inspect_folder(tmp_path)
        found = {(listing.source.path, listing.source.on) for listing in folder.listings}
        assert {("left/*_l.png", "name"), ("mask/*.png", "name"), ("shots/*.jpg", "shot")} == found
        assert {media.folder: media.masks for media in folder.media} == {
            "left": False,
            "mask": True,
            "shots": False,
        }


class TestHostile:
    def test_links_out_are_not_followed(self, tmp_path: Path) -> None:
        folder = inspect_folder(make_odd(tmp_path)["link-out"])
        assert folder.files == ("README.md", "quiz.csv")
        assert "secret?" not in repr(folder)
        assert sum("link that leads out" in note for note in folder.notes) == 2

    def test_a_link_within_is_a_file(self, tmp_path: Path) -> None:
        written(tmp_path, a__csv="id,q\n1,x\n2,y\n")
        (tmp_path / "b.csv").symlink_to("a.csv")
        assert {table.source.path for table in inspect_folder(tmp_path).tables} == {"a.csv", "b.csv"}

    @pytest.mark.parametrize(
        "data",
        [
            b"[" * 200_000,
            b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
            b"[" + b"9" * 100_000 + b"]",
            b"PAR1 but not really",
            b"PK\x03\x04 xl/ no sheet",
            b"\x00\x01\x02" * 1000,
            b'id,text\n1,"never closed\n' * 3,
            b"\xff\xfe\x00",
            b"," * 50_000 + b"\n" + b"," * 50_000,
        ],
    )
    def test_broken_files_are_notes_or_nothing(self, tmp_path: Path, data: bytes) -> None:
        folder = inspect_folder(written(tmp_path, d=data, ok__csv="id,q\n1,x\n2,y\n"))
        assert "ok.csv" in {table.source.path for table in folder.tables}

    def test_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(GumptionError, match="no such folder"):
            inspect_folder(tmp_path / "nowhere")

    def test_a_deep_folder_is_bounded(self, tmp_path: Path) -> None:
        deep = tmp_path.joinpath(*"abcdefghijkl")
        deep.mkdir(parents=True)
        (deep / "x.csv").write_text("id,q\n1,x\n2,y\n")
        folder = inspect_folder(tmp_path)
        assert folder.files == ()
        assert any("too deep" in note for note in folder.notes)


@given(st.binary(max_size=300))
def test_any_bytes_are_looked_at_without_an_exception(tmp_path_factory: Any, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / "data").write_bytes(data)
    inspect_folder(folder)


def test_the_work_on_objects_in_objects_grows_evenly(tmp_path: Path) -> None:
    """Each level holds the next twice over and a part that begins like it."""
    value: Any = [{"q": "x", "a": 1}, {"q": "y", "a": 2}]
    for n in range(300):
        value = {"x": {"down": value if n == 0 else {"y": value}}, "z": {"down": {}}}
    (tmp_path / "deep.json").write_text(json.dumps(value))
    start = time.process_time()
    inspect_folder(tmp_path)
    assert time.process_time() - start < 5
