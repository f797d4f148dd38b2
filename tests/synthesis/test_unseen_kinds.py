"""Small folders of kinds that the larger ones lack, in words of their own; read off by a person."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gumption.records import GumptionError
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline import OfflineEvaluator, Proposal
from gumption.synthesis.offline._asked import quoted
from gumption.synthesis.offline.roles import RuleEvaluator
from gumption.synthesis.recipes import load, options, request
from gumption.synthesis.roles import Brief, Unable


def written(path: Path, readme: str, **files: str | bytes) -> Path:
    path.mkdir(exist_ok=True)
    for name, content in {"README__md": readme, **files}.items():
        file = path / name.replace("___", "/").replace("__", ".")
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (40, 90, 160)).save(out, "PNG")
    return out.getvalue()


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


def lines(rows: Sequence[Any]) -> str:
    return "\n".join(json.dumps(row) for row in rows)


def proposed(path: Path) -> Proposal:
    return OfflineEvaluator().propose(inspect_folder(path))


def shown(path: Path, proposal: Proposal, at: int = 0) -> list[str]:
    """The parts of a row's request."""
    made = request(load(path, proposal.loading)[at], proposal.asking)
    return [part.get("text") or part["image"] for part in made["parts"]]


BIRDS = ["wren", "robin", "crow", "heron", "swift", "gull"]


class TestQuestionThatNoColumnHolds:
    def test_one_for_all_pictures(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            "Counting birds.\n\ncounts.csv has shot and birds. The file name serves as id.\n\n"
            'Every picture is shown with the words "How many birds sit on the wire?" below it.\n\n'
            "The number in the reply has to equal `birds`.",
            counts__csv=table(["shot", "birds"], [(f"w{n}.png", n + 2) for n in range(6)]),
            **{f"wires___w{n}__png": png(n + 1, 1) for n in range(6)},
        )
        proposal = proposed(path)
        assert shown(path, proposal, 3)[:2] == [
            "wires/w3.png",
            "How many birds sit on the wire?\nAnswer with one number only.",
        ]
        assert (proposal.gold and proposal.gold.column, proposal.loading.id) == ("birds", "shot")

    @pytest.mark.parametrize("place", ["{animal}", "<animal>", "[animal]"])
    def test_a_column_in_a_sentence(self, tmp_path: Path, place: str) -> None:
        path = written(
            tmp_path / "f",
            f'We ask "Does a {place} lay eggs? Reply with yes or no." about each animal.\n\n'
            "- `key`: number of the row\n- `animal`\n- `truth`: yes or no",
            a__csv=table(
                ["key", "animal", "truth"],
                [(n, bird, "yes" if n % 2 else "no") for n, bird in enumerate(BIRDS)],
            ),
        )
        proposal = proposed(path)
        assert shown(path, proposal, 1) == ["Does a robin lay eggs? Reply with yes or no."]
        assert (proposal.gold and proposal.gold.column, proposal.kind) == ("truth", "yes_no")

    @pytest.mark.parametrize(
        "prompt",
        [
            "## Prompt\n\n> Which bird is it?\n> Answer with its name only.\n",
            "We send the picture and:\n\n    Which bird is it?\n    Answer with its name only.\n",
            "The prompt is the same for all:\n\n```\nWhich bird is it?\nAnswer with its name only.\n```\n",
        ],
    )
    def test_lines_that_are_set_off(self, tmp_path: Path, prompt: str) -> None:
        path = written(
            tmp_path / "f",
            f"# Feeder\n\n{prompt}\n`bird` is the right answer.",
            a__csv=table(["shot", "bird"], [(f"w{n}.png", bird) for n, bird in enumerate(BIRDS)]),
            **{f"shots___w{n}__png": png(n + 1, 1) for n in range(6)},
        )
        assert shown(path, proposed(path)) == [
            "shots/w0.png",
            "Which bird is it?\nAnswer with its name only.",
        ]

    def test_texts_of_two_columns(self, tmp_path: Path) -> None:
        rows = [
            {"id": n, "text": f"The {bird} sang.", "st": f"A {bird} sang.", "ok": ("yes", "no")[n % 2]}
            for n, bird in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "Prompt:\n\n```\nPassage: {text}\nStatement: {st}\nIs that so? Answer yes or no.\n```\n\n"
            "`ok`: yes or no.",
            a__jsonl=lines(rows),
        )
        assert shown(path, proposed(path)) == [
            "Passage: The wren sang.\nStatement: A wren sang.\nIs that so? Answer yes or no."
        ]

    def test_a_readme_of_quotes_takes_no_long(self, tmp_path: Path) -> None:
        for sign in ('"', "`", ": \n\n    ", "*", "{a} ", "<a"):
            assert quoted(f"ask {sign}b c d " * 4000) is not None

    def test_braces_that_are_no_columns_and_nothing_else_is_nothing(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            'Ask "Is it a {thing}?" of each.',
            a__csv=table(["key", "truth"], [(n, n % 2) for n in range(6)]),
        )
        with pytest.raises(GumptionError, match="looks like the question"):
            proposed(path)

    def test_what_is_said_of_replies_is_no_question(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            'If a reply says "I do not know this one", it gets nothing.',
            a__csv=table(["key", "truth"], [(n, n % 2) for n in range(6)]),
        )
        with pytest.raises(GumptionError, match="looks like the question"):
            proposed(path)


