"""§1 Set-up: a clean sheet for everybody, and the border to start from."""

from __future__ import annotations

from ludoteca.core.chance import seed_stream
from ludoteca.core.kernel import OptionList, kernel

from ..components import NOTHING
from ..state import SEATS, STARTING, State


@kernel
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_stream(state, seed)
    state.seats = seats
    state.sheet = options[0]
    state.as_rolled = options[1]
    state.phase = STARTING
    for seat in range(SEATS):
        state.pawn[seat] = NOTHING
        state.sealed[seat] = NOTHING
    await_all(state)


@kernel
def await_all(state: State) -> None:
    """§2.1 Everybody decides at once."""
    for seat in range(state.seats):
        state.waiting[seat] = 1
