"""Who is awaited and not there is told, once a turn, by web push; and nobody makes the house knock at its own doors."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import secrets
import sqlite3
from collections.abc import AsyncIterator
from typing import Any

import http_ece
import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from ludoteca.server import push
from ludoteca.server.database import Connection
from ludoteca.server.notices import Notices, Occasion, add_browser, claim
from ludoteca.server.push import BadEndpoint, Push, Subscription, base64url, is_open_internet
from ludoteca.server.store import Store
from server.house import House, Person, house, newer, run, two_at_a_table, until

Json = dict[str, Any]
RAW = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


class Service:
    """A push service on this machine, and the browser that it serves."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = secrets.token_bytes(16)
        self.heads: list[str] = []
        self.got: list[Json] = []
        self.status = "201 Created"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = int(head.lower().partition("content-length:")[2].split("\r")[0])
        body = await reader.readexactly(size)
        self.heads.append(head)
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        self.got.append(msgspec.json.decode(plain))
        writer.write(f"HTTP/1.1 {self.status}\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".encode())
        writer.close()

    def subscription(self, language: str = "en") -> Json:
        public = self.key.public_key().public_bytes(*RAW)
        endpoint = f"http://127.0.0.1:{self.port}/push/abc?x=1"
        return {"endpoint": endpoint, "p256dh": base64url(public), "auth": base64url(self.auth), "language": language}

    port = 0


@contextlib.asynccontextmanager
async def service() -> AsyncIterator[Service]:
    found = Service()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


async def subscribe(person: Person, to: Service, **more: Any) -> Json:
    answer: Json = await person.post("/api/you/notices/subscribe", to.subscription(**more))
    return answer


SOON: Json = {"push_local": True, "notice_delay": 0.05}


def test_the_absent_are_told_once_a_turn_and_those_who_look_are_not(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, **SOON) as h, service() as mine, service() as theirs:
            anna, bruno, table, a, b = await two_at_a_table(h)
            await subscribe(anna, mine)
            assert (await subscribe(bruno, theirs, language="it"))["browsers"] == 1
            await b.close()
            await until(lambda: not h.app.lobby.tables[table["id"]].presence.is_online(_id(h, table, 1)))
            position = a.of("update")[-1]
            await a.do(position["choices"][0]["action"], position["seq"])
            await until(lambda: theirs.got)
            [notice] = theirs.got
            assert notice["title"] == "Tocca a te: Splendor: Marvel" and notice["body"] == "Con Anna"
            assert notice["table"] == table["id"] and not mine.got
            [head] = theirs.heads
            assert head.startswith("POST /push/abc?x=1 HTTP/1.1\r\n") and "Content-Encoding: aes128gcm" in head
            signed = head.partition("Authorization: ")[2].partition("\r\n")[0]
            assert Vapid02.verify(signed)
            assert f"k={h.app.desk.notices.public_key}" in signed
            another(h).look(h.app.lobby.tables[table["id"]])
            await asyncio.sleep(0.2)
            assert len(theirs.got) == 1
            again = await bruno.line(table["id"])  # he looks, plays, stays: nobody is told
            position = await again.next("update")
            await again.do(position["choices"][0]["action"], position["seq"])
            position = await a.next("update", newer(position["seq"]))
            await a.do(position["choices"][0]["action"], position["seq"])
            await again.next("update", newer(position["seq"]))
            await asyncio.sleep(0.2)
            assert len(theirs.got) == 1 and not mine.got

    run(scene())


def another(h: House) -> Notices:
    """Those of a second server that follows the table."""
    return Notices(h.app.lobby.house.store, h.app.desk.notices._push, 0.05)


def _id(h: Any, table: Json, seat: int) -> str:
    return str(h.app.lobby.tables[table["id"]].row.chairs[seat].guest)


def test_muted_kinds_and_tables_and_browsers_that_are_gone(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, **SOON) as h, service() as theirs:
            anna, bruno, table, a, b = await two_at_a_table(h)
            await subscribe(bruno, theirs)
            world = h.app.lobby.tables[table["id"]]
            await b.close()
            await until(lambda: not world.presence.is_online(_id(h, table, 1)))
            muted = await bruno.post("/api/you/notices/mute", {"muted": True, "table": table["id"]})
            assert (muted["muted"], muted["muted_tables"]) == ([], [table["id"]])
            position = a.of("update")[-1]
            await a.do(position["choices"][0]["action"], position["seq"])
            await a.next("update", newer(position["seq"]))
            await asyncio.sleep(0.2)
            await bruno.post("/api/you/notices/mute", {"muted": False, "table": table["id"]})
            muted = await bruno.post("/api/you/notices/mute", {"muted": True, "kind": "turn"})
            assert (muted["muted"], muted["muted_tables"]) == (["turn"], [])
            another(h).look(world)
            await asyncio.sleep(0.2)
            assert not theirs.got
            await bruno.post("/api/you/notices/mute", {"muted": False, "kind": "turn"})
            theirs.status = "410 Gone"
            another(h).look(world)
            await until(lambda: theirs.got)
            await until_async(lambda: _browsers(bruno), 0)
            await subscribe(bruno, theirs)
            await bruno.post("/api/you/notices/unsubscribe", {"endpoint": theirs.subscription()["endpoint"]})
            assert await _browsers(bruno) == 0
            await subscribe(bruno, theirs)
            assert await _browsers(anna) == 0
            other = await subscribe(anna, theirs)  # the same browser, somebody else's now
            assert other["browsers"] == 1 and await _browsers(bruno) == 0

    run(scene())


