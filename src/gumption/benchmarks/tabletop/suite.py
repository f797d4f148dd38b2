"""The benchmark: which questions are asked of which scene, and the suite that comes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

from gumption.atomic import replacing
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.tabletop import appearance, change, space
from gumption.benchmarks.tabletop.drawing import draw_table
from gumption.benchmarks.tabletop.layout import Unaskable
from gumption.benchmarks.tabletop.question import Question
from gumption.benchmarks.tabletop.sampling import Plan, sample_table
from gumption.benchmarks.tabletop.scene import SIZE
from gumption.benchmarks.tabletop.tower import TowerPlan, draw_tower, sample_tower
from gumption.cached import cache_folder
from gumption.records import Aggregate, GumptionError, Image, Item, Text
from gumption.suites import Media, Suite

__all__ = ["BENCHMARK", "PER_SCENE", "draw_suite"]

PER_SCENE = 5
"""Questions about each scene."""
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The difficulties that scenes have in turn where none is given."""

_TABLE = {
    "present": appearance.present,
    "colour-of": appearance.colour_of,
    "label": appearance.label,
    "weight": appearance.weight,
    "count-shape": appearance.count_shape,
    "count-in-tray": appearance.count_in_tray,
    "size": appearance.extreme_size,
    "left-of": space.left_of,
    "in-tray": space.in_tray,
    "board": space.board,
    "nearest": space.nearest,
    "in-front": space.in_front,
    "opposite": space.opposite,
    "top-view": space.top_view,
    "reachable": space.reachable,
    "within-reach": space.within_reach,
    "point-at": space.point_at,
    "free-mat": space.free_mat,
    "swap": change.swap,
    "tray-after": change.tray_after,
}
_TOWER = {
    "next-step": change.next_step,
    "order": change.order,
    "above": change.above,
    "missing": change.missing,
    "block": change.block,
    "block-there": change.block_there,
}
_SCENES = (
    ("open", "left-of nearest top-view swap in-front"),
    ("tower", "next-step order block-there missing block"),
    ("tray", "count-in-tray colour-of size in-front tray-after"),
    ("gripper", "reachable within-reach label opposite nearest"),
    ("mats", "free-mat count-shape weight size swap"),
    ("tower", "next-step order block-there missing block"),
    ("shelf", "board colour-of label in-front size"),
    ("gripper", "reachable within-reach top-view weight present"),
    ("tray", "in-tray tray-after nearest colour-of point-at"),
    ("tower", "next-step order block-there above block"),
)
"""The scenes in turn, with the questions asked of each: of ten scenes, three to five of every capability."""
_ATTEMPTS = 5000


def draw_suite(
    folder: Path,
    *,
    scenes: int = 80,
    seed: int = 0,
    difficulty: float | None = None,
) -> Suite:
    """Draw `scenes` scenes into `folder` and ask five questions about each.

    The items of one scene share a cluster; `meta` holds the scene graph. difficulty: from 0 to 1 for all
    scenes (more things, more of them partly hidden or striped, colours more alike, crumbs); None goes
    through five levels. One core draws 200 items a second.
    Raises GumptionError for a difficulty out of range or a number of scenes below 1.
    """
    if scenes < 1 or (difficulty is not None and not 0.0 <= difficulty <= 1.0):
        raise GumptionError(
            f"{scenes} scenes of difficulty {difficulty}",
            where="tabletop",
            remedy="draw at least one scene, of a difficulty from 0 to 1",
        )
    folder.mkdir(parents=True, exist_ok=True)
    items = tuple(item for number in range(scenes) for item in _draw_scene(folder, seed, difficulty, number))
    shown = {part.sha256 for item in items for part in item.parts if isinstance(part, Image)}
    about = {"made_by": "gumption", "seed": seed, "scenes": scenes, "difficulty": difficulty}
    return Suite(
        name="tabletop",
        version=f"seed-{seed}",
        items=items,
        media=Media({sha256: _path(folder, sha256) for sha256 in sorted(shown)}),
        provenance=about,
        licences={"tabletop": "Apache-2.0"},
    )


def _draw_scene(folder: Path, seed: int, difficulty: float | None, number: int) -> list[Item]:
    """The items of one scene; its pictures are written on the way."""
    kind, names = _SCENES[number % len(_SCENES)]
    level = LEVELS[(number + number // len(_SCENES)) % len(LEVELS)] if difficulty is None else difficulty
    cluster = f"{seed}-{number:04d}"
    graph, front, questions = _agreed(kind, names.split(), level, f"tabletop/{cluster}")
    view = (_stored(folder, front),)
    return [
        Item(
            id=f"{cluster}/{name}",
            benchmark="tabletop",
            parts=(
                *([_stored(folder, picture) for picture in question.pictures] or view),
                Text(question.text),
            ),
            answer=question.answer,
            cluster=cluster,
            category=question.category,
            meta={"scene": graph, **question.facts},
        )
        for name, question in questions.items()
    ]


def _agreed(
    kind: str, names: Sequence[str], level: float, seed: str
) -> tuple[dict[str, object], bytes, dict[str, Question]]:
    """The first scene by lot of which all of these can be asked.

    A question draws from a generator of its own that starts anew with every attempt, so that giving up a
    scene never changes which answer it wants.
    """
    generator = Random(seed)
    asked = {name: partial(Random, f"{seed}/{name}") for name in names}
    if kind == "tower":
        heights = TowerPlan.draw(level, generator)
        for _ in range(_ATTEMPTS):
            try:
                tower = sample_tower(heights, generator)
                found = {name: _TOWER[name](tower, lot()) for name, lot in asked.items()}
            except Unaskable:
                continue
            return tower.graph(), draw_tower(tower, tower.standing), found
    else:
        plan = Plan.draw(kind, level, "weight" in names, generator)
        for _ in range(_ATTEMPTS):
            try:
                table = sample_table(plan, generator)
                found = {name: _TABLE[name](table, lot()) for name, lot in asked.items()}
            except Unaskable:
                continue
            return table.graph(), draw_table(table), found
    raise GumptionError(
        f"no {kind} scene of difficulty {level:g} found in {_ATTEMPTS} attempts",
        where=seed,
        remedy="draw with another seed or difficulty, and report this one",
    )


def _path(folder: Path, sha256: str) -> Path:
    return folder / f"{sha256}.png"


def _stored(folder: Path, data: bytes) -> Image:
    sha256 = hashlib.sha256(data).hexdigest()
    path = _path(folder, sha256)
    if not path.exists():
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    return Image(sha256, "image/png", *SIZE)


def _load(data: Path | None) -> Suite:  # noqa: ARG001
    """Drawn into the cache: a folder of data is read, never written to."""
    cache = cache_folder()
    return draw_suite(Path(cache) / "tabletop")


BENCHMARK = Benchmark(
    name="tabletop",
    title="Tabletop",
    homepage="",
    licence="Apache-2.0",
    rule="exact match, points by their share on the thing; unweighted mean over the capabilities",
    official=Aggregate("macro over the capabilities", by="category"),
    load=_load,
    version="2",
    n="drawn by seed; 400 on 80 scenes where nothing is said, in 14 capabilities",
    chance="of each item by its kind: 1 / options, 1/2 for yes or no, the thing's share of the picture for a "
    "point, 0 for numbers and texts",
    checked="golds against the pixels of the pictures; oracles; the blind baseline against guessing in every "
    "capability",
)
