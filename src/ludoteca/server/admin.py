"""`ludoteca admin`: what whoever keeps a house can do while it is open: read reports, close a table, ban a guest.

Everything done is a row of `acts`, and stays there. A running server reads new rows every few seconds and does its part: a
table that was closed leaves its memory, a guest who was banned is disconnected.
"""

from __future__ import annotations

import asyncio
import pathlib
import time
from collections.abc import Sequence
from typing import Any

from ludoteca.core.errors import BadData

from . import queries
from .database import Connection
from .devices import devices_of
from .guests import Guests
from .lobby import Lobby
from .looking import looked_at
from .sockets import Sockets
from .store import Store

LOOK = 2.0  # seconds between two looks
LONGEST_NOTE = 500


class Acts:
    """A server's part in what was done elsewhere."""

    def __init__(self, lobby: Lobby, guests: Guests, sockets: Sockets) -> None:
        self._lobby, self._guests, self._sockets = lobby, guests, sockets

    async def watch(self) -> None:
        """Forever: does what was decided."""
        read = self._lobby.house.store.read
        last = await read(last_act)
        while True:
            await asyncio.sleep(LOOK)
            for n, what, about in await read(acts_after, last):
                last = n
                if what == "close":
                    self._lobby.forget(about)
                elif what in ("ban", "unban"):
                    keys = [key for _, key in await read(devices_of, about)]
                    self._guests.ask_again(keys)
                    self._sockets.sign_out(keys)


# ── The commands ─────────────────────────────────────────────


def reports(place: pathlib.Path | str, every: bool = False) -> list[str]:
    """What guests have reported and nobody has looked at; or all of it."""
    with looked_at(place) as db:
        rows = db.execute(
            f"""SELECT n, at, reports.guest, about, table_id, text, said, who.name, whom.name, done FROM reports
                LEFT JOIN guests AS who ON who.id = reports.guest LEFT JOIN guests AS whom ON whom.id = about
                {"" if every else "WHERE done = 0"} ORDER BY n"""
        ).fetchall()
    lines = []
    for n, at, guest, about, table, text, said, who, whom, done in rows:
        state = " (done)" if done else ""
        lines.append(
            f"{n}{state}  {_when(at)}  {who or 'somebody'} ({guest}) about {whom or 'somebody'} ({about}), table {table}"
        )
        lines += [f"    said: «{said}»"] if said else []
        lines += [f"    {text}"] if text else []
    return lines or ["No reports."]


def history(place: pathlib.Path | str) -> list[str]:
    """Everything that was done here, the oldest first."""
    with looked_at(place) as db:
        rows = db.execute("SELECT n, at, what, about, note FROM acts ORDER BY n").fetchall()
    return [f"{n}  {_when(at)}  {what} {about}{'  ' + note if note else ''}" for n, at, what, about, note in rows]


def do(place: pathlib.Path | str, what: str, about: str, note: str) -> str:
    """Does one of: close a table, ban or unban a guest, settle a report. It is logged, whatever it was."""
    kept = Store(place, alone=False)
    try:
        return kept.now(DEEDS[what], about, note[:LONGEST_NOTE], time.time())
    finally:
        kept.close()


def close_table(db: Connection, table: str, note: str, at: float) -> str:
    """A game ends where it is; a table that has not begun goes."""
    row = queries.find_table(db, table)
    if row is None:
        raise BadData(f"There is no table {table}.", "no_such_table")
    if row.phase == "open":
        queries.drop_tables(db, [table])
    elif row.phase == "playing":
        queries.end_table(db, table, row.seq, "closed")
    _log(db, "close", table, note, at)
    return f"Table {table} is closed."


def ban(db: Connection, guest: str, note: str, at: float) -> str:
    """A guest is not let in any more."""
    _set_banned(db, guest, 1)
    _log(db, "ban", guest, note, at)
    return f"Guest {guest} is banned."


def unban(db: Connection, guest: str, note: str, at: float) -> str:
    """A guest is let in again."""
    _set_banned(db, guest, 0)
    _log(db, "unban", guest, note, at)
    return f"Guest {guest} is let in again."


def settle(db: Connection, number: str, note: str, at: float) -> str:
    """A report has been looked at."""
    wanted = int(number) if number.isdigit() else 0
    if db.execute("UPDATE reports SET done = 1 WHERE n = ?", (wanted,)).rowcount != 1:
        raise BadData(f"There is no report {number}.", "no_such_report")
    _log(db, "settle", number, note, at)
    return f"Report {number} is settled."


DEEDS = {"close": close_table, "ban": ban, "unban": unban, "settle": settle}


def _set_banned(db: Connection, guest: str, banned: int) -> None:
    changed = db.execute("UPDATE guests SET banned = ? WHERE id = ? AND former = 0", (banned, guest))
    if changed.rowcount != 1:
        raise BadData(f"There is no guest {guest}.", "no_such_guest")


def _log(db: Connection, what: str, about: str, note: str, at: float) -> None:
    db.execute("INSERT INTO acts (at, what, about, note) VALUES (?, ?, ?, ?)", (at, what, about, note))


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


# ── What a server asks ───────────────────────────────────────


def last_act(db: Connection) -> int:
    """The number of what was done last."""
    return int(db.execute("SELECT COALESCE(MAX(n), 0) FROM acts").fetchone()[0])


def acts_after(db: Connection, number: int) -> Sequence[Any]:
    """What was done since."""
    return db.execute("SELECT n, what, about FROM acts WHERE n > ? ORDER BY n", (number,)).fetchall()
