"""A Postgres database as the store's: any number of equal servers write to it, and none of them owns anything.

A commit that a lost connection has left in doubt is looked up by its transaction's number before anything is tried again,
so that it happens once. While the database is away (it restarts, say) whoever writes or reads waits, for as long as
`PATIENCE`, and is then told.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ludoteca.core.errors import BadData

from .appending import about, apart, append_all
from .database import Answer, Call, Outcome, attempt
from .schema import SCHEMA_VERSION, changes_since, statements

try:
    import psycopg
    from psycopg import conninfo, errors
except ImportError as missing:  # pragma: no cover (tests have it)
    raise BadData("For a Postgres database a driver is needed: pip install ludoteca[servers]", "no_driver") from missing

PATIENCE = 8.0  # seconds in which a lost database is looked for
AGAIN = 0.1  # seconds between two tries
TRIES = 5  # of a commit that got into the way of another server's
SCHEMA_LOCK = 0x4C75646F  # «Ludo»: servers that start at once make the tables one after the other
FOR_US = {  # of every connection; what an address says wins
    "application_name": "ludoteca",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
OF_A_SESSION = (
    "synchronous_commit = on",  # what is acknowledged survives the loss of power
    # All our questions are for a few rows by their keys. With what Postgres expects of a disk that turns, it looks through
    # all guests for the names at a hundred tables: 19 ms, and 2 with this.
    "random_page_cost = 1.1",
    "max_parallel_workers_per_gather = 0",
    "jit = off",
)

log = logging.getLogger("ludoteca.store")


class Connection:
    """A connection that is asked as SQLite's are."""

    BEGIN_ONE_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"

    def __init__(self, address: str) -> None:
        given = {**FOR_US, **conninfo.conninfo_to_dict(address)}
        self.raw = psycopg.connect(autocommit=True, **given)  # type: ignore[arg-type]
        for setting in OF_A_SESSION:
            self.raw.execute(f"SET {setting}")

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Answer:
        """Runs one statement."""
        return self.raw.execute(in_its_words(sql), parameters or None)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Any:
        """Runs one statement for each row of values."""
        rows = list(parameters)
        if rows:
            self.raw.cursor().executemany(in_its_words(sql), rows)

    def only_read(self) -> None:
        """From now on nothing can be changed through it."""
        self.raw.execute("SET default_transaction_read_only = on")

    @property
    def lost(self) -> bool:
        """Whether it is of no use any more."""
        return self.raw.closed or self.raw.broken

    def close(self) -> None:
        """Ends it."""
        self.raw.close()


@functools.cache
def in_its_words(sql: str) -> str:
    """A statement with the driver's signs for values."""
    return sql.replace("%", "%%").replace("?", "%s") if "?" in sql else sql


class Line:
    """A connection of one thread that is made again when it is lost."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Connection | None = None

    def get(self, until: float = 0.0) -> Connection:
        """The connection; a new one, if it is lost and the database can be found before `until`."""
        while self._connection is None or self._connection.lost:
            self.close()
            try:
                self._connection = Connection(self._address)
            except psycopg.OperationalError:
                if time.monotonic() + AGAIN > until:
                    raise
                time.sleep(AGAIN)
        return self._connection

    def close(self) -> None:
        """Ends the connection, if there is one."""
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):
                self._connection.close()
            self._connection = None


class Postgres:
    """The database, with a connection for each of the store's two threads."""

    shared = True
    errors: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(self, address: str) -> None:
        with in_words(address):
            self._write_to, self._read_from = Line(address), Line(address)
            prepare(self._write_to.get())
        self._closing = threading.Event()

    # ── Writing ──────────────────────────────────────────────

    def commit(self, calls: list[Call]) -> list[Outcome]:
        """Runs these jobs in one transaction, in an order in which servers do not get into each other's way."""
        order = sorted(range(len(calls)), key=lambda number: about(calls[number]))
        outcomes = self._in_order([calls[number] for number in order])
        found: list[Outcome] = [(None, None)] * len(calls)
        for number, outcome in zip(order, outcomes, strict=True):
            found[number] = outcome
        return found

    def _in_order(self, calls: list[Call]) -> list[Outcome]:
        try:
            return self._once(calls)
        except psycopg.Error as error:
            if len(calls) == 1 or self._write_to.get().lost:
                raise
            log.warning("A commit of %d failed (%s); they are tried one by one.", len(calls), type(error).__name__)
        return [self._alone(call) for call in calls]  # one that fails must not fail the others

    def _alone(self, call: Call) -> Outcome:
        try:
            return self._once([call])[0]
        except psycopg.Error as error:
            return None, error

    def _once(self, calls: list[Call]) -> list[Outcome]:
        """One commit, however often it takes to find out that it has happened."""
        until, tries = time.monotonic() + PATIENCE, TRIES
        while True:
            transaction = Transaction(self._write_to.get(until))
            try:
                return transaction.run(calls)
            except (errors.DeadlockDetected, errors.SerializationFailure):
                tries -= 1
                if not tries:
                    raise
            except psycopg.OperationalError:
                if not self._write_to.get(until).lost and not transaction.interrupted:
                    raise
                if transaction.has_happened(self._write_to, until):
                    return transaction.outcomes
                if time.monotonic() > until:
                    raise
                time.sleep(AGAIN)

    # ── Reading ──────────────────────────────────────────────

    def read(self, call: Call) -> Any:
        """Runs a job on what has been committed; once more, if the connection is lost."""
        job, arguments = call
        until = time.monotonic() + PATIENCE
        while True:
            db = self._read_from.get(until)
            try:
                return job(db, *arguments)
            except psycopg.OperationalError:
                if not db.lost or time.monotonic() > until:
                    raise
                time.sleep(AGAIN)
            except psycopg.Error:
                if not db.lost and db.raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                    db.raw.rollback()
                raise

    def shrink(self) -> None:
        """Postgres does that by itself."""

    def close(self) -> None:
        """Ends the connections."""
        self._read_from.close()
        self._write_to.close()


