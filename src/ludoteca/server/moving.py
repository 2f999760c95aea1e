"""`ludoteca move-house`: carries a whole house from a file into an empty Postgres database, or back into a new file.

All of it or nothing: into Postgres in one transaction, into a file that gets its name at the end. Whatever goes wrong, it
can be tried again, and the old house is as it was. Before the new one counts it is read back and compared with the old one,
row by row, journal by journal.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import pathlib
import sqlite3
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludoteca.core.errors import BadData

from .backup import Progress, made_beside
from .database import one_moment
from .looking import looked_at
from .neighbours import count_alive
from .opening import connected, in_words
from .schema import described, make
from .settings import is_address
from .sqlite import Sqlite

LEFT_BEHIND = {"servers"}  # which servers are alive: nobody's, by then
JOURNALS = "decisions"
AT_ONCE = 5000  # rows fetched or written at once
HASH_BYTES = 16

TYPES = {"TEXT": "text", "INTEGER": "int8", "REAL": "float8", "BLOB": "bytea"}  # as Postgres calls them

Row = tuple[Any, ...]


@dataclass
class Tally:
    """What a table of the database holds: how many rows, and a hash of all columns, for each journal its own."""

    rows: int = 0
    hashes: dict[str, Any] = field(default_factory=dict)

    def add(self, table: str, row: Row) -> None:
        """One row more."""
        self.rows += 1
        journal = row[0] if table == JOURNALS else table
        hashed = self.hashes.get(journal)
        if hashed is None:
            hashed = self.hashes[journal] = hashlib.blake2b(digest_size=HASH_BYTES)
        hashed.update(repr(row).encode())

    def digest(self) -> str:
        """All hashes in one, to be shown."""
        whole = hashlib.blake2b(digest_size=HASH_BYTES // 2)
        for name, hashed in self.hashes.items():
            whole.update(name.encode() + hashed.digest())
        return whole.hexdigest()

    def differing(self, other: Tally) -> list[str]:
        """The journals that are not the same there."""
        mine = {name: hashed.digest() for name, hashed in self.hashes.items()}
        theirs = {name: hashed.digest() for name, hashed in other.hashes.items()}
        return sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))


@dataclass(frozen=True)
class Compared:
    """A table of the database in the old house and in the new one."""

    table: str
    old: Tally
    new: Tally

    @property
    def same(self) -> bool:
        """Whether nothing was lost or changed on the way."""
        return self.old.rows == self.new.rows and not self.old.differing(self.new)


def move(old: pathlib.Path | str, new: pathlib.Path | str, progress: Progress) -> list[Compared]:
    """Carries a house over; if something differs in the end, the new one is left empty."""
    if is_address(old) == is_address(new):
        raise BadData(
            "A house moves from a file to a Postgres database, or back. "
            "For a copy of a file there is ludoteca backup, for one of a database pg_dump.",
            "not_moved",
        )
    compared: list[Compared] = []
    with _leaving(old) as source, _entering(new) as target:
        compared = _carry(source, target, progress)
        if not all(table.same for table in compared):
            target.give_up()
    return compared


# ── Two kinds of houses ──────────────────────────────────────


class Old(Protocol):
    """A house that is read."""

    def count(self, table: str) -> int:
        """How many rows a table has."""

    def rows(self, table: str) -> Generator[Row, None, None]:
        """All of them, in the order of its key."""


class New(Old, Protocol):
    """A house that is written, and read again."""

    def fill(self, table: str, rows: Iterable[Row]) -> None:
        """Puts these rows into a table, in place of what a new one has."""

    def finish(self) -> None:
        """All is there."""

    def give_up(self) -> None:
        """Nothing of it is to remain."""


@contextlib.contextmanager
def _leaving(place: pathlib.Path | str) -> Iterator[Old]:
    """The old house, while nobody else has it."""
    if is_address(place):
        with looked_at(place) as db:
            if alive := count_alive(db):
                raise BadData(f"{alive} servers are running on the old house. End them first.", "store_in_use")
            with one_moment(db):
                yield InPostgres(db)
        return
    path = pathlib.Path(place)
    if not path.is_file():
        raise BadData(f"There is no file {path}.", "store_missing")
    house = Sqlite(path)  # with its lock; one of an earlier version is brought up to date, and copied before
    try:
        with in_words(path), one_moment(house.read_from):
            yield InFile(house.read_from)
    finally:
        house.close()


@contextlib.contextmanager
def _entering(place: pathlib.Path | str) -> Iterator[New]:
    """The new house: kept if all goes well."""
    if is_address(place):
        from . import postgres

        address = str(place)
        with postgres.in_words(address), contextlib.closing(postgres.Connection(address)) as db, db.raw.transaction():
            postgres.prepare(db)
            house = InPostgres(db)
            house.refuse_if_used(postgres.without_password(address))
            yield house
        return
    path = pathlib.Path(place)
    with (
        contextlib.suppress(_GivenUp),
        made_beside(path) as part,
        in_words(path),
        contextlib.closing(connected(part)) as file,
    ):
        make(file)
        yield InFile(file)


class _GivenUp(Exception):
    """The new file is not to be kept."""


def _query(table: str) -> str:
    columns = described()[table].columns
    order = described()[table].key or columns
    return f"SELECT {', '.join(columns)} FROM {table} ORDER BY {', '.join(order)}"


class InFile:
    """A house in a SQLite file."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def count(self, table: str) -> int:
        return int(self._db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])

    def rows(self, table: str) -> Generator[Row, None, None]:
        yield from self._db.execute(_query(table))

    def fill(self, table: str, rows: Iterable[Row]) -> None:
        columns = described()[table].columns
        add = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        self._db.execute("BEGIN")
        self._db.execute(f"DELETE FROM {table}")
        self._db.executemany(add, rows)
        self._db.execute("COMMIT")

    def finish(self) -> None:
        """The file is whole as it is."""

    def give_up(self) -> None:
        raise _GivenUp


