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
GATHER = (
    0.001  # seconds a commit waits for company: on a busy server a commit for each move costs more than the moves ...
)
LONGER = 0.004  # ... and so many if the last one had some

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
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
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
        self._jobs.put(None)
        self._writer.join()
        self._reader.shutdown()
        self._database.close()

    # ── One thread writes ────────────────────────────────────

    async def write(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` in the next commit; returns when that is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put(((job, arguments), done, loop))
        return await done

    def _write_all(self) -> None:
        closing, wait = False, GATHER
        while not closing:
            jobs, closing = self._gather(wait)
            wait = max(GATHER, LONGER) if len(jobs) > 1 else GATHER
            if jobs:
                began = time.perf_counter()
                outcomes = self._commit([call for call, _, _ in jobs])
                self.on_commit(len(jobs), time.perf_counter() - began)
                _deliver_all(jobs, outcomes)

    def _gather(self, wait: float) -> tuple[list[Job], bool]:
        """Waits for a job, and as long for others, and takes all that have piled up; true if there will be no more."""
        jobs: list[Job] = []
        job = self._jobs.get()
        if job is not None:
            time.sleep(wait)
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST_AT_ONCE:
                return jobs, False
            try:
                job = self._jobs.get_nowait()
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
