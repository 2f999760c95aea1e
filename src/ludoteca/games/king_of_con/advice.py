"""How a thoughtful beginner looks at the table: what an action is worth, and who seems ahead."""

from __future__ import annotations

from ludoteca.core.kernel import ChanceList, kernel

from .rules.ending import points
from .state import State


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    return 0.0


@kernel
def outlook(state: State, out: ChanceList) -> None:
    total = 0.0
    for seat in range(state.seats):
        out[seat] = 2.0 ** (points(state, seat) / 2.0)
        total += out[seat]
    for seat in range(state.seats):
        out[seat] /= total
