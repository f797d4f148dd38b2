"""`gumption rank`: what it prints, writes and refuses, for runs and for a matrix of results."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from gumption.cli import app
from gumption.records import GumptionError

MODELS = ("good_1%", "fair", "bad")
RIGHT = {"good_1%": 22, "fair": 12, "bad": 4}
"""Of 24 questions with two options each, half of them near, half of them far."""


def invoke(*arguments: object, width: int = 80) -> Result:
    runner = CliRunner(env={"COLUMNS": str(width), "NO_COLOR": "1", "TERM": "dumb"})
    return runner.invoke(app, ["rank", *map(str, arguments)])


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> list[Path]:
    """Three recorded models on one quiz."""
    from gumption.benchmarks import open_suite
    from gumption.models import open_models
    from gumption.running import run

    folder = tmp_path_factory.mktemp("rank")
    rows, replies = [], []
    for number in range(24):
        category = "near" if number % 2 else "far"
        rows.append(
            {
                "id": number,
                "question": f"Which, {number}?",
                "choices": ["x", "y"],
                "answer": "A",
                "category": category,
            }
        )
        replies += [
            {"id": number, "model": model, "reply": "A" if number < RIGHT[model] else "B"} for model in MODELS
        ]
    (folder / "quiz.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replies))
    suite = open_suite(str(folder / "quiz.jsonl"), None)
    made = []
    for model in open_models(f"replay/{folder / 'replies.jsonl'}#*"):
        target = folder / "runs" / f"run-{len(made)}"
        run(suite, model, target, address=str(folder / "quiz.jsonl"))
        made.append(target)
    return made


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    """Three models on eight items: 7, 4 and 2 right; one item of the last is missing."""
    scores = np.array([[1] * 7 + [0], [1] * 4 + [0] * 4, [1] * 2 + [0] * 5 + [np.nan]])
    np.savez_compressed(
        tmp_path / "past.npz",
        X=scores,
        models=np.array(["first", "second", "third"]),
        ids=np.array([f"i{number}" for number in range(8)]),
        groups=np.array(["near", "far"] * 4),
    )
    return tmp_path / "past.npz"


def test_runs_best_first_with_scores_by_hand(runs: list[Path]) -> None:
    done = invoke(*runs)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.output.splitlines()]
    order = [line[:2] for line in lines if line and line[0] in MODELS][:3]
    assert [name for name, _ in order] == list(MODELS)
    # 22, 12 and 4 of 24.
    assert all(score in done.output for score in ("91.7 [", "50.0 [", "16.7 ["))
    assert all(len(line) <= 80 for line in done.output.splitlines())


def test_pairs_weights_and_json(runs: list[Path]) -> None:
    done = invoke(*runs, "--pairs", "--sensitivity", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert [model["model"] for model in found["models"]] == list(MODELS)
    assert [card["model"] for card in found["scorecards"]] == list(MODELS)
    assert found["by"] == "category" and found["parts"].keys() == {"near", "far"}
    # Item n is far where n is even: of 22 right 11 are far, of 12 six, of 4 two; of twelve each.
    assert [cell["mean"] for cell in found["parts"]["far"]] == pytest.approx([11 / 12, 6 / 12, 2 / 12])
    pairs = {(pair["a"], pair["b"]): pair for pair in found["pairs"]["pairs"]}
    gap = next(
        abs(pair["difference"]["mean"]) for names, pair in pairs.items() if set(names) == {"good_1%", "bad"}
    )
    assert len(pairs) == 3 and gap == pytest.approx(18 / 24)
    assert found["sensitivity"]["parts"] == ["far", "near"] and found["sensitivity"]["sizes"] == [12, 12]
    assert {out["name"] for out in found["stability"]["parts"]["without"]} == {"near", "far"}


@pytest.mark.parametrize("width", [80, 120])
def test_everything_is_said_in_the_width_there_is(runs: list[Path], width: int) -> None:
    done = invoke(*runs, "--pairs", "--sensitivity", width=width)
    assert done.exit_code == 0, done.output
    assert "good_1% over fair" in done.output and "3 of 3 are told apart" in done.output
    assert "Without any one part the others keep their order." in done.output
    assert max(map(len, done.output.splitlines())) <= width


def test_adjusted_scores_of_two_options_by_hand(runs: list[Path]) -> None:
    done = invoke(*runs, "--adjusted", "--json")
    assert done.exit_code == 0, done.output
    means = [model["score"]["mean"] for model in json.loads(done.output)["models"]]
    # (22/24 - 1/2) / (1/2), (12/24 - 1/2) / (1/2), (4/24 - 1/2) / (1/2)
    assert means == pytest.approx([5 / 6, 0, -2 / 3])
    assert "83.3 [" in invoke(*runs, "--adjusted").output


def test_files_are_written(runs: list[Path], tmp_path: Path) -> None:
    done = invoke(
        *runs, "--latex", tmp_path / "new" / "t.tex", "--csv", tmp_path / "t.csv",
        "--model-card", tmp_path / "cards", "--source", "https://example.org",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert r"good\_1\% & 1" in (tmp_path / "new" / "t.tex").read_text()
    rows = list(csv.DictReader((tmp_path / "t.csv").read_text().splitlines()))
    assert [(row["model"], row["rank"]) for row in rows if row["slice"] == "total"] == [
        (model, str(place)) for place, model in enumerate(MODELS, 1)
    ]
    cards = sorted(file.name for file in (tmp_path / "cards").iterdir())
    assert cards == ["bad.md", "fair.md", "good_1.md"]
    assert '"https://example.org"' in (tmp_path / "cards" / "bad.md").read_text()


def test_results_for_a_registered_benchmark(runs: list[Path], tmp_path: Path) -> None:
    done = invoke(*runs, "--model-card", tmp_path / "cards", "--hub-benchmark", "owner/quiz:default")
    assert done.exit_code == 0, done.output
    assert 'id: "owner/quiz"' in (tmp_path / "cards" / "bad.eval_results.yaml").read_text()
    refused = invoke(*runs, "--model-card", tmp_path / "none", "--hub-benchmark", "owner/quiz").exception
    assert isinstance(refused, GumptionError) and "names no task" in str(refused)


def test_figures_of_a_matrix(matrix: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'gumption[figures]'")
    done = invoke(matrix, "--figures", tmp_path / "figures")
    assert done.exit_code == 0, done.output
    assert {file.stem for file in (tmp_path / "figures").iterdir()} == {"leaderboard", "beats", "bars"}


def test_a_matrix_is_ranked_by_its_means_and_says_what_it_does_not_know(matrix: Path) -> None:
    done = invoke(matrix)
    assert done.exit_code == 0, done.output
    assert all(score in done.output for score in ("87.5 [", "50.0 [", "28.6 ["))  # 7/8, 4/8, 2/7
    assert "3*" in done.output and "Unread" not in done.output and "Adjusted" not in done.output
    assert "Each item counts as independent" in done.output
    found = json.loads(invoke(matrix, "--json").output)
    assert "scorecards" not in found and [cell["n"] for cell in found["parts"]["far"]] == [4, 4, 3]


@pytest.mark.parametrize(
    ("option", "said"),
    [("--adjusted", "what guessing is worth"), ("--model-card", "how the models were asked")],
)
def test_what_a_matrix_cannot_tell_is_refused(matrix: Path, tmp_path: Path, option: str, said: str) -> None:
    value = [tmp_path / "cards"] if option == "--model-card" else []
    done = invoke(matrix, option, *value)
    assert isinstance(done.exception, GumptionError) and said in str(done.exception)
    assert done.exception.remedy and not (tmp_path / "cards").exists()


def test_a_matrix_and_runs_are_not_mixed(matrix: Path, runs: list[Path]) -> None:
    assert "several files" in str(invoke(matrix, runs[0]).exception)
    assert isinstance(invoke(runs[0], matrix).exception, GumptionError)


def write_people(path: Path, models: list[str], scores: list[list[float]]) -> Path:
    units = [f"scene {number}" for number in range(len(scores[0]))]
    path.write_text(
        json.dumps(
            {"format": "gumption-people-1", "models": models, "units": units, "dimensions": ["goal"],
             "scores": scores, "raters": 3}
        )
    )  # fmt: skip
    return path


def test_people_who_agree_and_people_who_do_not(runs: list[Path], tmp_path: Path) -> None:
    alike = write_people(
        tmp_path / "alike.json",
        ["bad", "good_1%", "fair", "other"],
        [[0.1, 0.2], [0.9, 0.8], [0.5, 0.5], [0.3, 0.3]],
    )
    found = json.loads(invoke(*runs, "--people", alike, "--json").output)["alignment"]
    assert (found["tau_b"]["value"], found["agreeing"], found["pairs"]) == (1.0, 3, 3)
    assert found["left_out"] == ["other"]
    turned = write_people(tmp_path / "turned.json", list(MODELS), [[0.1, 0.2], [0.5, 0.5], [0.9, 0.8]])
    done = invoke(*runs, "--people", turned)
    assert done.exit_code == 0, done.output
    assert "0 of 3 pairs are ordered alike" in done.output and "good_1% over bad" in done.output
    assert "-1.00" in done.output and max(map(len, done.output.splitlines())) <= 80


def test_people_who_rated_other_models_are_refused(runs: list[Path], tmp_path: Path) -> None:
    strange = write_people(tmp_path / "strange.json", ["good_1%", "x"], [[0.1], [0.2]])
    done = invoke(*runs, "--people", strange)
    assert isinstance(done.exception, GumptionError) and "fewer than two models" in str(done.exception)


@pytest.mark.data
def test_the_range_of_a_published_matrix(public_data: Path) -> None:
    """LogicVista: 14 models from .002 to .326 on 448 items of five skills, says the page of the data."""
    found = json.loads(invoke(public_data / "response_matrices" / "logicvista.npz", "--json").output)
    means = [model["score"]["mean"] for model in found["models"]]
    assert (len(means), round(means[0], 3), round(means[-1], 3)) == (14, 0.326, 0.002)
    assert found["items"] == 448 and len(found["parts"]) == 5


@pytest.mark.parametrize("width", [80, 120])
def test_long_names_keep_the_width_and_stay_apart(tmp_path: Path, width: int) -> None:
    names = [f"organisation/family-of-models-{size}b-instruct-quantised-{size}" for size in (7, 13, 70)]
    scores = np.array([[1] * 9, [1] * 5 + [0] * 4, [0] * 8 + [1]])
    np.savez_compressed(
        tmp_path / "long.npz", X=scores, models=np.array(names), ids=np.array([f"i{n}" for n in range(9)])
    )
    people = write_people(tmp_path / "people.json", names, [[0.1, 0.2], [0.5, 0.5], [0.9, 0.8]])
    done = invoke(tmp_path / "long.npz", "--pairs", "--people", people, width=width)
    assert done.exit_code == 0, done.output
    assert max(map(len, done.output.splitlines())) <= width
    pairs = done.output[done.output.index("Pairs:") :]
    assert all(f"-{size} over" in pairs for size in (7, 13)) and "-70" in pairs
    refused = invoke(tmp_path / "long.npz", "--sensitivity").exception
    assert isinstance(refused, GumptionError) and "nothing to weigh" in str(refused)
