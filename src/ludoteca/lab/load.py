"""How much one core can serve: `python -m ludoteca.lab.load GAME` (or `make load`).

A real server, in a process of its own on a core of its own, with the real rules, the real store and the real limits; and a
crowd of players on another core, all on this machine. A move counts from the moment it was due until the last of the
four players sees it; so if the server falls behind, the time somebody had to wait is counted as well.

The report has the targets beside the figures, and how much of the machine other programs had meanwhile: figures of a busy
machine say little. With `--strict` it ends with an error if the machine was quiet and a target was missed by far.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import os
import pathlib
import random
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import cast

import msgspec
import uvicorn

from ludoteca import catalogue
from ludoteca.core.engine import compiled
from ludoteca.core.game import Game
from ludoteca.server import fair, guests, queries
from ludoteca.server.app import be_quick, configured, create_app
from ludoteca.server.settings import Settings
from ludoteca.server.store import Store

SEATS = 4
PING_EVERY = 15.0
IDLE = 2.0  # seconds after which the measured server forgets a table


@dataclass(frozen=True)
class Plan:
    """One measurement."""

    name: str
    tables: int
    rate: float  # moves a second, over all tables
    seconds: float
    most_ms: float = 100.0  # what 99 of 100 moves may take
    most_idle: float | None = None  # bytes that a table nobody looks at may take; measuring that takes half a minute


PLANS = (
    Plan("1,000 moves a second", 250, 1000, 15),
    Plan("1,000 tables and 4,000 sockets, a move each 2 s", 1000, 500, 20, most_idle=1000),
)
QUICK = (Plan("a short try", 40, 100, 3, 1000),)
BY_FAR = 1.25  # a target missed by more than this factor is missed by far
QUIET = 0.2  # of a core: with more than that for other programs, the machine was not quiet


@dataclass
class Measured:
    """What came out."""

    plan: Plan
    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of the server's core
    players_cpu: float = 0.0  # of the players' core
    others_cpu: float = 0.0  # of other programs
    seen: list[float] = field(default_factory=list)  # seconds until the last player saw it
    stored: list[float] = field(default_factory=list)  # seconds until it was acknowledged
    dropped: int = 0  # sockets lost
    refused: int = 0
    live: float = 0.0  # bytes of memory for a table that is played at
    idle: float | None = None  # for one that nobody looks at

    def ms(self, times: list[float], share: float) -> float:
        """The time within which this share of the moves was through, in milliseconds."""
        return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000 if times else float("inf")

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds if self.seconds else 0.0

    @property
    def quiet(self) -> bool:
        """Whether the machine had nothing else to do."""
        return self.others_cpu <= QUIET * self.seconds

    def targets(self) -> list[tuple[str, str, str, float]]:
        """What was promised: name, figure, target, and by which factor it was missed (up to 1: it was not)."""
        plan, worst = self.plan, self.ms(self.seen, 0.99)
        aim = 0.98 * plan.rate  # the last moves are still on their way when the time is up
        found = [
            (
                "moves a second",
                f"{self.rate:,.0f}",
                f"{plan.rate:,.0f}",
                aim / self.rate if self.rate else float("inf"),
            ),
            ("seen by all, 99 of 100 within", f"{worst:.0f} ms", f"{plan.most_ms:.0f} ms", worst / plan.most_ms),
            ("sockets lost, moves refused", str(self.dropped + self.refused), "0", 1.0 + self.dropped + self.refused),
        ]
        if plan.most_idle is not None and self.idle is not None:
            idle = f"{self.idle / 1000:.2f} kB"
            found.append(("an idle table", idle, f"{plan.most_idle / 1000:.0f} kB", self.idle / plan.most_idle))
        return found

    @property
    def missed_by_far(self) -> bool:
        """Whether a quiet machine was far from a target."""
        return self.quiet and any(factor > BY_FAR for *_, factor in self.targets())

    def report(self) -> str:
        """The figures, with the targets beside them."""
        lines = [
            f"{self.plan.name} ({self.plan.tables:,} tables of four, {self.seconds:.0f} s, {self.moves:,} moves)",
            *(
                f"  {name:32}{figure:>10}   target {target:>8}   {'ok' if factor <= 1 else 'MISSED'}"
                for name, figure, target, factor in self.targets()
            ),
            f"  seen by all: half within {self.ms(self.seen, 0.5):.1f} ms; stored: half within "
            f"{self.ms(self.stored, 0.5):.1f} ms, 99 of 100 within {self.ms(self.stored, 0.99):.1f} ms",
            f"  the server's core: {self.cpu / self.seconds:.0%} busy, {self.cpu / max(1, self.moves) * 1e6:.0f} µs a move; "
            f"the players' core: {self.players_cpu / self.seconds:.0%}; a table in play: {self.live / 1000:.0f} kB",
        ]
        if not self.quiet:
            busy = f"{self.others_cpu / self.seconds:.0%} of a core"
            lines.append(f"  NOT A QUIET MACHINE: other programs had {busy} meanwhile, so these figures are too bad.")
        return "\n".join(lines)


# ── The server ───────────────────────────────────────────────


def serve(game: str, database: str, port: int, core: int) -> None:
    """The server to be measured, of one game; compiled from the start."""
    raise_limit()
    pin(core)
    settings = Settings(games=game, database=database, port=port, warmup=False, idle=IDLE, workers=1)
    app = create_app(settings)
    config = configured(app, settings)

    async def main() -> None:
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        await app.engines.load(catalogue.game(game).key)
        be_quick()
        print("ready", flush=True)
        await serving

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:  # the loop it has in real life
        runner.run(main())


class Server:
    """That server, from outside."""

    def __init__(self, game: Game, database: pathlib.Path, core: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "ludoteca.lab.load", game.place, "--serve"]
        command += [str(database), str(self.port), str(core)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == "ready", "the server did not start"

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes of memory in use."""
        for line in pathlib.Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")

    def stop(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def raise_limit() -> None:
    """As many open files as allowed: every socket is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def own_cores() -> tuple[int, int]:
    """A core for the server and one for the players: another one, if there is another."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    return cores[0], cores[-1]


def pin(core: int) -> None:
    """Stay on this core, where the system has such a thing. (Whoever it starts inherits that, and moves to its own.)"""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


# ── The tables: written into the store before the server starts ──


async def lay(kept: Store, game: Game, count: int) -> list[tuple[str, list[str]]]:
    """So many running games of four people: the table's id and everybody's secret."""
    laid = []
    writes = []
    for _ in range(count):
        people = [(secrets.token_hex(8), secrets.token_urlsafe(16)) for _ in range(SEATS)]
        writes += [kept.write(queries.add_guest, id, guests.hashed(secret), "Guest", 0.0) for id, secret in people]
        server_seed, now = fair.new_seed(), time.time()
        row = queries.TableRow(
            id=secrets.token_urlsafe(8), game=game.key, version=game.version, options=game.full_options({}), public=False,
            name="", host=people[0][0], phase="open", invite=secrets.token_urlsafe(16),
            commitment=fair.commit(server_seed), created=now, moved=now,
            chairs=[queries.ChairRow(id, "Guest") for id, _ in people],
        )  # fmt: skip
        writes.append(kept.write(queries.add_table, row, server_seed))
        writes.append(kept.write(queries.start_table, row, None, 1, now))
        laid.append((row.id, [secret for _, secret in people]))
    await asyncio.gather(*writes)
    return laid


# ── The players ──────────────────────────────────────────────


class Choice(msgspec.Struct):
    """As much of a choice as a player needs who takes any."""

    action: int


class Seen(msgspec.Struct):
    """As much of a message."""

    type: str
    seq: int = -1
    waiting: list[int] = []
    choices: list[Choice] = []
    key: str = ""


understand = msgspec.json.Decoder(Seen).decode


class Line(asyncio.Protocol):
    """A websocket with next to nothing in it, so that the players need less of the machine than the server."""

    def __init__(self, desk: Desk, seat: int, secret: str, port: int) -> None:
        self.desk = desk
        self.seat = seat
        self.choices: list[Choice] = []
        self.open = False
        self._buffer = b""
        self._request = (
            f"GET /api/tables/{desk.table}/socket?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {secret}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request.encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.desk.closing:
            self.desk.measured.dropped += 1

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data
        if not self.open:
            head, gap, buffer = buffer.partition(b"\r\n\r\n")
            if not gap:
                self._buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.open = True
        at = 0
        while len(buffer) - at >= 2:
            opcode, size, start = buffer[at] & 15, buffer[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if start > len(buffer) or start + size > len(buffer):
                break
            at = start + size
            if opcode == 1:
                self.desk.heard(self, understand(buffer[start:at]))
            elif opcode == 9:
                self._frame(10, buffer[start:at])
        self._buffer = buffer[at:]

    def send(self, message: str) -> None:
        """One message; masked with zeros, which is allowed and costs nothing."""
        self._frame(1, message.encode())

    def _frame(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes([128 | opcode, 128 | size]) if size < 126 else bytes([128 | opcode, 254]) + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + payload)


def _given(line: Line) -> Line:
    return line


class Desk:
    """One table, seen from the players' side: makes a move whenever one is due."""

    def __init__(self, table: str, measured: Measured, dice: random.Random) -> None:
        self.table = table
        self.measured = measured
        self.dice = dice
        self.lines: list[Line] = []
        self.closing = False
        self.clock = asyncio.get_running_loop().time
        self.seq = -1
        self.arrived = 0  # players who have seen this position
        self.waiting: list[int] = []
        self.due = 0.0  # when the move in the air was due
        self.on_its_way = False
        self.finished = False

    async def sit(self, secrets: list[str], port: int) -> None:
        """Four players connect."""
        loop = asyncio.get_running_loop()
        for seat, secret in enumerate(secrets):
            line = Line(self, seat, secret, port)
            self.lines.append(line)
            await loop.create_connection(functools.partial(_given, line), "127.0.0.1", port)

    async def play(self, start: float, end: float, every: float) -> None:
        """A move every so many seconds; what is late is done at once, but counted from when it was due."""
        loop = asyncio.get_running_loop()
        due = start + self.dice.random() * every
        ping = start + self.dice.random() * PING_EVERY
        while due < end and not self.finished:
            await asyncio.sleep(max(0.0, due - loop.time()))
            while self.on_its_way or self.arrived < len(self.lines):
                await asyncio.sleep(0.002)
                if loop.time() > end + 2:
                    return
            if loop.time() > ping:
                ping += PING_EVERY
                for line in self.lines:
                    line.send(f'{{"type":"ping","at":{self.seq}}}')
            self._decide(due)
            due += every

    def _decide(self, due: float) -> None:
        if self.finished or not self.waiting:
            self.finished = True
            return
        line = self.lines[self.waiting[0]]
        action = self.dice.choice(line.choices).action
        self.due, self.on_its_way = due, True
        line.send(f'{{"type":"do","id":"{self.dice.getrandbits(64):x}","action":{action},"at":{self.seq}}}')

    def heard(self, line: Line, message: Seen) -> None:
        """A player hears something."""
        if message.type == "update":
            if message.seq > self.seq:
                self.seq, self.arrived, self.waiting = message.seq, 0, message.waiting
            line.choices = message.choices
            self.arrived += 1
            if self.arrived == len(self.lines) and self.on_its_way:
                self.on_its_way = False
                self.measured.moves += 1
                self.measured.seen.append(self.clock() - self.due)
                self.finished = not self.waiting
        elif message.type == "done":
            self.measured.stored.append(self.clock() - self.due)
        elif message.type == "refused":
            self.measured.refused += 1
            self.on_its_way = False

    def leave(self) -> None:
        """Everybody goes."""
        self.closing = True
        for line in self.lines:
            line.transport.abort()


# ── Measuring ────────────────────────────────────────────────


def busy() -> float:
    """Seconds that the whole machine has worked so far, all cores and programs together."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    idle = int(fields[3]) + int(fields[4])
    return (sum(map(int, fields[:8])) - idle) / os.sysconf("SC_CLK_TCK")


async def measure(plan: Plan, server: Server, laid: list[tuple[str, list[str]]]) -> Measured:
    """Everybody sits down and plays."""
    measured = Measured(plan)
    empty, dice = server.memory(), random.Random(1)
    desks = [Desk(table, measured, dice) for table, _ in laid]
    for at in range(0, len(desks), 50):
        some = desks[at : at + 50]
        await asyncio.gather(*(desk.sit(people, server.port) for desk, (_, people) in zip(some, laid[at : at + 50])))
        while any(desk.arrived < SEATS for desk in some):
            await asyncio.sleep(0.01)
    await asyncio.sleep(1.0)
    loop = asyncio.get_running_loop()
    start, all_before, before, ours = loop.time() + 0.1, busy(), server.cpu(), time.process_time()
    every = len(desks) / plan.rate
    await asyncio.gather(*(desk.play(start, start + plan.seconds, every) for desk in desks))
    measured.seconds = max(plan.seconds, loop.time() - start)
    measured.cpu, measured.players_cpu = server.cpu() - before, time.process_time() - ours
    measured.others_cpu = max(0.0, busy() - all_before - measured.cpu - measured.players_cpu)
    measured.live = (server.memory() - empty) / len(desks)
    for desk in desks:
        desk.leave()
    return measured


async def idle_table(plan: Plan, server: Server, rounds: list[list[tuple[str, list[str]]]]) -> float:
    """Bytes that stay behind for each table that was played at and is forgotten: others come and go, twice."""
    left = []
    for laid in rounds:
        await measure(Plan("", plan.tables, plan.tables / 4, 4), server, laid)
        await asyncio.sleep(IDLE + 7)
        left.append(server.memory())
    return (left[-1] - left[0]) / plan.tables


async def run(which: catalogue.Which, plans: tuple[Plan, ...], folder: pathlib.Path, core: int) -> list[Measured]:
    """All plans, each with a server of its own on that core; prints as it goes."""
    game = catalogue.game(which)
    print(disk(folder), flush=True)
    results = []
    for number, plan in enumerate(plans):
        database = folder / f"load-{number}.db"
        kept = Store(database)
        rounds = [await lay(kept, game, plan.tables) for _ in range(1 if plan.most_idle is None else 3)]
        kept.close()
        server = Server(game, database, core)
        try:
            measured = await measure(plan, server, rounds[0])
            if plan.most_idle is not None:
                measured.idle = await idle_table(plan, server, rounds[1:])
        finally:
            server.stop()
        print(f"\n{measured.report()}", flush=True)
        results.append(measured)
    return results


def disk(folder: pathlib.Path) -> str:
    """How long this disk takes to keep a promise: every move waits for that."""
    times = []
    with (folder / "probe").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - started)
    times.sort()
    return f"The disk: a sync takes {times[100] * 1000:.1f} ms, one in a hundred {times[198] * 1000:.1f} ms."


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME", help=catalogue.HELP)
    parser.add_argument("--quick", action="store_true", help="only see that it works")
    parser.add_argument("--only", type=int, help="the number of one plan, from 1")
    parser.add_argument(
        "--strict", action="store_true", help="end with an error if a quiet machine is far from a target"
    )
    parser.add_argument("--folder", help="where the database is put (a temporary folder unless told)")
    parser.add_argument("--serve", nargs=3, metavar=("DATABASE", "PORT", "CORE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        serve(chosen.game, chosen.serve[0], int(chosen.serve[1]), int(chosen.serve[2]))
        return
    raise_limit()
    game = catalogue.typed(chosen.game)
    compiled(game)  # so that no compiling is measured
    server_core, players_core = own_cores()
    pin(players_core)
    plans = QUICK if chosen.quick else PLANS if chosen.only is None else (PLANS[chosen.only - 1],)
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        loop = uvicorn.Config("").get_loop_factory()  # the players have the same event loop as the server
        with asyncio.Runner(loop_factory=loop) as runner:
            results = runner.run(run(game, plans, pathlib.Path(folder), server_core))
    if chosen.strict and any(measured.missed_by_far for measured in results):
        raise SystemExit("Not as fast as promised.")


if __name__ == "__main__":
    main()
