"""`ludoteca tidy`: what a house would forget, or has it forgotten now, while no server runs.

A running server does it by itself each hour, by its settings.
"""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3

from ludoteca.core.errors import BadData

from . import queries
from .opening import in_words, known_version
from .schema import SCHEMA_VERSION
from .settings import Settings
from .store import Store


def what_would_go(path: pathlib.Path, settings: Settings) -> list[str]:
    """What these settings would have forgotten now, in lines; nothing is changed, and a server may be running."""
    if not path.is_file():
        raise BadData(f"There is no file {path}.", "store_missing")
    with in_words(path), contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        if known_version(db, path) < SCHEMA_VERSION:
            raise BadData(f"{path} is of an earlier version: start a server on it once.", "store_old")
        games = queries.expired_games(db, settings.keep_games) if settings.keep_games else []
        guests = queries.expired_guests(db, settings.keep_guests) if settings.keep_guests else []
        lines = [_line("finished games", settings.keep_games, len(games), "LUDOTECA_KEEP_GAMES")]
        for id in games:
            table = queries.find_table(db, id)
            assert table is not None
            lines.append(f"  {table.game}, {table.seq} steps, {', '.join(chair.name for chair in table.chairs)}")
    lines.append(_line("guests", settings.keep_guests, len(guests), "LUDOTECA_KEEP_GUESTS"))
    return lines


def _line(what: str, days: int, count: int, setting: str) -> str:
    if not days:
        return f"{what}: all are kept ({setting}=0)"
    return f"{what} of more than {days} days: {count}"


def tidy(path: pathlib.Path, settings: Settings) -> str:
    """Forgets it, and makes the file smaller; refuses while a server has it open."""
    kept = Store(path)
    try:
        gone = kept.now(queries.expire, settings.keep_games, settings.keep_guests, (), ())
        kept.shrink()
    finally:
        kept.close()
    return f"Forgotten: {gone[0]} finished games, {gone[1]} guests."