async def _browsers(person: Person) -> int:
    return int((await person.get("/api/you"))["notices"]["browsers"])


async def until_async(ask: Any, wanted: int) -> None:
    async with asyncio.timeout(30):
        while await ask() != wanted:
            await asyncio.sleep(0.02)


def test_a_device_that_is_signed_out_is_not_told_any_more(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, **SOON) as h, service() as theirs:
            anna = await h.person("Anna")
            link, phone = await anna.post("/api/you/link"), h.anybody()
            await phone.post("/api/link", {"code": link["code"]})
            await subscribe(phone, theirs)
            assert await _browsers(anna) == 1
            await anna.post("/api/you/devices/sign-out", {})
            assert await _browsers(anna) == 0

    run(scene())


# ── Where the house sends, and where not ─────────────────────

GOOD = "https://updates.push.example/wpush/v2/abc"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://updates.push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "https://10.0.0.1/x",
        "https://2130706433/x", "https://updates.push.example:8443/x", "https://me:pass@updates.push.example/x", "ftp://push.example/",
        "https:///x", "https://push.example/x y", "https://push.example/\r\nX: y", "https://push.example:port/",
        "//push.example/x", "",
        "https://push.example/" + "x" * 1000,
    ],
)  # fmt: skip
def test_endpoints_that_are_refused(endpoint: str) -> None:
    service = Push(push.new_key(), "https://games.example")
    key = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(*RAW)
    service.check(Subscription(GOOD, key, bytes(16), "en"))
    with pytest.raises(BadEndpoint):
        service.check(Subscription(endpoint, key, bytes(16), "en"))
    for wrong in (
        Subscription(GOOD, key[:-1], bytes(16), "en"),
        Subscription(GOOD, b"\4" + bytes(64), bytes(16), "en"),
    ):
        with pytest.raises(BadEndpoint):
            service.check(wrong)


@pytest.mark.parametrize(
    ("address", "ok"),
    [
        ("8.8.8.8", True), ("2606:4700::1111", True), ("127.0.0.1", False), ("10.1.2.3", False), ("192.168.0.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("0.0.0.0", False), ("::1", False), ("fe80::1%eth0", False),
        ("fd00::1", False), ("::ffff:127.0.0.1", False), ("2002:7f00:1::", False), ("224.0.0.1", False), ("x", False),
    ],
)  # fmt: skip
def test_addresses_of_the_open_internet(address: str, ok: bool) -> None:
    assert is_open_internet(address) is ok


def test_a_name_that_leads_to_our_own_network_is_not_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        loop, asked = asyncio.get_running_loop(), []

        async def resolved(*_: Any, **__: Any) -> Any:
            return [(2, 1, 6, "", ("8.8.8.8", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]

        async def connected(*where: Any, **_: Any) -> Any:
            asked.append(where)
            raise OSError

        monkeypatch.setattr(loop, "getaddrinfo", resolved, raising=False)
        monkeypatch.setattr(asyncio, "open_connection", connected)
        key = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(*RAW)
        with pytest.raises(BadEndpoint):
            await Push(push.new_key(), "https://games.example").send(
                Subscription(GOOD, key, bytes(16), "en"), b"x", "t"
            )
        assert not asked

    run(scene())


def test_the_houses_key_stays_the_same_and_is_told_to_nobody(tmp_path: pathlib.Path) -> None:
    async def scene() -> tuple[str, str]:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            answer = await anna.http.get("/api/you")
            assert (await anna.post("/api/you/notices/subscribe", Service().subscription(), 400))[
                "key"
            ] == "bad_endpoint"
            return answer.json()["notices"]["key"], answer.text

    (key, text), (again, _) = run(scene()), run(scene())
    assert key == again and len(key) > 80
    [(private,)] = sqlite3.connect(tmp_path / "games.db").execute("SELECT push FROM house")
    assert len(private) == 32 and base64url(private) not in text and private.hex() not in text


TOLD_BEFORE = """
INSERT INTO tables (id, game, version, options, public, name, phase, invite, commitment, created, moved, seq, waiting)
    VALUES ('t', 'splendor', '1', '{}', 1, '', 'playing', '', '', 0, 0, 40, 3);
INSERT INTO told (table_id, seat, number) VALUES ('t', 0, 12), ('t', 1, 60);
"""


def told_before(place: str | pathlib.Path, earlier: str) -> None:
    """A house told people of turns that are still theirs: the first by the numbers of then, the second by those of today."""

    def tell(db: Connection) -> None:
        for statement in (*TOLD_BEFORE.split(";\n")[:2], earlier):
            db.execute(statement)
        add_browser(db, "anna", b"", Subscription("https://push.example/anna", b"", b"", "en"))

    async def scene() -> None:
        kept = Store(place)
        await kept.write(tell)
        kept.close()
        kept = Store(place)
        for seat, turn in ((0, 24), (1, 60)):
            assert await kept.write(claim, "t", "anna", Occasion("turn", seat, turn)) == [], "told already"
            assert await kept.write(claim, "t", "anna", Occasion("turn", seat, turn + 2))
        kept.close()

    run(scene())


def test_a_turn_was_told_twice_after_an_update(tmp_path: pathlib.Path) -> None:
    told_before(tmp_path / "games.db", "PRAGMA user_version = 20")


def test_a_turn_was_told_twice_after_an_update_of_a_house_on_postgres(postgres: str) -> None:
    told_before(postgres, "UPDATE schema_version SET version = 20")
