"""A round of Loot and what follows from it, in the order of the rulebook: §1.2 to §7.

Squares are numbered 0 to 48, row by row; sets of squares and of halls are bits of one number. Nothing that pays is
noted as paid: a line, a hall, a combo pays at the very visit that completes it, and a square is visited once (§4.1).

Everybody moves at once (§2.1): a decision is sealed, and the last one opens them all, in the order of the seats.
"""

from __future__ import annotations

from ludoteca.core.chance import below
from ludoteca.core.kernel import ActionList, Log, ScoreList, kernel
from ludoteca.core.log import NOBODY, tell
from ludoteca.core.record import EVERYONE

from ..actions import ORDER, ORDERS, RELOCATE, START, STAY, WALK, WALK_MINUS, WALK_PLUS, WALK_WRAP
from ..components import (
    BORDER,
    COLUMN_MASK,
    COMBO_ABILITY,
    COMBO_MASK,
    COMBO_NEED,
    COMBO_POINTS,
    HALL,
    HALL_MASK,
    HALL_PLACE,
    INSIDE,
    NOTHING,
    OVER_EDGE,
    PLUS_MINUS,
    ROW_MASK,
    SCORE_SPACES,
    SIDE,
    SIZES,
    SQUARES,
    TRACK_ABILITY,
    TRACK_POINTS,
    WRAP,
)
from ..facts import (
    BONUS,
    COLUMN,
    COMBO,
    CROSSED,
    ENDED,
    GAINED,
    HALL_CLOSED,
    LAST_ROUND,
    MEEPS_MET,
    NEW_ROUND,
    ORDERED,
    RELOCATED,
    ROLLED,
    ROW,
    SLASHED,
    STARTED,
    STAYED,
    USED,
    WALKED,
    WROTE,
)
from ..state import BY_COMBOS, BY_END, BY_HALLS, BY_LINES, BY_MEEPS, DICE, MOVING, ORDERING, STARTING, State
from .setup import await_all

LINE_POINTS = 3  # §4.2
END_BONUS = 3  # §7.2
IDLE_ROUNDS = 20  # §7.7
ALL_SQUARES = (1 << SQUARES) - 1


# What you may do


@kernel
def legal(state: State, seat: int, actions: ActionList) -> int:
    """Fills in what the seat may do, ascending; returns how many."""
    if state.phase == MOVING:
        return legal_moves(state, seat, actions)
    if state.phase == ORDERING:
        return legal_orders(state, actions)
    for n in range(BORDER.shape[0]):  # §1.2 any square of the border
        actions[n] = START + n
    return BORDER.shape[0]


@kernel
def legal_moves(state: State, seat: int, actions: ActionList) -> int:
    n = 0
    pawn = state.pawn[seat]
    die = state.dice[0]
    free = ALL_SQUARES & ~state.crossed[seat]
    for direction in range(4):
        actions[n] = WALK + direction
        n += may_enter(free, INSIDE[pawn, die, direction])
    stuck = n == 0
    if state.abilities[seat, WRAP] > 0:  # §5.3
        for direction in range(4):
            actions[n] = WALK_WRAP + direction
            n += may_enter(free, OVER_EDGE[pawn, die, direction])
    if state.abilities[seat, PLUS_MINUS] > 0:  # §5.4
        for direction in range(4):
            actions[n] = WALK_MINUS + direction
            n += may_enter(free, INSIDE[pawn, die - 1, direction])
        for direction in range(4):
            actions[n] = WALK_PLUS + direction
            n += may_enter(free, INSIDE[pawn, die + 1, direction])
    if stuck:  # §3.6 who can walk must; §3.7 who cannot stands anywhere clean
        clean = ALL_SQUARES & ~state.visited[seat]
        for square in range(SQUARES):
            actions[n] = RELOCATE + square
            n += clean >> square & 1
        if clean == 0:  # §3.9
            actions[n] = STAY
            n += 1
    return n


@kernel
def may_enter(free: int, square: int) -> int:
    """§3.4, §3.5 Not a square with a cross, not outside the grid: 1 or 0."""
    return free >> square & 1 if square != NOTHING else 0


