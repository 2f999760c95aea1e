"""Cards that move from one place to another, with what everybody knows about them.

A team's cards in a match lie in its pile (the shuffled deck), in its line-up in the park, on its bench or in its exhaust
pile. `visible` counts those that lie open. `deck` counts all of them, but for cards that came from a level deck and that
nobody has seen yet: those are marked in `pile_new`.
"""

from __future__ import annotations

from ludoteca.core.chance import shuffle
from ludoteca.core.kernel import Log, kernel
from ludoteca.core.log import tell
from ludoteca.core.record import EVERYONE

from ..components import DRAFT_LEVELS, HELPS, LEVEL, NAME, OF_THE_NAME, SAME_NAME, A
from ..facts import BENCHED, EXHAUSTED, NO_SEAT
from ..state import LARGEST_DECK, SEATS_ON_BENCH, State

SEEN_BY_ALL = -1  # all audience bits of a two-byte mark


# The pile


@kernel
def own(state: State, team: int, kind: int) -> None:
    """A card is counted in the deck."""
    state.deck[team, kind] += 1
    state.by_level[team, LEVEL[kind]] += 1


@kernel
def know(state: State, team: int, place: int) -> int:
    """The owner looks at a card of the pile; the record remembers it."""
    kind = int(state.pile[team, place])
    if state.pile_new[team, place] > 0:
        state.pile_new[team, place] = 0
        own(state, team, kind)
    if team < state.seats:
        state.pile_seen[team, place] |= 1 << team
    return kind


@kernel
def take_from_pile(state: State, team: int, place: int) -> int:
    """A card leaves the pile; those above it close up."""
    kind = int(state.pile[team, place])
    if state.pile_new[team, place] > 0:
        own(state, team, kind)
    last = state.pile_left[team] - 1
    for n in range(place, last):
        state.pile[team, n] = state.pile[team, n + 1]
        state.pile_seen[team, n] = state.pile_seen[team, n + 1]
        state.pile_new[team, n] = state.pile_new[team, n + 1]
    state.pile[team, last] = -1
    state.pile_seen[team, last] = 0
    state.pile_new[team, last] = 0
    state.pile_left[team] = last
    return kind


@kernel
def put_into_pile(state: State, team: int, place: int, kind: int, seen: int, new: int) -> None:
    """A card enters the pile; those from there upwards make room. Place 0 is the bottom."""
    left = int(state.pile_left[team])
    for n in range(left, place, -1):
        state.pile[team, n] = state.pile[team, n - 1]
        state.pile_seen[team, n] = state.pile_seen[team, n - 1]
        state.pile_new[team, n] = state.pile_new[team, n - 1]
    state.pile[team, place] = kind
    state.pile_seen[team, place] = seen
    state.pile_new[team, place] = new
    state.pile_left[team] = left + 1


@kernel
def open_top(state: State, team: int) -> int:
    """The uppermost card is turned face up."""
    kind = take_from_pile(state, team, state.pile_left[team] - 1)
    state.visible[team, kind] += 1
    return kind


@kernel
def open_bottom(state: State, team: int) -> int:
    """The lowest card is turned face up."""
    kind = take_from_pile(state, team, 0)
    state.visible[team, kind] += 1
    return kind


@kernel
def return_to_top(state: State, team: int, kind: int) -> None:
    """An open card goes onto the pile: everybody knows what lies there."""
    if state.shown[team, kind] < state.visible[team, kind]:
        state.shown[team, kind] = state.visible[team, kind]
    state.visible[team, kind] -= 1
    put_into_pile(state, team, state.pile_left[team], kind, SEEN_BY_ALL, 0)


# The bench


@kernel
def seat_of(state: State, team: int, name: int) -> int:
    """§5.9 The seat on which this name sits, otherwise the first free one, or -1."""
    free = -1
    for seat in range(SEATS_ON_BENCH - 1, -1, -1):
        if state.bench_name[team, seat] == name:
            return seat
        if state.bench_name[team, seat] < 0:
            free = seat
    return free


@kernel
def sit_down(state: State, team: int, kind: int, log: Log) -> bool:
    """§5.9 An open card takes its seat on the bench; False when there is none (§5.11)."""
    seat = seat_of(state, team, NAME[kind])
    if seat < 0:
        tell(log, NO_SEAT, team, EVERYONE, kind)
        return False
    state.bench_name[team, seat] = NAME[kind]
    state.bench[team, kind] += 1
    state.helpers[team] += HELPS[kind]
    tell(log, BENCHED, team, EVERYONE, kind, seat, named_on_bench(state, team, NAME[kind]))
    return True


