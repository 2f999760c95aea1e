"""What `queries.py` needs of a database, whichever it is: SQLite's own connections, and `postgres.py`'s, have it.

Questions are written once, with `?` for values, in the SQL that both speak. Where they differ, it is said here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

Call = tuple[Callable[..., Any], tuple[Any, ...]]  # a job and its arguments, after the connection
Outcome = tuple[Any, BaseException | None]  # what a job returned, or why it has done nothing


class Unwritten(Exception):
    """Raised by a job that does not fit what the store holds, before it has written anything."""


class Answer(Protocol):
    """What a statement has found or done."""

    @property
    def rowcount(self) -> int:
        """How many rows it has changed."""

    def fetchone(self) -> Any:
        """The next row, or None."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection to the database."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Answer:
        """Runs one statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Any:
        """Runs one statement for each row of values."""

    def close(self) -> None:
        """Ends it."""


class Database(Protocol):
    """Where the store keeps everything."""

    shared: bool  # whether other servers write there too
    errors: tuple[type[Exception], ...]  # what it raises when something is wrong with it

    def commit(self, calls: list[Call]) -> list[Outcome]:
        """Runs these jobs, all in one commit; one that is `Unwritten` leaves no trace. Raises if nothing happened."""

    def read(self, call: Call) -> Any:
        """Runs a job on what has been committed."""

    def shrink(self) -> None:
        """Gives the room of what was deleted back to the disk."""

    def close(self) -> None:
        """Lets go of it."""


def attempt(db: Connection, call: Call) -> Outcome:
    """Runs one job of a commit."""
    job, arguments = call
    try:
        return job(db, *arguments), None
    except Unwritten as refused:
        return None, refused


@contextlib.contextmanager
def one_moment(db: Connection) -> Iterator[None]:
    """Everything read within is of one moment, whatever others write meanwhile."""
    db.execute(getattr(db, "BEGIN_ONE_MOMENT", "BEGIN"))
    try:
        yield
    finally:
        db.execute("COMMIT")


def one_at_a_time(db: Connection, names: Iterable[str]) -> None:
    """Until the commit, nobody else does what bears one of these names; SQLite has one writer anyway."""
    lock = getattr(db, "LOCK", None)
    if lock is not None:
        for name in sorted(names):
            db.execute(lock, (name,))
