"""What one connection may cost the house: floods of frames, silence, numbers, and names that are not ours."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from ludoteca.server.app import kept_going
from ludoteca.server.door import A_SECOND, BURST, FRAME, Door, Guarded, frame_head
from ludoteca.server.hosts import Hosts
from ludoteca.server.settings import Settings
from ludoteca.server.unread import Unread
from server.house import PATIENCE, House, house, play, run, two_at_a_table, until

PING = b"\x89\x80" + b"\0\0\0\0"  # an empty ping, masked as browsers mask
FRAGMENT = b"\x00\x80" + b"\0\0\0\0"  # a piece of a message that goes on, with nothing in it
BEGINNING = b"\x01\x80" + b"\0\0\0\0"  # the first piece of such a message


def socket_head(h: House, table: str) -> bytes:
    """With what somebody unknown asks for a websocket."""
    head = f"GET /api/tables/{table}/socket?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{h.port}\r\nOrigin: {h.origin}\r\n"
    head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    return (head + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()


async def raw_socket(h: House, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A websocket of somebody unknown, as bare bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", h.port)
    writer.write(socket_head(h, table))
    assert b"101" in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def flood(h: House, table: str, beginning: bytes, again: bytes, seconds: float) -> float:
    """Sends frames as fast as the line takes them; returns how many bytes went."""
    reader, writer = await raw_socket(h, table)
    sent, end, chunk = 0, time.monotonic() + seconds, again * 10_000

    async def swallow() -> None:
        with contextlib.suppress(OSError):
            while await reader.read(1 << 16):
                pass

    answers = asyncio.create_task(swallow())
    try:
        writer.write(beginning)
        while time.monotonic() < end:
            writer.write(chunk)
            sent += len(chunk)
            await asyncio.wait_for(writer.drain(), max(0.01, end - time.monotonic()))
    except (OSError, TimeoutError):
        pass  # held back, or shown the door
    finally:
        answers.cancel()
        writer.transport.abort()
    return sent


@pytest.mark.parametrize(("beginning", "again"), [(b"", PING), (BEGINNING, FRAGMENT)], ids=["pings", "fragments"])
def test_one_anonymous_socket_at_full_line_speed_stops_nobody(
    tmp_path: pathlib.Path, beginning: bytes, again: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a page takes is measured by the siege; here, what passes the door is counted."""
    passed: list[bytes] = []
    real = Guarded._received

    def noted(self: Guarded, piece: bytes) -> bool:
        passed.extend([piece] if self.upgraded else [])
        return real(self, piece)

    monkeypatch.setattr(Guarded, "_received", noted)

    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, table, *_ = await two_at_a_table(h)
            id = table["id"]
            started = time.monotonic()
            attack = asyncio.create_task(flood(h, id, beginning, again, 3.0))
            await asyncio.sleep(0.3)
            await anna.get("/api/me")  # those who ask are answered all the while
            while not attack.done():
                await anna.get("/api/me")
                await asyncio.sleep(0.05)
            sent, seconds, frames = await attack, time.monotonic() - started, len(passed)
            assert frames <= 3 * (BURST + seconds * A_SECOND) / FRAME, f"{frames} frames passed the door"
            assert sent < 5_000_000, "the flood was read"

    run(scene())


