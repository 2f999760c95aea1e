"""The store is the journal: one SQLite file, the only place where the server keeps anything.

Decisions are rows that are only ever added. Safety comes from two keys, not from locks: `(table, seq)` is unique, so
two referees of one table cannot both be right, and `(table, command)` is unique, so a repeated command has one effect.

One thread writes. Whatever has piled up while the last commit was on its way to the disk goes into the next one (group
commit, WAL, synchronous=FULL): whoever awaits a write continues only when it would survive the loss of power.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import pathlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

SCHEMA_VERSION = 2
MOST_AT_ONCE = 512  # writes in one commit
GATHER = 0.001  # seconds a commit waits for company: on a busy server a commit for each move costs more than the moves

SCHEMA = """
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE,       -- SHA-256 of the cookie
    name TEXT NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    version TEXT NOT NULL,             -- of the rules
    options TEXT NOT NULL,             -- JSON
    public INTEGER NOT NULL,
    name TEXT NOT NULL,
    host TEXT,                         -- a guest
    phase TEXT NOT NULL,               -- open, playing, over
    invite TEXT NOT NULL,
    commitment TEXT NOT NULL,
    created REAL NOT NULL,
    moved REAL NOT NULL,
    seq INTEGER NOT NULL,              -- of the last decision, or 0
    waiting INTEGER NOT NULL,          -- bits: the seats that owe a decision
    rematch TEXT,                      -- the next table of the same people
    drafts TEXT NOT NULL DEFAULT ''    -- JSON: decisions behind screens, not part of the game yet
) WITHOUT ROWID;
CREATE INDEX tables_by_phase ON tables (phase, public, created);
CREATE TABLE chairs (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT,                        -- a person's chair
    bot TEXT NOT NULL,                 -- a bot's name
    level TEXT,                        -- a bot plays: on its own chair, or for the guest who left
    entropy TEXT NOT NULL,             -- the guest's share of the shuffle
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX chairs_by_guest ON chairs (guest);
CREATE TABLE decisions (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    action INTEGER NOT NULL,
    command TEXT,                      -- the command's own name; bots have none
    at REAL NOT NULL,
    PRIMARY KEY (table_id, seq),
    UNIQUE (table_id, command)
) WITHOUT ROWID;
CREATE TABLE chat (
    n INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    seat INTEGER,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL
);
CREATE INDEX chat_by_table ON chat (table_id, n);
CREATE TABLE seeds (                   -- apart from everything else: whoever reads this table sees the future
    table_id TEXT PRIMARY KEY,
    server_seed BLOB NOT NULL,
    seed INTEGER                       -- drawn at the start
) WITHOUT ROWID;
"""

# From each version to the next; a new file begins with SCHEMA.
CHANGES = {1: "ALTER TABLE tables ADD COLUMN drafts TEXT NOT NULL DEFAULT '';"}


class Repeated(Exception):
    """The command is stored already, as this decision."""

    def __init__(self, seq: int, seat: int, action: int) -> None:
        super().__init__(f"stored as decision {seq}")
        self.seq, self.seat, self.action = seq, seat, action


class Overtaken(Exception):
    """Somebody else has written the next decision of this table."""


class StoreTooNew(SystemExit):
    """The file was written by a later version of the server."""


@dataclass
class GuestRow:
    """A guest."""

    id: str
    name: str


@dataclass
class ChairRow:
    """A chair: empty, a person's (guest), a bot's (level), or a person's for whom a bot plays (both)."""

    guest: str | None = None
    name: str = ""  # of whoever sits there
    level: str | None = None
    entropy: str = ""

    @property
    def bot_plays(self) -> bool:
        """Whether a bot decides here."""
        return self.level is not None

    @property
    def standin(self) -> bool:
        """Whether a bot plays for someone who left."""
        return self.guest is not None and self.level is not None

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return self.guest is None and self.level is None


@dataclass
class TableRow:
    """A table and its chairs, without its game."""

    id: str
    game: str
    version: str
    options: dict[str, str]
    public: bool
    name: str
    host: str | None
    phase: str
    invite: str
    commitment: str
    created: float
    moved: float
    seq: int = 0
    waiting: int = 0
    rematch: str | None = None
    drafts: str = ""
    chairs: list[ChairRow] = field(default_factory=list)


@dataclass
class ChatRow:
    """Something said."""

    seat: int | None
    name: str
    text: str
    at: float


@dataclass
class GameRow:
    """What a referee needs to set up a table's game again: only it may ask for this."""

    server_seed: bytes
    seed: int | None
    decisions: list[tuple[int, int]]


_TABLE = """id, game, version, options, public, name, host, phase, invite, commitment, created, moved, seq, waiting,
            rematch, drafts"""
T = TypeVar("T")
Job = tuple[Callable[..., Any], tuple[Any, ...], "asyncio.Future[Any]", asyncio.AbstractEventLoop]


class Store:
    """The file, with one thread that writes and one that reads."""

    def __init__(self, path: pathlib.Path | str) -> None:
        self.path = pathlib.Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._write_to = self._open()
        try:
            prepare(self._write_to)
        except BaseException:
            self._write_to.close()
            raise
        self._read_from = self._open()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._writer = threading.Thread(target=self._write_all, name="store-writer", daemon=True)
        self._writer.start()
        self._closed = False

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=10)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def close(self) -> None:
        """Writes what is left and closes the file."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._writer.join()
        self._reader.shutdown()
        self._read_from.close()
        self._write_to.close()

    # ── One thread writes ────────────────────────────────────

    async def write(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` in the next commit; returns when that is on the disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put((job, arguments, done, loop))
        return await done

    def _write_all(self) -> None:
        closing = False
        while not closing:
            jobs, closing = self._gather()
            if jobs:
                _deliver_all(self._commit(jobs))

    def _gather(self) -> tuple[list[Job], bool]:
        """Waits for a job and takes all that have piled up with it; true if there will be no more."""
        jobs: list[Job] = []
        job = self._jobs.get()
        if job is not None:
            time.sleep(GATHER)
        while job is not None:
            jobs.append(job)
            if len(jobs) == MOST_AT_ONCE:
                return jobs, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return jobs, False
        return jobs, True

    def _commit(self, jobs: list[Job]) -> list[tuple[Job, Any, BaseException | None]]:
        """One transaction. A job that fails leaves no trace; a commit that fails fails them all."""
        connection = self._write_to
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [(job, *self._attempt(connection, job)) for job in jobs]
            connection.execute("COMMIT")
            return outcomes
        except (
            Exception
        ) as error:  # the disk is full, say: nothing of this commit has happened, and each job is told so
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            return [(job, None, error) for job in jobs]

    def _attempt(self, connection: sqlite3.Connection, job: Job) -> tuple[Any, BaseException | None]:
        try:
            return job[0](connection, *job[1]), None
        except (Repeated, Overtaken) as refused:  # raised before anything was written
            return None, refused

    # ── Another reads ────────────────────────────────────────

    async def read(self, job: Callable[..., T], *arguments: Any) -> T:
        """Runs `job(connection, *arguments)` on what has been committed."""
        return await asyncio.get_running_loop().run_in_executor(
            self._reader, functools.partial(job, self._read_from, *arguments)
        )


def _deliver_all(outcomes: list[tuple[Job, Any, BaseException | None]]) -> None:
    """Hands the outcomes of one commit over to whoever awaits them, waking each loop once."""
    loops: dict[asyncio.AbstractEventLoop, list[tuple[Job, Any, BaseException | None]]] = {}
    for outcome in outcomes:
        loops.setdefault(outcome[0][3], []).append(outcome)
    for loop, theirs in loops.items():
        with contextlib.suppress(RuntimeError):  # that loop is closed: nobody awaits any more
            loop.call_soon_threadsafe(_deliver, theirs)


def _deliver(outcomes: list[tuple[Job, Any, BaseException | None]]) -> None:
    for (_, _, done, _), value, error in outcomes:
        if done.cancelled():
            continue
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)


def prepare(connection: sqlite3.Connection) -> None:
    """Makes the tables in a new file, brings an older one up to date; refuses one of a later version."""
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found == SCHEMA_VERSION:
        return
    if found > SCHEMA_VERSION:
        raise StoreTooNew(
            f"This database has version {found}; this server knows version {SCHEMA_VERSION}. Please update."
        )
    steps = SCHEMA if not found else "".join(CHANGES[version] for version in range(found, SCHEMA_VERSION))
    connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


# ── What is written: `await store.write(append, …)` ──────────


def append(
    db: sqlite3.Connection,
    table: str, seq: int, seat: int, action: int, command: str | None, at: float, waiting: int, phase: str,
) -> None:  # fmt: skip
    """Adds decision `seq`, if it is the next one and the command is new."""
    try:
        added = db.execute(
            "INSERT INTO decisions SELECT ?, ?, ?, ?, ?, ? FROM tables WHERE id = ? AND seq = ? AND phase = 'playing'",
            (table, seq, seat, action, command, at, table, seq - 1),
        )
    except sqlite3.IntegrityError:
        found = find_command(db, table, command)
        raise Overtaken if found is None else Repeated(*found) from None
    if added.rowcount != 1:
        found = find_command(db, table, command)
        raise Overtaken if found is None else Repeated(*found)
    db.execute(
        "UPDATE tables SET seq = ?, waiting = ?, phase = ?, moved = ? WHERE id = ?", (seq, waiting, phase, at, table)
    )


def append_all(
    db: sqlite3.Connection,
    table: str, seq: int, decisions: list[tuple[int, int, str | None]], drafts: str, at: float, waiting: int, phase: str,
) -> None:  # fmt: skip
    """Adds the decisions from `seq` on: what was behind the screens, if it still stands there as `drafts` says."""
    for _, _, command in decisions:
        _refuse_repeated(db, table, command)
    last = seq + len(decisions) - 1
    moved = db.execute(
        """UPDATE tables SET seq = ?, drafts = '', waiting = ?, phase = ?, moved = ?
           WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'""",
        (last, waiting, phase, at, table, seq - 1, drafts),
    )
    if moved.rowcount != 1:
        raise Overtaken
    db.executemany(
        "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?)",
        [(table, seq + n, seat, action, command, at) for n, (seat, action, command) in enumerate(decisions)],
    )


