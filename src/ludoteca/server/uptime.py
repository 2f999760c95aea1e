"""When the house was up: each server says every two seconds that it is, as long as a clock runs anywhere.

Clocks stand still while no server is up. A server that was suspended (a laptop that slept) was not up either: it notices the
gap in its own signs and begins anew. Where there are several servers, the house is up while any of them is.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
from collections.abc import Callable

from .clock_rows import find_spans, open_house, still_open
from .clocks import Up
from .store import Store

BEAT = 2.0  # seconds between two signs
ASLEEP = 10.0  # seconds without a sign of our own after which the house counts as closed in between


class Uptime:
    """When this house was up, as this server knows it."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock
        self._me = ""
        self._since = self._last = clock()
        self.up = Up.of([(self._since, math.inf)])  # until `begin` has read what was before
        self.version = 0  # of `up`: changes when something about the past does

    async def begin(self) -> None:
        """This server is up from now on."""
        self._me, self._since = secrets.token_hex(6), self._clock()
        self._last = self._since
        await self._store.write(open_house, self._me, self._since)
        await self._read()

    async def _read(self) -> None:
        """What others have said matters up to our own beginning: from then on, we know."""
        spans = await self._store.read(find_spans)
        before = [(since, min(until, self._since)) for server, since, until in spans if server != self._me]
        up = Up.of([*(span for span in before if span[0] < self._since), (self._since, math.inf)])
        if up != self.up:
            self.up, self.version = up, self.version + 1

    async def beat(self) -> None:
        """Forever: says that this server is up."""
        while True:
            await asyncio.sleep(BEAT)
            await self.sign()

    async def notice_sleep(self) -> bool:
        """Begins anew if this server was suspended; ask before you believe that a clock has run out."""
        asleep = self._clock() - self._last > ASLEEP
        if asleep:
            await self.begin()
        return asleep

    async def sign(self) -> None:
        """Says it once."""
        if await self.notice_sleep():
            return
        self._last = self._clock()
        await self._store.write(still_open, self._me, self._since, self._last)
        if self._store.shared:
            await self._read()

    async def close(self) -> None:
        """The last sign."""
        with contextlib.suppress(Exception):
            await self._store.write(still_open, self._me, self._since, self._clock())
