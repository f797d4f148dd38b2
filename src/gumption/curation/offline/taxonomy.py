"""The seed taxonomy: a file of capabilities to start from."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct

from gumption.curation.dimensions import Dimension, Dimensions
from gumption.records import GumptionError

__all__ = ["read_taxonomy"]

_LARGEST = 1_000_000
"""Bytes of a taxonomy file."""


class _Entry(Struct, forbid_unknown_fields=True):
    name: str
    definition: str
    terms: tuple[str, ...]
    asks: tuple[str, ...] = ()


class _File(Struct, forbid_unknown_fields=True):
    version: str
    dimension: tuple[_Entry, ...]


def read_taxonomy(path: Path | None = None) -> Dimensions:
    """The dimensions of a taxonomy file, of the built-in one by default. Its questions stand among the terms.

    Raises GumptionError for a file that cannot be read or is no taxonomy.
    """
    source = path or files("gumption.curation.offline") / "taxonomy.toml"
    try:
        text = source.read_bytes()
        if len(text) > _LARGEST:
            raise _refused(source, f"over {_LARGEST:,} bytes")
        read = msgspec.convert(tomllib.loads(text.decode()), _File)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise _refused(source, str(error)) from error
    return Dimensions(
        tuple(Dimension(one.name, one.definition, one.terms + one.asks) for one in read.dimension)
    )


def _refused(source: object, problem: str) -> GumptionError:
    return GumptionError(
        problem,
        where=str(source),
        remedy="give version and [[dimension]] tables of name, definition, terms and asks",
    )
