"""Friends are asked to a table, find it on their home page, are told, and sit down or not; and open tables by filter."""

from __future__ import annotations

import pathlib

from server.house import House, Json, Person, house, run, until
from server.test_notices import SOON, service, subscribe


async def friends(h: House, *names: str) -> list[Person]:
    """People, the first of whom is everybody's friend."""
    people = [await h.person(name) for name in names]
    for other in people[1:]:
        code = (await people[0].post("/api/you/friends/link"))["code"]
        await other.post("/api/you/friends", {"code": code})
    return people


async def id_of(person: Person) -> str:
    return str((await person.get("/api/me"))["id"])


def test_a_friend_is_asked_told_and_sits_down_on_the_chair_that_was_kept(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, **SOON) as h, service() as theirs:
            anna, bruno, dora = await friends(h, "Anna", "Bruno", "Dora")
            carla = await h.person("Carla")
            await subscribe(bruno, theirs)
            table = await anna.open(2)
            path = f"/api/tables/{table['id']}/invitations"
            asked = await anna.post(path, {"friend": await id_of(bruno), "keep": True})
            assert [(one["person"]["name"], one["kept"]) for one in asked] == [("Bruno", True)]
            await until(lambda: theirs.got)
            told: Json = theirs.got[0]
            assert told["title"] == "Anna asks you to a game: Splendor: Marvel" and told["invite"] == table["invite"]

            await anna.post(path, {"friend": await id_of(bruno), "keep": True})  # asked again, told once
            assert (await anna.post(path, {"friend": await id_of(dora), "keep": True}, 409))[
                "key"
            ] == "no_chair_to_keep"
            assert (await carla.post(f"/api/tables/{table['id']}/sit", {}, 409))["key"] == "chairs_kept"
            assert await carla.get("/api/tables") == [], "not shown to those who cannot sit down"
            await carla.get(path, 403)

            [one] = await bruno.get("/api/my/invitations")
            assert (one["by"]["name"], one["kept"], one["table"]["id"]) == ("Anna", True, table["id"])
            assert (await bruno.post(f"{path}/accept"))["you"] == 1
            assert await bruno.get("/api/my/invitations") == [] and await anna.get(path) == []
            assert len(theirs.got) == 1

    run(scene())


def test_not_now_frees_the_chair_and_is_not_asked_twice(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, dora = await friends(h, "Anna", "Bruno", "Dora")
            carla = await h.person("Carla")
            table = await anna.open(3, public=False)
            path, sit = f"/api/tables/{table['id']}/invitations", f"/api/tables/{table['id']}/sit"
            for friend in (bruno, dora):
                await anna.post(path, {"friend": await id_of(friend), "keep": True})
            await bruno.get(f"/api/tables/{table['id']}", 404)  # private: the invitation opens it
            await carla.post(sit, {"invite": table["invite"]}, 409)
            assert await bruno.post(f"{path}/decline") == []
            await bruno.post(f"{path}/accept", status=404)
            assert (await anna.post(path, {"friend": await id_of(bruno)}, 409))["key"] == "has_declined"
            assert (await carla.post(sit, {"invite": table["invite"]}))["you"] == 1
            stays = await carla.post(f"{path}/withdraw", {"id": await id_of(dora)})
            assert len(stays) == 1, "neither the host nor whoever has asked"
            assert await anna.post(f"{path}/withdraw", {"id": await id_of(dora)}) == []
            await dora.post(f"{path}/accept", status=404)
            await anna.post(path, {"friend": await id_of(dora)})
            await anna.post(f"/api/tables/{table['id']}/start")
            assert await dora.get("/api/my/invitations") == [], "it has begun"
            assert (await anna.post(path, {"friend": await id_of(dora)}, 409))["key"] == "already_started"

    run(scene())


def test_only_friends_are_asked_and_whoever_is_blocked_is_none(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await friends(h, "Anna", "Bruno")
            carla = await h.person("Carla")
            table = await anna.open(3)
            path = f"/api/tables/{table['id']}/invitations"
            assert (await anna.post(path, {"friend": await id_of(carla)}, 403))["key"] == "not_friends"
            await bruno.post(f"/api/tables/{table['id']}/block", {"seat": 0})
            assert (await anna.post(path, {"friend": await id_of(bruno)}, 403))["key"] == "not_friends"
            assert await bruno.get("/api/my/invitations") == []

    run(scene())


def test_open_tables_by_game_free_seats_clock_and_what_counts(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            plain = await anna.open(2)
            rated = await anna.open(4, rated=True, clock={"kind": "live", "bank": 60, "increment": 5})
            days = await anna.open(3, game="loot", clock={"kind": "days", "bank": 86400})
            ids = {"plain": plain["id"], "rated": rated["id"], "days": days["id"]}
            for query, names in {
                "": {"plain", "rated", "days"},
                "game=loot": {"days"},
                "free=2": {"rated", "days"},
                "free=3": {"rated"},
                "clock=none": {"plain"},
                "clock=live": {"rated"},
                "clock=days": {"days"},
                "clock=%25": {"plain", "rated", "days"},  # not a clock
                "rated=yes": {"rated"},
                "rated=no&game=splendor": {"plain"},
            }.items():
                found = {table["id"] for table in await bruno.get(f"/api/tables?{query}")}
                assert found == {ids[name] for name in names}, query

    run(scene())
