"""Asking the others to be let take back: kept with the table's row, so that every server of the house knows of it.

A question holds as long as nobody decides: with the next step it is void.
"""

from __future__ import annotations

import msgspec

from .queries import TableRow
from .wire import Asks, encode


class Asking(msgspec.Struct, frozen=True):
    """A question as it is stored: whose decision, back to which step, asked after which, and who has said yes."""

    seat: int
    to: int
    seq: int
    agreed: list[int] = []
    refused: bool = False  # by somebody: the same is not asked twice

    def written(self) -> str:
        """For the store."""
        return encode(self).decode()

    def with_yes(self, seat: int) -> Asking:
        """One more agrees."""
        return Asking(self.seat, self.to, self.seq, sorted({*self.agreed, seat}))

    def with_no(self) -> Asking:
        """Somebody would rather not."""
        return Asking(self.seat, self.to, self.seq, self.agreed, True)

    def granted(self, row: TableRow) -> bool:
        """Whether everybody who is asked agrees."""
        return set(asked_of(row, self.seat)) <= set(self.agreed)


def by_consent(row: TableRow) -> bool:
    """Whether people at this table may be asked. In a rated game they may not."""
    return row.take_back == "consent" and not row.rated


def asked_of(row: TableRow, seat: int) -> list[int]:
    """Whose consent this seat needs: that of all other people who play themselves."""
    return [
        other
        for other, chair in enumerate(row.chairs)
        if other != seat and chair.guest is not None and not chair.bot_plays
    ]


def asking_at(row: TableRow) -> Asking | None:
    """The question that this table has before it, if there is one that still holds."""
    try:
        found = msgspec.json.decode(row.asking, type=Asking) if row.asking else None
    except msgspec.MsgspecError:
        return None  # damaged: whoever asked can ask again
    return found if found is not None and found.seq == row.seq and row.phase == "playing" else None


def asks(row: TableRow) -> Asks | None:
    """The same as everybody at the table may know it."""
    found = asking_at(row)
    return None if found is None or found.refused else Asks(found.seat, found.agreed, asked_of(row, found.seat))
