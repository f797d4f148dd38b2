"""The sandbox as an ordinary user, inside another sandbox, and where there is none at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

import gumption
from gumption.records import GumptionError
from gumption.synthesis.sandbox import Limits, mechanisms, run_sandboxed
from gumption.synthesis.sandbox._bubblewrap import program

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")

SHOW = """
import json
from gumption.synthesis.sandbox import run_sandboxed, tried
found = [(one.mechanism, one.problem) for one in tried()]
result = run_sandboxed("import os, numpy\\ndef main(x): return [x + 1, os.getuid()]", [1])
bomb = run_sandboxed("import os\\ndef main(x):\\n    while True: os.fork()", [1])
print(json.dumps([found, result.mechanism, result.output, result.error, bomb.error]))
"""


def as_user(tmp_path: Path, within: str = "") -> tuple[list[tuple[str, str]], str, list[list[int]], str, str]:
    """Run SHOW as user 12345, who can go neither to root's home nor to this checkout: the interpreter, the
    packages and the sources are mounted at other places first."""
    (tmp_path / "show.py").write_text(SHOW)
    places = {
        "python": Path(sys.base_prefix).resolve(),
        "site": Path(sysconfig.get_path("purelib")),
        "source": Path(gumption.__file__).parents[1],
    }
    mounts = "\n".join(
        f"mkdir -p /mnt/{name} && mount --bind '{path}' /mnt/{name}" for name, path in places.items()
    )
    python = f"/mnt/python/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    script = f"""set -e
    mount -t tmpfs tmpfs /mnt
    {mounts}
    cp '{tmp_path / "show.py"}' /mnt/show.py
    cd /
    exec setpriv --reuid=12345 --regid=12345 --clear-groups --bounding-set=-all {within} \\
        env -i PATH=/usr/bin:/bin TMPDIR=/var/tmp PYTHONPATH=/mnt/source:/mnt/site {python} /mnt/show.py
    """
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    found, mechanism, output, error, bomb = json.loads(done.stdout)
    assert error is None
    return [tuple(one) for one in found], mechanism, output, error, bomb


@as_root
def test_an_ordinary_user_gets_bubblewrap(tmp_path: Path) -> None:
    found, mechanism, output, _, bomb = as_user(tmp_path)
    assert found == [("bubblewrap", "")]
    assert mechanism == "bubblewrap"
    assert output == [[2, 65534]]
    assert bomb == "processes"


@as_root
def test_where_namespaces_are_denied_the_second_mechanism_takes_over(tmp_path: Path) -> None:
    """Inside bubblewrap with --disable-userns, as an ordinary user."""
    bwrap = program()
    assert bwrap is not None
    site = Path(sysconfig.get_path("purelib"))
    there = Path("/mnt/site", bwrap.relative_to(site)) if site in bwrap.parents else bwrap
    outer = f"{there} --dev-bind / / --unshare-user --uid 12345 --gid 12345 --disable-userns"
    found, mechanism, output, _, bomb = as_user(tmp_path, outer)
    assert [name for name, _ in found] == ["bubblewrap", "landlock"]
    assert found[0][1]
    assert found[1][1] == ""
    assert mechanism == "landlock"
    assert output[0][0] == 2
    assert bomb == "processes"


@pytest.fixture
def no_mechanism(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    mechanisms.tried.cache_clear()
    monkeypatch.setattr(mechanisms, "_problem", lambda name: f"{name} is not there")
    yield
    mechanisms.tried.cache_clear()


@pytest.mark.usefixtures("no_mechanism")
def test_without_any_it_refuses_and_says_what_to_install() -> None:
    with pytest.raises(GumptionError) as refused:
        run_sandboxed("def main(x): return x", [1])
    assert "bubblewrap is not there; landlock" in refused.value.problem.replace("landlock:", "landlock")
    assert "gumption[sandbox]" in refused.value.remedy


@pytest.mark.usefixtures("no_mechanism")
def test_only_who_says_so_runs_unprotected() -> None:
    result = run_sandboxed("def main(x): return x", [1], mechanism="none")
    assert (result.output, result.mechanism) == ([1], "none")


def test_a_thousand_items_go_through_one_sandbox() -> None:
    result = run_sandboxed("def main(x): return x * x", list(range(1000)))
    assert result.output == [x * x for x in range(1000)]


def test_what_came_before_a_failure_is_kept() -> None:
    result = run_sandboxed("def main(x): return 6 / x", [1, 2, 0, 3])
    assert (result.output, result.error) == ([6.0, 3.0], "crash")
    assert "ZeroDivisionError" in result.detail


@pytest.mark.parametrize("code", ["", "main = 3", "def main(x) return x", "import nothing_of_the_kind"])
def test_code_that_cannot_run_is_a_crash(code: str) -> None:
    assert run_sandboxed(code, [1]).error == "crash"


def test_data_can_be_read_and_not_written(tmp_path: Path) -> None:
    (tmp_path / "mask.txt").write_text("white")
    tmp_path.chmod(0o700)  # as a home is
    for mechanism, place in (("bubblewrap", "/data"), ("landlock", str(tmp_path))):
        code = (
            "def main(x):\n"
            f"    open('{place}/new', 'w') if x else None\n"
            f"    return open('{place}/mask.txt').read()\n"
        )
        assert run_sandboxed(code, [0], data=tmp_path, mechanism=mechanism).output == ["white"]
        assert run_sandboxed(code, [1], data=tmp_path, mechanism=mechanism).error == "crash"
    assert [path.name for path in tmp_path.iterdir()] == ["mask.txt"]


@pytest.mark.parametrize("mechanism", mechanisms.ORDER)
def test_data_that_only_its_owner_reads_opens_nothing_else(tmp_path: Path, mechanism: str) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "mask.txt").write_text("white")
    (tmp_path / "data" / "mask.txt").chmod(0o600)
    (tmp_path / "secret.txt").write_text("key")
    place = "/data" if mechanism == "bubblewrap" else str(tmp_path / "data")
    code = "def main(x): return open(x).read()"
    assert run_sandboxed(code, [f"{place}/mask.txt"], data=tmp_path / "data", mechanism=mechanism).output == [
        "white"
    ]
    for path in (str(tmp_path / "secret.txt"), "/etc/shadow", f"{place}/../secret.txt", "/proc/1/environ"):
        assert run_sandboxed(code, [path], data=tmp_path / "data", mechanism=mechanism).error == "crash"
    by_handle = "import ctypes\ndef main(x): return ctypes.CDLL(None).syscall(304, 0, 0, 0)"
    assert run_sandboxed(by_handle, [0], data=tmp_path / "data", mechanism=mechanism).output == [-1]


@pytest.mark.parametrize(
    "limits", [{"wall_s": 0}, {"memory_mb": -1}, {"processes": 0}, {"output_kb": float("inf")}]
)
def test_limits_are_positive(limits: dict[str, float]) -> None:
    with pytest.raises(GumptionError):
        Limits(**limits)
