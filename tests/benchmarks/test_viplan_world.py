"""The simulator and the tasks, against the plans and states that ViPlan ships."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from viplan_play import task

from gumption.benchmarks import get, open_suite, versions_of
from gumption.benchmarks.viplan.planning import at_once, in_turn
from gumption.benchmarks.viplan.world import closed, read_world
from gumption.grounding import validate
from gumption.records import GumptionError


def test_left_and_right_are_closed_transitively() -> None:
    world = read_world(task())
    assert {atom for atom in world.state if atom[0] == "leftof"} == {
        ("leftof", "c1", "c2"), ("leftof", "c2", "c3"), ("leftof", "c1", "c3"),
    }  # fmt: skip
    assert world.static == {"leftof", "rightof"}
    assert world.parameters == {"moveblock": ("block", "column")}


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_a_closed_relation_holds_whatever_can_be_reached(pairs: set[tuple[str, str]]) -> None:
    found = {atom[1:] for atom in closed(frozenset(("r", *pair) for pair in pairs), ("r",))}

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            here = waiting.pop()
            more = {after for before, after in pairs if before == here} - seen
            seen |= more
            waiting += more
        return seen

    assert found == {(start, end) for start in "abcdef" for end in reached(start)}


def test_steps_with_a_fault_change_nothing() -> None:
    world = read_world(task())
    before = world.state
    for step in (
        ("moveblock", "b", "c2"), ("moveblock", "r", "c1"), ("moveblock", "r"), ("moveblock", "r", "r"),
        ("moveblock", "r", "c7"), ("fly", "r"), (),
    ):  # fmt: skip
        assert world.act(step) and world.state == before
    assert not world.act(("moveblock", "r", "c2")) and not world.solved
    assert not world.act(("moveblock", "b", "c2")) and world.solved


def test_a_problem_that_cannot_be_read_is_told() -> None:
    with pytest.raises(GumptionError, match="no problem"):
        read_world(task(problem="nothing"))


@pytest.mark.data
def test_the_75_tasks_of_blocksworld(public_data: Path) -> None:
    suite = open_suite("viplan-blocksworld", public_data)
    about = {}
    for split in ("simple", "medium", "hard"):
        folder = public_data / "viplan" / "planning" / "blocksworld" / "problems" / split
        about |= json.loads((folder / "metadata.json").read_text())
    assert len(suite.items) == 75 == len(about)
    atoms = {"simple": (56, 32), "medium": (105, 50), "hard": (98, 32)}
    for item in suite.items:
        world = read_world(item)
        columns = len({name for name, kind in world.problem.objects.items() if kind == "column"})
        told = about[item.id]["init_predicates"]
        shipped = {
            (name.lower(), *([one.lower()] if isinstance(one, str) else [word.lower() for word in one]))
            for name, ones in told.items()
            for one in ones
        }
        # The files leave out what follows for columns that are no neighbours.
        assert shipped <= world.state and len(world.state - shipped) == (columns - 1) * (columns - 2)
        static = [atom for atom in world.atoms if atom[0] in world.static]
        assert (len(world.atoms), len(static)) == atoms[item.category]
        plan = [tuple(step) for step in item.answer.gold]
        assert not world.solved
        for step in plan:
            assert not world.act(step)
        assert world.solved
        assert len(at_once(world.domain, world.problem) or ()) > 0


@pytest.mark.data
def test_planning_in_turn_solves_every_household_problem(public_data: Path) -> None:
    suite = open_suite("viplan-household-symbolic", public_data)
    assert [
        sum(item.category == split for item in suite.items) for split in ("simple", "medium", "hard")
    ] == [25] * 3
    for item in {item.cluster: item for item in suite.items}.values():
        world = read_world(item)
        plan = in_turn(world.domain, world.problem)
        assert plan is not None and validate(world.domain, world.problem, plan).valid, item.id


def test_planning_in_turn_falls_back_on_all_at_once() -> None:
    """Nothing can be on top of itself, so the second of these goals has no plan, in turn or at once."""
    world = read_world(task(problem=task().meta["problem"].replace("(on B R)", "(on B R) (on R R)")))
    assert in_turn(world.domain, world.problem) is None


@pytest.mark.data
def test_options_are_part_of_the_protocol(public_data: Path) -> None:
    usual = open_suite("viplan-blocksworld", public_data)
    other = open_suite("viplan-blocksworld:yes_no=viplan,style=isometric", public_data)
    assert usual.checksum != other.checksum
    assert versions_of(other.items)["viplan-blocksworld"].endswith("yes_no=viplan,style=isometric")
    assert "planner astar 50000" in versions_of(usual.items)["viplan-blocksworld"]
    for options in ("yes_no=maybe", "colour=red"):
        with pytest.raises(GumptionError, match="no such option") as caught:
            open_suite(f"viplan-blocksworld:{options}", public_data)
        assert "yes_no=strict" in caught.value.remedy


def test_data_that_are_not_there_or_not_these(tmp_path: Path) -> None:
    for name in ("viplan-blocksworld", "viplan-household-symbolic"):
        with pytest.raises(GumptionError, match=r"no domain\.pddl") as caught:
            get(name).load(tmp_path)
        assert "ViPlan" in caught.value.remedy
    (tmp_path / "domain.pddl").write_text("(define (domain blocksworld))")
    for name in ("viplan-blocksworld", "viplan-household-symbolic"):
        with pytest.raises(GumptionError, match="not ViPlan's") as caught:
            get(name).load(tmp_path)
        assert "metadata.json" in caught.value.where
    with pytest.raises(GumptionError, match="no benchmark by themselves"):
        get("viplan-recorded").load(None)
