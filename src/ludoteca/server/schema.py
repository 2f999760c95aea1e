"""The tables of the store, and how a file of an earlier version becomes one of this."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .chain import FIRST, chained

APPLICATION = 0x4C75646F  # «Ludo», in the file's header
SCHEMA_VERSION = 10

SCHEMA = """
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE,       -- SHA-256 of the cookie
    name TEXT NOT NULL,
    created REAL NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0    -- the house's hour of the last visit, or of the day before
) WITHOUT ROWID;
CREATE TABLE house (
    hours INTEGER NOT NULL,            -- in which it was open: what expires is counted in them, and no clock changes that
    key BLOB                           -- behind which this house hides addresses, for as long as they count
);
INSERT INTO house (hours) VALUES (0);
CREATE TABLE servers (                 -- those of one house, if there are several
    id TEXT PRIMARY KEY,
    seen REAL NOT NULL                 -- by the database's clock
);
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
    drafts TEXT NOT NULL DEFAULT '',   -- JSON: decisions behind screens, not part of the game yet
    ended TEXT,                        -- why it had to end before its time
    listed INTEGER NOT NULL DEFAULT 0, -- 1: public, not begun, with a person and an empty chair
    unused INTEGER NOT NULL DEFAULT 0, -- before it begins: hours of the house in which nobody came
    finished INTEGER NOT NULL DEFAULT 0, -- the house's hour in which the game ended
    revision INTEGER NOT NULL DEFAULT 0, -- how often anything about it has changed: other servers notice by that
    asker TEXT,                        -- the server that asks the bots here ...
    asked INTEGER NOT NULL DEFAULT 0,  -- ... for the decision after this one
    follows TEXT,                      -- the table whose rematch this is
    result TEXT                        -- JSON, when the game is over: ranks and points (`Outcome`)
) WITHOUT ROWID;
CREATE INDEX tables_by_phase ON tables (phase, public, created);
CREATE INDEX tables_listed ON tables (listed, created);
CREATE TABLE chairs (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT,                        -- a person's chair
    bot TEXT NOT NULL,                 -- a bot's name
    level TEXT,                        -- a bot plays: on its own chair, or for the guest who left
    entropy TEXT NOT NULL,             -- the guest's share of the shuffle
    over INTEGER NOT NULL DEFAULT 0,   -- 1: so is the game
    ready INTEGER NOT NULL DEFAULT 0,  -- 1: would like to begin
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX chairs_by_guest ON chairs (guest, over);
CREATE TABLE decisions (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    action INTEGER NOT NULL,
    command TEXT,                      -- the command's own name; bots and screens have none
    at REAL NOT NULL,
    step INTEGER NOT NULL DEFAULT 0,   -- 0: a decision begins; otherwise which further step of it this is
    trace BLOB,                        -- of the game so far (core/traces.py); none in rows of before version 4
    hash BLOB,                         -- of this row and the one before (chain.py)
    decider TEXT,                      -- person, bot, standin; not part of the hash, none in rows of before version 10
    PRIMARY KEY (table_id, seq),
    UNIQUE (table_id, command)
) WITHOUT ROWID;
CREATE TABLE screened (                -- commands behind screens: they are answered alike however often they come
    table_id TEXT NOT NULL,
    command TEXT NOT NULL,
    seat INTEGER NOT NULL,
    actions TEXT NOT NULL,             -- JSON; none: the screen was opened again
    seq INTEGER NOT NULL,              -- what was answered
    PRIMARY KEY (table_id, command)
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
CREATE TABLE uses (                    -- what is limited in time, for as long as it counts
    what TEXT NOT NULL,                -- table, say, guest
    who TEXT NOT NULL,                 -- a guest, or an address behind a hash
    at REAL NOT NULL
);
CREATE INDEX uses_of_one ON uses (what, who, at);
CREATE TABLE seeds (                   -- apart from everything else: whoever reads this table sees the future
    table_id TEXT PRIMARY KEY,
    server_seed BLOB NOT NULL,
    seed INTEGER,                      -- of games that began with one; since then chance is keyed: NULL
    dealt BLOB                         -- the deal's trace
) WITHOUT ROWID;
"""

Change = str | Callable[[Any], None]  # SQL, or a function of a connection


def add_hashes(connection: sqlite3.Connection) -> None:
    """Every row gets its hash."""
    connection.execute("ALTER TABLE decisions ADD COLUMN hash BLOB")
    link_rows(connection)


def link_rows(connection: sqlite3.Connection) -> None:
    """Takes the rows of every game for what was written."""
    rows = connection.execute(
        "SELECT table_id, seq, seat, action, command, at, step, trace FROM decisions ORDER BY table_id, seq"
    ).fetchall()
    before, hashes = FIRST, []
    for table, seq, *rest in rows:
        before = chained(before if seq > 1 else FIRST, table, seq, *rest)
        hashes.append((before, table, seq))
    connection.executemany("UPDATE decisions SET hash = ? WHERE table_id = ? AND seq = ?", hashes)


# From each version to the next; a new file begins with SCHEMA.
CHANGES: dict[int, Change] = {
    1: "ALTER TABLE tables ADD COLUMN drafts TEXT NOT NULL DEFAULT '';",
    2: "ALTER TABLE decisions ADD COLUMN step INTEGER NOT NULL DEFAULT 0;",
    3: """ALTER TABLE tables ADD COLUMN ended TEXT;
          ALTER TABLE decisions ADD COLUMN trace BLOB;
          ALTER TABLE seeds ADD COLUMN dealt BLOB;""",
    4: add_hashes,
    5: """ALTER TABLE tables ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX tables_listed ON tables (listed, created);
          UPDATE tables SET listed = 1 WHERE phase = 'open' AND public = 1
              AND EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest IS NOT NULL)
              AND EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest IS NULL AND level IS NULL);
          ALTER TABLE chairs ADD COLUMN over INTEGER NOT NULL DEFAULT 0;
          UPDATE chairs SET over = 1 WHERE table_id IN (SELECT id FROM tables WHERE phase = 'over');
          DROP INDEX chairs_by_guest;
          CREATE INDEX chairs_by_guest ON chairs (guest, over);
          CREATE TABLE uses (what TEXT NOT NULL, who TEXT NOT NULL, at REAL NOT NULL);
          CREATE INDEX uses_of_one ON uses (what, who, at);""",
    6: "ALTER TABLE tables ADD COLUMN unused INTEGER NOT NULL DEFAULT 0;",
    7: """CREATE TABLE screened (table_id TEXT NOT NULL, command TEXT NOT NULL, seat INTEGER NOT NULL,
          actions TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (table_id, command)) WITHOUT ROWID;""",
    8: """ALTER TABLE tables ADD COLUMN finished INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE guests ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
          CREATE TABLE house (hours INTEGER NOT NULL);
          INSERT INTO house VALUES (0);""",
    9: """ALTER TABLE tables ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE tables ADD COLUMN asker TEXT;
          ALTER TABLE tables ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE chairs ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE tables ADD COLUMN follows TEXT;
          ALTER TABLE tables ADD COLUMN result TEXT;
          ALTER TABLE decisions ADD COLUMN decider TEXT;
          ALTER TABLE house ADD COLUMN key BLOB;
          CREATE TABLE servers (id TEXT PRIMARY KEY, seen REAL NOT NULL);""",
}


def make(connection: sqlite3.Connection) -> None:
    """The tables of a new file."""
    update(connection, 0)


def update(connection: sqlite3.Connection, version: int) -> None:
    """Brings a file of an earlier version up to date (0: an empty one), all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(changes_since(version)):
            if callable(statement):
                statement(connection)
            else:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def changes_since(version: int) -> Sequence[Change]:
    """What makes today's tables of those of an earlier version; of none, if it is 0."""
    return [CHANGES[earlier] for earlier in range(version, SCHEMA_VERSION)] if version else [SCHEMA]


