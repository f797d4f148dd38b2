"""Fresh problems: solvable, not solved, said in English as in PDDL, and of the size that was asked for."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding import read_domain, read_problem, validate
from gumption.grounding.generate import WORLDS, Generated, generate, sizes
from gumption.grounding.planners import solve
from gumption.grounding.render import can_render
from gumption.records import GumptionError

RANGES = {
    "blocksworld": {"blocks": (2, 10)},
    "columns": {"blocks": (1, 10), "columns": (3, 9)},
    "hanoi": {"discs": (1, 7)},
    "coloured-hanoi": {"discs": (1, 7)},
    "cooking": {"vegetables": (1, 6)},
    "household": {"containers": (1, 6), "surfaces": (1, 6), "items": (1, 12), "goals": (1, 12)},
}
# Towers of more than seven discs are solved in thousands of steps: not all of these tests try them.
ENDS = RANGES | {"hanoi": {"discs": (1, 12)}, "coloured-hanoi": {"discs": (1, 10)}}


def everything() -> st.SearchStrategy[tuple[str, dict[str, int], int]]:
    def chosen(world: str) -> st.SearchStrategy[tuple[str, dict[str, int], int]]:
        numbers = st.fixed_dictionaries({name: st.integers(*ends) for name, ends in RANGES[world].items()})
        return st.tuples(st.just(world), numbers, st.integers(0, 10**6))

    return st.sampled_from(sorted(RANGES)).flatmap(chosen)


@given(everything())
def test_problems_are_clean_unsolved_and_solvable(choice: tuple[str, dict[str, int], int]) -> None:
    world, size, seed = choice
    if "goals" in size:
        size["goals"] = min(size["goals"], size["items"])
    made = generate(world, seed=seed, **size)
    domain = read_domain(made.domain_text)
    assert not domain.errors
    reading = read_problem(made.problem_text, domain, repair=False)
    assert reading.clean and reading.problem is not None and not reading.notes
    goal, init = reading.problem.goal_literals, reading.problem.init
    assert goal and any((atom in init) != positive for positive, atom in goal)
    assert validate(domain, reading.problem, made.plan).valid
    assert made == generate(world, seed=seed, **size)
    assert can_render(domain, reading.problem) == (world != "household")


@pytest.mark.parametrize("world", WORLDS)
def test_a_search_that_knows_nothing_of_the_generator_solves_them(world: str) -> None:
    for seed in range(8):
        made = generate(world, seed=seed)
        assert solve(made.domain, made.problem, planner="astar").status == "solved"


@pytest.mark.parametrize("world", WORLDS)
def test_seeds_vary_objects_and_goals(world: str) -> None:
    made = [generate(world, seed=seed) for seed in range(40)]
    assert len({one.problem.init for one in made}) > 25
    goals = {one.problem.goal_literals for one in made}
    assert len(goals) == 3 if world == "hanoi" else len(goals) > 25  # one goal for each of three pegs
    if world not in ("hanoi", "columns"):  # discs have numbers; six blocks have six letters
        assert len({frozenset(one.problem.objects) for one in made}) > 5


def test_sizes_are_as_asked() -> None:
    def kinds(made: Generated) -> Counter[str]:
        return Counter(made.problem.objects.values())

    assert kinds(generate("blocksworld", blocks=7)) == {"block": 7, "robot": 1}
    assert kinds(generate("columns", blocks=6, columns=4)) == {"block": 6, "column": 4}
    assert kinds(generate("hanoi", discs=9)) == {"object": 12}
    assert kinds(generate("coloured-hanoi", discs=3)) == {"object": 6}
    assert kinds(generate("cooking", vegetables=5)) == {"vegetable": 5, "location": 3, "robot": 2, "tool": 1}
    made = generate("household", containers=3, surfaces=2, items=6, goals=4)
    assert kinds(made) == {"container": 3, "object": 2, "movable": 4, "sliceable": 1, "slicer": 1}
    assert len(made.problem.goal_literals or ()) == 4


def test_columns_are_beside_their_neighbours_only() -> None:
    """As in ViPlan's files; its simulator closes these relations."""
    init = generate("columns", columns=5).problem.init
    assert {atom for atom in init if atom[0] == "leftof"} == {
        ("leftof", f"c{number}", f"c{number + 1}") for number in range(1, 5)
    }
    assert {atom for atom in init if atom[0] == "rightof"} == {
        ("rightof", f"c{number + 1}", f"c{number}") for number in range(1, 5)
    }


@pytest.mark.parametrize("seed", range(30))
def test_the_sentence_says_the_goal_of_blocksworld(seed: int) -> None:
    made = generate("blocksworld", blocks=6, seed=seed)
    said = set()
    for stack in re.findall(r"\w+(?: over \w+)+", made.instruction):
        names = [f"{colour}_block" for colour in stack.split(" over ")]
        said |= {(True, ("on", upper, lower)) for upper, lower in pairwise(names)}
    assert said == made.problem.goal_literals


