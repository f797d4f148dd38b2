"""What a log of another tool holds: questions, recorded replies, and what that tool made of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from gumption.records import GumptionError, Item, Reply
from gumption.suites import Rejected

__all__ = ["Gathered", "KitLog", "Recorded", "short"]

_LONGEST_CARRIED = 20_000
"""Characters of a value that is kept from a row."""
_MOST_LISTED = 100


class Recorded(Struct, frozen=True):
    """One question as it was answered once."""

    item: Item
    replies: tuple[Reply, ...]
    """One for a question in one shot; every reply of a longer episode otherwise."""
    score: float | None
    """What the kit made of it, in [0, 1]; None where it says nothing that lies there."""
    read: str = ""
    """What the kit read as the answer, "" where it does not say."""
    where: str = ""
    """File and row, to look it up by."""
    gold: Any = None
    """The right answer as the log has it."""
    carried: dict[str, Any] = field(default_factory=dict)
    """What else the row says, by the kit's own names: the rule of a benchmark may go by it."""

    @property
    def key(self) -> tuple[str, int]:
        """Item and epoch."""
        return self.item.id, self.replies[0].epoch


class KitLog(Struct, frozen=True):
    """One model on one data set, as a kit logged it."""

    kit: str
    dataset: str
    model: str
    file: str
    rows: tuple[Recorded, ...]
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def scored(self) -> int:
        """Rows that the kit gave a score."""
        return sum(row.score is not None for row in self.rows)


def short(row: Mapping[str, Any]) -> dict[str, Any]:
    """What is worth carrying of a row: no text as long as a picture, nothing that is nested."""
    return {
        name: value
        for name, value in row.items()
        if (isinstance(value, str) and len(value) <= _LONGEST_CARRIED)
        or (isinstance(value, list) and len(value) <= _MOST_LISTED and all(type(one) is str for one in value))
    }


class Gathered:
    """The rows of one log as they are read: those that can be scored, and those that cannot."""

    def __init__(self, kit: str, dataset: str, model: str, path: Path) -> None:
        self._kit, self._dataset, self._model, self._path = kit, dataset, model, path
        self._rows: dict[tuple[str, int], Recorded] = {}
        self._rejected: list[Rejected] = []
        self._notes: dict[str, None] = {}

    def where(self, row: int) -> str:
        return f"{self._path}, row {row}"

    def keep(self, recorded: Recorded) -> None:
        """Raises GumptionError where the same question was kept already."""
        if self._rows.setdefault(recorded.key, recorded) is not recorded:
            raise GumptionError("a second reply to the same question", remedy="keep one of the rows")

    def reject(self, row: int, id: str, error: GumptionError) -> None:
        self._rejected.append(Rejected(str(self._path), row, id, error.problem, error.remedy))

    def note(self, text: str) -> None:
        """Something a reader of the result should know; said once."""
        self._notes[text] = None

    def log(self) -> KitLog:
        """Raises GumptionError where no row can be used."""
        if not self._rows:
            first = self._rejected[0] if self._rejected else None
            raise GumptionError(
                f"none of its rows can be used; row {first.row}: {first.problem}" if first else "no rows",
                where=str(self._path),
                remedy=first.remedy if first else "give a log with a reply a row",
            )
        return KitLog(
            self._kit,
            self._dataset,
            self._model,
            str(self._path),
            tuple(self._rows.values()),
            tuple(self._rejected),
            tuple(self._notes),
        )
