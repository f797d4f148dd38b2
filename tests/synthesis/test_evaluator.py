"""From unknown folders to how they are loaded and asked, beside adapters written by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from made_folders import make_all, make_odd
from PIL import Image
from reference_adapters import ADAPTERS, Asked

from gumption.records import GumptionError
from gumption.synthesis.contract import requests_of, rows_of
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline import OfflineEvaluator, Proposal
from gumption.synthesis.recipes import load, options, request
from gumption.synthesis.spec import Gold

KINDS = {
    "hearth40": ("choice", "index0", None),
    "TileQuiz_TSV": ("choice", "letter", None),
    "shelf-probe": ("yes_no", "yes_no", None),
    "rough-measure": ("number", "number", None),
    "poke-map": ("point", "mask", "per_mille_xy"),
    "plainwords": ("text", "texts", None),
    "larder": ("choice", "index1", None),
    "room-quiz": ("choice", "option_text", None),
    "dotted": ("point", "mask", "pixel_xy"),
    "touchpoint": ("point", "box_xyxy", "unit_xy"),
    "robo-yx": ("point", "polygon", "per_mille_yx"),
    "heft": ("number", "number", None),
    "before-after": ("choice", "letter", None),
    "trivia-open": ("text", "texts", None),
    "is-it-so": ("yes_no", "yes_no", None),
    "one-per-file": ("choice", "index0", None),
    "bar-letters": ("choice", "letter", None),
    "tally": ("number", "number", None),
}
"""By a person's reading of each README: kind of answer, form of the right one, convention."""


