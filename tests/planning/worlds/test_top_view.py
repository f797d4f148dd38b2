"""The top view shows what is different."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import Scene, SceneObject, load_scene, own_rooms
from gumption.planning.worlds.top_view import top_view

ORANGE, BLUE = (194, 65, 12), (29, 78, 216)


def count(image, colour):
    return sum(1 for pixel in image.get_flattened_data() if pixel == colour)


@pytest.mark.parametrize("name", own_rooms())
def test_an_untouched_room_has_nothing_orange_and_an_agent(name):
    image = top_view(Household(load_scene(name)))
    assert count(image, ORANGE) == 0
    assert count(image, BLUE) > 50


def test_what_is_done_can_be_seen(kitchen, done):
    before = top_view(kitchen)
    done(kitchen, "pick Tomato")
    held = top_view(kitchen)
    assert count(held, ORANGE) > 0
    assert ImageChops.difference(before, held).getbbox()
    done(kitchen, "place Tomato > DiningTable", "open Fridge")
    moved = top_view(kitchen)
    assert count(moved, ORANGE) > count(held, ORANGE)
    kitchen.reset()
    assert ImageChops.difference(before, top_view(kitchen)).getbbox() is None


def test_width_and_a_room_with_nothing_in_it():
    assert top_view(Household(load_scene("bedroom")), width=800).width == 800
    assert top_view(Household(Scene("empty", ()))).width == 960
    assert top_view(Household(Scene("one", (SceneObject("Mug|1", "Mug", pickupable=True),)))).height > 0
