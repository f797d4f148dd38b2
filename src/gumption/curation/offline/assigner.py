"""The offline Assigner: the five voters' plurality."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gumption.curation.dimensions import ABSENT, Assignment, Dimensions, Example
from gumption.curation.induction import Encode
from gumption.curation.offline._tally import majority, without_idle
from gumption.curation.offline.voters import Voters
from gumption.records import GumptionError
from gumption.running.talks import Talk

__all__ = ["OfflineAssigner"]

EVIDENCE = "same embedding, not evidence"


class OfflineAssigner:
    """Labels items by five voters that look at one embedding (`voters`).

    probe: the items from which the voters' neighbours are taken; the same for every shard. Raises
    GumptionError where there are none.
    """

    name = "offline"

    def __init__(self, probe: Sequence[Example], encode: Encode) -> None:
        if not probe:
            raise GumptionError("there is no probe", where="assigner", remedy="give a sample of the pool")
        self._probe, self._encode = tuple(probe), encode
        self._ready: tuple[Dimensions, Voters] | None = None

    def assign(
        self, examples: Sequence[Example], dimensions: Dimensions, full: frozenset[str] = frozenset()
    ) -> Talk[Assignment]:
        """The dimensions of items; asks nothing. Votes that could not change a label are left out and not
        counted, as they would be where each is a call. Ties go to the nearest dimension."""
        yield from ()
        distinct: dict[tuple[str, str], int] = {}
        place = np.array(
            [distinct.setdefault((one.text, one.category), len(distinct)) for one in examples], dtype=np.int64
        )
        kinds = [Example("", "", category, text, "") for text, category in distinct]
        votes, nearness = self._voters(dimensions).votes(kinds)
        label, tied = majority(votes, nearness)
        asked_all = np.array([one.id in full for one in examples], dtype=bool)
        needed = without_idle(votes[place], len(dimensions.all) + 1, asked_all)
        return Assignment(
            dimensions=dimensions,
            ids=tuple(one.id for one in examples),
            label=label[place],
            votes=needed,
            full=asked_all,
            adjudicated=tied[place],
            asked=int((needed != ABSENT).sum()),
            evidence=EVIDENCE,
        )

    def _voters(self, dimensions: Dimensions) -> Voters:
        if self._ready is None or self._ready[0] != dimensions:
            self._ready = dimensions, Voters(dimensions, self._probe, self._encode)
        return self._ready[1]
