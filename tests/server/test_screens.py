"""Sealed decisions: secret, stored, open again until the last one seals. King of Con shows it."""

from __future__ import annotations

import asyncio
import pathlib

from ludoteca.games.king_of_con import GAME
from ludoteca.server.queries import find_table
from server.house import House, Json, Line, Person, house, run

PLACES: list[tuple[str, str, int]] = [("place", "I05", 1), ("place", "I18", 2)]


async def at_the_con(h: House, seats: int = 3) -> tuple[list[Person], Json, list[Line]]:
    """So many people at a table of King of Con, past the Passions, before the first hid-bid."""
    people = [await h.person(name) for name in ("Anna", "Bruno", "Carla", "Dario", "Elsa")[:seats]]
    wish: Json = {"game": "king_of_con", "options": {"bluffing_by_mistake": "on", "passions": "two_first_game"}}
    table = await people[0].open(seats, **wish)
    for person in people[1:]:
        await person.post(f"/api/tables/{table['id']}/sit", {})
    lines = [await person.line(table["id"]) for person in people]
    await people[0].post(f"/api/tables/{table['id']}/start")
    for line in lines:
        await line.next("update")
    return people, table, lines


async def settle() -> None:
    """Long enough for a message that should not come."""
    await asyncio.sleep(0.15)


def told(line: Line) -> list[Json]:
    """What a person heard of the game; news of who has come to the table may still be on their way."""
    return [message for message in line.heard if message["type"] != "table"]


async def decide(line: Line, *words: str | int, at: int = 0) -> None:
    id = await line.do(GAME.actions.encode(*words), at)  # type: ignore[arg-type]
    assert (await line.next_of(("done", "refused")))["type"] == "done", id


def test_the_others_learn_who_has_sealed_and_nothing_else(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, (anna, bruno, carla) = await at_the_con(h)
            before = told(bruno), told(carla)
            for words in PLACES:
                await decide(anna, *words)
            await settle()
            assert (told(bruno), told(carla)) == before, "half-made offers make no noise"
            shown = anna.of("update")[-1]
            assert (shown["seq"], shown["sealed"]) == (0, False)
            assert shown["view"]["you"]["quadrant"] == {"I05": 1, "I18": 2}

            await decide(anna, "seal")
            seen = await bruno.next("update")
            assert (seen["seq"], seen["waiting"], seen["events"]) == (0, [1, 2], [])
            assert [player["sealed"] for player in seen["view"]["players"]] == [True, False, False]
            assert anna.of("update")[-1]["sealed"] is True
            assert anna.of("update")[-1]["choices"] == []
            assert (await h.table(table["id"])).row.seq == 0, "nobody can count the steps"

    run(scene())


def test_whoever_has_sealed_may_open_again_until_the_last_one_seals(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, (anna, bruno, carla) = await at_the_con(h)
            await decide(anna, "bid", 1, 3)
            await bruno.next("update", lambda m: m["waiting"] == [1, 2])
            await anna.send(type="open_again", id="again", at=0)
            assert (await anna.next("done"))["id"] == "again"
            opened = await anna.next("update", lambda m: not m["sealed"])
            assert opened["view"]["you"]["quadrant"] == {}
            assert opened["choices"]
            assert (await bruno.next("update"))["waiting"] == [0, 1, 2]
            await decide(anna, "bid", 2, 5)
            await decide(bruno, "pass")
            await decide(carla, "pass")
            up = await bruno.next("update", lambda m: m["seq"] == 3)
            offered = [(e["seat"], e["booth"], e["tokens"]) for e in up["events"] if e["kind"] == "offered"]
            assert offered == [(0, 2, 5)]
            await anna.send(type="open_again", id="late", at=0)
            assert (await anna.next("refused"))["key"] == "screens_up"

    run(scene())


def test_opening_half_made_offers_again_sends_others_nothing(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, table, (anna, bruno, carla) = await at_the_con(h)
            watcher = await (await h.person("Walter")).line(table["id"])
            await watcher.next("update")
            await decide(anna, *PLACES[0])
            await settle()
            before = told(bruno), told(carla), told(watcher)
            await anna.send(type="open_again", id="again", at=0)
            assert (await anna.next("done"))["id"] == "again"
            opened = await anna.next("update", lambda m: m["view"]["you"]["quadrant"] == {})
            assert opened["choices"] and not opened["sealed"]
            await settle()
            assert (told(bruno), told(carla), told(watcher)) == before, "nobody learns that anything was there"

    run(scene())


def test_a_whole_set_of_offers_goes_in_one_message_or_not_at_all(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, (anna, bruno, _) = await at_the_con(h)
            numbers = [*(GAME.actions.encode(*words) for words in PLACES), GAME.actions.encode("seal")]
            await anna.send(type="do", id="bad", action=numbers[0], then=[numbers[1], numbers[0]], at=0)
            assert (await anna.next("refused"))["key"] == "quadrant_order"
            await anna.send(type="do", id="on", action=numbers[0], then=[numbers[2], numbers[0]], at=0)
            assert (await anna.next("refused"))["key"] == "one_by_one"
            assert anna.of("update")[-1]["view"]["you"]["quadrant"] == {}
            for _ in range(2):  # a repeated command has one effect
                await anna.send(type="do", id="good", action=numbers[0], then=numbers[1:], at=0)
                assert (await anna.next("done"))["id"] == "good"
            assert anna.of("update")[-1]["view"]["you"]["quadrant"] == {"I05": 1, "I18": 2}
            await bruno.send(type="do", id="good", action=numbers[2], at=0)
            assert (await bruno.next("refused"))["key"] == "id_used"

    run(scene())


def test_what_is_behind_a_screen_survives_the_server(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            people, table, (anna, bruno, carla) = await at_the_con(h)
            await decide(anna, "bid", 1, 3)
            await decide(bruno, *PLACES[0])
            secrets = [person.secret for person in people]
        async with house(tmp_path) as h:
            people = [await h.person(secret=secret) for secret in secrets]
            anna, bruno, carla = [await person.line(table["id"]) for person in people]
            back = await anna.next("update")
            assert (back["sealed"], back["waiting"], back["view"]["you"]["placed"]) == (True, [1, 2], 3)
            assert (await bruno.next("update"))["view"]["you"]["quadrant"] == {"I05": 1}
            mine = await people[0].get("/api/my/tables")
            assert mine[0]["waiting"] == [1, 2]
            await decide(bruno, "seal")
            await decide(carla, "pass")
            up = await carla.next("update", lambda m: m["seq"] == 4)
            assert "screens_up" in [e["kind"] for e in up["events"]]
            read = await anna.next("update", lambda m: m["seq"] == 4)
            assert read["sealed"] is False
            store = h.app.lobby.house.store
            assert (await store.read(find_table, table["id"])).drafts == ""  # type: ignore[union-attr]

    run(scene())


def test_bots_seal_too_and_wait_for_the_last_one(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            table = await anna.post("/api/play-now", {"game": "king_of_con", "seats": 3})
            line = await anna.line(table["id"])
            first = await line.next("update", lambda m: m["waiting"] == [0])
            assert first["seq"] == 0
            await line.do(first["choices"][0]["action"], 0)
            begun = await line.next("update", lambda m: m["seq"] >= 3)
            assert begun["view"]["phase"] == "hid_bid"

    run(scene())
