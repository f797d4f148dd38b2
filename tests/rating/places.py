"""Where a store is, and the time that it sees."""

from __future__ import annotations

from pathlib import Path

from gumption.rating.store import Store


class Clock:
    """Time that tests move."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """Where a store is, and a way to open it once more as another process would."""

    def __init__(self, folder: Path, url: str, clock: Clock) -> None:
        self.folder, self.url, self.clock = folder, url, clock
        self._opened: list[Store] = []

    def open(self) -> Store:
        store = Store.open(self.folder, self.url, create=True, clock=self.clock)
        self._opened.append(store)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()
