"""AI2-THOR behind the world protocol, against a controller that answers as the documentation says."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gumption.planning.execution import execute
from gumption.planning.goals import Goal, Proposition
from gumption.planning.worlds.ai2thor import SimulatorError, Thor, check_thor
from gumption.planning.worlds.household import Household, Options
from gumption.planning.worlds.scenes import load_scene
from gumption.planning.worlds.world import Action
from gumption.records import ErrorKind

FAKE = Path(__file__).with_name("fake_thor.py")
NAMES = {one.object_type: one.object_id for one in reversed(load_scene("kitchen").objects)}
"""Of each type the first object."""
APPLE, TOMATO, KNIFE, EGG, MUG = (NAMES[kind] for kind in ("Apple", "Tomato", "Knife", "Egg", "Mug"))
FRIDGE, TABLE, SINK, BASIN = (NAMES[kind] for kind in ("Fridge", "DiningTable", "Sink", "SinkBasin"))
FAUCET, MICROWAVE, BOWL = (NAMES[kind] for kind in ("Faucet", "Microwave", "Bowl"))

Start = Callable[..., Thor]


class Record:
    """What the fake was told, and which process stood for Unity."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.unity = folder / "journal.jsonl", folder / "unity.pid"

    def command(self, **plan: Any) -> list[str]:
        plan |= {"journal": str(self.journal), "unity": str(self.unity)}
        return [sys.executable, str(FAKE), json.dumps(plan)]

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.journal.read_text().splitlines()]

    def actions(self) -> list[str]:
        """Without the ones that only look and move."""
        still = ("TeleportFull", "GetInteractablePoses", "Done")
        return [line["action"] for line in self.lines() if "action" in line and line["action"] not in still]

    def lives(self) -> int:
        return sum("start" in line for line in self.lines())

    def unity_runs(self) -> bool:
        stat = Path(f"/proc/{self.unity.read_text()}/stat")
        # One that nobody has taken note of any more is a zombie.
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path)


@pytest.fixture
def start(record: Record) -> Iterator[Start]:
    worlds: list[Thor] = []

    def begin(options: Options | None = None, *, restarts: int = 2, **plan: Any) -> Thor:
        limits = {"step_timeout_s": plan.pop("step_timeout_s", 30.0), "start_timeout_s": 60.0}
        command = record.command(**plan)
        world = Thor("kitchen", options, restarts=restarts, command=command, **limits)
        worlds.append(world)
        return world

    yield begin
    for world in worlds:
        world.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Thor]:
    """One simulator for many questions, each of which begins with a reset."""
    with Thor("kitchen", command=Record(tmp_path_factory.mktemp("thor")).command()) as world:
        yield world


def gone(record: Record) -> bool:
    """Whether the child that stands for Unity has ended, within a moment."""
    deadline = time.monotonic() + 5
    while record.unity_runs() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not record.unity_runs()


# ── the protocol ─────────────────────────────────────────────────────────────────────────────────────


def test_it_shows_what_the_household_shows_of_the_same_metadata(shared: Thor) -> None:
    shared.reset()
    world, symbolic = shared, Household(load_scene("kitchen"))
    assert world.objects() == symbolic.objects()
    assert world.goals() == symbolic.goals()
    assert world.actions == symbolic.actions
    assert "deterministic" not in world.features


def test_a_plan_is_carried_out_and_its_goal_met(start: Start, record: Record) -> None:
    world = start()
    goal = Goal((Proposition("in", ("Tomato",), ("Fridge",)), Proposition("clean", ("Tomato",))))
    plan = [
        ("Pick", TOMATO), ("Place", TOMATO, BASIN), ("Turn on", FAUCET), ("Turn off", FAUCET),
        ("Pick", TOMATO), ("Open", FRIDGE), ("Place", TOMATO, FRIDGE), ("Close", FRIDGE),
    ]  # fmt: skip
    done = execute(world, plan, goal)
    assert done.success, (done.errors, done.goal)
    assert world.objects()[TOMATO].cooled
    assert world.physics == []
    put = [line for line in record.lines() if line.get("action") == "PutObject"]
    assert {line["objectId"] for line in put} == {BASIN, FRIDGE}, "objectId is the receptacle"
    assert all("forceAction" not in line for line in record.lines()), "nothing was forced"


def test_it_walks_to_another_pose_where_the_first_is_of_no_use(start: Start, record: Record) -> None:
    assert start().step(Action("pick", APPLE)).ok
    tries = [line["action"] for line in record.lines() if line.get("action")]
    assert tries == [
        "PickupObject", "GetInteractablePoses", "TeleportFull", "PickupObject", "TeleportFull",
        "PickupObject",
    ]  # fmt: skip


