"""A fair queue: who is next when a place is free (start-time fair queueing, in two classes).

Everybody has a clock of their own that goes on by what their jobs cost, and the job whose end comes first by these clocks
is next. So cheap jobs overtake dear ones without starving them, and one guest with fifty slow games delays a stranger by
one job, not by fifty.

A job that nobody waits for is in the background: it comes after all others, one at a time for each owner, and where there
is more than one place, one is kept free of such jobs. When somebody begins to wait for it, it is like the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field


def awaited() -> bool:
    """Somebody waits for it."""
    return False


@dataclass(frozen=True)
class Turn:
    """Whose job it is, what it costs, and whether it is (by now) one for the background."""

    whose: str = ""  # a guest, or whatever should have its fair share
    cost: float = 1.0
    in_background: Callable[[], bool] = awaited


ANYBODY = Turn()


@dataclass(eq=False)
class Job:
    """One job that waits or has a place."""

    turn: Turn
    start: float  # by its owner's clock
    end: float
    number: int
    ready: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """Gives out so many places at once: `async with queue.turn(Turn("anna", 4)): …`."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._free = places  # below zero: after a `resize`, more are at work than there are places
        self._most_behind = max(1, places - 1)  # places for the background
        self._waiting: list[Job] = []
        self._behind: dict[str, Job] = {}  # in the background and at work, by owner
        self._now = 0.0  # the start of the last job that got a place
        self._clocks: dict[tuple[str, bool], float] = {}  # the end of everybody's last job; only those ahead of `_now`
        self._numbers = itertools.count()

    def resize(self, places: int) -> None:
        """From now on so many places; whoever has one keeps it."""
        self._free += places - self._places
        self._places = places
        self._most_behind = max(1, places - 1)
        self.look_again()

    @contextlib.asynccontextmanager
    async def turn(self, turn: Turn) -> AsyncIterator[None]:
        """A place, when it is this one's turn."""
        job = await self._enter(turn)
        try:
            yield
        finally:
            self._leave(job)

    async def _enter(self, turn: Turn) -> Job:
        clock = turn.whose, turn.in_background()  # whoever has much in the background does not wait longer for the rest
        start = max(self._now, self._clocks.get(clock, 0.0))
        job = Job(turn, start, start + turn.cost, next(self._numbers))
        self._clocks[clock] = job.end
        self._waiting.append(job)
        self.look_again()
        try:
            await job.ready
        except asyncio.CancelledError:
            if job in self._waiting:
                self._waiting.remove(job)
            else:  # it had been given a place already
                self._leave(job)
            raise
        return job

    def _leave(self, job: Job) -> None:
        self._free += 1
        if self._behind.get(job.turn.whose) is job:
            del self._behind[job.turn.whose]
        self.look_again()

    def look_again(self) -> None:
        """Gives free places to those who are next; also to be called when somebody begins to wait for a job."""
        while self._free > 0 and (job := self._next()) is not None:
            self._waiting.remove(job)
            self._free -= 1
            self._now = max(self._now, job.start)
            if job.turn.in_background():
                self._behind[job.turn.whose] = job
            job.ready.set_result(None)
        if not self._waiting:
            self._clocks = {clock: end for clock, end in self._clocks.items() if end > self._now}

    def _next(self) -> Job | None:
        ranked = ((job.turn.in_background(), job.end, job.number, job) for job in self._waiting)
        behind, *_, job = min(ranked, default=(False, 0.0, 0, None))
        if not behind:
            return job
        return self._next_behind()

    def _next_behind(self) -> Job | None:
        if len(self._behind) >= self._most_behind:
            return None
        possible = (job for job in self._waiting if job.turn.whose not in self._behind)
        return min(possible, key=lambda job: (job.end, job.number), default=None)

    def __len__(self) -> int:
        return len(self._waiting)
