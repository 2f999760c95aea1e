"""The ledger: everybody's ratings, as they follow from the rated games of the house in the order in which they ended.

What the table `ratings` holds is a cache. `settle` compares it with the games and makes it anew from the first that
differs: one more game at the end is one step, one that another server has ended a moment before goes to its place, a
game that was forgotten takes its effect with it, bots that were measured anew count as they do now. So it does not
matter who settles, when, or how often, and `ludoteca rate` gives the same to the last bit.

Order: by the time of a game's last decision, then by the table's name. Each game and number of seats stands for itself.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game

from .database import Connection, one_at_a_time
from .engines import Engines
from .queries import TableRow
from .rating import NEW, Share, Strength, after_a_game, ranks_that_count, strength_of_bot
from .store import Store
from .wire import Outcome

A_WHILE = 3600.0  # seconds: servers' clocks are not further apart, so what ended longer ago has been settled

log = logging.getLogger("ludoteca.ledger")


class RatedGame(NamedTuple):
    """A game that counts."""

    ended: float
    id: str
    ranks: list[int]
    people: dict[int, str]  # by seat
    bots: dict[int, Strength]  # by seat

    @property
    def seats(self) -> int:
        """How many played."""
        return len(self.ranks)

    @property
    def bots_written(self) -> str:
        """As the cache has them."""
        return msgspec.json.encode(sorted(self.bots.items())).decode()


class Entry(NamedTuple):
    """What a game made of somebody."""

    table: str
    seat: int
    game: str
    seats: int
    ended: float
    guest: str
    rank: int
    gone: int
    points: float
    spread: float
    games: int
    bots: str


ENTRY = "table_id, seat, game, seats, ended, guest, rank, gone, points, spread, games, bots"


# ── The games ────────────────────────────────────────────────


def rated_games(db: Connection, key: str, game: Game | None, since: float = 0.0) -> list[RatedGame]:
    """The finished rated games of this kind that ended since then, in order, where at least one person is known."""
    rows = db.execute(
        """SELECT moved, id, result, seat, guest, level FROM tables JOIN chairs ON table_id = id
           WHERE rated = 1 AND game = ? AND moved >= ? AND phase = 'over' AND ended IS NULL AND result IS NOT NULL
           ORDER BY moved, id, seat""",
        (key, since),
    ).fetchall()
    found = []
    for (ended, id, result), chairs in itertools.groupby(rows, key=lambda row: (row[0], row[1], row[2])):
        seated = [(seat, guest, level) for *_, seat, guest, level in chairs]
        people = {seat: guest for seat, guest, _ in seated if guest is not None}
        bots = {
            seat: strength_of_bot(game, len(seated), level)
            for seat, guest, level in seated
            if guest is None and level is not None
        }
        ranks = msgspec.json.decode(result, type=Outcome).ranks
        if people and len(seated) == len(ranks) > 1:
            found.append(RatedGame(ended, id, ranks, people, bots))
    return found


def shares(db: Connection, table: str) -> dict[int, Share]:
    """Who made the decisions of each seat; those of which that was never noted count as the person's own."""
    rows = db.execute(
        """SELECT seat, CASE WHEN COALESCE(decider, 'person') = 'person' THEN 1 ELSE 0 END AS own, COUNT(*), MAX(seq)
           FROM decisions WHERE table_id = ? GROUP BY seat, own ORDER BY seat, own""",
        (table,),
    ).fetchall()
    found = {}
    for seat, of_seat in itertools.groupby(rows, key=lambda row: row[0]):
        counted = {own: (count, last) for _, own, count, last in of_seat}
        (own, own_last), (others, others_last) = counted.get(1, (0, 0)), counted.get(0, (0, 0))
        found[seat] = Share(own, others, own_last > others_last)
    return found


# ── One game after the other ─────────────────────────────────


def settle(db: Connection, key: str, game: Game | None, since: float = 0.0) -> int:
    """Brings the ratings of a game up to date with what ended since then; returns how many games that took."""
    one_at_a_time(db, [f"ratings {key}"])
    counted, known = 0, _known(db, key, since)
    by_seats: dict[int, list[RatedGame]] = {}
    for played in rated_games(db, key, game, since):
        by_seats.setdefault(played.seats, []).append(played)
    for seats in sorted(by_seats.keys() | known.keys()):
        theirs, written = by_seats.get(seats, []), known.get(seats, [])
        same = _in_common(theirs, written)
        if same == len(theirs) == len(written):
            continue
        if same < len(written):
            _forget_from(db, key, seats, *written[same][:2])
        counted += len(theirs) - same
        _write(db, _folded(db, key, seats, theirs[same:]))
    return counted


Known = tuple[float, str, dict[int, str], str]  # a game in the cache: when it ended, its table, people by seat, bots


