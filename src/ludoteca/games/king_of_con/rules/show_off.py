"""§7 Show Off: recovery, the fifteen dominances, consolation."""

from __future__ import annotations

from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import NOBODY, NOTHING, tell
from ludoteca.core.record import EVERYONE

from ..components import ITEMS, SHARED_BY, SHARING
from ..facts import BY_CONCESSION, BY_ITEMS, BY_MONKEYS, BY_TOKENS, CONSOLED, DOMINATED, RECOVERED, UNDOMINATED
from ..state import SHOW_OFF, State
from .monkeys import announce_tie, entitled_to, lowest_monkey, only_one
from .tokens import draw

RECOVERY = 5  # §7.1
ONE_ITEM = 128  # in `dominion`: an Item more outweighs any number of tokens


@kernel
def items_of(state: State, seat: int) -> int:
    """How many Items a player's Collection has."""
    items = 0
    for item in range(ITEMS):
        items += state.location[item] == seat
    return items


@kernel
def start_show_off(state: State, log: Log) -> None:
    """§7.1 Everybody recovers five tokens less one for each Item; §7.2 the rest of each Trash goes to the pool."""
    for seat in range(state.seats):
        recovered = min(int(state.trash[seat]), max(0, RECOVERY - items_of(state, seat)))
        rest = state.trash[seat] - recovered
        state.supply[seat] += recovered
        state.pool += rest
        state.trash[seat] = 0
        if recovered + rest > 0:
            tell(log, RECOVERED, seat, EVERYONE, recovered, rest)
    state.phase = SHOW_OFF
    state.step = 0
    state.contenders = 0


# §7.3-§7.5 Dominances


@kernel
def dominion(state: State, seat: int, characteristic: int) -> int:
    """Items with the characteristic first, then the tokens on just those Items (§7.4)."""
    total = 0
    for n in range(SHARING):
        item = SHARED_BY[characteristic, n]
        total += (state.location[item] == seat) * (ONE_ITEM + int(state.worth[item]))
    return total


@kernel
def settle_dominance(state: State, log: Log) -> None:
    """§7.3 Most Items; §7.4 then most tokens on them, then Monkeys; §7.5 without such Items nobody is paid."""
    characteristic = int(state.step)
    best, ahead = 0, 0
    for seat in range(state.seats):
        standing = dominion(state, seat, characteristic)
        ahead = (ahead if standing <= best else 0) | (standing >= best) << seat
        best = max(best, standing)
    if best == 0:
        tell(log, UNDOMINATED, NOBODY, EVERYONE, characteristic)
        state.step += 1
        return
    if state.contenders == 0:
        state.contenders = ahead
        if not only_one(ahead):
            announce_tie(state, ahead, NOTHING, characteristic, best % ONE_ITEM, log)
    winner = entitled_to(state, NOTHING, characteristic, log)
    if winner < 0:
        state.waiting[lowest_monkey(state, state.contenders)] = 1
    else:
        if log.room != 0:  # nobody counts once more in play-outs
            how = decided_by(state, characteristic, best)
            tell(log, DOMINATED, winner, EVERYONE, characteristic, best // ONE_ITEM, how, best % ONE_ITEM)
        paid = draw(state, 1, log)  # §7.3
        state.supply[winner] += paid
        state.contenders = 0
        state.step += 1


@kernel
def decided_by(state: State, characteristic: int, best: int) -> int:
    """What made the difference, for the log."""
    equal_items = 0
    equal = 0
    for seat in range(state.seats):
        standing = dominion(state, seat, characteristic)
        equal_items += standing // ONE_ITEM == best // ONE_ITEM
        equal += standing == best
    if equal_items == 1:
        return BY_ITEMS
    if equal == 1:
        return BY_TOKENS
    return BY_CONCESSION if only_one(state.contenders) else BY_MONKEYS


# §7.6 Consolation


@kernel
def console(state: State, log: Log) -> None:
    """A token for each player without Items, the lower Monkey first."""
    for monkey in range(1, state.seats + 1):
        for seat in range(state.seats):
            if state.monkeys[seat] == monkey and items_of(state, seat) == 0:
                tell(log, CONSOLED, seat, EVERYONE)
                paid = draw(state, 1, log)
                state.supply[seat] += paid
