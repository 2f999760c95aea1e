"""Quick match: who wants the same is put at one table, once, and never with somebody they have blocked."""

from __future__ import annotations

import asyncio
import pathlib
import random
from typing import Any

import pytest

from ludoteca.server import quick
from ludoteca.server.quick import Terms, Wish, party_of
from server.house import House, Json, Person, house, run
from server.test_clocks_at_table import Watch, opened
from server.test_several import servers

TWO = {"game": "splendor", "seats": 2}


async def looking(h: House, name: str, **wish: Any) -> tuple[Person, Json]:
    """Somebody comes in and looks for others."""
    person = await h.person(name)
    return person, await person.post("/api/quick", TWO | wish)


def test_two_who_want_the_same_play_when_both_have_come(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, info = await looking(h, "Anna", speed="quick", rated=True)
            assert (info["people"], info["table"], info["bots_in"]) == (1, None, None)
            await looking(h, "Else", speed="quick")  # friendly
            await looking(h, "Fritz", speed="long", rated=True)
            await looking(h, "Gil", game="loot", speed="quick", rated=True)
            assert (await anna.get("/api/quick"))["table"] is None
            news = asyncio.create_task(anna.get("/api/quick/news"))
            await asyncio.sleep(0)
            bruno, info = await looking(h, "Bruno", speed="quick", rated=True)
            table = info["table"]
            assert {chair["name"] for chair in table["chairs"]} == {"Anna", "Bruno"}
            assert (await news)["table"]["id"] == table["id"], "she is woken"
            assert table["rated"] and table["clock"]["kind"] == "live" and table["phase"] == "open"
            first = await bruno.post("/api/quick/come", {"entropy": "b"})
            assert first["phase"] == "open" and await bruno.post("/api/quick/come", {"entropy": "c"}) == first
            begun = await anna.post("/api/quick/come", {"entropy": "a"})
            assert begun["phase"] == "playing" and sorted(begun["fair"]["entropy"]) == ["a", "b"]
            assert begun["fair"]["commitment"] == table["fair"]["commitment"]

    run(scene())


def test_bots_fill_up_for_those_who_want_them(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, info = await looking(h, "Anna", seats=4, bots=True)
        assert info["bots_in"] == 60
        watch.now += 20
        await anna.get("/api/quick")
        olga, _ = await looking(h, "Olga", seats=4, bots=True)
        carla, info = await looking(h, "Carla", seats=4)
        assert info["people"] == 3 and info["bots_in"] is None
        watch.now += 20
        stands = [await person.get("/api/quick") for person in (anna, olga, carla)]
        assert [info["bots_in"] for info in stands] == [20, 40, None]
        watch.now += 20
        chairs = (await anna.get("/api/quick"))["table"]["chairs"]
        assert {chair["name"] for chair in chairs if chair["kind"] == "person"} == {"Anna", "Olga"}
        assert [chair["kind"] for chair in chairs].count("bot") == 2, "Carla wants people"
        assert (await carla.get("/api/quick"))["people"] == 1
        for person in (anna, olga):
            table = await person.post("/api/quick/come", {"entropy": "x"})
        assert table["phase"] == "playing"
        await h.stop()

    run(scene())


def test_whom_somebody_has_blocked_they_do_not_meet(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, bruno = await h.person("Anna"), await h.person("Bruno")
        table = await anna.open()
        await bruno.post(f"/api/tables/{table['id']}/sit", {})
        await bruno.post(f"/api/tables/{table['id']}/block", {"seat": 0})
        for person in (anna, bruno, anna):
            assert (await person.post("/api/quick", TWO | {"bots": True}))["people"] == 1
        for _ in range(3):
            watch.now += 20
            found = [(await person.get("/api/quick"))["table"] for person in (anna, bruno)]
        for one in found:
            assert [chair["kind"] for chair in one["chairs"]].count("bot") == 1, "not even where bots fill up"
        await h.stop()

    run(scene())


def test_who_does_not_ask_any_more_is_not_put_at_a_table(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, _ = await looking(h, "Anna")
        watch.now += quick.FRESH + 1
        bruno, info = await looking(h, "Bruno")
        assert info["people"] == 1 and (await anna.get("/api/quick"))["wish"] is None
        assert (await bruno.post("/api/quick/cancel"))["wish"] is None
        assert (await anna.post("/api/quick", TWO))["people"] == 1
        found = await bruno.post("/api/quick", TWO)
        await bruno.post("/api/quick/cancel")
        left = await anna.get(f"/api/tables/{found['table']['id']}")
        assert [chair["kind"] for chair in left["chairs"]].count("empty") == 1, "he thought better of it"
        await h.stop()

    run(scene())


def test_the_limits_of_opening_tables_hold_here_too(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, tables_a_guest=1, tables_an_hour=3, bot_turns_a_host=0) as h:
            anna = await h.person("Anna")
            assert (await anna.post("/api/quick", TWO | {"seats": 1}, 400))["key"] == "seats_out_of_range"
            assert (await anna.post("/api/quick", {"game": "loot", "seats": 1}, 400))["key"] == "quick_alone"
            assert (await anna.post("/api/quick", TWO | {"speed": "hasty"}, 400))["key"] == "no_such_clock"
            assert (await anna.post("/api/quick", TWO | {"game": "chess"}, 404))["sentence"]
            assert (await anna.post("/api/quick", TWO | {"bots": True}, 429))["key"] == "too_many_bot_turns"
            for _ in range(3):
                await anna.post("/api/quick", TWO)
            assert (await anna.post("/api/quick", TWO, 429))["key"] == "too_many_opened"
            bruno, _ = await looking(h, "Bruno", seats=3)
            await bruno.open()
            assert (await bruno.post("/api/quick", TWO, 429))["key"] == "too_many_tables"
            await looking(h, "Carla", seats=3)
            _, info = await looking(h, "Dora", seats=3)
            assert info["people"] == 2, "Bruno has opened another table meanwhile"

    run(scene())


def test_parties_are_full_wherever_they_can_be() -> None:
    terms = Terms("splendor", 3, "none", False)
    chance = random.Random(3)
    for _ in range(200):
        wishes = [Wish(str(n), terms, False, float(n), 0.0) for n in range(6)]
        pairs = [frozenset((str(a), str(b))) for a in range(6) for b in range(a)]
        apart = {pair for pair in pairs if chance.random() < 0.4}
        party = [wish.guest for wish in party_of(wishes[0], wishes[1:], apart)]
        free = [n for n in map(str, range(1, 6)) if frozenset(("0", n)) not in apart]
        possible = any(frozenset((a, b)) not in apart for a in free for b in free if a < b)
        assert party[0] == "0" and (len(party) == 3) == possible
        assert not any(frozenset((a, b)) in apart for a in party for b in party)


def test_with_several_servers_everybody_is_put_at_one_table_once(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        monkeypatch.setattr(quick, "NEWS", 14.0)
        async with servers(2, postgres) as (one, two):
            anna, _ = await looking(one, "Anna")
            news = asyncio.create_task(anna.get("/api/quick/news"))
            _, info = await looking(two, "Bruno")
            async with asyncio.timeout(7):  # the bus wakes her
                assert (await news)["table"]["id"] == info["table"]["id"]
            many = [await server.person(f"P{n}") for n in range(4) for server in (one, two)]
            found = await asyncio.gather(*(person.post("/api/quick", TWO) for person in many))
            tables: dict[str, int] = {}
            for person in many:
                table = (await person.get("/api/quick"))["table"]
                tables[table["id"]] = tables.get(table["id"], 0) + 1
            assert sorted(tables.values()) == [2, 2, 2, 2] and len(found) == 8

    run(scene())
