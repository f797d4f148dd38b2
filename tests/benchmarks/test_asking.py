"""Run options that change what a model is asked: other prompts, the authors' own, every rotation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.benchmarks import Asking, chance_of, episode_of, prompted, read_prompts
from gumption.benchmarks._circular import circular, rotations
from gumption.models.baseline import Oracle, Random
from gumption.ranking import scorecard
from gumption.records import (
    Aggregate,
    Answer,
    Episode,
    GumptionError,
    Image,
    Item,
    Key,
    Reading,
    Reply,
    Score,
    Text,
)
from gumption.running import run, score_run
from gumption.suites import Suite

PICTURE = Image("0" * 64)
CHOICE = Item(
    "1",
    "made",
    (PICTURE, Text("Which?")),
    Answer("choice", gold="B", choices={"A": "red", "B": "green", "C": "blue"}),
)
YES_NO = Item("2", "made", (Text("Is it?"),), Answer("yes_no", gold="yes"))


def words(item: Item) -> str:
    return "\n".join(part.text for part in item.parts if isinstance(part, Text))


def shown(item: Item, asking: Asking) -> Item:
    (asked,) = asking.applied([item])
    (question,) = next(episode_of(asked)(asked))
    return question


def test_the_usual_way_leaves_items_as_they_are() -> None:
    assert Asking().applied([CHOICE]) == (CHOICE,)
    assert Asking().name == "gumption-v1"


@pytest.mark.parametrize("name", ["direct", "cot"])
def test_another_prompt_shows_the_same_options_in_other_words(name: str) -> None:
    usual, other = prompted(CHOICE), shown(CHOICE, Asking(prompt=name))
    assert other.parts[:2] == usual.parts[:2]
    assert words(other) != words(usual)
    assert "A. red\nB. green\nC. blue" in words(other) and "A, B, C" in words(other)
    assert Asking(prompt=name).name == f"gumption-v1/{name}"


def test_cot_asks_to_reason_and_direct_not_to() -> None:
    assert "step by step" in words(shown(YES_NO, Asking(prompt="cot")))
    assert "step by step" not in words(shown(YES_NO, Asking(prompt="direct")))
    assert "yes or no" in words(shown(YES_NO, Asking(prompt="cot")))


def test_an_unknown_prompt_is_an_error() -> None:
    with pytest.raises(GumptionError, match="tree") as error:
        Asking(prompt="tree").applied([CHOICE])
    assert "cot" in error.value.remedy


def write(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "prompts.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_the_authors_words_go_around_the_question(tmp_path: Path) -> None:
    template = "These are frames.\n{question}\nOptions:\n{options}\nOne of {letters}."
    path = write(tmp_path, {"made": {"choice": template}, "*": {"*": "{question} Now!"}})
    asking = read_prompts(path)
    assert asking.name.endswith(hashlib.sha256(path.read_bytes()).hexdigest())
    question = shown(CHOICE, asking)
    assert question.parts == (
        PICTURE,
        Text("These are frames.\n"),
        Text("Which?"),
        Text("\nOptions:\nA. red\nB. green\nC. blue\nOne of A, B, C."),
    )
    assert shown(YES_NO, read_prompts(write(tmp_path, {"*": {"*": "{question} Now!"}}))).parts == (
        Text("Is it?"),
        Text(" Now!"),
    )


def test_only_the_fields_that_are_named_are_filled(tmp_path: Path) -> None:
    item = msgspec.structs.replace(CHOICE, parts=(Text("{options} {0.__class__}"),))
    asking = read_prompts(write(tmp_path, {"made": {"*": "{x} {0.__class__} {question} {letters}"}}))
    assert words(shown(item, asking)) == "{x} {0.__class__} \n{options} {0.__class__}\n A, B, C"


@pytest.mark.parametrize(
    "content", ["{", "[]", {"made": "x"}, {"made": {"choice": "no place"}}, {"made": {"*": "{question}" * 2}}]
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: object) -> None:
    with pytest.raises(GumptionError) as error:
        read_prompts(write(tmp_path, content))
    assert error.value.where.endswith("prompts.json") and error.value.remedy
    with pytest.raises(GumptionError, match="cannot be read"):
        read_prompts(tmp_path / "none.json")


def test_words_of_another_file_are_shown_around_question_and_options(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text('POST = "Reply as " \'{"answer": 1}\'\n')
    content = {"sources": {"post": "theirs.py#POST"}, "made": {"choice": "{question}\n{options}\n{post}"}}
    asking = read_prompts(write(tmp_path, content))
    assert words(shown(CHOICE, asking)) == 'Which?\n\nA. red\nB. green\nC. blue\nReply as {"answer": 1}'
    assert "post from theirs.py#POST" in asking.name
    # Every rotation has them, too.
    (turned,) = msgspec.structs.replace(asking, circular=True).applied([CHOICE])
    assert [words(prompted(turn)).splitlines()[-1] for turn in rotations(turned)] == [
        'Reply as {"answer": 1}'
    ] * 3


def test_a_benchmark_that_the_file_leaves_out_is_named(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="yes_no items of made"):
        read_prompts(write(tmp_path, {"made": {"choice": "{question}"}})).applied([CHOICE, YES_NO])


def test_a_benchmark_with_words_of_its_own_refuses_another_prompt() -> None:
    item = Item("1", "made", (Text("Draw a plan."),), Answer("actions", gold="{}"))
    with pytest.raises(GumptionError, match="words of its own"):
        Asking(prompt="cot").applied([item])


# ── every rotation ───────────────────────────────────────────────────────────────────────────────────


def test_rotations_of_three_options() -> None:
    turns = rotations(CHOICE)
    assert [turn.answer.choices for turn in turns] == [
        {"A": "red", "B": "green", "C": "blue"},
        {"A": "green", "B": "blue", "C": "red"},
        {"A": "blue", "B": "red", "C": "green"},
    ]
    assert [turn.answer.gold for turn in turns] == ["B", "A", "C"]


@given(texts=st.lists(st.text("abc xyz", min_size=1), min_size=2, max_size=8, unique=True), data=st.data())
def test_the_gold_text_is_the_same_in_every_rotation(texts: list[str], data: st.DataObject) -> None:
    choices = dict(zip("ABCDEFGH", texts, strict=False))
    gold = data.draw(st.sampled_from(sorted(choices)))
    item = Item("1", "made", (Text("Which?"),), Answer("choice", gold=gold, choices=choices))
    turns = rotations(item)
    assert len(turns) == len(choices)
    for turn in turns:
        assert turn.answer.choices is not None
        assert turn.answer.choices[turn.answer.gold] == choices[gold]
        assert list(turn.answer.choices) == list(choices)
    # Every option stands at every letter once.
    assert len({(turn.answer.choices or {})["A"] for turn in turns}) == len(choices)


def test_options_in_the_question_are_turned_there() -> None:
    text = "Which is 1?\nOptions: A: 1, B: 2, C: 12\nAnswer now."
    item = Item("1", "m", (Text(text),), Answer("choice", gold="A", choices={"A": "1", "B": "2", "C": "12"}))
    assert [words(turn) for turn in rotations(item)] == [
        text,
        "Which is 1?\nOptions: A: 2, B: 12, C: 1\nAnswer now.",
        "Which is 1?\nOptions: A: 12, B: 1, C: 2\nAnswer now.",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        Answer("choice", gold="A", choices={"A": "", "B": ""}),
        Answer("choice", gold="A"),
        Answer("yes_no", gold="yes"),
        Answer("number", gold=3),
    ],
)
def test_what_has_no_option_texts_stays_alone(answer: Answer) -> None:
    assert len(rotations(Item("1", "m", (Text("Which?"),), answer))) == 1


class Letter:
    """Answers with the same letter whatever it is asked; and yes."""

    name, prompt, decode = "letter", "", {}

    def __init__(self, letter: str) -> None:
        self._letter = letter

    def identity(self) -> dict[str, str]:
        return {"kind": "letter"}

    def prepare(self, items: object) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:
        return ""

    async def ask(self, question: Item, key: Key, media: object) -> Reply:
        return Reply(*key, self.name, text="yes" if question.answer.kind == "yes_no" else self._letter)

    async def close(self) -> None:
        """Holds nothing open."""


def suite(*items: Item) -> Suite:
    return Suite("made", "1", items)


def test_one_letter_for_everything_is_right_once_and_never_all_round(tmp_path: Path) -> None:
    record = run(suite(CHOICE, YES_NO), Letter("B"), tmp_path / "run", asking=Asking(circular=True))
    rows = {row["item_id"]: row for row in record.scores().to_pylist()}
    assert (rows["1"]["value"], dict(rows["1"]["parts"])["plain"]) == (0.0, 1.0)
    assert (rows["2"]["value"], dict(rows["2"]["parts"])["plain"]) == (1.0, 1.0)
    assert [reply.call for reply in record.replies() if reply.item_id == "1"] == [
        "",
        "rotated/1",
        "rotated/2",
    ]
    card = scorecard(tmp_path / "run")
    assert card.micro.mean == 0.5
    (plain,) = [one for one in card.further if one.name == "micro, plain"]
    assert plain.mean == 1.0
    assert card.protocol["circular"] is True
    # Scored again from the folder alone.
    assert score_run(tmp_path / "run").scores().to_pylist() == record.scores().to_pylist()


def test_the_oracle_is_right_all_round(tmp_path: Path) -> None:
    record = run(suite(CHOICE, YES_NO), Oracle(), tmp_path / "run", asking=Asking(circular=True))
    assert record.scores()["value"].to_pylist() == [1.0, 1.0]


def test_guessing_every_rotation_is_the_power_of_guessing_once(tmp_path: Path) -> None:
    (asked, other) = Asking(circular=True).applied([CHOICE, YES_NO])
    assert chance_of(asked) == pytest.approx(1 / 27) and chance_of(other) == 0.5
    items = [msgspec.structs.replace(CHOICE, id=str(number)) for number in range(2_000)]
    record = run(suite(*items), Random(seed=1), tmp_path / "run", asking=Asking(circular=True))
    values = record.scores()["value"].to_pylist()
    assert sum(values) / len(values) == pytest.approx(1 / 27, abs=4 * (1 / 27 / 2_000) ** 0.5)


def test_options_that_the_authors_words_do_not_show_are_not_rotated(tmp_path: Path) -> None:
    asking = msgspec.structs.replace(
        read_prompts(write(tmp_path, {"made": {"choice": "{question} A to C?"}})), circular=True
    )
    with pytest.raises(GumptionError, match="can be rotated"):
        asking.applied([CHOICE])


def test_circular_needs_options() -> None:
    with pytest.raises(GumptionError, match="can be rotated"):
        Asking(circular=True).applied([YES_NO])


def test_the_protocol_tells_runs_apart(tmp_path: Path) -> None:
    run(suite(CHOICE), Oracle(), tmp_path / "run")
    for asking, said in ((Asking(circular=True), "circular"), (Asking(prompt="cot"), "gumption-v1/cot")):
        with pytest.raises(GumptionError, match=said):
            run(suite(CHOICE), Oracle(), tmp_path / "run", asking=asking)


def judged(item: Item) -> Episode:
    """An episode of two steps, the second asked of a judge, with an official rule of its own."""
    (reply,) = yield (item,)
    (verdict,) = yield (msgspec.structs.replace(item, id=f"{item.id}/judge"),)
    right = float(reply.text == item.answer.gold)
    parts = {} if verdict.text == "drop" else {"official": float(verdict.text)}
    return Score(right, parts=parts, reading=Reading("answered", reply.text))


def drive(items: Item, marks: Iterator[str], reply: str) -> tuple[list[list[str]], Score]:
    (asked,) = Asking(circular=True).applied([items])
    episode = circular(judged)(asked)
    steps = []
    try:
        questions = next(episode)
        while True:
            steps.append([question.id for question in questions])
            questions = episode.send(
                tuple(Reply(q.id, text=next(marks) if "judge" in q.id else reply) for q in questions)
            )
    except StopIteration as stop:
        return steps, stop.value


def test_rotations_go_side_by_side_and_judges_stay_judges() -> None:
    steps, score = drive(CHOICE, iter(["1", "0.5", "1"]), "B")
    assert steps == [
        ["1", "1/rotated/1", "1/rotated/2"],
        ["1/judge", "1/judge/rotated/1", "1/judge/rotated/2"],
    ]
    assert (score.value, score.parts) == (0.0, {"plain": 1.0, "official": 0.5, "official_plain": 1.0})


def test_a_rotation_that_the_official_rule_drops_drops_the_item_from_it() -> None:
    _, score = drive(CHOICE, iter(["1", "drop", "1"]), "B")
    assert score.parts == {"plain": 1.0, "official_plain": 1.0}


def test_the_aggregates_say_which_is_which() -> None:
    official, macro = Aggregate("macro", by="category", part="official"), Aggregate("ours", by="category")
    asking = Asking(circular=True)
    assert asking.official(official) == Aggregate("macro, circular", by="category", part="official")
    assert asking.further(official, (macro,)) == (
        Aggregate("ours, circular", by="category"),
        Aggregate("macro, plain", by="category", part="official_plain"),
        Aggregate("ours, plain", by="category", part="plain"),
        Aggregate("micro, plain", part="plain"),
    )
    assert Asking().official(official) == official and Asking().further(official, (macro,)) == (macro,)
