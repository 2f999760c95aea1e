"""What the store is asked: the rows it keeps, what is written and what is read.

Every question is a plain function of a connection, to be run by `store.write` or `store.read`. Decisions are rows that
are only ever added. Safety comes from two keys, not from locks: `(table, seq)` is unique, so two referees of one table
cannot both be right, and `(table, command)` is unique, so a repeated command has one effect. What is decided behind screens
can be taken back, so the commands for it are kept apart from the decisions. Everything else about a table is changed only
by whoever knows its newest `revision`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ludoteca.core.game import DECK
from ludoteca.core.play import MOST_STEPS, Decided

from .chain import FIRST, chained
from .clock_rows import find_rows
from .clocks import Row
from .database import Connection, Unwritten, one_at_a_time, one_moment
from .limits import Limit
from .schema import ranks_noted
from .signs import Sign, sign_of


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
    symbol: str | None = None
    colour: int | None = None
    chat: bool = True
    banned: bool = False
    long_ago: bool = False  # were they here last, on this device
    blocked: frozenset[str] = frozenset()  # whom they would rather not meet


@dataclass
class DeviceRow:
    """A device of a guest, without its secret."""

    id: str
    name: str
    how: str  # it became theirs: first, link, passkey
    created: float
    seen: float


@dataclass
class ChairRow:
    """A chair: empty, a person's (guest), a bot's (level), or a person's for whom a bot plays (both)."""

    guest: str | None = None
    name: str = ""  # of whoever sits there
    level: str | None = None
    entropy: str = ""
    ready: bool = False  # would like to begin
    former: bool = False  # the guest has had themselves deleted
    sign: Sign | None = None  # the guest's own

    @property
    def bot_plays(self) -> bool:
        """Whether a bot decides here."""
        return self.level is not None

    @property
    def person(self) -> bool:
        """Whether a person decides here; of those who share one screen, all but one have only a name."""
        return not self.empty and not self.bot_plays

    @property
    def standin(self) -> bool:
        """Whether a bot plays for someone who left."""
        return self.guest is not None and self.level is not None

    @property
    def empty(self) -> bool:
        """Whether nobody sits here, or sat: who played elsewhere is no guest of this house, and has a name."""
        return self.guest is None and self.level is None and not self.name


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
    revision: int = 0
    follows: str | None = None  # the table whose rematch this is
    result: str | None = None  # JSON: an `Outcome`, when the game is over
    clock: str = ""  # JSON: its `ClockTerms`; empty: none
    due: float | None = None  # while a clock runs: when it may run out, as it was stored
    take_back: str = "information"  # or `consent`
    asking: str = ""  # JSON: an `Asking`
    quiet: bool = False  # there is no chat here
    rated: bool = False
    imported: bool = False  # played elsewhere
    tournament: str | None = None  # the one it belongs to
    hot: bool = False  # one screen is passed around: its people are names on chairs
    hints: bool = False  # whoever is to decide may ask for one
    branch: str = ""  # JSON: where it comes from (`fair.Origin`), if it is a branch of another game
    chairs: list[ChairRow] = field(default_factory=list)


@dataclass
class ChatRow:
    """Something said."""

    seat: int | None
    name: str
    text: str
    at: float
    n: int = 0  # its number, once it is stored
    guest: str | None = None  # who said it


@dataclass
class GameRow:
    """What a referee needs to set up a table's game again: only it may ask for this."""

    server_seed: bytes
    seed: int | None
    decided: list[Decided] = field(default_factory=list)
    dealt: bytes | None = None  # the deal's trace
    traces: list[bytes | None] = field(default_factory=list)  # one for each of `decided`
    marks: list[tuple[float, str | None]] = field(default_factory=list)  # likewise: when, and who decided
    whole: int | None = None  # how many rows are as they were written, if not all
    hash: bytes = FIRST  # of the last row
    clock: list[Row] = field(default_factory=list)  # what its clocks follow from
    deck: str | None = None  # the content of its deck, if it is not the printed one


class NewStep(NamedTuple):
    """A step that another server may have stored."""

    seat: int
    action: int
    step: int
    at: float
    trace: bytes | None
    hash: bytes
    decider: str | None


