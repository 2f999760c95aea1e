"""How a thoughtful player looks at the fair: what a walk brings with the three dice in sight, and who seems ahead.

The numbers were found by play: each variant against the others, thousands of two-player games.
"""

from __future__ import annotations

from ludoteca.core.kernel import ChanceList, kernel

from .actions import ORDER, ORDERS, RELOCATE, STAY, WALK, WALK_MINUS, WALK_PLUS, WALK_WRAP
from .components import (
    COLUMN_MASK,
    COMBO_ABILITY,
    COMBO_MASK,
    COMBO_NEED,
    COMBO_POINTS,
    HALL,
    HALL_COUNT,
    HALL_MASK,
    HALL_PLACE,
    INSIDE,
    NOTHING,
    OVER_EDGE,
    ROW_MASK,
    SCORE_SPACES,
    SIDE,
    SIZES,
    TRACK_ABILITY,
    TRACK_POINTS,
)
from .rules.decisions import LINE_POINTS, closes_hall, count, fills, standing
from .state import MOVING, State

ENTRY = 1.0  # the worth of filling a space of the score track, besides its points: in a race the end is near
ALONE = -3.5  # the same where nobody races: it is one space less to write points in
ABILITY = 1.3  # an ability in hand
HALL_BEGUN = 0.6  # share of a hall's points that its visited stands are worth
LINE_BEGUN = 0.35
COMBO_BEGUN = 0.6
LATER = 0.7  # a point of the next turn against one now
STUCK = 0.0  # having to relocate
CROSS = -0.1  # a second visit


@kernel
def appraise(state: State, seat: int, action: int) -> float:
    """What the move brings now, and the best that the next two dice can add to it."""
    if action < ORDER:
        return 0.0  # where one starts hardly matters: any square won 49 % against the best looking one
    if action < WALK:
        return best_order(state, seat, action - ORDER)
    if action >= RELOCATE:
        square = action - RELOCATE if action < STAY else state.pawn[seat]
        return STUCK + three_dice(state, seat, square, 0, state.dice[1], state.dice[2])
    steps = state.dice[0]
    if action >= WALK_MINUS:
        steps += 1 if action >= WALK_PLUS else -1
    direction = (action - WALK) % 4
    square = INSIDE[state.pawn[seat], steps, direction]
    if square == NOTHING:
        square = OVER_EDGE[state.pawn[seat], steps, direction]
    spent = ABILITY if action >= WALK_WRAP else 0.0
    return three_dice(state, seat, square, 1, state.dice[1], state.dice[2]) - spent


@kernel
def three_dice(state: State, seat: int, square: int, marks: int, die: int, later: int) -> float:
    """Standing here now, with or without a mark, then walking with the two dice that follow."""
    visited = state.visited[seat]
    crossed = state.crossed[seat]
    closed = state.closed[seat]
    meeps = state.meeps[seat]
    bit = 1 << square
    worth = 0.0
    if marks == 1:
        worth = landing(state, visited, closed, meeps, square)
        if visited & bit != 0:
            crossed |= bit
        else:
            visited |= bit
            closed = closed_after(state.sheet, visited, closed, square)
            meeps += HALL[state.sheet, square] == NOTHING
    return worth + LATER * two_dice(state, visited, crossed, closed, meeps, square, die, later)


@kernel
def two_dice(
    state: State, visited: int, crossed: int, closed: int, meeps: int, pawn: int, die: int, later: int
) -> float:
    """The best plain walk with one die, and the best after it with another."""
    best = -100.0
    for direction in range(4):
        square = INSIDE[pawn, die, direction]
        if square == NOTHING or crossed >> square & 1 == 1:
            continue
        worth = landing(state, visited, closed, meeps, square)
        bit = 1 << square
        if visited & bit != 0:
            worth += LATER * one_die(state, visited, crossed | bit, closed, meeps, square, later)
        else:
            after = visited | bit
            met = meeps + (HALL[state.sheet, square] == NOTHING)
            circles = closed_after(state.sheet, after, closed, square)
            worth += LATER * one_die(state, after, crossed, circles, met, square, later)
        best = max(best, worth)
    return best if best > -100.0 else STUCK


@kernel
def one_die(state: State, visited: int, crossed: int, closed: int, meeps: int, pawn: int, die: int) -> float:
    """The best plain walk with one die."""
    best = -100.0
    for direction in range(4):
        square = INSIDE[pawn, die, direction]
        if square != NOTHING and crossed >> square & 1 == 0:
            best = max(best, landing(state, visited, closed, meeps, square))
    return best if best > -100.0 else STUCK


@kernel
def closed_after(sheet: int, visited: int, closed: int, square: int) -> int:
    """The halls closed once this square is visited."""
    hall = HALL[sheet, square]
    if hall != NOTHING and closes_hall(sheet, visited, hall):
        return closed | 1 << hall
    return closed


