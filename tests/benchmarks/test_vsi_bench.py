"""VSI-Bench: mean relative accuracy against its golden values, and the published layout."""

from __future__ import annotations

import json
import zipfile
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest
from clips import greys, write_clip
from hypothesis import given
from hypothesis import strategies as st
from oracle_runs import card_of, scored, write_parquet

from gumption.benchmarks import get, open_suite
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._mra import mra_exact, mra_official
from gumption.models import open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError, Item, Text
from gumption.running import run
from gumption.suites import Suite

ROWS = (
    ("object_rel_direction_easy", "A", ["A. left", "B. right"]),
    ("object_rel_direction_medium", "B", ["A. left", "B. right", "C. back"]),
    ("object_rel_direction_hard", "D", ["A. front-left", "B. front-right", "C. back-left", "D. back-right"]),
    ("object_rel_distance", "C", ["A. chair", "B. table", "C. stove", "D. sofa"]),
    ("route_planning", "B", ["A. Turn Left, Turn Right", "B. Turn Back, Turn Left"]),
    ("obj_appearance_order", "A", ["A. tv, sofa", "B. sofa, tv"]),
    ("object_abs_distance", "2.5", None),
    ("object_counting", "4", None),
    ("object_size_estimation", "10", None),
    ("room_size_estimation", "18.4", None),
)


def write(folder: Path, *, lines: bool = False) -> Path:
    """One question of each type about two clips, as Parquet or as JSON lines."""
    rows = [
        {
            "id": number,
            "dataset": ("arkitscenes", "scannet")[number % 2],
            "scene_name": f"scene{number % 2}",
            "question_type": kind,
            "question": f"Question {number}?",
            "ground_truth": gold,
            "options": options,
        }
        for number, (kind, gold, options) in enumerate(ROWS)
    ]
    for number in range(2):
        write_clip(folder / f"{('arkitscenes', 'scannet')[number]}/scene{number}.mp4", first=number)
    if lines:
        (folder / "test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    else:
        kinds = {"id": pa.int64(), "options": pa.list_(pa.string())}
        columns = {
            name: pa.array([row[name] for row in rows], kinds.get(name, pa.string())) for name in rows[0]
        }
        write_parquet(folder / "test-00000-of-00001.parquet", columns)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("vsi"))


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return open_suite("vsi-bench:frames=5", folder)


def of(suite: Suite, kind: str) -> Item:
    return next(item for item in suite.items if item.category == kind)


@pytest.mark.parametrize(
    ("given", "gold", "official", "exact"),
    [
        (3, 4, 0.6, 0.6),
        (5, 4, 0.6, 0.6),
        (2, 4, 0.1, 0.1),
        (6, 4, 0.1, 0.1),
        (9, 10, 0.9, 0.9),
        (8, 10, 0.6, 0.7),
        (5.5, 10, 0.1, 0.2),
        (9.5, 10, 1.0, 1.0),
        (0, 4, 0.0, 0.0),
        (float("nan"), 4, 0.0, 0.0),
        (float("inf"), 4, 0.0, 0.0),
        (-4, 4, 0.0, 0.0),
        (0, 0, 1.0, 1.0),
        (1, 0, 0.0, 0.0),
    ],
)
def test_mean_relative_accuracy_has_its_golden_values(
    given: float, gold: float, official: float, exact: float
) -> None:
    assert mra_official(given, gold) == pytest.approx(official)
    assert mra_exact(given, gold) == pytest.approx(exact)


@given(st.integers(0, 4000), st.integers(1, 1000))
def test_exact_accuracy_counts_the_limits_that_are_kept(given: int, gold: int) -> None:
    """Hundredths, so that every limit is a fraction of whole numbers; the float rule is at most one off."""
    error = Fraction(abs(given - gold), gold)
    kept = sum(error <= Fraction(hundredths, 100) for hundredths in range(5, 51, 5))
    assert mra_exact(given / 100, gold / 100) == kept / 10
    assert abs(mra_official(given / 100, gold / 100) - kept / 10) < 0.1001


def test_items_show_even_frames_of_their_clip(suite: Suite) -> None:
    item = of(suite, "object_rel_direction_medium")
    assert greys(suite, item) == [0, 5, 10, 15, 20]
    assert isinstance(item.parts[-1], Text) and item.parts[-1].text.endswith("Question 1?")
    assert item.answer.choices == {"A": "left", "B": "right", "C": "back"}
    assert (item.cluster, item.dimension) == ("scannet/scene1", "object_rel_direction")
    assert item.meta["frames"] == 5 and item.meta["protocol"] == "frames=5"
    assert len({item.cluster for item in suite.items}) == 2
    assert of(suite, "room_size_estimation").answer.gold == 18.4


