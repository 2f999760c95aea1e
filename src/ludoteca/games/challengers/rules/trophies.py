"""§7 Winning a match: the trophy, its fans, and gathering one's cards again."""

from __future__ import annotations

from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import tell
from ludoteca.core.record import EVERYONE

from ..components import LEVELS, ROUNDS
from ..facts import GAINED_FANS, MATCH_WON, TROPHY_BOXED, TROPHY_WON
from ..state import DECIDED, FINAL, FINAL_MATCH, State
from .zones import SEEN_BY_ALL, own


@kernel
def gain_fans(state: State, team: int, fans: int, cause: int, log: Log) -> None:
    """§7.5 Fan tokens lie open; §9.6 the Robot takes none unless it plays for itself."""
    if fans > 0 and (team < state.seats or state.seats == 1):
        state.fans[team] += fans
        tell(log, GAINED_FANS, team, EVERYONE, fans, cause, state.fans[team])


@kernel
def lose_match(state: State, loser: int, why: int, log: Log) -> None:
    """§5.10, §5.11 The match is over."""
    park = int(state.park[loser])
    winner = int(state.rival[loser])
    row = FINAL if state.phase == FINAL_MATCH else state.round_number - 1
    state.match_on[park] = DECIDED
    state.winner[row, park] = winner
    state.lost_by[row, park] = why
    tell(log, MATCH_WON, winner, EVERYONE, loser, why, park)
    if row < ROUNDS:
        win_trophy(state, winner, park, log)
    gather(state, winner)
    gather(state, loser)


@kernel
def win_trophy(state: State, winner: int, park: int, log: Log) -> None:
    """§7.1 The trophy of the round; §7.3 its back is the winner's secret, §8.8 with one or two players it lies open."""
    row = state.round_number - 1
    if winner >= state.seats and state.seats > 1:  # §9.5
        tell(log, TROPHY_BOXED, winner, EVERYONE, state.round_number, park)
        return
    state.trophies[winner] += 1
    state.best_trophy[winner] = state.round_number
    state.trophy_seen[row, park] = SEEN_BY_ALL if state.seats <= 2 else 1 << winner
    audience = EVERYONE if state.seats <= 2 else 1 << winner
    tell(log, TROPHY_WON, winner, audience, state.round_number, park, state.trophy[row, park])


@kernel
def gather(state: State, team: int) -> None:
    """§7.6 Bench, park, exhaust pile and what was not played become the deck again; what came in the match stays (§6.19)."""
    everything = state.pile_left[team] == 0
    for n in range(state.pile_left[team]):
        if state.pile_new[team, n] > 0:
            own(state, team, int(state.pile[team, n]))
        state.pile[team, n] = -1
        state.pile_seen[team, n] = 0
        state.pile_new[team, n] = 0
    for kind in range(state.visible.shape[1]):
        if everything or state.shown[team, kind] < state.visible[team, kind]:
            state.shown[team, kind] = state.visible[team, kind]
        state.visible[team, kind] = 0
    if everything:  # the whole deck has been seen
        for level in range(LEVELS):
            state.doubt[team, level] = 0
