"""Circles: what refers to itself and is needed by nobody is looked for when a server has time, and not amid a move.

Python frees nearly everything at once. What is left are objects that refer to each other, a closed connection say, and to
find them it looks at all that have come into being since it last looked: with 800 tables in play that took 20 to 50 ms of
every second or two, for everybody at once, and found nothing. So it does not look by itself while a server runs; we do, in a
calm moment, or when so much has come together that it costs memory. At everything that is there, which takes a fifth of a
second with so many tables, we look when next to nothing is going on.
"""

from __future__ import annotations

import asyncio
import gc
import time

LOOK_EVERY = 1.0  # seconds
CALM = 0.2  # at work for less than this share of the time
IDLE = 0.03  # next to nothing is going on
SOME = 50_000  # objects more than there were: enough to look, in a calm moment
MANY = 250_000  # at any moment: some 30 MB, if all of it were to no use

USUAL = gc.get_threshold()  # as it was before any server ran in this process
NEW = 1  # the generation up to which is looked, if not at everything


class Circles:
    """What Python would free by itself, freed when we say so."""

    def __init__(self) -> None:
        self._rest = False  # since we last looked at everything, we have looked at what is new

    async def look_when_calm(self) -> None:
        """Forever."""
        gc.set_threshold(0)
        try:
            while True:
                worked = time.process_time()
                await asyncio.sleep(LOOK_EVERY)
                self.look((time.process_time() - worked) / LOOK_EVERY)
        finally:
            gc.set_threshold(*USUAL)

    def look(self, at_work: float) -> None:
        """Frees what is to no use, if there may be some; `at_work` for this share of the last time."""
        new = gc.get_count()[0]
        if at_work < IDLE and (new >= SOME or self._rest):
            gc.collect()
            self._rest = False
        elif new >= (SOME if at_work < CALM else MANY):
            gc.collect(NEW)
            self._rest = True
