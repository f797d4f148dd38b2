"""Asking a model of a test server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from gumption.models.openai import OpenAI
from gumption.records import Answer, Item, Part, Reply, Text
from gumption.suites import Media
from servers import Act, Behave, Server, always

KEY = "sk-not-for-any-file-0123456789"


def item(*parts: Part | str, id: str = "q") -> Item:
    shown = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Item(id, "quiz", shown, Answer("choice", "A", {"A": "left", "B": "right"}))


def ask_all(
    server: Server, questions: Sequence[Item], media: Media | None = None, **options: Any
) -> list[Reply]:
    """The replies to questions that are all asked at once."""
    model = OpenAI("m", base_url=server.base_url, **{"first_pause_s": 0.01, **options})
    read = (media or Media()).read

    async def go() -> list[Reply]:
        try:
            return await asyncio.gather(*(model.ask(one, (one.id, 0, ""), read) for one in questions))
        finally:
            await model.close()

    return asyncio.run(go())


def ask(behave: Behave | Act, **options: Any) -> tuple[Reply, Server]:
    with Server(always(behave) if isinstance(behave, Act) else behave) as server:
        (reply,) = ask_all(server, [item("Which side?")], **options)
    return reply, server
