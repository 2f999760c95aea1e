"""§2 Tokens: they only ever move, and the pool never owes."""

from __future__ import annotations

from ludoteca.core.events import tell_all
from ludoteca.core.kernel import Log, kernel

from ..facts import FELL_SHORT, GAVE, WASTED, WHIP_ROUND
from ..state import State


@kernel
def waste(state: State, seat: int, item: int, tokens: int, why: int, log: Log) -> None:
    """§2.2 Wasted tokens lie on their owner's own Trash until the Show Off."""
    state.trash[seat] += tokens
    tell_all(log, WASTED, seat, item, tokens, why, 0)


@kernel
def draw(state: State, tokens: int, log: Log) -> int:
    """Takes tokens from the pool, after as many whip-rounds as it needs (§2.3, §2.4); returns how many came."""
    while state.pool < tokens:
        if whip_round(state, tokens - state.pool, log) == 0:
            tell_all(log, FELL_SHORT, -1, tokens - state.pool, 0, 0, 0)
            tokens = int(state.pool)
    state.pool -= tokens
    return tokens


@kernel
def whip_round(state: State, missing: int, log: Log) -> int:
    """§2.3 Everybody gives one token, the one who is to be paid as well; §2.5 only out of the supply."""
    tell_all(log, WHIP_ROUND, -1, missing, state.pool, 0, 0)
    given = 0
    for seat in range(state.seats):
        if state.supply[seat] > 0:
            state.supply[seat] -= 1
            state.pool += 1
            state.levied[seat] += 1
            given += 1
            tell_all(log, GAVE, seat, 1, 0, 0, 0)
    return given
