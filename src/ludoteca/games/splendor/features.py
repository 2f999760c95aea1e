"""What a learned judgement looks at in a seat's position: how far it is, and what is near for it.

Colours and slots are never named: bonuses and tokens are sorted, cards are counted by how many tokens are missing for them.
So what was learned of a red card in the first slot is known of every card.
"""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .actions import MARKET_CARDS
from .advice import LATE, NEARNESS, asked_by_places, worth_with
from .components import (
    BASE,
    BONUS,
    GOAL,
    GREEN,
    GREY,
    LEVEL,
    LEVELS,
    PACKED_COST,
    PACKED_PLACE_COST,
    POINTS,
    STARS,
    TILE_POINTS,
)
from .rules.decisions import ENOUGH_FOR_TWO, ENOUGH_STARS, card_at, exceeding, held, missing, packed_bonuses, purse
from .state import HAND, MAIN, State

NEAR = 6  # cards are counted by 0, 1 … 5 or more missing tokens
IN_SIGHT, IN_HAND = 4, 2  # numbers for each of these
TURNS = 5  # … and by 0, 1 … 4 or more turns of taking tokens
PRICES = 5  # … and by their whole price: up to 2, 4, 6, 8, or more

FEATURE_NAMES = (
    ("edition, seats (3), in turn (2), round, ending", 8),
    ("points, points late, points very late", 3),
    ("tokens: coloured, jokers, time gem, all", 4),
    ("bonuses, most first; how many colours, how many in all", 7),
    ("coloured tokens, most first", 5),
    ("cards in hand, stars, the tile", 3),
    ("places: the three nearest, how many nearly won", 4),
    ("market by missing tokens: cards, points, steps to places, first bonuses", NEAR * IN_SIGHT),
    ("hand by missing tokens: cards, points", NEAR * IN_HAND),
    ("nearest card of each level: missing tokens, its whole price", 2 * LEVELS),
    ("the two best next cards, the most points at hand, the most points near", 3),
    ("bank: jokers, colours there, colours to take two of", 3),
    ("market by turns: cards, points", 2 * TURNS),
    ("hand by turns: cards, points", 2 * TURNS),
    ("points by whole price: market, hand", 2 * PRICES),
    ("the two best rates of points by turns", 2),
    ("bonuses and tokens where cards with points cost them", 2),
    ("the most points this turn with a tile, whether they end the game, how near the goal they come", 3),
)
FEATURES = sum(size for _, size in FEATURE_NAMES)


@kernel
def features(state: State, seat: int, out: NumberList) -> None:
    """Fills in the features of a seat; `out` is all zero before."""
    out[0] = state.edition
    out[state.seats - 1] = 1.0
    if state.turn == seat:
        out[4 if state.phase == MAIN else 5] = 1.0
    out[6] = state.round_number / 40.0
    out[7] = state.ending
    points = int(state.points[seat])
    out[8] = points / 16.0
    out[9] = max(0, points - LATE) / 8.0
    out[10] = max(0, points - 12) / 4.0
    tokens = held(state, seat)
    out[11] = (tokens - state.tokens[seat, GREY] - state.tokens[seat, GREEN]) / 10.0
    out[12] = state.tokens[seat, GREY] / 5.0
    out[13] = state.tokens[seat, GREEN]
    out[14] = tokens / 10.0
    bonuses_and_tokens(state, seat, out)
    out[27] = state.in_hand[seat] / 3.0
    out[28] = state.stars[seat] / 5.0
    out[29] = 1.0 if state.avengers == seat else 0.0
    places_near(state, seat, out)
    cards_near(state, seat, out)
    bank_left(state, out)


@kernel
def bonuses_and_tokens(state: State, seat: int, out: NumberList) -> None:
    """Sorted, the most first: which colours they are makes no difference."""
    for colour in range(5):
        have = state.bonuses[seat, colour] / 5.0
        out[20] += 0.2 if have > 0.0 else 0.0
        out[21] += have / 3.6
        sort_in(out, 15, 5, have)
        sort_in(out, 22, 5, state.tokens[seat, colour] / 4.0)


@kernel
def sort_in(out: NumberList, first: int, places: int, number: float) -> None:
    """Puts a number in its place among those from `first` on, the greatest first; the least falls out."""
    for k in range(first, first + places):
        if number > out[k]:
            greater = number
            number = out[k]
            out[k] = greater


@kernel
def places_near(state: State, seat: int, out: NumberList) -> None:
    """Places that nobody has: the nearest first, 1 for one that is won."""
    bonuses = packed_bonuses(state, seat)
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0:
            short = missing(PACKED_PLACE_COST[state.edition, state.tiles[n]], bonuses)
            sort_in(out, 30, 3, max(0.0, 1.0 - short / 8.0))
            out[33] += 0.3 if short <= 2 else 0.0


