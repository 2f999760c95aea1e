"""§8 The end and the score."""

from __future__ import annotations

from ludoteca.core.kernel import Log, ScoreList, kernel
from ludoteca.core.log import NOBODY, tell
from ludoteca.core.record import EVERYONE

from ..components import ITEMS, PASSIONS, SHARED_BY, SHARING, TOKENS
from ..facts import ENDED, EPIC, SCORED, UNCOVERED
from ..state import FINISHED, SEATS, State
from .show_off import ONES, collected, items_of

ROUNDS = 6  # §8.1
EPIC_SIZE = 4  # §8.2
TOKENS_A_POINT = 3  # §8.7
KEPT = 2  # Passions
FOURS = EPIC_SIZE * ONES  # in `collected`: four or five of one
assert EPIC_SIZE == 4 and SHARING < 2 * EPIC_SIZE

SIX_ROUNDS, BY_EPIC = 1, 2


@kernel
def sharing(state: State, seat: int, characteristic: int) -> int:
    """How many Items of the player's Collection have the characteristic."""
    items = 0
    for n in range(SHARING):
        items += state.location[SHARED_BY[characteristic, n]] == seat
    return items


@kernel
def tell_epics(state: State, log: Log) -> bool:
    """§8.2 Four Items with a characteristic in common end the game; §8.3 asked at the end of phases 2 and 3 only."""
    found = False
    for seat in range(state.seats):
        if collected(state, seat) & FOURS == 0:
            continue
        found = True
        for characteristic in range(PASSIONS):
            items = sharing(state, seat, characteristic)
            if items >= EPIC_SIZE:
                tell(log, EPIC, seat, EVERYONE, characteristic, items)
    return found


# §8.4-§8.7 Points


@kernel
def matches(state: State, seat: int) -> int:
    """§8.5 One for each Item and Passion that match."""
    points = 0
    for place in range(KEPT):
        if state.passions[seat, place] >= 0:
            points += sharing(state, seat, state.passions[seat, place])
    return points


@kernel
def epics(state: State, seat: int) -> int:
    """§8.6 One for each characteristic that four Items or more share."""
    left, points = collected(state, seat) & FOURS, 0
    while left > 0:
        left &= left - 1
        points += 1
    return points


@kernel
def token_points(state: State, seat: int) -> int:
    """§8.7 One for each three tokens of the supply."""
    return int(state.supply[seat]) // TOKENS_A_POINT


@kernel
def points(state: State, seat: int) -> int:
    return items_of(state, seat) + matches(state, seat) + epics(state, seat) + token_points(state, seat)


@kernel
def tokens_on_items(state: State, seat: int) -> int:
    tokens = 0
    for item in range(ITEMS):
        if state.location[item] == seat:
            tokens += state.worth[item]
    return tokens


@kernel
def final_standing(state: State, seat: int) -> int:
    """§8.9 Points, then tokens on Items, then the lower Monkey."""
    score = points(state, seat) * (TOKENS + 1) + tokens_on_items(state, seat)
    return score * SEATS + SEATS - int(state.monkeys[seat])


@kernel
def rank(state: State, seat: int) -> int:
    found = 1
    mine = final_standing(state, seat)
    for other in range(state.seats):
        if final_standing(state, other) > mine:
            found += 1
    return found


@kernel
def finish(state: State, log: Log) -> None:
    """§8.8 Screens and Passions are opened and everybody counts, from the last to the first."""
    state.phase = FINISHED
    tell(log, ENDED, NOBODY, EVERYONE, state.over)
    for seat in range(state.seats):
        state.supply_seen[seat] = EVERYONE
        for place in range(KEPT):
            state.passions_seen[seat, place] = EVERYONE
        tell(log, UNCOVERED, seat, EVERYONE, state.passions[seat, 0], state.passions[seat, 1], state.supply[seat])
    if log.room == 0:
        return  # play-outs: the ranks are asked for when they are needed
    for place in range(state.seats, 0, -1):
        for seat in range(state.seats):
            if rank(state, seat) == place:
                tell(
                    log, SCORED, seat, EVERYONE,
                    points(state, seat), place, items_of(state, seat), matches(state, seat), epics(state, seat),
                    token_points(state, seat), tokens_on_items(state, seat),
                )  # fmt: skip


@kernel
def is_over(state: State) -> bool:
    return bool(state.over > 0)


@kernel
def scores(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = points(state, seat)


@kernel
def ranks(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = rank(state, seat)
