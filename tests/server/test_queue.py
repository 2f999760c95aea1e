"""Bots are asked in a fair order, by workers that do not outlive the house."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ludoteca.server.executor import Workers
from ludoteca.server.queue import FairQueue, Turn
from server.house import PATIENCE, run, until


def test_one_guest_with_fifty_slow_games_delays_a_stranger_by_one_job() -> None:
    async def scene() -> list[str]:
        queue, order = FairQueue(1), list[str]()

        async def job(turn: Turn) -> None:
            async with queue.turn(turn):
                order.append(turn.whose)
                await asyncio.sleep(0.005)

        jobs = [asyncio.create_task(job(Turn("hog", 16.0))) for _ in range(50)]
        await asyncio.sleep(0)
        jobs += [asyncio.create_task(job(Turn("anna", 1.0))) for _ in range(3)]
        jobs += [asyncio.create_task(job(Turn("bruno", 16.0)))]
        await asyncio.gather(*jobs)
        return order

    order = run(scene())
    assert order[1:4] == ["anna", "anna", "anna"]
    assert order.index("bruno") <= 6, "the same cost as the hog's: after the one at work and one more"
    assert order.count("hog") == 50


def test_a_flood_of_cheap_jobs_does_not_starve_a_dear_one() -> None:
    async def scene() -> int:
        queue, served = FairQueue(1), list[str]()

        async def job(turn: Turn) -> None:
            async with queue.turn(turn):
                served.append(turn.whose)
                await asyncio.sleep(0)

        cheap = [asyncio.create_task(job(Turn("flood", 1.0))) for _ in range(200)]
        dear = asyncio.create_task(job(Turn("anna", 16.0)))
        await asyncio.gather(*cheap, dear)
        return served.index("anna")

    assert run(scene()) <= 20


def test_what_nobody_waits_for_comes_last_one_at_a_time_and_leaves_a_place() -> None:
    async def scene() -> None:
        queue, order, behind, most = FairQueue(2), list[str](), set[str](), 0

        async def job(name: str, cost: float, background: bool) -> None:
            nonlocal most
            async with queue.turn(Turn(name, cost, lambda: background)):
                if background:
                    assert name not in behind, "two of one host"
                    behind.add(name)
                    most = max(most, len(behind))
                order.append(name)
                await asyncio.sleep(0.003)
                behind.discard(name)

        jobs = [asyncio.create_task(job(f"hog {n % 4}", 1.0, True)) for n in range(40)]
        await asyncio.sleep(0)
        jobs += [asyncio.create_task(job("anna", 64.0, False)) for _ in range(5)]
        await asyncio.gather(*jobs)
        assert order[:6] == ["hog 0", *["anna"] * 5], "though Anna's cost more"
        assert most == 1, "the other place is free for those who wait"
        assert len(queue) == 0

    run(scene())


def test_a_job_leaves_the_background_when_somebody_comes() -> None:
    async def scene() -> None:
        queue, watched, order, enough = FairQueue(2), set[str](), list[str](), asyncio.Event()

        async def job(name: str) -> None:
            async with queue.turn(Turn(name, 1.0, lambda: name not in watched)):
                order.append(name)
                if name == "slow":
                    await enough.wait()

        jobs = [asyncio.create_task(job(name)) for name in ("slow", "anna", "bruno")]
        await asyncio.sleep(0)
        watched.add("bruno")
        queue.look_again()
        await until(lambda: len(order) == 2)
        assert order == ["slow", "bruno"]
        enough.set()
        await asyncio.gather(*jobs)

    run(scene())


def test_a_job_given_up_while_it_waits_frees_its_place() -> None:
    async def scene() -> None:
        queue = FairQueue(1)
        async with queue.turn(Turn("anna")):
            waiting = asyncio.create_task(queue.turn(Turn("bruno")).__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert len(queue) == 0
        async with asyncio.timeout(PATIENCE), queue.turn(Turn("carla")):
            pass

    run(scene())


def test_places_come_and_go() -> None:
    async def scene() -> None:
        queue, at_work, ends = FairQueue(1), set[int](), [asyncio.Event() for _ in range(5)]

        async def job(number: int) -> None:
            async with queue.turn(Turn()):
                at_work.add(number)
                await ends[number].wait()
                at_work.discard(number)

        async def after(change: Callable[[], None]) -> set[int]:
            change()
            for _ in range(5):
                await asyncio.sleep(0)
            return set(at_work)

        jobs = [asyncio.create_task(job(number)) for number in range(5)]
        assert await after(lambda: None) == {0}
        assert await after(lambda: queue.resize(3)) == {0, 1, 2}
        assert await after(lambda: queue.resize(1)) == {0, 1, 2}, "whoever has a place keeps it"
        assert await after(ends[0].set) == {1, 2}
        assert await after(ends[1].set) == {2}
        assert await after(ends[2].set) == {3}
        assert await after(lambda: queue.resize(2)) == {3, 4}
        for end in ends:
            end.set()
        await asyncio.gather(*jobs)

    run(scene())


def end_of_worker(first: bool) -> int:
    """Kills its own process, the first time."""
    if first and not pathlib.Path(os.environ["LUDOTECA_TEST_MARK"]).exists():
        pathlib.Path(os.environ["LUDOTECA_TEST_MARK"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def test_a_killed_worker_costs_nobody_a_turn(tmp_path: pathlib.Path) -> None:
    os.environ["LUDOTECA_TEST_MARK"] = str(tmp_path / "killed")

    async def scene() -> None:
        workers = Workers(2)
        jobs = [workers.run(2 * PATIENCE, end_of_worker, True) for _ in range(4)]
        assert await asyncio.gather(*jobs) == [7, 7, 7, 7]
        workers.close()

    run(scene())
    assert (tmp_path / "killed").exists()


HOUSE = """
import asyncio, os, sys, time
from ludoteca.server.executor import Workers
from server.test_queue import hold
async def main():
    workers = Workers(2)
    jobs = [asyncio.create_task(workers.run(600.0, hold, sys.argv[1])) for _ in range(2)]
    await asyncio.gather(*jobs)
