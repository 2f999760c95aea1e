"""Random games boiled down to a few letters each: any rule that goes another way anywhere in one changes them.

At every step it is written down what might have been decided, what happened and who was told, and the whole record; at
the end ranks and points. `tools/mutants.py` compares games step by step with the same function.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from ludoteca.core import chance
from ludoteca.core.contract import tables
from ludoteca.core.engine import Engine
from ludoteca.core.record import States

Who = Callable[[list[int]], int]  # (seats that wait) → one of them
Choose = Callable[[Engine, States, int, list[int]], int]  # (engine, states, seat, what it may do) → what it does
T = TypeVar("T")
GAMES = 240  # of each game, spread over its tables
LETTERS = 8  # of a fingerprint


class Luck:
    """A stream of fair numbers that is the same everywhere, with two ways to choose by it."""

    def __init__(self, *seed: int) -> None:
        self._stream = np.array([chance.derive(*seed)])

    def one_of(self, things: list[T]) -> T:
        return things[chance.below_from(self._stream, len(things))]

    def any_action(self, engine: Engine, states: States, seat: int, legal: list[int]) -> int:
        """Every action is as likely."""
        return self.one_of(legal)

    def any_kind(self, engine: Engine, states: States, seat: int, legal: list[int]) -> int:
        """Every kind of action is as likely: kinds with few actions, such as buying, come up far more often."""
        kinds: dict[str, list[int]] = {}
        for action in legal:
            kinds.setdefault(engine.game.actions.decode(action).kind, []).append(action)
        return self.one_of(self.one_of(list(kinds.values())))


def steps(
    engine: Engine, states: States, who: Who, choose: Choose, most: int | None = None
) -> Iterator[tuple[int, int, bytes]]:
    """A game from `states` on: for each step seat, action and what is to be known of it; then (-1, -1, the result)."""
    for _ in range(most or engine.game.longest):
        if engine.is_over(states):
            break
        seat = who(engine.waiting(states))
        legal = engine.legal(states, 0, seat)
        before = states.tobytes()  # of the set-up too
        action = choose(engine, states, seat, legal)
        told = [(f.kind, f.seat, f.values, f.audience) for f in engine.apply(states, 0, seat, action)]
        yield seat, action, b"%b %a %a" % (before, legal, told)
    result = engine.result(states)
    yield -1, -1, b"%b %a %a" % (states.tobytes(), result.ranks, result.scores)


def fingerprint(engine: Engine, seats: int, options: dict[str, str], *seed: int) -> str:
    """A few letters for a whole game; with an even seed all actions are as likely, with an odd one all kinds."""
    luck = Luck(*seed)
    choose = luck.any_kind if seed[-1] % 2 else luck.any_action
    states = engine.start(seats, options, chance.derive(*seed, 1))
    seen = hashlib.blake2b(digest_size=LETTERS // 2)
    for _, _, known in steps(engine, states, luck.one_of, choose):
        seen.update(known)
    return seen.hexdigest()


def fingerprints(engine: Engine) -> Iterator[tuple[str, str]]:
    """Where a game was played (seats, options), and its fingerprint: one game at every table, then the next at every one."""
    places = tables(engine.game)
    for number, (table, (seats, options)) in itertools.product(range(GAMES // len(places)), enumerate(places)):
        chosen = "".join(f", {option}={value}" for option, value in options.items())
        yield f"{seats} seats{chosen}", fingerprint(engine, seats, options, 2026, table, number)
