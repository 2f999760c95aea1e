"""Which engine plays: plain Python at once, machine code as soon as it is there.

Compiling takes a while the first time on a machine. Processes of their own do it (`python -m ludoteca.server.engines`
starts them) and tell how far they are; then the server loads the result from the cache, beside the event loop, and goes on
with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys

import msgspec

from ludoteca.bots.warmup import compile_games
from ludoteca.catalogue import BUILT
from ludoteca.catalogue import game as find_game
from ludoteca.core.engine import Engine, compiled, interpreted

from .wire import Warmup

STEPS = 12  # of the progress, for each game

log = logging.getLogger("ludoteca.engines")


class Engines:
    """The engine of each game, as fast as it is by now."""

    def __init__(self, keys: tuple[str, ...] = BUILT) -> None:
        self._now: dict[str, Engine] = {key: interpreted(find_game(key)) for key in keys}
        self.progress = Warmup(False, 0, STEPS * len(keys), "")

    def of(self, key: str) -> Engine:
        """The engine of this game."""
        return self._now[key]

    async def warm_up(self) -> None:
        """Compiles every game in another process and takes over what it made."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, *self._now, stdout=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                self.progress = msgspec.json.decode(line, type=Warmup)
                if self.progress.done and self.progress.what in self._now:
                    await self.load(self.progress.what)
            if await process.wait() != 0:
                log.warning("Not all games could be compiled; the others are played by the slow engine.")
                return
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        self.progress = msgspec.structs.replace(self.progress, ready=True)

    async def load(self, key: str) -> None:
        """From now on this game runs compiled."""
        self._now[key] = await asyncio.to_thread(loaded, key)


def loaded(key: str) -> Engine:
    """The compiled engine with all its kernels in memory: they are loaded when first used, so all a table needs are."""
    game = find_game(key)
    engine = compiled(game)
    states = engine.start(min(game.seats))
    seat = engine.waiting(states)[0]
    engine.decide(states, 0, seat, engine.legal(states, 0, seat)[0])
    engine.result(states)
    return engine


# In the process that compiles.


def compile_all(keys: list[str]) -> None:
    """Compiles these games and what bots need to play them, side by side; writes each step as a line of JSON."""
    done = dict.fromkeys(keys, 0)
    failed = []
    for step in compile_games(keys):
        if step.failed:
            failed.append(step.game)
            continue
        done[step.game] = STEPS * step.done // step.of
        ready = step.done == step.of
        tell(Warmup(False, sum(done.values()), len(keys) * STEPS, step.game if ready else f"{step.game}: {step.what}"))
    if failed:
        raise SystemExit(f"Not compiled: {', '.join(failed)}.")


def tell(progress: Warmup) -> None:
    """To the server."""
    sys.stdout.buffer.write(msgspec.json.encode(progress) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    if hasattr(os, "nice"):
        os.nice(5)
    compile_all(sys.argv[1:])