@dataclass
class News:
    """A table as it is stored now, with what its referee may not know yet."""

    row: TableRow
    steps: list[NewStep]
    chat: list[ChatRow]  # the last things said
    clock: list[Row]  # all rows of its clocks


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
            rematch, drafts, ended, unused, revision, follows, result, clock, due, take_back, asking, quiet, rated,
            imported, tournament, hot, hints, branch"""
_NOW = "(SELECT hours FROM house)"  # the house's own time
HOURS_A_DAY = 24
DECISION = "table_id, seq, seat, action, command, at, step, trace, hash"
Step = tuple[int, int, int, str | None]  # seat, action, which step of its decision, and the command's name


# ── What is written: `await store.write(append, …)` ──────────


def append(
    db: Connection,
    table: str, seq: int, seat: int, actions: list[int], command: str | None, at: float, waiting: int, phase: str,
    traces: Sequence[bytes | None] = (), before: bytes | None = None, decider: str | None = None,
    result: str | None = None,
) -> bytes:  # fmt: skip
    """Adds one decision, its steps from `seq` on, if it is the next one and the command is new.

    `before` is the hash of the row before, for whoever knows it; returns that of the last row. (`appending.py` does the
    same for many tables at once.)
    """
    moved = db.execute(
        """UPDATE tables SET seq = ?, waiting = ?, phase = ?, moved = ?, result = ?, revision = revision + 1
           WHERE id = ? AND seq = ? AND phase = 'playing'
           AND NOT EXISTS (SELECT 1 FROM screened WHERE table_id = ? AND command = ?)
           AND NOT EXISTS (SELECT 1 FROM decisions WHERE table_id = ? AND command = ?)""",
        (seq + len(actions) - 1, waiting, phase, at, result, table, seq - 1, table, command, table, command),
    )
    if moved.rowcount != 1:
        raise Overtaken if find_command(db, table, command) is None else Repeated
    rows = linked(_before(db, table, seq, before), table, seq, steps_of(seat, actions, command), at, traces)
    _add_rows(db, rows, {seat: decider})
    if phase == "over":
        free_chairs(db, table)
    return bytes(rows[-1][-1])


def _add_rows(db: Connection, rows: list[tuple[Any, ...]], deciders: Mapping[int, str | None]) -> None:
    """Rows of decisions, with who decided at each seat."""
    add = f"INSERT INTO decisions ({DECISION}, decider) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    whole = [(*row, deciders.get(row[2])) for row in rows]
    if len(whole) == 1:
        db.execute(add, whole[0])
    else:
        db.executemany(add, whole)


def steps_of(seat: int, actions: list[int], command: str | None) -> list[Step]:
    """The steps of one decision; the first bears the command's name."""
    return [(seat, action, step, None if step else command) for step, action in enumerate(actions)]


def append_screens(
    db: Connection,
    table: str, seq: int, decided: list[Decided], drafts: str, at: float, waiting: int, phase: str,
    command: str | None, seat: int, actions: list[int], traces: Sequence[bytes | None] = (),
    before: bytes | None = None, deciders: Mapping[int, str | None] = MappingProxyType({}), result: str | None = None,
) -> bytes:  # fmt: skip
    """Adds what was behind the screens, from `seq` on, if it still stands there as `drafts` says and the command is new.

    Hashes as in `append`.
    """
    _refuse_repeated(db, table, command)
    moved = db.execute(
        """UPDATE tables SET seq = ?, drafts = '', waiting = ?, phase = ?, moved = ?, result = ?, revision = revision + 1
           WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'""",
        (seq + len(decided) - 1, waiting, phase, at, result, table, seq - 1, drafts),
    )
    if moved.rowcount != 1:
        _refuse_repeated(db, table, command)  # by another server, a moment ago
        raise Overtaken
    if phase == "over":
        free_chairs(db, table)
    steps: list[Step] = [(*step, None) for step in decided]
    rows = linked(_before(db, table, seq, before), table, seq, steps, at, traces)
    _add_rows(db, rows, deciders)
    _keep_screened(db, table, command, seat, actions, seq)
    return bytes(rows[-1][-1])


def _before(db: Connection, table: str, seq: int, known: bytes | None) -> bytes:
    """The hash of the row before that one. Rows are never changed, so who knows it and the number need not ask."""
    if known is not None:
        return known
    found = db.execute("SELECT hash FROM decisions WHERE table_id = ? AND seq = ?", (table, seq - 1)).fetchone()
    return bytes(found[0]) if found else FIRST


def linked(
    before: bytes, table: str, seq: int, steps: list[Step], at: float, traces: Sequence[bytes | None]
) -> list[tuple[Any, ...]]:
    """Rows of decisions from `seq` on, each with its hash."""
    rows = []
    for n, ((seat, action, step, command), trace) in enumerate(zip(steps, traces or [None] * len(steps), strict=True)):
        row = (table, seq + n, seat, action, command, at, step, trace)
        before = chained(before, *row)
        rows.append((*row, before))
    return rows


def add_history(
    db: Connection, table: str, decided: Sequence[Decided], times: Sequence[float], traces: Sequence[bytes],
    deciders: Sequence[str | None],
) -> None:  # fmt: skip
    """All decisions of a game that was played elsewhere."""
    before = FIRST
    for n, (step, at, trace, decider) in enumerate(zip(decided, times, traces, deciders, strict=True)):
        rows = linked(before, table, n + 1, [(*step, None)], at, [trace])
        before = rows[-1][-1]
        _add_rows(db, rows, {step[0]: decider})


