"""VSI-Bench: eight kinds of questions on the space that a walk through rooms showed.

Yang et al., "Thinking in Space: How Multimodal Large Language Models See, Remember, and Recall Spaces", 2024;
github.com/vision-x-nyu/thinking-in-space. Official score: what stands before the first blank, without periods
behind it: equal to the letter, or as a number its mean relative accuracy; mean per task, then over the eight
tasks, where the three grades of relative direction are one task.

    gumption run vsi-bench                       32 frames of each clip
    gumption run vsi-bench:frames=8              as many as the authors show some models
    gumption run vsi-bench:set=debiased          the questions that are left when guessing is made harder
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase

from gumption.answers import score
from gumption.benchmarks._archives import unpacked
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._clips import Showing
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._mra import mra_exact, mra_official
from gumption.benchmarks._options import protocol_of
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Item, Reading, Reply
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_REPO, _LICENCE = (
    "nyu-visionx/VSI-Bench",
    "Apache-2.0 (videos of ScanNet, ScanNet++ and ARKitScenes under theirs)",
)
_FILES = {"test": "test[-.]*", "debiased": "test_debiased.parquet"}
"""The questions: Parquet at first, JSON lines since."""
_CHOICES = {
    "object_rel_direction_easy": "object_rel_direction",
    "object_rel_direction_medium": "object_rel_direction",
    "object_rel_direction_hard": "object_rel_direction",
    "object_rel_distance": "object_rel_distance",
    "route_planning": "route_planning",
    "obj_appearance_order": "obj_appearance_order",
}
_NUMBERS = ("object_abs_distance", "object_counting", "object_size_estimation", "room_size_estimation")
_TASKS = {**_CHOICES, **{name: name for name in _NUMBERS}}
"""Type of question to task."""
_WEIGHTS = {kind: 1 / list(_TASKS.values()).count(task) for kind, task in _TASKS.items()}
_COLUMNS = {
    "id": "int|text",
    "dataset": "text",
    "scene_name": "text",
    "question_type": "text",
    "question": "text",
    "ground_truth": "text|number",
    "options": "texts?",
}
_USUAL_FRAMES = 32
_OPTION = re.compile(r"\s*\(?([A-Z])[.):]\s*(.*)", re.DOTALL)
_NUMERAL = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,12})?")


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    showing = Showing.told("vsi-bench", told, _USUAL_FRAMES, others=("set",))
    which = chosen("vsi-bench", {"set": told.get("set", "test")}, {"set": tuple(_FILES)})["set"]
    other = protocol_of(set=None if which == "test" else which)
    protocol = ",".join(filter(None, (showing.protocol, other)))

    def item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
        kind, clip = row["question_type"], f"{row['dataset']}/{row['scene_name']}"
        if kind not in _TASKS:
            raise GumptionError(f"no type of question is called {kind!r}", remedy="fetch the data again")
        return Item(
            id=f"vsi-bench/{row['id']}",
            benchmark="vsi-bench",
            parts=(*showing.parts(shelf, f"{clip}.mp4"), showing.words(row["question"])),
            answer=_number(row) if kind in _NUMBERS else _choice(row),
            cluster=clip,
            category=kind,
            dimension=_TASKS[kind],
            meta={**showing.meta, "protocol": protocol},
        )

    source = Source(repo=_REPO, files=(_FILES[which], "*.mp4"), licence=_LICENCE)
    archives = Source(repo=_REPO, files=(_FILES[which], "*.zip"), licence=_LICENCE)
    name = f"vsi-bench:{protocol}".rstrip(":")
    return suite_of(name, source, unpacked(archives, data), _COLUMNS, item, version=which)


def _choice(row: Row) -> Answer:
    """The options as published, "A. left", and the letter of the right one."""
    found = [_OPTION.fullmatch(text) for text in row["options"] or ()]
    choices = {match[1]: match[2].strip() for match in found if match}
    in_order = list(choices) == list(ascii_uppercase[: len(found)])
    if not choices or not in_order or row["ground_truth"] not in choices:
        problem = f"options {row['options']} with {row['ground_truth']!r} as the right one"
        raise GumptionError(problem, remedy="fetch the data again")
    return Answer("choice", gold=row["ground_truth"], choices=choices)


def _number(row: Row) -> Answer:
    text = str(row["ground_truth"]).strip()
    if not _NUMERAL.fullmatch(text):
        raise GumptionError(f"the right number is {text!r}", remedy="fetch the data again")
    return Answer("number", gold=float(text))


def official(reply: str, item: Item) -> float:
    """What stands before the first blank, periods behind it dropped; only a blank ends it, no new line.

    Choice: equal to the letter in whatever case. Number: mean relative accuracy in floating point, 0 for what
    is no number.
    """
    said = reply.split(" ", maxsplit=1)[0].rstrip(".").strip()
    if item.answer.kind == "choice":
        return float(said.lower() == str(item.answer.gold).lower())
    try:
        return mra_official(float(said), item.answer.gold)
    except ValueError:
        return 0.0


def _honest(_: Reply, item: Item, reading: Reading) -> float:
    """Our reading: the letter, or mean relative accuracy by exact arithmetic."""
    if item.answer.kind == "number":
        return mra_exact(reading.value, item.answer.gold)
    return score(item.answer, reading).value or 0.0


BENCHMARK = Benchmark(
    name="vsi-bench",
    title="VSI-Bench (test)",
    homepage="https://github.com/vision-x-nyu/thinking-in-space",
    licence=_LICENCE,
    rule="accuracy of six choice types, mean relative accuracy of four numeric ones; macro over eight tasks",
    official=Aggregate("macro over the 8 tasks", by="category", weights=_WEIGHTS, part=OFFICIAL),
    further=(
        Aggregate("macro over the 8 tasks, our reading", by="category", weights=_WEIGHTS),
        Aggregate("micro, our reading"),
    ),
    load=_load,
    configure=_configured,
    episode=beside(official, honest=_honest),
    source=Source(repo=_REPO, files=(_FILES["test"], "*.zip"), licence=_LICENCE),
    n="test 5,130 questions on 288 videos",
    formula=(
        "1/8 * (mean of easy, medium and hard direction + the means of the 7 other tasks); for a number the "
        "share of t in {.50, .55, ..., .95} with |p - g| / g <= 1 - t"
    ),
    chance="1 / options for the choice tasks, 0 for the numeric ones",
    asked="32 frames taken evenly (an option), a line on what they are, the question, options or the form",
    quirks=(
        "Only a blank ends the prediction: '3' and a new line and 'because' is no number, a leading blank an "
        "empty answer; 'B.' is right, '(B)' and 'B) left' are wrong.",
        "In floating point some limits lie a hair low: 8 against 10 scores .6 (.7 by arithmetic), 5.5 scores "
        ".1 (.2). The official column is the one, our reading the other.",
        "A subset without one type changes the number of averaged tasks without a word; a grade of direction "
        "that is missing counts 0 in the authors' code and drops out here; on the whole set both agree.",
        "How many frames are shown goes by the model in the authors' tables (8 to 32); here it is an option.",
        "Some golds of object_counting are known to be wrong (`vision-x-nyu/thinking-in-space#40`).",
    ),
    kits=(
        ("VLMEvalKit, lmms-eval", "33.70 and 38.67 for Qwen2.5-VL-7B: frames and decoding differ"),
        ("RynnScale", "reads the first number anywhere, and number words"),
    ),
    checked="the golden values of mean relative accuracy, worked by hand; hand-worked replies and macro",
)
