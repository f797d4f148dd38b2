"""The drawn set: golds agree with the pixels, and nothing gives an answer away."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageColor

from gumption.benchmarks.tabletop import SIZE, draw_suite
from gumption.records import Image, Item
from gumption.suites import Suite

COLOURS = {
    "red": "#d62839",
    "blue": "#2a6fdb",
    "green": "#2a9d4a",
    "yellow": "#f2c230",
    "purple": "#8a3ffc",
    "orange": "#f07f13",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return draw_suite(tmp_path_factory.mktemp("tabletop"), scenes=40, seed=3)


def masks(suite: Suite, item: Item) -> dict[str, np.ndarray]:
    """Which pixels have which thing's colour, seen in the stored picture alone."""
    (image,) = (part for part in item.parts if isinstance(part, Image))
    pixels = np.asarray(Pillow.open(suite.media.path(image.sha256)).convert("RGB"))
    found = {name: (pixels == ImageColor.getrgb(code)).all(axis=2) for name, code in COLOURS.items()}
    return {name: mask for name, mask in found.items() if mask.any()}


def of(suite: Suite, name: str) -> list[Item]:
    return [item for item in suite.items if item.id.endswith(f"/{name}")]


def centre(mask: np.ndarray) -> float:
    columns = np.flatnonzero(mask.any(axis=0))
    return float(columns.min() + columns.max()) / 2


def test_golds_agree_with_the_pixels(suite: Suite) -> None:
    for item in of(suite, "leftmost"):
        seen = masks(suite, item)
        choices = item.answer.choices or {}
        colours = {letter: text.split()[1] for letter, text in choices.items()}
        assert min(colours, key=lambda letter: centre(seen[colours[letter]])) == item.answer.gold
    for item in of(suite, "left-of"):
        words = item.parts[1].text.split()  # type: ignore[union-attr]
        seen = masks(suite, item)
        left = centre(seen[words[2]]) < centre(seen[words[-2]])
        assert item.answer.gold == ("yes" if left else "no")
    for item in of(suite, "colour"):
        seen = masks(suite, item)
        assert max(seen, key=lambda name: centre(seen[name])) == item.answer.gold
    for item in of(suite, "point"):
        colour = item.parts[1].text.split()[3]  # type: ignore[union-attr]
        x0, y0, x1, y1 = item.answer.gold["box"]
        outside = masks(suite, item)[colour]
        assert outside[y0 : y1 + 1, x0 : x1 + 1].sum() == outside.sum() > 0


def test_counts_agree_with_the_pixels(suite: Suite) -> None:
    """A square fills its box, a circle about .79 of it and a triangle half of it."""
    for item in of(suite, "count"):
        shapes = Counter()
        for mask in masks(suite, item).values():
            share = mask.sum() / (53 * 53)
            shapes["square" if share > 0.85 else "circle" if share > 0.6 else "triangle"] += 1
        shape = item.parts[1].text.split()[2].removesuffix("s")  # type: ignore[union-attr]
        assert shapes[shape] == item.answer.gold


def test_yes_and_no_are_balanced_and_clusters_are_scenes(suite: Suite) -> None:
    assert Counter(item.answer.gold for item in of(suite, "left-of")) == {"yes": 20, "no": 20}
    assert Counter(Counter(item.cluster for item in suite.items).values()) == {5: 40}
    assert all(item.answer.size == SIZE for item in of(suite, "point"))


def test_a_seed_repeats_to_the_byte_and_another_differs(suite: Suite, tmp_path: Path) -> None:
    assert draw_suite(tmp_path / "a", scenes=40, seed=3).checksum == suite.checksum
    assert draw_suite(tmp_path / "b", scenes=40, seed=4).checksum != suite.checksum
