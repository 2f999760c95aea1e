"""The store's engine room: a database, a thread that writes to it and one that reads.

Whatever has piled up while the last commit was on its way to the disk goes into the next one (group commit): whoever
awaits a write continues only when it would survive the loss of power. What is asked is in `queries.py`, the tables are in
`schema.py`; `sqlite.py` and `postgres.py` know how each database is opened, committed to and found again.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import pathlib
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from . import sqlite
from .database import Call, Database, Outcome
from .settings import is_address

MOST_AT_ONCE = 512  # writes in one commit
GATHER = 0.001  # seconds a commit waits for company: on a busy server a commit for each move costs more than the moves
LONGEST = 0.01  # ... and up to so many where the last one had much of it

T = TypeVar("T")
Job = tuple[Call, "asyncio.Future[Any]", asyncio.AbstractEventLoop]


def database_at(place: pathlib.Path | str, alone: bool) -> Database:
    """The database with this address, or in this file."""
    if is_address(place):
        from . import postgres  # an extra: only who has an address needs the driver

        return postgres.Postgres(str(place))
    return sqlite.Sqlite(pathlib.Path(place), alone)


class Store:
    """The database, with one thread that writes and one that reads; `alone`: no other server may have the file open."""

    def __init__(self, place: pathlib.Path | str, alone: bool = True) -> None:
        self._database = database_at(place, alone)
        self.on_commit: Callable[[int, float], None] = lambda writes, seconds: None  # called by the thread that writes
        self._piles: dict[asyncio.AbstractEventLoop, list[Job]] = {}  # what waits for company
        self._wait = GATHER
        self._jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._writer = threading.Thread(target=self._write_all, name="store-writer", daemon=True)
        self._writer.start()
        self._closed = False

    @property
    def shared(self) -> bool:
        """Whether other servers write to it too."""
        return self._database.shared

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What is raised when the database fails: the disk is full, say."""
        return self._database.errors

    def close(self) -> None:
        """Writes what is left and closes the database."""
        if self._closed:
            return
        self._closed = True
        for loop in list(self._piles):
            self._hand_over(loop)
        self._jobs.put(None)
        self._writer.join()
        self._reader.shutdown()
        self._database.close()

    # ── One thread writes ────────────────────────────────────

    async def write(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` in the next commit; returns when that is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        pile = self._piles.get(loop)
        if pile is None:
            pile = self._piles[loop] = []
            loop.call_later(self._wait, self._hand_over, loop)
        pile.append(((job, arguments), done, loop))
        return await done

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Gives what has piled up to the thread that writes, which is woken once for all of it."""
        pile = self._piles.pop(loop, None)
        if pile:
            self._jobs.put(pile)

    def _write_all(self) -> None:
        closing = False
        while not closing:
            jobs, closing = self._gathered()
            self._wait = min(GATHER * (2 * len(jobs) - 1), max(GATHER, LONGEST)) if jobs else GATHER
            for first in range(0, len(jobs), MOST_AT_ONCE):
                some = jobs[first : first + MOST_AT_ONCE]
                began = time.perf_counter()
                outcomes = self._commit([call for call, _, _ in some])
                self.on_commit(len(some), time.perf_counter() - began)
                _deliver_all(some, outcomes)

    def _gathered(self) -> tuple[list[Job], bool]:
        """Waits for jobs, and takes all that have piled up; true if there will be no more."""
        jobs: list[Job] = []
        pile = self._jobs.get()
        while pile is not None:
            jobs += pile
            try:
                pile = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False
        return jobs, True

    def _commit(self, calls: list[Call]) -> list[Outcome]:
        """One commit; if it fails (the disk is full, say) nothing of it has happened, and each job is told so."""
        try:
            return self._database.commit(calls)
        except Exception as error:
            return [(None, error) for _ in calls]

    # ── Without a server ─────────────────────────────────────

    def now(self, job: Callable[..., T], *arguments: Any) -> T:
        """As `write`, for a program without an event loop."""
        return asyncio.run(self.write(job, *arguments))

    def shrink(self) -> None:
        """Gives the room of what was deleted back to the disk."""
        self._database.shrink()

    # ── Another reads ────────────────────────────────────────

    async def read(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` on what has been committed."""
        return await asyncio.get_running_loop().run_in_executor(
            self._reader, functools.partial(self._database.read, (job, arguments))
        )


def _deliver_all(jobs: list[Job], outcomes: list[Outcome]) -> None:
    """Hands the outcomes of one commit over to whoever awaits them, waking each loop once."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Outcome]]] = {}
    for (_, done, loop), outcome in zip(jobs, outcomes, strict=True):
        loops.setdefault(loop, []).append((done, outcome))
    for loop, theirs in loops.items():
        with contextlib.suppress(RuntimeError):  # that loop is closed: nobody awaits any more
            loop.call_soon_threadsafe(_deliver, theirs)


def _deliver(outcomes: list[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for done, (value, error) in outcomes:
        if done.cancelled():
            continue
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)
