"""What every request passes: limits on size and rate, and the headers that keep a page to itself."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["COOKIES", "Guard", "Limits"]

COOKIES = {"rater": "gumption_rater", "organiser": "gumption_organiser"}
"""The cookie that keeps a token, by what the token opens."""
MAX_BODY = 64 * 1024
"""Bytes. A comment of 4,000 letters takes at most 24 kB as a form."""
MAX_KNOWN = 20_000
"""Callers whose requests are counted; the one not seen for longest is forgotten first."""

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


class Limits(Struct, frozen=True):
    """Requests a minute."""

    per_token: int = 600
    """Of one personal link: an autosave a second and the pages around it."""
    per_address: int = 240
    """Without a link, or opening one: a class of fifty behind one address comes in within a minute."""


class Guard:
    """Wraps the application; pure ASGI, so that media are streamed."""

    def __init__(self, app: ASGIApp, *, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self._limits = limits
        self._counted = _Counted(clock)
        self._trusted: OrderedDict[str, None] = OrderedDict()
        """Hashes of tokens that opened something: an address cannot hide behind tokens it makes up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        token = _token(scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if token and message["status"] < 400:
                    self._trust(token)
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith(("/static/", "/media/")):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        refused = self._refused(scope, token)
        if refused is not None:
            await refused(scope, receive, with_headers)
            return
        body = await _whole(receive) if scope["method"] not in ("GET", "HEAD") else b""
        if body is None:
            await PlainTextResponse("Too much at once.", 413)(scope, receive, with_headers)
            return
        await self.app(scope, _again(body, receive), with_headers)

    def _refused(self, scope: Scope, token: str) -> PlainTextResponse | None:
        if scope["path"].startswith("/static/"):
            return None
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or len(length) > 9 or int(length) > MAX_BODY:
            return PlainTextResponse("Too much at once.", 413)
        if token in self._trusted:
            wait = self._counted.add(token, self._limits.per_token)
        else:
            wait = self._counted.add((scope.get("client") or ("",))[0], self._limits.per_address)
        if wait:
            return PlainTextResponse(
                "Too many requests; try again in a moment.", 429, headers={"retry-after": str(wait)}
            )
        return None

    def _trust(self, token: str) -> None:
        self._trusted[token] = None
        if len(self._trusted) > MAX_KNOWN:
            self._trusted.popitem(last=False)


class _Counted:
    """Requests of each caller in the current minute."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, caller: str, most: int) -> int:
        """Counts one more; the seconds to wait where it is one too many, else 0."""
        now = self._clock()
        minute = int(now // 60)
        with self._lock:
            before, count = self._seen.pop(caller, (minute, 0))
            count = count + 1 if before == minute else 1
            self._seen[caller] = minute, count
            if len(self._seen) > MAX_KNOWN:
                self._seen.popitem(last=False)
        return int(60 - now % 60) + 1 if count > most else 0


def _token(scope: Scope) -> str:
    """A hash of the token that a request claims, "" if it claims none or opens a link."""
    if scope["path"].startswith(("/r/", "/o/", "/static/")):
        return ""
    headers = Headers(scope=scope)
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    cookies = cookie_parser(headers.get("cookie", ""))
    named = [bearer] if scheme.lower() == "bearer" else [cookies.get(name, "") for name in COOKIES.values()]
    token = next(filter(None, named), "")
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


async def _whole(receive: Receive) -> bytes | None:
    """The body, None where it is too long."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
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
