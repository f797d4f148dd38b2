"""Talks are driven, recorded and taken up as episodes are."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gumption.records import Answer, GumptionError, Item, Key, Reply, Text
from gumption.running import Run, Talk, hold


class Parrot:
    """Says a question's words back, and remembers what it was asked."""

    prompt = ""
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, name: str = "parrot", behave: Callable[[Item, Key], Reply | None] | None = None
    ) -> None:
        self.name = name
        self.asked: Counter[Key] = Counter()
        self.closed = self.in_flight = self.peak = self.most_tasks = 0
        self.behave = behave or (lambda question, key: Reply(*key, name, text=words(question)))

    def identity(self) -> dict[str, Any]:
        return {"kind": "parrot"}

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:
        return f"{self.name}: {words(question)}"

    async def ask(self, question: Item, key: Key, media: object) -> Reply | None:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        self.most_tasks = max(self.most_tasks, len(asyncio.all_tasks()))
        await asyncio.sleep(0)
        self.in_flight -= 1
        self.asked[key] += 1
        reply = self.behave(question, key)
        if reply is None:
            return None
        return Reply(
            *key, reply.model, reply.status, reply.text, request_sha256=self.request_sha256(question)
        )

    async def close(self) -> None:
        self.closed += 1


def words(question: Item) -> str:
    return "".join(part.text for part in question.parts if isinstance(part, Text))


def question(id: str, said: str = "") -> Item:
    return Item(id, "quiz", (Text(said or id),), Answer("text"))


def rounds(*calls: Sequence[str]) -> Talk[list[list[tuple[str, str]]]]:
    """Asks the calls, a tuple after another, and returns status and text of each reply."""
    told = []
    for round_ in calls:
        replies = yield tuple(question(call) for call in round_)
        assert len(replies) == len(round_)
        told.append([(reply.status, reply.text) for reply in replies])
    return told


def ok(*texts: str) -> list[tuple[str, str]]:
    return [("ok", text) for text in texts]


def recorded(folder: Path) -> list[Reply]:
    return list(Run.open(folder).replies())


def test_every_talk_gets_its_replies_in_order_from_the_model_of_the_call(tmp_path: Path) -> None:
    one, two = Parrot("one"), Parrot("two")
    seen: list[tuple[int, int]] = []
    told = hold(
        {
            "a": rounds(["propose/1"], ["vote/0/x", "vote/1/x", "vote/0/y"]),
            "vote": rounds(["vote/1/x"]),
            "none": rounds(),
        },
        lambda call: two if call.startswith("vote/1") else one,
        tmp_path / "talks",
        progress=lambda answered, asked: seen.append((answered, asked)),
    )
    assert told == {
        "a": [ok("propose/1"), ok("vote/0/x", "vote/1/x", "vote/0/y")],
        "vote": [ok("vote/1/x")],
        "none": [],
    }
    keys = {("a", 0, "propose/1"), ("a", 0, "vote/0/x"), ("a", 0, "vote/0/y")}
    others = {("a", 0, "vote/1/x"), ("vote", 0, "vote/1/x")}
    assert set(one.asked) == keys and set(two.asked) == others
    assert {reply.key: reply.model for reply in recorded(tmp_path / "talks")} == {
        **dict.fromkeys(keys, "one"), **dict.fromkeys(others, "two"),
    }  # fmt: skip
    assert one.closed == two.closed == 1
    assert seen[-1] == (5, 5) and all(answered <= asked for answered, asked in seen)


def test_a_talk_that_was_cut_short_is_taken_up_without_a_question_repeated_or_lost(tmp_path: Path) -> None:
    calls = [[f"q{n}" for n in range(7)], ["middle"], [f"r{n}" for n in range(5)]]
    told, asked = {}, Counter[Key]()
    for fuel in (1, 3, 4, 6, 100):  # replies until the power fails
        left = [fuel]

        def behave(question: Item, key: Key, left: list[int] = left) -> Reply:
            if not left[0]:
                raise RuntimeError("power failure")
            left[0] -= 1
            asked[key] += 1
            return Reply(*key, "parrot", text=words(question))

        parrot = Parrot(behave=behave)
        try:
            told = hold({"t": rounds(*calls)}, lambda call, it=parrot: it, tmp_path / "t", concurrency=3)
        except RuntimeError as error:
            assert str(error) == "power failure"
        assert parrot.closed == 1
    assert told == {"t": [ok(*round_) for round_ in calls]}
    assert asked == Counter({("t", 0, call): 1 for round_ in calls for call in round_})
    assert len(recorded(tmp_path / "t")) == 13
    # Held once more, nothing is asked.
    idle = Parrot(behave=lambda question, key: pytest.fail("asked again"))
    assert hold({"t": rounds(*calls)}, lambda call: idle, tmp_path / "t") == told


