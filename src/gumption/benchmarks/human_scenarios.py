"""Human scenarios: plans for real places, asked for so that people can rate them.

The human study of A2Eval (arXiv 2602.01640) shows eight scenarios, each as a video of 15 to 30 s with an
instruction of 4 to 6 sub-tasks, and has people rate every model's plan on eight dimensions. Its scenarios,
prompt and form are not public. This benchmark reads a folder of your own scenarios and asks for the plans; no
rule scores them, `gumption rate` shows them to people.

    gumption run human-scenarios:dir=FOLDER --model openai/NAME --base-url URL
    gumption run human-scenarios --data FOLDER --model replay/plans.jsonl
    gumption run human-scenarios:dir=FOLDER,shown=video --video url --model openai/NAME --base-url URL

What stands in the folder is said in docs/benchmarks/human-scenarios.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gumption.answers import refuses, visible
from gumption.benchmarks._clips import Showing
from gumption.benchmarks._frames import seconds_of
from gumption.benchmarks._hub import Shelf
from gumption.benchmarks._scenario_rows import ScenarioRow, read_rows
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.prompts import ASKING, prompted
from gumption.records import (
    Aggregate,
    Answer,
    Episode,
    GumptionError,
    Item,
    Part,
    Reading,
    Reply,
    Score,
    Text,
    Video,
)
from gumption.suites import Suite

__all__ = ["BENCHMARK", "PROMPT", "RATED_BY_PEOPLE"]

_NAME = "human-scenarios"
_FRAMES = 16
"""Of a clip: about one a second of the shortest."""
_SHORTEST, _LONGEST = 15.0, 30.0
"""Seconds of a clip in the paper's study."""
_BEYOND = 600.0
"""Seconds that no rater sits through."""
_FEWEST_SUB_TASKS = 4
RATED_BY_PEOPLE = "rated by people"
"""The rule of a reading that no program scores."""
PROMPT = """\
You are a robot in this place and have to carry out the instruction. Write a plan for it, in this order:

1. Scene elements: the objects, furniture and people that matter here.
2. Goals: what is to be true when you are done, as separate goals.
3. Order: which goal comes before which, and why.
4. Spatial relations: where things are, seen from each other, and where they have to go.
5. Object states and quantities: open or closed, full or empty, clean or dirty; how many of each.
6. Plan: a numbered list of steps. Each step is one action, and names the object, how many, and the place.

Rely on what can be seen. Where something needed cannot be seen, say so and plan to look for it."""
"""What a model is asked for below the instruction; in our words."""


def _configured(data: Path | None, options: Mapping[str, str]) -> Suite:
    """The scenarios of a folder. Raises GumptionError, naming file and row, for one that cannot be shown."""
    showing = Showing.told(_NAME, options, _FRAMES, others=("dir",))
    folder = Path(options["dir"]) if options.get("dir") else data
    if folder is None:
        raise GumptionError(
            "no folder of scenarios is named",
            where=_NAME,
            remedy="name one that holds scenarios.json: human-scenarios:dir=FOLDER, or --data FOLDER",
        )
    shelf = Shelf(folder)
    rows = list(read_rows(folder))
    return Suite(
        name=_NAME,
        version=folder.resolve().name,
        items=tuple(_items(rows, shelf, showing)),
        media=shelf.media(),
        provenance={"scenarios": len(rows), "settings": sorted({row.setting for _, row in rows})},
        licences={_NAME: ", ".join(sorted({row.licence for _, row in rows}))},
    )


def _items(rows: list[tuple[str, ScenarioRow]], shelf: Shelf, showing: Showing) -> Iterator[Item]:
    for where, row in rows:
        try:
            yield _item(row, where, shelf, showing)
        except GumptionError as error:
            raise GumptionError(error.problem, where=where, remedy=error.remedy) from error


