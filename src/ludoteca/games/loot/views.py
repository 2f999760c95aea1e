"""Loot for people: the sheets as JSON, and what each choice would bring.

Squares travel as numbers 0 to 48, row by row. The view carries the printed sheet itself, so the page can draw any.
"""

from __future__ import annotations

import functools

from ludoteca.core.game import Json
from ludoteca.core.log import new_log
from ludoteca.core.view_parts import Part, Values, ViewInParts

from .actions import ACTIONS, ORDER, ORDERS, RELOCATE, START, STAY, WALK, WALK_MINUS, WALK_PLUS, WALK_WRAP
from .components import (
    ABILITIES,
    BORDER,
    COLUMN_MASK,
    COMBO_LINES,
    COMBO_MASK,
    HOUSE_SHEETS,
    INSIDE,
    NOTHING,
    OVER_EDGE,
    PLUS_MINUS,
    ROW_MASK,
    SHEETS,
    SIDE,
    SQUARES,
    STEP,
    WRAP,
    Reward,
)
from .facts import FACTS, SCORING
from .rules.decisions import END_BONUS, IDLE_ROUNDS, LINE_POINTS, count, mark, reaches_the_end, standing
from .state import BY_END, MOVING, SOURCES, State

PHASES = ("start", "order", "move")


# ── The table, in parts (see core/view_parts.py): everything but the dice to come and sealed moves is public ─────


def sheet(sheet: int) -> Json:
    """The sheet that everybody plays on."""
    return {"sheet": printed(sheet)}


def state_of_play(phase: int, round_number: int, dice: Values, over: int, idle_rounds: int) -> Json:
    """What is decided now, with which dice."""
    return {
        "phase": PHASES[phase],
        "round": round_number,
        "dice": dice,
        "over": over,
        "idle_left": IDLE_ROUNDS - idle_rounds,
    }


def own(state: State, seat: int) -> Json:
    """For the viewer's own seat."""
    return {"seat": seat, "stuck": is_stuck(state, seat), "sealed": sealed_by(state, seat)}


def sealed_by(state: State, seat: int) -> Json | None:
    """What this seat has decided while others still think."""
    action = int(state.sealed[seat])
    if action == NOTHING:
        return None
    return {"kind": ACTIONS.decode(action).kind, **ACTIONS.arguments(action), **choice(state, seat, action)}


@functools.cache
def printed(number: int) -> Json:
    """What is printed on the sheet."""
    sheet = SHEETS[number]
    return {
        "key": sheet.key,
        "name": sheet.name,
        "house": sheet.key in HOUSE_SHEETS,
        "grid": sheet.grid,
        "halls": [{"colour": h.colour, "size": h.size, "squares": list(h.squares)} for h in sheet.halls],
        "meeps_track": [reward(r) for r in sheet.meeps_track],
        "combos": [
            {"line": line, "need": combo[0], **reward(combo[1])}
            for line, combo in zip(COMBO_LINES, sheet.combos, strict=True)
            if combo is not None
        ],
        "spaces": sheet.score_spaces,
        "line_points": LINE_POINTS,
        "end_bonus": END_BONUS,
    }


def reward(found: Reward) -> Json:
    """Points or an ability."""
    if isinstance(found, int):
        return {"points": found, "ability": None}
    return {"points": 0, "ability": found}


def squares(seat: int, sheet: int, visited: int, crossed: int, closed: int) -> Json:
    """The squares of one player's sheet, and what they make."""
    printed = SHEETS[sheet]
    marks = ["x" if crossed >> s & 1 else "/" if visited >> s & 1 else "." for s in range(SQUARES)]
    circles = [count(closed & int(mask)) for mask in COMBO_MASK[sheet]]
    return {
        "marks": "".join(marks),
        "rows": [count(visited & int(mask)) for mask in ROW_MASK],
        "columns": [count(visited & int(mask)) for mask in COLUMN_MASK],
        "halls": [
            {"closed": bool(closed >> n & 1), "colour": hall.colour, "size": hall.size}
            for n, hall in enumerate(printed.halls)
        ],
        "combos": [
            {"circles": n, "done": n >= combo[0]}
            for n, combo in zip(circles, printed.combos, strict=True)
            if combo is not None
        ],
        "crosses": count(crossed),
    }


