"""The results files of the ViPlan release as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from gumption.lines import read_whole
from gumption.records import GumptionError

__all__ = ["Answers", "Grounded", "Log", "Planned", "Replan", "read_log"]

MAX_BYTES = 256 * 2**20
"""Of a log, unpacked. The largest of the release has 6 MB."""
_TASKS = "data/planning/"
_T = TypeVar("_T")
Answers: TypeAlias = dict[str, tuple[str, str]]
"""An enumeration: atom, as in "on g,r", to the answer and the gold."""


class Action(msgspec.Struct):
    """One action that was tried. The results are null where it did not come to the questions."""

    action: str
    preconditions_results: dict[str, Any] | None = None
    effects_results: dict[str, Any] | None = None
    action_state_correct: bool = False


class Replan(msgspec.Struct):
    """Asking for everything again: some without a plan are logged without these, or empty."""

    step: int | None = None
    actions: list[str] | None = None
    enum_results: Answers = {}


class Enumeration(msgspec.Struct):
    """The first time that everything was asked."""

    results: Answers


class Grounded(msgspec.Struct):
    """A task of a grounder log; the three lists are null where no plan was found."""

    initial_state_enum: Enumeration | None = None
    goal_reached: bool = False
    action_results: list[Action] | None = None
    replans: list[Replan] | None = None
    remaining_actions: list[str] | None = None


class Attempt(msgspec.Struct):
    """What became of the first action of a plan."""

    success: bool = False


class Planned(msgspec.Struct):
    """A task of a planner log. Some attempts are logged twice, so actions may outnumber plans."""

    plans: list[Any]
    actions: list[Attempt]
    completed: bool


class _Metadata(msgspec.Struct):
    model_name: str | None = None
    model: str | None = None
    fail_probability: float | None = None


class Log(msgspec.Struct, frozen=True):
    """One model on one split."""

    path: Path
    domain: Literal["blocksworld", "household"]
    model: str
    split: str
    tasks: dict[str, Grounded] | dict[str, Planned]
    """By the path of the problem in the release, for Household with the scene behind it."""
    fail_probability: float
    logged: dict[str, float]
    """The figures that the log states."""


def read_log(path: Path) -> Log:
    """Read a results file, packed with gzip or not.

    The model is called as the log's metadata say without the maker's name, else as the file's folder.
    Raises GumptionError where it is none, naming the task that does not fit.
    """
    text = read_whole(path, MAX_BYTES, "give one results file")
    content = _decoded(text, dict[str, msgspec.Raw], str(path))
    about = {name: raw for name, raw in content.items() if not name.startswith(_TASKS)}
    names = [name for name in content if name.startswith(_TASKS)]
    if not names:
        raise GumptionError("no tasks in it", where=str(path), remedy="give a results file of ViPlan")
    metadata = _decoded(about.get("metadata", msgspec.Raw(b"{}")), _Metadata, f"{path}, metadata")
    model = str(metadata.model_name or metadata.model or path.resolve().parent.name)
    figures = dict(about)
    kind: type[Grounded] | type[Planned] = Grounded
    if "statistics" in about:
        kind = Planned
        figures |= _decoded(about["statistics"], dict[str, msgspec.Raw], f"{path}, statistics")
    tasks: Any = {name: _decoded(content[name], kind, f"{path}, {name}") for name in names}
    return Log(
        path=path,
        domain="household" if "/igibson/" in names[0] else "blocksworld",
        model=model.rpartition("/")[2],
        split=Path(names[0]).parent.name,
        tasks=tasks,
        fail_probability=metadata.fail_probability or 0.0,
        logged={name: value for name, raw in figures.items() if (value := _number(raw)) is not None},
    )


def _decoded(text: bytes | msgspec.Raw, kind: type[_T], where: str) -> _T:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"not a log of ViPlan: {error}", where=where, remedy="give a results file of its release"
        ) from error


def _number(raw: msgspec.Raw) -> float | None:
    try:
        return msgspec.json.decode(raw, type=float)
    except (msgspec.MsgspecError, RecursionError):
        return None
