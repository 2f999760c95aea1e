"""Coming back: from any number, after a restart of the server, after the table was forgotten."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

from ludoteca.server import queries
from ludoteca.server.store import Store
from server.house import Json, Line, Person, house, newer, play, run, two_at_a_table, until

pytestmark = pytest.mark.usefixtures("fast_hands")


def test_coming_back_from_any_number_gives_exactly_what_was_missed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, sockets_a_seat=1000) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            watcher = await h.person("Carla")
            c = await watcher.line(info["id"])
            await c.next("update")
            last = await play({0: a, 1: b}, 40)
            await c.next("update", lambda m: m["seq"] == last)
            for person, line in ((anna, a), (bruno, b), (watcher, c)):
                live = line.of("update")
                for since in (*range(0, last, 3), last, last + 5):
                    again = await person.line(info["id"], since)
                    back = await again.next("update")
                    missed = [event for update in live if update["seq"] > since for event in update["events"]]
                    assert back["events"] == missed
                    assert back["fresh"]
                    same = ("seq", "view", "choices", "waiting", "result")
                    assert {k: back[k] for k in same} == {k: live[-1][k] for k in same}
                    await again.close()

    run(scene())


def test_a_restart_of_the_server_keeps_every_game(tmp_path: pathlib.Path) -> None:
    async def first() -> tuple[str, str, str, Json]:
        async with house(tmp_path) as h:
            anna, bruno, info, a, b = await two_at_a_table(h)
            await a.send(type="say", text="see you")
            await b.next("said")
            await play({0: a, 1: b}, 21)
            return info["id"], anna.secret or "", bruno.secret or "", b.of("update")[-1]

    async def second(id: str, annas: str, brunos: str, before: Json) -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person(secret=annas), await h.person(secret=brunos)
            assert (await anna.get("/api/me"))["name"] == "Anna"
            [mine] = await anna.get("/api/my/tables")
            assert (mine["id"], mine["seq"], mine["waiting"]) == (id, 21, before["waiting"])
            b = await bruno.line(id, 21)
            position = await b.next("update")
            assert {k: v for k, v in position.items() if k not in ("fresh", "events")} == {
                k: v for k, v in before.items() if k not in ("fresh", "events")
            }
            assert (await bruno.get(f"/api/tables/{id}"))["you"] == 1
            a = await anna.line(id, 0)
            assert (await a.next("said"))["text"] == "see you"
            assert len((await a.next("update"))["events"]) > 21
            await play({0: a, 1: b}, 5)
            assert (await h.table(id)).seq == 26

    id, annas, brunos, before = run(first())
    run(second(id, annas, brunos, before))


def test_bots_go_on_after_a_restart(tmp_path: pathlib.Path) -> None:
    async def first() -> tuple[str, Person]:
        async with house(tmp_path, bot_pause=60.0) as h:  # the bot is still thinking when the server goes down
            anna = await h.person("Anna")
            info = await anna.post("/api/play-now", {"game": "splendor", "seats": 2})
            line = await anna.line(info["id"])
            position = await line.next("update")
            await line.do(position["choices"][0]["action"], 0)
            position = await line.next("update", lambda m: m["seq"] >= 1)
            while position["waiting"] == [0]:  # a turn of several steps
                await line.do(position["choices"][0]["action"], position["seq"])
                position = await line.next("update", newer(position["seq"]))
            return info["id"], anna

    async def second(id: str, anna: Person) -> None:
        async with house(tmp_path) as h:
            anna.house = h
            line = await anna.line(id)
            await line.next("update", lambda m: m["waiting"] == [0])

    run(second(*run(first())))


def test_a_table_nobody_looks_at_is_forgotten_and_comes_back(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, idle=0.2) as h:
            anna, _, info, a, b = await two_at_a_table(h)
            last = await play({0: a, 1: b}, 12)
            before = a.of("update")[-1]["view"]
            h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 1)
            assert info["id"] in h.app.lobby.tables  # somebody is looking
            await a.close()
            await b.close()
            table = h.app.lobby.tables[info["id"]]
            await until(lambda: not table.presence)
            h.app.lobby.forget_idle(h.app.lobby.house.ticks() + 1)
            assert info["id"] not in h.app.lobby.tables
            [listed] = await anna.get("/api/my/tables")
            assert listed["seq"] == last
            assert info["id"] not in h.app.lobby.tables  # a list does not bring it back
            again = await anna.line(info["id"], last)
            assert (await again.next("update"))["view"] == before

    run(scene())


def test_a_ping_that_is_behind_twice_fills_the_gap(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, b = await two_at_a_table(h)
            await play({0: a, 1: b}, 4)
            await a.send(type="ping", at=2)
            assert (await a.next("pong"))["seq"] == 4
            await a.send(type="ping", at=2)
            await a.next("pong")
            filled = await a.next("update")
            assert (filled["fresh"], filled["seq"]) == (True, 4)
            live = [e for u in b.of("update") if u["seq"] > 2 for e in u["events"]]
            assert [e["n"] for e in filled["events"]] == [e["n"] for e in live]

    run(scene())


def test_what_another_server_has_stored_is_followed_and_told(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            other = Store(tmp_path / "games.db", alone=False)
            choices = a.of("update")[-1]["choices"]
            await other.write(queries.append, info["id"], 1, 0, [choices[0]["action"]], "elsewhere", 1.0, 2, "playing")
            other.close()
            await a.do(choices[1]["action"], 0)
            for line in (a, b):
                told = await line.next("update", lambda update: update["seq"] == 1)
                assert [event["seat"] for event in told["events"]] == [0]
            assert (await a.next("refused"))["key"] == "not_your_turn"
            await a.do(choices[0]["action"], 0, "elsewhere")
            assert (await a.next("done"))["seq"] == 1

    run(scene())


async def speak(line: Line) -> None:
    """Says something now and then, well within the time after which one counts as away."""
    while True:
        await line.send(type="ping", at=0)
        await asyncio.sleep(0.3)


def test_a_browser_that_falls_silent_counts_as_away(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, silent=1.5) as h:
            _, _, _, a, b = await two_at_a_table(h)
            speaking = asyncio.create_task(speak(a))
            gone = await a.next("table", lambda m: not m["table"]["chairs"][1]["online"])
            assert gone["table"]["chairs"][0]["online"]
            await b.send(type="ping", at=0)
            await a.next("table", lambda m: m["table"]["chairs"][1]["online"])
            speaking.cancel()
            await b.close()
            await a.next("table", lambda m: not m["table"]["chairs"][1]["online"])

    run(scene())
