"""What somebody has missed: the facts since they were last here, found by playing the game again from its start."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ludoteca.core.game import Json

if TYPE_CHECKING:
    from .presence import Watcher
    from .table import Table

AT_ONCE = 50  # steps played again before others get a turn of the event loop


async def missed_facts(table: Table, watcher: Watcher, since: int) -> list[Json]:
    """The facts after step `since`; also those that come up while one looks for them."""
    found: list[Json] = []
    if table.play is None or since >= table.seq:
        return found
    again = table.play.from_the_start()
    while again.seq < table.seq:
        seat, action, step = next(table.play.decided(again.seq))
        happened = again.follow(seat, [action], step)
        if again.seq > since:
            found += again.position(table.viewer(watcher)).facts(happened, again.told)
        if again.seq % AT_ONCE == 0:
            await asyncio.sleep(0)
    return found
