"""The package's own domains behave as the published ones: in one state the same actions are possible and lead
to the same states."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from gumption.grounding import read_domain, read_problem
from gumption.grounding.generate import generate, package_domain
from gumption.grounding.states import Dynamics

PUBLISHED = {
    "blocksworld": ("prodg/data/blocksworld/domain.pddl", "prodg/data/blocksworld/problems", 10),
    "cooking": ("prodg/data/cooking/domain.pddl", "prodg/data/cooking/problems", 10),
    "hanoi": ("prodg/data/hanoi/domain.pddl", "prodg/data/hanoi/problems", 6),
    "columns": (
        "viplan/planning/blocksworld/domain.pddl",
        "viplan/planning/blocksworld/problems/hard_10",
        10,
    ),
    "household": ("viplan/planning/igibson/domain.pddl", "viplan/planning/igibson", 16),
}


@pytest.mark.data
@pytest.mark.parametrize("name", PUBLISHED)
def test_they_do_the_same(name: str, public_data: Path) -> None:
    domain_file, folder, count = PUBLISHED[name]
    theirs = read_domain((public_data / domain_file).read_text("utf-8"))
    ours = read_domain(package_domain(name))
    assert not ours.errors and not ours.unsupported
    assert set(ours.actions) == set(theirs.actions)
    for action, one in ours.actions.items():
        assert [p.types for p in one.parameters] == [p.types for p in theirs.actions[action].parameters]
    paths = [path for path in sorted((public_data / folder).rglob("*.pddl")) if path.name != "domain.pddl"]
    assert len(paths[:count]) == count
    generator = Random(name)
    taken: set[str] = set()
    walks = [(read_problem(path.read_text("utf-8"), theirs).problem, None) for path in paths[:count]]
    walks += [(made.problem, made.plan) for made in [generate(name, seed=seed) for seed in range(8)]]
    for problem, plan in walks:
        assert problem is not None
        one, other = Dynamics(theirs, problem), Dynamics(ours, problem)
        steps = [
            (action.name, *arguments)
            for action in ours.actions.values()
            for arguments in product(*(other.of_types(parameter.types) for parameter in action.parameters))
        ]
        state = problem.init
        for number in range(40 if plan is None else len(plan)):
            possible = []
            for action, *arguments in generator.sample(steps, min(len(steps), 400)):
                left, right = one.schema(action), other.schema(action)
                assert left is not None and right is not None
                can = left.applicable(state, arguments)
                assert can == right.applicable(state, arguments), (action, arguments)
                if can:
                    assert left.apply(state, arguments) == right.apply(state, arguments), (action, arguments)
                    possible.append((action, *arguments))
            if plan is None and not possible:
                continue  # none of this sample; the next one is another
            action, *arguments = plan[number] if plan else generator.choice(possible)
            schema = one.schema(action)
            assert schema is not None
            state = schema.apply(state, arguments)
            taken.add(action)
    assert taken == set(ours.actions)
