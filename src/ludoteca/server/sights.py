"""What a program that plays is told: the record as its own seat may see it, and nothing else."""

from __future__ import annotations

import base64

from .guests import Guest
from .refusals import NotAllowed, NotNow
from .table import Table
from .wire import Sight


def sight_of(table: Table, guest: Guest) -> Sight:
    """The game as it stands for this guest's seat, with its own steps behind the screen; the same facts as its view."""
    seat = table.seat_of(guest)
    if seat is None:
        raise NotAllowed("only_seated")
    if table.row.hot:
        raise NotNow("screen_covered")
    if table.play is None:
        raise NotNow("not_started")
    redacted = table.play_of(seat).position(seat).redacted
    return Sight(table.seq, seat, table.game.version, base64.b64encode(redacted.tobytes()).decode())
