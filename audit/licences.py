"""The licence of each dependency, from its own metadata, and whether it may be used as it is used here."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, packages_distributions
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

__all__ = ["RULES", "imported", "licences_of", "objections"]

RULES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("licences.toml").read_text())
_WORD = re.compile(r"[^\s()]+")


def licences_of(package: Distribution) -> tuple[str, ...]:
    """SPDX's names, from the first of these that names one: expression, classifiers, field, licence file."""
    classifiers = _field(package, "Classifier")
    sources: tuple[Iterable[str], ...] = (
        _field(package, "License-Expression"),
        [
            line.rpartition(" :: ")[2]
            for line in classifiers
            if line.startswith("License :: OSI Approved :: ")
        ],
        _field(package, "License"),
        _first_lines(package),
    )
    for source in sources:
        if found := tuple(name for text in source for name in _named(text)):
            return found
    return ()


def objections(package: Distribution) -> Iterator[str]:
    """Why the package may not be used, one sentence each; nothing where it may."""
    name, found = canonicalize_name(package.name), licences_of(package)
    if not found:
        said = "; ".join(_field(package, "License"))[:60] or "nothing"
        yield f"{name} names no licence that is known: it says {said}"
    strange = sorted(set(found) - set(RULES["allowed"]))
    known = RULES["others"].get(name)
    if strange and (known is None or strange != [known["licence"]]):
        yield f"{name} has the licence {' and '.join(strange)}, which is not among the allowed"


def imported(source: Path) -> dict[str, set[str]]:
    """Normalised names of the distributions that a folder of Python files imports, each with the files."""
    owners = packages_distributions()
    found: dict[str, set[str]] = {}
    for path in sorted(source.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for owner in (owner for name in names for owner in owners.get(name.partition(".")[0], ())):
                found.setdefault(canonicalize_name(owner), set()).add(path.relative_to(source).as_posix())
    return found


def _field(package: Distribution, name: str) -> list[str]:
    return package.metadata.get_all(name) or []


def _named(text: str) -> list[str]:
    """The licences of an expression, or the one that a text's first line is another word for."""
    words = [word for word in _WORD.findall(text) if word not in ("AND", "OR", "WITH")]
    known = {*RULES["allowed"], *(rule["licence"] for rule in RULES["others"].values())}
    if words and known.issuperset(words):
        return words
    first = " ".join(text.strip().split("\n", 1)[0].split()).lower()
    return [RULES["spelt"][first]] if first in RULES["spelt"] else []


def _first_lines(package: Distribution) -> Iterator[str]:
    for path in package.files or ():
        if path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")) and ".dist-info" in str(path):
            yield path.read_text().lstrip()
