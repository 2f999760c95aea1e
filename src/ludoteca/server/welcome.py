"""Who may sit down: not where they are blocked, nor on a chair kept for a friend."""

from __future__ import annotations

from collections.abc import Sequence

from .database import Connection
from .guests import Guest
from .house import House
from .queries import TableRow
from .refusals import NotAllowed, NotNow


async def check_welcome(house: House, guest: Guest, row: TableRow) -> None:
    """Refuses a private table where somebody would rather not meet this guest, and a public one if its host would not."""
    seated = [chair.guest for chair in row.chairs if chair.guest is not None and chair.guest != guest.id]
    asked = [person for person in seated if not row.public or person == row.host]
    if not asked:
        return
    if await house.store.read(is_blocked, guest.id, asked):
        raise NotAllowed("not_welcome")


async def check_kept(house: House, guest: Guest, row: TableRow) -> None:
    """Refuses the last free chairs of a table, if they are kept for friends who were asked to it."""
    free = sum(chair.empty for chair in row.chairs)
    if free and free <= await house.store.read(kept_for_others, row.id, guest.id):
        raise NotNow("chairs_kept")


def kept_for_others(db: Connection, table: str, guest: str) -> int:
    """How many chairs of a table are kept for others than this guest."""
    query = "SELECT COUNT(*) FROM invitations WHERE table_id = ? AND guest <> ? AND kept = 1"
    return int(db.execute(query, (table, guest)).fetchone()[0])


def apart_among(db: Connection, guests: Sequence[str]) -> set[frozenset[str]]:
    """The pairs among these of whom one has blocked the other."""
    marks = ", ".join("?" * len(guests))
    query = f"SELECT guest, blocked FROM blocks WHERE guest IN ({marks}) AND blocked IN ({marks})"
    return {frozenset(pair) for pair in db.execute(query, [*guests, *guests]).fetchall()}


def is_blocked(db: Connection, guest: str, by: Sequence[str]) -> bool:
    """Whether one of these has blocked a guest."""
    marks = ", ".join("?" * len(by))
    query = f"SELECT COUNT(*) FROM blocks WHERE blocked = ? AND guest IN ({marks})"
    return bool(db.execute(query, [guest, *by]).fetchone()[0])
