"""How many ways the game can go: a cheap fingerprint of all the rules together.

Two players by hand: 3 × 3 Passions to put back; then a hid-bid is 4 Booths × 10 tokens or a pass, 41 × 41. In a first game
the hid-bid comes at once; if both pass, four Items lie on the Stall, and the first offer of a chain is 4 × 10 or the seal.
"""

from typing import Any

import pytest

from games.king_of_con.scene import ENGINE


def count_ways(states: Any, depth: int) -> int:
    if depth == 0 or ENGINE.is_over(states):
        return 1
    ways = 0
    seat = ENGINE.waiting(states)[0]
    for action in ENGINE.legal(states, 0, seat):
        after = states.copy()
        ENGINE.apply(after, 0, seat, action)
        ways += count_ways(after, depth - 1)
    return ways


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [3, 9, 9 * 41, 9 * 41 * 41]),
        ({"passions": "two_first_game"}, [41, 41 * 41]),
        ({"passions": "two_first_game", "bluffing_by_mistake": "on"}, [41 + 250]),
    ],
)
def test_number_of_ways(options: Any, counts: list[Any]) -> None:
    states = ENGINE.start(2, options, 7)
    assert [count_ways(states, depth) for depth in range(1, len(counts) + 1)] == counts


def test_number_of_ways_in_a_looting_after_two_passes() -> None:
    states = ENGINE.start(2, {"passions": "two_first_game"}, 7)
    for seat in (0, 1):
        ENGINE.apply(states, 0, seat, ENGINE.game.actions.read("pass"))
    assert len(ENGINE.legal(states, 0, 0)) == 41
    # After n tokens on slot k of four there are (4 - k) × (10 - n) more and the seal; after the seal, 41 of the other seat.
    more = sum((4 - k) * (10 - n) + 1 for k in range(1, 5) for n in range(1, 11))
    assert count_ways(states, 2) == more + 41
