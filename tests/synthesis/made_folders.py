"""Benchmark folders of our own making, in twelve layouts, and a few that are odd or hostile.

`make_all(root)` writes the twelve, `make_odd(root)` the others; both give each folder by its name. The data
are the same every time: seeds are fixed. In each folder `recorded.jsonl` has the replies of three models with
the right score of each (see made_replies.py); the README is the author's (made_readmes.py).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from made_quizzes import FACTS, HEAVY, OPEN, PASSAGES, Scene, blank
from made_readmes import README
from made_replies import MODELS, Reply, choice, number, points, text, yes_no
from openpyxl import Workbook

__all__ = ["MADE", "make_all", "make_odd"]

LETTERS = "ABCDE"
Answering = Callable[[Any, bool, Random], Reply]


def make_all(root: Path) -> dict[str, Path]:
    """The twelve folders, by name."""
    return {name: _made(root / name, name, make) for name, make in MADE.items()}


def make_odd(root: Path) -> dict[str, Path]:
    """Folders that no pipeline should come of without a doubt, or that try something."""
    return {name: _made(root / name, name, make) for name, make in _ODD.items()}


def _made(folder: Path, name: str, make: Callable[[Path, Random], None]) -> Path:
    folder.mkdir(parents=True)
    if name in README:
        (folder / ("README.txt" if name in ("larder", "bar-letters") else "README.md")).write_text(
            README[name]
        )
    make(folder, Random(f"made {name}"))
    return folder


def _record(folder: Path, ids: list[Any], items: list[Any], answering: Answering, random: Random) -> None:
    lines = []
    for id, item in zip(ids, items, strict=True):
        for model, skill in MODELS.items():
            reply, score = answering(item, random.random() < skill, random)
            lines.append(json.dumps({"item": id, "model": model, "reply": reply, "score": score}))
    (folder / "recorded.jsonl").write_text("\n".join(lines) + "\n")


def _choosing(texts: bool = True) -> Answering:
    return lambda item, right, random: choice(item[0], item[1], right, random, texts)


def _json(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1))


def _lettered(texts: list[str]) -> dict[str, str]:
    return dict(zip(LETTERS, texts, strict=False))


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────


def _larder(folder: Path, random: Random) -> None:
    out = io.StringIO()
    table = csv.writer(out, delimiter=";", lineterminator="\r\n")
    answers = [f"Antwort {n}" for n in (1, 2, 3, 4)]
    table.writerow(["Nr.", "Frage (EN)", *answers, "Lsg.", "Bereich", "gepr."])
    ids, items = [], []
    for n, (question, right, wrong) in enumerate(FACTS):
        options = [right, *wrong][: random.choice([2, 3, 4, 4])]
        random.shuffle(options)
        key = options.index(right)
        cells = [*options, *[""] * (4 - len(options))]
        subject, checker = random.choice(["kitchen", "storage", "laundry"]), random.choice(["KS", "MB"])
        table.writerow([101 + n, question, *cells, key + 1, subject, checker])
        if n % 7 == 3:
            out.write("\r\n")
        ids.append(101 + n)
        items.append((_lettered(options), LETTERS[key]))
    (folder / "larder-v1.csv").write_bytes("\ufeff".encode() + out.getvalue().encode())
    _record(folder, ids, items, _choosing(), random)


def _bar_letters(folder: Path, random: Random) -> None:
    lines, ids, items = ["pid|passage|query|opt_a|opt_b|opt_c|key|genre"], [], []
    for n, (passage, query, right, wrong, genre) in enumerate(PASSAGES):
        options = [right, *wrong]
        random.shuffle(options)
        key = options.index(right)
        lines.append("|".join([f"P{n + 1:02}", passage, query, *options, "abc"[key], genre]))
        ids.append(f"P{n + 1:02}")
        items.append((_lettered(options), LETTERS[key]))
    (folder / "passages.psv").write_text("\n".join(lines) + "\n")
    _record(folder, ids, items, _choosing(texts=False), random)


def _trivia_open(folder: Path, random: Random) -> None:
    lines, ids, items = [], [], []
    for n, (question, answers, topic) in enumerate(OPEN):
        row = {"qid": f"t-{n + 11}", "question": question, "answers": answers, "topic": topic}
        lines.append(json.dumps(row))
        ids.append(row["qid"])
        items.append((answers, OPEN[n - 1][1][0]))
    (folder / "qa.jsonl").write_text("\n".join(lines) + "\n")
    _record(folder, ids, items, lambda item, right, source: text(item[0], item[1], right, source), random)


def _heft(folder: Path, random: Random) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Heft"
    sheet.append(["Item no", "Object and question", "Value", "Unit", "Measured by"])
    ids, items = [], []
    for n, (question, value, unit) in enumerate(HEAVY):
        sheet.append([f"H-{n + 1}", question, value, unit, random.choice(["Ada", "Bo"])])
        ids.append(f"H-{n + 1}")
        items.append((value, unit))
    book.save(folder / "heft.xlsx")

    def answering(item: tuple[float, str], right: bool, source: Random) -> Reply:
        value, unit = item
        return number(value, value * source.choice([0.6, 1.5, 2]), True, right, source, unit)

    _record(folder, ids, items, answering, random)


# ── pictures ─────────────────────────────────────────────────────────────────────────────────────────


def _room_quiz(folder: Path, random: Random) -> None:
    scenes, ids, items, number_of = [], [], [], 0
    for n in range(10):
        scene = Scene(random, 240, 180)
        photo = f"stills/room-{n:02}.png"
        scene.save(folder / photo)
        asks = []
        for question, right, wrong, kind in (scene.colour_question(random), scene.count_question(random)):
            options = [right, *wrong]
            random.shuffle(options)
            number_of += 1
            entry = {
                "qid": 300 + number_of,
                "text": question,
                "choices": _lettered(options),
                "solution": right,
            }
            asks.append({**entry, "type": kind, "difficulty": random.choice(["low", "high"])})
            ids.append(300 + number_of)
            items.append((_lettered(options), LETTERS[options.index(right)]))
        scenes.append({"photo": photo, "questions": asks})
    _json(folder / "data/rooms_eval.json", {"version": "0.9", "scenes": scenes})
    _record(folder, ids, items, _choosing(), random)


def _one_per_file(folder: Path, random: Random) -> None:
    ids, items = [], []
    for n in range(20):
        scene = Scene(random, 200, 150)
        if n % 2 == 0:  # two questions on each picture
            shown = scene
            shown.save(folder / f"shots/{n // 2:02}.png")
        make = shown.count_question if n % 2 else shown.colour_question
        question, right, wrong, _ = make(random)
        options = [right, *wrong][: random.choice([2, 3, 4])]
        random.shuffle(options)
        row = {"prompt": question, "options": options, "correct": options.index(right)}
        _json(folder / f"items/shelf_{n:03}.json", {**row, "img": f"shots/{n // 2:02}.png"})
        ids.append(f"shelf_{n:03}")
        items.append((_lettered(options), LETTERS[row["correct"]]))
    _record(folder, ids, items, _choosing(), random)


def _before_after(folder: Path, random: Random) -> None:
    entries, ids, items = [], [], []
    for n in range(20):
        scene = Scene(random, 160, 120)
        frames = [f"p{n:02}_t0.png", f"p{n:02}_t1.png"]
        scene.save(folder / "media" / frames[0])
        gone = random.randrange(len(scene.things))
        scene.save(folder / "media" / frames[1], without=gone)
        options = [scene.name(i) for i in range(len(scene.things))][:4]
        if scene.name(gone) not in options:
            options[0] = scene.name(gone)
        random.shuffle(options)
        key = LETTERS[options.index(scene.name(gone))]
        listed = "\n".join(f"{letter}. {option}" for letter, option in _lettered(options).items())
        question = f"Which thing of the first picture is missing in the second?\n{listed}"
        entries.append({"no": n + 1, "frames": frames, "question": question, "target": key})
        ids.append(n + 1)
        items.append((_lettered(options), key))
    _json(folder / "pairs.json", entries)
    _record(folder, ids, items, _choosing(texts=False), random)


def _is_it_so(folder: Path, random: Random) -> None:
    rows: list[dict[str, Any]] = []
    for n in range(20):
        scene = Scene(random, 160, 120)
        holds = n % 2 == 0
        thing = scene.name(0) if holds else scene.absent(random)
        image = {"bytes": scene.png(), "path": None}
        statement = f"There is a {thing} in the picture."
        rows.append({"uid": 9000 + 3 * n, "image": image, "statement": statement, "holds": holds})
        rows[-1]["split_seed"] = 17
    (folder / "data").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), folder / "data/test-00000-of-00001.parquet")
    ids = [row["uid"] for row in rows]
    golds = [row["holds"] for row in rows]
    _record(folder, ids, golds, yes_no, random)


def _tally(folder: Path, random: Random) -> None:
    lines, ids, items = [], [], []
    for n in range(20):
        scene = Scene(random, 200, 150)
        path = f"img/{n:02}.png"
        scene.save(folder / path)
        ask = "How many things are in the picture? Reply with one number."
        content = [{"type": "image_url", "image_url": {"url": path}}, {"type": "text", "text": ask}]
        messages = [
            {"role": "system", "content": "You count carefully."},
            {"role": "user", "content": content},
        ]
        lines.append(json.dumps({"uid": f"c{n:03}", "messages": messages, "label": str(len(scene.things))}))
        ids.append(f"c{n:03}")
        items.append(len(scene.things))
    (folder / "chat.jsonl").write_text("\n".join(lines) + "\n")

    def answering(gold: int, right: bool, source: Random) -> Reply:
        return number(gold, gold + source.choice([1, 2]), False, right, source, whole=True)

    _record(folder, ids, items, answering, random)


# ── pointing ─────────────────────────────────────────────────────────────────────────────────────────


def _dotted(folder: Path, random: Random) -> None:
    lines, ids, items = [], [], []
    for n in range(20):
        scene = Scene(random, *random.choice([(320, 240), (200, 300), (256, 256)]))
        name = f"d_{n:03}"
        scene.save(folder / f"frames/{name}.png")
        scene.save_mask(folder / f"targets/{name}.png", 0)
        row = {
            "name": name,
            "instruction": f"Point at the {scene.name(0)}.",
            "level": random.choice([1, 2, 3]),
        }
        lines.append(json.dumps(row))
        ids.append(name)
        items.append(scene)
    (folder / "tasks.jsonl").write_text("\n".join(lines) + "\n")

    def answering(scene: Scene, right: bool, source: Random) -> Reply:
        hits, misses = scene.on(0), scene.off(0)
        return points(hits, misses, right, source, lambda at: f"({at[0]:.0f}, {at[1]:.0f})", most=2)

    _record(folder, ids, items, answering, random)


def _touchpoint(folder: Path, random: Random) -> None:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["sample_id", "file_name", "expression", "bbox", "w", "h"])
    ids, items = [], []
    for n in range(20):
        scene = Scene(random, *random.choice([(320, 240), (240, 320)]))
        scene.save(folder / f"img/{n:02}.jpg")
        box = str([round(edge) for edge in scene.box(0)])
        table.writerow([f"tp{n}", f"{n:02}.jpg", f"the {scene.name(0)}", box, scene.width, scene.height])
        ids.append(f"tp{n}")
        items.append(scene)
    (folder / "touchpoint.csv").write_text(out.getvalue())

    def answering(scene: Scene, right: bool, source: Random) -> Reply:
        def written(at: tuple[float, float]) -> str:
            return f"({at[0] / scene.width:.3f}, {at[1] / scene.height:.3f})"

        return points(scene.on(0), scene.off(0), right, source, written, tags=False)

    _record(folder, ids, items, answering, random)


def _robo_yx(folder: Path, random: Random) -> None:
    entries, ids, items = [], [], []
    for n in range(10):
        scene = Scene(random, 400, 250)
        scene.save(folder / f"pictures/cam{n}.jpg")
        for which in (0, 1):
            x0, y0, x1, y1 = scene.box(which)
            middle = (x0 + x1) / 2
            outline = [[middle, y0], [x1, (y0 + y1) / 2], [middle, y1], [x0, (y0 + y1) / 2]]
            key, task = f"{n}-{which}", f"Touch the {scene.name(which)}."
            entries.append({"key": key, "image_id": f"cam{n}", "task": task, "outline": outline})
            ids.append(key)
            items.append((scene, which))
    _json(folder / "annotations.json", entries)

    def answering(item: tuple[Scene, int], right: bool, source: Random) -> Reply:
        scene, which = item

        def written(at: tuple[float, float]) -> str:
            return f"[{at[1] / scene.height * 1000:.0f}, {at[0] / scene.width * 1000:.0f}]"

        return points(scene.on(which), scene.off(which), right, source, written, most=5)

    _record(folder, ids, items, answering, random)


MADE: dict[str, Callable[[Path, Random], None]] = {
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


# ── odd and hostile ──────────────────────────────────────────────────────────────────────────────────


def _quiz(folder: Path, random: Random) -> list[list[str]]:
    rows = []
    for n, (question, right, wrong) in enumerate(FACTS[:12]):
        options = [right, *wrong[:2]]
        random.shuffle(options)
        rows.append([str(n + 1), question, *options, LETTERS[options.index(right)]])
    out = io.StringIO()
    csv.writer(out).writerows([["id", "question", "A", "B", "C", "answer"], *rows])
    (folder / "quiz.csv").write_text(out.getvalue())
    return rows


def _plain(folder: Path, random: Random) -> None:
    _quiz(folder, random)


def _empty_data(folder: Path, random: Random) -> None:
    (folder / "quiz.csv").write_text("id,question,A,B,answer\n")


def _two_golds(folder: Path, random: Random) -> None:
    rows = _quiz(folder, random)
    with (folder / "quiz.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "question", "A", "B", "C", "answer", "label"])
        table.writerows([*row, random.choice("ABC")] for row in rows)


def _too_big(folder: Path, random: Random) -> None:
    _quiz(folder, random)
    with (folder / "dump.log").open("w") as file:
        for _ in range(50):
            file.write("x,y,z\n" * (2**20 // 6))


def _link_out(folder: Path, random: Random) -> None:
    outside = folder.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.csv").write_text("id,question,A,B,answer\n1,What is the secret?,x,y,A\n")
    (outside / "secret.png").write_bytes(blank())
    (folder / "pics").symlink_to(outside)
    (folder / "extra.csv").symlink_to(outside / "secret.csv")
    rows = [
        [n, "pics/secret.png", f"Is it number {n}?", "yes it is", "not at all", "AB"[n % 2]] for n in range(8)
    ]
    with (folder / "quiz.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "picture", "question", "A", "B", "answer"], *rows])


_ODD: dict[str, Callable[[Path, Random], None]] = {
    "no-readme": _plain,
    "injected": _plain,
    "empty-data": _empty_data,
    "two-golds": _two_golds,
    "too-big": _too_big,
    "link-out": _link_out,
}
