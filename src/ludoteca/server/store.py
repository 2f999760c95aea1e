"""The store's engine room: one SQLite file, a thread that writes and one that reads.

Whatever has piled up while the last commit was on its way to the disk goes into the next one (group commit, WAL,
synchronous=FULL): whoever awaits a write continues only when it would survive the loss of power. What is asked is in
`queries.py`, the tables are in `schema.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import pathlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from .lock import Lock
from .opening import connected, in_words, lasting, opened

MOST_AT_ONCE = 512  # writes in one commit
GATHER = 0.001  # seconds a commit waits for company: on a busy server a commit for each move costs more than the moves

T = TypeVar("T")
Job = tuple[Callable[..., Any], tuple[Any, ...], "asyncio.Future[Any]", asyncio.AbstractEventLoop]


class Unwritten(Exception):
    """Raised by a job that does not fit what the store holds, before it has written anything."""


class Store:
    """The file, with one thread that writes and one that reads; `alone`: no other server may have it open."""

    def __init__(self, path: pathlib.Path | str, alone: bool = True) -> None:
        self.path = pathlib.Path(path)
        with in_words(self.path):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = Lock(self.path) if alone else None
        try:
            self._write_to, self._read_from = self._open_both()
        except BaseException:
            self._release()
            raise
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._writer = threading.Thread(target=self._write_all, name="store-writer", daemon=True)
        self._writer.start()
        self._closed = False

    def _open_both(self) -> tuple[sqlite3.Connection, sqlite3.Connection]:
        write_to = opened(self.path)
        read_from = connected(self.path)
        lasting(read_from)
        return write_to, read_from

    def close(self) -> None:
        """Writes what is left and closes the file."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._writer.join()
        self._reader.shutdown()
        self._read_from.close()
        self._write_to.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    # ── One thread writes ────────────────────────────────────

    async def write(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` in the next commit; returns when that is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put((job, arguments, done, loop))
        return await done

    def _write_all(self) -> None:
        closing = False
        while not closing:
            jobs, closing = self._gather()
            if jobs:
                _deliver_all(self._commit(jobs))

    def _gather(self) -> tuple[list[Job], bool]:
        """Waits for a job and takes all that have piled up with it; true if there will be no more."""
        jobs: list[Job] = []
        job = self._jobs.get()
        if job is not None:
            time.sleep(GATHER)
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST_AT_ONCE:
                return jobs, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False
        return jobs, True

    def _commit(self, jobs: list[Job]) -> list[tuple[Job, Any, BaseException | None]]:
        """One transaction. A job that fails leaves no trace; a commit that fails fails them all."""
        connection = self._write_to
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [(job, *self._attempt(connection, job)) for job in jobs]
            connection.execute("COMMIT")
            return outcomes
        except (
            Exception
        ) as error:  # the disk is full, say: nothing of this commit has happened, and each job is told so
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return [(job, None, error) for job in jobs]

    def _attempt(self, connection: sqlite3.Connection, job: Job) -> tuple[Any, BaseException | None]:
        try:
            return job[0](connection, *job[1]), None
        except Unwritten as refused:
            return None, refused

    # ── Without a server ─────────────────────────────────────

    def now(self, job: Callable[..., T], *arguments: Any) -> T:
        """As `write`, for a program without an event loop."""
        return asyncio.run(self.write(job, *arguments))

    def shrink(self) -> None:
        """Gives the room of what was deleted back to the disk."""
        self._write_to.execute("VACUUM")

    # ── Another reads ────────────────────────────────────────

    async def read(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` on what has been committed."""
        return await asyncio.get_running_loop().run_in_executor(
            self._reader, functools.partial(job, self._read_from, *arguments)
        )


def _deliver_all(outcomes: list[tuple[Job, Any, BaseException | None]]) -> None:
    """Hands the outcomes of one commit over to whoever awaits them, waking each loop once."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[Job, Any, BaseException | None]]] = {}
    for outcome in outcomes:
        loops.setdefault(outcome[0][3], []).append(outcome)
    for loop, theirs in loops.items():
        with contextlib.suppress(RuntimeError):  # that loop is closed: nobody awaits any more
            loop.call_soon_threadsafe(_deliver, theirs)


def _deliver(outcomes: list[tuple[Job, Any, BaseException | None]]) -> None:
    for (_, _, done, _), value, error in outcomes:
        if done.cancelled():
            continue
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)
