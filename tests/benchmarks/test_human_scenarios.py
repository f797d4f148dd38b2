"""Scenario folders: what a model is asked, what raters get, what is said of a folder with a fault in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import msgspec
import numpy as np
import pytest
from PIL import Image as Pillow
from typer.testing import CliRunner

from gumption.benchmarks import Asking, get, open_suite
from gumption.benchmarks._made_scenarios import scenario_folder
from gumption.benchmarks.human_scenarios import PROMPT
from gumption.cli import app
from gumption.models import open_models
from gumption.ranking import rank_runs, scorecard
from gumption.records import GumptionError, Image, Item, Reply, Score, Text, Video
from gumption.running import run, score_run
from gumption.suites import Suite

Row = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scenario_folder(tmp_path_factory.mktemp("made"), seed=1)


@pytest.fixture(scope="module")
def suite(made: Path) -> Suite:
    return open_suite(f"human-scenarios:dir={made}")


def row(**changes: Any) -> Row:
    """A good row, but for the changes; None takes a key away."""
    good = {
        "id": "one",
        "setting": "workshop",
        "instruction": "Sort the screws.",
        "sub_tasks": ["a", "b", "c", "d"],
        "media": ["place.png"],
        "licence": "CC0-1.0",
    }
    return {key: value for key, value in {**good, **changes}.items() if value is not None}


def write(folder: Path, *rows: Any, name: str = "scenarios.json") -> Path:
    folder.mkdir(exist_ok=True)
    Pillow.new("RGB", (8, 8), "red").save(folder / "place.png")
    text = "\n".join(map(json.dumps, rows)) if name.endswith("jsonl") else json.dumps(rows)
    (folder / name).write_text(text)
    return folder


def write_clip(path: Path, frames: int) -> None:
    """Two frames a second."""
    with av.open(str(path), "w") as clip:
        stream = clip.add_stream("mpeg4", rate=2)
        stream.width, stream.height, stream.pix_fmt = 16, 16, "yuv420p"
        for number in range(frames):
            pixels = np.full((16, 16, 3), number % 256, np.uint8)
            clip.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        clip.mux(stream.encode())


def opened(folder: Path) -> Suite:
    return open_suite("human-scenarios", folder)


def replies(path: Path, suite: Suite, **texts: str) -> Path:
    """A plan for every scenario, by the model's name."""
    lines = [
        json.dumps({"id": item.id, "model": model, "reply": text})
        for item in suite.items
        for model, text in texts.items()
    ]
    path.write_text("\n".join(lines))
    return path


def question(item: Item) -> Item:
    (first,) = next(get("human-scenarios").episode(item))
    return first


def played(item: Item, reply: Reply) -> Score:
    episode = get("human-scenarios").episode(item)
    next(episode)
    with pytest.raises(StopIteration) as stopped:
        episode.send((reply,))
    score: Score = stopped.value.value
    return score


# ── what is made and asked ───────────────────────────────────────────────────────────────────────────


def test_a_made_folder_has_the_eight_settings_of_the_study(made: Path, suite: Suite) -> None:
    assert [item.category for item in suite.items] == [
        *("household", "grocery store", "school", "office"),
        *("warehouse", "hospital", "workshop", "laboratory"),
    ]
    assert all(4 <= len(item.meta["sub_tasks"]) <= 6 for item in suite.items)
    assert sorted(path.suffix for path in made.iterdir()) == [".json", ".mp4", *[".png"] * 14]
    clip, *others = suite.items
    (told,) = clip.meta["media"]
    assert (told["media_type"], told["seconds"]) == ("video/mp4", 16.0)
    assert told["sha256"] in suite.media  # raters see the clip, whatever the model saw of it
    assert all(len(item.meta["media"]) == 2 for item in others)


