"""`gumption synthesize` and `gumption run --pipeline`, as a person types them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "synthesis"))

import drawers
from pipeline_script import Script, evaluator, scorer

from gumption.cli import main
from servers import Server


def cli(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["gumption", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    drawers.make(folder / "drawers", 6)
    with pytest.MonkeyPatch.context() as patch:
        assert cli(patch, "synthesize", folder / "drawers", "-o", folder / "pipeline") == 0
    return folder


def replies(folder: Path) -> Path:
    lines = [json.dumps({"id": n, "reply": drawers.word(n) if n % 2 else "spoon"}) for n in range(1, 7)]
    (folder / "replies.jsonl").write_text("\n".join(lines))
    return folder / "replies.jsonl"


def test_synthesise_then_run_then_score_again(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = f"replay/{replies(tmp_path)}"
    arguments = (
        "run",
        "--pipeline",
        made / "pipeline",
        "--model",
        model,
        "--out",
        tmp_path / "run",
        "--json",
    )
    assert cli(monkeypatch, *arguments) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["micro"]["mean"], first["n"], first["coverage"]) == (0.5, 6, 1.0)
    assert cli(monkeypatch, "score", tmp_path / "run", "--json") == 0
    assert json.loads(capsys.readouterr().out) == first


def test_what_is_there_is_taken_as_it_is(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (made / "pipeline" / "manifest.json").stat().st_mtime_ns
    assert cli(monkeypatch, "synthesize", made / "drawers", "-o", made / "pipeline") == 0
    told = capsys.readouterr()
    assert "--force" in told.err and f"gumption run --pipeline {made / 'pipeline'}" in told.out
    assert (made / "pipeline" / "manifest.json").stat().st_mtime_ns == before


def test_a_set_of_benchmarks_by_a_model_prints_what_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawers.make(tmp_path / "first", 6)
    drawers.make(tmp_path / "second", 7)
    pleased = 'def score(row, reply):\n    return {"score": 1.0, "outcome": "answered"}\n'
    with Server(Script((evaluator(),), (scorer(), scorer(pleased)))) as server:
        code = cli(
            monkeypatch, "synthesize", tmp_path / "first", tmp_path / "second", "-o", tmp_path / "out",
            "--evaluator", "openai/writer", "--base-url", server.base_url, "--prices", "1,2", "--attempts", 2,
        )  # fmt: skip
    told = capsys.readouterr()
    assert code == 1
    assert "second: not synthesised: what has just been refused is proposed again" in told.out
    assert "second, attempt 1: refused by cases" in told.err
    table = [line.split() for line in told.out.splitlines() if line.split()[:1] in (["first"], ["second"])]
    assert [(line[1], line[-5], line[-4]) for line in table] == [("written", "1", "2"), ("not", "1", "3")]
    assert "1 of 2 written. Eval@1 0.50" in told.out
    # Two requests for the first, three for the second, at 11 + 7 tokens each.
    assert "90 tokens, cost 0.0001" in told.out
    assert (tmp_path / "out" / "first" / "manifest.json").exists()
    assert not (tmp_path / "out" / "second" / "manifest.json").exists()


def test_an_edit_is_refused_until_it_is_checked(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    for name in ("drawers", "pipeline"):
        shutil.copytree(made / name, tmp_path / name)
    pipeline = tmp_path / "pipeline"
    code = pipeline / "pipeline.py"
    model = ("--model", f"replay/{replies(tmp_path)}", "--out", tmp_path / "run")
    code.write_text(code.read_text() + "# looked at\n")
    assert cli(monkeypatch, "run", "--pipeline", pipeline, *model) == 2
    assert f"To mend it: gumption synthesize check {pipeline}" in capsys.readouterr().err
    assert cli(monkeypatch, "synthesize", "check", pipeline) == 0
    assert "Every gate passes: version" in capsys.readouterr().out
    assert cli(monkeypatch, "run", "--pipeline", pipeline, *model) == 0
    code.write_text(code.read_text().replace("return rows", "return rows[:3] * 2"))
    assert cli(monkeypatch, "synthesize", "check", pipeline) == 1
    assert "Refused; the pipeline cannot be run." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "problem", "remedy"),
    [
        (("synthesize", "nowhere", "-o", "out"), "no such folder", "give the benchmark's folder"),
        (("synthesize", "check", "nowhere"), "not a pipeline", "gumption synthesize wrote"),
        (("synthesize", "a/x", "b/x", "-o", "out"), "two folders are called x", "rename one"),
        (("synthesize", "x", "-o", "out", "--prices", "cheap"), "no pair of prices", "--prices 0.5,1.5"),
        (("run", "--model", "baseline/random"), "nothing to ask", "--pipeline"),
        (("run", "tabletop", "--model", "baseline/random", "--unsandboxed"), "is for --pipeline", "leave"),
        (("run", "--pipeline", "x", "--model", "baseline/random", "--circular"), "by itself", "leave out"),
    ],
)
def test_bad_usage_says_what_to_do(
    arguments: tuple[str, ...],
    problem: str,
    remedy: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli(monkeypatch, *arguments) == 2
    told = capsys.readouterr().err
    assert problem in told and remedy in told


@pytest.mark.parametrize("verb", [(), ("write",), ("check",)])
def test_help_has_an_example(
    verb: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli(monkeypatch, "synthesize", *verb, "--help") == 0
    assert "Example:" in capsys.readouterr().out


def test_without_any_sandbox_it_refuses(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gumption.synthesis.sandbox import mechanisms

    monkeypatch.setattr(mechanisms, "tried", lambda: (mechanisms.Tried("bubblewrap", "not installed"),))
    assert cli(monkeypatch, "synthesize", made / "drawers", "-o", tmp_path / "out") == 2
    assert "pip install 'gumption[sandbox]'" in capsys.readouterr().err
    model = ("--model", f"replay/{replies(tmp_path)}", "--out", tmp_path / "run")
    assert cli(monkeypatch, "run", "--pipeline", made / "pipeline", *model) == 2
    assert cli(monkeypatch, "run", "--pipeline", made / "pipeline", *model, "--unsandboxed") == 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["pipeline"]["sandbox"] == "none"
