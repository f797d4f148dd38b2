"""Tested building blocks for written pipelines: `from gumption.synthesis import recipes`.

Each is a pure function of plain data and of a part of the protocol record (`synthesis/spec.py`).
"""

from gumption.synthesis.recipes.asking import options, request
from gumption.synthesis.recipes.loading import load, read

__all__ = ["load", "options", "read", "request"]
