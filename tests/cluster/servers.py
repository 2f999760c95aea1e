"""A house of several servers, from outside: Postgres, Redis, a balancer and any number of `ludoteca serve`, all on loopback.

Nobody but the balancer is spoken to by players. Each server has its own way to Redis (`bus.py`), which can be cut. Whatever
is started here ends with the harness, however that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import shutil
import signal
import sys
import time
from dataclasses import dataclass

from cluster.bus import Way
from ludoteca import catalogue
from ludoteca.bots.levels import is_ready
from services import Postgres, Redis, Service, bound_to_us, program

PATIENCE = 60.0  # seconds in which a server must come up, on a busy machine
CHECK_EVERY = 0.5  # seconds between two looks of the balancer at a server
LOOK_EVERY = 0.05  # seconds between our looks at the balancer
SOURCES = pathlib.Path(__file__).parents[2] / "src"


# ── Servers ──────────────────────────────────────────────────


class Server(Service):
    """One `ludoteca serve` of the house."""

    polite = signal.SIGTERM

    def __init__(self, name: str, **settings: object) -> None:
        self.name = name
        super().__init__(**{f"LUDOTECA_{key.upper()}": str(value) for key, value in settings.items()})
        self.environment["PYTHONPATH"] = str(SOURCES)
        # Machine code where it has been made (`make cluster` does): nobody here waits for a compiler.
        there = all(is_ready(game) for game in catalogue.games().values())
        self.environment["LUDOTECA_WARMUP"] = "yes" if there else "no"

    def command(self) -> list[str]:
        command = [sys.executable, "-m", "ludoteca", "serve", "--port", str(self.port)]
        return bound_to_us(command, signal.SIGKILL)

    @property
    def runs(self) -> bool:
        """Whether there is a process."""
        return self.process is not None and self.process.poll() is None

    async def ended(self, within: float) -> int | None:
        """Waits for its end; with which status, or None if it goes on."""
        end = time.monotonic() + within
        while self.runs and time.monotonic() < end:
            await asyncio.sleep(0.02)
        return None if self.process is None else self.process.poll()

    def said(self) -> str:
        """What it has written to its log, in all its lives."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""


async def request(port: int, path: str) -> int:
    """The status that somebody answers with; 0 if nobody does."""
    with contextlib.suppress(OSError, TimeoutError, ValueError, IndexError):
        async with asyncio.timeout(2.0):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
                writer.write(head.encode())
                return int((await reader.readline()).split()[1])
            finally:
                writer.transport.abort()
    return 0


# ── The balancer ─────────────────────────────────────────────

# Round robin, nobody is bound to a server; who cannot be reached is passed over at once. `X-Server` is for the harness.
HAPROXY = """
global
    maxconn 4000
    nbthread 1
    stats socket {control} mode 600 level admin
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    timeout check 2s
    retries 3
    option redispatch 1
    option forwardfor
frontend house
    bind 127.0.0.1:{port}
    default_backend servers
backend servers
    balance roundrobin
    {check}
    http-response set-header X-Server %s
    default-server check inter {every}ms fall 2 rise 1
{servers}
"""
READY = "option httpchk GET /readyz\n    http-check expect status 200"


@dataclass(frozen=True)
class Change:
    """The balancer has found out something about a server."""

    at: float
    server: str
    up: bool