@kernel
def legal_orders(state: State, actions: ActionList) -> int:
    """§1.4 Each order of the dice once: equal dice make some of the six the same."""
    n = 0
    for order in range(ORDERS.shape[0]):
        again = 0
        for other in range(order):
            same = 0
            for place in range(DICE):
                same += state.dice[ORDERS[other, place]] == state.dice[ORDERS[order, place]]
            again |= same == DICE
        actions[n] = ORDER + order
        n += again == 0
    return n


# Doing it


@kernel
def apply(state: State, seat: int, action: int, log: Log) -> None:
    """§2.1 Seals what the seat has decided; the last seat opens them all and completes the round."""
    state.waiting[seat] = 0
    if state.phase == ORDERING:
        put_in_order(state, seat, action - ORDER, log)
    else:
        state.sealed[seat] = action
        for other in range(state.seats):
            if state.waiting[other] == 1:
                return
        for other in range(state.seats):
            open_sealed(state, other, log)
    complete_round(state, log)


@kernel
def open_sealed(state: State, seat: int, log: Log) -> None:
    """Does what the seat has decided."""
    action = int(state.sealed[seat])
    state.sealed[seat] = NOTHING
    if action < ORDER:
        start(state, seat, BORDER[action - START], log)
    elif action < WALK_WRAP:
        direction = action - WALK
        walk(state, seat, direction, state.dice[0], INSIDE[state.pawn[seat], state.dice[0], direction], log)
    elif action < WALK_MINUS:
        direction = action - WALK_WRAP
        use(state, seat, WRAP, log)
        walk(state, seat, direction, state.dice[0], OVER_EDGE[state.pawn[seat], state.dice[0], direction], log)
    elif action < RELOCATE:
        direction = (action - WALK_MINUS) % 4
        steps = state.dice[0] + (1 if action >= WALK_PLUS else -1)
        use(state, seat, PLUS_MINUS, log)
        walk(state, seat, direction, steps, INSIDE[state.pawn[seat], steps, direction], log)
    elif action < STAY:
        relocate(state, seat, action - RELOCATE, log)
    else:
        stay(state, seat, log)


@kernel
def start(state: State, seat: int, square: int, log: Log) -> None:
    """§1.2 The pawn stands on the border; the square is not marked."""
    state.pawn[seat] = square
    tell(log, STARTED, seat, EVERYONE, square)


@kernel
def put_in_order(state: State, seat: int, order: int, log: Log) -> None:
    """§1.4 The one who rolled puts the dice in order."""
    first = state.dice[ORDERS[order, 0]]
    second = state.dice[ORDERS[order, 1]]
    third = state.dice[ORDERS[order, 2]]
    state.dice[0] = first
    state.dice[1] = second
    state.dice[2] = third
    tell(log, ORDERED, seat, EVERYONE, first, second, third)


# §3 Walking


@kernel
def walk(state: State, seat: int, direction: int, steps: int, square: int, log: Log) -> None:
    """§3.1 Exactly so many steps in a straight line; §3.2 what lies between does not matter."""
    tell(log, WALKED, seat, EVERYONE, state.pawn[seat], square, direction, steps)
    state.pawn[seat] = square
    mark(state, seat, square, log)


@kernel
def mark(state: State, seat: int, square: int, log: Log) -> None:
    """§3.3 A slash; on a slash the second stroke makes a cross, which pays nothing (§4.1)."""
    state.marked = 1
    state.turn_points[seat] = 0
    bit = 1 << square
    if state.visited[seat] & bit != 0:
        state.crossed[seat] |= bit
        tell(log, CROSSED, seat, EVERYONE, square)
        return
    state.visited[seat] |= bit
    tell(log, SLASHED, seat, EVERYONE, square)
    visit(state, seat, square, log)


@kernel
def relocate(state: State, seat: int, square: int, log: Log) -> None:
    """§3.7 Any clean square, without a mark; §3.8 the pawn's own may be one of them."""
    tell(log, RELOCATED, seat, EVERYONE, state.pawn[seat], square)
    state.pawn[seat] = square
    state.turn_points[seat] = 0


