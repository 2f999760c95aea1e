"""One SQLite file as the store's database: write-ahead log, `synchronous=FULL`, one server at a time."""

from __future__ import annotations

import pathlib
import sqlite3
from typing import Any

from .database import Call, Outcome, attempt
from .lock import Lock
from .opening import connected, in_words, lasting, look_at, opened


class Sqlite:
    """The file, with a connection for each of the store's two threads."""

    shared = False
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, path: pathlib.Path, alone: bool = True) -> None:
        look_at(path)
        with in_words(path):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = Lock(path) if alone else None
        try:
            self.write_to = opened(path)
            self.read_from = connected(path)
            lasting(self.read_from)
        except BaseException:
            self._release()
            raise

    def commit(self, calls: list[Call]) -> list[Outcome]:
        """Runs these jobs in one transaction."""
        db = self.write_to
        try:
            db.execute("BEGIN IMMEDIATE")
            outcomes = [attempt(db, call) for call in calls]
            db.execute("COMMIT")
            return outcomes
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def read(self, call: Call) -> Any:
        """Runs a job on what has been committed."""
        job, arguments = call
        return job(self.read_from, *arguments)

    def shrink(self) -> None:
        """Gives the room of what was deleted back to the disk."""
        self.write_to.execute("VACUUM")

    def close(self) -> None:
        """Closes the file."""
        self.read_from.close()
        self.write_to.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
