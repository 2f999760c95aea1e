"""What a player can think the hidden cards are: every card not seen, dealt anew.

The search guesses thousands of times and draws a few cards of each deck in a guess: `imagine` puts only so many in a fair
order, which is the same to whoever draws no more, and takes a third of the time.
"""

from __future__ import annotations

from ludoteca.core.chance import below, seed_stream, shuffle
from ludoteca.core.kernel import kernel

from .components import DECK_SIZES, DEEPEST, FIRST_OF_LEVEL, LEVELS
from .state import SEATS, SLOTS, State

FORESEEN = 20  # cards from the top of a deck that are in a fair order in a guess of the search


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    """Fills decks and secret hands with the unseen cards of their level, each order as likely as any other."""
    seed_stream(state, seed)
    for level in range(LEVELS):
        unseen = gather_unseen(state, level)
        shuffle(state, state.deck[level], unseen)
        deal_hands(state, level, unseen)


@kernel
def imagine(state: State, seat: int, seed: int) -> None:
    """As `determinize`, as far as a search looks."""
    seed_stream(state, seed)
    for level in range(LEVELS):
        unseen = gather_quickly(state, level)
        for n in range(min(FORESEEN, unseen - 1)):
            last = unseen - 1 - n
            drawn = below(state, last + 1)
            card = state.deck[level, last]
            state.deck[level, last] = state.deck[level, drawn]
            state.deck[level, drawn] = card
        deal_hands(state, level, unseen)


@kernel
def gather_quickly(state: State, level: int) -> int:
    """As `gather_unseen`, with a bit for each card that is seen."""
    first = FIRST_OF_LEVEL[level]
    seen = 0
    for slot in range(SLOTS):
        if state.market[level, slot] >= 0:
            seen |= 1 << (state.market[level, slot] - first)
    for other in range(SEATS):
        for place in range(state.in_hand[other]):
            if state.hand[other, place] >= 0 and state.hand_level[other, place] == level:
                seen |= 1 << (state.hand[other, place] - first)
    unseen = 0
    for card in range(DECK_SIZES[level]):
        if state.owner[first + card] < 0 and seen >> card & 1 == 0:
            state.deck[level, unseen] = first + card
            unseen += 1
    for n in range(unseen, DEEPEST):
        state.deck[level, n] = -1
    return unseen


@kernel
def deal_hands(state: State, level: int, unseen: int) -> None:
    """The cards of this level that others have reserved face down come from the top of the deck."""
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
