"""A scorer of hearth40 in plain Python, without a recipe, and what careless or dishonest authors make of it.

Each fault comes with the gate that has to refuse it.
"""

from __future__ import annotations

from gumption.synthesis.spec import Asking, Gold, Loading, Options, Scoring, Source, Spec

__all__ = ["FAULTS", "HEARTH", "RIGHT", "SHELF", "SHELF_RIGHT"]

_REGION = ("answer_tag", "answer_mark", "whole")

HEARTH = Spec(
    "hearth40",
    Loading((Source("hearth40_eval.csv", "csv"),), "Unnamed: 0"),
    Asking("Prompt Text (EN)", options=Options(("opts_pipe",), "|")),
    Scoring("choice", Gold("key0", "index0"), "exact", {"letters": "capital"}, _REGION),
)

SHELF = Spec(
    "shelf-probe",
    Loading((Source("probe.json", "json", rows="rooms[].shots[].asks[]"),), "k"),
    Asking("ask", ("file",), guesses=2),
    Scoring("yes_no", Gold("truth", "yes_no"), "exact", {}, _REGION),
)

_LOAD = '''"""Hearth-40."""
import csv
import re


def load(folder):
    with open(folder + "/hearth40_eval.csv", newline="", encoding="utf-8") as file:
        return [{**row, "id": int(row["Unnamed: 0"])} for row in csv.DictReader(file)]
'''

_BUILD = """

def options(row):
    return dict(zip("ABCD", [one.strip() for one in row["opts_pipe"].split("|")]))


def build(row):
    lines = [f"{letter}. {text}" for letter, text in options(row).items()]
    return {"parts": [{"text": "\\n".join([row["Prompt Text (EN)"], *lines])}], "options": len(lines)}
"""

_READ = """

def part_of(reply):
    reply = re.sub(r"(?s)<think>.*?(</think>|$)", "", reply)
    tags = re.findall(r"(?s)<answer>(.*?)</answer>", reply)
    if tags:
        return tags[-1]
    marks = re.findall(r"(?i)answer:[ \\t*]*([^\\n]*)", reply)
    return marks[-1] if marks else reply


def read(row, reply):
    part = part_of(reply)
    found = set()
    for letter, text in sorted(options(row).items(), key=lambda one: -len(one[1])):
        pattern = r"(?i)(?<!\\w)" + re.escape(text) + r"(?!\\w)"
        if re.search(pattern, part):
            found.add(letter)
            part = re.sub(pattern, " ", part)
    found |= set(re.findall(r"(?<![\\w'])([ABCD])(?![\\w'])", part))
    return found
"""

_SCORE = """

def score(row, reply):
    found = read(row, reply)
    if len(found) != 1:
        return {"score": 0.0, "outcome": "ambiguous" if found else "unanswered"}
    right = "ABCD"[int(row["key0"])]
    return {"score": 1.0 if found == {right} else 0.0, "outcome": "answered", "value": min(found)}
"""

RIGHT = _LOAD + _BUILD + _READ + _SCORE


_FOUND = "    found = read(row, reply)\n"
_ASKED = '[row["Prompt Text (EN)"], *lines]'
_KEY = 'int(row["key0"])'


def _with(score: str) -> str:
    """Another `score`."""
    return _LOAD + _BUILD + _READ + f"\n\n{score.strip()}\n"


def _instead(old: str, new: str) -> str:
    """Another piece of the code."""
    assert old in RIGHT
    return RIGHT.replace(old, new)


def _also(lines: str) -> str:
    """More lines where a reply has been read."""
    return _instead(_FOUND, _FOUND + "".join(f"    {line}\n" for line in lines.splitlines()))


def _known(constant: str, key: str) -> str:
    """The right answers in the code, as a test fills them in."""
    return _instead(_KEY, key).replace("import re\n", f"import re\n\nKEYS = {constant}\n")


