"""Action pair match: pairs of plans a second with two judges, beside a plain reference.

The reference does for each pair what the published scorer does between its calls to a judge: canonical
verbs, a matrix of equal actions, SciPy's assignment and a longest common subsequence.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

from scipy.optimize import linear_sum_assignment

from benches._table import show
from gumption.benchmarks._data import find
from gumption.planning import ExactJudge, RuleJudge, match, read_plan
from gumption.planning.match import IGNORED, SYNONYMS

_Plan = Sequence[Sequence[str]]
_ROUNDS = 5


def main() -> None:
    """Every gold plan against the twenty that follow it."""
    path = find("embodiedbrain/simulation_benchmark_set.json", None, get_from="ZTERobot/EmbodiedBrain1.0")
    tasks = json.loads(path.read_text(encoding="utf-8"))
    plans = [read_plan(task["conversations"][1]["content"]).actions or [] for task in tasks]
    pairs = [
        (one, plans[(place + step) % len(plans)]) for place, one in enumerate(plans) for step in range(20)
    ]
    rows = []
    for name, score in (
        ("reference: equal words", reference),
        ("exact judge", lambda one, other: match(one, other, ExactJudge())),
        ("rule judge", lambda one, other: match(one, other, RuleJudge())),
    ):
        seconds = min(_seconds(score, pairs) for _ in range(_ROUNDS))
        rows.append((name, f"{len(pairs) / seconds:,.0f}", f"{1e6 * seconds / len(pairs):.0f}"))
    show(f"{len(pairs):,} pairs of gold plans", ("what", "pairs a second", "µs a pair"), rows)


def _seconds(score: Callable[[_Plan, _Plan], object], pairs: Sequence[tuple[_Plan, _Plan]]) -> float:
    start = time.perf_counter()
    for one, other in pairs:
        score(one, other)
    return time.perf_counter() - start


def reference(predicted: _Plan, gold: _Plan) -> tuple[int, int]:
    left, right = (
        [
            [SYNONYMS.get(action[0].lower(), action[0].lower()), *action[1:]]
            for action in plan
            if action[0].lower() not in IGNORED
        ]
        for plan in (predicted, gold)
    )
    matrix = [[float(one == other) for other in right] for one in left]
    if not left or not right:
        return 0, 0
    quantity = sum(
        matrix[row][column] for row, column in zip(*linear_sum_assignment(matrix, True), strict=True)
    )
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for row, cells in enumerate(matrix, 1):
        for column, cell in enumerate(cells, 1):
            table[row][column] = (
                table[row - 1][column - 1] + 1
                if cell
                else max(table[row - 1][column], table[row][column - 1])
            )
    return int(quantity), table[-1][-1]