def set_drafts(
    db: Connection,
    table: str, seq: int, old: str, new: str, waiting: int, command: str | None, seat: int, actions: list[int],
) -> None:  # fmt: skip
    """What is behind the screens now, if nothing has changed since decision `seq` and `old` and the command is new."""
    _refuse_repeated(db, table, command)
    changed = db.execute(
        """UPDATE tables SET drafts = ?, waiting = ?, revision = revision + 1
           WHERE id = ? AND seq = ? AND drafts = ? AND phase = 'playing'""",
        (new, waiting, table, seq, old),
    )
    if changed.rowcount != 1:
        _refuse_repeated(db, table, command)
        raise Overtaken
    _keep_screened(db, table, command, seat, actions, seq + 1)


def _refuse_repeated(db: Connection, table: str, command: str | None) -> None:
    if find_command(db, table, command) is not None:
        raise Repeated


def _keep_screened(db: Connection, table: str, command: str | None, seat: int, actions: list[int], seq: int) -> None:
    """A new command behind a screen, to be answered with `seq`."""
    if command is not None:
        written = msgspec.json.encode(actions).decode()
        db.execute("INSERT INTO screened VALUES (?, ?, ?, ?, ?)", (table, command, seat, written, seq))


def spend(db: Connection, limits: Sequence[Limit], at: float) -> None:
    """Counts one more use for each of these, if none of them is used up."""
    one_at_a_time(db, (limit.who for limit in limits))
    for limit in limits:
        query = "SELECT COUNT(*) FROM uses WHERE what = ? AND who = ? AND at > ? AND at <= ?"
        [used] = db.execute(query, (limit.what, limit.who, at - limit.seconds, at)).fetchone()
        if used >= limit.most:
            raise Exceeded(limit)
    db.executemany("INSERT INTO uses VALUES (?, ?, ?)", [(limit.what, limit.who, at) for limit in limits])


def forget_uses(db: Connection, before: float, after: float) -> None:
    """Drops what does not count any more, and what a clock that went wrong has left in the future."""
    db.execute("DELETE FROM uses WHERE at < ? OR at > ?", (before, after))


def forget_wishes(db: Connection, before: float) -> None:
    """Drops the wishes for a quick match of which nobody has asked since then."""
    db.execute("DELETE FROM wishes WHERE seen < ?", (before,))


def add_guest(db: Connection, guest: str, secret: bytes, name: str, at: float, limits: Sequence[Limit] = ()) -> None:
    """A new guest, on their first device; `secret` is hashed already."""
    spend(db, limits, at)
    db.execute(f"INSERT INTO guests (id, name, created, seen) VALUES (?, ?, ?, {_NOW})", (guest, name, at))
    add_device(db, guest, DeviceRow(guest, "", "first", at, at), secret)


def add_device(db: Connection, guest: str, device: DeviceRow, secret: bytes) -> None:
    """A further device of a guest; `secret` is hashed already."""
    db.execute(
        f"""INSERT INTO devices (secret, id, guest, name, how, created, seen, hour)
            VALUES (?, ?, ?, ?, ?, ?, ?, {_NOW})""",
        (secret, device.id, guest, device.name, device.how, device.created, device.seen),
    )


def greet(db: Connection, guest: str, secret: bytes, at: float) -> None:
    """A guest is here again, on the device with this (hashed) secret."""
    db.execute(f"UPDATE guests SET seen = {_NOW} WHERE id = ?", (guest,))
    db.execute(f"UPDATE devices SET hour = {_NOW}, seen = ? WHERE secret = ?", (at, secret))


def rename_guest(db: Connection, guest: str, name: str) -> None:
    """A guest wants to be called otherwise."""
    db.execute("UPDATE guests SET name = ? WHERE id = ?", (name, guest))


def open_table(db: Connection, row: TableRow, server_seed: bytes, unfinished: Limit, limits: Sequence[Limit]) -> None:
    """A new table, if its host has not too many unfinished ones and has not opened too many lately."""
    one_at_a_time(db, [unfinished.who])
    if count_unfinished(db, unfinished.who) >= unfinished.most:
        raise Exceeded(unfinished)
    spend(db, limits, row.created)
    add_table(db, row, server_seed)


def add_table(db: Connection, row: TableRow, server_seed: bytes) -> None:
    """A new table."""
    values = _values(row)
    db.execute(f"INSERT INTO tables ({_TABLE}) VALUES ({', '.join('?' * len(values))})", values)
    db.execute("INSERT INTO seeds (table_id, server_seed) VALUES (?, ?)", (row.id, server_seed))
    _set_chairs(db, row)


def save_table(db: Connection, row: TableRow) -> None:
    """Host, invitation and chairs of a table, if `row` was its newest revision; its decisions have their own way."""
    _revise(db, row, "host = ?, invite = ?, quiet = ?", row.host, row.invite, int(row.quiet))
    _set_chairs(db, row)


