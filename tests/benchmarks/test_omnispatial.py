"""OmniSpatial in the published layout, as a folder and inside its archive."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace
from oracle_runs import card_of, picture, scored
from typer.testing import CliRunner

from gumption.benchmarks import get, open_suite, repeats_of
from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks.pages import page
from gumption.cli import app
from gumption.models import open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError, Text
from gumption.running import Run, run
from gumption.suites import Suite

TASKS = (("Dynamic_Reasoning", "Motion_Analysis"), ("Complex_Logic", "Pattern_Recognition"))


def write(folder: Path, answers: tuple[int, ...] = (0, 1, 2, 3)) -> Path:
    """`data.json`, and a picture for each two questions of a task type."""
    rows = []
    for shade, (task, sub) in enumerate(TASKS):
        (folder / task).mkdir(parents=True)
        for number, answer in enumerate(answers):
            rows.append({
                "id": f"{number // 2}_{number % 2}",
                "question": f"How far is thing {number}?",
                "options": ["1 m", "2 m", "3 m", "4 m"][: max(2, answer + 1)],
                "answer": answer,
                "task_type": task,
                "sub_task_type": sub,
            })  # fmt: skip
            pixels = np.full((6, 9, 3), 40 * shade + number // 2, np.uint8)
            (folder / task / f"{number // 2}.png").write_bytes(picture(pixels))
    (folder / "data.json").write_text(json.dumps(rows))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("omnispatial"))


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return get("omnispatial").load(folder)


def test_items(suite: Suite) -> None:
    assert len(suite.items) == 8 and len({item.cluster for item in suite.items}) == 4
    item = suite.items[2]
    assert (item.category, item.dimension, item.answer.gold) == (*TASKS[0], "C")
    assert list(item.answer.choices or ()) == ["A", "B", "C"]


@pytest.mark.parametrize("form", ["re", "json", "direct"])
def test_the_oracle_is_right_by_both_rules_and_a_wrong_one_scores_nothing(
    folder: Path, tmp_path: Path, form: str
) -> None:
    suite = open_suite(f"omnispatial:format={form}", folder)
    right, wrong = (card_of(suite, tmp_path / f"{form}{level}", level) for level in (1.0, 0.0))
    assert (right.official.mean, right.micro.mean) == (1.0, 1.0)
    assert (wrong.official.mean, wrong.micro.mean) == (0.0, 0.0)


def test_five_repeats_are_five_epochs_and_the_mean_is_over_all(suite: Suite, tmp_path: Path) -> None:
    (model,) = open_models("baseline/random", seed=3)
    record = run(suite, model, tmp_path / "run", epochs=5)
    rows = record.scores().to_pylist()
    assert len(rows) == 40 and {row["epoch"] for row in rows} == {0, 1, 2, 3, 4}
    parts = [dict(row["parts"])[OFFICIAL] for row in rows]
    assert 0 < sum(parts) < 40
    assert scorecard(record.folder).official.mean == pytest.approx(sum(parts) / 40)


@pytest.mark.parametrize(("told", "epochs"), [((), 5), (("--epochs", "2"), 2)])
def test_a_run_repeats_as_the_authors_do_unless_told(
    folder: Path, tmp_path: Path, told: tuple[str, ...], epochs: int
) -> None:
    """Five times; the protocol keeps the number and the run says it before it asks."""
    options = ["--model", "baseline/oracle", "--data", str(folder), "--out", str(tmp_path / "run"), "--json"]
    done = CliRunner().invoke(app, ["run", "omnispatial", *options, *told])
    assert done.exit_code == 0, done.output
    assert ("asked 5 times" in done.stderr) == (not told)
    card = json.loads(done.stdout)
    assert (card["protocol"]["epochs"], card["planned"]) == (epochs, 8 * epochs)
    assert Run.open(tmp_path / "run").info.protocol.epochs == epochs


def test_only_its_own_questions_are_repeated(suite: Suite) -> None:
    assert repeats_of(suite.items) == 5 and get("erqa").repeats == 1
    other = replace(suite.items[0], id="other", benchmark="elsewhere")
    assert repeats_of([other]) == repeats_of([*suite.items, other]) == 1
    assert "| repeats | each question is asked 5 times" in page(get("omnispatial"))
    assert "| repeats |" not in page(get("erqa"))


@pytest.mark.parametrize(
    ("form", "reply", "official", "ours"),
    [
        ("re", "Far off.\nAnswer: B", "B", "B"),
        ("re", "Answer: A\nNo, wait.\nAnswer: B", "B", "B"),
        ("re", "answer : B", "B", "B"),
        ("re", "Answer: b", "", "B"),
        ("re", "B", "A", "B"),
        ("re", "The answer is B.", "A", "B"),
        ("re", "Answer: **B**", "A", "B"),
        ("re", "I cannot answer that.", "A", ""),
        ("re", "", "A", ""),
        ("json", '```json\n{"analysis": "near", "answer": "B"}\n```', "B", "B"),
        ("json", '{"answer": "b) 2 m"}', "B", "B"),
        ("json", "The answer is B", "A", "B"),
        ("json", '["B"]', "A", None),
        ("json", '{"answer": 2}', "A", None),
        ("json", "[" * 100_000, "A", ""),
        ("direct", "B", "B", "B"),
        ("direct", " b.", "B", "B"),
        ("direct", "The answer is B", "T", "B"),
        ("direct", "", "", ""),
    ],
)
def test_hand_worked_replies(folder: Path, form: str, reply: str, official: str, ours: str | None) -> None:
    suite = open_suite(f"omnispatial:format={form}", folder)
    for item in suite.items[:2]:  # golds A and B
        score = scored(get("omnispatial").episode(item), item, reply)
        assert score.parts[OFFICIAL] == float(official == item.answer.gold)
        assert ours is None or score.value == float(ours == item.answer.gold)


def test_the_way_of_asking_is_an_option(folder: Path) -> None:
    def words(address: str) -> str:
        item = open_suite(address, folder).items[3]
        question = next(get("omnispatial").episode(item))[0]
        return "\n".join(part.text for part in question.parts if isinstance(part, Text))

    assert "reason step by step" in words("omnispatial") and "Answer:" in words("omnispatial")
    direct = words("omnispatial:format=direct,prompt=none")
    assert "reason" not in direct and "Answer:" not in direct and "D. 4 m" in direct
    assert open_suite("omnispatial:format=json", folder).items[0].meta["protocol"] == "format=json"
    with pytest.raises(GumptionError, match="format=llm"):
        open_suite("omnispatial:format=llm", folder)


def test_the_archive_is_unpacked_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gumption.benchmarks import _archives

    cache = tmp_path / "cache"
    cache.mkdir()
    with zipfile.ZipFile(cache / "OmniSpatial-test.zip", "w") as archive:
        for path in sorted(folder.rglob("*.*")):
            archive.write(path, Path("OmniSpatial-test") / path.relative_to(folder))
    monkeypatch.setattr(_archives, "fetch", lambda source: cache)
    first = get("omnispatial").load(None)
    assert first.checksum == get("omnispatial").load(folder).checksum
    (cache / "OmniSpatial-test.zip").write_bytes(b"not looked at again")
    assert get("omnispatial").load(None).checksum == first.checksum


def test_a_damaged_archive_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gumption.benchmarks import _archives

    (tmp_path / "OmniSpatial-test.zip").write_bytes(Random(0).randbytes(100))
    monkeypatch.setattr(_archives, "fetch", lambda source: tmp_path)
    with pytest.raises(GumptionError, match="cannot be unpacked") as caught:
        get("omnispatial").load(None)
    assert caught.value.where.endswith("OmniSpatial-test.zip")


def test_an_answer_beyond_the_options_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "bad", answers=(0,))
    text = (folder / "data.json").read_text().replace('"answer": 0', '"answer": 7')
    (folder / "data.json").write_text(text)
    with pytest.raises(GumptionError, match="option 7 is the answer, of 2"):
        get("omnispatial").load(folder)
