"""The record as numbers for a network: own seat first, then the others in seat order; about 0 to 1 each."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import NumberList, kernel
from ludoteca.core.record import Row

from .components import BOOTHS, ITEMS, PASSIONS, TRAITS
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
TENTH = 1.0 / 10.0  # a product instead of a division; as float32 it is the same number
TEN = np.float32(10.0)
CLAIMS = 7 + PHASES + ITEMS * (7 + SEATS) + BOOTHS * SEATS + SEATS * ITEMS + ITEMS  # before the Items tied for
ITEM = 7 + SEATS  # numbers of one Item
HOT = np.eye(ITEM, dtype=np.float32)  # one of them is 1
# Which of them says where an Item is, by its place (from -1, in the deck), when it is in nobody's Collection.
OUTSIDE: Row = np.array([0, 0, 0, 0, 0, 0, 1, *(2 + booth for booth in range(BOOTHS))], np.int64)
assert (IN_DECK, ON_STALL, ON_BOOTH) == (-1, SEATS, SEATS + 1)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    seats = int(state.seats)
    rest = out[CLAIMS:]
    for k in range(FIXED - CLAIMS + seats * PLAYER):  # all that comes before is written
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
    observe_items(state, seat, out[n : n + ITEMS * ITEM], out[FIXED:])
    n += ITEMS * ITEM
    for k in range(seats):
        player = after(seat, k, seats)
        for booth in range(BOOTHS):
            out[n + booth * SEATS + k] = state.markers[booth, player] * TENTH
        m = n + BOOTHS * SEATS + k * ITEMS
        revealed = out[m : m + ITEMS]
        for item in range(ITEMS):
            revealed[item] = np.float32(state.shown[player, item]) / TEN
        observe_player(state, player, k == 0, FIXED + k * PLAYER, out)
    n += BOOTHS * SEATS + SEATS * ITEMS
    own = out[n : n + ITEMS]
    for item in range(ITEMS):
        own[item] = np.float32(state.quadrant[seat, item]) / TEN
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
def observe_items(state: State, seat: int, items: NumberList, players: NumberList) -> None:
    """Where every Item is, and its value; one in a Collection also counts for its owner."""
    for item in range(ITEMS):
        place = int(state.location[item])
        if 0 <= place < SEATS:
            k = place - seat if place >= seat else place - seat + int(state.seats)
            players[k * PLAYER + 7] += 1.0 / 8.0
            for trait in range(3):
                players[k * PLAYER + 8 + TRAITS[item, trait]] += 1.0 / 4.0
            is_there = HOT[6 + k]
        else:
            is_there = HOT[OUTSIDE[place + 1]]
        for number in range(ITEM - 1):
            items[item * ITEM + number] = is_there[number]
        items[item * ITEM + ITEM - 1] = state.worth[item] * TENTH


@kernel
def observe_claims(state: State, seat: int, item: int, n: int, out: NumberList) -> None:
    for other in range(state.seats):
        if state.claims[item] >> other & 1 == 1:
            out[n + (0 if other == seat else 1)] += 1.0 if other == seat else 0.25


@kernel
def observe_player(state: State, player: int, own: bool, n: int, out: NumberList) -> None:
    out[n] = 1.0
    out[n + 1] = state.monkeys[player] / 5.0
    if own:
        out[n + 2] = state.supply[player] / 20.0
    out[n + 3] = state.trash[player] * TENTH
    out[n + 4] = state.levied[player] / 5.0
    out[n + 5] = state.waiting[player]
    out[n + 6] = state.contenders >> player & 1
