"""Asking a model whose servers are stand-ins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from asking import item
from gumption.models import is_served, open_models
from gumption.models.serving import Served
from gumption.records import Reply
from gumption.suites import Media

told: list[str] = []
"""What the model that was opened last said of its servers."""


def opened(folder: Path, *acts: str, engine: str = "vllm", args: str = "", **options: Any) -> Served:
    """A model whose weights are in `folder`; its servers are told to do `acts`."""
    line = " ".join([args, *(f"--act {act}" for act in acts)])
    (model,) = open_models(f"{engine}/{folder / 'weights'}", server_args=line, **options)
    assert is_served(model)
    told.clear()
    model.report(folder / "server", told.append)
    return model


def ask(
    model: Served, questions: int, *, stop: bool = True, until: Callable[[], bool] = lambda: True
) -> list[Reply]:
    """The replies to questions that are asked all at once; more of them while it is not `until`."""

    async def go() -> list[Reply]:
        replies: list[Reply] = []
        try:
            while not replies or not until():
                asked = [item(f"{n}?", id=f"q{n}") for n in range(questions)]
                replies += await asyncio.gather(
                    *(model.ask(one, (one.id, 0, ""), Media().read) for one in asked)
                )
            return replies
        finally:
            await model.close()

    try:
        return asyncio.run(asyncio.wait_for(go(), 60))
    finally:
        if stop:
            model.stop()
