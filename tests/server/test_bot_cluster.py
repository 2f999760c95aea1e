"""Bots think on a Dask cluster, and on this machine while it is away: a real scheduler and real workers, on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import logging
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import pytest

from ludoteca import cli
from ludoteca.core.errors import BadData
from ludoteca.server import bots
from ludoteca.server import cluster as cluster_module
from ludoteca.server.cluster import Cluster, ClusterWorkers
from ludoteca.server.executor import Overrun, Workers
from server.cluster_jobs import HERE, fail_elsewhere, hold, where
from server.house import house, run, until

pytest.importorskip("distributed")
TESTS = pathlib.Path(__file__).parents[1]
LONG = 40.0  # seconds nobody should need


class Dask:
    """A cluster of processes: started, killed and frozen at will, always at the same address."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.notes = folder / "notes"
        self.notes.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        path = os.pathsep.join([str(TESTS), str(TESTS.parent / "src")])
        # Workers find no machine code, so that they need not load any.
        more = {"PYTHONPATH": path, "LUDOTECA_CACHE": str(folder / "cache"), "LUDOTECA_TEST_WORKER": "yes"}
        self._environment = {**os.environ, **more}
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int = 1) -> None:
        self._dask("scheduler", "--port", self.address.rpartition(":")[2])
        self.add(workers)

    def add(self, workers: int) -> None:
        for _ in range(workers):
            self._dask("worker", self.address, "--no-nanny", "--nthreads", "2", "--death-timeout", "60")

    def _dask(self, *words: str) -> None:
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard"]
        quiet = subprocess.DEVNULL
        self.running.append(subprocess.Popen(command, env=self._environment, stdout=quiet, stderr=quiet))

    @property
    def scheduler(self) -> subprocess.Popen[bytes]:
        return self.running[0]

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()
        self.running = []

    def listens(self) -> bool:
        host, port = self.address.removeprefix("tcp://").split(":")
        with socket.socket() as somebody:
            return somebody.connect_ex((host, int(port))) == 0

    def forget(self) -> None:
        """Nobody has held anything yet."""
        for note in self.notes.iterdir():
            note.unlink()

    def holding(self) -> list[int]:
        """The processes that have begun to hold."""
        return [int(note.name) for note in self.notes.iterdir()]


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """One for all tests: it takes seconds to start. Whoever kills it, or finds it killed, starts it again."""
    made = Dask(tmp_path_factory.mktemp("dask"))
    try:
        yield made
    finally:
        made.end()


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "LOOK_EVERY", 0.3)


@contextlib.asynccontextmanager
async def workers_of(address: str) -> AsyncIterator[tuple[Cluster, ClusterWorkers]]:
    """Workers on this cluster, with a thread of this process as their refuge."""
    cluster = Cluster(address)
    workers = ClusterWorkers(cluster, Workers(1, lambda count: ThreadPoolExecutor(count)))
    watching = asyncio.create_task(cluster.watch())
    try:
        yield cluster, workers
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        workers.close()
        await cluster.close()


def test_whoever_is_killed_costs_nobody_a_turn(dask: Dask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "ludoteca.cluster")

    async def scene() -> None:
        dask.start(workers=0)
        await until(dask.listens)
        async with workers_of(dask.address) as (cluster, workers):
            assert await workers.run(LONG, where) == HERE, "without workers it is away"
            dask.add(workers=2)
            await until(lambda: cluster.threads == 4)
            await a_worker_is_killed(dask, workers)
            await the_scheduler_is_killed(dask, cluster, workers)
            dask.end()
            dask.start(workers=1)
            await until(lambda: cluster.threads == 2)
            assert await workers.run(LONG, where) == dask.running[1].pid, "it is used again"

    run(scene())
    told = [record.message for record in caplog.records if record.name == "ludoteca.cluster"]
    (failed,) = [message for message in told if "could not do a job" in message]
    assert "(LookupError: no such game on this worker)" in failed
    told.remove(failed)
    assert len(told) >= 4 and "is away (" in told[0] and told[1].startswith("Bots think on the cluster"), told
    for one, other in itertools.pairwise(told):
        assert ("is away" in one) != ("is away" in other), "a line each way, and none in between"


