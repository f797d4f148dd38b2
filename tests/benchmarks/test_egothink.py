"""EgoThink on files in the published schema, and on the 76 questions that are at hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from oracle_runs import card_of, hub_pictures, picture, write_parquet

from gumption.benchmarks import get
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks.egothink import _DIMENSIONS, mark, official_mark
from gumption.models import open_judge, open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError, Image, Item, Reply, Score, Text
from gumption.running import run
from gumption.suites import Suite


def write(folder: Path, *, leave_out: str = "") -> Path:
    """Three questions of Activity, two of Forecasting, one of each other dimension."""
    for place, name in enumerate(_DIMENSIONS):
        count = {"Activity": 3, "Forecasting": 2}.get(name, 1)
        if name != leave_out:
            write_parquet(
                folder / name / "test-00000-of-00001.parquet",
                {
                    "image": hub_pictures([picture([[place]])] * count),
                    "question": [f"What am I doing in {name}?"] * count,
                    "answer": ["folding clothes", "No.", "2"][:count],
                },
            )
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return get("egothink").load(write(tmp_path_factory.mktemp("egothink")))


def play(item: Item, text: str, verdicts: dict[str, str]) -> tuple[Score, dict[str, str]]:
    """The score with these verdicts by call, and what the judge was shown between the dashes."""
    episode = get("egothink").episode(item)
    next(episode)
    shown: dict[str, str] = {}
    try:
        questions = episode.send((Reply(item.id, text=text),))
        for question in questions:
            (words,) = question.parts
            assert isinstance(words, Text)
            shown[question.id[len(item.id) + 1 :]] = words.text.split("---")[1].strip()
        replies = [verdicts[question.id[len(item.id) + 1 :]] for question in questions]
        episode.send(tuple(Reply(item.id, text=verdict) for verdict in replies))
    except StopIteration as stop:
        score: Score = stop.value
        return score, shown
    raise AssertionError("the episode asks for more")


def test_items_in_the_published_schema(suite: Suite) -> None:
    sizes = Counter(item.dimension for item in suite.items)
    assert len(sizes) == 12 and (sizes.pop("Activity"), sizes.pop("Forecast")) == (3, 2)
    assert set(sizes.values()) == {1} and "Localization/spatial" in sizes
    item = next(item for item in suite.items if item.id == "Activity/1")
    assert isinstance(item.parts[0], Image) and item.parts[1] == Text("What am I doing in Activity?")
    assert (item.answer.kind, item.answer.gold, item.category) == ("text", "No.", "Activity")


def test_the_oracle_with_an_oracle_for_judge(suite: Suite, tmp_path: Path) -> None:
    right = card_of(suite, tmp_path / "right", 1.0, judged=True)
    wrong = card_of(suite, tmp_path / "wrong", 0.0, judged=True)
    assert right.official.mean == pytest.approx(1.0)  # a mean of twelve
    assert right.micro.mean == 1.0 and right.total.n == 15
    assert (wrong.official.mean, wrong.micro.mean, wrong.total.n) == (0.0, 0.0, 15)
    assert [one.mean for one in wrong.further] == [0.0] and right.total.chance == 0.0


def test_every_dimension_counts_the_same(suite: Suite, tmp_path: Path) -> None:
    """Right in one of Activity's three and in all of Forecast's two: (1/3 + 1) / 12, not 3/15."""
    right = {"Activity/0", "Forecast/0", "Forecast/1"}
    (tmp_path / "replies.jsonl").write_text(
        "\n".join(
            f'{{"id": "{item.id}", "reply": "{item.answer.gold if item.id in right else "waving"}"}}'
            for item in suite.items
        )
    )
    (model,) = open_models(f"replay/{tmp_path / 'replies.jsonl'}")
    card = scorecard(run(suite, model, tmp_path / "run", judge=open_judge("baseline/oracle")).folder)
    assert card.official.mean == pytest.approx((1 / 3 + 1) / 12)
    assert card.micro.mean == pytest.approx(3 / 15)


def test_a_folder_that_lacks_a_dimension_is_told(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=r"no Object_affordance/test-\*\.parquet"):
        get("egothink").load(write(tmp_path, leave_out="Object_affordance"))


@pytest.mark.parametrize(
    ("verdict", "value", "official"),
    [
        ("[[1]]", 1.0, 1.0),
        ("The answer is close. [[0.5]]", 0.5, 0.5),
        ("At first [[1]], but no: [[0]]", 0.0, 1.0),  # theirs is the first
        ("Rating: [0.5]", 0.5, 0.5),
        ("[1] is the reference. [[0]]", 0.0, 0.0),  # double brackets come before single ones
        ("<think>[[1]]</think>[[0]]", 0.0, 1.0),
        ("[[ 1 ]]", 1.0, None),
        ("[[0.7]]", None, 0.7),  # no mark that was asked for, but a number to their code
        ("[[10]]", None, None),
        ("1", None, None),
        ("", None, None),
        ("error.", None, None),
    ],
)
def test_a_mark_is_read_or_the_item_stays_unscored(
    verdict: str, value: float | None, official: float | None
) -> None:
    assert (mark(verdict), official_mark(verdict)) == (value, official)


def test_the_judge_sees_our_reading_and_the_whole_reply_where_they_differ(suite: Suite) -> None:
    item = suite.items[0]
    reply = "<think>It may be a shirt.</think>\nfolding clothes"
    score, shown = play(item, reply, {"judge": "[[1]]", "judge/whole": "[[0.5]]"})
    assert shown == {"judge": "folding clothes", "judge/whole": reply}
    assert (score.value, score.parts[OFFICIAL]) == (1.0, 0.5)
    score, shown = play(item, "folding clothes", {"judge": "[[0.5]]"})
    assert list(shown) == ["judge"] and (score.value, score.parts[OFFICIAL]) == (0.5, 0.5)


def test_refusals_and_unread_marks(suite: Suite) -> None:
    """A refusal is 0 by our reading and marked officially; an unread mark leaves both numbers out."""
    item = suite.items[0]
    score, shown = play(item, "I'm sorry, I can't tell.", {"judge/whole": "[[0.5]]"})
    assert list(shown) == ["judge/whole"] and (score.value, score.parts[OFFICIAL]) == (0.0, 0.5)
    score, _ = play(item, "folding clothes", {"judge": "good"})
    assert score.value is None and OFFICIAL not in score.parts


@pytest.mark.data
def test_items_have_their_pictures(public_data: Path) -> None:
    suite = get("egothink").load(public_data)
    sizes = Counter(item.dimension for item in suite.items)
    assert len(suite.items) == 76 and sizes.pop("Activity") == sizes.pop("Forecast") == 8
    assert set(sizes.values()) == {6} and len(sizes) == 10
    assert {*sizes, "Activity", "Forecast"} == set(_DIMENSIONS.values())
    for item in suite.items:
        *pictures, question = item.parts
        assert isinstance(question, Text) and pictures
        assert all(isinstance(p, Image) and suite.media.read(p.sha256)[:2] == b"\xff\xd8" for p in pictures)


@pytest.mark.data
def test_a_judge_marks_and_its_mark_is_the_score(public_data: Path, tmp_path: Path) -> None:
    suite = get("egothink").load(public_data)
    (model,) = open_models("baseline/oracle", accuracy=0.5)
    record = run(suite, model, tmp_path / "run", judge=open_judge("baseline/oracle"))
    scored = {row["item_id"]: row["value"] for row in record.scores().to_pylist()}
    golds = {item.id: item.answer.gold for item in suite.items}
    told = {reply.item_id: reply.text for reply in record.replies() if not reply.call}
    assert {reply.call for reply in record.replies()} <= {"", "judge", "judge/whole"}
    assert scored == {item: float(told[item] == gold) for item, gold in golds.items()}
    assert 0 < sum(scored.values()) < 76


@pytest.mark.data
def test_without_a_judge_coverage_is_zero_and_no_score_is_made_up(public_data: Path, tmp_path: Path) -> None:
    suite = get("egothink").load(public_data)
    (model,) = open_models("baseline/oracle")
    record = run(suite, model, tmp_path / "run", address="egothink", data=public_data)
    assert set(record.scores()["status"].to_pylist()) == {"unscored"}
    card = scorecard(record.folder)
    assert (card.total.n, card.total.planned, card.official.mean) == (0, 76, None)
    assert card.total.bounds == (0.0, 1.0)
