"""`gumption pool new`: what it writes loads and passes its own test as written, in a checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gumption.benchmarks.template import write_benchmark
from gumption.records import GumptionError

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What of this repository a benchmark's test needs, in a place where it may be changed."""
    shutil.copytree(
        REPOSITORY / "src" / "gumption",
        tmp_path / "src" / "gumption",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "tests" / "benchmarks").mkdir(parents=True)
    for name in ("conftest.py", "oracle_runs.py"):
        shutil.copy(REPOSITORY / "tests" / "benchmarks" / name, tmp_path / "tests" / "benchmarks")
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    return tmp_path


def run_in(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_test_that_is_written_passes_as_written(checkout: Path) -> None:
    made = run_in(checkout, "gumption", "pool", "new", "wide-world-9")
    assert made.returncode == 0, made.stderr
    test = "tests/benchmarks/test_wide_world_9.py"
    assert test in made.stdout
    ran = run_in(checkout, "pytest", "-q", "-p", "no:cacheprovider", test)
    assert ran.returncode == 0 and "8 passed" in ran.stdout, ran.stdout
    opened = run_in(
        checkout, "gumption", "run", "wide-world-9", "--model", "baseline/random", "--from", "tests"
    )
    assert opened.returncode == 2 and "OWNER/wide-world-9" in opened.stderr


def test_the_registry_stays_in_order_and_in_one_piece(checkout: Path) -> None:
    for name in ("aaa", "zzz", "mmm"):
        write_benchmark(name, checkout)
    text = (checkout / "src/gumption/benchmarks/registry.py").read_text()
    found = re.findall(r'^    "([a-z0-9-]+)": "gumption\.', text, re.MULTILINE)
    assert found == sorted(found) and {"aaa", "mmm", "zzz", "blink"} <= set(found)
    compile(text, "registry.py", "exec")


@pytest.mark.parametrize("name", ["Blink", "../x", "a b", "", "-a", "x" * 300, "blink", "hub_x", "é"])
def test_a_bad_or_taken_name_writes_nothing(checkout: Path, name: str) -> None:
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    with pytest.raises(GumptionError) as error:
        write_benchmark(name, checkout)
    assert error.value.remedy
    assert {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()} == before


def test_elsewhere_it_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="no checkout") as error:
        write_benchmark("mine", tmp_path)
    assert "clone" in error.value.remedy and not list(tmp_path.iterdir())