def test_whoever_floods_without_a_pause_is_shown_the_door(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.door.TOO_LONG", 0.5)

    async def scene() -> None:
        async with house(tmp_path) as h:
            id = (await two_at_a_table(h))[2]["id"]
            start = time.monotonic()
            await flood(h, id, b"", PING, PATIENCE)
            assert time.monotonic() - start < PATIENCE - 1, "held back, and never shown the door"

    run(scene())


def test_connections_that_ask_for_nothing_are_closed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, request_patience=0.5) as h:
            begun = [b"", b"GET / HT", b"GET /api/me HTTP/1.1\r\nHost: localhost\r\nX: "]
            begun.append(b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
            for beginning in begun:
                reader, writer = await asyncio.open_connection("127.0.0.1", h.port)
                writer.write(beginning)
                with contextlib.suppress(ConnectionError):
                    await asyncio.wait_for(reader.read(), PATIENCE)
                writer.close()
            anna = await h.person("Anna")
            id = (await anna.open(2))["id"]
            _, writer = await raw_socket(h, id)  # a socket may be silent: it has its pings
            await asyncio.sleep(2.2)
            assert not writer.transport.is_closing() and (await h.table(id)).presence
            writer.transport.abort()

    run(scene())


def test_many_silent_connections_keep_nobody_out(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, connections=50, connections_an_address=1000, request_patience=600) as h:
            silent = [await asyncio.open_connection("127.0.0.1", h.port) for _ in range(120)]
            await until(lambda: sum(reader.at_eof() for reader, _ in silent) >= 70)
            anna = await h.person("Anna")
            id = (await anna.open(2))["id"]
            _, watching = await raw_socket(h, id)
            silent += [await asyncio.open_connection("127.0.0.1", h.port) for _ in range(60)]
            assert (await anna.get("/api/me"))["name"] == "Anna"
            assert (await h.table(id)).presence, "an open table went before those who ask for nothing"
            for _, writer in [*silent, (None, watching)]:
                writer.transport.abort()

    run(scene())


def test_one_address_has_only_so_many_connections(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, connections_an_address=5, request_patience=600) as h:
            held = [await asyncio.open_connection("127.0.0.1", h.port) for _ in range(6)]
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(held[0][0].read(), PATIENCE) == b"", "the longest idle one makes room"
            assert not any(reader.at_eof() for reader, _ in held[1:]), "five may stay"
            assert (await h.anybody().http.get("/api/games")).status_code == 200
            for _, other in held:
                other.transport.abort()

    run(scene())


def test_a_long_message_in_small_pieces_arrives_whole(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            id = (await two_at_a_table(h))[2]["id"]
            reader, writer = await raw_socket(h, id)
            text = b'{"type": "ping", "at": 0}'
            for byte in b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text:
                writer.write(bytes([byte]))
                await writer.drain()
            seen = b""
            while b'"pong"' not in seen:
                seen += await asyncio.wait_for(reader.read(1 << 16), 10)
            writer.transport.abort()

    run(scene())


class Wire(asyncio.Transport):
    """A network that knows whether anybody reads."""

    reads, told = True, 0

    def pause_reading(self) -> None:
        self.reads, self.told = False, self.told + 1

    def resume_reading(self) -> None:
        self.reads, self.told = True, self.told + 1

    def is_reading(self) -> bool:
        return self.reads

    def is_closing(self) -> bool:
        return False


class OneAtATime(asyncio.Protocol):
    """A web server that reads nothing more until it has answered."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.line, self.got = transport, list[bytes]()

    def data_received(self, data: bytes) -> None:
        self.got.append(data)
        self.line.pause_reading()  # type: ignore[attr-defined]


def test_a_message_that_comes_alone_is_read_without_a_word_to_the_network() -> None:
    async def scene() -> None:
        inner, wire = OneAtATime(), Wire()
        door = Door(Settings(), lambda: inner)()
        door.connection_made(wire)
        door.become(inner)
        for _ in range(3):
            door.data_received(PING)
            inner.line.resume_reading()  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        assert len(inner.got) == 3 and wire.told == 0
        door.data_received(PING)
        door.data_received(PING)  # before there is an answer: it waits, and nothing more is read
        assert len(inner.got) == 4 and not wire.reads
        inner.line.resume_reading()  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(inner.got) == 5 and not wire.reads
        inner.line.resume_reading()  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert wire.reads
        door.data_received(2 * PING)  # two at once
        assert len(inner.got) == 6 and not wire.reads

    asyncio.run(scene())


def test_the_head_of_a_frame() -> None:
    assert frame_head(bytearray(b"\x81")) is None
    assert frame_head(bytearray(b"\x81\x05hello")) == (2, 5)
    assert frame_head(bytearray(b"\x81\x85\0\0\0\0")) == (6, 5)
    assert frame_head(bytearray(b"\x82\xfe\x01\x00\0\0")) is None
    assert frame_head(bytearray(b"\x82\xfe\x01\x00\0\0\0\0")) == (8, 256)
    assert frame_head(bytearray(b"\x82\x7f" + (1 << 20).to_bytes(8, "big"))) == (10, 1 << 20)
    assert len(PING) < FRAME


# ── Names ────────────────────────────────────────────────────

BROKEN = [
    "http://[",
    "http://[::1",
    "http://]",
    "://",
    "http://" + "a" * 5000,
    "http://\xe9",
    "http://a b",
    "null",
    "//",
]


@pytest.mark.parametrize("origin", BROKEN)
def test_a_broken_origin_is_refused_with_a_sentence(
    tmp_path: pathlib.Path, origin: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            answer = await anna.http.post("/api/me", json={"name": "x"}, headers={b"Origin": origin.encode("latin-1")})
            assert answer.status_code == 403 and answer.json()["sentence"]
            reader, writer = await asyncio.open_connection("127.0.0.1", h.port)
            head = f"GET /api/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1:{h.port}\r\nOrigin: {origin}\r\n"
            head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            writer.write((head + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode("latin-1"))
            line = await asyncio.wait_for(reader.readline(), 5)
            assert line.split()[1] in (b"400", b"403"), line
            writer.transport.abort()

    run(scene())
    assert not [record for record in caplog.records if record.exc_info]


def test_a_house_answers_only_to_its_own_names(tmp_path: pathlib.Path) -> None:
    async def ask(h: House, host: str) -> httpx.Response:
        return await h.anybody().http.get("/api/games", headers={"Host": host})

    async def scene() -> None:
        async with house(tmp_path, hosts="games.example") as h:
            for host in ("localhost", f"localhost:{h.port}", "127.0.0.1", "[::1]:80", "192.0.2.7", "GAMES.example"):
                assert (await ask(h, host)).status_code == 200, host
            for host in ("evil.example", "localhost.evil.example", "games.example.evil", "a b", "games.example:x"):
                answer = await ask(h, host)
                assert answer.status_code in (400, 421), host
                assert answer.status_code == 400 or answer.json()["sentence"], host

    run(scene())


def test_the_machines_own_name_is_known() -> None:
    assert Hosts(Settings()).has(f"{os.uname().nodename}:8000")
    assert Hosts(Settings(origins="https://play.example")).has("play.example")
    assert not Hosts(Settings()).has("play.example")


def test_behind_a_trusted_balancer_the_scheme_counts_too(tmp_path: pathlib.Path) -> None:
    async def rename(h: House, person: Any, origin: str) -> int:
        headers = {"Origin": origin, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
        answer = await person.http.post("/api/me", json={"name": "x"}, headers=headers)
        assert ("strict-transport-security" in answer.headers) is bool(h.settings.proxies)
        return int(answer.status_code)

    async def scene() -> None:
        async with house(tmp_path, proxies="127.0.0.1") as h:
            anna = await h.person("Anna")
            assert await rename(h, anna, h.origin.replace("http:", "https:")) == 200
            assert await rename(h, anna, h.origin) == 403
        async with house(tmp_path) as h:  # nobody is trusted: what a request says of itself counts for nothing
            anna = await h.person("Anna")
            assert await rename(h, anna, h.origin) == 200

    run(scene())


def test_addresses_that_are_no_pages_are_not_found(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<p>Ludoteca</p>")

    async def scene() -> None:
        async with house(tmp_path, page=str(page)) as h:
            ask = h.anybody().http.get
            for path in ("/", "/table/wren", "/table/wren/again", "/learn", "/learn/loot", "/about", "/about/"):
                assert (await ask(path)).status_code == 200, path
            for path in ("/metrics", "/admin", "/table", "/table/wren/again/x", "/.env", "/index.php"):
                answer = await ask(path)
                assert answer.status_code == 404 and "Ludoteca" in answer.text, path

    run(scene())


# ── Numbers ──────────────────────────────────────────────────


def test_spectators_of_a_table_are_so_many_and_those_who_sit_always_come_in(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, spectators_a_table=3) as h:
            anna, _, table, *_ = await two_at_a_table(h)
            watching = [await raw_socket(h, table["id"]) for _ in range(3)]
            with pytest.raises(InvalidStatus) as refused:
                await h.anybody().line(table["id"])
            assert refused.value.response.status_code == 429
            assert b"3 spectators" in refused.value.response.body
            await anna.line(table["id"])
            for _, writer in watching:
                writer.transport.abort()

    run(scene())


def test_people_unknown_have_so_many_sockets_an_address(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, sockets_an_address=4) as h:
            _, _, table, *_ = await two_at_a_table(h)
            lines = await asyncio.gather(*(h.anybody().line(table["id"]) for _ in range(20)), return_exceptions=True)
            assert sum(isinstance(line, InvalidStatus) for line in lines) == 16

    run(scene())


def test_one_guest_and_one_household_have_so_many_sockets_in_all(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, sockets_a_guest=3, sockets_an_address_in_all=5) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            tables = [(await anna.open())["id"] for _ in range(4)]
            lines = [await anna.line(id) for id in tables[:3]]
            assert await refused(anna.line(tables[3])) == "too_many_windows"
            await bruno.line(tables[0])
            await h.anybody().line(tables[0])
            assert await refused(bruno.line(tables[1])) == "too_many_windows_here"
            assert await refused(h.anybody().line(tables[1])) == "too_many_windows_here"
            await lines[0].close()
            await until(lambda: len(h.app.sockets._open) == 4)
            await anna.line(tables[3])

    run(scene())


def test_guests_of_one_address_do_not_fill_a_table_with_spectators(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, spectators_a_table=20, spectators_a_table_an_address=4) as h:
            anna, _, table, *_ = await two_at_a_table(h)
            eves = [await h.person() for _ in range(3)]
            for eve in eves[:2]:
                for _ in range(2):
                    await eve.line(table["id"])
            assert await refused(eves[2].line(table["id"])) == "too_many_spectators_here"
            await anna.line(table["id"])  # she sits there

    run(scene())


async def refused(line: Awaitable[Any]) -> str:
    """Why somebody did not get a socket."""
    with pytest.raises(InvalidStatus) as refusal:
        await line
    assert refusal.value.response.status_code == 429
    answer = msgspec.json.decode(refusal.value.response.body or b"{}")
    assert answer["sentence"]
    return str(answer["key"])


def test_whoever_guesses_names_and_invitations_has_to_wait(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, misses_a_minute=10) as h:
            anna = await h.person("Anna")
            table = await anna.open(2, public=False)
            stranger = await h.person("Eve")
            answers = [await stranger.http.get(f"/api/tables/{table['id']}?invite={n}") for n in range(15)]
            assert [answer.status_code for answer in answers] == [404] * 10 + [429] * 5
            with pytest.raises(InvalidStatus, match="429"):
                await stranger.line(table["id"], invite="guess")
            assert (await anna.get(f"/api/tables/{table['id']}"))["id"] == table["id"]

    run(scene())


def test_a_slow_reader_costs_little_and_is_dropped(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, slow=1.0) as h:
            _, _, table, *_ = await two_at_a_table(h)
            _, writer = await raw_socket(h, table["id"])  # reads the answer's head and nothing more
            kept = await h.table(table["id"])
            await until(lambda: len(kept.presence) == 3)  # greeted: what was said comes from the store first
            (lazy,) = [watcher for watcher in kept.presence if watcher.guest is None]
            message, most = b'{"type": "said", "text": "' + b"x" * 20_000 + b'"}', 0
            transport = lazy._transport  # type: ignore[attr-defined]
            deadline = time.monotonic() + PATIENCE
            while lazy in kept.presence and time.monotonic() < deadline:
                lazy.push(message)
                most = max(most, transport.get_write_buffer_size() + lazy._outbox_bytes)  # type: ignore[attr-defined]
                await asyncio.sleep(0.01)
            assert lazy not in kept.presence, "still there"
            assert most <= 256 * 1024, f"{most} bytes"
            writer.transport.abort()

    run(scene())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what the other side has not taken")
def test_who_reads_nothing_is_dropped_also_at_human_pace(tmp_path: pathlib.Path) -> None:
    """A few bytes a second never fill the system's buffer: only the pings noticed, half a minute later."""

    async def scene() -> None:
        async with house(tmp_path, slow=1.0, ping=600.0) as h:
            _, _, table, a, b = await two_at_a_table(h)
            lazy, loop = socket.socket(), asyncio.get_running_loop()
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            lazy.setblocking(False)
            await loop.sock_connect(lazy, ("127.0.0.1", h.port))
            await loop.sock_sendall(lazy, socket_head(h, table["id"]))  # and reads nothing
            kept = await h.table(table["id"])
            await until(lambda: len(kept.presence) == 3)
            for _ in range(8):
                await play({0: a, 1: b}, 1)
                await asyncio.sleep(0.1)
            await until(lambda: len(kept.presence) == 2)
            await play({0: a, 1: b}, 1)  # those who read are still there
            lazy.close()

    run(scene())


def test_a_reader_is_slow_only_while_something_waits_and_nothing_is_taken() -> None:
    asked: list[int] = []

    def waiting(left: int) -> Callable[[], int]:
        return lambda: asked.append(left) or left  # type: ignore[func-returns-value]

    reader = Unread(0.0)
    assert reader.seconds(0, waiting(0), 100.0) == 0.0
    assert not asked, "nothing was sent"
    assert reader.seconds(50, waiting(50), 200.0) == 0.0, "it has waited for no time that we know of"
    assert reader.seconds(50, waiting(50), 203.0) == 3.0
    assert reader.seconds(80, waiting(70), 206.0) == 0.0, "took ten"
    assert reader.seconds(90, waiting(80), 210.0) == 4.0
    assert reader.seconds(90, waiting(0), 211.0) == 0.0
    asked.clear()
    assert reader.seconds(90, waiting(0), 300.0) == 0.0
    assert not asked
    assert reader.seconds(95, waiting(5), 400.0) == 0.0


def test_a_socket_that_answers_no_ping_is_closed(tmp_path: pathlib.Path) -> None:
    """The web server's own pings: uvicorn before 0.44 did not send any here."""

    async def scene() -> None:
        async with house(tmp_path, ping=0.2) as h:
            anna = await h.person("Anna")
            id = (await anna.open(2))["id"]
            reader, writer = await raw_socket(h, id)
            told = await asyncio.wait_for(reader.read(-1), PATIENCE)  # until the end
            assert b"\x89\x04" in told, "a ping of four bytes"
            writer.transport.abort()

    run(scene())


def test_names_that_look_like_others_are_refused_or_made_plain(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            eve = await h.person("Eve")
            await eve.post("/api/me", {"name": "Аnnа"}, 400)  # two of its letters are Cyrillic
            assert (await eve.post("/api/me", {"name": "Ａｎｎａ\u202e \u200bB"}))["name"] == "Anna B"
            assert (await eve.post("/api/me", {"name": "Z" + "\u0335" * 40 + "oe"}))["name"] == "Z\u0335\u0335oe"
            assert (await eve.post("/api/me", {"name": "Анна"}))["name"] == "Анна"
            assert (await eve.post("/api/me", {"name": "Zoë ß 東京"}))["name"] == "Zoë ß 東京"
            assert (await eve.post("/api/me", {"name": "Z" + "\u0489" * 20}))["name"] == "Z\u0489\u0489"
            hidden = "Z\u0335\u0335" + "\u034f\u0335" * 10
            assert (await eve.post("/api/me", {"name": hidden}))["name"] == "Z\u0335\u0335"
            assert (await eve.post("/api/me", {"name": "\u0301\u0302Eva \u0301B"}))["name"] == "Eva B"
            assert (await eve.post("/api/me", {"name": "ကြွေး"}))["name"] == "ကြွေး"
            assert (await eve.post("/api/me", {"name": "🦊"}))["name"] == "🦊"
            for nothing in ("\u3164", "\u2800 \u2800", "\u0301", "\u115f\u1160", "\ufe0f", "\U000e0041"):
                assert (await eve.post("/api/me", {"name": nothing}, 400))["key"] == "no_name", ascii(nothing)

    run(scene())


def test_a_chore_that_fails_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    tries = []

    async def chore() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OSError("the disk is full")

    run(kept_going(chore, pause=0.001))
    assert len(tries) == 3
    assert "tried again" in caplog.text
