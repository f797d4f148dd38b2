"""A key in the environment, so that tests can look for it where it must not be, and stand-in servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asking import KEY
from stand_ins import gone, install, starts


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def serving_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`vllm` and `sglang` are stand-ins, none of which is left when the test is over."""
    for name, value in install(tmp_path).items():
        monkeypatch.setenv(name, value)
    yield
    for start in starts(tmp_path):
        assert gone(start["pid"]) and (start["child"] is None or gone(start["child"]))
