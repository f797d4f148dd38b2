"""The gate `contract`: what `load` and `build` give is what the contract and the record say."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.contract import Part, Request, Row, requests_of, rows_of
from gumption.synthesis.spec import Spec
from gumption.synthesis.validation._asked import asked_as_declared
from gumption.synthesis.validation._declared import Declared
from gumption.synthesis.validation._targets import opened
from gumption.synthesis.validation.report import Finding, Gate, gate, quoted
from gumption.synthesis.validation.running import Pipeline, StoppedError

__all__ = ["check_contract", "with_other_gold"]

_PICTURES = 200
"""Pictures that are opened."""


def check_contract(
    pipeline: Pipeline, loaded: Any, spec: Spec | None, items: Sequence[Declared], seed: int
) -> tuple[Gate, list[Row]]:
    """The gate, and the rows where they are rows."""
    try:
        rows = rows_of(loaded)
    except GumptionError as error:
        return gate("contract", 1, [Finding("load gives rows", got=error.problem, expected=error.remedy)]), []
    by_id = {item.id: item for item in items}
    findings = [*_rows(rows, spec, by_id)]
    changed = [
        (row, other)
        for row in rows
        if (other := with_other_gold(row, by_id.get(str(row["id"])), items, spec))
    ]
    order = random.Random(seed).sample(range(len(rows)), len(rows))
    try:
        called = pipeline.build([*rows, *(rows[at] for at in order), *(other for _, other in changed)])
    except StoppedError as stopped:
        return gate("contract", 2, [*findings, stopped.finding]), rows
    first, second, third = called[: len(rows)], called[len(rows) : 2 * len(rows)], called[2 * len(rows) :]
    requests: dict[str, Request] = {}
    for row, call in zip(rows, first, strict=True):
        id = str(row["id"])
        if call.raised:
            findings.append(Finding("build makes a request for every row", id, said=call.raised))
            continue
        if not call.untouched:
            findings.append(Finding("build leaves its row as it is", id))
        try:
            requests[id] = requests_of([call.value])[0]
        except GumptionError as error:
            findings.append(
                Finding("build gives a request", id, got=quoted(error.problem), expected=error.remedy)
            )
    for at, call in zip(order, second, strict=True):
        if call.value != first[at].value:
            findings.append(Finding("the order of items makes no difference to build", str(rows[at]["id"])))
    for (row, _), call in zip(changed, third, strict=True):
        if call.value != first[rows.index(row)].value:
            findings.append(
                Finding(
                    "the right answer is not in the request",
                    str(row["id"]),
                    got="another right answer in the row changes what is asked",
                )
            )
    findings += _media(pipeline.folder, requests)
    checks = len(rows) * 4 + len(changed)
    if spec is not None:
        for row in rows:
            item, request = by_id.get(str(row["id"])), requests.get(str(row["id"]))
            if item and request:
                findings += asked_as_declared(item, request, spec)
        checks += len(by_id)
    note = "" if spec is None else f"the right answer was changed in {len(changed)} of {len(rows)} rows"
    return gate("contract", checks, findings, note), rows


def with_other_gold(
    row: Row, item: Declared | None, items: Sequence[Declared], spec: Spec | None
) -> Row | None:
    """The row with another's right answer in its declared column; None where it does not hold that column,
    where another answer would not fit, or where the answer was prepared while loading (a mask)."""
    if spec is None or item is None or spec.scoring.kind == "point":
        return None
    column = spec.scoring.gold.column
    if column not in row or row[column] != item.row.get(column) or column in spec.asking.options.columns:
        return None
    for other in items:
        if other.gold == item.gold:
            continue
        cell = other.row[column]
        if spec.scoring.gold.form == "option_text":
            left = [text for letter, text in item.options.items() if letter not in item.gold]
            return {**row, column: left[0]} if left and isinstance(row[column], str) else None
        if spec.scoring.kind != "choice" or set(other.gold) <= set(item.options):
            return {**row, column: cell}
    return None


def _rows(rows: Sequence[Row], spec: Spec | None, by_id: Mapping[str, Declared]) -> Iterator[Finding]:
    if spec is None or not by_id:
        return
    given = {str(row["id"]) for row in rows}
    missing = [id for id in by_id if id not in given]
    if missing:
        yield Finding(
            "load gives the declared items",
            missing[0],
            expected=f"{len(by_id)} items with ids as {quoted(next(iter(by_id)))}",
            got=f"{len(rows)} rows, {len(missing)} of those items are not among them",
        )


def _media(folder: Path, requests: Mapping[str, Request]) -> Iterator[Finding]:
    root = folder.resolve()
    seen: set[str] = set()
    for id, request in requests.items():
        for part in request.parts:
            told = part.image or part.image_base64
            if not told or told in seen:
                continue
            seen.add(told)
            try:
                data = _bytes(root, part)
                if len(seen) <= _PICTURES:
                    opened(data)
            except (GumptionError, OSError) as error:
                problem = error.problem if isinstance(error, GumptionError) else type(error).__name__
                yield Finding("the pictures of a request are there", id, got=f"{quoted(told)}: {problem}")


def _bytes(root: Path, part: Part) -> bytes:
    if not part.image:
        return base64.b64decode(part.image_base64)
    path = (root / part.image).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise GumptionError(
            "no such file in the folder", where="media", remedy="give a path below the folder"
        )
    return path.read_bytes()
