"""The attacks, each with what was promised: `ATTACKS` at the end has them all, in the order in which they are made."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import random
import re
import secrets
import signal
import socket as sockets
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import InvalidStatus, WebSocketException

from ludoteca.catalogue import game as find_game
from siege.field import (
    Answer,
    Felt,
    Field,
    Game,
    Json,
    Person,
    Server,
    alive,
    command,
    decide,
    feel,
    from_on,
    hear,
    say,
)

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Outcome:
    """What came of an attack."""

    figure: str
    held: bool


@dataclass(frozen=True)
class Attack:
    """One of them: what is promised, and how it is tried."""

    name: str
    promise: str
    make: Callable[[Field], Awaitable[Outcome]]
    quick: bool = True  # part of the short form


def addresses(count: int) -> list[str]:
    """So many addresses of this machine: a cap by address counts each by itself."""
    return [f"127.0.{n // 200 + 1}.{n % 200 + 1}" for n in range(count)]


# ── One client must not stop the house ───────────────────────

PING = b"\x89\x80\0\0\0\0"  # an empty ping, masked as browsers mask
BEGINNING, FRAGMENT = b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"  # pieces of a message that never ends


async def swallow(reader: asyncio.StreamReader) -> int:
    """Reads until the end; how many bytes came."""
    count = 0
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            count += len(data)
    return count


async def flood(person: Person, table: str, beginning: bytes, again: bytes, seconds: float) -> int:
    """Sends frames as fast as the line takes them; how many bytes went."""
    reader, writer = await person.bare_socket(table)
    sent, end, chunk = 0, time.monotonic() + seconds, again * 10_000
    answers = asyncio.create_task(swallow(reader))
    try:
        writer.write(beginning)
        while time.monotonic() < end:
            writer.write(chunk)
            sent += len(chunk)
            async with asyncio.timeout(max(0.01, end - time.monotonic())):
                await writer.drain()
    except (OSError, TimeoutError):
        pass  # held back, or shown the door
    finally:
        answers.cancel()
        writer.transport.abort()
    return sent


async def frames(field: Field, beginning: bytes, again: bytes) -> Outcome:
    server, seconds = await field.shared(), field.of(6, 2)
    game = await Game.begun(server)
    attack = asyncio.create_task(flood(Person(server), game.table, beginning, again, seconds))
    felt = await feel(server, seconds, game)
    sent = await attack
    game.leave()
    return Outcome(f"{felt.told()}; {sent / 1e6:.1f} MB sent", felt.within(0.25 * field.slack, 0.25 * field.slack))


async def control_frames(field: Field) -> Outcome:
    return await frames(field, b"", PING)


async def endless_fragments(field: Field) -> Outcome:
    return await frames(field, BEGINNING, FRAGMENT)


async def idle_connections(field: Field) -> Outcome:
    """Silent ones, from several addresses; then somebody new comes; then the house closes them."""
    count, patience = field.of(1100, 300), field.of(4, 2)
    async with field.server(request_patience=patience) as server:
        begun = [b"", b"GET / HT", b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"]
        silent, writers = [], []
        for number, address in zip(range(count), addresses(count // 150 + 1) * 150, strict=False):
            reader, writer = await Person(server, address).line()
            writer.write(begun[number % 3])
            writers.append(writer)  # open for as long as they are here
            silent.append(asyncio.create_task(swallow(reader)))
        opened, watch = time.monotonic(), server.watch()
        await Person(server).known("Anna")
        took = watch.took()
        _, late = await asyncio.wait(silent, timeout=opened + patience + 3 * field.slack - time.monotonic())
        for writer in writers:
            writer.transport.abort()
        told = f"{count} silent; a new guest in {took * 1000:.0f} ms; {len(late)} open after {patience} s and a bit"
        return Outcome(told, took <= 1.0 * field.slack and not late)


async def connections_of_one_address(field: Field) -> Outcome:
    """More than one address may have, and then somebody from elsewhere."""
    server, most = await field.shared(), 200
    greedy = Person(server, "127.0.5.5")
    lines = [await greedy.line() for _ in range(most + 50)]
    tasks = [asyncio.create_task(swallow(reader)) for reader, _ in lines]
    end = time.monotonic() + 5.0 * field.slack
    while (refused := sum(task.done() for task in tasks)) < 50 and time.monotonic() < end:
        await asyncio.sleep(0.1)
    watch = server.watch()
    answer = await Person(server, "127.0.5.6").ask("GET", "/api/games")
    took = watch.took()
    for _, writer in lines:
        writer.transport.abort()
    told = f"{len(tasks) - refused} of {len(tasks)} stay; elsewhere {answer.status} in {took * 1000:.0f} ms"
    return Outcome(told, len(tasks) - refused <= most and answer.status == 200 and took <= 0.25 * field.slack)


async def slow_readers(field: Field) -> Outcome:
    """Spectators who never read, while others play at human pace: a move every two seconds."""
    count, seconds = 20, 40.0
    async with field.server() as server:
        game = await Game.begun(server)
        for _ in range(30):  # whoever comes now has more to read than its own system takes
            await game.move()
            await asyncio.sleep(0.16)
        before, lines = server.memory(), []
        for address in addresses(count):
            line = sockets.socket()
            line.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            line.bind((address, 0))
            line.connect(("127.0.0.1", server.port))
            head = f"GET /api/tables/{game.table}/socket?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            head += f"Origin: http://127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            line.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
            lines.append(line)
        start, gone, most = time.monotonic(), float("inf"), 0
        felt, moved = Felt(pages=[0.0]), 0.0
        while time.monotonic() - start < seconds:
            if time.monotonic() - moved > 2.0:
                moved = time.monotonic()
                felt.moves.append(await game.move())
            most = max(most, server.memory() - before)
            info = await Person(server).get(f"/api/tables/{game.table}")
            if info["spectators"] == 0:
                gone = time.monotonic() - start
                break
            await asyncio.sleep(0.25)
        for line in lines:
            line.close()
        slowest = felt.at(felt.moves, 0.99) * 1000
        told = f"{most / count / 1024:.0f} kB each; all dropped after {gone:.0f} s; moves p99 {slowest:.0f} ms"
        return Outcome(
            told, most / count <= 256 * 1024 and gone <= 10.0 * field.slack and felt.within(0.25 * field.slack, 1.0)
        )


async def old_pings(field: Field) -> Outcome:
    """Anonymous sockets that claim to have lost everything, again and again."""
    server, count, seconds = await field.shared(), 20, field.of(10, 3)
    game = await Game.begun(server)
    for _ in range(field.of(60, 10)):
        if not game.over:
            await game.move()
            await asyncio.sleep(0.16)
    lines = [await Person(server).bare_socket(game.table) for _ in range(count)]
    heard = [asyncio.create_task(swallow(reader)) for reader, _ in lines]
    await asyncio.sleep(0.5)
    text = b'{"type":"ping","at":0}'
    frame = b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text
    before, start = server.cpu(), time.monotonic()
    while time.monotonic() - start < seconds:
        for _, writer in lines:
            writer.write(frame)
        await asyncio.sleep(0.26)
    busy = (server.cpu() - before) / (time.monotonic() - start)
    for _, writer in lines:
        writer.transport.abort()
    each = sum(await asyncio.gather(*heard)) / count / 1024
    game.leave()
    told = f"{count} sockets, {busy:.0%} of a core, {each:.0f} kB each in {seconds} s"
    return Outcome(told, busy <= 0.25 and each <= 400)  # processor time: a busy machine does not make it more


async def answers_of(person: Person, said: bytes) -> Counter[int]:
    """Says this on a connection of its own; how often each status came back before the end, or before it was held back."""
    reader, writer = await person.line()
    heard, rest = Counter[int](), b""
    try:
        writer.write(said)
        async with asyncio.timeout(2.0):
            while data := await reader.read(1 << 16):
                heard.update(int(status) for status in re.findall(rb"HTTP/1.1 (\d\d\d)", rest + data))
                rest = data[-11:]  # less than one: none is counted twice
    except (OSError, TimeoutError):
        pass
    finally:
        writer.transport.abort()
    return heard


async def under(
    field: Field, server: Server, game: Game, attacks: list[Callable[[], Awaitable[Counter[int]]]]
) -> Outcome:
    """How the house feels while each of these is done again and again, one right after the other."""
    seconds, heard = field.of(8, 3), Counter[int]()
    end = time.monotonic() + seconds

    async def again(attack: Callable[[], Awaitable[Counter[int]]]) -> None:
        while time.monotonic() < end:
            heard.update(await attack())

    before, start = server.cpu(), time.monotonic()
    attackers = [asyncio.ensure_future(again(attack)) for attack in attacks]
    felt = await feel(server, seconds, game)
    await asyncio.gather(*attackers)
    busy = (server.cpu() - before) / (time.monotonic() - start)
    game.leave()
    statuses = ", ".join(f"{count} × {status}" for status, count in sorted(heard.items())) or "no answer"
    told = f"{felt.told()}; {statuses}; {busy:.0%} of a core"
    return Outcome(told, felt.within(0.25 * field.slack, 0.25 * field.slack))


async def chunks(field: Field) -> Outcome:
    """One connection at a time with a body of one-byte chunks, coming again as fast as it goes."""
    server = await field.shared()
    head = f"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    said, eve = head.encode() + b"1\r\nx\r\n" * 10_900, Person(server, "127.0.6.1")
    return await under(field, server, await Game.begun(server), [lambda: answers_of(eve, said)])


async def many_requests(field: Field) -> Outcome:
    """Requests to look back at a game, as many as go into a line, on many lines from two addresses."""
    server = await field.shared()
    game = await Game.begun(server)
    for _ in range(field.of(60, 15)):
        if not game.over:
            await game.move()
            await asyncio.sleep(0.16)
    ask = f"GET /api/tables/{game.table}/moments?first={{}} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    said = "".join(ask.format(n % 30) for n in range(200)).encode()
    people = [Person(server, f"127.0.7.{n % 2 + 1}") for n in range(field.of(60, 20))]
    return await under(field, server, game, [lambda person=person: answers_of(person, said) for person in people])  # type: ignore[misc]


async def guesses(field: Field) -> Outcome:
    """Wrong invitations in several places, and then the right one: it opens nothing from there."""
    async with field.server(misses_a_minute=60) as server:
        anna, eve = await Person(server).known("Anna"), await Person(server, "127.0.8.1").known("Eve")
        table = await anna.post(
            "/api/tables", {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": []}
        )
        where, page, right = f"/api/tables/{table['id']}", f"/table/{table['id']}", table["invite"]
        for n in range(30):
            await eve.ask("GET", f"{where}?invite={n}")
            await eve.ask("GET", f"{page}?invite={n}")
        found = [await eve.ask("GET", f"{where}{more}?invite={right}") for more in ("", "/moments", "/record")]
        found.append(await eve.ask("POST", f"{where}/sit", {"invite": right}))
        found.append(await Person(server, "127.0.8.1").ask("GET", f"{where}?invite={right}"))
        elsewhere = await Person(server, "127.0.8.2").ask("GET", f"{where}?invite={right}")
        refused = sum(answer.status == 429 for answer in found)
        told = f"the right one refused in {refused} of {len(found)} places; from elsewhere {elsewhere.status}"
        return Outcome(told, refused == len(found) and elsewhere.status == 200)


class Spectator(asyncio.Protocol):
    """Watches and forgets."""

    def __init__(self, table: str, port: int) -> None:
        self.open = False
        self._head = f"GET /api/tables/{table}/socket?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        self._head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(f"{self._head}Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self.open = self.open or data.startswith(b"HTTP/1.1 101")

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False


async def crowd(field: Field) -> Outcome:
    """A table with very many spectators, of whom some come and go all the time."""
    count, seconds = field.of(1200, 200), field.of(15, 3)
    async with field.server(spectators_a_table=count + 100) as server:
        game = await Game.begun(server)
        loop = asyncio.get_running_loop()
        watching: list[Spectator] = []

        async def come(address: str) -> None:
            spectator = Spectator(game.table, server.port)
            await loop.create_connection(lambda: spectator, "127.0.0.1", server.port, local_addr=(address, 0))
            watching.append(spectator)

        places = addresses(count // 40 + 2)
        for number in range(count):
            await come(places[number % len(places)])
        end = time.monotonic() + 10.0 * field.slack
        while (there := sum(spectator.open for spectator in watching)) < count and time.monotonic() < end:
            await asyncio.sleep(0.1)

        async def come_and_go() -> None:
            for number in range(int(seconds * 20)):
                watching.pop(0).transport.abort()
                await come(places[number % len(places)])
                await asyncio.sleep(0.05)

        felt, _ = await asyncio.gather(feel(server, seconds, game), come_and_go())
        for spectator in watching:
            spectator.transport.abort()
        game.leave()
        return Outcome(
            f"{there} watch; {felt.told()}", there >= count and felt.within(0.25 * field.slack, 0.5 * field.slack)
        )


async def caps_have_sentences(field: Field) -> Outcome:
    """One more than allowed: spectators of a table, sockets of an address, wrong invitations."""
    async with field.server(spectators_a_table=60, sockets_an_address=50, misses_a_minute=60) as server:
        game = await Game.begun(server)
        refused: list[Json] = []
        lines = []  # held: a connection nobody holds any more is closed by the collector
        for address, count in (("127.0.2.1", 51), ("127.0.2.2", 11)):
            for _ in range(count):
                try:
                    lines.append(await Person(server, address).socket(game.table))
                except InvalidStatus as refusal:
                    refused.append(msgspec.json.decode(refusal.response.body or b"{}"))
        guesses = [await Person(server, "127.0.2.3").ask("GET", f"/api/tables/none{n}") for n in range(61)]
        refused.append(guesses[-1].json())
        keys = [refusal.get("key") for refusal in refused]
        held = keys == ["too_many_sockets", "too_many_spectators", "too_many_misses"]
        game.leave()
        return Outcome(", ".join(map(str, keys)), held and all(refusal["sentence"] for refusal in refused))


# ── Limits under parallel requests and reconnects ────────────


async def parallel_openings(field: Field) -> Outcome:
    """Eighty tables at once, where fifty are allowed."""
    server = await field.shared()
    hog = await Person(server).known("Hog")
    wish = {"game": "splendor", "seats": 2, "options": {}, "public": False, "bots": []}
    answers = await asyncio.gather(*(hog.ask("POST", "/api/tables", wish) for _ in range(80)))
    opened = sum(answer.status == 200 for answer in answers)
    refused = {answer.json()["key"] for answer in answers if answer.status == 429}
    return Outcome(
        f"{opened} of 80 opened; the others: {', '.join(refused) or 'none'}", opened <= 50 and len(refused) == 1
    )


async def chat_flood(field: Field) -> Outcome:
    """One guest who comes back for every five lines of chat."""
    server, seconds = await field.shared(), field.of(10, 3)
    game, lines = await Game.begun(server), 0
    eve, end = await Person(server).known("Eve"), time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            line = await eve.socket(game.table)
        except InvalidStatus:
            await asyncio.sleep(0.05)
            continue
        for number in range(5):
            await say(line, type="say", text=f"{number} {secrets.token_hex(8)}")
        await say(line, type="ping", at=0)
        await hear(line, "pong")
        await line.close()
    with contextlib.closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as db:
        [lines] = db.execute("SELECT COUNT(*) FROM chat WHERE table_id = ? AND name = 'Eve'", (game.table,)).fetchone()
    game.leave()
    return Outcome(f"{lines} lines in {seconds} s", lines <= 5 * (seconds / 10 + 1))


async def open_and_leave(field: Field) -> Outcome:
    """One guest who opens tables and leaves them, as fast as it goes; how the lobby feels after that."""
    async with field.server() as server:
        hog, made, end = await Person(server).known("Hog"), 0, time.monotonic() + field.of(10, 3)

        async def one() -> None:
            nonlocal made
            wish = {"game": "splendor", "seats": 2, "options": {}, "public": True, "bots": []}
            while time.monotonic() < end:
                answer = await hog.ask("POST", "/api/tables", wish)
                if answer.status != 200:
                    await asyncio.sleep(0.05)
                    continue
                made += 1
                await hog.ask("POST", f"/api/tables/{answer.json()['id']}/leave", {})

        await asyncio.gather(*(one() for _ in range(8)))
        anna, times = await Person(server).known("Anna"), []
        for _ in range(10):
            watch = server.watch()
            await anna.get("/api/tables")
            times.append(watch.took())
        told = f"{made} tables made; the lobby in {max(times) * 1000:.0f} ms"
        return Outcome(told, made <= 120 and max(times) <= 0.25 * field.slack)


# ── Bots and workers ─────────────────────────────────────────


async def novice_takes(server: Server, moves: int) -> float:
    """The longest that somebody waits for a novice, once a worker has read the game."""
    anna, longest = await Person(server).known("Anna"), 0.0
    table = (await anna.post("/api/play-now", {"game": "splendor", "seats": 2, "level": "novice"}))["id"]
    line = await anna.socket(table)
    position = await hear(line, "update", where=lambda m: m["waiting"] == [0])
    for number in range(moves + 1):
        while position["waiting"] == [0]:
            _, seq, _ = await decide(server, line, position)
            position = await hear(line, "update", where=from_on(seq))
        watch = server.watch()
        if position["waiting"] != [0]:
            position = await hear(line, "update", where=lambda m: m["waiting"] == [0])
        longest = max(longest, watch.took()) if number else 0.0
        await asyncio.sleep(0.3)
    await line.close()
    return longest


async def starving_bots(field: Field) -> Outcome:
    """Guests who open games against experts and leave them; then a stranger plays a novice, and again after kill -9."""
    hosts, each = 4, field.of(50, 6)
    file = field.folder / "starving.db"
    async with field.server(file) as server:

        async def hog() -> int:
            person, left = await Person(server).known("Hog"), 0
            for _ in range(each):
                answer = await person.ask(
                    "POST", "/api/play-now", {"game": "king_of_con", "seats": 3, "level": "expert"}
                )
                if answer.status == 200:
                    await person.post(f"/api/tables/{answer.json()['id']}/leave")
                    left += 1
            return left

        left = sum(await asyncio.gather(*(hog() for _ in range(hosts))))
        first = await novice_takes(server, field.of(8, 2))
        server.end(signal.SIGKILL)
    async with field.server(file) as server:
        second = await novice_takes(server, field.of(8, 2))
    told = f"{left} games left (of {hosts * each}); a novice in {first:.2f} s, after a restart in {second:.2f} s"
    return Outcome(told, max(first, second) <= 1.0 * field.slack)


async def against_experts(server: Server) -> tuple[Person, str, ClientConnection]:
    """Anna at a table of King of Con with experts, who think at once."""
    anna = await Person(server).known("Anna")
    table = (await anna.post("/api/play-now", {"game": "king_of_con", "seats": 5, "level": "expert"}))["id"]
    return anna, table, await anna.socket(table)


async def workers_of(server: Server) -> list[int]:
    """The workers, once there are some."""
    async with asyncio.timeout(60):
        while not (found := server.workers()):
            await asyncio.sleep(0.02)
    return found


async def killed_worker(field: Field) -> Outcome:
    """kill -9 of the process in which bots think, several times; they decide all the same."""
    async with field.server() as server:
        _, _, line = await against_experts(server)
        kills = 0
        for _ in range(field.of(3, 2)):
            for process in await workers_of(server):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    kills += 1
            await asyncio.sleep(0.2)
        start = time.perf_counter()
        await hear(line, "update", where=lambda m: m["waiting"] == [0])
        took = time.perf_counter() - start
        await line.close()
        return Outcome(f"{kills} killed; all bots have decided {took:.1f} s later", took <= 20.0 * field.slack)


async def orphans(field: Field) -> Outcome:
    """The server ends while bots think: by kill -9, and by SIGTERM."""
    slowest = 0.0
    for how in (signal.SIGKILL, signal.SIGTERM):
        async with field.server() as server:
            await against_experts(server)
            processes = await workers_of(server)
            server.end(how)
            start = time.monotonic()
            while any(map(alive, processes)) and time.monotonic() - start < 10 * field.slack:
                await asyncio.sleep(0.02)
            slowest = max(slowest, time.monotonic() - start)
    return Outcome(f"the last worker ends {slowest:.1f} s after the server", slowest <= 5.0 * field.slack)


async def killed_server(field: Field) -> Outcome:
    """kill -9 while people play and bots think; everything acknowledged is there when it comes back."""
    file, kills, slowest = field.folder / "killed.db", field.of(10, 2), 0.0
    acknowledged: list[tuple[str, str, int]] = []
    game: Game | None = None
    for _ in range(kills):
        start = time.monotonic()
        async with field.server(file) as server:
            slowest = max(slowest, time.monotonic() - start)
            if game is None:
                await against_experts(server)  # they go on thinking after each restart
            game = await game.back(server) if game is not None and not game.over else await Game.begun(server)
            await game.move()  # something is acknowledged before each kill, however slow the machine
            asyncio.get_running_loop().call_later(random.uniform(0.0, 1.5), server.process.kill)
            with contextlib.suppress(OSError, WebSocketException):
                while True:
                    await (asyncio.sleep(0.05) if game.over else game.move())
                    await asyncio.sleep(0.13)
                    if game.over and server.process.poll() is not None:
                        break
            acknowledged += game.acknowledged
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT table_id, command, seq FROM decisions").fetchall()
    lost = set(acknowledged) - set(rows)
    told = f"{kills} kills, {len(acknowledged)} acknowledged, {len(lost)} lost; up again within {slowest:.1f} s"
    return Outcome(told, len(acknowledged) >= kills and not lost and slowest <= 10 * field.slack)


# ── Promises kept everywhere ─────────────────────────────────


async def repeated_commands(field: Field) -> Outcome:
    """Seals, openings and offers behind screens, each sent several times in a random order, through two sockets."""
    server, dice = await field.shared(), random.Random(5)
    code = find_game("king_of_con").actions.encode
    people = [await Person(server).known(name) for name in ("Anna", "Bruno", "Carla")]
    table = await people[0].open("king_of_con", 3, options={"passions": "two_first_game"})
    for person in people[1:]:
        await person.post(f"/api/tables/{table}/sit")
    await people[0].post(f"/api/tables/{table}/start")
    lines = [await people[0].socket(table), await people[0].socket(table)]
    first, again, different = dict[str, Json](), 0, 0
    for number in range(field.of(40, 6)):
        sent: Json = {"type": "do", "action": code("bid", 1 + number % 3, 1 + number % 4), "at": 0}
        if number % 2:
            sent = {"type": "open_again", "at": 0}
        sent["id"] = f"command {number}"
        first[sent["id"]] = sent | {"answer": await command(lines[0], **sent)}
        for old in dice.sample(sorted(first), min(3, len(first))):
            known = dict(first[old])
            expected = known.pop("answer")
            different += await command(dice.choice(lines), **known) != expected
            again += 1
        await asyncio.sleep(1.0)  # within the limits of a socket
    last = await Person(server).get(f"/api/tables/{table}")
    refused = [await command(lines[0], type="open_again", id="command 0", at=0)]
    for line in lines:
        await line.close()
    right = last["waiting"] == [0, 1, 2] and refused[0].get("key") == "id_used"  # the last command opened it again
    return Outcome(
        f"{again} repeated, {different} answered otherwise; as it should stand: {right}", not different and right
    )


async def second_server(field: Field) -> Outcome:
    """Another server on the same file."""
    server = await field.shared()
    other = Server(server.database)
    try:
        await other.ready()
        return Outcome("it serves the same file", False)
    except RuntimeError:  # it has ended
        last = (other.said().strip().splitlines() or [""])[-1]
        code = other.process.returncode
        return Outcome(f"exit code {code}: {last[:80]}", code > 0 and bool(last) and "Traceback" not in other.said())
    finally:
        other.end()


async def full_disk(field: Field) -> Outcome:
    """No file can grow any more in the middle of a game; then there is room again."""
    file = field.folder / "full.db"
    async with field.server(file) as server:
        game = await Game.begun(server)
        await game.move()
        people, table = [person.secret for person in game.people], game.table
        game.leave()
    room = max(path.stat().st_size for path in field.folder.glob("full.db*")) + 60_000
    done, refused = 0, ""
    async with field.server(file, most_bytes=room) as server:
        lines = [await Person(server, secret=secret).socket(table) for secret in people]
        updates = [await hear(line, "update") for line in lines]
        while not refused and done < 400:
            seat = updates[0]["waiting"][0]
            action = random.choice(updates[seat]["choices"])["action"]
            answer = await command(lines[seat], type="do", action=action, at=updates[seat]["seq"])
            if answer["type"] == "refused" and answer["key"] != "too_fast":
                refused = answer["key"]
            elif answer["type"] == "done":
                done = answer["seq"]
                updates = [await hear(line, "update", where=from_on(done)) for line in lines]
                if updates[0]["result"]:
                    break
            await asyncio.sleep(0.13)
        page = await Person(server).ask("GET", "/api/games")
    async with field.server(file) as server:
        back = await Person(server, secret=people[0]).get(f"/api/tables/{table}")
    told = (
        f"refused as {refused or 'nothing'} after {done} decisions; pages {page.status}; {back['seq']} there afterwards"
    )
    return Outcome(told, refused == "not_stored" and page.status == 200 and back["seq"] == done)


# ── At the door ──────────────────────────────────────────────

ORIGINS = (
    "http://[", "http://[::1", "http://]", "://", "http://" + "a" * 5000, "http://\xe9", "http://a b", "null", "//",
    "http://evil.example", "https://127.0.0.1.evil.example", "http://localhost:1", "",
)  # fmt: skip
HOSTS = ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a b", "x:y:z", "[", "evil.example:8000")


async def hostile_names(field: Field) -> Outcome:
    """Requests and sockets from pages elsewhere, and by names that are not the house's."""
    server = await field.shared()
    anna = await Person(server).known("Anna")
    cookie: dict[str, Any] = {"Cookie": f"ludoteca={anna.secret}", "Authorization": ""}
    answers: list[Answer] = []
    for origin in ORIGINS:
        answers.append(await anna.ask("POST", "/api/me", {"name": "x"}, Origin=origin, **cookie))
        upgrade: dict[str, Any] = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        upgrade["Sec-WebSocket-Key"] = "A" * 22 + "=="
        answers.append(await anna.ask("GET", "/api/tables/x/socket", Origin=origin, **upgrade, **cookie))
    for host in HOSTS:
        answers.append(await anna.ask("GET", "/api/games", Host=host))
    refused = sum(400 <= answer.status < 500 for answer in answers)
    faults = server.said().count("Traceback")
    return Outcome(f"{refused} of {len(answers)} refused, {faults} tracebacks", refused == len(answers) and not faults)


