"""Who says whether a predicted action does what a gold action does: one protocol, several judges.

A judge that cannot say fails: that leaves the plan unscored and is never counted as "no match".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

import msgspec

from gumption.records import GumptionError

__all__ = ["Action", "EmbeddingJudge", "ExactJudge", "Judge", "Judgement", "RecordedJudge"]

Action: TypeAlias = Sequence[str]
"""A verb and its arguments."""


class Judgement(msgspec.Struct, frozen=True):
    """What a judge says of one predicted action against every gold action."""

    row: tuple[bool, ...]
    failed: bool = False
    """It could not say: the row means nothing."""


class Judge(Protocol):
    """Anything that compares actions."""

    @property
    def name(self) -> str:
        """Recorded with every score."""

    def judge(self, action: Action, gold: Sequence[Action]) -> Judgement:
        """One row of the match matrix: entry j says whether `action` does what gold action j does."""


class ExactJudge:
    """The same words, whatever their case."""

    name = "exact"

    def judge(self, action: Action, gold: Sequence[Action]) -> Judgement:
        wanted = _folded(action)
        return Judgement(tuple([_folded(other) == wanted for other in gold]))


class RecordedJudge:
    """Verdicts given before, by (predicted action, gold action); a pair that was never judged fails."""

    def __init__(
        self, verdicts: Mapping[tuple[Action, Action], bool] | Iterable[tuple[Action, Action, bool]]
    ) -> None:
        self.name = "recorded"
        triples = (
            [(one, other, verdict) for (one, other), verdict in verdicts.items()]
            if isinstance(verdicts, Mapping)
            else list(verdicts)
        )
        self._verdicts: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}
        for one, other, verdict in triples:
            key = (_folded(one), _folded(other))
            if self._verdicts.setdefault(key, verdict) != verdict:
                raise GumptionError(
                    f"two verdicts on {list(one)} against {list(other)}",
                    where="recorded judgements",
                    remedy="keep one of them",
                )

    def judge(self, action: Action, gold: Sequence[Action]) -> Judgement:
        own = _folded(action)
        verdicts = [self._verdicts.get((own, _folded(other))) for other in gold]
        return Judgement(tuple([bool(verdict) for verdict in verdicts]), failed=None in verdicts)


class EmbeddingJudge:
    """Actions as short sentences, alike where their vectors' cosine reaches `threshold`.

    encode: sentences to vectors, one each; called once for the sentences that are new.
    Verbs that undo each other are alike to an encoder: this judge is there to be measured against others.
    """

    def __init__(
        self,
        encode: Callable[[Sequence[str]], Sequence[Sequence[float]]],
        threshold: float = 0.8,
        name: str = "embedding",
    ) -> None:
        self.name = f"{name}@{threshold:g}"
        self._encode = encode
        self._threshold = threshold
        self._vectors: dict[str, Sequence[float]] = {}

    def judge(self, action: Action, gold: Sequence[Action]) -> Judgement:
        sentences = [" ".join(words).casefold() for words in (action, *gold)]
        new = [one for one in dict.fromkeys(sentences) if one not in self._vectors]
        if new:
            self._vectors |= zip(new, self._encode(new), strict=True)
        own, *others = [self._vectors[one] for one in sentences]
        return Judgement(tuple([_cosine(own, other) >= self._threshold for other in others]))


def _folded(action: Action) -> tuple[str, ...]:
    return tuple([word.strip().casefold() for word in action])


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    size = (sum(a * a for a in one) * sum(b * b for b in other)) ** 0.5
    return float(product / size) if size else 0.0
