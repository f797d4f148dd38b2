"""Finding the problem in a text, with the repairs that it takes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, pairwise

from gumption.grounding._sexpr import SECTIONS, Group, Source, blanked, nest
from gumption.grounding.pddl import Repair

__all__ = ["Found", "find_problem"]

_FENCE = re.compile(r"(?:`{3,}|~{3,})[^\n`~(]*\n?")
_ESCAPED = re.compile(r"\\+[nrt]")
_PROBLEM = re.compile(r"\(\s*define\s*\(\s*problem(?![^\s(),;])", re.IGNORECASE)


class Found:
    """Where the problem stands in the text, and what it took to find it."""

    def __init__(self, source: Source, define: Group, rungs: set[Repair], *, repeated: bool) -> None:
        self.source = source
        self.define = define
        self.rungs = rungs
        self.repeated = repeated


def find_problem(text: str) -> Found | None:
    """The problem in the text: of several the last that is complete. None where there is none."""
    found = _find(text)
    if "\\n" in text and (found is None or any("\\n" in word for word in found.source.tokens)):
        # The text stands in JSON, or in the string of a program, and its line breaks are escaped.
        unescaped = _find(_ESCAPED.sub(lambda match: f"{' ' * (len(match[0]) - 1)}\n", text))
        if unescaped is not None:
            unescaped.rungs.add("prose")
            return unescaped
    return found


def _find(text: str) -> Found | None:
    if "```" not in text and "~~~" not in text:
        return _within(text, (0, len(text)), set())
    edges = [0, *chain.from_iterable(mark.span() for mark in _FENCE.finditer(text)), len(text)]
    pieces = list(pairwise(edges))[::2]  # outside of fences and inside by turns
    holding = [piece for piece in (*pieces[::2], *pieces[1::2]) if _PROBLEM.search(text, *piece)]
    found = _within(text, holding[-1], {"fence"}) if holding else None
    if found is None or "parens" in found.rungs:
        # Each section in a fence of its own, or a mark inside the problem, in a comment.
        across = _within(_FENCE.sub(blanked, text), (0, len(text)), {"fence"})
        if found is None or (across is not None and "parens" not in across.rungs):
            found = across
    if found is not None:
        found.repeated = len(_PROBLEM.findall(text)) > 1
    return found


def _within(text: str, span: tuple[int, int], rungs: set[Repair]) -> Found | None:
    """The problem in a part of the text."""
    source = Source(text, *span)
    problems = _problems(source.tokens)
    if not problems and (last := deque(_PROBLEM.finditer(text, *span), 1)):
        # The sign of a comment stands before it on its line: `Here it is; (define ...`.
        source = Source(text, last[0].start(), span[1])
        problems = _problems(source.tokens)
        rungs = {*rungs, "prose"}
    if not problems:
        return _without_define(source, rungs)
    for first, limit in reversed(problems):
        define, own = _define(source.tokens, first, limit)
        if "parens" not in own:
            break
    else:
        first, limit = problems[-1]
        define, own = _define(source.tokens, first, limit)
    if first > 0 or limit < len(source.tokens):
        own.add("prose")
    return Found(source, define, rungs | own | _oddities(source, define, own), repeated=len(problems) > 1)


def _problems(tokens: list[str]) -> list[tuple[int, int]]:
    """Where each `(define (problem` begins, and where the next `(define` does."""
    defines = [at - 1 for at in _places(tokens, "define") if at > 0 and tokens[at - 1] == "("]
    return [
        (first, limit)
        for first, limit in pairwise((*defines, len(tokens)))
        if tokens[first + 2 : first + 4] == ["(", "problem"]
    ]


def _places(tokens: list[str], word: str) -> Iterator[int]:
    """Where the word stands among the tokens."""
    at = -1
    with suppress(ValueError):
        while True:
            at = tokens.index(word, at + 1)
            yield at


def _oddities(source: Source, define: Group, rungs: set[Repair]) -> set[Repair]:
    """Foreign comments and commas. Where there is prose they may belong to that, and only those inside the
    sections count."""
    parts: list[tuple[int, int]] = [(-1, len(source.tokens))]
    if "prose" in rungs or any(isinstance(item, str) for item in define[1:]):
        parts = [(item.start, item.end) for item in define if isinstance(item, Group)]
    comment, comma = source.oddities(parts)
    found: set[Repair] = {"comment"} if comment else set()
    return found | {"commas"} if comma else found


def _define(tokens: list[str], first: int, limit: int) -> tuple[Group, set[Repair]]:
    """The group that begins at a token, and the repairs it needed."""
    root, unclosed, astray = nest(tokens, first, limit)
    define: Group = root[0]
    if not unclosed and not astray:
        rest = tokens[define.end + 1 : limit]
        if not rest:
            return define, set()
        if not any(one == "(" and two in SECTIONS for one, two in pairwise(rest)):
            return define, {"parens"} if set(rest) == {")"} else {"prose"}
    root, unclosed, _ = nest(tokens, first, limit, whole=True)
    define, *others = root
    rungs: set[Repair] = {"parens"}
    for other in others:
        if isinstance(other, Group):  # cut off by a parenthesis too many
            define.append(other)
        else:
            rungs.add("prose")
    if any(group is define for group in unclosed):
        while isinstance(define[-1], str):  # the text went on behind the problem
            define.pop()
            rungs.add("prose")
    return define, rungs


def _without_define(source: Source, rungs: set[Repair]) -> Found | None:
    """Sections that stand by themselves."""
    tokens = source.tokens
    first = next((i for i in range(len(tokens) - 1) if tokens[i] == "(" and tokens[i + 1] in SECTIONS), None)
    if first is None:
        return None
    root, _, _ = nest(tokens, first, len(tokens), whole=True, level=0)
    sections = [item for item in root if isinstance(item, Group) and item.head in SECTIONS]
    if not any(section.head in (":init", ":goal") for section in sections):
        return None
    own: set[Repair] = {"parens"}
    if first > 0 or len(sections) < len(root):
        own.add("prose")
    root.start = sections[0].start - 1
    root[:] = sections
    return Found(source, root, rungs | own | _oddities(source, root, own), repeated=False)
