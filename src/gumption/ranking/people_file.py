"""`people.json`: what people think of some models, for exchange between programs.

Written by `gumption rate export`, read by `gumption rank --people` and `gumption report --people`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from gumption.atomic import replacing
from gumption.ranking._design import Floats
from gumption.ranking.people import PeopleRanking
from gumption.ranking.rater_agreement import Agreement
from gumption.records import GumptionError

__all__ = ["PeopleAgreement", "PeopleFile", "people_file", "read_people", "write_people"]

_LARGEST = 64 * 2**20
"""Bytes."""
_MOST = 100_000
"""Models, and units."""
_REMEDY = "write it again with gumption rate export, or as docs/benchmarks/human-scenarios.md says"

_Name = Annotated[str, Meta(min_length=1, max_length=1_000)]
_Names = Annotated[tuple[_Name, ...], Meta(min_length=1, max_length=_MOST)]
_Score = Annotated[float, Meta(ge=0, le=1)] | None


class PeopleAgreement(Struct, frozen=True, forbid_unknown_fields=True):
    """How far the raters agree; None where that is not known."""

    overall: Agreement | None = None
    """By each rater's mean over the dimensions."""
    dimensions: dict[_Name, Agreement | None] = {}


class PeopleFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of a people.json."""

    format: Literal["gumption-people-1"] = "gumption-people-1"
    models: _Names
    units: _Names
    """Ids of the scenarios."""
    dimensions: _Names
    scores: Annotated[tuple[tuple[_Score, ...], ...], Meta(max_length=_MOST)]
    """Models x units, in [0, 1]; None where nobody rated."""
    raters: Annotated[int, Meta(ge=0)]
    agreement: PeopleAgreement = PeopleAgreement()

    def matrix(self) -> Floats:
        """The scores, models x units as floats, NaN where nobody rated."""
        return np.array(self.scores, dtype=np.float64)


def people_file(people: PeopleRanking) -> PeopleFile:
    """What a people.json says of a ranking."""
    by_dimension = {part.name: part.agreement for part in people.dimensions}
    return PeopleFile(
        models=people.models,
        units=people.scenarios,
        dimensions=tuple(part.name for part in people.dimensions),
        scores=people.units,
        raters=len(people.raters),
        agreement=PeopleAgreement(people.agreement, by_dimension),
    )


def write_people(path: Path | str, people: PeopleRanking) -> None:
    """Write a people.json, whole or not at all. Raises GumptionError where it cannot be written."""
    path = Path(path)
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode(people_file(people))) + b"\n")
    except OSError as error:
        problem, remedy = f"cannot be written: {error.strerror}", "name another place"
        raise GumptionError(problem, where=str(path), remedy=remedy) from error


def read_people(path: Path | str) -> PeopleFile:
    """A people.json. Raises GumptionError, naming the place in it, for a file that is none."""
    path = Path(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise GumptionError(f"over {_LARGEST // 2**20} MiB", where=str(path), remedy=_REMEDY)
        found = msgspec.json.decode(path.read_bytes(), type=PeopleFile)
    except OSError as error:
        problem, remedy = f"cannot be read: {error.strerror}", "check the path and the permissions"
        raise GumptionError(problem, where=str(path), remedy=remedy) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise GumptionError(f"no ratings of people: {error}", where=str(path), remedy=_REMEDY) from error
    for name, names in (("models", found.models), ("units", found.units), ("dimensions", found.dimensions)):
        _check_distinct(name, names, path)
    if len(found.scores) != len(found.models):
        problem = f"{len(found.scores)} rows of scores for {len(found.models)} models"
        raise GumptionError(problem, where=str(path), remedy=_REMEDY)
    for model, row in zip(found.models, found.scores, strict=True):
        if len(row) != len(found.units):
            problem = f"{len(row)} scores of {model!r} for {len(found.units)} units"
            raise GumptionError(problem, where=str(path), remedy=_REMEDY)
    if strange := set(found.agreement.dimensions) - set(found.dimensions):
        problem = f"agreement on {', '.join(sorted(strange))}, which is no dimension of it"
        raise GumptionError(problem, where=str(path), remedy=_REMEDY)
    if all(score is None for row in found.scores for score in row):
        raise GumptionError("there is no score in it", where=str(path), remedy="collect ratings first")
    return found


def _check_distinct(name: str, names: Sequence[str], path: Path) -> None:
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise GumptionError(f"{name} has {twice!r} twice", where=str(path), remedy=_REMEDY)