class TestOptionsInOtherSigns:
    OPTIONS = ("by day", "at dusk", "by night")

    @pytest.mark.parametrize(
        ("signs", "gold"),
        [("a)", "b"), ("(a)", "b"), ("1)", "2"), ("1.", "2"), ("A.", "B"), ("(1)", "2")],
    )
    def test_inside_the_question(self, tmp_path: Path, signs: str, gold: str) -> None:
        first = next(sign for sign in "Aa1" if sign in signs)
        listing = "\n".join(
            f"{signs.replace(first, chr(ord(first) + n))} {text}" for n, text in enumerate(self.OPTIONS)
        )
        rows = [
            {"no": n, "question": f"When does a {bird} sing?\n{listing}", "answer": gold if n % 2 else first}
            for n, bird in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "The options stand in `question` already. `answer` is the right option's sign, from 1.",
            a__jsonl=lines(rows),
        )
        proposal = proposed(path)
        row = load(path, proposal.loading)[1]
        assert options(row, proposal.asking) == dict(zip("ABC", self.OPTIONS, strict=True))
        assert proposal.kind == "choice" and proposal.gold is not None
        assert proposal.gold.form == ("index1" if first == "1" else "letter")
        sign = "number" if first == "1" else "letter"
        assert shown(path, proposal, 1) == [
            f"When does a robin sing?\n{listing}\nAnswer with the {sign} of the right option only."
        ]

    def test_numbers_before_options_of_columns(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            "Show the question and the choices numbered like `1. ...`, one a line. `best`: number of the "
            "right choice, from 1.",
            a__csv=table(
                ["nr", "question", "choice1", "choice2", "choice3", "best"],
                [(n, f"When does a {bird} sing?", *self.OPTIONS, n % 3 + 1) for n, bird in enumerate(BIRDS)],
            ),
        )
        proposal = proposed(path)
        assert shown(path, proposal) == [
            "When does a wren sing?\n1. by day\n2. at dusk\n3. by night\n"
            "Answer with the number of the right option only."
        ]

    def test_small_letters_before_options_of_columns(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            "Options are shown as a. to c., one per line, below the question. `key` is the right letter.",
            a__csv=table(
                ["id", "question", "o_a", "o_b", "o_c", "key"],
                [(n, f"When does a {b} sing?", *self.OPTIONS, "abc"[n % 3]) for n, b in enumerate(BIRDS)],
            ),
        )
        assert "\na. by day\nb. at dusk\nc. by night\n" in shown(path, proposed(path))[0]

    def test_numbered_steps_beside_columns_hide_no_option(self, tmp_path: Path) -> None:
        steps = "1. Look up.\n2. Listen."
        path = written(
            tmp_path / "f",
            "Multiple choice: question, then the options A to C.",
            a__csv=table(
                ["id", "question", "A", "B", "C", "answer"],
                [
                    (n, f"{steps}\nWhen does a {bird} sing?", *self.OPTIONS, "ABC"[n % 3])
                    for n, bird in enumerate(BIRDS)
                ],
            ),
        )
        assert "B. at dusk" in shown(path, proposed(path))[0]


