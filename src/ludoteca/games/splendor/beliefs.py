"""What a player can think the hidden cards are: every card not seen, dealt anew."""

from __future__ import annotations

from ludoteca.core.chance import seed_stream, shuffle
from ludoteca.core.kernel import kernel

from .components import DECK_SIZES, DEEPEST, FIRST_OF_LEVEL, LEVELS
from .state import SLOTS, State


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    """Fills decks and secret hands with the unseen cards of their level, each order as likely as any other."""
    seed_stream(state, seed)
    for level in range(LEVELS):
        unseen = gather_unseen(state, level)
        shuffle(state, state.deck[level], unseen)
        for other in range(state.seats):
            for place in range(state.in_hand[other]):
                if state.hand[other, place] < 0 and state.hand_level[other, place] == level:
                    unseen -= 1
                    state.hand[other, place] = state.deck[level, unseen]
                    state.deck[level, unseen] = -1


@kernel
def gather_unseen(state: State, level: int) -> int:
    """Puts the cards of a level that are neither recruited nor face up nor in a known hand into its deck."""
    for n in range(DEEPEST):
        state.deck[level, n] = -1
    unseen = 0
    first = FIRST_OF_LEVEL[level]
    for card in range(first, first + DECK_SIZES[level]):
        if state.owner[card] < 0 and not is_seen(state, level, card):
            state.deck[level, unseen] = card
            unseen += 1
    return unseen


@kernel
def is_seen(state: State, level: int, card: int) -> bool:
    for slot in range(SLOTS):
        if state.market[level, slot] == card:
            return True
    for other in range(state.seats):
        for place in range(state.in_hand[other]):
            if state.hand[other, place] == card:
                return True
    return False
