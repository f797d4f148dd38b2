"""Collecting findings and checking atoms against a domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gumption.grounding._sexpr import Source
from gumption.grounding.pddl import Domain, Finding, FindingKind

__all__ = ["Checker", "Findings"]


class Findings:
    """What was found, once for each symbol and section, with the place where it was found first."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: dict[tuple[FindingKind, str, str], int] = {}
        self.section = ""

    def __call__(self, kind: FindingKind, symbol: str, index: int) -> None:
        self._found.setdefault((kind, self.section, symbol), index)

    def kinds(self, kind: FindingKind) -> tuple[str, ...]:
        """The symbols found with that kind."""
        return tuple(symbol for one, _, symbol in self._found if one == kind)

    def listed(self) -> tuple[Finding, ...]:
        """All of them in the order of the text."""
        return tuple(
            Finding(kind, section, symbol, *self._source.position(index))
            for (kind, section, symbol), index in sorted(self._found.items(), key=lambda pair: pair[1])
        )


class Checker:
    """Checks atoms: known predicate, number of arguments, declared objects, types."""

    def __init__(self, domain: Domain, objects: Mapping[str, str], findings: Findings) -> None:
        self._domain = domain
        self._objects = {**domain.constants, **objects}
        self.fault = findings
        self._known = {"object", *domain.types}

    def atom(self, atom: Sequence[str], index: int, scope: Mapping[str, tuple[str, ...]]) -> None:
        """Check one atom. index: of its opening parenthesis. scope: variables and their types."""
        fault = self.fault
        name = atom[0]
        declared = self._domain.predicates.get(name)
        if declared is None:
            fault("unknown_predicate", name, index + 1)
        elif len(declared) != len(atom) - 1:
            fault("wrong_arity", name, index + 1)
            declared = None
        objects = self._objects
        for number, argument in enumerate(atom[1:]):
            kind = objects.get(argument)
            if kind is None:
                if argument not in scope:
                    self.names((argument,), index + 2 + number, scope)
                    continue
                kinds = scope[argument]
            else:
                kinds = (kind,)
            if declared is not None:
                wanted = declared[number].types
                if wanted not in (kinds, ("object",)) and not self._fits(kinds, wanted):
                    fault("wrong_type", argument, index + 2 + number)

    def _fits(self, kinds: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Types that are not declared were found where they stand, and are not found again here."""
        known = [kind for kind in kinds if kind in self._known or kind.startswith("either ")]
        return not known or any(self._domain.is_a(kind, wanted) for kind in known)

    def names(self, names: Sequence[str], index: int, scope: Mapping[str, tuple[str, ...]]) -> None:
        """Check that names stand for objects or for variables of the scope. index: of the first."""
        for number, name in enumerate(names):
            if name not in scope and name not in self._objects:
                wrong: FindingKind = "variable" if name.startswith("?") else "undeclared_object"
                self.fault(wrong, name, index + number)

    def types(self, names: Sequence[str], index: int) -> None:
        """Check that types are declared."""
        for name in names:
            if name not in self._known:
                self.fault("unknown_type", name, index)
