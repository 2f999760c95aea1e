"""What the house does about clocks: sees when one runs out, holds one whose owner's line is lost, gives time, days off.

Whichever server notices first that a clock has run out says so; the table's revision lets one of them be right, and
the others find a stand-in there already. Tables that nobody has in memory are looked at by the first of the servers when the
store says that it is time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

from ludoteca.core.errors import Refusal

from . import seats
from .clock_rows import find_due, find_due_until, find_screens, set_due
from .clocks import AN_HOUR, DAYS_OFF, Row, gift, most
from .guests import Guest
from .lobby import Lobby
from .refusals import NotAllowed, NotNow
from .table import Table
from .wire import MoreTime, TableInfo

TICK = 0.25  # seconds between two looks at the tables in memory
LOOK_EVERY = 20  # ticks between two looks into the store
WARN_EVERY = 240  # ticks between two looks whose clock is nearly out where nobody is at the table
A_BLINK = 1.5  # seconds: a page that is loaded anew is no lost line, and does not use up what there is once a game
AT_ONCE = 50  # tables that are looked at in one go
MUCH_LATER = 3600.0  # seconds after which a table that cannot be looked at is tried again
OUT = "uniform"  # what plays on for a seat that is out: anything the rules allow, so that the game ends

log = logging.getLogger("ludoteca.clocks")


class Clockwork:
    """The clocks of all tables."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._house = lobby.house
        self._warned = dict[str, float]()  # tables where a clock is nearly out, and when it runs out

    # ── Time passes ──────────────────────────────────────────

    async def run(self) -> None:
        """Forever: looks at the tables in memory, and now and then into the store."""
        ticks = 0
        for id in await self._house.store.read(find_screens):  # they are covered, whatever was written down last
            with contextlib.suppress(Refusal):
                await self._lobby.table(id)
        while True:
            await asyncio.sleep(TICK)
            ticks += 1
            await self.look()
            if ticks % LOOK_EVERY == 1:
                await self.look_in_store()
            if ticks % WARN_EVERY == 1:
                await self.warn()

    async def look(self) -> None:
        """Sees to every clock in memory."""
        await self._house.uptime.notice_sleep()
        for table in [table for table in self._lobby.tables.values() if table.row.clock]:
            if table.timing.ticking and not table.closed:
                await self._seen_to(table)

    async def look_in_store(self) -> None:
        """Brings tables into memory where a clock may have run out while nobody was there."""
        if not await self._house.neighbours.first():
            return
        for id in (await self._house.store.read(find_due, self._house.clock()))[:AT_ONCE]:
            await self._look_at(id)

    async def warn(self) -> None:
        """Looks at tables where a clock is nearly out, each of them once; those in memory tell it by themselves."""
        if not await self._house.neighbours.first():
            return
        now = self._house.clock()
        soon = dict(await self._house.store.read(find_due_until, now, now + AN_HOUR))
        for id in [id for id, due in soon.items() if self._warned.get(id) != due][:AT_ONCE]:
            self._warned[id] = soon[id]
            with contextlib.suppress(Refusal):
                self._tell_low(await self._lobby.table(id))
        self._warned = {id: due for id, due in self._warned.items() if id in soon}

    def _tell_low(self, table: Table) -> None:
        if self._house.notices is not None:
            self._house.notices.warn(table)

    async def _look_at(self, id: str) -> None:
        try:
            table = await self._lobby.table(id)
        except Refusal:  # its game is not served any more, say: later, and nobody else has to wait for it
            await self._house.store.write(set_due, id, self._house.clock() + MUCH_LATER)
            return
        await self._seen_to(table)
        if not table.timing.expired():  # the house was down for a while: it is due later
            await self._house.store.write(set_due, id, table.timing.due())

    async def _seen_to(self, table: Table) -> None:
        try:
            if table.timing.screen_row() is not None:
                await table.settled(lambda: self._pass_screen(table))
            if table.timing.expired():
                await table.settled(lambda: self._time_out(table))
            self._tell_low(table)
            for what, seat in self._lines(table):
                await table.settled(lambda what=what, seat=seat: self._hold(table, what, seat))  # type: ignore[misc]
        except Refusal as refusal:
            log.info("A clock was not seen to: %s", refusal.key)
        except self._house.store.errors as error:
            log.warning("Table %s: a clock could not be stored: %r", table.row.id, error)

    async def _time_out(self, table: Table) -> None:
        """A stand-in for whoever has no time left; nothing if another server has seen to it."""
        for seat in table.timing.expired():
            terms = table.timing.terms
            level = OUT if terms is not None and terms.when_out == "out" else self._house.settings.standin_level
            await table.reseat(seats.stood_in(table.row.chairs, seat, level), table.row.host, seat)

    def _lines(self, table: Table) -> list[tuple[str, int]]:
        """Whose line is lost for the first time in a live game, and whose is found again."""
        terms, clocks, now = table.timing.terms, table.timing.now(), self._house.clock()
        found = list[tuple[str, int]]()
        for seat, chair in enumerate(table.row.chairs):
            if terms is None or table.row.hot or terms.kind != "live" or not clocks.runs(seat) or chair.guest is None:
                continue
            gone = table.presence.has_gone(chair.guest) and table.presence.away_for(chair.guest) >= A_BLINK
            if not clocks.seats[seat].lost and gone:
                found.append(("lost", seat))
            elif clocks.seats[seat].lost and clocks.held(seat, now) and table.presence.is_online(chair.guest):
                found.append(("found", seat))
        return found

    async def _pass_screen(self, table: Table) -> None:
        """Where one screen is passed around, clocks stand still while it is covered."""
        row = table.timing.screen_row()
        if row is not None:
            await table.note_clock(row)
            table.screen.was_open_here = bool(row.running)

    async def _hold(self, table: Table, what: str, seat: int) -> None:
        if (what, seat) in self._lines(table):
            row = Row(self._house.clock(), what, table.timing.now().running, seat=seat)  # type: ignore[arg-type]
            await table.note_clock(row)

    # ── What players do ──────────────────────────────────────

    async def more_time(self, guest: Guest, id: str, wish: MoreTime) -> TableInfo:
        """An opponent gives somebody more time."""
        table = await self._lobby.seen_by(guest, id)
        await table.settled(lambda: self._more_time(table, guest, wish.seat))
        return table.info(guest)

    async def _more_time(self, table: Table, guest: Guest, seat: int) -> None:
        mine, terms = self._seat_with_clock(table, guest), table.timing.terms
        seats.check_seat(table.row.chairs, seat)
        chair = table.row.chairs[seat]
        if seat == mine:
            raise NotAllowed("own_clock")
        if terms is None or chair.guest is None or chair.bot_plays:
            raise NotNow("bots_have_no_clock")
        if table.timing.now().left(seat, self._house.clock(), self._house.uptime.up) >= most(terms):
            raise NotNow("enough_time", name=chair.name)
        running, amount = table.timing.now().running, float(gift(terms))
        await table.note_clock(Row(self._house.clock(), "more", running, seat=seat, by=mine, amount=amount))

    async def day_off(self, guest: Guest, id: str) -> TableInfo:
        """Somebody takes a day off: their clock stands still for a day."""
        table = await self._lobby.seen_by(guest, id)
        await table.settled(lambda: self._day_off(table, guest))
        return table.info(guest)

    async def _day_off(self, table: Table, guest: Guest) -> None:
        mine, terms = self._seat_with_clock(table, guest), table.timing.terms
        if terms is None or terms.kind != "days":
            raise NotNow("no_days_off_here")
        if table.timing.now().seats[mine].days_off >= DAYS_OFF:
            raise NotNow("no_days_off_left", most=DAYS_OFF)
        await table.note_clock(Row(self._house.clock(), "off", table.timing.now().running, seat=mine))

    def _seat_with_clock(self, table: Table, guest: Guest) -> int:
        seat = table.seat_of(guest)
        if seat is None:
            raise NotAllowed("only_seated")
        if not table.timing.ticking:
            raise NotNow("no_clock")
        return seat
