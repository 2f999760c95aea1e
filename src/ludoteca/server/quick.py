"""Quick match: people who would like to play the same are put at one table.

A wish is a row of the store, and the store decides: whoever asks how their wish stands looks, under one lock, for others
with the same one, with whichever server they are. The table that is made for them is like any other, and nobody owns it. The
bus only wakes those who wait for news elsewhere; what it loses they find a few seconds later.

Who closes the page stops asking, and after a while does not look any more. Two of whom one has blocked the other are never
put together. Everybody who was put at a table comes there with a share of its chance, after they have been shown the
promise about it; when all have, the game begins.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from . import fair, queries, seats
from .bots import DEFAULT_LEVEL
from .clock_choice import by_name
from .clock_choice import checked as checked_clock
from .database import Connection, one_at_a_time
from .guests import Guest
from .house import House
from .limits import Limit
from .lobby import Lobby, check_rated
from .refusals import BadRequest, NotFound, NotNow, TooMuch
from .table import Table
from .welcome import apart_among
from .wire import Come, QuickInfo, QuickWish, TableInfo

FRESH = 25.0  # seconds without asking after which somebody does not look any more
NEWS = 8.0  # seconds for which an answer waits for news
GLANCE = 1.0  # seconds after which whoever waits for news looks whether the server takes leave
LOCK = "quick"  # one at a time: a wish comes true once


@dataclass(frozen=True)
class Terms:
    """What people must agree on to be put together."""

    game: str
    seats: int
    speed: str
    rated: bool


@dataclass(frozen=True)
class Wish:
    """Somebody who looks for others, or has found them."""

    guest: str
    terms: Terms
    bots: bool  # may fill up
    since: float
    seen: float  # when they last asked
    table: str | None = None


@dataclass(frozen=True)
class Standing:
    """How a wish stands; who was put at a table just now, if anybody."""

    wish: Wish
    people: int  # who could sit down together by now
    seated: tuple[str, ...] = ()


class Quick:
    """Who looks for others, as far as this server hears of them."""

    def __init__(self, house: House, lobby: Lobby) -> None:
        self._house, self._lobby = house, lobby
        self._awaiting: dict[str, set[asyncio.Event]] = {}  # by guest: news
        house.neighbours.wake = self._wake_here

    async def wish(self, guest: Guest, address: str, wish: QuickWish) -> QuickInfo:
        """Somebody looks for others; an earlier wish of theirs is forgotten."""
        house = self._house
        house.drain.check()
        game = house.engines.game(wish.game)
        game.check_seats(wish.seats)
        if wish.seats < 2:
            raise BadRequest("quick_alone")
        if wish.speed != "none" and wish.speed not in by_name(game):
            raise BadRequest("no_such_clock")
        check_rated(wish.rated, wish.seats, game)
        if wish.bots:
            self._lobby.check_bot_turns(guest)
        terms = Terms(wish.game, wish.seats, wish.speed, wish.rated)
        now, (unfinished, an_hour) = house.clock(), self._lobby.limits_of(guest, address)
        try:
            await house.store.write(make_wish, Wish(guest.id, terms, wish.bots, now, now), unfinished, an_hour)
        except queries.Exceeded as exceeded:
            raise TooMuch(exceeded.limit.what, most=exceeded.limit.most) from None
        found = await self.stands(guest)
        if found.table is None:
            self._wake(await house.store.read(who_wishes, terms, now - FRESH), but=guest.id)
        return found

    async def stands(self, guest: Guest) -> QuickInfo:
        """How a guest's wish stands; looks for others."""
        store, now = self._house.store, self._house.clock()
        mine = await store.read(find_wish, guest.id)
        if mine is None or not self._house.engines.has(mine.terms.game):
            return QuickInfo()
        row, seed = self._prepared(guest, mine.terms)
        settings = self._house.settings
        found = await store.write(look, guest.id, now, settings.quick_bots, settings.tables_a_guest, row, seed)
        if found is None:
            return QuickInfo()
        self._wake(found.seated, but=guest.id)
        return await self._told(guest, found, now)

    def _prepared(self, guest: Guest, terms: Terms) -> tuple[queries.TableRow, bytes]:
        """A table for whoever is found."""
        game = self._house.engines.game(terms.game)
        row, seed = self._lobby.new_row(guest.id, game, game.full_options({}), True, [], "")
        clock = None if terms.speed == "none" else by_name(game).get(terms.speed)
        row.clock, row.rated = checked_clock(clock, terms.seats), terms.rated
        return row, seed

    async def _told(self, guest: Guest, found: Standing, now: float) -> QuickInfo:
        wish = found.wish
        terms, waited = wish.terms, max(0.0, now - wish.since)
        said = QuickWish(terms.game, terms.seats, terms.speed, terms.rated, wish.bots)
        if wish.table is None:
            left = max(0.0, self._house.settings.quick_bots - waited) if wish.bots else None
            return QuickInfo(said, waited, found.people, left)
        try:
            table = await self._lobby.seen_by(guest, wish.table)
        except NotFound:  # forgotten meanwhile
            await self._house.store.write(forget_wish, guest.id)
            return QuickInfo()
        return QuickInfo(said, waited, found.people, None, table.info(guest))

    async def news(self, guest: Guest) -> QuickInfo:
        """The same, but for some seconds it waits for something to have changed."""
        before, event = await self.stands(guest), asyncio.Event()
        if before.wish is None or before.table is not None:
            return before
        self._awaiting.setdefault(guest.id, set()).add(event)
        try:
            await self._until(event, NEWS if before.bots_in is None else min(NEWS, before.bots_in))
        finally:
            self._awaiting[guest.id].discard(event)
            if not self._awaiting[guest.id]:
                del self._awaiting[guest.id]
        return await self.stands(guest)

    async def _until(self, event: asyncio.Event, seconds: float) -> None:
        """Waits for news, but not beyond the end of this server."""
        end = self._house.ticks() + seconds
        while not event.is_set() and not self._house.drain.begun and (left := end - self._house.ticks()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), min(GLANCE, left))

    def _wake(self, guests: Iterable[str], but: str) -> None:
        """There is news for these, wherever they wait."""
        others = [guest for guest in guests if guest != but]
        if others:
            self._wake_here(others)
            self._house.neighbours.news_for(others)

    def _wake_here(self, guests: Iterable[str]) -> None:
        for guest in guests:
            for event in self._awaiting.get(guest, ()):
                event.set()

    async def cancel(self, guest: Guest) -> QuickInfo:
        """They do not look any more; of a table where the others still wait for them, the chair becomes free."""
        table = await self._house.store.write(forget_wish, guest.id)
        if table is not None:
            with contextlib.suppress(NotFound, NotNow):
                if (await self._lobby.seen_by(guest, table)).row.phase == "open":
                    await self._lobby.leave(guest, table)
        return QuickInfo()

    async def come(self, guest: Guest, wish: Come) -> TableInfo:
        """Somebody comes to the table that was found, with their share of its chance; with the last one the game begins."""
        fair.check_entropy(wish.entropy)
        mine = await self._house.store.read(find_wish, guest.id)
        if mine is None or mine.table is None:
            raise NotNow("no_match")
        table = await self._lobby.seen_by(guest, mine.table)
        await table.settled(lambda: self._come(table, guest, wish.entropy))
        return table.info(guest)

    async def _come(self, table: Table, guest: Guest, entropy: str) -> None:
        seat = table.seat_of(guest)
        if seat is None:
            raise NotNow("not_seated")
        if table.row.phase != "open" or table.row.chairs[seat].ready:
            return  # they have come before
        chairs = seats.with_ready(seats.with_entropy(table.row.chairs, seat, entropy), seat, True)
        if all(chair.ready or chair.bot_plays for chair in chairs):
            with self._house.bots.owing(guest.id):
                await table.begin(chairs)
        else:
            await table.reseat(chairs, table.row.host)