def arrange_table(db: Connection, row: TableRow) -> None:
    """All chairs of a table whose game has not begun, and what is agreed on there."""
    agreed = msgspec.json.encode(row.options).decode(), row.clock, row.take_back, int(row.rated), int(row.hints)
    _revise(db, row, "options = ?, clock = ?, take_back = ?, rated = ?, hints = ?", *agreed, phase="open")
    db.execute("DELETE FROM chairs WHERE table_id = ?", (row.id,))
    _set_chairs(db, row)


def keep_asking(db: Connection, row: TableRow) -> None:
    """Somebody asks to be let take back, or has an answer."""
    _revise(db, row, "asking = ?", row.asking, phase="playing")


def start_table(
    db: Connection, row: TableRow, seed: int | None, waiting: int, at: float, dealt: bytes | None = None
) -> None:
    """The game begins: if it has not yet."""
    _revise(db, row, "phase = 'playing', version = ?, waiting = ?, moved = ?", row.version, waiting, at, phase="open")
    db.execute("UPDATE seeds SET seed = ?, dealt = ? WHERE table_id = ?", (seed, dealt, row.id))
    _set_chairs(db, row)


def _revise(db: Connection, row: TableRow, change: str, *values: Any, phase: str | None = None) -> None:
    """Changes a table's own row, if it is in that phase and nobody has changed anything since `row.revision`."""
    revised = db.execute(
        f"UPDATE tables SET {change}, revision = revision + 1 WHERE id = ? AND revision = ? AND phase = COALESCE(?, phase)",
        (*values, row.id, row.revision, phase),
    )
    if revised.rowcount != 1:
        raise Overtaken


def carry_over(db: Connection, table: str, seq: int, version: str) -> None:
    """The rules of this version give the same game: it goes on by them."""
    db.execute("UPDATE tables SET version = ?, revision = revision + 1 WHERE id = ? AND seq = ?", (version, table, seq))


def keep_result(db: Connection, table: str, result: str) -> None:
    """How a game ended that an earlier server has finished."""
    db.execute("UPDATE tables SET result = ? WHERE id = ? AND phase = 'over' AND result IS NULL", (result, table))
    _note_ranks(db, table, result)


def end_table(db: Connection, table: str, seq: int, why: str) -> None:
    """A game ends before its time; what was decided stays."""
    db.execute(
        """UPDATE tables SET phase = 'over', ended = ?, waiting = 0, drafts = '', revision = revision + 1
           WHERE id = ? AND seq = ? AND phase = 'playing'""",
        (why, table, seq),
    )
    free_chairs(db, table)


def add_rematch(db: Connection, old: str, row: TableRow, server_seed: bytes) -> None:
    """A new table that follows an old one, if none does yet."""
    linked = db.execute(
        "UPDATE tables SET rematch = ?, revision = revision + 1 WHERE id = ? AND rematch IS NULL", (row.id, old)
    )
    if linked.rowcount != 1:
        raise Overtaken
    add_table(db, row, server_seed)


def add_chat(db: Connection, table: str, said: ChatRow, limits: Sequence[Limit] = ()) -> tuple[int, int]:
    """Something was said; returns its number, and the table's revision."""
    spend(db, limits, said.at)
    revised = db.execute(
        "UPDATE tables SET revision = revision + 1 WHERE id = ? RETURNING revision", (table,)
    ).fetchone()
    added = db.execute(
        "INSERT INTO chat (table_id, seat, name, text, at, guest) VALUES (?, ?, ?, ?, ?, ?) RETURNING n",
        (table, said.seat, said.name, said.text, said.at, said.guest),
    ).fetchone()
    return int(added[0]), int(revised[0])


def use_table(db: Connection, table: str) -> bool:
    """Somebody has come to a table that has not begun; false if it is gone."""
    return db.execute("UPDATE tables SET unused = 0 WHERE id = ?", (table,)).rowcount == 1


def use_tables(db: Connection, in_use: Collection[str]) -> None:
    """Somebody is at these tables, or was a moment ago."""
    db.executemany("UPDATE tables SET unused = 0 WHERE id = ?", [(id,) for id in in_use])


def drop_unused(db: Connection, in_use: Collection[str], hours: int) -> list[str]:
    """An hour has passed: forgets tables that never began and that nobody has used for so many; returns which.

    Hours are counted, not read from a clock: neither a jump of the clock nor a night without the server ages a table.
    """
    db.execute("UPDATE house SET hours = hours + 1")
    db.execute("UPDATE tables SET unused = unused + 1 WHERE phase = 'open'")
    use_tables(db, in_use)
    stale = [id for (id,) in db.execute("SELECT id FROM tables WHERE phase = 'open' AND unused > ?", (hours,))]
    drop_tables(db, stale)
    return stale


def expired_games(db: Connection, days: int) -> list[str]:
    """Games that ended more than so many days of the house ago."""
    query = f"SELECT id FROM tables WHERE phase = 'over' AND finished < {_NOW} - ? ORDER BY finished"
    return [id for (id,) in db.execute(query, (HOURS_A_DAY * days,))]