def score(
    seat: int, sheet: int, over: int, meeps: int, abilities: Values, used: Values, total: int, filled: int,
    track: Values, earned: Values, turn_points: int,
) -> Json:  # fmt: skip
    """What one player has scored, and the abilities."""
    written = SHEETS[sheet].score_spaces if over else filled
    return {
        "meeps": meeps,
        "abilities": dict(zip(ABILITIES, abilities, strict=True)),
        "used": dict(zip(ABILITIES, used, strict=True)),
        "total": total,
        "track": track[:filled],
        "final": track[written - 1] if over else None,
        "sources": dict(zip(SOURCES, earned, strict=True)),
        "turn_points": turn_points,
    }


def pawn(seat: int, pawn: int, waiting: int) -> Json:
    """Where one player stands, and whether they have moved."""
    return {"pawn": None if pawn == NOTHING else pawn, "moved": not waiting}


def place(state: State, seat: int) -> Json:
    """The place of a seat at the end, from 1."""
    return {"rank": rank(state, seat) if state.over else None}


def rank(state: State, seat: int) -> int:
    """The place of a seat, from 1."""
    own = standing(state, seat)
    return 1 + sum(standing(state, other) > own for other in range(state.seats))


def is_stuck(state: State, seat: int) -> bool:
    """Whether no plain walk is possible now."""
    if state.phase != MOVING or not state.waiting[seat]:
        return False
    return not any(enters(state, seat, target(state, seat, WALK + direction)) for direction in range(4))


def enters(state: State, seat: int, square: int) -> bool:
    return square != NOTHING and not int(state.crossed[seat]) >> square & 1


def steps_of(state: State, action: int) -> int:
    """How many squares this walk is long."""
    if action < WALK_MINUS:
        return int(state.dice[0])
    return int(state.dice[0]) + (1 if action >= WALK_PLUS else -1)


def target(state: State, seat: int, action: int) -> int:
    """Where this walk ends, or NOTHING."""
    table = OVER_EDGE if WALK_WRAP <= action < WALK_MINUS else INSIDE
    return int(table[state.pawn[seat], steps_of(state, action), (action - WALK) % 4])


VIEW = ViewInParts(
    State,
    table=[
        Part(sheet, ("sheet",)),
        Part(state_of_play, ("phase", "round_number", "dice", "over", "idle_rounds")),
    ],
    players=[
        Part(squares, ("sheet",), ("visited", "crossed", "closed")),
        Part(
            score,
            ("sheet", "over"),
            ("meeps", "abilities", "used", "total", "filled", "track", "earned", "turn_points"),
        ),
        Part(pawn, (), ("pawn", "waiting")),
        Part(place, ("over", "seats", "total", "crossed"), opened=True),
    ],
    you=[Part(own, opened=True)],
)


# What a choice brings: the rules are asked, on a copy.


def choice(state: State, seat: int, action: int) -> Json:
    """The facts a page needs to offer this action."""
    if action < ORDER:
        return {"to": int(BORDER[action - START])}
    if action < WALK:
        return {"dice": [int(state.dice[place]) for place in ORDERS[action - ORDER].tolist()]}
    if action < RELOCATE:
        return walk_choice(state, seat, action)
    if action < STAY:
        return {"to": action - RELOCATE}
    return {"to": int(state.pawn[seat])}


def walk_choice(state: State, seat: int, action: int) -> Json:
    """A walk: its squares, the mark it leaves and what that brings."""
    to, steps, direction = target(state, seat, action), steps_of(state, action), (action - WALK) % 4
    down, right = STEP[direction]
    row, column = divmod(int(state.pawn[seat]), SIDE)
    path = [(row + down * n) % SIDE * SIDE + (column + right * n) % SIDE for n in range(1, steps + 1)]
    ability = None if action < WALK_WRAP else ABILITIES[WRAP if action < WALK_MINUS else PLUS_MINUS]
    first = not int(state.visited[seat]) >> to & 1
    walked = {"to": to, "steps": steps, "path": path, "ability": ability, "mark": "/" if first else "x"}
    return walked | outcome(state, seat, to)


