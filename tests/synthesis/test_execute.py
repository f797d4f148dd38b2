"""Running a pipeline: requests as it builds them, scores as it gives them, failures told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import drawers
import pytest
from msgspec.structs import replace
from PIL import Image as Picture

from gumption.models import open_models
from gumption.models.openai import OpenAI
from gumption.ranking import compare, scorecard
from gumption.records import Answer, GumptionError, Image, Item, Text
from gumption.reporting import RecordedRun, write_site
from gumption.running import Run
from gumption.suites import Suite
from gumption.synthesis.calls import BrokenError, Calls, Fault, mechanism_of, view
from gumption.synthesis.data import data_of
from gumption.synthesis.execute import is_pipeline_run, run_pipeline, score_pipeline_run, suite_of
from gumption.synthesis.pipeline import Pipeline, write_pipeline_folder
from gumption.synthesis.roles import Evidence
from gumption.synthesis.sandbox import Limits
from gumption.synthesis.spec import Asking, Gold, Loading, Scoring, Source, Spec
from servers import Asked, Server, answer, failure

COUNT = 24
RECORD = Spec(
    "drawers",
    Loading((Source("drawers.csv", "csv"),), "no"),
    Asking("asked", instruction="One word.", category="room"),
    Scoring("text", Gold("word", "texts"), "exact", normalise=("lower",)),
)
CODE = """
import csv


def load(folder):
    with open(folder + "/drawers.csv") as stream:
        return [{**row, "id": int(row["no"])} for row in csv.DictReader(stream)]


def build(row):
    return {
        "parts": [{"text": row["asked"]}, {"text": "One word."}],
        "category": row["room"],
        "options": 4,
    }


def score(row, reply):
    if reply == "break":
        raise ValueError("no such word")
    if reply == "judge":
        return {"score": None, "outcome": "answered"}
    if not reply:
        return {"score": 0.0, "outcome": "unanswered", "rule": "nothing"}
    return {"score": float(reply == row["word"]), "outcome": "answered", "value": reply, "rule": "equal"}
