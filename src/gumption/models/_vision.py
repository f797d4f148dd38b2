"""A vision tower from an ONNX file of the user's: pictures to vectors, prepared as for CLIP.

Shorter side scaled to the input's size (bicubic), the middle cut out, channels normalised with CLIP's means
and deviations (Radford et al. 2021, arXiv 2103.00020).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image as Pillow

from gumption.records import GumptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["OnnxVision"]

_MEAN = np.array([0.48145466, 0.4578275, 0.40821073], dtype=np.float32)
_DEVIATION = np.array([0.26862954, 0.26130258, 0.27577711], dtype=np.float32)
_SIZE = 224
"""Pixels a side, where the file leaves it open."""
_BATCH = 16
_REMEDY = "give an ONNX file that takes float32[n, 3, height, width] and gives float32[n, d]"


class OnnxVision:
    """An encoder of pictures. Nothing is loaded before the first.

    weights: an ONNX file with one input, float32[n, 3, height, width]; of its outputs the first of shape
    [n, d] is the vector (the projected embedding in exports of CLIP).
    """

    def __init__(self, weights: Path) -> None:
        self._path = weights

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process loads its own, and may work in another folder.
        return OnnxVision, (self._path.absolute(),)

    @cached_property
    def id(self) -> str:
        """Name of the file and hash of its bytes. Raises GumptionError where it cannot be read."""
        try:
            with self._path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise GumptionError(
                f"the weights cannot be read: {error.strerror}", where=str(self._path), remedy=_REMEDY
            ) from error
        return f"{self._path.stem}@{found[:12]}"

    def encode(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """The vectors of RGB pictures: float32[n, d], each of length 1.

        Raises GumptionError for a file that is no such model.
        """
        blocks = [
            self._run(pictures[start : start + _BATCH]) for start in range(0, len(pictures), _BATCH)
        ] or [np.zeros((0, 0), dtype=np.float32)]
        return np.concatenate(blocks)

    def _run(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        name, height, width = self._input
        batch = np.stack([_prepared(picture, height, width) for picture in pictures])
        try:
            outputs = self._session.run(None, {name: batch})
        except Exception as error:  # the runtime has an error class for each of its own failures
            raise self._unfit(str(error)) from error
        vectors = next((one for one in outputs if one.ndim == 2 and len(one) == len(batch)), None)
        if vectors is None:
            raise self._unfit(f"its outputs have the shapes {[one.shape for one in outputs]}")
        size = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (vectors / np.maximum(size, 1e-12)).astype(np.float32)
        return unit

    @cached_property
    def _input(self) -> tuple[str, int, int]:
        inputs = self._session.get_inputs()
        shape = inputs[0].shape if len(inputs) == 1 else ()
        if len(shape) != 4 or inputs[0].type != "tensor(float)":
            raise self._unfit(f"its inputs are {[(one.name, one.type, one.shape) for one in inputs]}")
        height, width = (side if isinstance(side, int) else _SIZE for side in shape[2:])
        return inputs[0].name, height, width

    @cached_property
    def _session(self) -> Any:
        try:
            onnxruntime = import_module("onnxruntime")
        except ImportError as error:
            raise GumptionError(
                "onnxruntime is not installed",
                where=str(self._path),
                remedy="pip install 'gumption[embeddings]'",
            ) from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # as above
            raise self._unfit(str(error)) from error

    def _unfit(self, problem: str) -> GumptionError:
        return GumptionError(f"not a vision tower: {problem}", where=str(self._path), remedy=_REMEDY)


def _prepared(picture: Picture, height: int, width: int) -> NDArray[np.float32]:
    """float32[3, height, width]."""
    # Cut before scaling: a very long picture would be scaled to a huge one.
    scale = max(height / picture.height, width / picture.width)
    wide, high = width / scale, height / scale
    left, top = (picture.width - wide) / 2, (picture.height - high) / 2
    box = (max(left, 0.0), max(top, 0.0), min(left + wide, picture.width), min(top + high, picture.height))
    cut = picture.convert("RGB").resize((width, height), Pillow.Resampling.BICUBIC, box=box)
    pixels = (np.asarray(cut, dtype=np.float32) / 255 - _MEAN) / _DEVIATION
    return np.ascontiguousarray(pixels.transpose(2, 0, 1), dtype=np.float32)