def outcome(state: State, seat: int, square: int) -> Json:
    """What marking this square brings: points in all and their reasons, abilities, the new total."""
    trial = state.copy()
    log = new_log(16)
    mark(trial, seat, square, log)
    events = [FACTS.named(trial, fact) for fact in FACTS.read(log)]
    points = int(trial.total[seat]) - int(state.total[seat])
    return {
        "points": points,
        "gains": [
            {key: value for key, value in event.items() if key != "seat"}
            for event in events
            if event["kind"] in SCORING
        ],
        "total": int(trial.total[seat]),
        "space": int(trial.filled[seat]) if points else None,  # the space of the score track it takes, from 1
        "ends": bool(points) and bool(reaches_the_end(trial, seat)),
    }


def explain(state: State, seat: int, action: int) -> tuple[str, Json]:
    """Why this action is not legal now: a key of the words and its facts."""
    kind = ACTIONS.decode(action).kind
    if PHASES[state.phase] == "start":
        return "choose_start", {}
    if PHASES[state.phase] == "order":
        return ("same_order", {}) if kind == "order" else ("choose_order", {})
    if kind in ("start", "order"):
        return f"not_now_{kind}", {}
    if kind == "relocate":
        return ("not_stuck", {}) if not is_stuck(state, seat) else ("not_clean", {})
    if kind == "stay":
        return ("not_stuck", {}) if not is_stuck(state, seat) else ("clean_left", {})
    if kind == "walk_wrap" and not state.abilities[seat, WRAP]:
        return "no_wrap", {}
    if kind in ("walk_minus", "walk_plus") and not state.abilities[seat, PLUS_MINUS]:
        return "no_plus_minus", {}
    if kind == "walk_minus" and state.dice[0] == 1:
        return "no_zero", {}
    if target(state, seat, action) == NOTHING:
        return ("no_edge", {}) if kind == "walk_wrap" else ("off_grid", {"steps": steps_of(state, action)})
    return "crossed", {}


def reasons(state: State) -> list[Json]:
    """For each seat, what its rank comes from."""
    totals = state.total[: state.seats].tolist()
    return [
        {
            "points": totals[seat],
            "sources": dict(zip(SOURCES, state.earned[seat].tolist(), strict=True)),
            "bonus": int(state.earned[seat, BY_END]),
            "crosses": count(int(state.crossed[seat])),
            "tied": totals.count(totals[seat]) > 1,  # then the crosses decide
            "scores": int(state.filled[seat]),
            "unused": int(state.abilities[seat].sum()),
            "rounds": state.round_number,
            "idle": state.over == 2,
        }
        for seat in range(state.seats)
    ]


def shuffles(state: State) -> list[tuple[str, int]]:
    """Loot has no shuffles; its dice come from the stream one by one."""
    return []


def components(state: State) -> Json:
    """What can be counted on the table, for each sheet: squares by mark, and what does not add up (nothing)."""
    counted = []
    for seat in range(state.seats):
        visited, crossed = int(state.visited[seat]), int(state.crossed[seat])
        filled = int(state.filled[seat])
        counted.append(
            {
                "squares": count(~visited & (1 << SQUARES) - 1) + count(visited & ~crossed) + count(crossed),
                "points_without_source": int(state.total[seat] - state.earned[seat].sum()),
                "points_not_written": int(
                    state.total[seat] - state.earned[seat, BY_END] - (state.track[seat, filled - 1] if filled else 0)
                ),
                "meeps_not_met": int(state.meeps[seat])
                - sum(visited >> s & 1 for s, letter in enumerate(SHEETS[state.sheet].grid) if letter == "M"),
            }
        )
    return {"dice": len(state.dice), "sheets": counted}
