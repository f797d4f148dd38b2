"""The join that grounds actions, against trying out every choice of objects."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding.planners._bindings import bindings

NAMES = ("a", "b", "c")
WORDS = st.sampled_from(("?x", "?y", "?z", "?x", "?y", "?z", "a"))
PREDICATES = {"q": 2, "r": 3, "p": 1}


def atoms(words: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.sampled_from(sorted(PREDICATES)).flatmap(
        lambda name: st.tuples(st.just(name), *[words] * PREDICATES[name])
    )


@given(
    st.fixed_dictionaries(
        {name: st.lists(st.sampled_from(NAMES), min_size=2, unique=True) for name in ("?x", "?y", "?z")}
    ),
    st.lists(atoms(WORDS), min_size=1, max_size=3),
    st.frozensets(atoms(st.sampled_from(NAMES)), min_size=8, max_size=25),
)
def test_every_choice_under_which_all_facts_are_known(
    domains: dict[str, list[str]], facts: list[tuple[str, ...]], true: frozenset[tuple[str, ...]]
) -> None:
    known = {name: [atom for atom in sorted(true) if atom[0] == name] for name in PREDICATES}
    wanted = set()
    for choice in product(*domains.values()):
        values = dict(zip(domains, choice, strict=True))
        if all((fact[0], *[values.get(word, word) for word in fact[1:]]) in true for fact in facts):
            wanted.add(choice)
    found = [tuple(one[name] for name in domains) for one in bindings(domains, facts, known, lambda: None)]
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_it_can_be_stopped_at_any_step() -> None:
    def spend() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        list(bindings({"?x": NAMES}, [], {}, spend))
