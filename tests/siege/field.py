"""What attacks are written with: a real server in a process of its own, people, and a game whose moves are timed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import pathlib
import resource
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]
PATIENCE = 60.0  # seconds after which an attack is given up


# ── The server, from outside ─────────────────────────────────


class Server:
    """A real server: `ludoteca serve` with settings from the environment."""

    def __init__(self, database: pathlib.Path, most_bytes: int | None = None, **settings: object) -> None:
        self.database = database
        self.forgiving = False  # of a machine that is busy with something else
        self.log = database.with_suffix(f".{secrets.token_hex(4)}.log")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        given = {"warmup": "no", "workers": 1, "bot_pause": 0.1} | settings
        environment = os.environ | {f"LUDOTECA_{name.upper()}": str(value) for name, value in given.items()}
        command = [sys.executable, "-m", "ludoteca", "serve", "--port", str(self.port), "--database", str(database)]

        def limit() -> None:
            if most_bytes is not None:  # no file grows beyond that: the disk is full
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, preexec_fn=limit)

    async def ready(self) -> Server:
        """Waits until it answers."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if self.process.poll() is not None:
                    raise RuntimeError(f"the server ended: {self.said()}")
                with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                    if (await Person(self).ask("GET", "/api/games")).status == 200:
                        return self
                await asyncio.sleep(0.02)

    def said(self) -> str:
        """What it has written to its log."""
        return self.log.read_text(errors="replace")

    def cpu(self) -> float:
        """Seconds of processor time so far, without its workers."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def watch(self) -> Watch:
        """A stopwatch that runs from now on."""
        return Watch((self.process.pid, os.getpid()) if self.forgiving else ())

    def memory(self) -> int:
        """Bytes of memory in use."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))

    def workers(self) -> list[int]:
        """The processes that think for bots."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
                if int(parent) == self.process.pid and b"spawn_main" in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
        return found

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends it."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Watch:
    """A stopwatch that forgives what these processes had to wait for a processor while others had all of them.

    They may wait at the same time or in turn: the longer of these waits has certainly passed, and no more is taken off.
    """

    def __init__(self, processes: tuple[int, ...]) -> None:
        self._processes = processes
        self._start, self._denied = time.perf_counter(), self._denied_so_far()

    def _denied_so_far(self) -> list[float]:
        return [int(pathlib.Path(f"/proc/{one}/schedstat").read_text().split()[1]) / 1e9 for one in self._processes]

    def took(self) -> float:
        """Seconds since it was started."""
        waits = [now - before for now, before in zip(self._denied_so_far(), self._denied, strict=True)]
        return max(0.0, time.perf_counter() - self._start - max(waits, default=0.0))  # a wait counts when it ends


def alive(process: int) -> bool:
    """Whether a process is running."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


# ── People ───────────────────────────────────────────────────


@dataclass(frozen=True)
class Answer:
    """What a request was answered with."""

    status: int
    body: bytes
    cookies: str = ""

    def json(self) -> Any:
        """The body, read."""
        return msgspec.json.decode(self.body)


