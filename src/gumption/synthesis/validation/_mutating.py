# Runs inside the sandbox in place of a pipeline: copies of its code are run on the replies that were kept.
# A job is ["keep", tries, rows], ["cover", code, folder] or ["mutant", code]; see mutants.py.

from typing import Any

_KEPT: dict[str, Any] = {}
_SECONDS = 2.0
"""Of computing for one copy: an edit may have made an endless loop."""


class _TooLong(BaseException):
    pass


def _ring(*_: object) -> None:
    raise _TooLong


def _space(code: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "pipeline"}
    exec(compile(code, "pipeline.py", "exec", dont_inherit=True), space)  # noqa: S102 -- in the sandbox
    return space


def _outcome(score: Any, row: Any, reply: str) -> tuple[Any, Any]:
    import copy

    try:
        found = score(copy.deepcopy(row), reply)
        return found["score"], found["outcome"]
    except Exception as error:
        return "raised", type(error).__name__


def _met(outcome: tuple[Any, Any], worth: Any, read: str) -> bool:
    score, told = outcome
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        return False
    if worth is not None and abs(score - worth) > 1e-6:
        return False
    return read == "any" or (told == "answered") is (read == "answered")


def _mutant(code: str) -> str:
    """caught, survived (a score is another, and no check minds) or unseen (no score is another)."""
    import signal

    signal.signal(signal.SIGVTALRM, _ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    changed = False
    try:
        score = _space(code)["score"]
        for (row, made), before in zip(_KEPT["tries"], _KEPT["before"], strict=True):
            for (reply, worth, read), usual in zip(made, before, strict=True):
                outcome = _outcome(score, row, reply)
                if not _met(outcome, worth, read):
                    return "caught"
                changed = changed or outcome[0] != usual[0]
    except _TooLong:
        return "caught"
    except Exception:
        return "caught"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return "survived" if changed else "unseen"


def _cover(code: str, folder: str) -> list[int]:
    """Numbers of the marks that were reached by loading, building and scoring."""
    reached: set[int] = set()
    space = _space(code)
    space["_gumption_reached"] = reached.add
    for row in space["load"](folder):
        space["build"](row)
    for row, made in _KEPT["tries"]:
        for reply, _, _ in made:
            _outcome(space["score"], row, reply)
    return sorted(reached)


def main(job: list[Any]) -> Any:
    if job[0] == "keep":
        _KEPT["tries"] = job[2]
        score = _space(job[1])["score"]
        _KEPT["before"] = [[_outcome(score, row, reply) for reply, _, _ in made] for row, made in job[2]]
        return len(job[2])
    if job[0] == "cover":
        return _cover(job[1], job[2])
    return _mutant(job[1])
