"""What a synthesis took: requests, tokens, money and time, counted from what was recorded."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from gumption.records import GumptionError, Reply
from gumption.synthesis.refine import Synthesis

__all__ = ["Prices", "Spent", "prices_of", "spent_of"]


class Prices(Struct, frozen=True):
    """Of a million tokens, in any one currency."""

    question: float
    answer: float


class Spent(Struct, frozen=True, omit_defaults=True):
    """Of one synthesis, whenever and however often it was taken up."""

    attempts: int
    first_run: bool
    """Eval@1 (arXiv 2605.11378): the very first pipeline passed, and no reply had to be asked for again
    because it could not be read."""
    calls: int = 0
    """Requests that were answered, or failed for good."""
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    """As far as the servers counted them."""
    cost: float | None = None
    """None where no prices were given for requests that were made."""
    asking_s: float = 0.0
    checking_s: float = 0.0

    @property
    def wall_s(self) -> float:
        """Seconds of requests and of checks; idle time between two parts of a synthesis does not count."""
        return self.asking_s + self.checking_s


def prices_of(text: str) -> Prices:
    """`QUESTION,ANSWER`, as in 0.5,1.5. Raises GumptionError for anything else."""
    try:
        question, answer = (float(one) for one in text.split(","))
    except ValueError:
        question = answer = -1.0
    if not (0 <= question < 1e9 and 0 <= answer < 1e9):
        raise GumptionError(
            f"{text!r} is no pair of prices", where="--prices", remedy="write them as in --prices 0.5,1.5"
        )
    return Prices(question, answer)


def spent_of(synthesis: Synthesis, replies: Iterable[Reply], prices: Prices | None) -> Spent:
    """From all that was recorded, failed requests with it."""
    recorded = list(replies)
    usages = [reply.usage for reply in recorded if reply.usage is not None]
    questions = sum(usage.input_tokens or 0 for usage in usages)
    answers = sum(usage.output_tokens or 0 for usage in usages)
    cost = None if prices is None else (questions * prices.question + answers * prices.answer) / 1e6
    unread = any("/again/" in reply.call for reply in recorded)
    return Spent(
        attempts=len(synthesis.attempts),
        first_run=synthesis.accepted is not None and len(synthesis.attempts) == 1 and not unread,
        calls=len(recorded),
        failed=sum(reply.status == "infra_error" for reply in recorded),
        input_tokens=questions,
        output_tokens=answers,
        cost=cost if recorded else 0.0,
        asking_s=round(sum(reply.latency_s or 0.0 for reply in recorded), 3),
        checking_s=round(sum(one.evidence.wall_s for one in synthesis.attempts), 3),
    )
