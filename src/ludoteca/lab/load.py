"""How much a server can carry: `python -m ludoteca.lab.load GAME` (or `make load GAME=…`).

A real server, in a process of its own on a core of its own, with the real rules and the real store; and a crowd of players
on another core, all on this machine. A move counts from the moment it was due until the last of the four players sees it;
so if the server falls behind, the time somebody had to wait is counted as well. The plans:

    sqlite, postgres, two, apart    look for the most moves a second that one process carries on SQLite and on Postgres,
                                    two processes of one house with the tables divided between them, and two with the
                                    players of every table divided
    tables                          a thousand tables with four thousand sockets, and what an idle table costs
    crowd                           one table and a thousand spectators
    lists                           the lists of tables with a hundred thousand tables stored, on both

The report has the targets beside the figures, and how much of the machine other programs had meanwhile: figures of a busy
machine say little, but for the processor time a move takes. With `--strict` it ends with an error if the machine was quiet
and a target was missed by far. Postgres is started from the machine's packages; where there is none, its plans are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import pathlib
import random
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field

import uvicorn

from ludoteca import catalogue
from ludoteca.core.engine import compiled
from ludoteca.core.game import Game
from ludoteca.server import fair, guests, queries
from ludoteca.server.app import be_quick, configured, create_app
from ludoteca.server.database import Connection
from ludoteca.server.settings import Settings
from ludoteca.server.store import Store

from . import postgres
from .machine import CORES, OF_PLAYERS, OF_POSTGRES, OF_SERVERS, busy, disk, ms, pin, processor_time
from .players import SEATS, Desk, Told

A_GAME = 35  # moves at a table that no game for four ends before: one of King of Con has 39 at least
ROUNDS = 20  # of games that a search has: it makes no more steps than that
TRIES = 2  # at a rate before it counts as too much: a moment in which the machine did something else must not decide
IDLE = 2.0  # seconds after which the measured server forgets a table
FORGOTTEN = IDLE + 5  # until it has forgotten all that everybody has left
LIMITS = {  # of one address: all players come from ours
    "connections": 100_000,
    "connections_an_address": 100_000,
    "requests_a_minute": 10_000_000,
    "requests_a_minute_an_address": 10_000_000,
    "sockets_an_address": 100_000,
    "sockets_an_address_in_all": 100_000,
    "sockets_a_guest": 100_000,
    "spectators_a_table": 100_000,
    "spectators_a_table_an_address": 100_000,
}

BY_FAR = 1.25  # a target missed by more than this factor is missed by far
QUIET = 0.2  # of a core: with more than that for other programs, the machine was not quiet
SATURATED = 0.9  # of their core: then the players, and not the server, may have been the limit


# ── Figures ──────────────────────────────────────────────────


@dataclass(frozen=True)
class Target:
    """A figure and what it should be."""

    name: str
    figure: str
    target: str
    missed: float  # by which factor; up to 1: it is not

    def __str__(self) -> str:
        return f"  {self.name:40}{self.figure:>10}   target {self.target:>8}   {'ok' if self.missed <= 1 else 'MISSED'}"


def at_most(name: str, figure: float, most: float, unit: str = "", digits: int = 0) -> Target:
    """A figure that should be small."""
    missed = figure / most if most else 1.0 + figure
    return Target(name, f"{figure:,.{digits}f}{unit}", f"{most:,.{digits}f}{unit}", missed)


def at_least(name: str, figure: float, least: float, digits: int = 0) -> Target:
    """A figure that should be large."""
    missed = least / figure if figure else float("inf")
    return Target(name, f"{figure:,.{digits}f}", f"{least:,.{digits}f}", missed)


@dataclass
class Measured:
    """What came out of playing at some rate for some time."""

    rate: float  # moves a second that were due
    told: Told = field(default_factory=Told)
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of the servers' cores
    players_cpu: float = 0.0  # of the players' core
    store_cpu: float = 0.0  # of Postgres
    others_cpu: float = 0.0  # of other programs

    @property
    def moves(self) -> float:
        """Moves a second that were made."""
        return self.told.moves / self.seconds if self.seconds else 0.0

    @property
    def quiet(self) -> bool:
        """Whether the machine had nothing else to do."""
        return self.others_cpu <= QUIET * self.seconds

    @property
    def saturated(self) -> bool:
        """Whether the players had no time left."""
        return self.players_cpu > SATURATED * self.seconds

    @property
    def lost(self) -> int:
        """Sockets lost and moves refused."""
        return self.told.dropped + self.told.refused

    def holds(self, most_ms: float) -> bool:
        """Whether the server kept up, and 99 of 100 moves were seen by all within that time."""
        return self.moves >= 0.97 * self.rate and not self.lost and ms(self.told.seen) <= most_ms

    def a_move(self, seconds: float) -> str:
        """A share of processor time for each move."""
        return f"{seconds / max(1, self.told.moves) * 1e6:.0f} µs"

    def notes(self) -> list[str]:
        """What has to be known beside the figures."""
        found = []
        if not self.quiet:
            busy = f"{self.others_cpu / self.seconds:.0%} of a core"
            found.append(f"  NOT A QUIET MACHINE: other programs had {busy} meanwhile, so these figures are too bad.")
        if self.saturated:
            found.append(f"  THE PLAYERS WERE AT THEIR LIMIT: {self.players_cpu / self.seconds:.0%} of their core.")
        return found

    def line(self) -> str:
        """All of it in a line."""
        seen = self.told.seen
        return (
            f"  {self.rate:>6,.0f} due: {self.moves:>6,.0f} moves/s, half within {ms(seen, 0.5):6.1f} ms, "
            f"99 of 100 within {ms(seen):7.1f} ms; {self.a_move(self.cpu)} of the server a move"
            + (f", {self.a_move(self.store_cpu)} of Postgres" if self.store_cpu else "")
            + f"; players {self.players_cpu / max(self.seconds, 0.001):.0%}"
        )


@dataclass
class Report:
    """What one plan has found."""

    title: str
    targets: list[Target]
    quiet: bool
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([self.title, *self.lines, *map(str, self.targets)])

    @property
    def missed_by_far(self) -> bool:
        """Whether a quiet machine was far from a target."""
        return self.quiet and any(target.missed > BY_FAR for target in self.targets)


# ── The machine ──────────────────────────────────────────────


def raise_limit() -> None:
    """As many open files as allowed: every socket is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# ── The server ───────────────────────────────────────────────


