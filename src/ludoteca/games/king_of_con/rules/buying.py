"""§4 and §5 Hype and Impulse Buying: four Items, three hid-bids, and the Booths sold one after another."""

from __future__ import annotations

from ludoteca.core.kernel import ActionList, Log, kernel
from ludoteca.core.log import NOBODY, NOTHING, tell
from ludoteca.core.record import EVERYONE

from ..actions import BID, PASS, PLACE, SEAL
from ..components import BOOTHS, ITEMS, TOKENS
from ..facts import (
    BEATEN,
    BOUGHT,
    EXPOSED,
    NEW_ROUND,
    NO_TOKENS,
    NOBODY_OFFERED,
    NOT_IN_PLAY,
    OFFERED,
    PASSED,
    SCREENS_UP,
    TWO_BOOTHS,
    UNSOLD,
)
from ..state import BIDDING, BUYING, IN_DECK, LOOTING, ON_BOOTH, ON_STALL, State
from .monkeys import announce_tie, entitled_to, lowest_monkey, only_one
from .tokens import waste

HID_BIDS = 3  # §5.1


# §4 Hype


@kernel
def start_round(state: State) -> None:
    """§4.2 One Item from the top of the deck on each Booth, 1 to 4; then the first hid-bid."""
    state.round_number += 1
    for booth in range(BOOTHS):
        state.deck_left -= 1
        item = state.deck[state.deck_left]
        state.deck[state.deck_left] = -1
        state.booths[booth] = item
        state.location[item] = ON_BOOTH + booth
    for seat in range(state.seats):
        state.levied[seat] = 0
    state.phase = BIDDING
    state.hid_bid = 1


@kernel
def announce_round(state: State, log: Log) -> None:
    tell(log, NEW_ROUND, NOBODY, EVERYONE, state.round_number)
    for booth in range(BOOTHS):
        tell(log, EXPOSED, NOBODY, EVERYONE, booth, state.booths[booth])


# §5.1-§5.3 Behind the screens


@kernel
def ask_for_offers(state: State, log: Log) -> None:
    """§5.1, §6.1 Everybody decides; §5.12 who has no token is not asked, and lets it be seen."""
    for seat in range(state.seats):
        if state.supply[seat] > 0:
            state.waiting[seat] = 1
        else:
            state.supply_seen[seat] = EVERYONE
            tell(log, NO_TOKENS, seat, EVERYONE, state.phase)


@kernel
def cover_supplies(state: State) -> None:
    """Before tokens move again, every supply is behind its screen."""
    for seat in range(state.seats):
        state.supply_seen[seat] = 1 << seat


@kernel
def placed_by(state: State, seat: int) -> int:
    """Tokens on the seat's Quadrant so far."""
    tokens = 0
    for item in range(ITEMS):
        tokens += state.quadrant[seat, item]
    return tokens


@kernel
def legal_bids(state: State, seat: int, actions: ActionList) -> int:
    """§5.2 One Booth and any number of tokens of the supply, or a pass."""
    supply = int(state.supply[seat])
    for tokens in range(supply):
        for booth in range(BOOTHS):
            actions[booth * supply + tokens] = BID + booth * TOKENS + tokens
    n = BOOTHS * supply
    actions[n] = PASS
    return n + 1


@kernel
def may_place(state: State, item: int) -> bool:
    """§6.1 On Items in Collections and on the Stall; §5.11, §6.12 with the option on any slot, in hid-bids too."""
    return bool(state.mistakes == 1 or (state.location[item] != IN_DECK and state.phase == LOOTING))


@kernel
def legal_places(state: State, seat: int, placed: int, n: int, actions: ActionList) -> int:
    """§6.2 Offers one by one, as far as the supply goes, then the seal; n actions are already there."""
    left = state.supply[seat] - placed
    for item in range(first_free_slot(state, seat), ITEMS):
        if may_place(state, item):
            for tokens in range(left):
                actions[n] = PLACE + item * TOKENS + tokens
                n += 1
    if placed > 0 or state.phase == LOOTING:
        actions[n] = SEAL
        n += 1
    return n


@kernel
def first_free_slot(state: State, seat: int) -> int:
    """The slot after the last one with tokens."""
    for item in range(ITEMS - 1, -1, -1):
        if state.quadrant[seat, item] > 0:
            return item + 1
    return 0


# §5.4-§5.6 Screens up


