"""`ludoteca check`: is everything in the house as it was written, and does every game replay?

Nothing is changed, and servers may be running: each table is read as it was at one moment. Games of other rules, and those
that have ended before their time, are counted and are nothing wrong: the server knows what to do with them (`reading.py`).
"""

from __future__ import annotations

import asyncio
import pathlib
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ludoteca import catalogue
from ludoteca.core.engine import Engine, compiled, interpreted, is_compiled
from ludoteca.core.errors import BadData, Refusal
from ludoteca.core.game import Game
from ludoteca.core.play import Play

from . import queries
from .backup import Progress
from .database import Connection, one_moment
from .fair import commit
from .looking import looked_at
from .opening import CHECKED
from .queries import GameRow, TableRow
from .reading import DAMAGED, read_back
from .schema import described, sqlite_keys
from .screens import Screens

AT_ONCE = 500  # tables whose names are read at once
MANY = 5_000  # steps of a game after which it is worth while to load its machine code, if that is there
MOST_OF_A_FILE = 20  # problems of the file itself that are listed
PHASES = ("open", "playing", "over")

Tell = Callable[[str], None]  # takes a line for whoever has asked


@dataclass
class Report:
    """What was found, beside the problems: those are told one by one."""

    problems: int = 0
    tables: int = 0
    steps: int = 0
    seconds: float = 0.0
    phases: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)  # before their time, by reason
    alike: Counter[str] = field(default_factory=Counter)  # of other rules, which today's give again, by phase
    other: Counter[str] = field(default_factory=Counter)  # of other rules, which today's do not, by phase
    not_installed: Counter[str] = field(default_factory=Counter)  # by game

    def lines(self) -> Iterator[str]:
        """All of it in words."""
        phases = ", ".join(f"{self.phases[phase]} {words}" for phase, words in IN_WORDS.items())
        rate = f"{self.tables / self.seconds:,.0f} tables/s" if self.seconds else ""
        yield f"{self.tables} tables ({phases}), {self.steps} steps, in {self.seconds:.1f} s: {rate}"
        if self.alike or self.other:
            yield (
                f"of other rules: {self.alike['playing']} running games can be carried over, {self.other['playing']} will "
                f"have to end; {self.alike['over']} finished ones replay by today's rules, {self.other['over']} do not"
            )
        for why, count in sorted(self.ended.items()):
            yield f"ended before their time, noted as «{why}»: {count}"
        for game, count in sorted(self.not_installed.items()):
            yield f"of «{game}», which is not installed here, and so not replayed: {count}"
        yield f"Wrong: {self.problems}." if self.problems else "All is well."


IN_WORDS = {"open": "not begun", "playing": "running", "over": "over"}


def check(place: pathlib.Path | str, tell: Tell, say: Tell, progress: Progress, games: Sequence[Game] = ()) -> Report:
    """Looks through a house, which may serve these games beside the installed ones.

    `tell` gets each problem as a line, `say` what is being done if it takes a while.
    """
    report = Report()
    try:
        with looked_at(place) as db:
            found = Check(db, report, tell, progress, games)
            if isinstance(db, sqlite3.Connection):
                found.look_through_file(db, pathlib.Path(place), say)
            asyncio.run(found.look_at_all())
    except BadData as refusal:
        if refusal.key != "store_damaged":
            raise
        report.problems += 1  # so much so that it cannot be read any further
        tell(refusal.sentence)
    return report


