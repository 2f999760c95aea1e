"""Random play, written once for all games: whole games, or one decision in each of many."""

from __future__ import annotations

import numpy as np

from .chance import below_from, mixed
from .kernel import ActionList, ActionTable, Logs, OptionList, ScoreList, ScoreTable
from .record import States
from .rules import apply, is_over, legal, ranks, setup


def play_all(
    states: States, games: int, seats: int, options: OptionList, seed: int, actions: ActionList, logs: Logs
) -> int:  # fmt: skip
    """Plays `games` random games in states[0] (states[1] stays blank); returns the number of decisions."""
    stream = np.empty(1, np.int64)
    stream[0] = seed
    log = logs[0]
    steps = 0
    for game in range(games):
        states[0] = states[1]
        state = states[0]
        setup(state, seats, options, mixed(seed + game))
        while not is_over(state):
            seat = 0
            while state.waiting[seat] == 0:
                seat += 1
            count = legal(state, seat, actions)
            apply(state, seat, actions[below_from(stream, count)], log)
            steps += 1
    return steps


def step_batch(
    states: States, blank: States, chosen: ScoreList, turns: ScoreList, counts: ScoreList, actions: ActionTable,
    options: OptionList, ended: ScoreTable, logs: Logs,
) -> int:  # fmt: skip
    """One decision in each of many games: games that end start anew from their own stream.

    For game i: `chosen[i]` is the action of seat `turns[i]`. Afterwards `turns[i]` is the next seat to decide and
    `actions[i, :counts[i]]` what it may do; `ended[i, seat]` holds the ranks if the game ended with this decision, else 0.
    Returns how many games ended.
    """
    log = logs[0]
    over = 0
    for i in range(states.shape[0]):
        state = states[i]
        apply(state, turns[i], chosen[i], log)
        for seat in range(ended.shape[1]):
            ended[i, seat] = 0
        if is_over(state):
            over += 1
            ranks(state, ended[i])
            seats = state.seats
            seed = mixed(state.rng)
            states[i] = blank[0]
            setup(state, seats, options, seed)
        seat = 0
        while state.waiting[seat] == 0:
            seat += 1
        turns[i] = seat
        counts[i] = legal(state, seat, actions[i])
    return over
