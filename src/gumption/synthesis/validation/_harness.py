# Appended to a pipeline and its driver when it is validated: runs in the sandbox, where `main` is defined.
# Nothing here is trusted: what comes back is checked outside.

from collections.abc import Callable
from typing import Any

main: Callable[[Any], Any]
_one: Callable[[Any], Any] = main  # noqa: F821 -- the driver's, which this file is appended to


def _called(job: list[Any]) -> list[Any]:
    """["ok", result] or ["raised", the end of the traceback]."""
    import json
    import traceback

    try:
        result = _one(job)
        json.dumps(result, allow_nan=False)
    except Exception as error:
        return ["raised", "".join(traceback.format_exception(error)[-4:])[-1200:]]
    if job[0] == "score" and isinstance(result, dict) and isinstance(result.get("value"), str):
        result = {**result, "value": result["value"][:300]}  # a whole reply read as text says nothing more
    return ["ok", result]


def _watched(job: list[Any], kept: Any) -> list[Any]:
    """A call with whether it left its row as it was; the row is put back."""
    import copy

    found = _called(job)
    same = job[1] == kept
    if not same:
        job[1] = copy.deepcopy(kept)
    return [*found, same]


def _few(folder: str, ids: list[str], replies: list[str], backwards: bool) -> list[Any]:
    """Loads, builds and scores some items, in one order or the other: the results by item and reply."""
    import copy

    found = _called(["load", folder])
    if found[0] != "ok" or not isinstance(found[1], list):
        return [found, {}, {}]
    rows = [copy.deepcopy(row) for row in found[1] if isinstance(row, dict)]
    chosen = [row for row in rows if str(row.get("id")) in ids] if ids else rows[:5]
    jobs = [(row, reply) for row in chosen for reply in [None, *replies]]
    built: dict[str, Any] = {}
    scored: dict[str, Any] = {}
    for row, reply in reversed(jobs) if backwards else jobs:
        if reply is None:
            built[str(row.get("id"))] = _called(["build", row])
        else:
            scored[f"{row.get('id')}\n{reply}"] = _called(["score", row, reply])
    return [found, built, scored]


def _scored(row: Any, replies: list[str]) -> list[Any]:
    """Each reply's result, whether the row stayed as it was, and whether a second time gave the same."""
    import copy

    kept = copy.deepcopy(row)
    job = ["score", row, ""]
    first = []
    for reply in replies:
        job[2] = reply
        first.append(_watched(job, kept))
    again = []
    for reply in reversed(replies):
        job[2] = reply
        again.append(_watched(job, kept)[:2])
    return [[*one, one[:2] == other] for one, other in zip(first, reversed(again), strict=True)]


def _checked(job: list[Any]) -> Any:
    import copy

    verb = job[0]
    if verb == "few":
        return _few(*job[1:])
    if verb == "build":
        return [_watched(["build", row], copy.deepcopy(row)) for row in job[1]]
    return _scored(job[1], job[2])


main = _checked