def party_of(mine: Wish, others: Sequence[Wish], apart: set[frozenset[str]]) -> list[Wish]:
    """Who can sit down with somebody, those who have waited longest first: a full table, or as many as are found."""
    best = [mine]
    for first in range(len(others)):
        party = [mine]
        for other in (*others[first:], *others[:first]):
            if all(frozenset((other.guest, one.guest)) not in apart for one in party):
                party.append(other)
            if len(party) == mine.terms.seats:
                return party
        best = max(best, party, key=len)
    return best


def seated_at(row: queries.TableRow, party: Sequence[Wish], names: dict[str, str], number: int) -> queries.TableRow:
    """The table with these people on its chairs, in an order that only its name decides, and bots beside them."""
    order = sorted(range(number), key=lambda n: hashlib.blake2b(f"{row.id} {n}".encode()).digest())
    chairs = [queries.ChairRow() for _ in range(number)]
    for seat, wish in zip(order, party, strict=False):
        chairs[seat] = queries.ChairRow(wish.guest, names[wish.guest])
    host = min(party, key=lambda wish: wish.since).guest
    return replace(row, host=host, chairs=seats.filled(chairs, DEFAULT_LEVEL))


# ── What the store is asked ──────────────────────────────────

_WISH = "guest, game, seats, speed, rated, bots, since, seen, table_id"


