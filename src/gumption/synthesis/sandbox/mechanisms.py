"""Which sandbox is in force: the first mechanism that, tried here and now, denies what it must."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.sandbox.limits import Limits, SandboxResult
from gumption.synthesis.sandbox.run import PACKAGES, run_by

__all__ = ["Tried", "in_force", "run_sandboxed", "tried"]

ORDER = ("bubblewrap", "landlock")
_MARK = "GUMPTION_PROBE"


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of trying one mechanism."""

    mechanism: str
    problem: str
    """Why it is not in force; "" where it denied everything."""


def run_sandboxed(
    code: str,
    inputs: Sequence[Any],
    limits: Limits | None = None,
    *,
    packages: tuple[str, ...] = PACKAGES,
    data: Path | None = None,
    mechanism: str = "auto",
) -> SandboxResult:
    """Call the function `main` that `code` defines with each of `inputs`, in a sandbox.

    Inputs and results are JSON. One process takes all inputs, so 1,000 cost little more than one. packages:
    installed ones that the code may import beside the standard library. data: a folder that it may read, at
    /data or, under Landlock, where it lies. mechanism: "auto" takes the first that denies everything when it
    is tried (once in a process); "none" runs unprotected and is for those who say so.

    What the code does is told in the result and never raises. Raises GumptionError where no mechanism is to
    be had, and for inputs that are no JSON.
    """
    by = in_force() if mechanism == "auto" else mechanism
    return run_by(by, code, inputs, limits or Limits(), packages, data)


def in_force() -> str:
    """The name of the mechanism. Raises GumptionError where there is none: nothing is run unprotected."""
    found = tried()
    if not found[-1].problem:
        return found[-1].mechanism
    raise GumptionError(
        "no sandbox is to be had: " + "; ".join(f"{one.mechanism}: {one.problem}" for one in found),
        where="sandbox",
        remedy="pip install 'gumption[sandbox]', and allow user namespaces or use Linux 6.12 (Landlock)",
    )


@cache
def tried() -> tuple[Tried, ...]:
    """The mechanisms in order, up to the first that is in force."""
    found: list[Tried] = []
    for mechanism in ORDER:
        found.append(Tried(mechanism, _problem(mechanism)))
        if not found[-1].problem:
            break
    return tuple(found)


def _problem(mechanism: str) -> str:
    """Why a mechanism does not do here, found by trying to get out of it."""
    mark = secrets.token_hex(8)
    os.environ[_MARK] = mark
    try:
        with (
            tempfile.TemporaryDirectory(prefix="gumption-") as folder,
            socket.create_server(("127.0.0.1", 0)) as server,
        ):
            secret = Path(folder, "secret")
            secret.write_text(mark)
            secret.chmod(0o600)
            outside = Path(folder, "outside")
            told = {
                "secret": str(secret),
                "outside": str(outside),
                "port": server.getsockname()[1],
                "parent": os.getpid(),
                "mark": mark,
            }
            code = (Path(__file__).parent / "_attempts.py").read_text()
            result = run_by(mechanism, code, [told], Limits(), ())
            got_out = (
                [*result.output[0], *(["writes outside"] if outside.exists() else [])] if result.ok else []
            )
    except (GumptionError, OSError) as error:
        return getattr(error, "problem", "") or str(error)
    finally:
        del os.environ[_MARK]
    if not result.ok:
        said = (result.printed or result.detail).strip().splitlines()
        return said[-1] if said else f"it failed: {result.error}"
    return f"it {', '.join(got_out)}" if got_out else ""
