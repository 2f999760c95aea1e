"""§2, §7, §8 The tournament: seven rounds in the parks, trophies, the final, and who has won."""

from __future__ import annotations

from ludoteca.core.chance import shuffle
from ludoteca.core.kernel import Log, ScoreList, kernel
from ludoteca.core.log import NOBODY, tell
from ludoteca.core.record import EVERYONE

from ..components import DRAFT_LEVELS, PARKS, PLAN_PARK, ROUNDS
from ..facts import ENDED, FINALIST, LOTS_DRAWN, TROPHIES_OPENED
from ..state import DECK, FINAL, FINAL_MATCH, FINAL_TRIM, MATCH, NO_MATCH, OVER, PARK_SHARE, TEAMS, State
from .drafting import begin_final_trim, begin_round, choosing_levels, clear_away, deal_displays
from .match import begin_match, play_on
from .zones import SEEN_BY_ALL, close_stacks, fill_up_stack, send_to_discards

ENOUGH_LEAD = 11  # §8.7
AFTER_ROUNDS, BY_LEAD, BY_FINAL = range(1, 4)  # how the tournament ended


@kernel
def go_on(state: State, log: Log) -> None:
    """Matches are played as far as they go without asking; when nobody is waited for, the next phase begins."""
    while True:
        for park in range(state.parks):
            play_on(state, park, log)
        for seat in range(state.seats):
            if state.waiting[seat] == 1:
                return
        if state.over > 0:
            return
        next_phase(state, log)


@kernel
def next_phase(state: State, log: Log) -> None:
    if choosing_levels(state):
        deal_displays(state, log)
    elif state.phase == DECK or state.phase == FINAL_TRIM:
        clear_away(state)
        end_phase(state)
        begin_matches(state, log)
    elif state.phase == FINAL_MATCH:
        end_phase(state)
        finish(state, int(state.winner[FINAL, 0]), BY_FINAL, log)
    else:
        end_phase(state)
        end_round(state, log)


# §2 A round


@kernel
def end_phase(state: State) -> None:
    """Cards on their way reach the discards; the level decks close up."""
    for team in range(state.teams):
        send_to_discards(state, team)
    close_stacks(state)


@kernel
def park_of(state: State, team: int) -> int:
    """§2.3 The tournament plan says where the team plays in this round."""
    return PLAN_PARK[(state.teams - 1) // 2, state.plan[team], state.round_number - 1]


@kernel
def begin_matches(state: State, log: Log) -> None:
    """§2.3 All parks at once; §8.5 or the final alone."""
    final = state.phase == FINAL_TRIM
    state.phase = FINAL_MATCH if final else MATCH
    for park in range(PARKS):
        state.match_on[park] = NO_MATCH
    for team in range(state.teams):
        state.park[team] = -1
        state.rival[team] = -1
    for stack in range(DRAFT_LEVELS):
        fill_up_stack(state, stack, PARK_SHARE * state.parks)
    for one in range(state.teams):
        for two in range(one + 1, state.teams):
            if final:
                if is_finalist(state, one) and is_finalist(state, two):
                    begin_match(state, 0, one, two, log)
            elif park_of(state, one) == park_of(state, two):
                begin_match(state, park_of(state, one), one, two, log)


@kernel
def is_finalist(state: State, team: int) -> bool:
    return state.finalists[0] == team or state.finalists[1] == team


@kernel
def end_round(state: State, log: Log) -> None:
    if state.seats <= 2 and lead_decides(state, log):
        return
    if state.round_number < ROUNDS:
        state.round_number += 1
        begin_round(state, log)
    elif state.seats <= 2:  # §8.6
        finish(state, leader(state), AFTER_ROUNDS, log)
    else:
        call_the_final(state, log)


# §7 Fans


@kernel
def total_fans(state: State, team: int) -> int:
    """§8.1 Fan tokens and the backs of the trophies."""
    total = int(state.fans[team])
    for row in range(ROUNDS):
        for park in range(PARKS):
            if state.winner[row, park] == team and state.trophy_seen[row, park] != 0:
                total += state.trophy[row, park]
    return total


@kernel
def standing(state: State, team: int) -> int:
    """§8.1 Fans; §8.2 in a tie more trophies, then the trophy of the latest round."""
    return (total_fans(state, team) * 16 + int(state.trophies[team])) * 16 + int(state.best_trophy[team])


# §8 The end


@kernel
def leader(state: State) -> int:
    return 0 if standing(state, 0) >= standing(state, 1) else 1


@kernel
def lead_decides(state: State, log: Log) -> bool:
    """§8.7 With one or two players eleven fans more at the end of the matches win at once."""
    lead = total_fans(state, 0) - total_fans(state, 1)
    if lead < ENOUGH_LEAD and lead > -ENOUGH_LEAD:
        return False
    finish(state, 0 if lead > 0 else 1, BY_LEAD, log)
    return True


@kernel
def call_the_final(state: State, log: Log) -> None:
    """§8.1 All trophies are turned over; the best two play, §8.3 by lot if nothing else decides."""
    for row in range(ROUNDS):
        for park in range(PARKS):
            if state.trophy_seen[row, park] != 0:
                state.trophy_seen[row, park] = SEEN_BY_ALL
    for seat in range(state.seats):
        tell(
            log, TROPHIES_OPENED, seat, EVERYONE, total_fans(state, seat), state.trophies[seat], state.best_trophy[seat]
        )
    for seat in range(state.seats):
        state.lots[seat] = seat
    if tie_for_the_final(state):
        shuffle(state, state.lots, state.seats)
        for seat in range(state.seats):
            state.lots[seat] += TEAMS
        tell(log, LOTS_DRAWN, NOBODY, EVERYONE)
    for seat in range(state.seats):
        before = ahead_of(state, seat)
        if before < 2:
            state.finalists[before] = seat
    for n in range(2):
        tell(log, FINALIST, state.finalists[n], EVERYONE, n + 1, total_fans(state, state.finalists[n]))
    begin_final_trim(state, log)


@kernel
def tie_for_the_final(state: State) -> bool:
    """Whether equals stand on both sides of the second place."""
    for seat in range(state.seats):
        better = 0
        equal = 0
        for other in range(state.seats):
            better += standing(state, other) > standing(state, seat)
            equal += standing(state, other) == standing(state, seat)
        if better < 2 and better + equal > 2:
            return True
    return False


@kernel
def ahead_of(state: State, seat: int) -> int:
    """How many stand before this player, lots included."""
    mine = standing(state, seat)
    count = 0
    for other in range(state.seats):
        theirs = standing(state, other)
        if theirs > mine or (theirs == mine and state.lots[other] < state.lots[seat]):
            count += 1
    return count


@kernel
def finish(state: State, champion: int, how: int, log: Log) -> None:
    state.champion = champion
    state.over = how
    state.phase = OVER
    tell(log, ENDED, champion, EVERYONE, how, total_fans(state, champion))


@kernel
def is_over(state: State) -> bool:
    return state.over > 0


@kernel
def scores(state: State, out: ScoreList) -> None:
    """§8.9 Fans."""
    for seat in range(state.seats):
        out[seat] = total_fans(state, seat)


@kernel
def ranks(state: State, out: ScoreList) -> None:
    """§8.9 The champion, the other finalist, then by fans and tie-breaks; equal in everything: shared."""
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            out[seat] += place_value(state, other) > place_value(state, seat)


@kernel
def place_value(state: State, seat: int) -> int:
    value = standing(state, seat)
    if seat == state.champion:
        value += 2_000_000
    elif state.over == BY_FINAL and is_finalist(state, seat):
        value += 1_000_000
    return value
