"""What benchmarks unpack and take apart goes into a folder of the tests' own; one drawn set for all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gumption.benchmarks.tabletop import draw_suite
from gumption.suites import Suite


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUMPTION_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """The tabletop's questions about 200 scenes."""
    return draw_suite(tmp_path_factory.mktemp("tabletop"), scenes=200, seed=3)
