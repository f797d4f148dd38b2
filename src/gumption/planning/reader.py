"""Reading a plan out of a reply: `<response>`, `<plans>`, `<actions>`, and everything models write instead.

Nothing in a reply is ever evaluated. The formats and what official readers made of them: EmbodiedBrain
(arXiv 2510.20578; ZTERobot/EmbodiedBrain1.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from gumption.answers import refuses, visible
from gumption.planning._format import format_score
from gumption.planning._literal import Call, Pairs, Unreadable, Value, read_literal
from gumption.planning._prose import read_step, read_steps
from gumption.planning.verbs import KNOWN

__all__ = ["PlanReading", "read_plan"]

REPAIRS = (
    "truncated_input",
    "no_tag",
    "tag_case",
    "unclosed_tag",
    "first_block_empty",
    "repeated_block",
    "code_fence",
    "json_object",
    "flat_list",
    "tuple",
    "quote",
    "unbalanced",
    "null_argument",
    "prose_steps",
)
"""Every repair there is, in the order they are listed."""

_TAG = re.compile(r"<\s{0,3}(?P<close>/?)\s{0,3}actions?\s{0,3}(?P<empty>/?)\s{0,3}>", re.IGNORECASE)
_RESPONSE = re.compile(r"<\s?response\s?>(?P<text>.{0,4000}?)(?:<|$)", re.IGNORECASE | re.DOTALL)
_PLANS = re.compile(r"<\s?(?P<closing>/)?\s?plans?\s?>", re.IGNORECASE)
_LONGEST_PLANS = 20_000
_FENCE = re.compile(r"```[^\n`\[{(]{0,20}\n?(?P<text>[^`]*)(?:```|$)")
_LIST = re.compile(r"\[\s{0,5}[\[({]|\{\s{0,5}[\"']|\[\s{0,5}[\"']")
_MOST_LISTS = 20
_HOLDERS = ("actions", "action", "plan", "plans", "steps", "action_list", "action_sequence", "sequence")
_VERB_KEYS = ("action", "verb", "name", "action_name", "skill", "type")
_UNSAID = (
    "reason",
    "reasoning",
    "thought",
    "thoughts",
    "explanation",
    "description",
    "id",
    "step",
    "index",
    "comment",
)
_REFUSAL = re.compile(r"^\W{0,5}error\b", re.IGNORECASE)


class PlanReading(msgspec.Struct, frozen=True):
    """What a reply plans."""

    actions: list[list[str]] | None
    """Each a verb and its arguments, as written; None where the reply cannot be read."""
    refused: bool = False
    """It says that the request cannot be met: an empty plan, not a failure."""
    repairs: tuple[str, ...] = ()
    format_score: float = 0.0
    """How far the reply keeps to the demanded format, in [0, 1]: the reward of EmbodiedBrain's training."""
    error: str = ""
    """Why it cannot be read; "" where it can."""

    @property
    def repaired(self) -> bool:
        return bool(self.repairs)


def read_plan(reply: str) -> PlanReading:
    """Read a reply's plan. Never raises on any text, and never runs any of it.

    Of several filled `<actions>` blocks the last closed one counts. Verbs stay as written; only steps in
    prose are put into lists. Of a reply above 256 KB the last 64 KB are read. Linear in the reply.
    """
    text, taken = visible(reply)
    repairs = {name for name in taken if name == "truncated_input"}
    found: list[list[str]] | None
    try:
        found = _read(text, repairs)
    except Unreadable as error:
        found, problem = None, str(error) or "what stands for the plan is not a list of actions"
    else:
        problem = "" if found is not None else "no plan in the reply"
    refused = not found and _refuses(text)
    if refused:
        found, problem = [], ""
    if found is None:
        return PlanReading(None, format_score=format_score(text), error=problem)
    return PlanReading(
        found,
        refused,
        () if refused else tuple(name for name in REPAIRS if name in repairs),
        format_score(text),
    )


def _refuses(text: str) -> bool:
    response = _RESPONSE.search(text)
    said = response["text"] if response else text
    return bool(_REFUSAL.match(said)) or refuses(said)


