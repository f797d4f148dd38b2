"""Which reader a question file wants, by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gumption.suites.jsonl import read_jsonl
from gumption.suites.suite import Suite
from gumption.suites.tsv import read_tsv


def reader_of(path: Path) -> Callable[[Path], Suite] | None:
    """`read_jsonl` or `read_tsv` for a name that ends in .jsonl or .tsv (and .gz), None for any other."""
    layout = Path(path.name.lower().removesuffix(".gz")).suffix
    return {".jsonl": read_jsonl, ".tsv": read_tsv}.get(layout)
