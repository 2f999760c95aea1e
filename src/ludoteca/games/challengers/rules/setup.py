"""§1 Setting up: sets and level decks, trophies, plans, starting decks, the Robot."""

from __future__ import annotations

import numpy as np

from ludoteca.core.chance import seed_stream, shuffle
from ludoteca.core.kernel import OptionList, kernel
from ludoteca.core.record import Row

from ..components import (
    COPIES,
    DRAFT_LEVELS,
    EXTRA_SETS,
    FIRST_EXTRA_SET,
    IN_LEVEL,
    KINDS,
    LEVEL,
    OUTER_SPACE,
    PARKS,
    ROBOT_CARDS,
    ROBOT_REPLACED,
    ROBOT_START,
    ROUNDS,
    SET,
    SOLO_CARDS,
    STACK,
    START,
    TROPHY,
)
from ..state import DRAWN, LARGEST_DECK, SEATS_ON_BENCH, TEAMS, State
from .drafting import prepare_round

# §1.7 The option `sets`, by number: the first game, a random choice, or the name of the set that stays in the box.
SETS_OPTION = ("first_game", "random", "without_castle", "without_film_studio", "without_funfair",
               "without_haunted_house", "without_shipwreck")  # fmt: skip
LEFT_OUT: Row = np.array([OUTER_SPACE, -1, 1, 2, 3, 4, 6], np.int64)
HARDEST_IN_COMPANY = 3  # §9.9
ROBOT_DRAWS: Row = np.array([0, 0, 1, 2, 3, 5], np.int64)  # §9.8 R cards in the Robot's deck, by difficulty
FEWEST_WITH_SOLO = 1  # §9.11 whoever shuffles the SOLO cards in draws one at least


@kernel
def setup(state: State, seats: int, options: OptionList, seed: int) -> None:
    seed_stream(state, seed)
    state.seats = seats
    state.teams = seats + seats % 2
    state.parks = state.teams // 2  # §1.1
    state.round_number = 1
    state.champion = -1
    empty_places(state)
    choose_sets(state, options[0])
    fill_stacks(state)
    lay_out_trophies(state)
    deal_plans(state)
    hand_out_decks(state)
    if state.teams > seats:
        build_robot(state, options[1] + 1, options[2])
    prepare_round(state)  # nobody listens yet


@kernel
def empty_places(state: State) -> None:
    """Where nothing lies, the record says -1."""
    state.finalists[0] = -1
    state.finalists[1] = -1
    for team in range(TEAMS):
        state.park[team] = -1
        state.rival[team] = -1
        state.wanted[team] = -1
        state.level[team] = -1
        state.exchange[team] = -1
        for place in range(DRAWN):
            state.display[team, place] = -1
        for place in range(LARGEST_DECK):
            state.pile[team, place] = -1
        for seat in range(SEATS_ON_BENCH):
            state.bench_name[team, seat] = -1
    for park in range(PARKS):
        state.opener[park] = -1
        for row in range(ROUNDS + 1):
            state.winner[row, park] = -1


@kernel
def choose_sets(state: State, option: int) -> None:
    """§1.7 The City and five of the six other sets."""
    state.left_out = LEFT_OUT[option]
    if state.left_out < 0:
        state.random_set = 1
        for n in range(EXTRA_SETS):
            state.lots[n] = FIRST_EXTRA_SET + n
        shuffle(state, state.lots, EXTRA_SETS)
        state.left_out = state.lots[0]
        for n in range(EXTRA_SETS):
            state.lots[n] = 0


@kernel
def fill_stacks(state: State) -> None:
    """§1.7 All cards of a level are shuffled together."""
    for stack in range(DRAFT_LEVELS):
        size = 0
        for kind in range(KINDS):
            if IN_LEVEL[stack, kind] and SET[kind] != state.left_out:
                for _ in range(COPIES[kind]):
                    state.stack[stack, size] = kind
                    size += 1
        state.stack_size[stack] = size
        for place in range(STACK):
            state.discards[stack, place] = -1
            if place >= size:
                state.stack[stack, place] = -1
        shuffle(state, state.stack[stack], size)


@kernel
def lay_out_trophies(state: State) -> None:
    """§1.4 The four trophies of each round are shuffled; each park in play gets one, face down."""
    for row in range(ROUNDS):
        for park in range(PARKS):
            state.trophy[row, park] = TROPHY[row, park]
        shuffle(state, state.trophy[row], PARKS)


@kernel
def deal_plans(state: State) -> None:
    """§1.2 Each player gets a plan at random; §9.2 the Robot always the first, which stays in one park."""
    for team in range(state.teams):
        state.plan[team] = team
    if state.teams > state.seats:
        state.plan[state.seats] = 0
        for team in range(state.seats):
            state.plan[team] = team + 1
    shuffle(state, state.plan, state.seats)


@kernel
def hand_out_decks(state: State) -> None:
    """§1.8 Six starting cards each; everybody knows them."""
    for seat in range(state.seats):
        for kind in range(KINDS):
            add_cards(state, seat, kind, START[kind])


@kernel
def add_cards(state: State, team: int, kind: int, count: int) -> None:
    if count > 0:
        state.deck[team, kind] += count
        state.shown[team, kind] += count
        state.by_level[team, LEVEL[kind]] += count
        state.deck_size[team] += count


@kernel
def build_robot(state: State, difficulty: int, solo_cards: int) -> None:
    """§9.1 The Robot's starting cards; §9.8 higher difficulties replace some by R cards drawn at random."""
    robot = int(state.seats)
    if state.seats > 1:
        difficulty = min(difficulty, HARDEST_IN_COMPANY)
        solo_cards = 0
    state.difficulty = difficulty
    state.solo_cards = solo_cards
    for kind in range(KINDS):
        add_cards(state, robot, kind, ROBOT_START[kind])
    for n in range(difficulty - 1):
        add_cards_back(state, robot, ROBOT_REPLACED[n])
    box = state.exhausted[robot]  # a place to shuffle in; it is emptied before the first match
    count = 0
    for n in range(len(ROBOT_CARDS)):
        box[count] = ROBOT_CARDS[n]
        count += 1
    if solo_cards > 0:
        for n in range(len(SOLO_CARDS)):
            box[count] = SOLO_CARDS[n]
            count += 1
    shuffle(state, box, count)
    drawn = ROBOT_DRAWS[difficulty]
    if solo_cards > 0:
        drawn = max(drawn, FEWEST_WITH_SOLO)
    for n in range(count):
        if n < drawn:
            kind = int(box[n])
            state.deck[robot, kind] += 1
            state.by_level[robot, LEVEL[kind]] += 1
            state.deck_size[robot] += 1
        box[n] = 0


@kernel
def add_cards_back(state: State, team: int, kind: int) -> None:
    """A starting card of the Robot goes back to the box."""
    state.deck[team, kind] -= 1
    state.shown[team, kind] -= 1
    state.by_level[team, LEVEL[kind]] -= 1
    state.deck_size[team] -= 1
