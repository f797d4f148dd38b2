"""Many plans are executed by others as they are here: in any shards, in any order, whoever dies of it."""

from __future__ import annotations

import json
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
from gold_plans import gold_tasks
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from executing import KillOnce, Shuffled
from gumption.executors import Executor, Local, LostShardError
from gumption.executors.batch import batch
from gumption.planning.generate import Difficulty, generate
from gumption.planning.simulating import execute_tasks
from gumption.planning.tasks import Task, read_tasks
from gumption.planning.worlds.ai2thor import SimulatorError
from gumption.planning.worlds.household import Household
from gumption.planning.worlds.scenes import load_scene
from gumption.planning.worlds.world import Action, Outcome
from gumption.records import GumptionError
from ray_cluster import joined


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> list[Task]:
    """Drawn tasks: a third with their own plan, a third without its first step, a third with mere words."""
    path = tmp_path_factory.mktemp("drawn") / "tasks.jsonl"
    with path.open("w") as file:
        for number in range(36):
            drawn = generate(f"execute-{number}", Difficulty(2), room="kitchen")
            plan = [list(action) for action in drawn.plan]
            wrong = [plan, plan[1:], "I would rather not say."][number % 3]
            row = {**to_builtins(drawn), "plan": wrong}
            file.write(json.dumps(row) + "\n")
    return read_tasks(path, "kitchen")


@pytest.fixture(scope="module")
def ray() -> Iterator[Executor]:
    with joined() as executor:
        yield executor


