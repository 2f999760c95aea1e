"""Which engine plays: plain Python at once, machine code as soon as it is there.

Compiling takes a while the first time on a machine. Processes of their own do it (`python -m ludoteca.server.engines`
starts them) and tell how far they are; then the server loads the result from the cache, beside the event loop, and goes on
with it. What is in the cache when a server starts is loaded at once, in under a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Sequence

import msgspec

from ludoteca import catalogue
from ludoteca.bots.levels import is_ready
from ludoteca.bots.warmup import compile_games
from ludoteca.core.decks import printed
from ludoteca.core.engine import Engine, compiled, interpreted
from ludoteca.core.errors import BadData, Unknown
from ludoteca.core.game import Game

from .wire import Warmup

STEPS = 12  # of the progress, for each game
MOST_DECKS = 24  # games with a deck of somebody's own whose engines are kept

log = logging.getLogger("ludoteca.engines")


def served(wanted: str | Sequence[catalogue.Which]) -> list[Game]:
    """The games a server is set up to have: keys and places with commas, or a list of games; or every installed one."""
    games = catalogue.named(wanted)
    if len({game.key for game in games}) < len(games):
        raise BadData("Two of the games to be served have the same key.", "bad_game")
    return games or list(catalogue.games().values())


class Engines:
    """The engine of each game that is served, as fast as it is by now."""

    def __init__(self, games: Iterable[Game]) -> None:
        self._now: dict[str, Engine] = {game.key: interpreted(game) for game in games}
        self.progress = Warmup(False, 0, STEPS * len(self._now), "")
        self.settled = asyncio.Event()  # what was compiled before this server began is loaded
        self._decks: OrderedDict[str, Engine] = OrderedDict()  # by hash; the last used last
        self._to_compile: asyncio.Queue[Game] = asyncio.Queue(MOST_DECKS)

    def add(self, game: Game) -> None:
        """One game more."""
        if game.variant:
            self._decks[game.variant] = interpreted(game)
            game = printed(game)
        self._now[game.key] = interpreted(game)

    def games(self) -> list[Game]:
        """Every game of this server, by title."""
        return sorted((engine.game for engine in self._now.values()), key=lambda game: game.title)

    def has(self, key: str) -> bool:
        """Whether this server has a game of that key."""
        return key in self._now

    def game(self, key: str) -> Game:
        """The game of that key, if this server has it."""
        return self.of(key).game

    def of(self, key: str) -> Engine:
        """The engine of this game."""
        if key not in self._now:
            there = ", ".join(self._now)
            raise Unknown(f"There is no game called «{key[:40]}»; there is {there}.", "no_such_game", game=key[:40])
        return self._now[key]

    # With decks of guests' own.

    async def bring(self, key: str, deck: str | None) -> Game:
        """The game of that key with this deck (`Deck.text`), if it has one; it takes a moment the first time."""
        game = self.game(key)
        return await asyncio.to_thread(catalogue.with_text, game, deck) if deck else game

    def of_game(self, game: Game) -> Engine:
        """The engine of a game, with its own deck: interpreted at once; its machine code is made in the background."""
        if not game.variant:
            return self.of(game.key)
        if game.variant not in self._decks:
            self._decks[game.variant] = interpreted(game)
            with contextlib.suppress(asyncio.QueueFull):  # then it stays slow: so many wait already
                self._to_compile.put_nowait(game)
            while len(self._decks) > MOST_DECKS:
                self._decks.popitem(last=False)
        self._decks.move_to_end(game.variant)
        return self._decks[game.variant]

    async def compile_decks(self) -> None:
        """One deck after the other: compiled in another process, then loaded here, if a table still plays with it."""
        while True:
            game = await self._to_compile.get()
            try:
                async for _ in compiled_elsewhere([game.place]):
                    pass
                if game.variant in self._decks:
                    self._decks[game.variant] = await asyncio.to_thread(loaded, game)
            except Exception as error:
                log.warning("%s: a deck is played by the slow engine: %r", game.title, error)

    async def warm_up(self) -> None:
        """Loads what is compiled already, compiles the other games in another process, and takes over what it made."""
        games = self.games()
        ready = [game for game in games if await asyncio.to_thread(is_ready, game)]
        for game in ready:
            await self.load(game.key)
        self.settled.set()
        if len(ready) < len(games):
            await self._compile([game.place for game in games if game not in ready])
        else:
            self.progress = msgspec.structs.replace(self.progress, ready=True, done=self.progress.total)

    async def _compile(self, places: Sequence[str]) -> None:
        """Compiles these games in another process, and loads each when it is done."""
        try:
            async for progress in compiled_elsewhere(places):
                self.progress = progress
                if progress.done and progress.what in self._now:
                    await self.load(progress.what)
        except NotCompiled:
            log.warning("Not all games could be compiled; the others are played by the slow engine.")
            return
        self.progress = msgspec.structs.replace(self.progress, ready=True)

    async def load(self, key: str) -> None:
        """From now on this game runs compiled."""
        self._now[key] = await asyncio.to_thread(loaded, self.game(key))


class NotCompiled(Exception):
    """Something could not be compiled."""


async def compiled_elsewhere(places: Sequence[str]) -> AsyncIterator[Warmup]:
    """Compiles games in a process of its own, and says how far it is."""
    pipe = asyncio.subprocess.PIPE  # its input says nothing, and ends when the server does
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, *places, stdout=pipe, stdin=pipe, start_new_session=True
    )
    try:
        assert process.stdout is not None
        async for line in process.stdout:
            yield msgspec.json.decode(line, type=Warmup)
        if await process.wait() != 0:
            raise NotCompiled
    finally:
        if process.returncode is None:
            end_all(process.pid)
            await process.wait()


def end_all(leader: int) -> None:
    """Ends a process and those it has started."""
    if hasattr(os, "killpg"):
        os.killpg(leader, signal.SIGKILL)
    else:
        os.kill(leader, signal.SIGTERM)


def loaded(game: Game) -> Engine:
    """The compiled engine with all its kernels in memory: they are loaded when first used, so all a table needs are."""
    engine = compiled(game)
    states = engine.start(min(game.seats))
    seat = engine.waiting(states)[0]
    engine.decide(states, 0, seat, engine.legal(states, 0, seat)[0])
    engine.result(states)
    return engine


# In the process that compiles.


def compile_all(places: list[str]) -> None:
    """Compiles these games and what bots need to play them, side by side; writes each step as a line of JSON."""
    keys = {place: catalogue.game(place).key for place in places}
    done = dict.fromkeys(places, 0)
    failed = []
    for step in compile_games(places):
        if step.failed:
            failed.append(keys[step.game])
            continue
        done[step.game] = STEPS * step.done // step.of
        ready = step.done == step.of
        key = keys[step.game]
        tell(Warmup(False, sum(done.values()), len(keys) * STEPS, key if ready else f"{key}: {step.what}"))
    if failed:
        raise SystemExit(f"Not compiled: {', '.join(failed)}.")


def tell(progress: Warmup) -> None:
    """To the server."""
    sys.stdout.buffer.write(msgspec.json.encode(progress) + b"\n")
    sys.stdout.flush()


def end_with_the_server() -> None:
    """Ends this process, and those it has started, when the server has ended, however it ended."""
    while os.read(0, 64):
        pass
    end_all(os.getpid())


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    threading.Thread(target=end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)
    compile_all(sys.argv[1:])