def test_the_same_seed_draws_the_same_folder(made: Path, tmp_path: Path) -> None:
    again, other = scenario_folder(tmp_path / "again", 1), scenario_folder(tmp_path / "other", 2)
    assert {path.name: path.read_bytes() for path in made.iterdir()} == {
        path.name: path.read_bytes() for path in again.iterdir()
    }
    assert (made / "school-1.png").read_bytes() != (other / "school-1.png").read_bytes()


def test_the_counts_of_the_instruction_are_those_of_the_picture(made: Path) -> None:
    """Crates are drawn with circles, shelves with squares: counted as areas of one colour with an outline."""
    rows = json.loads((made / "scenarios.json").read_text())
    (shop,) = [one for one in rows if one["setting"] == "grocery store"]
    milk, pizza = (int(word) for word in shop["instruction"].split() if word.isdigit())
    left = Pillow.open(made / "grocery-store-1.png")
    counts = {colour: count for count, colour in left.getcolors(10_000) if _is_vivid(colour)}
    # A square of 27 x 27 with an outline of one pixel holds 25 x 25.
    assert pizza * 625 in counts.values()
    (circles,) = [count for count in counts.values() if count != pizza * 625]
    assert circles % milk == 0


def _is_vivid(colour: tuple[int, int, int]) -> bool:
    return max(colour) - min(colour) > 60


def test_a_model_sees_the_place_and_the_instruction_and_no_sub_task(suite: Suite) -> None:
    for item in suite.items:
        *media, instruction, prompt = question(item).parts
        assert media and all(isinstance(part, Image) for part in media)
        assert isinstance(instruction, Text) and item.meta["instruction"] in instruction.text
        assert prompt == Text(PROMPT)
        shown = instruction.text + PROMPT
        assert not any(task in shown for task in item.meta["sub_tasks"] if len(task.split()) > 2)
    assert len(suite.items[0].parts) == 17  # 16 frames of the clip
    for wanted in ("elements", "goals", "order", "spatial relations", "states", "quantities", "numbered"):
        assert wanted in PROMPT.lower()


def test_the_clip_can_be_shown_whole_or_in_other_frames(made: Path) -> None:
    whole = open_suite(f"human-scenarios:dir={made},shown=video").items[0]
    assert isinstance(whole.parts[0], Video) and whole.meta["protocol"] == "shown=video"
    few = open_suite(f"human-scenarios:dir={made},frames=4").items[0]
    assert len(few.parts) == 5 and few.meta["protocol"] == "frames=4"
    with pytest.raises(GumptionError, match="no option is called folder"):
        open_suite(f"human-scenarios:folder={made}")


def test_words_of_a_file_take_the_place_of_ours(suite: Suite) -> None:
    asking = Asking(templates={"human-scenarios": {"text": "Plan this: {question}"}}, sha256="0" * 64)
    *_, before, instruction = question(asking.applied(suite.items)[1]).parts
    assert before == Text("Plan this: ") and instruction == suite.items[1].parts[-1]
    with pytest.raises(GumptionError, match="words of its own"):
        Asking(prompt="cot").applied(suite.items)


def test_lines_and_lists_are_the_same_scenarios(tmp_path: Path) -> None:
    rows = [row(id="one"), row(id="two", setting="harbour")]
    one = opened(write(tmp_path / "one", *rows))
    two = opened(write(tmp_path / "two", *rows, name="scenarios.jsonl"))
    assert one.items == two.items and one.checksum == two.checksum
    assert [item.category for item in one.items] == ["workshop", "harbour"]


# ── what comes of a run ──────────────────────────────────────────────────────────────────────────────


def test_replies_are_kept_for_people(suite: Suite) -> None:
    plan = "<think>Hm, 5 cups.</think>\n## Plan\n1. Go to the table.\n2. Answer: take the cup."
    score = played(suite.items[0], Reply("", text=plan))
    assert score.value is None and score.for_people and score.reading is not None
    assert score.reading.rule == "rated by people" and score.reading.outcome == "answered"
    assert score.reading.value == "## Plan\n1. Go to the table.\n2. Answer: take the cup."
    outcomes = [
        played(suite.items[0], reply).reading
        for reply in (
            Reply("", text="I'm sorry, but I can't help with that."),
            Reply("", status="refused"),
            Reply("", text="<think>Let me see", status="truncated"),
        )
    ]
    assert [one and one.outcome for one in outcomes] == ["refused", "refused", "unanswered"]


