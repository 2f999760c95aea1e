"""A fair queue: who is next when a place is free (start-time fair queueing).

Everybody has a clock of their own that goes on by what their jobs cost, and the job whose end comes first by these clocks
is next. So cheap jobs overtake dear ones without starving them, and one guest with fifty slow games delays a stranger by
one job, not by fifty.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Turn:
    """Whose job it is and what it costs."""

    whose: str = ""  # a guest, or whatever should have its fair share
    cost: float = 1.0


ANYBODY = Turn()


@dataclass(eq=False)
class Waiting:
    """One job in the queue."""

    start: float  # by its owner's clock
    end: float
    number: int
    ready: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Gives out so many places at once: `async with queue.turn(Turn("anna", 4)): …`."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: list[Waiting] = []
        self._now = 0.0  # the start of the last job that got a place
        self._clocks: dict[str, float] = {}  # the end of everybody's last job; only those ahead of `_now`
        self._numbers = itertools.count()

    @contextlib.asynccontextmanager
    async def turn(self, turn: Turn) -> AsyncIterator[None]:
        """A place, when it is this one's turn."""
        await self._enter(turn)
        try:
            yield
        finally:
            self._free += 1
            self._next()

    async def _enter(self, turn: Turn) -> None:
        start = max(self._now, self._clocks.get(turn.whose, 0.0))
        waiting = Waiting(start, start + turn.cost, next(self._numbers))
        self._clocks[turn.whose] = waiting.end
        self._waiting.append(waiting)
        self._next()
        try:
            await waiting.ready
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:  # it had been given a place already
                self._free += 1
                self._next()
            raise

    def _next(self) -> None:
        while self._free and self._waiting:
            first = min(self._waiting, key=lambda waiting: (waiting.end, waiting.number))
            self._waiting.remove(first)
            self._free -= 1
            self._now = max(self._now, first.start)
            first.ready.set_result(None)
        if not self._waiting:
            self._clocks = {whose: end for whose, end in self._clocks.items() if end > self._now}

    def __len__(self) -> int:
        return len(self._waiting)