@pytest.fixture(scope="module")
def folders(cases: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = make_all(tmp_path_factory.mktemp("made"))
    return {**{path.name: path for path in (cases / "folders").iterdir() if path.is_dir()}, **made}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_odd(tmp_path_factory.mktemp("odd"))


@pytest.fixture(scope="module")
def proposals(folders: dict[str, Path]) -> dict[str, Proposal]:
    return {name: proposed(path) for name, path in folders.items()}


def proposed(path: Path) -> Proposal:
    return OfflineEvaluator().propose(inspect_folder(path))


def right(row: dict[str, Any], gold: Gold, shown: dict[str, str]) -> Any:
    """The right answer of a row, by the form alone."""
    cell = row[gold.column]
    if gold.form == "letter":
        return str(cell).strip("()").upper()
    if gold.form in ("index0", "index1"):
        return "ABCDEFGHIJ"[int(cell) - int(gold.form[-1])]
    if gold.form == "option_text":
        return next(letter for letter, text in shown.items() if text == cell)
    if gold.form == "yes_no":
        return str(cell).lower() in gold.yes
    if gold.form == "number":
        return float(cell)
    if gold.form == "texts":
        return cell if isinstance(cell, list) else [one.strip() for one in cell.split(gold.separator)]
    if gold.form == "mask":
        return f"{gold.folder}/{cell}".lstrip("/")
    return json.loads(cell) if isinstance(cell, str) else cell


def test_every_folder_has_a_reference(folders: dict[str, Path]) -> None:
    assert set(folders) == set(ADAPTERS) == set(KINDS)


@pytest.mark.parametrize("name", ADAPTERS)
class TestEachFolder:
    def test_rows_and_right_answers(
        self, name: str, folders: dict[str, Path], proposals: dict[str, Proposal]
    ) -> None:
        proposal = proposals[name]
        rows = rows_of(load(folders[name], proposal.loading))
        expected = ADAPTERS[name](folders[name])
        assert [str(row["id"]) for row in rows] == [asked.id for asked in expected]
        assert (proposal.kind, proposal.gold and proposal.gold.form, proposal.convention) == KINDS[name]
        assert proposal.gold is not None
        for row, asked in zip(rows, expected, strict=True):
            assert options(row, proposal.asking) == asked.options
            assert right(row, proposal.gold, asked.options) == asked.gold

    def test_requests(self, name: str, folders: dict[str, Path], proposals: dict[str, Proposal]) -> None:
        proposal = proposals[name]
        made = [request(row, proposal.asking) for row in load(folders[name], proposal.loading)]
        requests_of(json.loads(json.dumps(made)))
        for one, asked in zip(made, ADAPTERS[name](folders[name]), strict=True):
            check_request(one, asked)
            if name == "tally":  # a system message stands before the picture
                assert [*one["parts"][0]] == ["text"]
                continue
            assert all("text" not in part for part in one["parts"][: len(asked.media)]), "pictures come first"

    def test_no_doubt_is_left(self, name: str, proposals: dict[str, Proposal]) -> None:
        assert proposals[name].doubts == ()

    def test_items_of_the_recorded_replies_are_the_rows(
        self, name: str, folders: dict[str, Path], proposals: dict[str, Proposal]
    ) -> None:
        lines = (folders[name] / "recorded.jsonl").read_text().splitlines()
        ids = {str(row["id"]) for row in load(folders[name], proposals[name].loading)}
        assert {str(json.loads(line)["item"]) for line in lines} == ids

    def test_again_gives_the_same(
        self, name: str, folders: dict[str, Path], proposals: dict[str, Proposal]
    ) -> None:
        assert proposed(folders[name]) == proposals[name]

    def test_recorded_replies_change_nothing(
        self, name: str, folders: dict[str, Path], proposals: dict[str, Proposal], tmp_path: Path
    ) -> None:
        copy = shutil.copytree(folders[name], tmp_path / name)
        (copy / "recorded.jsonl").unlink()
        assert proposed(copy) == proposals[name]


def check_request(made: dict[str, Any], asked: Asked) -> None:
    shown = [part.get("image") or part.get("image_base64") for part in made["parts"] if "text" not in part]
    assert shown == asked.media
    whole = "\n".join(part["text"] for part in made["parts"] if "text" in part)
    places = [whole.index(text) for text in asked.texts]
    assert places == sorted(places)
    assert whole.count(asked.texts[0]) == 1
    if asked.options:
        assert made["options"] == len(asked.options)


def test_unused_options_are_never_shown(folders: dict[str, Path], proposals: dict[str, Proposal]) -> None:
    for row in load(folders["TileQuiz_TSV"], proposals["TileQuiz_TSV"].loading):
        text = request(row, proposals["TileQuiz_TSV"].asking)["parts"][-1]["text"]
        assert "nan" not in text.lower().split()
        assert "D. \n" not in text


def test_ready_messages_stay_as_they_are(folders: dict[str, Path], proposals: dict[str, Proposal]) -> None:
    rows = load(folders["rough-measure"], proposals["rough-measure"].loading)
    said = "A robot drives 3 m north and then 4 m east. How far is it from its start in a straight line, "
    said += "in metres?"
    assert request(rows[0], proposals["rough-measure"].asking) == {"parts": [{"text": said}]}


class TestOddFolders:
    def test_words_that_speak_to_an_agent_change_nothing(self, odd: dict[str, Path], tmp_path: Path) -> None:
        plain = shutil.copytree(odd["injected"], tmp_path / "plain")
        text = (plain / "README.md").read_text()
        (plain / "README.md").write_text("\n\n".join(p for p in text.split("\n\n") if "AGENTS" not in p))
        with_orders, without = proposed(odd["injected"]), proposed(plain)
        assert (with_orders.loading, with_orders.asking, with_orders.gold) == (
            without.loading,
            without.asking,
            without.gold,
        )
        assert with_orders.gold == Gold("answer", "letter")
        assert any("machine" in doubt for doubt in with_orders.doubts)

    def test_two_candidates_for_the_right_answer_are_a_doubt(self, odd: dict[str, Path]) -> None:
        proposal = proposed(odd["two-golds"])
        assert proposal.gold is None
        assert any("answer" in doubt and "label" in doubt for doubt in proposal.doubts)

    def test_without_a_readme_the_data_are_read_with_a_doubt(self, odd: dict[str, Path]) -> None:
        proposal = proposed(odd["no-readme"])
        assert proposal.gold == Gold("answer", "letter")
        assert any("README" in doubt for doubt in proposal.doubts)

    def test_no_rows(self, odd: dict[str, Path]) -> None:
        with pytest.raises(GumptionError, match="no file has rows"):
            proposed(odd["empty-data"])

    def test_pictures_outside_are_not_shown(self, odd: dict[str, Path]) -> None:
        proposal = proposed(odd["link-out"])
        assert proposal.asking.images == ()
        assert any("not in the folder" in doubt for doubt in proposal.doubts)

    def test_a_large_file_beside_the_data(self, odd: dict[str, Path]) -> None:
        assert proposed(odd["too-big"]).gold == Gold("answer", "letter")


def folder_of(path: Path, readme: str, **files: str) -> Path:
    path.mkdir()
    (path / "README.md").write_text(readme)
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text)
    return path


