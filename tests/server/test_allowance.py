"""What a household may send together: a little in each turn of the loop, and coming again brings nothing."""

from __future__ import annotations

import asyncio
import pathlib
from typing import Any

import h11
import pytest

from ludoteca.server import allowance, door
from ludoteca.server.allowance import Allowance, Allowances
from ludoteca.server.door import A_TURN, AT_LEAST, BURST, Door, Guarded
from ludoteca.server.settings import Settings
from server.house import house, run

HEAD = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"


def test_an_allowance_is_spent_and_grows_back() -> None:
    mine = Allowance(10, 2, now=0.0)
    assert mine.wait(10, 0.0) == 0.0
    mine.spend(10)
    assert mine.wait(4, 0.0) == 2.0
    assert mine.wait(4, 2.0) == 0.0
    assert mine.wait(100, 2.0) == 3.0, "what is more than all can be spent when all is there"
    assert not mine.whole(4.9) and mine.whole(5.0)


def test_allowances_that_are_whole_again_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "ROOM", 10)
    kept = Allowances(5, 1)
    kept._room = 10
    for n in range(100):
        kept.of(f"guest {n}", now=float(n)).spend(3)
    assert len(kept) <= 11
    assert kept.of("guest 99", 99.0).wait(5, 99.0) == 3.0


# ── Connections without a network ────────────────────────────


