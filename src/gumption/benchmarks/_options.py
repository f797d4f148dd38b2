"""Options of a benchmark, as in `vsi-bench:frames=16`: which there are, and what they say."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gumption.records import GumptionError

__all__ = ["check_names", "count_of", "protocol_of"]

_LONGEST_COUNT = 4
"""Digits."""


def check_names(benchmark: str, options: Mapping[str, str], known: Collection[str]) -> None:
    """Raises GumptionError for an option that the benchmark does not have."""
    strange = [name for name in options if name not in known]
    if strange:
        problem, remedy = f"no option is called {', '.join(strange)}", f"options: {', '.join(known)}"
        raise GumptionError(problem, where=benchmark, remedy=remedy)


def count_of(benchmark: str, options: Mapping[str, str], name: str, usual: int) -> int:
    """A count from 1. Raises GumptionError for anything else."""
    text = options.get(name, str(usual))
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT and int(text)):
        problem, remedy = f"{name}={text}", f"a whole number from 1, as in {name}={usual}"
        raise GumptionError(problem, where=benchmark, remedy=remedy)
    return int(text)


def protocol_of(**differing: object) -> str:
    """What differs from the usual way, as `name=value,...`; None is as usual."""
    return ",".join(f"{name}={value}" for name, value in sorted(differing.items()) if value is not None)
