"""How a thoughtful beginner looks at the table: what an action is worth, and who seems ahead."""

from __future__ import annotations

import math

from ludoteca.core.kernel import ChanceList, kernel

from .actions import (
    CHOOSE_PAYMENT,
    GIVE_BACK,
    MARKET_CARDS,
    PAIRS,
    PAY_NOW,
    RECRUIT,
    RESERVE,
    RESERVE_TOP,
    SWAP,
    TAKE_ALIKE,
    TAKE_ONE,
    TAKE_PLACE,
    TAKE_THREE,
    TAKE_TWO,
    TRIPLES,
)
from .components import BONUS, GREEN, GREY, LEVEL, MARVEL, PLACE_COST, POINTS, STARS
from .rules import GOAL, card_at, held, jokers_needed, price
from .state import SLOTS, TILES, State


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    """Recruit what is worth most; otherwise take the tokens that bring good cards nearest; reserve only the best."""
    if RECRUIT <= action < CHOOSE_PAYMENT:
        card = card_at(state, seat, action - RECRUIT)
        return 100.0 + 10.0 * card_worth(state, seat, card) - paid_tokens(state, seat, card)
    if action < RESERVE:
        return take_worth(state, seat, action)
    if action < RESERVE_TOP:
        slot = action - RESERVE
        card = state.market[slot // SLOTS, slot % SLOTS]
        near = 6.0 - distance(state, seat, card)
        return 1.0 + 0.5 * card_worth(state, seat, card) + 0.3 * near + (1.0 if state.bank[GREY] > 0 else -2.0)
    if action < RECRUIT:
        return 0.5
    if action < SWAP:
        return -10.0  # keeping a coloured token for a joker is rarely better
    if action < PAY_NOW:
        return 0.0
    if action < GIVE_BACK:
        return 1.0
    if action < TAKE_PLACE:
        return -token_need(state, seat, action - GIVE_BACK)
    return 0.0


@kernel
def card_worth(state: State, seat: int, card: int) -> float:
    """Points, symbols, the time gem, a colour still missing, and the steps it makes towards places."""
    edition = state.edition
    colour = BONUS[edition, card]
    worth = 1.0 + 1.3 * POINTS[edition, card]
    if edition == MARVEL:
        if state.bonuses[seat, colour] == 0:
            worth += 1.5
        if LEVEL[card] == 2 and state.tokens[seat, GREEN] == 0:
            worth += 2.0
        if STARS[edition, card] > 0 and state.avengers != seat:
            worth += 0.5 * STARS[edition, card]
    for n in range(TILES):
        if state.tiles[n] >= 0 and state.tile_owner[n] < 0:
            if state.bonuses[seat, colour] < PLACE_COST[edition, state.tiles[n], colour]:
                worth += 0.5
    return worth


@kernel
def paid_tokens(state: State, seat: int, card: int) -> float:
    """What recruiting costs in tokens."""
    total = 0
    for colour in range(5):
        total += price(state, seat, card, colour)
    return float(total) + 0.5 * jokers_needed(state, seat, card)


@kernel
def distance(state: State, seat: int, card: int) -> float:
    """Tokens still missing."""
    return max(0.0, float(jokers_needed(state, seat, card) - state.tokens[seat, GREY]))


@kernel
def token_need(state: State, seat: int, kind: int) -> float:
    """How useful one more token of a colour is: summed over the cards in sight, near ones first."""
    if kind == GREY:
        return 100.0
    total = 0.0
    for which in range(MARKET_CARDS + state.in_hand[seat]):
        card = card_at(state, seat, which)
        if card >= 0 and price(state, seat, card, kind) >= state.tokens[seat, kind]:
            total += card_worth(state, seat, card) / (2.0 + distance(state, seat, card)) ** 2
    return total


@kernel
def gain(state: State, seat: int, kind: int) -> float:
    """As `token_need`, only where a token of that colour is really missing."""
    total = 0.0
    for which in range(MARKET_CARDS + state.in_hand[seat]):
        card = card_at(state, seat, which)
        if card >= 0 and price(state, seat, card, kind) > state.tokens[seat, kind]:
            total += card_worth(state, seat, card) / (1.0 + distance(state, seat, card)) ** 2
    return total


@kernel
def take_worth(state: State, seat: int, action: int) -> float:
    if action < TAKE_TWO:
        count = 3
        k = action - TAKE_THREE
        worth = gain(state, seat, TRIPLES[k, 0]) + gain(state, seat, TRIPLES[k, 1]) + gain(state, seat, TRIPLES[k, 2])
    elif action < TAKE_ONE:
        count = 2
        k = action - TAKE_TWO
        worth = gain(state, seat, PAIRS[k, 0]) + gain(state, seat, PAIRS[k, 1])
    elif action < TAKE_ALIKE:
        count = 1
        worth = gain(state, seat, action - TAKE_ONE)
    else:
        count = 2
        worth = 1.6 * gain(state, seat, action - TAKE_ALIKE)
    excess = held(state, seat) + count - 10
    if excess > 0:
        worth *= (count - excess) / count
    return 2.0 + worth


# What a position promises, in logarithmic odds, by edition. Fitted to who won some thousand games of the search against
# itself; `place` is for a tile whose every bonus is there, `late` for each point beyond LATE.
LATE = 8
A_POINT, A_LATE_POINT = (0.14, 0.31), (0.15, 0.33)
FIRST_BONUS, A_BONUS, A_FIFTH_BONUS = (0.66, 0.49), (0.35, 0.42), (0.26, 0.09)
A_TOKEN, A_RESERVE, THE_TURN = 0.14, (0.20, 0.09), 0.2
A_PLACE = (1.1, 0.6)
TIME_GEM, TIME_GEM_LATE, LACKING_LATE = 0.14, 0.15, 0.15


@kernel
def outlook(state: State, out: ChanceList) -> None:
    """Each seat's chance at a glance."""
    total = 0.0
    for seat in range(state.seats):
        out[seat] = math.exp(promise(state, seat))
        total += out[seat]
    for seat in range(state.seats):
        out[seat] /= total


@kernel
def promise(state: State, seat: int) -> float:
    """Points, bonuses (the first of each colour most), tokens, reserves, places near, and what the end asks for."""
    edition = state.edition
    points = float(min(int(state.points[seat]), GOAL[edition]))
    late = max(0.0, points - LATE)
    worth = A_POINT[edition] * points + A_LATE_POINT[edition] * late
    lacking = 0
    for colour in range(5):
        have = float(state.bonuses[seat, colour])
        if have == 0.0:
            lacking += 1
        worth += FIRST_BONUS[edition] * min(have, 1.0)
        worth += A_BONUS[edition] * min(max(have - 1.0, 0.0), 3.0) + A_FIFTH_BONUS[edition] * max(have - 4.0, 0.0)
    worth += A_TOKEN * held(state, seat) + A_RESERVE[edition] * state.in_hand[seat]
    if state.turn == seat:
        worth += THE_TURN
    if edition == MARVEL:  # §9.1 points alone do not end the game
        worth += state.tokens[seat, GREEN] * (TIME_GEM + TIME_GEM_LATE * late) - LACKING_LATE * lacking * late
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0:
            missing = 0.0
            for colour in range(5):
                missing += max(0.0, float(PLACE_COST[edition, state.tiles[n], colour] - state.bonuses[seat, colour]))
            worth += A_PLACE[edition] * max(0.0, 1.0 - missing / 8.0)
    return worth
