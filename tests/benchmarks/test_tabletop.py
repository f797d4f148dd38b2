"""The drawn set as a whole: fresh by seed, the same to the byte, balanced, and not answered by words."""

from __future__ import annotations

import asyncio
import math
import statistics
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from oracle_runs import card_of

from gumption.answers import guess, read, score
from gumption.benchmarks import open_suite
from gumption.benchmarks.tabletop import PER_SCENE, SIZE, draw_suite
from gumption.models import open_models
from gumption.records import GumptionError, Image, Item
from gumption.suites import Suite, read_folder, write_folder

SCENES = 200


@pytest.fixture
def suite(drawn: Suite) -> Suite:
    return drawn


def by(suite: Suite, kind: str) -> list[Item]:
    return [item for item in suite.items if item.answer.kind == kind]


def test_every_kind_and_at_least_eight_capabilities(suite: Suite) -> None:
    assert len(suite.items) == PER_SCENE * SCENES
    assert {item.answer.kind for item in suite.items} == {"choice", "yes_no", "number", "point", "text"}
    counts = Counter(item.category for item in suite.items)
    assert len(counts) == 14 and max(counts.values()) <= 2 * min(counts.values())
    assert Counter(Counter(item.cluster for item in suite.items).values()) == {PER_SCENE: SCENES}
    images = [part for item in suite.items for part in item.parts if isinstance(part, Image)]
    assert {(image.width, image.height) for image in images} == {SIZE}
    assert {len([part for part in item.parts if isinstance(part, Image)]) for item in suite.items} == {
        1,
        2,
        3,
    }


def test_places_of_the_gold_and_yes_and_no_are_balanced(suite: Suite) -> None:
    """Each share within 4 standard errors of even."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for item in suite.items:
        if item.answer.kind in ("choice", "yes_no"):
            options = len(item.answer.choices or "yn")
            groups[f"{item.answer.kind} of {options}"][item.answer.gold] += 1
            groups[f"{item.category}, {options}"][item.answer.gold] += 1
    for name, counts in groups.items():
        options, total = len(counts), sum(counts.values())
        error = math.sqrt((1 / options) * (1 - 1 / options) / total)
        assert options == int(name[-1]), (name, counts)
        assert all(abs(count / total - 1 / options) < 4 * error for count in counts.values()), (name, counts)


def test_options_are_distinct_and_counts_stand_in_order(suite: Suite) -> None:
    for item in by(suite, "choice"):
        texts = list((item.answer.choices or {}).values())
        assert len(set(texts)) == len(texts)
        if texts[0].isdigit():
            assert [int(text) for text in texts] == list(range(int(texts[0]), int(texts[0]) + 4))


def test_a_seed_repeats_to_the_byte_and_another_differs(tmp_path: Path) -> None:
    first, again, other = (
        draw_suite(tmp_path / name, scenes=20, seed=seed) for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    assert first.checksum == again.checksum != other.checksum
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == sorted(
        p.name for p in (tmp_path / "b").iterdir()
    )
    assert not {item.id for item in first.items} & {item.id for item in other.items}


def test_fewer_scenes_are_the_first_of_more(tmp_path: Path) -> None:
    few, more = (draw_suite(tmp_path / str(scenes), scenes=scenes, seed=3) for scenes in (7, 12))
    assert few.items == more.items[: len(few.items)]


def test_difficulty_makes_scenes_fuller(tmp_path: Path) -> None:
    def look(difficulty: float) -> tuple[float, float]:
        suite = draw_suite(tmp_path / str(difficulty), scenes=30, seed=1, difficulty=difficulty)
        scenes = [item.meta["scene"] for item in suite.items if "things" in item.meta["scene"]]
        assert {scene["difficulty"] for scene in scenes} == {difficulty}
        things = [thing for scene in scenes for thing in scene["things"]]
        return len(things) / len(scenes), sum(bool(t.get("striped")) for t in things) / len(things)

    (easy, none), (hard, some) = look(0.0), look(1.0)
    assert hard > easy + 2 and none == 0 and some > 0.2


def test_a_suite_goes_to_disk_and_back(suite: Suite, tmp_path: Path) -> None:
    small = suite.first(50)
    assert read_folder(write_folder(small, tmp_path / "pool")).items == small.items


def test_oracles(suite: Suite, tmp_path: Path) -> None:
    right, wrong = (card_of(suite.first(200), tmp_path / str(level), level) for level in (1.0, 0.0))
    assert right.official.mean == pytest.approx(1.0)  # a mean of means
    assert right.micro.mean == 1.0 and len(right.categories) == 14
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_bad_numbers_are_refused(tmp_path: Path) -> None:
    for wrong in ({"scenes": 0}, {"difficulty": 1.5}, {"difficulty": -0.1}):
        with pytest.raises(GumptionError, match="tabletop"):
            draw_suite(tmp_path, **wrong)  # type: ignore[arg-type]


def test_words_alone_are_worth_no_more_than_a_guess(suite: Suite) -> None:
    """The blind baseline, in each capability, within 2 points of guessing and 3.3 standard errors.

    `python -m benches tabletop` asks 50,000 questions for the figures in the documentation.
    """
    (blind,) = open_models("baseline/blind")
    blind.prepare(suite.items)
    above: dict[str, list[float]] = defaultdict(list)
    for item in suite.items:
        reply = asyncio.run(blind.ask(item, (item.id, 0, ""), suite.media.read))
        assert reply is not None
        value = score(item.answer, read(reply.text, item.answer)).value
        above[item.category].append((value or 0.0) - guess(item.answer))
    for category, differences in above.items():
        error = max(statistics.stdev(differences), 0.1) / math.sqrt(len(differences))
        assert statistics.mean(differences) < 0.02 + 3.3 * error, category


def test_a_folder_of_data_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUMPTION_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data").mkdir()
    suite = open_suite("tabletop", tmp_path / "data")
    assert not list((tmp_path / "data").iterdir())
    assert all(suite.media.path(sha256) for sha256 in suite.media)
