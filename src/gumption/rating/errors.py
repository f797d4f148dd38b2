"""What can go wrong in a study, one class per thing that a caller answers differently."""

from __future__ import annotations

from gumption.records import GumptionError

__all__ = [
    "ClosedError",
    "DatabaseBusyError",
    "DatabaseError",
    "LinkError",
    "NotThereError",
    "RatingError",
    "SchemaError",
    "StaleError",
]


class DatabaseError(GumptionError):
    """The database cannot be used: a bad address, no server, no permission, a damaged file."""


class DatabaseBusyError(DatabaseError):
    """Another process held the database for longer than we wait. Nothing changed; trying again is safe."""


class SchemaError(DatabaseError):
    """The database was made by another version of these tables."""


class LinkError(GumptionError):
    """A personal link that opens nothing: unknown, expired, revoked, or its rater's data were deleted."""


class NotThereError(GumptionError):
    """No such study, task, rater or media file, or none that this person may see."""


class ClosedError(GumptionError):
    """The organiser has closed the study: nothing is saved any more."""


class RatingError(GumptionError):
    """Values that the study's form does not have. `where` names the dimension or field."""


class StaleError(GumptionError):
    """The rating was revised elsewhere since this page was loaded; nothing was overwritten."""
