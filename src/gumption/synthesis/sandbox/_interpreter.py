"""Where the interpreter and the packages lie that sandboxed code may import."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from stat import S_IROTH, S_ISDIR, S_ISLNK, S_IXOTH

from gumption.records import GumptionError

__all__ = ["Interpreter", "closed", "interpreter", "package_paths"]

_MOST = 10_000
"""Entries of a folder whose modes are looked at."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An installation of Python."""

    executable: Path
    prefix: Path

    @property
    def of_system(self) -> bool:
        return self.prefix == Path("/usr")


@cache
def interpreter() -> Interpreter:
    """The one that this process runs on, outside of any virtual environment: its packages are not seen."""
    prefix = Path(sys.base_prefix).resolve()
    found = prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not found.exists():
        raise GumptionError(
            f"no interpreter at {found}", where="sandbox", remedy="run gumption with a Python that has one"
        )
    return Interpreter(found, prefix)


@cache
def package_paths(names: tuple[str, ...]) -> tuple[Path, ...]:
    """The files and folders of installed packages; NAME.libs beside one holds its shared libraries.

    Raises GumptionError for a package that is not installed.
    """
    paths: list[Path] = []
    for name in names:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise GumptionError(f"{name} is not installed", where="sandbox", remedy=f"pip install {name}")
        own = Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)
        paths += [path for path in (own, own.with_name(f"{name}.libs")) if path.exists()]
    return tuple(paths)


def closed(folder: Path) -> bool:
    """Whether something in a folder cannot be read by other users."""
    for seen, path in enumerate(chain((folder,), folder.rglob("*"))):
        mode = path.lstat().st_mode
        if S_ISLNK(mode):
            continue
        if seen > _MOST or not mode & S_IROTH or (S_ISDIR(mode) and not mode & S_IXOTH):
            return True
    return False
