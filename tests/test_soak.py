"""The soak: what it calls growth, and a round of it."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("httpx", reason="needs the extra [rating]")
pytest.importorskip("fastapi", reason="needs the extra [rating]")

from benches._soak_watch import Watch, growth
from benches.soak import soak

NOISE = random.Random(1)


@given(st.lists(st.floats(0, 1e4), max_size=60), st.floats(0, 100))
def test_what_does_not_grow_has_no_growth(values: list[float], level: float) -> None:
    assert growth(sorted(values, reverse=True)) == 0
    assert growth([level] * len(values)) == 0
    assert growth(values[:8]) == 0


@given(st.integers(20, 400), st.floats(0.1, 10))
def test_a_leak_is_what_leaks(rounds: int, each: float) -> None:
    """So much a round, over the last three quarters."""
    assert growth([100 + each * n for n in range(rounds)]) == pytest.approx(each * 0.75 * rounds, rel=0.15)


def test_a_leak_is_seen_under_noise_and_peaks_are_none() -> None:
    noise = [NOISE.gauss(200, 8) for _ in range(200)]
    assert growth(noise) < 4
    assert growth([one + 0.5 * n for n, one in enumerate(noise)]) == pytest.approx(75, abs=8)
    # What is loaded in the beginning, and a peak now and then.
    assert growth([50.0 * min(n, 10) + 500 * (n % 37 == 0) for n in range(200)]) == 0


def test_a_process_that_leaks_is_found(tmp_path) -> None:
    """Two descriptors, a file and a megabyte a line."""
    leaking = (
        "import os, sys, pathlib\nkept = []\nfor number, line in enumerate(sys.stdin):\n"
        "    kept += [os.pipe(), bytearray(os.urandom(1 << 20))]\n"
        "    pathlib.Path(line.strip(), str(number)).write_text('x')\n    print(flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", leaking], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        watch = Watch({"leaking": process.pid, "this": os.getpid()}, {"place": tmp_path})
        for _ in range(60):
            print(tmp_path, file=process.stdin, flush=True)
            process.stdout.readline()
            watch.sample()
        process.stdin.close()
    found = {(one.whose, one.what): one.least for one in watch.findings() if one.whose != "this"}
    assert set(found) == {("leaking", "memory_mb"), ("leaking", "descriptors"), ("place", "files")}
    assert found["leaking", "descriptors"] == pytest.approx(90, rel=0.15)
    with pytest.raises(ProcessLookupError):
        watch.sample()


def test_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMPDIR", "GUMPTION_CACHE", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, os.environ.get(name, ""))  # the soak sets them; they are put back
    result = soak(0, seed=2)
    assert (result["rounds"], result["findings"]) == (1, [])
    # 60 questions of two models and of the command line; 6 plans that two people judge.
    assert result["requests"] >= 3 * 60 and result["kills"] >= 1 and result["ratings"] == 12
    assert set(result["seen"]) == {"worker", "rate serve", "soak", "temporary", "cache"}
