"""BLINK against its published replies, extraction and ranking (19 models, 36,119 replies)."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.stats import kendalltau

import gumption as g
from gumption.benchmarks import get
from gumption.models import open_models
from gumption.ranking import rank_runs
from gumption.running import Run, run

pytestmark = pytest.mark.data

REPLIES = "response_matrices/blink_raw_val.jsonl.gz"
SIZES = {
    "Visual_Correspondence": 172, "IQ_Test": 150, "Jigsaw": 150, "Spatial_Relation": 143,
    "Semantic_Correspondence": 139, "Visual_Similarity": 135, "Relative_Reflectance": 134,
    "Multi-view_Reasoning": 133, "Forensic_Detection": 132, "Functional_Correspondence": 130,
    "Relative_Depth": 124, "Object_Localization": 122, "Counting": 120, "Art_Style": 117,
}  # fmt: skip


@pytest.fixture(scope="module")
def runs(public_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    suite = get("blink").load(public_data)
    folder = tmp_path_factory.mktemp("blink")
    models = open_models(f"replay/{public_data / REPLIES}#*")
    return {model.name: run(suite, model, folder / model.name, address="blink") for model in models}


@pytest.fixture(scope="module")
def published(public_data: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Extracted letter and gold letter by (model, item); Z where the authors' matcher found none."""
    with gzip.open(public_data / REPLIES) as stream:
        rows = [msgspec.json.decode(line) for line in stream]
    return {(row["model"], row["id"]): (row["extracted"][1], row["gold"][1]) for row in rows}


def answers(run: Run) -> Iterator[tuple[str, str, str]]:
    for row in run.scores().to_pylist():
        yield row["item_id"], row["outcome"], row["answer"].strip('"')


def test_the_items_are_the_published_ones(public_data: Path) -> None:
    suite = get("blink").load(public_data)
    assert Counter(item.category for item in suite.items) == SIZES
    letters = {item.category: len(item.answer.choices or {}) for item in suite.items}
    assert letters["Counting"] == 4 and letters["Relative_Reflectance"] == 3 and letters["Jigsaw"] == 2


def test_the_24_recorded_failures_are_failed_requests(runs: dict[str, Run]) -> None:
    failed = {name: Counter(one.scores()["status"].to_pylist())["infra_error"] for name, one in runs.items()}
    assert {name: count for name, count in failed.items() if count} == {
        "GPT4V": 1,
        "GeminiProVision": 6,
        "QwenVLMax": 17,
    }


def test_reading_agrees_with_the_published_extraction(
    runs: dict[str, Run], published: dict[tuple[str, str], tuple[str, str]]
) -> None:
    read, both, same = Counter(), Counter(), Counter()
    for name, one in runs.items():
        for item, outcome, answer in answers(one):
            letter = published[name, item][0]
            if letter != "Z":
                read[name] += 1
                both[name] += outcome == "answered"
                same[name] += outcome == "answered" and answer == letter
    assert both.total() / read.total() >= 0.975
    assert min(both[name] / read[name] for name in runs) >= 0.93
    assert same.total() / both.total() >= 0.993


def test_scores_and_ranking_agree_with_the_published_ones(
    runs: dict[str, Run], published: dict[tuple[str, str], tuple[str, str]]
) -> None:
    """Unread counts as wrong on both sides; failed requests do in the published scores, so they do here."""
    theirs, ours = [], []
    for name, one in runs.items():
        table = one.scores()
        categories = np.array(table["category"].to_pylist())
        mine = np.nan_to_num(table["value"].to_numpy())
        right = np.array([len(set(published[name, item])) == 1 for item in table["item_id"].to_pylist()])
        theirs.append(np.mean([right[categories == category].mean() for category in SIZES]))
        ours.append(np.mean([mine[categories == category].mean() for category in SIZES]))
    assert np.abs(np.subtract(theirs, ours)).max() < 0.02
    assert kendalltau(theirs, ours).statistic >= 0.90


def test_the_published_scores_of_two_models(runs: dict[str, Run]) -> None:
    """The authors' own figures: GPT-4o 60.04, GPT-4V 51.09, in percent."""
    for name, figure in (("GPT4o", 0.6004), ("GPT4V", 0.5109)):
        official = g.ranking.scorecard(runs[name].folder).official
        assert abs((official.mean or 0) - figure) < 0.02
        assert (official.low or 1) < figure < (official.high or 0)


def test_one_command_ranks_them(runs: dict[str, Run]) -> None:
    ranking = rank_runs([one.folder for one in runs.values()])
    assert [place.model for place in ranking.models][:3] == ["GPT4o", "GPT4Turbo", "GPT4V"]
    assert ranking.models[-1].model == "MiniGPT-4-v2"
    assert all(place.rank_low <= place.rank <= place.rank_high for place in ranking.models)