def _wish(row: Sequence[object]) -> Wish:
    guest, game, number, speed, rated, bots, since, seen, table = row
    terms = Terms(str(game), int(number), str(speed), bool(rated))  # type: ignore[call-overload]
    return Wish(str(guest), terms, bool(bots), since, seen, table)  # type: ignore[arg-type]


def make_wish(db: Connection, wish: Wish, unfinished: Limit, limits: Sequence[Limit]) -> None:
    """Somebody looks for others, if they might as well open a table."""
    one_at_a_time(db, [LOCK])
    if queries.count_unfinished(db, wish.guest) >= unfinished.most:
        raise queries.Exceeded(unfinished)
    queries.spend(db, limits, wish.since)
    db.execute("DELETE FROM wishes WHERE guest = ?", (wish.guest,))
    terms = wish.terms
    values = (
        wish.guest, terms.game, terms.seats, terms.speed, int(terms.rated), int(wish.bots), wish.since, wish.seen, None,
    )  # fmt: skip
    db.execute(f"INSERT INTO wishes ({_WISH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def find_wish(db: Connection, guest: str) -> Wish | None:
    """What a guest looks for."""
    found = db.execute(f"SELECT {_WISH} FROM wishes WHERE guest = ?", (guest,)).fetchone()
    return _wish(found) if found else None


def who_wishes(db: Connection, terms: Terms, since: float) -> list[str]:
    """Everybody who looks for this."""
    return [wish.guest for wish in _alike(db, terms, since)]


def _alike(db: Connection, terms: Terms, since: float) -> list[Wish]:
    """The wishes for this that have not come true, of those who have asked since then; the oldest first."""
    rows = db.execute(
        f"""SELECT {_WISH} FROM wishes WHERE game = ? AND seats = ? AND speed = ? AND rated = ? AND table_id IS NULL
            AND seen >= ? ORDER BY since, guest""",
        (terms.game, terms.seats, terms.speed, int(terms.rated), since),
    )
    return [_wish(row) for row in rows.fetchall()]


def look(
    db: Connection, guest: str, now: float, bots_after: float, most: int, row: queries.TableRow, server_seed: bytes
) -> Standing | None:
    """Whoever looks has asked again; if enough others look for the same, they all sit down at this table.

    So do fewer, when bots may fill up for all of them and one has waited long enough.
    """
    one_at_a_time(db, [LOCK])
    mine = find_wish(db, guest)
    if mine is None or (mine.table is None and mine.seen < now - FRESH):
        forget_wish(db, guest)
        return None
    if mine.table is not None:
        return Standing(mine, mine.terms.seats)
    db.execute("UPDATE wishes SET seen = ? WHERE guest = ?", (now, guest))
    alike = _alike(db, mine.terms, now - FRESH)
    others = [one for one in alike if one.guest != guest and queries.count_unfinished(db, one.guest) < most]
    apart = apart_among(db, [guest, *(one.guest for one in others)])
    party = party_of(mine, others, apart)
    fits = row.game == mine.terms.game and row.rated == mine.terms.rated and queries.count_unfinished(db, guest) < most
    full = len(party) == mine.terms.seats
    if not full and mine.bots and now - mine.since >= bots_after:
        party, full = party_of(mine, [one for one in others if one.bots], apart), True
    if not full or not fits:
        return Standing(mine, len(party))
    _sit_down(db, party, row, server_seed)
    return Standing(replace(mine, table=row.id), len(party), tuple(one.guest for one in party))


def _sit_down(db: Connection, party: Sequence[Wish], row: queries.TableRow, server_seed: bytes) -> None:
    """These people are at that table now."""
    people = [one.guest for one in party]
    marks = ", ".join("?" * len(people))
    names = dict(db.execute(f"SELECT id, name FROM guests WHERE id IN ({marks})", people).fetchall())
    queries.add_table(db, seated_at(row, party, names, party[0].terms.seats), server_seed)
    db.execute(f"UPDATE wishes SET table_id = ? WHERE guest IN ({marks})", (row.id, *people))


def forget_wish(db: Connection, guest: str) -> str | None:
    """A guest does not look any more; the table that was found for them, if one was."""
    one_at_a_time(db, [LOCK])
    gone = db.execute("DELETE FROM wishes WHERE guest = ? RETURNING table_id", (guest,)).fetchone()
    return gone[0] if gone else None
