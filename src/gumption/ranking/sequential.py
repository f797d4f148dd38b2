"""What may be said of a whole suite at any moment of asking it in random order, however one decides to stop.

A bet against the claim "the suite's mean is at most m" is placed on every draw, before it is seen. While the
claim holds, the better's wealth is a nonnegative supermartingale, so the chance that it *ever* reaches 1/a is
at most a (Ville 1939). Betting on bounded means, with the draws that are left in place of a population:
Waudby-Smith and Ramdas (2020, arXiv 2006.04347; 2024, doi 10.1093/jrsssb/qkad009). Here the draws are whole
clusters of known sizes and the mean may be weighted: see `gumption.suites.drawing`. The bets are a fixed
mixture of fractions, so that wealth falls with m and the interval's ends are found by bisection.

Everything said is about the run of the whole suite, as if it had been asked to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gumption.ranking._design import Floats
from gumption.records import GumptionError, Interval
from gumption.suites.drawing import Drawing

__all__ = [
    "PairVerdict",
    "Settlement",
    "check_rule",
    "confidence_sequence",
    "log_wealth",
    "settle",
    "suite_interval",
]

Verdict = Literal["a", "b", "equal", "open"]

FRACTIONS = 0.8 * 0.4 ** np.arange(5)
"""Of what may be staked on a draw; wealth is spread over them evenly. Large ones see large gaps soon, small
ones small gaps in large suites."""
FIRST_SIGHT = 256
"""Draws on which a pair is looked at first: most need no more."""
ROUNDING = 1e-9
"""Sums that differ by less are the same."""
STEPS = 40
"""Of bisection: an end is exact to 1e-12."""


class PairVerdict(Struct, frozen=True):
    """Which of two models the whole suite would put first."""

    a: str
    b: str
    verdict: Verdict
    """a or b is better | equal: no further apart than the margin | open: not told apart so far."""
    draws: int | None
    """Draws after which it was settled; None while open."""


class Settlement(Struct, frozen=True):
    """What is settled of all pairs at once: with probability `confidence` no verdict is ever wrong."""

    pairs: tuple[PairVerdict, ...]
    confidence: float
    margin: float

    @property
    def open(self) -> tuple[PairVerdict, ...]:
        return tuple(pair for pair in self.pairs if pair.verdict == "open")

    def needs(self, model: str) -> bool:
        """Whether some pair of this model is open."""
        return any(model in (pair.a, pair.b) for pair in self.open)

    def of(self, model: str) -> dict[str, str]:
        """The model beside each other one: better, worse, equal or open."""
        said = {"a": ("better", "worse"), "b": ("worse", "better")}
        found = {}
        for pair in self.pairs:
            words = said.get(pair.verdict, (pair.verdict, pair.verdict))
            if pair.a == model:
                found[pair.b] = words[0]
            elif pair.b == model:
                found[pair.a] = words[1]
        return found


def log_wealth(means: Floats, drawing: Drawing, null: npt.ArrayLike) -> Floats:
    """The log of what bets against "the mean is at most `null`" have grown to at most, after each draw.

    means: M x T means in [0, 1] of the first T draws. null: one number or M. Infinite where what was drawn
    rules the claim out. Under the claim, the chance of ever being above log(1/a) is at most a.
    """
    drawn = means.shape[1]
    size, weight = drawing.size, drawing.weight
    bound = np.reshape(np.asarray(null, np.float64), (-1, 1))
    rate = np.divide(weight, size, out=np.zeros(len(size)), where=size > 0)
    left = np.cumsum(rate[::-1])[::-1][:drawn]
    largest = np.maximum.accumulate(size[::-1])[::-1][:drawn]
    size, weight = size[:drawn], weight[:drawn]

    surplus = weight * (means - bound)
    before = np.cumsum(surplus, axis=1) - surplus
    # If the mean is `bound`, what was in surplus so far is lacking in the draws that are left.
    expected = -before / left
    stake = bound * largest + expected
    gain = size * (means - bound) - expected
    share = np.divide(gain, stake, out=np.zeros_like(gain), where=stake > ROUNDING)
    share = np.maximum(share, -1.0)
    wealth = np.full(means.shape, -np.inf)
    for fraction in FRACTIONS:
        np.logaddexp(wealth, np.cumsum(np.log1p(fraction * share), axis=1), out=wealth)
    wealth -= np.log(len(FRACTIONS))
    wealth[np.cumsum(weight * means, axis=1) > bound + ROUNDING] = np.inf
    return np.asarray(np.maximum.accumulate(wealth, axis=1))


def confidence_sequence(means: Floats, drawing: Drawing, error: float) -> tuple[Floats, Floats]:
    """Both ends, for each of M rows, of an interval that holds the suite's mean at every time at once with
    probability 1 - `error` at least. means: M x T means in [0, 1] of the first T draws. From [0, 1] at T = 0
    to one point at the end of the suite.
    """
    return _lower(means, drawing, error / 2), 1.0 - _lower(1.0 - means, drawing, error / 2)


def settle(
    scores: Floats,
    drawing: Drawing,
    drawn: Sequence[int],
    *,
    models: Sequence[str],
    confidence: float = 0.95,
    margin: float = 0.0,
    fixed: int = 0,
) -> Settlement:
    """What may be said of every pair of models by now.

    scores: models x items in [0, 1], NaN where a request failed. drawn: how many draws each model was asked.
    margin: models no further apart than this are settled as equal; with 0 that takes the whole suite.
    fixed: so many of the first models were run before; pairs among them are left out.

    An item that one of the two failed on counts as a tie: the sign of the difference is that over the items
    which both have, and its size is shrunk by their share. All pairs share the error alike (Bonferroni), so
    that all verdicts are right together, whenever each was given, with probability `confidence` at least.

    Raises GumptionError as `check_rule` does.
    """
    check_rule(confidence, margin)
    pairs = [pair for pair in combinations(range(len(scores)), 2) if pair[1] >= fixed]
    limit = float(np.log(2.0 * max(len(pairs), 1) / (1.0 - confidence)))
    verdicts = []
    for first, second in pairs:
        gap = np.nan_to_num(scores[first] - scores[second])
        seen = drawing.means(0.5 + 0.5 * gap[None, :])[:, : min(drawn[first], drawn[second])]
        verdict, when = _verdict(seen, drawing, limit, margin)
        verdicts.append(PairVerdict(models[first], models[second], verdict, when))
    return Settlement(tuple(verdicts), confidence, margin)


def check_rule(confidence: float, margin: float) -> None:
    """Raises GumptionError for a confidence outside (0, 1) and a margin outside [0, 1)."""
    if not 0.0 < confidence < 1.0:
        raise GumptionError(
            f"a confidence of {confidence}", where="--confidence", remedy="give one like 0.95"
        )
    if not 0.0 <= margin < 1.0:
        raise GumptionError(f"a margin of {margin}", where="--margin", remedy="give a share like 0.02")


def suite_interval(
    scores: Floats, drawing: Drawing, drawn: int, mean: float | None, *, error: float = 0.05
) -> Interval:
    """The interval of one model's mean over the whole suite that holds at whatever moment the run stopped.

    scores: of the items, NaN where a request failed: such an item is wrong for the lower end and right for
    the upper one. mean: the estimate that it is printed with.
    """
    worst, best = (drawing.means(np.nan_to_num(scores, nan=end)[None, :])[:, :drawn] for end in (0.0, 1.0))
    low = float(_lower(worst, drawing, error / 2)[0])
    high = 1.0 - float(_lower(1.0 - best, drawing, error / 2)[0])
    if mean is not None:
        low, high = min(low, mean), max(high, mean)
    return Interval(mean, low, high, "confidence sequence")


def _lower(means: Floats, drawing: Drawing, error: float) -> Floats:
    """The largest bound that bets have ruled out."""
    low, high = np.zeros(len(means)), np.ones(len(means))
    if not means.shape[1]:
        return low
    limit = np.log(1.0 / error)
    for _ in range(STEPS):
        middle = (low + high) / 2
        out = log_wealth(means, drawing, middle)[:, -1] >= limit
        low, high = np.where(out, middle, low), np.where(out, high, middle)
    return low


def _verdict(seen: Floats, drawing: Drawing, limit: float, margin: float) -> tuple[Verdict, int | None]:
    """What is ruled out first, and with which draw. seen: 1 x T, half of a difference and one half."""
    draws = seen.shape[1]
    length = min(FIRST_SIGHT, draws)
    while True:
        verdict, when = _first(seen[:, :length], drawing, limit, margin)
        if when is not None or length == draws:
            return verdict, when
        length = min(2 * length, draws)


def _first(seen: Floats, drawing: Drawing, limit: float, margin: float) -> tuple[Verdict, int | None]:
    def ruled_out(gap: float, *, above: bool) -> float:
        """The draw with which "the difference is at most `gap`" is out (above: "at least")."""
        null = 0.5 + 0.5 * gap
        wealth = log_wealth(1.0 - seen, drawing, 1.0 - null) if above else log_wealth(seen, drawing, null)
        when = np.flatnonzero(wealth[0] >= limit)
        return int(when[0]) + 1 if len(when) else np.inf

    # A difference of the margin itself is equal.
    edge = margin + 10 * ROUNDING
    times: dict[Verdict, float] = {
        "a": ruled_out(0.0, above=False),
        "b": ruled_out(0.0, above=True),
        "equal": max(ruled_out(edge, above=True), ruled_out(-edge, above=False)),
    }
    verdict = min(times, key=lambda name: times[name])
    return (verdict, int(times[verdict])) if np.isfinite(times[verdict]) else ("open", None)
