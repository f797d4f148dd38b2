"""Files that are there whole or not at all, and what is said where they cannot be written."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gumption.records import GumptionError

__all__ = ["replacing", "written"]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`: moved over it when the block ends well, removed when it does not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Tells of a failure to write in the block as a GumptionError that names `path` and what to do."""
    try:
        yield
    except OSError as error:
        raise GumptionError(
            f"cannot be written: {error.strerror or error}",
            where=str(path),
            remedy="make room or mend the permissions, then run the same command again: what is done is kept",
        ) from error
