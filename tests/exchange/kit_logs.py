"""Small logs as each kit writes them: names, columns and keys from the kits' own writers."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

OPTIONS = {"A": "the red cup", "B": "the blue cup", "C": "the plate", "D": "none of them"}


def vlmevalkit_rows(predictions: Sequence[str], hits: Sequence[int] | None = None) -> list[dict[str, Any]]:
    """A multiple choice set whose answers are B; columns in the kit's order."""
    rows: list[dict[str, Any]] = []
    for number, prediction in enumerate(predictions):
        row: dict[str, Any] = {"index": number, "question": f"What is in place {number}?", **OPTIONS}
        row |= {"answer": "B", "category": "place", "l2-category": "perception", "prediction": prediction}
        if hits is not None:
            row |= {"hit": hits[number], "log": "Match Log: made for a test. "}
        rows.append(row)
    return rows


def write_tsv(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """As pandas' to_csv(sep="\\t", index=False, quoting=csv.QUOTE_ALL)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter="\t", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_xlsx(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    from openpyxl import Workbook

    path.parent.mkdir(parents=True, exist_ok=True)
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(list(row.values()))
    book.save(path)
    return path


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=4), encoding="utf-8")
    return path


def write_jsonl(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def lmms_sample(doc_id: int, reply: str, target: str, metric: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line of `DATE_samples_TASK.jsonl`: no `doc`, no `arguments`, and `resps` only where it differs."""
    prompt = f"Question {doc_id}?\n" + "\n".join(f"{letter}. {text}" for letter, text in OPTIONS.items())
    return {
        "doc_id": doc_id,
        "target": target,
        "filtered_resps": [reply],
        "doc_hash": "0" * 64,
        "prompt_hash": "1" * 64,
        "target_hash": "2" * 64,
        **metric,
        "input": f"{prompt}\nAnswer with the option's letter.",
        **more,
    }


def evalscope_review(index: int, reply: str, read: str, acc: float, **score: Any) -> dict[str, Any]:
    """A line of `reviews/MODEL/DATASET_SUBSET.jsonl` of evalscope 1.x."""
    options = "\n".join(f"{letter}) {text}" for letter, text in OPTIONS.items())
    return {
        "index": index,
        "input": f"Question {index}?\n\n{options}",
        "target": "B",
        "sample_score": {
            "score": {
                "value": {"acc": acc},
                "extracted_prediction": read,
                "prediction": reply,
                "explanation": None,
                "metadata": {},
                "main_score_name": "acc",
                **score,
            },
            "sample_id": index,
            "group_id": index,
            "sample_metadata": {"subset": "Task Reasoning"},
        },
    }


def evalscope_prediction(
    index: int, reply: str, stop: str = "stop", error: str | None = None
) -> dict[str, Any]:
    """A line of `predictions/MODEL/DATASET_SUBSET.jsonl`."""
    message = {"id": "m", "content": reply, "source": "generate", "role": "assistant", "model": "tiny"}
    choices = [] if error else [{"message": message, "stop_reason": stop, "logprobs": None}]
    output = {"model": "tiny", "choices": choices, "usage": None, "error": error}
    return {"index": index, "model": "tiny", "model_output": output, "messages": []}
