"""EgoThink: first-person questions in twelve dimensions, answered in free text and marked by a judge.

Cheng et al., "EgoThink: Evaluating First-Person Perspective Thinking Capability of Vision-Language Models",
2024; github.com/AdaCheng/EgoThink. Official score: a judge marks each answer 0, 0.5 or 1 against the
reference; mean per dimension, then over the dimensions, times 100. Without a judge nothing is scored: the
reply is read and kept, and coverage says 0.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from gumption.answers import read
from gumption.benchmarks._data import find
from gumption.benchmarks.benchmark import Benchmark
from gumption.lines import decode, read_lines
from gumption.records import Aggregate, Answer, Episode, GumptionError, Item, Score, Text
from gumption.suites import Media, Suite, image_of

__all__ = ["BENCHMARK"]

_FILE = "egothink/items.jsonl"
_HOME = "https://github.com/AdaCheng/EgoThink"


class _Row(msgspec.Struct):
    id: str
    dimension: str
    question: str
    answer: str
    images: list[str]
    source_dataset: str = ""


def _load(data: Path | None) -> Suite:
    path = find(_FILE, data, get_from=_HOME)
    items: list[Item] = []
    media: dict[str, Path] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(decode(line), type=_Row)
            pictures = {name: image_of((path.parent / name).read_bytes()) for name in row.images}
        except (msgspec.MsgspecError, OSError, GumptionError) as error:
            raise GumptionError(
                f"not an item of EgoThink: {error}", where=f"{path}, line {number}", remedy="fetch it again"
            ) from error
        media |= {picture.sha256: path.parent / name for name, picture in pictures.items()}
        items.append(
            Item(
                id=row.id,
                benchmark="egothink",
                parts=(*pictures.values(), Text(row.question)),
                answer=Answer("text", gold=row.answer),
                category=row.dimension,
                dimension=row.dimension,
                meta={"source_dataset": row.source_dataset},
            )
        )
    return Suite(
        name="egothink",
        version="1",
        items=tuple(items),
        media=Media(media),
        provenance={"homepage": _HOME, "file": path.name},
        licences={"egothink": BENCHMARK.licence},
    )


def _episode(item: Item) -> Episode:
    """Ask; the mark is a judge's to give, so the score has a reading and no value."""
    (reply,) = yield (item,)
    return Score(None, reading=read(reply.text, item.answer))


BENCHMARK = Benchmark(
    name="egothink",
    title="EgoThink",
    homepage=_HOME,
    licence="Apache-2.0",
    rule="a judge's mark of 0, 0.5 or 1; mean per dimension, unweighted mean over the twelve dimensions",
    official=Aggregate("macro over the dimensions", by="dimension"),
    load=_load,
    episode=_episode,
)
