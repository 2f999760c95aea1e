"""How often somebody may ask: so many requests a minute of one guest, and of one household together.

Both are generous: a family with all its tabs stays far below. They are there for programs that ask without a pause.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from .allowance import Allowances
from .refusals import TooMuch
from .settings import Settings

A_MINUTE = 60.0

# What a request counts, beside one for an ordinary one:
CHANGES = 3  # it changes something, or opens a socket
DEAR = 5  # it looks back at a whole game


class Pace:
    """Counts requests, and refuses those that come too fast."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        guest, home = settings.requests_a_minute, settings.requests_a_minute_an_address
        self._guests = Allowances(guest, guest / A_MINUTE)
        self._homes = Allowances(home, home / A_MINUTE)
        self._clock = clock

    def check(self, home: str, guest: str | None, cost: int = 1) -> None:
        """Counts a request of a guest; people unknown of one household count as one guest."""
        now = self._clock()
        mine, ours = self._guests.of(guest or home, now), self._homes.of(home, now)
        if mine.wait(cost, now) or ours.wait(cost, now):
            raise TooMuch("too_fast")
        mine.spend(cost)
        ours.spend(cost)
