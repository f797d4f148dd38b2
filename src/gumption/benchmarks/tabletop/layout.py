"""Finding places for things by lot. Nothing here knows what the things will look like."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

from gumption.benchmarks.tabletop.scene import Box, Gripper, meet, room

__all__ = ["RADII", "Layout", "Place", "Unaskable"]

RADII = (13, 16, 20, 25)
"""Sizes in pixels. Two that are two steps apart differ by a factor of more than 1.5."""
_TRIES = 150
_GAP = 4
_BAND = 9
"""Nothing stands closer than this to the line of the gripper's reach."""


class Unaskable(Exception):  # noqa: N818 - no error: another scene is drawn
    """This scene has no room for what is wanted, or no answer without a near tie."""


@dataclass(frozen=True)
class Place:
    """Where a thing will stand, by its foot."""

    x: int
    y: int
    radius: int
    on: str = "table"
    covered_by: int | None = None

    @property
    def box(self) -> Box:
        return room(self.x, self.y, self.radius)


@dataclass
class Layout:
    """Places so far, and the boxes that further ones keep out of."""

    generator: Random
    gripper: Gripper | None = None
    places: list[Place] = field(default_factory=list)
    kept_free: list[Box] = field(default_factory=list)

    def stand(self, x: int, y: int, radius: int, on: str = "table") -> bool:
        """Take this place if it is free."""
        place = Place(x, y, radius, on)
        if self._is_free(place):
            self.places.append(place)
            return True
        return False

    def scatter(self, area: Box, count: int, *, most: int | None = None) -> None:
        """Up to `most` places anywhere in an area. Raises Unaskable if there is no room for `count`."""
        wanted = count if most is None else most
        for found in range(wanted):
            if not any(
                self.stand(*self._spot(area, radius := self._radius()), radius) for _ in range(_TRIES)
            ):
                if found < count:
                    raise Unaskable("no room")
                return

    def overlap(self, area: Box, depth: float) -> None:
        """Two places of one size, the nearer hiding a part of the farther, more of it with greater `depth`.

        The offset lets any two shapes overlap and leaves a good part of either to be seen. Raises Unaskable
        if there is no room.
        """
        for _ in range(_TRIES):
            radius = self.generator.choice(RADII[1:])
            x, y = self._spot(area, radius)
            side = self.generator.choice((-1, 1))
            across = side * round(radius * self.generator.uniform(0.65 - 0.15 * depth, 0.75 - 0.15 * depth))
            near = Place(x + across, y + round(0.5 * radius), radius)
            far = Place(x, y, radius, covered_by=len(self.places))
            inside = area[0] <= near.box[0] and near.box[2] <= area[2] and near.y <= area[3]
            if inside and self._is_free(near) and self._is_free(far):
                self.places += [near, far]
                return
        raise Unaskable("no room")

    def _radius(self) -> int:
        return self.generator.choice(RADII)

    def _spot(self, area: Box, radius: int) -> tuple[int, int]:
        left, top, right, bottom = room(0, 0, radius)
        return (
            self.generator.randint(area[0] - left, area[2] - right),
            self.generator.randint(area[1] - top, area[3] - bottom),
        )

    def _is_free(self, place: Place) -> bool:
        boxes = self.kept_free + [other.box for other in self.places]
        if any(meet(place.box, box, _GAP) for box in boxes):
            return False
        if self.gripper is None:
            return True
        beyond = [
            math.dist((self.gripper.x, self.gripper.y), (place.x, y)) - self.gripper.reach
            for y in (place.y, place.y - place.radius)
        ]
        return min(map(abs, beyond)) >= _BAND and (beyond[0] > 0) == (beyond[1] > 0)
