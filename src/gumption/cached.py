"""Where what can be had again is kept: vectors, downloads, pictures, runs fetched from elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """`$GUMPTION_CACHE`, else ~/.cache/gumption. It may not be there yet."""
    return Path(os.environ.get("GUMPTION_CACHE") or Path.home() / ".cache" / "gumption")
