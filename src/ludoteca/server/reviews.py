"""Reviews of finished games: made in the background, in parts, and kept with the game.

Whoever may look back at a game may read its review, and any guest among them may ask for it. It is made by the same workers
as bots think in, after everything that somebody waits for at a table, and one part at a time for each guest. A part that
is stored is never made again: a server that goes on with a review begins where another has stopped. Where reviews judge
otherwise than they did, a finished one stays as it is, says so, and is made anew when somebody asks; one that is not
finished begins again, because its parts would not fit together.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import uuid
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from ludoteca.bots.levels import prepare
from ludoteca.catalogue import game as game_at
from ludoteca.core.errors import BadData
from ludoteca.core.journal import load
from ludoteca.review.judging import judge_of
from ludoteca.review.pieces import ReviewPiece
from ludoteca.review.reviewing import Story, story_of
from ludoteca.review.summing import sum_up

from . import queries
from .database import Connection
from .executor import Runner
from .guests import Guest
from .house import House
from .limits import Limit
from .queue import Turn
from .refusals import NotNow, TooMuch
from .table import Table
from .wire import ReviewSoFar

A_PART = 8  # steps
PART_LIMIT = 240.0  # seconds a part may take, the first one with compiling
COST = 64.0  # of a part, in the queue: as much as a slow bot's decision
SILENT = 120.0  # seconds without a new part after which another server goes on

log = logging.getLogger("ludoteca.reviews")


@dataclass(frozen=True)
class Kept:
    """A review as far as it is stored."""

    judge: str
    parts: int
    server: str
    at: float
    failed: bool
    found: dict[int, list[ReviewPiece]]

    @property
    def done(self) -> bool:
        return len(self.found) == self.parts


class Reviews:
    """The reviews that this server makes and shows."""

    def __init__(self, house: House, workers: Runner) -> None:
        self._house, self._workers = house, workers
        self._id = uuid.uuid4().hex
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, table: Table, guest: Guest) -> ReviewSoFar:
        """Somebody wants this game reviewed; if it has been asked for already, nothing is begun."""
        check(table)
        kept = await self._house.store.read(find, table.row.id)
        if kept is None or kept.failed or kept.judge != judge_of(table.game):
            limit = Limit("review", guest.id, self._house.settings.reviews_an_hour, 3600.0)
            try:
                await self._begin(table, limit)
            except queries.Exceeded:
                raise TooMuch("too_many_reviews", most=limit.most) from None
            self._go_on(table, guest.id)
        return await self.so_far(table, 0)

    async def _begin(self, table: Table, limit: Limit | None) -> None:
        assert table.play is not None
        parts = -(-(table.play.depth + 1) // A_PART)
        judge, now = judge_of(table.game), self._house.clock()
        await self._house.store.write(begin, table.row.id, judge, parts, self._id, now, limit)

    async def so_far(self, table: Table, first: int) -> ReviewSoFar:
        """What is known, from part `first` on; where the server that worked on it has gone, this one goes on."""
        check(table)
        kept = await self._house.store.read(find, table.row.id)
        if kept is None:
            return ReviewSoFar("none", 0, 0, 0, [], [])
        mine = table.row.id in self._tasks
        alone = not self._house.store.shared or kept.server == self._id
        quiet = alone or self._house.clock() - kept.at > SILENT
        if not kept.done and not kept.failed and not mine and quiet:
            self._go_on(table, "")
        story = self._house.past.of(table)
        await story.read_on()
        return shown(kept, first, story.ends, kept.judge != judge_of(table.game))

    def _go_on(self, table: Table, whose: str) -> None:
        id = table.row.id
        if id not in self._tasks:
            task = self._tasks[id] = asyncio.create_task(self._make(table, whose or id))
            task.add_done_callback(lambda _: self._tasks.pop(id, None))

    async def _make(self, table: Table, whose: str) -> None:
        """Part after part, each stored as soon as it is there."""
        store, id, judge = self._house.store, table.row.id, judge_of(table.game)
        kept = await store.read(find, id)
        if kept is None or kept.judge != judge:  # begun where reviews judged otherwise
            await self._begin(table, None)
            kept = await store.read(find, id)
        assert kept is not None
        written = nameless(table)
        for part in range(kept.parts):
            if part in kept.found:
                continue
            turn = Turn(whose, COST, lambda: True)
            try:
                pieces = await self._workers.run(
                    PART_LIMIT, pieces_of, table.game.place, table.game.version, written, part * A_PART,
                    (part + 1) * A_PART, turn=turn,
                )  # fmt: skip
            except Exception:
                log.exception("Part %s of the review of %s could not be made.", part, id)
                await store.write(fail, id)
                return
            await store.write(add_part, id, judge, part, pieces, self._id, self._house.clock())

    async def close(self) -> None:
        """Stops making reviews; what is stored stays, and somebody goes on with the rest."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def check(table: Table) -> None:
    """Whether there is something to review."""
    if table.result is None or table.play is None or not table.play.is_over():
        raise NotNow("not_over")
    if table.play.seats == 1 and not table.game.rival_alone:
        raise NotNow("alone")


