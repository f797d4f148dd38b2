"""SIGKILL while votes are cast: no vote is lost, and none that was recorded is cast again."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from roles_script import SET, examples

from gumption.curation.by_model import ModelAssigner, answering, five_voters
from gumption.models.openai import OpenAI
from gumption.records import Reply
from gumption.running import Run, hold
from servers import Act, Asked, Server, answer

ITEMS, IN_FLIGHT = 60, 6
VOTING = "import sys; from test_voting_killed import cast; cast(*sys.argv[1:])"
Asking = tuple[str, str, int]
"""Vote or tie, the model, the item's number."""


def cast(address: str, folder: str) -> str:
    """Cast the votes that are not yet in the folder, and tell what came of all of them."""
    names = [f"voter-{number}" for number in range(5)]
    models = [OpenAI(name, base_url=address) for name in names]
    items = examples(*(f"Q{number}: where?" for number in range(ITEMS)))
    talk = ModelAssigner(five_voters(names)).assign(items, SET)
    found = hold({"assign": talk}, answering(voters=models), Path(folder), concurrency=IN_FLIGHT)["assign"]
    told = {"label": found.label.tolist(), "votes": found.votes.tolist(), "asked": found.asked}
    return json.dumps(told)


def asking_of(asked: Asked) -> Asking:
    found = re.search(r"Q(\d+):", asked.text)
    assert found
    return "tie" if "disagree" in asked.text else "vote", asked.body["model"], int(found[1])


def asking_in(reply: Reply) -> Asking:
    return reply.call.partition("/")[0], reply.model, int(reply.call.rpartition("/")[2])


def votes_of_all_kinds(asked: Asked) -> Act:
    """Unanimous, split, and tied two to two to one, in turn."""
    kind, model, number = asking_of(asked)
    voter = int(model[-1])
    label = 2 if kind == "tie" else (0, (0, 0, 1, 1, 0)[voter], (0, 1, 2, 1, 2)[voter])[number % 3]
    said = {"reason": "so", "dimension": SET.names[label]}
    return answer(json.dumps(said)).after(0.01 + 0.01 * (number % 3))


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.002)


def recorded(folder: Path) -> list[Asking]:
    if not (folder / "run.json").exists():
        return []
    replies = list(Run.open(folder).replies())
    assert {reply.status for reply in replies} <= {"ok"}
    return [asking_in(reply) for reply in replies]


def test_a_kill_costs_what_was_in_flight(tmp_path: Path) -> None:
    chance = random.Random(8)
    with Server(votes_of_all_kinds) as server:

        def start(folder: Path) -> subprocess.Popen[str]:
            places = Path(__file__).parent, Path(__file__).parents[1]
            return subprocess.Popen(
                [sys.executable, "-c", VOTING, server.base_url, str(folder)],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))},
                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip

        folder, lost = tmp_path / "votes", 0
        # In the round of three, between rounds, among the fourth and fifth votes and the ties.
        for moment in (1, 150, 60, 15):
            before, kept_before = server.total, recorded(folder)
            process = start(folder)
            wait_until(lambda before=before, moment=moment: server.total >= before + moment)
            time.sleep(chance.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
            assert process.returncode == -signal.SIGKILL
            wait_until(lambda: server.in_flight == 0)
            kept = recorded(folder)
            assert kept[: len(kept_before)] == kept_before, "a recorded vote is gone"
            anew = [asking_of(asked) for asked in server.asked[before:]]
            assert not set(anew) & set(kept_before), "a recorded vote was cast again"
            assert len(kept) - len(kept_before) <= len(anew) <= len(kept) - len(kept_before) + IN_FLIGHT
            lost += len(anew) - (len(kept) - len(kept_before))
        assert lost, "no kill came while a vote was in flight"
        resumed = cast(server.base_url, str(folder))
        kept = recorded(folder)
        assert server.total == len(kept) + lost
        assert len(kept) == len(set(kept)) == json.loads(resumed)["asked"]
        # 20 unanimous: 3 votes; 20 split: 5; 20 tied: 5 and the question that breaks the tie.
        assert Counter(kind for kind, *_ in kept) == {"vote": 20 * (3 + 5 + 5), "tie": 20}

        before = server.total
        assert cast(server.base_url, str(folder)) == resumed
        assert server.total == before, "a finished vote asked something"
        assert cast(server.base_url, str(tmp_path / "whole")) == resumed
        assert server.total == before + len(kept)
    labels = json.loads(resumed)["label"]
    assert labels == [(0, 0, 2)[number % 3] for number in range(ITEMS)]