def statements(changes: Sequence[Change]) -> Iterator[Change]:
    """One statement after the other (`executescript` would end the transaction)."""
    for change in changes:
        if callable(change):
            yield change
            continue
        statement = ""
        for line in change.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                yield statement
                statement = ""


# ── What the tables are like ─────────────────────────────────


@dataclass(frozen=True)
class Described:
    """One of the tables, as `SCHEMA` has it."""

    columns: tuple[str, ...]
    kinds: tuple[str, ...]  # of the columns: TEXT, INTEGER, REAL, BLOB
    key: tuple[str, ...]  # its primary key; empty if it has none
    unique: frozenset[tuple[str, ...]]  # every key by which two rows must differ, that one too


@functools.cache
def described() -> dict[str, Described]:
    """Every table of today's version, by name."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        make(db)
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")]
        return {name: _described(db, name) for name in names}


def _described(db: sqlite3.Connection, table: str) -> Described:
    columns = db.execute("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", (table,)).fetchall()
    key = tuple(name for name, _, place in sorted(columns, key=lambda column: column[2]) if place)
    unique = sqlite_keys(db, table)
    return Described(tuple(c[0] for c in columns), tuple(c[1] for c in columns), key, frozenset(unique))


def sqlite_keys(db: sqlite3.Connection, table: str) -> set[tuple[str, ...]]:
    """The keys by which rows of a table in this file must differ."""
    keys = {
        tuple(name for (name,) in db.execute("SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk", (table,)))
    }
    for (index,) in db.execute('SELECT name FROM pragma_index_list(?) WHERE "unique"', (table,)).fetchall():
        keys.add(
            tuple(name for (name,) in db.execute("SELECT name FROM pragma_index_info(?) ORDER BY seqno", (index,)))
        )
    return keys - {()}