def _read(text: str, repairs: set[str]) -> list[list[str]] | None:
    blocks = list(_blocks(text, repairs))
    if not blocks:
        return _untagged(text, repairs)
    filled = [block for block in blocks if not block.empty]
    if not filled:
        return []
    if len(filled) > 1:
        repairs.add("repeated_block")
    if blocks[0].empty:
        repairs.add("first_block_empty")
    closed = [block for block in filled if block.closed]
    chosen = (closed or filled)[-1]
    if not chosen.closed:
        repairs.add("unclosed_tag")
    return _content(chosen.text, repairs, whole=chosen.closed)


class _Block(msgspec.Struct):
    text: str
    closed: bool

    @property
    def empty(self) -> bool:
        return not self.text.strip("[](){} \t\r\n")


def _blocks(text: str, repairs: set[str]) -> Iterator[_Block]:
    opened: int | None = None
    for tag in _TAG.finditer(text):
        if tag[0] not in ("<actions>", "</actions>"):
            repairs.add("tag_case")
        if tag["empty"]:
            yield _Block("", True)
        elif tag["close"]:
            if opened is not None:
                yield _Block(text[opened : tag.start()], True)
            opened = None
        else:
            if opened is not None:
                yield _Block(text[opened : tag.start()], False)
            opened = tag.end()
    if opened is not None:
        yield _Block(text[opened:], False)


def _untagged(text: str, repairs: set[str]) -> list[list[str]] | None:
    """A plan without tags: the last list in the text, else steps in prose."""
    repairs.add("no_tag")
    if _is_empty(text):
        return []
    bodies = [match["text"] for match in _FENCE.finditer(text)] if "```" in text else []
    for body in reversed(bodies):
        found = _last_list(body, repairs)
        if found is not None:
            repairs.add("code_fence")
            return found
    found = _last_list(text, repairs)
    if found is not None:
        return found
    steps = read_steps(_in_plan_tags(text))
    if steps is not None:
        repairs.add("prose_steps")
    return steps


def _in_plan_tags(text: str) -> str:
    """What the first plan tags hold that are not too far apart, else all of the text. One pass over it."""
    openings: list[int] = []
    for tag in (*_PLANS.finditer(text), None):
        if tag is None or tag["closing"]:
            end = tag.start() if tag else len(text)
            for start in openings:
                if end - start <= _LONGEST_PLANS:
                    return text[start:end]
            openings.clear()
        else:
            openings.append(tag.end())
    return text


def _is_empty(text: str) -> bool:
    """Whether all that stands there is an empty list, or an object that holds one."""
    body = text.strip()
    if body[:1] not in ("[", "{") or len(body) > 200:
        return False
    try:
        return not _actions(read_literal(body, set()), set())
    except Unreadable:
        return False


def _last_list(text: str, repairs: set[str]) -> list[list[str]] | None:
    last: tuple[list[list[str]], set[str]] | None = None
    at, tries = 0, 0
    while tries < _MOST_LISTS and (match := _LIST.search(text, at)):
        tries += 1
        own: set[str] = set()
        at = match.end()
        try:
            found = _actions(read_literal(text[match.start() :], own, whole=False), own)
        except Unreadable:
            continue
        if found and all(action[0].strip() for action in found):
            last = _without_cut(found, own), own
            break
    if last is None:
        return None
    repairs |= last[1]
    return last[0]


def _content(text: str, repairs: set[str], *, whole: bool) -> list[list[str]]:
    """The actions of what stands in a block."""
    body = text.strip()
    fence = _FENCE.search(body) if "```" in body else None
    if fence:
        repairs.add("code_fence")
        body = fence["text"].strip()
    if body[:1] and body[0] not in "[({'\"":
        steps = read_steps(body)
        if steps is None:
            lines = [read_step(line) for line in body.splitlines() if line.strip()]
            steps = [action for line in lines for action in line] if all(lines) else None
        if steps:
            repairs.add("prose_steps")
            return steps
    return _without_cut(_actions(read_literal(body, repairs, whole=whole), repairs), repairs)


def _without_cut(actions: list[list[str]], repairs: set[str]) -> list[list[str]]:
    """Without the last action where the text ended inside one of its words."""
    if "cut" in repairs:
        repairs.discard("cut")
        return actions[:-1] if len(actions) > 1 else actions
    return actions


# ── from a literal to actions ────────────────────────────────────────────────────────────────────────


