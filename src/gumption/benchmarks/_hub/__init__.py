"""Getting a benchmark's data: from a folder, from the cache, or downloaded; and reading them row by row.

A loader is three steps, and never holds more than a few rows:

    folder = fetch(SOURCE, data)
    shelf = Shelf(folder)
    for row in rows(folder, "data/test-*.parquet", {"id": "int", "question": "text", "image": "image"}):
        picture = shelf.image(row["image"])
"""

from gumption.benchmarks._hub.rows import Row, rows
from gumption.benchmarks._hub.shelf import Shelf
from gumption.benchmarks._hub.source import Source, fetch, provenance

__all__ = ["Row", "Shelf", "Source", "fetch", "provenance", "rows"]
