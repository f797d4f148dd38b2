"""EgoThink without a judge: everything is asked and kept, nothing is scored."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gumption.benchmarks import get
from gumption.benchmarks.egothink import mark
from gumption.models import open_judge, open_models
from gumption.ranking import scorecard
from gumption.records import Image, Text
from gumption.running import run

pytestmark = pytest.mark.data


def test_items_have_their_pictures(public_data: Path) -> None:
    suite = get("egothink").load(public_data)
    sizes = Counter(item.dimension for item in suite.items)
    assert len(suite.items) == 76 and sizes.pop("Activity") == sizes.pop("Forecast") == 8
    assert set(sizes.values()) == {6} and len(sizes) == 10
    for item in suite.items:
        *pictures, question = item.parts
        assert isinstance(question, Text) and pictures
        assert all(isinstance(p, Image) and suite.media.read(p.sha256)[:2] == b"\xff\xd8" for p in pictures)


@pytest.mark.parametrize(
    ("verdict", "value"),
    [
        ("[[1]]", 1.0),
        ("The answer is close. [[0.5]]", 0.5),
        ("At first [[1]], but no: [[0]]", 0.0),
        ("Rating: [0.5]", 0.5),
        ("<think>[[1]]</think>[[0]]", 0.0),
        ("[[0.7]]", None),
        ("[[10]]", None),
        ("1", None),
        ("", None),
        ("error.", None),
    ],
)
def test_a_mark_is_read_or_the_item_stays_unscored(verdict: str, value: float | None) -> None:
    assert mark(verdict) == value


def test_a_judge_marks_and_its_mark_is_the_score(public_data: Path, tmp_path: Path) -> None:
    suite = get("egothink").load(public_data)
    (model,) = open_models("baseline/oracle", accuracy=0.5)
    record = run(suite, model, tmp_path / "run", judge=open_judge("baseline/oracle"))
    scored = {row["item_id"]: row["value"] for row in record.scores().to_pylist()}
    golds = {item.id: item.answer.gold for item in suite.items}
    told = {reply.item_id: reply.text for reply in record.replies() if not reply.call}
    assert {reply.call for reply in record.replies()} == {"", "judge"}
    assert scored == {item: float(told[item] == gold) for item, gold in golds.items()}
    assert 0 < sum(scored.values()) < 76


def test_without_a_judge_coverage_is_zero_and_no_score_is_made_up(public_data: Path, tmp_path: Path) -> None:
    suite = get("egothink").load(public_data)
    (model,) = open_models("baseline/oracle")
    record = run(suite, model, tmp_path / "run", address="egothink", data=public_data)
    assert set(record.scores()["status"].to_pylist()) == {"unscored"}
    card = scorecard(record.folder)
    assert (card.total.n, card.total.planned, card.official.mean) == (0, 76, None)
    assert card.total.bounds == (0.0, 1.0)
