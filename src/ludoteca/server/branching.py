"""What if: a game that goes on from a moment of another one, at a table of its own.

Of a finished game the whole record is taken as it stood after a step. Of a running one, and of a puzzle, only what one's own
seat may see: the unknown is dealt again, so nobody learns anything by it. Chance is the new table's own.
"""

from __future__ import annotations

import secrets

from ludoteca.core.game import Game
from ludoteca.core.play import Play
from ludoteca.core.record import States, copied

from .guests import Guest
from .origin import Origin
from .refusals import BadRequest, NotAllowed, NotNow
from .seats import check_seat
from .table import Table
from .wire import BranchOff


def branched_off(table: Table, guest: Guest, wish: BranchOff) -> tuple[int, Origin]:
    """The seat that this guest will have, and where the branch begins."""
    if table.play is None:
        raise NotNow("not_started")
    own = table.seat_of(guest)
    if table.result is None:
        if own is None or wish.people or not table.row.hints or table.row.rated:
            raise NotAllowed("no_branch_now")
        states, step = guessed(table.play, own), table.play.seq
        seat = own
    else:
        if wish.people and own is None:
            raise NotAllowed("only_seated")
        seat = own if own is not None and (wish.people or wish.seat is None) else wish.seat or 0
        check_seat(table.row.chairs, seat)
        step = wish.step if wish.step is not None else 0
        states = stood(table, step)
    if table.engine.is_over(states):
        raise NotNow("game_over")
    return seat, Origin(table.row.id, step, table.result is None, begins_with(table.game, states))


def off_a_puzzle(play: Play, seat: int, id: str) -> Origin:
    """Where a game begins that goes on from a puzzle of this seat."""
    return Origin("", play.seq, True, begins_with(play.game, guessed(play, seat)), id)


def begins_with(game: Game, states: States) -> bytes:
    """The record that a branch begins with: the new table draws its own numbers."""
    for stream in game.streams:
        states[stream] = 0
    return states.tobytes()


def stood(table: Table, step: int) -> States:
    """The record as it stood after that step of a finished game."""
    assert table.play is not None
    if not 0 <= step <= table.play.seq:
        raise BadRequest("no_such_step")
    again = table.play.from_the_start(table.engine)
    for seat, action, part in table.play.decided():
        if again.seq == step:
            break
        again.follow(seat, [action], part)
    return copied(again.states)


def guessed(play: Play, seat: int) -> States:
    """A world that this seat cannot tell from the true one."""
    world = play.position(seat).redacted
    play.engine.determinize(world, seat, secrets.randbits(62))
    return copied(world)
