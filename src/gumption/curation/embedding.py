"""Items to vectors: their texts, their pictures, and both together.

A pure function over items, so that shards can be embedded anywhere and joined. Each distinct text and picture
is embedded once, and kept in a cache under its content and the id of its encoder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NoReturn, TypeAlias

import numpy as np

from gumption.curation._inputs import Vectors
from gumption.curation._looks import SEEN_WEIGHT, Looks, checked, mean, unfit
from gumption.curation._picture_features import Cells
from gumption.curation._vector_cache import VectorCache
from gumption.curation.dimensions import Flags, example_of
from gumption.executors import Executor, Local, LostShardError
from gumption.executors.batch import batch
from gumption.models.encoder import PictureEncoder, TextEncoder
from gumption.records import GumptionError, Item, Text
from gumption.suites.media import Media

__all__ = ["SEEN_WEIGHT", "TEXT_ALONE", "TEXT_WEIGHT", "CachedTexts", "Embedded", "embed", "joined"]

TEXT_WEIGHT = 0.5
"""Of the text in a fused vector, where there is a picture too; the rest is the picture's."""
TEXT_ALONE = "text"
BLOCK = 256
"""Texts that are encoded at once, whoever does it: so that the last digits do not depend on who."""

Shown: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Embedded:
    """The vectors of n items. Rows are of length 1, or zero where there is nothing to embed."""

    ids: tuple[str, ...]
    text: Vectors
    """float32[n, d]."""
    image: Vectors
    """float32[n, e], of an item with several pictures their mean; e = 0 where no item shows any."""
    shows: tuple[Shown, ...]
    """What each item shows: the SHA-256 of its media, or where only names are known "BENCHMARK/NAME"; one
    "text" for an item that is known to show nothing, () where it is not known."""
    cells: dict[str, Cells]
    """Mean colours of each distinct picture, by SHA-256, by which copies are found (`duplicates`)."""
    unseen: dict[str, str]
    """SHA-256 of media that have no vector, and why."""
    encoder: str
    """Name and weight hash of the text encoder."""
    image_encoder: str
    """The same of what made the picture vectors; "" where there are none."""

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def fused(self) -> Vectors:
        """float32[n, d + e]: text and picture, so that a cosine is the weighted mean of both cosines.

        Where an item has one of them, that alone counts.
        """
        if not self.image.shape[1]:
            return self.text
        has_text, has_image = self.text.any(axis=1), self.image.any(axis=1)
        weight = np.where(has_image, np.where(has_text, TEXT_WEIGHT, 0.0), 1.0).astype(np.float32)[:, None]
        return np.concatenate([np.sqrt(weight) * self.text, np.sqrt(1 - weight) * self.image], axis=1)

    @property
    def blank(self) -> Flags:
        """bool[n]: items without any vector. They are never called duplicates."""
        empty: Flags = ~(self.text.any(axis=1) | self.image.any(axis=1)).astype(bool)
        return empty


