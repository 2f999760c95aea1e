"""§7 Show Off: recovery, the fifteen dominances, consolation."""

from __future__ import annotations

from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import NOBODY, NOTHING, tell
from ludoteca.core.record import EVERYONE

from ..components import COUNTED, GENRE_COUNT, ITEMS, PASSIONS, SHARED_BY, SHARING
from ..facts import BY_CONCESSION, BY_ITEMS, BY_MONKEYS, BY_TOKENS, CONSOLED, DOMINATED, RECOVERED, UNDOMINATED
from ..state import SHOW_OFF, State
from .monkeys import announce_tie, entitled_to, lowest_monkey, only_one
from .tokens import draw

RECOVERY = 5  # §7.1
ONE_ITEM = 128  # in `dominion`: an Item more outweighs any number of tokens
SEVERAL, NO_SEAT = 7, 15  # in `most_items`
ONES = sum(1 << 4 * characteristic for characteristic in range(PASSIONS))
EIGHTS = 8 * ONES


@kernel
def items_of(state: State, seat: int) -> int:
    """How many Items a player's Collection has."""
    items = 0
    for item in range(ITEMS):
        items += state.location[item] == seat
    return items


@kernel
def collected(state: State, seat: int) -> int:
    """How often the player's Collection has each characteristic, in one number: four bits for each."""
    counts = 0
    for item in range(ITEMS):
        counts += (state.location[item] == seat) * COUNTED[item]
    return counts


@kernel
def items_among(counts: int) -> int:
    """How many Items were `collected`: each has one genre, and genres are the first characteristics."""
    items = 0
    for genre in range(GENRE_COUNT):
        items += counts >> 4 * genre & 15
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
def most_items(state: State) -> int:
    """§7.3 Who alone has most Items of each characteristic: four bits for each, a seat, `SEVERAL` or `NO_SEAT`.

    What each has `collected` is compared for all characteristics at once: eight more than one number, less another (both
    are five at most), is still eight or more where the first is not the smaller one.
    """
    best, leaders = collected(state, 0), 0
    for seat in range(1, state.seats):
        counts = collected(state, seat)
        not_fewer = (counts | EIGHTS) - best & EIGHTS
        more = (counts | EIGHTS) - best - ONES & EIGHTS
        ahead = (more >> 3) * 15
        best ^= (best ^ counts) & ahead
        leaders = leaders & ~ahead | seat * ONES & ahead | (not_fewer - more >> 3) * SEVERAL
    nobody = (best + SEVERAL * ONES & EIGHTS) ^ EIGHTS
    return leaders | (nobody >> 3) * NO_SEAT


@kernel
def settle_dominance(state: State, leader: int, log: Log) -> None:
    """§7.3 Most Items; §7.4 then most tokens on them, then Monkeys; §7.5 without such Items nobody is paid."""
    characteristic = int(state.step)
    if leader == NO_SEAT:
        tell(log, UNDOMINATED, NOBODY, EVERYONE, characteristic)
        state.step += 1
        return
    winner = entitled_by_tokens(state, characteristic, log) if leader == SEVERAL else leader
    if winner < 0:
        state.waiting[lowest_monkey(state, state.contenders)] = 1
    else:
        if log.room != 0:  # nobody counts once more in play-outs
            best = dominion(state, winner, characteristic)
            how = decided_by(state, characteristic, best)
            tell(log, DOMINATED, winner, EVERYONE, characteristic, best // ONE_ITEM, how, best % ONE_ITEM)
        paid = draw(state, 1, log)  # §7.3
        state.supply[winner] += paid
        state.contenders = 0
        state.step += 1


@kernel
def entitled_by_tokens(state: State, characteristic: int, log: Log) -> int:
    """§7.4 Of those with as many Items, who has most tokens on them, or is entitled by Monkeys; -1: somebody is asked."""
    best, ahead = 0, 0
    for seat in range(state.seats):
        standing = dominion(state, seat, characteristic)
        ahead = (ahead if standing <= best else 0) | (standing >= best) << seat
        best = max(best, standing)
    if state.contenders == 0:
        state.contenders = ahead
        if not only_one(ahead):
            announce_tie(state, ahead, NOTHING, characteristic, best % ONE_ITEM, log)
    return entitled_to(state, NOTHING, characteristic, log)


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
