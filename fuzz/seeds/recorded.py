"""Runs, logs of other tools, what people said."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
from importlib.resources import files
from pathlib import Path

import msgspec

from fuzz.mutating import Folder
from fuzz.seeds.pieces import as_folder, lines, zipped
from fuzz.seeds.questions import parquet, suite

__all__ = ["forms", "logs", "people", "runs"]


def runs() -> list[Folder]:
    from gumption.records import Reply, Scored
    from gumption.running import Protocol, Run, RunInfo, write_scores

    items = suite().items
    protocol = Protocol("c", {"b": "1"}, "plain", "2", "1", 1)
    info = RunInfo("s", "1", "../s", "", "m", 3, protocol)
    parts = b"".join(msgspec.json.encode(Reply(item.id, text="The answer is A.")) + b"\n" for item in items)
    with tempfile.TemporaryDirectory() as place:
        with Run.taken(Path(place, "r"), info, items) as (run, part):
            part.write_bytes(parts + b'{"item_id": "torn')
        write_scores(
            run.folder / "scores.parquet",
            [Scored("1", 0, "b", "", "", "", "choice", 1.0, "ok", "answered", 0.5)],
        )
        whole = as_folder(run.folder)
    return [whole, {**whole, "items.parquet": parquet()[-1]["items.parquet"]}]


def logs() -> list[Folder]:
    from openpyxl import Workbook

    row = {
        "index": 0,
        "question": "Which?",
        "A": "x",
        "B": "y",
        "answer": "B",
        "category": "c",
        "prediction": "B",
        "hit": 1,
    }
    more = {**row, "index": 1, "prediction": "Failed to obtain answer"}
    table = "\t".join(row) + "\n" + "".join("\t".join(map(str, one.values())) + "\n" for one in (row, more))
    book, xlsx = Workbook(), io.BytesIO()
    for cells in (list(row), list(row.values()), list(more.values())):
        book.active.append(cells)
    book.save(xlsx)
    prompt = "Which?\nA. x\nB. y"
    lmms = {
        "doc_id": 1,
        "target": "B",
        "filtered_resps": ["B"],
        "resps": [["B"]],
        "input": prompt,
        "acc": {"parsed_pred": "B", "answer": "B", "category": "c"},
    }
    score = {"value": {"acc": 1.0}, "extracted_prediction": "B", "prediction": "B", "main_score_name": "acc"}
    review = {
        "index": 0,
        "input": prompt,
        "target": "B",
        "sample_score": {"score": score, "group_id": 0, "sample_metadata": {"subset": "c"}},
    }
    output = {"choices": [{"message": {"role": "assistant", "content": "B"}, "stop_reason": "stop"}]}
    sample = {
        "id": 1,
        "epoch": 1,
        "input": prompt,
        "target": "B",
        "choices": ["x", "y"],
        "output": output,
        "scores": {"match": {"value": "C", "answer": "B"}},
        "metadata": {"category": "c"},
        "attachments": {"h": "long"},
    }
    header = {"version": 2, "eval": {"task": "t", "model": "m"}}
    atom = {"on a,b": ["yes", "yes"]}
    grounded = {
        "initial_state_enum": {"results": atom},
        "goal_reached": True,
        "replans": [],
        "remaining_actions": [],
        "action_results": [
            {
                "action": "moveblock(a, c1)",
                "preconditions_results": {"clear a": ["yes", "yes", True, 1, 1, "Yes", 0]},
                "effects_results": None,
            }
        ],
    }
    viplan = json.dumps(
        {
            "metadata": {"model_name": "o/m", "fail_probability": 0.0},
            "predicate_accuracy": 0.5,
            "data/planning/igibson/simple/p1.pddl_s": grounded,
        }
    ).encode()
    return [
        {"m/m_set.tsv": table.encode()},
        {"m/m_set.xlsx": xlsx.getvalue()},
        {"m/m_set.json": json.dumps([row, more]).encode()},
        {"m/m_set.json": json.dumps({"columns": list(row), "data": [list(row.values())]}).encode()},
        {"m/m_set.json": json.dumps({name: [cell] for name, cell in row.items()}).encode()},
        {"m/20250101_000000_samples_t.jsonl": lines(lmms, {**lmms, "doc_id": 2, "acc": 1.0})},
        {
            "reviews/m/t_s.jsonl": lines(review, {**review, "index": 1}),
            "predictions/m/t_s.jsonl": lines({"index": 0, "model_output": output}),
        },
        {
            "l.eval": zipped(
                {"header.json": json.dumps(header).encode(), "samples/1.json": json.dumps(sample).encode()}
            )
        },
        {"l.json": json.dumps({**header, "samples": [sample]}).encode()},
        {"results_s.json": viplan},
        {"results_s.json.gz": gzip.compress(viplan)},
        {"m/m_set.pkl": b"cos\nsystem\n(S'touch ../out'\ntR."},
    ]


def people() -> list[Folder]:
    file = {
        "format": "gumption-people-1",
        "models": ["a", "b"],
        "units": ["1", "2"],
        "dimensions": ["d"],
        "scores": [[0.5, None], [1, 0]],
        "raters": 3,
        "agreement": {"overall": None, "dimensions": {"d": None}},
    }
    many = [f"{number}" for number in range(100_000)]
    return [
        {"people.json": json.dumps(file).encode()},
        {
            "people.json": json.dumps(
                {**file, "models": ["a"], "units": [*many[1:], many[-1]], "scores": [[1]]}
            ).encode()
        },
    ]


def forms() -> list[Folder]:
    own = files("gumption.ranking").joinpath("rating_form.toml").read_bytes()
    small = b'format = "gumption-rating-form-1"\nname = "f"\nlow = 1\nhigh = 2\n[[dimensions]]\nid = "a"\n'
    return [
        {"form.toml": own},
        {"form.toml": small + b'name = "A"\nquestion = "Is it?"\nanchors = ["no", "yes"]\n'},
    ]
