"""Iterative refinement: the two roles write, the sandbox tries, what fails goes back to its author.

The loop is a talk: whatever its roles ask of models, it passes on. It ends with a pipeline that passes every
gate, or with none: a half that works is not used. Every attempt is kept with its evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

from gumption.records import GumptionError
from gumption.running.talks import Talk
from gumption.synthesis.assembly import Assembled, assembled
from gumption.synthesis.contract import Row
from gumption.synthesis.folder import BenchmarkFolder
from gumption.synthesis.roles import (
    Attempt,
    Brief,
    Evaluator,
    Evidence,
    Failure,
    InferenceLogic,
    Scorer,
    ScoringLogic,
    Unable,
)
from gumption.synthesis.trial import Trial

__all__ = ["Synthesis", "synthesize"]

_OF_EVALUATOR = frozenset({"load", "build", ""})
_OF_SCORER = frozenset({"score", ""})
"""Which functions at fault are whose; where it is not known, both write anew."""
_REPEATED = "what has just been refused is proposed again"


class Synthesis(Struct, frozen=True):
    """What came of a loop, with everything that led there."""

    name: str
    """Of the benchmark."""
    attempts: tuple[Attempt, ...]
    stopped_because: str
    doubts: tuple[str, ...]
    """What the roles leave open; a person should look."""
    roles: dict[str, str]
    """evaluator and scorer by name."""
    limit: int

    @property
    def accepted(self) -> Attempt | None:
        """The attempt that passed every gate, if one did."""
        last = self.attempts[-1] if self.attempts else None
        return last if last is not None and last.evidence.passed else None


def synthesize(
    folder: BenchmarkFolder,
    evaluator: Evaluator,
    scorer: Scorer,
    trial: Trial,
    *,
    name: str = "",
    attempts: int = 6,
    told: Callable[[Attempt], None] | None = None,
) -> Talk[Synthesis]:
    """A pipeline for an unknown folder.

    In each of at most `attempts` turns the Evaluator writes its half, the Scorer its own, and `trial` checks
    the whole; only the half that is at fault is written anew, and the Scorer's whenever the Evaluator's has
    changed what it rests on. It stops when every gate passes, at the limit, when a role has nothing to
    propose, or when the roles propose again what has just been refused. name: of the benchmark, the folder's
    where empty. told: called with each attempt as it ends; after a resumption the first ones are told again.

    Raises GumptionError for a limit below 1.
    """
    if attempts < 1:
        raise GumptionError(f"a limit of {attempts} attempts", remedy="allow 1 or more")
    loop = _Loop(folder, evaluator, scorer, trial, name or folder.path.name, told)
    reason = ""
    while not reason and len(loop.past) < attempts:
        reason = yield from loop.turn()
    return Synthesis(
        loop.name,
        tuple(loop.past),
        reason or f"the limit of {attempts} attempts was reached",
        tuple(dict.fromkeys(loop.doubts)),
        {"evaluator": evaluator.name, "scorer": scorer.name},
        attempts,
    )


@dataclass
class _Loop:
    """Where the loop stands."""

    folder: BenchmarkFolder
    evaluator: Evaluator
    scorer: Scorer
    trial: Trial
    name: str
    told: Callable[[Attempt], None] | None
    past: list[Attempt] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    inference: InferenceLogic | None = None
    scoring: ScoringLogic | None = None
    rows: tuple[Row, ...] = ()
    """What the Scorer was shown."""

    def turn(self) -> Talk[str]:
        """One attempt; why it is the last one, "" where it is not."""
        blamed = {failure.call for failure in self.past[-1].evidence.failures} if self.past else set()
        inference = self.inference
        if inference is None or blamed & _OF_EVALUATOR:
            proposed = yield from self.evaluator.propose(Brief(self.folder, tuple(self.past)))
            if isinstance(proposed, Unable):
                return f"the Evaluator has nothing to propose: {'; '.join(proposed.reasons)}"
            if inference is not None and proposed.asking.options != inference.asking.options:
                self.scoring = None
            self.inference = inference = proposed
            self.doubts += inference.doubts
        loaded = self.trial.load(inference)
        if loaded.failures:
            return self._tried(inference, None, None, Evidence(False, loaded.failures))
        if loaded.rows != self.rows:
            # What a half for other rows reads may not be there.
            self.scoring, self.rows = None, loaded.rows
        scoring = self.scoring
        if scoring is None or blamed & _OF_SCORER:
            brief = Brief(self.folder, tuple(self.past), loaded.rows)
            scored = yield from self.scorer.propose(brief, inference)
            if isinstance(scored, Unable):
                return f"the Scorer has nothing to propose: {'; '.join(scored.reasons)}"
            self.scoring = scoring = scored
            self.doubts += scoring.doubts
        if self._repeats(inference, scoring):
            return _REPEATED
        try:
            whole = assembled(self.name, inference, scoring)
        except GumptionError as error:
            failure = Failure("static", "score", said=f"{error.problem}: {error.remedy}")
            return self._tried(inference, scoring, None, Evidence(False, (failure,)))
        return self._tried(inference, scoring, whole, self.trial.validate(whole))

    def _tried(
        self,
        inference: InferenceLogic,
        scoring: ScoringLogic | None,
        whole: Assembled | None,
        evidence: Evidence,
    ) -> str:
        if self._repeats(inference, scoring):
            return _REPEATED
        spec, code = (whole.spec, whole.code) if whole else (None, inference.code)
        self.past.append(Attempt(len(self.past) + 1, inference, scoring, spec, code, evidence))
        if self.told is not None:
            self.told(self.past[-1])
        return "every gate passes" if evidence.passed else ""

    def _repeats(self, inference: InferenceLogic, scoring: ScoringLogic | None) -> bool:
        last = self.past[-1] if self.past else None
        return last is not None and (last.inference, last.scoring) == (inference, scoring)
