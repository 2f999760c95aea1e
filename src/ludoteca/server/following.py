"""Following the other servers of this house: which of our tables they have changed, who is there with them, who has died.

What the bus says is followed at once. What it has lost is found by looking at the revisions of our tables: every second,
twice as often while the bus is away, and at once when it is back or a server has died, perhaps before its last word.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence

from ludoteca.core.errors import Refusal

from . import queries
from .lobby import Lobby
from .neighbours import DEAD, Word, left_by_the_dead
from .table import Table

LOOK_EVERY = 1.0  # seconds
WITHOUT_BUS = 0.5  # seconds, while nobody is heard
SAY_EVERY = 4.0  # seconds between two times that others hear again who is here
AT_ONCE = 500  # tables in one question
ADOPTED = 100  # tables of a dead server that are taken over in one go
LIVELY = 30.0  # seconds since the last move of a table that is read before guests come
READ_AHEAD = 200  # such tables, the liveliest first ...
NO_LONGER = 10.0  # ... and seconds for them

log = logging.getLogger("ludoteca.bus")


class Following:
    """What this server does because there are others."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._neighbours = lobby.house.neighbours
        self._store = lobby.house.store
        self._tasks: set[asyncio.Task[None]] = set()
        self._neighbours.hear = self.hear
        self._neighbours.listening = self._ask_everybody
        self._neighbours.died = self._look_now
        self._now = asyncio.Event()  # there is a reason to look at once
        self.has_read_ahead = asyncio.Event()

    async def read_ahead(self) -> None:
        """Before guests are sent here, brings those tables into memory at which people play with other servers.

        When one of these dies, its people come at once, and to play all their games again takes longer than to greet them.
        """
        try:
            if self._lobby.house.settings.warmup:
                await self._lobby.house.engines.settled.wait()  # machine code is quicker at it
            async with asyncio.timeout(NO_LONGER):
                since = self._lobby.house.clock() - LIVELY
                for id in await self._store.read(queries.played_since, since, READ_AHEAD):
                    with contextlib.suppress(Refusal):
                        await self._lobby.table(id)
        except TimeoutError:
            log.info("Not all tables could be read ahead.")
        finally:
            self.has_read_ahead.set()

    def hear(self, word: Word) -> None:
        """Another server has said something."""
        tables = self._lobby.tables
        for id, revision in word.changed.items():
            if id in tables and revision > tables[id].row.revision:
                self._follow(tables[id], revision)
        for id, here in word.here.items():
            if id in tables:
                tables[id].heard_who_is_elsewhere(word.server, here.guests, here.spectators)
        for id in word.who:
            if id in tables and tables[id].presence:
                tables[id].say_who_is_here(again=True)

    def _ask_everybody(self) -> None:
        """The bus is there (again): what was missed, and who has come and gone meanwhile?"""
        self._look_now()
        for id, table in self._lobby.tables.items():
            if table.presence:
                table.say_who_is_here(again=True)
                self._neighbours.who_is_at(id)

    def _look_now(self) -> None:
        self._now.set()

    def _follow(self, table: Table, revision: int) -> None:
        task = asyncio.get_running_loop().create_task(self._followed(table, revision))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _followed(self, table: Table, revision: int) -> None:
        try:
            await table.catch_up(revision)
        except Refusal:
            pass  # whoever is there comes back and finds it as it is stored
        except self._store.errors as error:
            log.warning("Table %s could not be read: %r", table.row.id, error)  # it is looked at again
        except Exception:
            log.exception("A table could not be followed.")

    async def look(self) -> None:
        """Forever: finds what the bus has lost, forgets what servers that died have said, says again who is here."""
        said, clock = 0.0, asyncio.get_running_loop().time
        while not self._neighbours.alone:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WITHOUT_BUS if self._neighbours.lost else LOOK_EVERY):
                    await self._now.wait()
            self._now.clear()
            says = clock() - said >= SAY_EVERY
            said = clock() if says else said
            ids = list(self._lobby.tables)
            for first in range(0, len(ids), AT_ONCE):
                await self._look_at(ids[first : first + AT_ONCE])
            for table in list(self._lobby.tables.values()):
                if table.presence.forget_elsewhere():
                    table.announce_soon()
                if table.presence and says:
                    table.say_who_is_here(again=True)

    async def _look_at(self, ids: Sequence[str]) -> None:
        found = await self._store.read(queries.find_revisions, ids)
        for id in ids:
            table = self._lobby.tables.get(id)
            if table is not None and found.get(id, table.row.revision + 1) > table.row.revision:
                self._follow(table, found.get(id, table.row.revision + 1))

    async def adopt(self) -> None:
        """Forever: one of the servers sees to it that bots go on where the one that asked them has died."""
        while not self._neighbours.alone:
            await asyncio.sleep(DEAD)
            if await self._neighbours.first():
                for id in (await self._store.read(left_by_the_dead))[:ADOPTED]:
                    with contextlib.suppress(Refusal):
                        await self._lobby.table(id)
