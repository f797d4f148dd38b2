"""Rooms from the public metadata, the wheel and the package are what is known of them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from importlib.util import find_spec

import pytest

from gumption.planning.worlds.household import Household
from gumption.planning.worlds.household.facts import PIECES, PLACEMENT, SLICES
from gumption.planning.worlds.scenes import load_scene, own_rooms
from gumption.records import GumptionError

NUMBERS = [*range(1, 31), *range(201, 231), *range(301, 331), *range(401, 431)]


@pytest.fixture(scope="session")
def metadata(public_data):
    return public_data / "ithor" / "ai2thor-object-metadata.json.gz"


@pytest.mark.data
def test_the_first_object_of_every_room_is_the_files(metadata):
    """List index i is FloorPlan i + 1, 201 + i, 301 + i and 401 + i."""
    lists = json.loads(gzip.decompress(metadata.read_bytes()))
    rooms = [room for kind in ("kitchens", "living_rooms", "bedrooms", "bathrooms") for room in lists[kind]]
    for number, room in zip(NUMBERS, rooms, strict=True):
        scene = load_scene(f"FloorPlan{number}", metadata)
        assert [one.object_id for one in scene.objects] == [one["objectId"] for one in room]


@pytest.mark.data
def test_figures_of_the_120_rooms(metadata):
    """Figures of planning.md, section 9."""
    objects = [one for number in NUMBERS for one in load_scene(f"FloorPlan{number}", metadata).objects]
    kinds = Counter(one.object_type for one in objects)
    assert (
        kinds["LightSwitch"]
        == 120
        == sum(one.is_toggled for one in objects if one.object_type == "LightSwitch")
    )
    assert sum(one.receptacle for one in objects if one.object_type == "Sink") / kinds[
        "Sink"
    ] == pytest.approx(0.27, abs=0.01)
    assert kinds["Bathtub"] == 21
    assert sum(one.receptacle for one in objects if one.object_type == "Bathtub") == 16
    burners = [one for one in objects if one.object_type == "StoveBurner"]
    assert len(burners) == 123
    assert not any(one.toggleable for one in burners)
    assert {one.object_type for one in objects if one.sliceable} == set(SLICES)
    assert {one.object_type for one in objects if one.cookable} == {"Potato"}
    assert sum(one.is_filled_with_liquid for one in objects) == 10
    assert not any(one.is_sliced or one.is_broken or one.is_cooked for one in objects)


@pytest.mark.data
def test_every_room_is_a_household_and_every_burner_has_its_knob(metadata):
    for number in NUMBERS:
        world = Household(load_scene(f"FloorPlan{number}", metadata))
        for thing in world.objects().values():
            if thing.type == "StoveBurner":
                assert world.about[world.links.controller[thing.id]].object_type == "StoveKnob"
            if thing.type == "Faucet":
                assert thing.id in world.links.water
            if thing.type in ("SinkBasin", "BathtubBasin"):
                assert world.links.sink[thing.id] == thing.id.rpartition("|")[0]


@pytest.mark.data
def test_the_placement_table_is_the_public_one(public_data):
    public = json.loads((public_data / "ithor" / "placement.json").read_text())
    assert {kind: set(places) for kind, places in public["placement"].items()} == dict(PLACEMENT)
    assert set(PIECES) == set(SLICES.values())


@pytest.mark.data
def test_the_wheel_holds_the_same_rooms(metadata):
    if find_spec("procthor") is None:
        pytest.skip("the extra [ithor] is not installed")
    assert load_scene("FloorPlan9") == load_scene("FloorPlan9", metadata)
    assert load_scene("FloorPlan430") == load_scene("FloorPlan430", metadata)


def test_our_own_rooms_are_whole():
    assert set(own_rooms()) == {"kitchen", "living_room", "bedroom", "bathroom"}
    for name in own_rooms():
        world = Household(load_scene(name))
        floor = next(
            one for one in world.scene.objects if one.object_type == "Floor"
        ).axis_aligned_bounding_box
        for one in world.scene.objects:
            box = one.axis_aligned_bounding_box
            assert abs(box.center.x) <= floor.size.x / 2, one.object_id
            assert abs(box.center.z) <= floor.size.z / 2, one.object_id
            if one.pickupable:
                assert one.parents, one.object_id
            assert one.object_id.startswith(one.object_type) or one.object_id.endswith(one.object_type)


@pytest.mark.parametrize(
    "name", ["FloorPlan0", "FloorPlan31", "FloorPlan200", "FloorPlan231", "FloorPlan431", "x"]
)
def test_there_is_no_such_room(name, tmp_path):
    file = tmp_path / "rooms.json"
    file.write_text(
        json.dumps({kind: [[]] * 30 for kind in ("kitchens", "living_rooms", "bedrooms", "bathrooms")})
    )
    with pytest.raises(GumptionError, match="no room"):
        load_scene(name, file)
    assert load_scene("FloorPlan430", file).objects == ()


def test_a_room_of_ones_own(tmp_path):
    file = tmp_path / "room.json"
    file.write_text('[{"objectId": "Mug|1", "objectType": "Mug", "pickupable": true, "unknownField": 3}]')
    scene = load_scene("mine", file)
    assert (scene.name, scene.objects[0].pickupable, scene.objects[0].is_open) == ("mine", True, False)


@pytest.mark.parametrize(
    "text", ["", "3", '{"kitchens": 3}', '[{"objectId": 3}]', '[{"objectId": "a"}]', "[" * 5000, "\x00"]
)
def test_what_is_no_metadata_is_said_to_be_none(text, tmp_path):
    file = tmp_path / "rooms.json"
    file.write_text(text)
    with pytest.raises(GumptionError):
        load_scene("FloorPlan1", file)
    broken = tmp_path / "rooms.json.gz"
    broken.write_text(text)
    with pytest.raises(GumptionError):
        load_scene("FloorPlan1", broken)
    with pytest.raises(GumptionError):
        load_scene("FloorPlan1", tmp_path / "nothing.json")


def _room(tmp_path, parents):
    file = tmp_path / "room.json"
    objects = [
        {
            "objectId": name,
            "objectType": "Bowl",
            "pickupable": True,
            "receptacle": True,
            "parentReceptacles": at,
        }
        for name, at in parents.items()
    ]
    file.write_text(json.dumps(objects))
    return load_scene("mine", file)


@pytest.mark.parametrize(
    "parents",
    [{"a": ["b"], "b": ["a"]}, {"a": ["a"]}, {"a": ["b"]}, {str(n): [str(n + 1)] for n in range(3000)}],
)
def test_things_that_are_in_each_other_are_refused(tmp_path, parents):
    with pytest.raises(GumptionError, match=r"inside|not there|deep"):
        Household(_room(tmp_path, parents))


def test_two_objects_of_one_name_are_refused(tmp_path):
    file = tmp_path / "room.json"
    file.write_text('[{"objectId": "a", "objectType": "Mug"}, {"objectId": "a", "objectType": "Mug"}]')
    with pytest.raises(GumptionError, match="same objectId"):
        load_scene("mine", file)
