"""What a model is to the engine, and how one is opened by its name."""

from __future__ import annotations

from typing import Any, Protocol

from gumption.records import GumptionError, Item, Key, Reply

__all__ = ["Model", "open_models"]

_KINDS = "replay/FILE.jsonl[.gz][#MODEL], baseline/random, baseline/oracle"


class Model(Protocol):
    """Anything that answers a question."""

    @property
    def name(self) -> str:
        """Shown in tables and kept with every reply."""

    def identity(self) -> dict[str, Any]:
        """What distinguishes this model's answers from another's; goes into run.json. Never a secret."""

    async def ask(self, question: Item, key: Key) -> Reply | None:
        """The raw reply to one question, kept under `key`; None where a recorded model has none."""


def open_models(
    name: str, *, accuracy: float | None = None, seed: int = 0, infra_text: str | None = None
) -> list[Model]:
    """The models that `name` stands for: one, or with `replay/FILE#*` every model of the file.

    accuracy: of `baseline/oracle`, in [0, 1]. seed: of the baselines. infra_text: a regular expression;
    recorded replies in which it is found are failed requests. Raises GumptionError for an unknown name.
    """
    kind, _, rest = name.partition("/")
    if accuracy is not None and name != "baseline/oracle":
        raise GumptionError(f"--accuracy is for baseline/oracle, not {name}", remedy="leave it out")
    if infra_text is not None and kind != "replay":
        raise GumptionError(f"--infra-text is for recorded replies, not {name}", remedy="leave it out")
    if kind == "replay" and rest:
        from gumption.models.replay import open_replay

        return list(open_replay(rest, infra_text=infra_text))
    if kind == "baseline":
        from gumption.models.baseline import Oracle, Random

        if rest == "random":
            return [Random(seed)]
        if rest == "oracle":
            return [Oracle(1.0 if accuracy is None else accuracy, seed)]
    raise GumptionError(f"no model is called {name!r}", remedy=f"one of: {_KINDS}")