@kernel
def stay(state: State, seat: int, log: Log) -> None:
    """§3.9 No way and no clean square: the turn passes."""
    state.turn_points[seat] = 0
    tell(log, STAYED, seat, EVERYONE, state.pawn[seat])


# §4 Points and abilities


@kernel
def visit(state: State, seat: int, square: int, log: Log) -> None:
    """§4.1 The first visit to a square pays all that it completes, as one entry of the score track (§6.2)."""
    before = state.total[seat]
    complete_lines(state, seat, square, log)
    hall = HALL[state.sheet, square]
    if hall == NOTHING:
        meet_meeps(state, seat, log)
    elif closes_hall(state.sheet, state.visited[seat], hall):
        close_hall(state, seat, hall, log)
    points = state.total[seat] - before
    if points > 0:
        write(state, seat, points, log)


@kernel
def complete_lines(state: State, seat: int, square: int, log: Log) -> None:
    """§4.2 Three points for each row or column with every square visited, Meeps squares included."""
    visited = state.visited[seat]
    row = square // SIDE
    column = square % SIDE
    if fills(visited, ROW_MASK[row]):
        tell(log, ROW, seat, EVERYONE, row, LINE_POINTS)
        earn(state, seat, BY_LINES, LINE_POINTS)
    if fills(visited, COLUMN_MASK[column]):
        tell(log, COLUMN, seat, EVERYONE, column, LINE_POINTS)
        earn(state, seat, BY_LINES, LINE_POINTS)


@kernel
def fills(visited: int, mask: int) -> bool:
    return visited & mask == mask


@kernel
def meet_meeps(state: State, seat: int, log: Log) -> None:
    """§4.3 The next space of the Meeps track."""
    space = state.meeps[seat]
    state.meeps[seat] += 1
    points = TRACK_POINTS[state.sheet, space]
    tell(log, MEEPS_MET, seat, EVERYONE, space, points)
    earn(state, seat, BY_MEEPS, points)
    gain(state, seat, TRACK_ABILITY[state.sheet, space], log)


@kernel
def closes_hall(sheet: int, visited: int, hall: int) -> bool:
    """§4.4 All its stands are visited."""
    return fills(visited, HALL_MASK[sheet, hall])