class Transaction:
    """One try of a commit."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._number: str | None = None
        self.outcomes: list[Outcome] = []
        self.interrupted = False  # by the loss of the connection

    def run(self, calls: list[Call]) -> list[Outcome]:
        """All jobs, then the commit."""
        db = self._db
        try:
            together, others = apart(calls)
            with db.raw.pipeline():
                db.execute("BEGIN")
                found = db.execute("SELECT CAST(pg_current_xact_id() AS text)")
                moved = append_all(db, [calls[n][1] for n in together])
            self._number = found.fetchone()[0]
            outcomes = dict(zip(together, moved(), strict=True))
            outcomes |= {n: attempt(db, calls[n]) for n in others}
            self.outcomes = [outcomes[n] for n in range(len(calls))]
            db.execute("COMMIT")
            return self.outcomes
        except BaseException:
            self.interrupted = db.lost
            if not self.interrupted:
                with contextlib.suppress(psycopg.Error):
                    db.raw.rollback()
            raise

    def has_happened(self, line: Line, until: float) -> bool:
        """Whether the commit has reached the disk though nobody could say so."""
        while self._number is not None:
            query = "SELECT pg_xact_status(CAST(? AS xid8))"
            try:
                [status] = line.get(until).execute(query, (self._number,)).fetchone()
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                continue
            if status != "in progress":
                return bool(status == "committed")
            time.sleep(AGAIN)
        return False


# ── Making the tables ────────────────────────────────────────


def prepare(db: Connection) -> None:
    """Makes the tables, or brings those of an earlier version up to date: all of it or nothing, one server at a time."""
    with db.raw.transaction():
        db.execute("SELECT pg_advisory_xact_lock(?)", (SCHEMA_LOCK,))
        version = known_version(db)
        for statement in statements(changes_since(version)):
            if callable(statement):
                statement(db)
            else:
                db.raw.execute(in_its_types(statement))
        if not version:
            db.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
            db.execute("INSERT INTO schema_version VALUES (0)")
        if version < SCHEMA_VERSION:
            db.execute("UPDATE schema_version SET version = ?", (SCHEMA_VERSION,))


def known_version(db: Connection) -> int:
    """The version of our own tables, 0 if there are none; refuses others'."""
    names = {name for (name,) in db.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")}
    if "schema_version" not in names:
        if names & {"tables", "decisions", "guests"}:
            raise BadData("The database is in use by another program. Give Ludoteca one of its own.", "store_foreign")
        return 0
    [version] = db.execute("SELECT version FROM schema_version").fetchone()
    if version > SCHEMA_VERSION:
        raise BadData(
            f"The database was written by a later Ludoteca (version {version}; this one knows {SCHEMA_VERSION}). "
            "Please update.",
            "store_too_new",
        )
    return int(version)


def keys(db: Connection) -> dict[str, set[tuple[str, ...]]]:
    """The keys by which rows of each table must differ."""
    found: dict[str, set[tuple[str, ...]]] = {}
    rows = db.execute(
        """SELECT class.relname, array_agg(CAST(attname AS text) ORDER BY place.n) FROM pg_index
           JOIN pg_class AS class ON class.oid = indrelid
           CROSS JOIN LATERAL unnest(CAST(indkey AS smallint[])) WITH ORDINALITY AS place (number, n)
           JOIN pg_attribute ON attrelid = indrelid AND attnum = place.number
           WHERE indisunique AND indisvalid AND class.relnamespace = CAST(current_schema() AS regnamespace)
           GROUP BY indexrelid, class.relname"""
    )
    for table, columns in rows:
        found.setdefault(table, set()).add(tuple(columns))
    return found


def in_its_types(statement: str) -> str:
    """A statement that makes tables, as Postgres has it: the same columns, with its names of types."""
    for ours, its in (
        ("INTEGER PRIMARY KEY", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        ("INTEGER", "BIGINT"),
        ("REAL", "DOUBLE PRECISION"),
        ("BLOB", "BYTEA"),
        ("TEXT", 'TEXT COLLATE "C"'),
        (") WITHOUT ROWID", ")"),
    ):
        statement = statement.replace(ours, its)
    return statement


@contextlib.contextmanager
def in_words(address: str) -> Iterator[None]:
    """What can be wrong with a database, as a sentence for whoever starts the server; never with a password."""
    try:
        yield
    except psycopg.OperationalError as error:
        said = str(error).strip().splitlines()[-1]
        raise BadData(
            f"The database {without_password(address)} cannot be reached: {said}", "store_unreachable"
        ) from None
    except errors.InsufficientPrivilege as error:
        raise BadData(
            f"The database {without_password(address)} may not be written: {error.diag.message_primary}.",
            "store_read_only",
        ) from None
    except psycopg.Error as error:
        raise BadData(f"{without_password(address)}: {str(error).strip()}", "store_unreachable") from None


def without_password(address: str) -> str:
    """An address that may be shown."""
    try:
        parts = conninfo.conninfo_to_dict(address)
    except psycopg.Error:
        return "postgresql://…"
    return f"postgresql://{parts.get('host', '')}:{parts.get('port', 5432)}/{parts.get('dbname', '')}"
