"""The Eval Agent whole (A2Eval, arXiv 2602.01640): from an unknown folder to a validated pipeline on disk.

Everything on the way is kept as it happens: replies, what was tried, every attempt. A synthesis that was cut
short is taken up by calling it again; what was asked or checked before is not asked or checked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gumption.atomic import written
from gumption.models import Model
from gumption.records import GumptionError, Item, Reply, Text
from gumption.running import Run, Talk, hold, settled
from gumption.synthesis.assembly import Assembled
from gumption.synthesis.by_model import answering
from gumption.synthesis.calls import mechanism_of, view
from gumption.synthesis.data import Data, data_of
from gumption.synthesis.feedback import shown
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.hidden import secret_of
from gumption.synthesis.pipeline import Pipeline, read_edited, version_of, write_pipeline_folder
from gumption.synthesis.refine import Synthesis, synthesize
from gumption.synthesis.roles import Attempt, Evaluator, Evidence, Scorer
from gumption.synthesis.sandbox import Limits
from gumption.synthesis.spent import Prices, Spent, spent_of
from gumption.synthesis.trial import SandboxTrial
from gumption.synthesis.validation import LIMITS

__all__ = ["Account", "Roles", "check", "read_account", "write"]

ACCOUNT = "synthesis.json"
_TALK = "synthesis"


class Account(Struct, frozen=True):
    """How a synthesis went: what `synthesis.json` says."""

    name: str
    accepted: bool
    stopped_because: str
    roles: dict[str, str]
    spent: Spent
    doubts: tuple[str, ...]
    refused: tuple[list[dict[str, Any]], ...]
    """Of each attempt that was refused, what refused it."""
    sandbox: str


@dataclass(frozen=True)
class Roles:
    """Who plays, and which models answer."""

    evaluator: Evaluator
    scorer: Scorer
    evaluator_model: Model | None = None
    scorer_model: Model | None = None


def write(
    root: Path,
    out: Path,
    roles: Roles,
    *,
    attempts: int = 6,
    prices: Prices | None = None,
    unsandboxed: bool = False,
    limits: Limits = LIMITS,
    told: Callable[[Attempt], None] | None = None,
) -> tuple[Account, Pipeline | None]:
    """Synthesise a pipeline for the benchmark folder `root` into the folder `out`.

    The pipeline is None where nothing passed every gate: then `out` holds the account, the attempts and the
    transcript. prices: for the cost. limits: of one call of the sandbox. told: called with each attempt as it
    ends.

    Raises GumptionError where `root` is no folder, where there is no sandbox and `unsandboxed` is not given,
    and where `out` cannot be written.
    """
    mechanism = mechanism_of(unsandboxed)
    folder = inspect_folder(root)
    data = data_of(root, folder.withheld)
    questions: dict[str, Item] = {}

    def keep(attempt: Attempt) -> None:
        _keep_attempt(out / "attempts" / str(attempt.number), attempt)
        if told is not None:
            told(attempt)

    with view(root, folder.withheld) as seen:
        kept = out / "record" / "tried"
        trial = SandboxTrial(seen, data.sha256, mechanism, kept, limits, secret_of(folder))
        talk = synthesize(
            folder,
            roles.evaluator,
            roles.scorer,
            trial,
            name=root.resolve().name,
            attempts=attempts,
            told=keep,
        )
        ask_of = answering(evaluator=roles.evaluator_model, scorer=roles.scorer_model)
        held = hold({_TALK: _noted(talk, questions)}, ask_of, out / "record" / "talk")
    synthesis = held[_TALK]
    replies = list(Run.open(out / "record" / "talk").replies())
    account = _account(synthesis, spent_of(synthesis, replies, prices), mechanism)
    _write(out / "transcript.jsonl", _transcript(questions, replies))
    accepted = synthesis.accepted
    pipeline = None
    if accepted is not None and accepted.spec is not None:
        pipeline = write_pipeline_folder(
            out,
            spec=accepted.spec,
            code=accepted.code,
            evidence=accepted.evidence,
            root=root,
            data=data,
            roles=synthesis.roles,
            spent=account.spent,
            doubts=synthesis.doubts,
        )
    _write(out / ACCOUNT, msgspec.json.format(msgspec.json.encode(account), indent=2) + b"\n")
    return account, pipeline


def read_account(out: Path) -> Account | None:
    """How the synthesis in a folder went; None where none was finished there."""
    path = out / ACCOUNT
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Account)
    except (OSError, msgspec.MsgspecError) as error:
        raise GumptionError(
            f"cannot be read: {error}", where=str(path), remedy="delete it and synthesise again"
        ) from error


def check(
    folder: Path, *, data: Path | None = None, unsandboxed: bool = False
) -> tuple[Evidence, Pipeline | None]:
    """Validate a pipeline again, after a hand edit or on other data.

    Where it passes, its manifest is written anew: a changed code or record is a new version, and the old one
    is named as its parent. Where it does not, the folder stays as it is, and still cannot be run.
    """
    edited = read_edited(folder)
    before = edited.manifest
    root = data or edited.folder / before.address
    withheld = inspect_folder(root).withheld
    now = data_of(root, withheld)
    mechanism = mechanism_of(unsandboxed)
    with view(root, withheld) as seen:
        trial = SandboxTrial(seen, now.sha256, mechanism)
        evidence = trial.validate(Assembled(edited.spec, edited.code, None))
    if not evidence.passed:
        return evidence, None
    return evidence, _renewed(edited, evidence, root, now)


def _renewed(edited: Pipeline, evidence: Evidence, root: Path, data: Data) -> Pipeline:
    before = edited.manifest
    changed = version_of(edited.spec, edited.code) != before.version
    return write_pipeline_folder(
        edited.folder,
        spec=edited.spec,
        code=edited.code,
        evidence=evidence,
        root=root,
        data=data,
        roles={**before.roles, "editor": "by hand"} if changed else before.roles,
        spent=before.spent,
        doubts=before.doubts,
        parents=(*before.parents, before.version) if changed else before.parents,
    )


def _noted(talk: Talk[Synthesis], questions: dict[str, Item]) -> Talk[Synthesis]:
    """The same talk; what it asks is kept in `questions`."""
    try:
        asked = next(talk)
        while True:
            questions.update({question.id: question for question in asked})
            asked = talk.send((yield asked))
    except StopIteration as stop:
        result: Synthesis = stop.value
        return result
    finally:
        talk.close()


def _account(synthesis: Synthesis, spent: Spent, mechanism: str) -> Account:
    every = ("load", "build", "score")
    return Account(
        synthesis.name,
        synthesis.accepted is not None,
        synthesis.stopped_because,
        synthesis.roles,
        spent,
        synthesis.doubts,
        tuple([shown(one.evidence.failures, every) for one in synthesis.attempts if not one.evidence.passed]),
        mechanism,
    )


def _keep_attempt(folder: Path, attempt: Attempt) -> None:
    halves = {"inference": attempt.inference, "scoring": attempt.scoring}
    _write(folder / "pipeline.py", attempt.code.encode(errors="replace"))
    _write(folder / "halves.json", msgspec.json.format(msgspec.json.encode(halves), indent=2) + b"\n")
    evidence = msgspec.json.encode(attempt.evidence)
    _write(folder / "evidence.json", msgspec.json.format(evidence, indent=2) + b"\n")


def _transcript(questions: dict[str, Item], replies: list[Reply]) -> bytes:
    """A line each question, with the reply that stands for it."""
    said = settled(replies)
    lines = []
    for call, question in questions.items():
        reply = said.get((_TALK, 0, call))
        words = [part.text for part in question.parts if isinstance(part, Text)]
        lines.append(msgspec.json.encode({"call": call, "asked": "\n".join(words), "reply": reply}) + b"\n")
    return b"".join(lines)


def _write(path: Path, content: bytes) -> None:
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
