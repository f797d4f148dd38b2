"""The roles of the induction without any model: embeddings of texts, words, and a seed taxonomy.

They ask nothing, cost nothing and say the same every time. What their voters agree on is no evidence, since
all of them look at the same embedding; a reader should look at the examples.
"""

from gumption.curation.offline.assigner import OfflineAssigner
from gumption.curation.offline.proposer import OfflineProposer
from gumption.curation.offline.reviewer import OfflineReviewer
from gumption.curation.offline.taxonomy import read_taxonomy

__all__ = ["OfflineAssigner", "OfflineProposer", "OfflineReviewer", "read_taxonomy"]
