"""The record as numbers for a network: sheet, dice, then own seat first and the others after it; about 0 to 1 each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludoteca.core.kernel import NumberList, kernel
from ludoteca.core.record import Row

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
TRACK = 3 * SQUARES + PLACES + LINES  # of a player's numbers, where those of the Meeps track begin …
REST = TRACK + 3 * NEXT_SPACES  # … and where the single ones do
assert PLACES == 16  # so that four bits say which
# Products instead of divisions; as float32 they are the same numbers.
FIFTH, NINTH, TENTH, TWELFTH, TWENTIETH, THIRTIETH, FIFTIETH = (1.0 / n for n in (5, 9, 10, 12, 20, 30, 50))


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


BYTE_NUMBERS = np.array([[byte >> bit & 1 for bit in range(8)] for byte in range(256)], np.float32)
SHEET_NUMBERS = np.array([sheet_numbers(sheet) for sheet in range(len(HALL))], np.float32)


def telling_places(rows: npt.NDArray[np.float32]) -> list[int]:
    """A few places in which every two rows differ that differ at all."""
    places, groups = list[int](), [list(range(len(rows)))]
    while together := next((group for group in groups if len(np.unique(rows[group], axis=0)) > 1), None):
        places.append(int((np.ptp(rows[together], axis=0) > 0).argmax()))  # as near to the beginning as there is one
        told = np.unique(rows[:, places], axis=0, return_inverse=True)[1]
        groups = [np.flatnonzero(told == group).tolist() for group in np.unique(told)]
    return places


# By these it is seen which sheet has been written already, if any: what is printed is written once, not at every decision.
TELLING: Row = np.array(telling_places(np.vstack([np.zeros_like(SHEET_NUMBERS[:1]), SHEET_NUMBERS])), np.int64)


@kernel
def observe(state: State, seat: int, out: NumberList) -> None:
    """Fills in the observation of a seat."""
    for phase in range(3):
        out[phase] = 1.0 if state.phase == phase else 0.0
    out[3] = state.round_number * FIFTIETH
    out[4] = state.idle_rounds * TWENTIETH
    out[5] = SCORE_SPACES[state.sheet] * TWELFTH
    n = 6
    observe_sheet(state.sheet, out[n : n + PRINTED])
    n += PRINTED
    for place in range(DICE):
        for eyes in range(6):
            out[n + eyes] = 1.0 if state.dice[place] == eyes + 1 else 0.0
        n += 6
    seats = int(state.seats)
    for k in range(seats):
        observe_player(state, seat + k if seat + k < seats else seat + k - seats, out[n : n + PLAYER])
        n += PLAYER


@kernel
def observe_sheet(sheet: int, numbers: NumberList) -> None:
    """What is printed, unless it is there."""
    printed = SHEET_NUMBERS[sheet]
    there = True
    for k in range(TELLING.shape[0]):
        there &= numbers[TELLING[k]] == printed[TELLING[k]]
    if not there:
        for k in range(PRINTED):
            numbers[k] = printed[k]


@kernel
def observe_player(state: State, player: int, out: NumberList) -> None:
    sheet = int(state.sheet)
    observe_squares(state.visited[player], out[:SQUARES])
    observe_squares(state.crossed[player], out[SQUARES : 2 * SQUARES])
    for k in range(2 * SQUARES, PLAYER):
        out[k] = 0.0
    if state.pawn[player] != NOTHING:
        out[2 * SQUARES + state.pawn[player]] = 1.0
    closed = state.closed[player]
    for hall in range(HALL_COUNT[sheet]):
        out[3 * SQUARES + (HALL_PLACE[sheet, hall] & 15)] += closed >> hall & 1
    for line in range(LINES):
        missing = COMBO_NEED[sheet, line] - count(closed & COMBO_MASK[sheet, line])
        out[3 * SQUARES + PLACES + line] = max(0, missing) / 4.0
    observe_track(sheet, state.meeps[player], out[TRACK : TRACK + 3 * NEXT_SPACES])
    out[REST] = state.abilities[player, 0] / 2.0
    out[REST + 1] = state.abilities[player, 1] / 2.0
    out[REST + 2] = state.total[player] * THIRTIETH
    out[REST + 3] = state.turn_points[player] * TENTH
    out[REST + 4] = state.filled[player] * TWELFTH
    out[REST + 5] = state.meeps[player] * NINTH
    out[REST + 6] = 1.0 - state.waiting[player]
    out[REST + 7] = 1.0


@kernel
def observe_track(sheet: int, first: int, spaces: NumberList) -> None:
    """The next spaces of the Meeps track: points, and the ability that one of them brings."""
    for k in range(NEXT_SPACES):
        if first + k < SQUARES:
            spaces[3 * k] = TRACK_POINTS[sheet, first + k] * FIFTH
            ability = TRACK_ABILITY[sheet, first + k]
            if ability != NOTHING:
                spaces[3 * k + 1 + ability] = 1.0


@kernel
def observe_squares(bits: int, squares: NumberList) -> None:
    """A number for each square, eight at a time; the last one is left over."""
    for byte in range(SQUARES // 8):
        numbers = BYTE_NUMBERS[bits >> 8 * byte & 255]
        for k in range(8):
            squares[8 * byte + k] = numbers[k]
    squares[SQUARES - 1] = 1.0 if bits >> SQUARES - 1 & 1 else 0.0
