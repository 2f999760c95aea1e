"""The rules of King of Con, a module for each chapter of docs/games/king_of_con.md.

§1 `setup`, §2 `tokens`, §3 `monkeys`, §4 and §5 `buying`, §6 `looting`, §7 `show_off`, §8 `ending`. This module says who
may do what when, and carries the game on from one decision to the next: whatever asks nobody happens at once, and the
record always holds how far it has come, so a tie in the middle of the settling can wait for somebody's decision.
"""

from __future__ import annotations

from ludoteca.core.events import tell
from ludoteca.core.kernel import ActionList, Log, kernel

from ..actions import BID, CLAIM, CLAIM_DOMINANCE, CONCEDE, CONCEDE_DOMINANCE, PASS, PLACE, SEAL
from ..components import BOOTHS, PASSIONS, TOKENS
from ..facts import SEALED
from ..state import BIDDING, BUYING, CHOOSING, LOOTING, SPOILS, State
from .buying import (
    announce_round,
    claim_booth,
    concede_booth,
    legal_bids,
    legal_booth_tie,
    placed_by,
    reveal_bids,
    sell_booth,
    start_round,
)
from .ending import BY_EPIC, ROUNDS, SIX_ROUNDS, finish, is_over, ranks, scores, tell_epics
from .looting import (
    claim_spoils,
    concede_spoils,
    devalue,
    divide_spoils,
    legal_offers,
    legal_spoils,
    reveal_offers,
)
from .setup import legal_passions, put_back, setup, wait_for_all
from .show_off import (
    claim_dominance,
    concede_dominance,
    console,
    legal_dominance_tie,
    settle_dominance,
    start_show_off,
)

__all__ = ["apply", "is_over", "legal", "ranks", "scores", "setup"]


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    """Fills in what the seat may do, ascending; returns how many."""
    if state.phase == LOOTING:
        return legal_offers(state, seat, actions)
    if state.phase == BIDDING:
        return legal_bids(state, seat, actions)
    if state.phase == CHOOSING:
        return legal_passions(state, seat, actions)
    if state.phase == BUYING:
        return legal_booth_tie(state, actions)
    if state.phase == SPOILS:
        return legal_spoils(state, seat, actions)
    return legal_dominance_tie(state, actions)


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    """Does what the action says, and then all that follows without a decision."""
    if action < BID:
        put_back(state, seat, action, log)
    elif action < PASS:
        offer = action - BID
        state.quadrant[seat, state.booths[offer // TOKENS]] = offer % TOKENS + 1
        seal(state, seat, log)
    elif action < PLACE:
        seal(state, seat, log)
    elif action < SEAL:
        offer = action - PLACE
        state.quadrant[seat, offer // TOKENS] = offer % TOKENS + 1  # nobody is told, not even that it happened
    elif action < CLAIM:
        seal(state, seat, log)
    else:
        settle(state, seat, action, log)
    go_on(state, log)


@kernel
def seal(state: State, seat: int, log: Log) -> None:
    """§5.1, §6.1 Everybody sees that a player has sealed, nobody what."""
    state.waiting[seat] = 0
    tell(log, SEALED, seat, state.phase, 0, placed_by(state, seat), 0, 1 << seat)


@kernel
def settle(state: State, seat: int, action: int, log: Log) -> None:
    """A tie is taken, or left to the others (§3.5, §6.9)."""
    state.waiting[seat] = 0
    if action >= CONCEDE_DOMINANCE:
        concede_dominance(state, seat, log)
    elif action >= CLAIM_DOMINANCE:
        claim_dominance(state, seat, log)
    elif action >= CONCEDE:
        if state.phase == BUYING:
            concede_booth(state, seat, log)
        else:
            concede_spoils(state, seat, action - CONCEDE, log)
    elif state.phase == BUYING:
        claim_booth(state, seat, log)
    else:
        claim_spoils(state, seat, action - CLAIM, log)


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
        if state.phase == CHOOSING:
            next_round(state, log)
        elif state.phase == BIDDING:
            if reveal_bids(state, log):
                wait_for_all(state)
        elif state.phase == BUYING:
            if state.step < BOOTHS:
                sell_booth(state, log)
            else:
                end_buying(state, log)
        elif state.phase == LOOTING:
            reveal_offers(state, log)
        elif state.phase == SPOILS:
            if not divide_spoils(state, log):
                end_looting(state, log)
        elif state.step < PASSIONS:
            settle_dominance(state, log)
        else:
            end_round(state, log)


@kernel
def next_round(state: State, log: Log) -> None:
    start_round(state)
    announce_round(state, log)
    wait_for_all(state)


@kernel
def end_buying(state: State, log: Log) -> None:
    if tell_epics(state, log):  # §8.3
        finish(state, BY_EPIC, log)
    else:
        state.phase = LOOTING
        wait_for_all(state)


@kernel
def end_looting(state: State, log: Log) -> None:
    devalue(state, log)
    if tell_epics(state, log):  # §8.3
        finish(state, BY_EPIC, log)
    else:
        start_show_off(state, log)


@kernel
def end_round(state: State, log: Log) -> None:
    console(state, log)
    if state.round_number == ROUNDS:  # §8.1
        finish(state, SIX_ROUNDS, log)
    else:
        next_round(state, log)