@kernel
def landing(state: State, visited: int, closed: int, meeps: int, square: int) -> float:
    """Points, abilities, and how much nearer halls, lines and combos come."""
    sheet = state.sheet
    bit = 1 << square
    if visited & bit != 0:
        return CROSS
    visited |= bit
    row = ROW_MASK[square // SIDE]
    column = COLUMN_MASK[square % SIDE]
    points = 0
    near = 0.0
    if fills(visited, row):
        points += LINE_POINTS
    if fills(visited, column):
        points += LINE_POINTS
    across = count(visited & row)
    along = count(visited & column)
    near += begun_line(across) - begun_line(across - 1) + begun_line(along) - begun_line(along - 1)
    hall = HALL[sheet, square]
    if hall == NOTHING:
        points += TRACK_POINTS[sheet, meeps]
        if TRACK_ABILITY[sheet, meeps] != NOTHING:
            near += ABILITY
    else:
        place = HALL_PLACE[sheet, hall]
        size = place % SIZES + 1
        there = count(visited & HALL_MASK[sheet, hall])
        if there == size:
            points += size
            closed |= 1 << hall
            for k in range(2):
                line = place // SIZES if k == 0 else SIZES + place % SIZES
                circles = count(closed & COMBO_MASK[sheet, line])
                need = COMBO_NEED[sheet, line]
                if circles == need:
                    points += COMBO_POINTS[sheet, line]
                    if COMBO_ABILITY[sheet, line] != NOTHING:
                        near += ABILITY
                    near -= COMBO_BEGUN * prize(sheet, line) * ((need - 1) / need) ** 2
                elif circles < need:
                    near += COMBO_BEGUN * prize(sheet, line) * (2 * circles - 1) / (need * need)
            near -= HALL_BEGUN * size * ((size - 1) / size) ** 2
        else:
            near += HALL_BEGUN * (2 * there - 1) / size
    if points > 0:
        near += ENTRY if state.seats > 1 else ALONE
    return points + near


@kernel
def begun_line(visited: int) -> float:
    """What a row or column with so many visited squares promises: early ones hardly matter."""
    return LINE_BEGUN * LINE_POINTS * (visited / 7.0) ** 3 if visited < SIDE else 0.0


@kernel
def best_order(state: State, seat: int, order: int) -> float:
    """The best three walks with the dice in this order."""
    best = STUCK
    for direction in range(4):
        square = INSIDE[state.pawn[seat], state.dice[ORDERS[order, 0]], direction]
        if square != NOTHING:
            die = state.dice[ORDERS[order, 1]]
            best = max(best, three_dice(state, seat, square, 1, die, state.dice[ORDERS[order, 2]]))
    return best


# Who seems ahead

DOUBLES = 4.0  # a lead of so many points doubles the chances


@kernel
def outlook(state: State, out: ChanceList) -> None:
    """Each seat's chance at a glance: points, what is begun, and what the dice in sight will bring."""
    if state.over > 0:
        share_victory(state, out)
        return
    best = -1000.0
    for seat in range(state.seats):
        out[seat] = promise(state, seat)
        best = max(best, out[seat])
    total = 0.0
    for seat in range(state.seats):
        out[seat] = 2.0 ** ((out[seat] - best) / DOUBLES)
        total += out[seat]
    for seat in range(state.seats):
        out[seat] /= total


@kernel
def share_victory(state: State, out: ChanceList) -> None:
    best = 0
    for seat in range(state.seats):
        best = max(best, standing(state, seat))
    winners = 0
    for seat in range(state.seats):
        winners += standing(state, seat) == best
    for seat in range(state.seats):
        out[seat] = 1.0 / winners if standing(state, seat) == best else 0.0


@kernel
def promise(state: State, seat: int) -> float:
    """The worth of a sheet in points: what is written, what is begun, and the best walks with the next two dice."""
    visited = state.visited[seat]
    closed = state.closed[seat]
    worth = float(state.total[seat]) + entry_worth(state) * state.filled[seat]
    worth += ABILITY * (state.abilities[seat, 0] + state.abilities[seat, 1])
    for line in range(SIDE):
        worth += begun_line(count(visited & ROW_MASK[line])) + begun_line(count(visited & COLUMN_MASK[line]))
    for hall in range(HALL_COUNT[state.sheet]):
        if closed >> hall & 1 == 0:
            mask = HALL_MASK[state.sheet, hall]
            size = HALL_PLACE[state.sheet, hall] % SIZES + 1
            worth += HALL_BEGUN * size * (count(visited & mask) / size) ** 2
    for line in range(COMBO_MASK.shape[1]):
        circles = count(closed & COMBO_MASK[state.sheet, line])
        need = COMBO_NEED[state.sheet, line]
        if circles < need:
            worth += COMBO_BEGUN * prize(state.sheet, line) * (circles / need) ** 2
    if state.phase == MOVING and state.sealed[seat] != NOTHING:
        worth += appraise(state, seat, int(state.sealed[seat]))
    elif state.phase == MOVING:
        worth += LATER * two_dice(
            state, visited, state.crossed[seat], closed, state.meeps[seat], state.pawn[seat],
            state.dice[0], state.dice[1],
        )  # fmt: skip
    return worth


@kernel
def entry_worth(state: State) -> float:
    """What an entry on the score track is worth besides its points: more when the end, and its bonus, are near."""
    left = SCORE_SPACES[state.sheet]
    for seat in range(state.seats):
        left = min(left, SCORE_SPACES[state.sheet] - 1 - state.filled[seat])
    return max(ENTRY, 4.5 - 0.7 * left)


@kernel
def prize(sheet: int, line: int) -> float:
    """What a combo pays, an ability counted in points."""
    return COMBO_POINTS[sheet, line] + (ABILITY if COMBO_ABILITY[sheet, line] != NOTHING else 0.0)
