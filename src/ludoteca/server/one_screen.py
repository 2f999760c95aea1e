"""A table for one screen that is passed around («hot seat»): whose eyes it has, and when it is covered.

One guest has the screen; the others are names on chairs. While the screen is covered it is told what any spectator is told,
and nothing else: not a secret of any seat reaches it. Whoever is to play uncovers it for their own seat, and that is a new
connection which has this seat's eyes from its first message on. When it is another's turn, the connection is closed before
anything more is told to it. The page forgets everything with it, and draws the cover.

There is one such connection at a table: the next one closes the last. Clocks run only while there is one (`clockwork.py`),
such a game is never rated, and what a connection may see is asked of the connection, never of the guest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoteca.core.record import SPECTATOR

from . import seats
from .guests import Guest
from .names import tidy, visible
from .queries import ChairRow
from .refusals import BadRequest, NotAllowed, NotNow

if TYPE_CHECKING:
    from .presence import Watcher
    from .table import Table

LONGEST_NAME = 24


def chairs_around(guest: Guest, others: Sequence[str], levels: Sequence[str]) -> list[ChairRow]:
    """The guest who has the screen, the others at it by name, then bots."""
    names = [tidy(name, LONGEST_NAME) for name in others]
    if not names or not all(name and visible(name) for name in names):
        raise BadRequest("one_screen_names")
    chairs = [seats.person(guest), *(ChairRow(None, name) for name in names)]
    for level in levels:
        chairs = seats.with_bot([*chairs, ChairRow()], len(chairs), level)
    return chairs


class OneScreen:
    """Who looks through whose eyes at a table where one screen is passed around; nothing at any other."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.was_open_here = False  # and nobody has written down yet that it is covered

    def eyes(self, watcher: Watcher) -> int:
        """A seat's, for the connection that was opened for it; everybody else's are a spectator's."""
        return SPECTATOR if watcher.eyes is None else watcher.eyes

    def awaited(self) -> list[int]:
        """The people at the screen who owe a decision."""
        return [seat for seat in self._table.waiting() if self._table.row.chairs[seat].person]

    def check(self, guest: Guest | None, seat: int | None) -> None:
        """Refuses to uncover the screen for whoever is not asked, or to anybody but the guest who has it."""
        if seat is None:
            return
        if not self._table.row.hot:
            raise BadRequest("not_one_screen")
        if self._table.seat_of(guest) is None:
            raise NotAllowed("only_seated")
        if seat not in self.awaited():
            raise NotNow("not_awaited")

    def open_for(self, watcher: Watcher) -> None:
        """One screen at a time."""
        if watcher.eyes is not None:
            self.was_open_here = True
            for other in self._uncovered():
                if other is not watcher:
                    self._cover(other)

    def cover_up(self) -> None:
        """Another is to play: whoever had the screen is told nothing more."""
        if not self._table.row.hot or not (awaited := self.awaited()):
            return
        for watcher in self._uncovered():
            if watcher.eyes not in awaited:
                self._cover(watcher)

    def _cover(self, watcher: Watcher) -> None:
        self._table.presence.go(watcher)
        watcher.cover()

    def _uncovered(self) -> list[Watcher]:
        return [watcher for watcher in self._table.presence if watcher.eyes is not None]

    @property
    def open_seats(self) -> int:
        """The seats whose clocks may run (bits): where a screen is passed around, the one that it is uncovered for."""
        if not self._table.row.hot:
            return -1
        return sum({1 << watcher.eyes for watcher in self._uncovered() if watcher.eyes is not None})

    def is_elsewhere(self) -> bool:
        """Whether the guest who has the screen is with another server, which sees to it."""
        host = self._table.row.host
        presence = self._table.presence
        return host is not None and presence.is_online(host) and not presence.listens(host)
