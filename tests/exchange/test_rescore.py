"""Old runs scored again: the kit's figure and ours side by side, ranks, and the way back to each reply."""

from __future__ import annotations

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from kit_logs import (
    evalscope_prediction,
    evalscope_review,
    lmms_sample,
    vlmevalkit_rows,
    write_jsonl,
    write_tsv,
    write_xlsx,
)
from typer.testing import CliRunner

from gumption.cli import app
from gumption.exchange import inspect_logs, read_logs, rescore, vlmevalkit
from gumption.records import GumptionError

# What the kit reads of these, by the findings of benchmarks.md section 8: a phrase behind a letter is not
# read and becomes a random option; a tag is not read; everything else as a person would.
LOUD = ["<answer>B</answer>", "option B because A is red", "B", "The answer is (C).", "B"]
LOUD_HITS = [0, 0, 1, 0, 1]
PLAIN = ["B", "B", "B", "C", "Failed to obtain answer via API."]
PLAIN_HITS = [1, 1, 1, 0, 0]


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """Two models of VLMEvalKit: by its own count the plain one is better, 3 of 5 against 2 of 5."""
    for model, predictions, hits in (("loud", LOUD, LOUD_HITS), ("plain", PLAIN, PLAIN_HITS)):
        folder = tmp_path / "outputs" / model
        write_xlsx(folder / f"{model}_BLINK.xlsx", vlmevalkit_rows(predictions))
        write_xlsx(folder / f"{model}_BLINK_exact_matching_result.xlsx", vlmevalkit_rows(predictions, hits))
        write_tsv(folder / f"{model}_BLINK_acc.tsv", [{"split": "none", "Overall": 0.5}])
        (folder / f"{model}_BLINK_checkpoint.pkl").write_bytes(b"\x80\x04.")
    return tmp_path / "outputs"


def test_the_kit_and_we_side_by_side(outputs: Path, tmp_path: Path) -> None:
    logs, left_out = read_logs(outputs)
    assert sorted((log.model, log.scored) for log in logs) == [("loud", 5), ("plain", 5)]
    assert len(left_out) == 6  # the plain predictions, the means and the pickle of each
    assert sum("runs code" in line for line in left_out) == 2
    (found,) = rescore(logs, tmp_path / "out")
    assert (found.kit, found.dataset) == ("vlmevalkit", "BLINK")
    loud, plain = sorted(found.sides, key=lambda side: side.model)
    assert (loud.both, loud.kit, loud.ours) == (5, pytest.approx(2 / 5), pytest.approx(4 / 5))
    assert (loud.up, loud.down, loud.unscored, loud.moved) == (2, 0, 0, 2)
    # The failed request counts as wrong for the kit, and leaves the mean here.
    assert (plain.both, plain.kit, plain.ours) == (4, pytest.approx(3 / 4), pytest.approx(3 / 4))
    assert (plain.up, plain.down, plain.unscored) == (0, 0, 1)
    assert [(side.model, side.kit_rank, side.rank) for side in found.sides] == [
        ("loud", 2, 1),
        ("plain", 1, 2),
    ]


def test_each_reply_that_moved_leads_back_to_its_row(outputs: Path, tmp_path: Path) -> None:
    (found,) = rescore(read_logs(outputs)[0], tmp_path / "out")
    moved = [json.loads(line) for line in found.moved.read_text().splitlines()]
    assert [(one["model"], one["item_id"]) for one in moved] == [("loud", "0"), ("loud", "1"), ("plain", "4")]
    first = moved[0]
    assert (first["kit"], first["ours"], first["read"], first["gold"]) == (0.0, 1.0, '"B"', '"B"')
    assert first["reply"] == "<answer>B</answer>"
    assert first["where"].endswith("loud_BLINK_exact_matching_result.xlsx, row 1")
    assert (moved[2]["ours"], moved[2]["status"]) == (None, "infra_error")