def _item(row: ScenarioRow, where: str, shelf: Shelf, showing: Showing) -> Item:
    whole = [_media_at(shelf, path) for path in row.media]
    clips = [part for part in whole if isinstance(part, Video)]
    if clips and len(whole) > 1:
        problem = f"{len(clips)} clips among {len(whole)} media"
        raise GumptionError(problem, remedy="name one clip alone, or pictures only")
    shown: tuple[Part, ...] = tuple(whole)
    words = Text(f"Instruction: {row.instruction}")
    if clips:
        seconds = _seconds(shelf.path(row.media[0]), where)
        whole = [replace(clips[0], seconds=seconds)]
        shown, words = showing.parts(shelf, row.media[0]), showing.words(words.text)
    if len(row.sub_tasks) < _FEWEST_SUB_TASKS:
        warnings.warn(f"{where}: {len(row.sub_tasks)} sub-tasks; the study has 4 to 6", stacklevel=2)
    return Item(
        id=row.id,
        benchmark=_NAME,
        parts=(*shown, words),
        answer=Answer("text"),
        cluster=row.id,
        category=row.setting,
        meta={
            "instruction": row.instruction,
            "sub_tasks": row.sub_tasks,
            "media": [_told(part) for part in whole],
            "licence": row.licence,
            **({**showing.meta, "protocol": showing.protocol} if clips else {"protocol": ""}),
        },
    )


def _media_at(shelf: Shelf, path: str) -> Part:
    try:
        return shelf.file(path)
    except GumptionError as error:
        remedy = "put the picture or clip into the folder of the scenarios, and name it by its path in there"
        raise GumptionError(error.problem, remedy=remedy) from error


def _seconds(path: Path, where: str) -> float:
    seconds = seconds_of(path)
    if seconds > _BEYOND:
        problem = f"a clip of {seconds:,.0f} s, which no rater sits through"
        raise GumptionError(problem, remedy="cut it to 15 to 30 s")
    if not _SHORTEST <= seconds <= _LONGEST:
        told = f"{where}: a clip of {seconds:.1f} s; the study's are of {_SHORTEST:.0f} to {_LONGEST:.0f} s"
        warnings.warn(told, stacklevel=2)
    return round(seconds, 3)


def _told(part: Part) -> dict[str, Any]:
    """What raters are shown: the clip itself, whatever the model saw of it."""
    if isinstance(part, Video):
        return {"sha256": part.sha256, "media_type": part.media_type, "seconds": part.seconds}
    assert not isinstance(part, Text)
    return {"sha256": part.sha256, "media_type": part.media_type}


def _episode(item: Item) -> Episode:
    """Ask for the plan and keep it for people."""
    (reply,) = yield (_asked(item),)
    return Score(None, reading=_reading(reply), for_people=True)


def _asked(item: Item) -> Item:
    """The item as a model is shown it: with our words, or with those of a file of prompts."""
    if "template" in item.meta.get(ASKING, {}):
        return prompted(item)
    *media, instruction = item.parts
    return replace(item, parts=(*media, instruction, Text(PROMPT)))


def _reading(reply: Reply) -> Reading:
    """What raters see: the reply without its reasoning, whole."""
    text = visible(reply.text)[0].strip()
    if reply.status == "refused" or (text and refuses(text)):
        return Reading("refused", text or None, RATED_BY_PEOPLE)
    return Reading("answered", text, RATED_BY_PEOPLE) if text else Reading("unanswered", rule=RATED_BY_PEOPLE)


BENCHMARK = Benchmark(
    name=_NAME,
    title="Human scenarios",
    homepage="https://arxiv.org/abs/2602.01640",
    licence="of each scenario",
    rule="people rate every plan on eight dimensions of equal weight; no program does",
    official=Aggregate(RATED_BY_PEOPLE),
    load=lambda data: _configured(data, {}),
    configure=_configured,
    episode=_episode,
    n="as many as the folder has; 8 in the paper's study",
    formula="mean over raters of (rating - low) / (high - low), then over dimensions, then over scenarios",
    asked="the pictures or frames of the clip, the instruction, what a plan has to say",
    checked="folders with each fault; a replayed run from the command line; rankings worked by hand",
)
