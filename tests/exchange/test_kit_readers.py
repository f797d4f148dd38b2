"""Logs of VLMEvalKit, lmms-eval and evalscope: what is taken over, and what is refused with its reason."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit_logs import (
    OPTIONS,
    evalscope_prediction,
    evalscope_review,
    lmms_sample,
    vlmevalkit_rows,
    write_json,
    write_jsonl,
    write_tsv,
    write_xlsx,
)

from gumption.exchange import evalscope, lmms_eval, vlmevalkit
from gumption.exchange._answers import answer_of, options_in, unit_score
from gumption.records import Answer, GumptionError

# ── what a gold says ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "gold", ["B", "b", "(B)", "B.", "B. the blue cup", "(B) the blue cup", "the blue cup"]
)
def test_golds_of_choices(gold: str) -> None:
    assert answer_of(gold, OPTIONS) == Answer("choice", "B", OPTIONS)


@pytest.mark.parametrize("gold", ["E", "2", "cup", "B. the red cup", "A B", "Blue"])
def test_a_gold_that_is_no_choice_is_not_guessed(gold: str) -> None:
    with pytest.raises(GumptionError, match="none of the choices"):
        answer_of(gold, OPTIONS)


def test_an_option_that_looks_like_a_letter_is_a_letter() -> None:
    assert answer_of("B", {"A": "B", "B": "A"}).gold == "B"


@pytest.mark.parametrize(
    ("gold", "kind", "value"),
    [
        ("Yes", "yes_no", "yes"),
        ("False", "yes_no", "no"),
        ("3", "number", 3.0),
        ("-0.25", "number", -0.25),
        ("1,200", "number", 1200.0),
        (2.5, "number", 2.5),
        ("C", "choice", "C"),
        ("(C)", "choice", "C"),
        ("a cup", "text", "a cup"),
        (["cup", "mug"], "text", ["cup", "mug"]),
        (["Yes"], "yes_no", "yes"),
        ("12:30", "text", "12:30"),
        ("e", "text", "e"),
    ],
)
def test_golds_without_choices(gold: Any, kind: str, value: Any) -> None:
    answer = answer_of(gold)
    assert (answer.kind, answer.gold) == (kind, value)


@pytest.mark.parametrize("gold", [None, "", "  ", []])
def test_no_gold(gold: Any) -> None:
    with pytest.raises(GumptionError):
        answer_of(gold)


@pytest.mark.parametrize("mark", ["{}. ", "({}) ", "{}) ", "{}: ", "{}."])
def test_options_of_a_prompt(mark: str) -> None:
    prompt = "Which cup?\nA. Person says:\n" + "\n".join(
        mark.format(letter) + text for letter, text in OPTIONS.items()
    )
    assert options_in(f"{prompt}\nAnswer with a letter.") == OPTIONS


def test_the_last_list_of_options_counts() -> None:
    shown = "A. one\nB. two\nC. three\nAnswer: A\n"
    assert options_in(shown + "A. four\nB. five\n") == {"A": "four", "B": "five"}
    assert options_in("A. only one\nand no more") == {}


@pytest.mark.parametrize(
    ("verdict", "score"),
    [
        *((1, 1.0), ("0", 0.0), (True, 1.0), ("True", 1.0), ("false", 0.0), (0.4, 0.4)),
        *((1.2, None), (-1, None), ("nan", None), ("x", None), (None, None), ([1], None)),
    ],
)
def test_verdicts(verdict: Any, score: float | None) -> None:
    assert unit_score(verdict) == score


# ── VLMEvalKit ───────────────────────────────────────────────────────────────────────────────────────

PREDICTIONS = ["B", "The answer is (C).", "Failed to obtain answer via API."]


@pytest.mark.parametrize("layout", ["xlsx", "tsv", "json"])
def test_the_three_formats_of_vlmevalkit_say_the_same(tmp_path: Path, layout: str) -> None:
    rows = vlmevalkit_rows(PREDICTIONS, hits=[1, 0, 0])
    path = tmp_path / "tiny-vl" / f"tiny-vl_BLINK_exact_matching_result.{layout}"
    {"xlsx": write_xlsx, "tsv": write_tsv, "json": write_json}[layout](path, rows)
    log = vlmevalkit.read(path)
    assert (log.kit, log.dataset, log.model) == ("vlmevalkit", "BLINK", "tiny-vl")
    assert [row.item.id for row in log.rows] == ["0", "1", "2"]
    assert [row.score for row in log.rows] == [1.0, 0.0, 0.0]
    assert log.rows[0].item.answer == Answer("choice", "B", OPTIONS)
    assert (log.rows[0].item.category, log.rows[0].item.dimension) == ("place", "perception")
    replies = [row.replies[0] for row in log.rows]
    assert [reply.status for reply in replies] == ["ok", "ok", "infra_error"]
    assert replies[1].text == "The answer is (C)."
    assert log.rows[2].where.endswith("row 3")


def test_the_folder_of_a_run_stands_between(tmp_path: Path) -> None:
    path = tmp_path / "tiny_vl" / "T20250101_Gabcdef12" / "tiny_vl_MMStar.tsv"
    log = vlmevalkit.read(write_tsv(path, vlmevalkit_rows(["B"])))
    assert (log.model, log.dataset) == ("tiny_vl", "MMStar")
    assert log.rows[0].score is None


def test_the_model_is_not_guessed_out_of_a_name(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "downloads" / "tiny_vl_CV_Bench.tsv", vlmevalkit_rows(["B"]))
    with pytest.raises(GumptionError) as caught:
        vlmevalkit.read(path)
    assert "--model" in caught.value.remedy
    named = vlmevalkit.read(path, "tiny_vl")
    assert (named.model, named.dataset) == ("tiny_vl", "CV_Bench")


def test_yes_and_no_and_open_questions(tmp_path: Path) -> None:
    rows = [
        {
            "index": 1,
            "question": "Red?",
            "A": "nan",
            "answer": "Yes",
            "prediction": "yes",
            "extracted": "Yes",
        },
        {
            "index": 2,
            "question": "How many?",
            "A": "",
            "answer": 3,
            "prediction": "3",
            "extracted": "Unknown",
        },
    ]
    rows = [row | {"score": score} for row, score in zip(rows, [True, False], strict=True)]
    log = vlmevalkit.read(write_json(tmp_path / "m" / "m_POPE_auxmatch.json", rows))
    assert log.dataset == "POPE"
    assert [row.item.answer.kind for row in log.rows] == ["yes_no", "number"]
    assert [(row.score, row.read) for row in log.rows] == [(1.0, "Yes"), (0.0, "Unknown")]


def test_columns_in_json_beside_their_names(tmp_path: Path) -> None:
    rows = vlmevalkit_rows(["B", "C"])
    table = {"columns": list(rows[0]), "data": [list(row.values()) for row in rows]}
    split = {name: [row[name] for row in rows] for name in rows[0]}
    for number, value in enumerate((table, split)):
        log = vlmevalkit.read(write_json(tmp_path / str(number) / "m" / "m_BLINK.json", value))
        assert [row.replies[0].text for row in log.rows] == ["B", "C"]


def test_a_pickle_is_refused_unopened(tmp_path: Path) -> None:
    path = tmp_path / "m" / "m_BLINK.pkl"
    path.parent.mkdir()
    path.write_bytes(pickle.dumps({"B": 1}))
    with pytest.raises(GumptionError, match="runs code"):
        vlmevalkit.read(path)


def test_a_table_of_means_is_no_log(tmp_path: Path) -> None:
    path = write_tsv(tmp_path / "m" / "m_BLINK.tsv", [{"split": "none", "Overall": 0.6}])
    with pytest.raises(GumptionError, match="no column index, question, answer, prediction"):
        vlmevalkit.read(path)


def test_rows_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    rows = vlmevalkit_rows(["B", "B", "B"])
    rows[1]["answer"] = "X"
    rows[2]["index"] = 0
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_BLINK.tsv", rows))
    assert len(log.rows) == 1
    assert [(row.row, row.id) for row in log.rejected] == [(2, "1"), (3, "0")]


def test_cells_hold_line_breaks_quotes_and_tabs(tmp_path: Path) -> None:
    reply = 'First "look"\tthen\nanswer: B'
    log = vlmevalkit.read(write_tsv(tmp_path / "m" / "m_BLINK.tsv", vlmevalkit_rows([reply])))
    assert log.rows[0].replies[0].text == reply


# ── lmms-eval ────────────────────────────────────────────────────────────────────────────────────────

LMMS = "20250131_101500_samples_erqa.jsonl"


def test_samples_of_lmms_eval(tmp_path: Path) -> None:
    record = {"question_id": "q0", "question_type": "Pointing", "parsed_pred": "C", "answer": "B"}
    path = write_jsonl(
        tmp_path / "Qwen__tiny-vl" / LMMS,
        [
            lmms_sample(0, "C. the plate", "B", {"erqa_acc": record}),
            lmms_sample(1, "B", "B", {"erqa_acc": {**record, "parsed_pred": "B"}}),
            lmms_sample(2, "<answer>B</answer>", "B", {"exact_match": 0.0}, resps=[["<think>x</think>B"]]),
        ],
    )
    log = lmms_eval.read(path)
    assert (log.kit, log.dataset, log.model) == ("lmms-eval", "erqa", "Qwen/tiny-vl")
    assert [row.score for row in log.rows] == [0.0, 1.0, 0.0]
    assert [row.read for row in log.rows] == ["C", "B", ""]
    assert log.rows[0].item.answer == Answer("choice", "B", OPTIONS)
    assert log.rows[0].item.category == "Pointing"
    assert log.rows[2].replies[0].text == "<think>x</think>B"


@pytest.mark.parametrize(
    "name",
    [
        "20250131_101500_samples_cv_bench_2d.jsonl",
        "samples_cv_bench_2d_2025-01-31T10-15-00.123456.jsonl",
        "samples_cv_bench_2d.jsonl",
        "2025-01-31T10-15-00_samples_cv_bench_2d.jsonl",
    ],
)
def test_the_task_of_a_file_name(tmp_path: Path, name: str) -> None:
    log = lmms_eval.read(write_jsonl(tmp_path / "m" / name, [lmms_sample(0, "B", "B", {"acc": 1.0})]))
    assert log.dataset == "cv_bench_2d"


def test_a_target_that_is_a_place_is_taken_from_the_record(tmp_path: Path) -> None:
    metric = {
        "embspatial_acc": {"id": "q", "gt_content": "C", "pred": "C", "sub_task": "far", "is_correct": True}
    }
    path = write_jsonl(tmp_path / "m" / "samples_embspatial.jsonl", [lmms_sample(0, "C", "2", metric)])
    (row,) = lmms_eval.read(path).rows
    assert (row.item.answer.gold, row.score, row.item.category) == ("C", 1.0, "far")


def test_vsi_bench_keeps_its_degrees(tmp_path: Path) -> None:
    doc = {"question_type": "object_counting", "prediction": "3", "ground_truth": "4", "MRA:.5:.95:.05": 0.6}
    sample = lmms_sample(0, "3", "4", {"vsibench_score": doc}, input="These are frames.\nHow many chairs?")
    (row,) = lmms_eval.read(write_jsonl(tmp_path / "m" / "samples_vsibench.jsonl", [sample])).rows
    assert (row.item.answer, row.score, row.item.category) == (Answer("number", 4.0), 0.6, "object_counting")


def test_likelihoods_are_no_replies(tmp_path: Path) -> None:
    sample = lmms_sample(0, "B", "B", {"acc": 1.0}, filtered_resps=[[-1.2, False], [-0.3, True]])
    path = write_jsonl(tmp_path / "m" / "samples_mcq.jsonl", [sample])
    with pytest.raises(GumptionError, match="no reply in words"):
        lmms_eval.read(path)


# ── evalscope ────────────────────────────────────────────────────────────────────────────────────────


def evalscope_folder(tmp_path: Path) -> Path:
    reviews = [
        evalscope_review(0, "ANSWER: B", "B", 1.0),
        evalscope_review(1, "I think the plate, so C", "", 0.0),
        evalscope_review(2, "", "", 0.0),
    ]
    predictions = [
        evalscope_prediction(0, "ANSWER: B"),
        evalscope_prediction(1, "I think the plate, so C", stop="max_tokens"),
        evalscope_prediction(2, "", error="HTTP 500"),
    ]
    write_jsonl(tmp_path / "predictions" / "tiny" / "erqa_default.jsonl", predictions)
    return write_jsonl(tmp_path / "reviews" / "tiny" / "erqa_default.jsonl", reviews)


def test_reviews_of_evalscope_with_their_predictions(tmp_path: Path) -> None:
    log = evalscope.read(evalscope_folder(tmp_path))
    assert (log.kit, log.dataset, log.model) == ("evalscope", "erqa_default", "tiny")
    assert [row.score for row in log.rows] == [1.0, 0.0, 0.0]
    assert [row.replies[0].status for row in log.rows] == ["ok", "truncated", "infra_error"]
    assert [row.read for row in log.rows] == ["B", "", ""]
    assert log.rows[0].item.answer == Answer("choice", "B", OPTIONS)
    assert log.rows[0].item.category == "Task Reasoning"


def test_reviews_alone_hold_the_replies_too(tmp_path: Path) -> None:
    path = evalscope_folder(tmp_path)
    (tmp_path / "predictions" / "tiny" / "erqa_default.jsonl").unlink()
    log = evalscope.read(path)
    assert [row.replies[0].text for row in log.rows][:2] == ["ANSWER: B", "I think the plate, so C"]
    assert {row.replies[0].status for row in log.rows} == {"ok"}


def test_messages_and_repeats(tmp_path: Path) -> None:
    reviews = [evalscope_review(number, "ANSWER: B", "B", 1.0) for number in range(3)]
    for number, review in enumerate(reviews):
        review["sample_score"]["group_id"] = number // 2
        review["input"] = [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [{"type": "image", "image": "x"}, {"type": "text", "text": "A. x\nB. y"}],
            },
        ]
    log = evalscope.read(write_jsonl(tmp_path / "reviews" / "tiny" / "erqa.jsonl", reviews))
    assert [row.key for row in log.rows] == [("0", 0), ("0", 1), ("1", 0)]
    assert log.rows[0].item.answer.choices == {"A": "x", "B": "y"}


def test_predictions_alone_have_no_right_answers(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "predictions" / "m" / "erqa.jsonl", [evalscope_prediction(0, "B")])
    with pytest.raises(GumptionError) as caught:
        evalscope.read(path)
    assert "reviews" in caught.value.remedy


# ── whatever a file holds ────────────────────────────────────────────────────────────────────────────


@given(data=st.binary(max_size=300))
@pytest.mark.parametrize(
    ("reader", "suffix"),
    [
        (vlmevalkit.read, ".xlsx"),
        (vlmevalkit.read, ".tsv"),
        (vlmevalkit.read, ".json"),
        (lmms_eval.read, ".jsonl"),
        (evalscope.read, ".jsonl"),
    ],
)
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, reader: Any, suffix: str, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / f"m_BLINK{suffix}"
    path.write_bytes(data)
    with pytest.raises(GumptionError):
        reader(path, "m")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '[{"index": 1' + "9" * 5000 + "}]"])
def test_deep_and_long_json(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m_BLINK.json"
    path.write_text(text)
    with pytest.raises(GumptionError):
        vlmevalkit.read(path, "m")
    lines = tmp_path / "samples_x.jsonl"
    lines.write_text(text)
    with pytest.raises(GumptionError):
        lmms_eval.read(lines)
