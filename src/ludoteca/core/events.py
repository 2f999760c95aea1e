"""Events are facts: what happened, to whom, in small numbers, and who may know the secret half.

A rule that does something tells the log it was handed: `tell(log, TOOK, seat, a, b, c, d, audience)`. That a fact
happened is always public, and so are `a` and `b`; `c` and `d` are only for the audience (others read HIDDEN). A log without
room costs nothing. Sentences and animations are made from facts later, for each viewer and language.
"""

from __future__ import annotations

from dataclasses import dataclass

from .kernel import Log, kernel
from .record import EVERYONE, HIDDEN

COLUMNS = 7  # kind, seat, a, b, c, d, audience


def new_log(rows: int = 512) -> Log:
    """A log with room for `rows` facts."""
    return Log(rows, COLUMNS)


def no_log(rows: int = 512) -> Log:
    """A log of the same kind that takes no facts, for those who only want to play on."""
    return Log(rows, COLUMNS, room=0)


@kernel
def tell(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int, audience: int) -> None:
    """Writes one fact, if there is a log."""
    if log.room == 0:
        return
    row = log.used
    log.used = row + 1
    if row >= log.room:
        return  # `Log.taken` complains: a log too small is a mistake of whoever made it
    log.rows[row, 0] = kind
    log.rows[row, 1] = seat
    log.rows[row, 2] = a
    log.rows[row, 3] = b
    log.rows[row, 4] = c
    log.rows[row, 5] = d
    log.rows[row, 6] = audience


@kernel
def tell_all(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Writes a fact without a secret half."""
    tell(log, kind, seat, a, b, c, d, EVERYONE)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened. `c` and `d` are HIDDEN from those outside the audience."""

    kind: int
    seat: int
    a: int
    b: int
    c: int
    d: int
    audience: int = EVERYONE

    def seen_by(self, viewer: int) -> Fact:
        """The fact as this viewer may know it; the audience itself is nobody's business."""
        if self.audience == EVERYONE:
            return self
        if self.audience >> viewer & 1:
            return Fact(self.kind, self.seat, self.a, self.b, self.c, self.d)
        return Fact(self.kind, self.seat, self.a, self.b, HIDDEN, HIDDEN)


def facts(log: Log) -> list[Fact]:
    """What the log holds, oldest first; empties it."""
    return [Fact(*row) for row in log.taken()]
