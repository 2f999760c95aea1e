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
from .components import BONUS, GOAL, GREEN, GREY, LEVEL, MARVEL, PACKED_COST, PACKED_PLACE_COST, POINTS
from .rules.decisions import TOKEN_LIMIT, card_at, exceeding, held, jokers_needed, missing, packed_bonuses, price, purse
from .state import MAIN, SLOTS, State

# What a position promises, in logarithmic odds, by edition (Marvel, base): fitted to who won some thousand games of the
# search against itself. A place counts by how few bonuses are missing; `late` is each point beyond LATE.
LATE = 8
A_POINT, A_LATE_POINT = (0.15, 0.31), (0.1, 0.28)
FIRST_BONUS, A_BONUS, A_FIFTH_BONUS = (0.73, 0.45), (0.3, 0.33), (0.05, 0.04)
A_TOKEN, A_RESERVE, THE_TURN = 0.06, (0.13, 0.11), 0.22
A_PLACE = (1.3, 0.65)
TIME_GEM, TIME_GEM_LATE, LACKING_LATE = 0.1, 0.18, 0.12
NEXT_CARDS = 0.63  # of the worth of the two best cards in sight, as near as they are

# How much of a card's worth is felt when so many tokens are still missing for it.
NEARNESS = (1.0, 0.5, 0.3, 0.2, 0.14, 0.1, 0.08, 0.06, *[0.05] * 40)
HAND_BURDEN = 0.05  # for each card already reserved
A_PAYMENT = 0.05  # a token spent
A_JOKER = 0.35
RESERVED = 0.5  # the part of a card's worth that lies in having it safe


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    """Recruit what is worth most; otherwise take the tokens that bring good cards nearest; reserve only the best."""
    if RECRUIT <= action < CHOOSE_PAYMENT:
        card = card_at(state, seat, action - RECRUIT)
        return 10.0 + card_worth(state, seat, card) - A_PAYMENT * tokens_due(state, seat, card)
    if action < RESERVE:
        return take_worth(state, seat, action)
    if action < RESERVE_TOP:
        slot = action - RESERVE
        return reserve_worth(state, seat, int(state.market[slot // SLOTS, slot % SLOTS]))
    if action < RECRUIT:
        return 0.0
    if action < SWAP:
        return -1.0  # keeping a coloured token for a joker is rarely better
    if action < PAY_NOW:
        return 0.0
    if action < GIVE_BACK:
        return 1.0
    if action < TAKE_PLACE:
        return give_back_worth(state, seat, action - GIVE_BACK)
    return 0.0


@kernel
def card_worth(state: State, seat: int, card: int) -> float:
    """Points, the bonus (a first one most), the time gem, and the steps it makes towards places."""
    return worth_with(state, seat, card, asked_by_places(state, seat))


@kernel
def asked_by_places(state: State, seat: int) -> int:
    """How many of the places left ask for one more bonus of each colour, eight bits a colour."""
    packed = 0
    bonuses = packed_bonuses(state, seat)
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0:
            packed += exceeding(PACKED_PLACE_COST[state.edition, state.tiles[n]], bonuses) >> 7
    return packed


@kernel
def worth_with(state: State, seat: int, card: int, asked: int) -> float:
    """What a card is worth to who knows already what places ask for."""
    edition = state.edition
    colour = BONUS[edition, card]
    have = state.bonuses[seat, colour]
    late = state.points[seat] > LATE
    worth = (A_POINT[edition] + (A_LATE_POINT[edition] if late else 0.0)) * POINTS[edition, card]
    if have == 0:
        worth += FIRST_BONUS[edition]
    else:
        worth += A_BONUS[edition] if have < 4 else A_FIFTH_BONUS[edition]
    if edition == MARVEL and LEVEL[card] == 2 and state.tokens[seat, GREEN] == 0:
        worth += 4.0 * TIME_GEM  # the end asks for it
    return worth + (asked >> 8 * colour & 255) * (A_PLACE[edition] / 8.0)


@kernel
def tokens_due(state: State, seat: int, card: int) -> int:
    """What recruiting costs in tokens."""
    total = 0
    for colour in range(5):
        total += price(state, seat, card, colour)
    return total


@kernel
def approach(state: State, seat: int, taken: int, jokers: int) -> float:
    """How much nearer the cards in sight come with these tokens (packed by colour) and jokers more."""
    wealth = purse(state, seat)
    grey = state.tokens[seat, GREY]
    asked = asked_by_places(state, seat)
    total = 0.0
    for which in range(MARKET_CARDS + state.in_hand[seat]):
        card = card_at(state, seat, which)
        if card >= 0:
            cost = PACKED_COST[state.edition, card]
            before = max(0, missing(cost, wealth) - grey)
            after = max(0, missing(cost, wealth + taken) - grey - jokers)
            if before != after:
                total += worth_with(state, seat, card, asked) * (NEARNESS[after] - NEARNESS[before])
    return total


@kernel
def take_worth(state: State, seat: int, action: int) -> float:
    if action < TAKE_TWO:
        count = 3
        k = action - TAKE_THREE
        taken = (1 << 8 * TRIPLES[k, 0]) + (1 << 8 * TRIPLES[k, 1]) + (1 << 8 * TRIPLES[k, 2])
    elif action < TAKE_ONE:
        count = 2
        k = action - TAKE_TWO
        taken = (1 << 8 * PAIRS[k, 0]) + (1 << 8 * PAIRS[k, 1])
    elif action < TAKE_ALIKE:
        count = 1
        taken = 1 << 8 * (action - TAKE_ONE)
    else:
        count = 2
        taken = 2 << 8 * (action - TAKE_ALIKE)
    room = max(0, TOKEN_LIMIT - held(state, seat))
    return approach(state, seat, taken, 0) + A_TOKEN * min(count, room)


@kernel
def give_back_worth(state: State, seat: int, kind: int) -> float:
    if kind == GREY:
        return approach(state, seat, 0, -1)
    return approach(state, seat, -(1 << 8 * kind), 0)


@kernel
def reserve_worth(state: State, seat: int, card: int) -> float:
    """The joker that comes with it, and a card that nobody else can take; a full hand is a burden."""
    jokers = 1 if state.bank[GREY] > 0 and held(state, seat) < TOKEN_LIMIT else 0
    short = max(0, jokers_needed(state, seat, card) - state.tokens[seat, GREY] - jokers)
    kept = RESERVED * card_worth(state, seat, card) * NEARNESS[short]
    return A_JOKER * jokers + kept - HAND_BURDEN * (1 + state.in_hand[seat])


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
def next_cards(state: State, seat: int) -> float:
    """The two best of the cards in sight, each as near as it is."""
    wealth = purse(state, seat)
    asked = asked_by_places(state, seat)
    best = 0.0
    second = 0.0
    for which in range(MARKET_CARDS + state.in_hand[seat]):
        card = card_at(state, seat, which)
        if card >= 0:
            short = max(0, missing(PACKED_COST[state.edition, card], wealth) - state.tokens[seat, GREY])
            worth = worth_with(state, seat, card, asked) * NEARNESS[short]
            second = max(second, min(best, worth))
            best = max(best, worth)
    return best + second


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
    coloured = held(state, seat) - state.tokens[seat, GREY] - state.tokens[seat, GREEN]
    worth += A_TOKEN * min(coloured, TOKEN_LIMIT) + A_RESERVE[edition] * state.in_hand[seat]
    worth += NEXT_CARDS * next_cards(state, seat)
    if state.turn == seat and state.phase == MAIN:
        worth += THE_TURN
    if edition == MARVEL:  # §9.1 points alone do not end the game
        worth += state.tokens[seat, GREEN] * (TIME_GEM + TIME_GEM_LATE * late) - LACKING_LATE * lacking * late
    bonuses = packed_bonuses(state, seat)
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0:
            short = missing(PACKED_PLACE_COST[edition, state.tiles[n]], bonuses)
            worth += A_PLACE[edition] * max(0.0, 1.0 - short / 8.0)
    return worth
