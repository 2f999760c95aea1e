"""Limits: how often, and how many in a time.

`Limit` is counted by the store, in the transaction of what is limited: neither parallel requests nor a new connection nor a
restart get around it. `Rate` and `PerMinute` protect one process and are counted in its memory.
"""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import secrets
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

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
    """How many of each name (an address, a guest) in this minute."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._minute = 0
        self._counts: Counter[str] = Counter()

    def _now(self) -> Counter[str]:
        minute = int(self._clock() // 60)
        if minute != self._minute:
            self._minute = minute
            self._counts.clear()
        return self._counts

    def add(self, name: str) -> None:
        """Counts one more."""
        self._now()[name] += 1

    def full(self, name: str) -> bool:
        """Whether this name has had all that it may have."""
        return self._now()[name] >= self._most
