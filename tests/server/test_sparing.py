"""What can wait gets a small share of the server's time, and nobody who waits for it is forgotten."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

from ludoteca.server.sparing import AT_A_STRETCH, Sparing


def test_whoever_has_waited_longest_is_next_also_with_what_takes_longer() -> None:
    async def scene() -> list[str]:
        sparing, done, over = Sparing(0.9), list[str](), asyncio.Event()

        def task(name: str, stretches: int) -> Iterator[None]:
            for _ in range(stretches):
                done.append(name)
                time.sleep(AT_A_STRETCH)
                yield
            if name == "long":
                over.set()

        for name, stretches in (("long", 3), ("short", 1), ("none", 0), ("other", 1)):
            sparing.add(task(name, stretches))
        async with asyncio.timeout(30):
            await over.wait()
        return done

    assert asyncio.run(scene()) == ["long", "short", "other", "long", "long"]


def test_after_a_stretch_there_is_a_pause_that_is_as_many_times_as_long() -> None:
    async def scene() -> tuple[float, float]:
        sparing, loop, over = Sparing(share=0.25), asyncio.get_running_loop(), asyncio.Event()
        times = list[float]()

        def task() -> Iterator[None]:
            times.append(loop.time())
            time.sleep(0.02)
            times.append(loop.time())
            yield
            times.append(loop.time())
            over.set()

        sparing.add(task())
        async with asyncio.timeout(30):
            await over.wait()
        return times[1] - times[0], times[2] - times[1]

    used, paused = asyncio.run(scene())
    assert paused > 2.5 * used
