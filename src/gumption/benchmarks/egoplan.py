"""EgoPlan-Bench: the next action toward a goal, from a clip of what was done and the view of this moment.

Chen et al., "EgoPlan-Bench: Benchmarking Multimodal Large Language Models for Human-Level Planning", 2023;
github.com/ChenYi99/EgoPlan. Official score: accuracy. The authors' code compares the likelihood of each
option, which a server does not tell; here the letter that a model writes is read. Clips are those of the
copy that lmms-eval uses, one for each question, ending with the current observation.

    gumption run egoplan                8 frames of each clip, the last one the current observation
    gumption run egoplan:frames=16
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gumption.benchmarks._archives import unpacked
from gumption.benchmarks._clips import Showing
from gumption.benchmarks._hub import Row, Shelf, Source, fetch
from gumption.benchmarks._hub.source import matching
from gumption.benchmarks._next_action import AUTHORS, LMMS_EVAL, answer_of, lettered, question_of
from gumption.benchmarks._published import suite_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, GumptionError, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK"]

_REPO = "EgoLife-v1/EgoPlan"
_LICENCE = "BSD-3-Clause (videos of EPIC-KITCHENS and Ego4D under their own licences)"
_QUESTIONS = "*validation*.parquet"
_CLIPS = ("*.mp4", "*.MP4", "*.mkv")
ARCHIVES = Source(repo=_REPO, files=(_QUESTIONS, "*.zip"), licence=_LICENCE)
SOURCE = Source(repo=_REPO, files=(_QUESTIONS,), licence=_LICENCE)
_COLUMNS = {
    "sample_id": "text|int",
    "video_source": "text",
    "video_id": "text",
    "task_goal": "text",
    "choice_a": "text",
    "choice_b": "text",
    "choice_c": "text",
    "choice_d": "text",
    "golden_choice_idx": "text",
    "current_observation_frame": "int|text",
}
_USUAL_FRAMES = 8
_EGOPLAN2, _LMMS = "EgoPlan-Bench2's reading", "lmms-eval"


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    showing = Showing.told("egoplan", told, _USUAL_FRAMES)
    folder = fetch(SOURCE, unpacked(ARCHIVES, data))
    shown = "pictures show, in order," if showing.frames else "video shows"
    clips = {Path(name).stem: name for name in matching(folder, _CLIPS)}

    def item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
        sample = str(row["sample_id"])
        if sample not in clips:
            remedy = (
                "the videos need the licences of EPIC-KITCHENS and Ego4D; put the clips beside the questions"
            )
            raise GumptionError(f"no clip {sample}.mp4", where=row.where, remedy=remedy)
        return Item(
            id=f"egoplan/{sample}",
            benchmark="egoplan",
            parts=(*showing.parts(shelf, clips[sample]), Text(question_of(row["task_goal"], shown=shown))),
            answer=answer_of(row, row["golden_choice_idx"]),
            cluster=f"{row['video_source']}/{row['video_id']}",
            category=row["video_source"],
            meta={
                **showing.meta,
                "current_observation_frame": row["current_observation_frame"],
                "protocol": showing.protocol,
            },
        )

    name = f"egoplan:{showing.protocol}".rstrip(":")
    return suite_of(name, SOURCE, folder, _COLUMNS, item, version="validation")


BENCHMARK = Benchmark(
    name="egoplan",
    title="EgoPlan-Bench (validation)",
    homepage="https://github.com/ChenYi99/EgoPlan",
    licence=_LICENCE,
    rule=(
        "accuracy over all questions (micro); of the authors by likelihood, here by the letter that is "
        "written"
    ),
    official=Aggregate("micro"),
    further=(
        Aggregate("micro, first capital as EgoPlan-Bench2 reads", part=_EGOPLAN2),
        Aggregate("micro, lmms-eval's reading", part=_LMMS),
    ),
    load=_load,
    configure=_configured,
    episode=lettered({_EGOPLAN2: AUTHORS, _LMMS: LMMS_EVAL}),
    source=ARCHIVES,
    n="validation 3,355; test 1,584 with hidden answers",
    formula="right / questions",
    chance="25 % (four options)",
    asked="8 frames of the clip (an option), the last one the current observation, the goal, four options",
    quirks=(
        "The authors take the option of least loss under the model; a server does not tell it, so the "
        "official "
        "rule here is accuracy of the written letter, and no figure of theirs compares one to one.",
        "Their pictures are the key frames of the annotation with the current observation apart; the copy "
        "that "
        "is used here has a clip for each question, of which frames are taken evenly.",
    ),
    kits=(
        (
            "lmms-eval",
            "first capital A to D anywhere: 'Based on the video, C' is B, 'Answer: C' is A, 'c' none",
        ),
        ("MiMo", "the whole reply behind </think> must be the letter"),
        ("EmbodiedBrain's table", "fits 3,346 questions, not 3,355"),
    ),
    checked="hand-worked replies under both lists of beginnings",
)
