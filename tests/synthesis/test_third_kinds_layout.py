"""Small folders of kinds of layout and of request that a third set of outsiders had, in words of their own.

What is right is read off each README by a person.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from gumption.records import GumptionError
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline import OfflineEvaluator, Proposal
from gumption.synthesis.recipes import load, options, request
from gumption.synthesis.recipes._written import markdown_rows, yaml_of
from gumption.synthesis.recipes.scoring import gold_letter

BIRDS = ["wren", "robin", "crow", "heron", "swift", "gull"]
FOOD = ["spiders", "worms", "eggs", "frogs", "gnats", "chips"]


def written(path: Path, readme: str, files: dict[str, str | bytes | Any]) -> Path:
    for name, content in {"README.md": readme, **files}.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def png(shade: int = 40, mask: bool = False) -> bytes:
    out = io.BytesIO()
    picture = Image.new("L" if mask else "RGB", (40, 30), 0 if mask else (shade, 90, 160))
    if mask:
        ImageDraw.Draw(picture).rectangle((5, 5, 20, 20), fill=255)
    picture.save(out, "PNG")
    return out.getvalue()


def proposed(path: Path) -> Proposal:
    return OfflineEvaluator().propose(inspect_folder(path))


def ids(path: Path, proposal: Proposal) -> list[Any]:
    return [row["id"] for row in load(path, proposal.loading)]


def shown(path: Path, proposal: Proposal, at: int = 0) -> list[str]:
    """The parts of a row's request."""
    made = request(load(path, proposal.loading)[at], proposal.asking)
    return [part.get("text") or part["image"] for part in made["parts"]]


def items(first: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"uid": f"b{first + n}", "question": f"What does {bird} {first + n} eat?", "answer": food} | more
        for n, (bird, food) in enumerate(zip(BIRDS, FOOD, strict=True))
    ]


OPEN = "Ask `question`; `answer` is the one we accept, by exact match."


class TestSiblings:
    """Files and lists with the same columns are one benchmark, unless the README or their name says not."""

    @pytest.mark.parametrize(
        ("readme", "names", "used"),
        [
            ("", ["marsh", "cliff"], ["marsh", "cliff"]),
            ("The sheets are `marsh.json`, `cliff.json` and `city.json`.", ["marsh", "cliff", "city"], None),
            ("`cliff.json` was withdrawn.", ["marsh", "cliff", "city"], ["marsh", "city"]),
            ("`city.json` is for practice, do not score it.", ["marsh", "city"], ["marsh"]),
            (
                "We evaluate on `cliff.json`, and `marsh.json` is for tuning prompts.",
                ["marsh", "cliff"],
                ["cliff"],
            ),
            ("`cliff.json` is the test set.", ["marsh", "cliff"], ["cliff"]),
            ("", ["marsh_train", "marsh_test"], ["marsh_test"]),
            ("", ["north-test", "south-test", "north-train"], ["north-test", "south-test"]),
        ],
    )
    def test_files(self, tmp_path: Path, readme: str, names: list[str], used: list[str] | None) -> None:
        files = {f"q/{name}.json": items(100 * n) for n, name in enumerate(names)}
        path = written(tmp_path / "f", f"{OPEN}\n\n{readme}", files)
        wanted = [
            one["uid"] for name, rows in files.items() for one in rows if not used or name[2:-5] in used
        ]
        proposal = proposed(path)
        assert sorted(ids(path, proposal)) == sorted(wanted)
        assert bool(proposal.doubts) == (len(wanted) < 6 * len(names))

    @pytest.mark.parametrize(
        "value",
        [
            {"easy": items(0), "hard": items(50)},
            {"title": "Birds", "set": {"morning": items(0), "evening": items(50)}},
            {"barn": {"pens": items(0)}, "pond": {"nests": items(50)}},
            [
                {"reserve": "A", "asks": {"near": items(0), "far": []}},
                {"reserve": "B", "asks": {"far": items(50)}},
            ],
        ],
    )
    def test_lists_of_one_file(self, tmp_path: Path, value: Any) -> None:
        path = written(tmp_path / "f", OPEN, {"d.json": value})
        assert ids(path, proposed(path)) == [one["uid"] for one in (*items(0), *items(50))]

    def test_a_list_that_was_taken_out(self, tmp_path: Path) -> None:
        path = written(tmp_path / "f", OPEN, {"d.json": {"kept": items(0), "withdrawn": items(50)}})
        assert ids(path, proposed(path)) == [one["uid"] for one in items(0)]

    def test_versions_of_a_file_refuse(self, tmp_path: Path) -> None:
        later = [*items(0)[:-1], items(0)[-1] | {"answer": "fish"}]
        path = written(tmp_path / "f", OPEN, {"quiz_a.json": items(0), "quiz_b.json": later})
        with pytest.raises(GumptionError, match="with the same columns would not"):
            proposed(path)

    @pytest.mark.parametrize("without", [0, 2])
    def test_a_key_of_more_items_than_there_are(self, tmp_path: Path, without: int) -> None:
        rows = items(0)
        key = [{"of": one["uid"], "good": one.pop("answer")} for one in rows][::-1]
        key += [{"of": f"gone{n}", "good": "hay"} for n in range(without)]
        path = written(
            tmp_path / "f",
            "`question` is asked. In the key `of` is the `uid` of the question and `good` the "
            "right answer. Exact match.",
            {"asks.json": rows, "key.json": key},
        )
        proposal = proposed(path)
        assert ids(path, proposal) == [f"b{n}" for n in range(6)]
        assert [row["good"] for row in load(path, proposal.loading)] == FOOD


