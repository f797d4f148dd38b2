"""Reading PDDL problems as people and models write them: a ladder of repairs, and findings with their places.

The ladder: the text as it is; out of a code fence; out of the prose around it; comments of other languages;
commas; parentheses that do not match. Each rung that was needed is recorded. What is wrong with the content
(an undeclared object, an unknown predicate, a missing section) is a finding and costs nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from gumption.grounding._findings import Checker, Findings
from gumption.grounding._formula import joined, typed
from gumption.grounding._sexpr import MAX_BYTES, SECTIONS, Group, Source, TooDeepError, nest
from gumption.grounding.pddl import (
    And,
    Atom,
    Condition,
    Domain,
    Finding,
    Problem,
    ProblemReading,
    Repair,
)

__all__ = ["read_problem"]

_LADDER: tuple[Repair, ...] = ("fence", "prose", "comment", "commas", "parens")
_FENCE = re.compile(r"```[^\n`]*\n?")
_PROBLEM = re.compile(r"\(\s*define\s*\(\s*problem\b", re.IGNORECASE)
_SECTION = re.compile(r"\(\s*:(?:init|goal)\b", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_NOWHERE: dict[str, tuple[str, ...]] = {}


def read_problem(text: str, domain: Domain, repair: bool = True) -> ProblemReading:
    """Read a problem; whatever can be read is kept and what is wrong with it is reported.

    repair=False: `problem` is None unless the text needs no repair; findings are still allowed. More than
    4 MB is refused unread. Never raises on any text.
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        return ProblemReading(None, "unreadable", errors=(Finding("too_large", "", "", 1, 1),))
    try:
        found = _find(text)
    except TooDeepError:
        found = None
    if found is None:
        return ProblemReading(None, "unreadable")
    rungs = tuple(rung for rung in _LADDER if rung in found.rungs)
    findings = Findings(found.source)
    if found.repeated:
        findings("repeated_problem", "define", found.define.start)
    problem, notes = _Reader(found, domain, findings).read()
    return ProblemReading(
        problem if repair or not rungs else None,
        rungs[-1] if rungs else "none",
        rungs,
        findings.listed(),
        notes,
    )


# ── the ladder ───────────────────────────────────────────────────────────────────────────────────────


class _Found:
    """Where the problem stands in the text, and what it took to find it."""

    def __init__(self, source: Source, define: Group, rungs: set[Repair], *, repeated: bool) -> None:
        self.source = source
        self.define = define
        self.rungs = rungs
        self.repeated = repeated


def _find(text: str) -> _Found | None:
    """The problem in the text: of several the last that is complete. None where there is none."""
    rungs: set[Repair] = set()
    begin, end = 0, len(text)
    if "```" in text:
        fenced = [span for span in _fenced(text) if _PROBLEM.search(text, *span)]
        fenced = fenced or [span for span in _fenced(text) if _SECTION.search(text, *span)]
        if fenced:
            rungs.add("fence")
            begin, end = fenced[-1]
    source = Source(text, begin, end)
    tokens = source.tokens
    firsts = [
        index
        for index in range(len(tokens) - 3)
        if tokens[index + 1] == "define" and tokens[index] == "(" and tokens[index + 3] == "problem"
    ]
    if not firsts:
        return _without_define(source, rungs)
    best: tuple[int, Group, set[Repair]] | None = None
    for first, limit in reversed([*zip(firsts, [*firsts[1:], len(tokens)], strict=True)]):
        define, own = _define(tokens, first, limit)
        if best is None or "parens" not in own:
            best = (first, define, own)
        if "parens" not in own:
            break
    if best is None:
        return None
    first, define, own = best
    rungs |= own
    if first != firsts[0] or not source.only_comments(first):
        rungs.add("prose")
    rungs |= _oddities(source, define)
    repeated = len(firsts) > 1 or ("fence" in rungs and len(_PROBLEM.findall(text)) > 1)
    return _Found(source, define, rungs, repeated=repeated)


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    """Where the insides of code fences begin and end; the last may be unclosed."""
    opened = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark.end()
        else:
            yield opened, mark.start()
            opened = None
    if opened is not None:
        yield opened, len(text)


