"""Whose decision it is, what may be decided, and doing it: the deck phase (§3, §4) or a question in a match (§6)."""

from __future__ import annotations

from ludoteca.core.kernel import ActionList, Log, kernel

from ..state import DECK, FINAL_TRIM, State
from .drafting import decide_in_deck_phase, legal_in_deck_phase
from .effects import answer, legal_answers
from .tournament import go_on


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    """Fills in what the seat may do, ascending; returns how many."""
    if state.phase == DECK or state.phase == FINAL_TRIM:
        return legal_in_deck_phase(state, seat, actions)
    return legal_answers(state, int(state.park[seat]), actions)


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    """Does what the action says; the last decision of a phase opens the next one."""
    if state.phase == DECK or state.phase == FINAL_TRIM:
        decide_in_deck_phase(state, seat, action, log)
    else:
        answer(state, int(state.park[seat]), action, log)
    go_on(state, log)
