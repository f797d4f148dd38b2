"""What the build of the site checks besides links: nothing from other hosts, and every public name described.

A hook of MkDocs (`hooks` in mkdocs.yml); what it finds ends the build.
"""

from __future__ import annotations

import ast
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

__all__ = ["on_post_build"]

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}


class _Page(HTMLParser):
    """Collects what a browser would load for a page, and the anchors that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.add(values.get("id", ""))
        address = values.get(LOADED.get(tag, ""), "")
        canonical = tag == "link" and values.get("rel") in ("canonical", "prev", "next")
        if not canonical and address.startswith(("http:", "https:", "//")):
            self.foreign.append(address)


def on_post_build(config: Any, **_: Any) -> None:
    """Raises ValueError for an asset of another host, and for a public name that no page of `api` has."""
    site, source = Path(config["site_dir"]), Path(config["config_file_path"]).parent / "src" / "gumption"
    foreign, anchors = [], set()
    for path in site.rglob("*.html"):
        page = _Page()
        page.feed(path.read_text(encoding="utf-8"))
        foreign += [f"{path.relative_to(site)} loads {address}" for address in page.foreign]
        if path.parent.name == "api":
            anchors |= page.anchors
    styles = site.rglob("*.css")
    foreign += [f"{path.relative_to(site)} loads a file" for path in styles if "url(http" in path.read_text()]
    if foreign:
        raise ValueError("the site loads from other hosts: " + "; ".join(foreign[:5]))
    rooms = [
        path.parent.name
        for path in source.glob("*/__init__.py")
        if (site / f"api/{path.parent.name}.html").is_file()
    ]
    names = [name for room in rooms for name in _public(source / room)]
    missing = [name for name in names if not _described(name, anchors)]
    if missing or not rooms:
        raise ValueError(f"no page of docs/api has {', '.join(missing) or 'a room'}")


def _public(room: Path) -> list[str]:
    """The names of a room's `__all__`, read and not imported. Where it has none: the classes and functions of
    its modules' own."""
    names = _listed(room / "__init__.py") or [
        f"{path.stem}.{name}"
        for path in sorted(room.glob("*.py"))
        if not path.name.startswith("_")
        for name in _listed(path)
        if not name.isupper()
    ]
    if not names:
        raise ValueError(f"{room} says nothing of what is public")
    return [f"gumption.{room.name}.{name}" for name in names]


def _listed(path: Path) -> list[str]:
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(statement.value)]
    return []


def _described(name: str, anchors: set[str]) -> bool:
    """As a member of its room, or as the function of a module that is called like it."""
    room, _, last = name.rpartition(".")
    return name in anchors or any(
        anchor.startswith(f"{room}.") and anchor.endswith(f".{last}.{last}") for anchor in anchors
    )
