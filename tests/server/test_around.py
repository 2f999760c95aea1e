"""What goes on in the house: friends who are here, public games to watch, and who looks for a quick match."""

from __future__ import annotations

import pathlib

import pytest

from ludoteca.server import around
from server.house import House, Person, house, run
from server.test_clocks_at_table import Watch, opened
from server.test_several import elsewhere, servers


async def befriended(h: House, *names: str) -> list[Person]:
    """People of whom the first is everybody's friend."""
    people = [await h.person(name) for name in names]
    for other in people[1:]:
        link = await people[0].post("/api/you/friends/link")
        await other.post("/api/you/friends", {"code": link["code"]})
    return people


def test_friends_are_here_while_they_look_and_away_afterwards(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna, bruno, carla = await befriended(h, "Anna", "Bruno", "Carla")
        friends = (await anna.get("/api/around"))["friends"]
        assert [(one["person"]["name"], one["here"], one["away"]) for one in friends] == [
            ("Bruno", False, None),
            ("Carla", False, None),
        ]
        await carla.get("/api/around")
        watch.now += 100
        friends = (await anna.get("/api/around"))["friends"]
        assert [(one["person"]["name"], one["here"]) for one in friends] == [("Carla", True), ("Bruno", False)]
        watch.now += around.HERE
        friends = (await anna.get("/api/around"))["friends"]
        assert friends[0]["person"]["name"] == "Carla" and not friends[0]["here"]
        assert friends[0]["away"] == pytest.approx(100 + around.HERE, abs=5)
        assert [one["person"]["name"] for one in (await bruno.get("/api/around"))["friends"]] == ["Anna"]
        stranger = await h.person("Eve")
        assert (await stranger.get("/api/around"))["friends"] == []
        await h.stop()

    run(scene())


def test_who_sits_at_a_table_is_here_and_is_watched_only_where_it_is_public(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = await befriended(h, "Anna", "Bruno", "Carla")
            public, private = (
                await bruno.open(bots=[None, "novice"]),
                await carla.open(public=False, bots=[None, "novice"]),
            )
            for person, table in ((bruno, public), (carla, private)):
                await person.post(f"/api/tables/{table['id']}/start")
                line = await person.line(table["id"])
                await line.next("update")
            await h.app.lobby.note_here()
            told = await anna.get("/api/around")
            friends = {one["person"]["name"]: one for one in told["friends"]}
            assert friends["Bruno"]["here"] and friends["Carla"]["here"]
            assert (friends["Bruno"]["table"], friends["Bruno"]["game"]) == (public["id"], public["game"])
            assert friends["Carla"]["table"] is None and private["id"] not in str(told)
            assert [table["id"] for table in told["running"]] == [public["id"]]
            assert told["running"][0]["invite"] is None and told["running"][0]["you"] is None
            assert (await bruno.get("/api/around"))["running"] == [], "where one sits is told elsewhere"

    run(scene())


def test_how_many_others_look_for_what(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        watch = Watch()
        h = await opened(tmp_path, watch)
        anna = await h.person("Anna")
        for name in ("Bruno", "Carla"):
            await (await h.person(name)).post("/api/quick", {"game": "splendor", "seats": 3, "speed": "easy"})
        await anna.post("/api/quick", {"game": "splendor", "seats": 4})
        assert (await anna.get("/api/around"))["looking"] == [
            {"game": "splendor", "seats": 3, "speed": "easy", "rated": False, "people": 2}
        ]
        watch.now += 60  # nobody has asked again
        assert (await anna.get("/api/around"))["looking"] == []
        await h.stop()

    run(scene())


def test_friends_are_seen_with_another_server(postgres: str) -> None:
    async def scene() -> None:
        async with servers(2, postgres) as (here, there):
            anna, bruno = await befriended(here, "Anna", "Bruno")
            assert not (await anna.get("/api/around"))["friends"][0]["here"]
            await (await elsewhere(bruno, there)).get("/api/around")
            assert (await anna.get("/api/around"))["friends"][0]["here"]

    run(scene())
