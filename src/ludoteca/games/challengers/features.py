"""What a learned judgement looks at in a team: fans, and every card of its deck.

Which cards win matches is what is to be learned, so they are counted by kind; most decks have a dozen of the kinds.
"""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .advice import WORTH, WORTH_BY_ROUND, count_names, promise
from .components import KINDS, LEVELS, ROUNDS
from .rules.tournament import park_of, total_fans
from .state import MATCH, READY, TRIM, State

FEATURE_NAMES = (
    ("round", ROUNDS),
    ("phase", 5),
    ("players, the Robot plays too, this seat has picked its cards", 3),
    ("cards in the deck, what they are worth, on average, in this round; what `outlook` thinks", 5),
    ("this round's rival, where there are others too: what `outlook` thinks, whether it is the Robot", 2),
    ("names: how many, more than five, more than seven", 3),
    ("fans, trophies", 2),
    ("cards by level", LEVELS),
    ("cards by kind", KINDS),
)
FEATURES = sum(size for _, size in FEATURE_NAMES)


@kernel
def features(state: State, seat: int, out: NumberList) -> None:
    """Fills in the features of a seat; `out` is all zero before."""
    out[state.round_number - 1] = 1.0
    n = ROUNDS
    out[n + state.phase] = 1.0
    n += 5
    out[n] = state.seats / 8.0
    out[n + 1] = 1.0 if state.teams > state.seats else 0.0
    out[n + 2] = 1.0 if has_picked(state, seat) else 0.0
    n += 3
    row = state.round_number - 1
    worth = 0.0
    now = 0.0
    for kind in range(KINDS):
        cards = state.deck[seat, kind]
        if cards > 0:
            worth += WORTH[kind] * cards
            now += WORTH_BY_ROUND[row, kind] * cards
    size = max(1, int(state.deck_size[seat]))
    out[n] = size / 20.0
    out[n + 1] = worth / 60.0
    out[n + 2] = worth / size / 6.0
    out[n + 3] = now / 60.0
    out[n + 4] = promise(state, seat) / 8.0
    n += 5
    if state.seats > 2 and state.phase <= MATCH:
        rival = rival_of(state, seat)
        out[n] = promise(state, rival) / 8.0
        out[n + 1] = 1.0 if rival >= state.seats else 0.0
    n += 2
    names = count_names(state, seat)
    out[n] = names / 10.0
    out[n + 1] = max(0, names - 5) / 4.0
    out[n + 2] = max(0, names - 7) / 4.0
    n += 3
    out[n] = total_fans(state, seat) / 40.0
    out[n + 1] = state.trophies[seat] / 7.0
    n += 2
    for level in range(LEVELS):
        out[n + level] = state.by_level[seat, level] / 8.0
    n += LEVELS
    for kind in range(KINDS):
        out[n + kind] = state.deck[seat, kind] / 2.0


@kernel
def has_picked(state: State, seat: int) -> bool:
    """Whether the deck is as it goes into the match, but for what may be removed."""
    return state.phase == MATCH or state.step[seat] in (READY, TRIM)


@kernel
def rival_of(state: State, seat: int) -> int:
    """Who is met in this round, by the plans."""
    for other in range(state.teams):
        if other != seat and park_of(state, other) == park_of(state, seat):
            return other
    return seat
