"""A tiny game to try the search on: two decide at once among two thousand places; alone, one number is worth most.

Seat 0 hides in a place or stays at home (action 0: shared win); seat 1 seeks in a place. Who plays alone picks a number
below twenty; 13 is worth most. `appraise` knows nothing of all this.
"""

from __future__ import annotations

import pathlib

from ludoteca.core.actions import Actions
from ludoteca.core.chance import below, seed_stream
from ludoteca.core.facts import Choices, Facts
from ludoteca.core.game import Game
from ludoteca.core.kernel import ActionList, ChanceList, Log, NumberList, OptionList, ScoreList, kernel
from ludoteca.core.record import Record, private, public, stream

PLACES = 2000
ALONE = 20
BEST_ALONE = 13
AT_HOME = 0
BEATEN_ALONE = 5
UNDECIDED = 3000

ACTIONS = Actions()
ACTIONS.kind("place", ("number",), [(n,) for n in range(PLACES)])


class State(Record):
    rng = stream("i8", (), "the random stream")
    seats = public("i1", (), "players")
    round_number = public("i1", (), "there is only one")
    waiting = public("i1", (2,), "1 while a seat owes a decision")
    chosen = private("i2", (2,), "where each went")


@kernel
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_stream(state, seed)
    state.seats = seats
    for seat in range(seats):
        state.waiting[seat] = 1
        state.chosen[seat] = UNDECIDED


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    first = 1 if seat == 1 else 0
    last = ALONE if state.seats == 1 else PLACES
    for place in range(first, last):
        actions[place - first] = place
    return last - first


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    state.chosen[seat] = action
    state.waiting[seat] = 0


@kernel
def is_over(state: State) -> bool:
    return state.waiting[0] + state.waiting[1] == 0


@kernel
def scores(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = ALONE - abs(int(state.chosen[seat]) - BEST_ALONE)


@kernel
def ranks(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = 1
    if state.seats == 2 and state.chosen[0] != AT_HOME:
        caught = state.chosen[0] == state.chosen[1]
        out[0] = 2 if caught else 1
        out[1] = 1 if caught else 2


@kernel
def determinize(state: State, seat: int, seed: int) -> None:
    seed_stream(state, seed)
    for other in range(state.seats):
        if state.chosen[other] < 0:
            state.chosen[other] = UNDECIDED if state.waiting[other] else 1 + below(state, PLACES - 1)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    out[0] = state.chosen[seat]


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    return 0.0


@kernel
def outlook(state: State, out: ChanceList) -> None:
    if state.seats == 1:  # for who plays against the game: it is beaten in one place only
        out[0] = 1.0 if state.chosen[0] == BEATEN_ALONE else 0.0
        return
    for seat in range(state.seats):
        out[seat] = 1.0 / state.seats


GAME = Game(
    key="hide_and_seek", title="Hide and seek", seats=range(1, 3), minutes=1, version="1",
    folder=pathlib.Path(__file__).parent, options=(), state=State, actions=ACTIONS, facts=Facts(), choices=Choices(ACTIONS),
    setup=setup, legal=legal, apply=apply, is_over=is_over, scores=scores, ranks=ranks, determinize=determinize,
    observe=observe, observation=1, appraise=appraise, outlook=outlook,
    view=lambda state, viewer: {},
)  # fmt: skip
