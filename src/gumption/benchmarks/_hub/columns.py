"""What a column of a published file holds: checked, and turned into what a loader works with."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gumption.records import GumptionError

__all__ = ["converted"]

_DATA_URL = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_NUMERAL = re.compile(r"[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_QUOTED = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")
_LONGEST_SHOWN = 60


class _UnfitError(Exception):
    """The value is not of this kind."""


def converted(values: Mapping[str, Any], columns: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """The named columns of a row. `folder`: where the paths of pictures start.

    Raises GumptionError, naming the column, for a value of another kind.
    """
    return {name: _converted(name, values.get(name), kind, folder) for name, kind in columns.items()}


def _converted(name: str, value: Any, kind: str, folder: Path) -> Any:
    if value is None and kind.endswith("?"):
        return None
    for one in kind.rstrip("?").split("|"):
        try:
            if one in ("image", "images"):
                return _image(value, folder) if one == "image" else _images(value, folder)
            return _KINDS[one](value)
        except _UnfitError:
            continue
    shown = repr(value[:_LONGEST_SHOWN] if isinstance(value, str | bytes) else value)[: _LONGEST_SHOWN + 3]
    problem = f"column {name!r} holds {shown} where {kind} was published"
    raise GumptionError(problem, remedy="fetch the file again; it is not as published")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _UnfitError
    return value


def _int(value: Any) -> int:
    """A numeral counts too: a tab separated file has nothing else."""
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _UnfitError
    return value


def _number(value: Any) -> float:
    if isinstance(value, str) and _NUMERAL.fullmatch(value.strip()):
        return float(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _UnfitError
    return value


def _bool(value: Any) -> bool:
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    if not isinstance(value, bool):
        raise _UnfitError
    return value


def _instance(kind: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not isinstance(value, kind):
            raise _UnfitError
        return value

    return check


def _each(one: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    def check(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise _UnfitError
        return [one(entry) for entry in value]

    return check


def _image(value: Any, folder: Path) -> bytes:
    """The bytes, from binary, from the struct {bytes, path} of a data set, or from base64."""
    if isinstance(value, dict):
        data, path = value.get("bytes"), value.get("path")
        if data is None and isinstance(path, str):
            return _file(folder, path)
        value = data
    if isinstance(value, bytes) and value:
        return value
    if not isinstance(value, str) or not value:
        raise _UnfitError
    head = _DATA_URL.match(value, 0, 200)
    try:
        return base64.b64decode("".join(value[head.end() if head else 0 :].split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise _UnfitError from error


def _images(value: Any, folder: Path) -> list[bytes]:
    """A list; in a tab separated file it is written out, and one picture alone stands bare."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = [single or double for single, double in _QUOTED.findall(value)]
    elif not isinstance(value, list):
        value = [value]
    return [_image(one, folder) for one in value]


def _file(folder: Path, name: str) -> bytes:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        raise GumptionError(f"no picture {name!r} in {folder}", remedy="fetch the data again, pictures too")
    return path.read_bytes()


_KINDS: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "int": _int,
    "number": _number,
    "bool": _bool,
    "list": _instance(list),
    "dict": _instance(dict),
    "any": lambda value: value,
    "texts": _each(_text),
    "ints": _each(_int),
    "numbers": _each(_number),
}
