"""What each folder asks, by small programs written from its README without the code under test."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
from openpyxl import load_workbook

__all__ = ["ADAPTERS", "Asked"]


class Asked(NamedTuple):
    """One item: what is shown in which order, and what is right."""

    id: str
    media: list[str]
    """Paths, or base64, in the order shown, all before the texts."""
    texts: list[str]
    """What must stand in the request, in this order: context, question, options with their labels."""
    options: dict[str, str]
    gold: Any
    """A letter, a bool, a float, a list of texts, a mask's path, a box or a polygon."""


def _lines(options: dict[str, str], label: str = "A. ") -> list[str]:
    return [label.replace("A", letter, 1) + text for letter, text in options.items()]


def _json(path: Path) -> Any:
    return json.loads(path.read_text())


def _csv(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text())))


def _named(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


def _jsonl(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _hearth40(folder: Path) -> list[Asked]:
    out = []
    for id, question, cell, key, _ in list(_csv(folder / "hearth40_eval.csv"))[1:]:
        options = dict(zip("ABCD", [one.strip() for one in cell.split("|")], strict=True))
        out.append(Asked(id, [], [question, *_lines(options)], options, "ABCD"[int(key)]))
    return out


def _tile_quiz(folder: Path) -> list[Asked]:
    out = []
    for line in (folder / "tilequiz_test.tsv").read_text().splitlines()[1:]:
        id, image, question, *cells, answer, _ = line.split("\t")
        options = {k: v for k, v in zip("ABCD", cells, strict=True) if v and v != "NaN"}
        out.append(Asked(id, [image], [question, *_lines(options)], options, answer))
    return out


def _shelf_probe(folder: Path) -> list[Asked]:
    return [
        Asked(ask["k"], [shot["file"]], [ask["ask"]], {}, ask["truth"] == 1)
        for room in _json(folder / "probe.json")["rooms"]
        for shot in room["shots"]
        for ask in shot["asks"]
    ]


def _rough_measure(folder: Path) -> list[Asked]:
    truth = {row["ref"]: float(row["gt_value"]) for row in _named(folder / "truth.csv")}
    return [
        Asked(one["ref"], [], [one["messages"][0]["content"]], {}, truth[one["ref"]])
        for one in _jsonl(folder / "prompts.jsonl")
    ]


def _poke_map(folder: Path) -> list[Asked]:
    return [
        Asked(one["uid"], [one["img"]], [one["say"], "1000"], {}, one["m"])
        for one in _json(folder / "poke_list.json")["list"]
    ]


def _plainwords(folder: Path) -> list[Asked]:
    out = []
    for block in (folder / "plainwords.txt").read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("%%")]
        if lines:
            id, question, answers = lines
            out.append(Asked(id[1:], [], [question[3:]], {}, answers[3:].split("; ")))
    return out


def _larder(folder: Path) -> list[Asked]:
    out = []
    text = (folder / "larder-v1.csv").read_bytes().decode("utf-8-sig")
    for line in [line for line in text.split("\r\n") if line][1:]:
        id, question, *cells, key, _, _ = line.split(";")
        options = {k: v for k, v in zip("ABCD", cells, strict=True) if v}
        out.append(Asked(id, [], [question, *_lines(options, "A) ")], options, "ABCD"[int(key) - 1]))
    return out


def _room_quiz(folder: Path) -> list[Asked]:
    out = []
    for scene in _json(folder / "data/rooms_eval.json")["scenes"]:
        for one in scene["questions"]:
            gold = next(k for k, v in one["choices"].items() if v == one["solution"])
            texts = [one["text"], *_lines(one["choices"], "(A) ")]
            out.append(Asked(str(one["qid"]), [scene["photo"]], texts, one["choices"], gold))
    return out


def _dotted(folder: Path) -> list[Asked]:
    return [
        Asked(
            one["name"],
            [f"frames/{one['name']}.png"],
            [one["instruction"], "pixels"],
            {},
            f"targets/{one['name']}.png",
        )
        for one in _jsonl(folder / "tasks.jsonl")
    ]


def _touchpoint(folder: Path) -> list[Asked]:
    return [
        Asked(
            row["sample_id"],
            [f"img/{row['file_name']}"],
            [row["expression"], "between 0 and 1"],
            {},
            json.loads(row["bbox"]),
        )
        for row in _named(folder / "touchpoint.csv")
    ]


def _robo_yx(folder: Path) -> list[Asked]:
    return [
        Asked(
            one["key"],
            [f"pictures/{one['image_id']}.jpg"],
            [one["task"], "[y, x]", "1000"],
            {},
            one["outline"],
        )
        for one in _json(folder / "annotations.json")
    ]


def _heft(folder: Path) -> list[Asked]:
    rows = list(load_workbook(folder / "heft.xlsx").active.iter_rows(values_only=True))[1:]
    return [Asked(id, [], [question], {}, float(value)) for id, question, value, _, _ in rows]


def _before_after(folder: Path) -> list[Asked]:
    out = []
    for one in _json(folder / "pairs.json"):
        listed = one["question"].split("\n")[1:]
        options = {line[0]: line[3:] for line in listed}
        media = [f"media/{name}" for name in one["frames"]]
        out.append(Asked(str(one["no"]), media, [one["question"]], options, one["target"]))
    return out


def _trivia_open(folder: Path) -> list[Asked]:
    return [
        Asked(one["qid"], [], [one["question"]], {}, one["answers"]) for one in _jsonl(folder / "qa.jsonl")
    ]


def _is_it_so(folder: Path) -> list[Asked]:
    return [
        Asked(
            str(one["uid"]),
            [base64.b64encode(one["image"]["bytes"]).decode()],
            [one["statement"]],
            {},
            one["holds"],
        )
        for one in pq.read_table(folder / "data/test-00000-of-00001.parquet").to_pylist()
    ]


def _one_per_file(folder: Path) -> list[Asked]:
    out = []
    for path in sorted((folder / "items").iterdir()):
        one = _json(path)
        options = dict(zip("ABCDE", one["options"], strict=False))
        texts = [one["prompt"], *_lines(options)]
        out.append(Asked(path.stem, [one["img"]], texts, options, "ABCDE"[one["correct"]]))
    return out


def _bar_letters(folder: Path) -> list[Asked]:
    out = []
    for line in (folder / "passages.psv").read_text().splitlines()[1:]:
        id, passage, query, *cells, key, _ = line.split("|")
        options = dict(zip("ABC", cells, strict=True))
        out.append(Asked(id, [], [passage, query, *_lines(options)], options, key.upper()))
    return out


def _tally(folder: Path) -> list[Asked]:
    out = []
    for one in _jsonl(folder / "chat.jsonl"):
        image, text = one["messages"][1]["content"]
        out.append(Asked(one["uid"], [image["image_url"]["url"]], [text["text"]], {}, float(one["label"])))
    return out


ADAPTERS: dict[str, Callable[[Path], list[Asked]]] = {
    "hearth40": _hearth40,
    "TileQuiz_TSV": _tile_quiz,
    "shelf-probe": _shelf_probe,
    "rough-measure": _rough_measure,
    "poke-map": _poke_map,
    "plainwords": _plainwords,
    "larder": _larder,
    "room-quiz": _room_quiz,
    "dotted": _dotted,
    "touchpoint": _touchpoint,
    "robo-yx": _robo_yx,
    "heft": _heft,
    "before-after": _before_after,
    "trivia-open": _trivia_open,
    "is-it-so": _is_it_so,
    "one-per-file": _one_per_file,
    "bar-letters": _bar_letters,
    "tally": _tally,
}
"""The six folders of the cases, then the twelve of our own."""