class Check:
    """One check of a house."""

    def __init__(
        self, db: Connection, report: Report, tell: Tell, progress: Progress, games: Sequence[Game] = ()
    ) -> None:
        self.report, self._games = report, games
        self._db, self._tell, self._progress = db, tell, progress
        self._engines: dict[str, Engine | None] = {}
        self._replayed: Counter[str] = Counter()  # steps, by game

    def problem(self, where: str, what: str) -> None:
        """Something is wrong."""
        self.report.problems += 1
        self._tell(f"{where}: {what}")

    async def look_at_all(self) -> None:
        """Everything but the pages of the file."""
        began = time.perf_counter()
        self._look_at_keys()
        self._look_for_loose_ends()
        [total] = self._db.execute("SELECT COUNT(*) FROM tables").fetchone()
        for id in self._names():
            await self._look_at_table(id)
            self._progress(self.report.tables, max(total, self.report.tables))
        self.report.seconds = time.perf_counter() - began

    # ── The whole ────────────────────────────────────────────

    def look_through_file(self, db: sqlite3.Connection, path: pathlib.Path, say: Tell) -> None:
        """Whether SQLite finds its own file in order, with every index."""
        size = path.stat().st_size
        if size > CHECKED:
            say(f"Looking through {size >> 20} MB of {path} …")
        for (found,) in db.execute(f"PRAGMA integrity_check({MOST_OF_A_FILE})").fetchall():
            if found != "ok":
                self.problem("the file", found.strip().replace("\n", "; "))

    def _look_at_keys(self) -> None:
        """Whether the keys that everything relies on are there, and hold."""
        there = self._keys()
        for table, as_made in described().items():
            for key in sorted(as_made.unique):
                columns = ", ".join(key)
                if key not in there.get(table, set()):
                    self.problem(f"{table} ({columns})", "is no unique key any more")
                given = " AND ".join(f"{column} IS NOT NULL" for column in key)
                twice = f"SELECT {columns}, COUNT(*) FROM {table} WHERE {given} GROUP BY {columns} HAVING COUNT(*) > 1"
                for *row, count in self._db.execute(twice).fetchall():
                    shown = ", ".join("…" if isinstance(value, bytes) else str(value) for value in row)
                    self.problem(f"{table} ({columns}) = ({shown})", f"is there {count} times")
        [houses] = self._db.execute("SELECT COUNT(*) FROM house").fetchone()
        if houses != 1:
            self.problem("house", f"has {houses} rows and should have one")

    def _keys(self) -> dict[str, set[tuple[str, ...]]]:
        if isinstance(self._db, sqlite3.Connection):
            return {table: sqlite_keys(self._db, table) for table in described()}
        from . import postgres

        assert isinstance(self._db, postgres.Connection)
        return postgres.keys(self._db)

    def _look_for_loose_ends(self) -> None:
        """Rows that belong to nothing."""
        for query, where, what in LOOSE_ENDS:
            for row in self._db.execute(query).fetchall():
                self.problem(where.format(*row), what.format(*row))

    def _names(self) -> Iterator[str]:
        last = ""
        while True:
            query = "SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?"
            names = [id for (id,) in self._db.execute(query, (last, AT_ONCE)).fetchall()]
            if not names:
                return
            yield from names
            last = names[-1]

    # ── One table ────────────────────────────────────────────

    async def _look_at_table(self, id: str) -> None:
        self.report.tables += 1
        found = _found(self._db, id)
        if found is None:  # dropped by a running server, or without its seed, which was said
            return
        row, kept = found.row, found.kept
        self.report.phases[row.phase] += 1
        self.report.steps += len(kept.decided)
        rows = list(_wrong_with_rows(found))
        for what in (*_wrong_around(found), *rows):
            self.problem(f"table {id}", what)
        if row.ended:
            self.report.ended[row.ended] += 1
        elif not rows and row.phase in ("playing", "over"):
            await self._replay(row, kept)

    async def _replay(self, row: TableRow, kept: GameRow) -> None:
        """The game played again, by today's rules."""
        engine = self._engine(row.game, kept.deck)
        if engine is None:
            self.report.not_installed[row.game] += 1
            return
        self._replayed[row.game] += len(kept.decided)
        read = await read_back(engine, row, kept)
        if row.version != engine.game.version:
            parts = read.problem or (row.phase == "playing" and not read.proven)
            (self.report.other if parts else self.report.alike)[row.phase] += 1
            if parts:
                return
        if read.problem:
            self.problem(f"table {row.id}", read.problem)
            return
        assert read.play is not None
        for what in _wrong_with_waiting(row, read.play):
            self.problem(f"table {row.id}", what)

    def _engine(self, key: str, deck: str | None) -> Engine | None:
        """The engine of a game, with the deck of the table; none if the game is not installed."""
        if deck is not None:
            try:
                return interpreted(catalogue.with_text(catalogue.known(key, self._games), deck))
            except Refusal:
                return None
        if key not in self._engines:
            try:
                self._engines[key] = interpreted(catalogue.known(key, self._games))
            except Refusal:
                self._engines[key] = None
        engine = self._engines[key]
        if engine is not None and self._replayed[key] > MANY and not engine.compiled:
            self._replayed[key] = 0
            if is_compiled(engine.game):
                engine = self._engines[key] = compiled(engine.game)
        return engine


