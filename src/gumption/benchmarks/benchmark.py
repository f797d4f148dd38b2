"""What a benchmark file has to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gumption.answers import read, score
from gumption.benchmarks.prompts import prompted
from gumption.records import Aggregate, Answer, Episode, Item, Reading, Reply
from gumption.suites import Suite

__all__ = ["Benchmark", "one_shot", "reading_of"]


def one_shot(item: Item) -> Episode:
    """Ask once, read the reply, score the reading: the episode of most benchmarks."""
    (reply,) = yield (prompted(item),)
    return score(item.answer, reading_of(reply, item.answer))


def reading_of(reply: Reply, answer: Answer) -> Reading:
    """What a reply settles on. A refusal that the server reports is one, whatever text came with it."""
    if reply.status == "refused":
        return Reading("refused", [] if answer.kind == "point" else None, rule="status")
    return read(reply.text, answer)


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A public benchmark: its data, its way of asking and scoring, and its official number."""

    name: str
    title: str
    homepage: str
    licence: str
    rule: str
    """The authors' scoring rule, in a sentence."""
    official: Aggregate
    further: tuple[Aggregate, ...] = ()
    """Other numbers that are in use for this benchmark: another aggregate, another rule (a part)."""
    load: Callable[[Path | None], Suite]
    """The items, from the given folder of data or from where the benchmark looks by itself."""
    configure: Callable[[Path | None, Mapping[str, str]], Suite] | None = None
    """The items under options that a user names, as in `NAME:OPTION=VALUE,...`; None where there are none.
    Each item tells the options in `meta["protocol"]`, "" where they are the usual ones."""
    episode: Callable[[Item], Episode] = one_shot
    version: str = "1"
    """Raised with every change to how it is asked or scored."""