def test_a_talk_is_told_of_failed_requests_and_they_are_asked_again_next_time(tmp_path: Path) -> None:
    broken = Parrot(
        behave=lambda question, key: Reply(
            *key, "parrot", "infra_error" if key[2] == "b" else "refused" if key[2] == "c" else "ok", key[2]
        )
    )
    told = hold({"t": rounds("abc")}, lambda call: broken, tmp_path / "t")
    assert told == {"t": [[("ok", "a"), ("infra_error", "b"), ("refused", "c")]]}
    mended = Parrot()
    told = hold({"t": rounds("abc")}, lambda call: mended, tmp_path / "t")
    # A refusal is an answer; only the failed request is made again.
    assert told == {"t": [[("ok", "a"), ("ok", "b"), ("refused", "c")]]}
    assert mended.asked == Counter({("t", 0, "b"): 1})


def test_a_reply_to_other_words_or_of_another_model_does_not_count(tmp_path: Path) -> None:
    def one(said: str) -> Talk[str]:
        (reply,) = yield (question("q", said),)
        return reply.text

    def held(said: str, model: Parrot) -> str:
        return hold({"t": one(said)}, lambda call: model, tmp_path / "t")["t"]

    parrot, raven = Parrot(), Parrot("raven")
    assert [held(said, parrot) for said in ("old", "new", "old", "new")] == ["old", "new", "old", "new"]
    assert parrot.asked.total() == 2
    assert held("old", raven) == "old" and raven.asked.total() == 1


def test_one_limit_holds_for_all_talks_and_many_questions_are_no_crowd_of_tasks(tmp_path: Path) -> None:
    parrot = Parrot()
    talks = {f"t{n}": rounds([f"q{k}" for k in range(2_000)]) for n in range(3)}
    told = hold(talks, lambda call: parrot, tmp_path / "t", concurrency=5)
    assert told == {f"t{n}": [ok(*(f"q{k}" for k in range(2_000)))] for n in range(3)}
    assert parrot.peak == 5
    assert parrot.most_tasks <= 5 + 3 + 1
    assert len({reply.key for reply in recorded(tmp_path / "t")}) == 6_000


def test_an_error_in_a_talk_is_raised_with_its_name_and_ends_the_others(tmp_path: Path) -> None:
    closed = []

    def endless() -> Talk[str]:
        try:
            for n in range(10_000):
                yield (question(f"q{n}"),)
        finally:
            closed.append("endless")
        return "never"

    def wrong() -> Talk[str]:
        yield (question("q"),)
        raise ValueError("no such thing")

    parrot = Parrot()
    with pytest.raises(ValueError, match="no such thing") as raised:
        hold({"long": endless(), "bad": wrong()}, lambda call: parrot, tmp_path / "t")
    assert raised.value.__notes__ == ["in the talk 'bad'"]
    assert closed == ["endless"] and parrot.closed == 1


def test_a_recorded_model_without_a_reply_is_a_failed_request_and_nothing_is_kept(tmp_path: Path) -> None:
    told = hold({"t": rounds("a")}, lambda call: Parrot(behave=lambda *_: None), tmp_path / "t")
    assert told == {"t": [[("infra_error", "")]]} and not recorded(tmp_path / "t")


def test_a_folder_of_something_else_and_a_limit_of_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(GumptionError, match="not empty and not a run"):
        hold({"t": rounds("a")}, lambda call: Parrot(), tmp_path)
    with pytest.raises(GumptionError, match="0 requests at once"):
        hold({"t": rounds("a")}, lambda call: Parrot(), tmp_path / "t", concurrency=0)


def test_two_holders_of_one_folder_are_refused(tmp_path: Path) -> None:
    def second(question: Item, key: Key) -> Reply:
        with pytest.raises(GumptionError, match="another process"):
            hold({"u": rounds("a")}, lambda call: Parrot(), tmp_path / "t")
        return Reply(*key, text="told")

    assert hold({"t": rounds("a")}, lambda call: Parrot(behave=second), tmp_path / "t") == {"t": [ok("told")]}
