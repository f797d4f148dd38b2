"""Plain values: what any file's cells become before they are rows, and lists that are written in a cell."""

from __future__ import annotations

import ast
import base64
import datetime
import json
import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

__all__ = [
    "filled",
    "flat",
    "is_messages",
    "listed",
    "number_of",
    "option_text",
    "places",
    "plain",
    "text_of",
]

_DEEPEST = 32
_LONGEST = 100_000
"""Characters of a cell that is read as a list."""
_UNCOMMAED = re.compile(r"(?<=['\"])\s+(?=['\"])")
_LETTERING = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "123456789")
_PLACE = re.compile(r"\{([^{}\n]{1,100})\}")
_PADDED = re.compile(r"\{([^{}\n]{1,100}?)(?::0([1-9]))?\}")
_SPEAKERS = ("assistant", "gpt", "model", "bot")


def plain(value: Any, depth: int = 0) -> Any:
    """The value as JSON has it: bytes as base64, a picture that carries its bytes as these, NaN as None."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Decimal):
        return plain(float(value))
    if depth >= _DEEPEST:
        return None
    if isinstance(value, Mapping):
        if set(value) == {"bytes", "path"}:
            return plain(value["bytes"] or value["path"])
        return {str(key): plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [plain(one, depth + 1) for one in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def flat(row: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Objects within a row as columns with a dot, but objects of options ({"A": ...}) as they are.

    A conversation that ends with the model's own turn is split: that turn is the answer, and it comes as the
    column `<name>.answer` so that it is not shown.
    """
    out: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict) and value and depth < 4 and not _is_options(value):
            for inner, one in flat(value, depth + 1).items():
                out[f"{key}.{inner}"] = one
        elif is_messages(value) and _speaker(value[-1]) in _SPEAKERS:
            out[key] = value[:-1]
            out[f"{key}.answer"] = value[-1].get("content", value[-1].get("value"))
        else:
            out[key] = value
    return out


def _is_options(value: Mapping[str, Any]) -> bool:
    keys = "".join(value).upper()
    return len(keys) == len(value) > 1 and any(run.startswith(keys) for run in _LETTERING)


def is_messages(value: Any) -> bool:
    """Whether it is a conversation: objects with a role and what it says."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(one, dict)
            and (("role" in one and "content" in one) or ("from" in one and "value" in one))
            for one in value
        )
    )


def _speaker(message: Mapping[str, Any]) -> str:
    return str(message.get("role", message.get("from", ""))).lower()


def text_of(value: Any) -> str:
    """A cell as text; None is nothing, whole floats lose their point, lists go one a line."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(text_of(one) for one in value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()


def places(template: str) -> tuple[str, ...]:
    """The columns that a template names in braces."""
    return tuple(dict.fromkeys(_PLACE.findall(template)))


def filled(template: str, row: Mapping[str, Any]) -> str:
    """The template with a row's cells in place of the names; "" where one is empty."""
    cells = {name: text_of(row.get(name)) for name in places(template)}
    return _PLACE.sub(lambda found: cells[found[1]], template) if all(cells.values()) else ""


def composed(template: str, row: Mapping[str, Any]) -> str:
    """`filled`, where `{name:03}` is a number with zeros before it until it has three digits."""
    cells = {
        found: text_of(row.get(found[1])).zfill(int(found[2] or 0)) for found in _PADDED.finditer(template)
    }
    made = {found[0]: cell for found, cell in cells.items()}
    return _PADDED.sub(lambda found: made[found[0]], template) if all(made.values()) else ""


def composed_of(template: str) -> tuple[str, ...]:
    """The columns that a template for `composed` names."""
    return tuple(dict.fromkeys(found[1] for found in _PADDED.finditer(template)))


def number_of(value: Any) -> Any:
    """A number that is written as text as a number, anything else as it is."""
    try:
        number = float(value) if isinstance(value, str) and len(value) < 40 else None
    except ValueError:
        return value
    return value if number is None or not math.isfinite(number) else number


def option_text(value: Any) -> str:
    """An option as text, also one that is an object with a label and a text of its own."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("text", "content", "value", "option") if key in value), value)
    return text_of(value)


def listed(value: Any, separator: str = "") -> list[Any] | dict[str, Any] | None:
    """A cell's list or object: itself, split at the separator, or written as JSON or as Python writes it.

    None where it is neither.
    """
    if isinstance(value, list | dict):
        return value
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    if separator:
        return [part.strip() for part in value.split(separator)]
    text = value.strip()
    if text[:1] not in ("[", "{", "("):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        # Arrays of another library are printed without commas, which Python would read as one long string.
        text = text if "," in text else _UNCOMMAED.sub(",", text)
        try:
            found = ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    found = plain(found)
    return found if isinstance(found, list | dict) else None
