"""Positions near the end that can be solved: what the judge of reviews says of them is the truth, within its error.

What is hidden is dealt again and again; in each deal everybody who is still to decide takes what is best for them, tried
out completely. That is the truth where nobody can gain by surprise, as in the last turns of Splendor and Loot, and in
the last match of Challengers!, in which the few questions that cards ask are tried out too.
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

GAMES = {"splendor": 2, "loot": 2, "challengers": 10}  # how many of each are looked at
DEALS = {"challengers": 200}  # how often what is hidden is dealt: the order of two decks decides a match
DEEP = {"challengers": 4}  # choices that may follow: the few questions that cards ask in a match
LAST = {"challengers": 1}  # positions of a game: the last match is small enough
WITHIN = 3.0  # standard errors
CLOSE = 0.02
EFFORT = Effort()
EFFORTS = {"challengers": Effort(options=2, sketch=2, refine=6)}  # nothing but «ready» ends the deck phase


def solved(key: str, world: States, deep: int) -> list[float] | None:
    """Everybody's chance when everybody decides perfectly; nothing if that cannot be told with so few choices."""
    if engine(key).is_over(world):
        return Judge(engine(key), EFFORT).result(world)
    seat, best = engine(key).waiting(world)[0], None
    legal = engine(key).legal(world, 0, seat)
    if len(legal) > 1 and deep == 0:
        return None
    for action in legal:
        after = copied(world)
        engine(key).apply(after, 0, seat, action)
        found = solved(key, after, deep - (len(legal) > 1))
        if found is None:
            return None
        best = found if best is None or found[seat] > best[seat] else best
    return best


def truth(key: str, seen: States, seat: int, action: int) -> tuple[float, float] | None:
    """What an option is worth, and the standard error of that; nothing where it cannot be solved."""
    found = []
    for deal in range(DEALS.get(key, 12)):
        world = copied(seen)
        if engine(key).game.imagine:
            interpreted(engine(key).game).call("imagine", world, 0, seat, derive(77, deal))
        else:
            engine(key).determinize(world, seat, derive(77, deal))
        engine(key).apply(world, 0, seat, action)
        chances = solved(key, world, DEEP.get(key, 2))
        if chances is None:
            return None
        found.append(chances[seat])
    return float(np.mean(found)), float(np.std(found)) / math.sqrt(len(found))


def compared(key: str, seeds: range) -> Iterator[tuple[float, float]]:
    """How far what is said of an option near the end lies from the truth, and how far it may."""
    for seed in seeds:
        for states, seat, action in list(positions(played(key, seed)))[-LAST.get(key, 6) :]:
            seen = engine(key).game.redact(states, 0, seat)
            if truth(key, seen, seat, action) is None:
                continue
            for option in Judge(engine(key), EFFORTS.get(key, EFFORT)).decision(states, seat, action, 3).options:
                known = truth(key, seen, seat, option.action)
                if known is not None:
                    yield abs(option.chance - known[0]), WITHIN * math.hypot(option.error, known[1]) + CLOSE


@pytest.mark.parametrize("key", GAMES)
def test_what_can_be_solved_is_judged_so(key: str) -> None:
    found = list(compared(key, range(1, 1 + GAMES[key])))
    assert len(found) >= 5
    assert all(off <= may for off, may in found), found
