"""Bots at the table: what a bot gets is the record as its seat may see it, and what it gives is one whole decision.

The thinking happens in a worker, a process of this machine or of a cluster. Whatever goes wrong there, the table goes on:
then a legal action is played. Others see when a bot decides, never how long it thought or in how many steps: its decision is
kept until a whole pause is over.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from ludoteca.bots.levels import LEVELS, choose, engine_of
from ludoteca.core.chance import derive
from ludoteca.core.engine import Engine
from ludoteca.core.errors import BadData
from ludoteca.core.play import MOST_STEPS, Worlds, may_follow
from ludoteca.core.record import States, copied

from .executor import Overrun, Runner
from .queue import ANYBODY, Turn

DEFAULT_LEVEL = "club"
assert DEFAULT_LEVEL in LEVELS

log = logging.getLogger("ludoteca.bots")


def prepare(places: Sequence[str]) -> None:
    """In a new worker: loads what bots of these games need, so that nobody waits for that in the first turn."""
    for place in places:
        try:
            engine_of(place)
        except Exception:
            log.exception("A worker could not load %s.", place)  # whoever plays it has a legal action


class Bots:
    """Asks the workers for a bot's decisions."""

    def __init__(self, workers: Runner, limit: float, pause: float) -> None:
        self._workers = workers
        self._limit = limit
        self._pause = pause
        self.owed: Counter[str] = Counter()  # decisions that bots owe now, waiting or thinking: by host

    @contextlib.contextmanager
    def owing(self, host: str) -> Iterator[None]:
        """Counts one decision until it is made."""
        self.owed[host] += 1
        try:
            yield
        finally:
            self.owed[host] -= 1
            if not self.owed[host]:
                del self.owed[host]

    def look_again(self) -> None:
        """Somebody has come to look at a table where bots play."""
        self._workers.look_again()

    async def choose(self, engine: Engine, level: str, redacted: States, seat: int, turn: Turn = ANYBODY) -> list[int]:
        """What a bot of this level decides, all steps of it; it takes a moment, so that people can follow."""
        loop = asyncio.get_running_loop()
        asked = loop.time()
        actions = await self._think(engine, level, redacted, seat, turn)
        await asyncio.sleep(asked + until_whole(loop.time() - asked, self._pause) - loop.time())
        return actions

    async def _think(self, engine: Engine, level: str, redacted: States, seat: int, turn: Turn) -> list[int]:
        game = engine.game
        try:
            return await self._workers.run(
                self._limit,
                think,
                game.place,
                game.version,
                level,
                redacted.tobytes(),
                seat,
                secrets.randbits(62),
                turn=turn,
            )
        except Overrun:
            log.warning(
                "A %s bot of %s took more than %s s; a legal action is played for it.", level, game.key, self._limit
            )
        except Exception:
            log.exception("A %s bot of %s failed; a legal action is played.", level, game.key)
        return [secrets.choice(engine.legal(copied(redacted), 0, seat))]


def cost_of(level: str) -> float:
    """What a decision of this level costs in the queue: each level thinks about four times as long as the one below."""
    return 4.0 ** LEVELS.index(level) if level in LEVELS else 4.0 ** len(LEVELS)


def until_whole(thought: float, pause: float) -> float:
    """The end of the pause in which somebody has finished thinking: one pause, or as many as it took."""
    return max(1, math.ceil(thought / pause)) * pause if pause > 0 else thought


# In the worker.


def think(place: str, version: str, level: str, record: bytes, seat: int, seed: int) -> list[int]:
    """A bot's decision, from nothing but what its seat may see: step after step, while nothing new comes to light."""
    engine = engine_of(place)
    if engine.game.version != version:  # on another machine
        raise BadData(
            f"This worker has rules {engine.game.version} of {engine.game.key}, not {version}.", "other_version"
        )
    seen: States | None = np.frombuffer(bytearray(record), engine.game.dtype)
    actions: list[int] = []
    while seen is not None and len(actions) < MOST_STEPS:
        action = int(choose(place, level, copied(seen), seat, derive(seed, len(actions))))
        engine.check(seen, 0, seat, action)
        if actions and not may_follow(engine.game, actions[-1], action):
            break
        actions.append(action)
        seen = foreseen(engine, seen, seat, action, derive(seed, len(actions), seat))
    return actions


def foreseen(engine: Engine, seen: States, seat: int, action: int, seed: int) -> States | None:
    """What the seat will see after this step, if it can tell and has to go on."""
    guess = copied(seen)
    engine.determinize(guess, seat, seed)
    engine.apply(guess, 0, seat, action)
    if not guess["waiting"][0, seat] or engine.is_over(guess):
        return None  # most decisions are one step: this is quicker than comparing worlds
    worlds = Worlds(engine, seen, seat, seed)
    return worlds.seen() if worlds.foretell(action) else None