class TestWrittenByHand:
    """YAML, tables of Markdown, and texts with front matter."""

    YAML = """# the walk, by reserve
- reserve: marsh
  photo: pics/marsh.png
  asks:
    - {uid: m1, question: Is a wren on it?, answer: yes}
    - {uid: m2, question: "Is it dark: yes or no?", answer: no}
- reserve: cliff
  photo: pics/cliff.png
  asks:
    - uid: c1
      question: >
        Is a gull
        on it?
      answer: "no"
    - {uid: c2, question: Is it bright?, answer: yes}
"""

    def test_nested_yaml(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            "Show the photo, then the question. `answer` is yes or no.",
            {"walk.yaml": self.YAML, "pics/marsh.png": png(), "pics/cliff.png": png(80)},
        )
        proposal = proposed(path)
        assert ids(path, proposal) == ["m1", "m2", "c1", "c2"]
        assert shown(path, proposal, 2)[0] == "pics/cliff.png"
        assert shown(path, proposal, 2)[1].startswith("Is a gull on it?")
        assert proposal.gold is not None and proposal.gold.form == "yes_no"

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("a: no\nb: 2024-01-05\nc: 1.50\nd: 012\ne: ~\nf: 7\ng: 1_000", None),
            ("- true\n- 'true'\n- .5\n- 1e3", [True, "true", 0.5, "1e3"]),
            ("1: x\nyes: y", {"1": "x", "yes": "y"}),
        ],
    )
    def test_plain_values(self, text: str, value: Any) -> None:
        expected = {"a": "no", "b": "2024-01-05", "c": 1.5, "d": "012", "e": None, "f": 7, "g": "1_000"}
        assert yaml_of(text, "x") == (expected if value is None else value)

    @pytest.mark.parametrize(
        "text",
        [
            "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
            "[" * 200 + "]" * 200,
            "a: !!python/object/apply:os.system ['true']",
            "a: [1, 2",
            "a: 'x",
        ],
    )
    def test_bombs_and_tags(self, text: str) -> None:
        with pytest.raises(GumptionError):
            yaml_of(text, "x")

    @pytest.mark.parametrize("bars", [True, False])
    def test_a_table_of_markdown(self, tmp_path: Path, bars: bool) -> None:
        lines = ["no | ask | right | seen by", ":--|---|:-:|--"]
        lines += [
            f"{n} | What does a {bird} eat? | {food} | Kim"
            for n, (bird, food) in enumerate(zip(BIRDS, FOOD, strict=True))
        ]
        table = [f"| {line} |" if bars else line for line in lines]
        text = "\n".join(
            ["# Birds", "", *table[:5], "", "## More", "", *table[:2], *table[5:], "", "Thanks!"]
        )
        path = written(
            tmp_path / "f",
            "`ask` goes to the model, `right` is the right answer, by exact match.",
            {"list.md": text},
        )
        proposal = proposed(path)
        rows = load(path, proposal.loading)
        assert [row["right"] for row in rows] == FOOD
        assert proposal.gold is not None and proposal.gold.column == "right"
        assert shown(path, proposal, 3)[0].startswith("What does a heron eat?")

    def test_bars_within_cells_and_other_tables(self) -> None:
        text = "a|b\n-|-\nx \\| y|2\n\nkey|means\n-|-\nq|r\n"
        assert markdown_rows(text, "a|b", "x", 9) == [{"a": "x | y", "b": "2"}]
        assert markdown_rows(text, "key|means", "x", 9) == [{"key": "q", "means": "r"}]

    @pytest.mark.parametrize("suffix", ["txt", "md"])
    def test_front_matter(self, tmp_path: Path, suffix: str) -> None:
        files: dict[str, Any] = {}
        for n, (bird, food) in enumerate(zip(BIRDS, FOOD, strict=True)):
            given = [food, "stones", "bread"] if n % 2 else ["stones", food, "bread"]
            head = "\n".join(f"  - {one}" for one in given)
            body = f"A {bird} is hungry.\n\nWhat will it look for?"
            files[f"tales/{n:02}.{suffix}"] = (
                f"---\nref: t{n}\nways:\n{head}\nbest: {food}\nby: Kim\n---\n\n{body}\n"
            )
        path = written(
            tmp_path / "f",
            "Each file in `tales/` is a tale with its question. Above it stand `ref`, its id; "
            "`ways`, the options; "
            "`best`, the right one; `by`, for us only.\n\nSend the tale, then the options as (a), (b), (c).",
            files,
        )
        proposal = proposed(path)
        assert ids(path, proposal) == [f"t{n}" for n in range(6)]
        assert shown(path, proposal, 1)[0].startswith(
            "A robin is hungry.\n\nWhat will it look for?\n(a) worms\n(b) stones\n(c) bread"
        )
        assert proposal.gold is not None and (proposal.gold.column, proposal.gold.form) == (
            "best",
            "option_text",
        )


