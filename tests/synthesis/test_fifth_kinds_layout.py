"""Layouts of a fifth set of folders, by kind: small folders in other words and layouts."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline.evaluator import OfflineEvaluator, Proposal
from gumption.synthesis.recipes import load, request
from gumption.synthesis.recipes.scoring import gold_texts

TOWNS = ("Ulm", "Bern", "Graz", "Linz", "Kiel", "Jena", "Bonn", "Hof")


def png(shade: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (20, 16), (30 * shade, 90, 10)).save(data, "PNG")
    return data.getvalue()


def proposed(path: Path, readme: str, files: dict[str, str | bytes]) -> Proposal:
    (path / "README.md").write_text(readme)
    for name, held in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(held.encode() if isinstance(held, str) else held)
    return OfflineEvaluator().propose(inspect_folder(path))


def shown(path: Path, proposal: Proposal) -> list[list[str]]:
    """The parts of each request, a picture by its path or its base64."""
    made = [request(row, proposal.asking)["parts"] for row in load(path, proposal.loading)]
    return [[next(iter(part.values())) for part in parts] for parts in made]


def jsonl(rows: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rows))


def table(rows: list[dict[str, Any]], separator: str) -> str:
    return "\n".join(separator.join(map(str, line)) for line in ([*rows[0]], *(one.values() for one in rows)))


class TestPicturesKeptInOtherRows:
    """A row may hold, in place of its own picture, the key of the row that has it."""

    README = "Show the picture `scan` and the question `ask`; `right` is yes or no, which is to be answered."

    @pytest.mark.parametrize("keys", ["31 35 40 42 43 47 48 50", "t1 t2 t3 t4 t5 t6 t7 t8"])
    @pytest.mark.parametrize("written", ["csv", "jsonl", "uri"])
    def test_base64(self, tmp_path: Path, keys: str, written: str) -> None:
        own = [base64.b64encode(png(n)).decode() for n in range(8)]
        own = [f"data:image/png;base64,{one}" if written == "uri" else one for one in own]
        names = keys.split()
        held = {2: 0, 3: 0, 4: 7, 6: 5}  # one of them is further down
        rows = [
            {"ref": names[n], "ask": f"Is this the tower of {town}?", "right": "yes" if n % 3 else "no",
             "scan": names[held[n]] if n in held else own[n]}
            for n, town in enumerate(TOWNS)
        ]  # fmt: skip
        name, text = ("scans.csv", table(rows, ";")) if written == "csv" else ("scans.jsonl", jsonl(rows))
        if written == "uri" and name == "scans.csv":
            pytest.skip("a semicolon within")
        proposal = proposed(tmp_path, self.README, {name: text})
        expected = [base64.b64encode(png(held.get(n, n))).decode() for n in range(8)]
        assert [parts[0] for parts in shown(tmp_path, proposal)] == expected
        assert not [one for one in proposal.doubts if "picture" in one]

    def test_paths(self, tmp_path: Path) -> None:
        rows = [
            {"id": 10 + n, "question": f"How many chimneys has {town}?", "answer": n,
             "photo": 10 + n - n % 2 if n % 2 else f"p{n}.png"}
            for n, town in enumerate(TOWNS)
        ]  # fmt: skip
        files: dict[str, str | bytes] = {f"photos/p{n}.png": png(n) for n in range(0, 8, 2)}
        proposal = proposed(tmp_path, "`photo` may be the id of the row whose photo it shares.",
                            {"rows.jsonl": jsonl(rows), **files})  # fmt: skip
        assert [parts[0] for parts in shown(tmp_path, proposal)] == [
            f"photos/p{n - n % 2}.png" for n in range(8)
        ]

    def test_what_names_no_row_is_doubtful(self, tmp_path: Path) -> None:
        own = base64.b64encode(png(1)).decode()
        rows = [
            {"id": n, "ask": f"Is this the tower of {town}?", "right": "yes" if n % 3 else "no",
             "scan": own if n < 2 else f"{n + 700}"}
            for n, town in enumerate(TOWNS)
        ]  # fmt: skip
        proposal = proposed(tmp_path, self.README, {"scans.jsonl": jsonl(rows)})
        assert any("picture" in one for one in proposal.doubts)


class TestPicturesThatNobodySees:
    @pytest.mark.parametrize(
        ("readme", "doubted"),
        [
            ("Show the drawing, then the question `q`. `a` is the right answer.", True),
            ("Each `q` is about a photo of the town. `a` is the right answer.", True),
            ("No pictures: only the question `q`. `a` is the right answer.", False),
            ("The question `q` is sent. `a` is the right answer.", False),
        ],
    )
    def test_a_doubt(self, tmp_path: Path, readme: str, doubted: bool) -> None:
        rows = [
            {"n": n, "q": f"Which river runs through {town}?", "a": f"r{n}"} for n, town in enumerate(TOWNS)
        ]
        proposal = proposed(tmp_path, readme, {"rows.jsonl": jsonl(rows)})
        assert any("no picture is shown" in one for one in proposal.doubts) == doubted


class TestNamesThatSeveralFoldersHave:
    """A picture's name that comes again in other folders is that of the group which the row stands in."""

    QUESTIONS = tuple(f"Is there a tram in {town}?" for town in TOWNS)

    def row(self, n: int) -> dict[str, Any]:
        return {"uid": f"u{n}", "ask": self.QUESTIONS[n], "answer": "yes" if n % 3 else "no"}

    def test_nested_groups(self, tmp_path: Path) -> None:
        whole = {
            side: {"shots": [{"file": f"s{k}.png", "asks": [self.row(4 * g + k)]} for k in range(4)]}
            for g, side in enumerate(("east", "west"))
        }
        files: dict[str, str | bytes] = {
            f"pics/{side}_bank/s{k}.png": png(k) for side in whole for k in range(4)
        }
        proposal = proposed(tmp_path, "Show the picture and `ask`.", {"all.json": json.dumps(whole), **files})
        assert [parts[0] for parts in shown(tmp_path, proposal)] == [
            f"pics/{side}_bank/s{k}.png" for side in ("east", "west") for k in range(4)
        ]

    def test_a_column_of_groups(self, tmp_path: Path) -> None:
        sides = ["lower", "upper"] * 4
        rows = [{**self.row(n), "deck": sides[n], "frame": f"f{n // 2}.jpg"} for n in range(8)]
        files: dict[str, str | bytes] = {
            f"{side}/f{k}.jpg": png(k) for side in ("lower", "upper") for k in range(4)
        }
        proposal = proposed(tmp_path, "Show the picture and `ask`.", {"rows.csv": table(rows, ","), **files})
        assert [parts[0] for parts in shown(tmp_path, proposal)] == [
            f"{sides[n]}/f{n // 2}.jpg" for n in range(8)
        ]

    def test_a_file_in_each_folder(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {}
        for g, side in enumerate(("north", "south")):
            rows = [{**self.row(4 * g + k), "picture": f"p{k}.png"} for k in range(4)]
            files |= {f"{side}/quiz.jsonl": jsonl(rows)} | {f"{side}/p{k}.png": png(k) for k in range(4)}
        proposal = proposed(tmp_path, "Show the picture and `ask`.", files)
        assert [parts[0] for parts in shown(tmp_path, proposal)] == [
            f"{side}/p{k}.png" for side in ("north", "south") for k in range(4)
        ]

    def test_nothing_tells_them_apart(self, tmp_path: Path) -> None:
        rows = [{**self.row(n), "picture": f"p{n}.png"} for n in range(8)]
        files: dict[str, str | bytes] = {f"{side}/p{n}.png": png(n) for side in "ab" for n in range(8)}
        proposal = proposed(tmp_path, "Show the picture and `ask`.", {"rows.jsonl": jsonl(rows), **files})
        assert any("in a and in b" in one for one in proposal.doubts)

    def test_the_readme_tells_them_apart(self, tmp_path: Path) -> None:
        rows = [{**self.row(n), "picture": f"p{n}.png"} for n in range(8)]
        files: dict[str, str | bytes] = {
            f"{side}/p{n}.png": png(n) for side in ("full", "thumbs") for n in range(8)
        }
        readme = "* `picture`: file in `thumbs/`\n* `ask`: the question\n* `answer`: yes or no"
        proposal = proposed(tmp_path, readme, {"rows.jsonl": jsonl(rows), **files})
        assert shown(tmp_path, proposal)[3][0] == "thumbs/p3.png"
        assert not [one for one in proposal.doubts if "files that" in one]


class TestBlocksWithSeveralValues:
    """Fields that a block has more than once, and ids and questions that stand on lines of their own."""

    @pytest.mark.parametrize(
        ("id", "question", "value", "end"),
        [
            ("[w{}]", "{}", "= {}", "\n"),
            ("# w{}", "{}", "> {}", "\n"),
            ("(w{})", "{}\n(as the locals say it)", "* {}", "\n"),
            ("id: w{}", "Q: {}", "A: {}", "\n"),
            ("@w{}", "? {}", "! {}", "-----\n"),
            ("{{w{}}}", "{}", "+ {}", "-----\n"),
        ],
    )
    @pytest.mark.parametrize("title", ["", "River names, second printing\n\n"])
    def test_accepted_answers(
        self, tmp_path: Path, id: str, question: str, value: str, end: str, title: str
    ) -> None:
        asked = [question.format(f"Which river runs through {town}?") for town in TOWNS]
        accepted = [
            [f"{town} water", f"the {town}", f"{town}ache"][: 1 + n % 3] for n, town in enumerate(TOWNS)
        ]
        text = title + "".join(
            "\n".join([id.format(n), asked[n], *(value.format(one) for one in accepted[n]), end])
            for n in range(8)
        )
        readme = f"`{value[0]}` begins each answer that is accepted. Ask for the answer only."
        proposal = proposed(tmp_path, readme, {"rivers.txt": text})
        rows = load(tmp_path, proposal.loading)
        assert [row["id"] for row in rows] == [f"w{n}" for n in range(8)]
        said = [
            parts[0].partition("\nGive")[0].partition("\nAnswer")[0] for parts in shown(tmp_path, proposal)
        ]
        assert said == [one.removeprefix("Q: ").removeprefix("? ") for one in asked]
        assert proposal.gold is not None
        assert [gold_texts(row[proposal.gold.column]) for row in rows] == accepted

    def test_a_field_that_comes_again_begins_a_block(self, tmp_path: Path) -> None:
        pairs = [f"Q: Which river runs through {town}?\nA: r{n}\n" for n, town in enumerate(TOWNS)]
        text = f"{''.join(pairs[:3])}\n{''.join(pairs[3:])}"
        proposal = proposed(tmp_path, "`Q` is asked, `A` is right.", {"all.txt": text})
        assert [row["A"] for row in load(tmp_path, proposal.loading)] == [f"r{n}" for n in range(8)]


class TestDataCalledLikeAReadme:
    @pytest.mark.parametrize("name", ["instructions.jsonl", "about.ndjson", "description-1.jsonl"])
    def test_rows_are_read(self, tmp_path: Path, name: str) -> None:
        rows = [
            {"n": n, "q": f"Which river runs through {town}?", "a": f"r{n}"} for n, town in enumerate(TOWNS)
        ]
        proposal = proposed(tmp_path, "`q` is asked, `a` is right.", {name: jsonl(rows)})
        assert len(load(tmp_path, proposal.loading)) == 8


class TestUnits:
    ROWS = tuple(
        {"no": n, "task": f"How far is it to {town}?", "uom": ("km", "miles", "m")[n % 3], "truth": 7 * n + 2}
        for n, town in enumerate(TOWNS)
    )

    @pytest.mark.parametrize(
        ("readme", "before"),
        [
            ("Send `task` and behind it the unit `uom`. `truth` is the number.", "Unit: "),
            ("The prompt is the question followed by its unit, such as \"Reply in miles\". `truth` is right.",
             "Reply in "),
            ("Show `task`, then the line \"Unit wanted: {uom}\". `truth` is right.", "Unit wanted: "),
            ("Ask `task`. The model is told the question and in which unit (`uom`) the number has to be."
             " `truth` is right.", "Unit: "),
        ],
    )  # fmt: skip
    def test_shown_behind_the_question(self, tmp_path: Path, readme: str, before: str) -> None:
        proposal = proposed(tmp_path, readme, {"rows.jsonl": jsonl([*self.ROWS])})
        for row, parts in zip(self.ROWS, shown(tmp_path, proposal), strict=True):
            assert parts[0].startswith(f"{row['task']}\n{before}{row['uom']}\n")

    @pytest.mark.parametrize(
        "readme",
        [
            "Send `task`. `truth` is the number, in the unit `uom`.",
            "Send `task`; the unit `uom` is not shown. `truth` is the number.",
            "Send `task` and request the number with its unit. `truth` is the number.",
        ],
    )
    def test_not_shown(self, tmp_path: Path, readme: str) -> None:
        proposal = proposed(tmp_path, readme, {"rows.jsonl": jsonl([*self.ROWS])})
        assert not any("km" in parts[0] for parts in shown(tmp_path, proposal)[::3])
