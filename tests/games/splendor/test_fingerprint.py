"""How many ways the game can go from a few deals: a cheap fingerprint of all the rules together.

Two players by hand: 10 triples + 5 pairs + 15 reservations = 30; then 10 × 27 + 5 × 29 + 15 × 30 = 865.
"""

from typing import Any

import pytest

from ludoteca.core.engine import CompiledEngine, compiled
from ludoteca.games.splendor import GAME


def count_ways(engine: CompiledEngine, states: Any, depth: int | int | int) -> int:
    if depth == 0 or engine.is_over(states):
        return 1
    seat = engine.waiting(states)[0]
    ways = 0
    for action in engine.legal(states, 0, seat):
        after = states.copy()
        engine.apply(after, 0, seat, action)
        ways += count_ways(engine, after, depth - 1)
    return ways


@pytest.mark.parametrize(
    ("seats", "edition", "counts"),
    [(2, "marvel", [30, 865, 24190]), (3, "base", [30, 895, 26380]), (4, "marvel", [30, 900, 26995])],
)
def test_number_of_ways(seats: int, edition: str, counts: list[int]) -> None:
    engine = compiled(GAME)
    states = engine.start(seats, {"edition": edition}, 7)
    assert [count_ways(engine, states, depth) for depth in (1, 2, 3)] == counts
