"""The Data Agent's numbers: which items make a compact suite, and what that suite still tells apart.

Choosing by embeddings or by past results, estimating the full score, certifying on models that were held out.
The induction of dimensions and the voting come with the rest of the agent.
"""

from gumption.curation.certify import Certificate, certify
from gumption.curation.duplicates import measured_threshold, near_duplicates
from gumption.curation.fit import Selection, fit
from gumption.curation.quotas import even, proportional, size_for_budget, size_for_gap, size_for_gap_known
from gumption.curation.select import select

__all__ = [
    "Certificate",
    "Selection",
    "certify",
    "even",
    "fit",
    "measured_threshold",
    "near_duplicates",
    "proportional",
    "select",
    "size_for_budget",
    "size_for_gap",
    "size_for_gap_known",
]
