"""What a player can think is hidden: the dice to come, and what those have decided who have sealed.

Dice that have not been rolled can fall anyhow, so a stream of one's own is a fair guess. A sealed decision is any of those
the seat could take. The search opens it again instead (`imagine`): everybody decides together with the searching seat.
"""

from __future__ import annotations

import numpy as np

from ludoteca.core.chance import below, seed_stream
from ludoteca.core.kernel import kernel

from .actions import ACTIONS
from .components import NOTHING
from .rules import legal
from .state import ORDERING, State

ALL_ACTIONS = len(ACTIONS)


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    """Fills in what this seat (or a spectator) cannot see."""
    seed_stream(state, seed)
    for other in range(state.seats):
        if other != seat and has_sealed(state, other):
            actions = np.empty(ALL_ACTIONS, np.int16)
            state.sealed[other] = actions[below(state, legal(state, other, actions))]


@kernel
def imagine(state: State, seat: int, seed: int) -> None:
    """As the search thinks of it: who has sealed decides anew."""
    seed_stream(state, seed)
    for other in range(state.seats):
        if other != seat and has_sealed(state, other):
            state.sealed[other] = NOTHING
            state.waiting[other] = 1


@kernel
def has_sealed(state: State, seat: int) -> bool:
    """Whether this seat has decided while others still think."""
    return state.waiting[seat] == 0 and state.phase != ORDERING and state.over == 0
