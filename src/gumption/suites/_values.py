"""Values that JSON keeps without loss."""

from __future__ import annotations

import math
from typing import Any

from gumption.records import GumptionError

MAX_DEPTH = 64
_MOST_BITS = 1023


def check_value(value: Any, depth: int = 0) -> None:
    """GumptionError unless `value` is None, a bool, a number, text, or lists and dicts of such.

    Numbers are within the range of floats, a tuple is a list, and there are at most `MAX_DEPTH` levels.
    """
    if depth > MAX_DEPTH:
        raise GumptionError(f"a value is nested more than {MAX_DEPTH} levels deep", remedy="flatten it")
    match value:
        case None | bool() | str():
            return
        case int():
            if value.bit_length() > _MOST_BITS:
                raise GumptionError("a number is beyond every float", remedy="write it as text")
        case float():
            if not math.isfinite(value):
                raise GumptionError(f"{value} cannot be kept as JSON", remedy="use null or leave it out")
        case list() | tuple():
            for element in value:
                check_value(element, depth + 1)
        case dict():
            for key, element in value.items():
                if not isinstance(key, str):
                    raise GumptionError(f"the key {key!r} is not text", remedy="use text keys")
                check_value(element, depth + 1)
        case _:
            problem = f"a {type(value).__name__} cannot be kept as JSON"
            raise GumptionError(problem, remedy="use text, numbers, lists and dicts")
