"""One-time links: to a further device, or for a friend. Whoever opens one is told whose it is before it is used."""

from __future__ import annotations

from . import tickets
from .clocks import AN_HOUR
from .database import Connection
from .guests import Guest
from .house import House
from .limits import Limit
from .queries import Exceeded, GuestRow
from .refusals import NotFound, TooMuch
from .wire import OneTimeLink, Whose


class Links:
    """Links of one kind, each good once for so many seconds; `alone`: a newer one replaces the guest's earlier ones."""

    def __init__(self, house: House, kind: str, seconds: int, alone: bool) -> None:
        self._house, self._kind, self._seconds, self._alone = house, kind, seconds, alone

    async def make(self, guest: Guest) -> OneTimeLink:
        """A new one."""
        code, now, written = tickets.new_ticket(), self._house.clock(), tickets.Ticket(guest.id, "{}")
        limits = [Limit(self._kind, guest.id, self._house.settings.links_an_hour, AN_HOUR)]
        until = now + self._seconds
        try:
            await self._house.store.write(tickets.issue, code, self._kind, written, now, until, limits, self._alone)
        except Exceeded:
            raise TooMuch("too_many_links") from None
        return OneTimeLink(code, self._seconds)

    async def whose(self, code: str) -> Whose:
        """Who a link is from; it stays good."""
        row = await self._house.store.read(find_owner, code, self._kind, self._house.clock())
        if row is None:
            raise NotFound("no_such_link")
        guest = Guest(row.id, row.name)
        guest.become(row)
        return Whose(guest.name, guest.symbol, guest.colour)


def find_owner(db: Connection, code: str, kind: str, now: float) -> GuestRow | None:
    """The guest who has made a link that is still good."""
    ticket = tickets.look_at(db, code, kind, now)
    if ticket is None:
        return None
    found = db.execute("SELECT id, name, symbol, colour FROM guests WHERE id = ?", (ticket.guest,)).fetchone()
    return GuestRow(*found) if found else None
