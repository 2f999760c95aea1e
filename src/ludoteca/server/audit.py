"""`ludoteca audit TABLE`: a game as it was stored, step by step: what settles a dispute.

For each step: when it was decided, at which seat and by whom (the person, a bot, a stand-in), what, with which command,
the hash of its row, which holds the row before (so nothing can be left out or put in between), and for everybody who
could look on a hash of what they were shown after it. Those are made again from the journal: whoever kept a view, or a
picture of it, can have it compared with what the server must have sent. Where there was a clock, everything that set it
going, stopped or changed it is told (time that was given and by whom, days off, a lost line), and what each had left. A game
in play is not told: it would give secrets away.
"""

from __future__ import annotations

import asyncio
import hashlib
import pathlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from ludoteca import catalogue
from ludoteca.core.engine import Engine, interpreted
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.core.play import Play, taken_back_to
from ludoteca.core.record import SPECTATOR

from . import queries
from .clock_rows import find_spans
from .clocks import Clocks, Row, Up, read_terms
from .database import Connection, one_moment
from .fair import chance_of
from .looking import looked_at
from .reading import read_back
from .seats import names_on

HASH_BYTES = 8


class Audited(msgspec.Struct):
    """One step."""

    seq: int
    at: float
    seat: int
    name: str
    decider: str | None  # person, bot, standin; null where an earlier server did not note it
    action: int
    written: str  # the action as it is typed, or to which step it was taken back
    step: int  # 0: a decision begins
    command: str | None  # the name that the browser gave its command
    row: str  # hash of the row and of all before it
    views: dict[str, str]  # what each seat, and a spectator, was shown after it: a hash


class Ticked(msgspec.Struct):
    """Something that concerned the clocks, and what each seat had left with it."""

    at: float
    what: str  # as `clocks.py` has it: deal, turn, seal, undo, more, off, lost, found, left, out, back
    seat: int | None  # whom it was about
    by: int | None  # who gave time
    amount: float  # seconds given
    running: list[int]  # whose clocks ran from then on
    left: list[float]  # seconds, seat by seat

    def line(self, names: list[str]) -> str:
        """For people."""
        about = "" if self.seat is None else f" seat {self.seat} {names[self.seat]}"
        given = "" if self.by is None else f", {self.amount:g} s from seat {self.by} {names[self.by]}"
        left = "  ".join(f"{seat} {seconds:.1f}" for seat, seconds in enumerate(self.left))
        return f"       {_when(self.at)}  clock: {self.what}{about}{given}   left: {left}   runs: {self.running}"


class Audit(msgspec.Struct):
    """A whole game."""

    table: str
    game: str
    version: str
    rated: bool
    options: dict[str, str]
    names: list[str]
    commitment: str
    dealt: dict[str, str]  # what each was shown before the first step
    steps: list[Audited]
    problem: str  # why it goes no further; empty if it is whole
    clocks: list[Ticked] = []

    def lines(self) -> Iterator[str]:
        """For people."""
        counts = "rated" if self.rated else "friendly"
        yield f"{self.game} (rules {self.version}), {counts}, table {self.table}: {', '.join(self.names)}"
        yield f"promised before the deal: {self.commitment}"
        yield f"    0  the deal   shown: {_shown(self.dealt)}"
        ticked = list(self.clocks)
        for one in self.steps:
            while ticked and ticked[0].at < one.at:
                yield ticked.pop(0).line(self.names)
            by = one.decider or "not noted"
            yield f"{one.seq:5}  {_when(one.at)}  seat {one.seat} {one.name} ({by}): {one.written}   row {one.row}"
            yield f"       shown: {_shown(one.views)}"
        yield from (row.line(self.names) for row in ticked)
        yield self.problem or "Every row is as it was written, and every decision replays."


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shown(views: dict[str, str]) -> str:
    return "  ".join(f"{viewer} {digest}" for viewer, digest in views.items())


def view_hash(play: Play, viewer: int) -> str:
    """Of what this viewer is shown: the view as JSON with its keys in order."""
    view = msgspec.json.encode(play.position(viewer).view(), order="sorted")
    return hashlib.blake2b(view, digest_size=HASH_BYTES).hexdigest()


def views_of(play: Play) -> dict[str, str]:
    """Of everybody who could look on."""
    seats = {str(seat): view_hash(play, seat) for seat in range(play.seats)}
    return seats | {"spectator": view_hash(play, SPECTATOR)}


def audit(place: pathlib.Path | str, table: str, games: Sequence[Game] = ()) -> Audit:
    """The log of one finished game, one of these or an installed one; changes nothing, and servers may be running."""
    with looked_at(place) as db:
        with one_moment(db):
            row = queries.find_table(db, table)
            if row is None:
                raise BadData(f"There is no table {table}.", "no_such_table")
            if row.phase != "over":
                raise BadData("That game is not over: what it holds is still secret.", "not_over")
            kept, written = queries.find_game(db, table), _rows(db, table)
            clocks = ticked(
                row, queries.find_clock(db, row), Up.of((since, until) for _, since, until in find_spans(db))
            )
        engine = interpreted(catalogue.with_text(catalogue.known(row.game, games), kept.deck))
        read = asyncio.run(read_back(engine, row, kept))
        whole = read.play.seq if read.play is not None else 0
        found = _audit(engine, row, kept, written[:whole], read.problem)
        found.clocks = clocks
        return found


def ticked(row: queries.TableRow, rows: list[Row], up: Up) -> list[Ticked]:
    """What happened to the clocks of a table, worked out from its rows as the server has done."""
    terms, found = read_terms(row.clock), list[Ticked]()
    if terms is None:
        return found
    seats, clocks = range(len(row.chairs)), Clocks.begin(terms, len(row.chairs))
    for one in rows:
        clocks = clocks.after(one, up)
        left = [clocks.left(seat, one.at, up) for seat in seats]
        running = [seat for seat in seats if clocks.runs(seat)]
        found.append(Ticked(one.at, one.what, one.seat, one.by, one.amount, running, left))
    return found


def _rows(db: Connection, table: str) -> list[tuple[str | None, bytes]]:
    rows = db.execute("SELECT command, hash FROM decisions WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    return [(command, bytes(hashed)) for command, hashed in rows]


def _written(engine: Engine, action: int) -> str:
    """An action as it is typed; what was taken back is told by the step that the game went back to."""
    step = taken_back_to(action)
    return engine.game.actions.write(action) if step is None else f"taken back to step {step}"


def _audit(
    engine: Engine, row: queries.TableRow, kept: queries.GameRow, written: list[tuple[str | None, bytes]], problem: str
) -> Audit:
    names = names_on(row.chairs)
    play = Play.deal(engine, len(row.chairs), row.options, chance_of(row, kept))
    found = Audit(
        row.id, row.game, row.version, row.rated, row.options, names, row.commitment, views_of(play), [], problem
    )
    for (seat, action, step), (at, decider), (command, hashed) in zip(kept.decided, kept.marks, written, strict=False):
        play.follow(seat, [action], step)
        found.steps.append(
            Audited(
                play.seq, at, seat, names[seat], decider, action, _written(engine, action), step, command,
                hashed[:HASH_BYTES].hex(), views_of(play),
            )
        )  # fmt: skip
    return found
