"""A model as judge of actions: part of an episode, which asks and hands the match matrix on.

The judge repeats each gold action it matches; what it repeats is looked up in the gold list, whatever its
case and blanks, and decides. Numbers that models give to entries of lists are unreliable and are not asked
for. Words that cannot be found in the list, or a reply that cannot be read, leave the plan unscored.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from typing import Literal

from msgspec.structs import replace

from gumption.answers import visible
from gumption.planning._literal import Pairs, Unreadable, Value, read_literal
from gumption.planning.judges import Action, ExactJudge
from gumption.records import Answer, Item, Reply, Text

__all__ = ["ask_judge", "read_verdicts"]

_RULES = """\
You compare steps of two plans for a household robot. A predicted step matches a reference step if carrying
it out reaches the same: the same kind of action on the same object, and the same place where one is named.
Different names of one thing match (mug and cup, tap and faucet, bin and garbage can); singular and plural,
big and small letters do not matter. Actions that undo each other (open and close, turn on and off, pick and
place) never match. A predicted step may match several reference steps, or none.
"""
_ONE = """
Reference steps:
{gold}

Predicted step:
{predicted}

Answer with JSON only: {{"matches": [...]}}, a list of the matching reference steps, each copied exactly as it
stands above; an empty list if none matches."""
_ALL = """
Reference steps:
{gold}

Predicted steps:
{predicted}

Answer with JSON only: {{"matches": [[...], ...]}}: for each predicted step in turn a list of the matching
reference steps, each copied exactly as it stands above; an empty list for a step that matches none."""


def ask_judge(
    item: Item,
    predicted: Sequence[Action],
    gold: Sequence[Action],
    per: Literal["action", "plan"] = "action",
) -> Generator[tuple[Item, ...], tuple[Reply, ...], list[list[bool]] | None]:
    """Ask the judge for the match matrix, with one call for each predicted action or one for the plan.

    To be used in an episode: `matrix = yield from ask_judge(item, predicted, gold)`, the actions as
    `match.canonical` leaves them. None where an answer cannot be used: the plan then has no score.
    """
    if not predicted or not gold:
        return [[] for _ in predicted]
    listed = "\n".join(_written(action) for action in gold)
    if per == "plan":
        steps = "\n".join(_written(action) for action in predicted)
        right = [_right(action, gold) for action in predicted]
        (reply,) = yield (_question(item, "judge/plan", _ALL.format(gold=listed, predicted=steps), right),)
        return read_verdicts(reply.text, gold, rows=len(predicted))
    questions = [
        _question(
            item,
            f"judge/{number}",
            _ONE.format(gold=listed, predicted=_written(action)),
            _right(action, gold),
        )
        for number, action in enumerate(predicted)
    ]
    replies = yield tuple(questions)
    rows = []
    for reply in replies:
        row = read_verdicts(reply.text, gold)
        if row is None:
            return None
        rows += row
    return rows


def _question(item: Item, call: str, words: str, right: Sequence[object]) -> Item:
    gold = json.dumps({"matches": right}, ensure_ascii=False)
    return replace(
        item, id=f"{item.id}/{call}", parts=(Text(_RULES + words),), answer=Answer("text", gold=gold)
    )


def _right(action: Action, gold: Sequence[Action]) -> list[Action]:
    """What a judge would answer who goes by the words alone: for `baseline/oracle`."""
    row = ExactJudge().judge(action, gold).row
    return [list(other) for other, same in zip(gold, row, strict=True) if same]


def _written(action: Action) -> str:
    return json.dumps(list(action), ensure_ascii=False)


def read_verdicts(reply: str, gold: Sequence[Action], rows: int | None = None) -> list[list[bool]] | None:
    """The rows of the matrix that a reply gives: one, or `rows` of them. None for a useless reply."""
    text, _ = visible(reply)
    start = text.find("{")
    if start < 0:
        return None
    try:
        value = read_literal(text[start:], set(), whole=False)
    except Unreadable:
        return None
    found = (
        [inner for key, inner in value.items if key in ("matches", "result")]
        if isinstance(value, Pairs)
        else []
    )
    if len(found) != 1 or not isinstance(found[0], list):
        return None
    places: dict[tuple[str, ...], list[int]] = {}
    for number, action in enumerate(gold):
        places.setdefault(_key(action), []).append(number)
    listed: list[Value] = [found[0]] if rows is None else found[0]
    if rows is not None and len(listed) != rows:
        return None
    matrix = []
    for own in listed:
        row = _row(own, places, len(gold))
        if row is None:
            return None
        matrix.append(row)
    return matrix


def _row(own: Value, places: dict[tuple[str, ...], list[int]], columns: int) -> list[bool] | None:
    if not isinstance(own, list):
        return None
    if own and all(isinstance(word, str) for word in own) and not _looks_written(own):
        own = [own]  # one step, not in a list of its own
    row = [False] * columns
    for step in own:
        key = _echo(step)
        if key is None or key not in places:
            return None
        for number in places[key]:
            row[number] = True
    return row


def _looks_written(items: list[Value]) -> bool:
    """Whether the strings are steps that were written out, as in '["pick", "Apple"]'."""
    return all(isinstance(item, str) and item.strip().startswith("[") for item in items)


def _echo(step: Value) -> tuple[str, ...] | None:
    if isinstance(step, str):
        try:
            step = read_literal(step, set())
        except Unreadable:
            return None
    if isinstance(step, list) and all(isinstance(word, str) for word in step):
        return _key([word for word in step if isinstance(word, str)])
    return None


def _key(action: Action) -> tuple[str, ...]:
    return tuple(["".join(word.split()).casefold() for word in action])
