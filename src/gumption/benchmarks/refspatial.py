"""RefSpatial-Bench: one point for an object or a free place that is described over several steps.

Zhou et al., "RoboRefer: Towards Spatial Referring with Reasoning in Vision-Language Models for Robotics",
2025; github.com/Zhoues/RoboRefer. Official score: share of the points inside the mask, mean over each of
the three splits. The official reader is chosen by the name of the model; here it goes by an option that is
recorded:

    gumption run refspatial                         0 to 1: RoboPoint, RoboRefer, GPT-4o, Claude
    gumption run refspatial:family=qwen2.5-vl       pixels: RoboBrain, Qwen
    gumption run refspatial:family=molmo            0 to 100, in numbered attributes
    gumption run refspatial:family=gemini           0 to 1000, y first, in fenced JSON
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._point_lists import bracketed, fenced_json, numbered_xml, pixel_bracketed
from gumption.benchmarks._pointing import convention_of, pointing
from gumption.benchmarks._published import suite_of
from gumption.benchmarks._regions import mask_of, outline, share
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, Episode, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

_SPLITS = ("location", "placement", "unseen")
SOURCE = Source(
    repo="BAAI/RefSpatial-Bench",
    files=tuple(f"data/{split}-*.parquet" for split in _SPLITS),
    licence="Apache-2.0 (of the code)",
)
_COLUMNS = {
    "id": "int|text",
    "object": "text",
    "prompt": "text",
    "suffix": "text",
    "step": "int",
    "image": "image",
    "mask": "image",
}


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    convention = convention_of("refspatial", told)
    protocol = "" if convention == "unit_xy" else f"convention={convention}"

    def item(row: Row, shelf: Shelf, number: int) -> Item:  # noqa: ARG001
        picture, mask = shelf.image(row["image"]), mask_of(row["mask"])
        split = Path(row.where).name.partition("-")[0]
        return Item(
            id=f"refspatial/{split}/{row['id']}",
            benchmark="refspatial",
            parts=(picture, Text(row["prompt"])),
            answer=Answer(
                "point",
                gold={"polygon": outline(mask > 0)},
                convention=convention,
                size=(picture.width, picture.height),
            ),
            category=split,
            dimension=f"{row['step']} steps",
            meta={"mask": b64encode(row["mask"]).decode(), "object": row["object"], "protocol": protocol},
        )

    name = f"refspatial:{protocol}".rstrip(":")
    return suite_of(name, SOURCE, data, _COLUMNS, item, version="three splits", files="data/*.parquet")


def official(reply: str, item: Item) -> float | None:
    """Share of the points (all pixels of a box) where the mask is above 0; no point is 0.

    Read by the reader that the authors have for the item's convention. None where that reader fails, and for
    0 to 1000 with x first, for which they have none: their program then prints no score.
    """
    mask = (mask_of(item.meta["mask"]) > 0).astype(np.uint8)
    size = mask.shape[1], mask.shape[0]
    match item.answer.convention:
        case "unit_xy":
            boxes = bracketed(reply, size)
        case "pixel_xy":
            boxes = pixel_bracketed(reply)
        case "percent_xy":
            boxes = numbered_xml(reply, size)
        case "per_mille_yx":
            boxes = fenced_json(reply, size)
        case _:
            return None
    return None if boxes is None else share(mask, boxes, full=1)


_POINTING = pointing(official)


def _episode(item: Item) -> Episode:
    """The official score stands under the name of its split too, for the authors print one number a split."""
    score = yield from _POINTING(item)
    given = score.parts.get(OFFICIAL)
    parts = {} if given is None else {f"{OFFICIAL}, {item.category}": given}
    return replace(score, parts={**score.parts, **parts})


BENCHMARK = Benchmark(
    name="refspatial",
    title="RefSpatial-Bench",
    homepage="https://github.com/Zhoues/RoboRefer",
    licence=SOURCE.licence,
    rule="share of a reply's points inside the mask, mean over each split; one number here is their mean",
    official=Aggregate("mean of the three splits", by="category", part=OFFICIAL),
    further=(
        *(Aggregate(f"{split} alone", part=f"{OFFICIAL}, {split}") for split in _SPLITS),
        Aggregate("mean of the three splits, our reading", by="category"),
    ),
    load=_load,
    configure=_configured,
    episode=_episode,
    source=SOURCE,
    n="277 = Location 100 + Placement 100 + Unseen 77",
    formula="for each split the mean over its items of (points inside the mask) / points",
    chance="one point drawn uniformly hits with the mask's share of the picture, worked out for each item",
    asked="picture, the prompt without the published suffix, then a list of points in the convention",
    quirks=(
        "Which reader is used goes by the model's name: 0 to 1, pixels, Molmo's XML or Gemini's JSON; for an "
        "unknown name no score is printed. Here it is an option.",
        "A reply at which the reader fails is left out of the mean: a box whose end is before its start, "
        "JSON "
        "of another shape. Pixels with a dot stop the published program; such an item has no official score.",
        "A box is scaled even where its numbers are whole, a pair is not.",
        "Molmo's tag with plain x and y is not read, only x1 and y1.",
        "The authors print one number a split; the mean of the three is ours, as many papers give it.",
        "The field `step` is the dimension, so that a scorecard shows accuracy by difficulty.",
    ),
    kits=(
        ("lmms-eval", "one task for 0 to 1 and one for JSON at 0 to 1,000, whatever the model"),
        ("lmms-eval, 0 to 999", "divides by 1,000 all the same"),
        ("FlagEvalMM", "reads the last line alone"),
        ("RynnScale", "reads per mille alone"),
    ),
    checked="ten replies under six public scorers; hand-worked replies for each reader",
)
