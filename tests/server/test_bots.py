"""Bots at the table: what they get, and what happens when they fail, dawdle or die."""

from __future__ import annotations

import asyncio
import os
import pathlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from ludoteca.catalogue import game
from ludoteca.core.engine import interpreted
from ludoteca.server import bots, executor
from ludoteca.server.executor import Overrun, Workers, processes
from server.house import House, first_legal, house, run, until


async def bots_alone(h: House) -> Any:
    """A table where bots play for everybody."""
    anna = await h.person("Anna")
    info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "level": "expert"})
    await anna.post(f"/api/tables/{info['id']}/leave")
    return await h.table(info["id"])


def test_a_bot_gets_only_what_its_seat_may_see(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, int]] = []

    def spy(game_key: str, level: str, redacted: Any, seat: int, seed: int) -> int:
        asked.append((redacted.copy(), seat))
        return first_legal(game_key, level, redacted, seat, seed)

    monkeypatch.setattr(bots, "choose", spy)

    async def scene() -> None:
        async with house(tmp_path) as h:
            table = await bots_alone(h)
            await until(lambda: table.seq > 20)

    run(scene())
    redact = game("splendor").redact
    assert {seat for _, seat in asked} == {0, 1}
    for record, seat in asked:
        assert redact(record, 0, seat).tobytes() == record.tobytes()
        assert (record["rng"] == -1).all()
        assert (record["deck"] == -1).all()


@pytest.mark.parametrize("fault", ["fails", "dawdles", "cheats"])
def test_the_table_goes_on_when_a_bot_fails(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    faults = 0

    def faulty(game_key: str, level: str, redacted: Any, seat: int, seed: int) -> int:
        nonlocal faults
        faults += 1
        if faults > 3:
            return first_legal(game_key, level, redacted, seat, seed)
        if fault == "fails":
            raise ZeroDivisionError
        if fault == "dawdles":
            time.sleep(0.3)
        return 10_000 if fault == "cheats" else 0

    monkeypatch.setattr(bots, "choose", faulty)

    async def scene() -> None:
        async with house(tmp_path, think_limit=0.1) as h:
            table = await bots_alone(h)
            await until(lambda: table.seq > 6 and faults > 3)

    run(scene())


def test_bots_do_not_hold_up_the_event_loop(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, go_on = threading.Event(), threading.Event()

    def slow(*arguments: Any) -> int:
        thinking.set()
        assert go_on.wait(60), "the loop never got its turn"
        return first_legal(*arguments)

    monkeypatch.setattr(bots, "choose", slow)

    async def scene() -> None:
        async with house(tmp_path, think_limit=60.0) as h:
            table = await bots_alone(h)
            await until(thinking.is_set)
            assert (await h.person("Bruno")).secret, "the house answers while a bot thinks"
            assert table.seq == 0
            go_on.set()
            await until(lambda: table.seq >= 5)

    run(scene())


def test_the_real_bots_play_in_a_process_of_their_own() -> None:
    async def scene() -> None:
        workers = Workers(1, processes)
        try:
            assert await workers.run(60, os.getpid) != os.getpid()
            engine = interpreted(game("splendor"))
            states = engine.start(2, {}, 5)
            redacted = engine.game.redact(states, 0, 0)
            before = redacted.tobytes()
            players = bots.Bots(workers, 60.0, 0.0)
            actions = await players.choose(engine, "novice", redacted, 0)
            assert actions[0] in engine.legal(states, 0, 0)
            assert redacted.tobytes() == before
        finally:
            workers.close()

    run(scene())


def test_a_job_that_never_ends_is_ended_and_its_neighbours_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "GRACE", 0.2)

    async def scene() -> None:
        workers = Workers(2, processes)
        try:
            await workers.run(60, os.getpid)  # the pool is up
            started = time.perf_counter()
            with pytest.raises(Overrun):
                await workers.run(0.3, time.sleep, 600)
            neighbour = asyncio.create_task(workers.run(60, time.sleep, 0.8))
            await neighbour  # dies with the pool when the sleeper is ended, and is run again
            assert await workers.run(60, abs, -3) == 3
            assert time.perf_counter() - started < 60
        finally:
            workers.close()

    run(scene())


def test_jobs_wait_for_a_free_worker_without_that_being_counted() -> None:
    async def scene() -> None:
        workers = Workers(1, lambda count: ThreadPoolExecutor(count))
        jobs = [workers.run(3.0, time.sleep, 0.8) for _ in range(5)]
        await asyncio.gather(*jobs)  # 4 s in all, none of them an overrun
        workers.close()

    run(scene())


def test_a_worker_that_is_slow_to_start_is_waited_for_without_that_being_counted() -> None:
    async def scene() -> None:
        may_start = threading.Event()
        workers = Workers(1, lambda count: ThreadPoolExecutor(count, initializer=may_start.wait))
        job = asyncio.create_task(workers.run(0.2, abs, -3))
        await asyncio.sleep(0.5)
        may_start.set()
        assert await job == 3
        workers.close()

    run(scene())


def test_a_bot_takes_a_moment_so_that_people_can_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        engine = interpreted(game("splendor"))
        redacted = engine.game.redact(engine.start(2, {}, 5), 0, 0)
        workers = Workers(1, lambda count: ThreadPoolExecutor(count))
        started = time.perf_counter()
        await bots.Bots(workers, 5.0, 0.3).choose(engine, "club", redacted, 0)
        assert time.perf_counter() - started >= 0.3
        workers.close()
        assert isinstance(redacted, np.ndarray)

    run(scene())