def _oddities(source: Source, define: Group) -> set[Repair]:
    """Foreign comments and commas in the sections; what stands loose between them does not matter."""
    comment, comma = source.oddities([item for item in define if isinstance(item, Group)])
    found: set[Repair] = set()
    if comment:
        found.add("comment")
    if comma:
        found.add("commas")
    return found


def _define(tokens: list[str], first: int, limit: int) -> tuple[Group, set[Repair]]:
    """The group that begins at a token, and the repairs it needed."""
    root, unclosed, _ = nest(tokens, first, limit)
    define: Group = root[0]
    if not unclosed:
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
    while define in unclosed and isinstance(define[-1], str):  # the text went on behind the problem
        define.pop()
        rungs.add("prose")
    return define, rungs


def _without_define(source: Source, rungs: set[Repair]) -> _Found | None:
    """Sections that stand by themselves."""
    tokens = source.tokens
    first = next((i for i in range(len(tokens) - 1) if tokens[i] == "(" and tokens[i + 1] in SECTIONS), None)
    if first is None:
        return None
    root, _, _ = nest(tokens, first, len(tokens), whole=True, level=0)
    if not any(isinstance(group, Group) and group.head in (":init", ":goal") for group in root):
        return None
    return _Found(source, root, {*rungs, "parens", *_oddities(source, root)}, repeated=False)


# ── the content ──────────────────────────────────────────────────────────────────────────────────────


