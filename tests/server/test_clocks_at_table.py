"""Clocks at tables of a real server: through a restart, over simulated days, out of time and back, on two servers."""

from __future__ import annotations

import asyncio
import pathlib
from typing import Any

import pytest

from ludoteca.server import hints, uptime
from ludoteca.server.clocks import A_DAY, HOLD
from ludoteca.server.clockwork import A_BLINK
from server.house import House, Json, Line, Person, newer, run, threads, until

LIVE = {"kind": "live", "bank": 300, "increment": 20}
THREE_DAYS = {"kind": "days", "bank": int(3 * A_DAY)}


@pytest.fixture(autouse=True)
def nobody_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watch that is set forward by a test is no machine that slept."""
    monkeypatch.setattr(uptime, "ASLEEP", 1e12)


class Watch:
    """A clock that a test sets."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


async def opened(folder: pathlib.Path, watch: Watch, **settings: Any) -> House:
    """A server whose time of day is this watch's."""
    h = House(folder, threads, **settings)
    h.app.clock = watch
    return await h.start()


async def two_with_a_clock(h: House, clock: Json, helped: bool = False) -> tuple[Person, Person, str, Line, Line]:
    anna, bruno = await h.person("Anna"), await h.person("Bruno")
    id = (await anna.open(clock=clock, hints=helped))["id"]
    await bruno.post(f"/api/tables/{id}/sit", {})
    lines = await anna.line(id), await bruno.line(id)
    await anna.post(f"/api/tables/{id}/start")
    for line in lines:
        await line.next("clocks")
    return anna, bruno, id, *lines


async def moves(line: Line, *others: Line) -> None:
    """Whoever is on this line decides something."""
    now = line.of("update")[-1]
    await line.do(now["choices"][0]["action"], now["seq"])
    for each in (line, *others):
        await each.next("update", newer(now["seq"]))
        await each.next("clocks")


async def decides(seat: int, lines: list[Line]) -> None:
    """Somebody takes their last choice, behind a screen or in the open."""
    mine, now = lines[seat], lines[seat].of("update")[-1]
    heard = len(mine.of("update"))
    await mine.do(now["choices"][-1]["action"], now["seq"])
    await until(lambda: len(mine.of("update")) > heard)


def told(line: Line) -> list[Json]:
    return [dict(clock) for clock in line.of("clocks")[-1]["clocks"]]


