"""Games played at sight, in machine code from end to end: the first lesson of `ludoteca learn`, thousands of games a second.

Everybody takes what looks best (`appraise`), or, once something was learned, what leads to the position judged best; now and
then something else, so that there is something to compare. What comes of a position is known far better from so many games
than from the few that a search can play in the same time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.chance import below_from, mixed
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.game import Game
from ludoteca.core.kernel import ChanceList, Logs, NumberList, OptionList, kernel
from ludoteca.core.record import States
from ludoteca.core.rules import apply, appraise, features, imagine, is_over, legal, outlook, ranks, setup

from .judgement import NOT_LEARNED, room_for
from .search import FOLLY, NEVER, choose_candidates, judge, judge_ranks, play_on

KEPT = 16  # positions of a game, any of those where there was something to decide
MOMENTS = 1024  # of a game, at most: what each was thought to be worth is remembered until the end
LIKED, JUDGED = 3, 7  # so many best looking actions, and others up to so many, are judged by where they lead
ANY_MOMENT, ROUNDS_ONLY = -1, -2  # where positions are kept, if not before an action
ONCE_IN = 1000  # how finely it is said how often something happens


def watch(
    engine: CompiledEngine,
    games: int,
    seats: int,
    options: Mapping[str, str],
    seed: int,
    curious: float,
    until: str,
    weights: NumberList,
    lookahead: float = 1.0,
    by_rounds: bool = False,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Plays games at one kind of table; for some positions the features, what `outlook` gives, and what came of them.

    That is what the end is worth to each seat; with a `lookahead` below 1 also what the judgement says of the positions on
    the way there, each step further by that factor less (TD(λ)): chance is far less loud in it.
    """
    game, rows = engine.game, games * KEPT
    count = game.feature_count
    seen = np.zeros(rows * seats * count, np.float32)
    chances, came = np.zeros(rows * seats, np.float64), np.zeros(rows * seats, np.float64)
    used = engine.bind(play_at_sight)(
        engine.new(4), games, seats, game.read_options(options), seed, round(curious * ONCE_IN),
        moments_of(game, until, by_rounds), len(game.actions), count, weights, lookahead, seen, chances, came,
        engine.no_log,
    )  # fmt: skip
    return (
        seen.reshape(rows, seats, count)[:used],
        chances.reshape(rows, seats)[:used],
        came.reshape(rows, seats)[:used],
    )


def moments_of(game: Game, until: str, by_rounds: bool) -> int:
    """Where positions are kept: before this action or where a round begins, only there, or at any moment."""
    if until:
        return game.actions.read(until)
    return ROUNDS_ONLY if by_rounds else ANY_MOMENT


def play_at_sight(
    states: States, games: int, seats: int, options: OptionList, seed: int, curious: int, until: int, all_actions: int,
    count: int, weights: NumberList, lookahead: float, seen: NumberList, chances: ChanceList, came: ChanceList, logs: Logs,
) -> int:  # fmt: skip
    """Plays games in states[0], keeps some positions of each, and returns how many; states[1] stays blank.

    With `until`, positions are kept where a turn ends with that action and where a round has just begun, or there only.
    """
    stream = np.empty(1, np.int64)
    stream[0] = seed
    log = logs[0]
    actions = np.empty(all_actions, np.int16)
    chance = np.empty(8, np.float64)
    ranking = np.empty(8, np.int64)
    extremes = np.zeros(2, np.float64)
    room = room_for(seats, weights)
    thought = np.empty((MOMENTS, 8), np.float64)
    moment_of = np.empty(KEPT, np.int64)
    first = 0
    for game in range(games):
        states[0] = states[1]
        state = states[0]
        setup(state, seats, options, mixed(seed + game))
        moments = 0
        kept = 0
        round_before = -1
        while not is_over(state):
            seat = 0
            while state.waiting[seat] == 0:
                seat += 1
            number = legal(state, seat, actions)
            action = int(actions[0])
            if number > 1:
                tries = below_from(stream, ONCE_IN) < curious
                if tries:
                    action = better_looking(state, seat, actions, number, stream)
                else:
                    action = judged_best(
                        states, seat, actions, number, until, weights, room, chance, ranking, stream, log
                    )
                if moments < MOMENTS and (until == ANY_MOMENT or action == until or state.round_number != round_before):
                    if lookahead < 1.0:
                        judge(state, seats, 0, ranking, extremes, thought[moments], weights, room)
                    if not tries or weights.shape[0] <= NOT_LEARNED:
                        place = kept if kept < KEPT else below_from(stream, kept + 1)
                        kept += 1
                        if place < KEPT:
                            moment_of[place] = moments
                            outlook(state, chance)
                            look_at(state, seats, (first + place) * seats, count, chance, seen, chances)
                    moments += 1
                round_before = int(state.round_number)
            apply(state, seat, action, log)
        ranks(state, ranking)
        judge_ranks(seats, ranking, chance)
        for moment in range(moments - 1, -1, -1):
            for place in range(min(kept, KEPT)):
                if moment_of[place] == moment:
                    for one in range(seats):
                        came[(first + place) * seats + one] = chance[one]
            if lookahead < 1.0:
                for one in range(seats):
                    chance[one] = lookahead * chance[one] + (1.0 - lookahead) * thought[moment, one]
        first += min(kept, KEPT)
    return first


