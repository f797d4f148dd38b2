"""Known weaknesses of pinned versions, from the advisories that pip-audit asks for."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SERVICES", "Advisories", "ask"]

SERVICES = ("pypi", "osv")
CONTROL = "requests==2.19.0"
"""A version with advisories since 2018. A service that knows of none does not serve advisories."""


@dataclass(frozen=True)
class Advisories:
    """What a service said of every pin, or why nothing was asked."""

    service: str = ""
    found: tuple[str, ...] = ()
    not_made: str = ""


def ask(constraints: Path) -> Advisories:
    """Ask the first service that knows of the control's weakness."""
    if importlib.util.find_spec("pip_audit") is None:
        return Advisories(not_made="pip-audit is not installed: pip install 'gumption[audit]'")
    reasons = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as control:
        control.write(f"{CONTROL}\n")
        control.flush()
        for service in SERVICES:
            found, reason = _asked(service, Path(control.name))
            if not found:
                reasons.append(f"{service}: {reason or f'no advisory for {CONTROL}, which has some'}")
                continue
            found, reason = _asked(service, constraints)
            if reason:
                return Advisories(not_made=f"{service}: {reason}")
            return Advisories(service, found)
    return Advisories(not_made="no advisory service answered (" + "; ".join(reasons) + ")")


def _asked(service: str, pins: Path) -> tuple[tuple[str, ...], str]:
    """The advisories, and why there is no answer."""
    command = (sys.executable, "-m", "pip_audit", "-r", str(pins), "--disable-pip", "--no-deps", "--strict")
    options = (
        "--vulnerability-service",
        service,
        "--timeout",
        "15",
        "--format",
        "json",
        "--progress-spinner",
        "off",
    )
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return (), (done.stderr.strip().splitlines() or ["no answer"])[-1][:200]
    flaws = (
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'none'}"
        for one in told
        for flaw in one["vulns"]
    )
    return tuple(flaws), ""
