"""What the store is asked: the rows it keeps, what is written and what is read.

Every question is a plain function of a connection, to be run by `store.write` or `store.read`. Decisions are rows that
are only ever added. Safety comes from two keys, not from locks: `(table, seq)` is unique, so two referees of one table
cannot both be right, and `(table, command)` is unique, so a repeated command has one effect.
"""

from __future__ import annotations

import itertools
import sqlite3
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ludoteca.core.play import MOST_STEPS, Decided

from .store import Unwritten


class Repeated(Unwritten):
    """The command is stored already."""


class Overtaken(Unwritten):
    """Somebody else has written the next decision of this table."""


# ── Rows ─────────────────────────────────────────────────────


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
    decided: list[Decided]


Screened = tuple[int, int, int, str | None]  # seat, action, step and command of what was behind a screen


@dataclass(frozen=True)
class StoredCommand:
    """The decision that a command has become."""

    seq: int  # of its first step
    seat: int
    actions: list[int]


_TABLE = """id, game, version, options, public, name, host, phase, invite, commitment, created, moved, seq, waiting,
            rematch, drafts"""


# ── What is written: `await store.write(append, …)` ──────────


def append(
    db: sqlite3.Connection,
    table: str, seq: int, seat: int, actions: list[int], command: str | None, at: float, waiting: int, phase: str,
) -> None:  # fmt: skip
    """Adds one decision, its steps from `seq` on, if it is the next one and the command is new."""
    try:
        added = db.execute(
            "INSERT INTO decisions SELECT ?, ?, ?, ?, ?, ?, 0 FROM tables WHERE id = ? AND seq = ? AND phase = 'playing'",
            (table, seq, seat, actions[0], command, at, table, seq - 1),
        ).rowcount
    except sqlite3.IntegrityError:
        added = 0
    if added != 1:
        raise Overtaken if find_command(db, table, command) is None else Repeated
    if len(actions) > 1:
        db.executemany(
            "INSERT INTO decisions VALUES (?, ?, ?, ?, NULL, ?, ?)",
            [(table, seq + step, seat, action, at, step) for step, action in enumerate(actions) if step],
        )
    db.execute(
        "UPDATE tables SET seq = ?, waiting = ?, phase = ?, moved = ? WHERE id = ?",
        (seq + len(actions) - 1, waiting, phase, at, table),
    )


def append_screens(
    db: sqlite3.Connection,
    table: str, seq: int, decided: list[Screened], drafts: str, at: float, waiting: int, phase: str,
) -> None:  # fmt: skip
    """Adds what was behind the screens, from `seq` on, if it still stands there as `drafts` says."""
    for *_, command in decided:
        _refuse_repeated(db, table, command)
    moved = db.execute(
        """UPDATE tables SET seq = ?, drafts = '', waiting = ?, phase = ?, moved = ?
           WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'""",
        (seq + len(decided) - 1, waiting, phase, at, table, seq - 1, drafts),
    )
    if moved.rowcount != 1:
        raise Overtaken
    db.executemany(
        "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(table, n, seat, action, command, at, step) for n, (seat, action, step, command) in enumerate(decided, seq)],
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
    if find_command(db, table, command) is not None:
        raise Repeated


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


def start_table(db: sqlite3.Connection, row: TableRow, seed: int | None, waiting: int, at: float) -> None:
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


def find_command(db: sqlite3.Connection, table: str, command: str | None) -> StoredCommand | None:
    """The decision that came with this command, if it is stored."""
    found = (
        command
        and db.execute(
            "SELECT seq, seat FROM decisions WHERE table_id = ? AND command = ?", (table, command)
        ).fetchone()
    )
    if not found:
        return None
    seq, seat = found
    rows = db.execute(
        "SELECT action, step FROM decisions WHERE table_id = ? AND seq >= ? AND seat = ? ORDER BY seq LIMIT ?",
        (table, seq, seat, MOST_STEPS),
    ).fetchall()
    more = itertools.takewhile(lambda row: row[1] > 0, rows[1:])
    return StoredCommand(seq, seat, [rows[0][0], *(action for action, _ in more)])


def find_table(db: sqlite3.Connection, table: str) -> TableRow | None:
    """A table and its chairs."""
    found = _tables(db, "WHERE id = ?", table)
    return found[0] if found else None


def find_game(db: sqlite3.Connection, table: str) -> GameRow:
    """Seeds and decisions of a table, for its referee."""
    server_seed, seed = db.execute("SELECT server_seed, seed FROM seeds WHERE table_id = ?", (table,)).fetchone()
    rows = db.execute("SELECT seat, action, step FROM decisions WHERE table_id = ? ORDER BY seq", (table,))
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
