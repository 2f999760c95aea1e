"""What decks promise when they are ready: alike for both seats, slopes as tiny steps measure them, and it learns."""

import math
from typing import Any

import numpy as np

from ludoteca.games.challengers import deck_worth
from ludoteca.games.challengers.components import KINDS
from ludoteca.games.challengers.deck_worth import ALL, HIDDEN, MOST_HEARD, Weights


def room() -> tuple[Any, ...]:
    return (
        np.zeros((2, HIDDEN), np.float32),
        np.zeros((2, MOST_HEARD), np.int64),
        np.zeros((2, MOST_HEARD), np.float32),
        np.zeros(2, np.int64),
    )


def some_weights() -> Weights:
    return np.random.default_rng(2).normal(0.0, 0.2, ALL).astype(np.float32)


def some_decks(count: int) -> Any:
    chance = np.random.default_rng(3)
    decks = (chance.random((count, 2, KINDS)) < 0.1).astype(np.int8)
    return decks, (decks > 0).sum(2).astype(np.int8), chance.integers(-9, 10, count), chance.integers(0, 7, count)


def test_it_cannot_tell_chairs_apart() -> None:
    decks, names, leads, rows = some_decks(1)
    mine = deck_worth.foresee(decks[0], names[0], leads[0], rows[0], some_weights(), *room())
    theirs = deck_worth.foresee(decks[0, ::-1], names[0, ::-1], -leads[0], rows[0], some_weights(), *room())
    assert math.isclose(mine + theirs, 1.0, abs_tol=1e-6)
    assert (
        deck_worth.foresee(decks[0], names[0], 0, rows[0], deck_worth.first_weights(np.random.default_rng(1)), *room())
        == 0.5
    )


def test_slopes_are_as_tiny_steps_measure_them() -> None:
    decks, names, leads, rows = some_decks(1)
    weights, (hidden, heard, copies, counts) = some_weights(), room()
    chance = deck_worth.foresee(decks[0], names[0], leads[0], rows[0], weights, hidden, heard, copies, counts)
    slopes = np.zeros(ALL, np.float32)
    for seat, wrong in enumerate((chance - 1.0, 1.0 - chance)):  # the first seat has won
        into = np.zeros(HIDDEN, np.float32)
        deck_worth.blame(rows[0], wrong, weights, hidden[seat], heard[seat], copies[seat], counts[seat], slopes, into)
    steepest = np.argsort(-np.abs(slopes))[:5]
    parts = [
        int(np.flatnonzero(slopes[a:b])[0]) + a
        for a, b in ((deck_worth.FIRST, deck_worth.BIAS), (deck_worth.BIAS, deck_worth.SAID))
    ]
    for n in (*steepest, *parts):
        sides = []
        for step in (1e-2, -1e-2):
            moved = weights.copy()
            moved[n] += step
            sides.append(-math.log(deck_worth.foresee(decks[0], names[0], leads[0], rows[0], moved, *room())))
        assert math.isclose((sides[0] - sides[1]) / 2e-2, slopes[n], abs_tol=5e-3, rel_tol=0.1)


def test_it_learns_which_decks_win() -> None:
    decks, names, leads, rows = some_decks(2 * deck_worth.LOT)
    came = (decks[:, 0, 10] > decks[:, 1, 10]).astype(np.float32) + 0.5 * (decks[:, 0, 10] == decks[:, 1, 10])
    weights = deck_worth.first_weights(np.random.default_rng(1))
    means, squares, steps = np.zeros_like(weights), np.zeros_like(weights), 0

    def loss() -> float:
        found = [deck_worth.foresee(decks[n], names[n], leads[n], rows[n], weights, *room()) for n in range(len(rows))]
        return float(((np.array(found) - came) ** 2).mean())

    before = loss()
    for _ in range(4):
        steps = deck_worth.learn_worth(decks, names, leads, rows, came, weights, means, squares, steps, 1e-2)
    assert steps == 8
    assert loss() < before
