"""Action pair match against the official scorer's own results, figures of the reference, and brute force."""

from __future__ import annotations

import json
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.planning import read_plan
from gumption.planning.judges import ExactJudge, Judgement, RecordedJudge
from gumption.planning.match import IGNORED, largest_matching, longest_in_order, macro, match, micro
from gumption.planning.partial_order import PlanGraph, longest_consistent, match_graph
from gumption.records import GumptionError

EXACT = ExactJudge()
MEANT = [0.0] * 6
"""What a crash of the official scorer stands for: nothing matched."""


@pytest.mark.data
def test_the_official_scorer_item_by_item(public_data):
    rows = [
        json.loads(line)
        for line in (public_data / "embodiedbrain" / "official_apm.jsonl").read_text().splitlines()
    ]
    assert len(rows) == 720
    for row in rows:
        score = match(row["predicted"], row["gold"], EXACT, preset="official")
        six = [
            round(value, 3)
            for one in (score.quantity, score.order)
            for value in (one.precision, one.recall, one.f1)
        ]
        assert six == (row["official"] if isinstance(row["official"], list) else MEANT), row["mutation"]


def scored(plan):
    return [action for action in plan if action[0].lower() not in IGNORED]


def swapped(plan):
    first, second = [number for number, action in enumerate(plan) if action[0].lower() not in IGNORED][:2]
    other = list(plan)
    other[first], other[second] = plan[second], plan[first]
    return other