class Wire(asyncio.Transport):
    """A transport that leads nowhere."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.ended = self.paused = False

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def write(self, data: Any) -> None: ...

    def is_closing(self) -> bool:
        return self.ended

    def abort(self) -> None:
        self.ended = True


class Ear(asyncio.Protocol):
    """A web server that keeps what it is given."""

    def __init__(self) -> None:
        self.line: asyncio.Transport
        self.heard: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.line = transport

    def data_received(self, data: bytes) -> None:
        self.heard.append(data)


def come(to: Door, address: str = "192.0.2.1") -> tuple[Guarded, Ear, Wire]:
    """A new connection."""
    connection, wire = to(), Wire(address)
    ear = connection._inner
    assert isinstance(ear, Ear)
    connection.connection_made(wire)
    return connection, ear, wire


async def turns(number: int = 100) -> None:
    """So many turns of the event loop."""
    for _ in range(number):
        await asyncio.sleep(0)


def test_a_request_is_looked_at_before_its_body_is_read_and_that_a_little_at_a_time() -> None:
    async def scene() -> None:
        connection, ear, wire = come(Door(Settings(), Ear))
        connection.data_received(HEAD + b"x" * 20_000)
        assert ear.heard == [HEAD], "the rest has to wait for the next turn of the loop"
        assert wire.paused
        for _ in range(30):
            before = len(ear.heard)
            await asyncio.sleep(0)
            assert len(ear.heard) <= before + 1 and len(ear.heard[-1]) <= A_TURN
        await turns()
        assert b"".join(ear.heard) == HEAD + b"x" * 20_000
        assert not wire.paused

    run(scene())


def test_of_one_household_a_few_requests_begin_in_a_turn_of_the_loop_and_all_in_order() -> None:
    async def scene() -> None:
        house, began = Door(Settings(), Ear), list[int]()
        theirs = [come(house) for _ in range(50)]
        for connection, *_ in theirs:
            connection.data_received(HEAD * 2)
        turns_taken = 0
        while began.count(2) < 50:
            began = [len(ear.heard) for _, ear, _ in theirs]
            assert sum(began) <= 4 * (turns_taken + 1), f"in {turns_taken} turns"
            assert began == sorted(began, reverse=True), (
                "whoever came first comes first, and nobody twice before all once"
            )
            other, ear, _ = come(house, f"198.51.100.{turns_taken}")
            other.data_received(HEAD)
            assert ear.heard == [HEAD], "another household does not queue up behind them"
            await asyncio.sleep(0)
            turns_taken += 1
        assert turns_taken < 100
        assert not any(wire.paused for *_, wire in theirs)

    run(scene())


@pytest.mark.parametrize("cut", range(len(HEAD) - 6, len(HEAD)))
def test_the_end_of_a_head_may_come_in_halves(cut: int) -> None:
    async def scene() -> None:
        connection, ear, _ = come(Door(Settings(), Ear))
        connection.data_received(HEAD[:cut])
        connection.data_received(HEAD[cut:] + b"body")
        assert b"".join(ear.heard) == HEAD
        await turns()
        assert b"".join(ear.heard) == HEAD + b"body"

    run(scene())


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::{}"])
def test_coming_again_does_not_refill_what_a_household_may_send(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(door, "A_SECOND", 1)  # nothing grows back while we look

    async def scene() -> None:
        house, heard = Door(Settings(), Ear), 0
        for n in range(4 * AT_LEAST):
            connection, ear, wire = come(house, address.format(n))
            connection.data_received(HEAD + b"x" * (BURST // 2))
            await turns()
            heard += sum(map(len, ear.heard))
            wire.ended = True
            connection.connection_lost(None)
        assert BURST < heard <= AT_LEAST * BURST
        connection, ear, _ = come(house, "198.51.100.7")
        connection.data_received(HEAD)
        assert ear.heard == [HEAD], "somebody else's allowance is their own"

    run(scene())


def test_behind_a_trusted_balancer_are_many_households(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "A_SECOND", 1)

    async def scene() -> None:
        house = Door(Settings(proxies="192.0.2.1", connections_an_address=5), Ear)
        for _ in range(4 * AT_LEAST):
            connection, ear, _ = come(house, "::ffff:192.0.2.1")
            connection.data_received(HEAD + b"x" * (BURST // 2))
            await turns()
            assert sum(map(len, ear.heard)) == len(HEAD) + BURST // 2

    run(scene())


def test_small_requests_cost_more_than_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "A_SECOND", 1)

    async def scene() -> None:
        connection, ear, _ = come(Door(Settings(), Ear))
        connection.data_received(b"GET / HTTP/1.1\r\n\r\n" * 1000)
        await turns(2000)
        assert 20 <= len(ear.heard) <= 60

    run(scene())


# ── Who goes ─────────────────────────────────────────────────


def test_the_longest_idle_connection_goes_first_and_nobody_who_waits_for_an_answer() -> None:
    async def scene() -> None:
        house = Door(Settings(connections=16, connections_an_address=1000), Ear)
        house._most = 4
        (first, heard, _), *others = [come(house, f"192.0.2.{n}") for n in range(4)]
        first.data_received(b"GET / HTTP/1.1\r\n\r\n")
        heard.line.write(b"HTTP/1.1 200 OK")  # the oldest, but the last that was answered
        others[0][0].data_received(HEAD)  # waits for its answer
        come(house, "192.0.2.10")
        assert [wire.ended for *_, wire in others] == [False, True, False]
        come(house, "192.0.2.11")
        assert [wire.ended for *_, wire in others] == [False, True, True]
        newer = [come(house, f"192.0.2.{n}") for n in range(12, 20)]
        assert not others[0][2].ended, "as long as anybody else can go"
        assert [wire.ended for *_, wire in newer] == [True] * 5 + [False] * 3

    run(scene())


def test_when_all_wait_for_an_answer_the_longest_waiting_goes_and_sockets_stay() -> None:
    async def scene() -> None:
        house = Door(Settings(), Ear)
        house._most = 3
        socket, asking, late = [come(house, f"192.0.2.{n}") for n in range(3)]
        socket[1].line.set_protocol(Ear())
        for connection, *_ in (asking, late):
            connection.data_received(HEAD)
        come(house, "192.0.2.9")[0].data_received(HEAD)
        assert (socket[2].ended, asking[2].ended, late[2].ended) == (False, True, False)

    run(scene())


def test_a_newcomer_of_a_full_household_takes_the_place_of_its_longest_idle_connection() -> None:
    async def scene() -> None:
        house = Door(Settings(connections_an_address=2), Ear)
        stranger = come(house, "198.51.100.7")
        first, second, third = [come(house, f"2001:db8::{n}") for n in range(3)]
        assert (first[2].ended, second[2].ended, third[2].ended) == (True, False, False)
        assert not stranger[2].ended, "the oldest of all, of another household"
        for _, ear, _ in (second, third):
            ear.line.set_protocol(Ear())
        assert come(house, "2001:db8::9")[2].ended, "sockets do not go for that"

    run(scene())


# ── Chunks ───────────────────────────────────────────────────


def test_a_body_in_chunks_is_refused_before_one_is_read(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks: list[Any] = []
    real = h11.Connection.next_event

    def noted(self: h11.Connection) -> Any:
        event = real(self)
        chunks.extend([event] if isinstance(event, h11.Data) else [])
        return event

    monkeypatch.setattr(h11.Connection, "next_event", noted)

    async def scene() -> None:
        async with house(tmp_path) as h:
            reader, writer = await asyncio.open_connection("127.0.0.1", h.port)
            head = f"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1:{h.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
            writer.write(head.encode() + b"1\r\nx\r\n" * 10_000)
            answer = await asyncio.wait_for(reader.readuntil(b'"}'), 30)
            assert answer.startswith(b"HTTP/1.1 411 ")
            assert b"Content-Length" in answer.partition(b"\r\n\r\n")[2], "with a sentence"
            writer.transport.abort()
            assert not chunks
            await (await h.person()).post("/api/me", {"name": "Anna"})
            assert chunks, "that is how a body is counted here"

    run(scene())
