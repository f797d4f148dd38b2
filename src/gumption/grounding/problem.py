"""Reading PDDL problems as people and models write them: a ladder of repairs, and findings with their places.

The ladder: the text as it is; out of a code fence; out of the prose around it; comments of other languages;
commas; parentheses that do not match. Each rung that was needed is recorded. What is wrong with the content
(an undeclared object, an unknown predicate, a missing section) is a finding and costs nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gumption.grounding._compile import Compiler
from gumption.grounding._findings import Checker, Findings
from gumption.grounding._formula import joined, misplaced, typed
from gumption.grounding._ladder import Found, find_problem
from gumption.grounding._sexpr import MAX_BYTES, SECTIONS, Group, TooDeepError
from gumption.grounding.pddl import (
    And,
    Atom,
    Condition,
    Domain,
    Finding,
    Problem,
    ProblemReading,
    Repair,
    UnsupportedPDDL,
)

__all__ = ["read_problem"]

_LADDER: tuple[Repair, ...] = ("fence", "prose", "comment", "commas", "parens")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_NO_ATOM = frozenset({"and", "not", "=", "at", "or", "forall", "exists", "imply", "when"})
"""What may begin a list in init that is no atom."""
_NOWHERE: dict[str, tuple[str, ...]] = {}


def read_problem(text: str, domain: Domain, repair: bool = True) -> ProblemReading:
    """Read a problem; whatever can be read is kept and what is wrong with it is reported.

    repair=False: `problem` is None unless the text needs no repair; findings are still allowed. More than
    4 MB is refused unread. Never raises on any text.
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        return ProblemReading(None, "unreadable", errors=(Finding("too_large", "", "", 1, 1),))
    try:
        found = find_problem(text)
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


class _Reader:
    """Takes the sections apart. Whatever stands in them and can be understood is kept."""

    def __init__(self, found: Found, domain: Domain, findings: Findings) -> None:
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
        checker = Checker(
            self._domain, self._objects, self._fault, unclosed=None if self._mended else "syntax"
        )
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
        for index, item in define.placed():
            if isinstance(item, str):
                if not loose and index > define.start + 1:
                    fault("syntax", item, index)
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
        beginning = define.start if define.head == "define" else define.start + 1
        for name in (":domain", ":objects", ":init", ":goal"):
            if name not in self._sections:
                fault.section = name[1:]
                fault("missing_section", name, beginning)
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
                if name in self._objects or name in self._domain.constants:
                    fault("syntax", name, index)
                kind = kinds[0] if len(kinds) == 1 else " ".join(("either", *kinds))
                self._objects.setdefault(name, kind)

    def _read_init(self, section: Group, first: int, checker: Checker) -> None:
        fault = self._fault
        for index, item in section.placed(first):
            if isinstance(item, str):
                fault("syntax", item, index)
            elif item and item.flat and item[0] not in _NO_ATOM:
                atom = tuple(item)
                if atom not in self._init:
                    checker.atom(atom, index, _NOWHERE)
                    self._init.add(atom)
            else:
                self._read_other(item, checker)

    def _read_other(self, item: Group, checker: Checker) -> None:
        """What stands in init and is no plain atom."""
        match item:
            case ["and", *_]:
                self._fault("syntax", "and", item.start)
                self._read_init(item, 1, checker)
            case ["not", Group() as denied] if denied and denied.flat:
                checker.atom(denied, denied.start, _NOWHERE)
                self._denied.add(tuple(denied))
            case ["=", *_]:
                self._read_value(item)
            case ["at", str(time), Group()] if _NUMBER.fullmatch(time):
                self._refuse("timed literals", item)
            case ["at", *_] if item.flat:
                checker.atom(item, item.start, _NOWHERE)
                self._init.add(tuple(item))
            case []:
                self._fault("syntax", "(", item.start)
            case [str(head), *_] if head in _NO_ATOM and head != "at":
                self._fault("syntax", head, item.start)
            case _:
                self._read_unclosed(item, checker)

    def _read_unclosed(self, item: Group, checker: Checker) -> None:
        """Atoms inside an atom that was not closed, or a pair of parentheses too many: each is kept."""
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
            features = list(misplaced(parts[-1], effect=False))
            if not features:
                try:
                    Compiler(lambda types: sorted(checker.of_types(types)), 0).test(parts[-1], {})
                except UnsupportedPDDL as error:
                    features.append(error.problem)
            for feature in features:
                self._fault("unsupported", feature, section.start)
            self._unsupported |= dict.fromkeys(self._fault.kinds("unsupported")[before:])
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _notes(self, problem: Problem) -> Iterator[str]:
        for atom in sorted(self._init & self._denied):
            yield f"contradiction: ({' '.join(atom)}) and its negation in init"
        literals = problem.goal_literals
        if literals and all((atom in problem.init) == positive for positive, atom in literals):
            yield "the goal already holds"
