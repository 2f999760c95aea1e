"""§6 Looting: any number of offers at once, on one's own Items, on others' and on the Stall."""

from __future__ import annotations

from ludoteca.core.events import tell_all
from ludoteca.core.kernel import ActionList, Log, kernel

from ..actions import CLAIM, CONCEDE, PLACE, SEAL
from ..components import ITEMS, TOKENS
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
from ..state import IN_DECK, ON_STALL, SPOILS, State
from .buying import first_free_slot, placed_by
from .monkeys import announce_tie, leave_the_tie, lowest_monkey, only_one, take_the_tie
from .tokens import draw, waste

STALL_VALUE = 2  # §6.7


@kernel
def value(state: State, item: int) -> int:
    """What an offer must pass: the tokens on the Item; §6.7 on the Stall always two."""
    return STALL_VALUE if state.location[item] == ON_STALL else int(state.worth[item])


@kernel
def in_play(state: State, item: int) -> bool:
    """In a Collection or on the Stall; no Item is on a Booth by now."""
    return bool(state.location[item] != IN_DECK)


# §6.1, §6.2 Behind the screens


@kernel
def legal_offers(state: State, seat: int, actions: ActionList) -> int:
    """§6.1 Any Items in play, any numbers of tokens, as far as the supply goes; §6.12 with the option, any slots."""
    n = 0
    left = state.supply[seat] - placed_by(state, seat)
    for item in range(first_free_slot(state, seat), ITEMS):
        if in_play(state, item) or state.mistakes == 1:
            for tokens in range(left):
                actions[n] = PLACE + item * TOKENS + tokens
                n += 1
    actions[n] = SEAL
    return n + 1


# §6.3-§6.8 Screens up


@kernel
def reveal_offers(state: State, log: Log) -> None:
    """§6.3 First every owner's own tokens go onto the cards, then the offers are compared."""
    tell_all(log, SCREENS_UP, -1, 0, 0, 0, 0)
    for seat in range(state.seats):
        show_offers(state, seat, log)
    for seat in range(state.seats):
        reinforce(state, seat, log)
    for item in range(ITEMS):
        if in_play(state, item):
            compare_offers(state, item, log)
        elif state.mistakes == 1:
            waste_all(state, item, log)
    state.phase = SPOILS


@kernel
def show_offers(state: State, seat: int, log: Log) -> None:
    offers = 0
    for item in range(ITEMS):
        tokens = state.quadrant[seat, item]
        state.shown[seat, item] = tokens
        state.quadrant[seat, item] = 0
        if tokens > 0:
            offers += 1
            state.supply[seat] -= tokens
            tell_all(log, OFFERED, seat, item, tokens, -1, tokens)
    if offers == 0:
        tell_all(log, PASSED, seat, 0, 0, 0, 0)


@kernel
def reinforce(state: State, seat: int, log: Log) -> None:
    """§6.3 Tokens on one's own Item raise its value and stay there."""
    for item in range(ITEMS):
        tokens = state.shown[seat, item]
        if tokens > 0 and state.location[item] == seat:
            state.worth[item] += tokens
            tell_all(log, REINFORCED, seat, item, tokens, state.worth[item], 0)


@kernel
def is_offer(state: State, seat: int, item: int) -> bool:
    """Tokens on one's own Item are no offer."""
    return bool(state.shown[seat, item] > 0 and state.location[item] != seat)


@kernel
def compare_offers(state: State, item: int, log: Log) -> None:
    """§6.4 An offer must pass the value; §6.5 the highest wins; §6.8 ties wait until everything else is settled."""
    asked = value(state, item)
    best = 0
    for seat in range(state.seats):
        if is_offer(state, seat, item) and state.shown[seat, item] > best:
            best = int(state.shown[seat, item])
    bits = 0
    for seat in range(state.seats):
        if is_offer(state, seat, item):
            tokens = state.shown[seat, item]
            if tokens <= asked:
                waste(state, seat, item, tokens, NOT_ENOUGH, log)
            elif tokens < best:
                waste(state, seat, item, tokens, BEATEN, log)
            else:
                bits |= 1 << seat
    if bits == 0:
        return
    if only_one(bits):
        change_hands(state, lowest_monkey(state, bits), item, log)
    else:
        state.tied[item] = bits
        announce_tie(state, bits, item, best, log)


