"""The facts that set runs side by side, against cases worked by hand and against other functions."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from scipy.stats import kendalltau, spearmanr

from gumption.benchmarks.tabletop import draw_suite
from gumption.cli.report import report
from gumption.models import open_models
from gumption.ranking import all_pairs_of_runs, compare, rank_runs
from gumption.ranking.people_file import PeopleFile
from gumption.records import Aggregate, GumptionError, Reply, Usage
from gumption.reporting import RecordedRun, _board_pages, write_site
from gumption.reporting._costs import Costs
from gumption.running import Run, run


def rows_of(index: Path, name: str) -> list:
    text = (index.parent / "data" / name).read_text("utf-8")
    return json.loads(re.fullmatch(r'gumption\("[^"]+", \d+, (\[.*\])\);\n', text, re.DOTALL)[1])


def written(runs: list, out: Path, **more) -> tuple[dict, list[dict]]:
    """The only board of a report, and its pairs."""
    index = write_site(runs, out, **more)
    [board] = rows_of(index, "boards-0.js")
    pages = [rows_of(index, f"pairs-0-{page}.js") for page in range(len(board["pair_starts"]))]
    assert board["pair_starts"] == [sum(map(len, pages[:page])) for page in range(len(pages))]
    return board, [row for page in pages for row in page]


def test_a_duel_worked_by_hand(duel, tmp_path):
    board, [pair] = written(duel, tmp_path / "r")
    assert board["runs"] == board["compared"] == [1, 0], "the better one first, whatever the order given"
    assert board["slices"] == {"category": ["Count", "Depth"], "dimension": []}
    total = pair["total"]
    assert (total["n"], total["counts"]) == (9, [5, 1, 3])
    assert total["means"] == pytest.approx([7 / 9, 3 / 9], abs=1e-5)
    assert total["gap"][0] == pytest.approx(4 / 9, abs=1e-5)
    count, depth = pair["slices"]["category"]
    assert (count["n"], count["counts"], count["gap"][0]) == (4, [2, 0, 2], 0.5)
    assert (depth["n"], depth["counts"], depth["gap"][0]) == (5, [3, 1, 1], 0.4)
    shares = [one["gap"][0] * one["n"] / total["n"] for one in (count, depth)]
    assert sum(shares) == pytest.approx(total["gap"][0], abs=1e-5), "the slices add up to the whole"
    assert pair["official"]["gap"][0] == pytest.approx(0.45), "the mean of both categories' gaps"
    assert pair["missed"] == [{"wrong": 2, "unread": 2, "ambiguous": 1, "truncated": 1}, {"wrong": 1}]
    assert pair["mistakes"] == [{"false_atom": 2}, {"false_atom": 1}]


def test_a_thin_run_is_flagged(duel, tmp_path):
    board, _ = written(duel, tmp_path / "r")
    better, worse = board["places"]
    assert (better["run"], better["coverage"], better["flagged"]) == (1, 0.9, True)
    assert (worse["run"], worse["coverage"], worse["flagged"]) == (0, 1.0, False)


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> list[Path]:
    """Runs of three models of known strength over 60 questions, and a fourth that was asked 40 of them."""
    root = tmp_path_factory.mktemp("runs")
    suite = draw_suite(root / "pictures", scenes=12, seed=1)
    models = [open_models("baseline/oracle", accuracy=share)[0] for share in (0.5, 0.9, 0.6)]
    made = [run(suite, model, root / str(place)).folder for place, model in enumerate(models)]
    return [*made, run(suite.first(40), open_models("baseline/random")[0], root / "less").folder]


def test_the_pages_say_what_the_ranking_says(folders, tmp_path):
    """Against the functions that read run folders themselves."""
    board, pairs = written([RecordedRun(Run.open(folder)) for folder in folders], tmp_path / "r")
    ranking = rank_runs(folders, force=True)
    assert board["aggregate"] == ranking.aggregate
    assert [place["run"] for place in board["places"]] == [model.row for model in ranking.models]
    for name in ("rank", "tier", "flagged"):
        assert [place[name] for place in board["places"]] == [
            getattr(model, name) for model in ranking.models
        ]
    assert [[place["low"], place["high"]] for place in board["places"]] == [
        [model.rank_low, model.rank_high] for model in ranking.models
    ]
    assert board["beats"] == [pytest.approx(row, abs=1e-4) for row in ranking.beats]

    best, other = (folders[place] for place in board["runs"][:2])
    found = compare(best, other, force=True, resamples=1000)
    assert pairs[0]["total"]["n"] == found.n
    assert pairs[0]["total"]["counts"] == [found.wins, found.losses, found.ties]
    ends = [found.difference.mean, found.difference.low, found.difference.high]
    assert pairs[0]["total"]["gap"] == pytest.approx(ends, abs=0.01)
    official = all_pairs_of_runs([folders[place] for place in board["runs"]], force=True)
    gaps = [pair["official"]["gap"][0] if pair["official"] else pair["total"]["gap"][0] for pair in pairs]
    assert gaps == pytest.approx([pair.difference.mean for pair in official.pairs], abs=1e-5)


def test_the_verb_sets_the_runs_beside_ratings_of_a_file(folders, tmp_path, capsys):
    models = [Run.open(folder).info.model for folder in folders[:3]]
    file = tmp_path / "people.json"
    file.write_bytes(msgspec.json.encode(rated(models, [0.2, 0.9, 0.4])))
    report(folders[:3], tmp_path / "pages", "Three", file)
    assert "index.html" in capsys.readouterr().out
    [board] = rows_of(tmp_path / "pages" / "index.html", "boards-0.js")
    assert len(board["people"]["models"]) == 3


def test_weights_that_name_no_stratum_that_was_asked_leave_the_mean_over_items(made, tmp_path):
    item = made.item(0, category="Depth")
    official = Aggregate("far", "category", {"Depth": 0.0, "Other": 1.0})
    runs = [
        made.run([item], [made.scored(item, value)], name=name, official=official)
        for name, value in (("A", 0.0), ("B", 1.0))
    ]
    board, [pair] = written(runs, tmp_path / "r")
    assert (board["aggregate"], board["runs"]) == ("micro", [1, 0])
    assert pair["official"] is None


def test_runs_without_a_score_have_no_place(made, tmp_path):
    item = made.item(0)
    failed = {"status": "infra_error", "outcome": ""}
    runs = [made.run([item], [made.scored(item, None, **failed)], name=name) for name in "AB"]
    board, [pair] = written(runs, tmp_path / "r")
    assert (board["runs"], board["places"], board["beats"]) == ([0, 1], [], [])
    assert (pair["total"]["n"], pair["total"]["gap"], pair["total"]["means"]) == (0, [None] * 3, None)


def test_benchmarks_stand_apart_and_one_run_has_no_pair(made, tmp_path):
    runs = [
        made.run(
            [made.item(number)],
            [made.scored(made.item(number), 1.0)],
            name=name,
            card=replace(made.card(name), benchmark=benchmark),
        )
        for number, (name, benchmark) in enumerate((("A", "Toy"), ("B", "Other")))
    ]
    index = write_site(runs, tmp_path / "r")
    boards = rows_of(index, "boards-0.js")
    assert [(board["benchmark"], board["runs"], board["items"]) for board in boards] == [
        ("Toy", [0], 1),
        ("Other", [1], 1),
    ]
    assert not list((index.parent / "data").glob("pairs-*"))


def test_runs_of_one_model_are_told_apart(made, tmp_path):
    item = made.item(0)
    index = write_site([made.run([item], [], name=name) for name in ("A", "B", "A")], tmp_path / "r")
    [manifest] = rows_of(index, "runs.js")
    assert manifest["runs"] == ["A (run 1)", "B", "A (run 3)"]


def test_of_very_many_runs_the_best_are_compared(made, tmp_path, monkeypatch):
    monkeypatch.setattr(_board_pages, "MOST_COMPARED", 2)
    board, pairs = written(graded(made, "ABC")[::-1], tmp_path / "r")
    assert (board["runs"], board["compared"], len(pairs)) == ([2, 1, 0], [2, 1], 1)
    assert pairs[0]["total"]["gap"][0] == pytest.approx(0.2), "A and B"


def test_a_mistake_is_found_again_among_the_items(duel, tmp_path):
    index = write_site(duel, tmp_path / "r")
    [manifest] = rows_of(index, "runs.js")
    assert manifest["mistakes"] == ["false_atom"]
    masks = [row[6] for row in rows_of(index, "index-0.js")]
    assert [place for place, (worse, _) in enumerate(masks) if worse] == [1, 5]
    assert [place for place, (_, better) in enumerate(masks) if better] == [3, 8]


def test_costs_are_of_items_that_tell_them_whole():
    costs = Costs()
    told = Usage(100, 10)
    costs.add(Reply("one", usage=told, latency_s=2.0))
    costs.add(Reply("staged", call="a", usage=told, latency_s=1.0))
    costs.add(Reply("staged", call="b", usage=Usage(300, 50), latency_s=1.0))
    costs.add(Reply("half", call="a", usage=told, latency_s=9.0))
    costs.add(Reply("half", call="b", latency_s=9.0))
    costs.add(Reply("failed", status="infra_error"))
    assert costs.row() == {
        "items": 4,
        "input": {"mean": 250.0, "n": 2},
        "output": {"mean": 35.0, "n": 2},
        "reasoning": {"mean": None, "n": 0},
        "seconds": {"mean": pytest.approx(22 / 3, abs=1e-3), "n": 3},
    }


def test_places_under_other_weights(made, tmp_path):
    """A gets all of three items of X, B the one of Y: equal weights tie them, the items' numbers do not."""
    items = [made.item(number, dimension="Y" if number == 3 else "X") for number in range(4)]
    runs = [
        made.run(items, [made.scored(item, float((item is items[3]) == last)) for item in items], name=name)
        for name, last in (("A", False), ("B", True))
    ]
    weights = written(runs, tmp_path / "r")[0]["weights"]
    assert (weights["by"], weights["parts"]) == ("dimension", [["X", 3], ["Y", 1]])
    a, b = weights["models"]
    assert a["places"] == {"equal": 1, "proportional": 1}
    assert b["places"] == {"equal": 1, "proportional": 2}
    assert (a["range"], b["range"]) == ([1, 2], [1, 2]), "either can win"
    assert a["first"] + b["first"] == pytest.approx(1)
    assert 0.35 < a["first"] < 0.65, (
        "weights drawn evenly favour neither: half of 200, give or take four errors"
    )