def quiz(keys: list[str], options: tuple[str, ...]) -> str:
    rows = [f"{n},Which is number {n} of them?,{','.join(options)},{key}" for n, key in enumerate(keys)]
    header = ",".join(["id", "question", *"ABCDE"[: len(options)], "answer"])
    return "\n".join([header, *rows])


class TestIndices:
    OPTIONS = ("north", "south", "east", "west")

    def gold(self, tmp_path: Path, readme: str, keys: list[str]) -> tuple[str | None, tuple[str, ...]]:
        proposal = proposed(folder_of(tmp_path / "f", readme, quiz__csv=quiz(keys, self.OPTIONS)))
        return (proposal.gold.form if proposal.gold else None), proposal.doubts

    def test_a_zero_tells(self, tmp_path: Path) -> None:
        assert self.gold(tmp_path, "A quiz.", ["0", "1", "3", "2", "1", "0"])[0] == "index0"

    def test_the_number_of_options_tells(self, tmp_path: Path) -> None:
        assert self.gold(tmp_path, "A quiz.", ["4", "1", "3", "2", "1", "2"])[0] == "index1"

    def test_nothing_tells(self, tmp_path: Path) -> None:
        form, doubts = self.gold(tmp_path, "A quiz.", ["1", "2", "3", "2", "1", "2"])
        assert form is None
        assert any("from 0 or from 1" in doubt for doubt in doubts)

    @pytest.mark.parametrize(
        ("words", "form"),
        [
            ("`answer`: index of the right option, starting at 0", "index0"),
            ("`answer`: zero-based position of the right one", "index0"),
            ("`answer`: position of the right option, counted from 1", "index1"),
            ("`answer`: 1-based", "index1"),
        ],
    )
    def test_the_readme_tells(self, tmp_path: Path, words: str, form: str) -> None:
        assert self.gold(tmp_path, f"A quiz.\n\n- {words}\n", ["1", "2", "3", "2", "1", "2"])[0] == form


class TestMixedKinds:
    def test_half_of_the_rows_with_options_are_a_doubt(self, tmp_path: Path) -> None:
        lines = [
            json.dumps(
                {
                    "id": n,
                    "question": f"What is there, number {n}?",
                    "options": ["A. a", "B. b"] if n % 2 else None,
                    "answer": "A" if n % 2 else "4",
                }
            )
            for n in range(10)
        ]
        proposal = proposed(folder_of(tmp_path / "f", "Some of each.", data__jsonl="\n".join(lines)))
        assert proposal.gold is None
        assert any("mixed" in doubt for doubt in proposal.doubts)


