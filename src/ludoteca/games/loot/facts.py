"""What can happen in Loot, and what comes with the choices; the rules tell it, everything else is made from it."""

from __future__ import annotations

from ludoteca.core.facts import (
    FLAG,
    NUMBER,
    Choices,
    Facts,
    Value,
    also,
    carried,
    counted,
    names,
    number,
    optional,
    said,
    several,
)
from ludoteca.core.record import Plain

from .actions import ACTIONS
from .components import ABILITIES, COLOURS, COMBO_LINES, DIRECTIONS, SHEETS, SIDE, SIZES, SQUARES

STANDS = (*COLOURS, "meeps")


def stand(state: Plain, square: int) -> str:
    """The colour of a square, or Meeps."""
    letter = SHEETS[state.sheet].grid[square]
    return next((colour for colour in COLOURS if colour[0] == letter.lower()), "meeps")


SQUARE = number("square", 0, SQUARES - 1)
STAND = Value(
    "stand",
    " | ".join(f"'{one}'" for one in STANDS),
    names("stand", STANDS).meaning,
    stand,
    lambda square: 0 <= square < SQUARES,
    words="a_stand",
)
DICE = several(number("die", 1, 6), 3, "dice")
ABILITY = names("ability", ABILITIES)
DIRECTION = names("direction", DIRECTIONS, words="direction")
COLOUR = names("colour", COLOURS)
LINE = names("line", COMBO_LINES)
ENDING = names("ending", ("rules", "idle"), first=1)

FACTS = Facts()

STARTED = FACTS.kind("started", square=SQUARE, stand=also("square", STAND))
ORDERED = FACTS.kind("ordered", dice=DICE)
USED = FACTS.kind("used", ability=ABILITY)
WALKED = FACTS.kind("walked", from_=SQUARE, to=SQUARE, direction=DIRECTION, steps=NUMBER)
SLASHED = FACTS.kind("slashed", square=SQUARE, stand=also("square", STAND))
CROSSED = FACTS.kind("crossed", square=SQUARE, stand=also("square", STAND))
RELOCATED = FACTS.kind("relocated", from_=SQUARE, to=SQUARE)
STAYED = FACTS.kind("stayed", square=SQUARE, stand=also("square", STAND))
ROW = FACTS.kind("row", number=counted("line_number", SIDE), points=NUMBER)
COLUMN = FACTS.kind("column", number=counted("line_number", SIDE), points=NUMBER)
HALL_CLOSED = FACTS.kind("hall", colour=COLOUR, size=counted("size", SIZES), points=NUMBER, hall=said("colour", "hall"))
MEEPS_MET = FACTS.kind("meeps", space=counted("space", SQUARES), points=NUMBER)
COMBO = FACTS.kind("combo", line=LINE, points=NUMBER)
GAINED = FACTS.kind("gained", ability=ABILITY)
WROTE = FACTS.kind("wrote", space=counted("space", SQUARES), points=NUMBER, total=NUMBER)
ROLLED = FACTS.of_the_table("rolled", dice=DICE, first=FLAG)
NEW_ROUND = FACTS.of_the_table("new_round", round=NUMBER)
LAST_ROUND = FACTS.kind("last_round")
BONUS = FACTS.kind("bonus", points=NUMBER, total=NUMBER)
ENDED = FACTS.of_the_table("ended", why=ENDING)

SCORING = ("row", "column", "hall", "meeps", "combo", "gained")

_WALK = {
    "to": SQUARE,
    "steps": NUMBER,
    "path": carried("path", "number[]", "the squares on the way", "le caselle lungo la strada"),
    "ability": optional(ABILITY),
    "mark": names("mark", ("/", "x")),
    "points": NUMBER,
    "gains": carried(
        "gains", f"Told<{' | '.join(map(repr, SCORING))}>[]", "what pays: events", "ciò che rende: eventi"
    ),
    "total": NUMBER,
    "space": optional(number("space", 1)),
    "ends": FLAG,
}
CHOICES = Choices(
    ACTIONS,
    {"direction": DIRECTION},
    start={"to": SQUARE},
    order={"dice": DICE},
    walk=_WALK,
    walk_wrap=_WALK,
    walk_minus=_WALK,
    walk_plus=_WALK,
    relocate={"to": SQUARE},
    stay={"to": SQUARE},
)
