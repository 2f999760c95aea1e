"""`render_mode="human"`: the game of an environment on the page of the house, as a spectator sees it.

A server in a thread of this process, for this machine only, has one table. Each `render` brings the decisions made since
the last one to it, and the page shows them as it shows any game. Nobody can play there: the environment decides.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import tempfile
import threading
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import uvicorn

from ludoteca.core.engine import Engine, interpreted
from ludoteca.core.facts import Fact
from ludoteca.core.play import Play
from ludoteca.core.record import States
from ludoteca.server import app, queries, table
from ludoteca.server.guests import Guest
from ludoteca.server.house import House
from ludoteca.server.projections import promise_of
from ludoteca.server.refusals import NotAllowed
from ludoteca.server.settings import Settings
from ludoteca.server.wire import Fair, TableInfo

if TYPE_CHECKING:
    from .table import Table

NEVER = 1e12  # seconds until the table is forgotten
SECONDS = 30  # to start


class Shown(table.Table):
    """A table of the server that is told what happens, instead of deciding about it."""

    def __init__(self, house: House, row: queries.TableRow) -> None:
        super().__init__(house, row, queries.GameRow(bytes(32), 0))
        self._own = interpreted(self.game)  # the environment's engine belongs to another thread

    @property
    def engine(self) -> Engine:
        return self._own

    def fair(self) -> Fair:
        return promise_of(self.row)  # the environment's seed decides: there is nothing to prove

    def info(self, guest: Guest | None) -> TableInfo:
        found = super().info(guest)
        for chair in found.chairs:
            chair.online = True
        return found

    async def decide(self, *_: Any) -> None:
        raise NotAllowed("only_seated")  # the environment decides for everybody

    def begin_at(self, beginning: States) -> None:
        """Another game, or another position."""
        self._take(Play(self.engine, beginning.copy()))
        self.announce()
        self.show()

    def follow(self, play: Play) -> None:
        """What is new in this game."""
        assert self.play is not None
        after, happened = self.play.copy(), list[Fact]()
        for seat, action, step in play.decided(self.seq):
            happened += after.follow(seat, [action], step)
        if after.seq > self.seq:
            self._take(after)
            self.publish(happened)

    def _take(self, play: Play) -> None:
        self.become(play, *table.standing(play), self.house.clock())


class Window:
    """The server, its thread, and the table it shows."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ludoteca-")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        settings = Settings(
            port=self.port, database=f"{self._folder.name}/games.db", workers=1, warmup=False, idle=NEVER
        )
        self.app = app.create_app(settings, ThreadPoolExecutor)
        self._server = uvicorn.Server(app.configured(self.app, settings))
        self._started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="ludoteca window", daemon=True)
        self._table: Shown | None = None
        self._beginning: States | None = None

    @property
    def address(self) -> str:
        """Where the page is."""
        assert self._table is not None
        return f"http://127.0.0.1:{self.port}/table/{self._table.row.id}"

    def show(self, game: Table) -> None:
        """Brings the page to where the environment is; the first time, opens it."""
        if self._table is not None:
            self._call(self._follow(game))
            return
        self._thread.start()
        if not self._started.wait(SECONDS):
            raise RuntimeError("The page could not be served.")
        self._call(self._open(game))
        opened = open_page(self.address)
        print(f"The table is {'also ' if opened else ''}at {self.address}", file=sys.stderr)

    def close(self) -> None:
        """Ends the server."""
        if self._thread.is_alive():
            self._server.should_exit = True
            self._thread.join(SECONDS)
        self._listening.close()
        with contextlib.suppress(OSError):
            self._folder.cleanup()

    # In the server's thread.

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = self._loop.create_task(self._server.serve(sockets=[self._listening]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.01)
        self._started.set()
        await serving

    def _call(self, work: Any) -> None:
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    async def _open(self, game: Table) -> None:
        house = self.app.lobby.house
        house.engines.add(game.game)
        now = house.clock()
        chairs = [queries.ChairRow(f"seat-{seat}", f"seat {seat}") for seat in range(game.seats)]
        row = queries.TableRow(
            "environment", game.game.key, game.game.version, dict(game.options), True, "Environment", None, "playing",
            "", "", now, now, chairs=chairs,
        )  # fmt: skip
        self._table = self.app.lobby.tables[row.id] = Shown(house, row)
        await self._follow(game)

    async def _follow(self, game: Table) -> None:
        assert self._table is not None
        if game.play.beginning is not self._beginning:
            self._beginning = game.play.beginning
            self._table.begin_at(self._beginning)
        self._table.follow(game.play)


def open_page(address: str) -> bool:
    """Opens the user's browser, if there is one with windows: one in the terminal would stand in the way."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    in_terminal = isinstance(browser, webbrowser.GenericBrowser) and not isinstance(
        browser, webbrowser.BackgroundBrowser
    )
    return not in_terminal and browser.open(address)
