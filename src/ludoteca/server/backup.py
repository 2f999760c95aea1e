"""`ludoteca backup`: a copy of a file of games, also while a server writes to it.

SQLite's own online backup copies the pages. It would begin again whenever somebody else writes in between, and so never end
in a busy house; therefore the copy is of one moment, which a read transaction holds. In a write-ahead log nobody waits for a
reader: the server goes on, and its log grows until the copy is made.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator

from ludoteca.core.errors import BadData

from .lock import Lock
from .looking import looked_into
from .opening import connected, has_log

PAGES = 1024  # copied at a stretch, 4 MB

Progress = Callable[[int, int], None]  # how much is done, of how much


def back_up(path: pathlib.Path, copy: pathlib.Path, force: bool, progress: Progress) -> int:
    """Copies the house in `path`; returns the size of the copy in bytes."""
    with looked_into(path) as house, made_beside(copy, force, path) as part:
        try:
            with contextlib.closing(connected(part)) as target:
                house.execute("BEGIN")
                house.execute("SELECT 1 FROM sqlite_schema").fetchone()  # the moment is now
                house.backup(target, pages=PAGES, progress=lambda _, left, of: progress(of - left, of))
                house.execute("COMMIT")
                target.execute("PRAGMA journal_mode=DELETE")  # one file that can be read anywhere, without companions
                [found] = target.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as error:
            raise BadData(f"{path} could not be copied to {copy}: {error}.", "not_copied") from None
        if found != "ok":
            raise BadData(
                f"{path} is damaged ({found}), so there is no copy. What is wrong: ludoteca check.", "store_damaged"
            )
    return copy.stat().st_size


# ── A file that is there when it is whole ────────────────────


@contextlib.contextmanager
def made_beside(file: pathlib.Path, force: bool = False, source: pathlib.Path | None = None) -> Iterator[pathlib.Path]:
    """An empty file, for its owner only, beside where it is to be; it gets its name at the end, if all went well."""
    with _nobody_has(file, force, source):
        try:
            number, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.parent)
        except OSError as error:
            raise BadData(f"{file} cannot be written: {error.strerror}.", "not_written") from None
        os.close(number)
        part = pathlib.Path(name)
        try:
            yield part
            _put_in_place(part, file, force)
        finally:
            for leftover in (name, f"{name}-journal", f"{name}-wal", f"{name}-shm"):
                pathlib.Path(leftover).unlink(missing_ok=True)


@contextlib.contextmanager
def _nobody_has(file: pathlib.Path, force: bool, source: pathlib.Path | None) -> Iterator[None]:
    """Refuses a file that is there, or that a server has open, or the house itself."""
    if source is not None and file.exists() and file.samefile(source):
        raise BadData(f"{file} is the house itself: give the copy another name.", "file_exists")
    if file.exists() and (not force or not file.is_file()):
        raise BadData(f"{file} is there already{'' if force else '; --force replaces it'}.", "file_exists")
    if has_log(file):  # it would be taken for the new file's own
        raise BadData(
            f"{file}-wal is there: a server has {file} open, or was killed. Choose another name.", "file_exists"
        )
    lock = Lock(file) if file.with_name(file.name + ".lock").exists() else None
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def _put_in_place(part: pathlib.Path, file: pathlib.Path, force: bool) -> None:
    """Gives a finished file its name: at once, and for good."""
    try:
        if force:
            os.replace(part, file)
        else:
            _named(part, file)
        _synced(file.parent)
    except FileExistsError:
        raise BadData(f"{file} has appeared meanwhile, and is left as it is.", "file_exists") from None
    except OSError as error:
        raise BadData(f"{file} cannot be written: {error.strerror}.", "not_written") from None


def _named(part: pathlib.Path, file: pathlib.Path) -> None:
    """As `os.replace`, but never in place of something else."""
    try:
        os.link(part, file)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        if file.exists():
            raise FileExistsError from None
        os.replace(part, file)


def _synced(folder: pathlib.Path) -> None:
    """The new name survives the loss of power."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
