"""The words of the induction's roles."""

from gumption.running.prompting import Prompts

__all__ = ["WORDS"]

WORDS = Prompts("gumption.curation.by_model")
