"""The models of one suite, best first: what tables, figures and the terminal show of a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from gumption.ranking import Ranking
from gumption.records import GumptionError, Interval, Reply, Scorecard, Slice
from gumption.reporting._costs import Costs

__all__ = ["FULL_ENOUGH", "Cost", "Leaderboard", "RankRow", "cost_of", "rank_rows"]


Cost: TypeAlias = Mapping[str, Any]
"""`items` asked, and for `input`, `output` and `reasoning` tokens and `seconds` their `mean` per item, None
where it is not known, over the `n` items whose every reply says it."""
FULL_ENOUGH = 0.95
"""Below this coverage a model's place in a ranking is marked."""


class RankRow(Struct, frozen=True):
    """One model's line in a ranking; shares and means in [0, 1]."""

    model: str
    rank: int
    """1 is best."""
    rank_low: int
    """Best place that the data leave open."""
    rank_high: int
    """Worst place that the data leave open."""
    official: Interval
    n: int
    planned: int
    coverage: float
    unread: float | None
    """None, as the three that follow, where only scores are known and not the replies."""
    ambiguous: float | None
    refused: float | None
    truncated: float | None
    adjusted: float | None
    """Chance-adjusted mean; None when nothing was scored, or the guess level is not known."""
    tier: str = ""
    """Models that the data cannot tell apart share one."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A ranking with the scorecard of each of its models."""

    suite: str
    aggregate: str
    """Which mean the models are ranked by."""
    rows: tuple[RankRow, ...]
    """Best first."""
    cards: tuple[Scorecard, ...]
    """In the order of `rows`."""
    beats: tuple[tuple[float, ...], ...]
    """P(model i beats model j), in the order of `rows`."""
    costs: tuple[Cost, ...] = ()
    """What each model's replies used, in the order of `rows`; empty where no replies are known."""

    @classmethod
    def of(
        cls,
        ranking: Ranking,
        cards: Sequence[Scorecard],
        costs: Sequence[Cost] = (),
        *,
        replies: bool = True,
        adjusted: bool = False,
    ) -> Leaderboard:
        """`cards`, `costs`: one per run, in the order in which the ranking was given them. replies: whether
        replies are known, so that rates and guess level mean something. adjusted: the models are ranked by
        chance-adjusted scores, which no scorecard has.

        Raises GumptionError where they are not as many as the ranked models.
        """
        n = len(ranking.models)
        if len(cards) != n or (costs and len(costs) != n):
            raise GumptionError(
                f"{len(cards)} scorecards and {len(costs)} costs for {n} models",
                where="leaderboard",
                remedy="give one of each for every ranked model",
            )
        order = [place.row for place in ranking.models]
        return cls(
            suite=cards[0].benchmark,
            aggregate=ranking.aggregate,
            rows=tuple(rank_rows(ranking, cards, replies=replies, adjusted=adjusted)),
            cards=tuple(cards[row] for row in order),
            beats=ranking.beats,
            costs=tuple(costs[row] for row in order) if costs else (),
        )

    @property
    def by(self) -> Literal["dimension", "category"]:
        """What the parts are: dimensions where some model has two of them, else categories."""
        return "dimension" if any(len(card.dimensions) > 1 for card in self.cards) else "category"

    def parts(self) -> tuple[str, ...]:
        """Names of the dimensions or categories that any model was asked, sorted."""
        return tuple(sorted({part.name for card in self.cards for part in self._slices(card) if part.name}))

    def cells(self, part: str) -> tuple[Slice | None, ...]:
        """What each model scored on one part; None where it was not asked any of it."""
        return tuple(
            next((one for one in self._slices(card) if one.name == part), None) for card in self.cards
        )

    def _slices(self, card: Scorecard) -> tuple[Slice, ...]:
        return card.dimensions if self.by == "dimension" else card.categories


def cost_of(replies: Iterable[Reply]) -> Cost:
    """What the replies of one run used."""
    costs = Costs()
    for reply in replies:
        costs.add(reply)
    return costs.row()


def rank_rows(
    ranking: Ranking, cards: Sequence[Scorecard], *, replies: bool = True, adjusted: bool = False
) -> list[RankRow]:
    """The lines of a ranking, each with the score, interval and rates of its own scorecard (`cards`, in the
    order in which the ranking was given the runs), so that one run has one interval wherever it is shown.
    `replies` and `adjusted` as for `Leaderboard.of`.
    """
    rows = []
    for place in ranking.models:
        card = cards[place.row]
        total = card.total
        rows.append(
            RankRow(
                model=place.model,
                rank=place.rank,
                rank_low=place.rank_low,
                rank_high=place.rank_high,
                official=place.score if adjusted else card.official,
                n=total.n,
                planned=total.planned,
                coverage=total.coverage,
                unread=total.unread if replies else None,
                ambiguous=total.ambiguous if replies else None,
                refused=total.refused if replies else None,
                truncated=total.truncated if replies else None,
                adjusted=total.adjusted.mean if replies else None,
                tier=str(place.tier),
            )
        )
    return rows