class Person:
    """Somebody who comes to the house, from an address of this machine."""

    def __init__(self, server: Server, address: str = "127.0.0.1", secret: str = "") -> None:
        self.server, self.address, self.secret = server, address, secret

    async def known(self, name: str = "") -> Person:
        """As a guest of the house."""
        answer = await self.ask("GET", "/api/me")
        self.secret = answer.cookies.partition("ludoteca=")[2].partition(";")[0]
        if name:
            await self.ask("POST", "/api/me", {"name": name})
        return self

    async def ask(self, method: str, path: str, body: Json | None = None, **headers: str) -> Answer:
        """One request, on a connection of its own."""
        async with asyncio.timeout(PATIENCE):
            reader, writer = await self.line()
            try:
                data = msgspec.json.encode(body) if body is not None else b""
                given = {"Host": f"127.0.0.1:{self.server.port}", "Content-Length": str(len(data))} | headers
                if self.secret:
                    given.setdefault("Authorization", f"Bearer {self.secret}")
                head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{key}: {given[key]}\r\n" for key in given)
                writer.write(f"{head}Connection: close\r\n\r\n".encode("latin-1") + data)
                found, _, rest = (await reader.read()).partition(b"\r\n\r\n")
            finally:
                writer.transport.abort()
        first, *lines = found.decode("latin-1").split("\r\n")
        if not first:
            raise ConnectionError("closed without an answer")
        cookies = "; ".join(line[12:] for line in lines if line.lower().startswith("set-cookie: "))
        return Answer(int(first.split()[1]), rest, cookies)

    async def get(self, path: str) -> Any:
        """Asks for something that is there."""
        return self._checked(await self.ask("GET", path), path)

    async def post(self, path: str, body: Json | None = None) -> Any:
        """Asks for something that is possible."""
        return self._checked(await self.ask("POST", path, body or {}), path)

    def _checked(self, answer: Answer, path: str) -> Any:
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {answer.body[:200]!r}")
        return answer.json()

    async def open(self, game: str = "splendor", seats: int = 2, **more: Any) -> str:
        """Opens a table; its id."""
        wish = {"game": game, "seats": seats, "options": {}, "public": True, "bots": []} | more
        return str((await self.post("/api/tables", wish))["id"])

    async def line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A bare connection."""
        return await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(self.address, 0))

    async def socket(self, table: str, since: int = 0) -> ClientConnection:
        """A socket at a table."""
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        origin = f"http://127.0.0.1:{self.server.port}"
        return await connect(
            f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/socket?since={since}",
            additional_headers=headers,
            origin=origin,  # type: ignore[arg-type]
            local_addr=(self.address, 0),
            max_size=None,
            ping_interval=None,
        )

    async def bare_socket(self, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A socket at a table, as bare bytes."""
        reader, writer = await self.line()
        head = f"GET /api/tables/{table}/socket?since=0 HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
        head += f"Origin: http://127.0.0.1:{self.server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        writer.write(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer:
            writer.transport.abort()
            raise ConnectionError(answer.decode("latin-1").split("\r\n")[0])
        return reader, writer


