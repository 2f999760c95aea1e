"""Looking back: a game from its deal to where it stands, moment by moment, through one pair of eyes.

A moment is a position after which something could be told. What players did behind their screens is one moment: the one in
which the screens went up. While a game runs, people may look back only at what they saw themselves; when it is over, nothing
is secret any more, and anybody may look through anybody's eyes, but for what a game covers even then (`stays_secret`).
"""

from __future__ import annotations

import asyncio

import numpy as np

from ludoteca.core.events import Fact
from ludoteca.core.record import SPECTATOR, Plain

from . import seats
from .guests import Guest
from .refusals import NotNow
from .screens import Screens
from .table import AT_ONCE, Replay, Table, named_facts
from .wire import Moments, Update

A_PAGE = 25  # moments in one answer


def eyes_of(table: Table, guest: Guest | None, seat: int | None) -> int:
    """Through whose eyes this guest looks: their own, or those of the seat they ask for."""
    own = table.seat_of(guest)
    if seat is None or seat == own:
        return SPECTATOR if own is None else own
    seats.check_seat(table.row.chairs, seat)
    if table.result is None:
        raise NotNow("not_over")
    return seat


async def look_back(table: Table, viewer: int, first: int, own: bool = True) -> Moments:
    """A page of moments from number `first` on (0 is the deal), and how many there are in all; through one's own eyes, or
    through those of somebody else.
    """
    if not table.started:
        raise NotNow("not_started")
    story = Story(table, viewer, own)
    pages = range(first, first + A_PAGE)
    decisions, found, chances, number = table.decisions(), list[Update](), list[list[int]](), 0

    def add() -> None:
        found.append(story.moment())
        if table.result is not None:  # before, they would tell what is hidden
            chances.append(story.chances())

    if first == 0:
        add()
    for count, (seat, action) in enumerate(decisions, 1):
        told = story.decide(seat, action) or count == len(decisions)
        number += told
        if told and number in pages:
            add()
        if count % AT_ONCE == 0 or (told and number in pages):
            await asyncio.sleep(0)  # others get their turn
    return Moments(first, number + 1, found, chances)


class Story:
    """The game being played again, with what has happened since the last moment."""

    def __init__(self, table: Table, viewer: int, own: bool) -> None:
        self._table = table
        self._viewer = viewer
        self._covers = None if own or viewer == SPECTATOR else table.game.stays_secret
        self._replay = Replay(table)
        self._screens = Screens(table.game)
        self._happened: list[Fact] = []
        self._whole = True  # the moment is told

    def decide(self, seat: int, action: int) -> bool:
        """The next decision; whether it makes a moment."""
        if self._whole:
            self._happened = []
        alone = self._replay.waiting() == [seat]
        self._happened += self._replay.decide(seat, action)
        if self._screens.covers(action):
            self._whole = alone and self._screens.seals(action)  # the last one seals: the screens go up
        else:
            self._whole = bool(self._happened)
        return self._whole

    def moment(self) -> Update:
        """The position, as it was told at the table then."""
        table, replay = self._table, self._replay
        redacted, hears = table.game.redact(replay.states, 0, self._viewer), self._viewer
        if self._covers is not None:
            self._covers(redacted, self._viewer)
            hears = SPECTATOR
        plain = Plain(redacted)
        events = named_facts(table.game, plain, hears, self._happened, replay.told - len(self._happened))
        over = replay.engine.is_over(replay.states)
        return Update(
            replay.seq, table.game.view(plain, self._viewer), [], replay.waiting(), events, False,
            table.result if over else None,
        )  # fmt: skip

    def chances(self) -> list[int]:
        """Everybody's chance to win, at a glance; at the end, who has won."""
        engine, states = self._replay.engine, self._replay.states
        if engine.is_over(states):
            ranks = engine.result(states).ranks
            return [100 * (rank == 1) // ranks.count(1) for rank in ranks]
        out = np.zeros(self._table.game.max_seats)
        engine.call("outlook", states, 0, out)
        return [round(100 * chance) for chance in out[: self._table.seats].tolist()]