class TestJoins:
    def coco(self, box: str = "bbox") -> dict[str, Any]:
        return {
            "info": {"year": 2020},
            "images": [{"id": n + 1, "file_name": f"{bird}.png"} for n, bird in enumerate(BIRDS[:3])],
            "categories": [{"id": n + 1, "name": bird} for n, bird in enumerate(BIRDS)],
            "annotations": [
                {"id": 10 + n, "image_id": n % 3 + 1, "category_id": n + 1, box: [n, 2, 9, 8]}
                for n in range(6)
            ],
        }

    README = (
        "COCO layout, `file_name` is in `pics/`. `bbox` is [x, y, width, height] in pixels. "
        "Show the picture and "
        "the phrase; the model answers with a point (x, y) in pixels, which must lie in the box."
    )

    def test_phrases_of_annotations(self, tmp_path: Path) -> None:
        value = self.coco()
        value["phrases"] = [
            {"phrase_id": f"p{n}", "annotation_id": 10 + n, "phrase": f"the {bird} on the left"}
            for n, bird in enumerate(BIRDS)
        ]
        path = written(tmp_path / "f", self.README, {"d.json": value, **self.pictures()})
        self.check(path, [f"p{n}" for n in range(6)])

    def test_annotations_with_their_phrase(self, tmp_path: Path) -> None:
        value = self.coco()
        for one, bird in zip(value["annotations"], BIRDS, strict=True):
            one["phrase"] = f"the {bird} on the left"
        path = written(tmp_path / "f", self.README, {"d.json": value, **self.pictures()})
        self.check(path, list(range(10, 16)))

    def test_files_of_their_own(self, tmp_path: Path) -> None:
        value = self.coco()
        rows = [{"ref": n, "ann_id": 10 + n, "phrase": f"the {b} on the left"} for n, b in enumerate(BIRDS)]
        files = {
            "phrases.json": rows,
            "annotations.json": value["annotations"],
            "images.json": value["images"],
        }
        path = written(tmp_path / "f", self.README, {**files, **self.pictures()})
        self.check(path, list(range(6)))

    def pictures(self) -> dict[str, Any]:
        return {f"pics/{bird}.png": png(n) for n, bird in enumerate(BIRDS[:3])}

    def check(self, path: Path, wanted: list[Any]) -> None:
        proposal = proposed(path)
        rows = load(path, proposal.loading)
        assert proposal.gold is not None and (proposal.gold.column, proposal.gold.form) == (
            "bbox",
            "box_xywh",
        )
        assert [row["bbox"][0] for row in rows] == list(range(6))
        assert [row["id"] for row in rows] == wanted
        pictures = [
            [p["image"] for p in request(row, proposal.asking)["parts"] if "image" in p] for row in rows
        ]
        assert pictures == [[f"pics/{bird}.png"] for bird in (*BIRDS[:3], *BIRDS[:3])]

    @pytest.mark.parametrize("name", ["hits/{}.png", "hits/{}_mask.png", "truth/t-{}.png"])
    def test_masks_by_the_id(self, tmp_path: Path, name: str) -> None:
        rows = [
            {"id": f"k{n}x", "view": "hall.png", "order": f"Touch the {b}.", "tool": f"v{n}"}
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "A line has the `id`, its picture in `views/` (`view`) and the `order`. `tool` is "
            "of no use. White in the "
            "mask that is called after the id is what to touch. Ask for one point (x, y), both from 0 to 1.",
            {
                "a.jsonl": "\n".join(map(json.dumps, rows)),
                "views/hall.png": png(),
                **{name.format(f"k{n}x"): png(mask=True) for n in range(6)},
            },
        )
        proposal = proposed(path)
        gold = proposal.gold
        assert gold is not None and gold.form == "mask"
        assert load(path, proposal.loading)[2][gold.column] == name.format("k2x")
        assert shown(path, proposal, 2)[0] == "views/hall.png"
        assert "between 0 and 1" in shown(path, proposal)[1]