def test_the_command_prints_and_ends_as_it_should(outputs: Path, tmp_path: Path) -> None:
    arguments = ["score", "--import", str(outputs), "--out", str(tmp_path / "out")]
    shown = CliRunner().invoke(app, arguments, terminal_width=120)
    assert shown.exit_code == 1  # one request had failed
    assert "2 > 1" in shown.output and "80.0 %" in shown.output and "40.0 %" in shown.output
    again = CliRunner().invoke(app, [*arguments, "--json"])
    (row,) = map(json.loads, again.stdout.splitlines())
    assert [model["rank"] for model in row["models"]] == [1, 2]
    assert Path(row["models"][0]["run"], "scores.parquet").is_file()


def test_score_wants_runs_or_a_log() -> None:
    result = CliRunner().invoke(app, ["score"])
    assert isinstance(result.exception, GumptionError)


def test_a_changed_log_is_another_run(outputs: Path, tmp_path: Path) -> None:
    rescore(read_logs(outputs)[0], tmp_path / "out")
    changed = vlmevalkit_rows(["B"] * 5, [1] * 5)
    write_xlsx(outputs / "loud" / "loud_BLINK_exact_matching_result.xlsx", changed)
    with pytest.raises(GumptionError, match="another run"):
        rescore(read_logs(outputs)[0], tmp_path / "out")


def test_a_pattern_tells_failed_requests(tmp_path: Path) -> None:
    rows = vlmevalkit_rows(["B", "Error: 429"], [1, 0])
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_BLINK_result.tsv", rows))
    (found,) = rescore([log], tmp_path / "out", infra_text="^Error")
    assert (found.sides[0].ours, found.sides[0].unscored) == (1.0, 1)
    with pytest.raises(GumptionError, match="regular expression"):
        rescore([log], tmp_path / "other", infra_text="(")


def test_a_question_that_two_logs_tell_differently_is_compared_in_one(tmp_path: Path) -> None:
    first = vlmevalkit_rows(["B", "B"], [1, 1])
    second = [first[0] | {"answer": "C", "hit": 0}, first[1]]
    logs = [
        vlmevalkit.read(write_tsv(tmp_path / name / f"{name}_BLINK_result.tsv", rows))
        for name, rows in (("one", first), ("two", second))
    ]
    (found,) = rescore(logs, tmp_path / "out")
    assert [(side.model, side.both, side.ours) for side in found.sides] == [("one", 2, 1.0), ("two", 1, 1.0)]
    assert [(row.id, Path(row.file).parent.name) for row in found.rejected] == [("0", "two")]


def test_every_kit_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    write_tsv(folder / "vk" / "vk_BLINK_result.tsv", vlmevalkit_rows(["B"], [1]))
    write_jsonl(folder / "le" / "samples_erqa.jsonl", [lmms_sample(0, "B", "B", {"acc": 1.0})])
    write_jsonl(folder / "reviews" / "es" / "erqa.jsonl", [evalscope_review(0, "B", "B", 1.0)])
    write_jsonl(folder / "predictions" / "es" / "erqa.jsonl", [evalscope_prediction(0, "B")])
    (folder / "notes.json").write_text("{}")
    logs, left_out = read_logs(folder)
    assert sorted(log.kit for log in logs) == ["evalscope", "lmms-eval", "vlmevalkit"]
    assert len(left_out) == 2
    found = rescore(logs, tmp_path / "out")
    assert {one.dataset: one.sides[0].ours for one in found} == {"BLINK": 1.0, "erqa": 1.0}
    assert len({one.moved for one in found}) == 3


@pytest.mark.parametrize("name", ["x.txt", "x.jsonl", "nothing"])
def test_what_is_no_log_says_so(tmp_path: Path, name: str) -> None:
    if name != "nothing":
        (tmp_path / name).write_text('{"id": 1, "reply": "B"}\n')
    with pytest.raises(GumptionError) as caught:
        read_logs(tmp_path / name)
    assert caught.value.remedy


# ── archives that mean harm ──────────────────────────────────────────────────────────────────────────


def test_a_bomb_in_a_workbook_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m" / "m_BLINK.xlsx"
    path.parent.mkdir()
    monkeypatch.setattr(vlmevalkit, "MAX_XLSX", 10 * 2**20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (11 * 2**20))
    assert path.stat().st_size < 100_000
    with pytest.raises(GumptionError, match="unpacks to over 10 MiB"):
        vlmevalkit.read(path)


