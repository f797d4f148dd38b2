"""Validation without a reference: does a written pipeline do what its protocol record declares?"""

from gumption.synthesis.validation.report import Coverage, Finding, Gate, Mutants, Validation
from gumption.synthesis.validation.validate import LIMITS, validate

__all__ = ["LIMITS", "Coverage", "Finding", "Gate", "Mutants", "Validation", "validate"]
