"""Action pair match: how much of a gold plan a predicted plan has, and how much of it in order.

EmbodiedBrain (arXiv 2510.20578): a judge fills a matrix of predicted against gold actions; *quantity* is the
maximum bipartite matching, *order* the longest common subsequence over that matrix. Precision is the count
over the predicted actions, recall over the gold ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from gumption.planning.judges import Action, Judge
from gumption.planning.reader import PlanReading, read_plan
from gumption.planning.rules import RuleJudge

__all__ = [
    "IGNORED",
    "SYNONYMS",
    "ActionPairScore",
    "MatchFlags",
    "PairScore",
    "Plan",
    "canonical",
    "largest_matching",
    "longest_in_order",
    "macro",
    "match",
    "micro",
]

IGNORED = ("find", "search", "navigate")
"""Verbs that the official scorer leaves out, before it looks at synonyms."""
SYNONYMS: Mapping[str, str] = {
    "pick up": "pick",
    "pick and place": "place",
    "catch": "handover",
    "slide": "drag",
    "turn": "twist",
    "give a thumbs-up": "like",
    "make a heart with hands": "heart sign",
}
"""What the official scorer takes for the same verb."""
Plan = Sequence[Action] | PlanReading | str | None


class PairScore(msgspec.Struct, frozen=True):
    """Of `count` matched actions. All in [0, 1]; None where the judge failed."""

    count: int
    precision: float | None
    recall: float | None
    f1: float | None


class MatchFlags(msgspec.Struct, frozen=True):
    """What is special about a pair of plans."""

    both_empty: bool = False
    gold_empty: bool = False
    """The gold plan is empty and the predicted one is not."""
    judge_failed: bool = False
    """The pair has no score; that lowers coverage and not the mean."""


class ActionPairScore(msgspec.Struct, frozen=True):
    """What a predicted plan is worth against a gold plan, unrounded."""

    quantity: PairScore
    order: PairScore
    matrix: tuple[tuple[bool, ...], ...]
    """Predicted x gold, over the actions that are not ignored."""
    flags: MatchFlags
    predicted: tuple[tuple[str, ...], ...]
    """The actions that were compared, verbs in canonical form."""
    gold: tuple[tuple[str, ...], ...]
    judge: str


def match(
    predicted: Plan,
    gold: Plan,
    judge: Judge | None = None,
    ignore_verbs: Collection[str] = IGNORED,
    preset: Literal["official"] | None = None,
    *,
    synonyms: Mapping[str, str] = SYNONYMS,
    both_empty: float = 1.0,
    matrix: Sequence[Sequence[bool]] | None = None,
) -> ActionPairScore:
    """Score a predicted plan against a gold plan.

    predicted, gold: actions as lists or tuples, a reading, or a raw reply; None and an unreadable reply are
    an empty plan. judge: None is the rule judge. ignore_verbs: left out of both plans, whatever their case,
    before `synonyms` maps verbs. both_empty: the score where neither has an action left; where only one is
    empty it is 0. matrix: verdicts from elsewhere, in place of a judge, over the actions that are left
    (`canonical`).
    preset="official": as the published scorer, which takes a reply that needs any repair for empty, gives two
    empty plans 0, and knows its own ignored verbs and synonyms only; where it crashes, what it meant.
    Raises ValueError for a matrix that does not fit.
    """
    official = preset == "official"
    if official:
        ignore_verbs, synonyms, both_empty = IGNORED, SYNONYMS, 0.0
    left = canonical(_actions(predicted, official=official), ignore_verbs, synonyms)
    right = canonical(_actions(gold, official=False), ignore_verbs, synonyms)
    if matrix is not None:
        verdicts, failed, name = _checked(matrix, len(left), len(right)), False, "given"
    else:
        judge = judge or RuleJudge()
        judgements = [judge.judge(action, right) for action in left] if right else []
        failed = any(judgement.failed for judgement in judgements)
        verdicts = tuple([judgement.row for judgement in judgements]) if right else ((),) * len(left)
        name = judge.name
    flags = MatchFlags(
        both_empty=not left and not right, gold_empty=bool(left) and not right, judge_failed=failed
    )
    if failed:
        unknown = PairScore(0, None, None, None)
        return ActionPairScore(unknown, unknown, verdicts, flags, left, right, name)
    counts = largest_matching(verdicts), longest_in_order(verdicts)
    quantity, order = (_score(count, len(left), len(right), both_empty) for count in counts)
    return ActionPairScore(quantity, order, verdicts, flags, left, right, name)


def canonical(
    actions: Iterable[Action],
    ignore_verbs: Collection[str] = IGNORED,
    synonyms: Mapping[str, str] = SYNONYMS,
) -> tuple[tuple[str, ...], ...]:
    """The actions that are compared: verbs in lower case, ignored ones left out, synonyms mapped."""
    ignored = {verb.casefold() for verb in ignore_verbs}
    kept = [action for action in actions if action and action[0].strip().casefold() not in ignored]
    return tuple([(_verb(action[0], synonyms), *action[1:]) for action in kept])


def _verb(verb: str, synonyms: Mapping[str, str]) -> str:
    folded = verb.strip().casefold()
    return synonyms.get(folded, folded)


def _actions(plan: Plan, *, official: bool) -> Sequence[Action]:
    if isinstance(plan, str):
        plan = read_plan(plan)
    if isinstance(plan, PlanReading):
        return [] if plan.actions is None or (official and plan.repaired) else plan.actions
    return plan or []


def _checked(matrix: Sequence[Sequence[bool]], rows: int, columns: int) -> tuple[tuple[bool, ...], ...]:
    if len(matrix) != rows or any(len(row) != columns for row in matrix):
        raise ValueError(f"the matrix is not {rows} x {columns}, the actions that are compared")
    return tuple([tuple([bool(cell) for cell in row]) for row in matrix])


def _score(count: int, predicted: int, gold: int, both_empty: float) -> PairScore:
    if not predicted and not gold:
        return PairScore(0, both_empty, both_empty, both_empty)
    if not predicted or not gold:
        return PairScore(0, 0.0, 0.0, 0.0)
    return PairScore(count, count / predicted, count / gold, 2 * count / (predicted + gold))


def largest_matching(matrix: Sequence[Sequence[bool]]) -> int:
    """The size of a maximum bipartite matching: most pairs with no action in two of them."""
    from scipy.optimize import linear_sum_assignment

    if not matrix:
        return 0
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return sum(bool(matrix[row][column]) for row, column in zip(rows, columns, strict=True))


def longest_in_order(matrix: Sequence[Sequence[bool]]) -> int:
    """The size of the largest matching that keeps the order of both plans."""
    if not matrix:
        return 0
    last = [0] * (len(matrix[0]) + 1)
    for row in matrix:
        here = [0]
        for column, cell in enumerate(row):
            here.append(last[column] + 1 if cell else max(last[column + 1], here[column]))
        last = here
    return last[-1]


def macro(scores: Iterable[ActionPairScore]) -> tuple[float | None, float | None]:
    """Mean F1 of (quantity, order) over the scored pairs; None where there are none."""
    scored = [score for score in scores if not score.flags.judge_failed]
    if not scored:
        return None, None
    quantity = sum(score.quantity.f1 or 0.0 for score in scored) / len(scored)
    order = sum(score.order.f1 or 0.0 for score in scored) / len(scored)
    return quantity, order


def micro(scores: Iterable[ActionPairScore]) -> tuple[PairScore, PairScore]:
    """(quantity, order) over all actions of the scored pairs together."""
    scored = [score for score in scores if not score.flags.judge_failed]
    predicted = sum(len(score.predicted) for score in scored)
    gold = sum(len(score.gold) for score in scored)
    quantity = sum(score.quantity.count for score in scored)
    order = sum(score.order.count for score in scored)
    return _score(quantity, predicted, gold, 1.0), _score(order, predicted, gold, 1.0)
