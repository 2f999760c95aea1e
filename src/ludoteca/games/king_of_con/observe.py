"""The record as numbers for a network: own seat first, then the others in seat order; about 0 to 1 each."""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .components import BOOTHS, ITEMS, PASSIONS
from .rules.ending import sharing
from .rules.show_off import items_of
from .state import DRAWN, ON_BOOTH, ON_STALL, SEATS, State

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


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    out[:] = 0.0
    out[0] = state.round_number / 6.0
    out[1] = state.hid_bid / 3.0
    out[2] = state.step / 15.0
    out[3] = state.pool / 100.0
    out[4] = 1.0 if state.drawn < DRAWN else 0.0
    out[5] = state.monkey_control
    out[6] = state.mistakes
    out[7 + state.phase] = 1.0
    n = 7 + PHASES
    for item in range(ITEMS):
        observe_item(state, seat, item, n, out)
        n += 7 + SEATS
    for booth in range(BOOTHS):
        for k in range(state.seats):
            out[n + k] = state.markers[booth, (seat + k) % state.seats] / 10.0
        n += SEATS
    for k in range(SEATS):
        if k < state.seats:
            for item in range(ITEMS):
                out[n + item] = state.shown[(seat + k) % state.seats, item] / 10.0
        n += ITEMS
    for item in range(ITEMS):
        out[n + item] = state.quadrant[seat, item] / 10.0
    n += ITEMS
    for item in range(ITEMS):
        for other in range(state.seats):
            if state.claims[item] >> other & 1 == 1:
                out[n + (0 if other == seat else 1)] += 1.0 if other == seat else 0.25
        n += 2
    for place in range(state.drawn):
        put_back = place == DRAWN - 1 and state.phase > 0
        out[n + state.passions[seat, place] + (PASSIONS if put_back else 0)] = 1.0
    n += 2 * PASSIONS
    for k in range(state.seats):
        observe_player(state, (seat + k) % state.seats, k == 0, n, out)
        n += PLAYER


@kernel
def observe_item(state: State, seat: int, item: int, n: int, out: NumberList) -> None:
    place = state.location[item]
    if place < 0:
        out[n] = 1.0
    elif place == ON_STALL:
        out[n + 1] = 1.0
    elif place >= ON_BOOTH:
        out[n + 2 + place - ON_BOOTH] = 1.0
    else:
        out[n + 6 + (place - seat + state.seats) % state.seats] = 1.0
    out[n + 6 + SEATS] = state.worth[item] / 10.0


@kernel
def observe_player(state: State, player: int, own: bool, n: int, out: NumberList) -> None:
    out[n] = 1.0
    out[n + 1] = state.monkeys[player] / 5.0
    if own:
        out[n + 2] = state.supply[player] / 20.0
    out[n + 3] = state.trash[player] / 10.0
    out[n + 4] = state.levied[player] / 5.0
    out[n + 5] = state.waiting[player]
    out[n + 6] = state.contenders >> player & 1
    out[n + 7] = items_of(state, player) / 8.0
    for characteristic in range(PASSIONS):
        out[n + 8 + characteristic] = sharing(state, player, characteristic) / 4.0