@kernel
def stand_up(state: State, team: int, kind: int) -> None:
    """A card leaves the bench; a seat without cards is free again."""
    state.bench[team, kind] -= 1
    state.helpers[team] -= HELPS[kind]
    if named_on_bench(state, team, NAME[kind]) == 0:
        state.bench_name[team, seat_of(state, team, NAME[kind])] = -1


@kernel
def named_on_bench(state: State, team: int, name: int) -> int:
    """Cards of this name on the bench."""
    count = 0
    for n in range(SAME_NAME):
        kind = OF_THE_NAME[name, n]
        if kind >= 0:
            count += state.bench[team, kind]
    return count


@kernel
def free_seats(state: State, team: int) -> int:
    count = 0
    for seat in range(SEATS_ON_BENCH):
        count += state.bench_name[team, seat] < 0
    return count


# The exhaust pile


@kernel
def exhaust(state: State, team: int, kind: int, place: int, cause: int, log: Log) -> None:
    """§5.14 An open card goes to the exhaust pile, face up."""
    n = int(state.exhausted_size[team])
    state.exhausted[team, n] = kind
    state.exhausted_size[team] = n + 1
    tell(log, EXHAUSTED, team, EVERYONE, kind, place, cause)


# The level decks. In each phase everybody draws from a share of their own (§3.9, §6.20): with n drawers, the cards
# number d, d + n, d + 2n … from the top are those of drawer d. So nobody's pace decides what another one draws.


@kernel
def draw_share(state: State, stack: int, drawer: int, drawers: int) -> int:
    """The next card of a share, or -1."""
    place = state.taken[stack, drawer] * drawers + drawer
    if place >= state.stack_size[stack]:
        return -1
    kind = int(state.stack[stack, place])
    state.stack[stack, place] = -1
    state.taken[stack, drawer] += 1
    return kind


@kernel
def draw_from_any_share(state: State, stack: int, drawer: int, drawers: int) -> int:
    """The next card of a share; if it has none, of the one after it; -1 when the deck is empty."""
    for n in range(drawers):
        kind = draw_share(state, stack, (drawer + n) % drawers, drawers)
        if kind >= 0:
            return kind
    return -1


@kernel
def fill_up_stack(state: State, stack: int, wanted: int) -> None:
    """§3.8 A level deck too small for the phase takes its discards back: shuffled, at the bottom."""
    size = int(state.stack_size[stack])
    count = int(state.discards_size[stack])
    if size >= wanted or count == 0:
        return
    shuffle(state, state.discards[stack], count)
    for n in range(count):
        state.stack[stack, size + n] = state.discards[stack, n]
        state.discards[stack, n] = -1
        state.discards_seen[stack, n] = 0
    state.stack_size[stack] = size + count
    state.discards_size[stack] = 0


@kernel
def close_stacks(state: State) -> None:
    """At the end of a phase the level decks close up where cards were drawn."""
    for stack in range(DRAFT_LEVELS):
        size = int(state.stack_size[stack])
        drawn = 0
        for drawer in range(state.taken.shape[1]):
            drawn += state.taken[stack, drawer]
            state.taken[stack, drawer] = 0
        if drawn > 0:
            kept = 0
            for n in range(size):
                kind = state.stack[stack, n]
                if kind >= 0:
                    state.stack[stack, kept] = kind
                    kept += 1
            for n in range(kept, size):
                state.stack[stack, n] = -1
            state.stack_size[stack] = kept


@kernel
def discard(state: State, kind: int, team: int) -> None:
    """§3.7 A card goes to the discards of its level, face down: only whoever discards it knows it."""
    stack = LEVEL[kind] - A
    n = int(state.discards_size[stack])
    state.discards[stack, n] = kind
    state.discards_seen[stack, n] = (1 << team) if team < state.seats else 0
    state.discards_size[stack] = n + 1


@kernel
def send_to_discards(state: State, team: int) -> None:
    """What leaves a deck reaches the discards when the phase ends, team by team, whatever the pace."""
    for stack in range(DRAFT_LEVELS):
        if state.leaving_by[team, stack] > 0:
            for kind in range(state.leaving.shape[1]):
                if LEVEL[kind] - A == stack:
                    while state.leaving[team, kind] > 0:
                        state.leaving[team, kind] -= 1
                        discard(state, kind, team)
            state.leaving_by[team, stack] = 0


@kernel
def leave(state: State, team: int, kind: int) -> None:
    """A card of level A, B or C is on its way to the discards."""
    state.leaving[team, kind] += 1
    state.leaving_by[team, LEVEL[kind] - A] += 1


@kernel
def has_room(state: State, team: int) -> bool:
    """§6.21 A deck never grows beyond its limit."""
    return state.deck_size[team] < LARGEST_DECK