@pytest.fixture(scope="module")
def here(tasks: list[Task], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of results that this process makes."""
    out = tmp_path_factory.mktemp("here") / "executed.jsonl"
    done = execute_tasks(tasks, Local(), out=out)
    # A drawn plan does its task, which was checked when it was drawn; words are no plan.
    assert [one.execution.success for one in done[::3]] == [True] * 12
    assert {one.errors[0].kind for one in done[2::3]} == {"unreadable"}
    return out.read_bytes()


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(workers=st.integers(1, 9), seed=st.integers(0, 99))
def test_shards_of_any_size_in_any_order_make_the_same_file(
    tasks: list[Task], here: bytes, tmp_path: Path, workers: int, seed: int
) -> None:
    out = tmp_path / f"{workers}-{seed}.jsonl"
    out.unlink(missing_ok=True)
    others = Shuffled(workers, seed)
    execute_tasks(tasks, others, out=out)
    assert out.read_bytes() == here
    assert sum(others.sizes) == len(tasks) and max(others.sizes) == max(1, len(tasks) // (8 * workers))


def test_a_task_that_nobody_survives_says_nothing_and_the_others_are_done(
    tasks: list[Task], here: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "executed.jsonl"
    bad = tasks[7].id
    others = Shuffled(1, deadly=lambda task: task.id == bad)
    done = execute_tasks(tasks, others, out=out)
    assert [one.id for one in done] == [task.id for task in tasks]
    assert [one.id for one in done if one.status == "infra_error"] == [bad]
    assert done[7].execution is None and "died 3 times" in done[7].error
    assert sum(others.sizes) == len(tasks) - 1, "nothing else is done twice"
    # Called again it is tried again, and nothing else is.
    again = Shuffled(1)
    execute_tasks(tasks, again, out=out)
    assert again.sizes == [1] and out.read_bytes() == here


def test_what_was_cut_short_is_taken_up(tasks: list[Task], here: bytes, tmp_path: Path) -> None:
    out = tmp_path / "executed.jsonl"

    def killed(done: int, of: int) -> None:
        if done == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute_tasks(tasks, Shuffled(4), out=out, progress=killed)
    assert not out.exists()
    partial_file = tmp_path / "executed.jsonl.partial"
    with partial_file.open("ab") as file:
        file.write(b'{"id":"half a li')
    rest = Shuffled(4, 1)
    execute_tasks(tasks, rest, out=out)
    assert sum(rest.sizes) == len(tasks) - 20
    assert out.read_bytes() == here and not partial_file.exists()
    with pytest.raises(GumptionError, match="other tasks"):
        execute_tasks(tasks[:5], Local(), out=out)
    assert out.read_bytes() == here


class Falling(Household):
    """A simulator that does not survive an opening."""

    opened: ClassVar[list[str]] = []

    def __init__(self, room: str, executable: Path | None = None) -> None:
        super().__init__(load_scene(room))
        self.opened.append(room)

    def close(self) -> None:
        self.opened.append("closed")

    def step(self, action: Action, *, force: bool = False) -> Outcome:
        if action.verb.lower() == "open":
            raise SimulatorError("gone", "crash", remedy="look at its log")
        return super().step(action, force=force)


def test_a_simulator_that_falls_costs_its_task_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gumption.planning.simulating.Thor", Falling)
    rows = [
        {"plan": [["Pick", "Apple"]]}, {"plan": [["Open", "Fridge"]]},
        {"plan": [["Toggle on", "Lamp"]], "room": "bedroom"}, {"plan": [["Pick", "Apple"]]},
    ]  # fmt: skip
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = execute_tasks(read_tasks(path, "kitchen"), Local(), world="ai2thor")
    assert [one.status for one in done] == ["ok", "infra_error", "ok", "ok"]
    assert done[1].execution is None and (done[1].error, done[1].remedy) == (
        "AI2-THOR: gone",
        "look at its log",
    )
    # The bedroom first, then the kitchen once, and once more after the fall.
    assert Falling.opened == ["bedroom", "closed", "kitchen", "closed", "kitchen"]
    told = pickle.loads(pickle.dumps(SimulatorError("gone", "crash", remedy="look at its log")))
    assert (str(told), told.kind, told.remedy) == ("AI2-THOR: gone", "crash", "look at its log")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"room": "kitchen"}', "not a task"),
        ('{"plan": [], "goal": {"propositions": []}, "gold": []}', "a goal and a gold plan"),
        ('{"plan": [], "id": "1"}\n{"plan": [], "id": "1"}', "'1' is there twice"),
        ('{"plan": [], "room": "attic"}', "no room 'attic'"),
        ('{"plan": [], "gold": [["Pick", "Unicorn"]]}', "Unicorn"),
        ("", "no task"),
    ],
)
def test_what_is_no_task_is_named_with_its_line(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(line)
    with pytest.raises(GumptionError) as caught:
        execute_tasks(read_tasks(path, "kitchen"), Local(), out=tmp_path / "out.jsonl")
    assert words in str(caught.value) and str(caught.value).startswith(str(path))
    assert caught.value.remedy and list(tmp_path.iterdir()) == [path]


@pytest.mark.ray
def test_ray_makes_the_same_file_though_its_workers_are_killed(
    ray: Executor, tasks: list[Task], here: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "executed.jsonl"
    killer = KillOnce("ray::_Kept")
    execute_tasks(tasks, ray, out=out, progress=killer)
    assert killer.killed and killer.done == len(tasks)
    assert out.read_bytes() == here


@pytest.mark.ray
@pytest.mark.skipif(not os.environ.get("GUMPTION_LONG"), reason="set GUMPTION_LONG=1")
def test_an_item_that_kills_three_processes_is_said_to_be_lost_and_no_other(
    ray: Executor, tmp_path: Path
) -> None:
    lost: list[tuple[int, str]] = []

    def start(folder: Path) -> Callable[[tuple[int, ...]], list[int]]:  # in here, so that it travels as it is
        def do(shard: tuple[int, ...]) -> list[int]:
            for item in shard:
                with (folder / str(item)).open("a") as file:
                    file.write("x")
                if item == 5:
                    os.kill(os.getpid(), signal.SIGKILL)
            return [10 * item for item in shard]

        return do

    def said(item: int, error: LostShardError) -> int:
        lost.append((item, error.problem))
        return -1

    found = list(batch(ray, partial(start, tmp_path), range(12), most=32, lost=said, kept=True))
    assert sorted(found) == [(item, -1 if item == 5 else 10 * item) for item in range(12)]
    ((item, why),) = lost
    assert item == 5 and "died 3 times" in why
    assert (tmp_path / "5").read_text() == "xxx"


@pytest.mark.ray
@pytest.mark.data
def test_gold_plans_of_the_simulation_set_in_rooms_of_ithor(
    ray: Executor, public_data: Path, tmp_path: Path
) -> None:
    metadata = public_data / "ithor" / "ai2thor-object-metadata.json.gz"
    path = tmp_path / "tasks.jsonl"
    with path.open("w") as file:
        for number, room, _, actions in list(gold_tasks(public_data))[:24]:
            scene = to_builtins(load_scene(room, metadata))
            file.write(json.dumps({"id": str(number), "plan": actions, "scene": scene}) + "\n")
    some = read_tasks(path, "")
    for executor in (Local(), ray):
        execute_tasks(some, executor, out=tmp_path / f"{executor.name}.jsonl")
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()
