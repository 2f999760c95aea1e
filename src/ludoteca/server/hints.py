"""Hints at a friendly table: made by the workers from what the asking seat may see, and from nothing else.

Nobody else learns that one was asked for, the game goes on meanwhile, and so do the clocks. The same question about the same
position is answered once.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec
import numpy as np

from ludoteca.bots.levels import engine_of, prepare
from ludoteca.catalogue import game as game_at
from ludoteca.core.chance import derive
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.review.hinting import Advice, advise

from .executor import Overrun, Runner
from .guests import Guest
from .house import House
from .limits import PerMinute
from .queue import Turn
from .refusals import NotAllowed, NotNow, TooMuch, Trouble
from .table import Table

HINT_LIMIT = 120.0  # seconds, the first one with compiling
COSTS = {1: 1.0, 2: 4.0, 3: 16.0}  # of each strength, in the queue
MOST_KEPT = 256  # answers

Key = tuple[str, int, int, int]


class Hints:
    """What this server has told those who asked."""

    def __init__(self, house: House, workers: Runner) -> None:
        self._workers = workers
        self._asked = PerMinute(house.settings.hints_a_minute, house.clock)
        self._kept: OrderedDict[Key, Advice] = OrderedDict()

    async def give(self, table: Table, guest: Guest, strength: int) -> Advice:
        """A hint for the seat of this guest, if it is to decide."""
        seat = table.seat_of(guest)
        if not table.row.hints or table.row.rated:
            raise NotAllowed("no_hints")
        if seat is None or table.play is None or table.result is not None or seat not in table.play.waiting():
            raise NotNow("not_your_turn")
        key = table.row.id, table.play.seq, seat, strength
        if key in self._kept:
            return self._kept[key]
        if self._asked.full(guest.id):
            raise TooMuch("too_many_hints")
        self._asked.add(guest.id)
        redacted = table.play.position(seat).redacted
        game = table.game
        try:
            told = await self._workers.run(
                HINT_LIMIT, hint, game.place, game.version, redacted.tobytes(), seat, strength,
                derive(table.play.seq, seat), turn=Turn(guest.id, COSTS[strength]),
            )  # fmt: skip
        except Overrun:
            raise Trouble("no_hint_now") from None
        self._kept[key] = found = msgspec.json.decode(told, type=Advice)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found


# In the worker.


def hint(place: str, version: str, record: bytes, seat: int, strength: int, seed: int) -> str:
    """A hint, from nothing but what the seat may see."""
    found = game_of(place, version)
    engine = prepare(found) if strength == 3 else engine_of(found)
    redacted = np.frombuffer(bytearray(record), found.dtype)
    return msgspec.json.encode(advise(engine, redacted, seat, strength, seed)).decode()


def game_of(place: str, version: str) -> Game:
    """The game as the server has it, which may be another machine."""
    found = game_at(place)
    if found.version != version:
        raise BadData(f"This worker has rules {found.version} of {found.key}, not {version}.", "other_version")
    return found
