"""Bringing a game in that was played in another house, from its record (docs/records.md).

It is verified first: its secret has the promised hash, every number drawn follows from it, every decision is legal, and
the result is the one that is claimed. Then it stands here like any finished game, marked as imported: it can be looked
back at, downloaded and verified, and counts for nobody's rating. The same record always comes to the same page, however
often it is brought.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from ludoteca.catalogue import known, with_text
from ludoteca.core import traces
from ludoteca.core.decks import Deck
from ludoteca.core.engine import interpreted
from ludoteca.core.game import Game
from ludoteca.core.play import MOST_STEPS, Play

from . import decks, queries
from .database import Connection
from .fair import chance_of, verify
from .limits import Limit
from .names import tidy
from .origin import Origin
from .projections import outcome_of
from .refusals import BadRequest
from .seats import BOT_NAMES
from .store import Store
from .wire import BranchInfo, Record

MOST_BYTES = 1 << 20  # of a record
T = TypeVar("T")
ID_BYTES = 9  # of the name of its page; tables that are opened here have shorter ones


def bring(kept: Store, record: Record, now: float, games: Sequence[Game] = ()) -> tuple[str, bool]:
    """Brings a record in, without a server, of one of these games or an installed one; its page, and whether it is new."""
    game = prepared(with_text(known(record.game, games), record.deck), record, now)
    return game.row.id, kept.now(keep, game)


class Prepared(msgspec.Struct):
    """A verified game, as the store will have it."""

    row: queries.TableRow
    server_seed: bytes
    seed: int | None
    dealt: bytes
    decided: list[tuple[int, int, int]]
    traces: list[bytes]
    times: list[float]
    deciders: Sequence[str | None]
    deck: Deck | None = None


def prepared(game: Game, record: Record, now: float) -> Prepared:
    """A record, verified and ready to be stored; a sentence if something is not as it says."""
    if record.version != game.version:
        raise BadRequest("other_version", theirs=record.version, ours=game.version)
    if len(record.names) != record.seats or len(record.decisions) > game.longest:
        raise BadRequest("bad_record")
    try:
        wrong = [step for step in verify(record, game) if not step.ok]
    except Exception:
        raise BadRequest("bad_record") from None
    if wrong:
        raise BadRequest("record_game" if wrong[0].what == "game" else "record_chance")
    return _played(game, record, now)


def _played(game: Game, record: Record, now: float) -> Prepared:
    steps = _checked(record.steps, len(record.decisions), 0, lambda step: 0 <= step < MOST_STEPS)
    times = _in_order(
        _checked(record.times, len(record.decisions), now, lambda at: math.isfinite(at) and 0 < at <= now)
    )
    deciders = _checked(record.deciders, len(record.decisions), None, lambda decider: True)
    levels = _checked(record.levels, record.seats, None, lambda level: True)
    ended = times[-1] if times else now
    row = queries.TableRow(
        id=page_of(record), game=game.key, version=game.version, options=game.full_options(record.options), public=True,
        name="", host=None, phase="over", invite="", commitment=record.fair.commitment, created=times[0] if times else now,
        moved=ended, seq=len(record.decisions), imported=True, branch=_branch_of(record),
        chairs=[
            queries.ChairRow(None, tidy(name) or BOT_NAMES[seat], level, record.fair.entropy[seat])
            for seat, (name, level) in enumerate(zip(record.names, levels, strict=True))
        ],
    )  # fmt: skip
    found = queries.GameRow(bytes.fromhex(record.fair.server_seed or ""), record.seed)
    play = Play.deal(interpreted(game), record.seats, row.options, chance_of(row, found))
    dealt, left = traces.of_the_deal(play), list[bytes]()
    decided = [(seat, action, step) for (seat, action), step in zip(record.decisions, steps, strict=True)]
    for seat, action, step in decided:
        left.append(traces.of_a_step(left[-1] if left else dealt, play, play.follow(seat, [action], step)))
    row.result = outcome_of(play)
    return Prepared(row, found.server_seed, record.seed, dealt, decided, left, times, deciders, game.deck)


def _branch_of(record: Record) -> str:
    """Where a branch comes from, as its row will have it."""
    if not record.fair.beginning:
        return ""
    known = record.origin or BranchInfo("", 0, True)
    return Origin(known.table, known.step, known.guessed, bytes.fromhex(record.fair.beginning), known.puzzle).written()


def _checked(given: Sequence[T] | None, size: int, missing: T, fits: Callable[[T], bool]) -> list[T]:
    """A list of the record that may be missing: one value for each, every one of which fits."""
    if given is None:
        return [missing] * size
    if len(given) != size or not all(map(fits, given)):
        raise BadRequest("bad_record")
    return list(given)


def _in_order(times: Sequence[float]) -> list[float]:
    if any(later < earlier for earlier, later in itertools.pairwise(times)):
        raise BadRequest("bad_record")
    return list(times)


def page_of(record: Record) -> str:
    """The name of a record's page: of what was played, not of how it is told."""
    what = record.game, record.version, record.seats, sorted(record.options.items()), record.decisions
    chance = record.seed, record.fair.server_seed, record.fair.entropy
    digest = hashlib.blake2b(msgspec.json.encode((what, chance)), digest_size=ID_BYTES).digest()
    return base64.urlsafe_b64encode(digest).decode()


def keep(db: Connection, game: Prepared, limits: Sequence[Limit] = (), now: float = 0.0) -> bool:
    """Stores a verified game; false if it is here already."""
    row = game.row
    if db.execute("SELECT 1 FROM tables WHERE id = ?", (row.id,)).fetchone() is not None:
        return False
    queries.spend(db, limits, now)
    if game.deck is not None:
        decks.keep_text(db, game.deck.hash, game.deck.game, game.deck.text, now)
    queries.add_table(db, row, game.server_seed)
    db.execute("UPDATE seeds SET seed = ?, dealt = ? WHERE table_id = ?", (game.seed, game.dealt, row.id))
    queries.add_history(db, row.id, game.decided, game.times, game.traces, game.deciders)
    queries.free_chairs(db, row.id)
    return True