class Balancer(Service):
    """haproxy, and what it has found out so far."""

    name = "haproxy"

    def __init__(self, servers: list[Server], readyz: bool) -> None:
        super().__init__()
        self.changes: list[Change] = []
        self._up: dict[str, bool] = {}
        lines = [f"    server {server.name} 127.0.0.1:{server.port}" for server in servers]
        text = HAPROXY.format(
            control=self.folder / "control",
            port=self.port,
            check=READY if readyz else "",
            every=int(CHECK_EVERY * 1000),
            servers="\n".join(lines),
        )
        (self.folder / "haproxy.cfg").write_text(text)

    def command(self) -> list[str]:
        found = program("haproxy")
        assert found is not None, "no haproxy on this machine"
        return bound_to_us([found, "-db", "-f", str(self.folder / "haproxy.cfg")], signal.SIGKILL)

    def up(self) -> list[str]:
        """The servers that it sends people to."""
        return [name for name, up in self._up.items() if up]

    async def look(self) -> None:
        """Asks it what it knows."""
        reader, writer = await asyncio.open_unix_connection(str(self.folder / "control"))
        try:
            writer.write(b"show stat\n")
            text = (await reader.read()).decode()
        finally:
            writer.close()
        now = time.monotonic()
        head, *rows = [line.split(",") for line in text.splitlines() if line]
        status = head.index("status")
        for row in rows:
            if row[0] == "servers" and row[1] != "BACKEND":
                up = row[status].startswith("UP")
                if self._up.get(row[1]) != up:
                    self._up[row[1]] = up
                    self.changes.append(Change(now, row[1], up))

    async def watch(self) -> None:
        """For ever: writes down when it finds out something."""
        while True:
            with contextlib.suppress(OSError, ValueError):
                await self.look()
            await asyncio.sleep(LOOK_EVERY)

    async def finds(self, server: str, up: bool, since: float, within: float) -> float | None:
        """Waits until it has found out that a server is up or down; when it did, or None."""
        end = time.monotonic() + within
        while True:
            for change in self.changes:
                if change.server == server and change.up == up and change.at >= since:
                    return change.at
            if time.monotonic() > end:
                return None
            await asyncio.sleep(LOOK_EVERY / 2)


# ── All together ─────────────────────────────────────────────


class House:
    """Everything that runs. On Postgres and Redis; with `file`, for trying the harness, one server on SQLite."""

    def __init__(self, servers: int, file: pathlib.Path | None = None, **settings: object) -> None:
        self.postgres = None if file else Postgres(durable=True)
        self.redis = None if file else Redis()
        self.ways: dict[str, Way] = {}
        self.servers: list[Server] = []
        self.database = str(file or "")
        self._count = servers
        self._settings: dict[str, object] = {"workers": 1, "bot_pause": 0.1, "proxies": "127.0.0.1"} | settings
        self.balancer: Balancer
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> House:
        """Starts it all, and waits until the balancer sends people to every server."""
        for service in (self.postgres, self.redis):
            if service is not None:
                service.start()
        if self.postgres is not None:
            self.database = self.postgres.create()
        for number in range(self._count):
            self.servers.append(await self._server(f"server-{number + 1}"))
        first, *others = self.servers
        first.launch()  # it makes the tables of the store
        await self.ready(first)
        for server in others:
            server.launch()
        for server in others:
            await self.ready(server)
        self.balancer = Balancer(self.servers, await request(first.port, "/readyz") == 200)
        self.balancer.launch()
        self._watching = asyncio.create_task(self.balancer.watch())
        for server in self.servers:
            if await self.balancer.finds(server.name, True, 0.0, PATIENCE) is None:
                raise RuntimeError(f"the balancer does not find {server.name}: {server.said()[-2000:]}")
        return self

    async def _server(self, name: str) -> Server:
        given = dict(self._settings, database=self.database)
        if self.redis is not None:
            self.ways[name] = way = Way(self.redis.port)
            await way.open()
            given["bus"] = f"redis://127.0.0.1:{way.port}/0"
        return Server(name, **given)

    async def ready(self, server: Server) -> None:
        """Waits until a server answers."""
        end = time.monotonic() + PATIENCE
        while await request(server.port, "/api/games") != 200:
            if not server.runs or time.monotonic() > end:
                raise RuntimeError(f"{server.name} did not start: {server.said()[-2000:]}")
            await asyncio.sleep(0.05)

    def named(self, name: str) -> Server:
        """A server by its name."""
        return next(server for server in self.servers if server.name == name)

    def said(self) -> str:
        """What all servers have written."""
        return "".join(f"── {server.name}\n{server.said()}" for server in self.servers)

    async def close(self, keep_logs: pathlib.Path | None = None) -> None:
        """Ends everything; the servers' logs can be kept."""
        if self._watching is not None:
            self._watching.cancel()
        for server in self.servers:
            if keep_logs is not None and server.log.exists():
                shutil.copy(server.log, keep_logs)
            server.stop(signal.SIGKILL)
            server.close()
        for way in self.ways.values():
            await way.close()
        for service in (getattr(self, "balancer", None), self.redis, self.postgres):
            if service is not None:
                service.close()