def expired_guests(db: Connection, days: int) -> list[str]:
    """Guests who have not been here for so many days of the house and sit at no table that is kept."""
    query = f"""SELECT id FROM guests WHERE seen < {_NOW} - ?
                AND NOT EXISTS (SELECT 1 FROM chairs WHERE guest = guests.id)
                AND NOT EXISTS (SELECT 1 FROM entrants WHERE guest = guests.id) ORDER BY seen"""
    return [id for (id,) in db.execute(query, (HOURS_A_DAY * days,))]


def expire(
    db: Connection, days_of_games: int, days_of_guests: int, tables_in_use: Collection[str],
    guests_in_use: Collection[str],
) -> tuple[int, int]:  # fmt: skip
    """Drops finished games, then guests, after so many days (0: never); returns how many of each."""
    games = [id for id in expired_games(db, days_of_games) if id not in tables_in_use] if days_of_games else []
    drop_tables(db, games)
    if games:
        drop_tournaments(db)
    guests = [id for id in expired_guests(db, days_of_guests) if id not in guests_in_use] if days_of_guests else []
    drop_guests(db, guests)
    return len(games), len(guests)


def drop_guests(db: Connection, guests: Sequence[str]) -> None:
    """Forgets guests, and everything of theirs but what they have done at tables."""
    one_by_one = [(guest,) for guest in guests]
    db.executemany("DELETE FROM guests WHERE id = ?", one_by_one)
    for name in (
        "devices",
        "passkeys",
        "tickets",
        "browsers",
        "mutes",
        "friends",
        "blocks",
        "shelf",
        "wishes",
        "invitations",
    ):
        db.executemany(f"DELETE FROM {name} WHERE guest = ?", one_by_one)
    db.executemany("DELETE FROM friends WHERE friend = ?", one_by_one)
    db.executemany("DELETE FROM invitations WHERE by_guest = ?", one_by_one)
    db.executemany("DELETE FROM blocks WHERE blocked = ?", one_by_one)


def drop_tables(db: Connection, tables: Sequence[str]) -> None:
    """Forgets tables and everything about them."""
    one_by_one = [(table,) for table in tables]
    db.executemany(  # with a game its effect on ratings goes: those of its kind are made anew from what is left
        "DELETE FROM ratings WHERE (game, seats) IN (SELECT game, seats FROM ratings WHERE table_id = ?)", one_by_one
    )
    db.executemany("DELETE FROM tables WHERE id = ?", one_by_one)
    for name in (
        "chairs",
        "chat",
        "seeds",
        "decisions",
        "screened",
        "clock_rows",
        "told",
        "reviews",
        "review_parts",
        "wishes",
        "invitations",
    ):
        db.executemany(f"DELETE FROM {name} WHERE table_id = ?", one_by_one)
    if tables:
        db.execute(
            """UPDATE tables SET rematch = NULL, revision = revision + 1
               WHERE rematch IS NOT NULL AND rematch NOT IN (SELECT id FROM tables)"""
        )


def drop_tournaments(db: Connection) -> None:
    """Forgets those that are over and none of whose games is kept."""
    db.execute(
        """DELETE FROM tournaments WHERE phase = 'over'
           AND NOT EXISTS (SELECT 1 FROM meetings JOIN tables ON tables.id = table_id
                           WHERE meetings.tournament = tournaments.id)"""
    )
    for name in ("entrants", "meetings"):
        db.execute(f"DELETE FROM {name} WHERE tournament NOT IN (SELECT id FROM tournaments)")


def give_up(db: Connection, table: str, guest: str) -> None:
    """A guest leaves a table whose game this house does not have any more: nobody can play on for them."""
    db.execute("UPDATE chairs SET over = 1 WHERE table_id = ? AND guest = ?", (table, guest))


def _values(row: TableRow) -> tuple[Any, ...]:
    return (
        row.id, row.game, row.version, msgspec.json.encode(row.options).decode(), int(row.public), row.name, row.host,
        row.phase, row.invite, row.commitment, row.created, row.moved, row.seq, row.waiting, row.rematch,
        row.drafts, row.ended, row.unused, row.revision, row.follows, row.result, row.clock, row.due, row.take_back,
        row.asking, int(row.quiet), int(row.rated), int(row.imported), row.tournament, int(row.hot), int(row.hints),
        row.branch,
    )  # fmt: skip


def _set_chairs(db: Connection, row: TableRow) -> None:
    db.executemany(
        """INSERT INTO chairs (table_id, seat, guest, bot, level, entropy, ready) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (table_id, seat) DO UPDATE SET guest = excluded.guest, bot = excluded.bot, level = excluded.level,
           entropy = excluded.entropy, ready = excluded.ready""",
        [
            (row.id, seat, chair.guest, "" if chair.guest else chair.name, chair.level, chair.entropy, int(chair.ready))
            for seat, chair in enumerate(row.chairs)
        ],
    )
    inviting = any(chair.guest is not None for chair in row.chairs) and any(chair.empty for chair in row.chairs)
    db.execute(
        "UPDATE tables SET listed = CASE WHEN phase = 'open' AND public = 1 THEN ? ELSE 0 END WHERE id = ?",
        (int(inviting), row.id),
    )


