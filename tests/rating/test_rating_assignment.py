"""Balance of the assignment, as properties over raters, outputs and drop-outs."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import Place
from studies import invite, material, new, study, values

from gumption.rating.assignment import (
    Unit,
    left_behind,
    next_check,
    next_kind,
    next_repeat,
    next_unit,
    swap_sides,
)


def block(scenarios: int, models: int) -> list[Unit]:
    return [
        Unit(place * models + model, place, (f"m{model}",))
        for place in range(scenarios)
        for model in range(models)
    ]


def play(
    units: list[Unit], raters: int, wanted: int, seed: int, leave: dict[int, int]
) -> tuple[dict[int, list[Unit]], Counter[int]]:
    """Raters ask in random order until nothing is left; rater r goes after leave[r] tasks, and the last task
    that a leaving rater was given is never done."""
    rng = random.Random(seed)
    seen: dict[int, list[Unit]] = {rater: [] for rater in range(raters)}
    taken: Counter[int] = Counter()
    here = list(range(raters))
    while here:
        rater = rng.choice(here)
        unit = next_unit(units, taken, {one.key for one in seen[rater]}, wanted, seed=seed, rater=rater)
        if unit is None:
            here.remove(rater)
        elif len(seen[rater]) == leave.get(rater):
            here.remove(rater)  # its lease ran out: the place is open again
        else:
            assert taken[unit.key] < wanted
            assert unit not in seen[rater]
            seen[rater].append(unit)
            taken[unit.key] += 1
    return seen, taken


@settings(max_examples=60)
@given(
    scenarios=st.integers(1, 6),
    models=st.integers(1, 6),
    wanted=st.integers(1, 5),
    more=st.integers(0, 4),
    leave=st.dictionaries(st.integers(0, 6), st.integers(0, 12), max_size=7),
    seed=st.integers(0, 1000),
)
def test_everything_is_judged_as_often_as_wanted_while_enough_people_stay(
    scenarios: int, models: int, wanted: int, more: int, leave: dict[int, int], seed: int
) -> None:
    leavers = len(leave)
    units = block(scenarios, models)
    raters = leavers + wanted + more
    _, taken = play(units, raters, wanted, seed, dict(zip(range(leavers), leave.values(), strict=True)))
    assert set(taken.values()) == {wanted} and len(taken) == len(units)


@settings(max_examples=60)
@given(
    scenarios=st.integers(2, 8),
    models=st.integers(2, 8),
    raters=st.integers(1, 12),
    size=st.integers(1, 16),
    seed=st.integers(0, 1000),
)
def test_while_places_are_many_every_rater_sees_models_and_scenarios_evenly(
    scenarios: int, models: int, raters: int, size: int, seed: int
) -> None:
    """Nobody presses: each output wants as many people as there are, and the counts differ by one at most."""
    units = block(scenarios, models)
    size = min(size, len(units))
    seen, taken = play(units, raters, raters, seed, dict.fromkeys(range(raters), size))
    counts = [taken[unit.key] for unit in units]
    assert max(counts) - min(counts) <= 1 or raters > 1
    for theirs in seen.values():
        assert len(theirs) == size
        of_models = Counter(unit.models[0] for unit in theirs)
        of_scenarios = Counter(unit.scenario for unit in theirs)
        assert max(of_models.values()) <= size / models + 3
        assert max(of_scenarios.values()) <= size / scenarios + 3


def test_the_study_of_the_paper_is_spread_better_than_by_lot() -> None:
    """8 scenarios, 13 models, 4 people an output, blocks of 13 for 32 people."""
    units = block(8, 13)
    for seed in range(3):
        seen, taken = play(units, 40, 4, seed, dict.fromkeys(range(40), 13))
        assert set(taken.values()) == {4}
        ours = [_spread(theirs) for theirs in seen.values() if len(theirs) == 13]
        rng = random.Random(seed)
        by_lot = [_spread(rng.sample(units, 13)) for _ in range(400)]
        assert np.mean(ours) < 0.5 * np.mean(by_lot)


def _spread(theirs: list[Unit]) -> float:
    """Variance of how often each model and each scenario was seen."""
    models = Counter(unit.models[0] for unit in theirs)
    scenarios = Counter(unit.scenario for unit in theirs)
    return float(
        np.var([models[f"m{model}"] for model in range(13)])
        + np.var([scenarios[place] for place in range(8)])
    )


def test_raters_get_different_orders_and_the_same_rater_the_same_again() -> None:
    units = block(4, 4)
    orders = []
    for rater in (1, 2, 1):
        seen: list[int] = []
        while (unit := next_unit(units, {}, seen, 1, seed=5, rater=rater)) is not None:
            seen.append(unit.key)
        orders.append(seen)
    assert orders[0] == orders[2] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(16))


@given(share=st.floats(0, 0.5), other=st.floats(0, 0.4), length=st.integers(1, 120), seed=st.integers(0, 99))
def test_checks_and_repeats_keep_to_their_shares_all_along(
    share: float, other: float, length: int, seed: int
) -> None:
    kinds: list[str] = []
    for number in range(1, length + 1):
        kinds.append(
            next_kind(
                number,
                kinds.count("check"),
                kinds.count("repeat"),
                check_share=share,
                repeat_share=other,
                seed=seed,
                rater=1,
            )
        )
        assert abs(kinds.count("check") - share * number) <= 2
        assert abs(kinds.count("repeat") - other * number) <= 3
    assert kinds[0] == "unit"


@given(rated=st.lists(st.integers(0, 30), unique=True), seed=st.integers(0, 9))
def test_a_repeat_was_rated_a_while_ago_and_only_once(rated: list[int], seed: int) -> None:
    repeated = set(rated[:2])
    chosen = next_repeat(rated, repeated, seed=seed, rater=1)
    if chosen is None:
        assert len(rated) < 7
    else:
        assert chosen not in repeated
        assert len(rated) - rated.index(chosen) >= 5


def test_every_check_is_shown_once() -> None:
    seen: set[int] = set()
    for _ in range(4):
        check = next_check([7, 8, 9, 10], seen, seed=1, rater=1)
        assert check is not None and check not in seen
        seen.add(check)
    assert next_check([7, 8, 9, 10], seen, seed=1, rater=1) is None


def test_sides_even_out_by_pair_then_by_model_then_by_lot() -> None:
    assert swap_sides(3, 1, 0, seed=0, rater=1, unit=1)
    assert not swap_sides(3, 2, 0, seed=0, rater=1, unit=1)
    assert swap_sides(2, 1, 1, seed=0, rater=1, unit=1)
    assert not swap_sides(2, 1, -1, seed=0, rater=1, unit=1)
    lots = [swap_sides(0, 0, 0, seed=0, rater=1, unit=unit) for unit in range(1000)]
    assert 400 < sum(lots) < 600


def test_what_only_people_with_full_blocks_could_take_is_left_behind() -> None:
    units = [Unit(key, 0, ("m",)) for key in (1, 2, 3)]
    # Of two places of unit 3 one is open. The rater with room has seen it; the other's block of two is full.
    seen = {7: {1, 2}, 8: {3}, 9: {1, 2}}
    assert left_behind(units, {1: 1, 2: 1, 3: 1}, seen, wanted=2, block=2) == [units[2]]
    assert left_behind(units, {1: 1, 2: 1, 3: 2}, seen, wanted=2, block=2) == []
    assert left_behind(units, {1: 1, 2: 1, 3: 1}, seen | {10: set()}, wanted=2, block=2) == []


@pytest.mark.parametrize("seed", range(6))
def test_capacity_that_is_just_enough_reaches_every_output(seed: int, sqlite_place: Place) -> None:
    store = sqlite_place.open()
    made = new(store, study(seed=seed, raters_wanted=3, tasks_per_rater=15), material(4, 5))
    turns, people = random.Random(seed), invite(store, made, 4)
    while people:
        rater = turns.choice(people)
        task = store.next_task(rater)
        if task is None:
            people.remove(rater)
        else:
            store.submit(rater, task.id, values(task))
    counts = Counter(record.unit for record in store.records(made.id) if record.revision)
    assert set(counts.values()) == {3}
    assert len(counts) == 20
