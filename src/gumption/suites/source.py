"""A suite from whatever a path leads to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gumption.records import GumptionError
from gumption.suites.folder import read_folder
from gumption.suites.jsonl import read_jsonl
from gumption.suites.suite import Suite
from gumption.suites.tsv import read_tsv


def read_file_or_folder(path: Path | str) -> Suite:
    """The suite in a suite or pool folder, a `.tsv` or a `.jsonl` file (packed with gzip or not).

    Raises GumptionError if there is nothing of the kind, and as `read_folder`, `read_tsv` and
    `read_jsonl` do.
    """
    path = Path(path)
    if path.is_dir():
        if not (path / "suite.json").exists():
            inside = sorted(file.name for file in path.iterdir() if _reader(file))
            remedy = (
                f"give one of its files: {', '.join(inside[:5])}"
                if inside
                else "give a folder with suite.json"
            )
            raise GumptionError("no suite.json in this folder", where=str(path), remedy=remedy)
        return read_folder(path)
    if not path.exists():
        raise GumptionError("no such file or folder", where=str(path), remedy="check the path")
    read = _reader(path)
    if read is None or not path.is_file():
        remedy = "give a suite folder, a .tsv or a .jsonl file"
        raise GumptionError("not a file of questions that can be read", where=str(path), remedy=remedy)
    return read(path)


def _reader(path: Path) -> Callable[[Path], Suite] | None:
    layout = Path(path.name.lower().removesuffix(".gz")).suffix
    return {".jsonl": read_jsonl, ".tsv": read_tsv}.get(layout)
