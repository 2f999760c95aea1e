"""§2 Tokens: they only ever move, and the pool never owes."""

from __future__ import annotations

from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import NOBODY, tell
from ludoteca.core.record import EVERYONE

from ..facts import FELL_SHORT, GAVE, WASTED, WHIP_ROUND
from ..state import State


@kernel
def waste(state: State, seat: int, item: int, tokens: int, why: int, log: Log) -> None:
    """§2.2 Wasted tokens lie on their owner's own Trash until the Show Off."""
    state.trash[seat] += tokens
    tell(log, WASTED, seat, EVERYONE, item, tokens, why)


@kernel
def draw(state: State, tokens: int, log: Log) -> int:
    """Takes tokens from the pool, after as many whip-rounds as it needs (§2.3, §2.4); returns how many came."""
    while state.pool < tokens:
        if whip_round(state, tokens - state.pool, log) == 0:
            tell(log, FELL_SHORT, NOBODY, EVERYONE, tokens - state.pool)
            tokens = int(state.pool)
    state.pool -= tokens
    return tokens


@kernel
def whip_round(state: State, missing: int, log: Log) -> int:
    """§2.3 Everybody gives one token, the one who is to be paid as well; §2.5 only out of the supply."""
    tell(log, WHIP_ROUND, NOBODY, EVERYONE, missing, state.pool)
    given = 0
    for seat in range(state.seats):
        if state.supply[seat] > 0:
            state.supply[seat] -= 1
            state.pool += 1
            state.levied[seat] += 1
            given += 1
            tell(log, GAVE, seat, EVERYONE)
    return given
