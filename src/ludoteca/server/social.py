"""Friends, and those one would rather not meet: friends by link, blocking, reports to whoever keeps the house.

Whom a guest has blocked cannot sit down at their private table, does not become their friend, and is not heard by them.
Nobody is told that they are blocked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import queries, tickets
from .clocks import AN_HOUR
from .database import Connection
from .devices import NoTicket
from .guests import Guest, known
from .house import House
from .limits import Limit
from .links import Links
from .lobby import Lobby
from .names import tidy
from .refusals import BadRequest, NotFound, TooMuch
from .table import Table
from .welcome import is_blocked
from .wire import Person, PersonAt, ReportIt

FRIEND = "friend"  # a kind of ticket
A_WEEK = 7 * 24 * 3600  # seconds for which a link to become friends is good, once
MOST_FRIENDS = 500
REPORTS = 10  # of one guest in an hour
LONGEST_REPORT = 1000


class Social:
    """Who likes whom, and who does not."""

    def __init__(self, house: House, lobby: Lobby) -> None:
        self._house, self._lobby = house, lobby
        self.links = Links(house, FRIEND, A_WEEK, alone=False)

    async def friends_of(self, guest: Guest) -> list[Person]:
        """A guest's friends, by name."""
        return await self._house.store.read(people_of, guest.id, "friends", "friend")

    async def blocked_by(self, guest: Guest) -> list[Person]:
        """Whom a guest has blocked."""
        return await self._house.store.read(people_of, guest.id, "blocks", "blocked")

    # ── Friends ──────────────────────────────────────────────

    async def befriend(self, guest: Guest, code: str) -> None:
        """They are friends now, both ways."""
        try:
            await self._house.store.write(befriend, guest.id, code, self._house.clock())
        except NoTicket:
            raise NotFound("no_such_link") from None
        except queries.Exceeded:
            raise TooMuch("too_many_friends", most=MOST_FRIENDS) from None

    async def part(self, guest: Guest, other: str) -> None:
        """They are friends no more."""
        await self._house.store.write(part, guest.id, other)

    # ── Those one would rather not meet ──────────────────────

    async def block(self, guest: Guest, id: str, wish: PersonAt) -> None:
        """Blocks somebody at a table; they are no friends any more."""
        table = await self._lobby.seen_by(guest, id, wish.invite)
        other, _ = await self._whom(guest, table, wish)
        if other == guest.id:
            raise BadRequest("not_yourself")
        await self._house.store.write(block, guest.id, other)
        guest.blocked |= {other}

    async def unblock(self, guest: Guest, other: str) -> None:
        """They may be met again."""
        await self._house.store.write(unblock, guest.id, other)
        guest.blocked -= {other}

    async def set_chat(self, guest: Guest, on: bool) -> None:
        """Whether a guest wants to read what is said, and to say something."""
        await self._house.store.write(set_chat, guest.id, on)
        guest.chat = on

    async def report(self, guest: Guest, id: str, wish: ReportIt) -> None:
        """Tells whoever keeps the house; what was said is quoted from the store, not by the one who reports it."""
        table = await self._lobby.seen_by(guest, id, wish.invite)
        about, said = await self._whom(guest, table, wish)
        text = tidy(wish.text, LONGEST_REPORT)
        row = Report(self._house.clock(), guest.id, about, table.row.id, text, said)
        limits = [Limit("report", guest.id, REPORTS, AN_HOUR)]
        try:
            await self._house.store.write(add_report, row, limits)
        except queries.Exceeded:
            raise TooMuch("too_many_reports") from None

    async def _whom(self, guest: Guest, table: Table, wish: PersonAt | ReportIt) -> tuple[str, str]:
        """Who sits there, or has said that, and what it was; of what spectators say, players do not find out by asking."""
        if wish.said is not None:
            found = await self._house.store.read(find_line, table.row.id, wish.said)
            apart = table.row.phase == "playing" and table.seat_of(guest) is not None
            if found is not None and (found[0] is not None or not apart):
                return found[1], found[2]
        elif wish.seat is not None and wish.seat < table.seats:
            other = table.row.chairs[wish.seat].guest
            if other is not None:
                return other, ""
        raise NotFound("no_such_person")


# ── What the store is asked ──────────────────────────────────


@dataclass(frozen=True)
class Report:
    """What somebody has to say about somebody."""

    at: float
    guest: str
    about: str
    table: str
    text: str
    said: str  # what it is about, if it was said


def people_of(db: Connection, guest: str, table: str, column: str) -> list[Person]:
    """The people on a guest's list of friends, or of those they have blocked."""
    rows = db.execute(
        f"""SELECT guests.id, guests.name, symbol, colour FROM {table} JOIN guests ON guests.id = {column}
            WHERE guest = ? ORDER BY guests.name, guests.id""",
        (guest,),
    ).fetchall()
    return [person_in(row) for row in rows]


def person_in(row: Sequence[Any]) -> Person:
    """Somebody of whom the store has said id, name, symbol and colour."""
    other = known(*row)
    return Person(other.id, other.name, other.symbol, other.colour)


def befriend(db: Connection, guest: str, code: str, now: float) -> None:
    """Uses a link up; somebody who is blocked finds it used up."""
    ticket = tickets.look_at(db, code, FRIEND, now)
    other = ticket.guest if ticket else None
    if other is None or other == guest or is_blocked(db, guest, [other]) or is_blocked(db, other, [guest]):
        raise NoTicket
    for one in (guest, other):
        if db.execute("SELECT COUNT(*) FROM friends WHERE guest = ?", (one,)).fetchone()[0] >= MOST_FRIENDS:
            raise queries.Exceeded(Limit("friends", one, MOST_FRIENDS))
    if tickets.take(db, code, FRIEND, now) is None:
        raise NoTicket
    for one, another in ((guest, other), (other, guest)):
        db.execute("INSERT INTO friends (guest, friend) VALUES (?, ?) ON CONFLICT DO NOTHING", (one, another))


def part(db: Connection, guest: str, other: str) -> None:
    """Friends no more."""
    for pair in ((guest, other), (other, guest)):
        db.execute("DELETE FROM friends WHERE guest = ? AND friend = ?", pair)


def block(db: Connection, guest: str, other: str) -> None:
    """A guest would rather not meet another."""
    part(db, guest, other)
    db.execute("INSERT INTO blocks (guest, blocked) VALUES (?, ?) ON CONFLICT DO NOTHING", (guest, other))


def unblock(db: Connection, guest: str, other: str) -> None:
    """They may be met again."""
    db.execute("DELETE FROM blocks WHERE guest = ? AND blocked = ?", (guest, other))


def set_chat(db: Connection, guest: str, on: bool) -> None:
    """Whether a guest takes part in chats."""
    db.execute("UPDATE guests SET chat = ? WHERE id = ?", (int(on), guest))


def find_line(db: Connection, table: str, at: float) -> Any:
    """Seat, guest and words of what was said at a table at that time, if it is known who said it."""
    query = "SELECT seat, guest, text FROM chat WHERE table_id = ? AND at = ? AND guest IS NOT NULL"
    return db.execute(query, (table, at)).fetchone()


def add_report(db: Connection, row: Report, limits: Sequence[Limit]) -> None:
    """Something for whoever keeps the house."""
    queries.spend(db, limits, row.at)
    db.execute(
        "INSERT INTO reports (at, guest, about, table_id, text, said) VALUES (?, ?, ?, ?, ?, ?)",
        (row.at, row.guest, row.about, row.table, row.text, row.said),
    )