class TestColumnsByContent:
    """Columns whose names say little, or in unusual words."""

    @pytest.mark.parametrize(
        ("names", "right", "form"),
        [
            (("Way one", "Way two", "Way three"), lambda at, cells: at + 1, "index1"),
            (("1st choice", "2nd choice", "3rd choice"), lambda at, cells: at + 1, "index1"),
            (("answer i", "answer ii", "answer iii"), lambda at, cells: "ABC"[at], "letter"),
            (("left", "middle", "right side"), lambda at, cells: cells[at], "option_text"),
            (("first option", "second option", "third option"), lambda at, cells: at, "index0"),
            (("red box", "blue box", "green box"), lambda at, cells: "abc"[at], "letter"),
        ],
    )
    def test_options(self, tmp_path: Path, names: tuple[str, ...], right: Any, form: str) -> None:
        lines = ["Nr;What we want to know;" + ";".join(names) + ";sol;seen"]
        for n, bird in enumerate(BIRDS):
            cells = [f"{one} {n}" for one in ("worms", "seeds", "fish")]
            lines.append(f"{n * 2};What does a {bird} eat?;{';'.join(cells)};{right(n % 3, cells)};Kim")
        path = written(
            tmp_path / "f",
            "Three options each, in the order of the columns. `sol` tells the right one "
            "(counted from 1, or from 0 "
            "where there is a 0). `seen` is not for the model.".replace(
                "(counted from 1, or from 0 where there is a 0)", ""
            ),
            {"list final.csv": "\n".join(lines)},
        )
        proposal = proposed(path)
        rows = load(path, proposal.loading)
        assert options(rows[1], proposal.asking) == {"A": "worms 1", "B": "seeds 1", "C": "fish 1"}
        assert proposal.gold is not None and (proposal.gold.column, proposal.gold.form) == ("sol", form)
        read = [gold_letter(row["sol"], options(row, proposal.asking), proposal.gold.form) for row in rows]
        assert read == ["A", "B", "C", "A", "B", "C"]
        assert "What does a wren eat?" in shown(path, proposal)[0]
        assert not any("Kim" in part for part in shown(path, proposal))

    @pytest.mark.parametrize("words", ["numbered 1 to 3", "with their numbers", "as 1. to 3."])
    def test_numbers_are_shown(self, tmp_path: Path, words: str) -> None:
        rows = [
            {"id": n, "ask": f"What does a {b} eat?", "opts": ["worms", "seeds", "fish"], "key": n % 3 + 1}
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            f"Show `ask`, then the options `opts` {words}. `key` is the number of the right one, from 1.",
            {"a.json": rows},
        )
        assert shown(path, proposed(path))[0].startswith(
            "What does a wren eat?\n1. worms\n2. seeds\n3. fish\n"
        )


