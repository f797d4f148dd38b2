"""PDDL text out of domains and problems. Reading it again gives the same content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gumption.grounding.pddl import Domain, Parameter, Problem, UnsupportedPDDL
from gumption.grounding.states import written

__all__ = ["write_domain", "write_problem"]


def write_domain(domain: Domain) -> str:
    """A domain as PDDL, its sections in the order that other programs ask for.

    What an action costs is not kept by reading and so is not written. Raises UnsupportedPDDL for domains
    with derived predicates, numeric fluents or durative actions, of which not all is kept.
    """
    domain.raise_unsupported()
    lines = [f"(define (domain {domain.name})"]
    lines += _section(":requirements", [" ".join(domain.requirements)] if domain.requirements else [])
    lines += _section(":types", _types(domain.types))
    lines += _section(":constants", _objects(domain.constants))
    lines += _section(":predicates", (_head(*pair) for pair in domain.predicates.items()))
    lines += _section(":functions", (f"({name})" for name in domain.functions))
    for action in domain.actions.values():
        lines += (
            f"  (:action {action.name}",
            f"    :parameters ({_parameters(action.parameters)})",
            f"    :precondition {written(action.precondition)}",
            f"    :effect {written(action.effect)})",
        )
    return "\n".join([*lines, ")", ""])


def write_problem(problem: Problem, domain: Domain) -> str:
    """A problem as PDDL, atoms and objects as they stand, whether or not they are declared.

    Objects keep their order; atoms are sorted. Where the problem has no name, for itself or for the domain,
    it gets the domain's. Raises UnsupportedPDDL for features of which not all is kept.
    """
    if problem.unsupported:
        raise UnsupportedPDDL(
            f"not supported: {', '.join(problem.unsupported)}",
            where=f"problem {problem.name}",
            remedy="leave them out",
        )
    lines = [
        f"(define (problem {problem.name or domain.name})",
        f"  (:domain {problem.domain_name or domain.name})",
    ]
    lines += _section(":objects", _objects(problem.objects), empty=True)
    lines += _section(":init", (f"({' '.join(atom)})" for atom in sorted(problem.init)), empty=True)
    lines += [f"  (:goal {written(problem.goal)})", ")", ""]
    return "\n".join(lines)


def _section(name: str, items: Iterable[str], *, empty: bool = False) -> Iterator[str]:
    """One item a line; nothing at all where there are none, unless an empty section is asked for."""
    listed = list(items)
    if listed or empty:
        yield "\n".join([f"  ({name}", *(f"    {item}" for item in listed)]) + ")"


def _types(types: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """`object` is only written where nothing else declares it."""
    parents = {parent for above in types.values() for parent in above}
    for name, above in types.items():
        if name != "object" or above or "object" not in parents:
            yield f"{name} - {_kinds(above or (name,))}"


def _objects(objects: dict[str, str]) -> Iterator[str]:
    for name, kind in objects.items():
        yield f"{name} - {f'({kind})' if kind.startswith('either ') else kind}"


def _head(name: str, parameters: Iterable[Parameter]) -> str:
    return f"({' '.join([name, *filter(None, [_parameters(parameters)])])})"


def _parameters(parameters: Iterable[Parameter]) -> str:
    return " ".join(f"{one.name} - {_kinds(one.types)}" for one in parameters)


def _kinds(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"