def test_a_run_ends_well_and_prints_no_mean(made: Path, suite: Suite, tmp_path: Path) -> None:
    file = replies(tmp_path / "plans.jsonl", suite, good="1. Go there.", bad="No.")
    args = ["run", f"human-scenarios:dir={made}", "--out", str(tmp_path / "runs")]
    done = CliRunner().invoke(app, [*args, "--model", f"replay/{file}#*"])
    assert done.exit_code == 0, done.output
    assert done.output.count("Replies to 8 of 8 planned, coverage 100.0 %") == 2
    assert "gumption rate new" in done.output
    assert not any(word in done.output for word in ("None", "nan", "Mean", "Official", "Not judged"))
    scores = score_run(tmp_path / "runs" / "good").scores()
    assert set(scores["status"].to_pylist()) == {"ok"} and set(scores["value"].to_pylist()) == {None}
    assert set(scores["answer"].to_pylist()) == {'"1. Go there."'}
    args = ["run", "human-scenarios", "--data", str(made), "--out", str(tmp_path / "one"), "--json"]
    asked = CliRunner().invoke(app, [*args, "--model", f"replay/{file}#good"])
    card = json.loads(asked.stdout)
    assert asked.exit_code == 0 and (card["coverage"], card["planned"]) == (1.0, 8)
    assert card["official"]["mean"] is card["micro"]["mean"] is None
    with pytest.raises(GumptionError, match="no model has a score"):
        rank_runs([tmp_path / "runs" / "good", tmp_path / "runs" / "bad"])


def test_what_is_missing_lowers_coverage(suite: Suite, tmp_path: Path) -> None:
    file = replies(tmp_path / "plans.jsonl", suite, good="1. Go there.")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[0] |= {"status": "infra_error", "reply": ""}
    lines[1]["status"] = "truncated"
    file.write_text("\n".join(map(json.dumps, lines)))
    (model,) = open_models(f"replay/{file}#good")
    card = scorecard(run(suite, model, tmp_path / "run").folder)
    assert card.statuses == {"infra_error": 1, "ok": 6, "truncated": 1}
    assert (card.total.coverage, card.total.for_people, card.total.n) == (7 / 8, 7, 0)
    assert any("7 replies are for people" in note for note in card.notes)


# ── folders with a fault ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (row(id="two", media=["gone.png"]), "no 'gone.png'"),
        (row(id="two", media=["../secret.png"]), "leads out of"),
        (row(id="two", media=["/etc/passwd"]), "leads out of"),
        (row(id="two", media=["link.png"]), "leads out of"),
        (row(id="two", media=["a\0b.png"]), "cannot be followed"),
        (row(id="two", media=["notes.txt"]), "not a whole PNG"),
        (row(id="two", media=[]), "at `$.media`"),
        (row(id="two", media=["place.png"] * 17), "at `$.media`"),
        (row(id="two", media=["clip.mp4", "place.png"]), "1 clips among 2 media"),
        (row(id="two", media=["fake.mp4"]), "no clip"),
        (row(id="two", instruction=None), "missing required field `instruction`"),
        (row(id="two", instruction="  "), "at `$.instruction`"),
        (row(id="two", instruction="x" * 4001), "at `$.instruction`"),
        (row(id="two", licence=None), "missing required field `licence`"),
        (row(id="two", sub_tasks=list("abcdefg")), "at `$.sub_tasks`"),
        (row(id="two", sub_tasks=[]), "at `$.sub_tasks`"),
        (row(id="two", sub_tasks="abcd"), "at `$.sub_tasks`"),
        (row(id="two", sub_task=["a"]), "unknown field `sub_task`"),
        (row(id="one"), "the id 'one' is that of row 1 too"),
        (row(id=2), "at `$.id`"),
        ("one", "Expected `object`"),
    ],
)
@pytest.mark.parametrize("name", ["scenarios.json", "scenarios.jsonl"])
def test_a_fault_is_told_with_file_and_row(tmp_path: Path, bad: Any, problem: str, name: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"")
    folder = write(tmp_path / "folder", row(), bad, name=name)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "notes.txt").write_text("no picture")
    (folder / "fake.mp4").write_bytes(b"no clip at all")
    (folder / "clip.mp4").write_bytes(b"")
    with pytest.raises(GumptionError) as caught:
        opened(folder)
    assert caught.value.where == f"{folder / name}, row 2"
    assert problem in caught.value.problem and caught.value.remedy


