"""The rules of Pig, in the order of docs/en.md, by §."""

from ludoteca.core.actions import Actions
from ludoteca.core.chance import below, seed_stream
from ludoteca.core.facts import NUMBER, Choices, Facts
from ludoteca.core.kernel import ActionList, ChanceList, Log, NumberList, OptionList, ScoreList, kernel
from ludoteca.core.log import tell
from ludoteca.core.record import EVERYONE, Record, public, stream

SEATS = 4
GOALS = (100, 50)


class State(Record):
    """A game of Pig."""

    rng = stream("i8", (), "the game's random stream")
    seats = public("i1", (), "players")
    round_number = public("i2", (), "how often everybody has had a turn")
    waiting = public("i1", (SEATS,), "1 for the player whose turn it is")
    turn = public("i1", (), "whose turn it is, or was last")
    goal = public("i2", (), "points that win")
    score = public("i2", (SEATS,), "points that are safe")
    pot = public("i2", (), "points of this turn, which a 1 takes away")
    die = public("i1", (), "what was rolled last, or 0")


ACTIONS = Actions()
ROLL, HOLD = ACTIONS.kind("roll"), ACTIONS.kind("hold")
FACTS = Facts()
ROLLED, LOST = FACTS.kind("rolled", points=NUMBER), FACTS.kind("lost", points=NUMBER)
HELD = FACTS.kind("held", points=NUMBER, score=NUMBER)
CHOICES = Choices(ACTIONS, roll={"points": NUMBER}, hold={"points": NUMBER})
OBSERVATION = 1 + SEATS


@kernel
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_stream(state, seed)
    state.seats = seats
    state.goal = GOALS[0] if options[0] == 0 else GOALS[1]  # §1.2
    state.waiting[0] = 1  # §1.1


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    actions[0] = ROLL
    actions[1] = HOLD
    return 2 if state.pot > 0 else 1  # §2.1 the first thing is always a roll


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    if action == ROLL:
        state.die = 1 + below(state, 6)
        tell(log, ROLLED, seat, EVERYONE, state.die)
        if state.die > 1:  # §2.2
            state.pot += state.die
            return
        tell(log, LOST, seat, EVERYONE, state.pot)  # §2.3
    else:  # §2.4
        state.score[seat] += state.pot
        tell(log, HELD, seat, EVERYONE, state.pot, state.score[seat])
    state.pot = 0
    state.waiting[seat] = 0
    if state.score[seat] < state.goal:
        state.turn = (seat + 1) % state.seats
        state.waiting[state.turn] = 1
        state.round_number += 1 if state.turn == 0 else 0


@kernel
def is_over(state: State) -> bool:
    return bool(state.score[state.turn] >= state.goal)  # §3.1 holding is what wins


@kernel
def scores(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = state.score[seat]


@kernel
def ranks(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):  # §3.2
        out[seat] = 1
        for other in range(state.seats):
            out[seat] += 1 if state.score[other] > state.score[seat] else 0


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    out[0] = state.pot / state.goal
    for other in range(state.seats):  # how far to go: me first, then as we sit
        out[1 + other] = 1 - state.score[(seat + other) % state.seats] / state.goal


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    if action == ROLL:
        return 20.0  # in the pot: from there on a roll loses as much as it brings, on average
    return 1000.0 if state.score[seat] + state.pot >= state.goal else float(state.pot)


@kernel
def outlook(state: State, out: ChanceList) -> None:
    total = 10.0 * state.seats + state.pot
    for seat in range(state.seats):
        total += state.score[seat]
    for seat in range(state.seats):
        out[seat] = (10.0 + state.score[seat] + (state.pot if seat == state.turn else 0)) / total