class CachedTexts:
    """A text encoder that remembers: `cache` is a file, or None to remember nothing. executor: who encodes,
    this process unless told."""

    def __init__(self, encoder: TextEncoder, cache: Path | None, executor: Executor | None = None) -> None:
        self._encoder, self._cache = encoder, VectorCache(cache) if cache else None
        self._executor = executor or Local()

    @property
    def id(self) -> str:
        return self._encoder.id

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32[n, d], each of length 1, or zero for a blank text.

        Raises GumptionError where the encoder gives a vector that is zero or not finite; none such is kept.
        """
        keys = [_key(text) for text in texts]
        distinct = {key: text for key, text in zip(keys, texts, strict=True) if text.strip()}
        known = self._cache.get(self.id, list(distinct)) if self._cache else {}
        vectors = {key: np.frombuffer(data, dtype=np.float32) for key, data in known.items()}
        missing = [key for key in distinct if key not in vectors]
        # By length, so that blocks need little padding; the longest first, so that nobody waits for them.
        missing.sort(key=lambda key: (len(distinct[key]), key), reverse=True)
        blocks = [missing[start : start + BLOCK] for start in range(0, len(missing), BLOCK)]
        asked = [[distinct[key] for key in block] for block in blocks]
        start = partial(_encoding, self._encoder)
        for place, rows in batch(self._executor, start, asked, most=1, lost=_lost, kept=True):
            made = dict(zip(blocks[place], rows, strict=True))
            if self._cache:
                self._cache.put(self.id, {key: row.tobytes() for key, row in made.items()})
            vectors.update(made)
        width = len(next(iter(vectors.values()))) if vectors else self._encoder.encode(["a"]).shape[1]
        found = np.zeros((len(texts), width), dtype=np.float32)
        for row, key in enumerate(keys):
            if key in vectors:
                found[row] = vectors[key]
        return found


def _encoding(encoder: TextEncoder) -> Callable[[tuple[list[str], ...]], list[Vectors]]:
    """What encodes blocks of texts."""

    def encoded(texts: list[str]) -> Vectors:
        # A lone surrogate, which JSON allows, is no character.
        clean = [text.encode(errors="replace").decode() for text in texts]
        made = np.ascontiguousarray(encoder.encode(clean), dtype=np.float32)
        if made.ndim != 2 or len(made) != len(texts):
            raise unfit(encoder.id, f"{len(texts)} texts gave the shape {made.shape}")
        checked(made, encoder.id, [repr(text[:80]) for text in texts])
        return made

    return lambda blocks: [encoded(block) for block in blocks]


def _lost(block: list[str], error: LostShardError) -> NoReturn:
    raise GumptionError(
        f"one of {len(block)} texts of {len(block[-1])} to {len(block[0])} characters has killed the process "
        f"of the encoder three times: {error.problem}",
        where=repr(block[0][:80]),
        remedy="run the same command again on a machine with more memory, or with another --encoder: vectors "
        "that are made are kept in the cache",
    ) from error


def embed(
    items: Sequence[Item],
    media: Media,
    *,
    encoder: TextEncoder,
    image_encoder: PictureEncoder | None = None,
    cache: Path | None = None,
    text_alone: Collection[str] = (),
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Embedded:
    """The vectors of items: of what a role sees of their texts (`example_of`), and of their media.

    Pictures are embedded by how they look, clips by their first frames; with `image_encoder` by that too.
    Media that are missing or broken are left out and named in `unseen`. `cache`: a file, made where it is
    not there. `text_alone`: benchmarks whose items show nothing; an item of another one without media has
    media that are not known. `progress` is called with (media looked at, of).

    executor: who encodes texts and looks at pictures, this process unless told; the vectors are the same, and
    this process alone writes the cache. An item's vectors do not depend on the others: shards may be embedded
    apart and `joined`.

    Raises GumptionError for no item, for a cache that cannot be used, and for an encoder that cannot be had
    or gives vectors that are zero or not finite.
    """
    if not items:
        raise GumptionError("the pool is empty", where="embedding", remedy="give one item at least")
    executor = executor or Local()
    text = CachedTexts(encoder, cache, executor).encode([example_of(item).text for item in items])
    shown = {part.sha256: part for item in items for part in item.parts if not isinstance(part, Text)}
    looks = Looks(media, image_encoder, VectorCache(cache) if cache else None, executor)
    looks.look(list(shown.values()), progress)
    image = _of_items(items, looks.vectors)
    return Embedded(
        ids=tuple(item.id for item in items),
        text=text,
        image=image,
        shows=tuple(_shown(item, text_alone) for item in items),
        cells=looks.cells,
        unseen=looks.unseen,
        encoder=encoder.id,
        image_encoder=looks.id if image.shape[1] else "",
    )


def joined(shards: Sequence[Embedded]) -> Embedded:
    """Shards in their order as one. Raises GumptionError for none, and for shards of different encoders."""
    if not shards:
        raise GumptionError("there is no shard", where="embedding", remedy="give one at least")
    encoders = sorted({shard.encoder for shard in shards})
    seen_by = sorted({shard.image_encoder for shard in shards if shard.image_encoder})
    if len(encoders) > 1 or len(seen_by) > 1:
        raise GumptionError(
            f"the shards are embedded by {', '.join(encoders if len(encoders) > 1 else seen_by)}",
            where="embedding",
            remedy="embed all of them by one encoder",
        )
    width = max(shard.image.shape[1] for shard in shards)
    images = [
        shard.image if shard.image.shape[1] else np.zeros((len(shard), width), dtype=np.float32)
        for shard in shards
    ]
    return Embedded(
        ids=tuple(id for shard in shards for id in shard.ids),
        text=np.concatenate([shard.text for shard in shards]),
        image=np.concatenate(images),
        shows=tuple(one for shard in shards for one in shard.shows),
        cells={name: cells for shard in shards for name, cells in shard.cells.items()},
        unseen={name: why for shard in shards for name, why in shard.unseen.items()},
        encoder=encoders[0],
        image_encoder=seen_by[0] if seen_by else "",
    )


def _of_items(items: Sequence[Item], vectors: dict[str, Vectors]) -> Vectors:
    """The mean over what each item shows; e = 0 where nothing has a vector."""
    width = len(next(iter(vectors.values()))) if vectors else 0
    image = np.zeros((len(items), width), dtype=np.float32)
    for row, item in enumerate(items if vectors else ()):
        mine = [
            vectors[part.sha256]
            for part in item.parts
            if not isinstance(part, Text) and part.sha256 in vectors
        ]
        if mine:
            image[row] = mean(mine)
    return image


def _shown(item: Item, text_alone: Collection[str]) -> Shown:
    media = tuple(part.sha256 for part in item.parts if not isinstance(part, Text))
    if media:
        return media
    named = item.meta.get("image", ())
    names = (named,) if isinstance(named, str) else tuple(named) if isinstance(named, list | tuple) else ()
    if any(names):
        # Two benchmarks may each have a "1.jpg".
        return tuple(f"{item.benchmark}/{name}" for name in names)
    return (TEXT_ALONE,) if item.benchmark in text_alone else ()


def _key(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
