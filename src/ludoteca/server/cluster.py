"""Bots' thinking on a Dask cluster, with the processes of this machine as a refuge while the cluster is away.

`LUDOTECA_BOTS=tcp://scheduler:8786` names the cluster's scheduler; its workers need nothing but `ludoteca`. `Cluster` keeps
one connection and looks after it every few seconds; `ClusterWorkers` sends a job there if it can, and to the local pool
otherwise. Jobs may be done twice: what is lost on its way is simply done again.

`distributed` is used by its documented interface only. Its calls that wait for the network run in threads of their own,
never in the event loop; that goes for cancelling a future, too, which asks the scheduler and waits for its answer.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ludoteca.core.errors import BadData

from .executor import Workers
from .queue import ANYBODY, FairQueue, Turn

T = TypeVar("T")
ADDRESS = re.compile(r"(?:tcp|tls)://(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})")
LOOK_EVERY = 3.0  # seconds between two looks at the cluster, be it here or away
PATIENCE = 3.0  # seconds in which its scheduler must answer
NO_WORKERS = "it has no workers"
NOISY = ("distributed", "distributed.client", "tornado.application")  # loggers; what they tell, we tell in one line

log = logging.getLogger("ludoteca.cluster")


def check(address: str) -> str:
    """The address of a scheduler, if it can be one and there is a Dask to talk to it; otherwise a sentence."""
    found = ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found[1]) < 2**16:
        raise BadData(
            f"LUDOTECA_BOTS is a Dask scheduler, such as tcp://scheduler:8786; not «{address}».", "bad_setting"
        )
    if importlib.util.find_spec("distributed") is None:
        raise BadData('Bots on a cluster need Dask: pip install "ludoteca[cluster]"', "not_installed")
    return address


@dataclass(eq=False)
class Connection:
    """One connection to the cluster, from its making until it is lost."""

    client: Any  # distributed.Client
    executor: concurrent.futures.Executor
    lost: asyncio.Future[None]
    has_failed: bool = False  # in some job; the first time it is told


class Cluster:
    """Whether the cluster is here, and how many jobs it can do at once."""

    def __init__(self, address: str) -> None:
        self.address = check(address)
        self.connection: Connection | None = None
        self.threads = 0  # of all its workers; 0 while it is away
        self.changed: Callable[[], None] = lambda: None  # called when `threads` is another
        self.tried = asyncio.Event()  # whether it is here has been found out once
        self._away_was_told = False

    async def watch(self) -> None:
        """Looks for the cluster while it is away, and after it while it is here, every few seconds."""
        while True:
            await (self._look(self.connection) if self.connection else self._connect())
            self.tried.set()
            await asyncio.sleep(LOOK_EVERY)

    def lose(self, connection: Connection, why: object) -> None:
        """This connection is not used any more; the next look tries to make another."""
        if self.connection is not connection:
            return  # somebody else was quicker
        self.connection = None
        connection.lost.set_result(None)
        self._set_threads(0)
        self._tell_away(why)
        threading.Thread(target=end_client, args=[connection.client], daemon=True).start()

    async def close(self) -> None:
        """Ends the connection."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.lost.set_result(None)
            with contextlib.suppress(TimeoutError):  # the server ends, and its threads with it
                await in_a_thread(lambda: end_client(connection.client), 1.0)

    async def _connect(self) -> None:
        try:
            # A client that fails to connect leaves its thread behind, so an asynchronous one, which has none, tries first.
            threads = await in_a_thread(lambda: asyncio.run(count_threads(self.address)), 3 * PATIENCE)
            client = await in_a_thread(lambda: open_client(self.address), 3 * PATIENCE) if threads else None
        except Exception as error:
            self._tell_away(error)
            return
        if client is None:
            self._tell_away(NO_WORKERS)
            return
        lost = asyncio.get_running_loop().create_future()
        self.connection = Connection(client, client.get_executor(pure=False), lost)
        self._tell_here(threads)
        self._set_threads(threads)

    async def _look(self, connection: Connection) -> None:
        try:
            workers = await in_a_thread(connection.client.nthreads, PATIENCE)
        except Exception as error:
            self.lose(connection, error)
            return
        if workers:
            self._set_threads(sum(workers.values()))
        else:
            self.lose(connection, NO_WORKERS)

    def _set_threads(self, threads: int) -> None:
        if threads != self.threads:
            self.threads = threads
            self.changed()

    def _tell_here(self, threads: int) -> None:
        # The first time it is as it should be; later it answers a warning, so that whoever saw that sees this.
        level = logging.WARNING if self._away_was_told else logging.INFO
        log.log(level, "Bots think on the cluster at %s, which has %s threads.", self.address, threads)
        self._away_was_told = False

    def _tell_away(self, why: object) -> None:
        if not self._away_was_told:
            said = str(why) or "no answer"
            log.warning(
                "The cluster at %s is away (%s): bots think on this machine until it is back.", self.address, said
            )
        self._away_was_told = True


