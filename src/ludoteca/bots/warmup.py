"""Compiles games ahead of their first use, several at a time, each in a process of its own (`python -m … <game>`).

numba compiles one function at a time in a process, so a second core helps only a second process.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoteca import catalogue
from ludoteca.core.engine import game_sources

from .levels import prepare


@dataclass(frozen=True)
class Step:
    """What one process does now; in the last step of a game `done` equals `of`, or `failed` is true."""

    game: str  # as it was asked for: a key, or a place
    what: str
    done: int
    of: int
    failed: bool = False


def compile_games(games: Sequence[catalogue.Which], workers: int | None = None) -> Iterator[Step]:
    """Compiles these games and what bots need to play them, so many at once (as many as there are cores)."""
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for key in longest_first([game if isinstance(game, str) else game.place for game in games]):
        waiting.put(key)
    steps: queue.SimpleQueue[Step] = queue.SimpleQueue()
    for _ in range(min(len(games), workers or os.cpu_count() or 1)):
        threading.Thread(target=_compile_each, args=(waiting, steps), daemon=True).start()
    left = len(games)
    while left:
        step = steps.get()
        left -= step.failed or step.done == step.of
        yield step


def longest_first(games: Sequence[str]) -> list[str]:
    """The games with the most rules first: otherwise one core would be left with the longest at the end."""
    return sorted(games, key=lambda key: -sum(path.stat().st_size for path in game_sources(catalogue.game(key))))


def _compile_each(waiting: queue.SimpleQueue[str], steps: queue.SimpleQueue[Step]) -> None:
    """Starts one process after the other and passes on what it says."""
    while True:
        try:
            key = waiting.get_nowait()
        except queue.Empty:
            return
        last = Step(key, "", 0, 1)
        with subprocess.Popen([sys.executable, "-m", __name__, key], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                last = Step(key, *json.loads(line))
                steps.put(last)
        if last.done < last.of:
            steps.put(Step(key, last.what, last.done, last.of, failed=True))


# In the process that compiles.


def main(key: str) -> None:
    """Compiles one game; writes each step as a line of JSON."""

    def say(what: str, done: int, of: int) -> None:
        print(json.dumps([what, done, of]), flush=True)

    # The engine says «ready» before the bots' search is: that is one step more.
    prepare(catalogue.game(key), lambda what, done, of: say("search" if done == of else what, done, of + 1))
    say("ready", 1, 1)


if __name__ == "__main__":
    main(sys.argv[1])
