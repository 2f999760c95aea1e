"""Compiles games ahead of their first use, side by side, each part in a process of its own (`python -m … <game> <part>`).

numba compiles one function at a time in a process, so a second core helps only a second process. A game has two parts, its
rules and then the bots' search over them: with whole games, one core would wait long for the other at the end.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ludoteca import catalogue
from ludoteca.core.engine import compiled, game_sources

from .levels import prepare

RULES, SEARCH = "rules", "search"


@dataclass(frozen=True)
class Step:
    """What one process does now; in the last step of a game `done` equals `of`, or `failed` is true."""

    game: str  # as it was asked for: a key, or a place
    what: str
    done: int
    of: int
    failed: bool = False


def compile_games(games: Sequence[catalogue.Which], workers: int | None = None) -> Iterator[Step]:
    """Compiles these games and what bots need to play them, so many parts at once (as many as there are cores)."""
    steps: queue.SimpleQueue[Step] = queue.SimpleQueue()
    pool = ThreadPoolExecutor(workers or os.cpu_count() or 1)

    def compile_rules(key: str) -> None:
        if _run(key, RULES, steps):
            pool.submit(_run, key, SEARCH, steps)  # behind the rules of the games that still wait

    try:
        for key in longest_first([game if isinstance(game, str) else game.place for game in games]):
            pool.submit(compile_rules, key)
        left = len(games)
        while left:
            step = steps.get()
            left -= step.failed or step.done == step.of
            yield step
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def longest_first(games: Sequence[str]) -> list[str]:
    """The games with the most rules first: otherwise one core would be left with the longest at the end."""
    return sorted(games, key=lambda key: -sum(path.stat().st_size for path in game_sources(catalogue.game(key))))


def _run(key: str, part: str, steps: queue.SimpleQueue[Step]) -> bool:
    """Runs one process to its end and passes on what it says; returns whether it went well."""
    last = Step(key, part, 0, 1)
    with subprocess.Popen([sys.executable, "-m", __name__, key, part], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            last = Step(key, *json.loads(line))
            steps.put(last)
    if process.returncode != 0:
        steps.put(Step(key, last.what, last.done, last.of, failed=True))
    return process.returncode == 0


# In the process that compiles.


def main(key: str, part: str) -> None:
    """Compiles one part of a game; writes each step as a line of JSON."""

    def say(what: str, done: int, of: int) -> None:
        print(json.dumps([what, done, of]), flush=True)

    if part == RULES:  # the engine says «ready» when the search is still to come: that is one step more
        compiled(catalogue.game(key), lambda what, done, of: say(SEARCH if done == of else what, done, of + 1))
    else:
        prepare(catalogue.game(key))
        say("ready", 1, 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