class TestOrder:
    @pytest.mark.parametrize(
        ("sentence", "order"),
        [
            ("Show the question first, then the picture.", ["text", "image"]),
            ("The question comes before the image.", ["text", "image"]),
            ("Give the photo, followed by the question.", ["image", "text"]),
            ("Put the image after the question.", ["text", "image"]),
            ("Nothing is said of it.", ["image", "text"]),
        ],
    )
    def test_as_the_readme_says(self, tmp_path: Path, sentence: str, order: list[str], cases: Path) -> None:
        path = folder_of(
            tmp_path / "f",
            f"# Order\n\n{sentence}\n\n`answer`: yes or no",
            q__csv="id,image,question,answer\n1,a.png,Is there one?,yes\n2,a.png,Is there another?,no\n",
        )
        shutil.copy(cases / "folders/shelf-probe/pics/north/shot_0.png", path / "a.png")
        proposal = proposed(path)
        parts = request(load(path, proposal.loading)[0], proposal.asking)["parts"]
        without_instruction = [next(iter(part)) for part in parts if part != {"text": "Answer yes or no."}]
        assert without_instruction == order


class TestOtherLayouts:
    """Kinds of layout that none of the folders has; what is right is in the README of each."""

    def test_no_header(self, tmp_path: Path) -> None:
        rows = [f"Is it number {n}?,north,south,east,{'ABC'[n % 3]}" for n in range(9)]
        path = folder_of(
            tmp_path / "f", "No header: question, three options, letter.", q__csv="\n".join(rows)
        )
        proposal = proposed(path)
        row = load(path, proposal.loading)[4]
        assert options(row, proposal.asking) == {"A": "north", "B": "south", "C": "east"}
        assert proposal.gold is not None
        assert right(row, proposal.gold, {}) == "B"

    def test_answers_by_key_beside_shards(self, tmp_path: Path) -> None:
        shards = {
            f"part{n}__jsonl": "\n".join(
                json.dumps({"uid": f"u{2 * n + i}", "text": "Which animal barks?"}) for i in (0, 1)
            )
            for n in range(4)
        }
        answers = {f"u{n}": [f"dog {n}", "hound"] for n in range(8)}
        path = folder_of(
            tmp_path / "f",
            "Questions in part*.jsonl, accepted answers by uid in gold.json.",
            gold__json=json.dumps(answers),
            **shards,
        )
        proposal = proposed(path)
        assert proposal.gold is not None
        golds = {row["id"]: right(row, proposal.gold, {}) for row in load(path, proposal.loading)}
        assert golds == answers

    @pytest.mark.parametrize(
        ("names", "form"), [("xmin,ymin,xmax,ymax", "box_xyxy"), ("box_x,box_y,box_w,box_h", "box_xywh")]
    )
    def test_a_box_in_four_columns(self, tmp_path: Path, names: str, form: str, cases: Path) -> None:
        rows = [f"{n},a.png,the red thing {n},{n},{n + 1},{n + 20},{n + 30}" for n in range(6)]
        path = folder_of(
            tmp_path / "f",
            "Point at what is referred to. The box is in pixels. Answer with coordinates (x, y) from 0-1000.",
            b__csv="\n".join([f"id,image,referring,{names}", *rows]),
        )
        shutil.copy(cases / "folders/shelf-probe/pics/north/shot_0.png", path / "a.png")
        proposal = proposed(path)
        assert (proposal.gold and proposal.gold.form, proposal.convention) == (form, "per_mille_xy")
        assert proposal.gold is not None
        assert right(load(path, proposal.loading)[2], proposal.gold, {}) == [2.0, 3.0, 22.0, 32.0]

    def test_several_pictures_in_one_cell(self, tmp_path: Path, cases: Path) -> None:
        path = folder_of(
            tmp_path / "f",
            "Two pictures a question. Answer: first or second.",
            q__csv="id,images,question,answer\n1,a.png; b.png,Which has more?,first\n"
            "2,b.png; a.png,Which has less?,second\n",
        )
        for name in ("a", "b"):
            shutil.copy(cases / "folders/shelf-probe/pics/north/shot_0.png", path / f"{name}.png")
        proposal = proposed(path)
        parts = request(load(path, proposal.loading)[1], proposal.asking)["parts"]
        assert [part.get("image") for part in parts] == ["b.png", "a.png", None]

    def test_a_wish_of_its_own_in_each_row(self, tmp_path: Path) -> None:
        wish = "Your answer should be given as one word."
        rows = [
            {"id": n, "prompt": f"Which animal is number {n}?", "suffix": wish, "answer": "dog"}
            for n in range(5)
        ]
        path = folder_of(tmp_path / "f", "`answer`: accepted. Exact match.", q__json=json.dumps(rows))
        proposal = proposed(path)
        made = request(load(path, proposal.loading)[0], proposal.asking)
        assert made["parts"] == [{"text": f"Which animal is number 0?\n{wish}"}]

    def test_the_part_to_evaluate_on(self, tmp_path: Path) -> None:
        path = folder_of(
            tmp_path / "f",
            "A quiz.",
            train__csv=quiz(["A", "B"], ("north", "south")),
            test__csv=quiz(["B", "A", "A"], ("north", "south")),
        )
        proposal = proposed(path)
        assert [source.path for source in proposal.loading.sources] == ["test.csv"]
        assert any("train.csv" in doubt for doubt in proposal.doubts)


