"""What the store is asked: the rows it keeps, what is written and what is read.

Every question is a plain function of a connection, to be run by `store.write` or `store.read`. Decisions are rows that
are only ever added. Safety comes from two keys, not from locks: `(table, seq)` is unique, so two referees of one table
cannot both be right, and `(table, command)` is unique, so a repeated command has one effect. What is decided behind screens
can be taken back, so the commands for it are kept apart from the decisions.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ludoteca.core.play import MOST_STEPS, Decided

from .chain import FIRST, chained
from .limits import Limit
from .store import Unwritten


class Repeated(Unwritten):
    """The command is stored already."""


class Overtaken(Unwritten):
    """Somebody else has written the next decision of this table."""


class Exceeded(Unwritten):
    """This would be more than is allowed."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit


# ── Rows ─────────────────────────────────────────────────────


@dataclass
class GuestRow:
    """A guest."""

    id: str
    name: str
    long_ago: bool = False  # were they here last


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
    ended: str | None = None  # why, before its time
    unused: int = 0
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
    decided: list[Decided] = field(default_factory=list)
    dealt: bytes | None = None  # the deal's trace
    traces: list[bytes | None] = field(default_factory=list)  # one for each of `decided`
    whole: int | None = None  # how many rows are as they were written, if not all


@dataclass(frozen=True)
class StoredCommand:
    """What a command has done: a decision in the open, or something behind a screen (no action: opened it again)."""

    seq: int  # of its first step; behind a screen: what was answered
    seat: int
    actions: list[int]
    screened: bool = False

    @property
    def done(self) -> int:
        """The number it is answered with, every time."""
        return self.seq if self.screened else self.seq + len(self.actions) - 1


_TABLE = """id, game, version, options, public, name, host, phase, invite, commitment, created, moved, seq, waiting,
            rematch, drafts, ended, unused"""
_NOW = "(SELECT hours FROM house)"  # the house's own time
HOURS_A_DAY = 24
_DECISION = "table_id, seq, seat, action, command, at, step, trace, hash"


# ── What is written: `await store.write(append, …)` ──────────


def append(
    db: sqlite3.Connection,
    table: str, seq: int, seat: int, actions: list[int], command: str | None, at: float, waiting: int, phase: str,
    traces: Sequence[bytes | None] = (),
) -> None:  # fmt: skip
    """Adds one decision, its steps from `seq` on, if it is the next one and the command is new."""
    steps = [(seat, action, step, None if step else command) for step, action in enumerate(actions)]
    first, *more = _linked(db, table, seq, steps, at, traces)
    try:
        added = db.execute(
            f"""INSERT INTO decisions ({_DECISION}) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? FROM tables
                WHERE id = ? AND seq = ? AND phase = 'playing'
                AND NOT EXISTS (SELECT 1 FROM screened WHERE table_id = ? AND command = ?)""",
            (*first, table, seq - 1, table, command),
        ).rowcount
    except sqlite3.IntegrityError:
        added = 0
    if added != 1:
        raise Overtaken if find_command(db, table, command) is None else Repeated
    if more:
        db.executemany(f"INSERT INTO decisions ({_DECISION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", more)
    db.execute(
        "UPDATE tables SET seq = ?, waiting = ?, phase = ?, moved = ? WHERE id = ?",
        (seq + len(actions) - 1, waiting, phase, at, table),
    )
    if phase == "over":
        _free_chairs(db, table)


def append_screens(
    db: sqlite3.Connection,
    table: str, seq: int, decided: list[Decided], drafts: str, at: float, waiting: int, phase: str,
    command: str | None, seat: int, actions: list[int], traces: Sequence[bytes | None] = (),
) -> None:  # fmt: skip
    """Adds what was behind the screens, from `seq` on, if it still stands there as `drafts` says and the command is new."""
    _refuse_repeated(db, table, command)
    moved = db.execute(
        """UPDATE tables SET seq = ?, drafts = '', waiting = ?, phase = ?, moved = ?
           WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'""",
        (seq + len(decided) - 1, waiting, phase, at, table, seq - 1, drafts),
    )
    if moved.rowcount != 1:
        raise Overtaken
    if phase == "over":
        _free_chairs(db, table)
    db.executemany(
        f"INSERT INTO decisions ({_DECISION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _linked(db, table, seq, [(*step, None) for step in decided], at, traces),
    )
    _keep_screened(db, table, command, seat, actions, seq)