def test_reset_begins_again(start: Start, record: Record) -> None:
    world = start()
    first = dict(world.objects())
    world.step(Action("open", FRIDGE))
    world.step(Action("pick", EGG))
    assert world.held == EGG
    world.reset()
    assert (world.objects(), world.held) == (first, "")
    assert record.lives() == 1


def test_pictures_are_png_of_the_size_that_was_asked_for(shared: Thor) -> None:
    assert Image.open(BytesIO(shared.picture())).size == (800, 600)


def test_a_check_says_what_answered(record: Record) -> None:
    found = check_thor("kitchen", command=record.command())
    assert found.objects == len(load_scene("kitchen").objects)
    assert [line["action"] for line in record.lines() if "action" in line] == ["Done"]
    assert {"stop": 1} in record.lines(), "it was left to end by itself"
    assert gone(record)


def test_slices_take_over_what_happened_to_the_whole(shared: Thor) -> None:
    world = shared
    world.reset()
    for action in (
        Action("pick", TOMATO), Action("place", TOMATO, BASIN), Action("turn_on", FAUCET),
        Action("pick", KNIFE),
    ):  # fmt: skip
        assert world.step(action).ok
    assert world.step(Action("cut", TOMATO)).changed
    things = world.objects()
    slices = [one for one in things.values() if one.type == "TomatoSliced"]
    assert len(slices) == 3
    assert all(one.cleaned and one.parents == (BASIN,) for one in slices)
    assert things[TOMATO].sliced and things[TOMATO].parents == ()


