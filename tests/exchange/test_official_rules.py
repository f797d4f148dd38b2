"""Logs of a known benchmark are scored by its official rule; facts are of the benchmarks' papers and code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit_logs import OPTIONS, evalscope_review, lmms_sample, vlmevalkit_rows, write_jsonl, write_tsv
from typer.testing import CliRunner

from gumption.cli import app
from gumption.exchange import KitLog, Rescored, read_logs, rescore, vlmevalkit
from gumption.exchange._names import benchmark_named
from gumption.ranking import scorecard
from gumption.records import GumptionError


@pytest.mark.parametrize(
    ("dataset", "benchmark"),
    [
        ("VSIBench", "vsi-bench"),
        ("VSI-Bench_32frame", "vsi-bench"),
        ("VSI-Bench-Debiased_2fps", "vsi-bench"),
        ("vsibench", "vsi-bench"),
        ("MMMU_DEV_VAL", "mmmu"),
        ("mmmu_val", "mmmu"),
        ("mmmu_Accounting", "mmmu"),
        ("MMStar", "mmstar"),
        ("mm_star_val", "mmstar"),
        ("AI2D_TEST_NO_MASK", "ai2d"),
        ("OCRBench", "ocrbench"),
        ("ocr_bench_default", "ocrbench"),
        ("BLINK", "blink"),
        ("blink_art_style", "blink"),
        ("blink_Multi-view_Reasoning", "blink"),
        ("CV-Bench-2D", "cv-bench"),
        ("cv_bench_3d", "cv-bench"),
        ("EmbSpatialBench", "embspatial"),
        ("emb_spatial_bench_default", "embspatial"),
        ("ERQA", "erqa"),
        ("erqa_Task Reasoning", "erqa"),
        ("egoplan", "egoplan"),
        ("egoplan2", "egoplan2"),
        ("OmniSpatialBench", "omnispatial"),
        ("ViewSpatialBench", "viewspatial"),
        ("vsi_bench", "vsi-bench"),  # our own tasks for Inspect
        ("cv_bench", "cv-bench"),
    ],
)
def test_names_of_the_kits(dataset: str, benchmark: str) -> None:
    named = benchmark_named(dataset)
    assert named is not None and named.benchmark == benchmark


@pytest.mark.parametrize(
    "dataset",
    ["MMMU_Pro", "mmmu_pro_vision", "VideoMMMU", "OCRBench_v2", "ocr_bench_v2", "MMBench", "saturn"],
)
def test_other_sets_are_not_taken_for_ours(dataset: str) -> None:
    assert benchmark_named(dataset) is None


def rescored(tmp_path: Path, *logs: KitLog, **ways: Any) -> Rescored:
    (found,) = rescore(logs, tmp_path / "out", **ways)
    return found


# ── VSI-Bench: mean relative accuracy, macro over tasks ──────────────────────────────────────────────


def vsi_rows(*verdicts: float) -> list[dict[str, Any]]:
    """As VLMEvalKit logs it (`type`, `candidates`, `answer`): two counts with gold 4, two choices."""
    asked = [
        ("object_counting", "4", "3"),
        ("object_counting", "4", "6"),
        ("route_planning", "B", "B."),
        ("object_rel_distance", "B", "(B)"),
    ]
    rows = []
    for index, (kind, answer, prediction) in enumerate(asked):
        row = {"index": index, "type": kind, "question": "What is it?", "answer": answer}
        row |= {"candidates": "['A. left', 'B. right']" if answer == "B" else "", "prediction": prediction}
        rows.append(row | ({"score": verdicts[index]} if verdicts else {}))
    return rows


def test_vsi_bench_by_mean_relative_accuracy_and_macro(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "m" / "m_VSI-Bench_32frame_result.tsv", vsi_rows(0, 0, 1, 0))
    found = rescored(tmp_path, vlmevalkit.read(path))
    (side,) = found.sides
    assert found.benchmark == "vsi-bench" and "mean relative accuracy" in found.rule
    # Gold 4: 3 scores .6 and 6 scores .1. "B." is right, "(B)" is wrong. Mean of three tasks.
    assert side.official == pytest.approx(((0.6 + 0.1) / 2 + 1 + 0) / 3)
    # Our reading takes "(B)" for what it is; the plain mean over four replies.
    assert side.ours == pytest.approx((0.6 + 0.1 + 1 + 1) / 4)
    assert side.kit == pytest.approx(1 / 4)
    moved = [json.loads(line) for line in found.moved.read_text().splitlines()]
    assert [(one["item_id"], one["kit"], one["official"]) for one in moved] == [("0", 0, 0.6), ("1", 0, 0.1)]
    assert (side.up, side.down) == (2, 0)
    card = scorecard(side.run.folder)
    assert card.official.mean == pytest.approx(side.official)
    assert card.official.name == "macro over the 8 tasks"


def test_a_benchmark_that_the_user_names(tmp_path: Path) -> None:
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_MyClips_result.tsv", vsi_rows(0, 0, 1, 0)))
    plain = rescored(tmp_path / "kinds", log)
    assert (plain.benchmark, plain.sides[0].official) == ("", None)
    assert "each answer by what kind it is" in plain.rule
    told = rescored(tmp_path / "told", log, benchmark="vsi-bench")
    assert told.sides[0].official == pytest.approx((0.35 + 1) / 3)
    with pytest.raises(GumptionError, match="no benchmark is called"):
        rescored(tmp_path / "x", log, benchmark="vsi")


def test_none_is_for_the_rules_of_the_kinds(tmp_path: Path) -> None:
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_VSIBench_result.tsv", vsi_rows(0, 0, 1, 0)))
    found = rescored(tmp_path, log, benchmark="none")
    assert (found.benchmark, found.sides[0].ours) == ("", 0.5)


def test_lmms_eval_logs_the_whole_question_as_its_metric(tmp_path: Path) -> None:
    doc = {"question_type": "object_counting", "ground_truth": "4", "MRA:.5:.95:.05": 0.6}
    rows = [lmms_sample(0, "5", "4", {"vsibench_score": doc}, input="How many?")]
    write_jsonl(tmp_path / "m" / "samples_vsibench.jsonl", rows)
    found = rescored(tmp_path, *read_logs(tmp_path / "m")[0])
    assert (found.benchmark, found.sides[0].official, found.sides[0].kit) == ("vsi-bench", 0.6, 0.6)


# ── MMMU: open answers, and what drawing an option is worth ──────────────────────────────────────────


def test_mmmu_open_answers_and_options_that_would_be_drawn(tmp_path: Path) -> None:
    options = {"A": "one", "B": "two", "C": "three", "D": "four"}
    opened = {"A": "0.5", "B": "Other Answers", "C": "", "D": "", "answer": "A"}
    rows = [
        {"index": 0, "question": "Which?", **options, "answer": "B", "prediction": "(B)", "hit": 1},
        {"index": 1, "question": "Which?", **options, "answer": "B", "prediction": "No idea", "hit": 0},
        {
            "index": 2,
            "question": "How much?",
            **opened,
            "prediction": "Therefore the answer is 0.5",
            "hit": 0,
        },
        {"index": 3, "question": "How much?", **opened, "prediction": "Solution A", "hit": 1},
    ]
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_MMMU_DEV_VAL_result.tsv", rows))
    (side,) = rescored(tmp_path, log).sides
    # Right; drawn of four; a right number; no number at all (what the kit takes for right).
    assert side.official == pytest.approx((1 + 1 / 4 + 1 + 0) / 4)
    assert side.ours == pytest.approx(2 / 4)


def test_mmmu_of_lmms_eval_where_open_answers_are_lists(tmp_path: Path) -> None:
    record = {
        "subdomain": "Math",
        "question_type": "open",
        "answer": "['42', 'forty-two']",
        "parsed_pred": [["42"]],
    }
    rows = [
        lmms_sample(0, "The answer is 42.", "['42', 'forty-two']", {"mmmu_acc": record}, input="How many?")
    ]
    write_jsonl(tmp_path / "m" / "samples_mmmu_val.jsonl", rows)
    (side,) = rescored(tmp_path, *read_logs(tmp_path / "m")[0]).sides
    assert (side.official, side.unjudged) == (1.0, 1)


# ── OCRBench: an accepted answer inside the reply ────────────────────────────────────────────────────


def test_ocrbench_takes_an_answer_inside_the_reply_and_minds_case_in_formulas(tmp_path: Path) -> None:
    formula = "Handwritten Mathematical Expression Recognition"
    rows = [
        {
            "index": 0,
            "question": "?",
            "answer": "['007', 'seven']",
            "category": "x",
            "prediction": "It says 007",
        },
        {"index": 1, "question": "?", "answer": "['Yes']", "category": "x", "prediction": "yes sir"},
        {"index": 2, "question": "?", "answer": "['X + y']", "category": formula, "prediction": "x+y"},
        {"index": 3, "question": "?", "answer": "['X + y']", "category": formula, "prediction": "so X+ y"},
    ]
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_OCRBench.tsv", rows))
    (side,) = rescored(tmp_path, log).sides
    assert side.official == pytest.approx(3 / 4)
    assert {row["item_id"]: row["value"] for row in side.run.scores().to_pylist()}["2"] == 0.0


# ── BLINK and CV-Bench: aggregates over what stands in several logs ──────────────────────────────────


def test_blink_is_macro_over_the_logs_of_its_parts(tmp_path: Path) -> None:
    for task, replies in (("art_style", ["B", "B", "B"]), ("jigsaw", ["A"])):
        rows = [lmms_sample(number, reply, "B", {"acc": 1.0}) for number, reply in enumerate(replies)]
        write_jsonl(tmp_path / "m" / f"20250101_000000_samples_blink_{task}.jsonl", rows)
    found = rescored(tmp_path, *read_logs(tmp_path / "m")[0])
    (side,) = found.sides
    assert (found.dataset, side.both) == ("blink", 4)
    assert side.official == pytest.approx((1 + 0) / 2)
    assert side.ours == pytest.approx(3 / 4)
    assert {row.name for row in scorecard(side.run.folder).categories} == {"Art_Style", "Jigsaw"}


def test_cv_bench_of_2d_and_3d_logs(tmp_path: Path) -> None:
    def log(name: str, sources: list[str], replies: list[str]) -> None:
        rows = vlmevalkit_rows(replies, [0] * len(replies))
        for row, source in zip(rows, sources, strict=True):
            row["source"] = source
        write_tsv(tmp_path / "m" / f"m_{name}_result.tsv", rows)

    log("CV-Bench-2D", ["ADE20K", "COCO", "COCO", "COCO"], ["B", "A", "A", "B"])
    log("CV-Bench-3D", ["Omni3D", "Omni3D"], ["B", "A"])
    (side,) = rescored(tmp_path, *read_logs(tmp_path / "m")[0]).sides
    assert side.official == pytest.approx(0.5 * ((1 + 1 / 3) / 2 + 1 / 2))


def test_without_the_source_cv_bench_is_scored_by_kind_and_says_why(tmp_path: Path) -> None:
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_CV-Bench-2D_result.tsv", vlmevalkit_rows(["B"], [1])))
    found = rescored(tmp_path, log)
    assert (found.benchmark, found.sides[0].ours) == ("", 1.0)
    assert any("which data set the picture is of" in note for note in found.notes)
    with pytest.raises(GumptionError, match="which data set"):
        rescored(tmp_path / "told", log, benchmark="cv-bench")


# ── choices: what the authors' rule makes of a phrase ────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("dataset", "reply", "official", "ours"),
    [
        ("ERQA", "The answer is B", 0.0, 1.0),  # exact equality with the letter
        ("ERQA", " b. ", 1.0, 1.0),
        ("MMStar", "The answer is B", 1.0, 1.0),
        ("MMStar", "Based on it, C", 1.0, 0.0),  # starts with the letter
        ("ViewSpatialBench", "It is a plate, so B", 0.0, 1.0),  # the article is A
        ("OmniSpatialBench", "Answer: B", 1.0, 1.0),
        ("EmbSpatialBench", "(B)", 1.0, 1.0),
        ("AI2D_TEST", "B", 1.0, 1.0),
        ("egoplan2", "Based on the video, C", 1.0, 0.0),  # the first capital A to D
    ],
)
def test_the_authors_rule_beside_ours(
    tmp_path: Path, dataset: str, reply: str, official: float, ours: float
) -> None:
    path = write_tsv(tmp_path / "m" / f"m_{dataset}_result.tsv", vlmevalkit_rows([reply], [0]))
    (side,) = rescored(tmp_path, vlmevalkit.read(path)).sides
    assert (side.official, side.ours) == (official, ours)


def test_evalscope_writes_a_log_a_subset(tmp_path: Path) -> None:
    for subset, reply in (("Action Reasoning", "B"), ("Pointing", "I say B")):
        path = tmp_path / "reviews" / "m" / f"erqa_{subset}.jsonl"
        write_jsonl(path, [evalscope_review(0, reply, "B", 1.0)])
    (side,) = rescored(tmp_path, *read_logs(tmp_path / "reviews")[0]).sides
    assert (side.both, side.kit, side.official, side.ours) == (2, 1.0, 0.5, 1.0)


def test_a_benchmark_with_a_judge_says_what_to_do(tmp_path: Path) -> None:
    rows = [lmms_sample(0, "a cup", "a cup", {"score": 1.0}, input="What is it?")]
    write_jsonl(tmp_path / "m" / "samples_egothink_object.jsonl", rows)
    (log,) = read_logs(tmp_path / "m")[0]
    found = rescored(tmp_path, log)
    assert found.benchmark == "" and any("needs a judge" in note for note in found.notes)


def test_places_go_by_the_official_number(tmp_path: Path) -> None:
    """The kit reads both alike; by the authors' rule a phrase is no answer."""
    for model, reply in (("bare", "B"), ("wordy", "The answer is B")):
        write_tsv(
            tmp_path / "k" / model / f"{model}_ERQA_result.tsv", vlmevalkit_rows([reply, reply], [1, 1])
        )
    arguments = ["score", "--import", str(tmp_path / "k"), "--out", str(tmp_path / "out")]
    shown = CliRunner().invoke(app, arguments, terminal_width=120)
    assert shown.exit_code == 0, shown.output
    assert "official rule of erqa" in shown.output and "1 > 2" in shown.output
    again = CliRunner().invoke(app, [*arguments, "--json"])
    (row,) = map(json.loads, again.stdout.splitlines())
    assert (row["benchmark"], [one["official"] for one in row["models"]]) == ("erqa", [1.0, 0.0])
    assert row["models"][1]["kit_rank"] == 1 and row["models"][1]["rank"] == 2


