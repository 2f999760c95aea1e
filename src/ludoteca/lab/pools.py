"""Where many independent jobs are done: in this process, on a pool of processes, or on a Dask cluster.

    with Workers(processes=4) as workers:
        for result in workers.in_order(work, jobs): …

A job gives the same result wherever, and however often, it is done, and results come in the order of the jobs. So the place
changes nothing but the time, and what a worker had in hand when it was killed is simply done again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from ludoteca.core.errors import BadData

Job = TypeVar("Job")
Done = TypeVar("Done")

LARGEST = 8  # jobs handed to a worker at once
PATIENCE = 3  # how often in a row workers may die before anything is finished
SECONDS = 30  # to wait for a cluster


class Workers:
    """Whoever does the jobs: a Dask cluster if there is an address, else so many processes, or just this one."""

    def __init__(self, processes: int = 1, cluster: str | None = None) -> None:
        self.processes, self.cluster = processes, cluster
        self._pool: ProcessPoolExecutor | None = None
        self._client: Any = None

    def __enter__(self) -> Workers:
        if self.cluster:
            self._client = connect(self.cluster)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._client is not None:
            self._client.close()

    @contextlib.contextmanager
    def beside(self) -> Iterator[Executor]:
        """Processes that do something else meanwhile: those of the pool, or one of its own."""
        if self.processes > 1 and not self.cluster:
            yield self._own_pool()
            return
        with new_pool(1) as other:
            yield other

    def _own_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = new_pool(self.processes)
        return self._pool

    def in_order(self, work: Callable[[Job], Done], jobs: Sequence[Job]) -> Iterator[Done]:
        """The results as they come, in the order of the jobs."""
        if self._client is not None:
            yield from in_their_order(self._on_cluster(work, cut(jobs, LARGEST)))
        elif min(self.processes, len(jobs)) > 1:
            size = max(1, min(LARGEST, len(jobs) // (4 * self.processes)))
            yield from in_their_order(self._on_processes(work, cut(jobs, size)))
        else:
            yield from map(work, jobs)

    def _on_processes(
        self, work: Callable[[Job], Done], parcels: list[Sequence[Job]]
    ) -> Iterator[tuple[int, list[Done]]]:
        """One process that is killed takes the whole pool with it: what is missing goes to a new pool."""
        missing = dict(enumerate(parcels))
        deaths = 0
        while missing:
            pool = self._own_pool()
            try:
                given = {pool.submit(do_all, work, parcel): n for n, parcel in missing.items()}
                for ready in as_completed(given):
                    done = ready.result()
                    del missing[given[ready]]
                    deaths = 0
                    yield given[ready], done
            except BrokenProcessPool:
                self._pool = None
                deaths += 1
                if deaths >= PATIENCE:
                    raise BadData(
                        "The worker processes die as soon as they start: is there memory enough? "
                        "(A script that runs an arena needs «if __name__ == '__main__':».)",
                        "no_workers",
                    ) from None

    def _on_cluster(
        self, work: Callable[[Job], Done], parcels: list[Sequence[Job]]
    ) -> Iterator[tuple[int, list[Done]]]:
        """The scheduler gives the parcels of a lost worker to others."""
        from distributed import KilledWorker
        from distributed import as_completed as as_they_come

        deaths = [0] * len(parcels)
        given = {self._client.submit(do_all, work, parcel, pure=False): n for n, parcel in enumerate(parcels)}
        arriving = as_they_come(list(given), loop=self._client.loop)
        for ready in arriving:
            number = given.pop(ready)
            try:
                yield number, ready.result()
            except KilledWorker:  # it was in the hands of several that died: perhaps by chance
                deaths[number] += 1
                if deaths[number] >= PATIENCE:
                    raise BadData(f"The workers of {self.cluster} die while they play.", "no_workers") from None
                again = self._client.submit(do_all, work, parcels[number], pure=False)
                given[again] = number
                arriving.add(again)


def new_pool(processes: int) -> ProcessPoolExecutor:
    """So many fresh processes."""
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))


def cut(jobs: Sequence[Job], size: int) -> list[Sequence[Job]]:
    """The jobs in parcels."""
    return [jobs[first : first + size] for first in range(0, len(jobs), size)]


def in_their_order(arriving: Iterator[tuple[int, list[Done]]]) -> Iterator[Done]:
    """The contents of numbered parcels that arrive in any order."""
    waiting: dict[int, list[Done]] = {}
    following = 0
    for number, parcel in arriving:
        waiting[number] = parcel
        while following in waiting:
            yield from waiting.pop(following)
            following += 1


def do_all(work: Callable[[Job], Done], parcel: Sequence[Job]) -> list[Done]:
    """What a worker does."""
    return [work(job) for job in parcel]


def connect(address: str) -> Any:
    """A client of the Dask cluster at this address."""
    try:
        from distributed import Client
    except ImportError:
        raise BadData("A cluster needs Dask: pip install 'ludoteca[cluster]'.", "no_cluster") from None
    try:
        client = Client(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:  # a TimeoutError is an OSError
        raise BadData(f"There is no Dask scheduler at {address}: {error}", "no_cluster") from None
    try:
        client.wait_for_workers(1, timeout=SECONDS)
    except OSError:
        client.close()
        raise BadData(f"The Dask cluster at {address} has no workers.", "no_cluster") from None
    return client
