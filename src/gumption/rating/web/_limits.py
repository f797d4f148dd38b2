"""How often anybody may ask: a budget for every link that opens something, and one for every address."""

from __future__ import annotations

import hashlib
import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from msgspec import Struct

__all__ = ["Limits", "Visitors"]

MAX_KNOWN = 20_000
"""Callers whose requests are counted; the one not seen for longest is forgotten first."""


class Limits(Struct, frozen=True):
    """Requests a minute, and how long one may take to arrive."""

    per_token: int = 600
    """Of one personal link: an autosave a second and the pages around it."""
    per_address: int = 240
    """Without a link, or opening one: a class of fifty behind one address comes in within a minute."""
    body_s: float = 30.0
    """Seconds for the whole of a form to arrive."""


class Visitors:
    """Counts requests in the current minute. Tokens are known by their hashes only."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._seen: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._trusted: OrderedDict[str, None] = OrderedDict()
        """Tokens that opened something: an address cannot hide behind tokens it makes up."""
        self._lock = threading.Lock()

    def wait(self, claimed: Iterable[str], address: str) -> int:
        """Counts one more request; the seconds to wait where it is one too many, else 0."""
        with self._lock:
            known = next((token for token in map(_hash, claimed) if token in self._trusted), "")
            if known:
                return self._add(known, self._limits.per_token)
            return self._add(_network(address), self._limits.per_address)

    def trust(self, token: str) -> None:
        """The token opened something: its requests have a budget of their own from now on."""
        with self._lock:
            self._trusted[_hash(token)] = None
            self._trusted.move_to_end(_hash(token))
            if len(self._trusted) > MAX_KNOWN:
                self._trusted.popitem(last=False)

    def _add(self, caller: str, most: int) -> int:
        now = self._clock()
        minute = int(now // 60)
        before, count = self._seen.pop(caller, (minute, 0))
        count = count + 1 if before == minute else 1
        self._seen[caller] = minute, count
        if len(self._seen) > MAX_KNOWN:
            self._seen.popitem(last=False)
        return int(60 - now % 60) + 1 if count > most else 0


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _network(address: str) -> str:
    """The address, and of IPv6 the network of 2^64 addresses that one customer has to choose from."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or ipaddress.ip_network((int(found) >> 64 << 64, 64)))
    return str(found)