def set_drafts(
    db: sqlite3.Connection, table: str, seq: int, old: str, new: str, command: str | None, waiting: int
) -> None:
    """What is behind the screens now, if nothing has changed since `seq` and `old` and the command is new."""
    _refuse_repeated(db, table, command)
    changed = db.execute(
        "UPDATE tables SET drafts = ?, waiting = ? WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'",
        (new, waiting, table, seq, old),
    )
    if changed.rowcount != 1:
        raise Overtaken


def _refuse_repeated(db: sqlite3.Connection, table: str, command: str | None) -> None:
    found = find_command(db, table, command)
    if found is not None:
        raise Repeated(*found)


def add_guest(db: sqlite3.Connection, guest: str, secret: bytes, name: str, at: float) -> None:
    """A new guest; `secret` is hashed already."""
    db.execute("INSERT INTO guests VALUES (?, ?, ?, ?)", (guest, secret, name, at))


def rename_guest(db: sqlite3.Connection, guest: str, name: str) -> None:
    """A guest wants to be called otherwise."""
    db.execute("UPDATE guests SET name = ? WHERE id = ?", (name, guest))


def add_table(db: sqlite3.Connection, row: TableRow, server_seed: bytes) -> None:
    """A new table."""
    db.execute(f"INSERT INTO tables VALUES ({', '.join('?' * 16)})", _values(row))
    db.execute("INSERT INTO seeds VALUES (?, ?, NULL)", (row.id, server_seed))
    _set_chairs(db, row)