def _linked(
    db: sqlite3.Connection,
    table: str, seq: int, steps: list[tuple[int, int, int, str | None]], at: float, traces: Sequence[bytes | None],
) -> list[tuple[Any, ...]]:  # fmt: skip
    """Rows of decisions from `seq` on, each with its hash."""
    found = db.execute("SELECT hash FROM decisions WHERE table_id = ? AND seq = ?", (table, seq - 1)).fetchone()
    before, rows = found[0] if found else FIRST, []
    for n, ((seat, action, step, command), trace) in enumerate(zip(steps, traces or [None] * len(steps), strict=True)):
        row = (table, seq + n, seat, action, command, at, step, trace)
        before = chained(before, *row)
        rows.append((*row, before))
    return rows


def set_drafts(
    db: sqlite3.Connection,
    table: str, seq: int, old: str, new: str, waiting: int, command: str | None, seat: int, actions: list[int],
) -> None:  # fmt: skip
    """What is behind the screens now, if nothing has changed since decision `seq` and `old` and the command is new."""
    _refuse_repeated(db, table, command)
    changed = db.execute(
        "UPDATE tables SET drafts = ?, waiting = ? WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'",
        (new, waiting, table, seq, old),
    )
    if changed.rowcount != 1:
        raise Overtaken
    _keep_screened(db, table, command, seat, actions, seq + 1)


def _refuse_repeated(db: sqlite3.Connection, table: str, command: str | None) -> None:
    if find_command(db, table, command) is not None:
        raise Repeated


def _keep_screened(
    db: sqlite3.Connection, table: str, command: str | None, seat: int, actions: list[int], seq: int
) -> None:
    """A new command behind a screen, to be answered with `seq`."""
    if command is not None:
        written = msgspec.json.encode(actions).decode()
        db.execute("INSERT INTO screened VALUES (?, ?, ?, ?, ?)", (table, command, seat, written, seq))


def spend(db: sqlite3.Connection, limits: Sequence[Limit], at: float) -> None:
    """Counts one more use for each of these, if none of them is used up."""
    for limit in limits:
        query = "SELECT COUNT(*) FROM uses WHERE what = ? AND who = ? AND at > ? AND at <= ?"
        [used] = db.execute(query, (limit.what, limit.who, at - limit.seconds, at)).fetchone()
        if used >= limit.most:
            raise Exceeded(limit)
    db.executemany("INSERT INTO uses VALUES (?, ?, ?)", [(limit.what, limit.who, at) for limit in limits])


def forget_uses(db: sqlite3.Connection, before: float, after: float) -> None:
    """Drops what does not count any more, and what a clock that went wrong has left in the future."""
    db.execute("DELETE FROM uses WHERE at < ? OR at > ?", (before, after))


def add_guest(
    db: sqlite3.Connection, guest: str, secret: bytes, name: str, at: float, limits: Sequence[Limit] = ()
) -> None:
    """A new guest; `secret` is hashed already."""
    spend(db, limits, at)
    db.execute(
        f"INSERT INTO guests (id, secret, name, created, seen) VALUES (?, ?, ?, ?, {_NOW})", (guest, secret, name, at)
    )


def greet(db: sqlite3.Connection, guest: str) -> None:
    """A guest is here again."""
    db.execute(f"UPDATE guests SET seen = {_NOW} WHERE id = ?", (guest,))


def rename_guest(db: sqlite3.Connection, guest: str, name: str) -> None:
    """A guest wants to be called otherwise."""
    db.execute("UPDATE guests SET name = ? WHERE id = ?", (name, guest))


def open_table(
    db: sqlite3.Connection, row: TableRow, server_seed: bytes, unfinished: Limit, limits: Sequence[Limit]
) -> None:
    """A new table, if its host has not too many unfinished ones and has not opened too many lately."""
    if count_unfinished(db, unfinished.who) >= unfinished.most:
        raise Exceeded(unfinished)
    spend(db, limits, row.created)
    add_table(db, row, server_seed)


