"""§5 A match: the flag goes to and fro until somebody is short of power or of seats.

`play_on` takes a match from where it stopped to its end or to the next question. Matches do not touch each other: each has
its own park, teams and share of the level decks.
"""

from __future__ import annotations

from ludoteca.core.chance import below, shuffle
from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import tell
from ludoteca.core.record import EVERYONE

from ..components import FLAG_GAINED, FLAG_LOST, IMMEDIATE, KINDS, TIMING
from ..facts import COMPARED, MATCH_BEGAN, REVEALED, TOOK_FLAG
from ..state import (
    ATTACK,
    BY_POWER,
    BY_SEATS,
    COMPARE,
    OPEN,
    OPENED,
    PLAYING,
    SEATS_ON_BENCH,
    SIT,
    TAKE,
    TAKEN,
    State,
)
from .effects import goes_on, resolve
from .power import attack_power, base_power, flag_power, tell_bonuses
from .trophies import lose_match
from .zones import open_top, sit_down

MOST_FLAGS = 100


@kernel
def shuffle_deck(state: State, team: int) -> None:
    """§5.2 The deck is shuffled; nobody knows the order."""
    left = 0
    for kind in range(KINDS):
        for _ in range(state.deck[team, kind]):
            state.pile[team, left] = kind
            left += 1
    shuffle(state, state.pile[team], left)
    state.pile_left[team] = left
    state.lineup_size[team] = 0
    state.exhausted_size[team] = 0
    state.cheer[team] = 0
    state.helpers[team] = 0
    for kind in range(KINDS):
        state.bench[team, kind] = 0
    for seat in range(SEATS_ON_BENCH):
        state.bench_name[team, seat] = -1


@kernel
def begin_match(state: State, park: int, one: int, two: int, log: Log) -> None:
    """§5.3 Who has the trophy of the later round begins; equal, or none: the flag is tossed."""
    shuffle_deck(state, one)
    shuffle_deck(state, two)
    state.park[one] = park
    state.park[two] = park
    state.rival[one] = two
    state.rival[two] = one
    toss = state.best_trophy[one] == state.best_trophy[two]
    first = state.best_trophy[one] > state.best_trophy[two]
    if toss:
        first = below(state, 2) == 0
    state.opener[park] = one if first else two
    state.attacker[park] = two if first else one
    state.tossed[park] = 1 if toss else 0
    state.match_on[park] = PLAYING
    state.stage[park] = OPEN
    state.ask[park] = 0
    opener = int(state.opener[park])
    attacker = int(state.attacker[park])
    decks = state.pile_left
    tell(log, MATCH_BEGAN, opener, EVERYONE, park, attacker, state.tossed[park], decks[opener], decks[attacker])


@kernel
def play_on(state: State, park: int, log: Log) -> None:
    """One stage after the other; the effect that is due, if any, is resolved before the next one."""
    while goes_on(state, park):
        stage = state.stage[park]
        attacker = int(state.attacker[park])
        holder = int(state.rival[attacker])
        team = attacker
        due = -1  # the card whose moment has come
        loser = -1
        why = BY_POWER
        if stage == OPEN:  # §5.4
            state.stage[park] = OPENED
            team = holder
            due = reveal(state, holder, 1, log)
        elif stage == OPENED:
            state.stage[park] = ATTACK
            team = holder
            due = take_flag(state, holder, log)
        elif stage == ATTACK:
            if state.pile_left[attacker] == 0:  # §5.10
                loser = attacker
            else:
                state.stage[park] = COMPARE
                due = reveal(state, attacker, 0, log)
        elif stage == COMPARE:
            state.stage[park] = TAKE if is_enough(state, attacker, holder, log) else ATTACK
        elif stage == TAKE:  # §5.8 first what happens to the card that loses the flag …
            state.stage[park] = TAKEN
            team = holder
            due = card_with_timing(state, holder, FLAG_LOST)
        elif stage == TAKEN:  # … then what happens to the one that gains it …
            state.stage[park] = SIT
            state.cheer[attacker] = 0
            due = take_flag(state, attacker, log)
        else:  # … then the beaten cards sit down, and their team attacks
            state.stage[park] = ATTACK
            state.attacker[park] = holder
            if not go_to_bench(state, holder, log):
                loser = holder
                why = BY_SEATS
        if due >= 0 and not resolve(state, team, due, log):  # §6.16 a card of the rival found no seat
            loser = int(state.rival[team])
            why = BY_SEATS
        if loser >= 0:
            lose_match(state, loser, why, log)


@kernel
def card_with_timing(state: State, team: int, timing: int) -> int:
    """The last card of a line-up if its effect belongs to this moment, otherwise -1."""
    kind = int(state.lineup[team, state.lineup_size[team] - 1])
    return kind if TIMING[kind] == timing else -1


@kernel
def reveal(state: State, team: int, opening: int, log: Log) -> int:
    """§5.5 The uppermost card comes into the park; returns it if it does something at once."""
    kind = open_top(state, team)
    n = int(state.lineup_size[team])
    state.lineup[team, n] = kind
    state.kept[team, n] = 0
    state.lineup_size[team] = n + 1
    tell(log, REVEALED, team, EVERYONE, kind, base_power(state, kind), n, opening)
    return card_with_timing(state, team, IMMEDIATE)


@kernel
def is_enough(state: State, attacker: int, holder: int, log: Log) -> bool:
    """§5.5 Compared after each card; §5.7 equal is enough."""
    attack = attack_power(state, attacker)
    flag = flag_power(state, holder)
    tell_bonuses(state, attacker, state.lineup_size[attacker] - 1, True, log)
    tell(log, COMPARED, attacker, EVERYONE, attack, flag, state.lineup_size[attacker])
    return attack >= flag


@kernel
def take_flag(state: State, team: int, log: Log) -> int:
    """§5.6 The last card revealed holds the flag, the others lie under it; returns it if that has an effect."""
    n = state.lineup_size[team] - 1
    kind = int(state.lineup[team, n])
    if state.flags_taken[team, kind] < MOST_FLAGS:
        state.flags_taken[team, kind] += 1
    tell_bonuses(state, team, n, False, log)
    tell(log, TOOK_FLAG, team, EVERYONE, kind, flag_power(state, team), n)
    return card_with_timing(state, team, FLAG_GAINED)


@kernel
def go_to_bench(state: State, team: int, log: Log) -> bool:
    """§5.9 The beaten card and those under it sit down; §5.11 False without a seat for each name."""
    while state.lineup_size[team] > 0:
        n = state.lineup_size[team] - 1
        if not sit_down(state, team, int(state.lineup[team, n]), log):
            return False
        state.lineup_size[team] = n
    return True
