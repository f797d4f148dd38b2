"""`gumption synthesize fidelity`, as a person types it, against figures that were worked out by hand."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from gumption.benchmarks import open_benchmark
from gumption.cli import main
from gumption.records import Image, Item, Text
from gumption.synthesis.codegen import write_pipeline
from gumption.synthesis.data import data_of
from gumption.synthesis.pipeline import write_pipeline_folder
from gumption.synthesis.roles import Evidence
from gumption.synthesis.spec import Asking, Gold, Loading, Options, Scoring, Source, Spec


def cli(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["gumption", "synthesize", "fidelity", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> dict[str, Any]:
    assert cli(monkeypatch, *arguments, "--json") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def pipeline_of(spec: Spec, root: Path, folder: Path) -> Path:
    """A pipeline by its record: that it passes the gates is not what is looked at here."""
    evidence = Evidence(passed=True, failures=())
    write_pipeline_folder(
        folder, spec=spec, code=write_pipeline(spec), evidence=evidence, root=root, data=data_of(root, ()),
        roles={}, spent=None,
    )  # fmt: skip
    return folder


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


# ── against recorded scores ──────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def hearth(cases: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quiz of 40 questions, with the replies of three models and their right scores, 120 lines."""
    folder = tmp_path_factory.mktemp("fidelity")
    shutil.copytree(cases / "folders/hearth40", folder / "hearth40")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sys, "argv",
            ["gumption", "synthesize", str(folder / "hearth40"), "-o", str(folder / "pipeline")],
        )  # fmt: skip
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
    return folder


@pytest.fixture
def lines(hearth: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (hearth / "hearth40/recorded.jsonl").read_text().splitlines()]


