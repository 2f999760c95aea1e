"""A real server on a free port, and people who play at it: what the tests of this folder are written with."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import os
import pathlib
import secrets
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

import httpx
import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ludoteca.server.app import App, configured, create_app
from ludoteca.server.settings import Settings
from ludoteca.server.table import Table

Json = dict[str, Any]
T = TypeVar("T")
PATIENCE = 60.0  # seconds after which a test stops waiting
NO_CERTIFICATES = ssl.create_default_context()  # made once: a client would read all certificates of the world each time


def first_legal(place: str, level: str, redacted: Any, seat: int, seed: int) -> int:
    """A bot for tests: takes some legal action, without compiling anything."""
    from ludoteca.catalogue import game
    from ludoteca.core.engine import interpreted

    legal = interpreted(game(place)).legal(redacted, 0, seat)
    return legal[seed % len(legal)]


def threads(count: int) -> Executor:
    """Workers for tests: threads start at once."""
    return ThreadPoolExecutor(count)


def database_in(folder: pathlib.Path) -> str:
    """A file of this folder; with LUDOTECA_TEST_POSTGRES, a Postgres server's address, a database for it there."""
    server = os.environ.get("LUDOTECA_TEST_POSTGRES")
    if server is None:
        return str(folder / "games.db")
    import psycopg

    name = f"test_{hashlib.blake2b(str(folder).encode(), digest_size=6).hexdigest()}"
    with psycopg.connect(server, autocommit=True) as db, contextlib.suppress(psycopg.errors.DuplicateDatabase):
        db.execute(f'CREATE DATABASE "{name}"')
    return server.rpartition("/")[0] + f"/{name}"


class House:
    """A running server."""

    def __init__(self, folder: pathlib.Path, make_executor: Callable[[int], Executor], **settings: Any) -> None:
        chosen: Json = {"database": database_in(folder), "bot_pause": 0.0, "warmup": False, "workers": 1, "port": 0}
        self.settings = Settings(**(chosen | settings))
        self.app: App = create_app(self.settings, make_executor)
        self._people: list[Person] = []

    async def start(self) -> House:
        self._server = uvicorn.Server(configured(self.app, self.settings))
        self._task = asyncio.create_task(self._server._serve())  # without its signal handlers
        while not self._server.started:
            if self._task.done():
                self._task.result()
            await asyncio.sleep(0.005)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        return self

    async def stop(self) -> None:
        for person in self._people:
            await person.close()
        self._server.should_exit = True
        await self._task

    async def person(self, name: str = "", secret: str | None = None) -> Person:
        """Somebody who comes in; with a secret, somebody who was here before."""
        person = Person(self, secret)
        self._people.append(person)
        if secret is None:
            await person.get("/api/me")
            person.secret = person.http.cookies["ludoteca"]
        if name:
            await person.post("/api/me", {"name": name})
        return person

    def anybody(self) -> Person:
        """Somebody whom the house does not know."""
        person = Person(self, None)
        self._people.append(person)
        return person

    async def table(self, id: str) -> Table:
        """The table in the server's memory."""
        return await self.app.lobby.table(id)


@contextlib.asynccontextmanager
async def house(folder: pathlib.Path, make_executor: Any = threads, **settings: Any) -> AsyncIterator[House]:
    """A server for one test."""
    running = await House(folder, make_executor, **settings).start()
    try:
        yield running
    finally:
        await running.stop()


def newer(seq: int) -> Callable[[Json], bool]:
    """Whether a message is about something after that."""
    return lambda message: bool(message["seq"] > seq)


def answers(command: str) -> Callable[[Json], bool]:
    """Whether a message answers this command."""
    return lambda message: bool(message["id"] == command)


