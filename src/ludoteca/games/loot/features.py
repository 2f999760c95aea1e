"""What a learned judgement looks at on a sheet: points, how near the end is, what is begun, and what the dice allow."""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .advice import appraise, begun_line, entry_worth, prize, promise, two_dice
from .components import (
    COLUMN_MASK,
    COMBO_MASK,
    COMBO_NEED,
    HALL_COUNT,
    HALL_MASK,
    HALL_PLACE,
    NOTHING,
    ROW_MASK,
    SCORE_SPACES,
    SIDE,
    SIZES,
    TRACK_POINTS,
)
from .rules.decisions import count
from .state import MOVING, State

FEATURE_NAMES = (
    ("phase", 3),
    ("seats", 3),
    ("points, spaces filled, spaces left to whoever is furthest, worth of an entry", 4),
    ("abilities: wrap, plus or minus one", 2),
    ("lines: what is begun, nearly full ones, full ones", 3),
    ("halls by size: lacking one stand, lacking more", 2 * SIZES),
    ("combos: what is begun, those lacking one hall", 2),
    ("Meeps, what the next one brings", 2),
    ("squares visited, squares crossed", 2),
    ("what the dice bring, what `outlook` thinks, the same late, the furthest filled and I lead", 4),
)
FEATURES = sum(size for _, size in FEATURE_NAMES)


@kernel
def features(state: State, seat: int, out: NumberList) -> None:
    """Fills in the features of a seat; `out` is all zero before."""
    sheet = int(state.sheet)
    out[state.phase] = 1.0
    if state.seats > 1:
        out[1 + state.seats] = 1.0
    spaces = int(SCORE_SPACES[sheet])
    furthest = 0
    for other in range(state.seats):
        furthest = max(furthest, int(state.filled[other]))
    out[6] = state.total[seat] / 60.0
    out[7] = state.filled[seat] / spaces
    out[8] = (spaces - furthest) / spaces
    out[9] = entry_worth(state) / 5.0
    out[10] = state.abilities[seat, 0] / 3.0
    out[11] = state.abilities[seat, 1] / 3.0
    lines_begun(state, seat, out)
    halls_begun(state, seat, out)
    combos_begun(state, seat, out)
    out[25] = state.meeps[seat] / 12.0
    out[26] = TRACK_POINTS[sheet, state.meeps[seat]] / 5.0
    out[27] = count(state.visited[seat]) / 49.0
    out[28] = count(state.crossed[seat]) / 12.0
    out[29] = dice_worth(state, seat) / 8.0
    thinks = promise(state, seat) / 80.0
    out[30] = thinks
    out[31] = thinks * furthest / spaces
    out[32] = 1.0 if state.filled[seat] == furthest else 0.0


@kernel
def dice_worth(state: State, seat: int) -> float:
    """What the walk decided on, or the best one with the dice in sight, brings."""
    if state.phase != MOVING:
        return 0.0
    if state.sealed[seat] != NOTHING:
        return appraise(state, seat, int(state.sealed[seat]))
    return two_dice(
        state, state.visited[seat], state.crossed[seat], state.closed[seat], state.meeps[seat], state.pawn[seat],
        state.dice[0], state.dice[1],
    )  # fmt: skip


@kernel
def lines_begun(state: State, seat: int, out: NumberList) -> None:
    for line in range(SIDE):
        for along in range(2):
            mask = ROW_MASK[line] if along == 0 else COLUMN_MASK[line]
            there = count(state.visited[seat] & mask)
            out[12] += begun_line(there) / 8.0
            out[13] += 0.25 if SIDE - 2 <= there < SIDE else 0.0
            out[14] += 0.2 if there == SIDE else 0.0


@kernel
def halls_begun(state: State, seat: int, out: NumberList) -> None:
    """Open halls that somebody has begun, by size and by whether one stand is missing or more."""
    for hall in range(HALL_COUNT[state.sheet]):
        if state.closed[seat] >> hall & 1 == 0:
            size = int(HALL_PLACE[state.sheet, hall]) % SIZES + 1
            lacking = size - count(state.visited[seat] & HALL_MASK[state.sheet, hall])
            if lacking == 1:
                out[15 + 2 * (size - 1)] += 0.25
            elif lacking < size:
                out[16 + 2 * (size - 1)] += 0.25


@kernel
def combos_begun(state: State, seat: int, out: NumberList) -> None:
    for line in range(COMBO_MASK.shape[1]):
        circles = count(state.closed[seat] & COMBO_MASK[state.sheet, line])
        need = int(COMBO_NEED[state.sheet, line])
        if circles < need:
            out[23] += prize(int(state.sheet), line) * (circles / need) ** 2 / 20.0
            if circles == need - 1:
                out[24] += prize(int(state.sheet), line) / 20.0
