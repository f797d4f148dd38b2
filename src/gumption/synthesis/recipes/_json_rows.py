"""Rows out of nested JSON by a path, with the fields of what they lie in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from gumption.records import GumptionError
from gumption.synthesis.recipes._cells import flat, plain
from gumption.synthesis.recipes._paths import BOTH

__all__ = ["json_of", "jsonl_of", "rows_at"]

Step: TypeAlias = tuple[str, Literal["", "[]", "{}"]]
_CARRIED = 64
"""The longest list that comes with each row from above it."""
_CARRIED_DEPTH = 3
"""Objects within each other that do."""


def json_of(text: str, where: str) -> Any:
    """The value of a JSON text; NaN and infinity are None. Raises GumptionError where it is none."""
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except RecursionError:
        raise GumptionError("the JSON is nested too deeply", where=where, remedy="flatten it") from None
    except ValueError as error:
        raise GumptionError(f"no JSON: {error}", where=where, remedy="mend the file") from error


def jsonl_of(text: str, where: str) -> list[Any]:
    """The values of lines of JSON, blank ones left out. Raises GumptionError with the line's number."""
    lines = (line for line in enumerate(text.split("\n"), 1) if line[1].strip())
    return [json_of(line, f"{where}, line {number}") for number, line in lines]


def rows_at(value: Any, path: str, where: str, most: int) -> list[dict[str, Any]]:
    """The rows at a path, see `Source.rows`. Raises GumptionError where there are none or too many."""
    if path == "columns":
        return _from_columns(value, where)
    rows: list[dict[str, Any]] = []
    for row in (row for one in path.split(BOTH) for row in _walk(value, _steps(one), "", {})):
        if len(rows) >= most:
            raise GumptionError(f"over {most:,} rows", where=where, remedy="split the file")
        rows.append(row)
    if not rows:
        raise GumptionError(f"no rows at {path!r}", where=where, remedy="look at how the JSON is nested")
    return rows


def _steps(path: str) -> list[Step]:
    steps: list[Step] = []
    for part in path.split(".") if path else []:
        if part.endswith("[]"):
            steps.append((part[:-2], "[]"))
        elif part.endswith("{}"):
            steps.append((part[:-2], "{}"))
        else:
            steps.append((part, ""))
    return steps


def _walk(value: Any, steps: list[Step], level: str, carried: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`level`: the name of what `value` lies in; `carried`: fields from above."""
    if not steps:
        row = flat(plain(value)) if isinstance(value, dict) else {"value": plain(value)}
        yield {**carried, **row} if not carried.keys() & row.keys() else _merged(carried, row, level)
        return
    (name, kind), *rest = steps
    inner = value
    if name:
        if not isinstance(value, dict) or name not in value:
            return  # a row may lack what others have
        above = {key: one for key, one in value.items() if key != name and _goes_along(one)}
        carried = _merged(carried, flat(plain(above)), level)
        inner = value[name]
    if kind == "[]" and isinstance(inner, list):
        for one in inner:
            yield from _walk(one, rest, name or level, carried)
    elif kind == "{}" and isinstance(inner, dict):
        for key, one in inner.items():
            label = f"{name or level or 'row'}.@key" if "@key" in carried else "@key"
            yield from _walk(one, rest, name or level, {**carried, label: key})
    elif not kind:
        yield from _walk(inner, rest, name or level, carried)


def _merged(outer: dict[str, Any], inner: dict[str, Any], level: str) -> dict[str, Any]:
    """The nearer field keeps a name that both have; the farther one is told by where it comes from."""
    renamed = {(f"above {level}.{key}" if key in inner else key): value for key, value in outer.items()}
    return {**renamed, **inner}


def _goes_along(value: Any, depth: int = 0) -> bool:
    if isinstance(value, list):
        return len(value) <= _CARRIED and not any(isinstance(one, dict) for one in value)
    if isinstance(value, dict):
        deep = depth >= _CARRIED_DEPTH or len(value) > _CARRIED
        return not deep and all(_goes_along(one, depth + 1) for one in value.values())
    return True


def _from_columns(value: Any, where: str) -> list[dict[str, Any]]:
    if isinstance(value, dict) and value and all(isinstance(one, list) for one in value.values()):
        count = len(next(iter(value.values())))
        if all(len(one) == count for one in value.values()):
            return [flat(plain({name: one[n] for name, one in value.items()})) for n in range(count)]
    if isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
        keys = list(next(iter(value.values())))
        return [
            {"@key": key, **flat(plain({name: one.get(key) for name, one in value.items()}))} for key in keys
        ]
    raise GumptionError("no object of columns", where=where, remedy="look at how the JSON is nested")
