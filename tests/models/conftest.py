"""A key in the environment, so that tests can look for it where it must not be."""

from __future__ import annotations

import pytest

from asking import KEY


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
