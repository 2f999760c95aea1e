"""Taking leave: nobody new, everybody told, nothing lost, and the process gone in time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludoteca.core.errors import BadData
from ludoteca.server import queries, store
from ludoteca.server.app import create_app
from ludoteca.server.drain import UNDER_WAY, Drain
from ludoteca.server.settings import Settings
from server.house import NO_CERTIFICATES, House, Line, house, newer, run, two_at_a_table, until
from server.test_crash import Player, check_journal

HERE = pathlib.Path(__file__).parent
PATIENCE = 60.0  # seconds for what should take one, on a machine with much else to do

# ── In a house ───────────────────────────────────────────────


async def refused_line(h: House, person: Any, table: str) -> tuple[int, str]:
    """How a socket is refused."""
    with pytest.raises(InvalidStatus) as refused:
        await person.line(table)
    body = msgspec.json.decode(refused.value.response.body or b"{}")
    return refused.value.response.status_code, body["key"]


def test_who_takes_leave_opens_no_table_and_takes_no_socket_but_plays_on(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, drain=10**6, proxies="10.0.0.1") as h:  # a balancer gets its time to notice: days
            anna, bruno, info, a, b = await two_at_a_table(h)
            assert h.app.drain.begin(lambda: None)
            ready = await anna.http.get("/readyz")
            assert (ready.status_code, list(ready.json()["wrong"])) == (503, ["draining"])
            assert ready.headers["connection"] == "close"  # the balancer's next request goes elsewhere
            assert (await anna.http.get("/healthz")).status_code == 200
            wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
            for path, body in (("/api/tables", wish), ("/api/play-now", {"game": "splendor"})):
                refused = await anna.post(path, body, status=503)
                assert refused["key"] == "draining" and refused["sentence"].startswith("This server is closing")
            assert await refused_line(h, bruno, info["id"]) == (503, "draining")
            position = a.of("update")[-1]
            mover = a if position["waiting"] == [0] else b
            await mover.do(mover.of("update")[-1]["choices"][0]["action"], position["seq"])
            for line in (a, b):
                await line.next("update", newer(position["seq"]))
            assert (await bruno.get(f"/api/tables/{info['id']}"))["seq"] == position["seq"] + 1

    run(scene())


def test_everybody_is_told_to_come_again_one_after_another(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, drain=8.0, sockets_a_seat=20) as h:
            _, bruno, info, *_ = await two_at_a_table(h)
            lines = [await bruno.line(info["id"]) for _ in range(10)]
            for line in lines:
                await line.next("update")
            done, gone, began = asyncio.Event(), list[float](), time.monotonic()

            async def note(line: Line) -> int:
                code = await line.closed()
                gone.append(time.monotonic() - began)
                return code

            assert h.app.drain.begin(done.set)
            assert await asyncio.gather(*map(note, lines)) == [1012] * len(lines)
            async with asyncio.timeout(PATIENCE):
                await done.wait()
            assert len(h.app.sockets) == 0
            assert max(gone) - min(gone) > 1.0  # of 2 s: not all at once

    run(scene())


def test_what_was_just_asked_for_is_done_and_answered_first(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "GATHER", 0.5)  # a slow disk

    async def scene() -> None:
        async with house(tmp_path, drain=3.0) as h:  # everybody is told at once
            anna, _, info, a, b = await two_at_a_table(h)
            table = await h.table(info["id"])
            position = a.of("update")[-1]
            mover = a if position["waiting"] == [0] else b
            id = await mover.do(mover.of("update")[-1]["choices"][0]["action"], position["seq"])
            await until(lambda: table.lock.locked())  # it is being stored
            assert h.app.drain.begin(lambda: None)
            assert await mover.closed() == 1012
            assert [message["id"] for message in mover.of("done")] == [id]
            assert (await anna.get(f"/api/tables/{info['id']}"))["seq"] == position["seq"] + 1

    run(scene())


def test_who_does_not_read_does_not_hold_it_up(tmp_path: pathlib.Path) -> None:
    async def scene() -> None:
        async with house(tmp_path, drain=4.0) as h:
            anna, _, info, a, _ = await two_at_a_table(h)
            done = asyncio.Event()
            await until(lambda: len(h.app.sockets) == 2)
            stuck = next(s for s in h.app.sockets._open if s.guest is not None and s.guest.name == "Anna")
            never = asyncio.Event()

            async def send(_: Any) -> None:
                await never.wait()

            stuck._send = send  # as uvicorn's does while the line is full
            assert h.app.drain.begin(done.set)
            async with asyncio.timeout(PATIENCE):
                await done.wait()
            assert await a.closed() == 1006  # dropped
            assert anna and info

    run(scene())


def test_how_the_time_is_divided() -> None:
    alone, balanced = Drain(8.0), Drain(8.0, balanced=True)
    assert (alone.notice, alone.spread, alone.parting) == (0.0, 2.0, 1.0)
    assert (balanced.notice, balanced.spread, balanced.parting) == (2.0, 2.0, 1.0)
    assert balanced.notice + balanced.spread + balanced.parting + UNDER_WAY == 8.0
    assert Drain(60.0, balanced=True).spread == 2.0
    assert not Drain(0.0).begin(lambda: None)
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(BadData, match="LUDOTECA_DRAIN should be a number of seconds"):
            create_app(Settings(database="unused.db", drain=wrong))


# ── A process ────────────────────────────────────────────────


class Process:
    """A server as people run it."""

    def __init__(self, database: pathlib.Path, *program: str, **settings: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        given = {"PORT": str(self.port), "DATABASE": str(database), "WARMUP": "no", "BOT_PAUSE": "0", "WORKERS": "1"}
        given |= {"GUESTS_A_MINUTE": "1000", "LOG": "info", "LOG_FORMAT": "json", **settings}
        path = os.pathsep.join([str(HERE.parents[1] / "src"), str(HERE.parent)])
        self.log = database.parent / "server.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *(program or ("-m", "ludoteca", "serve"))],
                env={**os.environ, "PYTHONPATH": path, **{f"LUDOTECA_{k}": v for k, v in given.items()}},
                stderr=log,
            )

    def said(self) -> str:
        return self.log.read_text("utf-8")

    async def open(self) -> Process:
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient(verify=NO_CERTIFICATES) as http:
            while True:
                assert self.process.poll() is None, self.said()
                with contextlib.suppress(httpx.HTTPError):
                    if (await http.get(f"http://127.0.0.1:{self.port}/readyz")).status_code == 200:
                        return self
                await asyncio.sleep(0.05)

    async def ended(self) -> int:
        return await asyncio.to_thread(self.process.wait, PATIENCE)


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait()


class Sitter(Player):
    """Plays until the line is closed, and notes why."""

    code: int | None = None
    refused: list[str]
    pending: dict[str, Any] | None = None

    async def play(self, table: str) -> None:
        headers = {"Authorization": f"Bearer {self.secret}"}
        self.refused = []
        async with connect(
            f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket?since=0", additional_headers=headers
        ) as line:
            try:
                while True:
                    await self._hear(table, line, msgspec.json.decode(await line.recv()))
            except ConnectionClosed:
                self.code = line.close_code

    async def _hear(self, table: str, line: Any, message: Any) -> None:
        if message["type"] == "done":
            assert self.pending is not None and message["id"] == self.pending["id"]
            actions = [self.pending["action"], *self.pending.get("then", [])] if "action" in self.pending else []
            self.acknowledged.append((table, self.pending["id"], actions, message["seq"]))
            self.pending = None
        elif message["type"] == "refused":
            self.refused.append(message["key"])
            self.pending = None
        elif message["type"] == "update" and not message["result"] and not self.pending:
            self.pending = self.command(message)
            if self.pending is not None:
                await asyncio.sleep(0.3)  # under the limit of messages
                await line.send(msgspec.json.encode(self.pending).decode())


async def seated(port: int, dice: random.Random, game: str, seats: int) -> tuple[str, list[Sitter]]:
    """People at a table that has begun."""
    people = [Sitter(port, "", dice) for _ in range(seats)]
    for person in people:
        await person.ask("/api/me")
    wish = {"game": game, "seats": seats, "options": {}, "public": True, "bots": []}
    table = (await people[0].ask("/api/tables", wish))["id"]
    for person in people[1:]:
        await person.ask(f"/api/tables/{table}/sit", {})
    await people[0].ask(f"/api/tables/{table}/start", {})
    return table, people


def test_sigterm_loses_nothing_tells_everybody_and_ends_in_time(
    tmp_path: pathlib.Path, processes: list[Process]
) -> None:
    async def scene() -> None:
        server = await start(processes, tmp_path / "games.db")
        dice = random.Random(4)
        tables = [
            await seated(server.port, dice, *which) for which in (("splendor", 3), ("king_of_con", 3), ("loot", 2))
        ]
        people = [person for _, sitters in tables for person in sitters]
        thinking = await against_a_bot(server)
        playing = [asyncio.create_task(person.play(table)) for table, sitters in tables for person in sitters]
        async with asyncio.timeout(PATIENCE):
            while any(not sum(len(p.acknowledged) for p in sitters) for _, sitters in tables):
                await asyncio.sleep(0.05)
        before = sum(len(person.acknowledged) for person in people)
        told = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert await server.ended() == 0, server.said()
        took = time.monotonic() - told
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        assert [person.code for person in people] == [1012] * len(people)
        assert not [key for person in people for key in person.refused if key not in ("stale", "screens_up")]
        assert took < 10, f"{took:.1f} s"
        assert '"level": "error"' not in server.said(), server.said()
        acknowledged = [ack for person in people for ack in person.acknowledged]
        assert len(acknowledged) >= before > 0
        check_stored(tmp_path / "games.db", acknowledged, [thinking, *(table for table, _ in tables)])

        again = await start(processes, tmp_path / "games.db")  # and the next server goes on where this one stopped
        for table, sitters in tables:
            for person in sitters:
                person.port = again.port
                last = max((seq for *_, seq in person.acknowledged), default=0)
                assert (await person.ask(f"/api/tables/{table}"))[
                    "seq"
                ] >= last - 1  # behind a screen it is the next one
        again.process.send_signal(signal.SIGTERM)
        assert await again.ended() == 0

    run(scene())


async def start(processes: list[Process], database: pathlib.Path, **settings: str) -> Process:
    processes.append(Process(database, **settings))
    return await processes[-1].open()


async def against_a_bot(server: Process) -> str:
    """Somebody plays against bots and leaves them to themselves; one of them begins, or is next."""
    person = Player(server.port, "", random.Random(1))
    await person.ask("/api/me")
    wish = {"game": "king_of_con", "seats": 3, "level": "novice"}
    table = str((await person.ask("/api/play-now", wish))["id"])
    await person.ask(f"/api/tables/{table}/leave", {})
    return table


def check_stored(
    database: pathlib.Path, acknowledged: list[tuple[str, str, list[int], int]], tables: list[str]
) -> None:
    with contextlib.closing(sqlite3.connect(database)) as db:
        for table, command, actions, seq in acknowledged:
            stored = queries.find_command(db, table, command)
            assert stored is not None, f"lost: {command} at {table}"
            assert (stored.actions, stored.done) == (actions, seq)
        for table in tables:
            check_journal(db, table)


@pytest.mark.parametrize(
    ("signals", "settings", "status"),
    [
        ([signal.SIGTERM], {"DRAIN": "0"}, 0),  # at once
        ([signal.SIGTERM, signal.SIGTERM], {"DRAIN": "3600", "PROXIES": "10.0.0.1"}, 0),  # the second means it
        ([signal.SIGINT], {"DRAIN": "3600", "PROXIES": "10.0.0.1"}, 0),  # Ctrl-C does not take leave
        ([signal.SIGTERM, signal.SIGINT], {"DRAIN": "3600", "PROXIES": "10.0.0.1"}, 0),
    ],
    ids=["0 seconds", "twice", "Ctrl-C", "Ctrl-C while taking leave"],
)
def test_it_can_be_ended_at_once(
    tmp_path: pathlib.Path,
    processes: list[Process],
    signals: list[signal.Signals],
    settings: dict[str, str],
    status: int,
) -> None:
    async def scene() -> None:
        server = await start(processes, tmp_path / "games.db", **settings)
        table, people = await seated(server.port, random.Random(4), "splendor", 2)
        playing = [asyncio.create_task(person.play(table)) for person in people]
        async with asyncio.timeout(PATIENCE):
            while not any(person.acknowledged for person in people):
                await asyncio.sleep(0.05)
        for each in signals[:-1]:
            server.process.send_signal(each)
            async with asyncio.timeout(PATIENCE):
                while "Taking leave" not in server.said():
                    await asyncio.sleep(0.05)
            assert server.process.poll() is None
        server.process.send_signal(signals[-1])
        assert await server.ended() == status  # within a minute: not an hour later
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        assert [person.code for person in people] == [1012, 1012]

    run(scene())


SLOW = "from server import test_drain; from ludoteca.server import app, bots; bots.think = test_drain.for_ever; app.serve()"


def for_ever(*_: Any) -> None:
    """What a bot thinks, in a worker, if it thinks for ever."""
    pathlib.Path(os.environ["LUDOTECA_TEST_MARK"]).touch()
    time.sleep(600)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_nobody_waits_for_what_a_bot_is_thinking(
    tmp_path: pathlib.Path, processes: list[Process], monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    mark = tmp_path / "thinking"
    monkeypatch.setenv("LUDOTECA_TEST_MARK", str(mark))

    async def scene() -> None:
        processes.append(Process(tmp_path / "games.db", "-c", SLOW, THINK_LIMIT="600"))
        server = await processes[-1].open()
        await against_a_bot(server)
        await until(mark.exists)
        server.process.send_signal(how)
        assert await server.ended() == 0  # within a minute: not ten minutes later

    run(scene())