@kernel
def waste_all(state: State, item: int, log: Log) -> None:
    """§6.12 Tokens on a slot whose Item is not in play."""
    for seat in range(state.seats):
        if state.shown[seat, item] > 0:
            waste(state, seat, item, state.shown[seat, item], NOT_IN_PLAY, log)


@kernel
def change_hands(state: State, winner: int, item: int, log: Log) -> None:
    """§6.6 The former owner gets the whole offer, the tokens on the Item stay, the pool adds what the value lacks."""
    offer = state.shown[winner, item]
    former = state.location[item]
    state.location[item] = winner
    if former == ON_STALL:  # §6.7 there is nobody to pay: the offer is the value
        state.worth[item] = offer
        tell_all(log, BOUGHT_STALL, winner, item, offer, 0, 0)
        return
    missing = offer - state.worth[item]
    state.supply[former] += offer  # §2.6 paid before any whip-round
    tell_all(log, LOOTED, winner, item, offer, former, missing)
    added = draw(state, missing, log)
    state.worth[item] += added


# §6.9 Ties


@kernel
def divide_spoils(state: State, log: Log) -> bool:
    """Settles one tie, or asks the player with the lowest Monkey of all tied ones; returns False when none is left."""
    everybody = 0
    for item in range(ITEMS):
        everybody |= state.tied[item]
    if everybody == 0:
        return False
    picker = lowest_monkey(state, everybody)
    choices = 0
    only = 0
    for item in range(ITEMS):
        if state.tied[item] >> picker & 1 == 1:
            choices += 1
            only = item
    if choices == 1 and state.monkey_control == 0:
        claim_spoils(state, picker, only, log)
    else:
        state.waiting[picker] = 1
    return True


@kernel
def legal_spoils(state: State, seat: int, actions: ActionList) -> int:
    n = 0
    for item in range(ITEMS):
        actions[n] = CLAIM + item
        n += state.tied[item] >> seat & 1
    if state.monkey_control == 1:
        for item in range(ITEMS):
            actions[n] = CONCEDE + item
            n += state.tied[item] >> seat & 1
    return n


@kernel
def claim_spoils(state: State, seat: int, item: int, log: Log) -> None:
    """§6.9 He takes the Item; Monkeys move among those tied for it."""
    take_the_tie(state, seat, state.tied[item], item, log)
    settle_tie(state, seat, item, log)


@kernel
def concede_spoils(state: State, seat: int, item: int, log: Log) -> None:
    """§3.6 The right passes on; the last one left takes the Item without a swap."""
    state.tied[item] = leave_the_tie(state, seat, state.tied[item], item, log)
    waste(state, seat, item, state.shown[seat, item], BEATEN, log)
    if only_one(state.tied[item]):
        settle_tie(state, lowest_monkey(state, state.tied[item]), item, log)


@kernel
def settle_tie(state: State, winner: int, item: int, log: Log) -> None:
    for seat in range(state.seats):
        if seat != winner and state.tied[item] >> seat & 1 == 1:
            waste(state, seat, item, state.shown[seat, item], BEATEN, log)
    state.tied[item] = 0
    change_hands(state, winner, item, log)


# §6.10, §6.11 Devaluation


@kernel
def devalue(state: State, log: Log) -> None:
    """§6.10 Every Item in a Collection loses a token to its owner's Trash; §6.11 none on the Stall or without tokens."""
    for item in range(ITEMS):
        owner = state.location[item]
        if 0 <= owner < ON_STALL and state.worth[item] > 0:
            state.worth[item] -= 1
            state.trash[owner] += 1
            tell_all(log, DEVALUED, owner, item, state.worth[item], 0, 0)
