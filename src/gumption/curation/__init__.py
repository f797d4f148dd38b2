"""The Data Agent: from a pool of benchmarks to a compact, balanced suite, and what that suite still tells.

`curate` does all of it; `select`, `fit` and `certify` work on plain arrays. What asks models or looks at
pictures loads on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gumption.curation.certify import Certificate, certify

# Functions that are called like their modules: loaded now, or the modules would stand for them.
from gumption.curation.duplicates import duplicates, measured_threshold, near_duplicates
from gumption.curation.fit import Selection, fit
from gumption.curation.quotas import even, proportional, size_for_budget, size_for_gap, size_for_gap_known
from gumption.curation.select import select

if TYPE_CHECKING:
    from gumption.curation.agent import Curation, Roles, curate, offline_roles
    from gumption.curation.choice import Choice, choose
    from gumption.curation.dimensions import Assignment, Dimension, Dimensions, Example, example_of
    from gumption.curation.dossier import Dossier, read_dossier
    from gumption.curation.embedding import Embedded, embed
    from gumption.curation.induction import Induction, induce
    from gumption.curation.response_matrix import ResponseMatrix, matrix_of_runs, read_matrix
    from gumption.curation.rivals import Rivals, compare_methods

__all__ = [
    "Assignment",
    "Certificate",
    "Choice",
    "Curation",
    "Dimension",
    "Dimensions",
    "Dossier",
    "Embedded",
    "Example",
    "Induction",
    "ResponseMatrix",
    "Rivals",
    "Roles",
    "Selection",
    "certify",
    "choose",
    "compare_methods",
    "curate",
    "duplicates",
    "embed",
    "even",
    "example_of",
    "fit",
    "induce",
    "matrix_of_runs",
    "measured_threshold",
    "near_duplicates",
    "offline_roles",
    "proportional",
    "read_dossier",
    "read_matrix",
    "select",
    "size_for_budget",
    "size_for_gap",
    "size_for_gap_known",
]

_LATER = {
    "agent": ("Curation", "Roles", "curate", "offline_roles"),
    "choice": ("Choice", "choose"),
    "dimensions": ("Assignment", "Dimension", "Dimensions", "Example", "example_of"),
    "dossier": ("Dossier", "read_dossier"),
    "embedding": ("Embedded", "embed"),
    "induction": ("Induction", "induce"),
    "response_matrix": ("ResponseMatrix", "matrix_of_runs", "read_matrix"),
    "rivals": ("Rivals", "compare_methods"),
}
_MODULE = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _MODULE:
        return getattr(import_module(f"gumption.curation.{_MODULE[name]}"), name)
    raise AttributeError(f"module 'gumption.curation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
