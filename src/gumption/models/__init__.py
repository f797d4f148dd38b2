"""Asking: recorded replies and baselines. Every model answers one question at a time with a raw Reply."""

from gumption.models.model import Model, open_models

__all__ = ["Model", "open_models"]
