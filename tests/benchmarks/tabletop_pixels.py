"""Tabletop's pictures against its scene graphs, by formulas that share nothing with the drawing.

A scene's front view must show each thing's colour where the graph says that it is and nowhere else, with the
nearer things over the farther ones. Used by the tests and by `python -m benches tabletop`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Y, X = np.mgrid[0:320, 0:480] + 0.5
LINE = 3
"""Pixels to either side of an edge that the outline may take."""
STRIPED = 0.5
"""Share of a striped thing that keeps its colour: stripes are 2 pixels in 8, and blur into as much again."""
MEASURABLE = 120
"""Pixels of a striped thing, outline aside, from which its stripes make up their usual share."""


def inside(thing: dict[str, Any], margin: float) -> Mask:
    """The pixels of a thing whose outline is moved outwards by `margin`."""
    r = thing["radius"]
    x, up = X - thing["x"], thing["y"] - Y
    match thing["shape"]:
        case "circle":
            return np.hypot(x, up - r) <= r + margin
        case "square":
            return (abs(x) <= 0.88 * r + margin) & (abs(up - 0.88 * r) <= 0.88 * r + margin)
        case "diamond":
            return abs(x) + abs(up - 1.15 * r) <= 1.15 * r + margin * 2**0.5
        case "triangle":
            slope = 2.05 / 1.15
            return (up >= -margin) & (up <= 2.05 * r - slope * abs(x) + margin * (1 + slope**2) ** 0.5)
        case "cross":
            long, short = 1.05 * r + margin, 0.42 * r + margin
            across, along = abs(x), abs(up - 1.05 * r)
            return ((across <= long) & (along <= short)) | ((across <= short) & (along <= long))
    raise AssertionError(thing["shape"])


def block_inside(block: dict[str, Any], place: tuple[int, int], size: list[int], margin: float) -> Mask:
    return (abs(X - place[0]) <= size[0] / 2 + margin) & (
        abs(place[1] - size[1] / 2 - Y) <= size[1] / 2 + margin
    )


def colour_is(pixels: npt.NDArray[np.uint8], code: str) -> Mask:
    wanted = [int(code[start : start + 2], 16) for start in (1, 3, 5)]
    return np.asarray((abs(pixels.astype(int) - wanted) <= 1).all(axis=2))


def alike(a: str, b: str) -> bool:
    """Whether pixels of one colour may count as the other."""
    return all(abs(int(a[place : place + 2], 16) - int(b[place : place + 2], 16)) <= 2 for place in (1, 3, 5))


def mismatches(scene: dict[str, Any], pixels: npt.NDArray[np.uint8]) -> list[str]:
    """What the picture shows otherwise than the scene graph says; an empty list where they agree."""
    return tower_mismatches(scene, pixels) if scene["kind"] == "tower" else table_mismatches(scene, pixels)


def table_mismatches(scene: dict[str, Any], pixels: npt.NDArray[np.uint8]) -> list[str]:
    things = sorted(scene["things"], key=lambda thing: thing["y"])
    tags = np.zeros(X.shape, bool)
    for thing in things:
        if thing.get("label"):
            tags |= (abs(X - thing["x"]) <= 14) & (abs(thing["y"] - thing["radius"] - Y) <= thing["radius"])
    shown: dict[str, list[tuple[str, Mask, Mask, bool]]] = {}
    found = []
    for place, thing in enumerate(things):
        most, least = inside(thing, 1), inside(thing, -LINE)
        whole = most.sum()
        for nearer in things[place + 1 :]:
            if abs(nearer["x"] - thing["x"]) > 1.2 * (nearer["radius"] + thing["radius"]) + 2 * LINE:
                continue
            most &= ~inside(nearer, -LINE)
            least &= ~inside(nearer, LINE)
        if most.sum() < 0.35 * whole:
            found.append(f"{thing['colour']} {thing['shape']}: hidden")
        hidden = (most.sum() < 0.95 * whole, "covered_by" in thing)
        if hidden[0] != hidden[1]:
            found.append(
                f"{thing['colour']} {thing['shape']}: covered is {hidden[1]}, seen {most.sum() / whole}"
            )
        marked = bool(thing.get("striped") or thing.get("label"))
        name = f"{thing['colour']} {thing['shape']}"
        shown.setdefault(thing["fill"], []).append((name, most, least & ~tags, marked))
    found += colours_apart(shown, pixels, tags)
    if "tray" in scene:
        found += level(pixels, scene["tray"], "#c6cbd0", things, "tray")
    if "mats" in scene:
        found += level(pixels, scene["mats"][0], "#a3bcae", [], "free mat")
    if "gripper" in scene:
        gripper = scene["gripper"]
        line = colour_is(pixels, "#a0252f")
        away = np.hypot(X - gripper["x"], Y - gripper["y"])[line]
        if line.sum() < 50 or abs(away - gripper["reach"]).max() > 3:
            found.append("reach: the dashed line is elsewhere")
    return found


def colours_apart(
    shown: dict[str, list[tuple[str, Mask, Mask, bool]]], pixels: npt.NDArray[np.uint8], ignored: Mask
) -> list[str]:
    """Whether each colour is where its things are, all over them, and nowhere else."""
    found = []
    for code, own in shown.items():
        seen = colour_is(pixels, code) & ~ignored
        like = [rows for other, rows in shown.items() if alike(code, other)]
        anywhere = np.logical_or.reduce([most for rows in like for _, most, _, _ in rows])
        # A lone pixel may be a blend of another thing and its outline.
        solid = seen[1:-1, 1:-1] & seen[:-2, 1:-1] & seen[2:, 1:-1] & seen[1:-1, :-2] & seen[1:-1, 2:]
        if (stray := (solid & ~anywhere[1:-1, 1:-1]).sum()) > 3:
            found.append(f"{own[0][0]}: its colour is seen elsewhere, {stray} pixels")
        for name, _, least, marked in own:
            if marked and least.sum() < MEASURABLE:
                continue
            share = seen[least].mean() if least.any() else 1.0
            if share < (STRIPED if marked else 0.99):
                found.append(f"{name}: only {share:.2f} of it has its colour")
    return found


def level(
    pixels: npt.NDArray[np.uint8], box: list[int], code: str, things: list[dict[str, Any]], name: str
) -> list[str]:
    """Whether a box is of one colour wherever no thing stands in it, and ends where it should."""
    left, top, right, bottom = box
    within = (left + 4 < X) & (right - 4 > X) & (top + 4 < Y) & (bottom - 4 > Y)
    for thing in things:
        within &= ~inside(thing, LINE)
    seen = colour_is(pixels, code)
    reach = seen.any(axis=0).nonzero()[0]
    wrong = [] if seen[within].mean() > 0.99 else [f"{name}: not all of it is there"]
    if name == "tray" and (abs(reach[0] - left) > 4 or abs(reach[-1] - right) > 4):
        wrong.append(f"{name}: it ends elsewhere")
    return wrong


def tower_mismatches(scene: dict[str, Any], pixels: npt.NDArray[np.uint8]) -> list[str]:
    x, y = scene["tower"]
    shown: dict[str, list[tuple[str, Mask, Mask, bool]]] = {}
    for number, block in enumerate(scene["blocks"]):
        place = (block["x"], block["y"])
        if number < scene["standing"]:
            place = (x, y - number * scene["block"][1])
        most, least = (block_inside(block, place, scene["block"], margin) for margin in (1, -LINE))
        row = (f"{block['colour']} block", most, least, bool(block.get("striped")))
        shown.setdefault(block["fill"], []).append(row)
    return colours_apart(shown, pixels, np.zeros(X.shape, bool))