def serve(game: str, database: str, port: int, core: int) -> None:
    """The server to be measured, of one game; compiled from the start."""
    raise_limit()
    pin(core)
    settings = Settings(games=game, database=database, port=port, warmup=False, idle=IDLE, workers=1, **LIMITS)  # type: ignore[arg-type]
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

    def __init__(self, game: Game, database: str, core: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "ludoteca.lab.load", game.place, "--serve", database]
        self._process = subprocess.Popen([*command, str(self.port), str(core)], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == "ready", "the server did not start"

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        return processor_time(self._process.pid)

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


@dataclass
class Laid:
    """A running game of four people."""

    table: str
    invite: str
    secrets: list[str]  # everybody's


async def lay(kept: Store, game: Game, count: int) -> list[Laid]:
    """So many running games, written into the store before the server starts."""
    laid, writes = [], []
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
        laid.append(Laid(row.id, row.invite, [secret for _, secret in people]))
    await asyncio.gather(*writes)
    return laid


# ── A house: a store, its servers and its players ────────────


class House:
    """One store with one server or two, and the desks where somebody sits."""

    def __init__(self, game: Game, database: str, servers: int, running: postgres.Running | None) -> None:
        self.servers = [Server(game, database, core) for core in OF_SERVERS[:servers]]
        self.desks: list[Desk] = []
        self.moves = 0  # since they sat down
        self._running = running
        self._dice = random.Random(1)

    async def seat(self, laid: Sequence[Laid], apart: bool = False) -> None:
        """Everybody sits down: table by table with one server after the other, or (apart) player by player."""
        for first in range(0, len(laid), 50):
            some = []
            for number, one in enumerate(laid[first : first + 50], first):
                desk = Desk(one.table, self._dice)
                some.append(desk.sit(one.secrets, self._ports(number, apart)))
                self.desks.append(desk)
            await asyncio.gather(*some)
            while any(desk.arrived < SEATS for desk in self.desks[first:]):
                await asyncio.sleep(0.01)
        await asyncio.sleep(1.0)

    def _ports(self, number: int, apart: bool) -> Callable[[int], int]:
        ports = [server.port for server in self.servers]
        return lambda seat: ports[(number + seat if apart else number) % len(ports)]

    async def play(self, rate: float, seconds: float) -> Measured:
        """All desks play on, at so many moves a second together."""
        found, loop = Measured(rate), asyncio.get_running_loop()
        desks = [desk for desk in self.desks if not desk.finished]
        while not all(desk.settled for desk in desks):  # what was too much before is over
            await asyncio.sleep(0.05)
        before = self._spent()
        start = loop.time() + 0.05
        every = len(desks) / rate
        await asyncio.gather(*(desk.play(found.told, start, start + seconds, every) for desk in desks))
        found.seconds = max(seconds, loop.time() - start)
        self.moves += found.told.moves
        spent = [after - since for after, since in zip(self._spent(), before, strict=True)]
        found.cpu, found.players_cpu, found.store_cpu = spent[:3]
        found.others_cpu = max(0.0, spent[3] - sum(spent[:3]))
        return found

    def _spent(self) -> list[float]:
        """Processor time so far: of the servers, of the players, of Postgres, of the whole machine."""
        store = self._running.cpu() if self._running is not None else 0.0
        return [sum(server.cpu() for server in self.servers), time.process_time(), store, busy()]

    def memory(self) -> int:
        """Bytes that the servers have."""
        return sum(server.memory() for server in self.servers)

    def leave(self) -> None:
        """Everybody goes; the servers stay."""
        for desk in self.desks:
            desk.leave()
        self.desks.clear()
        self.moves = 0

    def close(self) -> None:
        """The end."""
        self.leave()
        for server in self.servers:
            server.stop()


# ── Plans ────────────────────────────────────────────────────


@dataclass
class Around:
    """What plans have in common: the game, where files can be put, and what was found before."""

    game: Game
    folder: pathlib.Path
    running: postgres.Running | None = None
    best: dict[str, float] = field(default_factory=dict)  # moves a second, by plan
    databases: int = 0

    @contextlib.asynccontextmanager
    async def house(self, servers: int, on_postgres: bool, tables: int) -> AsyncIterator[tuple[House, list[Laid]]]:
        """A new house with so many games."""
        database, running = self.database(on_postgres)
        kept = Store(database)
        laid = await lay(kept, self.game, tables)
        kept.close()
        house = House(self.game, database, servers, running)
        try:
            yield house, laid
        finally:
            house.close()

    def database(self, on_postgres: bool) -> tuple[str, postgres.Running | None]:
        """Where an empty database is, and the Postgres that has it."""
        self.databases += 1
        if not on_postgres:
            return str(self.folder / f"load-{self.databases}.db"), None
        assert self.running is not None
        return self.running.new(), self.running


@dataclass(frozen=True)
class Search:
    """Looks for the most moves a second: doubles the rate until it is too much, then halves the distance."""

    name: str
    title: str
    postgres: bool = False
    servers: int = 1
    apart: bool = False  # the players of a table are with different servers
    than: str = ""  # the plan whose figure this one's is compared with ...
    least: float | None = 3000.0  # ... and what the quotient should be; without it, moves a second; or there is none
    tables: int = 800
    first: float = 250.0
    seconds: float = 5.0
    halvings: int = 3
    limits: tuple[float, ...] = (50.0, 100.0)  # milliseconds for 99 of 100 moves; the first is the target's

    async def run(self, around: Around) -> Report:
        """All steps of the search, with one house."""
        async with around.house(self.servers, self.postgres, ROUNDS * self.tables) as (house, laid):
            fresh = iter([laid[first : first + self.tables] for first in range(0, len(laid), self.tables)])
            await self._sit_down(house, next(fresh))
            steps: list[Measured] = []
            for limit in self.limits:
                await self._look(house, fresh, steps, limit)
        return self._report(around, steps)

    async def _step(self, house: House, fresh: Iterator[list[Laid]], rate: float) -> Measured:
        """One step; others have sat down to new games before it where those in play might end meanwhile."""
        if house.moves + rate * self.seconds > A_GAME * self.tables:
            house.leave()
            await asyncio.sleep(FORGOTTEN)
            await self._sit_down(house, next(fresh))
        return await house.play(rate, self.seconds)

    async def _sit_down(self, house: House, laid: Sequence[Laid]) -> None:
        """Everybody sits down and warms up; that does not count as played."""
        await house.seat(laid, self.apart)
        await house.play(self.first / 2, 2.0)

    async def _look(self, house: House, fresh: Iterator[list[Laid]], steps: list[Measured], limit: float) -> None:
        """Adds the steps that it takes to know the most that holds this limit."""

        async def holds(rate: float) -> bool:
            for _ in range(TRIES):
                steps.append(await self._step(house, fresh, rate))
                print(steps[-1].line(), flush=True)
                if steps[-1].holds(limit):
                    return True
            return False

        low = max((step.rate for step in steps if step.holds(limit)), default=0.0)
        high = min((step.rate for step in steps if step.rate > low and not step.holds(limit)), default=0.0)
        while not high:
            rate = 2 * low or self.first
            if await holds(rate):
                low = rate
            else:
                high = rate
        for _ in range(self.halvings if low else 0):
            rate = (low + high) / 2
            if await holds(rate):
                low = rate
            else:
                high = rate

    def _report(self, around: Around, steps: list[Measured]) -> Report:
        lines = list[str]()
        for limit in self.limits:
            held = max((step for step in steps if step.holds(limit)), key=lambda step: step.moves, default=None)
            found = f"{held.moves:,.0f} moves a second" if held else "nothing"
            lines.append(f"  99 of 100 within {limit:.0f} ms: {found}")
        best = max(steps, key=lambda step: (step.holds(self.limits[0]), step.moves))
        lines += ["  at the most:", best.line(), *best.notes()]
        around.best[self.name] = best.moves if best.holds(self.limits[0]) else 0.0
        if self.servers > 1 and len(CORES) < 4:
            lines.append(f"  TOO FEW CORES ({len(CORES)}) for two servers, Postgres and players: this says little.")
        return Report(self.title, list(self._targets(around.best)), all(step.quiet for step in steps), lines)

    def _targets(self, best: dict[str, float]) -> Iterator[Target]:
        if self.least is None:
            return
        if not self.than:
            yield at_least(f"moves a second within {self.limits[0]:.0f} ms", best[self.name], self.least)
        elif best.get(self.than):
            yield at_least(f"of what «{self.than}» carries", best[self.name] / best[self.than], self.least, 2)


@dataclass(frozen=True)
class Tables:
    """Many tables at an easy pace, and what is left of a table when everybody has gone."""

    name: str = "tables"
    title: str = "1,000 tables and 4,000 sockets, a move each 2 s"
    postgres: bool = False
    tables: int = 1000
    rate: float = 500.0
    seconds: float = 20.0
    most_ms: float = 100.0
    most_idle: float | None = 1000.0  # bytes that a table nobody looks at may take; measuring that takes half a minute

    async def run(self, around: Around) -> Report:
        """One round that is measured, and two after which nobody is left."""
        rounds = 1 if self.most_idle is None else 3
        async with around.house(1, self.postgres, rounds * self.tables) as (house, laid):
            empty = house.memory()
            await house.seat(laid[: self.tables])
            found = await house.play(self.rate, self.seconds)
            live, left = (house.memory() - empty) / self.tables, list[int]()
            house.leave()
            for again in range(1, rounds):
                await house.seat(laid[again * self.tables : (again + 1) * self.tables])
                await house.play(self.tables / 4, 4.0)
                house.leave()
                await asyncio.sleep(FORGOTTEN)
                left.append(house.memory())
        targets = [
            at_least("moves a second", found.moves, 0.97 * self.rate),
            at_most("seen by all, 99 of 100 within", ms(found.told.seen), self.most_ms, " ms"),
            at_most("sockets lost, moves refused", found.lost, 0),
        ]
        if self.most_idle is not None:
            targets.append(at_most("an idle table", max(0.0, left[-1] - left[0]) / self.tables, self.most_idle, " B"))
        lines = [found.line(), f"  a table in play: {live / 1000:.0f} kB", *found.notes()]
        return Report(self.title, targets, found.quiet, lines)


@dataclass(frozen=True)
class Crowd:
    """One table that everybody watches: spectators get one encoding, and after those who play."""

    name: str = "crowd"
    title: str = "one table, 1,000 spectators"
    postgres: bool = False
    spectators: int = 1000
    rate: float = 4.0
    seconds: float = 30.0  # so many moves that one of them is not yet one in a hundred
    most_ms: float = 250.0
    most_delay: float = 20.0  # milliseconds that the crowd may cost the players

    async def run(self, around: Around) -> Report:
        """First among themselves, then before the crowd."""
        async with around.house(1, self.postgres, 1) as (house, [laid]):
            await house.seat([laid])
            alone = await house.play(self.rate, self.seconds)
            await house.desks[0].watch(self.spectators, laid.invite, house.servers[0].port)
            while any(line.seq < house.desks[0].seq for line in house.desks[0].spectators):
                await asyncio.sleep(0.05)
            await asyncio.sleep(4.0)  # everybody has heard of everybody
            found = await house.play(self.rate, self.seconds)
            await asyncio.sleep(1.0)
        watched, told = found.told.watched, found.told
        targets = [
            at_most("seen by spectators, 99 of 100 within", ms(watched), self.most_ms, " ms"),
            at_most("players wait longer by", max(0.0, ms(told.seen) - ms(alone.told.seen)), self.most_delay, " ms"),
            at_most("spectators who missed a move", told.moves * self.spectators - len(watched), 0),
            at_most("sockets lost, moves refused", found.lost, 0),
        ]
        lines = ["  alone:", alone.line(), "  with the crowd:", found.line(), *found.notes()]
        return Report(self.title, targets, alone.quiet and found.quiet, lines)


@dataclass(frozen=True)
class Lists:
    """The lists of a house with many stored tables."""

    name: str = "lists"
    title: str = "100,000 stored tables"
    postgres: bool = False
    tables: int = 100_000
    times: int = 100
    most_ms: float = 20.0

    async def run(self, around: Around) -> Report:
        """The tables of everybody, what goes on in the house, the tables of a guest, and of the guest with the most."""
        targets, (database, running) = [], around.database(self.postgres)
        kept = Store(database)
        await kept.write(fill, around.game.key, around.game.version, self.tables)
        kept.close()
        house = House(around.game, database, 1, running)
        try:
            worked, began = busy(), time.perf_counter()
            for address, secret in LISTS:
                name = f"/api/{address} of {secret}"
                times = await asked(house.servers[0].port, f"/api/{address}", secret, self.times)
                targets.append(at_most(f"{name}: half within", ms(times, 0.5), self.most_ms, " ms", 1))
            quiet = busy() - worked < (1 + QUIET) * (time.perf_counter() - began)
        finally:
            house.close()
        return Report(self.title, targets, quiet)


GUESTS = 20_000
A_CONNECTION = 25  # questions, one at once after the other, of which the door holds none back
LISTS = ("tables", "guest 7"), ("around", "guest 7"), ("my/tables", "guest 7"), ("my/tables", "guest 0")


def fill(db: Connection, game: str, version: str, tables: int) -> None:
    """Many tables, of which one in a hundred is open and nine are played; the first guest sits at 1,000 more of them."""
    numbers = "WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < ? - 1)"
    phase = "CASE WHEN i % 100 = 0 THEN 'open' WHEN i % 100 < 10 THEN 'playing' ELSE 'over' END"
    db.execute(
        f"""INSERT INTO tables (id, game, version, options, public, name, host, phase, invite, commitment, created, moved,
                seq, waiting, listed)
            {numbers} SELECT 'table ' || i, ?, ?, '{{}}', 1, '', 'guest ' || (i % {GUESTS}), {phase}, 'i', 'c', i, i, 0,
                CASE WHEN i % 100 BETWEEN 1 AND 9 THEN 1 ELSE 0 END, CASE WHEN i % 100 = 0 THEN 1 ELSE 0 END
            FROM numbers""",
        (tables, game, version),
    )
    db.execute(
        f"""INSERT INTO chairs (table_id, seat, guest, bot, level, entropy, over)
            {numbers} SELECT 'table ' || (i / 4), i % 4, CASE WHEN i % 400 = 3 THEN NULL
                WHEN i % 400 = 101 THEN 'guest 0' ELSE 'guest ' || ((i / 4 + 7 * (i % 4)) % {GUESTS}) END,
                '', NULL, '', CASE WHEN (i / 4) % 100 < 10 THEN 0 ELSE 1 END
            FROM numbers""",
        (4 * tables,),
    )
    people = [(f"guest {n}", guests.hashed(f"guest {n}")) for n in range(GUESTS)]
    for id, secret in people:
        queries.add_guest(db, id, secret, "Guest", 0.0)
    db.execute("ANALYZE")  # Postgres does so by itself, after a while


async def asked(port: int, path: str, secret: str, times: int) -> list[float]:
    """Seconds that each of so many questions took, one after the other; a connection may ask only so many at once."""
    took: list[float] = []
    while len(took) < times:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(min(A_CONNECTION, times - len(took))):
            started = time.perf_counter()
            writer.write(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()
            )
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200"), head
            await reader.readexactly(int(head.partition(b"content-length:")[2].split(b"\r")[0]))
            took.append(time.perf_counter() - started)
        writer.close()
    return took


Plan = Search | Tables | Crowd | Lists

PLANS: tuple[Plan, ...] = (
    Search("sqlite", "one process, SQLite"),
    Search("postgres", "one process, Postgres", postgres=True, than="sqlite", least=0.6),
    Search("two", "two processes, Postgres, the tables divided", True, 2, than="postgres", least=1.7),
    Search("apart", "two processes, Postgres, the players of every table divided", True, 2, True, "postgres", None),
    Tables(),
    Crowd(),
    Lists(title="100,000 stored tables, SQLite"),
    Lists("lists", "100,000 stored tables, Postgres", True),
)
QUICK: tuple[Plan, ...] = (
    Tables("tables", "a short try", tables=40, rate=100, seconds=3, most_ms=1000, most_idle=None),
    Crowd("crowd", "a small crowd", spectators=20, seconds=2, most_ms=1000, most_delay=1000),
    Lists("lists", "a few stored tables", tables=2000, times=5, most_ms=1000),
)


async def run(game: Game, plans: Sequence[Plan], folder: pathlib.Path, address: str = "") -> list[Report]:
    """All plans, each with a house of its own; prints as it goes."""
    print(disk(folder), flush=True)
    reports = []
    with contextlib.ExitStack() as stack:
        around = Around(game, folder)
        for plan in plans:
            if plan.postgres and around.running is None:
                around.running = stack.enter_context(postgres.running(address, OF_POSTGRES))
            if plan.postgres and around.running is None:
                print(f"\n{plan.title}: LEFT OUT, there is no Postgres on this machine (apt-get install postgresql)")
                continue
            print(f"\n{plan.title} …", flush=True)
            reports.append(await plan.run(around))
            print(reports[-1], flush=True)
    return reports


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME", help=catalogue.HELP)
    parser.add_argument("--quick", action="store_true", help="only see that it works")
    parser.add_argument("--only", nargs="+", choices=sorted({plan.name for plan in PLANS}), help="only these plans")
    parser.add_argument(
        "--postgres", metavar="ADDRESS", default="", help="a Postgres that runs; databases are made in it"
    )
    parser.add_argument(
        "--strict", action="store_true", help="end with an error if a quiet machine is far from a target"
    )
    parser.add_argument("--folder", help="where the databases are put (a temporary folder unless told)")
    parser.add_argument("--serve", nargs=3, metavar=("DATABASE", "PORT", "CORE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        serve(chosen.game, chosen.serve[0], int(chosen.serve[1]), int(chosen.serve[2]))
        return
    raise_limit()
    game = catalogue.typed(chosen.game)
    compiled(game)  # so that no compiling is measured
    pin(OF_PLAYERS)
    plans = QUICK if chosen.quick else [plan for plan in PLANS if chosen.only is None or plan.name in chosen.only]
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        loop = uvicorn.Config("").get_loop_factory()  # the players have the same event loop as the server
        with asyncio.Runner(loop_factory=loop) as runner:
            reports = runner.run(run(game, plans, pathlib.Path(folder), chosen.postgres))
    if chosen.strict and any(report.missed_by_far for report in reports):
        raise SystemExit("Not as fast as promised.")


if __name__ == "__main__":
    main()
