"""What does not belong here is refused with a sentence, and disturbs nobody."""

from __future__ import annotations

import asyncio
import pathlib
import socket as sockets_of_the_system
import time
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludoteca.server import limits, queries, sockets
from ludoteca.server.limits import Limit, PerMinute, Rate, household
from ludoteca.server.store import Store
from ludoteca.server.wire import MOST_BYTES, Said, name_in
from server.house import House, house, play, run, two_at_a_table, until
from server.test_store import file_of, table_row

# ── Where it comes from ──────────────────────────────────────


def origins(h: House) -> dict[str, tuple[str | None, bool]]:
    """Origin → whether our own page sent it."""
    return {
        "own": (h.origin, True),
        "foreign": ("http://evil.example", False),
        "null": ("null", False),
        "missing": (None, False),
        "empty": ("", False),
        "look-alike": (f"{h.origin}.evil.example", False),
        "prefix": (f"http://evil-127.0.0.1:{h.port}", False),
        "user part": (f"http://127.0.0.1:{h.port}@evil.example", False),
        "other port": (f"http://127.0.0.1:{h.port + 1}", False),
        "other scheme": (f"ftp://127.0.0.1:{h.port}", False),
    }


def test_sockets_from_elsewhere_are_refused_before_they_are_accepted(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            id = (await anna.open(2))["id"]
            address = f"ws://127.0.0.1:{h.port}/api/tables/{id}/socket"
            for name, (origin, own) in origins(h).items():
                headers = {"Cookie": f"ludoteca={anna.secret}"} | ({"Origin": origin} if origin is not None else {})
                if own:
                    async with connect(address, additional_headers=headers):
                        continue
                with pytest.raises(InvalidStatus) as refused:
                    await connect(address, additional_headers=headers)
                answer = refused.value.response
                assert answer.status_code == 403, name
                assert msgspec.json.decode(answer.body)["sentence"], name
            token = {"Authorization": f"Bearer {anna.secret}"}
            async with connect(address, additional_headers=token) as program:  # a program has no origin but a token
                assert msgspec.json.decode(await program.recv())["table"]["you"] == 0
            with pytest.raises(InvalidStatus, match="403"):
                await connect(address, additional_headers={**token, "Origin": "http://evil.example"})

    run(scene())


def test_changes_from_elsewhere_are_refused(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            for name, (origin, own) in origins(h).items():
                anna.http.headers.pop("Origin", None)
                if origin is not None:
                    anna.http.headers["Origin"] = origin
                answer = await anna.http.post("/api/me", json={"name": name})
                assert answer.status_code == (200 if own else 403), name
                assert answer.json().get("sentence") or own
            assert (await anna.get("/api/me"))["name"] == "own"
            anna.http.headers.pop("Origin", None)
            anna.http.cookies.clear()
            token = {"Authorization": f"Bearer {anna.secret}"}
            assert (await anna.http.post("/api/me", json={"name": "A program"}, headers=token)).status_code == 200
            assert (
                await anna.http.post("/api/me", json={"name": "x"}, headers={"Authorization": "Bearer x"})
            ).status_code == 401

    run(scene())


# ── How big, how well formed, how often ──────────────────────


def test_oversize_messages_are_refused_and_huge_ones_close_the_socket(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, _, info, a, b = await two_at_a_table(h)
            await a.send(type="say", text="x" * (17 * 1024))
            assert (await a.next("refused"))["key"] == "too_big"
            await a.send(type="say", text="è" * (9 * 1024))  # bytes count, not characters
            assert (await a.next("refused"))["key"] == "too_big"
            await a.send(type="say", text="still here")
            await b.next("said")
            await a.socket.send("x" * (70 * 1024))
            assert await a.closed() == 1009
            again = await anna.line(info["id"])
            assert (await again.next("update"))["seq"] == 0
            assert (await anna.post("/api/me", {"name": "x" * (17 * 1024)}, 413))["key"] == "too_big"

    run(scene())


def test_malformed_messages_are_refused_and_the_socket_lives(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, b = await two_at_a_table(h)
            for bad in ("", "{", "null", '{"type":"do"}', '{"type":"ping","at":true}', "[" * 9000, "\u0000"):
                await a.socket.send(bad)
                assert (await a.next("refused"))["key"] == "garbled"
            await a.socket.send(b"bytes")
            assert (await a.next("refused"))["key"] == "garbled"
            await a.send(type="say", text="fine")
            assert (await b.next("said"))["text"] == "fine"
            body = await h._people[0].http.post("/api/tables", content=b"{" * 100)
            assert (body.status_code, body.json()["key"]) == (400, "garbled")

    run(scene())


@pytest.fixture
def slow_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be said in five seconds is said in an hour, so that a slow machine does not make it two times five."""
    monkeypatch.setattr(sockets, "LIMITS", ((sockets.LIMITS[0][0], 3600.0),))


@pytest.mark.usefixtures("slow_minute")
def test_who_is_too_fast_is_told_so_and_then_shown_the_door(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, b = await two_at_a_table(h)
            for _ in range(20):
                await a.send(type="ping", at=0)
            for _ in range(20):
                await a.next("pong")
            await a.send(type="ping", at=0)
            assert (await a.next("refused"))["key"] == "too_fast"
            for _ in range(sockets.PATIENCE):
                await a.send(type="ping", at=0)
            assert await a.closed() == sockets.POLICY
            await b.send(type="ping", at=0)  # nobody else is affected
            await b.next("pong")

    run(scene())


@pytest.mark.usefixtures("slow_minute")
def test_a_decision_that_came_too_fast_is_refused_by_its_name_and_may_come_again(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, info, a, b = await two_at_a_table(h)
            position = a.of("update")[-1]
            for _ in range(20):
                await a.send(type="ping", at=0)
            action = position["choices"][0]["action"]
            name = await a.do(action, position["seq"])
            refused = await a.next("refused")
            assert (refused["id"], refused["key"], refused["sentence"] != "") == (name, "too_fast", True)
            for watcher in (await h.table(info["id"])).presence:
                watcher._rate = Rate(sockets.LIMITS)  # type: ignore[attr-defined]  # an hour later
            await a.do(action, position["seq"], name)
            assert (await a.next("done"))["id"] == name
            await b.next("update", lambda m: m["seq"] == 1)

    run(scene())


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ('{"type":"do","id":"mine","action":-1,"at":0}', "mine"),
        ('{"type":"do","id":"mine","action":1,"at":0,"more":[1]}', "mine"),
        ('{"type":"say","text":"hello"}', None),
        ('{"type":"do","id":7}', None),
        (f'{{"type":"do","id":"{"x" * 65}"}}', None),
        ('{"type":"do","id":"mine"', None),
        ("[" * 9000, None),
        ("", None),
        (f'{{"id":"mine","text":"{"x" * MOST_BYTES}"}}', None),
        (None, None),
    ],
)
def test_a_refusal_names_its_command_if_that_can_be_read(message: str | None, name: str | None) -> None:
    assert name_in(message) == name


def test_the_rate_is_counted_over_short_and_long_times() -> None:
    rate = Rate(((2, 1.0), (3, 10.0)))
    allowed = [rate.allows(now) for now in (0.0, 0.1, 0.2, 1.2, 1.3, 9.9, 10.0, 10.1)]
    assert allowed == [True, True, False, True, False, False, True, True]


def test_a_minute_begins_with_the_first_and_a_jump_of_the_clock_blocks_nobody() -> None:
    now = 59.0
    misses = PerMinute(2, lambda: now)
    misses.add("anna")
    now = 61.0
    misses.add("anna")
    misses.add("bruno")
    assert misses.full("anna") and not misses.full("bruno"), "the clock on the wall begins no other minute"
    now = 119.0
    assert not misses.full("anna")
    misses.add("bruno")
    assert misses.full("bruno")
    now = 0.0
    assert not misses.full("bruno") and not misses.full("carla")
    now = 1000.0
    misses.full("carla")
    assert not misses._minutes, "who does nothing any more is forgotten"


def test_chat_has_its_own_rate(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            *_, a, _b = await two_at_a_table(h)
            for n in range(6):
                await a.send(type="say", text=f"message {n}")
            assert (await a.next("refused"))["key"] == "chat_too_fast"

    run(scene())


def test_five_windows_of_one_guest_and_no_more(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna, bruno = await h.person("Anna"), await h.person("Bruno")
            id = (await anna.open(2))["id"]
            lines = [await anna.line(id) for _ in range(5)]
            with pytest.raises(InvalidStatus, match="429"):
                await anna.line(id)
            await bruno.line(id)
            await lines[0].close()
            await until(lambda: len(h.app.sockets._open) == 5)
            await anna.line(id)

    run(scene())


def test_strange_addresses_are_refused(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            id = (await anna.open(2))["id"]
            for path, status in (
                (f"/api/tables/{id}/socket?since=-1", 400),
                (f"/api/tables/{id}/socket?since=1e9", 400),
                ("/api/tables/nowhere/socket", 404),
                (f"/api/tables/{'x' * 500}/socket", 404),
                ("/api/elsewhere", 404),
                ("/", 404),
            ):
                with pytest.raises(InvalidStatus, match=str(status)):
                    await connect(f"ws://127.0.0.1:{h.port}{path}", additional_headers={"Origin": h.origin})
            assert (await anna.get("/api/nothing/here", 404))["key"] == "no_such_address"
            assert (await anna.http.post("/api/games")).status_code in (404, 405)

    run(scene())


# ── A slow reader ────────────────────────────────────────────


async def deaf(h: House, id: str, secret: str) -> Any:
    """A connection that is opened and never read again."""
    raw = sockets_of_the_system.socket()
    raw.setsockopt(sockets_of_the_system.SOL_SOCKET, sockets_of_the_system.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", h.port))
    raw.setblocking(False)
    request = (
        f"GET /api/tables/{id}/socket HTTP/1.1\r\nHost: 127.0.0.1:{h.port}\r\nOrigin: {h.origin}\r\n"
        f"Cookie: ludoteca={secret}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await asyncio.get_running_loop().sock_sendall(raw, request.encode())
    return raw


@pytest.mark.usefixtures("fast_hands")
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_slow_reader_is_dropped_and_delays_nobody(loop: str, tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            _, _, info, a, b = await two_at_a_table(h)
            slow = await h.person("Slow")
            raw = await deaf(h, info["id"], slow.secret or "")
            table = await h.table(info["id"])
            await until(lambda: len(table.presence) == 3)
            [stuck] = [w for w in table.presence if w.guest is not None and w.guest.name == "Slow"]
            worst, decisions = 0.0, 0
            text = "x" * 480
            while stuck in table.presence and decisions < 3000:
                if a.of("update")[-1]["result"]:
                    break
                started = time.perf_counter()
                await play({0: a, 1: b}, 1)
                worst = max(worst, time.perf_counter() - started)
                decisions += 1
                for _ in range(40):  # and what the table says to everybody
                    table.presence.tell(Said(None, "the table", text, 0.0))
                    await asyncio.sleep(0)
            assert stuck not in table.presence, f"still there after {decisions} decisions"
            assert isinstance(stuck, sockets.Socket)
            assert len(stuck._outbox) <= h.settings.outbox
            assert worst < 10.0, "whoever waits for the deaf one waits until it is dropped"
            assert len(table.presence) == 2
            raw.close()
            c = await slow.line(info["id"], 0)  # and may come back
            await c.next("update", lambda m: m["seq"] == table.seq)

    with asyncio.Runner(loop_factory=pytest.importorskip(loop).new_event_loop) as runner:
        runner.run(scene())


# ── Counted by the store ─────────────────────────────────────


WISH = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}


async def statuses(requests: Any) -> list[int]:
    """What came of many requests at once, sorted."""
    return sorted(answer.status_code for answer in await asyncio.gather(*requests))


def test_parallel_requests_open_no_more_tables_than_are_allowed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, tables_a_guest=5) as h:
            anna = await h.person("Anna")
            opened = await statuses(anna.http.post("/api/tables", json=WISH) for _ in range(20))
            assert opened == [200] * 5 + [429] * 15
            dealt = await statuses(anna.http.post("/api/play-now", json={"game": "splendor"}) for _ in range(5))
            assert dealt == [429] * 5
            assert len(await anna.get("/api/my/tables")) == 5

    run(scene())


def test_opening_and_leaving_does_not_go_on_for_ever(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, tables_an_hour=4, tables_an_hour_an_address=6) as h:
            anna, bruno, carla = [await h.person(name) for name in ("Anna", "Bruno", "Carla")]
            for _ in range(4):
                table = await anna.open()
                await anna.post(f"/api/tables/{table['id']}/leave")
            assert (await anna.post("/api/tables", WISH, 429))["key"] == "too_many_opened"
            for _ in range(2):
                await bruno.open()
            assert (await carla.post("/api/tables", WISH, 429))["key"] == "too_many_from_here"

    run(scene())


def test_a_guest_who_connects_again_says_no_more_than_others(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path) as h:
            anna = await h.person("Anna")
            tables = [(await anna.open())["id"] for _ in range(2)]
            for number in range(4):
                line = await anna.line(tables[number % 2])
                for n in range(5):
                    await line.send(type="say", text=f"message {n}")
                for _ in range(5):
                    await line.next_of(
                        ("said", "refused"), lambda m: m["type"] == "said" or m["key"] == "chat_too_fast"
                    )
                await line.close()
            kept = h.app.lobby.house.store
            said = [line for table in tables for line in await kept.read(queries.find_chat, table, 100)]
            assert len(said) == 5

    run(scene())


def test_parallel_visits_make_no_more_guests_than_are_allowed(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, guests_a_minute=5) as h:
            assert await statuses(h.anybody().http.get("/api/me") for _ in range(12)) == [200] * 5 + [429] * 7

    run(scene())


def test_a_restart_does_not_get_around_limits_by_address(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, guests_a_minute=3) as h:
            assert await statuses(h.anybody().http.get("/api/me") for _ in range(3)) == [200] * 3
        limits.hide_behind(b"another process")
        async with house(tmp_path, guests_a_minute=3) as h:
            assert await statuses(h.anybody().http.get("/api/me") for _ in range(2)) == [429] * 2

    run(scene())


def test_what_is_used_up_comes_back_with_time_and_a_jump_of_the_clock_blocks_nobody(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        limits = [Limit("say", "anna", 2, 10.0), Limit("say", "home", 3, 10.0)]
        outcomes = []
        for at in (0.0, 1.0, 2.0, 10.5, 10.6, 11.5, -5000.0):
            try:
                await kept.write(queries.spend, limits, 100000.0 + at)
                outcomes.append("spent")
            except queries.Exceeded as exceeded:
                outcomes.append(exceeded.limit.who)
        assert outcomes == ["spent", "spent", "anna", "spent", "anna", "spent", "spent"]
        await kept.write(queries.forget_uses, 100011.0, 100100.0)
        assert await kept.read(lambda db: db.execute("SELECT COUNT(*) FROM uses").fetchone()) == (2,)
        kept.close()

    run(scene())


def test_the_lobby_looks_only_at_tables_it_lists(tmp_path: pathlib.Path) -> None:
    """However many tables people have opened and left: it used to look at the chairs of each of them."""

    async def scene() -> None:
        kept = Store(tmp_path / "games.db")
        for n in range(3):
            await kept.write(queries.add_table, table_row(f"t{n}", phase="open"), b"secret")
        empty = table_row("t1")
        empty.chairs = [queries.ChairRow(), queries.ChairRow()]
        await kept.write(queries.save_table, empty)
        await kept.write(queries.start_table, table_row("t2"), 42, 1, 2.0)
        assert [row.id for row in await kept.read(queries.open_tables, 9)] == ["t0"]
        asked: list[str] = []
        file = file_of(kept)
        file.read_from.set_trace_callback(asked.append)
        await kept.read(queries.open_tables, 9)
        file.read_from.set_trace_callback(None)
        plan = [row[-1] for row in await kept.read(lambda db: db.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall())]
        assert "SEARCH tables USING INDEX tables_listed (listed=?)" in plan
        assert not [step for step in plan if step.startswith("SCAN")], "chairs and invitations are found by their table"
        kept.close()

    run(scene())


def test_a_network_of_ipv6_is_one_household_and_no_address_is_kept() -> None:
    assert household("2001:db8::1") == household("2001:db8::ffff:2") != household("2001:db8:0:1::1")
    assert household("192.0.2.1") != household("192.0.2.2")
    assert household("fe80::1%eth0") == household("fe80::1")
    assert household("::ffff:192.0.2.1") == household("192.0.2.1") != household("::ffff:192.0.2.2")
    assert "192" not in household("192.0.2.1")
    assert household("") == household("")
