"""What benchmarks unpack and take apart goes into a folder of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUMPTION_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