async def garbage(field: Field) -> Outcome:
    """Messages that are none: the socket refuses each with a sentence, and nothing is logged as our fault."""
    server, dice = await field.shared(), random.Random(3)
    game = await Game.begun(server)
    line = await Person(server).socket(game.table)
    await hear(line, "update")
    texts: list[Any] = [
        "",
        "[" * 9000,
        "{}",
        '{"type":"do"}',
        '{"type":"ping","at":-1}',
        '{"type":"ping","at":1e400}',
        "x" * 17_000,
    ]
    texts += [
        '{"type":"say","text":"\\ud800"}',
        '{"type":"entropy","text":7}',
        b"\x00\xff",
        '{"type":"ping","at":true}',
    ]
    answers = []
    for text in dice.sample(texts, len(texts)):
        await line.send(text)
        answers.append(await hear(line, "refused", "pong"))
        await asyncio.sleep(0.26)
    await line.close()
    game.leave()
    right = sum(answer["type"] == "refused" and bool(answer["sentence"]) for answer in answers)
    faults = server.said().count("Traceback")
    return Outcome(
        f"{right} of {len(texts)} refused with a sentence, {faults} tracebacks", right == len(texts) and not faults
    )


# ── Promises that are kept in a small house of their own ─────

SERVER = "tests/server/"


