"""The same person on several devices: by a one-time link, by a passkey; each with a secret that can be taken away."""

from __future__ import annotations

import asyncio
import pathlib
import sqlite3
from typing import Any

import httpx
import pytest

from server.authenticator import Authenticator
from server.house import House, Person, house, run, two_at_a_table, until

Json = dict[str, Any]


async def by_link(h: House, owner: Person, **more: Any) -> Person:
    """A further device of somebody."""
    link = await owner.post("/api/you/link")
    other = h.anybody()
    await other.post("/api/link", {"code": link["code"], **more})
    other.secret = other.http.cookies["ludoteca"]
    return other


def by_name(h: House, person: Person) -> Person:
    """The same browser, with the house's name in the address bar: passkeys need one."""
    origin = f"http://localhost:{h.port}"
    person.http.headers.update({"Host": f"localhost:{h.port}", "Origin": origin})
    return person


# ── By link ──────────────────────────────────────────────────


def test_a_link_brings_the_same_person_to_another_device_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            link = await anna.post("/api/you/link")
            assert link["seconds"] == 600
            phone = await h.person("Nobody yet")
            assert (await phone.post("/api/link/whose", {"code": link["code"]}))["name"] == "Anna"
            me = await phone.post("/api/link", {"code": link["code"], "name": "Phone"})
            assert me == await anna.get("/api/me") == await phone.get("/api/me")
            assert (await h.anybody().post("/api/link", {"code": link["code"]}, 404))["key"] == "no_such_link"
            devices = (await anna.get("/api/you"))["devices"]
            assert [(d["name"], d["how"], d["here"]) for d in devices] == [
                ("", "first", True),
                ("Phone", "link", False),
            ]
            await phone.post("/api/me", {"name": "Anna Maria"})  # one person: a new name is seen by both
            assert (await anna.get("/api/me"))["name"] == "Anna Maria"

    run(scene())


def test_two_who_use_a_link_at_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            link = await anna.post("/api/you/link")
            many = [h.anybody() for _ in range(8)]
            answers = await asyncio.gather(*(one.http.post("/api/link", json={"code": link["code"]}) for one in many))
            assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7
            assert len((await anna.get("/api/you"))["devices"]) == 2

    run(scene())


def test_a_link_is_good_for_minutes_and_only_the_last_one(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, links_an_hour=3) as h:
            anna = await h.person("Anna")
            first, second = await anna.post("/api/you/link"), await anna.post("/api/you/link")
            assert (await h.anybody().post("/api/link", {"code": first["code"]}, 404))["key"] == "no_such_link"
            clock = h.app.lobby.house.clock
            h.app.lobby.house.clock = lambda: clock() + 601
            assert (await h.anybody().post("/api/link", {"code": second["code"]}, 404))["key"] == "no_such_link"
            h.app.lobby.house.clock = clock
            await anna.post("/api/you/link")
            assert (await anna.post("/api/you/link", status=429))["key"] == "too_many_links"

    run(scene())


def test_whoever_guesses_links_has_to_wait_and_then_not_even_the_right_one_is_looked_at(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, misses_a_minute=5) as h:
            anna = await h.person("Anna")
            link = await anna.post("/api/you/link")
            eve = h.anybody()
            for number in range(5):
                path = "/api/link" if number % 2 else "/api/link/whose"
                assert (await eve.post(path, {"code": f"guess {number}"}, 404))["key"] == "no_such_link"
            assert (await eve.post("/api/link", {"code": link["code"]}, 429))["key"] == "too_many_misses"

    run(scene())


# ── Taking it away ───────────────────────────────────────────


