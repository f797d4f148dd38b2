"""Scorecards worked by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from gumption.ranking import interval, scorecard
from gumption.records import Aggregate, GumptionError, Scored

Row = Callable[..., Scored]


def toy(row: Row) -> list[Scored]:
    """Four sub-tasks: 1 of 1, 1 of 2, 0 of 3, 3 of 4 right. Micro 5/10; macro (1 + 1/2 + 0 + 3/4) / 4."""
    plan = {"art": [1], "count": [1, 0], "depth": [0, 0, 0], "maze": [1, 1, 1, 0]}
    return [
        row(f"{task}{i}", float(v), category=task)
        for task, values in plan.items()
        for i, v in enumerate(values)
    ]


def test_micro_macro_and_official_of_four_sub_tasks(row: Row) -> None:
    weights = {"art": 1.0, "count": 1.0, "depth": 2.0, "maze": 0.0}
    card = scorecard(toy(row), Aggregate("house rule", "category", weights), model="m")
    assert card.micro.mean == pytest.approx(0.5)
    assert card.macro.mean == pytest.approx(0.5625)
    assert card.official.mean == pytest.approx((1 + 0.5 + 0) / 4)
    assert [card.micro.name, card.macro.name, card.official.name] == [
        "micro",
        "macro over category",
        "house rule",
    ]
    assert [(s.name, s.n) for s in card.categories] == [("art", 1), ("count", 2), ("depth", 3), ("maze", 4)]
    assert [s.score.mean for s in card.categories] == pytest.approx([1, 0.5, 0, 0.75])
    assert (card.benchmark, card.model, card.total.n, card.total.planned) == ("toy", "m", 10, 10)
    assert card.dimensions == ()


def test_weights_may_name_the_rows_without_a_category(row: Row) -> None:
    rows = [row("1", 1.0, category="a"), row("2", 0.0)]
    assert scorecard(rows, Aggregate("named only", "category", {"a": 1})).official.mean == 1.0
    assert scorecard(rows, Aggregate("all", "category", {"a": 1, "": 3})).official.mean == pytest.approx(0.25)


@pytest.mark.parametrize("official", [None, "maze alone"])
def test_an_aggregate_that_weighs_nothing_that_is_there_has_no_mean(row: Row, official: str | None) -> None:
    """As the first items of a benchmark leave a whole stratum out: no number is better than an error."""
    rows = [one for one in toy(row) if one.category in ("art", "count")]
    lost = Aggregate("maze alone", "category", {"art": 0.0, "count": 0.0, "maze": 1.0})
    card = scorecard(rows, lost if official else None, further=(lost, Aggregate("micro again")))
    assert [one.mean for one in card.further] == [None, pytest.approx(2 / 3)]
    assert card.micro.mean == pytest.approx(2 / 3)
    assert card.official.mean == (None if official else card.micro.mean)
    assert card.notes.count("maze alone has no mean: no row is of category maze.") == 1
    assert not any("leaves out" in note for note in card.notes)


def test_without_a_rule_official_is_micro_and_says_so(row: Row) -> None:
    card = scorecard(toy(row))
    assert card.official.mean == card.micro.mean
    assert card.official.name == "micro (no official aggregate given)"


def test_macro_is_over_benchmarks_without_categories_and_micro_with_one_stratum(row: Row) -> None:
    rows = [row("1", 1.0, benchmark="a"), row("2", 0.0, benchmark="a"), row("1", 1.0, benchmark="b")]
    card = scorecard(rows)
    assert card.macro.mean == pytest.approx(0.75)
    assert (card.macro.name, card.benchmark) == ("macro over benchmark", "a, b")
    assert scorecard(rows[:2]).macro == scorecard(rows[:2]).micro


def test_a_row_without_a_score_lowers_coverage_and_never_the_mean(row: Row) -> None:
    rows = [row(str(i), 1.0) for i in range(6)] + [row("6", 0.0), row("7", 0.0)] + [row("8"), row("9")]
    total = scorecard(rows).total
    assert (total.n, total.planned, total.coverage) == (8, 10, 0.8)
    assert total.score.mean == pytest.approx(0.75)
    assert total.bounds == pytest.approx((0.6, 0.8))
    assert any("80.0%" in note and "0.600" in note and "0.800" in note for note in scorecard(rows).notes)


def test_chance_adjustment_is_sites(row: Row) -> None:
    # Two 2-way and two 4-way questions, three right: (3 - 1.5) / (4 - 1.5).
    chances = [(1.0, 0.5), (0.0, 0.5), (1.0, 0.25), (1.0, 0.25)]
    rows = [row(str(i), v, chance=c) for i, (v, c) in enumerate(chances)]
    total = scorecard([*rows, row("lost", chance=0.9)]).total
    assert total.chance == pytest.approx(0.375)
    assert total.adjusted.mean == pytest.approx(0.6)
    assert total.adjusted.low == pytest.approx((total.score.low - 0.375) / 0.625)
    assert total.adjusted.high == pytest.approx((total.score.high - 0.375) / 0.625)
    certain = scorecard([row("1", 1.0, chance=1.0)]).total
    assert certain.adjusted.mean is None


def test_statuses_and_outcomes_are_shares_of_the_scored_rows(row: Row) -> None:
    rows = [
        row("1", 1.0),
        row("2", 0.0, outcome="unanswered", status="truncated"),
        row("3", 0.0, outcome="unanswered"),
        row("4", 0.0, outcome="ambiguous"),
        row("5", 0.0, outcome="refused"),
        row("6", 0.0, outcome="unanswered", status="refused"),
        row("7", 1.0, status="truncated"),
        row("8", 0.0),
        row("9"),
        row("10", status="diverged"),
    ]
    card = scorecard(rows)
    assert card.total.unread == 3 / 8
    assert card.total.ambiguous == 1 / 8
    assert card.total.refused == 2 / 8
    assert card.total.truncated == 2 / 8
    assert card.statuses == {"diverged": 1, "infra_error": 1, "ok": 5, "refused": 1, "truncated": 2}
    assert card.outcomes == {"ambiguous": 1, "answered": 3, "refused": 1, "unanswered": 3}
    assert card.total.score.mean == pytest.approx(2 / 8)


def test_epochs_of_an_item_stay_in_one_cluster(row: Row) -> None:
    right = [i % 3 > 0 for i in range(30)]
    once = scorecard([row(str(i), float(v)) for i, v in enumerate(right)])
    often = scorecard([row(str(i), float(v), epoch=e) for i, v in enumerate(right) for e in range(4)])
    assert often.total.n == 120
    expected = interval(np.repeat(right, 4), clusters=np.repeat(np.arange(30), 4))
    assert (often.micro.low, often.micro.high) == (expected.low, expected.high)
    assert often.micro.high - often.micro.low > 0.9 * (once.micro.high - once.micro.low)


def test_cluster_names_belong_to_their_benchmark(row: Row) -> None:
    def rows(second: str) -> list[Scored]:
        return [
            row(f"{b}{i}", float(i % 2), benchmark=b, cluster=f"scene{i}")
            for b in ("a", second)
            for i in range(2 if second == "a" else 1, 26)
        ]

    two = scorecard(rows("b"))
    labels = [(b, i) for b in "ab" for i in range(1, 26)]
    expected = interval([float(i % 2) for _, i in labels], clusters=[f"{b}/{i}" for b, i in labels])
    assert (two.micro.low, two.micro.high) == (expected.low, expected.high)


def test_an_item_is_not_taken_for_a_scene_of_its_name(row: Row) -> None:
    values = [0.4, 0.5, 0.6, 0.7]
    rows = [row("a", 0.4), row("s", 0.5), row("1", 0.6, cluster="s"), row("2", 0.7, cluster="s")]
    expected = interval(values, clusters=["item a", "item s", "scene", "scene"])
    assert scorecard(rows).micro.high == pytest.approx(expected.high)
    assert interval(values, clusters=["a", "s", "s", "s"]).high != pytest.approx(expected.high)


def test_notes_speak_of_what_a_reader_must_know(row: Row) -> None:
    nothing = scorecard([row("1", category="a"), row("2", category="b")])
    assert (nothing.micro.mean, nothing.macro.mean, nothing.total.coverage) == (None, None, 0.0)
    assert nothing.total.bounds == (0.0, 1.0)
    assert nothing.notes == ("Nothing was scored: none of the 2 planned rows has a value.",)
    rows = [row(str(i), 1.0, category="ab"[i % 2]) for i in range(97)]
    assert scorecard(rows).notes == ()
    rows += [row("97", category="c"), row("98", 1.0), row("99", 1.0)]
    assert scorecard(rows).notes == (
        "macro over category leaves out category c: nothing was scored there.",
        "macro over category leaves out 2 rows that have no category.",
    )
    rule = Aggregate("house rule", "category", {"a": 1, "b": 1, "sky": 1, "sea": 0})
    assert scorecard(rows[:97], rule).notes == (
        "house rule leaves out category sky: nothing was scored there.",
    )
    few = scorecard([row(str(i), 1.0, cluster=str(i % 7)) for i in range(70)])
    assert any("only 7 independent clusters" in note for note in few.notes)


def test_no_rows_at_all() -> None:
    card = scorecard([])
    assert (card.total.planned, card.total.n, card.micro.mean) == (0, 0, None)


def test_a_table_gives_what_its_rows_give(row: Row) -> None:
    rows = [*toy(row), row("lost", category="maze")]
    plain = [msgspec.structs.asdict(r) for r in rows]
    names = [n for n in plain[0] if n not in ("repairs", "errors", "details", "parts")]
    table = pa.table({n: [r[n] for r in plain] for n in names})
    coded = table.set_column(
        table.column_names.index("category"), "category", table["category"].dictionary_encode()
    )
    assert scorecard(table) == scorecard(coded) == scorecard(rows)


def test_a_run_folder_says_its_own_rule(row: Row, write_run: Callable[..., Path]) -> None:
    official = {"name": "macro over 4", "by": "category"}
    folder = write_run("gpt", toy(row), official=official, protocol={"epochs": 1})
    card = scorecard(folder)
    assert (card.model, card.official.name, card.protocol) == ("gpt", "macro over 4", {"epochs": 1})
    assert card.official.mean == pytest.approx(0.5625)
    assert scorecard(str(folder), Aggregate("micro"), model="other").official.mean == pytest.approx(0.5)


def test_a_scorecard_survives_json(row: Row) -> None:
    card = scorecard(toy(row))
    assert msgspec.json.decode(msgspec.json.encode(card), type=type(card)) == card


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"value": 1.5}, "1.5"),
        ({"chance": -0.5}, "-0.5"),
        ({"epoch": 0}, "'3', epoch 0 stands there twice"),
        ({"item_id": ""}, "item_id is empty"),
        ({"chance": None}, "no chance"),
    ],
)
def test_bad_rows_are_named(row: Row, change: dict[str, Any], said: str) -> None:
    rows = [row(str(i), 1.0) for i in range(4)]
    plain = [msgspec.structs.asdict(r) for r in [*rows, row("3", 1.0, epoch=1)]]
    plain[4] |= change
    names = [n for n in plain[0] if n not in ("repairs", "errors", "details", "parts")]
    with pytest.raises(GumptionError, match=said) as caught:
        scorecard(pa.table({n: [r[n] for r in plain] for n in names}))
    assert "4" in caught.value.where
    assert caught.value.remedy


def test_bad_tables_and_folders_are_named(row: Row, write_run: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="no column benchmark, category"):
        scorecard(pa.table({"item_id": ["1"]}))
    table = {
        n: ["x"] for n in ("item_id", "benchmark", "category", "dimension", "cluster", "status", "outcome")
    }
    with pytest.raises(GumptionError, match="column value does not hold double"):
        scorecard(pa.table({**table, "epoch": [0], "value": ["right"], "chance": [0.0]}))
    with pytest.raises(GumptionError, match="cannot be read"):
        scorecard(tmp_path / "nowhere")
    folder = write_run("run", [row("1", 1.0)])
    (folder / "scores.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(GumptionError, match="cannot be read") as caught:
        scorecard(folder)
    assert "gumption score" in caught.value.remedy
    (folder / "run.json").write_text('{"model": 3}')
    with pytest.raises(GumptionError, match="model"):
        scorecard(folder)
    with pytest.raises(GumptionError, match="no weight for category maze"):
        scorecard(toy(row), Aggregate("x", "category", {"art": 1, "count": 1, "depth": 1}))


@pytest.mark.data
@pytest.mark.parametrize(("model", "macro", "micro"), [("GPT4o", 0.6004, 0.5992), ("GPT4V", 0.5109, 0.5039)])
def test_blink_as_published(public_data: Path, row: Row, model: str, macro: float, micro: float) -> None:
    blink = np.load(public_data / "response_matrices" / "blink_val.npz")
    right = blink["X"][list(blink["models"]).index(model)]
    rows = [
        row(str(i), float(v), category=str(g), benchmark="blink")
        for i, g, v in zip(blink["ids"], blink["groups"], right, strict=True)
    ]
    card = scorecard(rows, Aggregate("macro over 14 tasks", "category"))
    assert round(card.official.mean or 0, 4) == round(card.macro.mean or 0, 4) == macro
    assert round(card.micro.mean or 0, 4) == micro
    assert len(card.categories) == 14
