"""Bots at the table: what a bot gets is the record as its seat may see it, and what it gives is an action.

The thinking happens in a worker process. Whatever goes wrong there, the table goes on: then a legal action is played.
"""

from __future__ import annotations

import asyncio
import logging
import secrets

import numpy as np

from ludoteca.bots.levels import LEVELS, choose
from ludoteca.catalogue import game
from ludoteca.core.engine import Engine
from ludoteca.core.record import States

from .executor import Overrun, Workers

DEFAULT_LEVEL = "club"
assert DEFAULT_LEVEL in LEVELS

log = logging.getLogger("ludoteca.bots")


class Bots:
    """Asks the workers for a bot's decisions."""

    def __init__(self, workers: Workers, limit: float, pause: float) -> None:
        self._workers = workers
        self._limit = limit
        self._pause = pause

    async def choose(self, engine: Engine, level: str, redacted: States, seat: int) -> int:
        """What a bot of this level does; it takes a moment, so that people can follow."""
        _, action = await asyncio.gather(asyncio.sleep(self._pause), self._think(engine, level, redacted, seat))
        return action

    async def _think(self, engine: Engine, level: str, redacted: States, seat: int) -> int:
        game = engine.game
        try:
            return await self._workers.run(
                self._limit, think, game.place, level, redacted.tobytes(), seat, secrets.randbits(62)
            )
        except Overrun:
            log.warning(
                "A %s bot of %s took more than %s s; a legal action is played for it.", level, game.key, self._limit
            )
        except Exception:
            log.exception("A %s bot of %s failed; a legal action is played.", level, game.key)
        return secrets.choice(engine.legal(redacted.copy(), 0, seat))


# In the worker.


def think(place: str, level: str, record: bytes, seat: int, seed: int) -> int:
    """A bot's decision, from nothing but what its seat may see."""
    return int(choose(place, level, np.frombuffer(bytearray(record), game(place).dtype), seat, seed))
