"""A small share of the server's time for what can wait, whoever asks for it, and however many do."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

SHARE = 0.1  # of the time of the event loop


class Sparing:
    """Lets one in after the other, with a pause that is as many times as long as what was just done."""

    def __init__(self, share: float = SHARE) -> None:
        self._pause = 1 / share - 1
        self._busy = asyncio.Lock()  # whoever has waited longest is next

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """What is done in here counts."""
        await self._busy.acquire()
        began = time.perf_counter()
        try:
            yield
        finally:
            used = time.perf_counter() - began
            asyncio.get_running_loop().call_later(used * self._pause, self._busy.release)
