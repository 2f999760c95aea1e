"""The bots of one table: who of them owes a decision, and who is thinking.

Where nobody looks on, bots pause as long as a person alone among them keeps the seat. Among several people they play up
to a person's next turn, who may be waiting for word of it, and a game that everybody has left to its end; but in the
background: after all tables where somebody does, and one decision at a time for each host. So nobody else waits for it,
and whoever comes finds the bots thinking for them at once.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ludoteca.core.errors import Refusal

from . import logs
from .bots import cost_of
from .queue import Turn

if TYPE_CHECKING:
    from .table import Table

LOOK_EVERY = 0.5  # seconds

log = logging.getLogger("ludoteca.bots")


class BotSeats:
    """Asks for the decisions of the chairs where a bot plays, and brings them to the table like anybody's."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._thinking: dict[int, asyncio.Task[None]] = {}

    def __bool__(self) -> bool:
        return bool(self._thinking)

    def wake(self) -> None:
        """Every bot that owes a decision and is not thinking yet starts to."""
        table = self._table
        if table.closed or table.row.phase != "playing" or self._pause():
            return
        for seat in table.waiting():
            if table.row.chairs[seat].bot_plays and seat not in self._thinking:
                self._thinking[seat] = asyncio.get_running_loop().create_task(self._play(seat))

    def watched(self) -> None:
        """Somebody has come to look: what was in the background is not any more."""
        self.wake()
        if self._thinking:
            self._table.house.bots.look_again()

    async def rest(self) -> None:
        """Waits until no bot owes a decision here, or somebody looks on."""
        while self._thinking and not self._watched():
            await asyncio.wait(self._thinking.values(), timeout=LOOK_EVERY, return_when=asyncio.FIRST_COMPLETED)

    def _watched(self) -> bool:
        return self._table.presence.watched  # people at another server wait for the bot as well

    def _pause(self) -> bool:
        """Whether a decision can wait until the one person who plays here comes back: nobody else is to hear of it."""
        if self._table.row.tournament is not None:
            return False  # a round is waiting for it
        people = [chair for chair in self._table.row.chairs if chair.guest is not None]
        return len(people) == 1 and not people[0].standin and not self._watched()

    def close(self) -> None:
        """The table is forgotten here; whoever is there with another server need not wait for what was begun."""
        if self._thinking:
            self._table.house.neighbours.ask_no_more(self._table.row.id)
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()

    def _turn(self, host: str, level: str) -> Turn:
        """A place in the workers' queue, of the host's share."""
        return Turn(host, cost_of(level), lambda: not self._watched())

    async def _play(self, seat: int) -> None:
        """One decision of a bot."""
        logs.at_table(self._table.row.id)  # not of the command that woke it
        began = self._table.seq
        try:
            await self._decide(seat)
        except Refusal as refusal:  # overtaken by events: whoever took over decides now
            log.info("A bot's decision was refused: %s", refusal.key)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("A bot's turn failed.")
            await asyncio.sleep(1)  # whatever it is, do not spin
        finally:
            self._thinking.pop(seat, None)
        self.wake()
        if not self._thinking and self._table.seq == began:  # sealed, say: a claim ends with the next step
            self._table.house.neighbours.ask_no_more(self._table.row.id)

    async def _decide(self, seat: int) -> None:
        table = self._table
        assert table.play is not None
        asked, level = table.play.asked_at(seat), table.row.chairs[seat].level or table.house.settings.standin_level
        while not await table.house.neighbours.may_ask_bots(table.row.id):
            await asyncio.sleep(LOOK_EVERY)  # another server asks; should it die, it is up to us
            if not self._owes(seat, asked):
                return
        if not self._owes(seat, asked):
            return  # another server's bot has decided while we asked whether we may
        position = table.play_of(seat).position(seat)
        bots, host = table.house.bots, table.row.host or table.row.id
        with bots.owing(host):
            actions = await bots.choose(table.engine, level, position.redacted, seat, self._turn(host, level))
        if self._owes(seat, asked):  # nobody has decided meanwhile, and the chair was not given back
            await table.decide(seat, actions, asked, None, None)

    def _owes(self, seat: int, asked: int) -> bool:
        """Whether a bot still owes the decision that it was asked for then."""
        table = self._table
        assert table.play is not None
        owed = table.row.phase == "playing" and seat in table.waiting() and table.play.asked_at(seat) == asked
        return owed and table.row.chairs[seat].bot_plays