def scenes(*names: str) -> Callable[[Field], Awaitable[Outcome]]:
    """Tests of the server that hold a promise by themselves, run one after the other in a process of their own."""

    async def make(field: Field) -> Outcome:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(SERVER + name for name in names)]
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        try:
            said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
        last = said.decode(errors="replace").strip().splitlines()[-1]
        return Outcome(re.sub(r"[=\s]*( in .*)?$", "", last.lstrip("= ")), process.returncode == 0)

    return make


chores = scenes(
    "test_door.py::test_a_chore_that_fails_is_tried_again",
    "test_seats.py::test_a_cleaning_that_fails_is_tried_again_and_not_an_hour_later",
    "test_seats.py::test_a_jump_of_the_clock_deletes_nothing",
    "test_seats.py::test_nothing_is_deleted_while_somebody_is_there",
    "test_seats.py::test_a_rematch_can_be_begun_again_when_its_table_was_forgotten",
    "test_seats.py::test_a_rematch_of_a_finished_game_can_always_be_begun",
)
other_rules = scenes("test_versions.py")
bad_files = scenes("test_file.py")
fair_chance = scenes(
    "test_fair.py::test_against_bots_the_commitment_comes_first_and_ones_own_entropy_is_in_it",
    "test_fair.py::test_other_entropy_deals_other_cards",
    "test_fair.py::test_altered_entropy_draws_shuffles_decisions_and_results_are_detected",
)
at_the_door = scenes(
    "test_door.py::test_behind_a_trusted_balancer_the_scheme_counts_too",
    "test_door.py::test_addresses_that_are_no_pages_are_not_found",
    "test_door.py::test_names_that_look_like_others_are_refused_or_made_plain",
    "test_page.py::test_files_are_served_with_the_headers_they_need",
    "test_seats.py::test_a_new_invitation_ends_the_old_one",
)
kept_and_written = scenes(
    "../test_lock.py",
    "test_logs.py",
    "test_tidy.py::test_by_default_everything_is_kept",
    "test_tidy.py::test_a_dry_run_says_what_would_go_and_changes_nothing",
    "test_tidy.py::test_a_running_server_does_it_by_itself_and_spares_those_who_are_here",
    "test_seats.py::test_my_games_come_in_pages_and_none_twice",
)