def test_a_device_that_is_signed_out_is_nobodys_at_once(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, table, *_ = await two_at_a_table(h)
            phone, tablet = await by_link(h, anna, name="Phone"), await by_link(h, anna, name="Tablet")
            line = await phone.line(table["id"])
            assert (await line.next("table"))["table"]["you"] == 0
            devices = {d["name"]: d["id"] for d in (await anna.get("/api/you"))["devices"]}
            await bruno.post("/api/you/devices/sign-out", {"id": devices["Phone"]}, 404)  # not his
            left = await anna.post("/api/you/devices/sign-out", {"id": devices["Phone"]})
            assert {d["name"] for d in left["devices"]} == {"", "Tablet"}
            await line.closed()
            assert (await phone.get("/api/you", 401))["key"] == "who_are_you"
            assert (await tablet.get("/api/me"))["name"] == "Anna"
            await tablet.post("/api/you/devices/sign-out", {})  # everywhere else
            assert (await anna.get("/api/you", 401))["key"] == "who_are_you"
            assert [d["name"] for d in (await tablet.get("/api/you"))["devices"]] == ["Tablet"]

    run(scene())


def test_a_socket_goes_when_another_server_signs_its_device_out(tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    from ludoteca.server import devices

    monkeypatch.setattr(devices, "LOOK", 0.05)

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, _, line, _ = await two_at_a_table(h)
            watching = asyncio.create_task(h.app.desk.devices.watch())
            await asyncio.sleep(0.2)
            assert line.code is None
            drop = "DELETE FROM devices WHERE guest = ?"
            id = (await anna.get("/api/me"))["id"]
            await h.app.lobby.house.store.write(lambda db: db.execute(drop, (id,)).rowcount)
            await line.closed()
            watching.cancel()

    run(scene())


def test_devices_have_names_and_there_are_only_so_many(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, devices_a_guest=2) as h:
            anna = await h.person("Anna")
            [laptop] = (await anna.get("/api/you"))["devices"]
            named = await anna.post("/api/you/devices/name", {"id": laptop["id"], "name": "  Old\u202e laptop "})
            assert named["devices"][0]["name"] == "Old laptop"
            await by_link(h, anna)
            link = await anna.post("/api/you/link")
            refused = await h.anybody().post("/api/link", {"code": link["code"]}, 429)
            assert refused["key"] == "too_many_devices" and "2 devices" in refused["sentence"]

    run(scene())


# ── By passkey ───────────────────────────────────────────────


async def with_passkey(h: House, person: Person, **more: Any) -> Authenticator:
    """Somebody adds a passkey."""
    by_name(h, person)
    key = Authenticator(person.http.headers["Origin"], **more)
    begun = await person.post("/api/you/passkeys/begin")
    answer = {"ticket": begun["ticket"], "credential": key.make(begun["options"]), "name": "Keyring"}
    you = await person.post("/api/you/passkeys", answer)
    assert [passkey["name"] for passkey in you["passkeys"]] == ["Keyring"]
    return key


async def enter(h: House, person: Person, key: Authenticator, status: int = 200) -> Json:
    """Somebody comes in with a passkey."""
    by_name(h, person)
    begun = await person.post("/api/passkey/begin")
    credential = {"ticket": begun["ticket"], "credential": key.sign(begun["options"])}
    answer: Json = await person.post("/api/passkey", credential, status)
    return answer


def test_a_passkey_opens_the_games_on_another_device(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            table = await anna.open()
            key = await with_passkey(h, anna)
            phone = h.anybody()
            me = await enter(h, phone, key)
            assert me["name"] == "Anna"
            assert [mine["id"] for mine in await phone.get("/api/my/tables")] == [table["id"]]
            assert [d["how"] for d in (await phone.get("/api/you"))["devices"]] == ["passkey", "first"]
            [passkey] = (await anna.get("/api/you"))["passkeys"]
            await anna.post("/api/you/passkeys/forget", {"id": passkey["id"]})
            assert (await enter(h, h.anybody(), key, 403))["key"] == "unknown_passkey"

    run(scene())


def test_passkeys_of_others_old_challenges_and_copies_open_nothing(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            key = await with_passkey(h, anna, counter=7)
            assert (await enter(h, h.anybody(), Authenticator(key.origin), 403))["key"] == "unknown_passkey"
            forged = Authenticator(key.origin, id=key.id, counter=9)  # the right name, another key
            assert (await enter(h, h.anybody(), forged, 403))["key"] == "wrong_passkey"
            elsewhere = Authenticator("http://evil.example", 9, key.key, key.id)
            assert (await enter(h, h.anybody(), elsewhere, 403))["key"] == "wrong_passkey"
            assert (await enter(h, h.anybody(), key, 403))["key"] == "wrong_passkey"  # it has not counted on: a copy
            key.counter = 8
            phone = by_name(h, h.anybody())
            begun = await phone.post("/api/passkey/begin")
            answer = {"ticket": begun["ticket"], "credential": key.sign(begun["options"])}
            assert (await phone.post("/api/passkey", answer))["name"] == "Anna"
            key.counter = 9
            answer["credential"] = key.sign(begun["options"])
            assert (await by_name(h, h.anybody()).post("/api/passkey", answer, 404))["key"] == "no_such_ceremony"
            for garbled in ({}, {"id": 1}, {"rawId": "x", "response": {}}, answer["credential"] | {"id": "AA"}):
                begun = await phone.post("/api/passkey/begin")
                wrong = {"ticket": begun["ticket"], "credential": garbled}
                assert (await phone.post("/api/passkey", wrong, 400))["key"] == "bad_passkey"

    run(scene())


def test_nobody_adds_a_passkey_to_somebody_else(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, eve = by_name(h, await h.person("Anna")), by_name(h, await h.person("Eve"))
            begun = await anna.post("/api/you/passkeys/begin")
            key = Authenticator(anna.http.headers["Origin"])
            answer = {"ticket": begun["ticket"], "credential": key.make(begun["options"])}
            assert (await eve.post("/api/you/passkeys", answer, 404))["key"] == "no_such_ceremony"
            own = await eve.post("/api/you/passkeys/begin")
            taken = await with_passkey(h, anna)
            answer = {
                "ticket": own["ticket"],
                "credential": Authenticator(key.origin, id=taken.id).make(own["options"]),
            }
            assert (await eve.post("/api/you/passkeys", answer, 400))["key"] == "bad_passkey"

    run(scene())


def test_passkeys_need_a_name_of_the_house(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, sign_ins_a_minute=2) as h:
            anna = await h.person("Anna")  # at 127.0.0.1
            assert (await anna.get("/api/you"))["passkeys_here"] is False
            assert (await anna.post("/api/you/passkeys/begin", status=409))["key"] == "no_passkeys_here"
            assert (await anna.post("/api/passkey/begin", status=409))["key"] == "no_passkeys_here"
            by_name(h, anna)
            assert (await anna.get("/api/you"))["passkeys_here"] is True
            options = (await anna.post("/api/passkey/begin"))["options"]
            assert options["rpId"] == "localhost"
            await anna.post("/api/passkey/begin")
            assert (await anna.post("/api/passkey/begin", status=429))["key"] == "too_fast"
            anna.http.headers.update({"Host": "evil.example", "Origin": "http://evil.example"})
            assert (await anna.post("/api/passkey/begin", status=421))["key"] == "wrong_host"

    run(scene())


# ── Secrets ──────────────────────────────────────────────────


def test_the_store_keeps_only_hashes_of_links_challenges_and_devices(tmp_path: pathlib.Path) -> None:
    async def scene() -> list[str]:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            phone = await by_link(h, anna)
            link = await anna.post("/api/you/link")
            begun = await by_name(h, anna).post("/api/you/passkeys/begin")
            return [phone.secret or "", link["code"], begun["ticket"]]

    secrets = run(scene())
    dump = "\n".join(sqlite3.connect(tmp_path / "games.db").iterdump()).lower()
    for secret in secrets:
        assert len(secret) >= 22  # 128 bits
        assert secret.lower() not in dump and secret.encode().hex() not in dump


@pytest.mark.parametrize(
    "path", ["avatar", "forget", "devices/name", "devices/sign-out", "link", "passkeys", "passkeys/begin"]
)
def test_only_our_own_page_arranges_anything(tmp_path: pathlib.Path, path: str) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            anna.http.headers["Origin"] = "http://evil.example"
            assert (await anna.post(f"/api/you/{path}", {}, 403))["key"] == "foreign_origin"
            assert (await h.anybody().http.get("/api/you")).status_code == 401

    run(scene())


# ── Everything one has left ──────────────────────────────────


def test_a_sign_of_ones_own(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            await anna.post("/api/you/avatar", {"symbol": "moon", "colour": 5})
            me = await (await h.person(secret=anna.secret)).get("/api/me")
            assert (me["symbol"], me["colour"]) == ("moon", 5)
            table = await anna.open()  # it stands beside her name there, and changes with it
            assert table["chairs"][0]["sign"] == {"symbol": "moon", "colour": 5} and table["chairs"][1]["sign"] is None
            line = await anna.line(table["id"])
            await anna.post("/api/you/avatar", {"symbol": "key", "colour": 2})
            await line.next("table", lambda told: told["table"]["chairs"][0]["sign"] == {"symbol": "key", "colour": 2})
            await anna.post("/api/you/avatar", {"symbol": "moon", "colour": 5})
            for wrong in ({"symbol": "skull", "colour": 1}, {"symbol": "moon", "colour": 8}):
                assert (await anna.post("/api/you/avatar", wrong, 400))["key"] == "garbled"
        async with house(tmp_path) as h:
            anna = await h.person(secret=anna.secret)
            assert (await anna.get("/api/me"))["symbol"] == "moon"
            [mine] = await anna.get("/api/my/tables")
            assert mine["chairs"][0]["sign"] == {"symbol": "moon", "colour": 5}

    run(scene())


def test_everything_of_a_guest_in_one_file_and_nobody_elses(tmp_path: pathlib.Path) -> None:
    async def scene() -> tuple[httpx.Response, str, str]:
        async with house(tmp_path) as h:
            anna, _, table, a, b = await two_at_a_table(h)
            position = a.of("update")[-1]
            await a.do(position["choices"][0]["action"], position["seq"])
            await b.next("update")
            await a.send(type="say", text="Mine")
            await b.send(type="say", text="Not mine")
            await a.next("said", lambda said: said["text"] == "Not mine")
            return await anna.http.get("/api/you/export"), table["id"], anna.secret or ""

    answer, table, secret = run(scene())
    assert answer.headers["content-disposition"] == 'attachment; filename="ludoteca.json"'
    found = answer.json()
    assert found["guest"]["name"] == "Anna"
    assert [said["text"] for said in found["said"]] == ["Mine"]
    [game] = found["tables"]
    assert (game["id"], game["seat"], len(game["decisions"])) == (table, 0, 1)
    assert secret not in answer.text and "Bruno" not in answer.text and "invite" not in answer.text


def test_who_is_forgotten_leaves_a_former_guest_and_a_stand_in(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno, table, a, b = await two_at_a_table(h)
            waiting = await anna.open()
            phone = await by_link(h, anna)
            await a.send(type="say", text="Remember me")
            await b.send(type="say", text="I do")
            await b.next("said", lambda said: said["text"] == "I do")
            assert (await anna.post("/api/you/forget", {"name": "anna"}, 400))["key"] == "not_your_name"
            assert (await anna.post("/api/you/forget", {"name": "Anna"})) == {"games": 1}
            told = await b.next("table", lambda m: m["table"]["chairs"][0]["former"])
            chair = told["table"]["chairs"][0]
            assert (chair["name"], chair["standin"], chair["online"]) == ("A former guest", True, False)
            for device in (anna, phone):
                assert (await device.get("/api/you", 401))["key"] == "who_are_you"
            await a.closed()
            again = await bruno.line(table["id"])
            await again.next("update")
            assert [said["text"] for said in again.of("said")] == ["I do"]
            await until(lambda: h.app.lobby.tables[table["id"]].seq > 0)  # the stand-in plays on
            await h.anybody().get(f"/api/tables/{waiting['id']}")
            assert not await h.anybody().get("/api/tables")

    run(scene())
    dump = "\n".join(sqlite3.connect(tmp_path / "games.db").iterdump())
    assert "Bruno" in dump and "I do" in dump
    assert "Anna" not in dump and "Remember me" not in dump
