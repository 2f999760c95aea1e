"""The record as numbers for a network: sheet, dice, then own seat first and the others after it; about 0 to 1 each."""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .components import (
    COMBO_ABILITY,
    COMBO_MASK,
    COMBO_NEED,
    COMBO_POINTS,
    HALL,
    HALLS,
    NOTHING,
    SCORE_SPACES,
    SIZES,
    SQUARES,
    TRACK_ABILITY,
    TRACK_POINTS,
)
from .rules import count
from .state import DICE, SEATS, State

NEXT_SPACES = 3  # of the Meeps track: points, wrap, plus or minus one
LINES = 8
PLAYER = 3 * SQUARES + HALLS + LINES + 3 * NEXT_SPACES + 8

OBSERVATION_NAMES = (
    ("phase (3), round, idle rounds, score spaces", 6),
    ("squares of the sheet: Meeps, four colours, size of the hall", 6 * SQUARES),
    ("combo lines: circles needed, points, wrap, plus or minus one", 4 * LINES),
    ("dice: active, next, after next (6 each)", 6 * DICE),
    (
        "players, own seat first: visited (49), crossed (49), pawn (49), halls closed (16), "
        "circles missing in combo lines (8), next three spaces of the Meeps track (9), abilities (2), points, "
        "points of the turn, spaces filled, Meeps met, moved, in play",
        SEATS * PLAYER,
    ),
)
OBSERVATION = sum(size for _, size in OBSERVATION_NAMES)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    out[:] = 0.0
    out[state.phase] = 1.0
    out[3] = state.round_number / 50.0
    out[4] = state.idle_rounds / 20.0
    out[5] = SCORE_SPACES[state.sheet] / 12.0
    n = 6
    for square in range(SQUARES):
        hall = HALL[state.sheet, square]
        if hall == NOTHING:
            out[n] = 1.0
        else:
            out[n + 1 + hall // SIZES] = 1.0
            out[n + 5] = (hall % SIZES + 1) / 4.0
        n += 6
    for line in range(LINES):
        out[n] = COMBO_NEED[state.sheet, line] / 4.0
        out[n + 1] = COMBO_POINTS[state.sheet, line] / 3.0
        observe_ability(COMBO_ABILITY[state.sheet, line], n + 2, out)
        n += 4
    for place in range(DICE):
        if state.dice[place] > 0:
            out[n + state.dice[place] - 1] = 1.0
        n += 6
    for k in range(state.seats):
        observe_player(state, (seat + k) % state.seats, n, out)
        n += PLAYER


@kernel
def observe_player(state: State, player: int, n: int, out: NumberList) -> None:
    for square in range(SQUARES):
        out[n + square] = state.visited[player] >> square & 1
        out[n + SQUARES + square] = state.crossed[player] >> square & 1
    n += 2 * SQUARES
    if state.pawn[player] != NOTHING:
        out[n + state.pawn[player]] = 1.0
    n += SQUARES
    for hall in range(HALLS):
        out[n + hall] = state.closed[player] >> hall & 1
    n += HALLS
    for line in range(LINES):
        missing = COMBO_NEED[state.sheet, line] - count(state.closed[player] & COMBO_MASK[line])
        out[n + line] = max(0, missing) / 4.0
    n += LINES
    for k in range(NEXT_SPACES):
        space = state.meeps[player] + k
        if space < SQUARES:
            out[n] = TRACK_POINTS[state.sheet, space] / 5.0
            observe_ability(TRACK_ABILITY[state.sheet, space], n + 1, out)
        n += 3
    out[n] = state.abilities[player, 0] / 2.0
    out[n + 1] = state.abilities[player, 1] / 2.0
    out[n + 2] = state.total[player] / 30.0
    out[n + 3] = state.turn_points[player] / 10.0
    out[n + 4] = state.filled[player] / 12.0
    out[n + 5] = state.meeps[player] / 9.0
    out[n + 6] = 1.0 - state.waiting[player]
    out[n + 7] = 1.0


@kernel
def observe_ability(ability: int, n: int, out: NumberList) -> None:
    if ability != NOTHING:
        out[n + ability] = 1.0