"""


def written(root: Path, out: Path, code: str = CODE, record: Spec = RECORD) -> Pipeline:
    """A pipeline as if it had passed: its validation is not what is tested here."""
    data = data_of(root, ["recorded.jsonl"])
    return write_pipeline_folder(
        out, spec=record, code=code, evidence=Evidence(True, (), {}, mechanism=mechanism_of(False)),
        root=root, data=data, roles={}, spent=None,
    )  # fmt: skip


@pytest.fixture
def pipeline(tmp_path: Path) -> Pipeline:
    return written(drawers.make(tmp_path / "drawers", COUNT), tmp_path / "pipeline")


def replay(path: Path, replies: dict[int, Any]) -> Any:
    lines = [json.dumps({"id": id, "model": "m"} | told) for id, told in replies.items()]
    path.write_text("\n".join(lines))
    return open_models(f"replay/{path}")[0]


def right(number: int) -> dict[str, Any]:
    return {"reply": drawers.word(number)}


def test_what_is_sent_is_what_was_built(pipeline: Pipeline, tmp_path: Path) -> None:
    with Server(lambda asked: answer("nothing")) as server:
        model = OpenAI("brain", base_url=server.base_url)
        run_pipeline(pipeline, suite_of(pipeline), model, tmp_path / "run")
        sent = {tuple(one.parts) for one in server.asked}
    wanted = {(f"Which word is written on the note in drawer {n}?", "One word.") for n in range(1, COUNT + 1)}
    assert sent == wanted


def test_every_fate_of_a_reply_is_told_apart(pipeline: Pipeline, tmp_path: Path) -> None:
    replies = {n: right(n) for n in range(1, 21)}
    replies |= {
        1: {"reply": "wrong"}, 2: {"reply": ""}, 3: {"reply": "break"}, 4: {"reply": "judge"},
        5: {"reply": "", "status": "infra_error"}, 6: {"reply": "no", "status": "refused"},
        7: {"reply": drawers.word(7), "status": "truncated"},
    }  # fmt: skip
    record = run_pipeline(
        pipeline, suite_of(pipeline), replay(tmp_path / "r.jsonl", replies), tmp_path / "run"
    )
    rows = {int(row["item_id"]): row for row in record.scores().to_pylist()}
    told = {
        n: (rows[n]["value"], rows[n]["status"], rows[n]["outcome"]) for n in (1, 2, 3, 4, 5, 6, 7, 8, 24)
    }
    assert told == {
        1: (0.0, "ok", "answered"),
        2: (0.0, "ok", "unanswered"),
        3: (None, "unscored", ""),
        4: (None, "unscored", "answered"),
        5: (None, "infra_error", ""),
        6: (0.0, "refused", "refused"),
        7: (1.0, "truncated", "answered"),
        8: (1.0, "ok", "answered"),
        24: (None, "diverged", ""),
    }
    assert "no such word" in rows[3]["details"][0]
    assert any("no such word" in problem for problem in record.problems)
    card = scorecard(record.folder)
    assert (card.total.n, card.total.planned) == (17, 24)
    assert card.total.score.mean == pytest.approx(14 / 17)
    assert card.total.chance == 0.25
    assert {one.name for one in card.categories} == set(drawers.ROOMS)


def test_the_run_says_by_what_it_was_scored_and_is_scored_again(pipeline: Pipeline, tmp_path: Path) -> None:
    model = replay(tmp_path / "r.jsonl", {n: right(n) for n in range(1, COUNT + 1)})
    out = tmp_path / "run"
    record = run_pipeline(pipeline, suite_of(pipeline), model, out)
    assert is_pipeline_run(out)
    assert record.info.pipeline["version"] == pipeline.manifest.version
    assert record.info.pipeline["sandbox"] == mechanism_of(False)
    assert pipeline.manifest.version in record.info.protocol.scoring
    first = (out / "scores.parquet").read_bytes()
    (out / "scores.parquet").unlink()
    drawers_gone = pipeline.folder.parent / "drawers"
    drawers_gone.rename(tmp_path / "elsewhere")
    assert score_pipeline_run(out).info.pipeline == record.info.pipeline
    assert (out / "scores.parquet").read_bytes() == first
    # The code in the run is held to its hashes as well.
    (out / "pipeline" / "pipeline.py").write_text(CODE.replace("reply == row", "reply != row"))
    with pytest.raises(GumptionError, match="was changed"):
        score_pipeline_run(out)


def test_it_is_taken_up_where_it_ended(pipeline: Pipeline, tmp_path: Path) -> None:
    down = {"is": True}

    def behave(asked: Asked) -> Any:
        return failure(400, "down") if down["is"] and asked.number > 10 else answer("nothing")

    with Server(behave) as server:
        model = OpenAI("brain", base_url=server.base_url)
        suite = suite_of(pipeline)
        first = run_pipeline(pipeline, suite, model, tmp_path / "run", concurrency=1)
        assert scorecard(first.folder).total.n == 10
        down["is"] = False
        second = run_pipeline(pipeline, suite, model, tmp_path / "run", concurrency=1)
        assert scorecard(second.folder).total.n == COUNT
        assert server.total == COUNT + (COUNT - 10)


def test_a_suite_chooses_items_and_gives_them_their_dimension(pipeline: Pipeline, tmp_path: Path) -> None:
    chosen = tuple(
        Item(str(n), "drawers", (Text("?"),), Answer("text"), dimension="Memory" if n % 2 else "Reading")
        for n in (2, 3, 4, 99)
    )
    suite = suite_of(pipeline, within=Suite("compact", "1", chosen))
    model = replay(tmp_path / "r.jsonl", {n: right(n) for n in (2, 3)})
    record = run_pipeline(pipeline, suite, model, tmp_path / "run")
    card = scorecard(record.folder)
    assert {one.name: (one.n, one.planned) for one in card.dimensions} == {
        "Memory": (1, 1),
        "Reading": (1, 2),
    }
    assert len(record.info.rejected) == 1 and "99" in record.info.rejected[0]
    with pytest.raises(GumptionError, match="none of its items"):
        suite_of(pipeline, within=Suite("other", "1", (replace(chosen[0], id="x"),)))


def test_two_versions_are_not_compared_unless_told(pipeline: Pipeline, tmp_path: Path) -> None:
    other = written(tmp_path / "drawers", tmp_path / "second", CODE + "\n# another\n")
    for name, one in (("a", pipeline), ("b", other)):
        model = replay(tmp_path / "r.jsonl", {n: right(n) for n in range(1, COUNT + 1)})
        run_pipeline(one, suite_of(one), model, tmp_path / name)
    with pytest.raises(GumptionError, match="different protocols"):
        compare(tmp_path / "a", tmp_path / "b")


def test_a_report_shows_the_pictures_and_the_words_that_were_sent(tmp_path: Path) -> None:
    root = drawers.make(tmp_path / "drawers", 4)
    Picture.new("RGB", (8, 6), "red").save(root / "red.png")
    code = CODE.replace('{"text": "One word."}', '{"image": "red.png"}')
    pipeline = written(root, tmp_path / "pipeline", code)
    with Server(lambda asked: answer("nothing")) as server:
        run_pipeline(
            pipeline, suite_of(pipeline), OpenAI("brain", base_url=server.base_url), tmp_path / "run"
        )
        assert all(one.parts[1] == ("image/png", (root / "red.png").read_bytes()) for one in server.asked)
    view = RecordedRun(Run.open(tmp_path / "run"))
    (root / "red.png").rename(tmp_path / "moved.png")
    first = next(iter(view.items()))
    assert [type(part) for part in first.parts] == [Text, Image]
    assert isinstance(first.parts[1], Image)
    assert view.media(first.parts[1].sha256) == (tmp_path / "moved.png").read_bytes()
    assert write_site([view], tmp_path / "site").exists()


def test_names_of_our_benchmarks_are_not_taken(tmp_path: Path) -> None:
    root = drawers.make(tmp_path / "drawers", 4)
    named = written(root, tmp_path / "pipeline", record=replace(RECORD, name="blink"))
    assert {item.benchmark for item in suite_of(named).items} == {"blink (pipeline)"}


def test_pictures_stay_below_the_folder(tmp_path: Path) -> None:
    root = drawers.make(tmp_path / "drawers", 4)
    (tmp_path / "secret.png").write_bytes(b"secret")
    (root / "shown.png").symlink_to(tmp_path / "secret.png")
    code = CODE.replace('{"text": "One word."}', '{"image": "shown.png"}')
    with pytest.raises(GumptionError, match="leaves the folder"):
        suite_of(written(root, tmp_path / "pipeline", code))


# ── calls ────────────────────────────────────────────────────────────────────────────────────────────


def calls(code: str, folder: Path) -> Calls:
    return Calls(code, folder, mechanism_of(False), Limits(wall_s=3.0))


def test_a_pipeline_does_not_see_recorded_replies(tmp_path: Path) -> None:
    root = drawers.make(tmp_path / "drawers", 4)
    code = CODE.replace("[{**row", "[{**row, 'seen': __import__('os').listdir(folder)")
    with view(root, ["recorded.jsonl"]) as seen:
        (row, *_) = calls(code, seen).load()
    assert sorted(row["seen"]) == ["README.md", "drawers.csv"]


def test_one_bad_reply_costs_itself_alone_and_many_cost_no_hours(tmp_path: Path) -> None:
    pairs = [({"id": n, "word": "spoon"}, "break" if n == 3 else "spoon") for n in range(2_200)]
    found = calls(CODE, tmp_path).score(pairs)
    assert [place for place, one in enumerate(found) if isinstance(one, Fault)] == [3]
    assert isinstance(found[3], Fault) and found[3].problem == "crash"
    assert all(not isinstance(one, Fault) and one.score == 1.0 for n, one in enumerate(found) if n != 3)
    many = calls(CODE, tmp_path).score([({"id": n, "word": "x"}, "break") for n in range(3_000)])
    assert len(many) == 3_000 and all(isinstance(one, Fault) for one in many)
    assert many[-1].problem == "not run"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "call", "problem"),
    [
        (("int(row", "[][1] + int(row"), "load", "crash"),
        (('"id": int(row["no"])', '"no": 1'), "load", "contract"),
        (('"category"', '"catgory"'), "build", "contract"),
        (('return {\n        "parts"', 'return 1 / 0 or {\n        "parts"'), "build", "crash"),
    ],
)
def test_code_that_breaks_its_contract_is_named(
    tmp_path: Path, change: tuple[str, str], call: str, problem: str
) -> None:
    root = drawers.make(tmp_path / "drawers", 4)
    broken = calls(CODE.replace(*change), root)
    with pytest.raises(BrokenError) as found:
        broken.build(broken.load())
    assert (found.value.fault.call, found.value.fault.problem) == (call, problem)
    assert "check" in found.value.remedy


def test_a_verdict_out_of_range_is_the_scorers_fault(tmp_path: Path) -> None:
    code = CODE.replace("float(reply == row", "7 * float(reply == row")
    bad, good = calls(code, tmp_path).score([({"id": 1, "word": "x"}, "x"), ({"id": 2, "word": "x"}, "y")])
    assert isinstance(bad, Fault) and bad.problem == "contract"
    assert not isinstance(good, Fault) and good.score == 0.0


def test_without_a_sandbox_only_when_told(tmp_path: Path) -> None:
    pipeline = written(drawers.make(tmp_path / "drawers", 4), tmp_path / "pipeline")
    suite = suite_of(pipeline, unsandboxed=True)
    model = replay(tmp_path / "r.jsonl", {1: right(1)})
    record = run_pipeline(pipeline, suite, model, tmp_path / "run", unsandboxed=True)
    assert Run.open(tmp_path / "run").info.pipeline["sandbox"] == "none"
    assert record.scores().column("value").to_pylist() == [1.0, None, None, None]
