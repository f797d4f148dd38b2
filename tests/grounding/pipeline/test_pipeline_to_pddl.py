"""What is written reads back as what was meant, whatever it names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from small_task import DOMAIN

from gumption.grounding import read_domain, read_problem
from gumption.grounding.pipeline import write_problem
from gumption.grounding.pipeline.reading import pddl_name

KITCHEN = read_domain(DOMAIN)
names = st.text(max_size=12).map(pddl_name).filter(bool)
predicates = st.sampled_from(["on", "wet", "lit", "glows", "at-home"])
atoms = st.tuples(predicates, st.lists(names, max_size=4)).map(lambda pair: (pair[0], *pair[1]))
literals = st.tuples(st.booleans(), atoms)


@given(
    st.dictionaries(
        names, st.sampled_from(["cup", "tray", "object", "ghost", "either cup tray"]), max_size=5
    ),
    st.frozensets(atoms, max_size=8),
    st.frozensets(literals, max_size=5),
)
def test_nothing_is_lost_on_the_way(
    objects: dict[str, str], state: frozenset[tuple[str, ...]], goal: frozenset[tuple[bool, tuple[str, ...]]]
) -> None:
    reading = read_problem(write_problem("p", "kitchen", objects, state, goal), KITCHEN, repair=False)
    assert reading.problem is not None and reading.repair == "none"
    assert reading.problem.objects == objects
    assert reading.problem.init == state
    assert reading.problem.goal_literals == goal


def test_what_is_odd_is_found_when_it_is_read() -> None:
    text = write_problem(
        "p", "kitchen", {"red": "cup"}, [("on", "red", "oak"), ("glows", "red")], [(False, ("wet", "moon"))]
    )
    found = {(error.kind, error.section, error.symbol) for error in read_problem(text, KITCHEN).errors}
    assert found == {
        ("undeclared_object", "init", "oak"),
        ("unknown_predicate", "init", "glows"),
        ("undeclared_object", "goal", "moon"),
    }


def test_a_name_makes_no_escaped_line_break() -> None:
    assert pddl_name("a\\nb") == "a_nb"
