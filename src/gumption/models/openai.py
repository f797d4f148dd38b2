"""Any server that speaks the OpenAI chat interface, through the official SDK.

Pictures go out as the bytes they are. What goes wrong is told apart: a server that is busy or breaks down is
asked again, with pauses that all requests share; a request that the server cannot take is not. Nothing that
happens to a request becomes an answer.
"""

from __future__ import annotations

import asyncio
import base64
import email.utils
import hashlib
import os
import random
import time
from typing import Any

import msgspec
import openai

from gumption.models.model import ReadMedia
from gumption.models.presets import EXTRA, preset_of
from gumption.records import GumptionError, Image, Item, Key, Reply, Status, Text, Usage

__all__ = ["OpenAI"]

ATTEMPTS = 6
"""Requests for one reply, the first one included."""
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 60.0
_ERROR_CHARACTERS = 500
_TRANSIENT = frozenset({408, 409, 425, 429})
_REFUSALS = frozenset({"content_filter", "content_policy_violation"})
_NO_KEY = "none"
"""Sent to servers of one's own that want no key, since the SDK insists on one."""


class OpenAI:
    """One model of one server."""

    prompt = ""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        preset: str | None = None,
        timeout_s: float = 300.0,
        first_pause_s: float = _FIRST_PAUSE_S,
    ) -> None:
        self.name = name
        self.decode = preset_of(preset)
        self._key = os.environ.get("OPENAI_API_KEY", "")
        if not self._key and base_url is None:
            raise GumptionError(
                "no key: OPENAI_API_KEY is not set",
                remedy="set it in the environment, or name a server of your own with --base-url",
            )
        self._base_url, self._timeout_s, self._first_pause_s = base_url, timeout_s, first_pause_s
        self._dropped: tuple[str, ...] = ()
        self._client: openai.AsyncOpenAI | None = None
        self._resume_at = 0.0
        """Loop time before which no request is sent: a busy server is left alone by all at once."""

    def identity(self) -> dict[str, Any]:
        return {"kind": "openai", "name": self.name}

    def request_sha256(self, question: Item) -> str:
        """Over model, decoding and parts, pictures by their hash; server and key do not enter."""
        parts = [part.text if isinstance(part, Text) else {"sha256": part.sha256} for part in question.parts]
        identity = {"model": self.name, "decode": self.decode, "parts": parts}
        return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        messages, sent = _messages(question, media)
        start = time.perf_counter()
        fate = await self._request(messages)
        return Reply(
            *key,
            self.name,
            **fate,
            latency_s=round(time.perf_counter() - start, 4),
            request_sha256=self.request_sha256(question),
            media_sha256=sent,
        )

    async def _request(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """Send, again where that may help; what became of it as fields of a Reply."""
        problem = ""
        for attempt in range(1, ATTEMPTS + 1):
            await self._wait()
            try:
                completion = await self._connected().chat.completions.create(**self._parameters(messages))
                if not isinstance(completion, openai.types.chat.ChatCompletion) or not completion.choices:
                    problem = "the reply holds no choices"
                else:
                    return _fate(completion, attempt, self._dropped)
            except openai.APIStatusError as error:
                problem = self._said(f"HTTP {error.status_code}: {error.message}")
                if error.status_code == 400 and self._drop_refused(error):
                    continue
                if error.status_code < 500 and error.status_code not in _TRANSIENT:
                    refused = getattr(error, "code", None) in _REFUSALS
                    status: Status = "refused" if refused else "infra_error"
                    return {"status": status, "error": problem, "params": {"attempts": attempt}}
                self._hold_back(_retry_after(error))
            except openai.APITimeoutError:
                problem = f"no reply within {self._timeout_s:g} s"
            except openai.APIConnectionError as error:
                problem = self._said(f"connection failed: {error.__cause__ or error}")
            except (openai.APIError, ValueError) as error:
                problem = self._said(f"the reply cannot be read: {error}")
            if attempt < ATTEMPTS:
                pause = min(_LONGEST_PAUSE_S, self._first_pause_s * 2 ** (attempt - 1))
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        return {
            "status": "infra_error",
            "error": f"{problem} (after {ATTEMPTS} attempts)",
            "params": {"attempts": ATTEMPTS},
        }

    def _connected(self) -> openai.AsyncOpenAI:
        if self._client is None:
            self._client = openai.AsyncOpenAI(
                api_key=self._key or _NO_KEY,
                base_url=self._base_url,
                timeout=self._timeout_s,
                max_retries=0,
            )
        return self._client

    def _parameters(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        kept = {name: value for name, value in self.decode.items() if name not in self._dropped}
        extra = {name: kept.pop(name) for name in EXTRA & kept.keys()}
        return {"model": self.name, "messages": messages, **kept, "extra_body": extra or None}

    def _drop_refused(self, error: openai.APIStatusError) -> bool:
        """Leave out the extra parameters that a server's complaint names. False if it names none."""
        named = [name for name in self.decode if name in EXTRA and name in error.message]
        fresh = [name for name in named if name not in self._dropped]
        self._dropped = tuple(sorted({*self._dropped, *fresh}))
        # Another request may have dropped it while this one was under way.
        return bool(named)

    async def _wait(self) -> None:
        delay = self._resume_at - asyncio.get_running_loop().time()
        if delay > 0:
            # Spread over a tenth of the pause, so that all do not come back in one instant.
            await asyncio.sleep(delay + random.uniform(0, delay / 10))

    def _hold_back(self, seconds: float | None) -> None:
        if seconds is not None:
            until = asyncio.get_running_loop().time() + min(seconds, _LONGEST_PAUSE_S)
            self._resume_at = max(self._resume_at, until)

    def _said(self, text: str) -> str:
        """An error text fit to be kept: cut, and never with the key in it."""
        return (text.replace(self._key, "***") if self._key else text)[:_ERROR_CHARACTERS]


def _fate(
    completion: openai.types.chat.ChatCompletion, attempts: int, dropped: tuple[str, ...]
) -> dict[str, Any]:
    """The fields of a Reply that a completion fills."""
    choice = completion.choices[0]
    message, reason = choice.message, choice.finish_reason
    extra = message.model_extra or {}
    reasoning = extra.get("reasoning_content") or extra.get("reasoning") or ""
    status: Status = "truncated" if reason == "length" else "ok"
    if reason == "content_filter" or message.refusal:
        status = "refused"
    served = {
        "attempts": attempts if attempts > 1 else None,
        "server_model": completion.model,
        "fingerprint": completion.system_fingerprint,
        "dropped": list(dropped) or None,
    }
    return {
        "status": status,
        "text": message.content or message.refusal or "",
        "reasoning": reasoning if isinstance(reasoning, str) else msgspec.json.encode(reasoning).decode(),
        "finish_reason": reason,
        "usage": _usage(completion),
        "params": {name: value for name, value in served.items() if value is not None},
    }


def _usage(completion: openai.types.chat.ChatCompletion) -> Usage | None:
    usage = completion.usage
    if usage is None:
        return None
    details = usage.completion_tokens_details
    return Usage(usage.prompt_tokens, usage.completion_tokens, details.reasoning_tokens if details else None)


def _messages(question: Item, media: ReadMedia) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """One user message with the parts in their order, and the hashes of the pictures in it."""
    content: list[dict[str, Any]] = []
    sent: list[str] = []
    for part in question.parts:
        if isinstance(part, Text):
            content.append({"type": "text", "text": part.text})
        elif isinstance(part, Image):
            url = _data_url(part.sha256, part.media_type, media)
            content.append({"type": "image_url", "image_url": {"url": url}})
            sent.append(part.sha256)
        else:
            raise GumptionError(
                "clips are not sent yet", where=question.id, remedy="give its frames as pictures"
            )
    if not content:
        raise GumptionError(
            "the item has nothing to show", where=question.id, remedy="these data can only be replayed"
        )
    return [{"role": "user", "content": content}], tuple(sent)


def _data_url(sha256: str, media_type: str, media: ReadMedia) -> str:
    return f"data:{media_type};base64,{base64.b64encode(media(sha256)).decode()}"


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds that the server asks for, as a number or a date."""
    value = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        when = email.utils.parsedate_to_datetime(value) if value[:1].isalpha() else None
        return max(0.0, when.timestamp() - time.time()) if when else None
