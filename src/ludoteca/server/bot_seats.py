"""The bots of one table: who of them owes a decision, and who is thinking."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ludoteca.core.errors import Refusal

from .bots import cost_of
from .queue import Turn

if TYPE_CHECKING:
    from .table import Table

UNWATCHED = 8.0  # how much dearer a bot's decision is where nobody looks on

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
        if table.closed or table.row.phase != "playing":
            return
        for seat in table.waiting():
            if table.row.chairs[seat].bot_plays and seat not in self._thinking:
                self._thinking[seat] = asyncio.get_running_loop().create_task(self._play(seat))

    def close(self) -> None:
        """The table is forgotten."""
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()

    def _turn(self, level: str) -> Turn:
        """A place in the workers' queue: the host's share, and tables that are watched first."""
        table = self._table
        return Turn(table.row.host or table.row.id, cost_of(level) * (1.0 if len(table.presence) else UNWATCHED))

    async def _play(self, seat: int) -> None:
        """One decision of a bot."""
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

    async def _decide(self, seat: int) -> None:
        table = self._table
        assert table.play is not None
        asked, level = table.play.asked_at(seat), table.row.chairs[seat].level or table.house.settings.standin_level
        position = table.play_of(seat).position(seat)
        actions = await table.house.bots.choose(table.engine, level, position.redacted, seat, self._turn(level))
        if not table.row.chairs[seat].bot_plays or table.play.asked_at(seat) != asked:
            return  # the chair was given back meanwhile
        await table.decide(seat, actions, None, None, None)
