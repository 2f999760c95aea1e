"""The record as numbers for a network: own seat first, then the others in seat order; about 0 to 1 each."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import NumberList, kernel

from .components import BOOTHS, ITEMS, PASSIONS
from .rules.show_off import collected, items_among
from .state import DRAWN, IN_DECK, ON_BOOTH, ON_STALL, SEATS, State

PLAYER = 8 + PASSIONS
PHASES = 8

OBSERVATION_NAMES = (
    ("round, hid-bid, step, pool, options: two Passions, Monkey Control, mistakes", 7),
    ("phase", PHASES),
    ("Items: in the deck, on the Stall, on a Booth (4), owner (5, own seat first), value", ITEMS * (7 + SEATS)),
    ("tokens at the Booths: Booth by Booth, own seat first", BOOTHS * SEATS),
    ("Quadrants as last revealed, own seat first", SEATS * ITEMS),
    ("own Quadrant behind the screen", ITEMS),
    ("Items tied for: own seat in it, how many others", ITEMS * 2),
    ("own Passions: kept, put back", PASSIONS * 2),
    (
        "players, own seat first: in play, Monkey, supply (own only), Trash, whip-rounds, waiting, contending, Items; "
        "Items by characteristic",
        SEATS * PLAYER,
    ),
)
OBSERVATION = sum(size for _, size in OBSERVATION_NAMES)
FIXED = OBSERVATION - SEATS * PLAYER  # before the players

# Parts of the number in a byte: looked up, not divided.
QUARTERS, FIFTHS, EIGHTHS, TENTHS, TWENTIETHS = (
    np.arange(256).astype(np.int8) / np.float32(parts) for parts in (4, 5, 8, 10, 20)
)
CLAIMS = 7 + PHASES + ITEMS * (7 + SEATS) + BOOTHS * SEATS + SEATS * ITEMS + ITEMS  # before the Items tied for
ITEM = 7 + SEATS  # numbers of one Item
assert (IN_DECK, ON_STALL, ON_BOOTH) == (-1, SEATS, SEATS + 1)
# Which of them says where an Item is, by the number of seats, who looks, and the Item's place (from -1, in the deck).
WHERE = np.array(
    [
        [
            [0, *(6 + (owner - seat) % max(1, seats) for owner in range(SEATS)), 1, *range(2, 2 + BOOTHS)]
            for seat in range(SEATS)
        ]
        for seats in range(SEATS + 1)
    ],
    np.int64,
)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    seats = int(state.seats)
    rest = out[CLAIMS:]
    for k in range(FIXED - CLAIMS):  # all the rest is written
        rest[k] = 0.0
    out[0] = state.round_number / 6.0
    out[1] = state.hid_bid / 3.0
    out[2] = state.step / 15.0
    out[3] = state.pool / 100.0
    out[4] = 1.0 if state.drawn < DRAWN else 0.0
    out[5] = state.monkey_control
    out[6] = state.mistakes
    for phase in range(PHASES):
        out[7 + phase] = 1.0 if state.phase == phase else 0.0
    n = 7 + PHASES
    observe_items(state, seat, out[n : n + ITEMS * ITEM])
    n += ITEMS * ITEM
    for k in range(seats):
        player = after(seat, k, seats)
        for booth in range(BOOTHS):
            out[n + booth * SEATS + k] = TENTHS[state.markers[booth, player] & 255]
        m = n + BOOTHS * SEATS + k * ITEMS
        revealed = out[m : m + ITEMS]
        for item in range(ITEMS):
            revealed[item] = TENTHS[state.shown[player, item] & 255]
        observe_player(state, player, k == 0, out[FIXED + k * PLAYER : FIXED + (k + 1) * PLAYER])
    n += BOOTHS * SEATS + SEATS * ITEMS
    own = out[n : n + ITEMS]
    for item in range(ITEMS):
        own[item] = TENTHS[state.quadrant[seat, item] & 255]
    n += ITEMS
    for item in range(ITEMS):
        if state.claims[item] != 0:
            observe_claims(state, seat, item, n + 2 * item, out)
    n += 2 * ITEMS
    for place in range(state.drawn):
        put_back = place == DRAWN - 1 and state.phase > 0
        out[n + state.passions[seat, place] + (PASSIONS if put_back else 0)] = 1.0


@kernel
def after(seat: int, k: int, seats: int) -> int:
    """The seat that comes `k` after this one, without a division."""
    return seat + k if seat + k < seats else seat + k - seats


@kernel
def observe_items(state: State, seat: int, items: NumberList) -> None:
    """Where every Item is, and its value."""
    there = WHERE[state.seats, seat]
    for k in range(ITEMS * ITEM):
        items[k] = 0.0
    for item in range(ITEMS):
        items[item * ITEM + (there[state.location[item] + 1 & 15] & 15)] = 1.0  # & 15: no number has a sign
        items[item * ITEM + ITEM - 1] = TENTHS[state.worth[item] & 255]


@kernel
def observe_claims(state: State, seat: int, item: int, n: int, out: NumberList) -> None:
    for other in range(state.seats):
        if state.claims[item] >> other & 1 == 1:
            out[n + (0 if other == seat else 1)] += 1.0 if other == seat else 0.25


@kernel
def observe_player(state: State, player: int, own: bool, out: NumberList) -> None:
    out[0] = 1.0
    out[1] = FIFTHS[state.monkeys[player] & 255]
    out[2] = TWENTIETHS[state.supply[player] & 255] if own else np.float32(0.0)
    out[3] = TENTHS[state.trash[player] & 255]
    out[4] = FIFTHS[state.levied[player] & 255]
    out[5] = state.waiting[player]
    out[6] = state.contenders >> player & 1
    counts = collected(state, player)
    out[7] = EIGHTHS[items_among(counts) & 255]
    for characteristic in range(PASSIONS):
        out[8 + characteristic] = QUARTERS[counts >> 4 * characteristic & 15]
