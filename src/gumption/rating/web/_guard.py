"""What every request passes: limits on size, rate and time, and the headers that keep a page to itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gumption.rating.web._cookies import Names, claimed
from gumption.rating.web._limits import Limits, Visitors

__all__ = ["HEADERS", "Guard"]

MAX_BODY = 64 * 1024
"""Bytes. A comment of 4,000 letters takes at most 24 kB as a form."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # A link with a token is never told to another site.
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Wraps the application; pure ASGI, so that media are streamed."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits,
        cookies: Names,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self._cookies = cookies
        self._body_s = limits.body_s
        self._visitors = Visitors(limits, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        state = scope.setdefault("state", {})

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Only what checked a token says that it opens something: some pages are there for everybody.
                if opened := state.get("opened"):
                    self._visitors.trust(opened)
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if message["status"] >= 400 or not scope["path"].startswith(("/static/", "/media/")):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        refused = self._refused(scope)
        if refused is None and scope["method"] not in ("GET", "HEAD"):
            try:
                async with asyncio.timeout(self._body_s):
                    body = await _whole(receive)
            except TimeoutError:
                refused = _refusal(408, "Too slow.")
            except ClientDisconnect:
                # Half a form may look like a whole one: none of it is kept.
                return
            else:
                refused = _refusal(413, "Too much at once.") if body is None else None
                receive = _again(body or b"", receive)
        await (refused or self.app)(scope, receive, with_headers)

    def _refused(self, scope: Scope) -> PlainTextResponse | None:
        if scope["path"].startswith("/static/"):
            return None
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 9 or int(length) > MAX_BODY:
            return _refusal(413, "Too much at once.")
        # What opens a link has no token yet, or one of somebody else.
        opens = scope["path"].startswith(("/r/", "/o/"))
        address = (scope.get("client") or ("",))[0]
        wait = self._visitors.wait(() if opens else claimed(headers, self._cookies), address)
        if wait:
            return PlainTextResponse(
                "Too many requests; try again in a moment.", 429, headers={"retry-after": str(wait)}
            )
        return None


def _refusal(status: int, text: str) -> PlainTextResponse:
    """Ends the connection: what else comes on it is not read."""
    return PlainTextResponse(text, status, headers={"connection": "close"})


async def _whole(receive: Receive) -> bytes | None:
    """The body, None where it is too long. Raises ClientDisconnect where its end does not come."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that hands over the body once, then what the connection says (that it closed)."""
    told = False

    async def first() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return first