@pytest.mark.parametrize(
    ("break_it", "problem"),
    [
        (lambda file: file.write_text("[{"), "not valid JSON"),
        (lambda file: file.write_text("[" * 100_000), "not valid JSON"),
        (lambda file: file.write_bytes(b'[{"id": "\xff"}]'), "not valid JSON"),
        (lambda file: file.write_text('{"id": "one"}'), "not a list"),
        (lambda file: file.write_text("[]"), "no scenario in it"),
        (lambda file: file.unlink(), "no scenarios.json or scenarios.jsonl"),
        (lambda file: shutil.copy(file, f"{file}l"), "both scenarios.json and scenarios.jsonl"),
        (lambda file: file.write_text(" " * (16 * 2**20 + 1)), "over 16 MiB"),
        (lambda file: file.write_bytes(msgspec.json.encode([row(id=str(n)) for n in range(1_001)])), "1,000"),
    ],
)
def test_a_list_that_is_none(tmp_path: Path, break_it: Callable[[Path], object], problem: str) -> None:
    folder = write(tmp_path / "folder", row())
    break_it(folder / "scenarios.json")
    with pytest.raises(GumptionError, match=problem) as caught:
        opened(folder)
    assert str(folder) in caught.value.where and caught.value.remedy


def test_no_folder_is_told() -> None:
    with pytest.raises(GumptionError, match="no folder of scenarios") as caught:
        open_suite("human-scenarios")
    assert "human-scenarios:dir=FOLDER" in caught.value.remedy


@pytest.mark.parametrize(("frames", "told"), [(29, "14.5 s"), (61, "30.5 s")])
def test_an_unusual_length_is_a_warning(tmp_path: Path, frames: int, told: str) -> None:
    folder = write(tmp_path / "folder", row(media=["clip.mp4"]))
    write_clip(folder / "clip.mp4", frames)
    with pytest.warns(UserWarning, match=f"row 1: a clip of {told}"):
        (item,) = opened(folder).items
    assert item.meta["media"][0]["seconds"] == frames / 2


@pytest.mark.parametrize("frames", [30, 60])
def test_the_ends_of_the_usual_lengths_are_none(tmp_path: Path, frames: int) -> None:
    folder = write(tmp_path / "folder", row(media=["clip.mp4"]))
    write_clip(folder / "clip.mp4", frames)
    assert len(opened(folder).items) == 1  # a warning would be an error here


def test_a_clip_that_nobody_watches_is_an_error(tmp_path: Path) -> None:
    folder = write(tmp_path / "folder", row(media=["clip.mp4"]))
    write_clip(folder / "clip.mp4", 1_201)
    with pytest.raises(GumptionError, match="600 s, which no rater") as caught:
        opened(folder)
    assert caught.value.where.endswith("scenarios.json, row 1")


def test_three_sub_tasks_are_a_warning(tmp_path: Path) -> None:
    """The paper's summary says 4 to 6, its own example has three."""
    with pytest.warns(UserWarning, match="3 sub-tasks"):
        opened(write(tmp_path / "folder", row(sub_tasks=["a", "b", "c"])))
