"""Friends by link; those one would rather not meet; and whoever keeps the house."""

from __future__ import annotations

import asyncio
import pathlib
from typing import Any

import pytest

from ludoteca.cli import main
from ludoteca.server import admin
from server.house import house, run, two_at_a_table


def test_friends_by_link_once_and_both_ways(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, carla = await h.person("Anna"), await h.person("Bruno"), await h.person("Carla")
            first, second = await anna.post("/api/you/friends/link"), await anna.post("/api/you/friends/link")
            assert (await bruno.post("/api/you/friends/whose", {"code": first["code"]}))["name"] == "Anna"
            assert (await anna.post("/api/you/friends", {"code": first["code"]}, 404))["key"] == "no_such_link"
            you = await bruno.post("/api/you/friends", {"code": first["code"]})
            assert [friend["name"] for friend in you["friends"]] == ["Anna"]
            assert (await carla.post("/api/you/friends", {"code": first["code"]}, 404))["key"] == "no_such_link"
            await carla.post("/api/you/friends", {"code": second["code"]})  # one for each
            friends = (await anna.get("/api/you"))["friends"]
            assert [friend["name"] for friend in friends] == ["Bruno", "Carla"]
            assert (await h.anybody().http.post("/api/link", json={"code": second["code"]})).status_code != 200
            await anna.post("/api/you/friends/part", {"id": friends[0]["id"]})
            assert not (await bruno.get("/api/you"))["friends"]

    run(scene())


def test_who_is_blocked_is_not_heard_does_not_sit_down_and_is_no_friend(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, eve, table, a, e = await two_at_a_table(h)
            await e.send(type="say", text="Insult")
            said = await a.next("said")
            you = await anna.post(f"/api/tables/{table['id']}/block", {"said": said["at"]})
            assert [person["name"] for person in you["blocked"]] == ["Bruno"]
            await e.send(type="say", text="Another one")
            await e.next("said", lambda m: m["text"] == "Another one")
            await a.send(type="say", text="Peace")
            await a.next("said", lambda m: m["text"] == "Peace")
            assert [m["text"] for m in a.of("said")] == ["Insult", "Peace"]
            again = await anna.line(table["id"])
            await again.next("update")
            assert [m["text"] for m in again.of("said")] == ["Peace"]
            private = await anna.open(public=False)
            wish = {"invite": private["invite"]}
            assert (await eve.post(f"/api/tables/{private['id']}/sit", wish, 403))["key"] == "not_welcome"
            open_to_all = await anna.open()
            assert (await eve.post(f"/api/tables/{open_to_all['id']}/sit", {}, 403))["key"] == "not_welcome"
            carla = await (await h.person("Carla")).open(3)
            await anna.post(f"/api/tables/{carla['id']}/sit")
            await eve.post(f"/api/tables/{carla['id']}/sit")  # it is Carla's, and public
            link = await anna.post("/api/you/friends/link")
            assert (await eve.post("/api/you/friends", {"code": link["code"]}, 404))["key"] == "no_such_link"
            assert (await anna.post(f"/api/tables/{table['id']}/block", {"seat": 0}, 400))["key"] == "not_yourself"
            assert (await anna.post(f"/api/tables/{table['id']}/block", {"seat": 7}, 404))["key"] == "no_such_person"
            await anna.post("/api/you/blocked/forget", {"id": you["blocked"][0]["id"]})
            await eve.post(f"/api/tables/{private['id']}/sit", wish)

    run(scene())


def test_chat_can_be_off_for_oneself_and_for_a_table(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, table, a, b = await two_at_a_table(h)
            assert (await bruno.post("/api/you/chat", {"on": False}))["chat"] is False
            await a.send(type="say", text="Hello?")
            await a.next("said")
            await b.send(type="say", text="No")
            assert (await b.next("refused"))["key"] == "own_chat_off"
            assert not b.of("said")
            await bruno.post("/api/you/chat", {"on": True})
            path = f"/api/tables/{table['id']}/hush"
            assert (await bruno.post(path, {"quiet": True}, 403))["key"] == "only_host"
            assert (await anna.post(path, {"quiet": True}))["quiet"] is True
            await b.next("table", lambda m: m["table"]["quiet"])
            await b.send(type="say", text="And now?")
            assert (await b.next("refused"))["key"] == "chat_off"
            await anna.post(path, {"quiet": False})
            await b.send(type="say", text="Now")
            await a.next("said", lambda m: m["text"] == "Now")

    run(scene())


def test_a_report_reaches_whoever_keeps_the_house(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(admin, "LOOK", 0.05)
    place = str(tmp_path / "games.db")

    async def kept(*words: str, status: int = 0) -> str:
        """In a thread: the command has an event loop of its own, and the house is open."""
        assert await asyncio.to_thread(main, ["admin", *words, "--database", place]) == status
        return capsys.readouterr().out

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, eve, table, a, e = await two_at_a_table(h)
            await e.send(type="say", text="Insult")
            said = await a.next("said")
            path = f"/api/tables/{table['id']}/report"
            assert await anna.post(path, {"said": said["at"], "text": "Not nice"}) == {"table": table["id"]}
            told = await kept("reports")
            guest = (await eve.get("/api/me"))["id"]
            assert "«Insult»" in told and "Not nice" in told and f"about Bruno ({guest})" in told
            await kept("settle", "1", "--note", "spoke to her")
            assert await kept("reports") == "No reports.\n" and "(done)" in await kept("reports", "--all")
            await kept("ban", guest)  # while the house is open
            await e.closed()
            assert (await eve.get("/api/me", 403))["key"] == "banned"
            await kept("close", table["id"])
            await a.closed()
            info = await anna.get(f"/api/tables/{table['id']}")
            assert (info["phase"], info["ended"]) == ("over", "closed")
            await kept("unban", guest)
            await until_known(eve)
            log = await kept("log")
            assert [line.split()[3] for line in log.splitlines()] == ["settle", "ban", "close", "unban"]
            assert "spoke to her" in log
            for wrong in (["ban", "nobody"], ["close", "nowhere"], ["settle", "99"]):
                await kept(*wrong, status=2)

    run(scene())


async def until_known(person: Any) -> None:
    async with asyncio.timeout(30):
        while (await person.http.get("/api/me")).status_code != 200:
            await asyncio.sleep(0.02)


def test_what_spectators_say_is_no_players_to_ask_for_by_reporting_it(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, _, _ = await two_at_a_table(h)
            carla, dora = await h.person("Carla"), await h.person("Dora")
            watching = await carla.line(table["id"])
            await watching.send(type="say", text="She should reserve")
            said = await watching.next("said")
            path = f"/api/tables/{table['id']}/report"
            assert (await anna.post(path, {"said": said["at"], "text": ""}, 404))["key"] == "no_such_person"
            assert (await anna.post(path, {"said": 1.0, "text": ""}, 404))["key"] == "no_such_person"
            await dora.post(path, {"said": said["at"], "text": ""})
            for _ in range(9):
                await dora.post(path, {"seat": 0, "text": "again"})
            assert (await dora.post(path, {"seat": 0, "text": "again"}, 429))["key"] == "too_many_reports"

    run(scene())
