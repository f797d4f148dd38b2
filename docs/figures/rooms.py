"""The rooms of the package and what each takes from others, read off the imports, as a figure.

python docs/figures/rooms.py [FOLDER]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "gumption"
INK, GREY, PALE = "#1f2933", "#7b8794", "#eef1f4"
WIDTH, HEIGHT, ACROSS, DOWN = 92, 30, 24, 44
"""Of a box, and between two of them."""


def main() -> None:
    """Write the figure into the folder, by default the one that this file is in."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "rooms.svg").write_text(figure(rooms(SOURCE)), encoding="utf-8")


def imports(source: Path) -> Iterator[tuple[str, str]]:
    """Every file of the package, with each module of the package, or name in one, that it imports."""
    for path in sorted(source.rglob("*.py")):
        file = path.relative_to(source).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == source.name:
                yield from ((file, f"{node.module}.{one.name}") for one in node.names)
            elif isinstance(node, ast.Import):
                yield from ((file, one.name) for one in node.names if one.name.split(".")[0] == source.name)


def room_of(file: str) -> str:
    """The folder below the package, or the file that stands there."""
    return file.partition("/")[0].removesuffix(".py")


def rooms(source: Path) -> dict[str, set[str]]:
    """Each room with those that it imports from. The package's own two files are none."""
    names = {room_of(path.relative_to(source).as_posix()) for path in source.rglob("*.py")}
    found: dict[str, set[str]] = {name: set() for name in names if not name.startswith("_")}
    for file, imported in imports(source):
        room, other = room_of(file), imported.split(".")[1]
        if room in found and other in found and room != other:
            found[room].add(other)
    return found


def depths(uses: Mapping[str, set[str]]) -> dict[str, int]:
    """How many rooms stand one above the other until this one. Raises ValueError where rooms form a ring."""
    found: dict[str, int] = {}
    while len(found) < len(uses):
        free = [room for room in uses if room not in found and uses[room] <= found.keys()]
        if not free:
            raise ValueError(
                f"each of these needs another one: {', '.join(sorted(uses.keys() - found.keys()))}"
            )
        found |= {room: max((found[one] + 1 for one in uses[room]), default=0) for room in free}
    return found


def direct(uses: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Without what a room would have by way of another one: few enough lines to look at."""
    above: dict[str, set[str]] = {}
    for room in sorted(uses, key=depths(uses).__getitem__):
        above[room] = uses[room].union(*(above[one] for one in uses[room]))
    return {
        room: {one for one in own if not any(one in above[other] for other in own)}
        for room, own in uses.items()
    }


def figure(uses: Mapping[str, set[str]]) -> str:
    """Boxes in rows, each room below all that it takes from. A line past a row has a place in that row."""
    depth, lines = depths(uses), direct(uses)
    chains = [
        [one, *(f"{one} {room} {row}" for row in range(depth[one] + 1, depth[room])), room]
        for room in sorted(lines)
        for one in sorted(lines[room])
    ]
    rows: list[list[str]] = [
        sorted(room for room in uses if depth[room] == row) for row in set(depth.values())
    ]
    above: dict[str, list[str]] = {}
    for chain in chains:
        for row, (one, other) in enumerate(pairwise(chain), depth[chain[0]] + 1):
            above.setdefault(other, []).append(one)
            if other not in uses:
                rows[row].append(other)
    broad = {name: WIDTH if name in uses else 0 for row in rows for name in row}
    width = max(sum(broad[name] + ACROSS for name in row) for row in rows) + ACROSS
    height = len(rows) * (HEIGHT + DOWN) - DOWN + 2 * ACROSS
    middle: dict[str, float] = {}
    top: dict[str, int] = {}
    for number, row in enumerate(rows):
        if number:  # near what they take from, so that lines seldom cross
            row.sort(key=lambda name: sum(middle[one] for one in above[name]) / len(above[name]))
        left = (width - sum(broad[name] + ACROSS for name in row) + ACROSS) / 2
        for name in row:
            middle[name], top[name] = left + broad[name] / 2, ACROSS + number * (HEIGHT + DOWN)
            left += broad[name] + ACROSS
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13" role="img" '
        'aria-label="The rooms of the package, each below those that it imports from">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for chain in chains:
        path = f"M{middle[chain[0]]:.0f} {top[chain[0]]}"
        for one, other in pairwise(chain):
            start, end = top[one] + HEIGHT, top[other]
            path += f" V{start} C{middle[one]:.0f} {start + DOWN / 2:.0f} {middle[other]:.0f} "
            path += f"{end - DOWN / 2:.0f} {middle[other]:.0f} {end}"
        drawn.append(f'<path d="{path}" fill="none" stroke="{GREY}"/>')
    drawn += [
        f'<rect x="{middle[room] - WIDTH / 2:.0f}" y="{top[room]}" width="{WIDTH}" height="{HEIGHT}" '
        f'rx="4" fill="{PALE}" stroke="{GREY}"/><text x="{middle[room]:.0f}" y="{top[room] + 20}" '
        f'text-anchor="middle" fill="{INK}">{escape(room)}</text>'
        for room in sorted(uses)
    ]
    return "\n".join([*drawn, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
