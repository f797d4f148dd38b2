"""Replies that were recorded before, ours or another tool's: keys `id, reply`, optional `model, epoch, call`.

A recorded text that only says that a request failed is a failed request, not an answer: the texts that
common harnesses write in that case are known here, further ones are named with a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from gumption.lines import read_rows
from gumption.models.model import ReadMedia
from gumption.records import GumptionError, Item, Key, Reply, Status

__all__ = ["HARNESS_FAILURES", "Replay", "failure_by", "open_replay"]

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
    failed = failure_by(infra_text)
    models: dict[str, dict[Key, Reply]] = {}
    remedy = 'each line is an object like {"id": "q1", "reply": "B"}; mend or delete the line'
    for where, row in read_rows(Path(path), _Line, "a recorded reply", remedy):
        if wanted in {"", "*", row.model}:
            reply = _reply(row, failed)
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


def _reply(row: _Line, failed: Callable[[str], bool]) -> Reply:
    text = row.reply or ""
    if row.status == "infra_error" or text.strip() in HARNESS_FAILURES or failed(text):
        return Reply(str(row.id), row.epoch, row.call, row.model, "infra_error", error=text or "not recorded")
    return Reply(str(row.id), row.epoch, row.call, row.model, row.status, text)


def failure_by(infra_text: str | None) -> Callable[[str], bool]:
    """Whether a reply's text tells of a failed request, by the pattern of `--infra-text`; never without one.

    Raises GumptionError where it is no regular expression.
    """
    try:
        pattern = re.compile(infra_text) if infra_text else None
    except re.error as error:
        raise GumptionError(
            f"--infra-text {infra_text!r} is not a regular expression: {error}", remedy="mend it"
        ) from error
    return lambda text: pattern is not None and pattern.search(text[:_PATTERN_WINDOW]) is not None