class ClusterWorkers:
    """Runs jobs on the cluster, as many at once as it has threads, in a fair order; without it, on this machine."""

    def __init__(self, cluster: Cluster, local: Workers) -> None:
        self._cluster = cluster
        self._local = local  # starts no process before its first job
        self._queue = FairQueue(local.count)
        cluster.changed = lambda: self._queue.resize(cluster.threads or local.count)

    @property
    def waiting(self) -> int:
        """How many jobs wait for a free worker, there or here."""
        return len(self._queue) + self._local.waiting

    async def run(self, limit: float, job: Callable[..., T], *arguments: Any, turn: Turn = ANYBODY) -> T:
        """The job's result; `Overrun` after `limit` seconds (waiting for a free worker does not count)."""
        await self._cluster.tried.wait()
        asked_for = time.perf_counter()
        async with self._queue.turn(turn):
            waited = time.perf_counter() - asked_for
            connection = self._cluster.connection
            given = self._give(connection, job, *arguments) if connection else None
            if connection is None or given is None:
                return await self._local.run(limit, job, *arguments, turn=turn)
            began = asyncio.get_running_loop().time()
            asked = quietly(asyncio.wrap_future(given))
            try:
                # A cluster that was lost, failed or is silent for half of the time: the other half is for this machine.
                either: list[asyncio.Future[Any]] = [asked, connection.lost]
                await asyncio.wait(either, timeout=limit / 2, return_when=asyncio.FIRST_COMPLETED)
                if self._answered(connection, asked):
                    self._local.on_job(
                        waited, time.perf_counter() - asked_for - waited
                    )  # counted as this machine's are
                    return asked.result()
                left = limit - (asyncio.get_running_loop().time() - began)
                local = asyncio.create_task(self._local.run(left, job, *arguments, turn=turn))
                return await self._sooner(connection, asked, local)
            finally:
                if not asked.done() and not connection.lost.done():
                    threading.Thread(target=given.cancel, daemon=True).start()

    def _give(
        self, connection: Connection, job: Callable[..., T], *arguments: Any
    ) -> concurrent.futures.Future[T] | None:
        """Sends a job to the cluster, if it takes it."""
        try:
            return connection.executor.submit(job, *arguments)
        except Exception as error:
            self._cluster.lose(connection, error)
            return None

    async def _sooner(self, connection: Connection, asked: asyncio.Future[T], local: asyncio.Task[T]) -> T:
        """What comes first: this machine's result, or the cluster's after all."""
        try:
            await asyncio.wait([asked, local], return_when=asyncio.FIRST_COMPLETED)
            if not local.done() and self._answered(connection, asked):
                return asked.result()
            return await local
        finally:
            local.cancel()

    def _answered(self, connection: Connection, asked: asyncio.Future[Any]) -> bool:
        """Whether the cluster has done a job; if it could not, why is told once."""
        if not asked.done():
            return False
        if asked.cancelled():  # by the client
            self._cluster.lose(connection, "the connection to its scheduler was lost")
            return False
        error = asked.exception()
        if error is None:
            return True
        if not connection.has_failed:
            log.warning(
                "The cluster at %s could not do a job (%s: %s); this machine does such jobs.",
                self._cluster.address,
                type(error).__name__,
                error,
            )
        connection.has_failed = True
        return False

    def look_again(self) -> None:
        """Somebody begins to wait for a job that was in the background."""
        self._queue.look_again()
        self._local.look_again()

    def close(self) -> None:
        """Ends the workers of this machine; the cluster's connection is closed by whoever made it."""
        self._local.close()


def quietly(future: asyncio.Future[T]) -> asyncio.Future[T]:
    """A future that nobody may be waiting for any more when it fails."""
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return future


async def in_a_thread(work: Callable[[], T], limit: float) -> T:
    """What `work` gives, if it does so in time; its thread is its own, so one that hangs keeps nobody from ending."""
    answer: concurrent.futures.Future[T] = concurrent.futures.Future()
    answer.set_running_or_notify_cancel()

    def run() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wait_for(asyncio.wrap_future(answer), limit)


# In these threads.


async def count_threads(address: str) -> int:
    """How many threads the workers of a cluster have."""
    from distributed import Client

    for name in NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = Client(address, asynchronous=True, set_as_default=False, timeout=PATIENCE)
    try:
        async with asyncio.timeout(PATIENCE):
            await client
            return sum((await client.nthreads()).values())
    finally:
        await client.close(timeout=PATIENCE)


def end_client(client: Any) -> None:
    """Closes a client; it is not needed any more, whatever it has to say."""
    with contextlib.suppress(Exception):
        client.close(PATIENCE)


def open_client(address: str) -> Any:
    """A client with a thread of its own."""
    from distributed import Client

    return Client(address, timeout=PATIENCE, set_as_default=False)
