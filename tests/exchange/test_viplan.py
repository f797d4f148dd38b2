"""The logs of the ViPlan release: figures that others computed from them, and those that they state."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gumption.benchmarks.viplan.figures import figures
from gumption.benchmarks.viplan.world import read_world
from gumption.exchange import Converted, convert
from gumption.models import open_models
from gumption.ranking import scorecard
from gumption.records import GumptionError
from gumption.running import Run, run
from gumption.suites import read_folder

GOLDEN = """
simple | gpt-4.1 | .9951 | .9931 | 1624 | .9986 | .998 | .994 | 23 | 1.00 | .00 | .9495
simple | InternVL3-78B | .9966 | .9967 | 1456 | .9964 | .995 | .988 | 21 | .92 | .00 | .9388
simple | Qwen2.5-VL-72B-Instruct | .9834 | .9766 | 1568 | .9879 | .981 | .943 | 17 | .56 | .12 | .6702
simple | deepseek-vl2 | .9129 | .8052 | 1400 | .9129 | .853 | .674 | 0 | .00 | .96 | .0000
simple | llava-onevision-qwen2-72b-ov-hf | .9519 | .8756 | 1456 | .9529 | .926 | .769 | 1 | .00 | .88 | .0000
simple | llava-onevision-qwen2-7b-ov-hf | .9171 | .8358 | 1400 | .9171 | .875 | .711 | 0 | .00 | .84 | .0000
medium | gpt-4.1 | .9860 | .9774 | 4935 | .9939 | .990 | .970 | 18 | .76 | .04 | .7605
medium | InternVL3-78B | .9911 | .9915 | 3255 | .9920 | .986 | .978 | 12 | .80 | .00 | .8744
medium | Qwen2.5-VL-72B-Instruct | .9870 | .9837 | 3150 | .9863 | .976 | .930 | 11 | .40 | .20 | .5838
medium | deepseek-vl2 | .8777 | .7898 | 2625 | .8777 | .784 | .594 | 0 | .00 | .96 | .0000
medium | llava-onevision-qwen2-72b-ov-hf | .9381 | .8640 | 2520 | .9381 | .894 | .689 | 0 | .00 | .92 | .0000
medium | llava-onevision-qwen2-7b-ov-hf | .8818 | .7988 | 2835 | .8838 | .820 | .609 | 0 | .00 | .80 | .0000
hard | gpt-4.1 | .9838 | .9817 | 5978 | .9886 | .977 | .956 | 11 | .48 | .04 | .6869
hard | InternVL3-78B | .9790 | .9794 | 6272 | .9853 | .971 | .947 | 9 | .56 | .04 | .7066
hard | Qwen2.5-VL-72B-Instruct | .9703 | .9713 | 3430 | .9678 | .935 | .871 | 3 | .04 | .32 | .2321
hard | deepseek-vl2 | .8815 | .8436 | 2548 | .8812 | .767 | .655 | 0 | .00 | .92 | .0000
hard | llava-onevision-qwen2-72b-ov-hf | .9327 | .9060 | 2450 | .9327 | .868 | .746 | 0 | .00 | .80 | .0000
hard | llava-onevision-qwen2-7b-ov-hf | .8619 | .8290 | 3332 | .8645 | .771 | .640 | 0 | .00 | .60 | .0072
"""
"""Split, model, predicate accuracy, its macro, questions, initial accuracy, F1, F1 without static atoms,
exact states, tasks, tasks without a plan, actions: computed from the logs by other code than ours."""
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in GOLDEN.strip().splitlines()]
SPLITS = ("simple", "medium", "hard")


def log_of(data: Path, kind: str, split: str, model: str) -> Path:
    (path,) = (data / "viplan" / kind / split / model).glob("*.json.gz")
    return path


def scored(log: Path, data: Path, out: Path, **options: Any) -> tuple[Converted, Run, dict[str, float]]:
    """Converted, replayed through the engine, and its figures."""
    made = convert(log, out, data=data, **options)
    (model,) = open_models(f"replay/{made.replies}")
    done = run(read_folder(made.suite), model, out / "run")
    table = done.scores()
    assert set(table.column("status").to_pylist()) == {"ok"}
    pairs = zip(table.column("value").to_pylist(), table.column("parts").to_pylist(), strict=True)
    return made, done, figures((value, dict(parts)) for value, parts in pairs)


@pytest.mark.data
@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row[:2]))
def test_blocksworld_grounder_logs_give_the_golden_table(
    row: tuple[str, ...], public_data: Path, tmp_path: Path
) -> None:
    split, model, pred, macro, n, init, f1, f1_static, exact, task, fail, act = row
    log = log_of(public_data, "vlm_answers", split, model)
    made, done, found = scored(log, public_data, tmp_path)
    assert (made.log, made.split, made.model, made.items) == ("blocksworld/grounder", split, model, 25)
    told = {"predicate_accuracy": pred, "macro_predicate_accuracy": macro, "initial_accuracy": init, "f1": f1}
    told |= {
        "f1_without_static": f1_static,
        "task_accuracy": task,
        "fail_ratio": fail,
        "action_accuracy": act,
    }
    for name, value in told.items():
        # As rounded as the table: half of its last digit.
        room = 0.5000001 * 10.0 ** -len(value.partition(".")[2])
        assert found[name] == pytest.approx(float(value), abs=room), name
    assert (found["questions"], found["exact_states"], found["unread"]) == (int(n), int(exact), 0)
    assert found["enumerated"] == (
        24 if (split, model[:9], "72b" in model) == ("medium", "llava-one", True) else 25
    )
    logged = {**made.logged, "initial_accuracy": made.logged["enumeration_accuracy"]}
    for name in ("predicate_accuracy", "macro_predicate_accuracy", "task_accuracy", "action_accuracy",
                 "fail_ratio", "initial_accuracy"):  # fmt: skip
        assert found[name] == pytest.approx(logged[name], abs=1e-12), name
    assert scorecard(done.folder).micro.mean == pytest.approx(logged["task_accuracy"])
    assert done.info.protocol.benchmarks == {"viplan-recorded": "1, planner recorded"}


@pytest.mark.data
@pytest.mark.parametrize("model", ["gpt-4.1", "llava-onevision-qwen2-72b-ov-hf"])
def test_the_logged_gold_is_what_the_simulator_shows(model: str, public_data: Path, tmp_path: Path) -> None:
    """Which is so only with left and right closed transitively."""
    log = log_of(public_data, "vlm_answers", "medium", model)
    made = convert(log, tmp_path, data=public_data)
    content = json.loads(gzip.decompress(log.read_bytes()))
    states = 0
    for item in read_folder(made.suite).items:
        logged = content[f"data/planning/blocksworld/problems/medium/{item.id}.pddl"].get(
            "initial_state_enum"
        )
        if logged is None:
            continue
        states += 1
        true = {f"{atom[0]} {','.join(atom[1:])}" for atom in read_world(item).state}
        assert {name for name, (_, gold) in logged["results"].items() if gold == "yes"} == true
    assert states == (24 if "72b" in model else 25)


@pytest.mark.data
@pytest.mark.parametrize("split", SPLITS)
def test_household_grounder_logs(split: str, public_data: Path, tmp_path: Path) -> None:
    models = sorted((public_data / "viplan" / "household_grounder" / split).iterdir())
    assert len(models) == 6
    for folder in models:
        log = log_of(public_data, "household_grounder", split, folder.name)
        made, _, found = scored(log, public_data, tmp_path / folder.name)
        assert (made.log, made.model, found["tasks"]) == ("household/grounder", folder.name, 25)
        for name in ("predicate_accuracy", "macro_predicate_accuracy", "task_accuracy", "action_accuracy",
                     "fail_ratio"):  # fmt: skip
            assert found[name] == pytest.approx(made.logged[name], abs=1e-12), (folder.name, name)
        assert "f1" not in found


@pytest.mark.data
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("domain", ["blocksworld", "household"])
def test_planner_logs(domain: str, split: str, public_data: Path, tmp_path: Path) -> None:
    models = sorted((public_data / "viplan" / f"{domain}_planner" / split).iterdir())
    assert len(models) == 6
    for folder in models:
        log = log_of(public_data, f"{domain}_planner", split, folder.name)
        made, done, found = scored(log, public_data, tmp_path / folder.name)
        assert (made.log, made.model, found["tasks"]) == (f"{domain}/planner", folder.name, 25)
        assert found["task_accuracy"] == made.logged["task_completion_rate"]
        # What the simulator executes is what the log says was executed, task by task.
        parts = {row["item_id"]: dict(row["parts"]) for row in done.scores().to_pylist()}
        for key, told in json.loads(gzip.decompress(log.read_bytes())).items():
            if key.startswith("data/"):
                name, _, scene = Path(key).name.partition(".pddl")
                executed = sum(action.get("success", False) for action in told["actions"])
                assert parts[f"{name}/{scene[1:]}" if scene else name]["action_correct"] == executed


@pytest.mark.data
def test_a_reply_that_the_log_could_not_keep_is_unread(public_data: Path, tmp_path: Path) -> None:
    """LLaVA never wrote JSON: every task ended at its first reply."""
    log = log_of(public_data, "blocksworld_planner", "hard", "llava-onevision-qwen2-7b-ov-hf")
    _, done, found = scored(log, public_data, tmp_path)
    total = scorecard(done.folder).total
    assert (total.coverage, total.unread, total.score.mean) == (1.0, 1.0, 0.0)
    assert found["unread"] == 25


@pytest.mark.data
def test_unreadable_answers_are_counted_and_read_either_way(public_data: Path, tmp_path: Path) -> None:
    """About reach LLaVA writes essays, which the release takes for a no wherever they hold "not"."""
    log = log_of(public_data, "household_grounder", "hard", "llava-onevision-qwen2-7b-ov-hf")
    made, _, strict = scored(log, public_data, tmp_path / "strict")
    _, other, viplan = scored(log, public_data, tmp_path / "viplan", yes_no="viplan")
    assert strict["unread"] > viplan["unread"] > 0
    assert strict["predicate_accuracy"] == viplan["predicate_accuracy"] == made.logged["predicate_accuracy"]
    assert other.info.protocol.benchmarks["viplan-recorded"].endswith("yes_no=viplan")


# ── what is no such log ──────────────────────────────────────────────────────────────────────────────

TASK = "data/planning/igibson/simple/t.pddl_House_0_int_0"
GROUNDED = {
    "goal_reached": True,
    "action_results": [
        {
            "action": "open-container(door_1)",
            "action_state_correct": True,
            "preconditions_results": {
                "reachable door_1": ["yes", 1.0, 0.0, None, True, "Yes.", True],
                "open door_1": ["no", 0.0, 1.0, None, True, "hard to say", False],
                "all_correct": True,
            },
            "effects_results": None,
        }
    ],
    "replans": [
        {
            "step": 1,
            "actions": [],
            "enum_results": {"open door_1": ["perhaps", "yes"], "x a,b": ["no", "no"]},
        },
        {},
    ],
    "remaining_actions": ["grasp(a)"],
}


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_a_log_worked_by_hand(tmp_path: Path) -> None:
    made, done, found = scored(write(tmp_path / "log.json", {TASK: GROUNDED}), tmp_path, tmp_path / "out")
    assert [item.id for item in done.items()] == ["t/House_0_int_0"]
    lines = [json.loads(line) for line in made.replies.read_text().splitlines()]
    assert {(line["call"], line["reply"]) for line in lines} == {
        ("enum/0/open door_1", "perhaps"), ("enum/0/x a,b", "no"),
        ("act/0/needs/reachable door_1", "Yes."), ("act/0/needs/open door_1", "hard to say"),
    }  # fmt: skip
    assert done.items()[0].meta["turns"][0]["gold"] == {"reachable door_1": "yes", "open door_1": "yes"}
    assert (found["questions"], found["predicate_accuracy"], found["unread"]) == (2, 0.5, 2)
    assert (found["task_accuracy"], found["action_accuracy"], found["fail_ratio"]) == (1.0, 0.5, 0.0)
    assert made.model == tmp_path.name


COLUMNS = "data/planning/blocksworld/problems/simple/p.pddl"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([], "not a log"),
        ({"predicate_accuracy": 1}, "no tasks"),
        ({TASK: {"action_results": 7}}, "not a log"),
        ({TASK: {"replans": [{"enum_results": {"on a,b": ["yes"]}}]}}, "not a log"),
        ({TASK: {"plans": []}, "statistics": {}}, "not a log"),
        ({COLUMNS: {}, "metadata": {"fail_probability": 0.1}}, "by chance"),
        ({COLUMNS: {}}, r"no p\.pddl"),
        ({COLUMNS: {"action_results": [{"action": "x"}]}}, "without a first"),
    ],
)
def test_what_is_no_log_is_told(content: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=problem) as caught:
        convert(write(tmp_path / "log.json", content), tmp_path / "out", data=tmp_path)
    assert caught.value.remedy and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"no gzip", lambda data: gzip.compress(b"{")]
)
def test_a_damaged_file_is_told(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "log.json.gz"
    path.write_bytes(damage(gzip.compress(json.dumps({TASK: GROUNDED}).encode())))
    with pytest.raises(GumptionError, match=r"cannot be read|not a log"):
        convert(path, tmp_path / "out")


@pytest.mark.data
def test_a_log_and_its_suite_can_be_moved(public_data: Path, tmp_path: Path) -> None:
    """The suite holds the problems: scoring needs neither the log nor the data again."""
    log = log_of(public_data, "vlm_answers", "simple", "deepseek-vl2")
    made = convert(log, tmp_path / "here", data=public_data)
    shutil.move(tmp_path / "here", tmp_path / "there")
    (model,) = open_models(f"replay/{tmp_path / 'there' / made.replies.name}")
    done = run(read_folder(tmp_path / "there" / "suite"), model, tmp_path / "run")
    assert scorecard(done.folder).total.coverage == 1.0