def save_table(db: sqlite3.Connection, row: TableRow) -> None:
    """Chairs, host and rematch of a table; its decisions have their own way."""
    db.execute("UPDATE tables SET host = ?, rematch = ? WHERE id = ?", (row.host, row.rematch, row.id))
    _set_chairs(db, row)


def start_table(db: sqlite3.Connection, row: TableRow, seed: int, waiting: int, at: float) -> None:
    """The game begins: if it has not yet."""
    started = db.execute(
        "UPDATE tables SET phase = 'playing', version = ?, waiting = ?, moved = ? WHERE id = ? AND phase = 'open'",
        (row.version, waiting, at, row.id),
    )
    if started.rowcount != 1:
        raise Overtaken
    db.execute("UPDATE seeds SET seed = ? WHERE table_id = ?", (seed, row.id))
    _set_chairs(db, row)


def add_rematch(db: sqlite3.Connection, old: str, row: TableRow, server_seed: bytes) -> None:
    """A new table that follows an old one, if none does yet."""
    linked = db.execute("UPDATE tables SET rematch = ? WHERE id = ? AND rematch IS NULL", (row.id, old))
    if linked.rowcount != 1:
        raise Overtaken
    add_table(db, row, server_seed)


def add_chat(db: sqlite3.Connection, table: str, said: ChatRow) -> None:
    """Something was said."""
    db.execute(
        "INSERT INTO chat (table_id, seat, name, text, at) VALUES (?, ?, ?, ?, ?)",
        (table, said.seat, said.name, said.text, said.at),
    )


def drop_stale(db: sqlite3.Connection, before: float) -> int:
    """Forgets tables that never began and that nobody has touched since; returns how many."""
    stale = [id for (id,) in db.execute("SELECT id FROM tables WHERE phase = 'open' AND created < ?", (before,))]
    for id in stale:
        db.execute("DELETE FROM tables WHERE id = ?", (id,))
        for name in ("chairs", "chat", "seeds"):
            db.execute(f"DELETE FROM {name} WHERE table_id = ?", (id,))
    return len(stale)