def add_table(db: sqlite3.Connection, row: TableRow, server_seed: bytes) -> None:
    """A new table."""
    db.execute(f"INSERT INTO tables ({_TABLE}) VALUES ({', '.join('?' * 18)})", _values(row))
    db.execute("INSERT INTO seeds (table_id, server_seed) VALUES (?, ?)", (row.id, server_seed))
    _set_chairs(db, row)


def save_table(db: sqlite3.Connection, row: TableRow) -> None:
    """Chairs, host and rematch of a table; its decisions have their own way."""
    db.execute("UPDATE tables SET host = ?, rematch = ? WHERE id = ?", (row.host, row.rematch, row.id))
    _set_chairs(db, row)


def arrange_table(db: sqlite3.Connection, row: TableRow) -> None:
    """Options and all chairs of a table whose game has not begun."""
    arranged = db.execute(
        "UPDATE tables SET options = ? WHERE id = ? AND phase = 'open'",
        (msgspec.json.encode(row.options).decode(), row.id),
    )
    if arranged.rowcount != 1:
        raise Overtaken
    db.execute("DELETE FROM chairs WHERE table_id = ?", (row.id,))
    _set_chairs(db, row)


def set_invite(db: sqlite3.Connection, table: str, invite: str) -> None:
    """Another invitation: the one before opens nothing any more."""
    db.execute("UPDATE tables SET invite = ? WHERE id = ?", (invite, table))


def start_table(
    db: sqlite3.Connection, row: TableRow, seed: int | None, waiting: int, at: float, dealt: bytes | None = None
) -> None:
    """The game begins: if it has not yet."""
    started = db.execute(
        "UPDATE tables SET phase = 'playing', version = ?, waiting = ?, moved = ? WHERE id = ? AND phase = 'open'",
        (row.version, waiting, at, row.id),
    )
    if started.rowcount != 1:
        raise Overtaken
    db.execute("UPDATE seeds SET seed = ?, dealt = ? WHERE table_id = ?", (seed, dealt, row.id))
    _set_chairs(db, row)


def carry_over(db: sqlite3.Connection, table: str, seq: int, version: str) -> None:
    """The rules of this version give the same game: it goes on by them."""
    db.execute("UPDATE tables SET version = ? WHERE id = ? AND seq = ?", (version, table, seq))


def end_table(db: sqlite3.Connection, table: str, seq: int, why: str) -> None:
    """A game ends before its time; what was decided stays."""
    db.execute(
        """UPDATE tables SET phase = 'over', ended = ?, waiting = 0, drafts = ''
           WHERE id = ? AND seq = ? AND phase = 'playing'""",
        (why, table, seq),
    )
    _free_chairs(db, table)


def add_rematch(db: sqlite3.Connection, old: str, row: TableRow, server_seed: bytes) -> None:
    """A new table that follows an old one, if none does yet."""
    linked = db.execute("UPDATE tables SET rematch = ? WHERE id = ? AND rematch IS NULL", (row.id, old))
    if linked.rowcount != 1:
        raise Overtaken
    add_table(db, row, server_seed)


def add_chat(db: sqlite3.Connection, table: str, said: ChatRow, limits: Sequence[Limit] = ()) -> None:
    """Something was said."""
    spend(db, limits, said.at)
    db.execute(
        "INSERT INTO chat (table_id, seat, name, text, at) VALUES (?, ?, ?, ?, ?)",
        (table, said.seat, said.name, said.text, said.at),
    )


def use_table(db: sqlite3.Connection, table: str) -> bool:
    """Somebody has come to a table that has not begun; false if it is gone."""
    return db.execute("UPDATE tables SET unused = 0 WHERE id = ?", (table,)).rowcount == 1


def drop_unused(db: sqlite3.Connection, in_use: Collection[str], hours: int) -> list[str]:
    """An hour has passed: forgets tables that never began and that nobody has used for so many; returns which.

    Hours are counted, not read from a clock: neither a jump of the clock nor a night without the server ages a table.
    """
    db.execute("UPDATE house SET hours = hours + 1")
    db.execute("UPDATE tables SET unused = unused + 1 WHERE phase = 'open'")
    db.executemany("UPDATE tables SET unused = 0 WHERE id = ?", [(id,) for id in in_use])
    stale = [id for (id,) in db.execute("SELECT id FROM tables WHERE phase = 'open' AND unused > ?", (hours,))]
    drop_tables(db, stale)
    return stale


