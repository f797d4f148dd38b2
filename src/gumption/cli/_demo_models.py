"""Made models for `gumption demo --full`: they are told the right answers and give them at a rate of their
own in each dimension. They are no measure of anything; they let a ranking and an error be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from gumption.models import Model, ReadMedia, open_models
from gumption.models.baseline import Oracle
from gumption.records import Item, Key, Reply

__all__ = ["ABLE", "BASELINES", "Made", "offline_models"]

BASELINES = ("random", "blind", "eyes")

ABLE = (0.9, 0.82, 0.76, 0.7, 0.62, 0.55, 0.45, 0.3)
"""How often a model is right, on average over the dimensions; neighbours are near enough to be confused."""
_SPREAD = 0.15
"""How far a dimension may lie from that, either way."""
_HESITATES = 0.02
"""How often a reply holds no answer."""
_WORDS = {
    "choice": ("{0}", "({0})", "The answer is {0}.", "{0}. {1}", "Answer: {0}"),
    "yes_no": ("{0}", "The answer is {0}.", "Answer: {0}"),
    "number": ("{0}", "It is {0} in all.", "Answer: {0}"),
}
"""Forms of a reply by the kind of answer: {0} is the answer, {1} the text of the option."""


def offline_models(dimensions: Sequence[str], seed: int) -> list[Model]:
    """The baselines, and a made model for each of `ABLE` with abilities drawn by the seed."""
    models = [open_models(f"baseline/{name}", seed=seed)[0] for name in BASELINES]
    for number, able in enumerate(ABLE):
        generator = Random(f"{seed}/abilities/{able}")
        drawn = {name: round(able + generator.uniform(-_SPREAD, _SPREAD), 2) for name in dimensions}
        models.append(Made(able, {name: min(drawn[name], 0.98) for name in dimensions}, 1000 * seed + number))
    return models


class Made:
    """An oracle with an accuracy for each dimension, that words its answers in several ways."""

    prompt = ""
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(self, able: float, by_dimension: Mapping[str, float], seed: int) -> None:
        """able: where an item has no dimension."""
        self.name = f"made/{able:.2f}"
        self._by_dimension, self._seed = dict(by_dimension), seed
        self._otherwise = Oracle(able, seed)
        self._oracles = {name: Oracle(one, seed) for name, one in by_dimension.items()}
        self._dimension: dict[str, str] = {}

    def identity(self) -> dict[str, Any]:
        return {"kind": "made", "name": self.name, "seed": self._seed, "able": self._by_dimension}

    def prepare(self, items: Iterable[Item]) -> None:
        """Only each item's dimension is kept."""
        self._dimension = {item.id: item.dimension for item in items}

    def request_sha256(self, question: Item) -> str:  # noqa: ARG002
        return ""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        oracle = self._oracles.get(self._dimension[key[0]], self._otherwise)
        reply = await oracle.ask(question, key, media)
        generator = Random(f"{self._seed}/words/{question.id}")
        return replace(reply, model=self.name, text=_worded(reply.text, question, generator))

    async def close(self) -> None:
        """Nothing is held open."""


def _worded(text: str, question: Item, generator: Random) -> str:
    forms = _WORDS.get(question.answer.kind)
    if forms is None:
        return text
    if generator.random() < _HESITATES:
        return "I cannot tell from this picture."
    return generator.choice(forms).format(text, (question.answer.choices or {}).get(text, ""))
