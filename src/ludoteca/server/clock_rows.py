"""What the store keeps for clocks: rows that are only ever added, when to look at a table, when the house was up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .clocks import Row
from .database import Connection, Unwritten

T = TypeVar("T")


def timed(db: Connection, table: str, row: Row, due: float | None, job: Callable[..., T], *arguments: Any) -> T:
    """Changes a table and writes what that means for its clocks, in one commit; not at all if the change is refused."""
    done = job(db, *arguments)
    add_row(db, table, row, due)
    return done


def add_row(db: Connection, table: str, row: Row, due: float | None) -> None:
    """One row more; its number is the store's, since another server may have added one a moment ago."""
    db.execute(
        """INSERT INTO clock_rows (table_id, n, at, what, running, begun, seat, by_seat, amount)
           SELECT ?, COALESCE(MAX(n), 0) + 1, ?, ?, ?, ?, ?, ?, ? FROM clock_rows WHERE table_id = ?""",
        (table, *row, table),
    )
    set_due(db, table, due)


def set_due(db: Connection, table: str, due: float | None) -> None:
    """When somebody should look whether a clock of this table has run out; never later than it does."""
    db.execute(
        "UPDATE tables SET due = CASE WHEN phase = 'playing' THEN CAST(? AS DOUBLE PRECISION) END WHERE id = ?",
        (due, table),
    )


def note(db: Connection, table: str, revision: int, row: Row, due: float | None, overtaken: type[Unwritten]) -> None:
    """A row that changes nothing but clocks, if nobody has changed anything about the table since that revision."""
    revised = db.execute(
        "UPDATE tables SET revision = revision + 1 WHERE id = ? AND revision = ? AND phase = 'playing'",
        (table, revision),
    )
    if revised.rowcount != 1:
        raise overtaken
    add_row(db, table, row, due)


def find_rows(db: Connection, table: str) -> list[Row]:
    """All rows of a table, in their order."""
    rows = db.execute(
        "SELECT at, what, running, begun, seat, by_seat, amount FROM clock_rows WHERE table_id = ? ORDER BY n", (table,)
    )
    return [Row(*row) for row in rows.fetchall()]


def find_screens(db: Connection) -> list[str]:
    """Tables where one screen is passed around and a clock runs, as it was written down."""
    rows = db.execute("SELECT id FROM tables WHERE hot = 1 AND due IS NOT NULL ORDER BY id").fetchall()
    return [id for (id,) in rows]


def find_due(db: Connection, now: float) -> list[str]:
    """The tables that should be looked at."""
    return [id for (id,) in db.execute("SELECT id FROM tables WHERE due <= ? ORDER BY due", (now,)).fetchall()]


def find_due_until(db: Connection, now: float, until: float) -> list[tuple[str, float]]:
    """The tables where a clock runs out between these times, if nobody does anything, and when."""
    return db.execute("SELECT id, due FROM tables WHERE due > ? AND due <= ? ORDER BY due", (now, until)).fetchall()


# ── When the house was up ────────────────────────────────────


def open_house(db: Connection, server: str, now: float) -> None:
    """A server begins; what no running clock needs any more is forgotten."""
    db.execute(
        """DELETE FROM up WHERE until < COALESCE(
               (SELECT MIN(created) FROM tables WHERE phase = 'playing' AND clock <> ''), ?)""",
        (now,),
    )
    db.execute("INSERT INTO up (server, since, until) VALUES (?, ?, ?)", (server, now, now))


def still_open(db: Connection, server: str, since: float, now: float) -> None:
    """A server is up; nothing is written while no clock runs, and what others have forgotten meanwhile is written anew."""
    db.execute(
        """INSERT INTO up (server, since, until) SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE due IS NOT NULL)
           ON CONFLICT (server) DO UPDATE SET until = excluded.until""",
        (server, since, now),
    )


def find_spans(db: Connection) -> list[tuple[str, float, float]]:
    """When each server was up."""
    return [(server, since, until) for server, since, until in db.execute("SELECT server, since, until FROM up")]


# ── How long games take ──────────────────────────────────────


def find_lengths(db: Connection, game: str, most: int) -> list[tuple[str, int, float]]:
    """Clock, number of seats and seconds of the last finished games of people with each other."""
    rows = db.execute(
        """SELECT clock, (SELECT COUNT(*) FROM chairs WHERE table_id = id),
               (SELECT MAX(at) - MIN(at) FROM clock_rows WHERE table_id = id)
           FROM tables WHERE game = ? AND phase = 'over' AND ended IS NULL AND clock <> ''
           AND (SELECT COUNT(*) FROM chairs WHERE table_id = id AND guest IS NOT NULL AND level IS NULL) > 1
           ORDER BY moved DESC LIMIT ?""",
        (game, most),
    )
    return [(clock, seats, seconds) for clock, seats, seconds in rows.fetchall() if seconds]
