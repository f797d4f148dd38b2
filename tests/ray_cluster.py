"""One Ray cluster for a whole test session, whichever of its processes asks first; and its workers.

`python tests/ray_cluster.py FILE PID` holds one: it writes to FILE how to join it, and ends with the process
PID.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from unittest import mock

import pytest

from gumption.executors import Executor, open_executor

__all__ = ["joined", "kill_workers", "wait_until", "workers"]


@contextmanager
def joined() -> Iterator[Executor]:
    """This process as a driver on the session's cluster of two workers; what it starts may join it too."""
    pytest.importorskip("ray", reason="needs the extra [ray]")
    with mock.patch.dict(os.environ, _way_in()):
        # Ray looks at the mode once, when it is imported, which other tests may have done.
        import_module("ray._raylet").Config.initialize("")
        with open_executor("ray") as executor:
            yield executor


def workers(title: str) -> list[int]:
    """The processes of this driver's workers that are called so, such as "ray::_Kept.do"."""
    import ray

    mine = f"RAY_JOB_ID={ray.get_runtime_context().get_job_id()}".encode()
    found = []
    for process in Path("/proc").iterdir():
        try:
            if not process.name.isdecimal() or not (process / "cmdline").read_text().startswith(title):
                continue
            # Those that were started ahead, and then given to whoever came first, have the job of nobody.
            job = [line for line in (process / "environ").read_bytes().split(b"\0") if b"RAY_JOB_ID=" in line]
            if job in ([], [mine]) or set(job[0][11:]) == {ord("f")}:
                found.append(int(process.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it has ended meanwhile, or is nobody's business
    return found


def kill_workers(title: str, *, most: int = 1000) -> list[int]:
    """Kill workers that are called so, and say which."""
    killed = workers(title)[:most]
    for process in killed:
        os.kill(process, signal.SIGKILL)
    return killed


def wait_until(condition: object) -> None:
    """Until the condition, a function, holds; not for ever."""
    assert callable(condition)
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def _way_in() -> dict[str, str]:
    """Variables that lead to the cluster, which is started by the first process that asks for it."""
    session = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    # The processes of a session have one parent, which outlives them.
    owner = os.getppid() if session else os.getpid()
    file = Path(tempfile.gettempdir()) / f"gumption-ray-cluster-{session or owner}"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            holder = ["setsid", "--fork", sys.executable, __file__, str(file), str(owner)]
            # Workers import what tests import.
            subprocess.run(holder, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=True)
            wait_until(file.exists)
    return json.loads(file.read_text())


def _hold(file: Path, owner: int) -> None:
    import ray

    os.environ.pop("RAY_ADDRESS", None)
    try:
        with open_executor("ray", workers=2):
            way = {
                "RAY_ADDRESS": ray.get_runtime_context().gcs_address,
                "RAY_AUTH_MODE": "token",
                "RAY_AUTH_TOKEN": os.environ["RAY_AUTH_TOKEN"],
            }
            new = file.with_suffix(".new")
            new.touch(mode=0o600)
            new.write_text(json.dumps(way))
            new.replace(file)
            while Path(f"/proc/{owner}").exists():
                time.sleep(0.1)
    finally:
        file.unlink(missing_ok=True)
        file.with_suffix(".lock").unlink(missing_ok=True)


if __name__ == "__main__":
    _hold(Path(sys.argv[1]), int(sys.argv[2]))