def _known(db: Connection, key: str, since: float) -> dict[int, list[Known]]:
    """The games that are in the cache, in order, by the number of seats."""
    rows = db.execute(
        """SELECT seats, ended, table_id, bots, seat, guest FROM ratings WHERE game = ? AND ended >= ?
           ORDER BY seats, ended, table_id, seat""",
        (key, since),
    ).fetchall()
    found: dict[int, list[Known]] = {}
    for (seats, ended, table, bots), people in itertools.groupby(rows, key=lambda row: row[:4]):
        found.setdefault(seats, []).append((ended, table, {seat: guest for *_, seat, guest in people}, bots))
    return found


def _in_common(games: Sequence[RatedGame], known: Sequence[Known]) -> int:
    """How many games, from the first, are in the cache as they are."""
    alike = (
        (game.ended, game.id, game.people, game.bots_written) == kept for game, kept in zip(games, known, strict=False)
    )
    return sum(1 for _ in itertools.takewhile(bool, alike))


def _forget_from(db: Connection, key: str, seats: int, ended: float, table: str) -> None:
    """Drops that game and all that came after it."""
    db.execute(
        "DELETE FROM ratings WHERE game = ? AND seats = ? AND (ended > ? OR (ended = ? AND table_id >= ?))",
        (key, seats, ended, ended, table),
    )


def _folded(db: Connection, key: str, seats: int, games: Sequence[RatedGame]) -> list[Entry]:
    """What these games make of people, one after the other, from where the cache leaves off."""
    stand: dict[str, tuple[Strength, int]] = {}
    entries = list[Entry]()
    for played in games:
        for guest in played.people.values():
            if guest not in stand:
                stand[guest] = standing(db, guest, key, seats)
        entries += rated(key, played, stand, shares(db, played.id))
    return entries


def rated(
    key: str, played: RatedGame, stand: dict[str, tuple[Strength, int]], shares: Mapping[int, Share]
) -> list[Entry]:
    """One game: what it makes of each person; `stand` has everybody's strength and games before it, and after it."""
    seats = range(played.seats)
    left = [seat in played.people and shares.get(seat, Share()).left for seat in seats]
    before = [stand[played.people[seat]][0] if seat in played.people else played.bots.get(seat, NEW) for seat in seats]
    ranks = ranks_that_count(played.ranks, left)
    after = after_a_game(before, ranks)
    entries = []
    for seat, guest in played.people.items():
        games = stand[guest][1] + 1
        stand[guest] = after[seat], games
        how = ranks[seat], int(left[seat]), *after[seat], games, played.bots_written
        entries.append(Entry(played.id, seat, key, played.seats, played.ended, guest, *how))
    return entries


def standing(db: Connection, guest: str, key: str, seats: int) -> tuple[Strength, int]:
    """Somebody's strength by the last game in the cache, and how many there are."""
    found = db.execute(
        """SELECT points, spread, games FROM ratings WHERE guest = ? AND game = ? AND seats = ?
           ORDER BY ended DESC, table_id DESC LIMIT 1""",
        (guest, key, seats),
    ).fetchone()
    return (Strength(found[0], found[1]), found[2]) if found else (NEW, 0)


def _write(db: Connection, entries: Sequence[Entry]) -> None:
    db.executemany(f"INSERT INTO ratings ({ENTRY}) VALUES ({', '.join('?' * 12)})", entries)


def is_settled(db: Connection, table: str) -> bool:
    """Whether this game is in the cache."""
    return db.execute("SELECT 1 FROM ratings WHERE table_id = ? LIMIT 1", (table,)).fetchone() is not None


def entries_of(db: Connection) -> list[Entry]:
    """The whole cache, in order."""
    rows = db.execute(f"SELECT {ENTRY} FROM ratings ORDER BY game, seats, ended, table_id, seat").fetchall()
    return [Entry(*row) for row in rows]


# ── In a running server ──────────────────────────────────────


class Ledger:
    """Settles when a rated game has ended, and once when the server starts."""

    def __init__(self, store: Store, engines: Engines) -> None:
        self._store, self._engines = store, engines
        self._under_way: set[asyncio.Task[None]] = set()

    def over(self, row: TableRow) -> None:
        """A game has ended: whoever is told so need not wait for the ratings."""
        if row.rated:
            task = asyncio.get_running_loop().create_task(self._settle_quietly(row))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _settle_quietly(self, row: TableRow) -> None:
        try:
            await self.settled(row)
        except Exception:
            log.exception("The ratings of table %s could not be settled; they will be with the next game.", row.id)

    async def settled(self, row: TableRow) -> None:
        """Sees to it that a finished game is in the cache."""
        if row.rated and row.phase == "over" and not row.ended and not await self._store.read(is_settled, row.id):
            await self._store.write(settle, row.game, self._game(row.game), row.moved - A_WHILE)

    async def settle_all(self) -> None:
        """Looks through all games: what an earlier server has ended and not settled, and what was forgotten since."""
        for game in self._engines.games():
            await self._store.write(settle, game.key, game)

    def _game(self, key: str) -> Game | None:
        try:
            return self._engines.game(key)
        except Refusal:  # not served any more
            return None
