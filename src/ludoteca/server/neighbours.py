"""The other servers of this house: who is alive, what they have changed, who is at whose tables.

No server owns a table. Whoever changes one says so on the bus, and the others read it from the store; what got lost on the
way is noticed by the table's revision, every few seconds. A server says that it is alive by a row in the store, and by a
lock that goes with its connection. Where there is one server only, there are no neighbours, and nothing of this costs
anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from . import queries
from .bus import MOST_BYTES, Bus
from .database import Connection
from .store import Store

BEAT = 0.5  # seconds between two signs of life
DEAD = 2.0  # seconds without one after which others take over what a server has begun: people wait for its bots
OVERDUE = 2.5  # seconds after which others may ask a bot too, whatever keeps the server that asks it; twice is harmless
LOST = 0.5  # seconds before a lost bus is looked for again

_CLOCK = "EXTRACT(EPOCH FROM clock_timestamp())"  # the database's: servers' own may differ
# A server holds a lock of its own as long as its connection to the database lives. So the others know at once when its
# process is gone; that its machine is gone, or the way to it, nobody tells them: then its signs of life stop.
_LOCK = 0x4C7564  # in common to all servers
_KEY = "CAST(hashtext(id) AS bigint) & 4294967295"  # as `pg_locks` has it
_HOLDS = f"""EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = {_LOCK} AND objid = {_KEY}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"""
_ALIVE = f"SELECT id FROM servers WHERE seen > {_CLOCK} - {DEAD} AND {_HOLDS}"

log = logging.getLogger("ludoteca.bus")


class Here(msgspec.Struct, array_like=True):
    """Who is at a table with one of the servers."""

    guests: list[str]  # that listen
    spectators: int


class Word(msgspec.Struct, omit_defaults=True):
    """What one server tells the others."""

    server: str
    changed: dict[str, int] = {}  # tables, and their revisions
    here: dict[str, Here] = {}  # by table
    who: list[str] = []  # tables of which somebody would like to know who is there
    news_for: list[str] = []  # guests who wait for others to play with: something has changed


_decoder = msgspec.json.Decoder(Word)


@dataclass
class Neighbours:
    """What this server says to the others and hears of them; alone, it says nothing."""

    store: Store
    bus: Bus | None = None
    me: str = field(default_factory=lambda: secrets.token_hex(6))
    hear: Callable[[Word], None] = lambda word: None  # what to do with what others say
    wake: Callable[[list[str]], None] = lambda guests: None  # what to do when there is news for guests
    listening: Callable[[], None] = lambda: None  # the line was down: something may have been missed
    died: Callable[[], None] = lambda: None  # a server is gone, perhaps before it had said its last word
    lost: bool = False  # the bus is not heard
    _next: Word | None = None
    _sending: asyncio.Task[None] | None = None
    _releasing: set[asyncio.Task[None]] = field(default_factory=set)
    _alive: frozenset[str] = frozenset()  # the servers, as of the last sign of life

    @property
    def alone(self) -> bool:
        """Whether there is only this server."""
        return self.bus is None

    # ── Speaking ─────────────────────────────────────────────

    def changed(self, table: str, revision: int) -> None:
        """Something about a table has changed."""
        if self.bus is not None:
            self._word().changed[table] = revision

    def here(self, table: str, guests: Sequence[str], spectators: int) -> None:
        """Who is at a table, as far as this server knows."""
        if self.bus is not None:
            self._word().here[table] = Here(list(guests), spectators)

    def who_is_at(self, table: str) -> None:
        """Asks the others who is there."""
        if self.bus is not None:
            self._word().who.append(table)

    def news_for(self, guests: Sequence[str]) -> None:
        """Something has changed for people who wait for others to play with."""
        if self.bus is not None:
            self._word().news_for.extend(guests)

    def _word(self) -> Word:
        """What is said next; everything of one turn of the event loop, and more while the last word is on its way."""
        if self._next is None:
            self._next = Word(self.me, {}, {}, [], [])
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._say_all())
        return self._next

    async def _say_all(self) -> None:
        assert self.bus is not None
        try:
            while self._next is not None:
                word, self._next = self._next, None
                for part in parts(word):
                    await self.bus.send(part)
        except Exception as error:  # others will find it in the store
            log.info("The bus could not be reached: %r", error)
        finally:
            self._sending = None

    # ── Hearing ──────────────────────────────────────────────

    async def listen(self) -> None:
        """Forever: hears what others say, and looks for the bus again when it is lost."""
        while self.bus is not None:
            try:
                async for said in self.bus.heard():
                    if said is None:
                        self.lost = False
                        self.listening()
                    else:
                        self._heard(said)
            except Exception as error:
                log.warning("The bus is lost, and looked for again: %r", error)
            self.lost = True
            await asyncio.sleep(LOST)

    def _heard(self, said: bytes) -> None:
        try:
            word = _decoder.decode(said)
        except msgspec.MsgspecError:
            log.warning("Something on the bus is not ours.")
            return
        if word.server != self.me:
            self.hear(word)
            self.wake(word.news_for)

    # ── Living ───────────────────────────────────────────────

    async def beat(self) -> None:
        """Forever: says that this server is alive, and sees who is not any more."""
        while self.bus is not None:
            before, self._alive = self._alive, await self.store.write(sign_of_life, self.me)
            if before - self._alive:
                self.died()
            await asyncio.sleep(BEAT)

    async def first(self) -> bool:
        """Whether this server does what only one should: the first of those that are alive."""
        return self.alone or await self.store.read(first_alive) == self.me

    async def may_ask_bots(self, table: str) -> bool:
        """Whether this server is to ask the bots of this table for their next decision."""
        return self.alone or await self.store.write(claim_bots, table, self.me)

    def ask_no_more(self, table: str) -> None:
        """This server asks no bot of this table any more, and has brought no decision: others need not wait for it."""
        if not self.alone:
            task = asyncio.get_running_loop().create_task(self._release(table))
            self._releasing.add(task)
            task.add_done_callback(self._releasing.discard)

    async def _release(self, table: str) -> None:
        try:
            await self.store.write(release_bots, table, self.me)
        except self.store.errors as error:  # others may ask soon anyway
            log.info("A claim could not be given up: %r", error)

    async def close(self) -> None:
        """Says farewell: the others need not wait until this server counts as dead."""
        if self.bus is not None:
            for task in self._releasing:
                task.cancel()  # the farewell says it for all tables
            with contextlib.suppress(Exception):
                await self.store.write(farewell, self.me)
            with contextlib.suppress(Exception):
                await self.bus.close()


def parts(word: Word) -> list[bytes]:
    """A word as one message, or as several if it is too long for the bus."""
    said = msgspec.json.encode(word)
    said_of = len(word.changed) + len(word.here) + len(word.who) + len(word.news_for)
    if len(said) <= MOST_BYTES or said_of <= 1:
        return [said]
    halves = []
    for half in (0, 1):
        changed = dict(list(word.changed.items())[half::2])
        here = dict(list(word.here.items())[half::2])
        halves += parts(Word(word.server, changed, here, word.who[half::2], word.news_for[half::2]))
    return halves


# ── What the store is asked (but for the last, only Postgres is: it has several servers) ──


def sign_of_life(db: Connection, server: str) -> frozenset[str]:
    """A server is alive; those that have not been for an hour are forgotten. Returns all that are."""
    db.execute(
        f"INSERT INTO servers VALUES (?, {_CLOCK}) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen", (server,)
    )
    db.execute(f"DELETE FROM servers WHERE seen < {_CLOCK} - 3600")
    db.execute(
        f"SELECT pg_try_advisory_lock({_LOCK}, hashtext(id)) FROM servers WHERE id = ? AND NOT {_HOLDS}", (server,)
    )
    return frozenset(id for (id,) in db.execute(_ALIVE))


def farewell(db: Connection, server: str) -> None:
    """A server ends."""
    db.execute("DELETE FROM servers WHERE id = ?", (server,))


def first_alive(db: Connection) -> str | None:
    """The first of the servers that are alive."""
    found = db.execute(f"{_ALIVE} ORDER BY id LIMIT 1").fetchone()
    return str(found[0]) if found else None


def count_alive(db: Connection) -> int:
    """How many servers are alive."""
    return int(db.execute(f"SELECT COUNT(*) FROM ({_ALIVE}) AS alive").fetchone()[0])


def claim_bots(db: Connection, table: str, server: str) -> bool:
    """Lets a server ask the bots for the table's next decision, unless one that is alive does so already."""
    claimed = db.execute(
        f"""UPDATE tables SET asker = ?, asked = seq WHERE id = ? AND phase = 'playing'
            AND (asker IS NULL OR asker = ? OR asked < seq OR asker NOT IN ({_ALIVE}) OR moved < {_CLOCK} - {OVERDUE})""",
        (server, table, server),
    )
    return claimed.rowcount == 1


def release_bots(db: Connection, table: str, server: str) -> None:
    """Gives up what `claim_bots` gave."""
    db.execute("UPDATE tables SET asker = NULL WHERE id = ? AND asker = ?", (table, server))


def left_by_the_dead(db: Connection) -> list[str]:
    """Running tables where a bot owes a decision and no server that is alive asks it."""
    owed = set(queries.waiting_for_bots(db))
    rows = db.execute(
        f"""SELECT id FROM tables WHERE phase = 'playing' AND moved < {_CLOCK} - {DEAD}
            AND (asker IS NULL OR asked < seq OR asker NOT IN ({_ALIVE}))"""
    )
    return [id for (id,) in rows if id in owed]


def house_key(db: Connection, fresh: bytes) -> bytes:
    """The key behind which all servers of this house hide addresses, also after a restart: limits by address hold."""
    db.execute("UPDATE house SET key = ? WHERE key IS NULL", (fresh,))
    return bytes(db.execute("SELECT key FROM house").fetchone()[0])