def test_two_altered_scores_are_two_replies_of_120(
    hearth: Path,
    lines: list[dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    right = [line for line in lines if line["model"] == "model-a" and line["score"] == 1]
    for line in right[:2]:
        line["score"] = 0
    recorded = written(tmp_path / "altered.jsonl.gz", lines)
    found = figures(monkeypatch, capsys, hearth / "pipeline", "--recorded", recorded)["scores"]
    assert (found["pairs"], found["lost"], found["gained"]) == (120, 0, 2)
    assert found["agreement"] == pytest.approx(118 / 120)
    assert [(one["item"], one["score"], one["reference"]) for one in found["unequal"]] == [
        (str(line["item"]), 1, 0) for line in right[:2]
    ]
    # Two replies of forty are five points; the others are as they were.
    first = found["shifts"][0]
    assert (first["model"], first["shift"], first["band"]) == ("model-a", pytest.approx(0.05), "acceptable")
    assert [one["shift"] for one in found["shifts"][1:]] == [0, 0]
    # Of model-a n are right and n - 2 by the reference: 1 - 2 / (n - 2); the other two models have 1.
    n = len(right)
    assert found["relative"] == pytest.approx((1 - 2 / (n - 2) + 1 + 1) / 3)

    assert cli(monkeypatch, hearth / "pipeline", "--recorded", recorded) == 0
    told = capsys.readouterr().out
    for words in (
        "98.33%  of replies get the same score",
        "5.00 points at most (model-a, acceptable)",
        "0 of 3 pairs of models swapped",
        "Replies with another score (2; the first 2)",
        f"{right[0]['item']}, model-a: 1 here, 0 by the reference",
        "requests   not compared: name a benchmark with --reference",
    ):
        assert words in told


def test_outputs_are_compared_letter_by_letter(
    hearth: Path,
    lines: list[dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    recorded = written(tmp_path / "theirs.jsonl", [{**line, "reply": "kitten"} for line in lines[:4]])
    ours = [{**line, "reply": "sitting" if n else "kitten"} for n, line in enumerate(lines[:3])]
    outputs = written(tmp_path / "ours.jsonl", ours)
    arguments = (hearth / "pipeline", "--recorded", recorded, "--outputs", outputs)
    found = figures(monkeypatch, capsys, *arguments)["outputs"]
    # Kitten and sitting are three edits apart, of seven letters.
    assert found["mean"] == pytest.approx((1 + 4 / 7 + 4 / 7) / 3)
    assert (found["replies"], found["missing"]) == (3, 1)


def test_failed_requests_and_strange_items_are_left_out_and_told(
    hearth: Path,
    lines: list[dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failed = {**lines[0], "reply": "Failed to obtain answer via API.", "score": 0}
    strange = {**lines[1], "item": "no-such-item"}
    unscored = {**lines[2], "score": None}
    recorded = written(tmp_path / "some.jsonl", [failed, strange, unscored, *lines[3:]])
    assert cli(monkeypatch, hearth / "pipeline", "--recorded", recorded) == 0
    told = capsys.readouterr().out
    assert "on 117 replies that both score" in told
    assert "1 items that one of the two has not: no-such-item" in told
    assert "1 replies that only say that a request failed" in told
    assert "1 replies that the reference gives no score" in told


def test_foreign_names_do_not_steer_the_terminal(
    hearth: Path,
    lines: list[dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    odd = [{**line, "model": "m\x1b[2J", "reply": "\x1b]0;x\x07", "score": 1} for line in lines[:2]]
    recorded = written(tmp_path / "odd.jsonl", [*odd, {**lines[2], "item": "\x1b[31m"}])
    assert cli(monkeypatch, hearth / "pipeline", "--recorded", recorded) == 0
    told = capsys.readouterr().out
    assert "0 here, 1 by the reference" in told
    assert "\x1b" not in told and "\x07" not in told


def test_the_kits_layout_tells_what_was_read(
    hearth: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import csv

    table = (hearth / "hearth40/hearth40_eval.csv").read_text().splitlines()
    first = next(csv.DictReader(table))
    gold = "ABCD"[int(list(first.values())[3])]
    other = "ABCD".replace(gold, "")[0]
    id = next(iter(first.values()))
    rows = [
        (f"Answer: {gold}", f"({gold})"),  # both read it
        (f"Answer: {gold}", f"({other}) with its text"),  # another letter
        ("No idea.", f"({gold})"),  # read by the reference alone
        (f"Answer: {other}", "(Z)"),  # read here alone
    ]
    recorded = written(
        tmp_path / "kit.jsonl",
        [
            {"id": id, "model": f"m{n}", "reply": reply, "extracted": extracted, "gold": f"({gold})"}
            for n, (reply, extracted) in enumerate(rows)
        ],
    )
    found = figures(monkeypatch, capsys, hearth / "pipeline", "--recorded", recorded)
    readings = found["readings"]
    assert (readings["replies"], readings["read"], readings["only_here"]) == (4, 3, 1)
    assert readings["answered"] == pytest.approx(2 / 3)
    assert readings["agreement"] == pytest.approx(1 / 2)
    assert readings["worst"] == ["m2", 0.0]
    # By the reference 1, 0, 1, 0; here 1, 1, 0, 0.
    assert found["scores"]["agreement"] == pytest.approx(2 / 4)


# ── against a benchmark of ours ──────────────────────────────────────────────────────────────────────


def words_of(item: Item) -> str:
    """What a run shows of a choice: the question, the options, the form of the answer."""
    question = "\n".join(part.text for part in item.parts if isinstance(part, Text))
    choices = item.answer.choices or {}
    options = "\n".join(f"{letter}. {text}" for letter, text in choices.items())
    letters = ", ".join(choices)
    return f"{question}\nOptions:\n{options}\nAnswer with the letter of one option: {letters}."


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A pipeline over ten questions of our tabletop that asks as we do, but for one letter of the first."""
    folder = tmp_path_factory.mktemp("tabletop")
    suite = open_benchmark("tabletop")
    chosen = [item for item in suite.items if item.answer.kind == "choice"][:10]
    root = folder / "data"
    root.mkdir()
    rows = []
    for item in chosen:
        pictures = [part.sha256 for part in item.parts if isinstance(part, Image)]
        for sha256 in pictures:
            (root / f"{sha256}.png").write_bytes(suite.media.read(sha256))
        rows.append(
            {
                "id": item.id,
                "ask": words_of(item),
                "pictures": [f"{sha256}.png" for sha256 in pictures],
                "options": item.answer.choices,
                "right": item.answer.gold,
            }
        )
    rows[0]["ask"] = "w" + rows[0]["ask"][1:]
    written(root / "rows.jsonl", rows)
    spec = Spec(
        "table",
        Loading((Source("rows.jsonl", "jsonl"),), "id"),
        Asking("ask", images=("pictures",), options=Options(("options",), inside=True)),
        Scoring("choice", Gold("right", "letter"), "exact", region=("whole",)),
    )
    return pipeline_of(spec, root, folder / "pipeline"), rows


def test_a_benchmark_of_ours_is_the_reference(
    table: tuple[Path, list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pipeline, rows = table
    assert rows[0]["ask"][0] == "w"
    replies = [{"item": row["id"], "model": "m", "reply": row["right"]} for row in rows[:6]]
    replies += [{"item": row["id"], "model": "m", "reply": "I cannot tell."} for row in rows[6:]]
    recorded = written(tmp_path / "replies.jsonl", replies)
    found = figures(monkeypatch, capsys, pipeline, "--reference", "tabletop", "--recorded", recorded)
    requests = found["requests"]
    assert (requests["items"], requests["missing"], requests["unequal"]) == (10, 0, [rows[0]["id"]])
    assert requests["equal"] == pytest.approx(9 / 10)
    assert requests["same_media"] == requests["same_parts"] == 1.0
    # One letter of the first question's text is another.
    assert requests["text"] == pytest.approx((9 + 1 - 1 / len(rows[0]["ask"])) / 10)
    assert (found["readings"]["read"], found["readings"]["answered"]) == (6, 1.0)
    assert found["scores"]["agreement"] == 1.0
    (shift,) = found["scores"]["shifts"]
    assert (shift["score"], shift["reference"]) == (pytest.approx(0.6), pytest.approx(0.6))

    assert cli(monkeypatch, pipeline, "--reference", "tabletop") == 0
    told = capsys.readouterr().out
    assert "90.0% the same to the byte" in told
    assert "Scoring fidelity: not measured; name replies with --recorded" in told


@pytest.mark.data
def test_the_published_replies_to_blink(
    public_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures of docs/benchmarks/blink.md. There our own benchmark reads, which knows that Counting has
    the letters A to D; the published golds do not tell, so seven replies more are read here."""
    (tmp_path / "blink").mkdir()
    shutil.copy(public_data / "response_matrices/blink_val.items.jsonl", tmp_path / "blink")
    spec = Spec(
        "blink",
        Loading((Source("blink_val.items.jsonl", "jsonl"),), "id"),
        Asking("id", options=Options(("choices",)), category="group"),
        Scoring("choice", Gold("answer", "letter"), "exact", region=("whole",), aggregate="macro"),
    )
    pipeline = pipeline_of(spec, tmp_path / "blink", tmp_path / "pipeline")
    recorded = public_data / "response_matrices/blink_raw_val.jsonl.gz"
    found = figures(monkeypatch, capsys, pipeline, "--recorded", recorded)
    readings, scores = found["readings"], found["scores"]
    assert (readings["read"], found["failed"], scores["pairs"]) == (34_897, 24, 36_119 - 24)
    assert readings["answered"] == pytest.approx(0.9915, abs=5e-4)
    assert readings["agreement"] == pytest.approx(0.9966, abs=5e-5)
    assert readings["worst"][1] >= 0.93
    assert scores["shifts"][0]["model"] == "OPUS"
    assert scores["shifts"][0]["shift"] == pytest.approx(-0.0133, abs=1e-3)
    assert scores["tau"]["mean"] == pytest.approx(0.977, abs=5e-4)
    assert scores["tau"]["low"] < scores["tau"]["mean"] < scores["tau"]["high"]
    # The golds alone are there of our own benchmark: it scores replies, but shows nothing to compare.
    with gzip.open(recorded) as stream:
        of_one = [line for line in map(json.loads, stream) if line["model"] == "OPUS"]
    ours = figures(
        monkeypatch, capsys, pipeline, "--recorded", written(tmp_path / "one.jsonl", of_one),
        "--reference", "blink", "--reference-data", public_data,
    )  # fmt: skip
    assert (ours["requests"], ours["blank"]) == (None, 1_901)
    assert ours["scores"]["agreement"] >= 0.999


# ── what is no comparison ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "line", "problem", "remedy"),
    [
        ((), None, "there is nothing to compare with", "--recorded FILE, or a benchmark of ours"),
        (("--reference", "tabletop", "--outputs", "x.jsonl"), None, "no replies to compare", "--recorded"),
        (("--recorded", "bad.jsonl"), '{"item": 1}', "bad.jsonl, line 1", "item, model, reply and score"),
        (("--recorded", "bad.jsonl"), '{"item": 1, "model": "m", "reply": "r"}', "it has no score", "give"),
        (("--recorded", "bad.jsonl"), "", "it holds no replies", "give a file that does"),
        (
            ("--recorded", "bad.jsonl"),
            '{"item": "x", "model": "m", "reply": "r", "score": 1}',
            "the recorded file has none of the pipeline's items: 'x' there, '700'",
            "whose ids are those of the pipeline",
        ),
        (("--reference", "no-such"), None, "no benchmark is called", "one of"),
        (("--reference", "tabletop"), None, "the benchmark has none of the pipeline's items", "ids"),
    ],
)
def test_what_cannot_be_compared_ends_with_code_2(
    arguments: tuple[str, ...],
    line: str | None,
    problem: str,
    remedy: str,
    hearth: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if line is not None:
        (tmp_path / "bad.jsonl").write_text(line)
    monkeypatch.chdir(tmp_path)
    assert cli(monkeypatch, hearth / "pipeline", *arguments) == 2
    told = capsys.readouterr().err
    assert problem in told and remedy in told


def test_a_pipeline_that_was_changed_is_not_compared(
    hearth: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(hearth / "pipeline", tmp_path / "pipeline")
    with (tmp_path / "pipeline/pipeline.py").open("a") as code:
        code.write("# edited\n")
    recorded = hearth / "hearth40/recorded.jsonl"
    assert cli(monkeypatch, tmp_path / "pipeline", "--recorded", recorded) == 2
    assert "gumption synthesize check" in capsys.readouterr().err


def test_help_has_an_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(monkeypatch, "--help") == 0
    assert "Example:" in capsys.readouterr().out
