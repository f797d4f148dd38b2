"""One file over HTTP, to disk, taken up where it was interrupted."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from pathlib import Path
from typing import BinaryIO, cast

from gumption.benchmarks._hub.remote import unreachable

__all__ = ["get", "save"]

_ATTEMPTS = 5
_TIMEOUT_S = 60.0
_PIECE = 2**20
_ERRORS = (OSError, http.client.HTTPException)


class _CutShortError(OSError):
    """The connection ended before the file did."""


def get(url: str, where: str, get_from: str, *, accept: str = "*/*", limit: int = 64 * 2**20) -> bytes:
    """A small answer. Raises GumptionError where it cannot be had or is over `limit` bytes."""
    try:
        with _open(url, {"Accept": accept}) as response:
            data = response.read(limit + 1)
            length = cast(http.client.HTTPResponse, response).headers.get("Content-Length")
            if length is not None and len(data) < min(int(length), limit + 1):
                raise _CutShortError(f"the connection ended after {len(data):,} of {int(length):,} bytes")
    except _ERRORS as error:
        raise unreachable(where, error, get_from) from error
    if len(data) > limit:
        raise unreachable(where, f"{url} is over {limit // 2**20} MiB", get_from)
    return data


def save(url: str, path: Path, where: str, get_from: str) -> None:
    """Download to `path`, which is there whole or not at all; what came so far is in `path`.part.

    A connection that breaks is taken up a few times. Resuming asks for the rest of the same address, so what
    arrives must be checked against a checksum by the caller. Raises GumptionError where it cannot be had.
    """
    part = path.with_name(f"{path.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            _append(url, part)
            break
        except urllib.error.HTTPError as error:
            raise unreachable(where, f"{url}: {error}", get_from) from error
        except _ERRORS as error:
            if attempt == _ATTEMPTS:
                raise unreachable(where, f"{url}: {error}", get_from) from error
    part.replace(path)


def _append(url: str, part: Path) -> None:
    start = part.stat().st_size if part.exists() else 0
    with _open(url, {"Range": f"bytes={start}-"} if start else {}) as response:
        kept = cast(http.client.HTTPResponse, response)
        resumed = kept.status == http.HTTPStatus.PARTIAL_CONTENT
        length = kept.headers.get("Content-Length")
        with part.open("ab" if resumed else "wb") as stream:
            received = 0
            while piece := response.read(_PIECE):
                stream.write(piece)
                received += len(piece)
    if length is not None and received < int(length):
        raise _CutShortError(f"the connection ended after {received:,} of {int(length):,} bytes")


def _open(url: str, headers: dict[str, str]) -> BinaryIO:
    if not url.startswith(("https://", "http://")):
        raise urllib.error.URLError(f"{url!r} is no web address")
    request = urllib.request.Request(url, headers={"User-Agent": "gumption", **headers})  # noqa: S310
    try:
        return cast(BinaryIO, urllib.request.urlopen(request, timeout=_TIMEOUT_S))  # noqa: S310 - checked above
    except urllib.error.HTTPError as error:
        error.close()  # it holds the connection
        raise
