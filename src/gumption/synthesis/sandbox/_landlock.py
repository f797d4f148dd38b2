"""The second mechanism: Landlock and seccomp, where namespaces are denied.

Files outside are out of reach, and so are sockets, other processes and signals to them.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from stat import S_IXOTH
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.sandbox._interpreter import closed, interpreter, package_paths

__all__ = ["closed_home", "folder", "rules", "tasks_of_user", "uid", "written"]

FEWEST_ABI = 6
"""Of Linux 6.12: the first that keeps signals in."""
_UIDS = (61184, 65519)
_MOST_FILES = 100_000


@contextmanager
def rules(work: Path, packages: tuple[str, ...], data: Path | None) -> Iterator[int]:
    """The number of an open ruleset. Raises GumptionError where Landlock is missing or too old."""
    try:
        import landlockpy
        from landlockpy import AccessFS, Ruleset, Scope
    except ImportError as error:
        raise GumptionError(
            "landlockpy is not installed", where="sandbox", remedy="pip install 'gumption[sandbox]'"
        ) from error
    found = landlockpy.abi_version()
    if found < FEWEST_ABI:
        raise GumptionError(
            f"the kernel's Landlock is version {found}", where="sandbox", remedy="Linux 6.12 or later has 6"
        )
    python = interpreter()
    reading = AccessFS.READ_FILE | AccessFS.READ_DIR
    with Ruleset(scoped=Scope.SIGNAL | Scope.ABSTRACT_UNIX_SOCKET) as ruleset:
        for path in (*_libraries(), python.prefix / "lib", *package_paths(packages)):
            if path.exists():
                ruleset.allow_path(path, reading if path.is_dir() else AccessFS.READ_FILE)
        for path in {path.parent for path in package_paths(packages)}:
            ruleset.allow_path(path, AccessFS.READ_DIR)  # Python looks for a package by listing its folder
        if data is not None:
            ruleset.allow_path(data, reading)
        for device in ("/dev/null", "/dev/urandom", "/dev/zero"):
            ruleset.allow_path(device, AccessFS.READ_FILE | AccessFS.WRITE_FILE)
        ruleset.allow_path(work, reading | _writing(AccessFS))
        yield ruleset.fileno()


def _writing(access: Any) -> Any:
    return (
        access.WRITE_FILE
        | access.TRUNCATE
        | access.MAKE_REG
        | access.MAKE_DIR
        | access.REMOVE_FILE
        | access.REMOVE_DIR
        | access.MAKE_SYM
    )


@cache
def _libraries() -> tuple[Path, ...]:
    """Folders of shared libraries; not all of /usr, where the system's other programs lie."""
    return tuple(
        path
        for path in map(Path, ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib"))
        if path.is_dir()
    )


@contextmanager
def folder(owner: int | None) -> Iterator[Path]:
    """A folder that the code may write to, gone afterwards."""
    path = Path(tempfile.mkdtemp(prefix="gumption-"))
    try:
        if owner is not None:
            os.chown(path, owner, owner)
        yield path
    finally:
        # Removal goes by open folders, so no link that the code left leads out.
        _unlock(path)
        shutil.rmtree(path)


def _unlock(path: Path) -> None:
    """Folders are removed whatever mode the code gave them."""
    for folder, below, _ in os.walk(path):
        for name in below:
            inner = Path(folder, name)
            if not inner.is_symlink():
                inner.chmod(0o700)


def uid() -> int | None:
    """The user that the code becomes: one of no user's, drawn for each call; None where we are not root."""
    return random.SystemRandom().randint(*_UIDS) if os.geteuid() == 0 else None


def closed_home(packages: tuple[str, ...], data: Path | None) -> bool:
    """Whether the interpreter, a package or the data are where other users cannot go."""
    paths = (interpreter().prefix, *package_paths(packages), *([data.resolve()] if data else []))
    folders = (part for path in paths for part in (path, *path.parents) if part.is_dir())
    return any(not part.stat().st_mode & S_IXOTH for part in folders) or (data is not None and closed(data))


def tasks_of_user() -> int:
    """Processes and threads of our user, which count against its limit."""
    total, me = 0, os.geteuid()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == me:
                    total += sum(1 for _ in os.scandir(f"{entry.path}/task"))
            except OSError:
                continue  # it ended meanwhile
    return total


def written(path: Path) -> int:
    """Bytes on the disk below a folder, links not followed. Infinite beyond a number of files."""
    total, seen, left = 0, 0, [path]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > _MOST_FILES:
                        return 2**62
                    if entry.is_dir(follow_symlinks=False):
                        left.append(Path(entry.path))
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512 + 256
        except OSError:
            continue  # removed meanwhile
    return total