class _Reader:
    """Takes the sections apart. Whatever stands in them and can be understood is kept."""

    def __init__(self, found: _Found, domain: Domain, findings: Findings) -> None:
        self._define = found.define
        self._mended = "parens" in found.rungs
        self._domain = domain
        self._fault = findings
        self._name = self._domain_name = ""
        self._objects: dict[str, str] = {}
        self._sections: dict[str, list[Group]] = {}
        self._init: set[Atom] = set()
        self._denied: set[Atom] = set()
        self._unsupported: dict[str, None] = {}

    def read(self) -> tuple[Problem, tuple[str, ...]]:
        self._sort()
        self._read_objects()
        checker = Checker(self._domain, self._objects, self._fault)
        self._fault.section = "init"
        for section in self._sections.get(":init", ()):
            self._read_init(section, 1, checker)
        goal = self._read_goal(checker)
        problem = Problem(
            self._name,
            self._domain_name,
            self._objects,
            frozenset(self._init),
            goal,
            tuple(self._unsupported),
        )
        return problem, tuple(self._notes(problem))

    def _sort(self) -> None:
        """Find the sections, in whatever order; what stands between them is loose."""
        fault = self._fault
        define = self._define
        loose = False
        last: Group | None = None
        for number, item in enumerate(define):
            if isinstance(item, str):
                if not loose and not (number == 0 and item == "define"):
                    fault("syntax", item, define.index_of(number))
                    loose = True
                continue
            loose = False
            head = item.head
            if head == "problem":
                self._name = " ".join(word for word in item[1:] if isinstance(word, str))
            elif head in SECTIONS:
                if head in self._sections and head in (":objects", ":init", ":goal"):
                    fault.section = head[1:]
                    fault("syntax", head, item.start)
                    fault.section = ""
                self._sections.setdefault(head, []).append(item)
                last = item
            elif self._mended and last is not None and last.head in (":init", ":goal") and head[:1] != ":":
                last.append(item)  # cut off by a parenthesis too many
            else:
                fault("syntax", head or "(", item.start)
        for name in (":domain", ":objects", ":init", ":goal"):
            if name not in self._sections:
                fault.section = name[1:]
                fault("missing_section", name, define.start)
        if ":constraints" in self._sections:
            self._unsupported["constraints"] = None
            fault("unsupported", "constraints", self._sections[":constraints"][0].start)
        fault.section = "domain"
        for section in self._sections.get(":domain", ()):
            self._domain_name = " ".join(word for word in section[1:] if isinstance(word, str))
            if self._domain_name != self._domain.name:
                fault("syntax", self._domain_name, section.start)

    def _read_objects(self) -> None:
        fault = self._fault
        fault.section = "objects"
        known = {"object", *self._domain.types}
        for section in self._sections.get(":objects", ()):
            for name, kinds, index in typed(section, 1, fault):
                for kind in kinds:
                    if kind not in known:
                        fault("unknown_type", kind, index)
                if name[0] == "?":
                    fault("variable", name, index)
                if name in self._objects:
                    fault("syntax", name, index)
                kind = kinds[0] if len(kinds) == 1 else " ".join(("either", *kinds))
                self._objects.setdefault(name, kind)

    def _read_init(self, section: Group, first: int, checker: Checker) -> None:
        fault = self._fault
        for number, item in enumerate(section[first:], first):
            if isinstance(item, str):
                fault("syntax", item, section.index_of(number))
                continue
            if not item:
                fault("syntax", "(", item.start)
                continue
            match item[0]:
                case "and":
                    fault("syntax", "and", item.start)
                    self._read_init(item, 1, checker)
                case "not" if len(item) == 2 and isinstance(item[1], Group) and _is_flat(item[1]):
                    checker.atom(item[1], item[1].start, _NOWHERE)
                    self._denied.add(tuple(item[1]))
                case "=":
                    self._read_value(item)
                case "at" if len(item) == 3 and isinstance(item[1], str) and _NUMBER.fullmatch(item[1]):
                    self._refuse("timed literals", item)
                case "not" | "or" | "forall" | "exists" | "imply" | "when":
                    fault("syntax", item[0], item.start)
                case _:
                    self._read_atom(item, checker)

    def _read_atom(self, item: Group, checker: Checker) -> None:
        if _is_flat(item):
            checker.atom(item, item.start, _NOWHERE)
            self._init.add(tuple(item))
            return
        # Atoms inside an atom that was not closed, or a pair of parentheses too many: each is kept.
        if not self._mended:
            self._fault("syntax", item.head or "(", item.start)
        first = next(number for number, part in enumerate(item) if isinstance(part, Group))
        if first:
            checker.atom(item[:first], item.start, _NOWHERE)
            self._init.add(tuple(item[:first]))
        self._read_init(item, first, checker)

    def _read_value(self, item: Group) -> None:
        """A number that a function starts with: that of a cost is of no matter to a plan's validity."""
        function = item[1] if len(item) == 3 and isinstance(item[1], Group) else None
        if function is None:
            self._fault("syntax", "=", item.start)
        elif function.head != "total-cost" and function.head not in self._domain.functions:
            self._fault("unknown_predicate", function.head, function.start)

    def _refuse(self, feature: str, item: Group) -> None:
        self._unsupported[feature] = None
        self._fault("unsupported", feature, item.start)

    def _read_goal(self, checker: Checker) -> Condition:
        self._fault.section = "goal"
        sections = self._sections.get(":goal", [])
        parts: list[Condition] = []
        for section in sections:
            if len(section) != 2 and not self._mended:
                self._fault("syntax", ":goal", section.start)
            before = len(self._fault.kinds("unsupported"))
            parts.append(joined(section, 1, checker, _NOWHERE))
            self._unsupported |= dict.fromkeys(self._fault.kinds("unsupported")[before:])
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _notes(self, problem: Problem) -> Iterator[str]:
        for atom in sorted(self._init & self._denied):
            yield f"contradiction: ({' '.join(atom)}) and its negation in init"
        literals = problem.goal_literals
        if literals and all((atom in problem.init) == positive for positive, atom in literals):
            yield "the goal already holds"


def _is_flat(group: Group) -> bool:
    return bool(group) and not any(isinstance(item, Group) for item in group)