def free_chairs(db: Connection, table: str) -> None:
    """The game is over: nobody sits there any more, as far as limits go."""
    finish = f"UPDATE tables SET finished = {_NOW}, due = NULL WHERE id = ? RETURNING result"
    ended = db.execute(finish, (table,)).fetchone()
    db.execute("UPDATE chairs SET over = 1 WHERE table_id = ?", (table,))
    if ended is not None:
        _note_ranks(db, table, ended[0])


def _note_ranks(db: Connection, table: str, result: str | None) -> None:
    """How it ended stands with the chairs too, so that it can be asked for."""
    if result is not None:
        db.executemany("UPDATE chairs SET rank = ? WHERE table_id = ? AND seat = ?", ranks_noted(table, result))


# ── What is read: `await store.read(find_guest, …)` ──────────


def find_guest(db: Connection, secret: bytes) -> GuestRow | None:
    """The guest with this (hashed) secret."""
    found = db.execute(
        f"""SELECT guests.id, guests.name, symbol, colour, chat, banned, hour <= {_NOW} - {HOURS_A_DAY}
            FROM devices JOIN guests ON guests.id = guest WHERE secret = ?""",
        (secret,),
    ).fetchone()
    if found is None:
        return None
    blocked = db.execute("SELECT blocked FROM blocks WHERE guest = ?", (found[0],)).fetchall()
    id, name, symbol, colour, chat, banned, long_ago = found
    others = frozenset(other for (other,) in blocked)
    return GuestRow(id, name, symbol, colour, bool(chat), bool(banned), bool(long_ago), others)


def find_command(db: Connection, table: str, command: str | None) -> StoredCommand | None:
    """What came with this command, if it is stored."""
    if command is None:
        return None
    return _find_screened(db, table, command) or _find_decision(db, table, command)


def _find_screened(db: Connection, table: str, command: str) -> StoredCommand | None:
    found = db.execute(
        "SELECT seq, seat, actions FROM screened WHERE table_id = ? AND command = ?", (table, command)
    ).fetchone()
    return StoredCommand(found[0], found[1], msgspec.json.decode(found[2]), True) if found else None


def _find_decision(db: Connection, table: str, command: str) -> StoredCommand | None:
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


def find_table(db: Connection, table: str) -> TableRow | None:
    """A table and its chairs."""
    found = _tables(db, "WHERE id = ?", table)
    return found[0] if found else None


def find_game(db: Connection, table: str) -> GameRow:
    """Seeds and decisions of a table, for its referee."""
    seeds = db.execute("SELECT server_seed, seed, dealt FROM seeds WHERE table_id = ?", (table,)).fetchone()
    found = db.execute(
        f"SELECT {DECISION}, decider FROM decisions WHERE table_id = ? ORDER BY seq", (table,)
    ).fetchall()
    rows, marks = [row[:-1] for row in found], [(row[5], row[-1]) for row in found]
    decided = [(seat, action, step) for _, _, seat, action, _, _, step, _, _ in rows]
    server_seed, seed, dealt = seeds or (b"", None, b"lost")
    last, traced = bytes(rows[-1][-1]) if rows else FIRST, [row[-2] for row in rows]
    return GameRow(server_seed, seed, decided, dealt, traced, marks, _whole(rows), last, deck=find_deck(db, table))


def find_deck(db: Connection, table: str) -> str | None:
    """The content of a table's deck; none if it is the printed one."""
    [options] = db.execute("SELECT options FROM tables WHERE id = ?", (table,)).fetchone() or ("{}",)
    if f'"{DECK}"' not in options:
        return None
    chosen = msgspec.json.decode(options, type=dict[str, str]).get(DECK)
    found = db.execute("SELECT text FROM decks WHERE hash = ?", (chosen,)).fetchone()
    return found[0] if found is not None else None


def _whole(rows: list[tuple[Any, ...]]) -> int | None:
    """How many of a game's rows are as they were written; None if all are."""
    before = FIRST
    for n, (*row, hashed) in enumerate(rows):
        before = chained(before, *row)
        if hashed != before or row[1] != n + 1:
            return n
    return None


def find_both(db: Connection, table: str) -> tuple[TableRow, GameRow] | None:
    """A table and its game, as they were at one moment."""
    with one_moment(db):
        row = find_table(db, table)
        if row is None:
            return None
        game = find_game(db, table)
        game.clock = find_clock(db, row)
        return row, game


def find_clock(db: Connection, row: TableRow) -> list[Row]:
    """What the clocks of a table follow from; nobody is asked where there is none."""
    return find_rows(db, row.id) if row.clock else []