ASKED = ("Which animal barks?", "Which animal purrs?", "Which animal moos?", "Which animal neighs?")
ANIMALS = ("dog", "cat", "cow", "horse")
OPEN = "`answer` is accepted, by exact match."


def items(first: int, **more: object) -> list[dict[str, Any]]:
    return [
        {"uid": f"u{first + n}", "question": text.replace("animal", f"animal of {first}"), "answer": answer}
        | more
        for n, (text, answer) in enumerate(zip(ASKED, ANIMALS, strict=True))
    ]


class TestParts:
    """Items that an object holds in several parts."""

    @pytest.mark.parametrize("nested", [False, True])
    def test_alike_parts_are_joined(self, tmp_path: Path, nested: bool) -> None:
        parts = {"barn": items(0), "field": items(10), "pond": items(20)}
        value = {name: {"pens": rows, "note": "-"} for name, rows in parts.items()} if nested else parts
        proposal = proposed(folder_of(tmp_path / "f", OPEN, d__json=json.dumps(value)))
        rows = load(tmp_path / "f", proposal.loading)
        assert [row["id"] for row in rows] == [one["uid"] for part in parts.values() for one in part]

    def test_parts_of_a_split_are_not(self, tmp_path: Path) -> None:
        value = {"train": items(0), "test": items(10)}
        proposal = proposed(folder_of(tmp_path / "f", OPEN, d__json=json.dumps(value)))
        assert [row["id"] for row in load(tmp_path / "f", proposal.loading)] == ["u10", "u11", "u12", "u13"]
        assert any("train[]" in doubt for doubt in proposal.doubts)

    def test_rows_that_would_be_left_out_refuse(self, tmp_path: Path) -> None:
        files = {
            "d__json": json.dumps(items(0)),
            "e__csv": "uid,question,answer\nx,Is it?,cow\ny,Was it?,dog",
        }
        with pytest.raises(GumptionError, match=r"e.csv with the same columns would not"):
            proposed(folder_of(tmp_path / "f", OPEN, **files))