class TestMarks:
    """Words in brackets that stand where a picture belongs."""

    @pytest.mark.parametrize(
        ("one", "two"),
        [
            ("<pic 1>", "<pic 2>"),
            ("[img:0]", "[img:1]"),
            ("{{photo_1}}", "{{photo_2}}"),
            ("<|slot1|>", "<|slot2|>"),
        ],
    )
    def test_numbers_count_the_pictures(self, tmp_path: Path, one: str, two: str) -> None:
        rows = [
            {
                "id": n,
                "text": f"Here {two} is later.\nA: {one}\nB: {two}\nWhere is the {b}?",
                "pics": ["a.png", "b.png"],
                "key": "AB"[n % 2],
            }
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            f"In `text` a mark such as `{one}` is the place of a picture. `key` is the letter "
            "of the right one.",
            {"a.json": rows, "a.png": png(1), "b.png": png(2)},
        )
        parts = shown(path, proposed(path))
        assert parts[:6] == ["Here", "b.png", "is later.\nA:", "a.png", "B:", "b.png"]
        assert parts[6].startswith("Where is the wren?")

    @pytest.mark.parametrize("mark", ["{image}", "[picture]", "<image>", "<Photo>"])
    def test_without_numbers_they_take_turns(self, tmp_path: Path, mark: str) -> None:
        rows = [
            {
                "id": n,
                "text": f"First {mark} and then {mark}: where is the {b}?",
                "pics": ["a.png", "b.png"],
                "key": "yes" if n % 2 else "no",
            }
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f", "`key`: yes or no is right.", {"a.json": rows, "a.png": png(1), "b.png": png(2)}
        )
        assert shown(path, proposed(path))[:4] == ["First", "a.png", "and then", "b.png"]

    def test_in_options(self, tmp_path: Path) -> None:
        rows = [
            {
                "id": n,
                "ask": f"Which picture has the {b}?",
                "pics": ["a.png", "b.png"],
                "options": ["<image 2>", "<image 1>"],
                "key": "AB"[n % 2],
            }
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f", "`key`: the right letter.", {"a.json": rows, "a.png": png(1), "b.png": png(2)}
        )
        assert shown(path, proposed(path))[:4] == ["Which picture has the wren?\nA.", "b.png", "B.", "a.png"]

    @pytest.mark.parametrize("words", ["a length (in cm)", "the (red) ball", "[sic] it", "step (one)"])
    def test_other_brackets_stay(self, tmp_path: Path, words: str) -> None:
        rows = [
            {"id": n, "ask": f"Is {words} near the {b}?", "pic": "a.png", "key": n % 2}
            for n, b in enumerate(BIRDS)
        ]
        path = written(tmp_path / "f", "`key`: 1 is yes, 0 is no.", {"a.json": rows, "a.png": png()})
        assert shown(path, proposed(path))[1].startswith(f"Is {words} near the wren?")


