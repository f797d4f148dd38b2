"""One file out of two halves: what a role wrote by hand, and the recipes for the rest."""

from __future__ import annotations

import ast
import re

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gumption.synthesis.codegen import METRICS, write_pipeline
from gumption.synthesis.roles import InferenceLogic, ScoringLogic
from gumption.synthesis.spec import Spec

__all__ = ["Assembled", "assembled", "half_of"]

_FUTURE = re.compile(r"^from __future__ import .*$", re.MULTILINE)
_HALF = """from gumption.synthesis import recipes

LOADING = {loading!r}
ASKING = {asking!r}


def load(folder):
    return recipes.load(folder, LOADING)


def build(row):
    return recipes.request(row, ASKING)
"""


class Assembled(Struct, frozen=True):
    """A pipeline before it was checked."""

    spec: Spec
    code: str
    scorer_begins: int | None
    """The line at which what the Scorer wrote begins; None where the recipes wrote `score`."""


def assembled(name: str, inference: InferenceLogic, scoring: ScoringLogic) -> Assembled:
    """Raises GumptionError for a record that no recipe can follow, where one has to."""
    spec = Spec(
        name,
        scoring.loading or inference.loading,
        inference.asking,
        scoring.scoring,
        tuple(dict.fromkeys((*inference.doubts, *scoring.doubts))),
    )
    by_hand = (inference.code.strip(), scoring.code.strip())
    if not any(by_hand):
        return Assembled(spec, write_pipeline(spec), None)
    pieces: list[str] = []
    if not all(by_hand):
        replaced = ("load", "build") if by_hand[0] else ("score",)
        pieces.append(_without(write_pipeline(_known(spec) if by_hand[1] else spec), replaced))
    pieces += [_FUTURE.sub("", piece).strip() for piece in by_hand if piece]
    whole = "\n\n\n".join(pieces) + "\n"
    begins = whole.rstrip("\n").count("\n") - pieces[-1].count("\n") + 1 if by_hand[1] else None
    return Assembled(spec, whole, begins)


def half_of(inference: InferenceLogic) -> str:
    """The Evaluator's half alone, with `load` and `build`."""
    if inference.code.strip():
        return inference.code
    told = msgspec.to_builtins([inference.loading, inference.asking])
    return _HALF.format(loading=told[0], asking=told[1])


def _known(spec: Spec) -> Spec:
    """The record with a metric that the recipes know, for its loading: what scores it is written by hand."""
    metric, parameters = next(iter(METRICS[spec.scoring.kind].items()))
    kept = {name: value for name, value in spec.scoring.parameters.items() if name in parameters}
    return replace(spec, scoring=replace(spec.scoring, metric=metric, parameters=kept))


def _without(code: str, functions: tuple[str, ...]) -> str:
    """Our own text without some of its functions."""
    lines = code.splitlines()
    for node in reversed(ast.parse(code).body):
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            del lines[node.lineno - 1 : node.end_lineno]
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)).strip()
