"""The vectors of pictures and clips: how they look, and where there is an encoder what it sees in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeAlias

import numpy as np

from gumption.curation._inputs import Vectors
from gumption.curation._picture_features import ID, Cells, Fingerprint, decoded, fingerprint, first_frames
from gumption.curation._vector_cache import VectorCache
from gumption.executors import Executor, LostShardError
from gumption.executors.batch import batch
from gumption.models.encoder import PictureEncoder
from gumption.records import GumptionError, Image, Video
from gumption.suites.media import Media

__all__ = ["SEEN_WEIGHT", "SLAB", "Looks", "checked", "mean", "unfit"]

SEEN_WEIGHT = 0.75
"""Of a picture encoder in a picture's vector; the rest is how the picture looks."""
SLAB = 2048
"""Pictures between two writes to the cache."""
_SHARD = 64
"""Pictures that one process is handed at once: some milliseconds each."""

Shown: TypeAlias = tuple[Image | Video, Path | None]
"""A picture or clip, and the file that its bytes are in where there is one."""


class Looks:
    """The vectors of distinct media, read one at a time."""

    def __init__(
        self, media: Media, encoder: PictureEncoder | None, cache: VectorCache | None, executor: Executor
    ) -> None:
        self._media, self._encoder, self._cache, self._executor = media, encoder, cache, executor
        self.id = f"{ID}+{encoder.id}" if encoder else ID
        self.vectors: dict[str, Vectors] = {}
        self.cells: dict[str, Cells] = {}
        self.unseen: dict[str, str] = {}

    def look(self, parts: Sequence[Image | Video], progress: Callable[[int, int], None] | None) -> None:
        for start in range(0, len(parts), SLAB):
            slab = parts[start : start + SLAB]
            found = self._known([part.sha256 for part in slab])
            missing = [(part, self._path(part)) for part in slab if part.sha256 not in found]
            made: dict[str, bytes] = {}
            seen = batch(
                self._executor, partial(_seeing, self._encoder), missing, most=_SHARD, lost=_lost, kept=True
            )
            for done, (place, data) in enumerate(seen, start + len(found) + 1):
                if data is not None:
                    made[missing[place][0].sha256] = data
                if progress:
                    progress(done, len(parts))
            for part in slab:
                key = part.sha256
                try:
                    # What another process could not see may be missing there only: what is seen here decides.
                    data = found.get(key) or made.get(key)
                    if data is None:
                        data = made[key] = _seen(part, self._path(part), self._encoder)
                except GumptionError as error:
                    self.unseen[key] = str(error)
                    continue
                look, rest = Fingerprint.from_bytes(data)
                self.vectors[key] = self._vector(look.features, rest)
                # A clip may go on differently from how it begins: only its hash says that it is the same.
                if isinstance(part, Image):
                    self.cells[key] = look.cells
            if self._cache and made:
                self._cache.put(self.id, made)

    def _known(self, keys: list[str]) -> dict[str, bytes]:
        return self._cache.get(self.id, keys) if self._cache else {}

    def _path(self, part: Image | Video) -> Path | None:
        path = self._media.path(part.sha256)
        return path and path.absolute()

    def _vector(self, features: Vectors, rest: bytes) -> Vectors:
        if self._encoder is None:
            return features
        seen = np.frombuffer(rest, dtype=np.float32)
        weight = np.float32(SEEN_WEIGHT)
        return np.concatenate([np.sqrt(1 - weight) * features, np.sqrt(weight) * seen])


def _seeing(encoder: PictureEncoder | None) -> Callable[[tuple[Shown, ...]], list[bytes | None]]:
    """What sees a shard: of each what is kept, or None where it cannot be seen."""

    def see(part: Image | Video, path: Path | None) -> bytes | None:
        try:
            return _seen(part, path, encoder)
        except GumptionError:
            return None  # its reason is looked for where it is kept

    return lambda shard: [see(part, path) for part, path in shard]


def _seen(part: Image | Video, path: Path | None, encoder: PictureEncoder | None) -> bytes:
    """What is kept of a picture or clip: its fingerprint, then the encoder's vector."""
    media = Media({} if path is None else {part.sha256: path})
    pictures = (
        [decoded(media.read(part.sha256))] if isinstance(part, Image) else first_frames(_file(part, path))
    )
    looks = [fingerprint(picture) for picture in pictures]
    look = Fingerprint(mean([one.features for one in looks]), looks[0].cells)
    if encoder is None:
        return look.to_bytes()
    rows = np.concatenate([encoder.encode([picture]) for picture in pictures])
    checked(rows, encoder.id, [part.sha256] * len(rows))
    return look.to_bytes() + mean(list(rows)).tobytes()


def _file(clip: Video, path: Path | None) -> Path:
    """A clip's file, its hash checked without holding it in memory."""
    if path is None:
        raise GumptionError(f"no media file with SHA-256 {clip.sha256}", remedy="read the suite again")
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise GumptionError(
            f"cannot be read: {error.strerror}", where=str(path), remedy="put it back"
        ) from error
    if found != clip.sha256:
        raise GumptionError("the clip was altered", where=str(path), remedy="put the original back")
    return path


def _lost(shown: Shown, error: LostShardError) -> NoReturn:
    part, path = shown
    raise GumptionError(
        f"looking at {part.sha256} has killed the process three times: {error.problem}",
        where=str(path),
        remedy="leave the item that shows it out of the pool, or run the same command again on a machine "
        "with more memory: vectors that are made are kept in the cache",
    ) from error


def mean(vectors: Sequence[Vectors]) -> Vectors:
    """Of length 1, or zero where they cancel out."""
    if len(vectors) == 1:
        return vectors[0]
    middle = np.mean(vectors, axis=0, dtype=np.float64)
    size = np.linalg.norm(middle)
    unit: Vectors = np.divide(middle, size or 1.0, dtype=np.float64).astype(np.float32)
    return unit


def checked(vectors: Vectors, encoder: str, named: Iterable[str]) -> None:
    """Raises GumptionError for a row that is zero or not finite."""
    for row, name in zip(vectors, named, strict=True):
        if not np.isfinite(row).all() or not row.any():
            raise unfit(encoder, f"the vector of {name} is zero or not finite")


def unfit(encoder: str, problem: str) -> GumptionError:
    return GumptionError(problem, where=encoder, remedy="use another encoder: this one cannot be relied on")
