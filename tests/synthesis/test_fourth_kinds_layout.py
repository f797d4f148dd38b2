"""Layouts of a fourth set of folders, by kind: small folders in other words and layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline.evaluator import OfflineEvaluator, Proposal
from gumption.synthesis.recipes import load, request
from gumption.synthesis.recipes.scoring import gold_number, gold_region

TOWNS = ("Ulm", "Bern", "Graz", "Linz", "Kiel", "Jena", "Bonn", "Hof")


def proposed(path: Path, readme: str, name: str, text: str, pictures: tuple[str, ...] = ()) -> Proposal:
    (path / "README.md").write_text(readme)
    (path / name).write_text(text)
    for n, one in enumerate(pictures):
        (path / one).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (20, 16), (30 * n, 90, 10)).save(path / one)
    return OfflineEvaluator().propose(inspect_folder(path))


def shown(path: Path, proposal: Proposal) -> list[list[str]]:
    """The parts of each request, a picture by its path."""
    made = [request(row, proposal.asking)["parts"] for row in load(path, proposal.loading)]
    return [[part.get("text") or part["image"] for part in parts] for parts in made]


def jsonl(rows: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rows))


class TestGoldByContent:
    @pytest.mark.parametrize("unit", ["kg", " litres", " km/h"])
    def test_a_number_with_its_unit(self, tmp_path: Path, unit: str) -> None:
        rows = [
            {"no": n, "task": f"What does the load for {town} come to?", "result": f"{n + 2}.5{unit}",
             "stars": "*" * (1 + n % 3)}
            for n, town in enumerate(TOWNS)
        ]  # fmt: skip
        readme = "Each `task` has a `result`, which is a number with its unit. `stars` is how hard it is."
        proposal = proposed(tmp_path, readme, "tasks.jsonl", jsonl(rows))
        assert proposal.gold is not None
        assert (proposal.kind, proposal.gold.column, proposal.gold.form) == ("number", "result", "number")
        assert [gold_number(row["result"]) for row in rows] == [n + 2.5 for n in range(8)]

    @pytest.mark.parametrize(
        ("cell", "form", "box"),
        [
            ("{0} 0.2 {1} 0.6", "box_xyxy", [0.1, 0.2, 0.5, 0.6]),
            ("{0}; 0.2; {1}; 0.6", "box_xyxy", [0.1, 0.2, 0.5, 0.6]),
            ("[{0}, 0.2, {1}, 0.6]", "box_xyxy", [0.1, 0.2, 0.5, 0.6]),
        ],
    )
    def test_a_box_in_a_cell(self, tmp_path: Path, cell: str, form: str, box: list[float]) -> None:
        rows = [
            {"key": f"k{n}", "pic": "p.png", "ask": f"Where is the sign to {town}?",
             "where": cell.format(0.1 + n / 100, 0.5 + n / 100), "remark": "old" if n % 2 else "new"}
            for n, town in enumerate(TOWNS)
        ]  # fmt: skip
        readme = (
            "`where`: left, top, right and bottom edge of the sign as fractions of the picture.\n\n"
            "The model is asked for a point (x, y) between 0 and 1. It scores 1 in the box."
        )
        proposal = proposed(tmp_path, readme, "signs.jsonl", jsonl(rows), ("p.png",))
        assert proposal.gold is not None
        assert (proposal.gold.column, proposal.gold.form) == ("where", form)
        assert gold_region(rows[0]["where"], form) == {"box": pytest.approx(box)}

    @pytest.mark.parametrize(
        "target",
        [
            {"knob": {"center": [40, 30], "radius": 12}},
            {"cx": 40, "cy": 30, "r": 12},
            {"disc_x": 40, "disc_y": 30, "disc_radius": 12},
        ],
    )
    def test_a_circle(self, tmp_path: Path, target: dict[str, Any]) -> None:
        rows: list[dict[str, Any]] = []
        for n, town in enumerate(TOWNS):
            moved = json.loads(json.dumps(target).replace("40", str(40 + n)).replace("12", str(12 + n)))
            rows.append({"id": n, "pic": "p.png", "say": f"Touch the button for {town}.", **moved})
        readme = "A hit is a point (x, y) in pixels that is inside of the circle."
        proposal = proposed(tmp_path, readme, "a.jsonl", jsonl(rows), ("p.png",))
        assert proposal.gold is not None and proposal.gold.form == "circle"
        first = load(tmp_path, proposal.loading)[1]
        assert gold_region(first[proposal.gold.column], "circle") == {"circle": [41, 30, 13]}

    def test_the_right_answer_may_be_said_not_to_be_shown(self, tmp_path: Path) -> None:
        rows = [{"id": n, "question": f"Where is {t}?", "mark": t[::-1]} for n, t in enumerate(TOWNS)]
        readme = "`mark` is the right answer and must never be shown to the model."
        proposal = proposed(tmp_path, readme, "a.jsonl", jsonl(rows))
        assert proposal.gold is not None and proposal.gold.column == "mark"


class TestOptions:
    @pytest.mark.parametrize("mark", [";;", " ~ ", " => ", "<br>"])
    def test_any_sign_between_options(self, tmp_path: Path, mark: str) -> None:
        rows = [
            f"x,{n},{mark.join(TOWNS[n % 3 : n % 3 + 3])},{'ABC'[n % 3]},Where is the {n}. fair"
            for n in range(8)
        ]
        head = "who?,Nr#,Offers,KEY,Ask / stem"
        readme = (
            "| column | |\n|---|---|\n| `Nr#` | id |\n| `Ask / stem` | the question |\n"
            f"| `Offers` | the options, split at `{mark.strip()}` |\n| `KEY` | letter of the right option |\n"
            "| `who?` | not for the model |\n\nOptions are shown as `A)`, `B)`, one per line."
        )
        proposal = proposed(tmp_path, readme, "a.csv", "\n".join([head, *rows]))
        assert shown(tmp_path, proposal)[1][0].startswith("Where is the 1. fair\nA) Bern\nB) Graz\nC) Linz\n")
        assert proposal.gold is not None and proposal.gold.form == "letter"

    @pytest.mark.parametrize(
        ("words", "signs"),
        [
            ("The claims are listed with a hyphen each, without letters or numbers.", "- "),
            ("The claims carry no labels; each stands on its own line.", ""),
            ("The claims are given unlettered, as bullets.", "- "),
        ],
    )
    def test_options_that_only_another_column_tells(self, tmp_path: Path, words: str, signs: str) -> None:
        rows = [
            {"id": n, "question": f"What is true of {town}?",
             "holds": f"{town} is {('old', 'new', 'far')[n % 3]}",
             "claims": [f"{town} is {how}" for how in ("old", "new", "far")]}
            for n, town in enumerate(TOWNS)
        ]  # fmt: skip
        proposal = proposed(tmp_path, f"One of the `claims` is true. {words}", "a.jsonl", jsonl(rows))
        assert proposal.gold is not None
        assert (proposal.gold.column, proposal.gold.form) == ("holds", "option_text")
        lines = "".join(f"{signs}Ulm is {how}\n" for how in ("old", "new", "far"))
        assert f"What is true of Ulm?\n{lines}" in shown(tmp_path, proposal)[0][0]

    def test_the_main_of_several_accepted_answers_is_no_option(self, tmp_path: Path) -> None:
        rows = [
            {"id": n, "question": f"Which town is {n}?", "main": town, "also": [town, town.upper() + "!"]}
            for n, town in enumerate(TOWNS)
        ]
        proposal = proposed(tmp_path, "`also` is what we accept.", "a.jsonl", jsonl(rows))
        assert proposal.asking.options.columns == ()

    @pytest.mark.parametrize(
        ("words", "first"),
        [
            ("Each option is shown behind its index and a colon (`0: ...`, `1: ...`).", "0: Ulm\n1: Bern\n"),
            ("Show the options numbered from 0.", "0. Ulm\n1. Bern\n"),
            ("Show the options as (0) ... (1) ..., one a line.", "(0) Ulm\n(1) Bern\n"),
            ("Show the options numbered from 1.", "1. Ulm\n2. Bern\n"),
        ],
    )
    def test_numbers_that_are_shown(self, tmp_path: Path, words: str, first: str) -> None:
        rows = [
            {"id": n, "question": f"Which is number {n}?", "options": ["Ulm", "Bern", "Graz"], "label": n % 3}
            for n in range(8)
        ]
        readme = f"`label` is the index of the right option, counted from 0.\n\n{words}"
        proposal = proposed(tmp_path, readme, "a.jsonl", jsonl(rows))
        assert proposal.gold is not None and proposal.gold.form == "index0"
        assert first in shown(tmp_path, proposal)[0][0]


class TestPictures:
    @pytest.mark.parametrize(
        ("template", "number"),
        [("shelf/{box}/{n}.png", "{}"), ("img/{box}_{n:0>3}.jpg", "{}"), ("{box}/sheet-{n}.png", "0{}")],
    )
    def test_paths_of_several_columns(self, tmp_path: Path, template: str, number: str) -> None:
        rows = [
            {"id": f"q{k}", "box": box, "n": number.format(n), "ask": f"What is {k}?", "answer": town}
            for k, (town, (box, n)) in enumerate(
                zip(TOWNS, [(box, n) for box in ("oak", "elm") for n in (1, 2)] * 2, strict=True)
            )
        ]
        paths = tuple(template.format(box=row["box"], n=row["n"]) for row in rows)
        proposal = proposed(tmp_path, "`answer` is right. Show the picture.", "a.jsonl", jsonl(rows), paths)
        assert [parts[0] for parts in shown(tmp_path, proposal)] == [*paths]

    @pytest.mark.parametrize(
        "words",
        [
            "The model gets:\n\n> Old: *(first picture)*\n> New: *(second picture)*\n> *question*",
            'Put "Old:" and "New:" in front of the pictures, then the question.',
            "Each picture is headed by a word, `Old:` or `New:`. The question comes last.",
        ],
    )
    def test_words_before_pictures(self, tmp_path: Path, words: str) -> None:
        rows = [
            {
                "id": n,
                "old": f"p/{n % 3}o.png",
                "new": f"p/{n % 3}n.png",
                "question": f"What of {t}?",
                "answer": t,
            }
            for n, t in enumerate(TOWNS)
        ]
        paths = tuple(f"p/{n}{end}.png" for n in range(3) for end in "on")
        proposal = proposed(tmp_path, f"`answer` is right.\n\n{words}", "a.jsonl", jsonl(rows), paths)
        assert shown(tmp_path, proposal)[0][:4] == ["Old:", "p/0o.png", "New:", "p/0n.png"]

    def test_what_is_said_not_to_be_shown_is_not(self, tmp_path: Path) -> None:
        rows = [
            {"id": n, "question": f"What of {t}?", "caption": f"the old town of {t}", "answer": t}
            for n, t in enumerate(TOWNS)
        ]
        readme = (
            "Each row has a `caption`, which is from our archive and is not to be shown, a `question` that "
            "is asked, and the right `answer`."
        )
        proposal = proposed(tmp_path, readme, "a.jsonl", jsonl(rows))
        assert "the old town" not in shown(tmp_path, proposal)[0][0]