def nameless(table: Table) -> bytes:
    """The finished game for a worker: whoever is forgotten later must not be named in what is stored."""
    journal = table.journal()
    journal.names = []
    return journal.dump()


def shown(kept: Kept, first: int, ends: list[int], earlier: bool) -> ReviewSoFar:
    """A review as it is sent."""
    state: Literal["running", "failed", "done"] = "done" if kept.done else "failed" if kept.failed else "running"
    pieces = [piece for part in sorted(kept.found) if part >= first for piece in kept.found[part]]
    answer = ReviewSoFar(state, len(kept.found), kept.parts, first, pieces, ends, kept.judge, earlier=earlier)
    if kept.done:
        everything = [piece for part in sorted(kept.found) for piece in kept.found[part]]
        assert everything[0].after is not None
        answer.totals, answer.moments, answer.verdicts = sum_up(len(everything[0].after.chances), everything)
    return answer


# ── The store ────────────────────────────────────────────────


def begin(db: Connection, table: str, judge: str, parts: int, server: str, at: float, limit: Limit | None) -> None:
    """Somebody has asked for a review; if it could not be made before, it is tried once more, and anew by another judge."""
    known = db.execute("SELECT failed, judge FROM reviews WHERE table_id = ?", (table,)).fetchone()
    if known is not None and not known[0] and known[1] == judge:
        return  # somebody was quicker
    if limit is not None:
        queries.spend(db, [limit], at)
    if known is None:
        db.execute(
            "INSERT INTO reviews (table_id, judge, parts, server, at, failed) VALUES (?, ?, ?, ?, ?, 0)",
            (table, judge, parts, server, at),
        )
        return
    if known[1] != judge:
        db.execute("DELETE FROM review_parts WHERE table_id = ?", (table,))
    db.execute(
        "UPDATE reviews SET judge = ?, parts = ?, failed = 0, server = ?, at = ? WHERE table_id = ?",
        (judge, parts, server, at, table),
    )


def add_part(db: Connection, table: str, judge: str, part: int, pieces: str, server: str, at: float) -> None:
    """A part is there; if another server has made it too, the first one stays, and none counts of another judge."""
    asked = db.execute("SELECT 1 FROM reviews WHERE table_id = ? AND judge = ?", (table, judge)).fetchone()
    if asked is None:
        return
    known = db.execute("SELECT 1 FROM review_parts WHERE table_id = ? AND part = ?", (table, part)).fetchone()
    if known is None:
        db.execute("INSERT INTO review_parts (table_id, part, pieces) VALUES (?, ?, ?)", (table, part, pieces))
    db.execute("UPDATE reviews SET server = ?, at = ? WHERE table_id = ?", (server, at, table))


def fail(db: Connection, table: str) -> None:
    """The rest could not be made."""
    db.execute("UPDATE reviews SET failed = 1 WHERE table_id = ?", (table,))


def find(db: Connection, table: str) -> Kept | None:
    """A review as far as there is one."""
    row = db.execute("SELECT judge, parts, server, at, failed FROM reviews WHERE table_id = ?", (table,)).fetchone()
    if row is None:
        return None
    rows = db.execute("SELECT part, pieces FROM review_parts WHERE table_id = ? ORDER BY part", (table,)).fetchall()
    found = {int(part): msgspec.json.decode(pieces, type=list[ReviewPiece]) for part, pieces in rows}
    judge, parts, server, at, failed = row
    return Kept(judge, int(parts), server, at, bool(failed), found)


# ── In the worker ────────────────────────────────────────────


def pieces_of(place: str, version: str, journal: bytes, first: int, end: int) -> str:
    """Some pieces of a review, as they are stored."""
    story = story_at(place, version, journal)
    return msgspec.json.encode([rounded(piece) for piece in story.pieces(first, end)]).decode()


@functools.lru_cache(maxsize=2)
def story_at(place: str, version: str, journal: bytes) -> Story:
    """A game that is reviewed, played again once for all its parts."""
    found = game_at(place)
    if found.version != version:  # on another machine
        raise BadData(f"This worker has rules {found.version} of {found.key}, not {version}.", "other_version")
    return story_of(prepare(found), load(journal))


def rounded(piece: ReviewPiece) -> Any:
    """With as many digits as make sense: chances to a hundredth of a hundredth."""
    return _rounded(msgspec.to_builtins(piece))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value