FAULTS: dict[str, tuple[str, str]] = {
    "the network is imported": ("static", "import socket\n" + RIGHT),
    "code is run dynamically": ("static", _instead(_KEY, 'eval(row["key0"])')),
    "score reads a file": ("static", _also('open("recorded.jsonl")')),
    "it raises on an empty reply": ("run", _also("reply[0]")),
    "it loops without end": ("run", _also("while True:\n    found = 1")),
    "calls depend on each other": (
        "run",
        _also('SEEN.append(reply)\nfound = found if len(SEEN) % 2 else {"A"}').replace(
            "import re\n", "import re\n\nSEEN = []\n"
        ),
    ),
    "items are lost": ("contract", _instead("csv.DictReader(file)]", "csv.DictReader(file)][:30]")),
    "the right answer is in the request": (
        "contract",
        _instead(_ASKED, '[row["Prompt Text (EN)"], *lines, row["key0"]]'),
    ),
    "options are not shown": ("contract", _instead(_ASKED, '[row["Prompt Text (EN)"]]')),
    "everything is right": (
        "cases",
        _with('def score(row, reply):\n    return {"score": 1.0, "outcome": "answered"}'),
    ),
    "a constant that looks plausible": (
        "cases",
        _with('def score(row, reply):\n    return {"score": 0.25, "outcome": "answered"}'),
    ),
    "what cannot be read is dropped": (
        "cases",
        _instead('{"score": 0.0, "outcome": "ambiguous"', '{"score": None, "outcome": "ambiguous"'),
    ),
    "the first option is the default": ("cases", _also('found = found or {"A"}')),
    "the first of two options counts": ("cases", _also("found = set(sorted(found)[:1])")),
    "the first capital letter is the answer": (
        "cases",
        _with(
            """
def score(row, reply):
    found = re.search("[ABCD]", reply)
    if not found:
        return {"score": 0.0, "outcome": "unanswered"}
    return {"score": float(found[0] == "ABCD"[int(row["key0"])]), "outcome": "answered"}
"""
        ),
    ),
    "reasoning is read as well": (
        "cases",
        _instead(r're.sub(r"(?s)<think>.*?(</think>|$)", "", reply)', "reply"),
    ),
    "small letters count as well": (
        "cases",
        _instead("(?![\\w'])\", part))", "(?![\\w'])\", part.upper()))"),
    ),
    "tags are not looked for": ("cases", _instead("    if tags:", "    if not tags and False:")),
    "it raises on what is hardly ever said": (
        "cases",
        _also('if "<answer></answer>" in reply:\n    found = found[0]'),
    ),
    "a score above 1": ("cases", _instead("1.0 if found == {right}", "100.0 if found == {right}")),
    "it loops on odd replies": ("properties", _also('while reply.startswith("(((("):\n    found = 1')),
    "the row is changed": ("properties", _also('row["seen"] = reply')),
    "the right answers are in the code by id": ("properties", _known("{keys}", 'KEYS.get(row["id"], 0)')),
    "the right answers are in the code by question": (
        "properties",
        _known("{by_question}", 'KEYS.get(row["Prompt Text (EN)"], 0)'),
    ),
    "the right answers are in the code by question, and the data's are taken out": (
        "properties",
        _known("{by_question}", 'KEYS.get(row["Prompt Text (EN)"], 0)').replace(
            "[{**row,", '[{**{name: cell for name, cell in row.items() if name != "key0"},'
        ),
    ),
}
"""The gate and the code, by the fault. Two are to be filled in with the right answers."""

SHELF_RIGHT = '''"""shelf-probe, plainly."""
import json
import re


def load(folder):
    with open(folder + "/probe.json", encoding="utf-8") as file:
        data = json.load(file)
    return [
        {"id": ask["k"], **ask, "file": shot["file"]}
        for room in data["rooms"] for shot in room["shots"] for ask in shot["asks"]
    ]


def build(row):
    return {"parts": [{"image": row["file"]}, {"text": row["ask"] + "\\nAnswer yes or no."}], "options": 2}


def score(row, reply):
    reply = re.sub(r"(?s)<think>.*?(</think>|$)", "", reply)
    tags = re.findall(r"(?s)<answer>(.*?)</answer>", reply)
    marks = re.findall(r"(?i)answer:[ \\t*]*([^\\n]*)", reply)
    part = tags[-1] if tags else marks[-1] if marks else reply
    words = {{"yep": "yes", "true": "yes", "nope": "no", "false": "no"}.get(word, word)
             for word in re.findall("[a-z]+", part.lower())} & {"yes", "no"}
    if len(words) != 1:
        return {"score": 0.0, "outcome": "ambiguous" if words else "unanswered"}
    return {"score": float(words == {"yes" if row["truth"] else "no"}), "outcome": "answered"}
'''
