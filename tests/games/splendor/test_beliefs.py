"""What the search imagines: the same cards as a fair guess, and fair as far as it looks."""

import itertools

import pytest

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.record import States
from ludoteca.games.splendor.beliefs import FORESEEN

ENGINE = interpreted(catalogue.game("splendor"))


def guess(name: str, redacted: States, seat: int, seed: int) -> States:
    world = redacted.copy()
    ENGINE.call(name, world, 0, seat, seed)
    return world


def unseen_of(world: States, level: int) -> list[int]:
    """Cards of the deck and of all hands of a level."""
    hands = world["hand"][0][world["hand_level"][0] == level]
    return sorted([*(card for card in world["deck"][0, level] if card >= 0), *hands])


@pytest.mark.parametrize("seats", [2, 4])
def test_the_search_imagines_every_unseen_card_once(seats: int) -> None:
    states = ENGINE.start(seats, {}, 9)
    for n in range(60):
        seat = ENGINE.waiting(states)[0]
        legal = ENGINE.legal(states, 0, seat)
        ENGINE.apply(states, 0, seat, legal[n * 7 % len(legal)])
        redacted = ENGINE.game.redact(states, 0, seat)
        fair, quick = (guess(name, redacted, seat, n) for name in ("determinize", "imagine"))
        for level in range(3):
            left = int(states["deck_left"][0, level])
            assert unseen_of(quick, level) == unseen_of(fair, level)
            assert (quick["deck"][0, level, :left] >= 0).all() and (quick["deck"][0, level, left:] < 0).all()


def test_what_the_search_may_draw_is_in_a_fair_order() -> None:
    """In 400 guesses each unseen card of a level comes up about equally often in each of the places that are looked at."""
    states = ENGINE.start(2, {}, 9)
    redacted = ENGINE.game.redact(states, 0, 0)
    left = int(states["deck_left"][0, 0])
    decks = [guess("imagine", redacted, 0, seed)["deck"][0, 0, :left] for seed in range(400)]
    for place in (left - 1, left - FORESEEN):
        counts = [sum(int(deck[place]) == card for deck in decks) for card in decks[0]]
        mean = len(decks) / left
        assert sum((count - mean) ** 2 / mean for count in counts) < 2.0 * left  # of left - 1 degrees of freedom
    assert any((one != other).any() for one, other in itertools.pairwise(decks))