def expired_games(db: sqlite3.Connection, days: int) -> list[str]:
    """Games that ended more than so many days of the house ago."""
    query = f"SELECT id FROM tables WHERE phase = 'over' AND finished < {_NOW} - ? ORDER BY finished"
    return [id for (id,) in db.execute(query, (HOURS_A_DAY * days,))]


def expired_guests(db: sqlite3.Connection, days: int) -> list[str]:
    """Guests who have not been here for so many days of the house and sit at no table that is kept."""
    query = f"""SELECT id FROM guests WHERE seen < {_NOW} - ?
                AND NOT EXISTS (SELECT 1 FROM chairs WHERE guest = guests.id) ORDER BY seen"""
    return [id for (id,) in db.execute(query, (HOURS_A_DAY * days,))]


def expire(
    db: sqlite3.Connection, days_of_games: int, days_of_guests: int, tables_in_use: Collection[str],
    guests_in_use: Collection[str],
) -> tuple[int, int]:  # fmt: skip
    """Drops finished games, then guests, after so many days (0: never); returns how many of each."""
    games = [id for id in expired_games(db, days_of_games) if id not in tables_in_use] if days_of_games else []
    drop_tables(db, games)
    guests = [id for id in expired_guests(db, days_of_guests) if id not in guests_in_use] if days_of_guests else []
    db.executemany("DELETE FROM guests WHERE id = ?", [(id,) for id in guests])
    return len(games), len(guests)


def drop_tables(db: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Forgets tables and everything about them."""
    one_by_one = [(table,) for table in tables]
    db.executemany("DELETE FROM tables WHERE id = ?", one_by_one)
    for name in ("chairs", "chat", "seeds", "decisions", "screened"):
        db.executemany(f"DELETE FROM {name} WHERE table_id = ?", one_by_one)
    if tables:
        db.execute(
            "UPDATE tables SET rematch = NULL WHERE rematch IS NOT NULL AND rematch NOT IN (SELECT id FROM tables)"
        )


def _values(row: TableRow) -> tuple[Any, ...]:
    return (
        row.id, row.game, row.version, msgspec.json.encode(row.options).decode(), row.public, row.name, row.host,
        row.phase, row.invite, row.commitment, row.created, row.moved, row.seq, row.waiting, row.rematch,
        row.drafts, row.ended, row.unused,
    )  # fmt: skip


def _set_chairs(db: sqlite3.Connection, row: TableRow) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO chairs (table_id, seat, guest, bot, level, entropy) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (row.id, seat, chair.guest, "" if chair.guest else chair.name, chair.level, chair.entropy)
            for seat, chair in enumerate(row.chairs)
        ],
    )
    inviting = any(chair.guest is not None for chair in row.chairs) and any(chair.empty for chair in row.chairs)
    db.execute(
        "UPDATE tables SET listed = CASE WHEN phase = 'open' AND public = 1 THEN ? ELSE 0 END WHERE id = ?",
        (int(inviting), row.id),
    )


def _free_chairs(db: sqlite3.Connection, table: str) -> None:
    """The game is over: nobody sits there any more, as far as limits go."""
    db.execute(f"UPDATE tables SET finished = {_NOW} WHERE id = ?", (table,))
    db.execute("UPDATE chairs SET over = 1 WHERE table_id = ?", (table,))


# ── What is read: `await store.read(find_guest, …)` ──────────


def find_guest(db: sqlite3.Connection, secret: bytes) -> GuestRow | None:
    """The guest with this (hashed) secret."""
    found = db.execute(
        f"SELECT id, name, seen <= {_NOW} - {HOURS_A_DAY} FROM guests WHERE secret = ?", (secret,)
    ).fetchone()
    return GuestRow(found[0], found[1], bool(found[2])) if found else None


def find_command(db: sqlite3.Connection, table: str, command: str | None) -> StoredCommand | None:
    """What came with this command, if it is stored."""
    if command is None:
        return None
    return _find_screened(db, table, command) or _find_decision(db, table, command)


def _find_screened(db: sqlite3.Connection, table: str, command: str) -> StoredCommand | None:
    found = db.execute(
        "SELECT seq, seat, actions FROM screened WHERE table_id = ? AND command = ?", (table, command)
    ).fetchone()
    return StoredCommand(found[0], found[1], msgspec.json.decode(found[2]), True) if found else None


def _find_decision(db: sqlite3.Connection, table: str, command: str) -> StoredCommand | None:
    found = db.execute(
        "SELECT seq, seat FROM decisions WHERE table_id = ? AND command = ?", (table, command)
    ).fetchone()
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
    server_seed, seed, dealt = db.execute(
        "SELECT server_seed, seed, dealt FROM seeds WHERE table_id = ?", (table,)
    ).fetchone()
    rows = db.execute(f"SELECT {_DECISION} FROM decisions WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    decided = [(seat, action, step) for _, _, seat, action, _, _, step, _, _ in rows]
    return GameRow(server_seed, seed, decided, dealt, [row[-2] for row in rows], _whole(rows))


def _whole(rows: list[tuple[Any, ...]]) -> int | None:
    """How many of a game's rows are as they were written; None if all are."""
    before = FIRST
    for n, (*row, hashed) in enumerate(rows):
        before = chained(before, *row)
        if hashed != before or row[1] != n + 1:
            return n
    return None


def find_both(db: sqlite3.Connection, table: str) -> tuple[TableRow, GameRow] | None:
    """A table and its game, as they were at one moment."""
    db.execute("BEGIN")
    try:
        row = find_table(db, table)
        return (row, find_game(db, table)) if row is not None else None
    finally:
        db.execute("COMMIT")


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
        "WHERE listed = 1 ORDER BY created DESC LIMIT ?",
        most,
    )