@kernel
def reveal_bids(state: State, log: Log) -> bool:
    """Everybody's tokens go to the markers; returns whether another hid-bid follows."""
    tell(log, SCREENS_UP, NOBODY, EVERYONE, state.hid_bid)
    offers = 0
    for seat in range(state.seats):
        offers += reveal_bid(state, seat, log)
    if offers == 0:  # §5.6 nobody: the remaining hid-bids are skipped
        tell(log, NOBODY_OFFERED, NOBODY, EVERYONE, state.hid_bid)
    if offers > 0 and state.hid_bid < HID_BIDS:
        state.hid_bid += 1
        return True
    state.hid_bid = 0
    state.phase = BUYING
    state.step = 0
    state.contenders = 0
    return False


@kernel
def reveal_bid(state: State, seat: int, log: Log) -> int:
    """§5.4 What one player offered is added to the marker; returns 1 if that was an offer (§5.11 a mistake is none)."""
    tokens = 0
    for item in range(ITEMS):
        here = state.quadrant[seat, item]
        state.shown[seat, item] = here
        state.quadrant[seat, item] = 0
        tokens += here
    if tokens == 0:
        tell(log, PASSED, seat, EVERYONE, state.hid_bid)
        return 0
    state.supply[seat] -= tokens
    slot = 0
    while state.shown[seat, slot] == 0:
        slot += 1
    if state.shown[seat, slot] == tokens:
        put_on_marker(state, seat, slot, tokens, 1, log)
        return int(state.location[slot] >= ON_BOOTH)
    for item in range(slot, ITEMS):
        here = state.shown[seat, item]
        if here > 0:
            put_on_marker(state, seat, item, here, 2, log)
    return 0


@kernel
def put_on_marker(state: State, seat: int, item: int, tokens: int, slots: int, log: Log) -> None:
    """§5.5 Totals grow Booth by Booth; §5.11 tokens on several slots, or at no Booth, are wasted."""
    booth = state.location[item] - ON_BOOTH
    if booth < 0:
        tell(log, OFFERED, seat, EVERYONE, item, tokens, -1, tokens)
        waste(state, seat, item, tokens, NOT_IN_PLAY, log)
    elif slots > 1:
        tell(log, OFFERED, seat, EVERYONE, item, tokens, booth, state.markers[booth, seat])
        waste(state, seat, item, tokens, TWO_BOOTHS, log)
    else:
        state.markers[booth, seat] += tokens
        tell(log, OFFERED, seat, EVERYONE, item, tokens, booth, state.markers[booth, seat])


# §5.7-§5.10 The Booths are sold


@kernel
def sell_booth(state: State, log: Log) -> None:
    """§5.7 The highest total at this Booth buys; §5.8 a tie goes to the Monkeys as they are by now."""
    booth = state.step
    item = state.booths[booth]
    if state.contenders == 0:
        find_highest(state, booth, item, log)
    if state.contenders > 0:
        buyer = entitled_to(state, item, NOTHING, log)
        if buyer < 0:
            state.waiting[lowest_monkey(state, state.contenders)] = 1
            return
        buy(state, buyer, booth, item, log)
    else:
        state.location[item] = ON_STALL  # §5.10 nobody offered
        tell(log, UNSOLD, NOBODY, EVERYONE, item, booth)
    state.booths[booth] = -1
    state.contenders = 0
    state.step += 1


@kernel
def find_highest(state: State, booth: int, item: int, log: Log) -> None:
    best = 1
    for seat in range(state.seats):
        best = max(best, int(state.markers[booth, seat]))
    for seat in range(state.seats):
        if state.markers[booth, seat] == best:
            state.contenders |= 1 << seat
    if not only_one(state.contenders):
        announce_tie(state, state.contenders, item, NOTHING, best, log)


@kernel
def buy(state: State, buyer: int, booth: int, item: int, log: Log) -> None:
    """§5.9 The buyer's tokens stay on the Item as its value; the others' are wasted."""
    state.location[item] = buyer
    state.worth[item] = state.markers[booth, buyer]
    tell(log, BOUGHT, buyer, EVERYONE, item, state.worth[item], booth)
    for seat in range(state.seats):
        if seat != buyer and state.markers[booth, seat] > 0:
            waste(state, seat, item, state.markers[booth, seat], BEATEN, log)
        state.markers[booth, seat] = 0