class TestAddedOptions:
    def folder(self, path: Path, sentence: str) -> Path:
        rows = [
            (n, f"What does a {bird} eat?", "seeds", "fish", "beetles", "ABCD"[n % 4])
            for n, bird in enumerate(BIRDS)
        ]
        return written(
            path,
            f"Quiz with three options.\n\n{sentence}\n\n`answer` is the letter of the right option.",
            a__csv=table(["id", "question", "A", "B", "C", "answer"], rows),
        )

    def test_one_that_the_readme_promises(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path / "f", 'We append the option "Nothing of that" as D.')
        proposal = proposed(path)
        row = load(path, proposal.loading)[3]
        assert options(row, proposal.asking)["D"] == "Nothing of that"
        assert "D. Nothing of that" in shown(path, proposal)[0]
        assert proposal.gold is not None and proposal.gold.form == "letter"

    def test_one_that_is_not_quoted_is_a_doubt(self, tmp_path: Path) -> None:
        proposal = proposed(self.folder(tmp_path / "f", "An additional option for none of them is added."))
        assert any("added" in doubt for doubt in proposal.doubts)

    def test_a_constant_is_never_the_right_answer(self, tmp_path: Path) -> None:
        rows = [(n, f"What does a {bird} eat?", "seeds", "fish", 1, "x") for n, bird in enumerate(BIRDS)]
        path = written(
            tmp_path / "f", "A quiz.", a__csv=table(["id", "question", "A", "B", "answer", "note"], rows)
        )
        assert proposed(path).gold is None


class TestOneObjectAFile:
    def test_text_fields_only(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            "`task` is given to the model; `reference` is the right answer, `by` who wrote it, `lang` the "
            "language, `src` the source. Exact match.",
            **{
                f"items___{bird}__json": json.dumps(
                    {
                        "task": f"Name the family of the {bird}.",
                        "reference": f"{bird}idae",
                        "by": "k",
                        "lang": "en",
                        "src": "w",
                    }
                )
                for bird in BIRDS
            },
        )
        proposal = proposed(path)
        rows = load(path, proposal.loading)
        assert [row["id"] for row in rows] == sorted(BIRDS)
        assert {row["reference"] for row in rows} == {f"{bird}idae" for bird in BIRDS}

    def test_answers_by_key_in_parts_stay_answers(self, tmp_path: Path) -> None:
        parts = {
            f"key___part{n}__json": json.dumps({f"k{n}{m}": f"answer {n}{m}" for m in range(6)})
            for n in range(4)
        }
        folder = inspect_folder(written(tmp_path / "f", "Answers.", **parts))
        assert [(one.source.rows, one.rows) for one in folder.tables] == [("{}", 24)]


class TestIds:
    def test_two_columns_together(self, tmp_path: Path) -> None:
        rows = [
            {
                "walk": walk,
                "stop": n,
                "question": f"What sings at stop {n} of the {walk} walk?",
                "answer": bird,
            }
            for walk in ("east", "west")
            for n, bird in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "Stops are numbered anew on each walk; item `west/3` is the fourth one in the west. "
            "Accepted is `answer`.",
            a__jsonl=lines(rows),
        )
        proposal = proposed(path)
        assert [row["id"] for row in load(path, proposal.loading)][6:8] == ["west/0", "west/1"]
        assert proposal.doubts == ()


