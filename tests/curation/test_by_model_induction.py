"""The whole induction with models for roles, played by a server on this machine from a script."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from roles_script import CAUSE, COUNT, PLACE, proposal, quoted

from gumption.curation.by_model import (
    Budget,
    ModelAssigner,
    ModelProposer,
    ModelReviewer,
    answering,
    five_voters,
)
from gumption.curation.dimensions import Dimension, Dimensions, Example
from gumption.curation.induction import Induction, induce
from gumption.models.openai import OpenAI
from gumption.running import Run, hold
from servers import Act, Asked, Server, answer, failure

VOTERS = [f"voter-{number}" for number in range(5)]
AMOUNT = Dimension("Amount", "Says how many or how much there is of something.")
SETS = [(COUNT, AMOUNT, PLACE, CAUSE), (COUNT, PLACE), (COUNT, PLACE, CAUSE)]
KEYWORDS = {"how many": "Counting", "where": "Place", "why": "Cause"}
POOL = [
    Example(f"i/{n}", f"bench-{n % 3}", "c", f"{['How many', 'Where', 'Why', 'Open'][n % 4]} {n}?", "text")
    for n in range(40)
]
MERGE = {"action": "merge", "dimensions": ["Counting", "Amount"], "reason": "one", "suggestion": ""}
ADD = {"action": "add", "dimensions": [], "reason": "causes fit nowhere", "suggestion": "Cause"}

Play = Callable[[Asked], Act]


def words_to_vectors(texts: Sequence[str]) -> np.ndarray:
    """Counts of words, hashed: enough to tell definitions apart."""
    vectors = np.zeros((len(texts), 64), np.float32)
    for row, text in enumerate(texts):
        for word in (text or "nothing").lower().split():
            vectors[row, zlib.crc32(word.encode()) % 64] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def saying(value: Any) -> Act:
    return answer(value if isinstance(value, str) else json.dumps(value))


def review(*changes: dict[str, Any]) -> Act:
    judged = dict.fromkeys(("redundancy", "coverage", "balance"), "Seen.")
    return saying({**judged, "changes": changes, "accepted": not changes})


def vote(asked: Asked) -> Act:
    """By the item's first words; Other where no listed dimension has them."""
    dimensions, (item,) = quoted(asked.text)
    listed = [one["name"] for one in dimensions]
    name = next((name for word, name in KEYWORDS.items() if item["question"].lower().startswith(word)), "")
    return saying({"reason": "its first words", "dimension": name if name in listed else "Other"})


class Script:
    """Proposer and Reviewer say one line after another; voters vote, unless `voter` has other plans."""

    def __init__(self, proposer: Sequence[Act], reviewer: Sequence[Act], voter: Play = vote) -> None:
        self.lines = {"proposer": iter(proposer), "reviewer": iter(reviewer)}
        self.voter = voter

    def __call__(self, asked: Asked) -> Act:
        lines = self.lines.get(asked.body["model"])
        return self.voter(asked) if lines is None else next(lines)


def induced(server: Server, folder: Path, budget: Budget) -> Induction:
    def model(name: str) -> OpenAI:
        return OpenAI(name, base_url=server.base_url, first_pause_s=0.001)

    talk = induce(
        POOL,
        ModelProposer("proposer", budget=budget),
        ModelReviewer("reviewer", budget=budget),
        ModelAssigner(five_voters(VOTERS), budget=budget),
        words_to_vectors,
        probe=len(POOL),
        wanted=(2, 5),
    )
    models = answering(
        proposer=model("proposer"), reviewer=model("reviewer"), voters=list(map(model, VOTERS))
    )
    return hold({"induction": talk}, models, folder)["induction"]


