"""What a suite saves: sums that can be done by hand."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gumption.curation.cost import cost, item_hours, run_cost
from gumption.records import Answer, GumptionError, Image, Item, Reply, Text, Usage, Video
from gumption.running import Run
from gumption.running.store import Protocol, RunInfo


def item(id: str, text: str, *media: Image | Video, choices: dict[str, str] | None = None) -> Item:
    return Item(id, "Toy", (Text(text), *media), Answer("choice", gold="A", choices=choices))


ITEMS = [
    item("a", "12345", Image("0"), Image("1"), choices={"A": "up", "B": "down"}),
    item("b", "123"),
    item("c", "", Video("2")),
    item("d", "1234567", Image("0")),
]


def test_without_runs_items_text_and_media_are_counted_and_that_is_said() -> None:
    found = cost(ITEMS, [0, 2])
    assert (found.items.pool, found.items.suite, found.items.kept) == (4, 2, 0.5)
    assert (found.characters.pool, found.characters.suite) == (5 + 6 + 3 + 7, 5 + 6)
    assert (found.pictures.pool, found.pictures.suite) == (3, 2)
    assert (found.clips.pool, found.clips.suite) == (1, 1)
    assert found.runs == () and "not known" in found.basis
    assert cost([item("a", "")], [0]).pictures.kept is None


REPLIES = [
    Reply("a", usage=Usage(100, 10, 4), latency_s=3.0, media_sha256=("0", "1")),
    Reply("a", epoch=1, usage=Usage(100, 20), latency_s=6.0, media_sha256=("0", "1")),
    Reply("b", call="x", usage=Usage(50, 5), latency_s=27.0),
    Reply("c", status="infra_error"),
    Reply("elsewhere", usage=Usage(10**6, 10**6), latency_s=10**6),
]


def test_runs_are_summed_over_epochs_and_over_measured_items() -> None:
    found = run_cost("m", REPLIES, [one.id for one in ITEMS], [0, 2])
    assert (found.measured.pool, found.measured.suite) == (3, 2)
    assert found.input_tokens and (found.input_tokens.pool, found.input_tokens.suite) == (250, 200)
    assert found.output_tokens and (found.output_tokens.pool, found.output_tokens.suite) == (35, 30)
    assert (found.frames.pool, found.frames.suite) == (4, 4)
    assert found.request_hours and found.request_hours.pool == pytest.approx(36 / 3600)
    assert found.request_hours.suite == pytest.approx(9 / 3600)
    # Half of the items and a quarter of the time: the kept ones need not be the average ones.
    assert found.request_hours.kept == pytest.approx(1 / 4)


def test_what_was_not_counted_is_not_nought() -> None:
    found = run_cost("m", [Reply("a"), Reply("b", usage=Usage(5, None))], ["a", "b"], [0])
    assert found.request_hours is None and found.output_tokens is None
    assert found.input_tokens and (found.input_tokens.pool, found.input_tokens.suite) == (5, 0)


def test_hours_of_each_item() -> None:
    assert item_hours(REPLIES)["a"] == pytest.approx(9 / 3600)
    assert "c" not in item_hours(REPLIES)


def test_an_empty_suite_is_refused() -> None:
    with pytest.raises(GumptionError):
        cost(ITEMS, [])


def test_a_run_folder_is_read(tmp_path: Path) -> None:
    protocol = Protocol("sum", {}, "v1", "1", "1", 1)
    info = RunInfo("toy", "1", "toy", "", "Model A", len(ITEMS), protocol)
    with Run.taken(tmp_path / "run", info, ITEMS) as (_, part):
        part.write_bytes(b"".join(msgspec.json.encode(reply) + b"\n" for reply in REPLIES))
    found = cost(ITEMS, [0, 2], [Run.open(tmp_path / "run")])
    (run,) = found.runs
    assert (run.model, run.measured.pool) == ("Model A", 3)
    assert "1 runs" in found.basis or "one run" in found.basis