def find_news(db: Connection, table: str, seq: int, most_chat: int) -> News | None:
    """What another server may have written about a table; its decisions after that one, as they were at one moment."""
    with one_moment(db):
        row = find_table(db, table)
        if row is None:
            return None
        steps = db.execute(
            """SELECT seat, action, step, at, trace, hash, decider FROM decisions
               WHERE table_id = ? AND seq > ? ORDER BY seq""",
            (table, seq),
        ).fetchall()
        chat = find_chat(db, table, most_chat)
        return News(row, [NewStep(*step) for step in steps], chat, find_clock(db, row))


def find_revisions(db: Connection, tables: Sequence[str]) -> dict[str, int]:
    """How often each of these has changed; those that are gone are left out."""
    marks = ", ".join("?" * len(tables))
    return dict(db.execute(f"SELECT id, revision FROM tables WHERE id IN ({marks})", tables).fetchall())


def find_chat(db: Connection, table: str, most: int) -> list[ChatRow]:
    """The last things said at a table, oldest first."""
    rows = db.execute(
        "SELECT seat, name, text, at, n, guest FROM chat WHERE table_id = ? ORDER BY n DESC LIMIT ?", (table, most)
    ).fetchall()
    return [ChatRow(*row) for row in reversed(rows)]


_FREE = """((SELECT COUNT(*) FROM chairs WHERE table_id = id AND guest IS NULL AND level IS NULL)
            - (SELECT COUNT(*) FROM invitations WHERE table_id = id AND kept = 1))"""  # chairs that nobody has or keeps


@dataclass(frozen=True)
class Wanted:
    """Which open tables are looked for; what is not said does not matter."""

    game: str | None = None
    free: int = 1  # chairs at least
    clock: str | None = None  # none, live, days
    rated: bool | None = None

    def conditions(self) -> Iterator[tuple[str, list[Any]]]:
        """Each as a condition on a table, and its values."""
        yield "listed = 1", []
        yield f"{_FREE} >= ?", [self.free]
        if self.game is not None:
            yield "game = ?", [self.game]
        if self.clock is not None:
            kind = "" if self.clock == "none" else f'%"kind":"{self.clock}"%'
            yield "clock LIKE ?", [kind]
        if self.rated is not None:
            yield "rated = ?", [int(self.rated)]


ANY_TABLE = Wanted()


def open_tables(db: Connection, most: int, wanted: Wanted = ANY_TABLE) -> list[TableRow]:
    """Public tables that have not begun, with a person and a free chair, newest first."""
    conditions = list(wanted.conditions())
    where = " AND ".join(condition for condition, _ in conditions)
    values = [value for _, its_values in conditions for value in its_values]
    return _tables(db, f"WHERE {where} ORDER BY created DESC LIMIT ?", *values, most)


def running_tables(db: Connection, guest: str, since: float, most: int) -> list[TableRow]:
    """Public games that were moved since then, where this guest does not sit; what was moved last comes first."""
    return _tables(
        db,
        """WHERE public = 1 AND phase = 'playing' AND moved >= ?
           AND NOT EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest = ?) ORDER BY moved DESC, id LIMIT ?""",
        since,
        guest,
        most,
    )


def games_of(db: Connection, tables: Sequence[str]) -> list[tuple[str, str]]:
    """Which game is played at each of these tables."""
    marks = ", ".join("?" * len(tables))
    rows = db.execute(f"SELECT id, game FROM tables WHERE id IN ({marks})", list(tables)).fetchall() if tables else []
    return [(id, game) for id, game in rows]


def note_here(db: Connection, guests: Sequence[str], now: float) -> None:
    """These guests are here."""
    db.executemany("UPDATE guests SET here = ? WHERE id = ?", [(now, guest) for guest in guests])


def unfinished_of(db: Connection, guest: str, most: int) -> list[TableRow]:
    """The tables where a guest sits that are not over, those used last first."""
    return _tables(
        db,
        """WHERE id IN (SELECT table_id FROM chairs WHERE guest = ? AND over = 0) ORDER BY moved DESC, id DESC LIMIT ?""",
        guest,
        most,
    )


@dataclass(frozen=True)
class Sought:
    """Which finished games of a guest are looked for; what is not said does not matter."""

    game: str | None = None
    seats: int | None = None
    rated: bool | None = None
    won: bool | None = None
    beside: str | None = None  # another guest, who played too
    seen_by: str | None = None  # another guest, who may not know of private tables where they did not play

    def conditions(self) -> Iterator[tuple[str, list[Any]]]:
        """Each as a condition on a table, and its values."""
        if self.game is not None:
            yield "game = ?", [self.game]
        if self.seats is not None:
            yield "(SELECT COUNT(*) FROM chairs WHERE table_id = id) = ?", [self.seats]
        if self.rated is not None:
            yield "rated = ?", [int(self.rated)]
        if self.beside is not None:
            yield "EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest = ?)", [self.beside]
        if self.seen_by is not None:
            yield "(public = 1 OR EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest = ?))", [self.seen_by]


