"""Circles of objects are looked for in calm moments."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from ludoteca.server import circles


class Circle:
    """Something that only itself refers to."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def python_does_not_look(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(circles, "SOME", 100)
    monkeypatch.setattr(circles, "MANY", 3000)
    before = gc.get_threshold()
    gc.set_threshold(0)
    gc.collect()
    yield
    gc.set_threshold(*before)


def made(count: int) -> weakref.ref[Circle]:
    """So many circles that nobody needs; what knows whether the last of them is still there."""
    found = [weakref.ref(Circle()) for _ in range(count)]
    return found[-1]


@pytest.mark.parametrize(
    ("at_work", "count", "gone"),
    [(0.0, 20, False), (0.1, 20, False), (0.1, 200, True), (0.9, 200, False), (0.9, 4000, True)],
)
def test_circles_go_in_a_calm_moment_or_when_they_are_many(at_work: float, count: int, gone: bool) -> None:
    last = made(count)
    circles.Circles().look(at_work)
    assert (last() is None) == gone


def test_what_has_lasted_goes_when_nothing_is_going_on() -> None:
    old, found = Circle(), circles.Circles()
    last, many = weakref.ref(old), [Circle() for _ in range(200)]
    found.look(0.1)  # at the new ones, and it is still needed
    del old
    made(20)
    found.look(0.1)
    assert last() is not None and many
    found.look(0.0)
    assert last() is None


def test_moves_waited_while_python_looked_for_circles_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr(circles, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(circles, "IDLE", 0.0)  # never
    monkeypatch.setattr(circles, "CALM", 0.0)

    async def busy() -> weakref.ref[Circle]:
        looking = asyncio.create_task(circles.Circles().look_when_calm())
        await asyncio.sleep(0)
        last = made(2000)
        await asyncio.sleep(0.1)
        assert last() is not None
        monkeypatch.setattr(circles, "CALM", 10.0)  # always
        await asyncio.sleep(0.1)
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        return last

    assert asyncio.run(busy())() is None
    assert gc.get_threshold() == circles.USUAL


def test_python_never_looked_again_after_two_servers_of_one_process_had_ended() -> None:
    async def both() -> None:
        looking = [asyncio.create_task(circles.Circles().look_when_calm()) for _ in range(2)]
        await asyncio.sleep(0)
        for one in looking:
            one.cancel()
            await asyncio.gather(one, return_exceptions=True)

    asyncio.run(both())
    assert gc.get_threshold() == circles.USUAL != (0, 10, 10)
