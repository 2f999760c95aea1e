"""Reading a game back from the store: every decision is checked again, by today's rules.

A game goes on if today's rules give what was told when it was played (`core/traces.py`), whichever version wrote it; then
it is carried over to today's version. Otherwise it ends, with a reason in words, and can be looked back at as far as it
is known to be true.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass

from ludoteca.core import traces
from ludoteca.core.engine import Engine
from ludoteca.core.errors import Refusal
from ludoteca.core.play import Play

from .fair import chance_of
from .queries import GameRow, TableRow

RULES = "rules"  # why a game had to end: the rules are not those it was played by
DAMAGED = "damaged"  # or: what the store holds of it is not what was written

AT_A_STRETCH = 0.005  # seconds of reading before others get a turn of the event loop

log = logging.getLogger("ludoteca.reading")


@dataclass
class Read:
    """A game as far as it could be played again."""

    play: Play | None  # None: not even the deal
    trace: bytes  # of where it stands
    problem: str = ""  # why it goes no further; a sentence
    proven: bool = True  # whether every step has left its trace
    reason: str = RULES  # why it would have to end


async def read_back(engine: Engine, row: TableRow, kept: GameRow) -> Read:
    """Plays a stored game again, as far as that is possible."""
    if kept.whole is not None:
        found = await _played(engine, row, kept, kept.whole)
        found.problem, found.reason = f"row {kept.whole + 1} is not as it was written", DAMAGED
        return found
    found = await _played(engine, row, kept, len(kept.decided))
    if not found.problem and found.play is not None:
        over = "over" if found.play.is_over() else "playing"
        if found.play.seq != row.seq or (over != row.phase and not row.ended):
            found.problem = f"{found.play.seq} decisions, {over}; noted are {row.seq}, {row.phase}"
            found.reason = DAMAGED
    return found


async def _played(engine: Engine, row: TableRow, kept: GameRow, most: int) -> Read:
    """The first `most` steps; fewer if one of them was not like this."""
    try:
        play = Play.deal(engine, len(row.chairs), row.options, chance_of(row, kept))
        found = Read(play, traces.of_the_deal(play), proven=kept.dealt is not None)
    except Exception as error:
        return Read(None, b"", f"it cannot be dealt: {error!r}", False, _reason(engine, row))
    if kept.dealt not in (None, found.trace):
        return Read(None, b"", "another deal", False, _reason(engine, row))
    began = time.monotonic()
    for number, ((seat, action, step), trace) in enumerate(zip(kept.decided[:most], kept.traces, strict=False)):
        try:
            after = traces.of_a_step(found.trace, play, play.again(seat, action, step))
        except Refusal as refusal:
            found.problem = f"step {number + 1} is not possible: {refusal.sentence}"
            return found
        except Exception as error:  # rules that were never meant for this game
            found = await _played(engine, row, kept, number)
            found.problem = f"step {number + 1} cannot be played: {error!r}"
            return found
        if trace not in (None, after):
            found = await _played(engine, row, kept, number)
            found.problem = f"step {number + 1} did something else"
            return found
        found.trace, found.proven = after, found.proven and trace is not None
        if time.monotonic() - began > AT_A_STRETCH:
            await asyncio.sleep(0)
            began = time.monotonic()
    return found


def _reason(engine: Engine, row: TableRow) -> str:
    """Why the deal is another: if the rules are the same, what it was made of is not."""
    return DAMAGED if row.version == engine.game.version else RULES


def must_end(version: str, row: TableRow, found: Read) -> bool:
    """Whether this game cannot go on by the rules of this version."""
    if found.problem:
        log.warning("Table %s (%s, rules version %s): %s.", row.id, row.game, row.version, found.problem)
        return True
    return row.phase == "playing" and row.version != version and not found.proven
