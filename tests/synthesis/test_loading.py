"""Recipes that load rows and make requests: by hand-worked cases and properties."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import GumptionError
from gumption.synthesis.contract import requests_of
from gumption.synthesis.recipes import load, options, read, request
from gumption.synthesis.spec import Asking, Loading, Options, Source


def test_importing_the_recipes_loads_nothing_heavy() -> None:
    code = (
        "import sys; import gumption.synthesis.recipes; "
        "print([m for m in ('pyarrow', 'scipy', 'openpyxl', 'PIL', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TestRows:
    def test_fields_from_above_and_names_that_both_have(self, tmp_path: Path) -> None:
        value = {
            "id": "set",
            "scenes": [{"id": "s1", "size": [4, 3], "asks": [{"id": 1, "q": "a"}, {"id": 2, "q": "b"}]}],
        }
        (tmp_path / "d.json").write_text(json.dumps(value))
        rows = read(tmp_path, Source("d.json", "json", rows="scenes[].asks[]"))
        assert [(row["id"], row["q"], row["size"]) for row in rows] == [(1, "a", [4, 3]), (2, "b", [4, 3])]
        assert "s1" in rows[0].values()

    def test_objects_are_flattened_but_not_options(self, tmp_path: Path) -> None:
        (tmp_path / "d.jsonl").write_text(
            '{"qa": {"question": "?", "meta": {"n": 1}}, "choices": {"A": "x", "B": "y"}}\n'
        )
        assert read(tmp_path, Source("d.jsonl", "jsonl")) == [
            {"qa.question": "?", "qa.meta.n": 1, "choices": {"A": "x", "B": "y"}}
        ]

    def test_not_a_number_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "d.json").write_text('[{"a": NaN, "b": Infinity}]')
        assert read(tmp_path, Source("d.json", "json", rows="[]")) == [{"a": None, "b": None}]

    def test_parquet_with_pictures_and_dates(self, tmp_path: Path) -> None:
        import datetime

        row = {"image": {"bytes": b"\x89PNG", "path": "a.png"}, "when": datetime.date(2024, 1, 2), "x": 0.5}
        pq.write_table(pa.Table.from_pylist([row]), tmp_path / "d.parquet")
        assert read(tmp_path, Source("d.parquet", "parquet")) == [
            {"image": base64.b64encode(b"\x89PNG").decode(), "when": "2024-01-02", "x": 0.5}
        ]

    def test_a_conversation_s_last_turn_is_no_part_of_what_is_asked(self, tmp_path: Path) -> None:
        talk = [{"from": "human", "value": "<image>\nHow many?"}, {"from": "gpt", "value": "seven"}]
        (tmp_path / "d.json").write_text(json.dumps([{"id": 1, "image": "a.png", "conversations": talk}]))
        (row,) = load(tmp_path, Loading((Source("d.json", "json", rows="[]"),), "id"))
        assert row["conversations.answer"] == "seven"
        made = request(row, Asking("conversations", images=("image",)))
        assert made["parts"] == [{"image": "a.png"}, {"text": "How many?"}]

    def test_joined_by_key_whatever_the_order(self, tmp_path: Path) -> None:
        (tmp_path / "q.csv").write_text("ref,q\nb,B?\na,A?\nc,C?\n")
        (tmp_path / "t.csv").write_text("id,gold,q\na,1,other\nb,2,other\n")
        rows = load(
            tmp_path, Loading((Source("q.csv", "csv"), Source("t.csv", "csv", key="id", on="ref")), "ref")
        )
        assert [(row["id"], row["q"], row.get("gold")) for row in rows] == [
            ("b", "B?", "2"),
            ("a", "A?", "1"),
            ("c", "C?", None),
        ]

    def test_files_by_what_the_star_stands_for(self, tmp_path: Path) -> None:
        (tmp_path / "q.csv").write_text("name,file\na,a.jpg\nb,b.jpg\n")
        (tmp_path / "m").mkdir()
        for name in ("a.png", "b.png", "notes.txt"):
            (tmp_path / "m" / name).touch()
        for on in ("name", "file"):
            source = Source("m/*.*", "files", column="mask", key="@key", on=on)
            rows = load(tmp_path, Loading((Source("q.csv", "csv"), source), "name"))
            assert [row["mask"] for row in rows] == ["m/a.png", "m/b.png"]

    def test_gathered_columns(self, tmp_path: Path) -> None:
        (tmp_path / "d.csv").write_text("id,x0,y0\n7,1,2\n")
        loading = Loading((Source("d.csv", "csv"),), "id", gather={"at": ("x0", "y0")})
        assert load(tmp_path, loading)[0]["at"] == [1.0, 2.0]

    def test_plain_data_instead_of_records(self, tmp_path: Path) -> None:
        (tmp_path / "d.csv").write_text("id,q\n7,x\n")
        assert load(str(tmp_path), {"sources": [{"path": "d.csv", "format": "csv"}], "id": "id"}) == [
            {"id": "7", "q": "x"}
        ]


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "source", "problem"),
        [
            ("id,q\n1,x\n1,y\n", Source("d", "csv"), "second row"),
            ("id,q\n1,x,y,z\n", Source("d", "csv"), "4 cells"),
            ("id,q\n,x\n", Source("d", "csv"), "no id"),
            ("{", Source("d", "json", rows="[]"), "no JSON"),
            ('{"a": 1}', Source("d", "json", rows="b[]"), "no rows"),
            ("[" * 100_000, Source("d", "json", rows="[]"), "nested"),
            ('{"id": 1}\nnonsense', Source("d", "jsonl"), "no JSON"),
            ("", Source("../d", "csv"), "no file"),
            ("", Source("/etc/passwd", "csv"), "no file"),
            ("", Source("**/d", "csv"), "no file"),
            ("", Source("e", "csv"), "no file"),
            ("PAR1", Source("d", "parquet"), "parquet"),
            ("PK", Source("d", "xlsx"), "spreadsheet"),
        ],
    )
    def test_says_what_is_wrong(self, tmp_path: Path, text: str, source: Source, problem: str) -> None:
        (tmp_path / "d").write_text(text)
        with pytest.raises(GumptionError, match=problem) as error:
            load(tmp_path, Loading((source,), "id"))
        assert error.value.remedy

    def test_a_link_out(self, tmp_path: Path) -> None:
        (tmp_path / "outside.csv").write_text("id,q\n1,x\n")
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "d.csv").symlink_to(tmp_path / "outside.csv")
        with pytest.raises(GumptionError, match="leads out"):
            load(tmp_path / "in", Loading((Source("d.csv", "csv"),), "id"))

    def test_a_picture_on_the_net(self) -> None:
        with pytest.raises(GumptionError, match="address"):
            request({"q": "What?", "i": "https://example.org/a.png"}, Asking("q", images=("i",)))

    def test_a_row_without_a_question(self) -> None:
        with pytest.raises(GumptionError, match="has no"):
            request({"q": ""}, Asking("q"))


class TestOptions:
    @pytest.mark.parametrize(
        ("cell", "separator"),
        [
            (["red", "green", "blue"], ""),
            ('["red", "green", "blue"]', ""),
            ("['red', 'green', 'blue']", ""),
            ("['red' 'green' 'blue']", ""),
            ("red | green |blue", "|"),
            (["A. red", "B. green", "C. blue"], ""),
            (["(a) red", "(b) green", "(c) blue"], ""),
            ({"a": "red", "b": "green", "c": "blue"}, ""),
            ([{"label": "A", "text": "red"}, {"text": "green"}, {"text": "blue"}], ""),
            ("A. red\nB. green\nC. blue", "\n"),
        ],
    )
    def test_one_cell(self, cell: Any, separator: str) -> None:
        asking = Asking("q", options=Options(("o",), separator))
        assert options({"q": "?", "o": cell}, asking) == {"A": "red", "B": "green", "C": "blue"}

    @pytest.mark.parametrize(
        "text",
        [
            "Which?\nA. red\nB. green\nC. blue",
            "Which?\n(A) red\n(B) green\n(C) blue\nAnswer with the letter.",
            "Which? A) red B) green C) blue",
            "Is plan A. better? Choose: A. red B. green C. blue",
        ],
    )
    def test_inside_the_question(self, text: str) -> None:
        asking = Asking("q", options=Options(inside=True))
        assert options({"q": text}, asking) == {"A": "red", "B": "green", "C": "blue"}
        assert request({"q": text}, asking) == {"parts": [{"text": text}], "options": 3}

    @given(st.lists(st.sampled_from(["", "nan", "NaN", None, "red", "12"]), min_size=4, max_size=4))
    def test_empty_cells_are_never_shown_and_others_keep_their_letter(self, cells: list[str | None]) -> None:
        row = {"q": "Which?", **dict(zip("ABCD", cells, strict=True))}
        asking = Asking("q", options=Options(tuple("ABCD")))
        shown = options(row, asking)
        assert shown == {k: v for k, v in zip("ABCD", cells, strict=True) if v in ("red", "12")}
        assert "nan" not in request(row, asking)["parts"][0]["text"].lower()

    @pytest.mark.parametrize(
        ("label", "line"), [("A. ", "A. red"), ("A) ", "A) red"), ("(A) ", "(A) red"), ("A: ", "A: red")]
    )
    def test_labels(self, label: str, line: str) -> None:
        asking = Asking("q", options=Options(("o",), label=label))
        text = request({"q": "Which?", "o": ["red", "green"]}, asking)["parts"][0]["text"]
        assert text.split("\n")[1] == line


class TestRequest:
    ROW = {"q": "Which?", "i": ["a.png", "b.png"], "c": "Read this.", "o": ["x", "y"], "t": "kind", "s": "s1"}  # noqa: RUF012

    def test_order_folder_and_suffix(self) -> None:
        asking = Asking(
            "q",
            images=("i",),
            image_folder="img",
            context=("c",),
            options=Options(("o",)),
            order=("context", "images", "question", "options", "instruction"),
            instruction="Say it.",
            category="t",
            cluster="s",
        )
        assert request(self.ROW, asking) == {
            "parts": [
                {"text": "Read this."},
                {"image": "img/a.png"},
                {"image": "img/b.png"},
                {"text": "Which?\nA. x\nB. y\nSay it."},
            ],
            "options": 2,
            "category": "kind",
            "cluster": "s1",
        }

    def test_pictures_where_the_text_has_a_place_for_them(self) -> None:
        row = {**self.ROW, "q": "Is <image 2> left of <image 1>?"}
        parts = request(row, Asking("q", images=("i",)))["parts"]
        assert parts == [
            {"text": "Is"},
            {"image": "b.png"},
            {"text": "left of"},
            {"image": "a.png"},
            {"text": "?"},
        ]

    def test_base64_and_addresses_with_data(self) -> None:
        bare = base64.b64encode(b"picture").decode()
        for cell, asking in [
            (bare, Asking("q", images=("i",), base64=True)),
            (f"data:image/png;base64,{bare}", Asking("q", images=("i",))),
        ]:
            assert request({"q": "?", "i": cell}, asking)["parts"][0] == {"image_base64": bare}

    def test_messages_in_their_order(self) -> None:
        talk = [
            {"role": "system", "content": "Be short."},
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "a.png"}},
                    {"type": "text", "text": "What is it?"},
                ],
            },
        ]
        parts = request({"m": talk}, Asking("m", image_folder="pics"))["parts"]
        assert parts == [{"text": "Be short."}, {"image": "pics/a.png"}, {"text": "What is it?"}]

    @pytest.mark.parametrize("cell", [None, "", "nan", "None"])
    def test_what_a_row_has_not_is_left_out(self, cell: str | None) -> None:
        row = {"q": "Which?", "i": cell, "c": cell}
        assert request(row, Asking("q", images=("i",), context=("c",))) == {"parts": [{"text": "Which?"}]}

    @given(
        st.dictionaries(
            st.sampled_from("qico"),
            st.recursive(
                st.none() | st.booleans() | st.floats() | st.text(max_size=20),
                lambda inner: (
                    st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
                ),
                max_leaves=6,
            ),
        )
    )
    def test_any_row_gives_a_request_or_says_why_not(self, row: dict[str, Any]) -> None:
        asking = Asking("q", images=("i",), context=("c",), options=Options(("o",), "|"))
        try:
            made = request(row, asking)
        except GumptionError:
            return
        assert made["parts"]
        assert all(len(part) == 1 for part in made["parts"])
        assert requests_of([{**made, "parts": [p for p in made["parts"] if "text" in p] or [{"text": "x"}]}])


FIELDS = {"id": "!", "q": "?", "a": ">"}
BLOCKS = [{"id": f"n{n}", "q": f"Is {n} even?", "a": "no" if n % 2 else "yes"} for n in range(3)]


class TestBlocks:
    """Blocks of lines: `id`, `q` and `a` begin with signs, and what divides them differs."""

    @pytest.mark.parametrize("between", ["\n", "\n\n", "\n-----\n", "\n\n***\n\n"])
    def test_what_divides_is_no_text(self, tmp_path: Path, between: str) -> None:
        blocks = [f"! {row['id']}\n? {row['q']}\n> {row['a']}" for row in BLOCKS]
        (tmp_path / "d.txt").write_text(between.join(blocks))
        assert read(tmp_path, Source("d.txt", "blocks", block=FIELDS)) == BLOCKS

    def test_blank_lines_within_ruled_blocks(self, tmp_path: Path) -> None:
        blocks = [f"! {row['id']}\n\n? {row['q']}\n\n> {row['a']}" for row in BLOCKS]
        (tmp_path / "d.txt").write_text("\n=====\n".join(blocks))
        assert read(tmp_path, Source("d.txt", "blocks", block=FIELDS)) == BLOCKS

    def test_a_rule_below_a_title_divides_nothing(self, tmp_path: Path) -> None:
        blocks = [f"! {row['id']}\n? {row['q']}\n> {row['a']}" for row in BLOCKS]
        (tmp_path / "d.txt").write_text("\n\n".join(["My list\n=======", *blocks]))
        assert read(tmp_path, Source("d.txt", "blocks", block=FIELDS)) == BLOCKS


def test_rows_of_all_parts_of_an_object(tmp_path: Path) -> None:
    value = {"calm": [{"q": "a"}], "rough": [{"q": "b"}, {"q": "c"}]}
    (tmp_path / "d.json").write_text(json.dumps(value))
    assert read(tmp_path, Source("d.json", "json", rows="{}.[]")) == [
        {"@key": "calm", "q": "a"},
        {"@key": "rough", "q": "b"},
        {"@key": "rough", "q": "c"},
    ]
