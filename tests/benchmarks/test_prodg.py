"""ProDG: the thirty instances under every protocol, against models of known ability and a server."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from oracle_runs import card_of

from gumption.benchmarks import episode_of, get, open_suite, versions_of
from gumption.grounding import read_domain, read_problem
from gumption.models import open_models
from gumption.records import GumptionError, Image, Item, Reply, Text
from gumption.running import Run, run, score_run
from gumption.suites import Suite, read_folder, write_folder
from servers import Act, Asked, Behave, Server, answer

pytestmark = pytest.mark.data


def rows(record: Run) -> dict[str, dict[str, object]]:
    return {row["item_id"]: {**row, "parts": dict(row["parts"])} for row in record.scores().to_pylist()}


def only(suite: Suite, *ids: str) -> Suite:
    return Suite(suite.name, suite.version, tuple(i for i in suite.items if i.id in ids), suite.media)


def test_thirty_instances_with_photo_instruction_and_gold(public_data: Path) -> None:
    suite = open_suite("prodg", public_data)
    assert Counter(item.category for item in suite.items) == {"blocksworld": 10, "cooking": 10, "hanoi": 10}
    assert len({item.cluster for item in suite.items}) == 30
    for item in suite.items:
        photo = item.parts[-2]
        assert isinstance(photo, Image) and (photo.width, photo.height) == (512, 512)
        assert isinstance(item.parts[-1], Text) and item.parts[-1].text
        assert suite.media.read(photo.sha256)[:2] == b"\xff\xd8"
        domain = read_domain(item.meta["domain"])
        assert read_problem(item.answer.gold, domain).clean and domain.name == item.category


def test_no_example_gives_its_own_answer_away(public_data: Path) -> None:
    for item in open_suite("prodg:shots=9", public_data).items:
        *shown, photo = [part for part in item.parts if isinstance(part, Image)]
        assert len(shown) == len(item.meta["examples"]) == 9  # all others of its domain
        assert photo not in shown and len(set(shown)) == 9
        assert all(example["problem"] != item.answer.gold for example in item.meta["examples"])


def test_gold_stages_score_one_and_plan_wherever_the_search_is_large_enough(
    public_data: Path, tmp_path: Path
) -> None:
    (oracle,) = open_models("baseline/oracle")
    for address in ("prodg", "prodg:mode=direct,shots=0"):
        record = run(open_suite(address, public_data), oracle, tmp_path / str(len(address)), data=public_data)
        found = rows(record)
        for row in found.values():
            parts = row["parts"]
            names = ("object_f1", "predicate_f1", "predicate_f1_fluent", "goal_f1", "clean", "readable")
            assert [parts[name] for name in names] == [1.0] * len(names)
        # Hanoi 8 has ten disks; 50,000 expansions, as SYMBOLIZER's release has, are too few for it.
        assert {name for name, row in found.items() if row["value"] != 1.0} == {"prodg/hanoi/8"}
        assert found["prodg/hanoi/8"]["errors"] == ["budget_exceeded"]


def test_a_wrong_oracle_scores_nothing(public_data: Path, tmp_path: Path) -> None:
    """Without a right object and atom no plan is found that is valid in the gold problem.

    This is of the usual protocol. Asked for the whole problem (mode=direct) the wrong oracle leaves a part of
    the goal out, and a plan for the rest may reach it all the same.
    """
    card = card_of(open_suite("prodg", public_data), tmp_path / "run", 0.0)
    assert (card.official.mean, card.micro.mean, card.total.n) == (0.0, 0.0, 30)


def test_options_are_part_of_the_protocol_and_of_nothing_else(public_data: Path, tmp_path: Path) -> None:
    usual, other = (
        open_suite("prodg", public_data),
        open_suite("prodg:retries=2,retry_image=false", public_data),
    )
    assert [item.id for item in usual.items] == [item.id for item in other.items]
    assert usual.checksum != other.checksum and other.name == "prodg:retries=2,retry_image=false"
    assert versions_of(usual.items) == {"prodg": "1"}
    assert versions_of(other.items) == {"prodg": "1 retries=2,retry_image=false"}
    (oracle,) = open_models("baseline/oracle")
    record = run(other.first(1), oracle, tmp_path / "run", address=other.name, data=public_data)
    assert record.info.protocol.benchmarks == {"prodg": "1 retries=2,retry_image=false"}
    address, data = record.suite_address()
    assert open_suite(address, data).checksum == other.checksum


@pytest.mark.parametrize(
    "address",
    ["prodg:", "prodg:mode", "prodg:mode=fast", "prodg:shots=-1", "prodg:shot=1", "blink:mode=direct"],
)
def test_what_is_no_protocol_is_said(public_data: Path, address: str) -> None:
    with pytest.raises(GumptionError) as caught:
        open_suite(address, public_data)
    assert caught.value.remedy


def test_a_suite_folder_holds_all_that_is_shown(public_data: Path, tmp_path: Path) -> None:
    suite = only(open_suite("prodg", public_data), "prodg/cooking/1")
    write_folder(suite, tmp_path / "suite")
    again = read_folder(tmp_path / "suite")
    assert len(again.media) == 6  # its own photo and five examples
    (oracle,) = open_models("baseline/oracle")
    assert rows(run(again, oracle, tmp_path / "run"))["prodg/cooking/1"]["value"] == 1.0


def test_success_falls_faster_than_atoms_do(public_data: Path, tmp_path: Path) -> None:
    suite = open_suite("prodg:oracle=objects", public_data)
    truth, success = [], []
    for accuracy in (0.9, 0.5):
        (oracle,) = open_models("baseline/oracle", accuracy=accuracy)
        found = rows(run(suite, oracle, tmp_path / str(accuracy))).values()
        truth.append(sum(row["parts"]["predicate_f1"] for row in found) / 30)
        success.append(sum(row["value"] for row in found) / 30)
    # Half of the wrong atoms are left out: F1 is near 2 a / (a + (1 - a) / 2 + 1), .923 and .571.
    assert truth == [pytest.approx(0.923, abs=0.04), pytest.approx(0.571, abs=0.06)]
    assert success[0] < 0.6 and success[1] < 0.1


@pytest.mark.parametrize("name", ["baseline/random", "baseline/blind"])
def test_the_floors_run_to_the_end(public_data: Path, tmp_path: Path, name: str) -> None:
    for address in ("prodg", "prodg:mode=direct", "prodg:mode=loop,shots=0"):
        (floor,) = open_models(name)
        record = run(open_suite(address, public_data), floor, tmp_path / address.replace(":", "-"))
        assert {row["status"] for row in rows(record).values()} == {"ok"}
        assert all(row["value"] == 0.0 for row in rows(record).values())


# ── against a server ─────────────────────────────────────────────────────────────────────────────────


def right_replies(item: Item) -> dict[tuple[str, str], str]:
    """The right reply to each question of an item, by its words and the hash of its last picture."""
    episode = episode_of(item)(item)
    questions = next(episode)
    found = {}
    while True:
        replies = []
        for question in questions:
            words = "\n".join(part.text for part in question.parts if isinstance(part, Text))
            *_, picture = ["", *(part.sha256 for part in question.parts if isinstance(part, Image))]
            gold = question.answer.gold
            found[words, picture] = gold if isinstance(gold, str) else json.dumps(gold)
            replies.append(Reply(item.id, text=found[words, picture]))
        try:
            questions = episode.send(tuple(replies))
        except StopIteration:
            return found


def pictures(asked: Asked) -> list[bytes]:
    return [part[1] for part in asked.parts if not isinstance(part, str)]


def knowing(suite: Suite) -> Behave:
    """A server that knows what is right, by what it is shown."""
    right = {key: reply for item in suite.items for key, reply in right_replies(item).items()}

    def behave(asked: Asked) -> Act:
        *_, picture = ["", *(hashlib.sha256(data).hexdigest() for data in pictures(asked))]
        return answer(f"Here it is:\n```json\n{right[asked.text, picture]}\n```")

    return behave


def test_a_server_is_shown_the_photos_and_the_schema_and_its_replies_score(
    public_data: Path, tmp_path: Path
) -> None:
    suite = only(open_suite("prodg:shots=1", public_data), "prodg/blocksworld/1", "prodg/hanoi/3")
    with Server(knowing(suite)) as server:
        (model,) = open_models("openai/m", base_url=server.base_url)
        record = run(suite, model, tmp_path / "run")
        assert server.total == 6
        again = run(suite, model, tmp_path / "run")
        assert server.total == 6  # nothing is asked twice
    assert [row["value"] for row in rows(record).values()] == [1.0, 1.0]
    assert rows(again) == rows(record) == rows(score_run(tmp_path / "run"))
    assert sorted(reply.call for reply in record.replies()) == sorted(["objects", "predicates", "goal"] * 2)
    for asked in server.asked:
        form = asked.body["response_format"]["json_schema"]
        assert form["strict"] is True and form["name"] in {"objects", "state", "goal"}
        assert len(pictures(asked)) == (0 if form["name"] == "goal" else 2)
    by_stage = {(a.body["response_format"]["json_schema"]["name"], "peg1" in a.text): a for a in server.asked}
    schema = by_stage["goal", True].body["response_format"]["json_schema"]["schema"]
    assert "peg1" in schema["$defs"]["object"]["properties"]["name"]["enum"]
    moves = [form["properties"]["predicate_type"]["enum"] for form in _forms(schema)]
    assert ["Move"] in moves  # shares its name with an action, and is kept


def _forms(schema):  # type: ignore[no-untyped-def]
    return schema["properties"]["grounded_predicates"]["items"]["anyOf"]


def test_drawn_states_survive_resuming_and_scoring_again(public_data: Path, tmp_path: Path) -> None:
    suite = only(open_suite("prodg:mode=loop,shots=1", public_data), "prodg/hanoi/4")
    with Server(knowing(suite)) as server:
        (model,) = open_models("openai/m", base_url=server.base_url)
        record = run(suite, model, tmp_path / "run", concurrency=1)
        asked = server.total
        part = next((tmp_path / "run" / "parts").glob("*.jsonl"))
        lines = part.read_bytes().splitlines(keepends=True)
        part.write_bytes(b"".join(lines[:-2]))  # as if it had been killed two replies earlier
        again = run(suite, model, tmp_path / "run", concurrency=1)
        assert server.total == asked + 2
    assert rows(again) == rows(record) == rows(score_run(tmp_path / "run"))
    assert rows(record)["prodg/hanoi/4"]["value"] == 1.0
    hashes = [reply.media_sha256 for reply in again.replies() if reply.call != "goal"]
    assert len(set(hashes)) == len(hashes) and all(len(pair) == 2 for pair in hashes)


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        "I'm sorry, but I can't help with that.",
        '{"objects": [' + '{"name": "a) (:goal (and", "type": "block) ("}, ' * 500 + '{"name": "b"}]}',
        '{"objects": [[[[]]]], "grounded_predicates": [{"predicate_type": {"a": 1}, "x": [1]}, null, true]}',
        "{'objects': ['__import__(\"os\").abort()'], 'grounded_predicates': ['(or a b)', '=(a, b)']}",
        "(define (problem x) (:domain hanoi) (:objects a) (:init (on a a)) (:goal (on a a)))",
    ],
)
@pytest.mark.parametrize("mode", ["staged", "direct"])
def test_hostile_replies_score_nothing_and_end(
    public_data: Path, tmp_path: Path, mode: str, hostile: str
) -> None:
    suite = only(
        open_suite(f"prodg:mode={mode},retries=1,shots=0", public_data), "prodg/hanoi/3", "prodg/cooking/1"
    )
    with Server(lambda _: answer(hostile)) as server:
        (model,) = open_models("openai/m", base_url=server.base_url)
        found = rows(run(suite, model, tmp_path / "run"))
    assert [row["value"] for row in found.values()] == [0.0, 0.0]
    assert {row["status"] for row in found.values()} == {"ok"}
    assert all(row["parts"]["plan_gold"] == 0.0 for row in found.values())


def test_the_benchmark_says_what_it_is() -> None:
    benchmark = get("prodg")
    assert "gold problem" in benchmark.rule and benchmark.licence == "MIT"
