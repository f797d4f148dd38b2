"""Code that means harm, under every mechanism that this machine has: each probe must be denied."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gumption.synthesis.sandbox import Limits, SandboxResult, run_sandboxed
from gumption.synthesis.sandbox.mechanisms import ORDER, _problem

DENIALS = ("PermissionError", "FileNotFoundError", "ProcessLookupError", "OSError", "gaierror")
NAMED = "import ctypes\nctypes.CDLL(None).prctl(15, x.encode(), 0, 0, 0)\n"
"""Gives the process and its children the name that the function is called with."""
SMALL = Limits(wall_s=5, memory_mb=256, processes=8, disk_mb=4, output_kb=64)


@pytest.fixture(params=ORDER)
def mechanism(request: pytest.FixtureRequest) -> str:
    problem = _problem(request.param)
    assert problem == "", problem
    return str(request.param)


def attack(mechanism: str, body: str, given: object = None, limits: Limits = SMALL) -> SandboxResult:
    """Run `body`, the inside of a function that is called with `x`."""
    lines = "\n    ".join(body.strip().splitlines())
    return run_sandboxed(f"import os\ndef main(x):\n    {lines}\n", [given], limits, mechanism=mechanism)


def denied(mechanism: str, body: str, given: object = None) -> None:
    """The body raises an OSError, or returns "denied"."""
    result = attack(mechanism, body, given)
    if result.ok:
        assert result.output == ["denied"]
    else:
        assert result.error == "crash", (result.error, result.detail)
        assert any(name in result.detail for name in DENIALS), result.detail


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text("the key")
    path.chmod(0o644)
    return path


def test_files_of_others_are_not_read(mechanism: str, secret: Path) -> None:
    denied(mechanism, "return open(x).read()", str(secret))
    for path in ("/etc/shadow", "/etc/passwd", str(Path.home() / ".bashrc"), str(Path(__file__))):
        denied(mechanism, "return open(x).read()[:10]", path)


def test_nothing_outside_is_written_removed_or_renamed(mechanism: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    there = tmp_path / "there.txt"
    there.write_text("mine")
    there.chmod(0o666)
    denied(mechanism, "open(x, 'w').write('harm')", str(tmp_path / "new.txt"))
    denied(mechanism, "open(x, 'a').write('harm')", str(there))
    denied(mechanism, "os.unlink(x)", str(there))
    denied(mechanism, "os.rename(x, x + '2')", str(there))
    denied(mechanism, "os.truncate(x, 0)", str(there))
    denied(mechanism, "os.chmod(x, 0o777)", str(there))
    denied(mechanism, "os.utime(x, (0, 0))", str(there))
    denied(mechanism, "os.mkdir(x)", str(tmp_path / "folder"))
    for place in ("/usr/lib/harm", "/etc/harm", "/harm", "/dev/shm/harm"):
        if place != "/dev/shm/harm" or mechanism == "landlock":
            denied(mechanism, "open(x, 'w').write('harm')", place)
    assert there.read_text() == "mine"
    assert there.stat().st_mode & 0o777 == 0o666
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.txt"]


def test_processes_of_others_are_out_of_sight(mechanism: str) -> None:
    denied(mechanism, "return open(f'/proc/{x}/cmdline').read()", os.getpid())
    denied(mechanism, "return open(f'/proc/{x}/environ').read()", os.getpid())
    denied(
        mechanism,
        "found = [n for n in os.listdir('/proc') if n.isdigit() and int(n) > 20]\nreturn found or 'denied'",
    )


def test_the_environment_is_ours_alone(mechanism: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = attack(mechanism, "return dict(os.environ)")
    assert result.ok
    assert "sk-secret" not in str(result.output)
    assert set(result.output[0]) <= {
        "HOME",
        "LANG",
        "LC_CTYPE",
        "LD_LIBRARY_PATH",
        "MKL_NUM_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "PATH",
        "PWD",
        "PYTHONHASHSEED",
        "TMPDIR",
    }


@pytest.fixture
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_there_is_no_network(mechanism: str, listener: int, tmp_path: Path) -> None:
    denied(
        mechanism,
        "import socket\nsocket.create_connection(('127.0.0.1', x), 1)\nreturn 'connected'",
        listener,
    )
    denied(mechanism, "import socket\nsocket.create_connection(('192.0.2.1', 80), 1)\nreturn 'connected'")
    for kind in (
        "socket.AF_INET, socket.SOCK_DGRAM",
        "socket.AF_UNIX, socket.SOCK_STREAM",
        "socket.AF_NETLINK, 3",
    ):
        denied(mechanism, f"import socket\nsocket.socket({kind})\nreturn 'made'")
    denied(mechanism, "import socket\nsocket.getaddrinfo('example.org', 80)\nreturn 'resolved'")


def test_a_fork_bomb_is_stopped(mechanism: str) -> None:
    result = attack(mechanism, "while True:\n    os.fork()")
    assert result.error == "processes"
    # One that takes no notice of failures, and waits in the background.
    mark = _mark()
    result = attack(
        mechanism,
        NAMED
        + "import time\n"
        + "for _ in range(100):\n"
        + "    try:\n"
        + "        if os.fork() == 0:\n"
        + "            time.sleep(60)\n"
        + "    except OSError:\n"
        + "        pass\n"
        + "return 'done'",
        mark,
        Limits(wall_s=30, processes=8),
    )
    assert result.wall_s < 30
    assert not _left(mark)


def test_threads_count_too(mechanism: str) -> None:
    result = attack(
        mechanism,
        "import threading, time\n"
        "for _ in range(100):\n"
        "    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
        "return 'done'",
    )
    assert result.error == "processes"


def test_a_memory_bomb_is_stopped(mechanism: str) -> None:
    assert attack(mechanism, "return len(bytearray(10**9))").error == "memory"
    assert (
        attack(mechanism, "found = []\nwhile True:\n    found.append('x' * 10**6 + str(len(found)))").error
        == "memory"
    )


def test_memory_of_all_processes_is_summed(mechanism: str) -> None:
    result = attack(
        mechanism,
        "import time\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        kept = bytearray(os.urandom(1) * (120 * 2**20))\n"
        "        time.sleep(20)\n"
        "time.sleep(20)",
    )
    assert result.error == "memory"
    assert result.wall_s < 5


def test_a_disk_is_not_filled(mechanism: str) -> None:
    result = attack(mechanism, "open('a', 'wb').write(b'x' * 10**7)")
    assert result.error == "disk"
    many = "n = 0\nwhile True:\n    open(str(n), 'wb').write(b'x' * 10**5)\n    n += 1"
    assert attack(mechanism, many).error == "disk"


def test_what_is_written_is_gone(mechanism: str) -> None:
    assert attack(mechanism, "open('kept', 'w').write('x')\nreturn os.listdir('.')").output == [["kept"]]
    assert attack(mechanism, "return os.listdir('.')").output == [[]]


def test_no_tracing_and_no_other_memory(mechanism: str) -> None:
    tracing = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.ptrace({0}, {1}, 0, 0) == 0:\n"
        "    return 'traced'\n"
        "return 'denied'"
    )
    denied(mechanism, tracing.format(0, 0))
    denied(mechanism, tracing.format(16, os.getpid()))
    for number in (310, 311, 101, 272, 321, 298, 250, 165, 425, 304, 434, 438):
        # process_vm_readv and writev, ptrace, unshare, bpf, perf, keyctl, mount, io_uring, open_by_handle,
        # pidfd_open and getfd, on x86-64; on other machines other calls, which must be refused as well.
        body = (
            "import ctypes\n"
            f"found = ctypes.CDLL(None, use_errno=True).syscall({number}, 0, 0, 0, 0, 0, 0)\n"
            "return 'denied' if found < 0 and ctypes.get_errno() == 1 else found"
        )
        denied(mechanism, body)


def test_no_other_user_and_no_rights(mechanism: str) -> None:
    denied(mechanism, "os.setuid(0)\nreturn os.getuid()")
    result = attack(mechanism, "return [os.getuid(), os.geteuid(), os.getgid(), os.getgroups()]")
    uid, effective, gid, groups = result.output[0]
    assert uid == effective != 0
    assert gid != 0
    assert 0 not in groups
    assert attack(mechanism, "return os.access('/usr/bin/su', os.W_OK)").output == [False]


def test_no_new_namespaces(mechanism: str) -> None:
    for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000):
        denied(
            mechanism,
            f"import ctypes\nreturn 'denied' if ctypes.CDLL(None).unshare({flag}) < 0 else 'made'",
        )
    clone = "ctypes.CDLL(None).syscall(56, 0x10000000 | 17, 0, 0, 0, 0)"
    denied(mechanism, f"import ctypes\nreturn 'denied' if {clone} < 0 else 'made'")


def test_links_lead_nowhere(mechanism: str, secret: Path) -> None:
    denied(mechanism, "os.symlink(x, 'link')\nreturn open('link').read()", str(secret))
    denied(mechanism, "os.link(x, 'hard')\nreturn open('hard').read()", str(secret))
    attack(
        mechanism,
        "os.symlink(x, 'link')\nos.mkdir('locked')\nos.symlink(x, 'locked/link')",
        str(secret.parent),
    )
    assert secret.read_text() == "the key"


def test_the_caller_is_not_signalled(mechanism: str) -> None:
    got: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: got.append(number))
    try:
        denied(mechanism, "import signal\nos.kill(x, signal.SIGUSR1)", os.getpid())
        attack(mechanism, "import signal\nos.kill(-1, signal.SIGUSR1)")
        attack(mechanism, "import signal\nos.kill(os.getppid(), signal.SIGKILL)")
        attack(mechanism, "import signal\nos.killpg(0, signal.SIGKILL)")
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert got == []


def test_a_terminal_gets_no_control_characters(mechanism: str) -> None:
    result = attack(mechanism, "print('\\x1b]0;owned\\x07\\x1b[2J')\nraise ValueError('\\x1b[31mred\\u202e')")
    assert "\x1b" not in result.printed + result.detail
    assert "\x07" not in result.printed
    assert "\u202e" not in result.detail
    body = "import fcntl\nfcntl.ioctl(0, 0x5412, b'x')\nreturn 'typed'"
    denied(mechanism, body)


def test_endless_output_is_cut(mechanism: str) -> None:
    assert attack(mechanism, "while True:\n    print('x' * 10000)").error == "output"
    assert attack(mechanism, "return 'x' * 10**6").error == "output"
    assert len(attack(mechanism, "print('x' * 60000)").printed) <= 16 * 1024


@pytest.mark.parametrize(
    "body",
    [
        "return {1, 2}",
        "return float('nan')",
        "return object()",
        "a = []\na.append(a)\nreturn a",
        "return '\\ud800'",
    ],
)
def test_what_is_no_json_is_a_bad_result(mechanism: str, body: str) -> None:
    result = attack(mechanism, body)
    assert (result.error, result.output) == ("bad_result", [])


@pytest.mark.parametrize(
    "line",
    [
        '["result", 1]\\n["result", 2]\\n["done", 1]',
        "not json",
        '{"a": 1}',
        '["done", 0]',
        "[" * 5000,
        '["result", ' + "[" * 5000,
        "\\x80\\x04\\x95",
    ],
)
def test_a_result_that_lies_is_found_out(mechanism: str, line: str) -> None:
    lie = line.encode("latin-1").decode("unicode_escape").encode("latin-1") + b"\n"
    forge = (
        "for fd in range(3, 1024):\n"
        "    try:\n"
        f"        os.write(fd, {lie!r})\n"
        "    except OSError:\n"
        "        pass\n"
        "return 'after'"
    )
    result = attack(mechanism, forge)
    assert result.error in {"bad_result", "crash"}
    assert len(result.output) <= 1


def test_time_outs_cannot_be_ignored(mechanism: str) -> None:
    start = time.monotonic()
    body = (
        "import signal, time\n"
        "for number in range(1, 32):\n"
        "    try:\n"
        "        signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n"
        "        pass\n"
        "while True:\n"
        "    pass"
    )
    result = attack(mechanism, body, limits=Limits(wall_s=1))
    assert result.error == "timeout"
    assert time.monotonic() - start < 5
    assert attack(mechanism, "import time\ntime.sleep(30)", limits=Limits(wall_s=0.5)).error == "timeout"


def test_detached_children_end_with_the_call(mechanism: str) -> None:
    body = (
        NAMED
        + "import time\n"
        + "if os.fork() == 0:\n"
        + "    os.setsid()\n"
        + "    if os.fork() == 0:\n"
        + "        for fd in range(20):\n"
        + "            try:\n"
        + "                os.close(fd)\n"
        + "            except OSError:\n"
        + "                pass\n"
        + "        time.sleep(77)\n"
        + "    os._exit(0)\n"
        + "time.sleep(1)\n"
        + "return 'left'"
    )
    mark, results = _mark(), []
    call = threading.Thread(target=lambda: results.append(attack(mechanism, body, mark, Limits(wall_s=30))))
    call.start()
    seen = False
    while call.is_alive():
        seen = seen or len(_left(mark)) > 1
        time.sleep(0.02)
    assert seen  # or the last line proves nothing
    assert results[0].output == ["left"]
    assert results[0].wall_s < 30
    assert not _left(mark)


def test_streams_that_are_closed_do_not_hang_the_caller(mechanism: str) -> None:
    result = attack(mechanism, "import time\nos.closerange(0, 30)\ntime.sleep(60)", limits=Limits(wall_s=2))
    assert not result.ok
    assert result.wall_s < 5


@pytest.mark.parametrize(
    "leave", ["os._exit(0)", "raise SystemExit(0)", "os.abort()", "import sys\nsys.exit(3)"]
)
def test_leaving_early_is_a_crash(mechanism: str, leave: str) -> None:
    assert attack(mechanism, leave).error == "crash"


def test_a_crash_of_the_interpreter_is_one(mechanism: str) -> None:
    assert attack(mechanism, "import ctypes\nctypes.string_at(0)").error == "crash"
    assert attack(mechanism, "def f(n):\n    return f(n + 1)\nreturn f(0)").error == "crash"


def test_two_calls_do_not_share_their_limits(mechanism: str) -> None:
    results: list[SandboxResult] = []
    body = (
        "import time\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(0.5)\n"
        "        os._exit(0)\n"
        "time.sleep(0.3)\n"
        "return 1"
    )

    def one() -> None:
        results.append(attack(mechanism, body))

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.error for result in results] == [None] * 4


def _mark() -> str:
    return f"g{os.urandom(6).hex()}"


def _left(mark: str) -> list[int]:
    """Processes of that name."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "comm").read_text().strip() == mark:
                    found.append(int(entry.name))
            except OSError:
                continue  # it ended meanwhile
    return found
