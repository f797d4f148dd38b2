"""Studies out of run folders: what raters see of an item and of a reply, and what the organiser is told."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from PIL import Image as Pillow
from places import Place
from studies import invite, study

from gumption.benchmarks import open_suite
from gumption.benchmarks._made_scenarios import scenario_folder
from gumption.models.replay import Replay
from gumption.rating._sight import media_file
from gumption.rating._steps import steps_of
from gumption.rating.from_runs import MASK, material_from_runs, material_from_suite
from gumption.records import GumptionError, Image, Key, Reply, Text, Video
from gumption.running import run

Said = dict[str, str | Reply]


def asked(out: Path, address: str, name: str, said: Said) -> Path:
    """A run in which the model called `name` said this."""
    replies: dict[Key, Reply] = {}
    for id, reply in said.items():
        whole = reply if isinstance(reply, Reply) else Reply(id, text=reply)
        replies[whole.key] = whole
    return run(open_suite(address), Replay(name, replies, "made"), out, address=address).folder


@pytest.fixture
def quiz(tmp_path: Path) -> str:
    """A file of three questions, two of them with a picture."""
    for name, colour in (("red", "red"), ("blue", "blue")):
        Pillow.new("RGB", (8, 6), colour).save(tmp_path / f"{name}.png")
    rows = [
        {"id": "q1", "question": "What colour?", "images": ["red.png"], "answer": "red", "kind": "text"},
        {"id": "q2", "question": "And this?", "images": ["blue.png"], "answer": "blue", "kind": "text"},
        {"id": "q3", "question": "Which?", "choices": {"A": "a cup", "B": "a plate"}, "answer": "B"},
    ]
    file = tmp_path / "quiz.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return str(file)


def test_every_reply_of_every_model_is_an_output(tmp_path: Path, quiz: str) -> None:
    said: Said = {"q1": "It is red.", "q2": "", "q3": "I cannot help with that."}
    one = asked(tmp_path / "one", quiz, "maker/one-7b", said)
    other = asked(tmp_path / "other", quiz, "maker/two-8b", {**said, "q3": Reply("q3", status="refused")})
    made = material_from_runs([one, other])
    found = {(output.model, output.scenario): (output.outcome, output.text) for output in made.outputs}
    assert found == {
        (model, item): what
        for model, third in (("maker/one-7b", "I cannot help with that."), ("maker/two-8b", ""))
        for item, what in (("q1", ("said", "It is red.")), ("q2", ("empty", "")), ("q3", ("refused", third)))
    }
    assert len({output.id for output in made.outputs}) == 6
    assert made.left_out == ()


def test_scenarios_show_the_item_and_not_its_gold(tmp_path: Path, quiz: str) -> None:
    made = material_from_runs([asked(tmp_path / "one", quiz, "m", {"q1": "x", "q2": "x", "q3": "x"})])
    first, _, third = made.scenarios
    assert isinstance(first.parts[0], Image) and first.parts[1] == Text("What colour?")
    assert third.parts == (Text("Which?"), Text("A. a cup\nB. a plate"))
    assert len(made.media) == 2 and {file.media_type for file in made.media} == {"image/png"}


def test_a_failed_request_is_left_out_and_told(tmp_path: Path, quiz: str) -> None:
    failed = Reply("q2", status="infra_error", error="503")
    made = material_from_runs([asked(tmp_path / "one", quiz, "m", {"q1": "x", "q2": failed})])
    assert [output.scenario for output in made.outputs] == ["q1"]
    assert [scenario.id for scenario in made.scenarios] == ["q1"]
    told = "\n".join(made.left_out)
    assert "m failed to answer q2" in told and "q3" in told


def test_reasoning_is_not_shown_and_models_names_are_masked(tmp_path: Path, quiz: str) -> None:
    text = "<think>I am one-7b</think>I, ONE-7b by maker, would not do as two-8b does: done-7b."
    one = asked(tmp_path / "one", quiz, "maker/one-7b", {"q1": text})
    two = asked(tmp_path / "two", quiz, "maker/two-8b", {"q1": "x"})
    made = material_from_runs([one, two])
    shown = next(output.text for output in made.outputs if output.model == "maker/one-7b")
    assert shown == f"I, {MASK} by maker, would not do as {MASK} does: done-7b."
    assert any("masked in its replies, 2 times" in told for told in made.left_out)


def test_two_runs_of_one_model_or_of_different_items_are_refused(tmp_path: Path, quiz: str) -> None:
    one = asked(tmp_path / "one", quiz, "m", {"q1": "x"})
    again = asked(tmp_path / "again", quiz, "m", {"q1": "x"})
    with pytest.raises(GumptionError, match="two runs of m"):
        material_from_runs([one, again])
    other = Path(quiz).with_name("other.jsonl")
    other.write_text(json.dumps({"id": "q1", "question": "Another?", "answer": "x", "kind": "text"}))
    with pytest.raises(GumptionError, match="'q1' is another"):
        material_from_runs([one, asked(tmp_path / "other", str(other), "n", {"q1": "x"})])


def test_pictures_that_are_gone_are_told(tmp_path: Path, quiz: str) -> None:
    folder = asked(tmp_path / "one", quiz, "m", {"q1": "x"})
    Path(quiz).unlink()
    with pytest.raises(GumptionError, match="1 pictures or clips cannot be found"):
        material_from_runs([folder])


def test_a_study_of_runs_holds_its_media(place: Place, tmp_path: Path, quiz: str) -> None:
    folders = [
        asked(tmp_path / name, quiz, name, {"q1": f"{name} says red", "q2": "blue"}) for name in ("m1", "m2")
    ]
    store = place.open()
    made = study("pairwise", raters_wanted=1)
    material = material_from_runs(folders)
    token = store.create(made, material)
    assert store.access(token).study == made.id
    assert len(store.units(made.id)) == 2
    for file in material.media:
        kept = store.media(made.id, file.sha256)
        assert Path(kept.path).read_bytes() == Path(file.path).read_bytes()
        assert Path(kept.path).is_relative_to(place.folder)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None and len(task.outputs) == 2


def test_items_alone_make_a_study_of_labels(place: Place, tmp_path: Path, quiz: str) -> None:
    store = place.open()
    made = study("labels", raters_wanted=1)
    store.create(made, material_from_suite(open_suite(quiz)))
    assert [unit.scenario for unit in store.units(made.id)] == ["q1", "q2", "q3"]
    material = material_from_runs([asked(tmp_path / "m", quiz, "m", {"q1": "x"})], with_outputs=False)
    token = store.create(study("labels"), material)
    assert token and material.outputs == () and len(material.scenarios) == 3


def test_raters_of_human_scenarios_see_the_clip_and_the_sub_tasks(tmp_path: Path) -> None:
    """The model saw frames; people see the clip they were taken from."""
    folder = scenario_folder(tmp_path / "places", seed=1)
    address = f"human-scenarios:dir={folder}"
    suite = open_suite(address)
    said: Said = {item.id: "6. Plan:\n1. Take the cup.\n2. **Wash** it." for item in suite.items}
    made = material_from_runs([asked(tmp_path / "run", address, "m", said)])
    assert len(made.scenarios) == len(suite.items) == 8
    for scenario, item in zip(made.scenarios, suite.items, strict=True):
        assert scenario.sub_tasks == tuple(item.meta["sub_tasks"])
        assert scenario.parts[-1] == Text(item.meta["instruction"])
    clips = [part for scenario in made.scenarios for part in scenario.parts if isinstance(part, Video)]
    assert clips
    assert {output.steps for output in made.outputs} == {("Take the cup.", "Wash it.")}
    kinds = {file.sha256: file.media_type for file in made.media}
    assert all(kinds[clip.sha256].startswith("video/") for clip in clips)


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<html><script>alert(1)</script></html>",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        b"GIF89a<script>alert(1)</script>",
        b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
        b"ffconcat version 1.0\nfile /etc/passwd\n",
        b"%PDF-1.4",
        b"",
    ],
)
def test_a_file_is_what_its_bytes_decode_to(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    with pytest.raises(GumptionError):
        media_file(path, hashlib.sha256(data).hexdigest())


def test_altered_media_are_refused(tmp_path: Path, quiz: str) -> None:
    made = material_from_runs([asked(tmp_path / "one", quiz, "m", {"q1": "x"})])
    (file,) = made.media
    Pillow.new("RGB", (8, 6), "green").save(file.path)
    with pytest.raises(GumptionError, match="altered"):
        media_file(Path(file.path), file.sha256)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("1. go\n2. take\n3. put", ("go", "take", "put")),
        ("Step 1: go\nStep 2: take", ("go", "take")),
        ("1) go\n   - slowly\n2) take", ("go", "take")),
        ("**1.** go\n**2.** take", ("go", "take")),
        ("1. Scene: a cup\n2. Goals: one\n3. Plan:\n1. go\n2. take", ("go", "take")),
        ("1. Scene: a cup\n2. Goals: one\n\n## 6. Plan\n- go\n- take", ("go", "take")),
        ("- go\n- take", ("go", "take")),
        ("I would go there and take it.", ()),
        ("1. only one", ()),
        ("", ()),
        ("2. go\n3. take", ()),
    ],
)
def test_the_steps_of_a_plan_are_its_last_list(text: str, steps: tuple[str, ...]) -> None:
    assert steps_of(text) == steps


def test_a_hostile_reply_takes_no_time() -> None:
    for text in ("1." * 100_000, " " * 200_000, "1. \n" * 50_000, "*" * 200_000, "\n" * 500_000):
        steps_of(text)