class Person:
    """A browser: its cookie, its requests, its sockets."""

    def __init__(self, house: House, secret: str | None) -> None:
        self.house = house
        self.secret = secret
        cookies = {"ludoteca": secret} if secret else None
        self.http = httpx.AsyncClient(
            base_url=house.origin,
            headers={"Origin": house.origin},
            cookies=cookies,
            timeout=PATIENCE,
            verify=NO_CERTIFICATES,
        )  # fmt: skip
        self._lines: list[Line] = []

    async def get(self, path: str, status: int = 200) -> Any:
        return self._read(await self.http.get(path), status)

    async def post(self, path: str, body: Json | None = None, status: int = 200) -> Any:
        return self._read(
            await self.http.post(path, json=body) if body is not None else await self.http.post(path), status
        )

    def _read(self, response: httpx.Response, status: int) -> Any:
        assert response.status_code == status, f"{response.request.url.path}: {response.status_code} {response.text}"
        return response.json()

    async def open(
        self, seats: int = 2, public: bool = True, bots: list[str | None] | None = None, **more: Any
    ) -> Json:
        """Opens a table of Splendor."""
        wish = {"game": "splendor", "seats": seats, "options": {}, "public": public, "bots": bots or []}
        info: Json = await self.post("/api/tables", wish | more)
        return info

    async def line(self, table: str, since: int = 0, invite: str | None = None) -> Line:
        """A socket to a table."""
        query = f"since={since}" + (f"&invite={invite}" if invite else "")
        headers = {"Cookie": f"ludoteca={self.secret}"} if self.secret else {}
        address = f"ws://127.0.0.1:{self.house.port}/api/tables/{table}/socket?{query}"
        line = Line(await connect(address, origin=self.house.origin, additional_headers=headers, max_size=None))  # type: ignore[arg-type]
        self._lines.append(line)
        return line

    async def close(self) -> None:
        for line in self._lines:
            await line.close()
        await self.http.aclose()


class Line:
    """A socket that keeps everything it hears."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.raw: list[bytes] = []
        self.heard: list[Json] = []
        self._news = asyncio.Condition()
        self._at = 0  # what `next` has looked at
        self.code: int | None = None  # once it is closed
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        try:
            async for message in self.socket:
                self.raw.append(message if isinstance(message, bytes) else message.encode())
                self.heard.append(msgspec.json.decode(message))
                async with self._news:
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        self.code = self.socket.close_code
        async with self._news:
            self._news.notify_all()

    async def next(self, kind: str, where: Callable[[Json], bool] = lambda _: True) -> Json:
        """The next message of that kind, past those looked at before."""
        return await self.next_of((kind,), where)

    async def next_of(self, kinds: tuple[str, ...], where: Callable[[Json], bool] = lambda _: True) -> Json:
        """As `next`, of several kinds."""
        async with asyncio.timeout(PATIENCE), self._news:
            while True:
                for number in range(self._at, len(self.heard)):
                    if self.heard[number]["type"] in kinds and where(self.heard[number]):
                        self._at = number + 1
                        return self.heard[number]
                assert self.code is None, f"closed with {self.code}; heard {[m['type'] for m in self.heard]}"
                await self._news.wait()

    async def closed(self) -> int:
        """Waits for the end; why it ended."""
        async with asyncio.timeout(PATIENCE), self._news:
            while self.code is None:
                await self._news.wait()
        return self.code

    async def send(self, **message: Any) -> None:
        await self.socket.send(msgspec.json.encode(message).decode())

    async def do(self, action: int, at: int, id: str | None = None) -> str:
        """Sends a decision; its id."""
        id = id or secrets.token_hex(8)
        await self.send(type="do", id=id, action=action, at=at)
        return id

    def of(self, kind: str) -> list[Json]:
        """Everything of that kind heard so far."""
        return [m for m in self.heard if m["type"] == kind]

    async def close(self) -> None:
        await self.socket.close()
        await self._task


async def until(condition: Callable[[], Any]) -> None:
    """Waits for something to become true."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def two_at_a_table(h: House, **wish: Any) -> tuple[Person, Person, Json, Line, Line]:
    """Anna (host, chair 0) and Bruno (chair 1), sitting, connected, started."""
    anna, bruno = await h.person("Anna"), await h.person("Bruno")
    table = await anna.open(**wish)
    await bruno.post(f"/api/tables/{table['id']}/sit", {})
    lines = await anna.line(table["id"]), await bruno.line(table["id"])
    await anna.post(f"/api/tables/{table['id']}/start")
    for line in lines:
        await line.next("update")
    return anna, bruno, table, *lines


async def play(lines: dict[int, Line], decisions: int, choose: Callable[[Json], int] | None = None) -> int:
    """So many decisions by the people on these lines (seat → line); returns the last number."""
    seq, picks = 0, itertools.count()
    latest = {seat: line.of("update")[-1] for seat, line in lines.items()}
    for _ in range(decisions):
        position = next(iter(latest.values()))
        if position["result"]:
            break
        seat = position["waiting"][0]
        choices = latest[seat]["choices"]
        chosen = choose(latest[seat]) if choose else choices[(next(picks) * 7) % len(choices)]["action"]
        await lines[seat].do(chosen, latest[seat]["seq"])
        for each, line in lines.items():
            latest[each] = await line.next("update", newer(position["seq"]))
        seq = latest[seat]["seq"]
    return seq


def run(scene: Coroutine[Any, Any, T]) -> T:
    """Runs a scene."""
    return asyncio.run(scene)
