"""The pictures show what the scene graphs say: found in the pixels by other means than they were drawn by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from tabletop_pixels import mismatches

from gumption.benchmarks.tabletop import PER_SCENE, draw_suite
from gumption.records import Image, Item
from gumption.suites import Suite

SCENES = 100
OTHER_VIEWS = ("order", "above")
"""Questions that show another picture of the tower first."""


@pytest.fixture
def suite(drawn: Suite) -> Suite:
    return drawn.first(PER_SCENE * SCENES)


def pixels(suite: Suite, item: Item, place: int = 0) -> np.ndarray:
    images = [part for part in item.parts if isinstance(part, Image)]
    path = suite.media.path(images[place].sha256)
    assert path is not None
    return np.asarray(Pillow.open(path).convert("RGB"))


def fronts(suite: Suite) -> dict[str, Item]:
    """For each scene an item that shows its front view first."""
    return {item.cluster: item for item in suite.items if item.id.split("/")[1] not in OTHER_VIEWS}


def test_front_views_show_the_scene_graph(suite: Suite) -> None:
    found = {
        cluster: wrong
        for cluster, item in fronts(suite).items()
        if (wrong := mismatches(item.meta["scene"], pixels(suite, item)))
    }
    assert len(fronts(suite)) == SCENES
    assert not found


def test_the_check_sees_what_is_wrong(suite: Suite) -> None:
    """Moved by a few pixels, made larger, or of another shape, no scene passes."""
    shapes = ("circle", "square", "triangle", "diamond", "cross")
    for item in [one for one in fronts(suite).values() if "things" in one.meta["scene"]][:20]:
        scene = item.meta["scene"]
        things = scene["things"]
        plain = [one for one in things if not one.keys() & {"striped", "label", "covered_by"}]
        after = shapes[(shapes.index(plain[0]["shape"]) + 1) % len(shapes)]
        for change in ({"x": plain[0]["x"] + 5}, {"radius": plain[0]["radius"] + 5}, {"shape": after}):
            altered = [thing | change if thing is plain[0] else thing for thing in things]
            assert mismatches({**scene, "things": altered}, pixels(suite, item)), (item.id, change)


def test_stages_of_a_tower_show_as_many_blocks(suite: Suite) -> None:
    for item in suite.items:
        if item.id.endswith("/order"):
            for place, stage in enumerate(item.meta["stages"]):
                assert not mismatches(item.meta["scene"] | {"standing": stage}, pixels(suite, item, place))


def test_a_plan_has_its_discs_where_the_feet_are(suite: Suite) -> None:
    """Grey pixels within each disc, its number aside, the way round that the viewer's side says."""
    for item in suite.items:
        if item.id.endswith("/top-view"):
            plan, scene = pixels(suite, item, 1), item.meta["scene"]
            for x, y in item.meta["feet"]:
                right, near = x / 480, (y - scene["horizon"]) / (320 - scene["horizon"])
                if item.meta["turned"]:
                    right, near = 1 - right, 1 - near
                column, row = round(10 + right * 460), round(24 + near * 272)
                patch = plan[row - 8 : row + 9, column - 8 : column + 9].reshape(-1, 3)
                assert (abs(patch.astype(int) - [143, 148, 153]) < 3).all(axis=1).mean() > 0.4


def test_colours_can_be_told_apart(tmp_path: Path) -> None:
    """Even in the hardest scenes each thing's shade is nearest to the plain colour of its name."""
    plain = {
        thing["colour"]: thing["fill"]
        for item in draw_suite(tmp_path / "easy", scenes=30, seed=1, difficulty=0.0).items
        for thing in item.meta["scene"].get("things", item.meta["scene"].get("blocks"))
    }
    codes = {name: np.array(list(bytes.fromhex(code[1:]))) for name, code in plain.items()}
    assert len(codes) == 10
    for item in draw_suite(tmp_path / "hard", scenes=30, seed=1, difficulty=1.0).items:
        for thing in item.meta["scene"].get("things", item.meta["scene"].get("blocks")):
            fill = np.array(list(bytes.fromhex(thing["fill"][1:])))
            away = {name: np.linalg.norm(fill - code) for name, code in codes.items()}
            assert min(away, key=away.__getitem__) == thing["colour"]
