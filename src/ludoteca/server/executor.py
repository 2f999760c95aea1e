"""Heavy work never runs in the event loop: it goes through a `concurrent.futures.Executor`, and nothing else.

A pool of processes by default; anything with the same interface will do, and `cluster.py` has a cluster of machines behind
it. A job that takes too long is given up here, and its process is ended by its own alarm clock, even inside compiled code.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

from .queue import ANYBODY, FairQueue, Turn

T = TypeVar("T")
TRIES = 3  # of a job whose worker is killed
STARTING = 60.0  # seconds that a new worker may take until it is there
GRACE = 1.0  # seconds between giving a job up and ending its process
MEMORY = 4 << 30  # bytes a worker may use


class Overrun(Exception):
    """The job took too long."""


def processes(count: int) -> Executor:
    """A pool of processes, started afresh (a fork of a server with threads would be unsafe)."""
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_prepare)


class Runner(Protocol):
    """Whoever runs jobs: the processes of this machine, or a cluster with these as its refuge."""

    @property
    def waiting(self) -> int:
        """How many jobs wait for a free worker."""

    async def run(self, limit: float, job: Callable[..., T], *arguments: Any, turn: Turn = ANYBODY) -> T:
        """The job's result; `Overrun` after `limit` seconds (waiting for a free worker does not count)."""

    def look_again(self) -> None:
        """Somebody begins to wait for a job that was in the background."""

    def close(self) -> None:
        """Ends the workers."""


class Workers:
    """Runs jobs in other processes, at most `count` at once, in a fair order."""

    def __init__(self, count: int, make: Callable[[int], Executor] = processes) -> None:
        self.count = count
        self._make = make
        self._executor: Executor | None = None
        self._up: Future[None]  # done when the executor's first worker is there
        self._queue = FairQueue(count)
        self.started = asyncio.Event()  # or it could not be done
        self.on_job: Callable[[float, float], None] = lambda waited, seconds: None

    @property
    def waiting(self) -> int:
        """How many jobs wait for a free worker."""
        return len(self._queue)

    async def run(self, limit: float, job: Callable[..., T], *arguments: Any, turn: Turn = ANYBODY) -> T:
        """The job's result; `Overrun` after `limit` seconds (waiting for a free worker, or a new one, does not count)."""
        asked = time.perf_counter()
        async with self._queue.turn(turn):
            began = time.perf_counter()
            try:
                return await self._done(limit, job, *arguments)
            finally:
                self.on_job(began - asked, time.perf_counter() - began)

    async def start(self, job: Callable[..., Any], *arguments: Any) -> None:
        """Starts all workers, each with this job, before anybody waits for one."""
        executor = self._running()
        try:
            await asyncio.gather(*(asyncio.wrap_future(executor.submit(job, *arguments)) for _ in range(self.count)))
        except BrokenExecutor:
            self._replace(executor)
            raise
        finally:
            self.started.set()

    async def _done(self, limit: float, job: Callable[..., T], *arguments: Any) -> T:
        for _ in range(TRIES):
            executor = self._running()
            try:
                return await self._attempt(executor, limit, job, *arguments)
            except BrokenExecutor:  # a worker was killed, or ended by its alarm clock: once more, in a new pool
                self._replace(executor)
        raise Overrun

    def look_again(self) -> None:
        """Somebody begins to wait for a job that was in the background."""
        self._queue.look_again()

    async def _attempt(self, executor: Executor, limit: float, job: Callable[..., T], *arguments: Any) -> T:
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._up)), STARTING)
            future = asyncio.wrap_future(executor.submit(_limited, limit + GRACE, job, *arguments))
            return await asyncio.wait_for(future, limit)
        except TimeoutError:
            raise Overrun from None

    def _running(self) -> Executor:
        if self._executor is None:
            self._executor = self._make(self.count)
            self._up = self._executor.submit(_is_up)
        return self._executor

    def _replace(self, broken: Executor) -> None:
        """Another job of the same pool may have noticed before, and have a new one already."""
        if self._executor is broken:
            self.close()

    def close(self) -> None:
        """Ends the workers."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


def _is_up() -> None:
    """The first job of a new worker."""


def _prepare() -> None:
    """In a new worker: be polite, be small, leave Ctrl-C to the server, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        pass  # not everywhere


def _end_with_parent() -> None:
    """Ends this process when the server has ended, however it ended; compiled code does not keep it from that."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _limited(limit: float, job: Callable[..., T], *arguments: Any) -> T:
    """The job, with an alarm clock that ends the process."""
    if multiprocessing.parent_process() is None or not hasattr(signal, "setitimer"):
        return job(*arguments)  # in a thread of the server (a test's executor): only the waiting is limited
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        return job(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
