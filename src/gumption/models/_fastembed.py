"""Encoders that the package fastembed fetches by name (extra [fastembed]), and the hash of that."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import GumptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["FastembedPictures", "FastembedTexts"]

_BATCH = 16
"""Texts or pictures of one run: bounds the memory."""


class _Fetched:
    """A model of fastembed. Nothing is fetched or loaded before it is used."""

    _kind: str

    def __init__(self, name: str) -> None:
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process loads its own.
        return type(self), (self.name,)

    @cached_property
    def id(self) -> str:
        """Name and hash of the weights.

        Raises GumptionError where fastembed is missing, does not know the name or cannot fetch it.
        """
        inner = self._model.model
        path = Path(inner._model_dir) / inner.model_description.model_file
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise GumptionError(
                f"the weights cannot be read: {error.strerror}", where=str(path), remedy="fetch them again"
            ) from error
        return f"fastembed/{self.name}@{found[:12]}"

    @cached_property
    def _model(self) -> Any:
        try:
            fastembed = import_module("fastembed")
        except ImportError as error:
            raise GumptionError(
                "fastembed is not installed", where=self.name, remedy="pip install 'gumption[fastembed]'"
            ) from error
        try:
            return getattr(fastembed, self._kind)(model_name=self.name)
        except Exception as error:  # of its name check, the network, the hub or the runtime
            raise GumptionError(
                f"fastembed cannot load it: {error}",
                where=self.name,
                remedy="check the name in its list of models, and the network for the first use",
            ) from error

    def _unit(self, given: Sequence[Any]) -> NDArray[np.float32]:
        import numpy as np

        found = [np.asarray(one, dtype=np.float32) for one in self._model.embed(given, batch_size=_BATCH)]
        if not found:
            return np.zeros((0, 0), dtype=np.float32)
        vectors = np.stack(found)
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


class FastembedTexts(_Fetched):
    """A text encoder by the name that fastembed knows it by."""

    _kind = "TextEmbedding"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of texts: float32[n, d], each of length 1."""
        return self._unit(list(texts))


class FastembedPictures(_Fetched):
    """A picture encoder by the name that fastembed knows it by, such as Qdrant/clip-ViT-B-32-vision."""

    _kind = "ImageEmbedding"

    def encode(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """The vectors of RGB pictures: float32[n, d], each of length 1."""
        return self._unit(list(pictures))