@kernel
def cards_near(state: State, seat: int, out: NumberList) -> None:
    """The cards in sight and in hand: by missing tokens, by the turns it takes to have them, and by their whole price."""
    edition = state.edition
    wealth = purse(state, seat)
    bonuses = packed_bonuses(state, seat)
    jokers = int(state.tokens[seat, GREY])
    asked_by = asked_by_places(state, seat)
    goal = int(GOAL[edition])
    asked = 0
    served = 0
    paid = 0
    best = 0.0
    second = 0.0
    for level in range(LEVELS):
        out[70 + level] = 1.0
        out[73 + level] = 1.0
    for which in range(MARKET_CARDS + state.in_hand[seat]):
        card = card_at(state, seat, which)
        if card < 0:
            continue
        cost = int(PACKED_COST[edition, card])
        points = int(POINTS[edition, card])
        whole = int(missing(cost, 0))
        price = int(missing(cost, bonuses))
        lack = int(missing(cost, wealth))
        asked += points * whole
        served += points * (whole - price)
        paid += points * (price - lack)
        short = max(0, lack - jokers)
        turns = min(max((short + 2) // 3, (min(most_missing(cost, wealth), short) + 1) // 2), TURNS - 1)
        near = min(short, NEAR - 1)
        band = min(max(0, price - 1) // 2, PRICES - 1)
        if which < MARKET_CARDS:
            colour = BONUS[edition, card]
            place = 34 + IN_SIGHT * near
            out[place] += 1.0 / 6.0
            out[place + 1] += points / 10.0
            out[place + 2] += (asked_by >> 8 * colour & 255) / 6.0
            out[place + 3] += 0.25 if state.bonuses[seat, colour] == 0 else 0.0
            out[82 + 2 * turns] += 1.0 / 6.0
            out[83 + 2 * turns] += points / 10.0
            out[102 + band] += points / 10.0
        else:
            out[58 + IN_HAND * near] += 1.0 / HAND
            out[59 + IN_HAND * near] += points / 5.0
            out[92 + 2 * turns] += 1.0 / HAND
            out[93 + 2 * turns] += points / 5.0
            out[107 + band] += points / 5.0
        level = int(LEVEL[card])
        out[70 + level] = min(out[70 + level], short / 10.0)
        out[73 + level] = min(out[73 + level], price / 12.0)
        worth = worth_with(state, seat, card, asked_by) * NEARNESS[short]
        second = max(second, min(best, worth))
        best = max(best, worth)
        sort_in(out, 112, 2, points / (3.0 + 3.0 * turns))
        if short <= 3:
            out[78] = max(out[78], points / 5.0)
        if short == 0:
            out[77] = max(out[77], points / 5.0)
            gain = points + tiles_with(state, seat, card)
            out[116] = max(out[116], gain / 8.0)
            if state.points[seat] + gain >= goal and may_end(state, seat, card):
                out[117] = 1.0
    out[76] = (best + second) / 2.0
    if asked > 0:
        out[114] = served / asked
        out[115] = paid / asked
    out[118] = min(1.0, (state.points[seat] + 8.0 * out[116]) / goal)


@kernel
def most_missing(cost: int, wealth: int) -> int:
    """Of the colour of which most tokens are missing; both packed."""
    most = 0
    for colour in range(5):
        most = max(most, (cost >> 8 * colour & 255) - (wealth >> 8 * colour & 255))
    return most


@kernel
def bank_left(state: State, out: NumberList) -> None:
    """What there is to take."""
    out[79] = state.bank[GREY] / 5.0
    for colour in range(5):
        out[80] += 0.2 if state.bank[colour] > 0 else 0.0
        out[81] += 0.2 if state.bank[colour] >= ENOUGH_FOR_TWO else 0.0


@kernel
def tiles_with(state: State, seat: int, card: int) -> int:
    """Points of the place and the tile that recruiting a card brings besides its own."""
    edition = state.edition
    points = 0
    bonuses = packed_bonuses(state, seat) + (1 << 8 * BONUS[edition, card])
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0 and exceeding(PACKED_PLACE_COST[edition, state.tiles[n]], bonuses) == 0:
            points = TILE_POINTS
    stars = int(state.stars[seat]) + int(STARS[edition, card])
    if STARS[edition, card] > 0 and state.avengers != seat and stars >= ENOUGH_STARS:
        if state.avengers < 0 or stars > state.stars[state.avengers]:
            points += TILE_POINTS
    return points


@kernel
def may_end(state: State, seat: int, card: int) -> bool:
    """Whether a card is all that the end still asks for, but for the points."""
    if state.edition == BASE:
        return True
    for colour in range(5):
        if state.bonuses[seat, colour] == 0 and colour != BONUS[state.edition, card]:
            return False
    return bool(state.tokens[seat, GREEN] == 1 or LEVEL[card] == LEVELS - 1)
