"""Quiet hours: by the clocks of a place, over midnight, in summer and winter; what can wait is told when they are over."""

from __future__ import annotations

import asyncio
import pathlib
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from ludoteca.server.quiet import Mornings, has_ended, is_quiet
from ludoteca.server.wire import QuietHours
from server.house import House, Json, house, newer, run, two_at_a_table, until
from server.test_notices import SOON, _id, service, subscribe

NIGHT = QuietHours(22 * 60, 8 * 60, "Europe/Rome")
REST = QuietHours(13 * 60, 15 * 60, "Europe/Rome")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("hours", "when", "quiet"),
    [
        (NIGHT, "2026-01-10T20:59", False),  # 21:59 in Rome, in winter
        (NIGHT, "2026-01-10T21:00", True),
        (NIGHT, "2026-01-11T06:59", True),
        (NIGHT, "2026-01-11T07:00", False),
        (NIGHT, "2026-07-10T19:59", False),  # and in summer
        (NIGHT, "2026-07-10T20:00", True),
        (NIGHT, "2026-07-11T06:00", False),
        (REST, "2026-01-10T11:59", False),
        (REST, "2026-01-10T12:00", True),
        (REST, "2026-01-10T14:00", False),
        (QuietHours(0, 60, "Nowhere/At all"), "2026-01-10T00:30", False),
        (None, "2026-01-10T00:30", False),
    ],
)
def test_it_is_quiet_by_the_clocks_of_the_place(hours: QuietHours | None, when: str, quiet: bool) -> None:
    assert is_quiet(hours, at(when)) is quiet


def test_they_end_once_a_day() -> None:
    morning = at("2026-01-11T07:00")
    assert has_ended(NIGHT, morning - 60, morning)
    assert not has_ended(NIGHT, morning, morning + 60)
    assert not has_ended(NIGHT, morning - 120, morning - 60)
    assert has_ended(NIGHT, morning - 86_400, morning + 3600)  # the house was down


@pytest.mark.parametrize(
    "hours",
    [
        {"begin": 60, "end": 60, "zone": "UTC"},
        {"begin": 60, "end": 1440, "zone": "UTC"},
        {"begin": -1, "end": 60, "zone": "UTC"},
        {"begin": 0, "end": 60, "zone": "Nowhere/At all"},
        {"begin": 0, "end": 60, "zone": "../../etc/passwd"},
        {"begin": 0, "end": 60, "zone": "/etc/passwd"},
        {"begin": 0, "end": 60, "zone": "x" * 65},
    ],
)
def test_hours_that_mean_nothing_are_refused(tmp_path: pathlib.Path, hours: Json) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            assert (await anna.post("/api/you/notices/quiet", {"quiet": hours}, 400))["key"] in ("bad_quiet", "garbled")
            assert (await anna.http.get("/api/you")).json()["notices"]["quiet"] is None

    run(scene())


def around(now: float) -> Json:
    """Hours in which it is quiet now, for some hours more."""
    minute = int(now // 60) % 1440
    return {"begin": (minute - 60) % 1440, "end": (minute + 180) % 1440, "zone": "UTC"}


@pytest.mark.parametrize("clock", [None, {"kind": "live", "bank": 900, "increment": 5}], ids=["can wait", "live"])
def test_what_can_wait_is_told_in_the_morning(tmp_path: pathlib.Path, clock: Json | None) -> None:
    async def scene() -> None:
        async with house(tmp_path, **SOON) as h, service() as theirs:
            _, bruno, table, a, b = await two_at_a_table(h, **({"clock": clock} if clock else {}))
            await subscribe(bruno, theirs)
            hours = around(time.time())
            told = await bruno.post("/api/you/notices/quiet", {"quiet": hours})
            assert told["quiet"] == hours and told["muted"] == [] and told["muted_tables"] == []
            assert (await bruno.http.get("/api/you/export")).json()["quiet"] == hours
            await b.close()
            await until(lambda: not h.app.lobby.tables[table["id"]].presence.is_online(_id(h, table, 1)))
            position = a.of("update")[-1]
            await a.do(position["choices"][0]["action"], position["seq"])
            await a.next("update", newer(position["seq"]))
            if clock:
                await until(lambda: theirs.got)
                return
            await asyncio.sleep(0.3)
            assert not theirs.got
            mornings = Mornings(h.app.lobby)
            await mornings.look()
            await asyncio.sleep(0.3)
            assert not theirs.got, "it is still quiet"
            later(h, 4 * 3600)
            await mornings.look()
            await until(lambda: theirs.got)
            await mornings.look()
            await Mornings(h.app.lobby).look()  # as after a restart
            await asyncio.sleep(0.3)
            assert len(theirs.got) == 1, "once a turn"
            assert (await bruno.post("/api/you/notices/quiet", {"quiet": None}))["quiet"] is None

    run(scene())


def later(h: House, seconds: float) -> None:
    """Sets the watch of the house forward."""
    h.app.lobby.house.clock = lambda: time.time() + seconds


def test_a_guest_has_one_pair_of_hours(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            for end in (60, 120, 180):
                await anna.post("/api/you/notices/quiet", {"quiet": {"begin": 0, "end": end, "zone": "UTC"}})
            rows: list[Any] = await h.app.lobby.house.store.read(
                lambda db: db.execute("SELECT what FROM mutes").fetchall()
            )
            assert [tuple(row) for row in rows] == [("quiet 0 180 UTC",)]

    run(scene())