def test_one_part_is_nothing_to_weigh(made, tmp_path):
    item = made.item(0)
    weights = written([made.run([item], [made.scored(item, 1.0)])], tmp_path / "r")[0]["weights"]
    assert set(weights) == {"why"}


# ── people ──────────────────────────────────────────────────────────────────────────────────────────


def rated(models: Sequence[str], scores: list[float]) -> PeopleFile:
    return PeopleFile(
        models=tuple(models),
        units=("kitchen",),
        dimensions=("goal",),
        raters=3,
        scores=tuple((x,) for x in scores),
    )


def graded(made, names: str) -> list:
    """Runs over ten items of which the first has nine right, the next seven, and so on."""
    items = [made.item(number) for number in range(10)]
    return [
        made.run(
            items,
            [made.scored(item, float(place < 9 - 2 * number)) for place, item in enumerate(items)],
            name=name,
        )
        for number, name in enumerate(names)
    ]


def test_agreement_with_people_is_that_of_scipy(made, tmp_path):
    scores = [0.9, 0.4, 0.6, 0.2]
    board, _ = written(graded(made, "ABCD"), tmp_path / "r", people=rated("ABCDZ", [*scores, 0.5]))
    people = board["people"]
    value = {one["name"]: one["value"] for one in people["correlations"]}
    assert value["tau_b"] == pytest.approx(kendalltau([4, 3, 2, 1], scores).statistic, abs=1e-4)
    assert value["spearman"] == pytest.approx(spearmanr([4, 3, 2, 1], scores).statistic, abs=1e-4)
    assert (people["pairs"], people["agreeing"]) == (6, 5)
    [pair] = people["disagreements"]
    assert (pair["runs"], pair["gaps"]) == ([1, 2], [0.2, 0.2]), "B is ahead by the items, C by people"
    assert (people["rated_only"], people["runs_only"]) == (["Z"], [])


def test_people_who_rated_others_are_refused(made, tmp_path):
    with pytest.raises(GumptionError, match="X, Y, Z") as refused:
        write_site(graded(made, "ABC"), tmp_path / "r", people=rated("XYZ", [0.1, 0.2, 0.3]))
    assert "A, B, C" in refused.value.remedy
    assert not (tmp_path / "r").exists()
