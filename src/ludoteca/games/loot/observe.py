"""The record as numbers for a network: sheet, dice, then own seat first and the others after it; about 0 to 1 each."""

from __future__ import annotations

import numpy as np

from ludoteca.core.kernel import NumberList, kernel

from .components import (
    COMBO_ABILITY,
    COMBO_MASK,
    COMBO_NEED,
    COMBO_POINTS,
    HALL,
    HALL_COUNT,
    HALL_PLACE,
    NOTHING,
    PLACES,
    PLUS_MINUS,
    SCORE_SPACES,
    SIZES,
    SQUARES,
    TRACK_ABILITY,
    TRACK_POINTS,
    WRAP,
)
from .rules.decisions import count
from .state import DICE, SEATS, State

NEXT_SPACES = 3  # of the Meeps track: points, wrap, plus or minus one
LINES = 8
PLAYER = 3 * SQUARES + PLACES + LINES + 3 * NEXT_SPACES + 8

OBSERVATION_NAMES = (
    ("phase (3), round, idle rounds, score spaces", 6),
    ("squares of the sheet: Meeps, four colours, size of the hall", 6 * SQUARES),
    ("combo lines: circles needed, points, wrap, plus or minus one", 4 * LINES),
    ("dice: active, next, after next (6 each)", 6 * DICE),
    (
        "players, own seat first: visited (49), crossed (49), pawn (49), halls closed by colour and size (16), "
        "circles missing in combo lines (8), next three spaces of the Meeps track (9), abilities (2), points, "
        "points of the turn, spaces filled, Meeps met, moved, in play",
        SEATS * PLAYER,
    ),
)
OBSERVATION = sum(size for _, size in OBSERVATION_NAMES)
PRINTED = 6 * SQUARES + 4 * LINES
FIXED = OBSERVATION - SEATS * PLAYER  # before the players


def sheet_numbers(sheet: int) -> list[float]:
    """What is printed on a sheet: its squares, then its combo lines."""
    numbers: list[float] = []
    for hall in HALL[sheet].tolist():
        if hall == NOTHING:
            numbers += [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        else:
            place = HALL_PLACE[sheet, hall]
            numbers += [0.0, *(float(place // SIZES == colour) for colour in range(4)), (place % SIZES + 1) / 4.0]
    for line in range(LINES):
        ability = COMBO_ABILITY[sheet, line]
        numbers += [
            COMBO_NEED[sheet, line] / 4.0,
            COMBO_POINTS[sheet, line] / 3.0,
            ability == WRAP,
            ability == PLUS_MINUS,
        ]
    return numbers


SHEET_NUMBERS = np.array([sheet_numbers(sheet) for sheet in range(len(HALL))], np.float32)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    for k in range(6):
        out[k] = 0.0
    rest = out[6 + PRINTED :]
    for k in range(FIXED - 6 - PRINTED + state.seats * PLAYER):
        rest[k] = 0.0
    out[state.phase] = 1.0
    out[3] = state.round_number / 50.0
    out[4] = state.idle_rounds / 20.0
    out[5] = SCORE_SPACES[state.sheet] / 12.0
    n = 6
    sheet, printed = out[n : n + PRINTED], SHEET_NUMBERS[state.sheet]
    for k in range(PRINTED):
        sheet[k] = printed[k]
    n += PRINTED
    for place in range(DICE):
        if state.dice[place] > 0:
            out[n + state.dice[place] - 1] = 1.0
        n += 6
    for k in range(state.seats):
        observe_player(state, (seat + k) % state.seats, n, out)
        n += PLAYER


@kernel
def observe_player(state: State, player: int, n: int, out: NumberList) -> None:
    observe_bits(state.visited[player], SQUARES, n, out)
    observe_bits(state.crossed[player], SQUARES, n + SQUARES, out)
    n += 2 * SQUARES
    if state.pawn[player] != NOTHING:
        out[n + state.pawn[player]] = 1.0
    n += SQUARES
    for hall in range(HALL_COUNT[state.sheet]):
        out[n + HALL_PLACE[state.sheet, hall]] += state.closed[player] >> hall & 1
    n += PLACES
    for line in range(LINES):
        missing = COMBO_NEED[state.sheet, line] - count(state.closed[player] & COMBO_MASK[state.sheet, line])
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
def observe_bits(bits: int, size: int, n: int, out: NumberList) -> None:
    places = out[n : n + size]
    for k in range(size):
        places[k] = 1.0 if bits >> k & 1 else 0.0


@kernel
def observe_ability(ability: int, n: int, out: NumberList) -> None:
    if ability != NOTHING:
        out[n + ability] = 1.0
