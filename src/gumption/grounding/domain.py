"""Reading PDDL domains as people write them."""

from __future__ import annotations

from gumption.grounding._findings import Checker, Findings
from gumption.grounding._formula import misplaced, parameters, read_formula, typed
from gumption.grounding._sexpr import MAX_BYTES, Group, Source, TooDeepError, nest
from gumption.grounding.pddl import Action, And, Domain, MalformedPDDL, Parameter

__all__ = ["read_domain"]

_UNSUPPORTED = {
    ":derived": "derived predicates",
    ":durative-action": "durative actions",
    ":constraints": "constraints",
    ":process": "processes",
    ":event": "events",
}
_FIELDS = (":parameters", ":precondition", ":effect")
_TRUE = And(())


def read_domain(text: str) -> Domain:
    """Read a domain: typing, either, constants, equality, all conditions, conditional effects, costs.

    Absent requirements, an empty (:functions ), sections in any order and letters of any case are fine.
    Undeclared predicates and types are findings in `errors`. Derived predicates, numeric fluents other than
    the cost of a plan and durative actions are read and listed; validating and solving refuse them.
    Raises MalformedPDDL where there is no domain in the text, and for more than 4 MB.
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        raise MalformedPDDL("more than 4 MB", where="domain", remedy="shorten it")
    source = Source(text)
    first = _beginning(source.tokens)
    if first is None:
        raise MalformedPDDL(
            "no (define (domain ...", where="domain", remedy="give the text of a PDDL domain file"
        )
    try:
        root, unclosed, _ = nest(source.tokens, first, len(source.tokens))
    except TooDeepError as error:
        raise MalformedPDDL("nested too deep", where="domain", remedy="mend its parentheses") from error
    define: Group = root[0]
    if unclosed:
        ((line, column),) = source.positions([unclosed[-1].start])
        raise MalformedPDDL(
            f"{len(unclosed)} parentheses are not closed, the last of them this one",
            where=f"domain, line {line}, column {column}",
            remedy="close them",
        )
    return _Reader(source, define).read()


def _beginning(tokens: list[str]) -> int | None:
    """The index of the parenthesis before `define (domain`."""
    for index, word in enumerate(tokens):
        if word == "define" and tokens[max(index - 1, 0) : index + 3] == ["(", "define", "(", "domain"]:
            return index - 1
    return None


class _Reader:
    def __init__(self, source: Source, define: Group) -> None:
        self._findings = Findings(source)
        self._define = define
        self._rest = source.tokens[define.end + 1 : define.end + 3]
        self._sections: dict[str, Group] = {}
        self._actions: list[Group] = []
        self._other: list[Group] = []

    def read(self) -> Domain:
        fault = self._findings
        for index, section in self._define.placed(1):
            if not isinstance(section, Group):
                fault("syntax", section, index)
            elif section.head == ":action":
                self._actions.append(section)
            elif section.head in _UNSUPPORTED:
                self._other.append(section)
            elif section.head == "domain" or (section.head[:1] == ":" and section.head not in self._sections):
                self._sections[section.head] = section
            else:
                fault("syntax", section.head or "(", section.start)
        if self._rest and self._rest != ["(", "define"]:
            fault("syntax", self._rest[0], self._define.end + 1)
        functions = self._functions()
        domain = Domain(
            name=next((word for word in self._sections["domain"][1:] if isinstance(word, str)), ""),
            requirements=tuple(
                word for word in self._sections.get(":requirements", [])[1:] if isinstance(word, str)
            ),
            types=self._types(),
            constants=self._constants(),
            predicates=self._predicates(),
            functions=functions,
            actions={},
        )
        checker = Checker(domain, {}, fault, unclosed="unsupported")
        for name, section in self._sections.items():
            fault.section = name[1:]
            self._check_types(checker, name, domain, section)
        actions: dict[str, Action] = {}
        for group in self._actions:
            action = self._action(group, checker)
            if action.name in actions:
                fault("syntax", action.name, group.start)
            actions[action.name] = action
        derived = tuple(
            group[1].head
            for group in self._other
            if group.head == ":derived" and len(group) > 1 and isinstance(group[1], Group)
        )
        unsupported = dict.fromkeys(_UNSUPPORTED[group.head] for group in self._other)
        unsupported |= dict.fromkeys(fault.kinds("unsupported"))
        return Domain(
            domain.name,
            domain.requirements,
            domain.types,
            domain.constants,
            domain.predicates,
            functions,
            actions,
            derived,
            tuple(unsupported),
            fault.listed(),
        )

    def _types(self) -> dict[str, tuple[str, ...]]:
        self._findings.section = "types"
        found: dict[str, tuple[str, ...]] = {}
        for name, parents, _ in self._typed(":types"):
            found[name] = (*found.get(name, ()), *(one for one in parents if one != name))
        # A type that is only ever named as a parent is declared by that.
        for parents in list(found.values()):
            for parent in parents:
                found.setdefault(parent, ("object",) if parent != "object" else ())
        return found

    def _constants(self) -> dict[str, str]:
        self._findings.section = "constants"
        return {
            name: kinds[0] if len(kinds) == 1 else " ".join(("either", *kinds))
            for name, kinds, _ in self._typed(":constants")
        }

    def _typed(self, section: str) -> list[tuple[str, tuple[str, ...], int]]:
        group = self._sections.get(section)
        return [] if group is None else list(typed(group, 1, self._findings))

    def _predicates(self) -> dict[str, tuple[Parameter, ...]]:
        fault = self._findings
        fault.section = "predicates"
        found: dict[str, tuple[Parameter, ...]] = {}
        for item in self._sections.get(":predicates", [])[1:]:
            if not isinstance(item, Group) or not item.head:
                fault("syntax", str(item), getattr(item, "start", self._sections[":predicates"].start))
                continue
            if item.head in found:
                fault("syntax", item.head, item.start)
            found[item.head] = tuple([Parameter(name, kinds) for name, kinds, _ in typed(item, 1, fault)])
        return found

    def _functions(self) -> tuple[str, ...]:
        """Their names. Using one for anything but the cost of a plan is found where it is used."""
        return tuple(
            item.head for item in self._sections.get(":functions", [])[1:] if isinstance(item, Group)
        )

    def _check_types(self, checker: Checker, name: str, domain: Domain, section: Group) -> None:
        match name:
            case ":predicates":
                for one in domain.predicates.values():
                    for parameter in one:
                        checker.types(parameter.types, section.start)
            case ":constants":
                for kind in domain.constants.values():
                    kinds = kind.split()[1:] if kind.startswith("either ") else (kind,)
                    checker.types(kinds, section.start)

    def _action(self, group: Group, checker: Checker) -> Action:
        fault = self._findings
        name = group[1] if len(group) > 1 and isinstance(group[1], str) else ""
        fault.section = name
        if not name:
            fault("syntax", ":action", group.start)
        fields: dict[str, Group] = {}
        key = ""
        for index, item in group.placed(2):
            if isinstance(item, Group) and key in _FIELDS and key not in fields:
                fields[key] = item
            elif item not in _FIELDS:
                fault("syntax", item if isinstance(item, str) else item.head or "(", index)
            key = item if isinstance(item, str) else ""
        variables = parameters(fields[":parameters"], checker) if ":parameters" in fields else ()
        scope = {variable.name: variable.types for variable in variables}
        if len(scope) < len(variables):
            fault("syntax", ":parameters", group.start)
        precondition, effect = (
            read_formula(fields[key], fields[key].start, checker, scope) if key in fields else _TRUE
            for key in (":precondition", ":effect")
        )
        for feature in (*misplaced(precondition, effect=False), *misplaced(effect, effect=True)):
            fault("unsupported", feature, group.start)
        return Action(name, variables, precondition, effect)