# ── the benchmark's own data in place of what the log carries ────────────────────────────────────────


def viewspatial_data(folder: Path) -> Path:
    """Questions of ViewSpatial in its published schema, two with the same words."""
    from PIL import Image

    (folder / "eval").mkdir(parents=True)
    Image.new("RGB", (4, 4)).save(folder / "a.png")
    rows = [
        {
            "question_type": "Camera perspective - Relative Direction",
            "image_path": ["a.png"],
            "question": question,
            "choices": "\n".join(f"{letter}. {text}" for letter, text in OPTIONS.items()),
            "answer": answer,
        }
        for question, answer in (
            ("Where is it?", "B. the blue cup"),
            ("Where now?", "A. the red cup"),
            ("Where now?", "C. the plate"),
        )
    ]
    (folder / "eval" / "ViewSpatial-Bench.json").write_text(json.dumps(rows))
    return folder


def test_questions_of_the_data_stand_in_place_of_the_logged_ones(tmp_path: Path) -> None:
    data = viewspatial_data(tmp_path / "data")
    rows = vlmevalkit_rows(["B", "C", "C"], [1, 1, 1])
    for row, question in zip(rows, ("Where is it?", "Where now?", "Never asked?"), strict=True):
        row["question"] = f"<image>\n{question}"
    rows[1]["index"] = 2
    rows[2]["index"] = 9
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_Copy_result.tsv", rows))
    found = rescored(tmp_path, log, benchmark="viewspatial", data=data)
    items = {item.id: item for item in found.sides[0].run.items()}
    assert set(items) == {"viewspatial/0", "viewspatial/2"}
    assert items["viewspatial/2"].answer.gold == "C"  # not the kit's B
    assert found.sides[0].official == 1.0
    assert [row.id for row in found.rejected] == ["9"] and "not a question" in found.rejected[0].problem


def test_data_without_a_benchmark_says_what_to_name(tmp_path: Path) -> None:
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_ERQA_result.tsv", vlmevalkit_rows(["B"], [1])))
    with pytest.raises(GumptionError) as error:
        rescored(tmp_path, log, data=tmp_path)
    assert "--benchmark" in error.value.remedy
