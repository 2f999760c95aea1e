"""What a learned judgement looks at in a seat's position: tokens, Items, dominances, and what the Booths promise."""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .advice import dominances, passions_met, promise, richest_rival, rounds_left
from .components import BOOTHS, ITEMS
from .rules.looting import value
from .rules.show_off import items_of
from .state import ON_STALL, State

FEATURE_NAMES = (
    ("phase", 8),
    ("seats", 4),
    ("rounds left, none left, hid-bid", 3),
    ("supply, many tokens, trash, levied, Monkey, pool", 6),
    ("Items: how many, tokens on them, bare ones, in reach of a rival; Passions met, met by Items in reach", 6),
    ("dominances, what `outlook` thinks, the same late", 3),
    ("Booths: led, tokens where one leads, Passions there, tokens where one does not", 4),
    ("Passions to be met: on Booths, on the Stall, with others", 3),
)
FEATURES = sum(size for _, size in FEATURE_NAMES)


@kernel
def features(state: State, seat: int, out: NumberList) -> None:
    """Fills in the features of a seat; `out` is all zero before."""
    out[state.phase] = 1.0
    out[6 + state.seats] = 1.0
    left = rounds_left(state)
    out[12] = left / 6.0
    out[13] = 1.0 if left == 0 else 0.0
    out[14] = state.hid_bid / 3.0
    out[15] = state.supply[seat] / 15.0
    out[16] = max(0, state.supply[seat] - 10) / 10.0
    out[17] = state.trash[seat] / 6.0
    out[18] = state.levied[seat] / 6.0
    out[19] = state.monkeys[seat] / state.seats
    out[20] = state.pool / 60.0
    out[21] = items_of(state, seat) / 8.0
    count_items(state, seat, out)
    out[27] = dominances(state, seat) / 6.0
    thinks = promise(state, seat) / 12.0
    out[28] = thinks
    out[29] = thinks * (6 - left) / 6.0
    count_booths(state, seat, out)


@kernel
def count_items(state: State, seat: int, out: NumberList) -> None:
    """One's own Items, those that a rival could loot, and where Passions could still be met."""
    most = richest_rival(state, seat)
    for item in range(ITEMS):
        place = state.location[item]
        if place < 0:
            continue
        met = passions_met(state, seat, item) / 4.0
        if place == seat:
            out[22] += state.worth[item] / 10.0
            out[23] += 0.2 if state.worth[item] == 0 else 0.0
            out[25] += met
            if most > value(state, item):
                out[24] += 0.2
                out[26] += met
        elif place == ON_STALL:
            out[35] += met
        elif place < ON_STALL:
            out[36] += met
        else:
            out[34] += met


@kernel
def count_booths(state: State, seat: int, out: NumberList) -> None:
    """Whoever leads at a Booth has nearly bought."""
    for booth in range(BOOTHS):
        mine = int(state.markers[booth, seat])
        if mine == 0:
            continue
        leads = True
        for other in range(state.seats):
            if state.markers[booth, other] > mine:
                leads = False
        if leads:
            out[30] += 0.3
            out[31] += mine / 8.0
            out[32] += passions_met(state, seat, state.booths[booth]) / 3.0
        else:
            out[33] += mine / 8.0
