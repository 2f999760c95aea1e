"""A house in this very process: a test sets its watch forward, closes it, opens it again, and decides for whom it likes."""

from __future__ import annotations

import asyncio
import pathlib
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from ludoteca.server.table import Table
from server.house import House, threads

T = TypeVar("T")
PATIENCE = 60.0  # seconds


class Inside:
    """A server in a thread of its own."""

    def __init__(self, folder: pathlib.Path, **settings: Any) -> None:
        self._folder, self._settings = folder, settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.ahead = 0.0  # seconds by which its watch is fast
        self.port = 0
        self.open()

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        """Does something in the server's own thread."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def open(self) -> None:
        """Opens the house, where it was before."""
        self.house = House(self._folder, threads, port=self.port, **self._settings)
        self.house.app.clock = lambda: time.time() + self.ahead
        self.run(self.house.start())
        self.port = self.house.port

    def close(self) -> None:
        """Closes it; what is stored stays."""
        self.run(self.house.stop())

    def end(self) -> None:
        """Closes it for good."""
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def address(self) -> str:
        """Where it is."""
        return self.house.origin

    def table(self, id: str) -> Table:
        """A table in its memory."""
        return self.run(self.house.table(id))

    def decide(self, id: str, seat: int | None = None, choice: int = 0) -> int:
        """Somebody who is awaited, or that seat, takes one of the choices; whose it was."""

        async def decided() -> int:
            table = await self.house.table(id)
            who = table.waiting()[0] if seat is None else seat
            offered = table.play_of(who).position(who).choices()
            action = int(offered[choice % len(offered)]["action"])
            await table.decide(who, [action], None, f"{table.seq} {who} {len(table.row.drafts)} {choice}", None)
            return who

        return self.run(decided())

    def look_at_clocks(self) -> None:
        """Somebody looks whether a clock has run out."""
        self.run(self.house.app.clockwork.look_in_store())
        self.run(self.house.app.clockwork.look())