def test_entities_in_a_workbook_do_not_grow(tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "m" / "m_BLINK.xlsx", vlmevalkit_rows(["B"]))
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    laughs = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY e0 "ha">{entities}]><worksheet><sheetData><row>'
    laughs += '<c t="inlineStr"><is><t>&e11;</t></is></c></row></sheetData></worksheet>'
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["xl/worksheets/sheet1.xml"] = laughs.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(GumptionError):
        vlmevalkit.read(path)


def eval_archive(path: Path, samples: dict[str, Any], *, header: Any = None) -> Path:
    """As Inspect writes it, but packed with the method that every Python has."""
    told = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m/m"}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(told if header is None else header))
        for name, sample in samples.items():
            data = sample if isinstance(sample, bytes) else json.dumps(sample)
            archive.writestr(f"samples/{name}.json", data)
    return path


SAMPLE = {
    "id": "q1",
    "epoch": 1,
    "input": "Which?",
    "choices": ["red", "blue"],
    "target": "B",
    "output": {"choices": [{"message": {"role": "assistant", "content": "B"}, "stop_reason": "stop"}]},
    "scores": {"choice": {"value": "C", "answer": "B"}},
}


def test_a_bomb_in_an_eval_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gumption.exchange._files.MAX_MEMBER", 2**20)
    path = eval_archive(tmp_path / "x.eval", {"q2_epoch_1": b" " * (2 * 2**20)})
    with pytest.raises(GumptionError, match="unpacks to over 1 MiB"):
        inspect_logs.read(path)


def test_a_member_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = eval_archive(tmp_path / "x.eval", {"q1_epoch_1": SAMPLE})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")  # the sample's entry in the directory: its size unpacked is at byte 24
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    path.write_bytes(data)
    with pytest.raises(GumptionError):
        inspect_logs.read(path)


@pytest.mark.parametrize(
    "sample",
    [b"[" * 100_000, b"{", b"[]", b'{"id": 1}', json.dumps({**SAMPLE, "target": "Z"}).encode()],
)
def test_samples_that_cannot_be_used(tmp_path: Path, sample: bytes) -> None:
    with pytest.raises(GumptionError):
        inspect_logs.read(eval_archive(tmp_path / "x.eval", {"q1_epoch_1": sample}))


@pytest.mark.parametrize("header", [[], {}, {"eval": {"task": 1}}, "x"])
def test_headers_that_cannot_be_used(tmp_path: Path, header: Any) -> None:
    with pytest.raises(GumptionError):
        inspect_logs.read(eval_archive(tmp_path / "x.eval", {"q1_epoch_1": SAMPLE}, header=header))


def test_grades_errors_and_unscored_samples(tmp_path: Path) -> None:
    samples = {
        "c": SAMPLE,
        "d": {**SAMPLE, "id": "q2", "scores": {"s": {"value": "I", "answer": "A"}}},
        "e": {**SAMPLE, "id": "q3", "scores": {"s": {"value": float("nan")}}},
        "f": {
            **SAMPLE,
            "id": "q4",
            "scores": {},
            "error": {"message": "HTTP 500"},
            "output": {"choices": []},
        },
        "g": {**SAMPLE, "id": 5, "scores": {"s": {"value": {"score": 0.5, "other": 9}}}},
        "h": {**SAMPLE, "id": 5, "epoch": 2, "scores": {"s": {"value": True}}},
    }
    log = inspect_logs.read(eval_archive(tmp_path / "x.eval", samples))
    assert [row.score for row in log.rows] == [1.0, 0.0, None, None, 0.5, 1.0]
    assert [row.key for row in log.rows][-2:] == [("5", 0), ("5", 1)]
    assert log.rows[3].replies[0].status == "infra_error"
    assert log.rows[1].read == "A"
    (found,) = rescore([log], tmp_path / "out")
    side = found.sides[0]
    # q2 is right here, and half a mark of item 5 too; q3 has no verdict, q4 has neither.
    assert (side.both, side.up, side.down, side.unscored, side.unjudged) == (4, 2, 0, 0, 2)