EVERYTHING = Sought()


def finished_of(
    db: Connection, guest: str, most: int, after: str | None = None, sought: Sought = EVERYTHING
) -> list[TableRow] | None:
    """A guest's finished games, the newest first: a page of them, after that table; None if it is not one of theirs."""
    won = {None: "", True: "AND rank = 1", False: "AND rank > 1"}[sought.won]
    where = [f"id IN (SELECT table_id FROM chairs WHERE guest = ? AND over = 1 {won})"]
    values: list[Any] = [guest]
    for condition, its_values in sought.conditions():
        where.append(condition)
        values += its_values
    if after is not None:
        own = (
            "SELECT moved FROM tables WHERE id = ? AND EXISTS (SELECT 1 FROM chairs WHERE table_id = id AND guest = ?)"
        )
        found = db.execute(own, (after, guest)).fetchone()
        if found is None:
            return None
        where.append("(moved < ? OR (moved = ? AND id < ?))")
        values += [found[0], found[0], after]
    return _tables(db, f"WHERE {' AND '.join(where)} ORDER BY moved DESC, id DESC LIMIT ?", *values, most)


def count_unfinished(db: Connection, guest: str) -> int:
    """How many tables of this guest are not over."""
    found = db.execute("SELECT COUNT(*) FROM chairs WHERE guest = ? AND over = 0", (guest,))
    return int(found.fetchone()[0])


def played_since(db: Connection, since: float, most: int) -> list[str]:
    """Running tables that were moved since then; what was moved last comes first."""
    rows = db.execute(
        "SELECT id FROM tables WHERE phase = 'playing' AND moved >= ? ORDER BY moved DESC, id LIMIT ?", (since, most)
    )
    return [id for (id,) in rows.fetchall()]


def waiting_for_bots(db: Connection) -> list[str]:
    """Running tables where a bot owes a decision and does not pause: after a restart they go on by themselves.

    First those where a person still plays; hosts in turn, so that nobody with many tables delays the others.
    """
    rows = db.execute(
        """SELECT id FROM (
               SELECT id, host, moved, EXISTS (
                   SELECT 1 FROM chairs WHERE table_id = id AND guest IS NOT NULL AND level IS NULL) AS played
               FROM tables WHERE phase = 'playing' AND EXISTS (
                   SELECT 1 FROM chairs WHERE table_id = id AND level IS NOT NULL
                   AND (waiting >> CAST(seat AS INTEGER)) & 1 = 1)
               AND (tournament IS NOT NULL OR 1 <> (SELECT COUNT(guest) + COUNT(CASE WHEN guest IS NOT NULL THEN level END)
                         FROM chairs WHERE table_id = id))) AS owed
           ORDER BY played DESC, ROW_NUMBER() OVER (PARTITION BY played, host ORDER BY moved DESC), moved DESC"""
    )
    return [id for (id,) in rows]


def of_other_rules(db: Connection, versions: dict[str, str]) -> list[str]:
    """Running tables that were not played by these versions of the games' rules, those used last first."""
    rows = db.execute("SELECT id, game, version FROM tables WHERE phase = 'playing' ORDER BY moved DESC")
    return [id for id, game, version in rows if versions.get(game, version) != version]


def read_result(written: str | None) -> Any:
    """How a game ended, as it was written; a damaged one is left out."""
    try:
        return msgspec.json.decode(written) if written else None
    except msgspec.MsgspecError:
        return None


def read_options(written: str) -> dict[str, str]:
    """As they were written; of a damaged row none, and the game that is dealt with those is another."""
    try:
        return msgspec.json.decode(written, type=dict[str, str])
    except msgspec.MsgspecError:
        return {}


def _tables(db: Connection, where: str, *arguments: Any) -> list[TableRow]:
    """Tables with their chairs, in two questions however many they are."""
    found: dict[str, TableRow] = {}
    for row in db.execute(f"SELECT {_TABLE} FROM tables {where}", arguments).fetchall():
        id, game, version, options, public, *rest, quiet, rated, imported, tournament, hot, hints, branch = row
        values: list[Any] = [id, game, version, read_options(options), bool(public), *rest]
        values += [bool(quiet), bool(rated), bool(imported), tournament, bool(hot), bool(hints), branch]
        found[id] = TableRow(*values)
    if found:
        chairs = db.execute(
            f"""SELECT table_id, guest, COALESCE(guests.name, bot), level, entropy, ready, COALESCE(former, 0),
                symbol, colour FROM chairs LEFT JOIN guests ON guests.id = guest
                WHERE table_id IN ({", ".join("?" * len(found))}) ORDER BY table_id, seat""",
            list(found),
        )
        for id, guest, name, level, entropy, ready, former, *sign in chairs:
            own = sign_of(guest, *sign) if guest and not former else None
            found[id].chairs.append(ChairRow(guest, name, level, entropy, bool(ready), bool(former), own))
    return list(found.values())
