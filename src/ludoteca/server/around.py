"""What goes on in the house now: one's friends, games that one may watch, and who looks for a quick match.

A friend is here while they look at the home page or sit at a table, with whichever server: it is noted in the store, to the
minute. Games are told of as anybody may know of them: private ones are not, not even that a friend plays one.
"""

from __future__ import annotations

from . import queries
from .database import Connection
from .guests import Guest
from .lobby import Lobby
from .quick import FRESH
from .social import person_in
from .wire import Around, FriendInfo, LookingInfo

HERE = 150.0  # seconds after which somebody who was not noted again is not here any more
NOTED_EVERY = 60.0  # seconds
RUNNING = 15 * 60.0  # seconds without a move after which a game is not told of as running now
MOST_FRIENDS, MOST_RUNNING = 50, 30


class Goings:
    """Who and what is around."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._house = lobby, lobby.house

    async def around(self, guest: Guest) -> Around:
        """As this guest may know of it; that they ask says that they are here."""
        store, now = self._house.store, self._house.clock()
        if not await store.read(is_here, guest.id, now - NOTED_EVERY):
            await store.write(queries.note_here, [guest.id], now)
        friends = await store.read(friends_of, guest.id, now)
        running = await store.read(queries.running_tables, guest.id, now - RUNNING, MOST_RUNNING)
        wishes = await store.read(who_looks, guest.id, now - FRESH)
        served = [self._lobby.listed(row, guest) for row in running if self._house.engines.has(row.game)]
        games = [row for row in served if not any(chair.person in guest.blocked for chair in row.chairs)]
        games.sort(key=lambda table: -table.spectators)  # what most people watch comes first, then what moved last
        return Around(friends, games, wishes)


# ── What the store is asked ──────────────────────────────────


def is_here(db: Connection, guest: str, since: float) -> bool:
    """Whether a guest was noted since then."""
    return db.execute("SELECT 1 FROM guests WHERE id = ? AND here >= ?", (guest, since)).fetchone() is not None


def friends_of(db: Connection, guest: str, now: float) -> list[FriendInfo]:
    """A guest's friends, those who are here first, then who was here last."""
    playing = """SELECT tables.id FROM chairs JOIN tables ON tables.id = table_id WHERE chairs.guest = guests.id
                 AND over = 0 AND public = 1 AND phase = 'playing' AND moved >= ? ORDER BY moved DESC LIMIT 1"""
    rows = db.execute(
        f"""SELECT guests.id, guests.name, symbol, colour, here, ({playing}) FROM friends
            JOIN guests ON guests.id = friend WHERE guest = ? ORDER BY here DESC, guests.name, guests.id LIMIT ?""",
        (now - RUNNING, guest, MOST_FRIENDS),
    ).fetchall()
    games = dict(queries.games_of(db, [table for *_, table in rows if table]))
    return [
        FriendInfo(
            person_in(person), here >= now - HERE, max(0.0, now - here) if here else None, table, games.get(table)
        )
        for *person, here, table in rows
    ]


def who_looks(db: Connection, guest: str, since: float) -> list[LookingInfo]:
    """How many others look for what, of those who have asked since then."""
    rows = db.execute(
        """SELECT game, seats, speed, rated, COUNT(*) FROM wishes WHERE table_id IS NULL AND seen >= ? AND guest <> ?
           GROUP BY game, seats, speed, rated ORDER BY game, seats, speed, rated""",
        (since, guest),
    ).fetchall()
    return [LookingInfo(game, seats, speed, bool(rated), people) for game, seats, speed, rated, people in rows]
