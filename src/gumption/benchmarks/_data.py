"""Where a benchmark's data may lie on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from gumption.records import GumptionError

__all__ = ["find"]


def find(relative: str, data: Path | None, *, get_from: str) -> Path:
    """The file `relative` below the first data folder that has it.

    Looked for in `data` where it is given, else in $GUMPTION_PUBLIC_DATA, in ../shared/data beside the
    checkout, and in data/ of the working folder. Raises GumptionError that says what to get and where to
    put it.
    """
    folders = [data] if data else [Path("../shared/data"), Path("data")]
    if not data and (named := os.environ.get("GUMPTION_PUBLIC_DATA")):
        folders.insert(0, Path(named))
    for folder in folders:
        # A folder of just this benchmark serves too.
        for candidate in (folder / relative, folder / Path(relative).name):
            if candidate.is_file():
                return candidate
    looked = ", ".join(str(folder) for folder in folders)
    raise GumptionError(
        f"no {Path(relative).name} in {looked}",
        remedy=f"get it from {get_from} and name its folder with --data DIR or GUMPTION_PUBLIC_DATA",
    )
