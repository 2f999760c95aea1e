"""The tables of the store, and how a file of an earlier version becomes one of this."""

from __future__ import annotations

import sqlite3

SCHEMA_VERSION = 3

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
    step INTEGER NOT NULL DEFAULT 0,   -- 0: a decision begins; otherwise which further step of it this is
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
    seed INTEGER                       -- of games that began with one; since then chance is keyed: NULL
) WITHOUT ROWID;
"""

# From each version to the next; a new file begins with SCHEMA.
CHANGES = {
    1: "ALTER TABLE tables ADD COLUMN drafts TEXT NOT NULL DEFAULT '';",
    2: "ALTER TABLE decisions ADD COLUMN step INTEGER NOT NULL DEFAULT 0;",
}


class StoreTooNew(SystemExit):
    """The file was written by a later version of the server."""


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
