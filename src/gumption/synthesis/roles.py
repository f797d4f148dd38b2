"""The two roles that write a pipeline (A2Eval, arXiv 2602.01640): the Evaluator asks, the Scorer marks.

Each is a protocol with an implementation by a model and one by rules. A role's method is a *talk*: a
generator that yields questions to be asked side by side, is sent their replies, and returns what it made of
them. A role without a model yields nothing. So one loop serves both, the engine asks and records, and a
loop that was cut short is taken up by running it again on the replies that were recorded.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from gumption.running.talks import Talk
from gumption.synthesis.folder import BenchmarkFolder
from gumption.synthesis.spec import Asking, Loading, Scoring, Spec

__all__ = [
    "Attempt",
    "Brief",
    "Evaluator",
    "Evidence",
    "Failure",
    "InferenceLogic",
    "Scorer",
    "ScoringLogic",
    "Unable",
]


class InferenceLogic(Struct, frozen=True):
    """The Evaluator's half: how rows are loaded and what is asked for each."""

    loading: Loading
    asking: Asking
    doubts: tuple[str, ...] = ()
    code: str = ""
    """Python with `load` and `build`; "" where the recipes follow the record."""


class ScoringLogic(Struct, frozen=True):
    """The Scorer's half: the declared rule, and what follows it."""

    scoring: Scoring
    loading: Loading | None = None
    """The Evaluator's, with columns gathered that the right answer needs; None where it needs none."""
    doubts: tuple[str, ...] = ()
    code: str = ""
    """Python with `score`; "" where the recipes follow the record."""


class Unable(Struct, frozen=True):
    """A role has nothing to propose."""

    reasons: tuple[str, ...]


class Failure(Struct, frozen=True, omit_defaults=True):
    """Why a pipeline was refused, in pieces that a role can act on. See `feedback` for how it is told."""

    gate: str
    """The check that refused it."""
    call: str = ""
    """Which function is at fault: load, build or score; "" is not known."""
    item: str = ""
    """The id of the row that shows it."""
    expected: str = ""
    got: str = ""
    said: str = ""
    """The problem in words, the last lines of what the code printed or raised."""


class Evidence(Struct, frozen=True):
    """What the validation of one file showed."""

    passed: bool
    failures: tuple[Failure, ...]
    report: Any = None
    """The whole validation as plain data."""
    tests: str = ""
    """The generated cases, a line of JSON each."""
    mechanism: str = ""
    """The sandbox in which it ran."""
    wall_s: float = 0.0


class Attempt(Struct, frozen=True):
    """One turn of the loop. Every one is kept."""

    number: int
    """From 1."""
    inference: InferenceLogic
    scoring: ScoringLogic | None
    """None where the Evaluator's half failed before there was anything to score."""
    spec: Spec | None
    code: str
    evidence: Evidence


class Brief(Struct, frozen=True):
    """What a role is given."""

    folder: BenchmarkFolder
    past: tuple[Attempt, ...]
    """All attempts so far."""
    rows: tuple[dict[str, Any], ...] = ()
    """For the Scorer: some rows as the Evaluator's half loads them, none of them hidden."""


class Evaluator(Protocol):
    """Writes how a benchmark is loaded and asked."""

    @property
    def name(self) -> str:
        """Goes into the manifest."""

    def propose(self, brief: Brief) -> Talk[InferenceLogic | Unable]:
        """A half, or the last one mended by what the checks said of it."""


class Scorer(Protocol):
    """Writes how replies are marked."""

    @property
    def name(self) -> str:
        """Goes into the manifest."""

    def propose(self, brief: Brief, inference: InferenceLogic) -> Talk[ScoringLogic | Unable]:
        """A half that fits the Evaluator's, or the last one mended by what the checks said of it."""
