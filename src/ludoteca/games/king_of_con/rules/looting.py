"""§6 Looting: any number of offers at once, on one's own Items, on others' and on the Stall."""

from __future__ import annotations

from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import NOBODY, NOTHING, tell
from ludoteca.core.record import EVERYONE

from ..components import ITEMS
from ..facts import (
    BEATEN,
    BOUGHT_STALL,
    DEVALUED,
    LOOTED,
    NOT_ENOUGH,
    NOT_IN_PLAY,
    OFFERED,
    PASSED,
    REINFORCED,
    SCREENS_UP,
)
from ..state import IN_DECK, NO_WORD, ON_STALL, SPOILS, State
from .monkeys import announce_tie, entitled_to, lowest_monkey, only_one
from .tokens import draw, waste

STALL_VALUE = 2  # §6.7


@kernel
def value(state: State, item: int) -> int:
    """What an offer must pass: the tokens on the Item; §6.7 on the Stall always two."""
    return STALL_VALUE if state.location[item] == ON_STALL else int(state.worth[item])


# §6.3-§6.5 Screens up


@kernel
def reveal_offers(state: State, log: Log) -> None:
    """§6.3 First every owner's own tokens go onto the cards, then the offers are compared."""
    tell(log, SCREENS_UP, NOBODY, EVERYONE, 0)
    offers = 0
    for seat in range(state.seats):
        offers += show_offers(state, seat, log)
    for item in range(ITEMS):
        state.claims[item] = 0
    if offers > 0:
        for item in range(ITEMS):
            if not is_wanted(state, item):
                continue
            if state.location[item] != IN_DECK:
                compare_offers(state, item, log)
            else:
                waste_all(state, item, log)
    state.phase = SPOILS


@kernel
def is_wanted(state: State, item: int) -> bool:
    """Whether anybody has tokens on its slot."""
    tokens = 0
    for seat in range(state.seats):
        tokens |= state.shown[seat, item]
    return tokens > 0


@kernel
def show_offers(state: State, seat: int, log: Log) -> int:
    """§6.3 Tokens on one's own Item raise its value and stay there; returns on how many slots there are tokens."""
    offers = 0
    for item in range(ITEMS):
        tokens = state.quadrant[seat, item]
        state.shown[seat, item] = tokens
        if tokens > 0:
            state.quadrant[seat, item] = 0
            offers += 1
            state.supply[seat] -= tokens
            if state.location[item] == seat:
                state.worth[item] += tokens
                tell(log, REINFORCED, seat, EVERYONE, item, tokens, state.worth[item])
            else:
                tell(log, OFFERED, seat, EVERYONE, item, tokens, -1, tokens)
    if offers == 0:
        tell(log, PASSED, seat, EVERYONE, 0)
    return offers


@kernel
def compare_offers(state: State, item: int, log: Log) -> None:
    """§6.4 An offer must pass the value; §6.5 the highest wins. Who can still win the Item is noted in `claims`."""
    owner = state.location[item]
    least = value(state, item) + 1
    best = least
    for seat in range(state.seats):
        if seat != owner:
            best = max(best, int(state.shown[seat, item]))
    bits = 0
    for seat in range(state.seats):
        tokens = state.shown[seat, item]
        if tokens == best and seat != owner:
            bits |= 1 << seat
        elif tokens > 0 and seat != owner:
            waste(state, seat, item, tokens, NOT_ENOUGH if tokens < least else BEATEN, log)
    state.claims[item] = bits
    if not only_one(bits):
        announce_tie(state, bits, item, NOTHING, best, log)


@kernel
def waste_all(state: State, item: int, log: Log) -> None:
    """§6.12 Tokens on a slot whose Item is not in play."""
    for seat in range(state.seats):
        if state.shown[seat, item] > 0:
            waste(state, seat, item, state.shown[seat, item], NOT_IN_PLAY, log)


# §6.8, §6.9 The spoils


@kernel
def divide_spoils(state: State, log: Log) -> bool:
    """Settles one Item, or asks the player who picks; returns False when none is left."""
    item = next_spoils(state)
    if item == ITEMS:
        return False
    if item < 0:  # the player with the lowest Monkey of all tied ones must pick one
        state.waiting[-1 - item] = 1
        return True
    state.contenders = state.claims[item]
    winner = entitled_to(state, item, NOTHING, log)
    drop_losers(state, item, winner, log)
    if winner >= 0:
        state.claims[item] = 0
        change_hands(state, winner, item, log)
    state.contenders = 0
    return True


@kernel
def next_spoils(state: State) -> int:
    """§6.8 Items with one winner first, in Quadrant order; §6.9 then the one picked; ITEMS if none; -1 - seat who picks."""
    if state.word != NO_WORD:
        return int(state.picked)
    everybody = 0
    for item in range(ITEMS):
        everybody |= state.claims[item]
    if everybody == 0:
        return ITEMS
    for item in range(ITEMS):
        bits = state.claims[item]
        if bits > 0 and only_one(bits):
            return item
    picker = lowest_monkey(state, everybody)
    only = -1
    for item in range(ITEMS):
        if state.claims[item] >> picker & 1 == 1:
            if only >= 0:
                return -1 - picker
            only = item
    return -1 - picker if state.monkey_control == 1 else only


@kernel
def drop_losers(state: State, item: int, winner: int, log: Log) -> None:
    """Those who have conceded, and all others once somebody has won, waste their offers."""
    for seat in range(state.seats):
        if state.claims[item] >> seat & 1 == 1 and seat != winner:
            if winner >= 0 or state.contenders >> seat & 1 == 0:
                waste(state, seat, item, state.shown[seat, item], BEATEN, log)
                state.claims[item] &= ~(1 << seat)


@kernel
def change_hands(state: State, winner: int, item: int, log: Log) -> None:
    """§6.6 The former owner gets the whole offer, the tokens on the Item stay, the pool adds what the value lacks."""
    offer = state.shown[winner, item]
    former = state.location[item]
    state.location[item] = winner
    if former == ON_STALL:  # §6.7 there is nobody to pay: the offer is the value
        state.worth[item] = offer
        tell(log, BOUGHT_STALL, winner, EVERYONE, item, offer)
        return
    missing = offer - state.worth[item]
    state.supply[former] += offer  # §2.6 paid before any whip-round
    tell(log, LOOTED, winner, EVERYONE, item, offer, former, missing)
    added = draw(state, missing, log)
    state.worth[item] += added


# §6.10, §6.11 Devaluation


@kernel
def devalue(state: State, log: Log) -> None:
    """§6.10 Every Item in a Collection loses a token to its owner's Trash; §6.11 not on the Stall, not below none."""
    for item in range(ITEMS):
        owner = state.location[item]
        if 0 <= owner < ON_STALL and state.worth[item] > 0:
            state.worth[item] -= 1
            state.trash[owner] += 1
            tell(log, DEVALUED, owner, EVERYONE, item, state.worth[item])
