"""The rooms whose tests are measured: their sources, and the tests that count for them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOMS", "Room", "looks_at_the_clock"]

_CLOCKS = ("_in_time", "test_time_", "_take_time_")


@dataclass(frozen=True)
class Room:
    """Patterns of source files and of test files, from the top of the repository."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    slow: tuple[str, ...] = ()
    """Test files that do not count, as they take too long for what they add here."""

    def folders(self) -> list[str]:
        """What git is asked about: whether what was measured is what was committed."""
        return [pattern.partition("*")[0] for pattern in (*self.sources, *self.tests)]

    def source_files(self, tree: Path) -> list[str]:
        return _files(tree, self.sources)

    def test_files(self, tree: Path) -> list[str]:
        return [file for file in _files(tree, self.tests) if file not in self.slow]


def _files(tree: Path, patterns: tuple[str, ...]) -> list[str]:
    found = {path.relative_to(tree).as_posix() for pattern in patterns for path in tree.glob(pattern)}
    return sorted(found)


def looks_at_the_clock(test: str) -> bool:
    """By its name. Such a test does not count: a busy machine would kill mutants."""
    return any(sign in test.partition("[")[0] for sign in _CLOCKS)


ROOMS = {
    "answers": Room(("src/gumption/answers/**/*.py",), ("tests/answers/**/test_*.py",)),
    "grounding": Room(
        ("src/gumption/grounding/**/*.py",),
        ("tests/grounding/**/test_*.py",),
        slow=(
            "tests/grounding/test_against_unified_planning.py",
            "tests/grounding/test_solve_on_ray.py",
        ),
    ),
    "planning.match": Room(
        ("src/gumption/planning/match.py",),
        ("tests/planning/test_match*.py", "tests/planning/test_agreement.py"),
    ),
    "ranking": Room(("src/gumption/ranking/**/*.py",), ("tests/ranking/**/test_*.py",)),
}