async def a_worker_is_killed(dask: Dask, workers: ClusterWorkers) -> None:
    held = asyncio.create_task(workers.run(LONG, hold, str(dask.notes)))
    await until(dask.holding)
    (holder,) = dask.holding()
    os.kill(holder, signal.SIGKILL)
    assert await held not in (holder, HERE), "the scheduler gives it to the other worker"
    assert await workers.run(LONG, fail_elsewhere) == HERE


async def the_scheduler_is_killed(dask: Dask, cluster: Cluster, workers: ClusterWorkers) -> None:
    dask.forget()
    held = asyncio.create_task(workers.run(LONG, hold, str(dask.notes)))
    await until(dask.holding)
    dask.scheduler.kill()
    assert await held == HERE
    await until(lambda: cluster.connection is None)
    assert await workers.run(LONG, where) == HERE


def test_a_frozen_scheduler_costs_nobody_a_turn(dask: Dask) -> None:
    """Nothing tells that it is, and every question to it would wait for ever: the event loop must not ask any."""

    async def scene() -> None:
        if not dask.running:
            dask.start(workers=1)
        async with workers_of(dask.address) as (cluster, workers):
            await until(lambda: cluster.threads)
            dask.scheduler.send_signal(signal.SIGSTOP)
            try:
                assert await workers.run(3.0, where) == HERE, "the second half of the limit is for this machine"
                with pytest.raises(Overrun):
                    await workers.run(0.2, time.sleep, 0.5)
                await until(lambda: cluster.connection is None)
            finally:
                dask.scheduler.send_signal(signal.SIGCONT)

    run(scene())


def test_bots_are_answered_by_the_cluster_and_play_on_when_it_dies(dask: Dask, tmp_path: pathlib.Path) -> None:
    pools: list[Executor] = []

    def local(count: int) -> Executor:
        pools.append(ThreadPoolExecutor(count))
        return pools[-1]

    async def scene() -> None:
        if not dask.running:
            dask.start(workers=1)
        async with house(tmp_path, local, bots=dask.address, bot_pause=0.02, think_limit=LONG) as h:
            anna = await h.person("Anna")
            await until(lambda: h.app.cluster and h.app.cluster.threads)
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "level": "novice"})
            await anna.post(f"/api/tables/{info['id']}/leave")  # bots play for everybody
            table = await h.table(info["id"])
            await until(lambda: table.seq > 6)
            assert not pools, "no process of this machine was needed"
            dask.end()
            before = table.seq
            await until(lambda: table.seq > before + 6)
            assert len(pools) == 1

    run(scene())


def test_a_house_opens_while_its_cluster_is_away(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.2)

    async def scene() -> None:
        async with house(tmp_path, bots="tcp://127.0.0.1:1") as h:
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "level": "novice"})
            await anna.post(f"/api/tables/{info['id']}/leave")
            table = await h.table(info["id"])
            await until(lambda: table.seq > 6)
            await asyncio.sleep(1)  # it is tried again, and told once

    run(scene())
    assert sum("is away" in record.message for record in caplog.records) == 1


@pytest.mark.parametrize(
    "address", ["http://scheduler:8786", "scheduler:8786", "tcp://scheduler", "tcp://a b:1", "tcp://a:99999"]
)
def test_a_wrong_address_is_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("LUDOTECA_BOTS", address)
    assert cli.main(["serve"]) == 2
    assert f"such as tcp://scheduler:8786; not «{address}»." in capsys.readouterr().err


def test_a_worker_with_other_rules_says_so() -> None:
    with pytest.raises(BadData, match=r"This worker has rules .+ of splendor, not 0\.0\."):
        bots.think("splendor", "0.0", "club", b"", 0, 1)


@pytest.mark.parametrize("address", ["tcp://scheduler:8786", "tls://10.0.0.7:8786", "tcp://[fd00::7]:8786"])
def test_addresses_of_schedulers(address: str) -> None:
    assert cluster_module.check(address) == address


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("LUDOTECA_BOTS", "tcp://scheduler:8786")
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "distributed" else there(name))
    assert cli.main(["serve"]) == 2
    assert 'pip install "ludoteca[cluster]"' in capsys.readouterr().err
