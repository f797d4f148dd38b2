"""The pipeline's folder: what was checked is what runs; an edit is checked; a repair is a new version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import drawers
import pytest

from gumption.records import GumptionError
from gumption.synthesis.agent import Roles, check, read_account, write
from gumption.synthesis.offline.roles import RuleEvaluator, RuleScorer
from gumption.synthesis.pipeline import Pipeline, read_pipeline
from gumption.synthesis.roles import Evidence

RULES = Roles(RuleEvaluator(), RuleScorer())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark and its pipeline, side by side."""
    folder = tmp_path_factory.mktemp("made")
    account, pipeline = write(drawers.make(folder / "drawers", 8), folder / "pipeline", RULES)
    assert account.accepted and pipeline is not None
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """The pair again, to be changed."""
    for name in ("drawers", "pipeline"):
        shutil.copytree(made / name, tmp_path / name)
    return tmp_path


def test_a_folder_has_code_tests_hashes_validation_and_transcript(made: Path) -> None:
    folder = made / "pipeline"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert set(manifest["files"]) == {"pipeline.py", "spec.json", "tests.jsonl", "validation.json"}
    assert manifest["address"] == "../drawers" and manifest["data"]["withheld"] == ["recorded.jsonl"]
    assert manifest["sandbox"] in ("bubblewrap", "landlock")
    assert str(made) not in (folder / "manifest.json").read_text()
    gates = json.loads((folder / "validation.json").read_text())["gates"]
    assert {gate["name"] for gate in gates} >= {"static", "run", "contract", "cases", "properties"}
    tests = [json.loads(line) for line in (folder / "tests.jsonl").read_text().splitlines()]
    right = {
        str(one["item"])
        for one in tests
        if one["worth"] == 1.0 and one["reply"] == drawers.word(int(one["item"]))
    }
    assert right == {str(number) for number in range(1, 9)}
    assert (folder / "transcript.jsonl").read_text() == ""
    account = read_account(folder)
    assert account is not None and account.spent.first_run and account.spent.calls == 0


def test_two_syntheses_are_the_same_to_the_byte(made: Path, tmp_path: Path) -> None:
    root = tmp_path / "drawers"
    shutil.copytree(made / "drawers", root)
    write(root, tmp_path / "pipeline", RULES)
    for name in ("pipeline.py", "spec.json", "tests.jsonl", "validation.json"):
        assert (tmp_path / "pipeline" / name).read_bytes() == (made / "pipeline" / name).read_bytes()


@pytest.mark.parametrize("name", ["pipeline.py", "spec.json", "tests.jsonl", "validation.json"])
def test_what_was_changed_is_not_run(copy: Path, name: str) -> None:
    file = copy / "pipeline" / name
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(GumptionError, match=f"{name} was changed") as found:
        read_pipeline(copy / "pipeline")
    assert "gumption synthesize check" in found.value.remedy


def test_a_manifest_that_leaves_a_file_out_speaks_for_nothing(copy: Path) -> None:
    manifest = copy / "pipeline" / "manifest.json"
    told = json.loads(manifest.read_text())
    del told["files"]["pipeline.py"]
    manifest.write_text(json.dumps(told))
    (copy / "pipeline" / "pipeline.py").write_text("import os\n")
    with pytest.raises(GumptionError, match=r"pipeline\.py was changed"):
        read_pipeline(copy / "pipeline")


def test_an_edit_that_passes_is_a_new_version_with_its_parent(copy: Path) -> None:
    before = read_pipeline(copy / "pipeline")
    code = copy / "pipeline" / "pipeline.py"
    code.write_text(code.read_text() + "\n# looked through by hand\n")
    evidence, after = check(copy / "pipeline")
    assert evidence.passed and after is not None
    assert after.manifest.version != before.manifest.version
    assert after.manifest.parents == (before.manifest.version,)
    assert after.manifest.roles["editor"] == "by hand"
    assert read_pipeline(copy / "pipeline").code.endswith("by hand\n")


def test_an_edit_that_does_harm_is_refused_and_cannot_be_run(copy: Path) -> None:
    code = copy / "pipeline" / "pipeline.py"
    code.write_text(
        code.read_text().replace("scoring.verdict(read, metrics", "scoring.verdict(read, 1.0 or metrics")
    )
    evidence, made = check(copy / "pipeline")
    assert made is None and not evidence.passed
    assert {one.gate for one in evidence.failures} & {"cases", "properties"}
    with pytest.raises(GumptionError, match=r"pipeline\.py was changed"):
        read_pipeline(copy / "pipeline")


def test_other_data_have_to_be_checked(copy: Path) -> None:
    pipeline = read_pipeline(copy / "pipeline")
    assert pipeline.root() == copy / "drawers"
    recorded = copy / "drawers" / "recorded.jsonl"
    recorded.write_text(recorded.read_text() + recorded.read_text())
    assert pipeline.root() == copy / "drawers", "replies of models are no data"
    table = copy / "drawers" / "drawers.csv"
    table.write_text(table.read_text().replace(drawers.word(3), "spoon"))
    with pytest.raises(GumptionError, match="not those that the pipeline was checked on") as found:
        pipeline.root()
    assert "check" in found.value.remedy
    shutil.rmtree(copy / "drawers")
    with pytest.raises(GumptionError, match="not there"):
        pipeline.root()


def test_what_is_no_pipeline_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="not a pipeline"):
        read_pipeline(tmp_path)
    root = tmp_path / "empty"
    root.mkdir()
    (root / "README.md").write_text("Nothing here yet.")
    account, pipeline = write(root, tmp_path / "out", RULES)
    assert pipeline is None and not account.accepted
    with pytest.raises(GumptionError, match="nothing was synthesised here"):
        read_pipeline(tmp_path / "out")


def test_what_did_not_pass_is_never_written(made: Path, tmp_path: Path) -> None:
    from gumption.synthesis.pipeline import write_pipeline_folder

    good: Pipeline = read_pipeline(made / "pipeline")
    with pytest.raises(GumptionError, match="did not pass"):
        write_pipeline_folder(
            tmp_path / "bad", spec=good.spec, code=good.code, evidence=Evidence(False, ()),
            root=made / "drawers", data=good.manifest.data, roles={}, spent=None,
        )  # fmt: skip
    assert not (tmp_path / "bad").exists()
