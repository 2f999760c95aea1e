"""Looking back: a game from its deal to where it stands, moment by moment, through one pair of eyes.

A moment is a position after which something could be told. What players did behind their screens is one moment: the one in
which the screens went up. While a game runs, people may look back only at what they saw themselves; when it is over, nothing
is secret any more, and anybody may look through anybody's eyes, but for what a game covers even then (`stays_secret`).
"""

from __future__ import annotations

import asyncio

import numpy as np

from ludoteca.core.facts import Fact
from ludoteca.core.record import SPECTATOR

from . import seats
from .guests import Guest
from .missed import AT_ONCE
from .refusals import NotNow
from .screens import Screens
from .table import Table
from .wire import Moments, Update

A_PAGE = 25  # moments in one answer


def eyes_of(table: Table, guest: Guest | None, seat: int | None) -> int:
    """Through whose eyes this guest looks: their own, or those of the seat they ask for."""
    own = table.seat_of(guest)
    if seat is None or seat == own:
        return SPECTATOR if own is None else own
    seats.check_seat(table.row.chairs, seat)
    if table.row.phase != "over":
        raise NotNow("not_over")
    return seat


async def look_back(table: Table, viewer: int, first: int, own: bool = True) -> Moments:
    """A page of moments from number `first` on (0 is the deal), and how many there are in all; through one's own eyes, or
    through those of somebody else.
    """
    if table.play is None:
        raise NotNow("not_started")
    story = Story(table, viewer, own)
    pages = range(first, first + A_PAGE)
    found, chances, number = list[Update](), list[list[int]](), 0

    def add() -> None:
        found.append(story.moment())
        if table.result is not None:  # before, they would tell what is hidden
            chances.append(story.chances())

    if first == 0:
        add()
    while story.goes_on():
        told = story.next()
        number += told
        if told and number in pages:
            add()
        if story.seq % AT_ONCE == 0 or (told and number in pages):
            await asyncio.sleep(0)  # others get their turn
    return Moments(first, number + 1, found, chances)


async def moment_at(table: Table, viewer: int, number: int) -> Update:
    """One moment through this viewer's own eyes; the last there is, if there are not so many."""
    story = Story(table, viewer, own=True)
    while number and story.goes_on():
        number -= story.next()
        if story.seq % AT_ONCE == 0:
            await asyncio.sleep(0)
    return story.moment()


class Story:
    """The game being played again as far as it has come by now, with what has happened since the last moment."""

    def __init__(self, table: Table, viewer: int, own: bool) -> None:
        assert table.play is not None
        self._table = table
        self._viewer = viewer
        self._covers = None if own or viewer == SPECTATOR else table.game.stays_secret
        self._decided = list(table.play.decided())
        self._play = table.play.from_the_start(table.engine)
        self._screens = Screens(table.game)
        self._happened: list[Fact] = []
        self._whole = True  # the moment is told

    @property
    def seq(self) -> int:
        """How many steps have been played again."""
        return self._play.seq

    def goes_on(self) -> bool:
        """Whether there is more."""
        return self.seq < len(self._decided)

    def next(self) -> bool:
        """The next step; whether it makes a moment: the end of a decision that told something, or of the story."""
        if self._whole:
            self._happened = []
        seat, action, step = self._decided[self.seq]
        alone = self._play.waiting() == [seat]
        self._happened += self._play.follow(seat, [action], step)
        if not self.goes_on():
            self._whole = True
        elif self._screens.covers(action):
            self._whole = alone and self._screens.seals(action)  # the last one seals: the screens go up
        else:
            ended = self._decided[self.seq][2] == 0  # another decision begins
            self._whole = ended and bool(self._happened)
        return self._whole

    def moment(self) -> Update:
        """The position, as it was told at the table then."""
        play, position = self._play, self._play.position(self._viewer)
        heard = position
        if self._covers is not None:
            self._covers(position.redacted, self._viewer)
            heard = play.position(SPECTATOR)
        return Update(
            play.seq, position.view(), [], play.waiting(), heard.facts(self._happened, play.told), False,
            self._table.result if play.is_over() else None,
        )  # fmt: skip

    def chances(self) -> list[int]:
        """Everybody's chance to win, at a glance; at the end, who has won."""
        play = self._play
        if play.is_over():
            ranks = play.result().ranks
            return [100 * (rank == 1) // ranks.count(1) for rank in ranks]
        out = np.zeros(play.game.max_seats)
        play.engine.call("outlook", play.states, 0, out)
        return [round(100 * chance) for chance in out[: play.seats].tolist()]
