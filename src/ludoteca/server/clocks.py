"""Clocks: how much time each seat has, worked out from what is written down and from nothing else.

A table may be played without a clock, *live* (a bank of time, and a little more with every turn) or *by days* (so many days
for each decision, and days off that a player takes). Everything that sets a clock going, stops it or changes it is a row
with its time; between two rows the clocks of the seats that are awaited run, as far as the house was up. So a restarted
server, or another one, finds every clock as it was, and nobody loses time while the house is closed.

    clocks = Clocks.begin(terms, seats=2)
    for row in rows:
        clocks = clocks.after(row, up)
    clocks.left(seat=0, now=…, up=up)

Nothing here reads a clock, stores or sends anything; `timing.py` does that for a table.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import msgspec

from .wire import ClockTerms

AN_HOUR = 3600.0
A_DAY = 24 * AN_HOUR
DAYS_OFF = 7  # a player may take in a game played by days
HOLD = 20.0  # seconds for which a clock stands still, once a game, when its owner's connection is lost
LEAST_BACK = 15.0  # seconds that whoever takes a seat back after running out has at least

What = Literal[
    "deal", "turn", "seal", "undo", "more", "off", "lost", "found", "left", "out", "back", "cover", "uncover"
]


Terms = ClockTerms  # what a table has agreed on


def low(terms: Terms) -> float:
    """From so many seconds on, a player is warned: a tenth of the bank, at least half a minute; by days, an hour."""
    return AN_HOUR if terms.kind == "days" else min(max(terms.bank / 10, 30.0), terms.bank / 2)


def gift(terms: Terms) -> int:
    """What «give more time» gives, in seconds: about a third of the bank, in whole minutes; by days, a day."""
    return int(A_DAY) if terms.kind == "days" else max(60, terms.bank // 180 * 60)


def most(terms: Terms) -> float:
    """What others can fill a clock up to, in seconds."""
    return max(3.0 * terms.bank, float(terms.bank + gift(terms)))


def write_terms(terms: Terms | None) -> str:
    """For the store: nothing at all where there is no clock."""
    return msgspec.json.encode(terms).decode() if terms is not None and terms.kind != "none" else ""


def read_terms(written: str) -> Terms | None:
    """As they were stored; none where there is no clock, or what is stored is damaged."""
    try:
        return msgspec.json.decode(written, type=Terms) if written else None
    except msgspec.MsgspecError:
        return None


class Row(NamedTuple):
    """Something that concerns the clocks of a table, when it happened, and whose clocks run from then on."""

    at: float
    what: What
    running: int  # bits: people who are awaited and have not sealed
    begun: int = 0  # bits: seats whose turn begins with it
    seat: int | None = None  # whom it is about
    by: int | None = None  # who gave time
    amount: float = 0.0  # seconds given


# ── When the house was up ────────────────────────────────────


@dataclass(frozen=True)
class Up:
    """When the house was open: from … until, of each of its servers.

    A server's last sign of life may be a moment older than its end. But whatever was written, was written by a server that
    was up; so from the latest beginning until then, the house was up as well.
    """

    spans: tuple[tuple[float, float], ...] = ()
    _begun: tuple[float, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, spans: Iterable[tuple[float, float]]) -> Up:
        """From the signs of life, in any order; they may overlap."""
        ordered = tuple(sorted(spans))
        return cls(ordered, tuple(since for since, _ in ordered))

    def between(self, before: float, then: float) -> float:
        """For how many seconds the house was up between the two, if it is known to have been up `then`."""
        if then <= before:
            return 0.0
        latest = bisect.bisect_right(self._begun, then) - 1
        if latest < 0:
            return then - before  # nothing is known: the table is as old as what is written of the house
        open_since = max(before, self._begun[latest])
        total, reached = then - open_since, before
        for since, until in self.spans[:latest]:
            begin, end = max(since, reached), min(until, open_since)
            if end > begin:
                total += end - begin
                reached = end
        return total


# ── The clocks of one table ──────────────────────────────────


@dataclass(frozen=True)
class Clock:
    """One seat's."""

    left: float  # seconds, when it was last written
    before: float  # the same before this turn began: what a turn that is taken back gives again
    held: float = 0.0  # until then it stands still
    days_off: int = 0  # taken
    lost: bool = False  # the connection, once already
    outs: int = 0  # how often it ran out
    out: bool = False  # it has, and nobody has taken the seat back since


