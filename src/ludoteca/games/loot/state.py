"""The state of a game of Loot: every field, its meaning, and who may see it.

Hidden are the dice to come, and what the others have decided while somebody still thinks.
"""

from __future__ import annotations

from typing import Any

from ludoteca.core.record import Field, See

from .components import MOST_SPACES

SEATS = 4
DICE = 3

STARTING, ORDERING, MOVING = range(3)  # what is decided now
BY_HALLS, BY_MEEPS, BY_LINES, BY_COMBOS, BY_END = range(5)  # where points come from
SOURCES = ("halls", "meeps", "lines", "combos", "end")

FIELDS = (
    Field("rng", "i8", (), See.NOBODY, "the game's random stream"),
    Field("sheet", "i1", (), See.PUBLIC, "the sheet everybody plays on, by number"),
    Field(
        "as_rolled",
        "i1",
        (),
        See.PUBLIC,
        "1 if the first dice lie as they fell; otherwise the first player orders them",
    ),
    Field("seats", "i1", (), See.PUBLIC, "number of players"),
    Field("round_number", "i2", (), See.PUBLIC, "the round, from 1; 0 while pawns are put on the border"),
    Field("phase", "i1", (), See.PUBLIC, "what is decided: 0 where to start, 1 the order of the dice, 2 a move"),
    Field("waiting", "i1", (SEATS,), See.PUBLIC, "1 while this seat owes a decision"),
    Field("sealed", "i1", (SEATS,), See.OWNER, "the action decided on, until all have decided, or -1"),
    Field("dice", "i1", (DICE,), See.PUBLIC, "the active die, the next one and the one after; 0 before the first roll"),
    Field("pawn", "i1", (SEATS,), See.PUBLIC, "the square of the pawn (0 to 48, row by row), or -1"),
    Field("visited", "i8", (SEATS,), See.PUBLIC, "bits: the squares with a slash or a cross"),
    Field("crossed", "i8", (SEATS,), See.PUBLIC, "bits: the squares with a cross"),
    Field("closed", "i8", (SEATS,), See.PUBLIC, "bits: the halls closed"),
    Field("meeps", "i1", (SEATS,), See.PUBLIC, "spaces circled on the Meeps track"),
    Field("abilities", "i1", (SEATS, 2), See.PUBLIC, "abilities that can be used: wrap, plus or minus one"),
    Field("used", "i1", (SEATS, 2), See.PUBLIC, "abilities crossed out"),
    Field("total", "i2", (SEATS,), See.PUBLIC, "points"),
    Field("earned", "i2", (SEATS, 5), See.PUBLIC, "points by source: halls, Meeps, lines, combos, the end"),
    Field("filled", "i1", (SEATS,), See.PUBLIC, "spaces written on the score track"),
    Field("track", "i2", (SEATS, MOST_SPACES), See.PUBLIC, "what is written there: the total after each scoring turn"),
    Field("turn_points", "i2", (SEATS,), See.PUBLIC, "points of this seat's latest turn"),
    Field("marked", "i1", (), See.PUBLIC, "1 if anybody has marked a square in this round"),
    Field("idle_rounds", "i2", (), See.PUBLIC, "rounds in a row without a mark"),
    Field("over", "i1", (), See.PUBLIC, "0 in play, 1 ended by the rules, 2 because nobody marks anything any more"),
)


class State:
    """For readers and type checkers: a record with the fields above."""

    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
