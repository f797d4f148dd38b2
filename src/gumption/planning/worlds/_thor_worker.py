"""The process that AI2-THOR's controller runs in: a request a line in, an answer a line out.

On its own because a controller can hang for good: opening the pipe of a dead Unity process never returns, and
what `Controller.step` does after a crash loses the episode. Whoever started this process ends it, with all
that it started. `ai2thor` is imported here and nowhere else.
"""

from __future__ import annotations

import base64
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import IO, Any

import msgspec

from gumption.planning.worlds.scenes import SceneObject

__all__ = ["serve"]

_USAGE = ("InvalidAction", "MissingArguments", "AmbiguousAction", "InvalidArgument")
"""Error codes of a request that this build does not understand: `Controller.step` raises ValueError."""
_LOOK_S = 0.5
_FIELDS = [one.encode_name for one in msgspec.structs.fields(SceneObject)]


def serve(start: Callable[[Mapping[str, Any]], Any]) -> None:
    """Answer requests until the input ends.

    start: makes a controller from the options of the first request. What it and its children print goes to
    standard error.
    """
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    threading.Thread(target=_watch, args=(answers,), daemon=True).start()
    controller: Any = None
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line)
        try:
            if controller is None:
                controller = start(request["options"])
                answer = {"event": _event(controller.last_event.metadata), "version": _version()}
            else:
                answer = _answer(controller, request)
        except Exception as error:  # the simulator is of no use any more, whatever it was
            kind = "missing" if isinstance(error, ImportError) else "broken"
            answer = {"failed": kind, "problem": f"{type(error).__name__}: {error}"}
        _write(answers, answer)
        if "failed" in answer:
            return
    if controller is not None:
        controller.stop()


def _write(answers: IO[bytes], answer: Mapping[str, Any]) -> None:
    rest = memoryview(msgspec.json.encode(answer) + b"\n")
    while rest:
        rest = rest[answers.write(rest) :]


def _watch(answers: IO[bytes]) -> None:
    """Report a child that died, which is Unity: its client goes on reading from nobody until its time-out.

    Programs that are run and waited for in passing are gone at the second look.
    """
    last = 0
    while True:
        time.sleep(_LOOK_S)
        try:
            dead = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            dead = None
        if dead is not None and dead.si_pid == last:
            problem = f"the Unity process ended, status {dead.si_status}"
            _write(answers, {"failed": "broken", "problem": problem})
            os._exit(1)
        last = dead.si_pid if dead is not None else 0


def _answer(controller: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    match request["do"]:
        case "reset":
            return {"event": _event(controller.reset(request["scene"]).metadata)}
        case "picture":
            return {"picture": _png(controller.last_event.frame)}
    try:
        event = controller.step(**request["command"])
    except ValueError as error:
        metadata = controller.last_event.metadata
        if metadata.get("errorCode") in _USAGE:
            return {"failed": "usage", "problem": str(error)}
        raise
    return {"event": _event(event.metadata)}


def _event(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What of an event's metadata is used: a few kilobytes of a hundred."""
    return {
        "success": bool(metadata["lastActionSuccess"]),
        "error": metadata.get("errorMessage") or "",
        "returned": metadata.get("actionReturn"),
        "held": [one["objectId"] for one in metadata.get("inventoryObjects") or ()],
        "objects": [
            {name: one[name] for name in _FIELDS if one.get(name) is not None} for one in metadata["objects"]
        ],
    }


def _png(frame: Any) -> str:
    from PIL import Image

    held = io.BytesIO()
    Image.fromarray(frame).save(held, format="PNG")
    return base64.b64encode(held.getvalue()).decode()


def _version() -> str:
    """Of ai2thor and of the Unity build it wants."""
    module = sys.modules.get("ai2thor.build")
    package = sys.modules.get("ai2thor")
    return f"{getattr(package, '__version__', '?')} build {str(getattr(module, 'COMMIT_ID', '?'))[:8]}"


def _controller(options: Mapping[str, Any]) -> Any:
    platforms, controllers = import_module("ai2thor.platform"), import_module("ai2thor.controller")
    named = dict(options)
    platform = named.pop("platform", None)
    if platform is not None:
        named["platform"] = getattr(platforms, platform)
    return controllers.Controller(**named)


if __name__ == "__main__":
    serve(_controller)