@dataclass(frozen=True)
class Clocks:
    """All clocks of a table as they were at the last row."""

    terms: Terms
    seats: tuple[Clock, ...]
    running: int = 0
    at: float = 0.0

    @classmethod
    def begin(cls, terms: Terms, seats: int) -> Clocks:
        """Before the first row: full, and none of them runs."""
        return cls(terms, (Clock(float(terms.bank), float(terms.bank)),) * seats)

    @classmethod
    def of(cls, terms: Terms, seats: int, rows: Iterable[Row], up: Up) -> Clocks:
        """After all of these rows."""
        clocks = cls.begin(terms, seats)
        for row in rows:
            clocks = clocks.after(row, up)
        return clocks

    # ── Reading ──

    def runs(self, seat: int) -> bool:
        """Whether this seat is awaited; its clock may be held all the same."""
        return bool(self.running >> seat & 1)

    def left(self, seat: int, now: float, up: Up) -> float:
        """Seconds that this seat has."""
        clock = self.seats[seat]
        if not self.runs(seat):
            return clock.left
        return max(0.0, clock.left - up.between(max(self.at, clock.held), now))

    def held(self, seat: int, now: float) -> float:
        """For how many seconds more this clock stands still, though its seat is awaited."""
        return max(0.0, self.seats[seat].held - now) if self.runs(seat) else 0.0

    def due(self, now: float, up: Up) -> float | None:
        """When the next of them runs out if nobody does anything."""
        awaited = [seat for seat in range(len(self.seats)) if self.runs(seat)]
        return min((max(now, self.seats[s].held) + self.left(s, now, up) for s in awaited), default=None)

    def expired(self, now: float, up: Up) -> list[int]:
        """The seats whose time has run out while they are awaited."""
        return [seat for seat in range(len(self.seats)) if self.runs(seat) and self.left(seat, now, up) <= 0]

    # ── What happens ──

    def after(self, row: Row, up: Up) -> Clocks:
        """With this row; a clock that went wrong and gives an earlier time than the last row's costs nobody anything."""
        at = max(self.at, row.at)
        seats = [self._turned(seat, at, row, up) for seat in range(len(self.seats))]
        if row.seat is not None:
            seats[row.seat] = self._changed(seats[row.seat], at, row)
        return Clocks(self.terms, tuple(seats), row.running, at)

    def _turned(self, seat: int, at: float, row: Row, up: Up) -> Clock:
        """What time and turns do to a clock."""
        clock, bit = self.seats[seat], 1 << seat
        if row.what == "undo" and self.running & bit and not row.running & bit:
            return replace(clock, left=clock.before)  # that turn has never begun
        left = self.left(seat, at, up)
        if not row.begun & bit:
            return replace(clock, left=left)
        return replace(clock, before=left, left=self._next_turn(left))

    def _next_turn(self, left: float) -> float:
        if self.terms.kind == "days":
            return float(self.terms.bank)
        return max(left, min(left + self.terms.increment, self.terms.bank))

    def _changed(self, clock: Clock, at: float, row: Row) -> Clock:
        """What a row does to the clock it is about."""
        if row.what == "more":
            return replace(clock, left=max(clock.left, min(clock.left + row.amount, most(self.terms))))
        if row.what == "off" and clock.days_off < DAYS_OFF:
            return replace(clock, held=max(clock.held, at) + A_DAY, days_off=clock.days_off + 1)
        if row.what == "lost" and not clock.lost:
            return replace(clock, held=max(clock.held, at + HOLD), lost=True)
        if row.what == "found" and self.terms.kind == "live":
            return replace(clock, held=min(clock.held, at))
        if row.what == "out":
            return replace(clock, left=0.0, before=0.0, outs=clock.outs + 1, out=True)
        if row.what == "back" and clock.out:  # who has only left finds the clock as it was
            return replace(clock, left=max(clock.left, self._back(clock)), out=False)
        return clock

    def _back(self, clock: Clock) -> float:
        """What whoever takes a seat back has at least: half the bank, a quarter the next time, and so on."""
        return min(max(self.terms.bank / 2.0**clock.outs, LEAST_BACK), self.terms.bank)


def turns_begun(terms: Terms, before: int, after: int, decided: int, together: bool) -> int:
    """The seats whose turn begins (bits): those that were not awaited before.

    After sealed decisions that is everybody who is awaited again; by days, every decision is a turn of its own.
    """
    again = decided if together or terms.kind == "days" else 0
    return after & (~before | again)