def _actions(value: Value, repairs: set[str]) -> list[list[str]]:
    match value:
        case Pairs():
            return _of_object(value, repairs)
        case Call():
            return [_call(value, repairs)]
        case None:
            return []
        case list():
            return _of_list(value, repairs)
        case str():
            found = read_step(value)
            if found:
                repairs.add("prose_steps")
                return found
    raise Unreadable


def _of_list(items: list[Value], repairs: set[str]) -> list[list[str]]:
    if not items:
        return []
    if len(items) == 1 and isinstance(items[0], list):
        inner = items[0]
        if inner and all(isinstance(item, list) for item in inner):
            repairs.add("unbalanced")
            return _of_list(inner, repairs)
    if isinstance(items[0], str):
        return _flat(items, repairs)
    return [_action(item, repairs) for item in items if item not in ([], None)]


def _flat(items: list[Value], repairs: set[str]) -> list[list[str]]:
    """Strings in a row: one action, several, or sentences."""
    words = [item for item in items if isinstance(item, str)]
    if len(words) == len(items) and not _is_verb(words[0]):
        steps = [read_step(word) for word in words]
        if all(steps):
            repairs.add("prose_steps")
            return [action for step in steps for action in step]
    repairs.add("flat_list")
    if len(items) <= 3:
        return [_plain(items, repairs)]
    found: list[list[Value]] = []
    for item in items:
        if isinstance(item, str) and _is_verb(item):
            found.append([item])
        elif found:
            found[-1].append(item)
        else:
            raise Unreadable("a list of words that does not begin with a verb")
    return [_plain(action, repairs) for action in found]


def _is_verb(word: str) -> bool:
    return word.replace("_", " ").strip().lower() in KNOWN


def _action(item: Value, repairs: set[str]) -> list[str]:
    match item:
        case Pairs():
            found = _of_object(item, repairs)
            if len(found) == 1:
                return found[0]
        case Call():
            return _call(item, repairs)
        case list():
            return _plain(item, repairs)
        case str():
            step = read_step(item)
            if len(step) == 1:
                repairs.add("prose_steps")
                return step[0]
    raise Unreadable


def _call(item: Call, repairs: set[str]) -> list[str]:
    if not _is_verb(item.name):
        raise Unreadable("a call of something that is no action")
    repairs.add("prose_steps")
    return _plain([item.name, *item.arguments], repairs)


def _plain(items: list[Value], repairs: set[str]) -> list[str]:
    """A verb and its arguments; null arguments are dropped, nested ones drawn out."""
    if not isinstance(items[0], str) or not items[0].strip():
        raise Unreadable("a verb is not a word")
    action = [items[0]]
    for item in items[1:]:
        if isinstance(item, str):
            action.append(item)
        elif item is None:
            repairs.add("null_argument")
        elif isinstance(item, (bool, Pairs, Call)):
            raise Unreadable("an argument is not a word")
        elif isinstance(item, list):
            if any(not isinstance(inner, str) for inner in item):
                raise Unreadable("an argument is not a word")
            action += [inner for inner in item if isinstance(inner, str)]
        else:
            action.append(f"{item:g}")
    return action


def _of_object(pairs: Pairs, repairs: set[str]) -> list[list[str]]:
    """An object that holds the plan, that is one action, or whose keys are the actions."""
    repairs.add("json_object")
    if not pairs.items:
        return []
    named = [(key.strip().lower() if isinstance(key, str) else "", value) for key, value in pairs.items]
    for key, value in named:
        if key in _HOLDERS and isinstance(value, list):
            return _actions(value, repairs)
    verbs = [value for key, value in named if key in _VERB_KEYS and isinstance(value, str)]
    if verbs:
        rest = [value for key, value in named if key not in (*_VERB_KEYS, *_UNSAID)]
        return [_plain([verbs[0], *_spread(rest)], repairs)]
    return [_plain([key, *_spread([value])], repairs) for key, value in pairs.items]


def _spread(values: list[Value]) -> Iterator[Value]:
    """Arguments, of which lists and objects hold further ones."""
    for value in values:
        if isinstance(value, Pairs):
            yield from _spread([inner for _, inner in value.items])
        elif isinstance(value, list):
            yield from _spread(value)
        else:
            yield value
