"""Many problems are solved by others as they are here: in any shards, in any order, whoever dies of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from executing import KillOnce, Shuffled
from gumption.cli import main
from gumption.executors import Executor, Local
from gumption.grounding.planners import fast_downward
from gumption.grounding.planners.many import Asked, Solved, Solving, solve_all
from gumption.records import GumptionError
from ray_cluster import joined

CASES = Path(__file__).parents[1] / "cases"


@pytest.fixture(scope="module")
def ray() -> Iterator[Executor]:
    with joined() as executor:
        yield executor


@pytest.fixture(scope="module")
def how() -> Solving:
    return Solving((CASES / "blocksworld.pddl").read_text(), "astar", None, None)


@pytest.fixture(scope="module")
def towers() -> list[Asked]:
    """Towers of 1 to 8 blocks to be taken apart, four of each, and words that are no problem."""
    heights = [number % 8 + 1 for number in range(32)]
    towers = [Asked(f"tower-{number}", _tower(height)) for number, height in enumerate(heights)]
    return [*towers, Asked("words", "I pass.")]


def _tower(height: int) -> str:
    blocks = [f"b{n}" for n in range(height)]
    on = " ".join(f"(on {above} {below})" for above, below in pairwise(blocks))
    goal = " ".join(f"(ontable {block})" for block in blocks)
    return (
        f"(define (problem tower) (:domain blocksworld) (:objects {' '.join(blocks)} - block)"
        f"(:init (clear b0) {on} (ontable {blocks[-1]}) (handempty)) (:goal (and {goal})))"
    )


@pytest.fixture(scope="module")
def here(how: Solving, towers: list[Asked], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of results that this process makes."""
    out = tmp_path_factory.mktemp("here") / "solved.jsonl"
    done = solve_all(towers, how, Local(), out=out)
    # Every block but the lowest is taken off and put down.
    steps = [len(one.result.plan or ()) for one in done[:-1]]
    assert steps == [0, 2, 4, 6, 8, 10, 12, 14] * 4
    assert (done[-1].problem, done[-1].result.status) == ("words", "malformed")
    return out.read_bytes()


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(workers=st.integers(1, 6), seed=st.integers(0, 99))
def test_shards_of_any_size_in_any_order_make_the_same_file(
    how: Solving, towers: list[Asked], here: bytes, tmp_path: Path, workers: int, seed: int
) -> None:
    out = tmp_path / "solved.jsonl"
    out.unlink(missing_ok=True)
    others = Shuffled(workers, seed)
    solve_all(towers, how, others, out=out)
    assert out.read_bytes() == here
    assert sum(others.sizes) == len(towers)


def test_a_problem_that_nobody_survives_has_crashed_and_the_others_are_solved(
    how: Solving, towers: list[Asked], here: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "solved.jsonl"
    others = Shuffled(1, deadly=lambda asked: asked.name == "tower-9")
    done = solve_all(towers, how, others, out=out)
    statuses = {one.problem: one.result.status for one in done}
    assert [name for name, status in statuses.items() if status == "crashed"] == ["tower-9"]
    assert done[9].result.plan is None and "died 3 times" in done[9].result.detail
    assert sum(others.sizes) == len(towers) - 1, "nothing else is done twice"
    again = Shuffled(1)
    solve_all(towers, how, again, out=out)
    assert again.sizes == [1] and out.read_bytes() == here


def test_results_of_other_problems_are_not_written_over(
    how: Solving, towers: list[Asked], tmp_path: Path
) -> None:
    out = tmp_path / "solved.jsonl"
    solve_all(towers[:2], how, Local(), out=out)
    before = out.read_bytes()
    with pytest.raises(GumptionError, match="other tasks"):
        solve_all(towers[:2], msgspec.structs.replace(how, planner="symbolizer-release"), Local(), out=out)
    assert out.read_bytes() == before
    out.write_text("my notes\n")
    with pytest.raises(GumptionError, match=r"solved.jsonl:1: not a line of such results"):
        solve_all(towers[:2], how, Local(), out=out)
    assert [path.name for path in tmp_path.iterdir()] == ["solved.jsonl"]


@pytest.mark.ray
@pytest.mark.data
def test_what_gpt_4_wrote_is_solved_alike_though_workers_are_killed(
    ray: Executor, public_data: Path, tmp_path: Path
) -> None:
    folder = public_data / "prodg" / "gpt4_outputs" / "blocksworld" / "plain" / "problems"
    how = Solving((public_data / "prodg" / "data" / "blocksworld" / "domain.pddl").read_text(), "astar", None)
    asked = [Asked(path.name, path.read_text()) for path in sorted(folder.iterdir())]
    here = solve_all(asked, how, Local(), out=tmp_path / "local.jsonl")
    assert Counter(one.result.status for one in here).keys() == {"solved", "unsolvable"}
    killer = KillOnce("ray::_Kept")
    solve_all(asked, how, ray, out=tmp_path / "ray.jsonl", progress=killer)
    assert killer.killed and killer.done == len(asked) == 100
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()


def _gumption(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    with redirect_stdout(out), patch("sys.argv", ["gumption", *arguments]):
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.ray
def test_the_verb_says_the_same_wherever_it_runs(ray: Executor, towers: list[Asked], tmp_path: Path) -> None:
    problems = tmp_path / "problems"
    problems.mkdir()
    for asked in [*towers[2:4], towers[-1]]:
        (problems / f"{asked.name}.pddl").write_text(asked.text)
    planner = "fast-downward" if fast_downward.installed() else "astar"
    told: dict[str, Any] = {}
    for on in ("local", "ray"):
        out = tmp_path / f"{on}.jsonl"
        command = ("ground", "solve", str(CASES / "blocksworld.pddl"), str(problems), "--planner", planner)
        code, said = _gumption(*command, "--on", on, "--out", str(out), "--json")
        assert code == 1, "one of them is no problem"
        told[on] = json.loads(said), out.read_bytes()
    assert told["ray"] == told["local"]
    found, lines = told["ray"]
    assert found["statuses"] == {"solved": 2, "malformed": 1}
    assert len([msgspec.json.decode(line, type=Solved) for line in lines.splitlines()]) == 3
    one = str(problems / "tower-3.pddl")
    alone = _gumption("ground", "solve", str(CASES / "blocksworld.pddl"), one, "--on", "ray", "--json")
    assert alone == (0, json.dumps(found["problems"][one], separators=(",", ":")) + "\n")
