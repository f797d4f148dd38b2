"""The Eval Agent's roles without a model: from a README and data to a protocol record, by rules."""

from gumption.synthesis.offline.evaluator import OfflineEvaluator, Proposal

__all__ = ["OfflineEvaluator", "Proposal"]
