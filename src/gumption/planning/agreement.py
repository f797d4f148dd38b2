"""How far two judges of actions agree, and what it would change to take the other one.

Agreement alone says little: most pairs of actions do not match, and every judge sees that. So Cohen's kappa
(1960) and the agreement on matches stand beside it, with the scores and the ranking of models under each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from gumption.planning._pairs import PlanPair, read_judgements, read_pairs
from gumption.planning.judges import Action, Judge
from gumption.planning.match import IGNORED, ActionPairScore, canonical, macro, match

__all__ = [
    "Disagreement",
    "Effect",
    "JudgeAgreement",
    "ModelScores",
    "PlanPair",
    "judge_agreement",
    "read_judgements",
    "read_pairs",
]


class Disagreement(msgspec.Struct, frozen=True):
    """A pair of actions that the judges see differently."""

    predicted: tuple[str, ...]
    gold: tuple[str, ...]
    first: bool
    """Whether the first judge says that they match; the second says the opposite."""
    count: int
    """How often the pair was judged."""


class ModelScores(msgspec.Struct, frozen=True):
    """A model's mean F1 under each judge, in [0, 1]."""

    model: str
    first: float
    second: float
    pairs: int


class Effect(msgspec.Struct, frozen=True):
    """What the choice of the judge changes in one score."""

    first: float | None
    """Mean F1 over the scored pairs, in [0, 1]; None where there are none."""
    second: float | None
    largest: float | None
    """The largest difference of F1 on one pair of plans."""
    tau: float | None
    """Kendall's tau-b of the models' means under the two judges; None for fewer than two models or where one
    judge sees no difference between any of them."""
    models: tuple[ModelScores, ...]
    """Best first under the first judge."""


class JudgeAgreement(msgspec.Struct, frozen=True):
    """Two judges on the same pairs of plans."""

    judges: tuple[str, str]
    pairs: int
    """Pairs of plans that both judged; all figures are over these."""
    unscored: int
    """Pairs on which one of them failed."""
    both: int
    """Pairs of actions, one predicted and one gold, that both say match."""
    only_first: int
    only_second: int
    neither: int
    quantity: Effect
    order: Effect
    disagreements: tuple[Disagreement, ...]
    """Different pairs of actions, the ones judged most often first."""

    @property
    def cells(self) -> int:
        """Judged pairs of actions."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def agreement(self) -> float | None:
        """Share of the pairs of actions on which they agree."""
        return (self.both + self.neither) / self.cells if self.cells else None

    @property
    def on_matches(self) -> float | None:
        """Agreement on matches (Dice): twice the common ones over those of either; None where there are
        none."""
        found = 2 * self.both + self.only_first + self.only_second
        return 2 * self.both / found if found else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where chance alone would agree on everything."""
        if not self.cells:
            return None
        first, second = self.both + self.only_first, self.both + self.only_second
        # In whole numbers: chance agreement times the square of the number of cells.
        square = self.cells**2
        chance = first * second + (self.cells - first) * (self.cells - second)
        seen = (self.both + self.neither) * self.cells
        return (seen - chance) / (square - chance) if square != chance else None


def judge_agreement(
    first: Judge,
    second: Judge,
    pairs: Iterable[PlanPair],
    ignore_verbs: Collection[str] = IGNORED,
) -> JudgeAgreement:
    """Let two judges judge the same pairs of plans.

    Each of them sees every predicted action against every gold one, without the verbs that are ignored and
    with synonyms mapped, as in `match`. A pair of plans on which one judge fails is left out of all figures.
    """
    table: Counter[tuple[bool, bool]] = Counter()
    seen: Counter[tuple[tuple[str, ...], tuple[str, ...], bool]] = Counter()
    scored: list[tuple[str, ActionPairScore, ActionPairScore]] = []
    unscored = 0
    for pair in pairs:
        left, right = canonical(pair.predicted, ignore_verbs), canonical(pair.gold, ignore_verbs)
        one, other = _matrix(first, left, right), _matrix(second, left, right)
        if one is None or other is None:
            unscored += 1
            continue
        for action, mine, its in zip(left, one, other, strict=True):
            for gold, a, b in zip(right, mine, its, strict=True):
                table[a, b] += 1
                if a != b:
                    seen[action, gold, a] += 1
        score_one, score_other = (
            match(pair.predicted, pair.gold, None, ignore_verbs, matrix=matrix) for matrix in (one, other)
        )
        scored.append((pair.model, score_one, score_other))
    return JudgeAgreement(
        (first.name, second.name),
        len(scored),
        unscored,
        table[True, True],
        table[True, False],
        table[False, True],
        table[False, False],
        _effect(scored, lambda score: score.quantity.f1 or 0.0, 0),
        _effect(scored, lambda score: score.order.f1 or 0.0, 1),
        tuple(Disagreement(*key, count) for key, count in sorted(seen.items(), key=lambda x: (-x[1], x[0]))),
    )


def _matrix(judge: Judge, left: Sequence[Action], right: Sequence[Action]) -> list[tuple[bool, ...]] | None:
    if not right:
        return [()] * len(left)
    judgements = [judge.judge(action, right) for action in left]
    return None if any(one.failed for one in judgements) else [one.row for one in judgements]


def _effect(
    scored: Sequence[tuple[str, ActionPairScore, ActionPairScore]],
    f1: Callable[[ActionPairScore], float],
    place: int,
) -> Effect:
    """place: of the score in what `macro` returns."""
    by_model: dict[str, list[tuple[ActionPairScore, ActionPairScore]]] = {}
    for name, one, other in scored:
        if name:
            by_model.setdefault(name, []).append((one, other))
    models = []
    for model, own in by_model.items():
        first, second = (macro(scores)[place] or 0.0 for scores in zip(*own, strict=True))
        models.append(ModelScores(model, first, second, len(own)))
    models.sort(key=lambda one: (-one.first, one.model))
    return Effect(
        macro(one for _, one, _ in scored)[place],
        macro(other for _, _, other in scored)[place],
        max((abs(f1(one) - f1(other)) for _, one, other in scored), default=None),
        _tau(models),
        tuple(models),
    )


def _tau(models: Sequence[ModelScores]) -> float | None:
    if len(models) < 2:
        return None
    from scipy.stats import kendalltau

    # Means of the same scores in another order differ in the last digit; that is no difference of models.
    first, second = [round(one.first, 12) for one in models], [round(one.second, 12) for one in models]
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return float(kendalltau(first, second).statistic)
