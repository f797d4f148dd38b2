"""Decoding parameters by model family, as the families' makers recommend them for evaluation."""

from __future__ import annotations

from typing import Any

from gumption.records import GumptionError

__all__ = ["EXTRA", "preset_of"]

EXTRA = frozenset({"top_k", "repetition_penalty", "mm_processor_kwargs"})
"""Parameters that are not the OpenAI interface's own; servers that refuse them are asked without."""

_PRESETS: dict[str, dict[str, Any]] = {
    "qwen3-vl-instruct": {"temperature": 0.7, "top_p": 0.8, "top_k": 20, "repetition_penalty": 1.0},
    "qwen3-vl-thinking": {"temperature": 0.6, "top_p": 0.95, "top_k": 20, "repetition_penalty": 1.0},
    "qwen2.5-vl": {"temperature": 0.01},
    "internvl-3.5": {"temperature": 0.01},
}


def preset_of(name: str | None) -> dict[str, Any]:
    """The parameters of a preset; greedy decoding without one. GumptionError for an unknown name."""
    if name is None:
        return {"temperature": 0.0}
    if name not in _PRESETS:
        raise GumptionError(f"no preset is called {name!r}", remedy=f"one of: {', '.join(_PRESETS)}")
    return dict(_PRESETS[name])
