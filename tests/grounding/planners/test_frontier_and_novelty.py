"""The open list and the table of novelty against their definitions."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding.planners import Frontier, Novelty
from gumption.grounding.planners.novelty import MaskNovelty

ENTRIES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 3)), max_size=40)
STATES = st.lists(st.sets(st.integers(0, 9)), max_size=12)


@given(ENTRIES)
def test_the_order_of_the_open_list(entries: list[tuple[int, int, int]]) -> None:
    frontier: Frontier[int] = Frontier()
    for number, (g, h, rank) in enumerate(entries):
        frontier.push(number, g=g, h=h, rank=rank)
    order = []
    while frontier:
        order.append(frontier.pop())
    by_definition = sorted(
        range(len(entries)), key=lambda i: (entries[i][0] + entries[i][1], entries[i][0], entries[i][2], i)
    )
    assert order == by_definition


def test_pushing_between_pops() -> None:
    frontier: Frontier[str] = Frontier()
    frontier.push("late", g=2, h=1, rank=1)
    frontier.push("first", g=1, h=2, rank=3)
    assert frontier.pop() == "first"
    frontier.push("new", g=2, h=1, rank=1)
    frontier.push("newer but more novel", g=2, h=0, rank=3)
    assert [frontier.pop() for _ in range(3)] == ["newer but more novel", "late", "new"]
    assert not frontier
    with pytest.raises(IndexError):
        frontier.pop()


def rank_by_definition(state: set[int], added: list[set[int]]) -> int:
    """Every combination of one fact, then of two, looked up among those of the states added so far."""
    for width in (1, 2):
        if any(not any(set(some) <= one for one in added) for some in combinations(sorted(state), width)):
            return width
    return 3


@given(STATES, st.sets(st.integers(0, 11)))
def test_ranks_by_definition(added: list[set[int]], state: set[int]) -> None:
    named, masked = Novelty(), MaskNovelty()
    for one in added:
        named.add(f"fact {fact}" for fact in one)
        masked.add(sum(1 << fact for fact in one))
    wanted = rank_by_definition(state, added)
    mask = sum(1 << fact for fact in state)
    assert named.rank({f"fact {fact}" for fact in state}) == wanted
    assert masked.rank(mask) == wanted
    for known in added:
        assert named.rank({f"fact {fact}" for fact in state}, {f"fact {fact}" for fact in known}) == wanted
        assert masked.rank(mask, sum(1 << fact for fact in known)) == wanted


def test_ranking_adds_nothing() -> None:
    novelty = Novelty()
    assert novelty.rank({"a", "b"}) == 1
    assert novelty.rank({"a", "b"}) == 1
    novelty.add({"a"})
    novelty.add({"b"})
    assert novelty.rank({"a", "b"}) == 2
    novelty.add({"a", "b"})
    assert novelty.rank({"a", "b"}) == 3
    assert novelty.rank(set()) == 3
