"""Limits: how often, and how many in a minute."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable


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
