"""Fixtures that every room's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def public_data() -> Path:
    """The folder of public data sets, which is not part of the repository."""
    folder = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no public data at {folder}: set GUMPTION_PUBLIC_DATA to the folder that holds it")
    return folder


@pytest.fixture(scope="session")
def cases() -> Path:
    """Hard small inputs with the right answer."""
    return Path(__file__).parent / "cases"
