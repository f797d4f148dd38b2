"""Collecting findings and checking atoms against a domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from gumption.grounding._sexpr import Source
from gumption.grounding.pddl import Domain, Finding, FindingKind

__all__ = ["Checker", "Findings", "Scope"]

Scope: TypeAlias = Mapping[str, tuple[str, ...]]
"""The variables that stand for something, with their types."""


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
        found = sorted(self._found.items(), key=lambda pair: pair[1])
        places = self._source.positions(index for _, index in found)
        return tuple([Finding(*what, *place) for (what, _), place in zip(found, places, strict=True)])


class Checker:
    """Checks atoms: known predicate, number of arguments, declared objects, types.

    unclosed: what an atom with groups inside is called; None where parentheses were mended anyway.
    """

    def __init__(
        self,
        domain: Domain,
        objects: Mapping[str, str],
        findings: Findings,
        unclosed: FindingKind | None = "syntax",
    ) -> None:
        self._domain = domain
        self._objects = {**objects, **domain.constants}
        self.fault = findings
        self.unclosed: FindingKind | None = unclosed
        self._known = {"object", *domain.types}
        self._fitting: dict[str, list[frozenset[str]]] = {}
        """For each predicate and each of its places, the objects that may stand there."""
        self._fits_already: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}
        self._of_types: dict[tuple[str, ...], frozenset[str]] = {}

    def atom(self, atom: Sequence[str], index: int, scope: Scope) -> None:
        """Check one atom. index: of its opening parenthesis. scope: variables and their types."""
        name = atom[0]
        fitting = self._fitting.get(name)
        if fitting is None:
            declared = self._domain.predicates.get(name)
            if declared is None:
                self.fault("unknown_predicate", name, index + 1)
                self.names(atom[1:], index + 2, scope)
                return
            fitting = self._fitting[name] = [self.of_types(one.types) for one in declared]
        if len(fitting) != len(atom) - 1:
            self.fault("wrong_arity", name, index + 1)
            self.names(atom[1:], index + 2, scope)
            return
        for argument, objects in zip(atom[1:], fitting, strict=True):
            if argument not in objects:
                self._arguments(atom, index, scope)
                return

    def _arguments(self, atom: Sequence[str], index: int, scope: Scope) -> None:
        """Check the arguments of an atom one by one."""
        for number, parameter in enumerate(self._domain.predicates[atom[0]], 1):
            argument = atom[number]
            if argument in self.of_types(parameter.types):
                continue
            kinds = scope.get(argument)
            if kinds is None and argument in self._objects:
                kinds = (self._objects[argument],)
            if kinds is None:
                self.fault(_unknown(argument), argument, index + 1 + number)
            elif not self._fits(kinds, parameter.types):
                self.fault("wrong_type", argument, index + 1 + number)

    def of_types(self, types: tuple[str, ...]) -> frozenset[str]:
        """The objects that may stand where these types are asked for."""
        found = self._of_types.get(types)
        if found is None:
            found = frozenset(name for name, kind in self._objects.items() if self._fits((kind,), types))
            self._of_types[types] = found
        return found

    def _fits(self, kinds: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Types that are not declared were found where they stand, and are not found again here."""
        if wanted in (kinds, ("object",)):
            return True
        fits = self._fits_already.get((kinds, wanted))
        if fits is None:
            known = [kind for kind in kinds if kind in self._known or kind.startswith("either ")]
            fits = not known or any(self._domain.is_a(kind, wanted) for kind in known)
            self._fits_already[kinds, wanted] = fits
        return fits

    def names(self, names: Sequence[str], index: int, scope: Scope) -> None:
        """Check that names stand for objects or for variables of the scope. index: of the first."""
        for number, name in enumerate(names):
            if name not in scope and name not in self._objects:
                self.fault(_unknown(name), name, index + number)

    def types(self, names: Sequence[str], index: int) -> None:
        """Check that types are declared."""
        for name in names:
            if name not in self._known:
                self.fault("unknown_type", name, index)


def _unknown(name: str) -> FindingKind:
    return "variable" if name.startswith("?") else "undeclared_object"