def test_a_loop_with_every_mishap_ends_well_and_the_log_tells_the_story(tmp_path: Path) -> None:
    heard: Counter[str] = Counter()

    def voter(asked: Asked) -> Act:
        name = asked.body["model"]
        heard[name] += 1
        return failure(500, "out of memory") if name == "voter-3" and heard[name] > 60 else vote(asked)

    script = Script(
        [
            saying("Counting and so on"),
            saying(proposal(*SETS[0])),
            *(saying(proposal(*one)) for one in (SETS[0], SETS[1], SETS[2], SETS[2])),
        ],
        [review(MERGE), review(ADD), review()],
        voter,
    )
    budget = Budget()
    with Server(script) as server:
        found = induced(server, tmp_path / "talks", budget)
        asked = Counter(one.body["model"] for one in server.asked)
        again = Budget()
        assert induced(server, tmp_path / "talks", again) == found
        since = Counter(one.body["model"] for one in server.asked) - asked
    assert found.accepted and found.dimensions == Dimensions(SETS[2])
    assert found.stopped_because == "the set is accepted and stable"
    assert [past.review.accepted for past in found.past] == [False, False, True, True]
    assert [past.dimensions for past in found.past] == list(map(Dimensions, (*SETS, SETS[2])))
    # Counted by hand: ten items of each kind, those of the last kind fit nowhere.
    assert [past.balance.counts for past in found.past[:3]] == [
        {"Counting": 10, "Amount": 0, "Place": 10, "Cause": 10, "Other": 10},
        {"Counting": 10, "Place": 10, "Other": 20},
        {"Counting": 10, "Place": 10, "Cause": 10, "Other": 10},
    ]
    # The log: a proposal that was no JSON, one that had been rejected, a voter that died in the second vote.
    told = [(event.call.split("/")[0], event.kind) for event in budget.log]
    assert told[0] == ("propose", "invalid") and ("propose", "invalid") in told[1:]
    assert "rejected before" in next(str(event) for event in budget.log if event.call == "propose/2")
    failed = [event for event in budget.log if event.kind == "failed"]
    assert len(failed) == 20 + 40 and {event.call.split("/")[1] for event in failed} == {"3"}
    assert "HTTP 500: out of memory" in failed[0].detail
    # Whether it is given up in both later votes hangs on which of its last replies came first.
    assert {event.call for event in budget.log if event.kind == "dead"} == {"vote/3"}
    # Five votes on each of 40 items for three sets; the Proposer was asked six times, the Reviewer three.
    replies = list(Run.open(tmp_path / "talks").replies())
    assert budget.calls == 5 * 40 * 3 + 6 + 3
    assert sum(reply.status == "ok" for reply in replies) == budget.calls - 60
    # Held again, only what had failed is asked again, and the story is the same.
    assert set(since) == {"voter-3"}
    assert again.log == budget.log and (again.calls, again.tokens) == (budget.calls, budget.tokens)


def test_a_reviewer_that_refuses_ends_the_loop_with_the_set_it_was_shown(tmp_path: Path) -> None:
    refusal = answer(None, reason="stop", refusal="I cannot judge this.")
    budget = Budget()
    with Server(Script([saying(proposal(*SETS[2]))], [refusal])) as server:
        found = induced(server, tmp_path / "talks", budget)
    assert found.stopped_because == "the Reviewer gave no judgement"
    assert found.dimensions == Dimensions(SETS[2]) and not found.accepted
    assert list(map(str, budget.log)) == ["review/1: refused: I cannot judge this."]


def test_a_proposer_that_never_says_json_ends_the_loop_without_a_set(tmp_path: Path) -> None:
    budget = Budget()
    with Server(Script([saying("Dimensions!")] * 3, [])) as server:
        found = induced(server, tmp_path / "talks", budget)
        assert server.total == 3
    assert found.dimensions is None and found.stopped_because == "the Proposer had no proposal"
    assert [event.kind for event in budget.log] == ["invalid"] * 3


def test_a_budget_that_runs_out_during_the_vote_ends_the_loop_with_what_there_is(tmp_path: Path) -> None:
    budget = Budget(most_calls=101)
    with Server(Script([saying(proposal(*SETS[2]))], [])) as server:
        found = induced(server, tmp_path / "talks", budget)
        assert server.total == budget.calls == 101
        again = Budget(most_calls=101)
        assert induced(server, tmp_path / "talks", again) == found and server.total == 101
        assert again.log == budget.log
    assert found.stopped_because == "the Reviewer gave no judgement" and not found.accepted
    assert found.dimensions == Dimensions(SETS[2])
    assert [event.kind for event in budget.log] == ["budget"]
    assert "101 calls" in budget.log[0].detail


def test_a_budget_of_tokens_holds_over_all_roles(tmp_path: Path) -> None:
    """The server counts 18 tokens a reply."""
    budget = Budget(most_tokens=18 * 30)
    with Server(Script([saying(proposal(*SETS[2]))], [])) as server:
        found = induced(server, tmp_path / "talks", budget)
        assert server.total == 30
    assert budget.tokens == 18 * 30 and not found.accepted
