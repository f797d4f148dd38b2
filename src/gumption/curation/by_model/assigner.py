"""Several voters, each a model with a prompt of its own, that sort items into dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from gumption.curation._inputs import Ints
from gumption.curation.by_model._plurality import decided, first_named, leaders
from gumption.curation.by_model._prompts import WORDS
from gumption.curation.dimensions import ABSENT, OTHER, UNREAD, Assignment, Dimensions, Example
from gumption.records import GumptionError
from gumption.running.budget import Budget, Event
from gumption.running.forms import FaultError, Form, Miss, filled, one_of, record
from gumption.running.prompting import cut, data
from gumption.running.talks import Talk

__all__ = ["ModelAssigner", "Voter", "five_voters"]

PROMPTS = ("vote-1", "vote-2", "vote-3", "vote-4", "vote-5")
AT_ONCE = 256
"""Items whose questions are made at once: bounds memory, whatever the pool."""
DEAD_AFTER = 16
"""Failed requests in a row after which a voter is asked no more in this talk."""
_ITEM_CHARACTERS = 1_500
_OTHER = "What fits none of the others."


class Voter(Struct, frozen=True):
    """Who votes: a model, the words it is asked in, and the order in which it is shown the dimensions."""

    model: str
    """Its name, for the log; who answers is up to the engine."""
    prompt: str = PROMPTS[0]
    """A file of by_model/prompts."""
    seed: int = 0


def five_voters(models: Sequence[str]) -> tuple[Voter, ...]:
    """Five voters of five wordings and orders, the models in turn."""
    if not models:
        raise GumptionError("no model to vote", remedy="name one or more")
    return tuple(Voter(models[number % len(models)], prompt, number) for number, prompt in enumerate(PROMPTS))


class _Said(Struct):
    dimension: str
    reason: str = ""


class ModelAssigner:
    """Asks voter V (from 0) about an item under the call "vote/V/SET/ITEM" and breaks ties under
    "tie/SET/ITEM", where SET is the beginning of the dimensions' hash.

    Voters see an item's text and kind, not its benchmark and category: these would decide for them. Items
    that look the same to them are asked about once, under the id of the first. A majority of the voters is
    asked first, the others one by one where the plurality can still change. A tie is broken by a further
    question between the tied labels; where that cannot be had, by the first voter in order who named one of
    them; where none did, the item is Other.

    A voter of whom DEAD_AFTER requests in a row failed is asked no more; its votes are UNREAD. Where the
    budget ends, votes are ABSENT, and an item without any is Other.
    """

    def __init__(
        self,
        voters: Sequence[Voter],
        *,
        budget: Budget | None = None,
        retries: int = 1,
        tie_prompt: str = "tie-1",
    ) -> None:
        """retries: further questions where a reply does not fit. GumptionError for no voters and for prompts
        that are not there."""
        if not voters:
            raise GumptionError("no voters", remedy="name one or more; five_voters makes the usual five")
        self._voters, self._budget, self._retries = tuple(voters), budget or Budget(), retries
        self._tie_prompt = tie_prompt
        told = [f"{voter.model} {WORDS.id(voter.prompt)} seed {voter.seed}" for voter in voters]
        self.name = f"{len(told)} voters: {'; '.join(told)}; ties: {WORDS.id(tie_prompt)}"

    @property
    def evidence(self) -> str:
        """What agreement between the voters is worth."""
        models = len({voter.model for voter in self._voters})
        if models == len(self._voters):
            return ""
        return (
            f"{models} model{'s' * (models > 1)} behind {len(self._voters)} voters, not independent evidence"
        )

    def afresh(self) -> ModelAssigner:
        """The same voters with a budget of their own, which has no end: for another process."""
        return ModelAssigner(self._voters, retries=self._retries, tie_prompt=self._tie_prompt)

    def shown(
        self, examples: Sequence[Example], full: frozenset[str]
    ) -> tuple[Sequence[Example], frozenset[str]]:
        """The examples that are asked about, the first of those that look the same, and the ids of those of
        them on which every voter is to vote. They may be asked about in any parts."""
        places, shown = _distinct(examples)
        wanted = [
            shown[place].id for place, one in zip(places.tolist(), examples, strict=True) if one.id in full
        ]
        return shown, frozenset(wanted)

    def assign(
        self, examples: Sequence[Example], dimensions: Dimensions, full: frozenset[str] = frozenset()
    ) -> Talk[Assignment]:
        """As the protocol says. `full` of the result: those of `full` on which every voter was asked."""
        places, shown = _distinct(examples)
        count, other = len(shown), len(dimensions.all)
        votes = np.full((count, len(self._voters)), ABSENT, np.int64)
        label = np.full(count, other, np.int64)
        adjudicated = np.zeros(count, np.bool_)
        in_full = np.array([example.id in full for example in examples], np.bool_)
        wanted = np.zeros(count, np.bool_)
        wanted[places[in_full]] = True
        poll = _Poll(shown, dimensions, self._voters, self._tie_prompt, self._budget, self._retries)
        for begin in range(0, count, AT_ONCE):
            block = range(begin, min(count, begin + AT_ONCE))
            for voters in _rounds(len(self._voters)):
                left = len(self._voters) - voters[0]
                open_ = [row for row in block if wanted[row] or not decided(votes[row].tolist(), left)]
                yield from poll.vote(open_, voters, votes)
            tied: dict[int, list[int]] = {}
            for row in block:
                if (votes[row] != ABSENT).any():
                    first = leaders(votes[row].tolist(), other + 1)
                    label[row] = first[0]
                    if len(first) > 1:
                        tied[row] = first
            broken = yield from poll.break_ties(tied)
            for row, among in tied.items():
                rule = first_named(votes[row].tolist(), among, other)
                label[row], adjudicated[row] = broken.get(row, rule), True
        return Assignment(
            dimensions=dimensions,
            ids=tuple(example.id for example in examples),
            label=label[places],
            votes=votes[places],
            full=in_full & (votes[places] != ABSENT).all(axis=1),
            adjudicated=adjudicated[places],
            asked=poll.asked,
            evidence=self.evidence,
        )


def _distinct(examples: Sequence[Example]) -> tuple[Ints, list[Example]]:
    """The examples that look different to a voter, and which of them each example is."""
    numbers: dict[tuple[str, str], int] = {}
    shown: list[Example] = []
    places = np.empty(len(examples), np.int64)
    for row, example in enumerate(examples):
        look = example.kind, cut(example.text, _ITEM_CHARACTERS)
        places[row] = numbers.setdefault(look, len(numbers))
        if len(numbers) > len(shown):
            shown.append(example)
    return places, shown


def _rounds(voters: int) -> list[range]:
    """Which voters are asked side by side: as many as could decide among themselves, then one by one."""
    most = voters // 2 + 1
    return [range(most), *(range(voter, voter + 1) for voter in range(most, voters))]


class _Poll:
    """The questions of one assignment, and who has ceased to answer."""

    def __init__(
        self,
        examples: Sequence[Example],
        dimensions: Dimensions,
        voters: Sequence[Voter],
        tie_prompt: str,
        budget: Budget,
        retries: int,
    ) -> None:
        self.asked = 0
        self._examples, self._voters, self._tie_prompt = examples, voters, tie_prompt
        self._budget, self._retries = budget, retries
        self._set = dimensions.sha256[:12]
        self._names = (*dimensions.names, OTHER)
        self._lines = [{"name": one.name, "definition": one.definition} for one in dimensions.all]
        self._lines.append({"name": OTHER, "definition": _OTHER})
        self._orders = [_order(len(dimensions.all), voter.seed) for voter in voters]
        self._failed = dict.fromkeys([*(f"vote/{voter}" for voter in range(len(voters))), "tie"], 0)
        """Failed requests in a row, by who was asked."""
        self._dead: set[str] = set()

    def vote(self, rows: Sequence[int], voters: Sequence[int], votes: Ints) -> Talk[None]:
        """Ask the voters about the rows, and enter what they say in `votes`."""
        ballots = [(row, voter) for row in rows for voter in voters]
        for row, voter in ballots:
            if f"vote/{voter}" in self._dead:
                votes[row, voter] = UNREAD
        ballots = [(row, voter) for row, voter in ballots if votes[row, voter] == ABSENT]
        forms = [
            self._form(f"vote/{voter}", self._voters[voter].prompt, row, self._orders[voter])
            for row, voter in ballots
        ]
        values = yield from filled(forms, self._budget, self._retries)
        for (row, voter), form, value in zip(ballots, forms, values, strict=True):
            if self._heard(form, value):
                votes[row, voter] = UNREAD if isinstance(value, Miss) else value
        self._bury()

    def break_ties(self, tied: Mapping[int, Sequence[int]]) -> Talk[dict[int, int]]:
        """The label of each row for which the question between the tied ones was answered."""
        if "tie" in self._dead:
            return {}
        forms = [self._form("tie", self._tie_prompt, row, among) for row, among in tied.items()]
        values = yield from filled(forms, self._budget, self._retries)
        broken = {
            row: value
            for row, form, value in zip(tied, forms, values, strict=True)
            if self._heard(form, value) and not isinstance(value, Miss)
        }
        self._bury()
        return broken

    def _form(self, who: str, prompt: str, row: int, among: Sequence[int]) -> Form[int]:
        example, names = self._examples[row], [self._names[label] for label in among]
        words = WORDS.filled(
            prompt,
            # The same for all items of a voter, and first: servers keep the beginning that prompts share.
            dimensions=data(self._lines[label] for label in among),
            item=data([{"answer": example.kind, "question": cut(example.text, _ITEM_CHARACTERS)}]),
        )
        schema = record({"reason": {"type": "string"}, "dimension": one_of(names)})
        read = partial(_named, numbers={_plain(self._names[label]): label for label in among}, names=names)
        return Form(who, f"{self._set}/{example.id}", words, schema, read)

    def _heard(self, form: Form[int], value: int | Miss) -> bool:
        """Count a vote; False where it was not asked for."""
        if isinstance(value, Miss) and value.kind == "budget":
            return False
        self.asked += 1
        failed = isinstance(value, Miss) and value.kind == "failed"
        self._failed[form.who] = self._failed[form.who] + 1 if failed else 0
        return True

    def _bury(self) -> None:
        """Ask those no more whose last DEAD_AFTER requests failed, and say so."""
        for who, failed in self._failed.items():
            if failed >= DEAD_AFTER and who not in self._dead:
                self._dead.add(who)
                told = f"its last {failed} requests failed: it is asked no more, and its votes are unread"
                self._budget.log.append(Event(who, "dead", told))


def _order(dimensions: int, seed: int) -> list[int]:
    """The dimensions in an order of the voter's own, so that what stands first gains nothing; Other last."""
    order = list(range(dimensions))
    Random(seed).shuffle(order)
    return [*order, dimensions]


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def _named(raw: Any, numbers: Mapping[str, int], names: Sequence[str]) -> int:
    said = msgspec.convert(raw, _Said).dimension
    number = numbers.get(_plain(said))
    if number is None:
        raise FaultError(f"no dimension is called {said[:80]!r}: write one of {', '.join(names)}")
    return number
