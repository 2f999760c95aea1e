"""The record as numbers for a network: own seat first, then the others in turn order; about 0 to 1 each."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import NumberList, kernel

from .components import BONUS, CARDS, COST, EDITIONS, LEVEL, LEVELS, MOST_TILES, PLACE_COST, POINTS, STARS
from .state import HAND, SEATS, SLOTS, TILES, TOKEN_KINDS, State

CARD = 14  # there, level, points, stars, five bonus flags, five costs
PLAYER = TOKEN_KINDS + 5 + 5 + HAND * (CARD + 1)

OBSERVATION_NAMES = (
    ("edition, phase (4), round, final round", 7),
    ("tokens on the table", TOKEN_KINDS),
    ("cards left in the decks", LEVELS),
    ("market: there, level, points, stars, bonus (5), cost (5)", LEVELS * SLOTS * CARD),
    ("places: there, cost (5), mine, taken", TILES * 8),
    ("jokers chosen while paying", 5),
    (
        "players, own seat first: tokens (7), bonuses (5), points, stars, cards, tile, in play; hand: level, card",
        SEATS * PLAYER,
    ),
)
OBSERVATION = sum(size for _, size in OBSERVATION_NAMES)

# What is printed never changes: its numbers are made once, by edition and card or place, and copied from here.
# The last row, which is also the one before the first, is of what is not there (-1).
CARD_NUMBERS = np.zeros((len(EDITIONS), CARDS + 1, CARD), np.float32)
CARD_NUMBERS[:, :-1, 0] = 1.0
CARD_NUMBERS[:, :-1, 1] = (np.asarray(LEVEL) + 1) / 3.0
CARD_NUMBERS[:, :-1, 2] = np.asarray(POINTS) / 5.0
CARD_NUMBERS[:, :-1, 3] = np.asarray(STARS) / 2.0
CARD_NUMBERS[:, :-1, 4:9] = np.asarray(BONUS)[:, :, None] == np.arange(5)
CARD_NUMBERS[:, :-1, 9:] = np.asarray(COST) / 7.0
PLACE_NUMBERS = np.zeros((len(EDITIONS), MOST_TILES + 1, 6), np.float32)
PLACE_NUMBERS[:, :-1, 0] = 1.0
PLACE_NUMBERS[:, :-1, 1:] = np.asarray(PLACE_COST) / 4.0
FIXED = OBSERVATION - SEATS * PLAYER  # before the players
# Parts of the number in a byte: looked up, not counted out.
BYTES = np.arange(256).astype(np.int8)
SEVENTHS, FORTIETHS, FIFTHS = ((BYTES * (1.0 / parts)).astype(np.float32) for parts in (7, 40, 5))


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    edition, seats = int(state.edition), int(state.seats)
    out[0] = state.edition
    for phase in range(4):
        out[1 + phase] = 1.0 if state.phase == phase else 0.0
    out[5] = state.round_number / 50.0
    out[6] = state.ending
    n = 7
    for kind in range(TOKEN_KINDS):
        out[n + kind] = SEVENTHS[state.bank[kind] & 255]
    n += TOKEN_KINDS
    for level in range(LEVELS):
        out[n + level] = FORTIETHS[state.deck_left[level] & 255]
    n += LEVELS
    market = out[n : n + LEVELS * SLOTS * CARD]
    for level in range(LEVELS):
        for slot in range(SLOTS):
            printed = CARD_NUMBERS[edition, state.market[level, slot]]
            for k in range(CARD):
                market[(level * SLOTS + slot) * CARD + k] = printed[k]
    n += LEVELS * SLOTS * CARD
    for tile in range(TILES):
        place, printed = out[n : n + 6], PLACE_NUMBERS[edition, state.tiles[tile]]
        for k in range(6):
            place[k] = printed[k]
        lies = state.tiles[tile] >= 0
        out[n + 6] = 1.0 if lies and state.tile_owner[tile] == seat else 0.0
        out[n + 7] = 1.0 if lies and state.tile_owner[tile] >= 0 else 0.0
        n += 8
    for colour in range(5):
        out[n + colour] = FIFTHS[state.swapped[colour] & 255]
    for k in range(seats):
        player = seat + k if seat + k < seats else seat + k - seats
        observe_player(state, player, out[FIXED + k * PLAYER : FIXED + (k + 1) * PLAYER])


@kernel
def observe_player(state: State, player: int, out: NumberList) -> None:
    for kind in range(TOKEN_KINDS):
        out[kind] = SEVENTHS[state.tokens[player, kind] & 255]
    for colour in range(5):
        out[TOKEN_KINDS + colour] = SEVENTHS[state.bonuses[player, colour] & 255]
    n = TOKEN_KINDS + 5
    out[n] = state.points[player] / 16.0
    out[n + 1] = state.stars[player] / 5.0
    out[n + 2] = state.recruits[player] / 20.0
    out[n + 3] = 1.0 if state.avengers == player else 0.0
    out[n + 4] = 1.0
    n += 5
    for place in range(HAND):
        out[n] = (state.hand_level[player, place] + 1) * (1.0 / 3.0)
        card, printed = out[n + 1 : n + 1 + CARD], CARD_NUMBERS[state.edition, state.hand[player, place]]
        for k in range(CARD):
            card[k] = printed[k]
        n += CARD + 1
