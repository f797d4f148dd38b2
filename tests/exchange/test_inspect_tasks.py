"""Our benchmarks and suites as tasks of Inspect. Needs the extra [inspect]."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")

from gumption.exchange import inspect_tasks, read_logs, rescore
from gumption.ranking import scorecard
from gumption.records import GumptionError
from inspect_mock import answer, environment, evaluated, mock, quiz_file

pytestmark = [
    pytest.mark.inspect,
    # What Inspect's own code warns of is not ours to mend.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return quiz_file(tmp_path)


def test_a_suite_is_a_task(questions: Path, tmp_path: Path) -> None:
    log = evaluated(inspect_tasks.suite(path=str(questions)), mock(answer), tmp_path / "logs")
    assert log.status == "success"
    assert [sample.scores["gumption"].value for sample in log.samples] == [1.0, 0.0, 1.0, 0.0]
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert metrics["mean"] == pytest.approx(0.5)
    assert metrics["official"] == pytest.approx(0.5)
    assert [part.type for part in log.samples[0].messages[0].content][:1] == ["image"]
    (again,) = rescore(read_logs(tmp_path / "logs")[0], tmp_path / "out")
    assert (again.sides[0].ours, again.sides[0].moved) == (pytest.approx(0.5), 0)


def test_the_official_aggregate_is_macro_where_the_benchmark_says_so(tmp_path: Path) -> None:
    log = evaluated(inspect_tasks.TASKS["tabletop"](), mock(lambda _: "A"), tmp_path / "logs", limit=30)
    by_category: dict[str, list[float]] = {}
    for sample in log.samples:
        by_category.setdefault(sample.metadata["category"], []).append(sample.scores["gumption"].value)
    macro = sum(sum(values) / len(values) for values in by_category.values()) / len(by_category)
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert len(by_category) > 1
    assert metrics["official"] == pytest.approx(macro)
    assert 0 < metrics["mean"] < 1
    pictures = [part for part in log.samples[0].messages[0].content if part.type == "image"]
    assert pictures


def test_an_episode_of_many_questions_is_driven_to_its_end(tmp_path: Path) -> None:
    log = evaluated(
        inspect_tasks.TASKS["household-fresh-loop"](), mock(lambda _: "no plan"), tmp_path / "logs", limit=1
    )
    (sample,) = log.samples
    assert log.status == "success"
    assert len(sample.metadata["gumption_replies"]) == len(sample.messages) // 2 > 1
    (again,) = rescore(read_logs(tmp_path / "logs")[0], tmp_path / "out")
    assert again.sides[0].ours == sample.scores["gumption"].value
    assert again.sides[0].moved == 0


@pytest.mark.data
def test_a_judge_is_the_grader_and_nobody_else(public_data: Path, tmp_path: Path) -> None:
    task = inspect_tasks.TASKS["egothink"](data=str(public_data))
    alone = evaluated(task, mock(lambda _: "[[1]]"), tmp_path / "alone", limit=2)
    assert all(str(sample.scores["gumption"].value) == "nan" for sample in alone.samples)
    roles = {"grader": mock(lambda _: "So [[0.5]]")}
    judged = evaluated(task, mock(lambda _: "a cup"), tmp_path / "judged", limit=2, model_roles=roles)
    assert [sample.scores["gumption"].value for sample in judged.samples] == [0.5, 0.5]


def test_a_failed_request_is_a_failed_sample(questions: Path, tmp_path: Path) -> None:
    def broken(prompt: str) -> str:
        if "red" in prompt:
            raise ConnectionError("the server is gone")
        return answer(prompt)

    log = evaluated(
        inspect_tasks.suite(path=str(questions)), mock(broken), tmp_path / "logs", fail_on_error=False
    )
    assert [bool(sample.error) for sample in log.samples] == [True, True, False, False]
    (found,) = rescore(read_logs(tmp_path / "logs")[0], tmp_path / "out")
    assert scorecard(found.sides[0].run.folder).total.coverage == 0.5


def test_data_that_is_missing_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(GumptionError) as caught:
        inspect_tasks.suite(path=str(tmp_path / "nothing"))
    assert any("To mend it" in note for note in caught.value.__notes__)


def test_inspect_eval_finds_our_tasks(questions: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "inspect_ai", "eval", "gumption/tabletop", "gumption/suite"]
    options = ["-T", f"path={questions}", "--model", "mockllm/model", "--limit", "3", "--display", "plain"]
    done = subprocess.run(
        [*command, *options],
        env=environment(tmp_path / "site"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"official\s+\d", done.stdout)) == 2, done.stdout
    logs, left_out = read_logs(tmp_path / "site" / "logs")
    assert sorted((log.dataset, len(log.rows)) for log in logs) == [("suite", 3), ("tabletop", 3)]
    assert not left_out
