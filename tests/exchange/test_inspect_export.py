"""Logs of Inspect read, and our runs written as logs that it opens. Needs the extra [inspect]."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from gumption.benchmarks import Asking, read_prompts
from gumption.exchange import export, inspect_logs, read_logs, rescore
from gumption.models import open_models
from gumption.models.baseline import Oracle
from gumption.models.model import ReadMedia
from gumption.records import GumptionError, Item, Key, Reply, Text
from gumption.running import run
from gumption.suites import Suite, read_jsonl
from inspect_mock import evaluated, mock, quiz_file

pytestmark = [
    pytest.mark.inspect,
    # What Inspect's own code warns of is not ours to mend.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]


@pytest.fixture
def quiz(tmp_path: Path) -> Suite:
    return read_jsonl(quiz_file(tmp_path))


# ── its logs in ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("layout", ["eval", "json"])
def test_logs_of_its_own_tasks(tmp_path: Path, layout: str) -> None:
    samples = [
        Sample(id="a", input="Which is red?", choices=["cup", "plate"], target="B"),
        Sample(id="b", input="Is that so?", choices=["cup", "plate"], target="A"),
        Sample(id="c", input="Say which.", choices=["cup", "plate"], target="A"),
    ]
    said = {"Which": "ANSWER: B", "Is": "The answer is **A**.", "Say": "ANSWER: B"}
    model = mock(lambda prompt: next(reply for word, reply in said.items() if word in prompt))
    task = Task(dataset=samples, solver=multiple_choice(), scorer=choice(), name="colours")
    log = evaluated(task, model, tmp_path / "logs", log_format=layout)
    kit = [sample.scores["choice"].value for sample in log.samples]
    assert kit == ["C", "I", "I"]
    (read,) = read_logs(tmp_path / "logs")[0]
    assert (read.dataset, read.model) == ("colours", "mockllm/model")
    assert [row.score for row in read.rows] == [1.0, 0.0, 0.0]
    assert [row.item.answer.gold for row in read.rows] == ["B", "A", "A"]
    (found,) = rescore([read], tmp_path / "out")
    assert (found.sides[0].up, found.sides[0].down) == (
        1,
        0,
    )  # Inspect's marker is not in "The answer is **A**."


# ── our runs out ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_a_run_exported_is_read_by_inspect_and_by_us(quiz: Suite, tmp_path: Path, suffix: str) -> None:
    address = str(tmp_path / "quiz.jsonl")
    done = run(quiz, open_models("baseline/random")[0], tmp_path / "run", address=address, epochs=2)
    path = tmp_path / "logs" / f"run{suffix}"
    assert export(done.folder, path) == 8
    listed = [Path(info.name).name for info in list_eval_logs(str(path.parent))]
    assert listed == ([path.name] if suffix == ".eval" else [])  # it lists .json by names of its own making
    log = read_eval_log(str(path), resolve_attachments=True)
    assert (log.status, log.eval.task, log.eval.model) == ("success", "gumption/quiz", "baseline/random")
    assert log.eval.dataset.samples == 4
    assert len(log.samples or ()) == 8
    ours = {(row["item_id"], row["epoch"]): row["value"] for row in done.scores().to_pylist()}
    assert {(s.id, s.epoch - 1): s.scores["gumption"].value for s in log.samples} == ours
    first = log.samples[0]
    (picture,) = [part for part in first.input[0].content if part.type == "image"]
    assert picture.image.startswith("data:image/png;base64,")
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(sum(ours.values()) / 8)
    (found,) = rescore([inspect_logs.read(path)], tmp_path / "out")
    again = found.sides[0].run.scores().to_pylist()
    assert {(row["item_id"], row["epoch"]): row["value"] for row in again} == ours


def test_an_export_without_pictures_and_of_a_suite_that_is_gone(quiz: Suite, tmp_path: Path) -> None:
    done = run(quiz, open_models("baseline/oracle")[0], tmp_path / "run", address="/nowhere/quiz.jsonl")
    path = tmp_path / "quiz.eval"
    assert export(done.folder, path) == 4
    assert export(done.folder, tmp_path / "plain.eval", pictures=False) == 4
    log = read_eval_log(str(path))
    assert [sample.target for sample in log.samples] == ["B", "yes", "3", "a cup"]
    assert log.samples[0].output.completion == "B"


def test_only_names_that_inspect_opens(quiz: Suite, tmp_path: Path) -> None:
    done = run(quiz, open_models("baseline/oracle")[0], tmp_path / "run")
    with pytest.raises(GumptionError, match=r"\.eval or \.json"):
        export(done.folder, tmp_path / "run.zip")


# ── what was asked ───────────────────────────────────────────────────────────────────────────────────


def sent(asking: Asking, quiz: Suite, tmp_path: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The words of every request as it went out, by item, and the messages of the export."""
    heard: dict[str, list[str]] = {}

    class Heard(Oracle):
        async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
            heard.setdefault(key[0], []).append(words(question))
            return await super().ask(question, key, media)

    done = run(quiz, Heard(), tmp_path / "run", address=str(tmp_path / "quiz.jsonl"), asking=asking)
    export(done.folder, tmp_path / "x.eval")
    log = read_eval_log(str(tmp_path / "x.eval"), resolve_attachments=True)
    samples = log.samples or ()
    said = {sample.id: [one.text for one in sample.messages if one.role == "user"] for sample in samples}
    assert [sample.input[0].text for sample in samples] == [said[sample.id][0] for sample in samples]
    return heard, said


def words(item: Item) -> str:
    return "\n".join(part.text for part in item.parts if isinstance(part, Text))


@pytest.mark.parametrize("name", ["gumption-v1", "direct", "cot"])
def test_an_export_shows_what_was_sent(quiz: Suite, tmp_path: Path, name: str) -> None:
    heard, said = sent(Asking(prompt=name), quiz, tmp_path)
    assert said == heard
    assert ("step by step" in said["q1"][0]) == (name == "cot")


def test_an_export_shows_the_words_of_a_file(quiz: Suite, tmp_path: Path) -> None:
    path = tmp_path / "prompts.json"
    path.write_text('{"*": {"*": "Behold: {question} Speak!"}}')
    heard, said = sent(read_prompts(path), quiz, tmp_path)
    assert said == heard
    assert said["q2"][0].split() == ["Behold:", "Is", "it", "red?", "Speak!"]


def test_an_export_shows_every_rotation(quiz: Suite, tmp_path: Path) -> None:
    heard, said = sent(Asking(circular=True), quiz, tmp_path)
    assert said == heard
    assert len(said["q1"]) == 2 and said["q1"][0] != said["q1"][1]