# ── What belongs to what ─────────────────────────────────────

_NOWHERE = "NOT EXISTS (SELECT 1 FROM tables WHERE id = table_id)"

# A question that finds nothing where all is well; where it is, and what is wrong, with the columns of its rows.
LOOSE_ENDS = [
    (f"SELECT table_id, seat FROM chairs WHERE {_NOWHERE}", "chairs {0}, {1}", "there is no such table"),
    (f"SELECT table_id, seq FROM decisions WHERE {_NOWHERE}", "decisions {0}, row {1}", "there is no such table"),
    (f"SELECT table_id, command FROM screened WHERE {_NOWHERE}", "screened {0}, {1}", "there is no such table"),
    (f"SELECT table_id, n FROM clock_rows WHERE {_NOWHERE}", "clock_rows {0}, row {1}", "there is no such table"),
    (f"SELECT table_id FROM seeds WHERE {_NOWHERE}", "seeds {0}", "there is no such table"),
    (f"SELECT table_id, seat FROM ratings WHERE {_NOWHERE}", "ratings {0}, {1}", "there is no such table"),
    (f"SELECT n, table_id FROM chat WHERE {_NOWHERE}", "chat {0}", "there is no table {1}"),
    (
        "SELECT id FROM tables WHERE NOT EXISTS (SELECT 1 FROM seeds WHERE table_id = id)",
        "table {0}",
        "it has no seed, and so its game is lost",
    ),
    (
        """SELECT id, rematch FROM tables AS old
           WHERE rematch IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tables WHERE id = old.rematch)""",
        "table {0}",
        "its rematch {1} is not there",
    ),
    (
        """SELECT table_id, seat, guest FROM chairs
           WHERE guest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM guests WHERE id = guest)""",
        "table {0}, chair {1}",
        "there is no guest {2}",
    ),
    (
        """SELECT table_id, seat FROM chairs JOIN tables ON id = table_id
           WHERE phase = 'over' AND over = 0""",
        "table {0}, chair {1}",
        "the game is over, and somebody counts as playing there",
    ),
    (
        """SELECT decisions.table_id, decisions.command FROM decisions JOIN screened
           ON screened.table_id = decisions.table_id AND screened.command = decisions.command""",
        "table {0}",
        "the command {1} is there in the open and behind a screen",
    ),
]


# ── What can be wrong with a table ───────────────────────────


@dataclass
class Found:
    """A table as it was at one moment."""

    row: TableRow
    kept: GameRow
    options: str  # as they are written
    chairs: list[int]  # the numbers of its chairs
    numbers: list[int]  # of its rows
    screened: list[tuple[str, int, str, int]]  # command, seat, actions, seq


