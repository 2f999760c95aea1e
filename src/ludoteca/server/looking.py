"""Looking into a house without changing anything: a file or a Postgres database, whether servers run or not."""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3
from collections.abc import Iterator

from ludoteca.core.errors import BadData

from . import opening
from .database import Connection
from .schema import SCHEMA_VERSION
from .settings import is_address


@contextlib.contextmanager
def looked_at(place: pathlib.Path | str) -> Iterator[Connection]:
    """A connection to read from a house of today's version; what is wrong with it is said in a sentence."""
    if is_address(place):
        from . import postgres  # an extra: only who has an address needs the driver

        address = str(place)
        with postgres.in_words(address), contextlib.closing(postgres.Connection(address)) as db:
            db.only_read()
            check_version(postgres.known_version(db), postgres.without_password(address))
            yield db
        return
    with looked_into(pathlib.Path(place)) as file:
        check_version(opening.known_version(file, pathlib.Path(place)), str(place))
        yield file


@contextlib.contextmanager
def looked_into(path: pathlib.Path) -> Iterator[sqlite3.Connection]:
    """A connection to read from a file of games, of whichever version."""
    if not path.is_file():
        raise BadData(f"There is no file {path}.", "store_missing")
    with opening.in_words(path), contextlib.closing(opening.read_only(path)) as file:
        if not opening.known_version(file, path):
            raise BadData(f"There are no games in {path}.", "store_missing")
        yield file


def check_version(version: int, named: str) -> None:
    """Refuses a house in which an earlier version was the last to write."""
    if not version:
        raise BadData(f"There are no games in {named}.", "store_missing")
    if version < SCHEMA_VERSION:
        raise BadData(f"{named} is of an earlier version: start a server on it once.", "store_old")
