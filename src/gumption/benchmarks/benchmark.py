"""What a benchmark file has to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gumption.answers import read, score
from gumption.benchmarks._hub import Source
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
    repeats: int = 1
    """How often the authors ask each question; a run asks so often unless it is told otherwise."""
    source: Source | None = None
    """Where the published files are; None where they are looked for in some other way."""
    n: str = ""
    """How many questions of which split, with what they add up from, as in "test 2,638 = 1,438 + 1,200"."""
    formula: str = ""
    """The official number as a formula, from the score of an item upwards."""
    chance: str = ""
    """The expected official score of guessing, and on what it rests, as in "25 % (four options)"."""
    asked: str = ""
    """How a question is put: the order of its parts, how options and the form of the answer are told."""
    quirks: tuple[str, ...] = ()
    """What the official rule or the data do that a reader of the number should know; a sentence each."""
    kits: tuple[tuple[str, str], ...] = ()
    """Public kits that score it in another way: the kit, and what it does instead."""
    checked: str = ""
    """Against what our scoring was checked: hand-worked cases, published numbers, another program."""
