"""§3 Monkeys: the lower number wins a tie, and winning costs the good Monkey.

Players in a tie are a set of bits, bit s for seat s.
"""

from __future__ import annotations

from ludoteca.core.kernel import ActionList, Log, kernel
from ludoteca.core.log import NOBODY, bundle, tell
from ludoteca.core.record import EVERYONE

from ..actions import CLAIM, CLAIM_DOMINANCE, CONCEDE, CONCEDE_DOMINANCE
from ..components import ITEMS
from ..facts import LEFT_TIE, SWAPPED, TIED, TOOK_TIE
from ..state import BUYING, CLAIMED, CONCEDED, NO_WORD, SEATS, SHOW_OFF, State


@kernel
def only_one(bits: int) -> bool:
    return bits & (bits - 1) == 0


@kernel
def lowest_monkey(state: State, bits: int) -> int:
    """§3.1 The seat of these, one at least, that has the lowest number."""
    lowest = 8 * SEATS + 8  # the Monkey's number and the seat in one, to be compared at once
    for seat in range(state.seats):
        if bits >> seat & 1 == 1:
            lowest = min(lowest, 8 * int(state.monkeys[seat]) + seat)
    return lowest & 7


@kernel
def all_monkeys(state: State) -> int:
    """Everybody's Monkey, as facts carry them."""
    monkeys = 0
    for seat in range(state.seats):
        monkeys += bundle(seat, state.monkeys[seat])
    return monkeys


@kernel
def announce_tie(state: State, bits: int, item: int, characteristic: int, tokens: int, log: Log) -> None:
    """A tie is about an Item or about a characteristic; the other is NOTHING."""
    tell(log, TIED, NOBODY, EVERYONE, item, characteristic, bits, tokens, all_monkeys(state))


@kernel
def take_the_tie(state: State, winner: int, bits: int, item: int, characteristic: int, log: Log) -> None:
    """§3.2 The winner of a tie swaps Monkeys with the tied; nobody else's move."""
    tell(log, TOOK_TIE, winner, EVERYONE, item, characteristic, state.monkeys[winner])
    before = all_monkeys(state)
    move_monkeys(state, winner, bits)
    tell(log, SWAPPED, winner, EVERYONE, item, characteristic, bits, before, all_monkeys(state))


@kernel
def move_monkeys(state: State, winner: int, bits: int) -> None:
    """§3.3 Each of the others gets the Monkey just ahead of his own, the winner the last one: 2, 3, 5 → 5, 2, 3."""
    free = int(state.monkeys[winner])
    for number in range(free + 1, state.seats + 1):
        for seat in range(state.seats):
            if bits >> seat & 1 == 1 and seat != winner and state.monkeys[seat] == number:
                state.monkeys[seat] = free
                free = number
    state.monkeys[winner] = free


@kernel
def entitled_to(state: State, item: int, characteristic: int, log: Log) -> int:
    """Who of the contenders gets it, Monkeys moved; -1 while the lowest must first say whether he wants it.

    §3.5 Conceding keeps the Monkey; §3.6 the right passes on, and the last one left gets it without a swap.
    """
    entitled = lowest_monkey(state, state.contenders)
    word = state.word
    state.word = NO_WORD
    if word == CONCEDED:
        state.contenders &= ~(1 << entitled)
        tell(log, LEFT_TIE, entitled, EVERYONE, item, characteristic, state.contenders)
        entitled = lowest_monkey(state, state.contenders)
    if only_one(state.contenders):
        return entitled
    if state.monkey_control == 1 and word != CLAIMED:
        return -1
    take_the_tie(state, entitled, state.contenders, item, characteristic, log)
    return entitled


@kernel
def legal_tie(state: State, seat: int, actions: ActionList) -> int:
    """§3.5 Claim it or concede it; §6.9 when spoils are divided, any of the Items the seat is tied for."""
    if state.phase == SHOW_OFF:
        actions[0] = CLAIM_DOMINANCE + state.step
        actions[1] = CONCEDE_DOMINANCE + state.step
        return 2
    if state.phase == BUYING:
        actions[0] = CLAIM + state.booths[state.step]
        actions[1] = CONCEDE + state.booths[state.step]
        return 2
    n = 0
    for item in range(ITEMS):
        actions[n] = CLAIM + item
        n += state.claims[item] >> seat & 1
    if state.monkey_control == 1:
        for k in range(n):
            actions[n + k] = actions[k] + CONCEDE - CLAIM
        n *= 2
    return n
