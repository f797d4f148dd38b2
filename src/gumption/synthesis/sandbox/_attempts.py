# Given to the interpreter inside a sandbox as text: tries what a sandbox has to deny, returns what succeeded.

from collections.abc import Callable


def main(told: dict[str, object]) -> list[str]:
    import ctypes
    import os
    import socket

    succeeded: list[str] = []

    def attempt(name: str, function: Callable[[], object]) -> None:
        try:
            if function() is not False:
                succeeded.append(name)
        except (OSError, ValueError):
            pass

    def read(path: object) -> bool:
        with open(str(path), "rb") as file:
            return bool(file.read(1))

    def write(path: str) -> bool:
        with open(path, "wb") as file:
            file.write(b"x")
        return True

    def connect() -> bool:
        with socket.create_connection(("127.0.0.1", int(str(told["port"]))), timeout=1):
            return True

    def others() -> bool:
        mine = {str(os.getpid()), str(os.getppid()), "1", "2"}
        return any(
            name.isdigit() and name not in mine and read(f"/proc/{name}/status")
            for name in os.listdir("/proc")
        )

    libc = ctypes.CDLL(None, use_errno=True)
    parent = int(str(told["parent"]))
    attempt("reads a private file", lambda: read(told["secret"]))
    attempt("reads /etc/passwd", lambda: read("/etc/passwd"))
    attempt("writes outside its folder", lambda: write(str(told["outside"])))
    attempt("writes to /usr", lambda: write("/usr/lib/gumption-probe"))
    attempt("reaches loopback", connect)
    attempt("makes a socket", lambda: bool(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)))
    attempt("sees other processes", others)
    attempt("sees the environment", lambda: str(told["mark"]) in os.environ.values())
    attempt("signals the caller", lambda: os.kill(parent, 0))
    attempt("makes a namespace", lambda: libc.unshare(0x10000000) == 0)
    attempt("traces a process", lambda: libc.ptrace(0, 0, 0, 0) == 0)
    attempt("becomes root", lambda: os.setuid(0))
    return succeeded
