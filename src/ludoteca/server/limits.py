"""Limits: how often, and how many in a time.

`Limit` is counted by the store, in the transaction of what is limited: neither parallel requests nor a new connection nor a
restart get around it. `Rate` and `PerMinute` protect one process and are counted in its memory.
"""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

A_MINUTE = 60.0
_key = secrets.token_bytes(16)  # until the house has given its own: addresses are not kept


@dataclass(frozen=True)
class Limit:
    """So many of something for one guest or address, in so many seconds."""

    what: str
    who: str
    most: int
    seconds: float = 0.0


def hide_behind(key: bytes) -> None:
    """From now on addresses are hidden as they were before a restart, and as other servers of this house hide them."""
    global _key
    _key = key


def unmapped(address: str) -> str:
    """The same address, in the one way that it is compared in: one of IPv4 can come as one of IPv6 (::ffff:192.0.2.1)."""
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(number, "ipv4_mapped", None) or number)


def household(address: str) -> str:
    """Where somebody comes from, as it may be stored: hashed; a network of IPv6 counts as one address."""
    return _hidden(address, _key)


@functools.lru_cache(maxsize=1024)  # it is asked several times in each request
def _hidden(address: str, key: bytes) -> str:
    try:
        number = ipaddress.ip_address(unmapped(address))
        place = number.packed[:8] if number.version == 6 else number.packed
    except ValueError:
        place = address.encode()
    return hashlib.blake2b(place, key=key, digest_size=12).hexdigest()


class Rate:
    """How many in how many seconds."""

    def __init__(self, limits: tuple[tuple[int, float], ...]) -> None:
        self._limits = limits
        self._times: deque[float] = deque(maxlen=max(count for count, _ in limits))

    def allows(self, now: float) -> bool:
        """Counts one more, if it may be."""
        times = self._times
        for count, seconds in self._limits:
            if len(times) >= count and now - times[-count] < seconds:
                return False
        times.append(now)
        return True


class PerMinute:
    """How many of each name (an address, a guest) in a minute, which begins with the first of them."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._minutes: dict[str, tuple[float, int]] = {}  # when it began and how many, the oldest first

    def _now(self, name: str) -> tuple[float, int]:
        """The minute of this name; those that are over are forgotten."""
        now = self._clock()
        while self._minutes and not 0.0 <= now - next(iter(self._minutes.values()))[0] < A_MINUTE:
            del self._minutes[next(iter(self._minutes))]
        began, count = self._minutes.get(name, (now, 0))
        return (began, count) if 0.0 <= now - began < A_MINUTE else (now, 0)

    def add(self, name: str) -> None:
        """Counts one more."""
        began, count = self._now(name)
        if not count:
            self._minutes.pop(name, None)  # it goes to the end, behind all that began before
        self._minutes[name] = began, count + 1

    def full(self, name: str) -> bool:
        """Whether this name has had all that it may have."""
        return self._now(name)[1] >= self._most
