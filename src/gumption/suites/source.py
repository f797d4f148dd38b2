"""A suite from whatever a path leads to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gumption.records import GumptionError
from gumption.suites._readers import reader_of
from gumption.suites.folder import read_folder
from gumption.suites.references import OpenBenchmark
from gumption.suites.suite import Place, Suite

__all__ = ["read_file_or_folder"]


def read_file_or_folder(
    path: Path | str, *, open_benchmark: OpenBenchmark | None = None, data: Path | None = None
) -> Suite:
    """The suite in a suite or pool folder, a `.tsv` or a `.jsonl` file (packed with gzip or not).

    `open_benchmark` and `data` are for a folder's references, as in `read_folder`.
    Raises GumptionError if there is nothing of the kind, and as `read_folder`, `read_tsv` and
    `read_jsonl` do.
    """
    path = Path(path)
    if path.is_dir():
        if not (path / "suite.json").exists():
            inside = sorted(file.name for file in path.iterdir() if reader_of(file))
            remedy = (
                f"give one of its files: {', '.join(inside[:5])}"
                if inside
                else "give a folder with suite.json"
            )
            raise GumptionError("no suite.json in this folder", where=str(path), remedy=remedy)
        return read_folder(path, open_benchmark=open_benchmark, data=data)
    if not path.exists():
        raise GumptionError("no such file or folder", where=str(path), remedy="check the path")
    read = reader_of(path)
    if read is None or not path.is_file():
        remedy = "give a suite folder, a .tsv or a .jsonl file"
        raise GumptionError("not a file of questions that can be read", where=str(path), remedy=remedy)
    return replace(read(path), place=Place("path", str(path.resolve())))
