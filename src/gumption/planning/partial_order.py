"""Matching against a gold plan that is a dependency graph: steps that do not depend on each other may come in
any order. VLABench and RoboBench ask for it; here it is computed, not judged.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gumption.planning.judges import Judge
from gumption.planning.match import ActionPairScore, Plan, match
from gumption.records import GumptionError

__all__ = ["PlanGraph", "longest_consistent", "match_graph"]

_MOST_STATES = 100_000


class PlanGraph(msgspec.Struct, frozen=True):
    """A gold plan: its steps, and the pairs (earlier, later) of step numbers whose order matters."""

    actions: tuple[tuple[str, ...], ...]
    before: tuple[tuple[int, int], ...] = ()

    def ancestors(self) -> tuple[int, ...]:
        """For each step, as a bit mask, the steps that have to come before it, directly or not.

        Raises GumptionError for numbers that are no steps and for steps that wait for each other.
        """
        count = len(self.actions)
        direct = [0] * count
        for earlier, later in self.before:
            if not (0 <= earlier < count and 0 <= later < count):
                raise GumptionError(
                    f"({earlier}, {later}) names a step that is not there",
                    where="plan graph",
                    remedy=f"number the steps from 0 to {count - 1}",
                )
            direct[later] |= 1 << earlier
        closed = list(direct)
        for _ in range(count):
            wider = [mask | _union(closed, mask) for mask in closed]
            if wider == closed:
                break
            closed = wider
        if any(mask >> number & 1 for number, mask in enumerate(closed)):
            raise GumptionError(
                "steps wait for each other in a circle",
                where="plan graph",
                remedy="take out one of the pairs",
            )
        return tuple(closed)


def match_graph(
    predicted: Plan,
    gold: PlanGraph,
    judge: Judge | None = None,
    ignore_verbs: Sequence[str] = (),
) -> ActionPairScore:
    """Action pair match in which order counts only where the graph demands it.

    Quantity is as in `match`; order is the largest matching in which no step stands before one that it has to
    follow. With a graph that orders all steps it is `match`, with none order equals quantity.
    ignore_verbs: leave steps out on both sides; what they ordered stays ordered.
    Raises GumptionError as `PlanGraph.ancestors` does, and for plans with too many orders to go through.
    """
    ignored = {verb.casefold() for verb in ignore_verbs}
    kept = [
        number for number, action in enumerate(gold.actions) if action[0].strip().casefold() not in ignored
    ]
    ancestors = gold.ancestors()
    plain = match(predicted, [gold.actions[number] for number in kept], judge, ignore_verbs)
    if plain.flags.judge_failed or not plain.predicted or not plain.gold:
        return plain
    place = {number: index for index, number in enumerate(kept)}
    masks = [sum(1 << place[other] for other in kept if ancestors[number] >> other & 1) for number in kept]
    count = longest_consistent(plain.matrix, masks)
    rows, columns = len(plain.predicted), len(plain.gold)
    order = msgspec.structs.replace(
        plain.order,
        count=count,
        precision=count / rows,
        recall=count / columns,
        f1=2 * count / (rows + columns),
    )
    return msgspec.structs.replace(plain, order=order)


def longest_consistent(matrix: Sequence[Sequence[bool]], ancestors: Sequence[int]) -> int:
    """The size of the largest matching in which, going through the rows, no column comes after one that has
    to follow it.

    ancestors: for each column a bit mask of the columns that have to come before it.
    Exact: goes through the sets of columns that are still open. Raises GumptionError above 100,000.
    """
    ahead = [0] * (len(matrix) + 1)
    for number in reversed(range(len(matrix))):
        cells = sum(1 << column for column, cell in enumerate(matrix[number]) if cell)
        ahead[number] = ahead[number + 1] | cells
    best = {ahead[0]: 0}
    for number, row in enumerate(matrix):
        later = ahead[number + 1]
        found: dict[int, int] = {}
        for still_open, count in best.items():
            skipped = still_open & later
            found[skipped] = max(count, found.get(skipped, 0))
            for column, cell in enumerate(row):
                if cell and still_open >> column & 1:
                    taken = still_open & ~(1 << column) & ~ancestors[column] & later
                    found[taken] = max(count + 1, found.get(taken, 0))
        best = found
        if len(best) > _MOST_STATES:
            raise GumptionError(
                f"more than {_MOST_STATES:,} orders of matched steps",
                where="plan graph",
                remedy="name more of the pairs whose order matters, or a stricter judge",
            )
    return max(best.values())


def _union(masks: Sequence[int], members: int) -> int:
    found = 0
    for number, mask in enumerate(masks):
        if members >> number & 1:
            found |= mask
    return found