@kernel
def close_hall(state: State, seat: int, hall: int, log: Log) -> None:
    """§4.4 A hall pays its size; §4.5 its circle may complete its row and its column of the combo grid."""
    state.closed[seat] |= 1 << hall
    place = HALL_PLACE[state.sheet, hall]
    size = place % SIZES + 1
    tell(log, HALL_CLOSED, seat, EVERYONE, place // SIZES, place % SIZES, size)
    earn(state, seat, BY_HALLS, size)
    fill_combo(state, seat, place // SIZES, log)
    fill_combo(state, seat, SIZES + place % SIZES, log)


@kernel
def fill_combo(state: State, seat: int, line: int, log: Log) -> None:
    """§4.5 A combo pays once, when its circles reach the number it asks for."""
    if not completes_combo(state.sheet, state.closed[seat], line):
        return
    points = COMBO_POINTS[state.sheet, line]
    tell(log, COMBO, seat, EVERYONE, line, points)
    earn(state, seat, BY_COMBOS, points)
    gain(state, seat, COMBO_ABILITY[state.sheet, line], log)


@kernel
def completes_combo(sheet: int, closed: int, line: int) -> bool:
    """Whether the circle just drawn in this line was the one it asked for."""
    return count(closed & COMBO_MASK[sheet, line]) == COMBO_NEED[sheet, line]


@kernel
def count(bits: int) -> int:
    """How many bits are set."""
    found = 0
    while bits != 0:
        bits &= bits - 1
        found += 1
    return found


@kernel
def earn(state: State, seat: int, source: int, points: int) -> None:
    state.earned[seat, source] += points
    state.total[seat] += points


# §5 Abilities. One move a turn: so an ability is used in a later turn than it was gained in, and never two at once.


@kernel
def gain(state: State, seat: int, ability: int, log: Log) -> None:
    """§5.1 A circled ability waits for a later turn."""
    if ability != NOTHING:
        state.abilities[seat, ability] += 1
        tell(log, GAINED, seat, EVERYONE, ability)


@kernel
def use(state: State, seat: int, ability: int, log: Log) -> None:
    """§5.1 Crossed out: each works once."""
    state.abilities[seat, ability] -= 1
    state.used[seat, ability] += 1
    tell(log, USED, seat, EVERYONE, ability)


# §6 The score track


@kernel
def write(state: State, seat: int, points: int, log: Log) -> None:
    """§6.1 One space for a turn with points, holding the new total; §6.3 a turn without points takes none."""
    space = state.filled[seat]
    state.track[seat, space] = state.total[seat]
    state.filled[seat] += 1
    state.turn_points[seat] = points
    tell(log, WROTE, seat, EVERYONE, space, points, state.total[seat])
    if reaches_the_end(state, seat):
        tell(log, LAST_ROUND, seat, EVERYONE)


# §2 The round


@kernel
def complete_round(state: State, log: Log) -> None:
    """Everybody has decided: dice, next round, or the end."""
    if state.phase == STARTING:
        roll_first_dice(state, log)
        if state.as_rolled == 0:
            state.phase = ORDERING
            state.waiting[0] = 1
            return
    elif state.phase == MOVING:
        if note_the_end(state, log):
            return
        roll_active_die(state, log)
    state.phase = MOVING
    state.round_number += 1
    tell(log, NEW_ROUND, NOBODY, EVERYONE, state.round_number)
    await_all(state)


@kernel
def roll_first_dice(state: State, log: Log) -> None:
    """§1.3 Three dice; §1.4 whoever rolled them puts them in order, unless they stay as they fell."""
    for place in range(DICE):
        state.dice[place] = 1 + below(state, 6)
    tell(log, ROLLED, NOBODY, EVERYONE, state.dice[0], state.dice[1], state.dice[2], 1)


@kernel
def roll_active_die(state: State, log: Log) -> None:
    """§2.3 The active die is rolled again into the last place; the others move up."""
    state.dice[0] = state.dice[1]
    state.dice[1] = state.dice[2]
    state.dice[2] = 1 + below(state, 6)
    tell(log, ROLLED, NOBODY, EVERYONE, state.dice[0], state.dice[1], state.dice[2], 0)


# §7 The end


@kernel
def reaches_the_end(state: State, seat: int) -> bool:
    """§7.1 The penultimate space is written."""
    return state.filled[seat] == SCORE_SPACES[state.sheet] - 1


@kernel
def note_the_end(state: State, log: Log) -> bool:
    """§7.1 At the end of the round in which somebody got there; §7.7 or when nobody marks anything any more."""
    for seat in range(state.seats):
        if reaches_the_end(state, seat):
            finish(state, 1, log)
            return True
    state.idle_rounds = 0 if state.marked == 1 else state.idle_rounds + 1
    state.marked = 0
    if state.idle_rounds >= IDLE_ROUNDS:
        finish(state, 2, log)
        return True
    return False


@kernel
def finish(state: State, why: int, log: Log) -> None:
    """§7.2 Three more points for everybody who got there; §7.3 all write their final total in the last space."""
    last = SCORE_SPACES[state.sheet] - 1
    for seat in range(state.seats):
        if reaches_the_end(state, seat):
            earn(state, seat, BY_END, END_BONUS)
            tell(log, BONUS, seat, EVERYONE, END_BONUS, state.total[seat])
        state.track[seat, last] = state.total[seat]
    state.over = why
    tell(log, ENDED, NOBODY, EVERYONE, why)


@kernel
def is_over(state: State) -> bool:
    return state.over > 0


@kernel
def scores(state: State, out: ScoreList) -> None:
    for seat in range(state.seats):
        out[seat] = state.total[seat]


@kernel
def standing(state: State, seat: int) -> int:
    """§7.4 The highest total; §7.5 then more crosses."""
    return int(state.total[seat]) * 100 + count(state.crossed[seat])


@kernel
def ranks(state: State, out: ScoreList) -> None:
    """§7.6 Equal in both: shared."""
    for seat in range(state.seats):
        out[seat] = 1
        for other in range(state.seats):
            if standing(state, other) > standing(state, seat):
                out[seat] += 1
