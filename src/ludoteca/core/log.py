"""The log: where the rules tell what happened, in whole numbers. `facts.py` says what the numbers mean.

A rule that does something tells the log it was handed, with the values in the order of the game's own `facts.py`:

    tell(log, RESERVED, seat, 1 << seat, level, slot, joker, card)

A fact with more than eight values goes on in a second row, and in as many as it needs:

    tell(log, LINED_UP, seat, EVERYONE, a, b, c, d, e, f, g, h)
    tell_more(log, i, j, k, l)

That a fact happened is always public; its secret values are only for the audience. A log without room costs nothing.
"""

from __future__ import annotations

from .kernel import Log, kernel

VALUES = 8  # whole numbers in one row; many small counts share one: see `bundle`
KIND, SEAT, AUDIENCE, FIRST_VALUE = range(4)
COLUMNS = FIRST_VALUE + VALUES
UNSAID = -(1 << 31)  # in the columns that a fact does not need
NOBODY = -1  # the seat of a fact that happens to the whole table
NOTHING = -1  # the value of something that is not there: null on the page
MORE = -2  # the kind of a row that goes on with the fact before it
BUNDLE_BITS = 4


def new_log(rows: int = 512) -> Log:
    """A log with room for `rows` rows: a fact takes one for every eight values."""
    return Log(rows, COLUMNS)


def no_log(rows: int = 512) -> Log:
    """A log of the same kind that takes no facts, for those who only want to play on."""
    return Log(rows, COLUMNS, room=0)


@kernel
def tell(
    log: Log,
    kind: int,
    seat: int,
    audience: int,
    a: int = UNSAID,
    b: int = UNSAID,
    c: int = UNSAID,
    d: int = UNSAID,
    e: int = UNSAID,
    f: int = UNSAID,
    g: int = UNSAID,
    h: int = UNSAID,
) -> None:
    """Writes one fact, if there is a log; the columns that it does not need are left unsaid."""
    if log.room != 0:
        write(log, kind, seat, audience, a, b, c, d, e, f, g, h)


@kernel
def tell_more(
    log: Log,
    a: int,
    b: int = UNSAID,
    c: int = UNSAID,
    d: int = UNSAID,
    e: int = UNSAID,
    f: int = UNSAID,
    g: int = UNSAID,
    h: int = UNSAID,
) -> None:
    """Goes on with the fact told last: its next values, in a row of their own."""
    if log.room != 0:
        write(log, MORE, NOBODY, 0, a, b, c, d, e, f, g, h)


@kernel
def write(
    log: Log,
    kind: int,
    seat: int,
    audience: int,
    a: int,
    b: int,
    c: int,
    d: int,
    e: int,
    f: int,
    g: int,
    h: int,
) -> None:
    """Writes one row."""
    row = log.used
    log.used = row + 1
    if row >= log.room:
        return  # `Log.taken` complains: a log too small is a mistake of whoever made it
    log.rows[row, KIND] = kind
    log.rows[row, SEAT] = seat
    log.rows[row, AUDIENCE] = audience
    log.rows[row, FIRST_VALUE] = a
    log.rows[row, FIRST_VALUE + 1] = b
    log.rows[row, FIRST_VALUE + 2] = c
    log.rows[row, FIRST_VALUE + 3] = d
    log.rows[row, FIRST_VALUE + 4] = e
    log.rows[row, FIRST_VALUE + 5] = f
    log.rows[row, FIRST_VALUE + 6] = g
    log.rows[row, FIRST_VALUE + 7] = h


@kernel
def bundle(place: int, count: int) -> int:
    """A count in a bundle of up to seven counts from 0 to 15, which are added: `bundle(RED, 2) + bundle(BLUE, 1)`."""
    return count << (BUNDLE_BITS * place)