@kernel
def look_at(state: Any, seats: Any, row: Any, count: Any, chance: Any, seen: Any, chances: Any) -> None:
    """Notes a position in the rows from this one on: every seat's chance by `outlook`, and its features."""
    for one in range(seats):
        chances[row + one] = chance[one]
        for k in range((row + one) * count, (row + one + 1) * count):
            seen[k] = 0.0
        features(state, one, seen[(row + one) * count : (row + one + 1) * count])


@kernel
def better_looking(state: Any, seat: Any, actions: Any, number: Any, stream: Any) -> int:
    """Of two actions drawn at random."""
    one = int(actions[below_from(stream, number)])
    other = int(actions[below_from(stream, number)])
    return one if appraise(state, seat, one) >= appraise(state, seat, other) else other


@kernel
def judged_best(
    states: Any, seat: Any, actions: Any, number: Any, until: Any, weights: Any, room: Any, value: Any, ranking: Any,
    stream: Any, log: Any,
) -> int:  # fmt: skip
    """The action that leads to the position judged best, in one guess; without a judgement the best looking one.

    Not only what looks good is judged: who overrates a position that nobody would go for has to go there to find out.
    """
    for k in range(number - 1):  # chance decides among equals
        other = k + below_from(stream, number - k)
        actions[k], actions[other] = actions[other], actions[k]
    tried = np.empty(min(JUDGED if weights.shape[0] > NOT_LEARNED else 1, number), np.int64)
    liked = min(LIKED, tried.shape[0])
    choose_candidates(states[0], seat, actions, number, 0, tried[:liked])
    most = liked
    for k in range(number):
        if most < tried.shape[0] and not is_among(tried, liked, actions[k]):
            if appraise(states[0], seat, int(actions[k])) > FOLLY:
                tried[most] = actions[k]
                most += 1
    if most == 1:
        return int(tried[0])
    extremes = np.zeros(2, np.float64)
    states[2] = states[0]
    imagine(states[2], seat, below_from(stream, 1 << 62))
    horizon = int(states[0].round_number) + 1
    best = 0
    highest = -np.inf
    for k in range(most):
        states[3] = states[2]
        if tried[k] != until:
            apply(states[3], seat, tried[k], log)
            if until >= 0:
                play_on(states[3], seat, NEVER, horizon, 0, until, actions, stream, log)
        judge(states[3], int(states[0].seats), 0, ranking, extremes, value, weights, room)
        if value[seat] > highest:
            highest = value[seat]
            best = int(tried[k])
    return best


@kernel
def is_among(tried: Any, number: Any, action: Any) -> bool:
    """Whether an action is one of the first so many."""
    for k in range(number):
        if tried[k] == action:
            return True
    return False