if __name__ == "__main__":
    asyncio.run(main())
"""


def hold(folder: str) -> None:
    """Notes its process and goes on for long."""
    (pathlib.Path(folder) / str(os.getpid())).touch()
    time.sleep(600)


def alive(process: int) -> bool:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_compilers_never_outlive_the_server(tmp_path: pathlib.Path) -> None:
    """They are started by a process of the server's, and were left when it ended."""
    environment = os.environ | {"LUDOTECA_CACHE": str(tmp_path / "cache"), "LUDOTECA_DATABASE": str(tmp_path / "g.db")}
    for ending in (signal.SIGKILL, signal.SIGTERM):
        command = [sys.executable, "-m", "ludoteca", "serve", "--port", "0"]
        house = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 2 * PATIENCE
        while len(found := descendants(house.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(found) >= 2, "nothing is compiled"
        house.send_signal(ending)
        house.wait(PATIENCE)
        deadline = time.monotonic() + 20
        while any(map(alive, found)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(alive, found)), "a compiler outlived its server"


def descendants(process: int) -> list[int]:
    """The processes that this one has started, and those they have started."""
    parents = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
    found = [child for child, parent in parents.items() if parent == process]
    return found + [further for child in found for further in descendants(child)]


def test_workers_never_outlive_the_server(tmp_path: pathlib.Path) -> None:
    script, notes = tmp_path / "house_script.py", tmp_path / "notes"
    script.write_text(HOUSE)
    notes.mkdir()
    path = os.pathsep.join(str(pathlib.Path(__file__).parents[1] / part) for part in (".", "../src"))
    for ending in (signal.SIGKILL, signal.SIGTERM):
        house = subprocess.Popen([sys.executable, str(script), str(notes)], env={**os.environ, "PYTHONPATH": path})
        deadline = time.monotonic() + 2 * PATIENCE
        while len(found := [int(note.name) for note in notes.iterdir()]) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(found) == 2
        house.send_signal(ending)
        house.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while any(map(alive, found)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(alive, found)), "a worker outlived its server"
        for note in notes.iterdir():
            note.unlink()


def test_workers_are_started_before_anybody_waits_for_them() -> None:
    async def scene() -> None:
        ran, together = list[str](), threading.Barrier(2)

        def job(place: str) -> None:
            together.wait(10.0)  # as many at once as there are workers
            ran.append(place)

        workers = Workers(2, ThreadPoolExecutor)
        await workers.start(job, "splendor")
        assert ran == ["splendor", "splendor"] and workers.started.is_set()
        workers.close()

    asyncio.run(scene())


def test_a_house_is_ready_also_where_workers_cannot_be_started() -> None:
    def job() -> None:
        raise OSError("no more processes")

    async def scene() -> None:
        workers = Workers(1, ThreadPoolExecutor)
        with pytest.raises(OSError, match="no more processes"):
            await workers.start(job)
        assert workers.started.is_set()
        workers.close()

    asyncio.run(scene())