class TestWhatIsShown:
    def test_a_short_hint_behind_its_word(self, tmp_path: Path) -> None:
        rows = [
            {"id": n, "query": f"Which bird is number {n}?", "clue": "small", "answer": bird}
            for n, bird in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "Show `query` and below it `Clue: ` and `clue`, in this order. Right is `answer`.",
            a__jsonl=lines(rows),
        )
        assert shown(path, proposed(path))[0].startswith("Which bird is number 0?\nClue: small\n")

    def test_a_hint_of_one_word_by_name_and_note(self, tmp_path: Path) -> None:
        rows = [(n, f"What does a {bird} eat?", "tiny", bird) for n, bird in enumerate(BIRDS)]
        path = written(
            tmp_path / "f",
            "- `question`: asked\n- `hint`: shown before it\n- `answer`: the right one",
            a__csv=table(["id", "question", "hint", "answer"], rows),
        )
        assert shown(path, proposed(path))[0].startswith("tiny\nWhat does a wren eat?")

    def test_a_text_that_the_prompt_is_said_to_hold(self, tmp_path: Path) -> None:
        rows = [
            {"id": n, "diary": f"On day {n} we saw a {bird}.", "ask": "What was seen?", "label": bird}
            for n, bird in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "The prompt consists of the diary and then the question in `ask`. `label` is the right answer.",
            a__jsonl=lines(rows),
        )
        proposal = proposed(path)
        assert shown(path, proposal)[0].startswith("On day 0 we saw a wren.\nWhat was seen?")
        assert proposal.gold is not None and proposal.gold.column == "label"

    def test_the_right_answer_is_never_taken_for_a_context(self, tmp_path: Path) -> None:
        rows = [(n, f"Which bird is number {n}?", f"the {bird} bird") for n, bird in enumerate(BIRDS)]
        path = written(
            tmp_path / "f",
            "Show the question; the solution is not shown before the question is answered.",
            a__csv=table(["id", "question", "solution"], rows),
        )
        proposal = proposed(path)
        assert proposal.asking.context == ()

    @pytest.mark.parametrize("word", ["drawing", "screen", "scene", "photograph", "diagram"])
    def test_words_for_pictures(self, tmp_path: Path, word: str) -> None:
        path = written(
            tmp_path / "f",
            f"First the question, then the {word}. `answer` is right.",
            a__csv=table(
                ["id", "question", "file", "answer"],
                [(n, f"Which bird is number {n}?", "a.png", bird) for n, bird in enumerate(BIRDS)],
            ),
            a__png=png(2, 2),
        )
        assert shown(path, proposed(path))[:2] == ["Which bird is number 0?", "a.png"]

    def test_labels_before_pictures(self, tmp_path: Path) -> None:
        path = written(
            tmp_path / "f",
            "Each photo is preceded by its label, `(A)` before the first one, and so on; then the question. "
            "`answer` is first or second.",
            a__csv=table(
                ["id", "question", "photos", "answer"],
                [
                    (n, f"Where is the {b}?", "a.png;b.png", ("first", "second")[n % 2])
                    for n, b in enumerate(BIRDS)
                ],
            ),
            a__png=png(2, 2),
            b__png=png(3, 2),
        )
        assert shown(path, proposed(path))[:4] == ["(A)", "a.png", "(B)", "b.png"]


class TestFormOfAnswer:
    def asked(self, path: Path, readme: str, gold: Sequence[Any], header: str = "id,claim,gold") -> str:
        rows = [
            (n, f"The {bird} is a small bird.", cell)
            for n, (bird, cell) in enumerate(zip(BIRDS, gold, strict=True))
        ]
        path = written(path, readme, a__csv=table(header.split(","), rows))
        return shown(path, proposed(path))[0].partition("\n")[2]

    TRUTH = ("true", "false", "true", "true", "false", "false")

    def test_words_that_score(self, tmp_path: Path) -> None:
        readme = "Is the claim true or false? The reply has to be true or false. `gold` is right."
        assert self.asked(tmp_path / "f", readme, self.TRUTH) == "Answer true or false."

    def test_a_sign_without_which_nothing_scores(self, tmp_path: Path) -> None:
        readme = (
            "Is the claim true or false?\n\n## Scoring\n\nOnly what stands after `Verdict:` is read. "
            "Without `Verdict:` the score is 0. `gold` is right."
        )
        assert "Verdict:" in self.asked(tmp_path / "f", readme, self.TRUTH)

    def test_a_tag_that_may_be_left_out_is_not_asked_for(self, tmp_path: Path) -> None:
        readme = (
            "Is the claim true or false?\n\n## Scoring\n\nIf there is an <out> tag, what is in it is read, "
            "else the whole reply. `gold` is right."
        )
        assert "<out>" not in self.asked(tmp_path / "f", readme, self.TRUTH)

    def test_words_of_the_readme(self, tmp_path: Path) -> None:
        readme = 'Send the claim and then "Respond with true or false, in one word." `gold` is right.'
        assert self.asked(tmp_path / "f", readme, self.TRUTH) == "Respond with true or false, in one word."

    def test_other_words_for_yes_and_no(self, tmp_path: Path) -> None:
        readme = "Is the claim fair? Answers are fair or unfair. `gold` is right."
        words = ("fair", "unfair", "fair", "fair", "unfair", "unfair")
        assert self.asked(tmp_path / "f", readme, words) == "Answer with fair or unfair only."

    def test_several_right_options(self, tmp_path: Path) -> None:
        rows = [
            (n, f"Which are true of a {bird}?", "it flies", "it sings", "it swims", ("AC", "B", "ABC")[n % 3])
            for n, bird in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f",
            "Several options can be right. `marked` has the letters of all right ones.",
            a__csv=table(["id", "question", "A", "B", "C", "marked"], rows),
        )
        proposal = proposed(path)
        assert proposal.gold is not None and (proposal.gold.column, proposal.gold.form) == (
            "marked",
            "letter",
        )
        assert shown(path, proposal)[0].endswith("Answer with the letters of all right options only.")


