"""What a learned judgement looks at in a seat's position: how far it is, and what is near for it.

Colours and slots are never named: bonuses and tokens are sorted, cards are counted by how many tokens are missing for them.
So what was learned of a red card in the first slot is known of every card.
"""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .actions import MARKET_CARDS
from .advice import LATE, next_cards
from .components import BONUS, COST, GREEN, GREY, LEVEL, LEVELS, PACKED_COST, PLACE_COST, POINTS
from .rules.decisions import card_at, held, missing, purse
from .state import HAND, MAIN, State

NEAR = 6  # cards are counted by 0, 1 … 5 or more missing tokens
IN_SIGHT, IN_HAND = 4, 2  # numbers for each of these

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
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0:
            short = 0
            for colour in range(5):
                short += max(0, PLACE_COST[state.edition, state.tiles[n], colour] - state.bonuses[seat, colour])
            sort_in(out, 30, 3, max(0.0, 1.0 - short / 8.0))
            out[33] += 0.3 if short <= 2 else 0.0


@kernel
def cards_near(state: State, seat: int, out: NumberList) -> None:
    """The cards in sight and in hand, by how many tokens are missing for them."""
    edition = state.edition
    wealth = purse(state, seat)
    jokers = int(state.tokens[seat, GREY])
    for level in range(LEVELS):
        out[70 + level] = 1.0
        out[73 + level] = 1.0
    for which in range(MARKET_CARDS + state.in_hand[seat]):
        card = card_at(state, seat, which)
        if card < 0:
            continue
        short = max(0, int(missing(PACKED_COST[edition, card], wealth)) - jokers)
        points = int(POINTS[edition, card])
        near = min(short, NEAR - 1)
        if which < MARKET_CARDS:
            count_in_sight(state, seat, card, points, 34 + IN_SIGHT * near, out)
        else:
            out[58 + IN_HAND * near] += 1.0 / HAND
            out[59 + IN_HAND * near] += points / 5.0
        level = int(LEVEL[card])
        if short / 10.0 < out[70 + level]:
            out[70 + level] = short / 10.0
        due = whole_price(state, seat, card) / 12.0
        if due < out[73 + level]:
            out[73 + level] = due
        if short == 0:
            out[77] = max(out[77], points / 5.0)
        if short <= 3:
            out[78] = max(out[78], points / 5.0)
    out[76] = next_cards(state, seat) / 2.0


@kernel
def count_in_sight(state: State, seat: int, card: int, points: int, place: int, out: NumberList) -> None:
    """A card, its points, and what its bonus would be good for."""
    edition = state.edition
    colour = BONUS[edition, card]
    out[place] += 1.0 / 6.0
    out[place + 1] += points / 10.0
    for n in range(state.tile_count):
        if state.tile_owner[n] < 0 and state.bonuses[seat, colour] < PLACE_COST[edition, state.tiles[n], colour]:
            out[place + 2] += 1.0 / 6.0
    if state.bonuses[seat, colour] == 0:
        out[place + 3] += 0.25


@kernel
def whole_price(state: State, seat: int, card: int) -> int:
    """Tokens that a card costs, whoever has them."""
    total = 0
    for colour in range(5):
        total += max(0, COST[state.edition, card, colour] - state.bonuses[seat, colour])
    return total
