"""§1 Set-up."""

from __future__ import annotations

from ludoteca.core.chance import seed_stream, shuffle
from ludoteca.core.kernel import ActionList, Log, OptionList, kernel
from ludoteca.core.log import NOTHING, tell

from ..actions import PUT_BACK
from ..components import ITEMS, PASSIONS, TOKENS
from ..facts import SEALED
from ..state import CHOOSING, DRAWN, IN_DECK, SEATS, State
from .buying import start_round

START = 10  # §1.1


@kernel
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_stream(state, seed)
    state.seats = seats
    state.drawn = DRAWN - options[0]  # §1.3 three, §1.4 or two
    state.monkey_control = options[1]
    state.mistakes = options[2]
    state.scenario = options[3]
    hand_out_tokens(state)
    deal_monkeys(state)
    deal_passions(state)
    shuffle_items(state)
    state.phase = CHOOSING
    if state.drawn < DRAWN:  # §1.4 nothing to choose
        start_round(state)
    wait_for_all(state)


@kernel
def wait_for_all(state: State) -> None:
    for seat in range(state.seats):
        state.waiting[seat] = 1


@kernel
def hand_out_tokens(state: State) -> None:
    """§1.1 Ten tokens each, the rest is the pool."""
    for seat in range(state.seats):
        state.supply[seat] = START
        state.supply_seen[seat] = 1 << seat
    state.pool = TOKENS - START * state.seats


@kernel
def deal_monkeys(state: State) -> None:
    """§1.2 Monkeys 1 to the number of players, at random, face up."""
    for seat in range(state.seats):
        state.monkeys[seat] = seat + 1
    shuffle(state, state.monkeys, state.seats)


@kernel
def deal_passions(state: State) -> None:
    """§1.3 The player with Monkey 1 draws first; what nobody draws stays in the box."""
    for passion in range(PASSIONS):
        state.box[passion] = passion
    shuffle(state, state.box, PASSIONS)
    for seat in range(SEATS):
        for place in range(DRAWN):
            state.passions[seat, place] = -1
            state.passions_seen[seat, place] = 1 << seat
    left = PASSIONS
    for monkey in range(1, state.seats + 1):
        for seat in range(state.seats):
            if state.monkeys[seat] == monkey:
                for place in range(state.drawn):
                    left -= 1
                    state.passions[seat, place] = state.box[left]
                    state.box[left] = -1


@kernel
def shuffle_items(state: State) -> None:
    """§1.5 Twenty-five Items in a shuffled deck."""
    for item in range(ITEMS):
        state.deck[item] = item
        state.location[item] = IN_DECK
    shuffle(state, state.deck, ITEMS)
    state.deck_left = ITEMS


# §1.3 Which Passion goes back


@kernel
def legal_passions(state: State, seat: int, actions: ActionList) -> int:
    n = 0
    for passion in range(PASSIONS):
        for place in range(DRAWN):
            if state.passions[seat, place] == passion:
                actions[n] = PUT_BACK + passion
                n += 1
    return n


@kernel
def put_back(state: State, seat: int, passion: int, log: Log) -> None:
    """§1.3 The third Passion goes back unseen; everybody chooses at the same time."""
    last = DRAWN - 1
    for place in range(last):
        if state.passions[seat, place] == passion:
            state.passions[seat, place] = state.passions[seat, last]
            state.passions[seat, last] = passion
    tell(log, SEALED, seat, 1 << seat, CHOOSING, passion, NOTHING)
