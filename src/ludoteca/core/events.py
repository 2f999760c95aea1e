"""Events are facts: what happened, to whom, in small numbers, and who may know the secret half.

A rule that does something tells the log it was handed: `tell(log, TOOK, seat, a, b, c, d, audience)`. That a fact
happened is always public, and so are `a` and `b`; `c` and `d` are only for the audience (others read HIDDEN). An empty log
costs nothing. Sentences and animations are made from facts later, for each viewer and language.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .kernel import Log, kernel
from .record import EVERYONE, HIDDEN

COLUMNS = 8  # kind, seat, a, b, c, d, audience, unused; row 0 holds how many rows are used
NO_LOG: Log = np.zeros((0, COLUMNS), np.int32)


def new_log(rows: int = 512) -> Log:
    """A log with room for `rows` facts."""
    return np.zeros((rows + 1, COLUMNS), np.int32)


@kernel
def tell(log: Log, kind: int, seat: int, a: int, b: int, c: int, d: int, audience: int) -> None:
    """Writes one fact, if there is a log."""
    if log.shape[0] == 0:
        return
    row = log[0, 0] + 1
    log[0, 0] = row
    if row >= log.shape[0]:
        return  # `facts` complains: a log too small is a mistake of whoever made it
    log[row, 0] = kind
    log[row, 1] = seat
    log[row, 2] = a
    log[row, 3] = b
    log[row, 4] = c
    log[row, 5] = d
    log[row, 6] = audience


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
    used = int(log[0, 0])
    assert used < log.shape[0], f"{used} facts in a log with room for {log.shape[0] - 1}"
    log[0, 0] = 0
    return [Fact(*row[:7]) for row in log[1 : used + 1].tolist()]
