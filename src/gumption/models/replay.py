"""Replies that were recorded before, ours or another tool's: keys `id, reply`, optional `model, epoch, call`.

A recorded text that only says that a request failed is a failed request, not an answer: the texts that
common harnesses write in that case are known here, further ones are named with a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from gumption.lines import read_lines, too_long
from gumption.models.model import ReadMedia
from gumption.records import GumptionError, Item, Key, Reply, Status

__all__ = ["HARNESS_FAILURES", "Replay", "open_replay"]

HARNESS_FAILURES = frozenset({"Failed to obtain answer via API."})  # VLMEvalKit
"""Whole replies that harnesses store in place of an answer when a request failed.

Only texts that no model would say of itself; less certain ones are the user's to name with a pattern.
"""

_PATTERN_WINDOW = 4096
"""Characters of a reply in which a failure pattern is looked for."""


class _Line(msgspec.Struct, frozen=True):
    """One recorded reply. Unknown keys are ignored."""

    id: str | int
    reply: str | None = None
    model: str = ""
    epoch: int = 0
    call: str = ""
    status: Status = "ok"


class Replay:
    """One model's recorded replies, by (item, epoch, call)."""

    prompt = "recorded"
    decode: ClassVar[dict[str, Any]] = {}

    def __init__(self, name: str, replies: dict[Key, Reply], source: str) -> None:
        self.name = name
        self._replies = replies
        self._source = source

    def __len__(self) -> int:
        return len(self._replies)

    def identity(self) -> dict[str, Any]:
        return {"kind": "replay", "name": self.name, "file": self._source}

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:  # noqa: ARG002
        return ""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply | None:  # noqa: ARG002
        return self._replies.get(key)

    async def close(self) -> None:
        """Nothing is held open."""


def open_replay(address: str, *, infra_text: str | None = None) -> Iterator[Replay]:
    """Open `FILE.jsonl[.gz][#model]`. `#*` opens every model of the file, in the order of the file.

    Raises GumptionError, naming the line, for lines that are not JSON objects of the expected keys, for two
    replies to one question, for an unknown model, and where a file holds several models and none is named.
    """
    path, _, wanted = address.partition("#") if not Path(address).exists() else (address, "", "")
    failure = _pattern(infra_text)
    models: dict[str, dict[Key, Reply]] = {}
    for number, line in read_lines(Path(path)):
        where = f"{path}, line {number}"
        if line is None:
            raise GumptionError(too_long().problem, where=where, remedy=too_long().remedy)
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line, type=_Line)
        except msgspec.MsgspecError as error:
            raise GumptionError(
                f"not a recorded reply: {error}",
                where=where,
                remedy='each line is an object like {"id": "q1", "reply": "B"}; mend or delete the line',
            ) from error
        if wanted in {"", "*", row.model}:
            reply = _reply(row, failure)
            if models.setdefault(row.model, {}).setdefault(reply.key, reply) is not reply:
                raise GumptionError(
                    f"a second reply of model {row.model!r} to {row.id!r} (epoch {row.epoch})",
                    where=where,
                    remedy="keep one, or give the second another epoch",
                )
    if not models:
        raise GumptionError(
            f"no replies of a model called {wanted!r}" if wanted else "no replies in this file",
            where=path,
            remedy="leave the #MODEL part out to be told which models the file holds" if wanted else "",
        )
    if len(models) > 1 and not wanted:
        raise GumptionError(
            f"{len(models)} models in one file: {', '.join(models)}",
            where=path,
            remedy="name one with #MODEL, or take all with '#*'",
        )
    for name, replies in models.items():
        yield Replay(name or Path(path).name.split(".")[0], replies, Path(path).name)


def _reply(row: _Line, failure: re.Pattern[str] | None) -> Reply:
    text = row.reply or ""
    failed = text.strip() in HARNESS_FAILURES or (failure and failure.search(text[:_PATTERN_WINDOW]))
    if failed or row.status == "infra_error":
        return Reply(str(row.id), row.epoch, row.call, row.model, "infra_error", error=text or "not recorded")
    return Reply(str(row.id), row.epoch, row.call, row.model, row.status, text)


def _pattern(text: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(text) if text else None
    except re.error as error:
        raise GumptionError(
            f"--infra-text {text!r} is not a regular expression: {error}", remedy="mend it"
        ) from error
