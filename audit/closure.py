"""The distributions that Gumption and its extras pull in, as they are installed here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["Closure", "closure"]


@dataclass
class Closure:
    """What was reached, and what could not be."""

    reached: dict[str, set[str]] = field(default_factory=dict)
    """Normalised names of installed distributions, with the extras by which each is reached."""
    missing: dict[str, set[str]] = field(default_factory=dict)
    """Extras of which something is not installed, with what; nothing can be said of that."""


def closure(pyproject: Path, alone: Sequence[str] = ()) -> Closure:
    """Everything that a project needs, with each of its extras and without any (the extra "").

    `alone` (normalised names) are needed too, but not what they ask for.
    """
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    found = Closure()
    for extra in ("", *sorted(project["optional-dependencies"])):
        waiting = [Requirement(f"{project['name']}[{extra}]" if extra else project["name"])]
        waiting += [] if extra else map(Requirement, alone)
        seen: set[tuple[str, str]] = set()
        while waiting:
            wanted = waiting.pop()
            name = str(canonicalize_name(wanted.name))
            parts = {(name, part) for part in ("", *wanted.extras)} - seen
            seen |= parts
            own = name == project["name"]
            try:
                if not own:
                    distribution(name)
                    found.reached.setdefault(name, set()).add(extra)
                for _, part in parts if name not in alone else ():
                    waiting += _of_project(project, part) if own else _of_installed(name, part)
            except PackageNotFoundError:
                found.missing.setdefault(extra, set()).add(name)
    return found


def _of_project(project: dict[str, Any], extra: str) -> Iterator[Requirement]:
    """From the file itself: what is installed may be of an earlier one."""
    lines = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return (wanted for wanted in map(Requirement, lines) if not wanted.marker or wanted.marker.evaluate())


def _of_installed(name: str, extra: str) -> Iterator[Requirement]:
    """What it asks for on this system with one of its extras, or with none."""
    for wanted in map(Requirement, distribution(name).requires or ()):
        if wanted.marker is None:
            if not extra:
                yield wanted
        elif wanted.marker.evaluate({"extra": extra}):
            yield wanted