@pytest.mark.parametrize("seed", range(30))
def test_the_sentence_says_the_goal_of_columns(seed: int) -> None:
    made = generate("columns", blocks=5, seed=seed)
    said = set()
    for column, stack in re.findall(r"column (c\d) holds (\w+(?: on \w+)*)", made.instruction):
        names = stack.split(" on ")
        said |= {(True, ("on", upper, lower)) for upper, lower in pairwise(names)}
        said |= {(True, ("incolumn", name, column)) for name in names} | {(True, ("clear", names[0]))}
    assert said == made.problem.goal_literals
    assert made.instruction.count("empty") == 4 - len({atom[2] for _, atom in said if atom[0] == "incolumn"})


@pytest.mark.parametrize("seed", range(30))
def test_the_sentence_says_the_goal_of_cooking(seed: int) -> None:
    made = generate("cooking", vegetables=5, seed=seed)
    cut, _, served = made.instruction.lower().partition("put ")
    said = {(True, ("is-sliced", name)) for name in re.findall(r"the (\w+)", cut)}
    said |= {(True, ("at", name, "bowl")) for name in re.findall(r"the (\w+)", served) if name != "bowl"}
    assert said == made.problem.goal_literals


@pytest.mark.parametrize("seed", range(30))
def test_the_sentence_says_the_goal_of_a_household(seed: int) -> None:
    made = generate("household", items=6, goals=4, seed=seed)
    words = {"inside": "inside", "on top of": "ontop", "next to": "nextto"}
    said: set[tuple[bool, tuple[str, ...]]] = set()
    for item, relation, place in re.findall(
        r"[Pp]ut (\w+) (inside|on top of|next to) (\w+)", made.instruction
    ):
        said.add((True, (words[relation], item, place)))
    said |= {(True, ("sliced", name)) for name in re.findall(r"[Ss]lice (\w+)", made.instruction)}
    said |= {(False, ("open", name)) for name in re.findall(r"[Cc]lose (\w+)", made.instruction)}
    assert said == made.problem.goal_literals


@pytest.mark.parametrize("seed", range(12))
def test_all_discs_go_to_the_peg_that_is_named(seed: int) -> None:
    made = generate("coloured-hanoi", discs=4, seed=seed)
    side = {"leftmost": "left_peg", "middle": "middle_peg", "rightmost": "right_peg"}
    [word] = [one for one in side if f"the {one} peg" in made.instruction]
    under = {atom[1]: atom[2] for _, atom in made.problem.goal_literals or ()}
    discs = [name for name in made.problem.objects if name not in side.values()]
    assert set(under) == set(discs) and len(set(under.values())) == 4 and side[word] in under.values()
    fits = {atom[1:] for atom in made.problem.init if atom[0] == "smaller"}
    assert all((below, disc) in fits for disc, below in under.items())


@pytest.mark.parametrize(
    ("world", "size", "remedy"),
    [
        ("chess", {}, "blocksworld"),
        ("hanoi", {"blocks": 3}, "discs"),
        ("columns", {"columns": 2}, "3 to 9"),
        ("blocksworld", {"blocks": 11}, "2 to 10"),
        ("household", {"items": 2, "goals": 3}, "1 to 2"),
    ],
)
def test_bad_sizes_say_what_is_possible(world: str, size: dict[str, int], remedy: str) -> None:
    with pytest.raises(GumptionError) as error:
        generate(world, **size)
    assert remedy in error.value.remedy


@pytest.mark.parametrize(
    ("world", "name", "value"),
    [
        (world, name, value)
        for world, size in ENDS.items()
        for name, (low, high) in size.items()
        for value in (low - 1, high + 1)
    ],
)
def test_sizes_end_where_they_are_said_to(world: str, name: str, value: int) -> None:
    with pytest.raises(GumptionError, match=f"{name} is {value}"):
        generate(world, **{**({"items": 12} if name == "goals" else {}), name: value})


def test_three_items_of_a_household_are_a_knife_something_to_slice_and_another() -> None:
    for seed in range(10):
        three = Counter(generate("household", items=3, seed=seed).problem.objects.values())
        assert (three["slicer"], three["sliceable"], three["movable"]) == (1, 1, 1)
        two = Counter(generate("household", items=2, seed=seed).problem.objects.values())
        assert (two["slicer"], two["sliceable"], two["movable"]) == (0, 0, 2)


def test_sizes_name_what_can_be_chosen() -> None:
    assert {world: set(sizes(world)) for world in WORLDS} == {name: set(one) for name, one in RANGES.items()}
