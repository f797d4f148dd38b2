"""Runs that workers ask: what can be spread, and how the workers are to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gumption.executors import Executor
    from gumption.models import Model
    from gumption.running import Spread

__all__ = ["refuse_to_spread", "spread_over"]


def refuse_to_spread(on: str, models: Sequence[Model], stop_when: Sequence[str] | None) -> None:
    """Raise GumptionError where several processes are to do what one alone can."""
    from gumption.models import is_served
    from gumption.records import GumptionError

    if on == "local":
        return
    if stop_when:
        raise GumptionError(
            "--stop-when looks at the replies of all models after each round, which one process does",
            where=f"--on {on}",
            remedy="leave out --on, for a round is short; or leave out --stop-when",
        )
    for model in models:
        if is_served(model):
            raise GumptionError(
                "a server that is started here answers this process alone",
                where=f"--on {on}",
                remedy="start it yourself at an address that the workers reach, and name it "
                f"openai/{model.name} with --base-url; or leave out --on",
            )


def spread_over(
    executor: Executor, model: Callable[[], Model], judge: Callable[[], Model] | None, address: str = ""
) -> Spread | None:
    """How the executor's workers ask; None where this process does. model, judge: how they are opened.
    address: of the run, where it is kept at one."""
    from gumption.running import Spread

    return None if executor.name == "local" else Spread(executor, model, judge, address)
