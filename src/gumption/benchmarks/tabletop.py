"""Tabletop: small drawn scenes with full ground truth, made by the package itself.

Fresh by seed, no download, no licence to read. Coloured shapes lie on a table; every kind of answer is asked
about what lies there, what is left of what, how many there are and where something is.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PIL import Image as Pillow
from PIL import ImageDraw

from gumption.benchmarks.benchmark import Benchmark
from gumption.records import Aggregate, Answer, Image, Item, Text
from gumption.suites import Media, Suite

__all__ = ["BENCHMARK", "draw_suite"]

SIZE = (480, 320)
_COLOURS = {
    "red": "#d62839",
    "blue": "#2a6fdb",
    "green": "#2a9d4a",
    "yellow": "#f2c230",
    "purple": "#8a3ffc",
    "orange": "#f07f13",
}
_SHAPES = ("circle", "square", "triangle")
_RADIUS = 26
_LETTERS = "ABCD"


@dataclass(frozen=True)
class Thing:
    """One shape on the table, by its centre in pixels."""

    colour: str
    shape: str
    x: int
    y: int

    @property
    def name(self) -> str:
        return f"{self.colour} {self.shape}"

    @property
    def box(self) -> tuple[int, int, int, int]:
        return self.x - _RADIUS, self.y - _RADIUS, self.x + _RADIUS, self.y + _RADIUS


def draw_suite(folder: Path, *, scenes: int = 24, seed: int = 0) -> Suite:
    """Draw `scenes` pictures into `folder` and ask five questions about each.

    The items of one picture share a cluster. Golds are balanced: yes as often as no, each option's place and
    each count drawn evenly.
    """
    generator = Random(f"tabletop/{seed}")
    folder.mkdir(parents=True, exist_ok=True)
    items: list[Item] = []
    media: dict[str, Path] = {}
    for number in range(scenes):
        things = _scene(generator, 3 + number % 4)
        data = _picture(things)
        sha256 = hashlib.sha256(data).hexdigest()
        media[sha256] = _stored(folder / f"{sha256}.png", data)
        items += _questions(
            f"scene-{number:03d}", things, Image(sha256, "image/png", *SIZE), generator, number
        )
    return Suite(
        name="tabletop",
        version=f"seed-{seed}",
        items=tuple(items),
        media=Media(media),
        provenance={"made_by": "gumption", "seed": seed, "scenes": scenes},
        licences={"tabletop": "Apache-2.0"},
    )


def _scene(generator: Random, count: int) -> list[Thing]:
    """`count` things of different colours that do not touch, none in line with another."""
    colours = generator.sample(list(_COLOURS), count)
    columns = generator.sample(range(_RADIUS + 12, SIZE[0] - _RADIUS - 12, 2 * _RADIUS + 14), count)
    things = []
    for colour, x in zip(colours, columns, strict=True):
        y = generator.randrange(90 + _RADIUS, SIZE[1] - _RADIUS - 12)
        things.append(Thing(colour, generator.choice(_SHAPES), x, y))
    return things


def _picture(things: list[Thing]) -> bytes:
    picture = Pillow.new("RGB", SIZE, "#dfe7ee")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 80, *SIZE), fill="#c9a57b")
    draw.line((0, 80, SIZE[0], 80), fill="#8b6a45", width=3)
    for thing in things:
        x0, y0, x1, y1 = thing.box
        colour = _COLOURS[thing.colour]
        if thing.shape == "circle":
            draw.ellipse(thing.box, colour, "#333333", 2)
        elif thing.shape == "square":
            draw.rectangle(thing.box, colour, "#333333", 2)
        else:
            draw.polygon(((x0, y1), (x1, y1), (thing.x, y0)), colour, "#333333", 2)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _stored(path: Path, data: bytes) -> Path:
    if not path.exists():
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as temporary:
            temporary.write(data)
        Path(temporary.name).replace(path)
    return path


def _questions(scene: str, things: list[Thing], image: Image, generator: Random, number: int) -> list[Item]:
    """One question of each kind about the scene."""

    def item(name: str, category: str, question: str, answer: Answer) -> Item:
        parts = (image, Text(question))
        return Item(f"{scene}/{name}", "tabletop", parts, answer, cluster=scene, category=category)

    ordered = sorted(things, key=lambda thing: thing.x)
    options = generator.sample(ordered, min(len(ordered), len(_LETTERS)))
    left = min(options, key=lambda thing: thing.x)
    a, b = generator.sample(things, 2)
    if (a.x < b.x) != (number % 2 == 0):
        a, b = b, a
    shape = generator.choice(_SHAPES)
    target = generator.choice(things)
    return [
        item(
            "leftmost",
            "position",
            "Which of these is furthest to the left?",
            Answer(
                "choice",
                gold=_LETTERS[options.index(left)],
                choices={
                    letter: f"the {thing.name}" for letter, thing in zip(_LETTERS, options, strict=False)
                },
            ),
        ),
        item(
            "left-of",
            "relation",
            f"Is the {a.name} to the left of the {b.name}?",
            Answer("yes_no", gold="yes" if a.x < b.x else "no"),
        ),
        item(
            "count",
            "counting",
            f"How many {shape}s lie on the table?",
            Answer("number", gold=sum(thing.shape == shape for thing in things)),
        ),
        item(
            "point",
            "pointing",
            f"Point at the {target.name}.",
            Answer("point", gold={"box": list(target.box)}, convention="per_mille_xy", size=SIZE),
        ),
        item(
            "colour",
            "attribute",
            "What colour is the thing furthest to the right?",
            Answer("text", gold=ordered[-1].colour),
        ),
    ]


def _load(data: Path | None) -> Suite:
    cache = os.environ.get("GUMPTION_CACHE") or Path.home() / ".cache" / "gumption"
    return draw_suite(data or Path(cache) / "tabletop")


BENCHMARK = Benchmark(
    name="tabletop",
    title="Tabletop",
    homepage="",
    licence="Apache-2.0",
    rule="exact match, points by their share on the thing; unweighted mean over the five categories",
    official=Aggregate("macro over the five categories", by="category"),
    load=_load,
)
