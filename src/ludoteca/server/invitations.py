"""Invitations: somebody at a table that has not begun asks one of their friends to it, and may keep a chair for them.

Who is asked finds it on their home page and is told like those whose turn it is. They sit down or say «not now»; who has
said so is not asked to that table again. Friends who have blocked each other are friends no more, so they cannot ask.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import queries
from .clocks import AN_HOUR
from .database import Connection, Unwritten
from .guests import Guest
from .house import House
from .limits import Limit
from .lobby import Lobby
from .refusals import NotAllowed, NotFound, NotNow, TooMuch
from .social import person_in
from .table import Table
from .welcome import is_blocked, kept_for_others
from .wire import AskedInfo, AskFriend, InvitationInfo, Sit, TableInfo

INVITATIONS = 60  # of one guest in an hour
MOST_LISTED = 20


class NoFriend(Unwritten):
    """Only friends can be asked."""


class Declined(Unwritten):
    """They have said «not now»."""


class NoChair(Unwritten):
    """There is no free chair to keep."""


@dataclass(frozen=True)
class Asking:
    """Who asks whom, and whether a chair is kept."""

    guest: str
    friend: str
    keep: bool
    at: float


class Invitations:
    """Friends who are asked to a table."""

    def __init__(self, house: House, lobby: Lobby) -> None:
        self._house, self._lobby = house, lobby

    # ── Asking ───────────────────────────────────────────────

    async def ask(self, guest: Guest, id: str, wish: AskFriend) -> list[AskedInfo]:
        """Somebody at a table asks a friend to it; asked again, only the chair may be kept or not."""
        table = await self._seated(guest, id)
        if table.row.phase != "open":
            raise NotNow("already_started")
        limit = Limit("invitation", guest.id, INVITATIONS, AN_HOUR)
        asking = Asking(guest.id, wish.friend, wish.keep, self._house.clock())
        try:
            new = await self._house.store.write(ask, id, asking, limit)
        except NoFriend:
            raise NotAllowed("not_friends") from None
        except Declined:
            raise NotNow("has_declined") from None
        except NoChair:
            raise NotNow("no_chair_to_keep") from None
        except queries.Exceeded:
            raise TooMuch("too_many_invitations", most=INVITATIONS) from None
        await self._lobby.changed_elsewhere(id)
        if new and self._house.notices is not None:
            self._house.notices.invited(table, wish.friend, guest.name)
        return await self.asked_to(guest, id)

    async def asked_to(self, guest: Guest, id: str) -> list[AskedInfo]:
        """Whom those at a table have asked."""
        await self._seated(guest, id)
        return await self._house.store.read(asked_to, id)

    async def withdraw(self, guest: Guest, id: str, friend: str) -> list[AskedInfo]:
        """Whoever has asked, or the host, takes an invitation back."""
        table = await self._seated(guest, id)
        by = None if table.row.host == guest.id else guest.id
        if await self._house.store.write(withdraw, id, friend, by):
            await self._lobby.changed_elsewhere(id)
        return await self.asked_to(guest, id)

    async def _seated(self, guest: Guest, id: str) -> Table:
        table = await self._lobby.seen_by(guest, id)
        if table.seat_of(guest) is None:
            raise NotAllowed("only_seated")
        return table

    # ── Being asked ──────────────────────────────────────────

    async def of(self, guest: Guest) -> list[InvitationInfo]:
        """Where a guest is asked to, the last first."""
        rows = await self._house.store.read(invitations_of, guest.id, MOST_LISTED)
        return [
            InvitationInfo(self._lobby.listed(row, guest), row.invite, person_in(person), kept)
            for row, person, kept in rows
            if self._house.engines.has(row.game)
        ]

    async def accept(self, guest: Guest, id: str) -> TableInfo:
        """They sit down."""
        invite = await self._house.store.read(invite_of, id, guest.id)
        if invite is None:
            raise NotFound("no_such_table")
        info = await self._lobby.sit(guest, id, Sit(None, invite))
        await self._house.store.write(withdraw, id, guest.id, None)
        return info

    async def decline(self, guest: Guest, id: str) -> list[InvitationInfo]:
        """Not now; a chair that was kept for them is free."""
        if not await self._house.store.write(decline, id, guest.id):
            raise NotFound("no_such_table")
        await self._lobby.changed_elsewhere(id)
        return await self.of(guest)


# ── What the store is asked ──────────────────────────────────


def ask(db: Connection, table: str, asking: Asking, limit: Limit) -> bool:
    """A friend is asked to a table; whether that is new."""
    friend = "SELECT COUNT(*) FROM friends WHERE guest = ? AND friend = ?"
    if not db.execute(friend, (asking.guest, asking.friend)).fetchone()[0]:
        raise NoFriend
    if is_blocked(db, asking.guest, [asking.friend]) or is_blocked(db, asking.friend, [asking.guest]):
        raise NoFriend
    _free_chair(db, table, asking)
    before = db.execute(
        "SELECT declined FROM invitations WHERE table_id = ? AND guest = ?", (table, asking.friend)
    ).fetchone()
    if before is not None and before[0]:
        raise Declined
    if before is None:
        queries.spend(db, [limit], asking.at)
        db.execute(
            "INSERT INTO invitations (table_id, guest, by_guest, kept, at) VALUES (?, ?, ?, ?, ?)",
            (table, asking.friend, asking.guest, int(asking.keep), asking.at),
        )
    else:
        db.execute(
            "UPDATE invitations SET kept = ? WHERE table_id = ? AND guest = ?",
            (int(asking.keep), table, asking.friend),
        )
    revise(db, table)
    return before is None


def _free_chair(db: Connection, table: str, asking: Asking) -> None:
    """Refuses to keep a chair where none is free."""
    if asking.keep:
        empty = "SELECT COUNT(*) FROM chairs WHERE table_id = ? AND guest IS NULL AND level IS NULL"
        if db.execute(empty, (table,)).fetchone()[0] <= kept_for_others(db, table, asking.friend):
            raise NoChair


def revise(db: Connection, table: str) -> None:
    """Whoever changes the chairs at the same time has to look again."""
    db.execute("UPDATE tables SET revision = revision + 1 WHERE id = ?", (table,))


def asked_to(db: Connection, table: str) -> list[AskedInfo]:
    """Whom those at a table have asked and who has not answered."""
    rows = db.execute(
        """SELECT guests.id, guests.name, symbol, colour, kept FROM invitations JOIN guests ON guests.id = guest
           WHERE table_id = ? AND declined = 0 ORDER BY at, guests.id""",
        (table,),
    ).fetchall()
    return [AskedInfo(person_in(person), bool(kept)) for *person, kept in rows]


def withdraw(db: Connection, table: str, guest: str, by: str | None) -> bool:
    """An invitation is taken back: that guest's, or anybody's; or it has been followed."""
    gone = db.execute(
        "DELETE FROM invitations WHERE table_id = ? AND guest = ? AND by_guest = COALESCE(?, by_guest) AND declined = 0",
        (table, guest, by),
    )
    if gone.rowcount:
        revise(db, table)
    return gone.rowcount == 1


def decline(db: Connection, table: str, guest: str) -> bool:
    """Somebody does not come."""
    changed = db.execute(
        "UPDATE invitations SET declined = 1, kept = 0 WHERE table_id = ? AND guest = ? AND declined = 0",
        (table, guest),
    )
    if changed.rowcount:
        revise(db, table)
    return changed.rowcount == 1


def invite_of(db: Connection, table: str, guest: str) -> str | None:
    """What opens the table to a guest who is asked to it."""
    found = db.execute(
        """SELECT invite FROM invitations JOIN tables ON tables.id = table_id
           WHERE table_id = ? AND guest = ? AND declined = 0""",
        (table, guest),
    ).fetchone()
    return str(found[0]) if found else None


def invitations_of(db: Connection, guest: str, most: int) -> list[tuple[queries.TableRow, list[object], bool]]:
    """The tables that have not begun to which a guest is asked and where they do not sit; who asks; is a chair kept?"""
    rows = db.execute(
        """SELECT table_id, kept, guests.id, guests.name, symbol, colour FROM invitations
           JOIN guests ON guests.id = by_guest JOIN tables ON tables.id = table_id
           WHERE guest = ? AND declined = 0 AND phase = 'open'
           AND NOT EXISTS (SELECT 1 FROM chairs WHERE chairs.table_id = tables.id AND chairs.guest = invitations.guest)
           ORDER BY at DESC LIMIT ?""",
        (guest, most),
    ).fetchall()
    found = []
    for id, kept, *person in rows:
        row = queries.find_table(db, id)
        if row is not None:
            found.append((row, list(person), bool(kept)))
    return found
