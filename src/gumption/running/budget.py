"""What the roles of one talk may spend, what they have spent, and what went amiss."""

from __future__ import annotations

from msgspec import Struct

from gumption.records import GumptionError, Item, Reply, Text

__all__ = ["Budget", "Event", "tokens_of"]

_CHARACTERS = 4
"""Of a token, where the server does not count tokens."""


class Event(Struct, frozen=True):
    """One thing that a reader of the log should know."""

    call: str
    """Which question, such as "review/2"."""
    kind: str
    """invalid (asked again, or given up) | refused | failed | dead (a voter is asked no more) | budget."""
    detail: str

    def __str__(self) -> str:
        return f"{self.call}: {self.kind}: {self.detail}"


class Budget:
    """Shared by the roles of one talk. Counts are made of the replies alone, so that a talk which is held
    again on its recorded replies stops at the same question. Talks held side by side get one each.

    most_calls, most_tokens: None is without limit. Tokens are those that the server counts, question and
    reply; where it does not, four characters are one. The last reply may go beyond `most_tokens`.
    """

    def __init__(self, *, most_calls: int | None = None, most_tokens: int | None = None) -> None:
        for limit in (most_calls, most_tokens):
            if limit is not None and limit < 0:
                raise GumptionError(f"a budget of {limit}", remedy="give 0 or more, or none at all")
        self.most_calls, self.most_tokens = most_calls, most_tokens
        self.calls = self.tokens = 0
        """Spent so far."""
        self.log: list[Event] = []
        self._dearest = 0
        """Tokens of the dearest call so far."""
        self._ended = False

    def room(self, wanted: int) -> int:
        """How many of the questions wanted may be asked side by side now; 0 is the end of the budget."""
        room = wanted
        if self.most_calls is not None:
            room = min(room, self.most_calls - self.calls)
        if self.most_tokens is not None and room > 0:
            left = self.most_tokens - self.tokens
            # As many as fit if each were the dearest so far; while none is known, one to learn from.
            room = min(room, max(1, left // self._dearest if self._dearest else 1)) if left > 0 else 0
        return max(0, room)

    def spend(self, question: Item, reply: Reply) -> None:
        """Count a reply. One that failed is a call and costs the tokens that the server reports, if any."""
        tokens = int(sum(tokens_of(question, reply)))
        self.calls += 1
        self.tokens += tokens
        self._dearest = max(self._dearest, tokens)

    def end(self, call: str) -> None:
        """Log, once, that there was no room for this question."""
        if not self._ended:
            self._ended = True
            spent = f"used up by {self.calls} calls and {self.tokens} tokens: nothing is asked from here on"
            self.log.append(Event(call, "budget", spent))


def tokens_of(question: Item, reply: Reply) -> tuple[float, float]:
    """Tokens of the question and of the reply, as the server counts them, else one for four characters."""
    usage = reply.usage
    if usage is not None and usage.input_tokens is not None and usage.output_tokens is not None:
        return usage.input_tokens, usage.output_tokens
    if reply.status == "infra_error":
        return 0.0, 0.0
    asked = sum(len(part.text) for part in question.parts if isinstance(part, Text))
    return asked / _CHARACTERS, (len(reply.reasoning) + len(reply.text)) / _CHARACTERS
