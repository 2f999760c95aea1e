"""How often somebody came out ahead: of each opponent, in each game, with each number of seats; and how sure that is.

Counted are the last finished games of two seats or more that whoever looks may know of, as they ended, but for those that a
stand-in finished for them; an opponent for whom a stand-in finished was not met. Against an opponent
it is in how many of the games that both played one stood higher, a tie counting half; in a game, how many were won, a
shared first place counting its part. `fair` is what chance alone would give.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ludoteca.core.shares import wilson

from .database import Connection
from .guests import Guest, known
from .rating import NINE_OF_TEN
from .wire import Ahead, Shares

LOOKED_AT = 1000  # games
MOST_OPPONENTS = 12
ENOUGH = 10  # games, below which a share says too little


@dataclass
class Count:
    """Games and what they brought."""

    games: int = 0
    won: float = 0.0
    fair: float = 0.0

    def add(self, won: float, fair: float) -> None:
        """One game more."""
        self.games += 1
        self.won += won
        self.fair += fair


@dataclass
class Seat:
    """Somebody at a table that is over."""

    guest: str | None
    level: str | None
    rank: int

    @property
    def stood_in_for(self) -> bool:
        """A bot finished for a person."""
        return self.guest is not None and self.level is not None


@dataclass
class Ended:
    """A game that is over, with everybody who sat there."""

    game: str
    seats: list[Seat] = field(default_factory=list)


def shares_of(db: Connection, guest: str, viewer: str) -> Shares:
    """Somebody's shares, from the games that this viewer may know of."""
    games = _games(db, guest, viewer)
    opponents, by_game, by_seats = defaultdict[tuple[str, str], Count](Count), _counts(), _counts()
    for ended in games:
        own = next(seat for seat in ended.seats if seat.guest == guest)
        number, first = len(ended.seats), [seat for seat in ended.seats if seat.rank == 1]
        won = 1 / len(first) if own.rank == 1 else 0.0
        by_game[ended.game].add(won, 1 / number)
        by_seats[str(number)].add(won, 1 / number)
        for whom, part in _met(own, ended.seats).items():
            opponents[whom].add(part, 0.5)
    people = _people(db, [id for kind, id in opponents if kind == "person"])
    known = {whom: count for whom, count in opponents.items() if whom[0] == "bot" or whom[1] in people}
    often = sorted(known, key=lambda whom: (-known[whom].games, whom))[:MOST_OPPONENTS]
    return Shares(
        len(games), ENOUGH,
        [_told(known[whom], person=people.get(whom[1]), level=whom[1] if whom[0] == "bot" else None) for whom in often],
        [_told(by_game[game], game=game) for game in sorted(by_game, key=lambda game: (-by_game[game].games, game))],
        [_told(by_seats[seats], seats=int(seats)) for seats in sorted(by_seats)],
    )  # fmt: skip


def _counts() -> defaultdict[str, Count]:
    return defaultdict(Count)


def _met(own: Seat, seats: Iterable[Seat]) -> dict[tuple[str, str], float]:
    """Whom somebody met at a table, and which part of them they were ahead of: of two bots of a level, perhaps of one."""
    ahead = defaultdict[tuple[str, str], list[float]](list)
    for seat in seats:
        if seat is not own and not seat.stood_in_for:
            whom = ("person", seat.guest) if seat.guest is not None else ("bot", seat.level or "")
            ahead[whom].append(0.5 if seat.rank == own.rank else float(own.rank < seat.rank))
    return {whom: sum(parts) / len(parts) for whom, parts in ahead.items()}


def _told(
    count: Count,
    person: Guest | None = None,
    level: str | None = None,
    game: str | None = None,
    seats: int | None = None,
) -> Ahead:
    low, high = wilson(count.won, count.games, NINE_OF_TEN)
    return Ahead(
        person.id if person else None, person.name if person else None, person.symbol if person else None,
        person.colour if person else None, level, game, seats, count.games, count.won, low, high,
        count.fair / count.games,
    )  # fmt: skip


# ── What the store is asked ──────────────────────────────────


def _games(db: Connection, guest: str, viewer: str) -> list[Ended]:
    rows = db.execute(
        """SELECT chairs.table_id, recent.game, chairs.guest, chairs.level, chairs.rank FROM (
               SELECT id, game FROM tables JOIN chairs AS own ON own.table_id = id
               WHERE own.guest = ? AND own.over = 1 AND own.rank IS NOT NULL AND own.level IS NULL
               AND ended IS NULL AND imported = 0 AND hot = 0
               AND (public = 1 OR ? = own.guest OR EXISTS (
                   SELECT 1 FROM chairs AS there WHERE there.table_id = id AND there.guest = ?))
               ORDER BY moved DESC, id DESC LIMIT ?) AS recent
           JOIN chairs ON chairs.table_id = recent.id WHERE chairs.rank IS NOT NULL ORDER BY chairs.table_id, seat""",
        (guest, viewer, viewer, LOOKED_AT),
    )
    found: dict[str, Ended] = {}
    for id, game, who, level, rank in rows.fetchall():
        found.setdefault(id, Ended(game)).seats.append(Seat(who, level, rank))
    return [ended for ended in found.values() if len(ended.seats) > 1]


def _people(db: Connection, ids: list[str]) -> dict[str, Guest]:
    """Those of them whom the house still knows."""
    found: dict[str, Guest] = {}
    for id in ids:
        row = db.execute("SELECT name, symbol, colour FROM guests WHERE id = ? AND former = 0", (id,)).fetchone()
        if row is not None:
            found[id] = known(id, *row)
    return found
