"""What can wait gets a small share of the server's time, and nobody who waits for it is forgotten."""

from __future__ import annotations

import asyncio
import contextlib

from ludoteca.server.sparing import Sparing


def test_whoever_has_waited_longest_is_next_and_whoever_gave_up_holds_up_nobody() -> None:
    async def scene() -> list[int]:
        sparing, came = Sparing(), list[int]()

        async def come(number: int) -> None:
            async with sparing.turn():
                came.append(number)
                await asyncio.sleep(0)

        waiting = [asyncio.create_task(come(number)) for number in range(5)]
        await asyncio.sleep(0)
        waiting[2].cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting[2]
        async with asyncio.timeout(30):
            await asyncio.gather(*waiting[:2], *waiting[3:])
        return came

    assert asyncio.run(scene()) == [0, 1, 3, 4]


def test_after_a_turn_there_is_a_pause_that_is_as_many_times_as_long() -> None:
    async def scene() -> tuple[float, float]:
        sparing, loop = Sparing(share=0.25), asyncio.get_running_loop()
        began = loop.time()
        async with sparing.turn():
            await asyncio.sleep(0.02)
        used, ended = loop.time() - began, loop.time()
        async with sparing.turn():
            return used, loop.time() - ended

    used, paused = asyncio.run(scene())
    assert paused > 2.5 * used
