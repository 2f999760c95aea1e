"""Who you are, with two servers on Postgres: links, signing out, one notice of two, being forgotten."""

from __future__ import annotations

import asyncio

import pytest

from ludoteca.server import devices
from server.house import newer, run, until
from server.test_devices import by_name, enter, with_passkey
from server.test_notices import SOON, service, subscribe
from server.test_several import elsewhere, seated, servers


def test_one_person_with_two_servers(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "LOOK", 0.1)

    async def scene() -> None:
        async with servers(2, postgres, **SOON) as (one, two), service() as theirs:
            table, [anna, bruno], [a, b] = await seated(one, two)
            key = await with_passkey(one, anna)
            key.origin = f"http://localhost:{two.port}"
            assert (await enter(two, two.anybody(), key))["name"] == "Anna"
            by_name(one, anna)
            link = await anna.post("/api/you/link")
            phone = two.anybody()
            await phone.post("/api/link", {"code": link["code"], "name": "Phone"})
            phone.secret = phone.http.cookies["ludoteca"]
            line = await phone.line(table["id"])
            assert (await line.next("table"))["table"]["you"] == 0
            await anna.post("/api/you/devices/sign-out", {})  # with the first server
            await line.closed()  # the second one has noticed
            await phone.get("/api/you", 401)

            await subscribe(bruno, theirs)
            watching = await (await one.person("Carla")).line(table["id"])  # so that both servers follow the game
            beside = await (await two.person("Dora")).line(table["id"])
            await b.close()
            worlds = [await server.table(table["id"]) for server in (one, two)]
            absent = str(worlds[0].row.chairs[1].guest)
            await until(lambda: not any(world.presence.is_online(absent) for world in worlds))
            position = a.of("update")[-1]
            await a.do(position["choices"][0]["action"], position["seq"])
            for seen in (watching, beside):
                await seen.next("update", newer(position["seq"]))
            await until(lambda: theirs.got)
            await asyncio.sleep(0.3)
            assert len(theirs.got) == 1, "one of them sends"

            again = await elsewhere(bruno, one)
            await again.post(f"/api/tables/{table['id']}/block", {"seat": 0})
            await again.post("/api/you/forget", {"name": "Bruno"})
            told = await beside.next("table", lambda m: m["table"]["chairs"][1]["former"])
            assert told["table"]["chairs"][1]["name"] == "A former guest"

    run(scene())