class TestWordsOfTheReadme:
    """What a README says decides over what a column is called."""

    def test_a_question_called_target(self, tmp_path: Path) -> None:
        rows = [
            {"uid": n, "target": text, "animal": a}
            for n, (text, a) in enumerate(zip(ASKED, ANIMALS, strict=True))
        ]
        readme = "* `uid`: id\n* `target`: the words to be sent\n* `animal`: the right answer, by exact match"
        proposal = proposed(folder_of(tmp_path / "f", readme, d__json=json.dumps(rows)))
        assert (proposal.asking.question, proposal.gold) == ("target", Gold("animal", "texts"))

    @pytest.mark.parametrize(
        ("readme", "wanted"),
        [
            ("We ask if it is true or false. As a reply, yes or no are fine, too.", "true or false"),
            ("We ask for yes or no. As a reply, true or false are fine, too.", "yes or no"),
        ],
    )
    def test_what_is_asked_for(self, tmp_path: Path, readme: str, wanted: str) -> None:
        rows = items(0)
        for n, row in enumerate(rows):
            row["answer"] = bool(n % 2)
        proposal = proposed(folder_of(tmp_path / "f", readme, d__json=json.dumps(rows)))
        assert proposal.asking.instruction == f"Answer {wanted}."

    @pytest.mark.parametrize(
        ("note", "shown"),
        [
            ("the choices by letter. If a choice is blank, there is none. Never show it.", True),
            ("the choices by letter. Empty ones are never shown.", True),
            ("the choices of an old edition. Do not show them.", False),
        ],
    )
    def test_empty_options_are_not_the_column(self, tmp_path: Path, note: str, shown: bool) -> None:
        rows = items(0, menu={"A": "dog", "B": "cat", "C": ""})
        for n, row in enumerate(rows):
            row["answer"] = "AB"[n % 2]
        readme = f"- `menu`: {note}\n- `answer`: the right letter"
        proposal = proposed(folder_of(tmp_path / "f", readme, d__json=json.dumps(rows)))
        assert proposal.asking.options.columns == (("menu",) if shown else ())
        assert proposal.gold == (Gold("answer", "letter") if shown else None)
        assert any("no options are shown" in doubt for doubt in proposal.doubts) is not shown

    @pytest.mark.parametrize("note", ["answers that we take", "answers, any of them counts", "answers"])
    def test_a_list_of_accepted_answers(self, tmp_path: Path, note: str) -> None:
        rows = [
            {"uid": n, "question": text, "fits": [a, f"{a}s"]}
            for n, (text, a) in enumerate(zip(ASKED, ANIMALS, strict=True))
        ]
        for n, name in enumerate(("fits", "answers")):
            named = [{"key": row["uid"], "question": row["question"], name: row["fits"]} for row in rows]
            readme = f"- `key`: id\n- `{name}`: {note}\n\nExact match."
            proposal = proposed(folder_of(tmp_path / f"f{n}", readme, d__json=json.dumps(named)))
            assert (proposal.asking.options.columns, proposal.gold) == ((), Gold(name, "texts"))

    def test_masks_by_bare_names(self, tmp_path: Path, cases: Path) -> None:
        lines = [f"{n},v{n}.png,h{n}.png,the red thing {n}" for n in range(3)]
        readme = (
            "Pictures in views, masks of what is meant in hits. Point at it: coordinates (x, y) from 0-1000."
        )
        path = folder_of(tmp_path / "f", readme, d__csv="\n".join(["id,image,mask,phrase", *lines]))
        for folder, letter in (("views", "v"), ("hits", "h")):
            (path / folder).mkdir()
            for n in range(3):
                picture = Image.new("L", (60, 40), 90 * (letter == "v"))
                picture.paste(255, (10 * n, 5, 10 * n + 8, 15))
                if letter == "v":
                    picture.paste(150, (0, 30, 60, 40))
                picture.save(path / folder / f"{letter}{n}.png")
        proposal = proposed(path)
        assert (proposal.asking.images, proposal.asking.image_folder) == (("image",), "views")
        assert proposal.gold == Gold("mask", "mask", folder="hits")

    @pytest.mark.parametrize("between", ["\n", "\n\n", "\n....\n"])
    def test_signs_before_lines(self, tmp_path: Path, between: str) -> None:
        blocks = [f"& k{n}\n% {text}\n+ {a}" for n, (text, a) in enumerate(zip(ASKED, ANIMALS, strict=True))]
        readme = 'An entry: "&" and its id, "%" and the question, "+" and the right answer, by exact match.'
        proposal = proposed(folder_of(tmp_path / "f", readme, d__txt=between.join(blocks)))
        rows = load(tmp_path / "f", proposal.loading)
        assert proposal.gold is not None
        assert [row["id"] for row in rows] == ["k0", "k1", "k2", "k3"]
        assert [row[proposal.gold.column] for row in rows] == [*ANIMALS]
