"""A PostgreSQL server of our own, on a socket in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


def program(name: str) -> str | None:
    """The newest that Debian has, else whatever is on the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    return str(versions[-1]) if versions else shutil.which(name)


@contextmanager
def postgres(*settings: str) -> Iterator[str]:
    """The address of an empty database until the block ends. `settings` as in "fsync=off".

    Raises FileNotFoundError where there is no server program.
    """
    initdb, server = program("initdb"), program("postgres")
    if initdb is None or server is None:
        raise FileNotFoundError("no PostgreSQL server program: apt-get install postgresql")
    # Short, as a socket's path has to be, and not in a folder that only its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="gumption-pg-"))
    try:
        user = _as_user(folder)
        data = str(folder / "data")
        made = [*user, initdb, "-D", data, "-U", "gumption", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(made, check=True, capture_output=True, cwd="/", timeout=120)
        options = [word for setting in ("listen_addresses=", *settings) for word in ("-c", setting)]
        started = [*user, server, "-D", data, "-k", str(folder), *options]
        log = (folder / "log").open("wb")
        with log, subprocess.Popen(started, stdout=log, stderr=log, cwd="/") as process:
            try:
                _wait_for(folder, process)
                yield f"postgresql://gumption@/postgres?host={folder}"
            finally:
                process.send_signal(signal.SIGQUIT)
                process.wait(60)
    finally:
        shutil.rmtree(folder)


def _as_user(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root: who it is to run as, as the beginning of a command."""
    if os.geteuid() != 0:
        return []
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def _wait_for(folder: Path, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, (folder / "log").read_text()
        try:
            with psycopg.connect(host=str(folder), user="gumption", dbname="postgres"):
                return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise AssertionError((folder / "log").read_text())