ATTACKS = (
    Attack("control frames at line speed", "pages and moves ≤ 250 ms", control_frames),
    Attack("a message that never ends", "pages and moves ≤ 250 ms", endless_fragments),
    Attack("bodies in small chunks", "pages and moves ≤ 250 ms", chunks),
    Attack("requests without a pause", "pages and moves ≤ 250 ms", many_requests),
    Attack("silent connections", "somebody new ≤ 1 s; all closed in time", idle_connections),
    Attack("connections of one address", "≤ 200 stay; elsewhere ≤ 250 ms", connections_of_one_address),
    Attack("slow readers", "≤ 256 kB each; dropped ≤ 10 s; moves p99 ≤ 250 ms", slow_readers, quick=False),
    Attack("pings with an old number", "20 sockets ≤ 25 % of a core, ≤ 400 kB each", old_pings),
    Attack("a crowd of spectators", "moves p99 ≤ 250 ms, pages ≤ 500 ms", crowd),
    Attack("one more than allowed", "refused with a sentence", caps_have_sentences),
    Attack("guessed invitations", "after 60 wrong ones not even the right one", guesses),
    Attack("80 openings at once", "≤ 50, the others refused", parallel_openings),
    Attack("chat and come back", "≤ 5 lines in 10 s a guest", chat_flood),
    Attack("open and leave", "≤ 120 tables an hour; the lobby ≤ 250 ms", open_and_leave),
    Attack("experts at tables left", "a novice ≤ 1 s, also after a restart", starving_bots),
    Attack("workers killed", "every bot decides", killed_worker),
    Attack("server ended while bots think", "workers end within 5 s", orphans, quick=False),
    Attack("kill -9 of the server", "nothing acknowledged is lost", killed_server),
    Attack("commands repeated behind screens", "one effect, the same answer", repeated_commands),
    Attack("a second server on the file", "refused with a sentence", second_server),
    Attack("a full disk", "said; nothing lost; the house goes on", full_disk, quick=False),
    Attack("foreign origins and hosts", "all refused, no traceback", hostile_names),
    Attack("garbage", "all refused with a sentence, no traceback", garbage),
    # What follows is part of `make test` as it is.
    Attack("chores that fail, a clock that jumps", "tried again; nothing in use is deleted", chores, quick=False),
    Attack("a new version of the rules", "games go on, or end kindly", other_rules, quick=False),
    Attack("damaged, foreign and newer files", "a sentence; nothing is changed", bad_files, quick=False),
    Attack("chance against bots", "committed before the deal, with one's own entropy", fair_chance, quick=False),
    Attack("schemes, names, styles, old invitations", "refused, plain, none inline, ended", at_the_door, quick=False),
    Attack(
        "locks, lines of the log, what expires", "hashed; no traceback; kept unless told", kept_and_written, quick=False
    ),
)
