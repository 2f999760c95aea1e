"""What a learned judgement looks at on a sheet: points, how near the end is, what is begun, and what the dice allow."""

from __future__ import annotations

from ludoteca.core.kernel import NumberList, kernel

from .advice import begun, dice_worth, entry_worth, one_die, prize
from .components import (
    COLUMN_MASK,
    COMBO_MASK,
    COMBO_NEED,
    HALL_COUNT,
    HALL_MASK,
    HALL_PLACE,
    INSIDE,
    NOTHING,
    ROW_MASK,
    SCORE_SPACES,
    SIDE,
    SIZES,
    TRACK_POINTS,
)
from .rules.decisions import count
from .state import MOVING, State

FACES = 6
FEATURE_NAMES = (
    ("phase", 3),
    ("seats", 3),
    ("points, spaces filled, spaces left to whoever is furthest, worth of an entry", 4),
    ("abilities: wrap, plus or minus one", 2),
    ("rows and columns by squares visited, none to all", SIDE + 1),
    ("open halls by size and by stands that are missing, 1 of 1, 1 of 2, 2 of 2, …", SIZES * (SIZES + 1) // 2),
    ("combos by halls that are missing: one, two, more", 3),
    ("Meeps, what the next one brings", 2),
    ("squares visited, squares crossed", 2),
    ("what the dice bring; has decided; stuck with the active die", 3),
    ("whatever is rolled: the best walk on average, numbers that lead nowhere", 2),
    ("what `outlook` thinks, the same late, the furthest filled and I lead", 3),
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
    for line in range(SIDE):
        out[12 + count(state.visited[seat] & ROW_MASK[line])] += 0.25
        out[12 + count(state.visited[seat] & COLUMN_MASK[line])] += 0.25
    open_halls(state, seat, out)
    open_combos(state, seat, out)
    out[33] = state.meeps[seat] / 12.0
    out[34] = TRACK_POINTS[sheet, state.meeps[seat]] / 5.0
    out[35] = count(state.visited[seat]) / 49.0
    out[36] = count(state.crossed[seat]) / 12.0
    dice = dice_worth(state, seat)
    out[37] = dice / 8.0
    out[38] = 1.0 if state.sealed[seat] != NOTHING else 0.0
    if state.phase == MOVING:
        any_number(state, seat, out)
    thinks = (begun(state, seat) + dice) / 80.0
    out[42] = thinks
    out[43] = thinks * furthest / spaces
    out[44] = 1.0 if state.filled[seat] == furthest else 0.0


@kernel
def open_halls(state: State, seat: int, out: NumberList) -> None:
    """By size and by how many stands are missing."""
    for hall in range(HALL_COUNT[state.sheet]):
        if state.closed[seat] >> hall & 1 == 0:
            size = int(HALL_PLACE[state.sheet, hall]) % SIZES + 1
            lacking = size - count(state.visited[seat] & HALL_MASK[state.sheet, hall])
            out[20 + size * (size - 1) // 2 + lacking - 1] += 0.25


@kernel
def open_combos(state: State, seat: int, out: NumberList) -> None:
    """What they pay, by how many halls are missing."""
    for line in range(COMBO_MASK.shape[1]):
        lacking = COMBO_NEED[state.sheet, line] - count(state.closed[seat] & COMBO_MASK[state.sheet, line])
        if lacking > 0:
            out[30 + min(lacking - 1, 2)] += prize(int(state.sheet), line) / 20.0


@kernel
def any_number(state: State, seat: int, out: NumberList) -> None:
    """What walks a die can lead to from here, whichever number it shows."""
    for die in range(1, FACES + 1):
        stuck = True
        for direction in range(4):
            square = INSIDE[state.pawn[seat], die, direction]
            if square != NOTHING and state.crossed[seat] >> square & 1 == 0:
                stuck = False
        if stuck:
            out[41] += 1.0 / FACES
            if die == state.dice[0]:
                out[39] = 1.0
        else:
            best = one_die(
                state, state.visited[seat], state.crossed[seat], state.closed[seat], state.meeps[seat],
                state.pawn[seat], die,
            )  # fmt: skip
            out[40] += best / FACES / 4.0