def test_a_restart_gives_the_clocks_back_and_no_time_runs_while_the_house_is_down(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, bruno, id, a, b = await two_with_a_clock(h, LIVE)
        watch.now += 100
        await moves(a, b)
        assert [clock["left"] for clock in told(a)] == [200, 300] and told(b)[1]["state"] == "running"
        watch.now += 40
        before = (await h.table(id)).timing.told()
        assert before is not None and before.clocks[1].left == 260
        secrets = anna.secret, bruno.secret
        await h.stop()
        watch.now += 3 * 3600  # the house is down
        h = await opened(tmp_path, watch)
        line = await (await h.person(secret=secrets[1])).line(id)
        await line.next("clocks")
        assert [clock["left"] for clock in told(line)] == [200, 260]
        watch.now += 10
        await moves(line)
        assert [clock["left"] for clock in told(line)] == [220, 250]
        await h.stop()

    run(scene())


def test_whoever_took_back_gained_the_increment_each_time_and_the_other_paid(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        _, _, _, a, b = await two_with_a_clock(h, LIVE)
        watch.now += 100
        await a.do(next(c["action"] for c in a.of("update")[-1]["choices"] if c["kind"] == "take_three"), 0)
        await a.next("clocks")
        watch.now += 40
        await a.send(type="take_back", id="back", to=0)
        for line in (a, b):
            await line.next("clocks", lambda m: m["clocks"][0]["state"] == "running" and m["clocks"][0]["left"] < 300)
            assert [clock["left"] for clock in told(line)] == [200, 300], "as if it had never been decided"
        await h.stop()

    run(scene())


def test_clocks_run_while_one_asks_for_a_hint(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, bruno, id, a, b = await two_with_a_clock(h, LIVE, helped=True)
        asker = anna if told(a)[0]["state"] == "running" else bruno
        thinking, told_of = hints.hint, list[float]()

        def slowly(*question: Any) -> str:
            watch.now += 40  # so long it takes to answer
            told_of.append(watch.now)
            return thinking(*question)

        monkeypatch.setattr(hints, "hint", slowly)
        assert (await asker.post(f"/api/tables/{id}/hint", {"strength": 2}))["strength"] == 2
        assert told_of, "it was computed just now"
        await moves(*((a, b) if asker is anna else (b, a)))
        assert sorted(clock["left"] for clock in told(a)) == [300 - 40, 300]
        await h.stop()

    run(scene())


def test_a_machine_that_slept_was_not_up(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        _, _, id, _, _ = await two_with_a_clock(h, LIVE)
        table = await h.table(id)
        watch.now += 30
        await table.house.uptime.sign()
        watch.now += 3600
        monkeypatch.setattr(uptime, "ASLEEP", 10.0)
        await h.app.clockwork.look()
        watch.now += 5
        assert table.timing.now().left(0, watch.now, table.house.uptime.up) == 265 and not table.timing.expired()
        await h.stop()

    run(scene())


def test_out_of_time_a_bot_decides_and_the_seat_can_be_taken_back(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, bruno, id, a, b = await two_with_a_clock(h, LIVE)
        await anna.post(f"/api/tables/{id}/more-time", {"seat": 0}, 403)
        await (await h.person()).post(f"/api/tables/{id}/more-time", {"seat": 0}, 403)  # nor who only watches
        await bruno.post(f"/api/tables/{id}/more-time", {"seat": 0})
        await b.next("clocks")
        assert told(b)[0]["left"] == 360
        assert [(e["what"], e["seat"], e["by"]) for e in b.of("clocks")[-1]["story"]] == [("more", 0, 1)]
        watch.now += 350
        await h.app.clockwork.look()
        assert not (await h.table(id)).row.chairs[0].standin
        watch.now += 20
        await until(lambda: (b.of("update")[-1]["waiting"] == [1]) and told(b)[0]["state"] == "out")
        table = await h.table(id)
        rows = [(row.what, row.seat) for row in table.timing._rows]
        assert rows == [("deal", None), ("more", 0), ("out", 0), ("turn", None)]  # once, whoever looks how often
        await a.next("update", newer(0))
        await anna.post(f"/api/tables/{id}/sit", {})
        await until(lambda: told(a)[0]["state"] == "waiting")
        assert told(a)[0]["left"] == 150  # half the bank, the first time
        watch.now += 30
        await moves(b, a)
        assert told(a)[0]["left"] == 170 and a.of("update")[-1]["choices"]
        await h.stop()

    run(scene())


def test_where_time_is_final_the_seat_plays_on_by_itself_and_the_game_ends(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, bruno, id, a, _ = await two_with_a_clock(h, LIVE | {"when_out": "out"})
        watch.now += 400
        await until(lambda: a.of("update")[-1]["waiting"] == [1])
        refused = await anna.post(f"/api/tables/{id}/sit", {}, 409)
        assert refused["key"] == "out_of_time"
        await bruno.post(f"/api/tables/{id}/leave")
        await a.next("update", lambda update: update["result"] is not None)
        assert (await h.table(id)).row.phase == "over"
        await h.stop()

    run(scene())


def test_a_lost_line_holds_the_clock_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, _, id, a, b = await two_with_a_clock(h, LIVE)
        table = await h.table(id)
        await a.close()  # a page that is loaded anew
        await until(lambda: table.presence.has_gone(table.row.chairs[0].guest or ""))
        await h.app.clockwork.look()
        a = await anna.line(id)
        assert "lost" not in [row.what for row in table.timing._rows]
        watch.now += 10
        await a.close()
        await until(lambda: told(b)[0]["state"] == "held")
        assert (told(b)[0]["left"], told(b)[0]["held"]) == (290, HOLD)
        watch.now += 12
        a = await anna.line(id)
        await until(lambda: told(b)[0]["state"] == "running")
        assert told(b)[0]["left"] == 290
        await a.close()
        await until(lambda: table.presence.has_gone(table.row.chairs[0].guest or ""))
        await asyncio.sleep(A_BLINK + 0.1)
        await h.app.clockwork.look()
        watch.now += 5
        assert [row.what for row in table.timing._rows].count("lost") == 1
        assert table.timing.now().left(0, watch.now, table.house.uptime.up) == 285
        await h.stop()

    run(scene())


def test_by_days_over_simulated_days_with_days_off(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch, idle=0.01)
        _, bruno, id, a, b = await two_with_a_clock(h, THREE_DAYS)
        watch.now += 2.9 * A_DAY
        await moves(a, b)
        assert [clock["left"] for clock in told(b)] == [round(0.1 * A_DAY, 1), 3 * A_DAY]
        await bruno.post(f"/api/tables/{id}/day-off")
        await bruno.post(f"/api/tables/{id}/day-off")
        await b.next("clocks", lambda m: m["clocks"][1]["days_off"] == 5)
        assert told(b)[1] == {"left": 3 * A_DAY, "state": "held", "held": 2 * A_DAY, "days_off": 5}
        mine = (await bruno.get("/api/my/tables"))[0]
        assert (mine["id"], mine["due"]) == (id, 5 * A_DAY)
        for line in (a, b):
            await line.close()
        await until(lambda: not h.app.lobby.tables[id].presence)
        h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 1000)
        assert id not in h.app.lobby.tables  # nobody has it in memory for days
        assert (await bruno.get("/api/my/tables"))[0]["due"] == 5 * A_DAY
        watch.now += 4.9 * A_DAY
        await h.app.clockwork.look_in_store()
        assert id not in h.app.lobby.tables
        secret = bruno.secret
        await h.stop()
        watch.now += 10 * A_DAY  # down: nobody loses anything by it
        h = await opened(tmp_path, watch)
        await h.app.clockwork.look_in_store()
        assert not (await h.table(id)).row.chairs[1].standin
        watch.now += 0.2 * A_DAY
        await h.app.clockwork.look_in_store()
        table = await h.table(id)
        await until(lambda: table.row.chairs[1].standin and table.waiting() == [0])
        bruno = await h.person(secret=secret)
        await bruno.post(f"/api/tables/{id}/sit", {})
        assert not table.row.chairs[1].standin
        refused = await bruno.post(f"/api/tables/{id}/more-time", {"seat": 1}, 403)
        assert refused["key"] == "own_clock"
        await h.stop()

    run(scene())


def test_a_clock_is_chosen_before_the_game_and_comes_with_the_rematch(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        h = await opened(tmp_path, Watch())
        anna = await h.person("Anna")
        table = await anna.open()
        assert table["clock"] is None
        path = f"/api/tables/{table['id']}/arrange"
        chosen = (await anna.post(path, {"clock": LIVE}))["clock"]
        assert chosen == LIVE | {"when_out": "standin"}
        assert (await anna.post(path, {"seats": 3}))["clock"] == chosen
        assert (await anna.post(path, {"clock": {"kind": "live", "bank": 1}}, 400))["key"] == "no_such_clock"
        assert (await anna.post(path, {"clock": {"kind": "none"}}))["clock"] is None
        presets = await anna.get("/api/games/splendor/clocks")
        assert [preset["name"] for preset in presets] == ["quick", "easy", "long", "days_1", "days_3", "days_7"]
        assert presets[1]["clock"]["bank"] == 2 * presets[0]["clock"]["bank"] and presets[0]["lengths"] == []
        assert (await anna.post("/api/play-now", {"game": "splendor"}))["clock"] is None  # bots have time
        await h.stop()

    run(scene())


def test_what_is_told_of_sealed_clocks_is_who_has_sealed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        people = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
        id = (await people[0].open(3, game="king_of_con", clock=LIVE))["id"]
        for person in people[1:]:
            await person.post(f"/api/tables/{id}/sit", {})
        lines = [await person.line(id) for person in people]
        await people[0].post(f"/api/tables/{id}/start")
        for line in lines:
            await line.next("clocks")
        table = await h.table(id)
        while len(table.waiting()) < 2:
            await decides(table.waiting()[0], lines)
        assert {clock["state"] for clock in told(lines[0])} == {"running"}
        first = table.waiting()[0]
        while not table.sealed(first):
            watch.now += 7
            await decides(first, lines)
        other = (first + 1) % 3
        await until(lambda: told(lines[other])[first]["state"] == "sealed")
        assert told(lines[other])[first]["left"] is None and told(lines[other])[other]["state"] == "running"
        await h.stop()

    run(scene())


def test_two_servers_know_the_same_clocks_and_one_of_them_declares_the_end(postgres: str) -> None:
    async def scene() -> None:
        watch, folder = Watch(), pathlib.Path("unused")
        one, two = [await opened(folder, watch, database=postgres) for _ in range(2)]
        anna, bruno = await one.person("Anna"), await two.person("Bruno")
        id = (await anna.open(clock=LIVE))["id"]
        await bruno.post(f"/api/tables/{id}/sit", {})
        a, b = await anna.line(id), await bruno.line(id)
        await anna.post(f"/api/tables/{id}/start")
        for line in (a, b):
            await line.next("clocks")
        watch.now += 50
        await moves(a, b)
        assert told(a) == told(b) and [clock["left"] for clock in told(b)] == [250, 300]
        tables = [await server.table(id) for server in (one, two)]
        watch.now += 300
        await asyncio.gather(*(server.app.clockwork.look() for server in (one, two, one, two)))
        await until(lambda: all(table.waiting() == [0] for table in tables))
        rows = [[(row.what, row.seat) for row in table.timing._rows] for table in tables]
        assert rows[0] == rows[1] == [("deal", None), ("turn", None), ("out", 1), ("turn", None)]
        await one.stop()  # the house stays open: Anna's time goes on, but for the 20 s that a lost line is given
        await until(lambda: told(b)[0]["state"] == "held")
        watch.now += 25
        line = await (await two.person(secret=anna.secret)).line(id)
        await line.next("clocks")
        assert told(line)[0] == {"left": 265.0, "state": "running", "held": 0.0, "days_off": 0}
        await two.stop()

    run(scene())
