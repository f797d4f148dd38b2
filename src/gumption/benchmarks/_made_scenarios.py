"""Eight scenarios of our own making, drawn by seed: for trying the study out, and for tests.

One of each setting that A2Eval's study names (arXiv 2602.01640). The places are drawings, seen from above,
that stand for no real ones: ratings of plans for them say little of a model.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
import numpy as np

from gumption.atomic import replacing

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["scenario_folder"]

_WIDE, _HIGH, _VIEW = 640, 240, 440
"""Pixels of the whole place, and of how much of its width is seen at once."""
_SECONDS, _RATE = 16, 2
"""Of the clip that pans over the first place."""


class _Setting(NamedTuple):
    name: str
    places: tuple[str, str, str]
    """Furniture, from left to right."""
    thing: str
    other: str
    instruction: str
    """With {n} things at the first place, {m} others at the second."""
    sub_tasks: tuple[str, ...]


_SETTINGS = (
    _Setting(
        "household",
        ("table", "sink", "cupboard"),
        "cup",
        "plate",
        "Clear the table: wash the {n} cups and put them and the {m} plates away.",
        ("Carry the cups to the sink", "Wash the cups", "Put the cups away", "Put the plates away"),
    ),
    _Setting(
        "grocery store",
        ("crate", "shelf", "freezer"),
        "milk",
        "pizza",
        "Put the {n} bottles of milk on the shelf and the {m} pizzas into the freezer.",
        ("Take the milk", "Put the milk on the shelf", "Open the freezer", "Put the pizzas in", "Close it"),
    ),
    _Setting(
        "school",
        ("cabinet", "desk", "board"),
        "book",
        "chalk",
        "Lay the {n} books out on the desk, put the {m} pieces of chalk by the board, and clean the board.",
        ("Fetch the books", "Lay the books out", "Bring the chalk", "Clean the board"),
    ),
    _Setting(
        "office",
        ("printer", "desk", "shredder"),
        "page",
        "folder",
        "File the {n} printed pages in the empty folder on the desk and shred what the {m} old folders hold.",
        ("Take the pages", "Find the empty folder", "File the pages", "Empty the old folders", "Shred"),
    ),
    _Setting(
        "warehouse",
        ("pallet", "scale", "rack"),
        "box",
        "barrel",
        "Weigh the {n} boxes one by one, stack them on the rack, and leave the {m} barrels where they are.",
        ("Take a box", "Weigh it", "Stack it on the rack", "Go on to the last", "Leave the barrels"),
    ),
    _Setting(
        "hospital",
        ("trolley", "bed", "bin"),
        "cup",
        "glove",
        "Bring the patient {n} cups of water without spilling, and throw the {m} used gloves away.",
        ("Fill the cups", "Bring the cups", "Pick up the gloves", "Open the bin", "Throw them away", "Clean"),
    ),
    _Setting(
        "workshop",
        ("bench", "vice", "drawer"),
        "screw",
        "wrench",
        "Sort the {n} screws into the drawer, hang the {m} wrenches up, and open the vice.",
        ("Collect the screws", "Open the drawer", "Sort them in", "Hang up the wrenches", "Open the vice"),
    ),
    _Setting(
        "laboratory",
        ("rack", "scale", "fridge"),
        "tube",
        "flask",
        "Put the {n} tubes into the fridge in the order of their labels, then weigh the {m} flasks.",
        ("Read the labels", "Order the tubes", "Open the fridge", "Put them in", "Close it", "Weigh"),
    ),
)
_COLOURS = ("#c0392b", "#2874a6", "#1e8449", "#b9770e", "#6c3483", "#117a65")


def scenario_folder(out: Path, seed: int) -> Path:
    """Write eight scenarios into `out`, one of each setting, and return it; the same for the same seed.

    Each has two pictures of its place, from the left and from the right; the first has a clip of 16 s instead
    where the package av is installed. Licence: this package's own.
    """
    out.mkdir(parents=True, exist_ok=True)
    rows = [_scenario(out, place, setting, seed) for place, setting in enumerate(_SETTINGS)]
    with replacing(out / "scenarios.json") as temporary:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(rows)))
    return out


def _scenario(out: Path, place: int, setting: _Setting, seed: int) -> dict[str, Any]:
    random = Random(f"{seed}/{setting.name}")
    things, others = random.randint(2, 5), random.randint(2, 4)
    drawn = _drawn(setting, things, others, random)
    name = setting.name.replace(" ", "-")
    media = [f"{name}.mp4"] if place == 0 and find_spec("av") else [f"{name}-1.png", f"{name}-2.png"]
    if len(media) == 1:
        _write_clip(out / media[0], drawn)
    for number, file in enumerate(media if len(media) > 1 else ()):
        _seen(drawn, number * (_WIDE - _VIEW)).save(out / file)
    return {
        "id": f"{name}-{seed}",
        "setting": setting.name,
        "instruction": setting.instruction.format(n=things, m=others),
        "sub_tasks": setting.sub_tasks,
        "media": media,
        "licence": "Apache-2.0",
    }


def _drawn(setting: _Setting, things: int, others: int, random: Random) -> Image:
    """The place from above: three pieces of furniture, and what stands on the first two of them."""
    from PIL import Image as Pillow
    from PIL import ImageDraw

    picture = Pillow.new("RGB", (_WIDE, _HIGH), random.choice(("#f4ecd8", "#eaf2f8", "#eef5ea")))
    draw = ImageDraw.Draw(picture)
    colours = random.sample(_COLOURS, 2)
    for column, furniture in enumerate(setting.places):
        left, top = 20 + column * 210, random.randint(40, 70)
        draw.rectangle((left, top, left + 170, top + 120), fill="#d5cfc4", outline="#555555", width=2)
        draw.text((left + 4, top + 124), furniture, fill="#222222")
        if column == 2:
            continue
        name, count = ((setting.thing, things), (setting.other, others))[column]
        for number in range(count):
            x, y = left + 14 + 52 * (number % 3), top + 12 + 54 * (number // 3) + random.randint(0, 8)
            shape = draw.ellipse if column == 0 else draw.rectangle
            shape((x, y, x + 26, y + 26), fill=colours[column], outline="#222222")
            draw.text((x, y + 28), name, fill="#222222")
    return picture


def _seen(drawn: Image, left: int) -> Image:
    return drawn.crop((left, 0, left + _VIEW, _HIGH))


def _write_clip(path: Path, drawn: Image) -> None:
    """A look around: from the left end of the place to the right one. In H.264, which browsers play."""
    import av

    codec: Literal["libx264", "mpeg4"] = "libx264" if "libx264" in av.codecs_available else "mpeg4"
    frames = _SECONDS * _RATE
    with replacing(path) as temporary, av.open(str(temporary), "w", format="mp4") as clip:
        stream = clip.add_stream(codec, rate=_RATE)
        stream.width, stream.height, stream.pix_fmt = _VIEW, _HIGH, "yuv420p"
        stream.codec_context.thread_count = 1  # several make other bytes on a busy machine
        for number in range(frames):
            left = round((_WIDE - _VIEW) * number / (frames - 1))
            pixels = np.asarray(_seen(drawn, left))
            clip.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        clip.mux(stream.encode())