class InPostgres:
    """A house in a Postgres database."""

    def __init__(self, db: Any) -> None:
        self._db = db  # a postgres.Connection

    def refuse_if_used(self, named: str) -> None:
        """Somebody lives there, or is about to."""
        self._db.execute(f"LOCK TABLE {', '.join(described())} IN EXCLUSIVE MODE")
        if alive := count_alive(self._db):
            raise BadData(f"{alive} servers are running on {named}. End them first.", "store_in_use")
        for table in described():
            if table not in LEFT_BEHIND | {"house"} and self.count(table):
                raise BadData(
                    f"{named} is not empty: there is something in «{table}». A house moves into an empty database.",
                    "not_empty",
                )

    def count(self, table: str) -> int:
        return int(self._db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])

    def rows(self, table: str) -> Generator[Row, None, None]:
        with self._db.raw.cursor(f"all_{table}", binary=True) as cursor:  # with a name: rows come in portions
            cursor.itersize = AT_ONCE
            yield from cursor.execute(_query(table))

    def fill(self, table: str, rows: Iterable[Row]) -> None:
        about = described()[table]
        self._db.execute(f"DELETE FROM {table}")
        into = f"COPY {table} ({', '.join(about.columns)}) FROM STDIN (FORMAT BINARY)"
        with self._db.raw.cursor() as cursor, cursor.copy(into) as copy:
            copy.set_types([TYPES[kind] for kind in about.kinds])
            for row in rows:
                if any(isinstance(value, str) and "\0" in value for value in row):
                    key = dict(zip(about.columns, row, strict=True))
                    named = ", ".join(str(key[column]) for column in about.key)
                    raise BadData(
                        f"Postgres takes no zero byte, and «{table}» ({named}) has one in a text.", "bad_text"
                    )
                copy.write_row(row)

    def finish(self) -> None:
        """Numbers go on after the largest, and the planner knows what is there."""
        self._db.execute("SELECT setval(pg_get_serial_sequence('chat', 'n'), MAX(n)) FROM chat")
        for table in described():
            self._db.execute(f"ANALYZE {table}")

    def give_up(self) -> None:
        import psycopg

        raise psycopg.Rollback


# ── Carrying and comparing ───────────────────────────────────


def _carry(old: Old, new: New, progress: Progress) -> list[Compared]:
    tables = [table for table in described() if table not in LEFT_BEHIND]
    steps = _Steps(2 * sum(old.count(table) for table in tables), progress)
    carried = {table: Tally() for table in tables}
    for table in tables:
        with contextlib.closing(old.rows(table)) as rows:
            new.fill(table, steps.counted(table, rows, carried[table]))
    new.finish()
    compared = []
    for table in tables:
        arrived = Tally()
        with contextlib.closing(new.rows(table)) as rows:
            for _ in steps.counted(table, rows, arrived):
                pass
        compared.append(Compared(table, carried[table], arrived))
    return compared


class _Steps:
    """Counts rows as they pass."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total, self._progress, self._done = total, progress, itertools.count(1)

    def counted(self, table: str, rows: Iterable[Row], tally: Tally) -> Iterator[Row]:
        for row in rows:
            tally.add(table, row)
            done = next(self._done)
            if done % 1000 == 0 or done == self._total:
                self._progress(done, self._total)
            yield row


def in_lines(compared: list[Compared]) -> Iterator[str]:
    """What was carried over, as a table for whoever has asked."""
    yield f"{'':12} {'old rows':>12} {'new rows':>12}  {'old hash':16}  {'new hash':16}"
    for table in compared:
        old, new = table.old, table.new
        verdict = "same" if table.same else "DIFFERENT"
        yield f"{table.table:12} {old.rows:12} {new.rows:12}  {old.digest()}  {new.digest()}  {verdict}"
    for table in compared:
        for name in table.old.differing(table.new) if table.table == JOURNALS else ():
            yield f"the journal of table {name} is not the same"
