"""A model that writes how replies are scored."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from gumption.running.budget import Budget
from gumption.running.forms import FaultError, Form, Miss, filled, record
from gumption.running.prompting import data
from gumption.running.talks import Talk
from gumption.synthesis.by_model import _material as material
from gumption.synthesis.by_model._doubts import doubts_of
from gumption.synthesis.by_model.evaluator import LONGEST_CODE
from gumption.synthesis.codegen import METRICS
from gumption.synthesis.roles import Brief, InferenceLogic, ScoringLogic, Unable
from gumption.synthesis.spec import Gold, Scoring

__all__ = ["ModelScorer"]


class _Said(Struct):
    scoring: Scoring
    doubts: list[str] = []
    code: str = ""


class ModelScorer:
    """Asks a model, under the call "score/N" in attempt N."""

    def __init__(
        self, model: str, *, budget: Budget | None = None, retries: int = 2, prompt: str = "score-1"
    ) -> None:
        """As of `ModelEvaluator`."""
        self.name = f"{model}, {material.WORDS.id(prompt)}"
        self._budget, self._retries, self._prompt = budget or Budget(), retries, prompt

    def propose(self, brief: Brief, inference: InferenceLogic) -> Talk[ScoringLogic | Unable]:
        """As of `ModelEvaluator`."""
        form = Form("score", str(len(brief.past) + 1), self._words(brief, inference), _SCHEMA, _read)
        (value,) = yield from filled([form], self._budget, self._retries)
        return Unable((f"{value.kind}: {value.detail}",)) if isinstance(value, Miss) else value

    def _words(self, brief: Brief, inference: InferenceLogic) -> str:
        return material.WORDS.filled(
            self._prompt,
            contract=material.contract_text(),
            record=material.record_text(Gold, Scoring),
            metrics=data([METRICS]),
            recipes=material.recipes_text(),
            allowed=material.ALLOWED,
            readme=material.readme(brief.folder),
            inference=data([msgspec.to_builtins(inference)]),
            rows=material.rows(brief.rows),
            past=material.past(brief.past, "scoring", ("score",)),
        )


_SCHEMA = record(
    {
        "scoring": {"type": "object"},
        "doubts": {"type": "array", "items": {"type": "string"}},
        "code": {"type": "string"},
    }
)


def _read(said: Any) -> ScoringLogic:
    found = msgspec.convert(said, _Said)
    metrics = METRICS[found.scoring.kind]
    if not found.code.strip() and found.scoring.metric not in metrics:
        raise FaultError(
            f"no recipe for {found.scoring.kind} is called {found.scoring.metric!r}: name one of "
            f"{', '.join(metrics)}, or write code"
        )
    if len(found.code) > LONGEST_CODE:
        raise FaultError(f"code is longer than {LONGEST_CODE:,} characters")
    return ScoringLogic(found.scoring, None, doubts_of(found.doubts), found.code)