def _found(db: Connection, id: str) -> Found | None:
    """A table; None if it is gone."""
    with one_moment(db):
        row = queries.find_table(db, id)
        if row is None or db.execute("SELECT 1 FROM seeds WHERE table_id = ?", (id,)).fetchone() is None:
            return None
        kept = queries.find_game(db, id)
        [options] = db.execute("SELECT options FROM tables WHERE id = ?", (id,)).fetchone()
        chairs = _column(db, "SELECT seat FROM chairs WHERE table_id = ? ORDER BY seat", id)
        numbers = []
        if kept.whole is not None:
            numbers = _column(db, "SELECT seq FROM decisions WHERE table_id = ? ORDER BY seq", id)
        query = "SELECT command, seat, actions, seq FROM screened WHERE table_id = ? ORDER BY command"
        return Found(row, kept, options, chairs, numbers, db.execute(query, (id,)).fetchall())


def _column(db: Connection, query: str, id: str) -> list[Any]:
    return [value for (value,) in db.execute(query, (id,)).fetchall()]


def _wrong_around(found: Found) -> Iterator[str]:
    """Around the game: phase, chairs, promise, commands behind screens."""
    row, kept = found.row, found.kept
    if row.phase not in PHASES:
        yield f"there is no phase «{row.phase}»"
    if not found.chairs or found.chairs != list(range(len(found.chairs))):
        yield f"its chairs are {', '.join(map(str, found.chairs)) or 'lost'}"
    if row.commitment != commit(kept.server_seed):
        yield "its secret is not the one whose hash was shown"
    if row.phase == "open" and (row.seq or kept.decided or row.waiting or row.drafts):
        yield "it has not begun, and yet something is decided there or asked for"
    if row.ended and (row.phase != "over" or row.waiting or row.drafts):
        yield "it has ended before its time, and yet somebody is asked there"
    for command, seat, actions, seq in found.screened:
        if not _readable(actions, list[int]):
            yield f"the command {command} behind a screen is not readable"
        elif seat not in found.chairs or not 1 <= seq <= row.seq + 1:
            yield f"the command {command} behind a screen is of seat {seat} and step {seq}, which are not there"


def _readable(written: str, kind: Any) -> bool:
    """Whether this is JSON of that kind."""
    try:
        msgspec.json.decode(written, type=kind)
    except msgspec.MsgspecError:
        return False
    return True


def _wrong_with_rows(found: Found) -> Iterator[str]:
    """What keeps it from being played again; what is damaged in a game that has ended for that reason is known."""
    row, whole, count = found.row, found.kept.whole, len(found.kept.decided)
    if row.ended == DAMAGED:
        return
    if not _readable(found.options, dict[str, str]):
        yield "its options are not readable"
    if whole is None:
        if count != row.seq:
            yield f"{count} steps are stored, and {row.seq} are noted"
    elif found.numbers[whole] > whole + 1:
        yield f"row {whole + 1} is not there"
    elif found.numbers[whole] < whole + 1:
        yield f"row {found.numbers[whole]} is there twice, or was never written"
    else:
        yield f"row {whole + 1} is not as it was written"


def _wrong_with_waiting(row: TableRow, play: Play) -> Iterator[str]:
    """Who is asked, and what is behind the screens."""
    try:
        screens = Screens.read(play.game, row.drafts)
        sealed = {seat for seat in screens.steps if screens.sealed(seat)}
    except (msgspec.MsgspecError, Refusal, LookupError):
        yield "what is behind its screens is not readable"
        return
    try:
        if not all(screens.covers(action) for steps in screens.steps.values() for action, _ in steps):
            yield "something is behind its screens that belongs in the open"
        screens.check(play)
    except Refusal as refusal:
        yield f"what is behind its screens is not possible: {refusal.sentence}"
    asked = [seat for seat in play.waiting() if seat not in sealed]
    if sum(1 << seat for seat in asked) != row.waiting:
        noted = [seat for seat in range(row.waiting.bit_length()) if row.waiting >> seat & 1]
        yield f"seats {asked} are asked, and {noted} are noted"
