"""Who may do what when; and how the game goes on from one decision to the next.

Whatever asks nobody happens at once, and the record always holds how far it has come, so a tie in the middle of the
settling can wait for somebody's decision.
"""

from __future__ import annotations

from ludoteca.core.kernel import ActionList, Log, kernel
from ludoteca.core.log import NOTHING, tell

from ..actions import BID, CLAIM, CLAIM_DOMINANCE, CONCEDE, CONCEDE_DOMINANCE, PASS, PLACE, SEAL
from ..components import BOOTHS, ITEMS, PASSIONS, TOKENS
from ..facts import SEALED
from ..state import BIDDING, BUYING, CHOOSING, CLAIMED, CONCEDED, DRAWN, HYPE, LOOTING, SHOW_OFF, SPOILS, State
from .buying import (
    announce_round,
    ask_for_offers,
    cover_supplies,
    legal_bids,
    legal_places,
    placed_by,
    reveal_bids,
    sell_booth,
    start_round,
)
from .ending import BY_EPIC, ROUNDS, SIX_ROUNDS, finish, tell_epics
from .looting import devalue, divide_spoils, reveal_offers
from .monkeys import legal_tie
from .setup import legal_passions, put_back
from .show_off import console, most_items, settle_dominance, start_show_off


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    """Fills in what the seat may do, ascending; returns how many."""
    if state.phase == CHOOSING:
        return legal_passions(state, seat, actions)
    if state.phase == BUYING or state.phase >= SPOILS:
        return legal_tie(state, seat, actions)
    if state.phase == BIDDING and state.mistakes == 0:
        return legal_bids(state, seat, actions)
    placed = placed_by(state, seat)
    n = legal_bids(state, seat, actions) if state.phase == BIDDING and placed == 0 else 0
    return legal_places(state, seat, placed, n, actions)


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    """Does what the action says, and then all that follows without a decision."""
    if action < BID:
        put_back(state, seat, action, log)
    elif action < PASS:
        offer = action - BID
        state.quadrant[seat, state.booths[offer // TOKENS]] = offer % TOKENS + 1
    elif action < PLACE:
        pass  # an empty Quadrant
    elif action < SEAL:
        offer = action - PLACE
        state.quadrant[seat, offer // TOKENS] = offer % TOKENS + 1
        return  # nobody is told, not even that it happened
    elif action >= CLAIM:
        speak(state, action)
    if hype_is_untold(state):
        announce_round(state, log)
    if BID <= action < CLAIM and log.room != 0:
        tell(log, SEALED, seat, 1 << seat, state.phase, NOTHING, placed_by(state, seat))  # §5.1, §6.1 nobody sees what
    state.waiting[seat] = 0
    go_on(state, log)
    if state.over > 0:
        finish(state, log)


@kernel
def hype_is_untold(state: State) -> bool:
    """§1.4 In a first game round 1 begins with the set-up, when nobody listens: its Hype is told with the first seal."""
    if state.drawn == DRAWN or state.round_number > 1 or state.phase != BIDDING or state.hid_bid > 1:
        return False
    for seat in range(state.seats):
        if state.waiting[seat] == 0:
            return False
    return True


@kernel
def speak(state: State, action: int) -> None:
    """§3.5, §6.9 A tie is claimed, or left to the others; `go_on` does what follows."""
    if action >= CONCEDE_DOMINANCE or CONCEDE <= action < CLAIM_DOMINANCE:
        state.word = CONCEDED
    else:
        state.word = CLAIMED
    state.picked = (action - CLAIM) % ITEMS


@kernel
def somebody_waits(state: State) -> bool:
    for seat in range(state.seats):
        if state.waiting[seat] == 1:
            return True
    return False


@kernel
def go_on(state: State, log: Log) -> None:
    """§4.1 Round after round, phase after phase, until somebody must decide or the game is over."""
    while state.over == 0 and not somebody_waits(state):
        if state.phase <= HYPE:
            start_round(state)
            announce_round(state, log)
            ask_for_offers(state, log)
        elif state.phase == BIDDING:
            cover_supplies(state)
            if reveal_bids(state, log):
                ask_for_offers(state, log)
        elif state.phase == LOOTING:
            cover_supplies(state)
            reveal_offers(state, log)
        elif state.phase == BUYING and state.step < BOOTHS:
            sell_booth(state, log)
        elif state.phase == SPOILS and divide_spoils(state, log):
            pass
        elif state.phase == SHOW_OFF and state.step < PASSIONS:
            settle_dominances(state, log)
        else:
            end_phase(state, log)


@kernel
def settle_dominances(state: State, log: Log) -> None:
    """One after the other, as long as nobody must decide."""
    leaders = most_items(state)  # nothing changes owners meanwhile
    while state.step < PASSIONS and not somebody_waits(state):
        settle_dominance(state, leaders >> 4 * state.step & 15, log)


@kernel
def end_phase(state: State, log: Log) -> None:
    """From buying to looting, from looting to the Show Off, from there to the next round, or to the end of the game."""
    if state.phase == SHOW_OFF:
        console(state, log)
        state.phase = HYPE
        if state.round_number == ROUNDS:  # §8.1
            state.over = SIX_ROUNDS
        return
    if state.phase == SPOILS:
        devalue(state, log)
    if tell_epics(state, log):  # §8.3
        state.over = BY_EPIC
    elif state.phase == BUYING:
        state.phase = LOOTING
        ask_for_offers(state, log)
    else:
        start_show_off(state, log)
