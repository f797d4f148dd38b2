"""What a sandboxed call may use, and what came of it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from gumption.records import GumptionError

__all__ = ["Failure", "Limits", "SandboxResult"]

Failure: TypeAlias = Literal["timeout", "memory", "processes", "disk", "output", "crash", "bad_result"]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Of one call, all its processes together. Raises GumptionError for one that is not positive."""

    wall_s: float = 10.0
    memory_mb: int = 512
    """Resident memory of all processes, and address space of each."""
    processes: int = 16
    """Processes and threads at once."""
    disk_mb: int = 10
    """Written files, all together."""
    output_kb: int = 1024
    """Results, and separately what is printed."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not 0 < value < 1e9:
                raise GumptionError(
                    f"{name} is {value!r}", where="limits", remedy="give a number above 0 and below 1e9"
                )


class SandboxResult(Struct, frozen=True):
    """What came of running code on inputs."""

    output: list[Any]
    """What `main` returned for each input, in their order; up to the failure where there is one."""
    error: Failure | None
    detail: str
    """Of a failure: the last lines of the traceback, or which limit was met."""
    mechanism: str
    """bubblewrap | landlock | none."""
    wall_s: float
    printed: str
    """The first of what the code wrote to its standard output and error, control characters made visible."""

    @property
    def ok(self) -> bool:
        """Whether every input has its result."""
        return self.error is None
