"""Cosmos-Reason1: embodied reasoning about clips of robots, people and cars, one question with options each.

NVIDIA, "Cosmos-Reason1: From Physical Common Sense To Embodied Reasoning", 2025;
github.com/nvidia-cosmos/cosmos-reason1. Official score: the first capital letter inside the answer tag;
share of all questions of all files. Clips of AgiBot, BridgeData V2 and HoloAssist are not published with
the questions.

    gumption run cosmos-reason1                                   every file that is there
    gumption run cosmos-reason1:sets=robovqa+robofail             these alone
    gumption run cosmos-reason1:answer=letter,frames=32           the letter alone, 32 frames of each clip
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gumption.benchmarks._archives import unpacked
from gumption.benchmarks._beside import OFFICIAL, beside
from gumption.benchmarks._clips import Showing
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._options import protocol_of
from gumption.benchmarks._published import chosen, suite_of
from gumption.benchmarks._written import shown_as
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.prompts import prompted
from gumption.records import Aggregate, Answer, GumptionError, Item
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_REPO, _LICENCE = "nvidia/Cosmos-Reason1-Benchmark", "CC-BY-4.0 (the code Apache-2.0; clips under their own)"
_FILES = "*qa_pairs.json"
ARCHIVES = Source(repo=_REPO, files=(_FILES, "*.tar.gz"), licence=_LICENCE)
SOURCE = Source(repo=_REPO, files=(_FILES, "*.mp4"), licence=_LICENCE)
_SETS = ("robovqa", "av", "agibot", "bridgev2", "holoassist", "robofail")
_COLUMNS = {"video": "text", "qa_pairs": "dict"}
_FPS = 4
_CAPITAL = re.compile("[A-Z]")
_CAMERA = ".camera_front_wide_120fov"
"""What the names of the clips of cars end in, beyond the question's."""
_FORM = "<answer>{}</answer>"
_ASK = "Reason in <think></think>, then write the letter of one option ({}) in <answer></answer>."


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    showing = Showing.told("cosmos-reason1", told, fps=_FPS, others=("answer", "sets"))
    ways = {"answer": ("reasoning", "letter")}
    answer = chosen("cosmos-reason1", {name: told[name] for name in ways if name in told}, ways)["answer"]
    sets = _sets(told)
    other = protocol_of(answer=None if answer == "reasoning" else answer, sets=told.get("sets"))
    protocol = ",".join(filter(None, (other, showing.protocol)))

    def item(row: Row, shelf: Shelf, number: int) -> Item | None:
        file = Path(row.where.rpartition(", row ")[0])
        if file.parent.name not in sets:
            return None
        asked = _asked(row["qa_pairs"])
        return Item(
            id=f"cosmos-reason1/{file.parent.name}/{number}",
            benchmark="cosmos-reason1",
            parts=(*showing.parts(shelf, _clip(file.parent, row["video"])), showing.words(asked["question"])),
            answer=Answer("choice", gold=asked["answer"], choices=asked["index2ans"]),
            cluster=row["video"],
            category=file.parent.name,
            meta={**showing.meta, "answer": answer, "protocol": protocol},
        )

    name = f"cosmos-reason1:{protocol}".rstrip(":")
    return suite_of(name, SOURCE, unpacked(ARCHIVES, data), _COLUMNS, item, version="benchmark")


def _sets(told: Mapping[str, str]) -> tuple[str, ...]:
    sets = tuple(told["sets"].split("+")) if "sets" in told else _SETS
    strange = [name for name in sets if name not in _SETS]
    if strange:
        problem, remedy = f"no set is called {', '.join(strange)}", f"sets, joined by +: {', '.join(_SETS)}"
        raise GumptionError(problem, where="cosmos-reason1", remedy=remedy)
    return sets


def _asked(pairs: Mapping[str, Any]) -> dict[str, Any]:
    """Question, options and letter of a row. Raises GumptionError where they do not fit together."""
    question, options = pairs.get("question"), pairs.get("index2ans")
    letter = pairs.get("answer", pairs.get("correct_answer"))
    if (
        not isinstance(question, str)
        or not isinstance(options, dict)
        or not all(isinstance(text, str) for text in options.values())
        or letter not in options
    ):
        problem = f"qa_pairs with options {list(options or ())} and {letter!r} as the right one"
        raise GumptionError(problem, remedy="fetch the data again")
    return {"question": question, "index2ans": options, "answer": letter}


def _clip(folder: Path, video: str) -> Path:
    """Where the clip lies: as named below the file's folder, or in clips/ there."""
    stem = Path(video).name.removesuffix(".mp4")
    places = (folder / video, folder / f"clips/{stem}.mp4", folder / f"clips/{stem}{_CAMERA}.mp4")
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise GumptionError(
            f"no clip {video!r}",
            where=str(folder),
            remedy="clips of agibot, bridgev2 and holoassist are made from the raw data sets, as "
            "examples/benchmark/README.md of the repository says; name the sets you have, as in "
            "cosmos-reason1:sets=robovqa+robofail",
        )
    return found


def _shown(item: Item) -> Item:
    return prompted(item) if item.meta["answer"] == "letter" else shown_as(item, _FORM, _ASK)


def official(reply: str, item: Item) -> float:
    """The first capital letter of the first answer tag; of the whole reply where a letter alone is asked for.

    So "The answer is B" is T there, and a reply without the tag, or with a small letter in it, is wrong.
    """
    said = reply
    if item.meta["answer"] == "reasoning":
        _, _, rest = reply.partition("<answer>")
        said, closing, _ = rest.partition("</answer>")
        said = said if closing else ""
    match = _CAPITAL.search(said)
    return float(match is not None and match[0].lower() == str(item.answer.gold).lower())


BENCHMARK = Benchmark(
    name="cosmos-reason1",
    title="Cosmos-Reason1 benchmark",
    homepage="https://github.com/nvidia-cosmos/cosmos-reason1",
    licence=_LICENCE,
    rule="the first capital letter in the answer tag; share of all questions of all files (micro)",
    official=Aggregate("micro over the files", part=OFFICIAL),
    further=(
        Aggregate("macro over the sets", by="category", part=OFFICIAL),
        Aggregate("micro over the files, our reading"),
    ),
    load=_load,
    configure=_configured,
    episode=beside(official, asked=_shown),
    source=ARCHIVES,
    n="510 = bridgev2 100, robovqa 110, agibot 100, holoassist 100, robofail 100; av about 100 more",
    formula="right / questions, over all files together",
    chance="1 / options",
    asked="4 frames a second (an option), the question, options, reasoning and letter in tags of their own",
    quirks=(
        "The official example runs robovqa and av; the other sets on request, robofail not at all.",
        "A reply without the answer tag is wrong, and so is a small letter in it.",
        "With answer=letter the first capital anywhere counts: 'The answer is B' is T.",
        "Rows without a verdict are left out of the official mean; here they lower coverage.",
        "Official decoding: temperature 0.6, 1,024 tokens, 10 retries.",
    ),
    kits=(
        ("MiMo", "asks for a plain letter and takes a capital behind </think>, else the whole reply"),
        ("RynnScale", "has the set too, with a reading of its own"),
    ),
    checked="hand-worked replies in both ways of answering",
)
