"""What each possible decision is worth: every one of them tried in the same guesses, and each guess played to its end.

    weighed = weigh(engine, redacted, seat, seed, games=400)      # {action: (chance, error)}

The seat's own redacted record is all that is known: what is hidden is guessed anew for every game (`imagine`, or else
`determinize`), and all decisions are tried in the same guess, so that luck falls on all of them alike. From there on
everybody takes what looks best at sight, to the end. A chance is the share of games won, shared wins in parts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ludoteca.core.chance import below_from
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.kernel import Logs, ScoreList, ScoreTable
from ludoteca.core.record import States
from ludoteca.core.rules import apply, appraise, imagine, is_over, legal, outlook, ranks

from .search import next_to_decide

A_WIN = 840  # can be shared by any number of seats


class Chance(NamedTuple):
    """How often a decision wins, 0 to 1, the standard error of that, and of its difference from the best."""

    won: float
    error: float
    apart: float


def weigh(
    engine: CompiledEngine, redacted: States, seat: int, seed: int, games: int, looks: int = 4
) -> dict[int, Chance]:
    """Every possible decision with its chance, the best first; `looks`: as many actions everybody looks at afterwards."""
    tried = np.array(engine.legal(redacted, 0, seat), np.int64)
    states = np.empty(3, redacted.dtype)
    states[0] = redacted[0]
    counted = np.zeros((games, len(tried)), np.int64)
    engine.bind(play_out)(
        states, seat, seed, tried, counted, looks, int(engine.game.rival_alone), len(engine.game.actions), engine.no_log
    )
    won = counted / A_WIN
    means, best = won.mean(axis=0), int(won.mean(axis=0).argmax())
    errors = won.std(axis=0) / math.sqrt(games)
    apart = (won - won[:, best : best + 1]).std(axis=0) / math.sqrt(games)
    order = sorted(range(len(tried)), key=lambda k: -means[k])
    return {int(tried[k]): Chance(float(means[k]), float(errors[k]), float(apart[k])) for k in order}


def play_out(
    states: States, me: int, seed: int, tried: ScoreList, won: ScoreTable,
    looks: int, rival_alone: int, all_actions: int, logs: Logs,
) -> int:  # fmt: skip
    """Fills `won[game, k]`: what decision `tried[k]` of seat `me` brought in that game. states[0] is its redacted record."""
    seats = int(states[0].seats)
    log = logs[0]
    stream = np.empty(1, np.int64)
    stream[0] = seed
    luck = np.empty(1, np.int64)
    actions = np.empty(all_actions, np.int16)
    ranking = np.empty(8, np.int64)
    value = np.empty(8, np.float64)
    for game in range(won.shape[0]):
        states[2] = states[0]
        imagine(states[2], me, below_from(stream, 1 << 62))
        same = below_from(stream, 1 << 62)
        for k in range(tried.shape[0]):
            states[1] = states[2]
            state = states[1]
            luck[0] = same
            apply(state, me, int(tried[k]), log)
            while not is_over(state):
                seat = next_to_decide(state, me)
                count = legal(state, seat, actions)
                action = int(actions[below_from(luck, count)])
                if count > 1:
                    highest = appraise(state, seat, action)
                    for n in range(looks if looks < count else count):
                        other = int(actions[below_from(luck, count) if looks < count else n])
                        worth = appraise(state, seat, other)
                        if worth > highest:
                            action = other
                            highest = worth
                apply(state, seat, action, log)
            if seats == 1 and rival_alone:
                outlook(state, value)
                won[game, k] = A_WIN if value[me] > 0.5 else 0
            else:
                ranks(state, ranking)
                firsts = 0
                for other in range(seats):
                    firsts += ranking[other] == 1
                won[game, k] = A_WIN // firsts if ranking[me] == 1 else 0
    return int(won.shape[0])
