"""Whose clock is nearly out and who is not there is told once more, at a live table and over days, if they want to be."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

from ludoteca.server import clockwork
from ludoteca.server.clocks import A_DAY
from server.house import Json, run, until
from server.test_clocks_at_table import LIVE, THREE_DAYS, Watch, moves, nobody_sleeps, opened, two_with_a_clock
from server.test_notices import SOON, Service, service, subscribe

__all__ = ["nobody_sleeps"]


@pytest.fixture(autouse=True)
def nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost line holds a live clock for a while; here it does not."""
    monkeypatch.setattr(clockwork, "A_BLINK", 1e12)


@pytest.mark.parametrize(
    ("terms", "before", "mute"),
    [(LIVE, 240, None), (THREE_DAYS, 2.5 * A_DAY, None), (LIVE, 240, "low"), (LIVE, 240, "turn")],
    ids=["live", "over days", "muted", "only the turn is muted"],
)
def test_who_is_away_is_told_once_more_when_their_clock_is_nearly_out(
    tmp_path: pathlib.Path, terms: Json, before: float, mute: str | None
) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch, **SOON)
        async with service() as theirs:
            _, bruno, id, a, b = await two_with_a_clock(h, terms)
            await subscribe(bruno, theirs)
            if mute:
                await bruno.post("/api/you/notices/mute", {"muted": True, "kind": mute})
            await b.close()
            world = h.app.lobby.tables[id]
            guest = str(world.row.chairs[1].guest)
            await until(lambda: not world.presence.is_online(guest))
            await moves(a)
            first = [] if mute == "turn" else ["It is your turn: Splendor: Marvel"]
            await until(lambda: [notice["title"] for notice in theirs.got] == first)
            watch.now += before
            await asyncio.sleep(0.7)  # longer than two looks at the clocks
            assert len(theirs.got) == len(first)
            watch.now += terms["bank"] - before - 20
            if mute == "low":
                await asyncio.sleep(0.7)
                assert len(theirs.got) == len(first)
            else:
                await until(lambda: len(theirs.got) > len(first))
                assert theirs.got[-1]["title"] == "Your time is nearly out: Splendor: Marvel"
                assert theirs.got[-1]["table"] == id
                await asyncio.sleep(0.7)
                assert len(theirs.got) == len(first) + 1  # and once only
        await h.stop()

    run(scene())


def warnings(theirs: Service) -> list[str]:
    """What they were told of their clock; on a slow machine they may hear that the game begins, too."""
    return [notice["title"] for notice in theirs.got if notice["title"] == "Your time is nearly out: Splendor: Marvel"]


def test_over_days_it_is_told_where_nobody_has_the_table_in_memory_and_not_during_a_day_off(
    tmp_path: pathlib.Path,
) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch, **SOON)
        async with service() as theirs:
            _, bruno, id, a, b = await two_with_a_clock(h, THREE_DAYS)
            await subscribe(bruno, theirs)
            await moves(a, b)
            await bruno.post(f"/api/tables/{id}/day-off")
            await a.close()
            await b.close()
            await h.stop()  # the house is closed, and the table nowhere in memory
            h = await opened(tmp_path, watch, **SOON)
            watch.now += 3 * A_DAY - 1800
            await h.app.clockwork.warn()
            await asyncio.sleep(0.7)
            assert not warnings(theirs)  # his day off is not over for long
            watch.now += A_DAY
            await h.app.clockwork.warn()
            await until(lambda: warnings(theirs))
            await h.app.clockwork.warn()
            await asyncio.sleep(0.3)
            assert len(warnings(theirs)) == 1
        await h.stop()

    run(scene())


def test_who_gets_more_time_before_the_notice_goes_out_is_not_told(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch, **{**SOON, "notice_delay": 1.0})
        async with service() as theirs:
            anna, bruno, id, a, b = await two_with_a_clock(h, LIVE)
            await subscribe(bruno, theirs)
            await moves(a, b)
            await b.close()
            watch.now += 280
            await asyncio.sleep(0.6)  # somebody has seen that it is little
            await anna.post(f"/api/tables/{id}/more-time", {"seat": 1})
            await asyncio.sleep(1.5)
            assert not theirs.got
        await h.stop()

    run(scene())