@pytest.mark.data
@pytest.mark.parametrize(
    ("change", "figures"),
    [
        (lambda plan: plan, (1, 1, 1, 1)),
        (lambda plan: plan[::-1], (1, 0.3254, 1, 0.2985)),
        (swapped, (1, 0.7607, 1, 0.8240)),
        (lambda plan: scored(plan)[:-1], (0.8567, 0.8567, 0.9035, 0.9035)),
        (lambda plan: scored(plan)[: len(scored(plan)) // 2], (0.6029, 0.6029, 0.6124, 0.6124)),
        (lambda plan: [action for action in plan for _ in range(2)], (0.6667, 0.6667, 0.6667, 0.6667)),
        (lambda plan: scored(plan)[:1], (0.3678, 0.3678, 0.2993, 0.2993)),
    ],
    ids=["identical", "reversed", "swapped", "last dropped", "half", "doubled", "first only"],
)
def test_figures_of_the_reference_on_the_gold_plans(public_data, change, figures):
    tasks = json.loads((public_data / "embodiedbrain" / "simulation_benchmark_set.json").read_text())
    gold = [read_plan(task["conversations"][1]["content"]).actions for task in tasks]
    scores = [match(change(plan), plan, EXACT) for plan in gold]
    quantity, order = micro(scores)
    assert (*macro(scores), quantity.f1, order.f1) == pytest.approx(figures, abs=5e-5)
    assert sum(len(score.gold) for score in scores) == 392


def test_special_cases():
    pick = [["Pick", "Apple"]]
    assert match([], [], EXACT).quantity.f1 == 1 and match(None, [], EXACT).flags.both_empty
    assert match([], [], EXACT, both_empty=0).order.f1 == 0
    assert match(pick, [], EXACT).flags.gold_empty and match(pick, [], EXACT).quantity.f1 == 0
    assert match([["Find", "Apple"]], pick, EXACT).quantity.f1 == 0
    three = match(pick * 3, pick, EXACT).quantity
    assert (three.precision, three.recall, three.f1) == (pytest.approx(1 / 3), 1, 0.5)
    two = match(pick, pick * 2, EXACT).quantity
    assert (two.precision, two.recall, two.f1) == (1, 0.5, pytest.approx(2 / 3))
    assert match((("pick up", "apple"),), pick, EXACT).quantity.f1 == 1
    assert match([["Find", "Apple"]], [["Find", "Apple"]], EXACT, ignore_verbs=()).quantity.count == 1


def test_greedy_is_not_the_largest_matching():
    matrix = [[True, True], [True, False]]
    assert largest_matching(matrix) == 2
    assert longest_in_order(matrix) == 1
    assert match([["a"], ["b"]], [["c"], ["d"]], matrix=matrix).quantity.count == 2


def test_a_matrix_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="1 x 2"):
        match([["a"]], [["b"], ["c"]], matrix=[[True]])


class Silent:
    name = "silent"

    def judge(self, action, gold):
        return Judgement((False,) * len(gold), failed=action[0] == "pick")


def test_a_judge_that_fails_leaves_the_pair_unscored():
    failed = match([["Pick", "Apple"]], [["Pick", "Apple"]], Silent())
    assert failed.flags.judge_failed and failed.quantity.f1 is None
    right = match([["Open", "Box"]], [["Open", "Box"]], EXACT)
    assert macro([failed, right]) == (1, 1)
    assert micro([failed, right])[0].f1 == 1


def test_recorded_verdicts():
    judge = RecordedJudge(
        [(["pick", "Mug"], ["pick", "Cup"], True), (["pick", "Mug"], ["open", "Box"], False)]
    )
    assert match([["Pick", "mug"]], [["Pick", "Cup"], ["Open", "Box"]], judge).quantity.count == 1
    assert match([["Pick", "mug"]], [["Pick", "Pan"]], judge).flags.judge_failed
    with pytest.raises(GumptionError, match="two verdicts"):
        RecordedJudge([(["a"], ["b"], True), (["A"], ["B"], False)])


matrices = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.booleans(), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


def by_brute_force(matrix, *, ordered):
    rows, columns = len(matrix), len(matrix[0])
    for size in range(min(rows, columns), 0, -1):
        for left in combinations(range(rows), size):
            choices = combinations(range(columns), size) if ordered else permutations(range(columns), size)
            if any(all(matrix[i][j] for i, j in zip(left, right, strict=True)) for right in choices):
                return size
    return 0


@given(matrices)
def test_counts_equal_brute_force(matrix):
    assert largest_matching(matrix) == by_brute_force(matrix, ordered=False)
    assert longest_in_order(matrix) == by_brute_force(matrix, ordered=True)


@given(matrices, st.data())
def test_invariants(matrix, data):
    quantity, order = largest_matching(matrix), longest_in_order(matrix)
    assert 0 <= order <= quantity <= min(len(matrix), len(matrix[0]))
    turned = [list(column) for column in zip(*matrix, strict=True)]
    assert (largest_matching(turned), longest_in_order(turned)) == (quantity, order)
    assert longest_in_order([row[::-1] for row in matrix[::-1]]) == order
    assert largest_matching(data.draw(st.permutations(matrix))) == quantity
    row, column = data.draw(st.integers(0, len(matrix) - 1)), data.draw(st.integers(0, len(matrix[0]) - 1))
    more = [list(cells) for cells in matrix]
    more[row][column] = True
    assert largest_matching(more) >= quantity and longest_in_order(more) >= order


@given(matrices)
def test_scores_are_in_range_and_symmetric(matrix):
    left = [[f"p{number}"] for number in range(len(matrix))]
    right = [[f"g{number}"] for number in range(len(matrix[0]))]
    one = match(left, right, matrix=matrix)
    other = match(right, left, matrix=[list(column) for column in zip(*matrix, strict=True)])
    for a, b in ((one.quantity, other.quantity), (one.order, other.order)):
        assert 0 <= a.precision <= 1 and 0 <= a.recall <= 1 and 0 <= a.f1 <= 1
        assert (a.precision, a.recall, a.f1) == (b.recall, b.precision, b.f1)
    longer = match([*left, ["x"]], right, matrix=[*matrix, [False] * len(right)])
    assert longer.quantity.recall == one.quantity.recall
    assert longer.quantity.precision <= one.quantity.precision


@given(matrices)
def test_a_graph_that_orders_everything_is_order_and_one_that_orders_nothing_is_quantity(matrix):
    columns = len(matrix[0])
    assert longest_consistent(matrix, [(1 << column) - 1 for column in range(columns)]) == longest_in_order(
        matrix
    )
    assert longest_consistent(matrix, [0] * columns) == largest_matching(matrix)


@given(matrices, st.data())
def test_a_partial_order_equals_brute_force(matrix, data):
    columns = len(matrix[0])
    pairs = data.draw(st.sets(st.tuples(st.integers(0, columns - 1), st.integers(0, columns - 1))))
    graph = PlanGraph(tuple((f"g{c}",) for c in range(columns)), tuple((a, b) for a, b in pairs if a < b))
    above = graph.ancestors()

    def best(row, taken):
        if row == len(matrix):
            return 0
        found = best(row + 1, taken)
        for column in range(columns):
            if matrix[row][column] and column not in taken and not any(above[t] >> column & 1 for t in taken):
                found = max(found, 1 + best(row + 1, taken | {column}))
        return found

    assert longest_consistent(matrix, above) == best(0, frozenset())


def test_independent_steps_may_come_in_any_order():
    gold = PlanGraph(
        (("Open", "Fridge"), ("Open", "Box"), ("Pick", "Egg"), ("Place", "Egg", "Box")),
        ((0, 2), (1, 3), (2, 3)),
    )
    other_way = [["Open", "Box"], ["Open", "Fridge"], ["Pick", "Egg"], ["Place", "Egg", "Box"]]
    assert match_graph(other_way, gold, EXACT).order.f1 == 1
    assert match(other_way, gold.actions, EXACT).order.f1 == 0.75
    wrong = [["Pick", "Egg"], ["Open", "Fridge"], ["Open", "Box"], ["Place", "Egg", "Box"]]
    assert match_graph(wrong, gold, EXACT).order.count == 3
    with pytest.raises(GumptionError, match="circle"):
        match_graph(wrong, PlanGraph(gold.actions, ((0, 1), (1, 0))), EXACT)
    with pytest.raises(GumptionError, match="not there"):
        match_graph(wrong, PlanGraph(gold.actions, ((0, 9),)), EXACT)