async def hear(line: ClientConnection, *kinds: str, where: Callable[[Json], bool] = lambda _: True) -> Json:
    """The next message of these kinds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message: Json = msgspec.json.decode(await line.recv())
            if message["type"] in kinds and where(message):
                return message


def from_on(seq: int) -> Callable[[Json], bool]:
    """Whether a message is of that step or a later one."""
    return lambda message: bool(message["seq"] >= seq)


async def say(line: ClientConnection, **message: Any) -> None:
    """Sends a message."""
    await line.send(msgspec.json.encode(message).decode())


async def command(line: ClientConnection, **message: Any) -> Json:
    """Sends a command; its answer."""
    message.setdefault("id", secrets.token_hex(8))
    await say(line, **message)
    return await hear(line, "done", "refused", where=lambda m: m["id"] == message["id"])


async def decide(server: Server, line: ClientConnection, update: Json) -> tuple[str, int, Watch]:
    """Any of the choices; its name, its number, a watch since it was sent. Who was too fast waits, as a browser would."""
    name, action = secrets.token_hex(8), secrets.choice(update["choices"])["action"]
    while True:
        sent = server.watch()
        answer = await command(line, type="do", id=name, action=action, at=update["seq"])
        if answer["type"] == "done":
            return name, answer["seq"], sent
        if answer["key"] != "too_fast":
            raise RuntimeError(f"refused: {answer['sentence']}")
        await asyncio.sleep(1.0)


# ── Those who only want to play ──────────────────────────────


@dataclass
class Felt:
    """How the house felt to those who were there, in seconds."""

    moves: list[float] = field(default_factory=list)  # from the decision until the other player sees it
    pages: list[float] = field(default_factory=list)

    @staticmethod
    def at(times: list[float], share: float) -> float:
        """The time within which this share was done."""
        return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("inf")

    def told(self) -> str:
        """In words."""
        move, page = self.at(self.moves, 0.99), self.at(self.pages, 1)
        return f"{len(self.moves)} moves, p99 {move * 1000:.0f} ms; slowest page {page * 1000:.0f} ms"

    def within(self, move: float, page: float) -> bool:
        """Whether it was good enough."""
        return self.at(self.moves, 0.99) <= move and self.at(self.pages, 1) <= page


class Game:
    """Anna and Bruno, who play while others attack; they keep to the limits of the house."""

    def __init__(self, people: list[Person], table: str, lines: list[ClientConnection], updates: list[Json]) -> None:
        self.people, self.table, self.lines, self.updates = people, table, lines, updates
        self.acknowledged: list[tuple[str, str, int]] = []  # table, command and number of each decision

    @classmethod
    async def begun(cls, server: Server) -> Game:
        """Two people at a table of Splendor, with the cards dealt."""
        people = [await Person(server).known(name) for name in ("Anna", "Bruno")]
        table = await people[0].open()
        await people[1].post(f"/api/tables/{table}/sit")
        lines = [await person.socket(table) for person in people]
        await people[0].post(f"/api/tables/{table}/start")
        return cls(people, table, lines, [await hear(line, "update") for line in lines])

    async def back(self, server: Server) -> Game:
        """The same people at the same table, when the server has come back."""
        people = [Person(server, secret=person.secret) for person in self.people]
        lines = [await person.socket(self.table) for person in people]
        return Game(people, self.table, lines, [await hear(line, "update") for line in lines])

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.updates[0]["result"] is not None

    async def move(self) -> float:
        """One decision; the time until the other player has seen it."""
        seat = self.updates[0]["waiting"][0]
        name, seq, sent = await decide(self.people[seat].server, self.lines[seat], self.updates[seat])
        self.acknowledged.append((self.table, name, seq))
        self.updates[1 - seat] = await hear(self.lines[1 - seat], "update", where=from_on(seq))
        took = sent.took()
        self.updates[seat] = await hear(self.lines[seat], "update", where=from_on(seq))
        return took

    def leave(self) -> None:
        """Both go, without another word."""
        for line in self.lines:
            line.transport.abort()


async def feel(server: Server, seconds: float, game: Game) -> Felt:
    """Plays and asks for pages for a while."""
    felt, end = Felt(), time.monotonic() + seconds

    async def ask() -> None:
        while time.monotonic() < end:
            watch = server.watch()
            await Person(server).ask("GET", "/api/games")
            felt.pages.append(watch.took())
            await asyncio.sleep(0.05)

    async def play() -> None:
        while time.monotonic() < end and not game.over:
            felt.moves.append(await game.move())
            await asyncio.sleep(0.16)

    try:
        async with asyncio.timeout(seconds + 30):
            await asyncio.gather(ask(), play())
    except (TimeoutError, OSError, WebSocketException):
        felt.moves.append(float("inf"))  # somebody was thrown out, or waited for ever
    return felt


# ── The field ────────────────────────────────────────────────


class Field:
    """Where attacks are made: a server of its own for each that wants one, one that the others share."""

    def __init__(self, folder: pathlib.Path, quick: bool) -> None:
        self.folder, self.quick = folder, quick
        # How much slower than promised is forgiven: other tests run beside the short form.
        self.slack = 4.0 if quick else 1.0
        self._shared: Server | None = None
        self._numbers = itertools.count()

    def of(self, full: int, quick: int) -> int:
        """A number for the long form and one for the short."""
        return quick if self.quick else full

    async def shared(self) -> Server:
        """The server that several attacks share, with the settings of every house."""
        if self._shared is None or self._shared.process.poll() is not None:
            self._shared = Server(self.folder / f"shared-{next(self._numbers)}.db")
            self._shared.forgiving = self.quick
            await self._shared.ready()
        return self._shared

    @contextlib.asynccontextmanager
    async def server(self, database: pathlib.Path | None = None, **settings: object) -> AsyncIterator[Server]:
        """A server for one attack."""
        file = database or self.folder / f"siege-{next(self._numbers)}.db"
        server = Server(file, **settings)  # type: ignore[arg-type]
        server.forgiving = self.quick
        try:
            yield await server.ready()
        finally:
            server.end()

    def close(self) -> None:
        """The siege is over."""
        if self._shared is not None:
            self._shared.end()
