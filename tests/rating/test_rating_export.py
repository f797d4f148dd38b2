"""Progress, agreement and exports against counts and means worked by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow.parquet
import pytest
from places import Place
from studies import FORMS, invite, material, new, study, values, work

from gumption.ranking.people_file import read_people
from gumption.rating.export import people, people_json, strengths, table, write_csv, write_parquet
from gumption.rating.progress import live_agreement, progress
from gumption.rating.store import Store
from gumption.rating.study import LEFT, Study
from gumption.records import GumptionError

MARKED = {"0": (5, 10), "1": (3, 5), "2": (1, 0)}
"""Plan to its marks for order (1 to 5) and goals (0 to 10): worth 1, a half and 0."""


def rate_by_plan(store: Store, made: Study, rater: str) -> None:
    """Give the marks of MARKED, and in a check what it asks for."""
    while (task := store.next_task(rater)) is not None:
        text = task.outputs[0].text
        marks = (1, 0) if "lowest" in text else (5, 10) if "highest" in text else MARKED[text.split()[1]]
        store.submit(rater, task.id, dict(zip(("order", "goals"), marks, strict=True)), "=1+1", 10)


def test_progress_counts_people_by_output_and_tasks_by_rater(place: Place) -> None:
    store = place.open()
    made = new(store, study(raters_wanted=2), material(1, 3))
    busy, idle, absent = invite(store, made, 3)
    work(store, busy)
    store.next_task(idle)
    seen = progress(store, made.id)
    assert [unit.done for unit in seen.units] == [1, 1, 1]
    assert sum(unit.live for unit in seen.units) == 1
    assert {unit.models for unit in seen.units} == {(f"maker/brain-{model}",) for model in range(3)}
    assert [(rater.rater, rater.done, rater.given) for rater in seen.raters] == [
        (busy, 3, 3),
        (idle, 0, 1),
        (absent, 0, 0),
    ]
    assert (seen.complete, seen.share) == (0, 0.5)
    work(store, absent)
    assert progress(store, made.id).complete == 2  # the third is held by the one who is idle
    place.clock.now += made.lease_s + 1
    work(store, absent)
    seen = progress(store, made.id)
    assert (seen.complete, seen.share) == (3, 1.0)


def test_checks_and_self_consistency_are_counted_by_rater(store: Store) -> None:
    made = new(store, study(attention_share=0.2, duplicate_share=0.2), material(4, 3))
    steady, wavering = invite(store, made, 2)
    rate_by_plan(store, made, steady)
    for turn in range(1000):
        task = store.next_task(wavering)
        if task is None:
            break
        store.submit(wavering, task.id, {"order": 2 + turn % 2, "goals": turn % 11})
    one, other = progress(store, made.id).raters
    assert one.checks == one.passed > 0 and one.repeats == one.same > 0
    assert other.checks > 0 == other.passed and other.same < other.repeats
    assert one.repeats % 2 == 0  # two marks a repeat


def test_raters_who_say_the_same_agree_fully(store: Store) -> None:
    made = new(store, study(raters_wanted=3), material(2, 3))
    for rater in invite(store, made, 3):
        rate_by_plan(store, made, rater)
    found = live_agreement(store, made.id).people
    assert set(found) == {"order", "goals"}
    for one in found.values():
        assert (one.raters, one.units, one.categories) == (3, 6, 3)
        assert one.alpha.mean == one.fleiss.mean == one.cohen.mean == one.ac1.mean == 1.0


def test_agreement_waits_for_a_second_opinion(store: Store) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    assert live_agreement(store, made.id).people == {}
    work(store, rater)
    assert live_agreement(store, made.id).people == {}


def test_labels_are_compared_between_people_and_with_the_machine(store: Store) -> None:
    """Ten items, all "seeing" to the machine. A says planning of two of them, B of one of those two: people
    agree on 9 of 10, by chance on .8 * .9 + .2 * .1 = .74, so kappa is .16 / .26."""
    made = new(store, study("labels", raters_wanted=2), material(10, 1))
    for rater, planned in zip(invite(store, made, 2), ("01", "0"), strict=True):
        while (task := store.next_task(rater)) is not None:
            room = task.parts[0].text[len("Tidy room ")]  # type: ignore[union-attr]
            store.submit(rater, task.id, {"planning": 1, "seeing": 2} if room in planned else {"seeing": 1})
    found = live_agreement(store, made.id)
    assert found.people["label"].cohen.mean == pytest.approx(0.16 / 0.26)
    assert found.machine is not None and found.machine.units == 20
    assert found.machine.cohen.mean == pytest.approx(0.0)  # the machine says one thing always: chance is all
    assert found.machine.ac1.mean == pytest.approx((0.85 - 2 * 0.925 * 0.075) / (1 - 2 * 0.925 * 0.075))


def test_a_ranking_by_people_is_the_one_worked_by_hand(store: Store, tmp_path: Path) -> None:
    made = new(store, study(raters_wanted=2, attention_share=0.2, duplicate_share=0.1), material(3, 3))
    for rater in invite(store, made, 2):
        rate_by_plan(store, made, rater)
    ranking = people(store, made.id, resamples=50)
    assert [one.model for one in ranking.ranking.models] == [f"maker/brain-{model}" for model in range(3)]
    for model, score in enumerate((1.0, 0.5, 0.0)):
        assert ranking.score(f"maker/brain-{model}").mean == pytest.approx(score)
    assert all(record.checks == record.passed > 0 for record in ranking.raters)
    people_json(store, made.id, tmp_path / "people.json", resamples=50)
    read = read_people(tmp_path / "people.json")
    assert read.dimensions == ("Order", "Goals") and read.raters == 2
    assert read.matrix().mean(axis=1) == pytest.approx([1.0, 0.5, 0.0])


def test_strengths_are_those_of_the_models_and_not_of_the_sides(store: Store) -> None:
    """Three people compare three models in three places: the first always wins, the others split evenly."""
    made = new(store, study("pairwise", raters_wanted=2, attention_share=0.2), material(3, 3))
    for rater, likes in zip(invite(store, made, 2), ("1", "2"), strict=True):
        while (task := store.next_task(rater)) is not None:
            plans = [output.text.split()[1] for output in task.outputs]
            best = "0" if "0" in plans else likes
            store.submit(rater, task.id, {"better": LEFT if plans[0] == best else -LEFT})
    with pytest.raises(GumptionError, match="kind pairwise"):
        people(store, made.id)
    found = strengths(store, made.id, resamples=50)["better"]
    assert {one.model[-1]: (one.wins, one.comparisons) for one in found.models} == {
        "0": (12, 12),
        "1": (3, 12),
        "2": (3, 12),
    }
    assert found.models[0].model == "maker/brain-0" and found.units == 2


def test_only_ratings_make_a_ranking(store: Store) -> None:
    made = new(store)
    with pytest.raises(GumptionError, match="no rating yet"):
        people(store, made.id)
    other = new(store, study("labels"))
    with pytest.raises(GumptionError, match="kind labels"):
        people(store, other.id)


def test_the_table_joins_ratings_and_models(store: Store, tmp_path: Path) -> None:
    made = new(store, study(raters_wanted=1, attention_share=0.2), material(2, 3))
    (rater,) = invite(store, made)
    rate_by_plan(store, made, rater)
    found = table(store, made.id).to_pylist()
    checks = [row for row in found if row["check"]]
    rated = [row for row in found if not row["check"]]
    assert len(rated) == 6 and checks and all(row["passed"] and row["model"] == "" for row in checks)
    for row in rated:
        assert (row["mark:order"], row["mark:goals"]) == MARKED[row["model"][-1]]
        assert (row["rater"], row["comment"], row["seconds"], row["revision"]) == (rater, "=1+1", 10.0, 1)
    write_parquet(table(store, made.id), tmp_path / "out" / "ratings.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "out" / "ratings.parquet").to_pylist() == found
    write_csv(table(store, made.id), tmp_path / "ratings.csv")
    with (tmp_path / "ratings.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["mark:order"] for row in rows] == [str(row["mark:order"]) for row in found]
    assert {row["comment"] for row in rows} == {"'=1+1"}


def test_the_history_has_a_row_for_every_revision(store: Store) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    for mark in (1, 2, 3):
        store.submit(rater, task.id, values(task, mark))
    assert table(store, made.id).column("mark:order").to_pylist() == [3]
    assert table(store, made.id, history=True).column("mark:order").to_pylist() == [1, 2, 3]


def test_comparisons_and_labels_have_their_own_columns(store: Store) -> None:
    pairs = new(store, study("pairwise", raters_wanted=1), material(1, 2))
    labels = new(store, study("labels", raters_wanted=1), material(1, 1))
    for made in (pairs, labels):
        (rater,) = invite(store, made)
        task = store.next_task(rater)
        assert task is not None
        # Whichever side it stands on, the first model's plan is the better one.
        mark = LEFT if task.outputs and task.outputs[0].text.startswith("Plan 0") else -LEFT
        store.submit(rater, task.id, values(task, mark))
    (row,) = table(store, pairs.id).to_pylist()
    assert (row["model"], row["other_model"], row["mark:better"]) == ("maker/brain-0", "maker/brain-1", LEFT)
    (row,) = table(store, labels.id).to_pylist()
    assert (row["machine_label"], row["mark:seeing"], row["mark:planning"]) == ("seeing", 1, None)
    assert {f"mark:{one.id}" for one in FORMS["labels"]} <= set(row)


def test_an_export_without_ratings_has_its_columns(store: Store, tmp_path: Path) -> None:
    made = new(store)
    write_csv(table(store, made.id), tmp_path / "empty.csv")
    assert "mark:order" in (tmp_path / "empty.csv").read_text()
    with pytest.raises(GumptionError, match="cannot be written"):
        write_parquet(table(store, made.id), tmp_path / "empty.csv" / "x.parquet")
