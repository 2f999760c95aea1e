"""Bots at the table: what a bot gets is the record as its seat may see it, and what it gives is one whole decision.

The thinking happens in a worker, a process of this machine or of a cluster. Whatever goes wrong there, the table goes on:
then a legal action is played. Others see when a bot decides, never in how many steps: its decision is kept until the end of
the pause in which its first step was found, and the further steps take no longer than that.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
HURRIED = "greedy"  # how the further steps of a decision are found when there is no time left to think

log = logging.getLogger("ludoteca.bots")


def prepare(places: Sequence[str]) -> None:
    """In a new worker: loads what bots of these games need, so that nobody waits for that in the first turn."""
    for place in places:
        try:
            engine_of(place)
        except Exception:
            log.exception("A worker could not load %s.", place)  # whoever plays it has a legal action


class Decided(NamedTuple):
    """What a bot decided, and how many seconds it thought: of the first step, and in all."""

    actions: list[int]
    first: float = 0.0
    whole: float = 0.0


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
        decided = await self._think(engine, level, redacted, seat, turn)
        await asyncio.sleep(until_whole(decided.first, self._pause) - decided.whole)
        return decided.actions

    async def _think(self, engine: Engine, level: str, redacted: States, seat: int, turn: Turn) -> Decided:
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
                self._pause,
                turn=turn,
            )
        except Overrun:
            log.warning(
                "A %s bot of %s took more than %s s; a legal action is played for it.", level, game.key, self._limit
            )
        except Exception:
            log.exception("A %s bot of %s failed; a legal action is played.", level, game.key)
        return Decided([secrets.choice(engine.legal(copied(redacted), 0, seat))])


def cost_of(level: str) -> float:
    """What a decision of this level costs in the queue: each level thinks about four times as long as the one below."""
    return 4.0 ** LEVELS.index(level) if level in LEVELS else 4.0 ** len(LEVELS)


def until_whole(thought: float, pause: float) -> float:
    """The end of the pause in which somebody has finished thinking: one pause, or as many as it took."""
    return max(1, math.ceil(thought / pause)) * pause if pause > 0 else thought


# In the worker.


def think(place: str, version: str, level: str, record: bytes, seat: int, seed: int, pause: float = 0.0) -> Decided:
    """A bot's decision, from nothing but what its seat may see: step after step, while nothing new comes to light.

    Others may see when it is made, so the time must not tell in how many steps: the first one takes as long as it takes,
    and all others together no more than is left of its last pause.
    """
    engine = engine_of(place)
    if engine.game.version != version:  # on another machine
        raise BadData(
            f"This worker has rules {engine.game.version} of {engine.game.key}, not {version}.", "other_version"
        )
    seen: States | None = np.frombuffer(bytearray(record), engine.game.dtype)
    actions: list[int] = []
    began, first = time.monotonic(), 0.0
    while seen is not None and len(actions) < MOST_STEPS:
        late = pause > 0 and time.monotonic() - began + first > until_whole(first, pause)
        action = int(choose(place, HURRIED if late else level, copied(seen), seat, derive(seed, len(actions))))
        first = first if actions else time.monotonic() - began
        engine.check(seen, 0, seat, action)
        if actions and not may_follow(engine.game, actions[-1], action):
            break
        actions.append(action)
        seen = foreseen(engine, seen, seat, action, derive(seed, len(actions), seat))
    return Decided(actions, first, time.monotonic() - began)


def foreseen(engine: Engine, seen: States, seat: int, action: int, seed: int) -> States | None:
    """What the seat will see after this step, if it can tell and has to go on."""
    guess = copied(seen)
    engine.determinize(guess, seat, seed)
    engine.apply(guess, 0, seat, action)
    if not guess["waiting"][0, seat] or engine.is_over(guess):
        return None  # most decisions are one step: this is quicker than comparing worlds
    worlds = Worlds(engine, seen, seat, seed)
    return worlds.seen() if worlds.foretell(action) else None
