"""§6 How strong a card is: base power, and each bonus with its reason."""

from __future__ import annotations

from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import tell
from ludoteca.core.record import EVERYONE

from ..components import (
    AMOUNT,
    ANY,
    ANY_BENCH_CARD,
    BENCH_CARD,
    BENCH_SET,
    EFFECT,
    FEW_TROPHIES,
    FILTER,
    FLAG_POSSESSION,
    FREE_SEAT,
    HELP_ATTACK,
    HELP_FLAG,
    HELPS,
    HIGHEST,
    LEVEL,
    LOW_DECK,
    LOWEST,
    MEASURE,
    NAME,
    NO_BENCH_CARD,
    OF_LEVEL,
    OF_POWER,
    OF_SET,
    OF_THE_NAME,
    POWER,
    RIVAL_BENCH_CARD,
    RIVAL_BENCH_SET,
    RIVAL_TROPHY,
    SAME_NAME,
    SET,
    SET_COUNT,
    THE_ROUND,
    TIMING,
    WHILE_ATTACKING,
)
from ..facts import ATTACKING, BONUS, CHEERING, FROM_THE_BENCH, HOLDING, KEPT
from ..state import SEATS_ON_BENCH, State
from .zones import free_seats

LOW_DECK_SIZE = 1  # «one card or none left in the deck»
FEW = 3  # «at most three trophies»


@kernel
def base_power(state: State, kind: int) -> int:
    """What is printed on the card; §9.3 for a Cyborg the number of the round."""
    if POWER[kind] == THE_ROUND:
        return int(state.round_number)
    return POWER[kind]


@kernel
def fits(state: State, source: int, kind: int) -> bool:
    """Whether a card is one of those the effect of `source` speaks of."""
    what = FILTER[source]
    if what == ANY:
        return True
    if what == OF_SET:
        value = SET[kind]
    elif what == OF_POWER:
        value = base_power(state, kind)
    elif what == OF_LEVEL:
        value = LEVEL[kind]
    else:
        value = NAME[kind]
    return LOWEST[source] <= value <= HIGHEST[source]


@kernel
def fitting_on_bench(state: State, team: int, source: int) -> int:
    """Cards on a bench that the effect of `source` speaks of: cards, not seats."""
    count = 0
    for seat in range(SEATS_ON_BENCH):
        name = state.bench_name[team, seat]
        if name >= 0:
            for n in range(SAME_NAME):
                kind = OF_THE_NAME[name, n]
                if kind >= 0 and fits(state, source, kind):
                    count += state.bench[team, kind]
    return count


@kernel
def sets_on_bench(state: State, team: int) -> int:
    """Different sets on a bench."""
    found = 0
    for seat in range(SEATS_ON_BENCH):
        name = state.bench_name[team, seat]
        if name >= 0:
            for n in range(SAME_NAME):
                kind = OF_THE_NAME[name, n]
                if kind >= 0 and state.bench[team, kind] > 0:
                    found |= 1 << SET[kind]
    count = 0
    for n in range(SET_COUNT):
        count += found >> n & 1
    return count


@kernel
def measured(state: State, team: int, kind: int) -> int:
    """How often the card's amount counts, as things stand."""
    measure = MEASURE[kind]
    if measure == BENCH_CARD:
        return fitting_on_bench(state, team, kind)
    if measure == ANY_BENCH_CARD:
        return 1 if fitting_on_bench(state, team, kind) > 0 else 0
    if measure == NO_BENCH_CARD:
        return 1 if fitting_on_bench(state, team, kind) == 0 else 0
    if measure == BENCH_SET:
        return sets_on_bench(state, team)
    if measure == FREE_SEAT:
        return free_seats(state, team)
    if measure == LOW_DECK:
        return 1 if state.pile_left[team] <= LOW_DECK_SIZE else 0
    if measure == FEW_TROPHIES:
        return 1 if state.trophies[team] <= FEW else 0
    rival = state.rival[team]
    if measure == RIVAL_TROPHY:
        return int(state.trophies[rival])
    if measure == RIVAL_BENCH_CARD:
        return fitting_on_bench(state, rival, kind)
    if measure == RIVAL_BENCH_SET:
        return sets_on_bench(state, rival)
    return 1


@kernel
def helps(state: State, helper: int, kind: int, attacking: bool) -> bool:
    """Whether a card on the bench makes this card stronger now."""
    effect = EFFECT[helper]
    if (effect == HELP_ATTACK and not attacking) or (effect == HELP_FLAG and attacking):
        return False
    return fits(state, helper, kind)


@kernel
def help_from_bench(state: State, team: int, kind: int, attacking: bool) -> int:
    """§5.13 The bonuses of all cards on the bench add up, copies too."""
    if state.helpers[team] == 0:
        return 0
    total = 0
    for seat in range(SEATS_ON_BENCH):
        name = state.bench_name[team, seat]
        if name >= 0:
            for n in range(SAME_NAME):
                helper = OF_THE_NAME[name, n]
                if helper >= 0 and HELPS[helper] and helps(state, helper, kind, attacking):
                    total += AMOUNT[helper] * state.bench[team, helper]
    return total


@kernel
def card_power(state: State, team: int, n: int, attacking: bool) -> int:
    """The power of the card number n of a line-up, in the attack or with the flag."""
    kind = int(state.lineup[team, n])
    power = base_power(state, kind) + state.kept[team, n] + help_from_bench(state, team, kind, attacking)
    if TIMING[kind] == (WHILE_ATTACKING if attacking else FLAG_POSSESSION):
        power += AMOUNT[kind] * measured(state, team, kind)
    if attacking and n == 0:
        power += state.cheer[team]
    return power


@kernel
def attack_power(state: State, team: int) -> int:
    """§5.5 All cards of the attack together."""
    total = 0
    for n in range(state.lineup_size[team]):
        total += card_power(state, team, n, True)
    return total


@kernel
def flag_power(state: State, team: int) -> int:
    """§5.6 Only the card with the flag counts, not those under it."""
    return card_power(state, team, state.lineup_size[team] - 1, False)


@kernel
def tell_bonuses(state: State, team: int, n: int, attacking: bool, log: Log) -> None:
    """The arithmetic of one card, for those who watch: a fact for each bonus, with the card that gives it."""
    if log.room == 0:
        return
    kind = int(state.lineup[team, n])
    if state.kept[team, n] != 0:
        tell(log, BONUS, team, EVERYONE, kind, state.kept[team, n], KEPT, n)
    if TIMING[kind] == (WHILE_ATTACKING if attacking else FLAG_POSSESSION):
        extra = AMOUNT[kind] * measured(state, team, kind)
        if extra != 0:
            tell(log, BONUS, team, EVERYONE, kind, extra, ATTACKING if attacking else HOLDING, n)
    if attacking and n == 0 and state.cheer[team] != 0:
        tell(log, BONUS, team, EVERYONE, kind, state.cheer[team], CHEERING, n)
    for helper in range(state.bench.shape[1]):
        if HELPS[helper] and state.bench[team, helper] > 0 and helps(state, helper, kind, attacking):
            tell(log, BONUS, team, EVERYONE, helper, AMOUNT[helper] * state.bench[team, helper], FROM_THE_BENCH, n)
