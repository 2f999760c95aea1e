"""The tables of the store, and how a file of an earlier version becomes one of this."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from .chain import FIRST, chained

APPLICATION = 0x4C75646F  # «Ludo», in the file's header
SCHEMA_VERSION = 21

# Of guests, since version 20.
HERE = "    here REAL NOT NULL DEFAULT 0,      -- when they were last here, to the minute: for their friends\n"
# Who people are, since version 11: guests, their devices and passkeys.
WHO = f"""
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created REAL NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0,   -- the house's hour of the last visit, or of the day before
    symbol TEXT,                       -- a sign of their own, once they have chosen one
    colour INTEGER,
    former INTEGER NOT NULL DEFAULT 0, -- 1: they have had themselves deleted, and only a chair in a game is left
    chat INTEGER NOT NULL DEFAULT 1,   -- 0: they take no part in chats
{HERE}    banned INTEGER NOT NULL DEFAULT 0  -- 1: they are not let in any more
) WITHOUT ROWID;
CREATE TABLE devices (                 -- where a guest is at home: each has a secret of its own
    secret BLOB PRIMARY KEY,           -- SHA-256 of the cookie
    id TEXT NOT NULL UNIQUE,
    guest TEXT NOT NULL,
    name TEXT NOT NULL,
    how TEXT NOT NULL,                 -- first, link, passkey
    created REAL NOT NULL,
    seen REAL NOT NULL,                -- the last visit, or one of the day before
    hour INTEGER NOT NULL DEFAULT 0    -- likewise, by the house's hours
) WITHOUT ROWID;
CREATE INDEX devices_by_guest ON devices (guest);
CREATE TABLE passkeys (
    id BLOB PRIMARY KEY,               -- the credential's
    guest TEXT NOT NULL,
    house TEXT NOT NULL,               -- the name under which the house was known when it was made
    credential BLOB NOT NULL,          -- its public key, as an authenticator writes it
    counter INTEGER NOT NULL,          -- of its uses, where it counts them
    name TEXT NOT NULL,
    created REAL NOT NULL,
    used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX passkeys_by_guest ON passkeys (guest);
CREATE TABLE tickets (                 -- what is good once and for a short time: links to a device, passkeys' challenges
    secret BLOB PRIMARY KEY,           -- SHA-256 of it
    kind TEXT NOT NULL,
    guest TEXT,                        -- whose it is
    facts TEXT NOT NULL,               -- JSON
    until REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX tickets_by_guest ON tickets (guest, kind);
CREATE TABLE browsers (                -- where guests are told that they are awaited
    endpoint TEXT PRIMARY KEY,         -- at their push service
    guest TEXT NOT NULL,
    device BLOB NOT NULL,              -- SHA-256 of the cookie: whoever signs the device out ends this too
    p256dh BLOB NOT NULL,              -- the browser's public key
    auth BLOB NOT NULL,
    language TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX browsers_by_guest ON browsers (guest);
CREATE TABLE mutes (                   -- what a guest does not want to be told of
    guest TEXT NOT NULL,
    what TEXT NOT NULL,                -- a kind of notice, or a table
    PRIMARY KEY (guest, what)
) WITHOUT ROWID;
CREATE TABLE friends (
    guest TEXT NOT NULL,
    friend TEXT NOT NULL,
    PRIMARY KEY (guest, friend)
) WITHOUT ROWID;
CREATE TABLE blocks (
    guest TEXT NOT NULL,
    blocked TEXT NOT NULL,             -- whom they would rather not meet
    PRIMARY KEY (guest, blocked)
) WITHOUT ROWID;
CREATE TABLE reports (                 -- for whoever keeps the house
    n INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    guest TEXT NOT NULL,
    about TEXT NOT NULL,               -- a guest too
    table_id TEXT NOT NULL,
    text TEXT NOT NULL,
    said TEXT NOT NULL,                -- what it is about, if it was said
    done INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE acts (                    -- what whoever keeps the house has done
    n INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    what TEXT NOT NULL,                -- close, ban, unban, settle
    about TEXT NOT NULL,
    note TEXT NOT NULL
);
CREATE TABLE told (                    -- of what each seat has been told last
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
"""

# Tournaments, since version 16.
CONTESTS = """
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,                -- robin, swiss, knockout
    seats INTEGER NOT NULL,            -- at a table, at most
    rounds INTEGER NOT NULL,           -- of a Swiss
    options TEXT NOT NULL,             -- JSON: the game's
    clock TEXT NOT NULL,               -- JSON (`ClockTerms`)
    rated INTEGER NOT NULL,
    host TEXT,                         -- a guest
    phase TEXT NOT NULL,               -- open, playing, over
    created REAL NOT NULL,
    begins REAL,                       -- when it begins by itself; once it has: when the next round does
    seed BLOB NOT NULL,                -- lots are drawn with it: sealed until it is over
    revision INTEGER NOT NULL DEFAULT 0 -- how often anything about it has changed
) WITHOUT ROWID;
CREATE INDEX tournaments_by_phase ON tournaments (phase, created);
CREATE TABLE entrants (
    tournament TEXT NOT NULL,
    n INTEGER NOT NULL,                -- in the order in which they came
    guest TEXT,
    bot TEXT NOT NULL,                 -- a bot's name
    level TEXT,                        -- a bot's
    since INTEGER NOT NULL,            -- the first round that could be theirs
    gone TEXT,                         -- left, absent; NULL: they take part
    PRIMARY KEY (tournament, n)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entrants_by_guest ON entrants (guest, tournament);
CREATE TABLE meetings (                -- the tables of each round
    tournament TEXT NOT NULL,
    round INTEGER NOT NULL,
    n INTEGER NOT NULL,
    table_id TEXT,                     -- NULL: these have a free round
    entrants TEXT NOT NULL,            -- JSON: their numbers, by seat
    ranks TEXT,                        -- JSON, once it is over: as they count
    PRIMARY KEY (tournament, round, n)
) WITHOUT ROWID;
"""

# How people find each other, since version 19.
FINDING = """
CREATE TABLE wishes (                  -- who would like to play what, with anybody
    guest TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    seats INTEGER NOT NULL,
    speed TEXT NOT NULL,               -- the name of a clock
    rated INTEGER NOT NULL,
    bots INTEGER NOT NULL,             -- 1: they may fill up
    since REAL NOT NULL,
    seen REAL NOT NULL,                -- when they last asked how it stands
    table_id TEXT                      -- what came of it
) WITHOUT ROWID;
CREATE INDEX wishes_alike ON wishes (game, seats, speed, rated);
CREATE TABLE invitations (             -- friends who are asked to a table
    table_id TEXT NOT NULL,
    guest TEXT NOT NULL,               -- who is asked
    by_guest TEXT NOT NULL,
    kept INTEGER NOT NULL,             -- 1: a chair is kept for them
    declined INTEGER NOT NULL DEFAULT 0, -- 1: they do not come, and are not asked again
    at REAL NOT NULL,
    PRIMARY KEY (table_id, guest)
) WITHOUT ROWID;
CREATE INDEX invitations_of_one ON invitations (guest, at);
"""

SCHEMA = (
    WHO
    + CONTESTS
    + FINDING
    + """
CREATE TABLE house (
    hours INTEGER NOT NULL,            -- in which it was open: what expires is counted in them, and no clock changes that
    key BLOB,                          -- behind which this house hides addresses, for as long as they count
    push BLOB                          -- with which it signs what it sends to push services
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
    result TEXT,                       -- JSON, when the game is over: ranks and points (`Outcome`)
    clock TEXT NOT NULL DEFAULT '',    -- JSON (`ClockTerms`); empty: none
    due REAL,                          -- while a clock runs: when somebody should look whether it has run out
    take_back TEXT NOT NULL DEFAULT 'information', -- what can be taken back: by information, or also by consent
    asking TEXT NOT NULL DEFAULT '',   -- JSON: who asks the others to be let take back, and who agrees (`Asking`)
    quiet INTEGER NOT NULL DEFAULT 0,  -- 1: there is no chat here
    rated INTEGER NOT NULL DEFAULT 0,  -- 1: it counts for ratings
    imported INTEGER NOT NULL DEFAULT 0, -- 1: played elsewhere, and brought here as a record
    tournament TEXT,                   -- the one it belongs to
    hot INTEGER NOT NULL DEFAULT 0,    -- 1: one screen is passed around: its people are names on chairs
    hints INTEGER NOT NULL DEFAULT 0,  -- 1: whoever is to decide may ask for a hint; never in a rated game
    branch TEXT NOT NULL DEFAULT ''    -- JSON (`Origin`): the game and step it branches off from, and how it stood
) WITHOUT ROWID;
CREATE INDEX tables_by_phase ON tables (phase, public, created);
CREATE INDEX tables_listed ON tables (listed, created);
CREATE INDEX tables_due ON tables (due);
CREATE INDEX tables_rated ON tables (rated, game, moved);
CREATE TABLE clock_rows (              -- what set a table's clocks going, stopped or changed them (clocks.py)
    table_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    at REAL NOT NULL,
    what TEXT NOT NULL,                -- deal, turn, seal, undo, more, off, lost, found, left, out, back, cover, uncover
    running INTEGER NOT NULL,          -- bits: the people whose clocks run from then on
    begun INTEGER NOT NULL,            -- bits: the seats whose turn begins with it
    seat INTEGER,                      -- whom it is about
    by_seat INTEGER,                   -- who gave time
    amount REAL NOT NULL,              -- seconds given
    PRIMARY KEY (table_id, n)
) WITHOUT ROWID;
CREATE TABLE up (                      -- when servers were up: while none is, no clock runs
    server TEXT PRIMARY KEY,
    since REAL NOT NULL,
    until REAL NOT NULL                -- its last sign of life
);
CREATE TABLE chairs (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT,                        -- a person's chair
    bot TEXT NOT NULL,                 -- a bot's name
    level TEXT,                        -- a bot plays: on its own chair, or for the guest who left
    entropy TEXT NOT NULL,             -- the guest's share of the shuffle
    over INTEGER NOT NULL DEFAULT 0,   -- 1: so is the game
    ready INTEGER NOT NULL DEFAULT 0,  -- 1: would like to begin
    rank INTEGER,                      -- when the game is over: as in its result, so that it can be asked for
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
CREATE TABLE ratings (                 -- what rated games made of people: a cache, made again from the games (ledger.py)
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    game TEXT NOT NULL,
    seats INTEGER NOT NULL,
    ended REAL NOT NULL,
    guest TEXT NOT NULL,
    rank INTEGER NOT NULL,             -- as it counts
    gone INTEGER NOT NULL,             -- 1: they had left
    points REAL NOT NULL,              -- after the game
    spread REAL NOT NULL,
    games INTEGER NOT NULL,            -- rated ones of theirs so far, this one included
    bots TEXT NOT NULL,                -- JSON: how strong the bots of that table counted
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX ratings_in_order ON ratings (game, seats, ended, table_id);
CREATE INDEX ratings_of_one ON ratings (guest, game, seats, ended, table_id);
CREATE TABLE chat (
    n INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    seat INTEGER,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL,
    guest TEXT                         -- who said it; not known of lines of before version 11
);
CREATE INDEX chat_by_guest ON chat (guest);
CREATE INDEX chat_by_table ON chat (table_id, n);
CREATE TABLE uses (                    -- what is limited in time, for as long as it counts
    what TEXT NOT NULL,                -- table, say, guest
    who TEXT NOT NULL,                 -- a guest, or an address behind a hash
    at REAL NOT NULL
);
CREATE INDEX uses_of_one ON uses (what, who, at);
CREATE TABLE reviews (                 -- finished games that somebody wanted reviewed
    table_id TEXT PRIMARY KEY,
    judge TEXT NOT NULL,               -- who judges, and how
    parts INTEGER NOT NULL,            -- into which it is divided
    server TEXT NOT NULL,              -- which works on it ...
    at REAL NOT NULL,                  -- ... and when that was last seen
    failed INTEGER NOT NULL DEFAULT 0  -- 1: the rest could not be made
) WITHOUT ROWID;
CREATE TABLE review_parts (            -- what was found out so far: never made twice
    table_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    pieces TEXT NOT NULL,              -- JSON (review/pieces.py)
    PRIMARY KEY (table_id, part)
) WITHOUT ROWID;
CREATE TABLE decks (                   -- contents, once each; a table names its deck by hash among its options
    hash TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE shelf (                   -- the decks that guests have saved
    guest TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    form TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (guest, name)
) WITHOUT ROWID;
CREATE TABLE seeds (                   -- apart from everything else: whoever reads this table sees the future
    table_id TEXT PRIMARY KEY,
    server_seed BLOB NOT NULL,
    seed INTEGER,                      -- of games that began with one; since then chance is keyed: NULL
    dealt BLOB                         -- the deal's trace
) WITHOUT ROWID;
"""
)

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


def note_ranks(connection: Any) -> None:
    """The ranks of finished games stand with the chairs."""
    over = "SELECT id, result FROM tables WHERE phase = 'over' AND result IS NOT NULL"
    rows = [row for id, result in connection.execute(over).fetchall() for row in ranks_noted(id, result)]
    connection.executemany("UPDATE chairs SET rank = ? WHERE table_id = ? AND seat = ?", rows)


def ranks_noted(table: str, result: str) -> list[tuple[int, str, int]]:
    """The rank, table and number of each chair, from a result as it is stored; alone, who has lost is second."""
    try:
        found = msgspec.json.decode(result)
        ranks = [2] if found.get("won") is False else found["ranks"]
        return [(int(rank), table, seat) for seat, rank in enumerate(ranks)]
    except (msgspec.MsgspecError, LookupError, AttributeError, TypeError, ValueError):
        return []  # damaged: the game itself says how it ended


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
    10: """ALTER TABLE tables ADD COLUMN clock TEXT NOT NULL DEFAULT '';
           ALTER TABLE tables ADD COLUMN due REAL;
           CREATE INDEX tables_due ON tables (due);
           CREATE TABLE clock_rows (table_id TEXT NOT NULL, n INTEGER NOT NULL, at REAL NOT NULL, what TEXT NOT NULL,
           running INTEGER NOT NULL, begun INTEGER NOT NULL, seat INTEGER, by_seat INTEGER, amount REAL NOT NULL,
           PRIMARY KEY (table_id, n)) WITHOUT ROWID;
           CREATE TABLE up (server TEXT PRIMARY KEY, since REAL NOT NULL, until REAL NOT NULL);""",
    11: """ALTER TABLE tables ADD COLUMN take_back TEXT NOT NULL DEFAULT 'information';
           ALTER TABLE tables ADD COLUMN asking TEXT NOT NULL DEFAULT '';""",
    12: "ALTER TABLE guests RENAME TO guests_before;\n"
    + WHO.replace(HERE, "")
    + """
          INSERT INTO guests (id, name, created, seen) SELECT id, name, created, seen FROM guests_before;
          INSERT INTO devices (secret, id, guest, name, how, created, seen, hour)
              SELECT secret, id, id, '', 'first', created, created, seen FROM guests_before;
          DROP TABLE guests_before;
          ALTER TABLE house ADD COLUMN push BLOB;
          ALTER TABLE tables ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE chat ADD COLUMN guest TEXT;
          CREATE INDEX chat_by_guest ON chat (guest);""",
    13: """ALTER TABLE tables ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE tables ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
          CREATE INDEX tables_rated ON tables (rated, game, moved);
          CREATE TABLE ratings (table_id TEXT NOT NULL, seat INTEGER NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL,
          ended REAL NOT NULL, guest TEXT NOT NULL, rank INTEGER NOT NULL, gone INTEGER NOT NULL, points REAL NOT NULL,
          spread REAL NOT NULL, games INTEGER NOT NULL, bots TEXT NOT NULL, PRIMARY KEY (table_id, seat)) WITHOUT ROWID;
          CREATE INDEX ratings_in_order ON ratings (game, seats, ended, table_id);
          CREATE INDEX ratings_of_one ON ratings (guest, game, seats, ended, table_id);
          ALTER TABLE chairs ADD COLUMN rank INTEGER;""",
    14: note_ranks,
    15: CONTESTS
    + """ALTER TABLE tables ADD COLUMN tournament TEXT;
         ALTER TABLE tables ADD COLUMN hot INTEGER NOT NULL DEFAULT 0;""",
    16: """CREATE TABLE reviews (table_id TEXT PRIMARY KEY, judge TEXT NOT NULL, parts INTEGER NOT NULL,
           server TEXT NOT NULL, at REAL NOT NULL, failed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
           CREATE TABLE review_parts (table_id TEXT NOT NULL, part INTEGER NOT NULL, pieces TEXT NOT NULL,
           PRIMARY KEY (table_id, part)) WITHOUT ROWID;
           ALTER TABLE tables ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
           ALTER TABLE tables ADD COLUMN branch TEXT NOT NULL DEFAULT '';""",
    17: """CREATE TABLE decks (hash TEXT PRIMARY KEY, game TEXT NOT NULL, text TEXT NOT NULL,
          at REAL NOT NULL) WITHOUT ROWID;
          CREATE TABLE shelf (guest TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL, form TEXT NOT NULL,
          at REAL NOT NULL, PRIMARY KEY (guest, name)) WITHOUT ROWID;""",
    18: FINDING,
    19: "ALTER TABLE guests ADD COLUMN here REAL NOT NULL DEFAULT 0;",
    # Turns of notices were numbered 1, 2, 3 …, and since there are warnings in between by twos. A house that had begun to
    # count by twos already is left alone where its numbers show that; elsewhere no turn after the running one goes untold.
    20: "UPDATE told SET number = 2 * number WHERE number <= (SELECT seq + 1 FROM tables WHERE id = table_id);",
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
