"""The state of a game of Loot: every field, its meaning, and who may see it.

Hidden are the dice to come, and what the others have decided while somebody still thinks.
"""

from __future__ import annotations

from ludoteca.core.record import Record, private, public, stream

from .components import MOST_SPACES

SEATS = 4
DICE = 3

STARTING, ORDERING, MOVING = range(3)  # what is decided now
BY_HALLS, BY_MEEPS, BY_LINES, BY_COMBOS, BY_END = range(5)  # where points come from
SOURCES = ("halls", "meeps", "lines", "combos", "end")


class State(Record):
    """A game of Loot."""

    rng = stream("i8", (), "the game's random stream")
    sheet = public("i1", (), "the sheet everybody plays on, by number")
    as_rolled = public("i1", (), "1 if the first dice lie as they fell; otherwise the first player orders them")
    seats = public("i1", (), "number of players")
    round_number = public("i2", (), "the round, from 1; 0 while pawns are put on the border")
    phase = public("i1", (), "what is decided: 0 where to start, 1 the order of the dice, 2 a move")
    waiting = public("i1", (SEATS,), "1 while this seat owes a decision")
    sealed = private("i1", (SEATS,), "the action decided on, until all have decided, or -1")
    dice = public("i1", (DICE,), "the active die, the next one and the one after; 0 before the first roll")
    pawn = public("i1", (SEATS,), "the square of the pawn (0 to 48, row by row), or -1")
    visited = public("i8", (SEATS,), "bits: the squares with a slash or a cross")
    crossed = public("i8", (SEATS,), "bits: the squares with a cross")
    closed = public("i8", (SEATS,), "bits: the halls closed")
    meeps = public("i1", (SEATS,), "spaces circled on the Meeps track")
    abilities = public("i1", (SEATS, 2), "abilities that can be used: wrap, plus or minus one")
    used = public("i1", (SEATS, 2), "abilities crossed out")
    total = public("i2", (SEATS,), "points")
    earned = public("i2", (SEATS, 5), "points by source: halls, Meeps, lines, combos, the end")
    filled = public("i1", (SEATS,), "spaces written on the score track")
    track = public("i2", (SEATS, MOST_SPACES), "what is written there: the total after each scoring turn")
    turn_points = public("i2", (SEATS,), "points of this seat's latest turn")
    marked = public("i1", (), "1 if anybody has marked a square in this round")
    idle_rounds = public("i2", (), "rounds in a row without a mark")
    over = public("i1", (), "0 in play, 1 ended by the rules, 2 because nobody marks anything any more")
