"""Circular evaluation: a choice is asked in every rotation of its options, and right only if all are.

So a model that prefers a letter gains nothing by it (Liu et al., "MMBench: Is Your Multi-modal Model an
All-around Player?", 2023, arXiv 2307.06281).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import islice

from msgspec.structs import replace

from gumption.answers import guess
from gumption.benchmarks._inline import options_in
from gumption.benchmarks.prompts import ASKING
from gumption.records import Episode, Item, Part, Reply, Score, Text

__all__ = ["OFFICIAL_PLAIN", "PLAIN", "ROTATIONS", "chance_of", "circular", "rotations"]

ROTATIONS = "rotations"
"""Of `meta["asking"]`: in how many rotations the item is asked, the published order included."""

PLAIN = "plain"
"""Part of a score: what the order as published is worth."""
OFFICIAL_PLAIN = "official_plain"
"""The same by the authors' rule, where that is another."""
_OFFICIAL = "official"
_JUDGE = "judge"


def rotations(item: Item) -> tuple[Item, ...]:
    """The item, and the item with its options turned by one, two, ... places; letters stay where they are.

    An item without option texts, or with options in its own words that cannot be turned there, is alone.
    """
    choices = item.answer.choices or {}
    if item.answer.kind != "choice" or len(choices) < 2 or not all(choices.values()):
        return (item,)
    turned = [_turned(item, by) for by in range(1, len(choices))]
    return (item, *(one for one in turned if one is not None)) if None not in turned else (item,)


def chance_of(item: Item) -> float:
    """Expected score of guessing, at every rotation where the run asks all of them."""
    return float(guess(item.answer) ** item.meta.get(ASKING, {}).get(ROTATIONS, 1))


def circular(episode: Callable[[Item], Episode]) -> Callable[[Item], Episode]:
    """The episode that runs another one on every rotation that `meta` says, side by side.

    The value is the least of theirs, and so is the part "official"; the part "plain" is what the published
    order is worth. Nothing is scored unless every rotation is.
    """

    def all_rotations(item: Item) -> Episode:
        turns = rotations(item)[: item.meta[ASKING][ROTATIONS]]
        scores = yield from _side_by_side(item, [episode(turn) for turn in turns])
        return _least(scores)

    return all_rotations


def _side_by_side(
    item: Item, episodes: list[Episode]
) -> Generator[tuple[Item, ...], tuple[Reply, ...], list[Score]]:
    scores: dict[int, Score] = {}
    asked: dict[int, tuple[Item, ...]] = {}

    def go_on(turn: int, replies: tuple[Reply, ...] | None) -> None:
        try:
            asked[turn] = next(episodes[turn]) if replies is None else episodes[turn].send(replies)
        except StopIteration as stop:
            scores[turn] = stop.value
            asked.pop(turn, None)

    try:
        for turn in range(len(episodes)):
            go_on(turn, None)
        while asked:
            now = dict(asked)
            replies = iter(
                (yield tuple(_named(item, turn, one) for turn, questions in now.items() for one in questions))
            )
            for turn, questions in now.items():
                go_on(turn, tuple(islice(replies, len(questions))))
    finally:
        for episode in episodes:
            episode.close()
    return [scores[turn] for turn in range(len(episodes))]


def _named(item: Item, turn: int, question: Item) -> Item:
    """The question under the item's id: as it is for the published order, below "rotated/N" for another."""
    if turn == 0:
        return question
    call = question.id[len(item.id) + 1 :]
    where = f"rotated/{turn}"
    is_judged = call.partition("/")[0] == _JUDGE
    path = f"{_JUDGE}/{where}{call[len(_JUDGE) :]}" if is_judged else f"{where}/{call}" if call else where
    return replace(question, id=f"{item.id}/{path}")


def _least(scores: list[Score]) -> Score:
    values = [score.value for score in scores if score.value is not None]
    if len(values) < len(scores):
        return Score(None)
    worst = scores[values.index(min(values))]
    parts = {**scores[0].parts, PLAIN: values[0]}
    official = [score.parts[_OFFICIAL] for score in scores if _OFFICIAL in score.parts]
    if _OFFICIAL in parts:
        parts[OFFICIAL_PLAIN] = parts.pop(_OFFICIAL)
    if len(official) == len(scores):
        parts[_OFFICIAL] = min(official)
    return replace(worst, parts=parts)


def _turned(item: Item, by: int) -> Item | None:
    """The item with the texts of its options turned by some places. None where its own words resist."""
    choices = item.answer.choices or {}
    letters, texts = list(choices), list(choices.values())
    moved = dict(zip(letters, texts[by:] + texts[:by], strict=True))
    gold = letters[(letters.index(item.answer.gold) - by) % len(letters)]
    parts: list[Part] = []
    for part in item.parts:
        turned = _turned_text(part.text, choices, moved) if isinstance(part, Text) else part
        if turned is None:
            return None
        parts.append(turned)
    answer = replace(item.answer, choices=moved, gold=gold)
    return replace(item, parts=tuple(parts), answer=answer)


def _turned_text(text: str, choices: dict[str, str], moved: dict[str, str]) -> Text | None:
    """A text in which the options, if it lists them, are turned; None where that cannot be done for sure."""
    listed = options_in(text)
    if listed != choices:
        return Text(text)
    pieces: list[str] = []
    end = len(text)
    for letter in reversed(choices):
        start = text.rfind(choices[letter], 0, end)
        if start < 0:
            return None
        pieces[:0] = [moved[letter], text[start + len(choices[letter]) : end]]
        end = start
    turned = text[:end] + "".join(pieces)
    return Text(turned) if options_in(turned) == moved else None
