"""A model that writes how a benchmark is loaded and asked."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from gumption.running.budget import Budget
from gumption.running.forms import FaultError, Form, Miss, filled, record
from gumption.running.talks import Talk
from gumption.synthesis.by_model import _material as material
from gumption.synthesis.by_model._doubts import doubts_of
from gumption.synthesis.roles import Brief, InferenceLogic, Unable
from gumption.synthesis.spec import Asking, Loading, Options, Source

__all__ = ["LONGEST_CODE", "ModelEvaluator"]

LONGEST_CODE = 60_000


class _Said(Struct):
    loading: Loading
    asking: Asking
    doubts: list[str] = []
    code: str = ""


class ModelEvaluator:
    """Asks a model, under the call "evaluate/N" in attempt N."""

    def __init__(
        self, model: str, *, budget: Budget | None = None, retries: int = 2, prompt: str = "evaluate-1"
    ) -> None:
        """model: its name, for the log. retries: further questions where a reply is not of the form. prompt:
        a file of by_model/prompts; GumptionError where there is none."""
        self.name = f"{model}, {material.WORDS.id(prompt)}"
        self._budget, self._retries, self._prompt = budget or Budget(), retries, prompt

    def propose(self, brief: Brief) -> Talk[InferenceLogic | Unable]:
        """A half, or why there is none: a refusal, no readable reply, a failed request, the budget's end."""
        form = Form("evaluate", str(len(brief.past) + 1), self._words(brief), _SCHEMA, _read)
        (value,) = yield from filled([form], self._budget, self._retries)
        return Unable((f"{value.kind}: {value.detail}",)) if isinstance(value, Miss) else value

    def _words(self, brief: Brief) -> str:
        return material.WORDS.filled(
            self._prompt,
            contract=material.contract_text(),
            record=material.record_text(Source, Loading, Options, Asking),
            allowed=material.ALLOWED,
            readme=material.readme(brief.folder),
            files=material.files(brief.folder),
            tables=material.tables(brief.folder),
            joins=material.joins(brief.folder),
            past=material.past(brief.past, "inference", ("load", "build")),
        )


_SCHEMA = record(
    {
        "loading": {"type": "object"},
        "asking": {"type": "object"},
        "doubts": {"type": "array", "items": {"type": "string"}},
        "code": {"type": "string"},
    }
)


def _read(said: Any) -> InferenceLogic:
    found = msgspec.convert(said, _Said)
    if not found.loading.sources:
        raise FaultError("loading names no source: name the file that holds the questions")
    if len(found.code) > LONGEST_CODE:
        raise FaultError(f"code is longer than {LONGEST_CODE:,} characters")
    return InferenceLogic(found.loading, found.asking, doubts_of(found.doubts), found.code)