# ── a plan's errors ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "action", "code", "kind", "words"),
    [
        ([], Action("place", APPLE, BASIN), "not_held", ErrorKind.MISSING_STEP, ""),
        ([], Action("pick", EGG), "inside_closed", ErrorKind.MISSING_STEP, "specified visibility"),
        ([Action("pick", APPLE)], Action("pick", MUG), "hand_full", ErrorKind.WRONG_ORDER, "something in it"),
        ([Action("pick", APPLE)], Action("place", APPLE, FRIDGE), "closed", ErrorKind.MISSING_STEP, "CLOSED"),
        ([Action("pick", APPLE)], Action("place", APPLE, SINK), "not_receptacle", ErrorKind.AFFORDANCE, ""),
        ([], Action("pick", FRIDGE), "not_pickupable", ErrorKind.AFFORDANCE, ""),
        ([], Action("cut", TOMATO), "no_knife", ErrorKind.MISSING_STEP, ""),
        ([], Action("fly", APPLE), "unknown_action", ErrorKind.UNKNOWN_ACTION, ""),
        ([], Action("pick", "Apple|9"), "absent", ErrorKind.ABSENT_IN_SCENE, ""),
        ([], Action("pick"), "wrong_arity", ErrorKind.WRONG_ARITY, ""),
        ([Action("open", MICROWAVE)], Action("turn_on", MICROWAVE), "is_open",
         ErrorKind.WRONG_ORDER, "closed"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_step(
    shared: Thor, before: list[Action], action: Action, code: str, kind: ErrorKind, words: str
) -> None:
    world = shared
    world.reset()
    for one in before:
        assert world.step(one).ok
    things, held = dict(world.objects()), world.held
    outcome = world.step(action)
    assert not outcome.ok and not outcome.changed
    (fault,) = outcome.faults
    assert (fault.code, fault.kind) == (code, kind)
    assert words in fault.detail
    assert ("AI2-THOR" in fault.detail) == bool(words)
    assert (world.objects(), world.held) == (things, held)


def test_a_sink_that_is_none_names_its_basin(shared: Thor) -> None:
    world = shared
    world.reset()
    world.step(Action("pick", APPLE))
    (fault,) = world.step(Action("place", APPLE, SINK)).faults
    assert "SinkBasin" in fault.detail
    assert fault == Household_fault()


def Household_fault() -> object:
    world = Household(load_scene("kitchen"))
    world.step(Action("pick", APPLE))
    (fault,) = world.step(Action("place", APPLE, SINK)).faults
    return fault


def test_a_redundant_step_is_not_given_to_the_simulator(start: Start, record: Record) -> None:
    outcome = start().step(Action("close", FRIDGE))
    assert outcome.ok and not outcome.changed
    assert [fault.kind for fault in outcome.faults] == [ErrorKind.REDUNDANT_STEP]
    assert record.actions() == []


def test_washing_is_what_the_household_makes_of_it(start: Start, record: Record) -> None:
    world = start()
    assert [fault.code for fault in world.step(Action("wash", APPLE)).faults] == ["not_in_basin", "water_off"]
    for action in (Action("pick", APPLE), Action("place", APPLE, BASIN), Action("turn_on", FAUCET)):
        assert world.step(action).ok
    assert world.step(Action("wash", APPLE)).changed
    assert world.objects()[APPLE].washed
    assert "CleanObject" not in record.actions(), "an apple is never dirty"


def test_a_container_is_filled_under_the_tap_and_poured_into_another(start: Start, record: Record) -> None:
    world = start()
    for action in (
        Action("pick", MUG), Action("place", MUG, BASIN), Action("turn_on", FAUCET), Action("pick", MUG),
    ):  # fmt: skip
        assert world.step(action).ok
    assert world.objects()[MUG].liquid == "water"
    assert world.step(Action("pour", MUG, BOWL)).changed
    assert (world.objects()[MUG].liquid, world.objects()[BOWL].liquid) == ("", "water")
    fill = next(line for line in record.lines() if line.get("action") == "FillObjectWithLiquid")
    assert (fill["objectId"], fill["fillLiquid"]) == (BOWL, "water")


def test_navigation_can_be_asked_for(start: Start) -> None:
    world = start(Options(require_navigate=True))
    assert [fault.code for fault in world.step(Action("pick", APPLE)).faults] == ["not_at"]
    assert world.step(Action("navigate", TABLE)) == ((), False)
    assert world.step(Action("pick", APPLE)).ok


def test_a_failed_step_can_be_repaired(start: Start) -> None:
    plan = [("Place", APPLE, FRIDGE), ("Close", FRIDGE), ("Pick", MUG)]
    done = execute(start(), [("Open", FRIDGE), *plan], mode="continue")
    assert [one.kind for one in done.errors] == [ErrorKind.MISSING_STEP]
    assert [step.ok for step in done.steps] == [True, False, True, True]
    assert done.steps[1].changed, "put there all the same"


def test_a_repair_that_the_simulator_refuses_changes_nothing(shared: Thor) -> None:
    world = shared
    world.reset()
    outcome = world.step(Action("place", APPLE, FRIDGE), force=True)
    assert {fault.code for fault in outcome.faults} == {"not_held", "closed"}
    assert world.objects()[APPLE].parents in ((), (TABLE,))


# ── physics is no error of the plan ──────────────────────────────────────────────────────────────────


def test_what_physics_refuses_is_forced_and_told_apart(start: Start) -> None:
    world = start(refuse={"PutObject": "No valid positions to place object found"})
    world.step(Action("pick", APPLE))
    outcome = world.step(Action("place", APPLE, BASIN))
    assert outcome == ((), True)
    assert world.objects()[APPLE].parents == (BASIN,)
    (note,) = world.physics
    assert "No valid positions" in note and APPLE in note
    world.reset()
    assert world.physics == []


def test_what_physics_refuses_for_good_is_infrastructure(start: Start) -> None:
    world = start(refuse={"PutObject": "No valid positions to place object found"}, stubborn=True)
    world.step(Action("pick", APPLE))
    with pytest.raises(SimulatorError, match="No valid positions") as caught:
        world.step(Action("place", APPLE, BASIN))
    assert caught.value.kind == "physics"
    assert caught.value.remedy


# ── when the simulator fails ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", ["crash_at", "hang_at", "orphan_at"])
def test_a_dead_simulator_is_started_again_and_the_episode_goes_on(
    start: Start, record: Record, way: str
) -> None:
    world = start(**{way: (9, 1)}, step_timeout_s=2.0 if way == "hang_at" else 30.0)
    first = record.unity.read_text()
    plan = [("Pick", APPLE), ("Open", FRIDGE), ("Place", APPLE, FRIDGE), ("Close", FRIDGE)]
    done = execute(world, plan, Goal((Proposition("in", ("Apple",), ("Fridge",)),)))
    assert done.success, done.errors
    assert world.objects()[APPLE].cooled
    assert record.lives() == 2
    assert record.unity.read_text() != first
    assert not Path(f"/proc/{first}").exists() or _is_zombie(first), "the old Unity still runs"
    # What had succeeded was given again, and nothing that had failed.
    lines = record.lines()
    again = lines[[place for place, line in enumerate(lines) if "start" in line][1] + 1 :]
    assert [line["action"] for line in again[:2]] == ["TeleportFull", "TeleportFull"]
    assert again[2] == {"action": "PickupObject", "objectId": APPLE}


def _is_zombie(number: str) -> bool:
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_simulator_that_dies_too_often_is_given_up(start: Start, record: Record) -> None:
    world = start(crash_at=(2, 99), restarts=1)
    with pytest.raises(SimulatorError) as caught:
        execute(world, [("Pick", APPLE)])
    assert caught.value.kind == "crash"
    assert record.lives() == 2
    assert gone(record)


def test_a_dead_unity_is_noticed_before_the_time_is_up(start: Start) -> None:
    world = start(orphan_at=(1, 9), restarts=0)
    with pytest.raises(SimulatorError, match=r"Unity process ended, status 9") as caught:
        world.step(Action("pick", APPLE))
    assert caught.value.kind == "crash"


def test_a_new_episode_forgets_the_deaths_of_the_last(start: Start, record: Record) -> None:
    world = start(crash_at=(2, 2), restarts=1)
    with pytest.raises(SimulatorError):
        world.step(Action("pick", APPLE))
    world.reset()
    assert world.step(Action("pick", APPLE)).ok
    assert record.lives() == 3


def test_an_episode_that_goes_otherwise_after_a_restart_is_given_up(start: Start) -> None:
    world = start(crash_at=(4, 1), drift=NAMES["Cabinet"])
    with pytest.raises(SimulatorError, match="otherwise") as caught:
        world.step(Action("pick", APPLE))
    assert caught.value.kind == "replay"
    assert NAMES["Cabinet"] in str(caught.value)


def test_a_hanging_simulator_is_ended_with_all_it_started(start: Start, record: Record) -> None:
    world = start(hang_at=(1, 99), restarts=0, step_timeout_s=1.0)
    assert record.unity_runs()
    with pytest.raises(SimulatorError, match=r"within 1 s.*PickupObject") as caught:
        world.step(Action("pick", APPLE))
    assert caught.value.kind == "timeout"
    assert gone(record)


def test_a_build_of_another_version_is_told_apart(start: Start) -> None:
    world = start(unknown="PickupObject")
    with pytest.raises(SimulatorError, match="Invalid action") as caught:
        world.step(Action("pick", APPLE))
    assert caught.value.kind == "usage"


def test_closing_ends_everything(start: Start, record: Record) -> None:
    world = start()
    world.close()
    world.close()
    assert gone(record)


def test_a_world_that_is_forgotten_leaves_nothing_behind(record: Record) -> None:
    world = Thor("kitchen", command=record.command())
    assert record.unity_runs()
    del world
    assert gone(record)


# ── when there is none ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "kind", "remedy"),
    [
        # As ai2thor 5.0.0 says it without a network, and where neither X11 nor Vulkan is there.
        (
            "Invalid commit_id: f0825767cd50d69f666c7f282e54abfe58f1e917 - no build exists for arch=Linux "
            "platforms=Linux64",
            "missing",
            "releases",
        ),
        (
            "The following builds were found, but had missing dependencies. Only one valid platform is "
            "required to run AI2-THOR.",
            "start",
            "CloudRendering",
        ),
        ("Confirm that Vulkan is properly configured on this system", "start", "vulkaninfo"),
        ("something else", "start", "unity.log"),
    ],
)
def test_a_start_that_fails_says_what_to_do(record: Record, words: str, kind: str, remedy: str) -> None:
    with pytest.raises(SimulatorError, match="does not start") as caught:
        Thor("kitchen", command=record.command(fail_start=words))
    assert caught.value.kind == kind
    assert remedy in caught.value.remedy
    assert "household" in caught.value.remedy


def test_a_start_that_takes_too_long_is_given_up(record: Record) -> None:
    with pytest.raises(SimulatorError, match="within 1 s") as caught:
        Thor("kitchen", command=record.command(silent=True), start_timeout_s=1.0)
    assert caught.value.kind == "start"


def test_without_the_package_it_says_what_to_install(tmp_path: Path) -> None:
    hidden = tmp_path / "ai2thor"
    hidden.mkdir()
    (hidden / "__init__.py").write_text("raise ImportError('no package of that name here')\n")
    program = (
        "import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_module(sys.argv[2], None, '__main__')"
    )
    worker = "gumption.planning.worlds._thor_worker"
    with pytest.raises(SimulatorError, match="not installed") as caught:
        Thor(command=[sys.executable, "-c", program, str(tmp_path), worker])
    assert caught.value.kind == "missing"
    assert "gumption[thor]" in caught.value.remedy


def test_a_build_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="no Unity build") as caught:
        Thor(executable=tmp_path / "thor")
    assert caught.value.kind == "missing"


def test_a_program_that_is_no_worker(record: Record) -> None:
    with pytest.raises(SimulatorError, match="broken pipe to nowhere"):
        Thor(command=[sys.executable, "-c", "import sys; sys.exit('broken pipe to nowhere')"])


def test_ai2thor_is_not_imported_here() -> None:
    assert "ai2thor" not in sys.modules
