"""Gumption finds out what an embodied brain can do, cheaply, and says how sure it is.

Rooms load on first use, so that importing the package costs nothing you do not use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gumption.records import Answer, GumptionError, Item, Reading, Reply, Score, Scorecard

if TYPE_CHECKING:
    from gumption import (
        answers,
        benchmarks,
        curation,
        exchange,
        grounding,
        models,
        planning,
        ranking,
        reporting,
        running,
        suites,
        synthesis,
    )
    from gumption.answers import read

__version__ = "0.1.0.dev0"

__all__ = [
    "Answer",
    "GumptionError",
    "Item",
    "Reading",
    "Reply",
    "Score",
    "Scorecard",
    "answers",
    "benchmarks",
    "curation",
    "exchange",
    "grounding",
    "models",
    "planning",
    "ranking",
    "read",
    "reporting",
    "running",
    "suites",
    "synthesis",
]


def __getattr__(name: str) -> Any:
    if name == "read":
        return import_module("gumption.answers").read
    if name in __all__:
        return import_module(f"gumption.{name}")
    raise AttributeError(f"module 'gumption' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
