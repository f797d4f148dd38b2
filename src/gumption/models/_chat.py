"""OpenAI's chat interface on the wire: the one message that is sent, and the completion that comes back."""

from __future__ import annotations

import base64
import re
from typing import Any

import msgspec

from gumption.models.drawn import bytes_of
from gumption.models.model import ReadMedia
from gumption.records import GumptionError, Image, Item, Status, Text, Usage

__all__ = ["FORMAT", "FORMAT_NAMED", "UnreadableError", "fields_of", "format_of", "messages_of", "owner_of"]

FORMAT = "response_format"
FORMAT_NAMED = re.compile(r"response_format|json_schema|schema|grammar|guided|structured", re.IGNORECASE)
"""In a complaint: the server does not take the schema, or not this one."""


class UnreadableError(Exception):
    """What the server sent is not a completion."""


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    finish_reason: str | None = None


class _Details(msgspec.Struct):
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    completion_tokens_details: _Details | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    usage: _Usage | None = None
    error: Any = None
    """Some gateways report a failure with HTTP 200."""


class _Served(msgspec.Struct):
    id: str = ""
    owned_by: str = ""


class _Models(msgspec.Struct):
    data: list[_Served] = []


_decode = msgspec.json.Decoder(_Completion).decode


def messages_of(
    question: Item, media: ReadMedia, *, clips: bool = False
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """One user message with the parts in their order, and the hashes of the pictures and clips in it.

    clips: whether the server takes a clip whole, as `video_url` (vLLM and SGLang do). Raises GumptionError
    for an item that cannot be shown.
    """
    content: list[dict[str, Any]] = []
    sent: list[str] = []
    for part in question.parts:
        if isinstance(part, Text):
            content.append({"type": "text", "text": part.text})
        elif isinstance(part, Image):
            url = _data_url(part.media_type, bytes_of(part, media))
            content.append({"type": "image_url", "image_url": {"url": url}})
            sent.append(part.sha256)
        elif clips:
            url = _data_url(part.media_type, media(part.sha256))
            content.append({"type": "video_url", "video_url": {"url": url}})
            sent.append(part.sha256)
        else:
            raise GumptionError(
                "the item shows a clip, which not every server takes",
                where=question.id,
                remedy="have its frames shown (NAME:frames=N), or give --video url if the server takes clips",
            )
    if not content:
        raise GumptionError(
            "the item has nothing to show", where=question.id, remedy="these data can only be replayed"
        )
    return [{"role": "user", "content": content}], tuple(sent)


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def format_of(question: Item) -> dict[str, Any]:
    """The field that holds the reply to the question's JSON schema; none where it has no schema.

    The question's `meta["json_schema"]` is {"name": ..., "schema": ...}.
    """
    wanted = question.meta.get("json_schema")
    return {FORMAT: {"type": "json_schema", "json_schema": {**wanted, "strict": True}}} if wanted else {}


def fields_of(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a Reply that a completion fills, and what it says of the server, for its `params`.

    The SDK's own reading takes any shape for a completion; this one raises UnreadableError for all others.
    """
    try:
        completion = _decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UnreadableError(f"the reply cannot be read: {error}") from error
    choice = completion.choices[0] if completion.choices else _Choice()
    message, reason = choice.message, choice.finish_reason
    if message is None:
        said = f": {completion.error}" if completion.error is not None else ""
        raise UnreadableError(f"the reply holds no choices{said}")
    status: Status = "truncated" if reason == "length" else "ok"
    if reason == "content_filter" or message.refusal:
        status = "refused"
    reasoning = message.reasoning_content or message.reasoning or ""
    fields = {
        "status": status,
        "text": message.content or message.refusal or "",
        "reasoning": reasoning if isinstance(reasoning, str) else msgspec.json.encode(reasoning).decode(),
        "finish_reason": reason,
        "usage": _usage(completion.usage),
    }
    served = {"server_model": completion.model, "fingerprint": completion.system_fingerprint}
    return fields, {name: value for name, value in served.items() if value is not None}


def owner_of(data: bytes, name: str) -> str:
    """Who serves the model, by a server's list of models; "" where the list does not say."""
    try:
        served = msgspec.json.decode(data, type=_Models).data
    except (msgspec.MsgspecError, RecursionError):
        return ""
    return next(
        (model.owned_by for model in served if model.id == name), served[0].owned_by if served else ""
    )[:100]


def _usage(usage: _Usage | None) -> Usage | None:
    if usage is None:
        return None
    details = usage.completion_tokens_details
    return Usage(usage.prompt_tokens, usage.completion_tokens, details.reasoning_tokens if details else None)
