"""What can wait gets a small share of the server's time, and nobody who waits for it is forgotten."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

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


@pytest.mark.parametrize(("busy", "times"), [(1.0, 2.5), (-1.0, 11.0)], ids=["calm", "busy"])
def test_after_a_stretch_there_is_a_pause_that_is_as_many_times_as_long(
    busy: float, times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.sparing.BUSY", busy)

    async def scene() -> tuple[float, float]:
        sparing, loop, over = Sparing(share=0.25), asyncio.get_running_loop(), asyncio.Event()
        moments = list[float]()

        def task() -> Iterator[None]:
            moments.append(loop.time())
            time.sleep(0.02)
            moments.append(loop.time())
            yield
            moments.append(loop.time())
            over.set()

        sparing.add(task())
        async with asyncio.timeout(30):
            await over.wait()
        return moments[1] - moments[0], moments[2] - moments[1]

    used, paused = asyncio.run(scene())
    assert paused > times * used


def test_whatever_is_to_be_done_soon_is_done_at_one_moment_also_after_something_that_failed() -> None:
    async def scene() -> list[str]:
        sparing, done, over = Sparing(), list[str](), asyncio.Event()

        def fail() -> None:
            raise ValueError

        sparing.soon(done.append, "first")
        sparing.soon(fail)
        sparing.soon(done.append, "second")
        sparing.soon(over.set)
        assert not done
        async with asyncio.timeout(30):
            await over.wait()
        return done

    assert asyncio.run(scene()) == ["first", "second"]
