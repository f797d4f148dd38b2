"""A quicker start of the command line. A program that imports gumption keeps its own settings."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from types import ModuleType

__all__ = ["collect_less", "spare_pandas"]

_YOUNG = 20_000
"""Objects between two looks for garbage, for Python's 700."""


def collect_less() -> None:
    """Modules make objects that stay: to look through them every 700 takes a sixth of the start."""
    gc.set_threshold(_YOUNG, 10, 10)


def spare_pandas() -> None:
    """Let Arrow make its first array, before which it loads pandas where that is installed.

    That takes .3 s and 35 MB, and no verb needs it. Arrow looks for it once, its Python and its C++ each.
    """
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    hidden = _NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.array([""])
    finally:
        sys.meta_path.remove(hidden)


class _NoPandas:
    """Says of pandas, and of nothing else, that it is not there."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:  # noqa: ARG002
        if name == "pandas":
            raise ModuleNotFoundError(f"{name} is hidden from Arrow", name=name)
