"""Running an oracle of known accuracy over a suite that a test wrote, for its scorecard."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image as Pillow

from gumption.models import open_judge, open_models
from gumption.ranking import scorecard
from gumption.records import Episode, Item, Reply, Score, Scorecard
from gumption.running import run
from gumption.suites import Suite

__all__ = ["card_of", "hub_pictures", "picture", "scored", "write_parquet"]


def card_of(suite: Suite, folder: Path, accuracy: float, *, judged: bool = False) -> Scorecard:
    """The scorecard of `baseline/oracle` of that accuracy, with an oracle for the judge."""
    (model,) = open_models("baseline/oracle", accuracy=accuracy)
    judge = open_judge("baseline/oracle") if judged else None
    return scorecard(run(suite, model, folder, judge=judge).folder)


def scored(episode: Episode, item: Item, *texts: str, status: str = "ok") -> Score:
    """What an episode makes of these replies, one a question."""
    next(episode)
    try:
        for text in texts:
            episode.send((Reply(item.id, text=text, status=status),))  # type: ignore[arg-type]
    except StopIteration as stop:
        score: Score = stop.value
        return score
    raise AssertionError("the episode asks for more")


def picture(pixels: Any, format: str = "PNG", **options: Any) -> bytes:
    """The file of a picture of these grey or colour values."""
    file = io.BytesIO()
    Pillow.fromarray(np.asarray(pixels, np.uint8)).save(file, format, **options)
    return file.getvalue()


def hub_pictures(files: Sequence[bytes]) -> pa.Array:
    """A column as data sets on the hub have pictures: a struct of bytes and path."""
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    return pa.array([{"bytes": file, "path": None} for file in files], kind)


def write_parquet(path: Path, columns: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(dict(columns)), path)
