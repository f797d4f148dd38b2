"""Where2Place: pointing at free space that a phrase describes, in pictures of real rooms.

Yuan et al., "RoboPoint: A Vision-Language Model for Spatial Affordance Prediction for Robotics", 2024;
github.com/wentaoyuan/RoboPoint. Official score: mean value of the mask at the points, mean over the 100
pictures. The mask is a JPEG picture and stays one there: its greys count as parts of a hit. Our reading takes
half grey and more for inside.

    gumption run where2place                       x and y from 0 to 1, as the authors ask
    gumption run where2place:family=qwen2.5-vl     pixels; our reading follows, the official rule does not
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

from gumption.benchmarks._beside import OFFICIAL
from gumption.benchmarks._hub import Row, Shelf, Source
from gumption.benchmarks._point_lists import robopoint
from gumption.benchmarks._pointing import convention_of, pointing
from gumption.benchmarks._published import suite_of
from gumption.benchmarks._regions import mask_of, outline, share
from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, GumptionError, Image, Item, Text
from gumption.suites import Suite

__all__ = ["BENCHMARK", "official"]

SOURCE = Source(
    repo="wentao-yuan/where2place",
    files=("point_questions.jsonl", "images/*", "masks/*"),
    licence="Apache-2.0 (of the code; none is stated for the data)",
)
_COLUMNS = {"question_id": "int|text", "image": "text", "text": "text"}
_FORM = re.compile(r"\s*Your answer should be\b.*", re.DOTALL)
"""The authors' demand for a list of tuples, which stands in the text of each question."""
_INSIDE = 128
"""A grey of half and more is inside, for our reading."""


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    convention = convention_of("where2place", told)
    protocol = "" if convention == "unit_xy" else f"convention={convention}"

    def item(row: Row, shelf: Shelf, number: int) -> Item:
        picture = shelf.file(f"images/{row['image']}")
        if not isinstance(picture, Image):
            raise GumptionError(f"{row['image']} is no picture", remedy="fetch the data again")
        mask = shelf.path(f"masks/{number:02d}.jpg").read_bytes()
        return Item(
            id=f"where2place/{row['question_id']}",
            benchmark="where2place",
            parts=(picture, Text(_FORM.sub("", row["text"], count=1))),
            answer=Answer(
                "point",
                gold={"polygon": outline(mask_of(mask) >= _INSIDE)},
                convention=convention,
                size=(picture.width, picture.height),
            ),
            meta={"mask": b64encode(mask).decode(), "protocol": protocol},
        )

    name = f"where2place:{protocol}".rstrip(":")
    return suite_of(name, SOURCE, data, _COLUMNS, item, version="100 pictures")


def official(reply: str, item: Item) -> float | None:
    """Mean of the mask's grey at every point and at every pixel of every box; None where the code fails.

    Read in round brackets alone; a dot means 0 to 1, and 640 x 480 is taken for the size of every picture. No
    point is 0.
    """
    boxes = robopoint(reply)
    return None if boxes is None else share(mask_of(item.meta["mask"]), boxes, full=255)


BENCHMARK = Benchmark(
    name="where2place",
    title="Where2Place",
    homepage="https://github.com/wentaoyuan/RoboPoint",
    licence=SOURCE.licence,
    rule="mean grey of the mask at a reply's points, mean over the pictures",
    official=Aggregate("mean over the pictures, mask not binarised", part=OFFICIAL),
    further=(Aggregate("mean over the pictures, our reading"),),
    load=_load,
    configure=_configured,
    episode=pointing(official),
    source=SOURCE,
    n="100 pictures",
    formula="mean over the pictures of (1/points) * sum over the points of mask / 255",
    chance="one point drawn uniformly hits with the mask's share of the picture, worked out for each item",
    asked=(
        "picture, the question without the authors' form of answer, then a list of points in the convention"
    ),
    quirks=(
        "The mask is a JPEG picture that is not binarised, so a point on a grey pixel is partly right; our "
        "reading takes half grey and more for inside.",
        "Points are scaled by 640 and 480 whatever the size of the picture, where either number has a dot.",
        "Four numbers in one pair of brackets are a box, and every pixel of it is a point.",
        "A blank after the bracket, square brackets and a number without a digit before its dot are not "
        "read.",
        "No point is 0, but a reply at which the reader fails is left out of the mean.",
    ),
    kits=(
        ("lmms-eval, 0 to 1", "pixels are scaled as if they were shares, so they miss"),
        ("lmms-eval, 0 to 999", "all numbers are per mille (divided by 1,000); shares and pixels miss"),
        ("lmms-eval, JSON", "finds shares and per mille in any brackets; pixels miss"),
        ("FlagEvalMM", "reads the last line alone: a point in the reasoning is no harm, a note behind is"),
        ("RynnScale", "reads per mille alone, and neither JSON nor several points"),
    ),
    checked=(
        "the official column of ten replies under six public scorers; hand-worked replies, greys and boxes"
    ),
)
