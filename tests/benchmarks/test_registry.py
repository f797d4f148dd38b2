"""Benchmarks by name, and what is said when there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gumption.benchmarks import get, names, official_of, open_suite
from gumption.records import Answer, GumptionError, Item


def test_every_name_opens_its_own_benchmark() -> None:
    for name in names():
        benchmark = get(name)
        assert benchmark.name == name and benchmark.licence and benchmark.rule


def test_a_benchmark_loads_when_it_is_named() -> None:
    code = (
        "import sys, gumption.benchmarks as b; b.names(); print('gumption.benchmarks.blink' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert out == "False\n"


def test_what_cannot_be_opened_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GUMPTION_PUBLIC_DATA", raising=False)
    with pytest.raises(GumptionError, match="neither a benchmark nor a file") as caught:
        open_suite("blnik")
    assert "blink" in caught.value.remedy
    with pytest.raises(GumptionError, match=r"no Art_Style/val-\*\.parquet") as caught:
        open_suite("blink", tmp_path)
    assert "BLINK-Benchmark/BLINK" in caught.value.remedy and "--data" in caught.value.remedy


def test_the_official_aggregate_is_one_benchmarks() -> None:
    blink, other = (Item(name, name, (), Answer("text")) for name in ("blink", "other"))
    assert official_of([blink]) == get("blink").official
    assert official_of([blink, other]) is None
    assert official_of([other]) is None
