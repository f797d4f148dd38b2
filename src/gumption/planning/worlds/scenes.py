"""Rooms as they are before anybody touches them, in the layout of AI2-THOR's object metadata."""

from __future__ import annotations

import gzip
import re
import zlib
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gumption.records import GumptionError

__all__ = ["Box", "Point", "Scene", "SceneObject", "load_scene", "own_rooms"]

_NUMBERED = re.compile(r"FloorPlan(\d{1,3})")
_LISTS = {0: "kitchens", 200: "living_rooms", 300: "bedrooms", 400: "bathrooms"}
"""FloorPlan1 to 30 are kitchens, 201 to 230 living rooms, 301 to 330 bedrooms, 401 to 430 bathrooms."""
_ROOMS_OF_A_KIND = 30
_LARGEST = 128 * 2**20
"""Bytes of a metadata file, unpacked. That of iTHOR has 44 MB."""


class Point(Struct, frozen=True):
    """A place in metres; y points up."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class Box(Struct, frozen=True, rename="camel"):
    """A box along the axes, in metres."""

    center: Point = Point()
    size: Point = Point()


class SceneObject(Struct, frozen=True, rename="camel"):
    """An object of a room with its properties and its initial state. In JSON the names are AI2-THOR's:
    object_id is objectId, parent_receptacles is parentReceptacles."""

    object_id: str
    object_type: str
    position: Point = Point()
    axis_aligned_bounding_box: Box | None = None
    pickupable: bool = False
    moveable: bool = False
    receptacle: bool = False
    openable: bool = False
    toggleable: bool = False
    sliceable: bool = False
    cookable: bool = False
    breakable: bool = False
    dirtyable: bool = False
    can_fill_with_liquid: bool = False
    is_heat_source: bool = False
    is_cold_source: bool = False
    is_open: bool = False
    is_toggled: bool = False
    is_sliced: bool = False
    is_cooked: bool = False
    is_broken: bool = False
    is_dirty: bool = False
    is_filled_with_liquid: bool = False
    fill_liquid: str | None = None
    temperature: str = "RoomTemp"
    parent_receptacles: tuple[str, ...] | None = None
    """What it is in or on. More than one where a thing touches two, such as a pan across two burners."""
    controlled_objects: tuple[str, ...] | None = None
    """What it switches: a StoveKnob its StoveBurner."""

    @property
    def parents(self) -> tuple[str, ...]:
        return self.parent_receptacles or ()


class Scene(Struct, frozen=True):
    """A room and everything in it."""

    name: str
    objects: tuple[SceneObject, ...]


def load_scene(name: str, data: Path | str | None = None) -> Scene:
    """The room of that name.

    name: "FloorPlan9" (1 to 30, 201 to 230, 301 to 330, 401 to 430), read from the metadata file that the
    extra [ithor] brings; or one of `own_rooms()`, which are part of the package.
    data: another metadata file (.json or .json.gz) of the same layout, four lists of thirty rooms; or a file
    that holds one room, a list of objects, to which `name` is then given.
    Raises GumptionError where there is no such room or file, or where it is not such a file.
    """
    if data is not None:
        return _from_file(name, Path(data))
    if name in own_rooms():
        return Scene(name, _objects(_room(name).read_bytes(), name))
    if _NUMBERED.fullmatch(name):
        return _from_file(name, _wheel())
    raise GumptionError(
        f"there is no room {name!r}", remedy=f"take FloorPlan1 or one of: {', '.join(own_rooms())}"
    )


@lru_cache(maxsize=1)
def own_rooms() -> tuple[str, ...]:
    """The names of the rooms that come with the package."""
    found = files("gumption.planning").joinpath("rooms").iterdir()
    return tuple(sorted(one.name.removesuffix(".json") for one in found if one.name.endswith(".json")))


def _room(name: str) -> Any:
    return files("gumption.planning").joinpath("rooms", f"{name}.json")


def _wheel() -> Path:
    # Found without being imported: the package pulls in a physics stack.
    found = find_spec("procthor")
    if found is None or found.origin is None:
        raise GumptionError("the rooms of iTHOR are not installed", remedy="pip install 'gumption[ithor]'")
    return Path(found.origin).parent / "databases" / "ai2thor-object-metadata.json"


def _from_file(name: str, path: Path) -> Scene:
    try:
        stamp = path.stat()
    except OSError as error:
        raise GumptionError(f"cannot be read: {error.strerror}", where=str(path)) from error
    rooms = _rooms(path, stamp.st_mtime_ns, stamp.st_size)
    if isinstance(rooms, msgspec.Raw):
        return Scene(name, _objects(rooms, str(path)))
    match = _NUMBERED.fullmatch(name)
    number = int(match[1]) if match else 0
    first = max((start for start in _LISTS if start < number), default=0)
    place = number - first - 1
    if not match or not 0 <= place < _ROOMS_OF_A_KIND or place >= len(rooms.get(_LISTS[first], ())):
        raise GumptionError(
            f"there is no room {name!r}",
            where=str(path),
            remedy="rooms are FloorPlan1 to 30, 201 to 230, 301 to 330 and 401 to 430",
        )
    return Scene(name, _objects(rooms[_LISTS[first]][place], f"{path}, {name}"))


@lru_cache(maxsize=2)
def _rooms(path: Path, _modified: int, _size: int) -> dict[str, list[msgspec.Raw]] | msgspec.Raw:
    """The rooms of a file, each decoded only when it is wanted."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            text = file.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise GumptionError(
                f"over {_LARGEST // 2**20} MiB unpacked", where=str(path), remedy="give a file of fewer rooms"
            )
        if text.lstrip()[:1] == b"[":
            return msgspec.Raw(text)
        return msgspec.json.decode(text, type=dict[str, list[msgspec.Raw]])
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"is not a file of object metadata: {error}",
            where=str(path),
            remedy="it holds lists of AI2-THOR objects: kitchens, living_rooms, bedrooms, bathrooms",
        ) from error


def _objects(text: bytes | msgspec.Raw, where: str) -> tuple[SceneObject, ...]:
    try:
        found = msgspec.json.decode(text, type=tuple[SceneObject, ...])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"is not a list of AI2-THOR objects: {error}",
            where=where,
            remedy="an object has objectId and objectType; other names are those of AI2-THOR's metadata",
        ) from error
    names = {one.object_id for one in found}
    if len(names) != len(found):
        raise GumptionError("two objects have the same objectId", where=where, remedy="make them differ")
    return found