def unfinished_of(db: sqlite3.Connection, guest: str, most: int) -> list[TableRow]:
    """The tables where a guest sits that are not over, those used last first."""
    return _tables(
        db,
        """WHERE id IN (SELECT table_id FROM chairs WHERE guest = ? AND over = 0) ORDER BY moved DESC, id DESC LIMIT ?""",
        guest,
        most,
    )


def finished_of(db: sqlite3.Connection, guest: str, most: int, after: str | None = None) -> list[TableRow] | None:
    """A guest's finished games, the newest first: a page of them, after that table; None if it is not there."""
    mine = "WHERE id IN (SELECT table_id FROM chairs WHERE guest = ? AND over = 1)"
    if after is None:
        return _tables(db, f"{mine} ORDER BY moved DESC, id DESC LIMIT ?", guest, most)
    found = db.execute("SELECT moved FROM tables WHERE id = ?", (after,)).fetchone()
    if found is None:
        return None
    then = "AND (moved < ? OR (moved = ? AND id < ?)) ORDER BY moved DESC, id DESC LIMIT ?"
    return _tables(db, f"{mine} {then}", guest, found[0], found[0], after, most)


def count_unfinished(db: sqlite3.Connection, guest: str) -> int:
    """How many tables of this guest are not over."""
    found = db.execute("SELECT COUNT(*) FROM chairs WHERE guest = ? AND over = 0", (guest,))
    return int(found.fetchone()[0])


def waiting_for_bots(db: sqlite3.Connection) -> list[str]:
    """Running tables where a bot owes a decision: after a restart they go on by themselves.

    First those where a person still plays; hosts in turn, so that nobody with many tables delays the others.
    """
    rows = db.execute(
        """SELECT id FROM (
               SELECT id, host, moved, EXISTS (
                   SELECT 1 FROM chairs WHERE table_id = id AND guest IS NOT NULL AND level IS NULL) AS played
               FROM tables WHERE phase = 'playing' AND EXISTS (
                   SELECT 1 FROM chairs WHERE table_id = id AND level IS NOT NULL AND waiting >> seat & 1))
           ORDER BY played DESC, ROW_NUMBER() OVER (PARTITION BY played, host ORDER BY moved DESC), moved DESC"""
    )
    return [id for (id,) in rows]


def of_other_rules(db: sqlite3.Connection, versions: dict[str, str]) -> list[str]:
    """Running tables that were not played by these versions of the games' rules, those used last first."""
    rows = db.execute("SELECT id, game, version FROM tables WHERE phase = 'playing' ORDER BY moved DESC")
    return [id for id, game, version in rows if versions.get(game, version) != version]


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