class TestPoints:
    @pytest.mark.parametrize(
        ("words", "convention"),
        [
            (
                "corners as fractions of width and height. Answers are a point (x, y) in the same fractions.",
                "unit_xy",
            ),
            ("corners in pixels. The model answers with a point (x, y) on the same scale.", "pixel_xy"),
        ],
    )
    def test_the_scale_of_the_outline(self, tmp_path: Path, words: str, convention: str) -> None:
        size = 1 if convention == "unit_xy" else 100
        rows = [
            {
                "id": n,
                "img": "a.png",
                "task": f"Point at the {b}.",
                "outline": [
                    [0.1 * size, 0.1 * size],
                    [0.5 * size, 0.1 * size],
                    [0.3 * size, (0.4 + n / 100) * size],
                ],
            }
            for n, b in enumerate(BIRDS)
        ]
        path = written(
            tmp_path / "f", f"- `outline`, the region: {words}", a__jsonl=lines(rows), a__png=png(100, 100)
        )
        assert proposed(path).convention == convention


class TestRepliesByTheirContent:
    def rows(self, who: str = "agent") -> list[dict[str, Any]]:
        return [
            {"q": n, "src": f"{who}-{m}", "said": f"I think it is {bird}{'!' * m}", "val": (n + m) % 2}
            for n, bird in enumerate(BIRDS)
            for m in range(3)
        ]

    def test_under_any_name(self, tmp_path: Path) -> None:
        items = [{"q": n, "question": f"Which bird is number {n}?", "answer": b} for n, b in enumerate(BIRDS)]
        path = written(
            tmp_path / "f", "Birds.", items__jsonl=lines(items), export__json=json.dumps(self.rows())
        )
        assert inspect_folder(path).withheld == ("export.json",)

    def test_questions_in_a_grid_are_none(self, tmp_path: Path) -> None:
        rows = [
            {"img": n, "thing": thing, "text": f"Is there a {thing} in it?", "gold": (n + m) % 2}
            for n in range(5)
            for m, thing in enumerate(("cup", "hat", "key"))
        ]
        plain = [{**row, "text": f"Look for the {row['thing']} there."} for row in rows]
        for name, data in (("asked", rows), ("plain", plain)):
            path = written(
                tmp_path / name,
                "Presence.",
                a__jsonl=lines(data),
                b__csv=table(["img", "w"], [(n, 3 + n) for n in range(5)]),
            )
            assert inspect_folder(path).withheld == ()


class TestDecisiveDoubts:
    def test_no_right_answer_is_no_proposal(self, tmp_path: Path) -> None:
        rows = [(n, f"Which bird is number {n}?", "same") for n in range(6)]
        path = written(tmp_path / "f", "A quiz.", a__csv=table(["id", "question", "answer"], rows))
        talk = RuleEvaluator().propose(Brief(inspect_folder(path), ()))
        with pytest.raises(StopIteration) as ended:
            next(talk)
        assert isinstance(ended.value.value, Unable)
