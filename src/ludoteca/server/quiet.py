"""Quiet hours: at night, say, nobody is told of anything but a game with a running clock of minutes.

They are kept where what is muted is kept: «quiet 1320 480 Europe/Rome» from 22:00 to 8:00 by the clocks of Rome, summer
and winter. Nothing is written down for later. When somebody's quiet hours are over, their tables are looked at once
more, and whoever is still awaited and not there is told then, also if the house was down meanwhile. What waits for
nobody, an invitation or a game that began, stands on the home page.
"""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ludoteca.core.errors import Refusal

from .clocks import A_DAY
from .database import Connection, one_at_a_time
from .refusals import BadRequest
from .wire import QuietHours

if TYPE_CHECKING:
    from .lobby import Lobby
    from .table import Table

EVERY = 60.0  # seconds between two looks whether somebody's quiet hours are over
MARK = "quiet "


def checked(hours: QuietHours) -> QuietHours:
    """The same, if they mean something here."""
    if hours.begin == hours.end or _zone(hours.zone) is None:
        raise BadRequest("bad_quiet")
    return hours


def is_quiet(hours: QuietHours | None, at: float) -> bool:
    """Whether it is quiet for somebody at this time."""
    zone = _zone(hours.zone) if hours is not None else None
    if hours is None or zone is None:
        return False
    local = datetime.fromtimestamp(at, zone)
    minute = 60 * local.hour + local.minute
    if hours.begin < hours.end:
        return hours.begin <= minute < hours.end
    return minute >= hours.begin or minute < hours.end  # over midnight


def has_ended(hours: QuietHours, since: float, now: float) -> bool:
    """Whether they were over at some time between these two."""
    zone = _zone(hours.zone)
    if zone is None:
        return False
    local = datetime.fromtimestamp(now, zone)
    end = local.replace(hour=hours.end // 60, minute=hours.end % 60, second=0, microsecond=0)
    if end > local:
        end -= timedelta(days=1)
    return since < end.astimezone(UTC).timestamp() <= now


def _zone(name: str) -> ZoneInfo | None:
    """The clocks of a place, if this machine knows them."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def waits_for_morning(table: Table) -> bool:
    """Whether what happens at a table can wait: not where a clock of minutes runs."""
    terms = table.timing.terms
    return terms is None or terms.kind != "live"


class Mornings:
    """Tells people after their quiet hours."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._house = lobby, lobby.house
        self._since = self._house.clock() - A_DAY  # the house may have been down when they ended

    async def run(self) -> None:
        """Forever; of several servers the first."""
        while True:
            if await self._house.neighbours.first():
                await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Looks once more at the tables of those whose quiet hours have ended since the last time."""
        since, now, notices = self._since, self._house.clock(), self._house.notices
        assert notices is not None
        for id in await self._house.store.read(tables_after_quiet, since, now):
            with contextlib.suppress(Refusal):
                table = await self._lobby.table(id)
                notices.look(table)
                notices.warn(table)
        self._since = now


# ── What the store is asked ──────────────────────────────────


def set_quiet(db: Connection, guest: str, hours: QuietHours | None) -> None:
    """Somebody's quiet hours, or none."""
    one_at_a_time(db, [guest])
    db.execute("DELETE FROM mutes WHERE guest = ? AND what LIKE ?", (guest, f"{MARK}%"))
    if hours is not None:
        what = f"{MARK}{hours.begin} {hours.end} {hours.zone}"
        db.execute("INSERT INTO mutes (guest, what) VALUES (?, ?)", (guest, what))


def quiet_of(db: Connection, guest: str) -> QuietHours | None:
    """Somebody's quiet hours."""
    rows = db.execute("SELECT what FROM mutes WHERE guest = ? AND what LIKE ?", (guest, f"{MARK}%")).fetchall()
    return _read(rows[0][0]) if rows else None


def tables_after_quiet(db: Connection, since: float, now: float) -> list[str]:
    """The tables of everybody whose quiet hours have ended between these times: in play, or over since a day."""
    rows = db.execute("SELECT guest, what FROM mutes WHERE what LIKE ?", (f"{MARK}%",)).fetchall()
    found = dict[str, None]()
    for guest in [guest for guest, what in rows if has_ended(_read(what), since, now)]:
        tables = db.execute(
            """SELECT id FROM tables JOIN chairs ON table_id = id WHERE guest = ?
               AND (phase = 'playing' OR (phase = 'over' AND moved > ?)) ORDER BY id""",
            (guest, now - A_DAY),
        ).fetchall()
        found.update((id, None) for (id,) in tables)
    return list(found)


def _read(what: str) -> QuietHours:
    begin, end, zone = what.removeprefix(MARK).split(" ", 2)
    return QuietHours(int(begin), int(end), zone)