def _values(row: TableRow) -> tuple[Any, ...]:
    return (
        row.id, row.game, row.version, msgspec.json.encode(row.options).decode(), row.public, row.name, row.host,
        row.phase, row.invite, row.commitment, row.created, row.moved, row.seq, row.waiting, row.rematch,
        row.drafts,
    )  # fmt: skip


def _set_chairs(db: sqlite3.Connection, row: TableRow) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO chairs VALUES (?, ?, ?, ?, ?, ?)",
        [
            (row.id, seat, chair.guest, "" if chair.guest else chair.name, chair.level, chair.entropy)
            for seat, chair in enumerate(row.chairs)
        ],
    )


# ── What is read: `await store.read(find_guest, …)` ──────────


def find_guest(db: sqlite3.Connection, secret: bytes) -> GuestRow | None:
    """The guest with this (hashed) secret."""
    found = db.execute("SELECT id, name FROM guests WHERE secret = ?", (secret,)).fetchone()
    return GuestRow(*found) if found else None


def find_command(db: sqlite3.Connection, table: str, command: str | None) -> tuple[int, int, int] | None:
    """Seq, seat and action of a command that is stored."""
    if command is None:
        return None
    found = db.execute(
        "SELECT seq, seat, action FROM decisions WHERE table_id = ? AND command = ?", (table, command)
    ).fetchone()
    return tuple(found) if found else None


def find_table(db: sqlite3.Connection, table: str) -> TableRow | None:
    """A table and its chairs."""
    found = _tables(db, "WHERE id = ?", table)
    return found[0] if found else None


def find_game(db: sqlite3.Connection, table: str) -> GameRow:
    """Seeds and decisions of a table, for its referee."""
    server_seed, seed = db.execute("SELECT server_seed, seed FROM seeds WHERE table_id = ?", (table,)).fetchone()
    rows = db.execute("SELECT seat, action FROM decisions WHERE table_id = ? ORDER BY seq", (table,))
    return GameRow(server_seed, seed, rows.fetchall())


def find_chat(db: sqlite3.Connection, table: str, most: int) -> list[ChatRow]:
    """The last things said at a table, oldest first."""
    rows = db.execute(
        "SELECT seat, name, text, at FROM chat WHERE table_id = ? ORDER BY n DESC LIMIT ?", (table, most)
    ).fetchall()
    return [ChatRow(*row) for row in reversed(rows)]


def open_tables(db: sqlite3.Connection, most: int) -> list[TableRow]:
    """Public tables that have not begun, with a person and an empty chair, newest first."""
    return _tables(
        db,
        """WHERE phase = 'open' AND public = 1
           AND EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest IS NOT NULL)
           AND EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest IS NULL AND level IS NULL)
           ORDER BY created DESC LIMIT ?""",
        most,
    )


def tables_of(db: sqlite3.Connection, guest: str, most: int) -> list[TableRow]:
    """The tables where a guest sits: running ones first, the newest first."""
    return _tables(
        db,
        """WHERE id IN (SELECT table_id FROM chairs WHERE guest = ?)
           ORDER BY phase = 'over', moved DESC LIMIT ?""",
        guest,
        most,
    )


def count_unfinished(db: sqlite3.Connection, guest: str) -> int:
    """How many tables of this guest are not over."""
    found = db.execute(
        "SELECT COUNT(*) FROM tables WHERE phase <> 'over' AND id IN (SELECT table_id FROM chairs WHERE guest = ?)",
        (guest,),
    )
    return int(found.fetchone()[0])


def waiting_for_bots(db: sqlite3.Connection) -> list[str]:
    """Running tables where a bot owes a decision: after a restart they go on by themselves."""
    rows = db.execute(
        """SELECT DISTINCT id FROM tables JOIN chairs ON table_id = id
           WHERE phase = 'playing' AND level IS NOT NULL AND waiting >> seat & 1 ORDER BY moved DESC"""
    )
    return [id for (id,) in rows]


def _tables(db: sqlite3.Connection, where: str, *arguments: Any) -> list[TableRow]:
    found = []
    for row in db.execute(f"SELECT {_TABLE} FROM tables {where}", arguments).fetchall():
        id, game, version, options, public, *rest = row
        table = TableRow(id, game, version, msgspec.json.decode(options), bool(public), *rest)
        chairs = db.execute(
            """SELECT guest, COALESCE(guests.name, bot), level, entropy
               FROM chairs LEFT JOIN guests ON guests.id = guest WHERE table_id = ? ORDER BY seat""",
            (id,),
        )
        table.chairs = [ChairRow(*chair) for chair in chairs]
        found.append(table)
    return found
