"""Any server that speaks the OpenAI chat interface, through the official SDK.

Pictures go out as the bytes they are. What goes wrong is told apart: a server that is busy or breaks down is
asked again, with pauses that all requests share; a request that the server cannot take is not. Nothing that
happens to a request becomes an answer.
"""

from __future__ import annotations

import asyncio
import email.utils
import hashlib
import os
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import openai

from gumption.models._chat import (
    FORMAT,
    FORMAT_NAMED,
    UnreadableError,
    fields_of,
    format_of,
    messages_of,
    owner_of,
)
from gumption.models.model import ReadMedia
from gumption.models.presets import EXTRA, preset_of
from gumption.records import GumptionError, Item, Key, Reply, Status, Text

__all__ = ["OpenAI"]

ATTEMPTS = 6
"""Requests for one reply, the first one included."""
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 60.0
_LONGEST_HOLD_S = 900.0
"""What a server asks for is obeyed up to here."""
_BACKEND_S = 10.0
_ERROR_CHARACTERS = 500
_TRANSIENT = frozenset({408, 409, 425, 429})
_INVALID = frozenset({400, 422})
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
        max_tokens: int | None = None,
        image_settings: Mapping[str, int] | None = None,
        video: str | None = None,
        timeout_s: float = 300.0,
        first_pause_s: float = _FIRST_PAUSE_S,
        local: bool = False,
    ) -> None:
        """max_tokens: of one reply; None leaves it to the server. image_settings: how the server is to
        prepare pictures (min_pixels, max_pixels, tiles), as vLLM and SGLang take them. video: "url" sends a
        clip whole, as `video_url`; otherwise items with clips are refused. timeout_s: for one request, from
        sending to the end of the reply. first_pause_s: before the first repeated request; it doubles each
        time. local: a server of our own on this machine, which is sent no key and is reached past any proxy.
        Raises GumptionError for an unknown preset, for another `video`, and for a key or an address that
        cannot be used.
        """
        self.name = name
        self.decode = preset_of(preset) | ({} if max_tokens is None else {"max_tokens": max_tokens})
        if image_settings:
            self.decode |= {"mm_processor_kwargs": dict(image_settings)}
        if video not in (None, "url"):
            raise GumptionError(f"--video {video} is not known", remedy="--video url sends clips whole")
        self._video = video
        self._key = "" if local else _key(needed=base_url is None)
        self._local = local
        if base_url is not None and not base_url.startswith(("http://", "https://")):
            raise GumptionError(
                f"{base_url!r} is not the address of a server", remedy="write it as http://HOST:PORT/v1"
            )
        self._base_url, self._timeout_s, self._first_pause_s = base_url, timeout_s, first_pause_s
        self._dropped: tuple[str, ...] = ()
        self._client: openai.AsyncOpenAI | None = None
        self._served_by: asyncio.Task[str] | None = None
        self._resume_at = 0.0
        """Loop time before which no request is sent: a busy server is left alone by all at once."""

    def identity(self) -> dict[str, Any]:
        told = {"kind": "openai", "name": self.name}
        return told | {"video": self._video} if self._video else told

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:
        """Over model, decoding, the reply's schema and parts, pictures by their hash; server and key do not
        enter."""
        parts = [part.text if isinstance(part, Text) else {"sha256": part.sha256} for part in question.parts]
        identity = {"model": self.name, "decode": self.decode, "parts": parts, **format_of(question)}
        return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()

    async def close(self) -> None:
        if self._served_by is not None:
            self._served_by.cancel()
            self._served_by = None
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        messages, sent = messages_of(question, media, clips=self._video is not None)
        fate = await self._request(messages, format_of(question))
        return Reply(*key, self.name, **fate, request_sha256=self.request_sha256(question), media_sha256=sent)

    async def _request(self, messages: list[dict[str, Any]], form: dict[str, Any]) -> dict[str, Any]:
        """Send, again where that may help; what became of it as fields of a Reply.

        form: what holds the reply to a schema. A server that refuses it is asked without, and the reply says
        so in `dropped`; only this request, for another schema may suit it.
        """
        problem = ""
        left_out: tuple[str, ...] = ()
        for attempt in range(1, ATTEMPTS + 1):
            await self._wait()
            client, sent_at = self._connected(), time.perf_counter()
            dropped = (*self._dropped, *left_out)
            try:
                async with asyncio.timeout(self._timeout_s):
                    # As bytes: the SDK's models of a request and a reply cost more than all the rest.
                    data = await client.post(
                        "/chat/completions", cast_to=bytes, content=self._body(messages, form, dropped)
                    )
                fields, params = fields_of(data)
                if attempt > 1:
                    params["attempts"] = attempt
                if dropped:
                    params["dropped"] = list(dropped)
                if backend := await self._backend():
                    params["backend"] = backend
                if settings := self._settings(dropped):
                    params["image_settings"] = settings
                latency_s = round(time.perf_counter() - sent_at, 4)
                return {**fields, "latency_s": latency_s, "params": params}
            except openai.APIStatusError as error:
                status = error.status_code
                problem = f"HTTP {status}: {_complaint(error)}"
                if status in _INVALID and self._drop_refused(error, dropped):
                    continue
                if status in _INVALID and form and not left_out and FORMAT_NAMED.search(error.response.text):
                    left_out = (FORMAT,)
                    continue
                if status < 500 and status not in _TRANSIENT:
                    refused = error.code in _REFUSALS
                    return self._failed("refused" if refused else "infra_error", problem, attempt)
                self._hold_back(_retry_after(error))
            except openai.APIError as error:
                problem = f"connection failed: {error.__cause__ or error}"
            except TimeoutError:
                problem = f"no reply within {self._timeout_s:g} s"
            except UnreadableError as error:
                problem = str(error)
            if attempt < ATTEMPTS:
                pause = min(_LONGEST_PAUSE_S, self._first_pause_s * 2 ** (attempt - 1))
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        return self._failed("infra_error", problem, ATTEMPTS)

    def _failed(self, status: Status, problem: str, attempts: int) -> dict[str, Any]:
        """The fields of a Reply that was not given: the reason is cut, and never has the key in it."""
        said = problem.replace(self._key, "***") if self._key else problem
        return {"status": status, "error": said[:_ERROR_CHARACTERS], "params": {"attempts": attempts}}

    def _connected(self) -> openai.AsyncOpenAI:
        if self._client is None:
            # Time is kept here: the SDK would start it anew with every byte that comes.
            past_proxies = openai.DefaultAsyncHttpxClient(trust_env=False) if self._local else None
            self._client = openai.AsyncOpenAI(
                api_key=self._key or _NO_KEY,
                base_url=self._base_url,
                timeout=None,
                max_retries=0,
                http_client=past_proxies,
            )
        return self._client

    def _settings(self, dropped: tuple[str, ...]) -> dict[str, int] | None:
        return None if "mm_processor_kwargs" in dropped else self.decode.get("mm_processor_kwargs")

    async def _backend(self) -> str:
        """Who the server says it is (vllm, llamacpp, ...), asked once a run; "" if it does not say."""
        if self._served_by is None:
            self._served_by = asyncio.ensure_future(self._ask_backend())
        return await asyncio.shield(self._served_by)

    async def _ask_backend(self) -> str:
        try:
            async with asyncio.timeout(_BACKEND_S):
                return owner_of(await self._connected().get("/models", cast_to=bytes), self.name)
        except (openai.APIError, TimeoutError):
            return ""  # a server need not list its models; the answer itself is what counts

    def _body(self, messages: list[dict[str, Any]], form: dict[str, Any], dropped: tuple[str, ...]) -> bytes:
        wanted = {**self.decode, **form}
        kept = {name: value for name, value in wanted.items() if name not in dropped}
        return msgspec.json.encode({"model": self.name, "messages": messages, **kept})

    def _drop_refused(self, error: openai.APIStatusError, dropped: tuple[str, ...]) -> bool:
        """Leave out the extra parameters that a complaint names. False if it names none that was sent."""
        complaint = error.response.text
        named = [name for name in self.decode if name in EXTRA and name not in dropped and name in complaint]
        self._dropped = tuple(sorted({*self._dropped, *named}))
        return bool(named)

    async def _wait(self) -> None:
        """Until the server is to be asked again. What another reply says meanwhile holds too."""
        while (delay := self._resume_at - asyncio.get_running_loop().time()) > 0:
            # Spread over a tenth of the pause, so that all do not come back in one instant.
            await asyncio.sleep(delay + random.uniform(0, delay / 10))

    def _hold_back(self, seconds: float | None) -> None:
        if seconds is not None:
            until = asyncio.get_running_loop().time() + min(seconds, _LONGEST_HOLD_S)
            self._resume_at = max(self._resume_at, until)


def _key(*, needed: bool) -> str:
    """The key of the environment. A line break at its end, as files have one, is not part of it."""
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key and needed:
        raise GumptionError(
            "no key: OPENAI_API_KEY is not set",
            remedy="set it in the environment, or name a server of your own with --base-url",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise GumptionError(
            "OPENAI_API_KEY holds characters that no key has", remedy="set it again, the bare key alone"
        )
    return key


def _complaint(error: openai.APIStatusError) -> str:
    """What the server says is wrong: its message, else all it sent."""
    message = error.body.get("message") if isinstance(error.body, Mapping) else None
    return message if isinstance(message, str) and message else error.response.text.strip()


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds that the server asks for, as a number or a date; None where it says nothing of use."""
    value = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
