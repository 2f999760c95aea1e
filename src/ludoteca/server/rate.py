"""`ludoteca rate`: everybody's ratings once more, from the journals of the rated games alone.

Every rated game is played again, decision by decision; its ranks come from that, not from what was noted at its end.
Then the ratings follow game by game, as they do in a running server, and are compared with those that are stored, to
the last bit.
"""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ludoteca import catalogue
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import BadData, Refusal
from ludoteca.core.game import Game

from . import queries
from .database import Connection, one_moment
from .ledger import Entry, RatedGame, entries_of, rated, rated_games, settle, shares
from .looking import looked_at
from .neighbours import count_alive
from .rating import NEW, Strength
from .reading import read_back
from .settings import is_address
from .store import Store

Progress = Callable[[int, int], None]


@dataclass
class Recomputed:
    """What the journals say."""

    entries: list[Entry] = field(default_factory=list)  # as the cache has them, in its order
    stored: list[Entry] = field(default_factory=list)
    games: int = 0
    problems: list[str] = field(default_factory=list)  # games that do not replay to what was noted

    def lines(self) -> list[str]:
        """In words."""
        people = len({entry.guest for entry in self.entries})
        lines = [*self.problems, f"{self.games} rated games of {people} people, played again from their journals."]
        if self.entries == self.stored:
            return [*lines, f"All {len(self.stored)} stored ratings are the same, to the last bit."]
        differing = set(self.entries) ^ set(self.stored)
        tables = len({entry.table for entry in differing})
        return [
            *lines,
            f"The stored ratings differ at {tables} games: `ludoteca rate --write` stores what the journals say.",
        ]

    @property
    def same(self) -> bool:
        """Whether the store holds what the journals say."""
        return self.entries == self.stored and not self.problems


def recompute(place: pathlib.Path | str, progress: Progress, named: Sequence[Game] = ()) -> Recomputed:
    """Everybody's ratings from the journals; changes nothing, and servers may be running.

    The house may serve the `named` games beside the installed ones.
    """
    with looked_at(place) as db, one_moment(db):
        return asyncio.run(_recompute(db, progress, named))


async def _recompute(db: Connection, progress: Progress, named: Sequence[Game]) -> Recomputed:
    found = Recomputed(stored=entries_of(db))
    keys = [key for (key,) in db.execute("SELECT DISTINCT game FROM tables WHERE rated = 1 ORDER BY game").fetchall()]
    known = {key: _known(key, named) for key in keys}
    games = [(key, game, played) for key, game in known.items() for played in rated_games(db, key, game)]
    stand: dict[tuple[str, int], dict[str, tuple[Strength, int]]] = {}
    for number, (key, game, played) in enumerate(games, 1):
        ranks = await _ranks(db, game, played, found.problems)
        people = stand.setdefault((key, played.seats), {})
        for guest in played.people.values():
            people.setdefault(guest, (NEW, 0))
        found.entries += rated(key, played._replace(ranks=ranks), people, shares(db, played.id))
        progress(number, len(games))
    found.entries.sort(key=lambda entry: (entry.game, entry.seats, entry.ended, entry.table, entry.seat))
    found.games = len(games)
    return found


def _known(key: str, named: Sequence[Game]) -> Game | None:
    try:
        return catalogue.known(key, named)
    except Refusal:
        return None


async def _ranks(db: Connection, game: Game | None, played: RatedGame, problems: list[str]) -> list[int]:
    """How a game ended, played again; what was noted, if it cannot be."""
    row, kept = queries.find_table(db, played.id), queries.find_game(db, played.id)
    if game is None or row is None:
        problems.append(f"table {played.id}: its game is not installed here, so its noted result counts")
        return played.ranks
    read = await read_back(interpreted(game), row, kept)
    if read.problem or read.play is None:
        if row.version == game.version:
            problems.append(f"table {played.id}: {read.problem}")
        return played.ranks
    ranks = read.play.result().ranks
    if ranks != played.ranks:
        problems.append(f"table {played.id}: its journal ends with the ranks {ranks}, and {played.ranks} are noted")
    return ranks


def write(place: pathlib.Path | str, named: Sequence[Game] = ()) -> int:
    """Drops the stored ratings and makes them anew; refuses while servers are running, which do it by themselves."""
    kept = Store(place)
    try:
        if is_address(place) and (alive := kept.now(count_alive)):
            raise BadData(f"{alive} servers are running. End them first.", "store_in_use")
        return kept.now(lambda db: _write(db, named))
    finally:
        kept.close()


def _write(db: Connection, named: Sequence[Game]) -> int:
    db.execute("DELETE FROM ratings")
    keys = [key for (key,) in db.execute("SELECT DISTINCT game FROM tables WHERE rated = 1 ORDER BY game").fetchall()]
    return sum(settle(db, key, _known(key, named)) for key in keys)
