"""Asking: servers, recorded replies, baselines. Every model answers one question with one raw Reply."""

from gumption.models.model import Model, ReadMedia, is_served, open_judge, open_models

__all__ = ["Model", "ReadMedia", "is_served", "open_judge", "open_models"]
