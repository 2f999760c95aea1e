"""§1 Set-up: decks, location tiles and tokens."""

from __future__ import annotations

from ludoteca.core.chance import below, seed_stream, shuffle
from ludoteca.core.kernel import OptionList, kernel

from ..components import (
    BASE,
    DECK_SIZES,
    DEEPEST,
    FACE,
    FIRST_EDITION,
    FIRST_OF_LEVEL,
    GREEN,
    GREY,
    LEVELS,
    MARVEL,
    TILES_IN_BOX,
)
from ..state import HAND, MAIN, SEATS, SLOTS, TILES, State

TOKENS_EACH = (0, 0, 4, 5, 7)  # §1.4, by number of players
JOKERS = 5  # §1.4


@kernel
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_stream(state, seed)
    state.seats = seats
    state.edition = FIRST_EDITION + options[0]
    state.round_number = 1
    state.buying = -1
    state.avengers = -1  # §1.6 the Avengers tile waits on the table
    for card in range(state.owner.shape[0]):
        state.owner[card] = -1
    for seat in range(SEATS):
        for place in range(HAND):
            state.hand[seat, place] = -1
            state.hand_level[seat, place] = -1
    shuffle_decks(state)
    choose_tiles(state)
    lay_out_tokens(state)
    state.phase = MAIN
    state.turn = 0  # §1.7
    state.waiting[0] = 1


@kernel
def shuffle_decks(state: State) -> None:
    """§1.1, §1.2 Each level is shuffled by itself; four cards of each lie face up."""
    for level in range(LEVELS):
        size = DECK_SIZES[level]
        for n in range(DEEPEST):
            state.deck[level, n] = FIRST_OF_LEVEL[level] + n if n < size else -1
        state.deck_left[level] = size
        shuffle(state, state.deck[level], size)
    for level in range(LEVELS):
        for slot in range(SLOTS):
            state.market[level, slot] = draw(state, level)


@kernel
def draw(state: State, level: int) -> int:
    """The top card of a deck, or -1."""
    left = state.deck_left[level]
    if left == 0:
        return -1
    card = int(state.deck[level, left - 1])
    state.deck[level, left - 1] = -1
    state.deck_left[level] = left - 1
    return card


@kernel
def choose_tiles(state: State) -> None:
    """§1.3 As many location tiles as players, each on a random face; §10.1 one noble more than players."""
    in_box = TILES_IN_BOX[state.edition]
    for tile in range(in_box):
        state.box[tile] = tile
    shuffle(state, state.box, in_box)
    state.tile_count = state.seats + 1 if state.edition == BASE else state.seats
    for n in range(TILES):
        state.tiles[n] = FACE[state.edition, state.box[n], below(state, 2)] if n < state.tile_count else -1
        state.tile_owner[n] = -1


@kernel
def lay_out_tokens(state: State) -> None:
    """§1.4 4, 5 or 7 of each colour for 2, 3 or 4 players, always five jokers; §1.5 a time gem for each player."""
    for colour in range(5):
        state.bank[colour] = TOKENS_EACH[state.seats]
    state.bank[GREY] = JOKERS
    state.bank[GREEN] = state.seats if state.edition == MARVEL else 0
