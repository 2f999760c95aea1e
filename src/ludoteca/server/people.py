"""People's pages: ratings with how sure they are, games, openings; and who is how strong in a game.

Somebody's page shows what anybody may know: games at public tables, and of private ones those where whoever looks sat
too. Ratings follow from all rated games.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoteca.core.engine import Engine
from ludoteca.core.errors import Refusal
from ludoteca.core.game import DECK
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR, Record
from ludoteca.core.words import LANGUAGES, Telling

from . import queries
from .ahead import shares_of
from .database import Connection
from .fair import chance_of
from .guests import Guest, known
from .ledger import ENTRY, Entry, standing
from .queries import Sought
from .rating import ENOUGH, NEW, NINE_OF_TEN, Strength, measured, strength_of_bot
from .refusals import NotFound
from .schema import ranks_noted
from .seats import names_on
from .wire import (
    BotRating,
    Leader,
    Leaderboard,
    Opening,
    Openings,
    Profile,
    Rating,
    RatingHistory,
    RatingPoint,
    SeatRating,
    Shares,
    TableInfo,
)

if TYPE_CHECKING:
    from .lobby import Lobby
    from .table import Table

LONGEST_PERSON = 64  # letters of a guest's public name
A_PAGE = 25  # games
MOST_POINTS = 400  # of a plot
MOST_LEADERS = 100
LOOKED_AT = 30  # the last games in which openings are looked for
FIRST_STEPS = 60  # of a game, within which they are


class People:
    """Who plays in this house."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._house = lobby, lobby.house

    async def profile(self, id: str, viewer: Guest | None) -> Profile:
        """Somebody's page."""
        found = await self._house.store.read(_profile, self._checked(id))
        if found is None:
            raise NotFound("no_such_person")
        who, since, finished, rated, left, entries = found
        ratings = [self._rating(entry) for entry in entries]
        you = viewer is not None and viewer.id == id
        return Profile(id, who.name, you, since, finished, rated, left, ratings, ENOUGH, who.symbol, who.colour)

    def _rating(self, entry: Entry) -> Rating:
        strength = Strength(entry.points, entry.spread)
        bots = self._bots(entry.game, entry.seats)
        return Rating(
            entry.game, entry.seats, round(strength.points), round(strength.margin), entry.games, entry.games >= ENOUGH,
            {bot.level: bot.points for bot in bots},
        )  # fmt: skip

    def _checked(self, id: str) -> str:
        if len(id) > LONGEST_PERSON or not id.isascii() or not id.isprintable():
            raise NotFound("no_such_person")
        return id

    async def history(self, id: str, game: str, seats: int, viewer: Guest | None) -> RatingHistory:
        """Somebody's rating from game to game; of very many, evenly some of them, and always the last."""
        entries, tables = await self._house.store.read(
            _history, self._checked(id), game, seats, viewer.id if viewer else ""
        )
        step = -(-len(entries) // MOST_POINTS) or 1
        kept = [entry for n, entry in enumerate(entries) if (len(entries) - 1 - n) % step == 0]
        points = [
            RatingPoint(
                entry.ended, round(entry.points), round(Strength(entry.points, entry.spread).margin), entry.games,
                entry.table if entry.table in tables else None,
            )
            for entry in kept
        ]  # fmt: skip
        return RatingHistory(game, seats, points)

    async def shares(self, id: str, viewer: Guest | None) -> Shares:
        """How often somebody came out ahead, as far as this viewer may know."""
        return await self._house.store.read(shares_of, self._checked(id), viewer.id if viewer else "")

    async def games(self, id: str, viewer: Guest | None, after: str | None, sought: Sought) -> list[TableInfo]:
        """A page of somebody's finished games that this viewer may know of."""
        rows = await self._house.store.read(queries.finished_of, self._checked(id), A_PAGE, after, sought)
        if rows is None:
            raise NotFound("no_such_table")
        return [self._lobby.listed(row, viewer) for row in rows]

    # ── Openings ─────────────────────────────────────────────

    async def openings(self, id: str, game: str, language: str, viewer: Guest | None) -> Openings:
        """How somebody likes to begin: their first decision in each of the last games, as a spectator heard of it."""
        engine = self._house.engines.of(self._house.engines.game(game).key)
        sought = Sought(
            game=game, seen_by=None if viewer is not None and viewer.id == id else viewer.id if viewer else ""
        )
        rows = await self._house.store.read(queries.finished_of, self._checked(id), LOOKED_AT, None, sought) or []
        language = language if language in LANGUAGES else LANGUAGES[0]
        told: Counter[str] = Counter()
        won: Counter[str] = Counter()
        for row in rows:
            if row.ended or row.version != engine.game.version or DECK in row.options:
                continue
            kept = await self._house.store.read(queries.find_game, row.id)
            seat = next(seat for seat, chair in enumerate(row.chairs) if chair.guest == id)
            said = opening(engine, row, kept, seat, language)
            if said is not None:
                told[said] += 1
                won[said] += _won(row, seat)
            await asyncio.sleep(0)  # others get their turn
        common = sorted(told, key=lambda said: (-told[said], said))[:5]
        return Openings(game, sum(told.values()), [Opening(said, told[said], won[said]) for said in common])

    # ── Who is how strong ────────────────────────────────────

    async def leaderboard(self, game: str, seats: int, viewer: Guest | None) -> Leaderboard:
        """Everybody with enough rated games, best first; bots apart."""
        found = self._house.engines.game(game)
        found.check_seats(seats)
        rows, fewer = await self._house.store.read(_leaders, game, seats)
        ranks = ranges(
            [(points - NINE_OF_TEN * spread, points + NINE_OF_TEN * spread) for _, points, spread, _ in rows]
        )
        people = [
            Leader(
                guest.id, guest.name, first, last, round(points), round(Strength(points, spread).margin), games,
                viewer is not None and viewer.id == guest.id, guest.symbol, guest.colour,
            )
            for (guest, points, spread, games), (first, last) in zip(rows, ranks, strict=True)
        ]  # fmt: skip
        return Leaderboard(game, seats, people, self._bots(game, seats), ENOUGH, fewer)

    def _bots(self, game: str, seats: int) -> list[BotRating]:
        """The bots as they were measured; none in a game that this house does not have, or that nobody has measured."""
        try:
            found = measured(self._house.engines.game(game)).get(seats)
        except Refusal:
            return []
        if found is None:
            return []
        strengths = {level: Strength(*strength) for level, strength in found.levels.items()}
        return [
            BotRating(level, round(strength.points), round(strength.margin), found.games)
            for level, strength in sorted(strengths.items(), key=lambda one: -one[1].points)
        ]

    async def at_table(self, table: Table) -> list[SeatRating]:
        """How strong whoever sits at a table is, in this game with so many; after a rated game, what it has changed."""
        row = table.row
        await self._house.ledger.settled(row)
        people = {seat: chair.guest for seat, chair in enumerate(row.chairs) if chair.guest is not None}
        found = await self._house.store.read(_at_table, row.id, row.game, len(row.chairs), people)
        told = []
        for seat, chair in enumerate(row.chairs):
            if seat in found:
                before, after, games, gone = found[seat]
                change = round(after.points) - round(before.points) if before is not None else None
                told.append(SeatRating(seat, round(after.points), round(after.margin), games, change, gone))
            elif chair.bot_plays:
                strength = strength_of_bot(table.game, len(row.chairs), chair.level or "")
                if strength != NEW:
                    told.append(SeatRating(seat, round(strength.points), round(strength.margin), None, None, False))
        return told


def ranges(intervals: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Between which places each of these stands: only who is clearly above or below counts."""
    return [
        (1 + sum(low > own_high for low, _ in intervals), len(intervals) - sum(high < own_low for _, high in intervals))
        for own_low, own_high in intervals
    ]


def opening(engine: Engine, row: queries.TableRow, kept: queries.GameRow, seat: int, language: str) -> str | None:
    """The first decision of a seat that everybody could follow, as it was told to spectators."""
    game = engine.game
    try:
        play = Play.deal(engine, len(row.chairs), row.options, chance_of(row, kept))
        untold = False  # they have decided, and nobody has heard of it: it is told when all have
        for (who, action, step), (_, decider) in itertools.islice(
            zip(kept.decided, kept.marks, strict=True), FIRST_STEPS
        ):
            happened = play.follow(who, [action], step)
            own = [fact for fact in happened if fact.seat == seat]
            public = all(fact.seen_by(SPECTATOR) == fact for fact in own)
            theirs = who == seat and decider in (None, "person")
            if (theirs or untold) and own and public:
                seen = Record(game.redact(play.states, 0, SPECTATOR))
                return Telling(game, seen, names_on(row.chairs), language).event(game.event(seen, own[0]))
            untold = not own and (theirs or untold)
    except Exception:  # a game of other rules, or damaged: it tells nothing
        return None
    return None


def _won(row: queries.TableRow, seat: int) -> bool:
    return seat in [number for rank, _, number in ranks_noted(row.id, row.result or "") if rank == 1]


# ── What the store is asked ──────────────────────────────────


def _profile(db: Connection, guest: str) -> tuple[Guest, float, int, int, int, list[Entry]] | None:
    found = db.execute(
        "SELECT created, name, symbol, colour FROM guests WHERE id = ? AND former = 0", (guest,)
    ).fetchone()
    if found is None:
        return None
    [finished] = db.execute("SELECT COUNT(*) FROM chairs WHERE guest = ? AND over = 1", (guest,)).fetchone()
    rated, left = db.execute(
        "SELECT COUNT(*), COALESCE(SUM(gone), 0) FROM ratings WHERE guest = ?", (guest,)
    ).fetchone()
    rows = db.execute(
        f"""SELECT {ENTRY} FROM ratings AS one WHERE guest = ? AND NOT EXISTS (
                SELECT 1 FROM ratings AS later WHERE later.guest = one.guest AND later.game = one.game
                AND later.seats = one.seats AND later.games > one.games)
            ORDER BY games DESC, game, seats""",
        (guest,),
    ).fetchall()
    return known(guest, *found[1:]), found[0], finished, rated, int(left), [Entry(*row) for row in rows]


def _history(db: Connection, guest: str, game: str, seats: int, viewer: str) -> tuple[list[Entry], set[str]]:
    """Every game of somebody's that counted, in order; and which of the tables this viewer may know of."""
    rows = db.execute(
        f"SELECT {ENTRY} FROM ratings WHERE guest = ? AND game = ? AND seats = ? ORDER BY ended, table_id",
        (guest, game, seats),
    ).fetchall()
    seen = db.execute(
        """SELECT id FROM tables JOIN ratings ON table_id = id WHERE guest = ? AND ratings.game = ? AND seats = ?
           AND (public = 1 OR EXISTS (SELECT 1 FROM chairs WHERE chairs.table_id = id AND chairs.guest = ?))""",
        (guest, game, seats, viewer),
    ).fetchall()
    return [Entry(*row) for row in rows], {id for (id,) in seen}


def _leaders(db: Connection, game: str, seats: int) -> tuple[list[tuple[Guest, float, float, int]], int]:
    """Who has enough games, best first; and how many have fewer."""
    last = """SELECT guest, points, spread, games FROM ratings AS one WHERE game = ? AND seats = ? AND NOT EXISTS (
                  SELECT 1 FROM ratings AS later WHERE later.guest = one.guest AND later.game = one.game
                  AND later.seats = one.seats AND later.games > one.games)"""
    rows = db.execute(
        f"""SELECT points, spread, games, guest, name, symbol, colour FROM ({last}) AS newest JOIN guests ON id = guest
            WHERE games >= ? AND former = 0 ORDER BY points DESC, guest LIMIT ?""",
        (game, seats, ENOUGH, MOST_LEADERS),
    ).fetchall()
    [fewer] = db.execute(f"SELECT COUNT(*) FROM ({last}) AS newest WHERE games < ?", (game, seats, ENOUGH)).fetchone()
    return [(known(*who), points, spread, games) for points, spread, games, *who in rows], fewer


def _at_table(
    db: Connection, table: str, game: str, seats: int, people: dict[int, str]
) -> dict[int, tuple[Strength | None, Strength, int, bool]]:
    """By seat: before and after the game at this table, if it counted; otherwise as they are now."""
    found: dict[int, tuple[Strength | None, Strength, int, bool]] = {}
    rows = db.execute(
        "SELECT seat, ended, guest, points, spread, games, gone FROM ratings WHERE table_id = ?", (table,)
    )
    for seat, ended, guest, points, spread, games, gone in rows.fetchall():
        earlier = db.execute(
            """SELECT points, spread FROM ratings WHERE guest = ? AND game = ? AND seats = ?
               AND (ended < ? OR (ended = ? AND table_id < ?)) ORDER BY ended DESC, table_id DESC LIMIT 1""",
            (guest, game, seats, ended, ended, table),
        ).fetchone()
        found[seat] = Strength(*earlier) if earlier else NEW, Strength(points, spread), games, bool(gone)
    for seat, guest in people.items():
        if seat not in found:
            strength, games = standing(db, guest, game, seats)
            found[seat] = None, strength, games, False
    return found
