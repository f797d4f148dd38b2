"""Keeps a server only for as long as its starter lives, and leaves nothing of it behind.

    python _guard.py GRACE LOG COMMAND...

A program of its own, of the standard library alone. The starter holds the other end of its standard input:
when that end closes, however the starter ended, the server gets a signal to end and GRACE seconds to do so,
and then everything that descends from it is killed. What the server prints goes to LOG, less the secrets of
the environment. Ends with the server's code, or with 128 + N after signal N. Should the guard itself be
killed, Linux kills the server with it.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

LONGEST_LOG = 64 << 20
"""Bytes; what was written before is kept as LOG.1 until as much again has come."""
_LINE = 64 << 10
_SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_SHORTEST_SECRET = 6
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> int:
    grace_s, log, *command = sys.argv[1:]
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: over.set())
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    guard = os.getpid()
    try:
        server = subprocess.Popen(  # noqa: S603 - no shell, and the starter's own command
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
            preexec_fn=lambda: _die_with(guard),  # noqa: PLW1509 - there is one thread yet
        )
    except OSError as error:
        with Path(log).open("ab") as file:
            file.write(f"{command[0]}: {error.strerror}\n".encode())
        return 127
    assert server.stdout
    copying = threading.Thread(target=_copy, args=(server.stdout, Path(log)), daemon=True)
    copying.start()
    threading.Thread(target=_watch, args=(over,), daemon=True).start()
    while server.poll() is None and not over.wait(0.05):
        pass
    _end(server, float(grace_s))
    copying.join(2.0)
    code = server.returncode
    return code if code >= 0 else 128 - code


def _watch(over: threading.Event) -> None:
    """Until the starter lets go of the other end."""
    while os.read(0, 1024):
        pass
    over.set()


def _copy(printed: BinaryIO, log: Path) -> None:
    secrets = [
        value.encode()
        for name, value in os.environ.items()
        if any(word in name.upper() for word in _SECRETS) and len(value) >= _SHORTEST_SECRET
    ]
    file = log.open("ab", buffering=0)
    for line in iter(lambda: printed.readline(_LINE), b""):
        told = line
        for secret in secrets:
            told = told.replace(secret, b"***")
        try:
            if file.tell() > LONGEST_LOG:
                log.replace(f"{log}.1")
                file.close()
                file = log.open("ab", buffering=0)
            file.write(told)
        except (OSError, ValueError):
            continue  # a log that cannot be written is no reason to let the server wait: the pipe is read on
    file.close()


def _end(server: "subprocess.Popen[bytes]", grace_s: float) -> None:
    _signal(server.pid, signal.SIGTERM)
    until = time.monotonic() + grace_s
    while server.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    _signal(server.pid, signal.SIGKILL)
    server.wait()
    # What the server left behind is now a child of ours, in whatever group it is.
    while left := _children():
        for child in left:
            try:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            except (ProcessLookupError, ChildProcessError):
                continue


def _signal(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left in it


def _children() -> list[int]:
    """Processes whose parent is this one; none where the system has no /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_bytes()
        except OSError:
            continue
        if int(stat.rpartition(b")")[2].split()[1]) == os.getpid():
            found.append(int(folder.name))
    return found


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _die_with(guard: int) -> None:
    """In the server, before it is one: end with the guard, should that be killed."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != guard:
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
