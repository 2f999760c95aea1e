"""Opening the file of the games: is it ours, whole, of a version we know, and may we write it? Otherwise a sentence.

Nothing is changed before all of that is known. A file of an earlier version is copied before it is brought up to date.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pathlib
import sqlite3
from collections.abc import Iterator

from ludoteca.core.errors import BadData

from .schema import APPLICATION, SCHEMA_VERSION, make, update

PRIVATE = 0o600  # the file holds seeds of running games
CHECKED = 256 << 20  # bytes up to which a file is looked through when it is opened: that takes under a second

log = logging.getLogger("ludoteca.store")


def opened(path: pathlib.Path) -> sqlite3.Connection:
    """A connection to write with, to a file that is as it should be."""
    with in_words(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE))  # SQLite gives its companions the same permissions
        connection = connected(path)
        try:
            version = known_version(connection, path)
            check_whole(connection, path)
            lasting(connection)
            if not version:
                make(connection)
            elif version < SCHEMA_VERSION:
                log.warning(
                    "Updating %s from version %d; as it was, it is kept in %s.", path, version,
                    copied(connection, path, version),
                )  # fmt: skip
                update(connection, version)
            connection.execute("BEGIN IMMEDIATE")  # may we write?
            connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
    return connection


def look_at(path: pathlib.Path) -> None:
    """Refuses a file of another program before anything of it is touched, its write-ahead log included."""
    if path.is_file() and path.stat().st_size:
        with (
            in_words(path),
            contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as db,
        ):
            known_version(db, path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            log.warning(
                "%s can be read by others on this machine, and it holds the seeds of running games: chmod 600.", path
            )


def connected(path: pathlib.Path) -> sqlite3.Connection:
    """A plain connection; every job says itself where its transaction begins."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)


def read_only(path: pathlib.Path) -> sqlite3.Connection:
    """A connection that changes nothing: beside a running server, or where nothing may be written."""
    place = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=10)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if has_log(path):
            raise
        # SQLite may not make the companions of its write-ahead log there. Where there is no log, nobody is writing.
        connection = sqlite3.connect(f"{place}&immutable=1", uri=True, isolation_level=None)
    return connection


def has_log(path: pathlib.Path) -> bool:
    """Whether a write-ahead log belongs to this file: while a server has it open, or after one was killed.

    Whoever has only read may leave an empty one behind.
    """
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def lasting(connection: sqlite3.Connection) -> None:
    """From now on what is committed survives the loss of power."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def known_version(connection: sqlite3.Connection, path: pathlib.Path) -> int:
    """The version of our own file, 0 for an empty one; refuses others'."""
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    later = version > SCHEMA_VERSION and application == APPLICATION
    ours = later or ({"tables", "decisions", "seeds"} <= tables if version else not tables)
    if application not in (0, APPLICATION) or not ours:
        raise BadData(
            f"{path} is the database of another program. Choose another file with --database.", "store_foreign"
        )
    if later or version > SCHEMA_VERSION:
        raise BadData(
            f"{path} was written by a later Ludoteca (version {version} of the file; this one knows {SCHEMA_VERSION}). "
            "Please update.",
            "store_too_new",
        )
    return int(version)


def check_whole(connection: sqlite3.Connection, path: pathlib.Path) -> None:
    """Looks through the file for damage, unless it is very large."""
    if path.stat().st_size <= CHECKED:
        [found] = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)


def copied(connection: sqlite3.Connection, path: pathlib.Path, version: int) -> pathlib.Path:
    """A copy of the file as it is, beside it."""
    copy = path.with_name(f"{path.name}.version-{version}")
    os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_TRUNC, PRIVATE))
    with contextlib.closing(sqlite3.connect(copy)) as other:
        connection.backup(other)
    return copy


@contextlib.contextmanager
def in_words(path: pathlib.Path) -> Iterator[None]:
    """What can be wrong with a file, as a sentence for whoever starts the server."""
    try:
        yield
    except OSError as error:
        raise BadData(f"{path} cannot be opened: {error.strerror}.", "store_unreachable") from None
    except sqlite3.DatabaseError as error:
        said = str(error)
        if "readonly" in said:
            raise BadData(f"{path} may only be read; a server must write there.", "store_read_only") from None
        if "not a database" in said:
            raise BadData(
                f"{path} is not a file of games. Choose another one with --database.", "store_foreign"
            ) from None
        if isinstance(error, sqlite3.OperationalError):
            raise BadData(f"{path} cannot be opened: {said}.", "store_unreachable") from None
        raise BadData(
            f"{path} is damaged ({said.splitlines()[0]}). Put a copy of it back, or save what can be read with "
            f"sqlite3 {path} .recover.",
            "store_damaged",
        ) from None
