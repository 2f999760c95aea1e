"""Positions near the end that can be solved: what the judge of reviews says of them is the truth, within its error.

What is hidden is dealt again and again; in each deal everybody who is still to decide takes what is best for them, tried
out completely. That is the truth where nobody can gain by surprise, as in the last turns of Splendor and Loot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from ludoteca.core.chance import derive
from ludoteca.core.engine import interpreted
from ludoteca.core.record import States, copied
from ludoteca.review.judging import Effort, Judge
from review.games import engine, played, positions

GAMES = ("splendor", "loot")
DEALS = 12  # how often what is hidden is dealt
DEEP = 2  # decisions that may follow
LAST = 6  # positions of a game
WITHIN = 3.0  # standard errors
CLOSE = 0.02


def solved(key: str, world: States, deep: int = DEEP) -> list[float] | None:
    """Everybody's chance when everybody decides perfectly; nothing if that cannot be told with so few decisions."""
    if engine(key).is_over(world):
        return Judge(engine(key), Effort()).result(world)
    if deep == 0:
        return None
    seat, best = engine(key).waiting(world)[0], None
    for action in engine(key).legal(world, 0, seat):
        after = copied(world)
        engine(key).apply(after, 0, seat, action)
        found = solved(key, after, deep - 1)
        if found is None:
            return None
        best = found if best is None or found[seat] > best[seat] else best
    return best


def truth(key: str, seen: States, seat: int, action: int) -> tuple[float, float] | None:
    """What an option is worth, and the standard error of that; nothing where it cannot be solved."""
    found = []
    guess = "imagine" if engine(key).game.imagine else "determinize"
    for deal in range(DEALS):
        world = copied(seen)
        interpreted(engine(key).game).call(guess, world, 0, seat, derive(77, deal))
        engine(key).apply(world, 0, seat, action)
        chances = solved(key, world)
        if chances is None:
            return None
        found.append(chances[seat])
    return float(np.mean(found)), float(np.std(found)) / math.sqrt(len(found))


def compared(key: str, seeds: range) -> Iterator[tuple[float, float]]:
    """How far what is said of an option near the end lies from the truth, and how far it may."""
    for seed in seeds:
        for states, seat, action in list(positions(played(key, seed)))[-LAST:]:
            seen = engine(key).game.redact(states, 0, seat)
            for option in Judge(engine(key), Effort()).decision(states, seat, action, 3).options:
                known = truth(key, seen, seat, option.action)
                if known is not None:
                    yield abs(option.chance - known[0]), WITHIN * math.hypot(option.error, known[1]) + CLOSE


@pytest.mark.parametrize("key", GAMES)
def test_what_can_be_solved_is_judged_so(key: str) -> None:
    found = list(compared(key, range(1, 3)))
    assert len(found) >= 5
    assert all(off <= may for off, may in found), found
