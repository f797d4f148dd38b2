"""A shard that nobody can do."""

from __future__ import annotations

from gumption.records import GumptionError

__all__ = ["LostShardError"]


class LostShardError(GumptionError):
    """It killed its process as often as it was tried."""

    def __init__(self, place: int, problem: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(problem, where=where, remedy=remedy)
        self.place = place
        """In the shards that were given."""
