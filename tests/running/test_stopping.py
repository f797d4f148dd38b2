"""Runs that end when enough is known: where they end, what they leave behind, and how they are taken up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from gumption.models import ReadMedia
from gumption.models.replay import Replay
from gumption.ranking import rank_runs, rank_runs_adjusted, scorecard, settle
from gumption.records import Aggregate, Answer, GumptionError, Item, Key, Reply, StopRule, Usage
from gumption.running import Run, run, run_until, score_run
from gumption.running._rounds import rounds
from gumption.suites import Suite
from gumption.suites.drawing import draw

SIDES = {"A": "left", "B": "right", "C": "above", "D": "below"}
ITEMS = tuple(
    Item(
        f"q{number}",
        "quiz",
        (),
        Answer("choice", "A", SIDES),
        cluster=f"c{number // 2}",
        category="abc"[number % 3],
    )
    for number in range(400)
)
SUITE = Suite("quiz", "1", ITEMS)
RULE = StopRule(seed=7, settled=True)


class Model(Replay):
    """Right on a share of the items, the same ones every time. Says what it was asked, and may break down."""

    def __init__(
        self, name: str, share: float, *, breaks_after: int | None = None, failing: float = 0.0
    ) -> None:
        draws = random.Random(name)
        replies = {}
        for item in ITEMS:
            right, fails = draws.random() < share, draws.random() < failing
            usage = Usage(input_tokens=80, output_tokens=20)
            replies[item.id, 0, ""] = (
                Reply(item.id, status="infra_error", error="HTTP 500")
                if fails
                else Reply(item.id, text="A" if right else "B", usage=usage)
            )
        super().__init__(name, replies, "made.jsonl")
        self.asked: list[str] = []
        self._left = breaks_after

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply | None:
        if self._left is not None:
            if self._left == 0:
                raise OSError("the power is out")
            self._left -= 1
        self.asked.append(question.id)
        return await super().ask(question, key, media)


def until(models: Sequence[Model], root: Path, rule: StopRule = RULE, **how: object) -> list[Run]:
    against = how.get("against", ())

    def judged(values, drawing, drawn, names):  # type: ignore[no-untyped-def]
        fixed = len(against)  # type: ignore[arg-type]
        return settle(
            values,
            drawing,
            drawn,
            models=names,
            confidence=rule.confidence,
            margin=rule.margin,
            fixed=fixed,
        )

    folders = [root / model.name for model in models]
    return run_until(SUITE, models, folders, rule, judged, **how)  # type: ignore[arg-type]


def rows_of(record: Run) -> list[str]:
    return [row["item_id"] for row in record.scores().to_pylist()]


def test_a_clear_difference_ends_both_runs_early(tmp_path: Path) -> None:
    models = [Model("good", 0.9), Model("bad", 0.3)]
    good, bad = until(models, tmp_path)
    for record, model in zip((good, bad), models, strict=True):
        stopped = Run.open(record.folder).info.stopped_early
        assert stopped is not None and stopped.reason == "settled"
        assert stopped.items == 400 and stopped.asked == len(model.asked) == len(rows_of(record)) < 200
        assert stopped.saved == 1 - stopped.asked / 400
        # Planned ends where the run was going to end: nothing is missing.
        card = scorecard(record.folder)
        assert card.total.coverage == 1.0 and card.total.planned == stopped.asked
        assert card.official.method == "confidence sequence" and card.stopped == stopped
        assert card.notes[0].startswith(f"Stopped early, settled: {stopped.asked} of 400 items were asked")
    assert good.info.stopped_early and good.info.stopped_early.verdicts == {"bad": "better"}
    assert bad.info.stopped_early and bad.info.stopped_early.verdicts == {"good": "worse"}
    # Both were asked the same items in the same order, whole clusters of them.
    assert rows_of(good) == rows_of(bad)
    assert rows_of(good) == [
        ITEMS[number].id for number in draw(ITEMS, None, 7).items(0, len(rows_of(good)) // 2)
    ]


def test_equal_models_are_asked_every_item_unless_a_margin_makes_them_equal(tmp_path: Path) -> None:
    names = ("one", "two")
    whole = until([Model("one", 0.5), Model("two", 0.5)], tmp_path / "whole")
    twins = [Model("one", 0.97), Model("two", 0.97)]
    for twin, name in zip(twins, names, strict=True):
        twin.name = name
    near = until(twins, tmp_path / "near", msgspec.structs.replace(RULE, margin=0.2))
    assert [record.info.stopped_early for record in whole] == [None, None]
    assert [len(rows_of(record)) for record in whole] == [400, 400]
    assert all(
        record.info.stopped_early and set(record.info.stopped_early.verdicts.values()) == {"equal"}
        for record in near
    )


def test_of_several_models_each_ends_when_its_own_pairs_are_settled(tmp_path: Path) -> None:
    runs = until([Model("best", 0.98), Model("mid", 0.55), Model("mid2", 0.53)], tmp_path)
    best, mid, mid2 = (len(rows_of(record)) for record in runs)
    assert best < 200 and mid == mid2 > best
    ranking = rank_runs([record.folder for record in runs])
    assert ranking.models[0].model == "best"
    # A planned stop is no missing item.
    assert [line.coverage for line in ranking.models] == [1.0] * 3
    assert not any(line.flagged for line in ranking.models)
    adjusted = rank_runs_adjusted([record.folder for record in runs])
    assert [line.coverage for line in adjusted.models] == [1.0] * 3
    assert (
        adjusted.notes == ranking.notes and "best" in ranking.notes[0] and "stopped early" in ranking.notes[0]
    )


def test_an_interrupted_run_is_taken_up_and_ends_at_the_same_place(tmp_path: Path) -> None:
    whole = until([Model("good", 0.8), Model("bad", 0.5)], tmp_path / "whole")
    with pytest.raises(OSError, match="power"):
        until([Model("good", 0.8, breaks_after=50), Model("bad", 0.5)], tmp_path / "cut", concurrency=3)
    again = [Model("good", 0.8), Model("bad", 0.5)]
    taken_up = until(again, tmp_path / "cut", concurrency=5)
    for one, other in zip(whole, taken_up, strict=True):
        assert one.scores().equals(other.scores())
        assert one.info.stopped_early and other.info.stopped_early
        assert one.info.stopped_early.draws == other.info.stopped_early.draws
    assert len(again[0].asked) == len(rows_of(taken_up[0])) - 50


def test_a_run_that_has_ended_asks_nothing_when_it_is_started_again(tmp_path: Path) -> None:
    until([Model("good", 0.9), Model("bad", 0.3)], tmp_path)
    again = [Model("good", 0.9), Model("bad", 0.3)]
    until(again, tmp_path)
    assert [model.asked for model in again] == [[], []]


def test_a_run_without_a_rule_goes_on_to_the_last_item(tmp_path: Path) -> None:
    early, _ = until([Model("good", 0.9), Model("bad", 0.3)], tmp_path)
    asked = len(rows_of(early))
    model = Model("good", 0.9)
    record = run(SUITE, model, early.folder)
    assert record.info.stopped_early is None and len(rows_of(record)) == 400
    assert len(model.asked) == 400 - asked


def test_scoring_again_keeps_to_what_was_planned(tmp_path: Path) -> None:
    record, _ = until([Model("good", 0.9, failing=0.1), Model("bad", 0.2)], tmp_path)
    before = record.scores()
    (record.folder / "scores.parquet").unlink()
    assert score_run(record.folder).scores().equals(before)
    assert record.info.stopped_early
    total = scorecard(record.folder).total
    # Failed requests are of the plan, and lower coverage as ever.
    assert total.planned == record.info.stopped_early.asked and 0.8 < total.coverage < 1.0


def test_budgets_end_a_run_by_what_was_recorded(tmp_path: Path) -> None:
    tokens = StopRule(seed=1, most_tokens=5_000)
    first = until([Model("m", 0.5)], tmp_path / "tokens", tokens)[0]
    stopped = first.info.stopped_early
    # 100 tokens an item: the round in which 50 items are reached is asked to its end.
    ends = [len(draw(ITEMS, None, 1).items(0, last)) for _, last in rounds(draw(ITEMS, None, 1))]
    assert stopped and stopped.reason == "tokens" and stopped.asked == min(end for end in ends if end >= 50)
    again = until([Model("m", 0.5)], tmp_path / "tokens", tokens)[0]
    assert again.scores().equals(first.scores())
    # Two models spend together: half as many items each.
    both = until([Model("m", 0.5), Model("n", 0.5)], tmp_path / "both", tokens)
    assert both[0].info.stopped_early and both[0].info.stopped_early.asked == min(e for e in ends if e >= 25)
    # 80 tokens at 1 and 20 at 6 for a million: 0.0002 an item.
    cost = StopRule(seed=1, most_cost=0.02, prices=(1.0, 6.0))
    paid = until([Model("m", 0.5)], tmp_path / "cost", cost)[0].info.stopped_early
    assert paid and paid.reason == "cost" and paid.asked == min(end for end in ends if end >= 100)
    clock = StopRule(seed=1, most_seconds=1e-9)
    timed = until([Model("m", 0.5)], tmp_path / "time", clock)[0].info.stopped_early
    assert timed and timed.reason == "time" and timed.asked == ends[0]


def test_a_difference_to_an_earlier_run_is_settled_without_asking_it_again(tmp_path: Path) -> None:
    earlier = run(SUITE, Model("old", 0.3), tmp_path / "old")
    new = until([Model("new", 0.8)], tmp_path, against=[earlier.folder])[0]
    stopped = new.info.stopped_early
    assert stopped and stopped.verdicts == {"old": "better"} and stopped.asked < 200
    assert new.info.stop and new.info.stop.against == ("../old",)


def test_earlier_runs_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    other = run(Suite("quiz", "1", ITEMS[:100]), Model("old", 0.3), tmp_path / "other")
    with pytest.raises(GumptionError, match="followed another protocol"):
        until([Model("new", 0.8)], tmp_path / "a", against=[other.folder])
    early, _ = until([Model("good", 0.9), Model("bad", 0.3)], tmp_path / "early")
    with pytest.raises(GumptionError, match="stopped early in random order of seed 7"):
        until(
            [Model("new", 0.8)],
            tmp_path / "b",
            msgspec.structs.replace(RULE, seed=8),
            against=[early.folder],
        )


def test_rules_that_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="nothing to settle"):
        until([Model("m", 0.5)], tmp_path / "one")
    with pytest.raises(GumptionError, match="two models are called m"):
        until([Model("m", 0.5), Model("m", 0.5)], tmp_path / "two")
    until([Model("good", 0.9), Model("bad", 0.3)], tmp_path / "seed")
    with pytest.raises(GumptionError, match="drawn in random order of seed 7"):
        until(
            [Model("good", 0.9), Model("bad", 0.3)],
            tmp_path / "seed",
            msgspec.structs.replace(RULE, seed=8),
        )


def test_an_order_by_information_is_exploratory_and_has_no_interval(tmp_path: Path) -> None:
    rule = msgspec.structs.replace(RULE, order="information")
    with pytest.raises(GumptionError, match="nothing tells which items inform"):
        until([Model("new", 0.9), Model("newer", 0.2)], tmp_path / "none", rule)
    earlier = [run(SUITE, Model(name, 0.5), tmp_path / name) for name in ("old", "older")]
    new = until([Model("new", 0.95)], tmp_path, rule, against=[one.folder for one in earlier])[0]
    card = scorecard(new.folder)
    assert card.stopped and card.official.low is None and "Exploratory" in card.notes[0]
    old, older = ({row["item_id"]: row["value"] for row in one.scores().to_pylist()} for one in earlier)
    apart = [old[item] != older[item] for item in rows_of(new)]
    # By cluster: those with two items that the earlier runs differ on come before those with one.
    in_clusters = [first + second for first, second in zip(apart[::2], apart[1::2], strict=True)]
    assert in_clusters == sorted(in_clusters, reverse=True)
    noted = rank_runs([*(one.folder for one in earlier), new.folder]).notes
    assert len(noted) == 1 and noted[0].startswith("new stopped early, on items chosen")
    before = new.scores()
    assert score_run(new.folder).scores().num_rows == before.num_rows


def test_rare_strata_of_a_macro_mean_are_asked_early(tmp_path: Path) -> None:
    rare = tuple(
        msgspec.structs.replace(item, category="rare" if number < 40 else "common", cluster="")
        for number, item in enumerate(ITEMS)
    )
    suite = Suite("quiz", "1", rare, official=Aggregate("macro", "category"))
    record = run_until(
        suite,
        [Model("m", 0.5)],
        [tmp_path / "m"],
        StopRule(seed=1, most_tokens=8_000),
        lambda *_: None,  # type: ignore[arg-type,return-value]
    )[0]
    categories = [row["category"] for row in record.scores().to_pylist()]
    # One item in ten is rare; nine in ten of its chances go to it.
    assert 0.25 < categories.count("rare") / len(categories) < 0.6
    assert scorecard(record.folder).official.method == "confidence sequence"


def test_rounds_cover_every_draw_once_and_grow() -> None:
    drawing = draw(ITEMS, None, 0)
    spans = list(rounds(drawing))
    assert [number for first, last in spans for number in range(first, last)] == list(range(200))
    sizes = [len(drawing.items(first, last)) for first, last in spans]
    assert sizes[0] >= 32 and sum(sizes) == 400