class TestOrder:
    @pytest.mark.parametrize(
        ("words", "order"),
        [
            ("Picture first. Then, if there is one, the hint. Then the question, then the options.", "phqo"),
            ("The hint goes before the question, the question before the picture.", "hqpo"),
            ("Put the question below the options.", "phoq"),
            ("Start with the question. The picture follows the hint.", "qhpo"),
            ("Above the picture stands the question. The options come last.", "hqpo"),
            ("First show the hint, then the question with its options; the photo comes at the end.", "hqop"),
            ("After the question show the hint (if there is one), and after the hint the options.", "pqho"),
            ("A model sees the photo. Nothing else matters.", "phqo"),
        ],
    )
    def test_in_prose(self, tmp_path: Path, words: str, order: str) -> None:
        rows = [
            {
                "id": n,
                "hint": "It is a small one." if n % 2 else "",
                "ask": f"Which bird is number {n}?",
                "pic": f"{b}.png",
                "A": "wren",
                "B": "gull",
                "key": "AB"[n % 2],
            }
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "# Data\n\n`pic` is relative to `views/small/`. `hint` may be empty. `ask` is the "
            "question, `A` and `B` the options, and "
            f"then `key` the right letter.\n\n# Prompt\n\n{words}",
            {"a.json": rows, **{f"views/small/{b}.png": png() for b in BIRDS}},
        )
        proposal = proposed(path)
        for at, bird in ((1, "robin"), (0, "wren")):
            flat = "\n".join(shown(path, proposal, at))
            pieces = {
                "p": f"views/small/{bird}.png",
                "h": "It is a small one.",
                "q": f"Which bird is number {at}?",
                "o": "A. wren\nB. gull",
            }
            there = sorted((flat.find(piece), sign) for sign, piece in pieces.items() if piece in flat)
            assert "".join(sign for _, sign in there) == (order if at else order.replace("h", ""))

    def test_a_text_on_each_side_of_the_question(self, tmp_path: Path) -> None:
        rows = [
            {
                "id": n,
                "place": f"We are at the pond of a {b}.",
                "ask": f"What is here, {n}?",
                "clue": f"It has {n} eggs.",
                "key": b,
            }
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "The model gets the `place`, then the question in `ask`, then the `clue`. `key` "
            "is the right answer, by exact match.",
            {"a.json": rows},
        )
        assert shown(path, proposed(path))[0].split("\n")[:3] == [
            "We are at the pond of a wren.", "What is here, 0?", "It has 0 eggs."
        ]  # fmt: skip


class TestPoints:
    @pytest.mark.parametrize(
        ("words", "wanted"),
        [
            (
                "Answers are points (x, y) in percent of the picture, from 0 at the left to "
                "100 at the right. 0.4 is not a fraction of 1.",
                "from 0 to 100",
            ),
            (
                "Ask for a point (x, y), x from 0 at the left edge to 1 at the right and y "
                "from 0 at the top to 1. Pixels are not converted.",
                "between 0 and 1",
            ),
            ("Points are (y, x), from 0 to 1000, first down, then right.", "y before x, from 0 to 1000"),
        ],
    )
    def test_the_scale_that_is_asked_for(self, tmp_path: Path, words: str, wanted: str) -> None:
        rows = [
            {"id": n, "pic": "a.png", "ask": f"Pin the {b}.", "shape": [[1, 1], [20, 1], [9, 20 + n]]}
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            f"`shape` is the outline of what is meant, its corners in pixels.\n\n{words}\n\n1 "
            "if the point is inside the outline.",
            {"a.json": rows, "a.png": png()},
        )
        assert wanted in shown(path, proposed(path))[1]


class TestWhatIsAskedFor:
    @pytest.mark.parametrize(
        ("words", "wanted"),
        [
            ("Ask for a short answer with its unit.", "Give a short answer with its unit."),
            ("The model is asked for a name of one word. Exact match.", "Answer with a name of one word."),
            ("We accept what equals `key`.", "Give the answer only, without a sentence around it."),
        ],
    )
    def test_in_the_words_of_the_readme(self, tmp_path: Path, words: str, wanted: str) -> None:
        rows = [
            {"id": n, "ask": f"What does a {b} eat?", "key": f}
            for n, (b, f) in enumerate(zip(BIRDS, FOOD, strict=True))
        ]
        path = written(tmp_path / "f", f"`key` is the right answer. {words}", {"a.json": rows})
        assert proposed(path).asking.instruction == wanted