def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    right, wrong = (card_of(suite, tmp_path / str(level), level) for level in (1.0, 0.0))
    assert right.official.mean == pytest.approx(1.0) and right.micro.mean == 1.0
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)
    assert right.official.name == "macro over the 8 tasks"


def test_three_grades_of_direction_are_one_of_eight_tasks(suite: Suite, tmp_path: Path) -> None:
    """Right in easy direction and in counting alone: (1/3 + 1) / 8; with 5 for 4: (1/3 + .6) / 8."""
    for said, of_counting in (("4", 1.0), ("5", 0.6)):
        kinds = {"object_rel_direction_easy": "A", "object_counting": said}
        lines = [
            json.dumps({"id": item.id, "reply": kinds.get(item.category, "none")}) for item in suite.items
        ]
        (tmp_path / f"{said}.jsonl").write_text("\n".join(lines))
        (model,) = open_models(f"replay/{tmp_path / said}.jsonl")
        card = scorecard(run(suite, model, tmp_path / f"run{said}").folder)
        assert card.official.mean == pytest.approx((1 / 3 + of_counting) / 8)
        assert [each.mean for each in card.further] == pytest.approx(
            [(1 / 3 + of_counting) / 8, (1 + of_counting) / 10]
        )


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("4", 1.0, 1.0),
        ("4.", 1.0, 1.0),
        ("3", 0.6, 0.6),
        ("5 chairs", 0.6, 0.6),
        ("6", 0.1, 0.1),
        ("4\nbecause I see them", 0.0, 1.0),
        (" 4", 0.0, 1.0),
        ("The answer is 4.", 0.0, 1.0),
        ("four", 0.0, 1.0),
        ("nan", 0.0, 0.0),
        ("inf", 0.0, 0.0),
        ("none", 0.0, None),
        ("", 0.0, 0.0),
    ],
)
def test_numbers(suite: Suite, reply: str, official: float, ours: float | None) -> None:
    item = of(suite, "object_counting")
    score = scored(get("vsi-bench").episode(item), item, reply)
    assert score.parts[OFFICIAL] == pytest.approx(official)
    assert ours is None or score.value == pytest.approx(ours)


def test_where_floating_point_is_a_limit_off_both_values_stand(suite: Suite) -> None:
    item = of(suite, "object_size_estimation")
    score = scored(get("vsi-bench").episode(item), item, "8")
    assert (score.parts[OFFICIAL], score.value) == (pytest.approx(0.6), pytest.approx(0.7))


@pytest.mark.parametrize(
    ("reply", "official", "ours"),
    [
        ("C", 1.0, 1.0),
        ("c", 1.0, 1.0),
        ("C.", 1.0, 1.0),
        ("C. stove", 1.0, 1.0),
        ("(C)", 0.0, 1.0),
        ("C) stove", 0.0, 1.0),
        ("The stove.", 0.0, 1.0),
        ("C\n", 1.0, 1.0),
        ("B", 0.0, 0.0),
    ],
)
def test_choices(suite: Suite, reply: str, official: float, ours: float) -> None:
    item = of(suite, "object_rel_distance")
    score = scored(get("vsi-bench").episode(item), item, reply)
    assert (score.parts[OFFICIAL], score.value) == (official, ours)


def test_json_lines_and_archives_hold_the_same_questions(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gumption.benchmarks import _archives

    expected = get("vsi-bench").load(folder)
    assert get("vsi-bench").load(write(tmp_path / "lines", lines=True)).items == expected.items
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "test.jsonl").write_bytes((tmp_path / "lines/test.jsonl").read_bytes())
    for name in ("arkitscenes", "scannet"):
        with zipfile.ZipFile(cache / f"{name}.zip", "w") as archive:
            for path in (folder / name).iterdir():
                archive.write(path, f"{name}/{path.name}")
    monkeypatch.setattr(_archives, "fetch", lambda source: cache)
    assert get("vsi-bench").load(None).items == expected.items


def test_what_is_not_as_published_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "data", lines=True)
    text = (folder / "test.jsonl").read_text()
    for old, new, problem in (
        ('"route_planning"', '"cooking"', "no type of question"),
        ('"A. chair"', '"chair"', "options"),
        ('"18.4"', '"large"', "the right number"),
    ):
        (folder / "test.jsonl").write_text(text.replace(old, new))
        with pytest.raises(GumptionError, match=problem) as caught:
            get("vsi-bench").load(folder)
        assert "test.jsonl, row" in caught.value.where
    (folder / "test.jsonl").write_text(text)
    (folder / "scannet/scene1.mp4").unlink()
    with pytest.raises(GumptionError, match=r"no 'scannet/scene1\.mp4'"):
        get("vsi-bench").load(folder)
    with pytest.raises(GumptionError, match="no option is called fps"):
        open_suite("vsi-bench:fps=2", folder)
