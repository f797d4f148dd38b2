"""Towers: a pile of blocks that is being built, with blocks that lie about."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from gumption.benchmarks.tabletop.drawing import room_with_table
from gumption.benchmarks.tabletop.layout import Unaskable
from gumption.benchmarks.tabletop.looks import COLOURS
from gumption.benchmarks.tabletop.sampling import few, shade, striped
from gumption.benchmarks.tabletop.scene import SIZE, Box, meet

__all__ = ["Block", "Tower", "TowerPlan", "draw_tower", "sample_tower"]

WIDTH, HEIGHT = 42, 22
_HORIZON = 56
_TRIES = 400


@dataclass(frozen=True)
class TowerPlan:
    """What is settled about a tower before any place is drawn."""

    difficulty: float
    standing: int
    """Blocks that stand already."""
    missing: int
    """Blocks still to be put on."""

    @classmethod
    def draw(cls, difficulty: float, generator: Random) -> TowerPlan:
        return cls(difficulty, generator.randint(1, 2), 1 + few(generator))


@dataclass(frozen=True)
class Block:
    """A block by its colour, and by the middle of its lower edge while it lies about."""

    colour: str
    fill: str
    x: int
    y: int
    striped: bool

    @property
    def name(self) -> str:
        return f"{self.colour} block"


@dataclass(frozen=True)
class Tower:
    """The finished tower from bottom to top, and how far it has come."""

    difficulty: float
    x: int
    y: int
    """The middle of the lowest block's lower edge."""
    blocks: tuple[Block, ...]
    standing: int
    spare: tuple[Block, ...]
    """Blocks that are not of the tower."""
    crumbs: tuple[tuple[int, int, int], ...] = ()

    def box(self, block: Block, standing: int) -> Box:
        """Where a block is when so many blocks stand."""
        if block in self.blocks[:standing]:
            level = self.blocks.index(block)
            return _box(self.x, self.y - level * HEIGHT)
        return _box(block.x, block.y)

    def graph(self) -> dict[str, Any]:
        """The scene as JSON can keep it."""
        blocks = [asdict(block) for block in self.blocks + self.spare]
        return {
            "kind": "tower",
            "difficulty": self.difficulty,
            "tower": [self.x, self.y],
            "block": [WIDTH, HEIGHT],
            "height": len(self.blocks),
            "standing": self.standing,
            "blocks": blocks,
        }


def sample_tower(plan: TowerPlan, generator: Random) -> Tower:
    """A tower as planned, of at least four blocks in all. Raises Unaskable if they find no room."""
    height = plan.standing + plan.missing
    count = min(max(4, height + 1 + round(2 * plan.difficulty)), len(COLOURS) - 1)
    colours = generator.sample(list(COLOURS), count)
    x, y = generator.randrange(50, SIZE[0] - 50), generator.randrange(235, 308)
    taken: list[Box] = [(x - WIDTH, y - HEIGHT * 8, x + WIDTH, y + 10)]
    blocks = []
    for colour in colours:
        for _ in range(_TRIES):
            place = generator.randrange(30, SIZE[0] - 30), generator.randrange(_HORIZON + 34, SIZE[1] - 10)
            if not any(meet(_box(*place), box, 6) for box in taken):
                break
        else:
            raise Unaskable("no room")
        taken.append(_box(*place))
        fill = shade(colour, plan.difficulty, generator)
        blocks.append(Block(colour, fill, *place, striped(plan.difficulty, generator)))
    crumbs = tuple(
        (generator.randrange(SIZE[0]), generator.randrange(_HORIZON + 4, SIZE[1]), generator.choice((1, 2)))
        for _ in range(round(50 * plan.difficulty))
    )
    return Tower(plan.difficulty, x, y, tuple(blocks[:height]), plan.standing, tuple(blocks[height:]), crumbs)


def draw_tower(tower: Tower, standing: int) -> bytes:
    """The tower when so many of its blocks stand; the others lie where they lie."""
    canvas = room_with_table(_HORIZON, tower.crumbs)
    canvas.box((tower.x - WIDTH, tower.y, tower.x + WIDTH, tower.y + 6), "#5b6772")
    for block in tower.spare + tower.blocks[standing:] + tower.blocks[:standing]:
        left, top, right, bottom = tower.box(block, standing)
        canvas.polygon(
            ((left, top), (right, top), (right, bottom), (left, bottom)), block.fill, block.striped
        )
    return canvas.png()


def _box(x: int, y: int) -> Box:
    return x - WIDTH // 2, y - HEIGHT, x + WIDTH // 2, y
