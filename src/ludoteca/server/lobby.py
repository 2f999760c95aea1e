"""The lobby: opening tables, taking chairs, starting, rematches; and which tables are in memory.

A table nobody looks at is forgotten after a while and comes back from the store when somebody asks for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ludoteca.bots.levels import LEVELS
from ludoteca.core.errors import Refusal
from ludoteca.core.game import Game
from ludoteca.core.play import Play
from ludoteca.core.puzzles import Puzzle
from ludoteca.core.record import SPECTATOR

from . import box, fair, queries, seats
from .bots import DEFAULT_LEVEL
from .branching import branched_off, off_a_puzzle
from .clock_choice import checked as checked_clock
from .clocks import AN_HOUR
from .decks import Shelf
from .guests import Guest
from .house import House
from .limits import Limit, household
from .moments import eyes_of, look_back
from .names import new_id, tidy
from .one_screen import chairs_around
from .origin import Origin, origin_of
from .projections import may_see, table_info, viewer_of
from .refusals import BadRequest, NotAllowed, NotFound, NotNow, TooMuch
from .sights import sight_of
from .table import Table
from .welcome import check_kept, check_welcome
from .wire import (
    Arrange,
    BranchOff,
    Chair,
    GameInfo,
    Hush,
    Moments,
    OneScreenTable,
    OpenTable,
    PlayNow,
    Ready,
    Record,
    Rematch,
    Sight,
    Sit,
    StandIn,
    Start,
    TableInfo,
)

LONGEST_ID = 64
MOST_LISTED = 100
MOST_OWN = 200  # unfinished ones in a list
A_PAGE = 50  # finished games in an answer
LONGEST_TABLE_NAME = 48
STALE_HOURS = 24  # in which nobody came, after which a table that never began is forgotten
INVITE_BYTES = 16
SWEEP_EVERY = 5.0
A_MINUTE = 60.0
LANES = 4  # tables that go on at a time after a restart, where nobody looks on

log = logging.getLogger("ludoteca.lobby")


class Agreed(NamedTuple):
    """What people agree on by sitting down, beside the options of the game."""

    clock: str = ""  # none
    take_back: str = "information"
    rated: bool = False
    hints: bool = False


ALONE = Agreed(hints=True)  # with bots: nobody is there to mind


class Lobby:
    """All tables of this server."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.shelf = Shelf(house)
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self.guests_here: Callable[[], list[str]] = list  # who must not be forgotten
        self._cleaned = house.ticks()
        self._noted = house.ticks() - A_MINUTE  # when it was last written down who is here

    # ── Which tables are in memory ───────────────────────────

    async def table(self, id: str) -> Table:
        """The table of that name, from memory or from the store."""
        while (table := await self._brought(id)).closed:
            pass  # forgotten while it was on its way to us
        table.presence.touch()
        return table

    async def _brought(self, id: str) -> Table:
        table = self.tables.get(id)
        if table is not None and not table.closed:
            return table
        if id not in self._loading:
            task = asyncio.get_running_loop().create_task(self._load(id))
            self._loading[id] = task
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def seen_by(self, guest: Guest | None, id: str, invite: str | None = None) -> Table:
        """As `table`, but only for those who may know of it; for others it does not exist, nor comes into memory."""
        if id not in self.tables:
            row = await self._row(id)
            if row is None or not may_see(row, guest, invite):
                raise NotFound("no_such_table")
        table = await self._newest(id) if self.house.store.shared else await self.table(id)
        if not table.may_see(guest, invite):
            raise NotFound("no_such_table")
        return table

    async def _newest(self, id: str) -> Table:
        """As `table`, with what another server may have changed a moment ago; read anew if that cannot be followed."""
        table = await self.table(id)
        with contextlib.suppress(NotNow):
            await table.catch_up()
        return await self.table(id)

    async def glimpse(self, id: str, invite: str | None) -> queries.TableRow | None:
        """What a stranger with this invitation may know of a table; it is not brought into memory for that."""
        table = self.tables.get(id)
        row = table.row if table is not None else await self._row(id)
        return row if row is not None and may_see(row, None, invite) else None

    async def _row(self, id: str) -> queries.TableRow | None:
        return await self.house.store.read(queries.find_table, id) if possible(id) else None

    async def _load(self, id: str) -> Table:
        found = await self.house.store.read(queries.find_both, id) if possible(id) else None
        if found is None:
            raise NotFound("no_such_table")
        row, kept = found
        if row.unused and not await self.house.store.write(queries.use_table, id):
            raise NotFound("no_such_table")  # dropped a moment ago
        if self.house.engines.has(row.game):
            await self.house.engines.bring(row.game, kept.deck)
        table = Table(self.house, row, kept)
        await table.load(kept)
        self.tables[id] = table
        self.house.neighbours.who_is_at(id)
        return table

    def _add(self, row: queries.TableRow, server_seed: bytes, game: Game) -> Table:
        deck = game.deck.text if game.deck is not None else None
        self.tables[row.id] = Table(self.house, row, queries.GameRow(server_seed, None, deck=deck))
        return self.tables[row.id]

    async def resume(self) -> None:
        """After a restart: tables where a bot owes a decision go on, a few at a time; who comes to theirs need not wait."""
        if not self.house.neighbours.alone:
            return  # servers adopt from each other what nobody cares for
        left = await self.house.store.read(queries.waiting_for_bots)
        async with asyncio.TaskGroup() as lanes:
            for _ in range(LANES):
                lanes.create_task(self._resume_some(left))

    async def _resume_some(self, left: list[str]) -> None:
        while left:
            try:
                id = left.pop(0)
                table = await self.table(id)
            except Refusal as refusal:  # its game is not served any more, say
                log.warning("Table %s could not be resumed: %s", id, refusal.sentence)
            except Exception:
                log.exception("A table could not be resumed.")
            else:
                await table.bots.rest()

    async def check_versions(self) -> None:
        """After an update: games of other rules go on by today's, or end; in the background, one by one."""
        versions = {game.key: game.version for game in self.house.engines.games()}
        for id in await self.house.store.read(queries.of_other_rules, versions):
            try:
                table = await self._brought(id)
            except Exception:
                log.exception("A table could not be checked.")
                continue
            if not table.busy and not table.presence.was_touched:
                table.close()
                self.tables.pop(id, None)

    async def sweep(self) -> None:
        """Forever: forgets what nobody needs in memory, notices who has fallen silent."""
        while True:
            now = self.house.ticks()
            self.forget_idle(now)
            if now - self._noted > A_MINUTE:
                await self.note_here()
                self._noted = now
            if now - self._cleaned > AN_HOUR:
                await self.clean()
                self._cleaned = now  # and not before: what fails is tried again
            await asyncio.sleep(SWEEP_EVERY)

    async def note_here(self) -> None:
        """Writes down, for their friends, who is at a table now."""
        here = {guest for table in self.tables.values() for guest in table.presence.guests()}
        if here:
            await self.house.store.write(queries.note_here, sorted(here), self.house.clock())

    async def clean(self) -> None:
        """Each hour: drops from the store what nobody needs; never a table where somebody is."""
        now = self.house.clock()
        if not await self.house.neighbours.first():
            await self.house.store.write(queries.use_tables, list(self.tables))
            return  # another server does the rest
        dropped = await self.house.store.write(queries.drop_unused, list(self.tables), STALE_HOURS)
        for table in self.tables.values():
            if table.row.rematch in dropped:
                table.link_rematch(None)
        await self.house.store.write(queries.forget_uses, now - AN_HOUR, now + AN_HOUR)
        await self.house.store.write(queries.forget_wishes, now - AN_HOUR)
        settings = self.house.settings
        if settings.keep_games or settings.keep_guests:
            days = settings.keep_games, settings.keep_guests
            gone = await self.house.store.write(queries.expire, *days, list(self.tables), self.guests_here())
            log.info("Forgotten: %d finished games, %d guests.", *gone)
        await self.house.ledger.settle_all()

    def forget_idle(self, now: float) -> None:
        """Drops the tables nobody has looked at for a while."""
        for id, table in list(self.tables.items()):
            if table.closed or (not table.busy and now - table.presence.touched > self.house.settings.idle):
                table.close()
                del self.tables[id]

    def close(self) -> None:
        """The server stops."""
        for table in self.tables.values():
            table.close()
        self.tables.clear()

    # ── Lists ────────────────────────────────────────────────

    def games(self) -> list[GameInfo]:
        """The games of this server."""
        return [box.info_of(game) for game in self.house.engines.games()]

    async def open_tables(self, guest: Guest | None, wanted: queries.Wanted = queries.ANY_TABLE) -> list[TableInfo]:
        """Public tables with an empty chair."""
        rows = await self.house.store.read(queries.open_tables, MOST_LISTED, wanted)
        return [self.listed(row, guest) for row in rows]

    async def tables_of(self, guest: Guest, after: str | None = None) -> list[TableInfo]:
        """The guest's own tables, the most urgent first, then a page of finished ones; or the page after that one."""
        if after is not None and not possible(after):
            raise NotFound("no_such_table")
        read = self.house.store.read
        finished = await read(queries.finished_of, guest.id, A_PAGE, after)
        if finished is None:
            raise NotFound("no_such_table")
        rows = await read(queries.unfinished_of, guest.id, MOST_OWN) if after is None else []
        listed = [self.listed(row, guest) for row in rows]
        listed.sort(key=lambda info: (info.you not in info.waiting, math.inf if info.due is None else info.due))
        return listed + [self.listed(row, guest) for row in finished]

    def listed(self, row: queries.TableRow, guest: Guest | None) -> TableInfo:
        """From memory where it is there (it knows who is online); a list does not bring tables into memory."""
        table = self.tables.get(row.id)
        if table is not None and table.row.revision >= row.revision:
            return table.info(guest)
        due = None if row.due is None else max(0.0, row.due - self.house.clock())
        return table_info(row, viewer_of(row, guest), set(), 0, due)

    # ── Opening ──────────────────────────────────────────────

    async def open(self, guest: Guest, address: str, wish: OpenTable) -> TableInfo:
        """A new table; its host sits on the first chair."""
        game = await self.shelf.game_with(wish.game, wish.options)
        game.check_seats(wish.seats)
        if len(wish.bots) > wish.seats or (wish.bots and wish.bots[0] is not None):
            raise BadRequest("bots_and_chairs")
        chairs = [seats.person(guest), *(queries.ChairRow() for _ in range(wish.seats - 1))]
        for seat, level in enumerate(wish.bots):
            if level is not None:
                chairs = seats.with_bot(chairs, seat, checked(level))
        check_rated(wish.rated, wish.seats, game)
        agreed = Agreed(
            checked_clock(wish.clock, wish.seats), wish.take_back, wish.rated, wish.hints and not wish.rated
        )
        name = wish.name or ""
        table = await self._open(guest, address, game, wish.options, wish.public, chairs, name, agreed)
        return table.info(guest)

    async def play_now(self, guest: Guest, address: str, wish: PlayNow) -> TableInfo:
        """A table full of bots, started at once (unless the guest wants to see the commitment first)."""
        game = await self.shelf.game_with(wish.game, wish.options or {})
        number = wish.seats if wish.seats is not None else min(max(game.seats), max(min(game.seats), 3))
        game.check_seats(number)
        level = checked(wish.level or DEFAULT_LEVEL)
        chairs = [seats.person(guest), *(queries.ChairRow() for _ in range(number - 1))]
        with self._another_game_with_bots(guest):
            table = await self._open(guest, address, game, wish.options or {}, False, seats.filled(chairs, level), "")
            if not wish.wait:
                await table.settled(lambda: table.begin(table.row.chairs))
        return table.info(guest)

    async def one_screen(self, guest: Guest, address: str, wish: OneScreenTable) -> TableInfo:
        """A table for one screen that is passed around, started at once or, with `wait`, later."""
        game = self.house.engines.game(wish.game)
        chairs = chairs_around(guest, wish.others, [checked(level) for level in wish.bots])
        game.check_seats(len(chairs))
        agreed = Agreed(checked_clock(wish.clock, len(chairs)))
        with self._another_game_with_bots(guest) if wish.bots else contextlib.nullcontext():
            table = await self._open(guest, address, game, wish.options, False, chairs, "", agreed, hot=True)
            if not wish.wait:
                await table.settled(lambda: table.begin(table.row.chairs))
        return table.info(guest)

    async def branch(self, guest: Guest, address: str, id: str, invite: str | None, wish: BranchOff) -> TableInfo:
        """A table that goes on from a moment of another game: bots on the other chairs, or those who sat there."""
        old = await self.seen_by(guest, id, invite)
        seat, origin = branched_off(old, guest, wish)
        if wish.people:
            chairs, agreed = seats.anew(old.row.chairs), Agreed(hints=old.row.hints)
            chairs[seat] = seats.person(guest)  # also of whoever had left it to a bot
            options, hot = old.row.options, old.row.hot
            return (
                await self._open(guest, address, old.game, options, False, chairs, "", agreed, hot, origin.written())
            ).info(guest)
        level = checked(wish.level or DEFAULT_LEVEL)
        chairs = seats.tried_by(guest, old.row.chairs, seat, level)
        return await self._goes_on(guest, address, old.game, old.row.options, chairs, origin)

    async def play_on(self, guest: Guest, address: str, game: Game, puzzle: Puzzle, play: Play) -> TableInfo:
        """A table of one's own that goes on from a puzzle."""
        origin = off_a_puzzle(play, puzzle.seat, puzzle.id)
        chairs = seats.tried_by(guest, [queries.ChairRow()] * puzzle.seats, puzzle.seat, DEFAULT_LEVEL)
        return await self._goes_on(guest, address, game, puzzle.options, chairs, origin)

    async def _goes_on(
        self, guest: Guest, address: str, game: Game, options: Mapping[str, str], chairs: seats.Chairs, origin: Origin
    ) -> TableInfo:
        with self._another_game_with_bots(guest):
            table = await self._open(guest, address, game, options, False, chairs, "", branch=origin.written())
            await table.settled(lambda: table.begin(table.row.chairs))
        return table.info(guest)

    async def _open(
        self, guest: Guest, address: str, game: Game, options: Mapping[str, str], public: bool, chairs: seats.Chairs,
        name: str, agreed: Agreed = ALONE, hot: bool = False, branch: str = "",
    ) -> Table:  # fmt: skip
        unfinished, an_hour = self.limits_of(guest, address)
        row, server_seed = self.new_row(guest.id, game, game.full_options(options), public, chairs, name)
        row.clock, row.take_back, row.rated, row.hints = agreed
        row.hot = row.quiet = hot  # those who sit around one screen can talk
        row.branch = branch
        try:
            await self.house.store.write(queries.open_table, row, server_seed, unfinished, an_hour)
        except queries.Exceeded as exceeded:
            raise TooMuch(exceeded.limit.what, most=exceeded.limit.most) from None
        return self._add(row, server_seed, game)

    def limits_of(self, guest: Guest, address: str) -> tuple[Limit, list[Limit]]:
        """How many unfinished tables somebody may have, and how many they may open in an hour."""
        settings = self.house.settings
        return Limit("too_many_tables", guest.id, settings.tables_a_guest), [
            Limit("too_many_opened", guest.id, settings.tables_an_hour, AN_HOUR),
            Limit("too_many_from_here", household(address), settings.tables_an_hour_an_address, AN_HOUR),
        ]

    def new_row(
        self, host: str | None, game: Game, options: dict[str, str], public: bool, chairs: seats.Chairs, name: str
    ) -> tuple[queries.TableRow, bytes]:
        """A table that is not stored yet, and its secret."""
        self.house.drain.check()
        server_seed, now = fair.new_seed(), self.house.clock()
        row = queries.TableRow(
            id=new_id(),
            game=game.key,
            version=game.version,
            options=options,
            public=public,
            name=tidy(name, LONGEST_TABLE_NAME),
            host=host,
            phase="open",
            invite=secrets.token_urlsafe(INVITE_BYTES),
            commitment=fair.commit(server_seed),
            created=now,
            moved=now,
            chairs=chairs,
        )
        return row, server_seed

    # ── Chairs ───────────────────────────────────────────────

    async def sit(self, guest: Guest, id: str, wish: Sit) -> TableInfo:
        """Takes a chair before the start, or takes back one's own in a running game."""
        table = await self.seen_by(guest, id, wish.invite)
        await table.settled(lambda: self._sit(table, guest, wish))
        return table.info(guest)

    async def _sit(self, table: Table, guest: Guest, wish: Sit) -> None:
        mine = table.seat_of(guest)
        if table.row.phase == "over":
            raise NotNow("game_over")
        if table.row.phase == "playing":
            if mine is None or wish.seat not in (None, mine):
                raise NotNow("already_started")
            if table.row.chairs[mine].standin:
                self._check_clock(table, mine)
                await table.reseat(seats.given_back(table.row.chairs, mine), table.row.host, mine)
        else:
            await check_welcome(self.house, guest, table.row)
            if mine is None:
                await check_kept(self.house, guest, table.row)
            chairs = seats.taken(table.row.chairs, guest, wish.seat)
            host = table.row.host if seats.seat_of(chairs, table.row.host) is not None else guest.id
            await table.reseat(chairs, host)

    def _check_clock(self, table: Table, seat: int) -> None:
        """Whoever ran out of time comes back when the stand-in has decided what they have not; or not at all."""
        if table.timing.is_out(seat):
            raise NotNow("out_of_time")
        if table.timing.is_decided_for(seat):
            raise NotNow("standin_decides")

    async def leave(self, guest: Guest, id: str) -> TableInfo:
        """Frees the chair before the start; in a running game a bot plays on."""
        row = await self._row(id)
        if row is not None and not self.house.engines.has(row.game) and viewer_of(row, guest) != SPECTATOR:
            await self.house.store.write(queries.give_up, id, guest.id)
            return table_info(row, viewer_of(row, guest), set(), 0)
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._leave(table, guest))
        return table.info(guest)

    async def _leave(self, table: Table, guest: Guest) -> None:
        mine = table.seat_of(guest)
        if mine is None:
            raise NotNow("not_seated")
        if table.row.phase == "open":
            chairs = seats.freed(table.row.chairs, mine)
            await table.reseat(chairs, next_host(chairs, table.row.host, guest))
        elif table.row.phase == "playing" and not table.row.chairs[mine].standin:
            if table.row.hot:  # with whoever has the screen, all who share it go
                others = [seat for seat, chair in enumerate(table.row.chairs) if chair.person and seat != mine]
                for seat in others:
                    await self._put_stand_in(table, seat)
            await self._put_stand_in(table, mine)

    async def stand_in(self, guest: Guest, id: str, wish: StandIn) -> TableInfo:
        """Somebody at the table lets a bot play for another who is awaited and not there."""
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._stand_in(table, guest, wish.seat))
        return table.info(guest)

    async def _stand_in(self, table: Table, guest: Guest, seat: int) -> None:
        if table.seat_of(guest) is None:
            raise NotAllowed("only_seated")
        if seat not in table.waiting():
            raise NotNow("not_awaited")
        chair = table.row.chairs[seat]
        if chair.guest is not None and not chair.standin:
            patience, away = self.house.settings.patience, table.presence.away_for(chair.guest)
            if away < patience:
                key = "still_here" if away == 0 else "not_away_long"
                raise NotNow(key, name=chair.name, seconds=math.ceil(patience - away))
            await self._put_stand_in(table, seat)

    async def _put_stand_in(self, table: Table, seat: int) -> None:
        chairs = seats.stood_in(table.row.chairs, seat, self.house.settings.standin_level)
        await table.reseat(chairs, table.row.host, seat)

    async def chair(self, guest: Guest, id: str, wish: Chair) -> TableInfo:
        """The host puts a bot on a chair, or frees it."""
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._chair(table, guest, wish))
        return table.info(guest)

    async def _chair(self, table: Table, guest: Guest, wish: Chair) -> None:
        self._check_host(table, guest)
        if wish.seat == table.seat_of(guest):
            raise NotNow("own_chair")
        if wish.level is None:
            chairs = seats.freed(table.row.chairs, wish.seat)
        else:
            chairs = seats.with_bot(table.row.chairs, wish.seat, checked(wish.level))
        await table.reseat(chairs, table.row.host)

    async def new_invite(self, guest: Guest, id: str) -> TableInfo:
        """The host makes another invitation; the old one does not open the table any more."""
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._new_invite(table, guest))
        return table.info(guest)

    async def _new_invite(self, table: Table, guest: Guest) -> None:
        if table.row.host != guest.id or table.seat_of(guest) is None:
            raise NotAllowed("only_host")
        await table.invite_anew(secrets.token_urlsafe(INVITE_BYTES))

    async def hush(self, guest: Guest, id: str, wish: Hush) -> TableInfo:
        """The host switches the chat off for everybody, or on again."""
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._hush(table, guest, wish.quiet))
        return table.info(guest)

    async def _hush(self, table: Table, guest: Guest, quiet: bool) -> None:
        if table.row.host != guest.id or table.seat_of(guest) is None:
            raise NotAllowed("only_host")
        await table.hush(quiet)

    async def arrange(self, guest: Guest, id: str, wish: Arrange) -> TableInfo:
        """Somebody at the table changes what is agreed on, or the host the chairs; all are asked again for «ready»."""
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._arrange(table, guest, wish))
        return table.info(guest)

    async def _arrange(self, table: Table, guest: Guest, wish: Arrange) -> None:
        if table.seat_of(guest) is None:
            raise NotAllowed("only_seated")
        if table.row.phase != "open":
            raise NotNow("already_started")
        row = table.row
        if row.branch and (wish.seats is not None or wish.options is not None or wish.rated):
            raise NotNow("branch_is_fixed")
        chairs, options = row.chairs, row.options
        agreed = Agreed(
            row.clock,
            wish.take_back or row.take_back,
            row.rated if wish.rated is None else wish.rated,
            row.hints if wish.hints is None else wish.hints,
        )
        if wish.seats is not None:
            self._check_host(table, guest)
            table.game.check_seats(wish.seats)
            chairs = seats.resized(chairs, wish.seats)
        if wish.options is not None:
            options = table.game.full_options(wish.options)
        if wish.clock is not None:
            agreed = agreed._replace(clock=checked_clock(wish.clock, len(chairs)))
        if len(chairs) < 2:
            agreed = agreed._replace(clock="")  # nobody waits
        check_rated(agreed.rated, len(chairs), table.game)
        if (chairs, options, *agreed) != (row.chairs, row.options, row.clock, row.take_back, row.rated, row.hints):
            await table.arrange(chairs, options, *agreed)

    async def ready(self, guest: Guest, id: str, wish: Ready) -> TableInfo:
        """Somebody at the table would like to begin, or not yet."""
        table = await self.seen_by(guest, id)
        await table.settled(lambda: self._ready(table, guest, wish.ready))
        return table.info(guest)

    async def _ready(self, table: Table, guest: Guest, ready: bool) -> None:
        seat = table.seat_of(guest)
        if seat is None:
            raise NotAllowed("only_seated")
        if table.row.phase != "open":
            raise NotNow("already_started")
        if table.row.chairs[seat].ready != ready:
            await table.reseat(seats.with_ready(table.row.chairs, seat, ready), table.row.host)

    async def start(self, guest: Guest, id: str, wish: Start) -> TableInfo:
        """The host starts, or anybody at the table when the host has been away for a while; empty chairs become bots."""
        table = await self.seen_by(guest, id)
        fair.check_entropy(wish.entropy or "")
        await table.settled(lambda: self._start(table, guest, wish.entropy))
        return table.info(guest)

    async def _start(self, table: Table, guest: Guest, entropy: str | None) -> None:
        if table.seat_of(guest) is None or table.row.host == guest.id:
            self._check_host(table, guest)
        elif table.row.phase != "open":
            raise NotNow("already_started")
        else:
            self._check_host_is_away(table)
        chairs, seat = seats.filled(table.row.chairs, DEFAULT_LEVEL), table.seat_of(guest)
        if seat is not None and entropy is not None:
            chairs = seats.with_entropy(chairs, seat, entropy)
        bots, follows = any(chair.bot_plays for chair in chairs), table.row.follows is not None
        with self._another_game_with_bots(guest, follows) if bots else contextlib.nullcontext():
            await table.begin(chairs)

    def _another_game_with_bots(self, guest: Guest, follows: bool = False) -> contextlib.AbstractContextManager[None]:
        """Refused to whoever has bots think at too many tables already; counts from now on, until bots are asked there.

        What follows a finished game is never refused: it takes that one's place.
        """
        if not follows:
            self.check_bot_turns(guest)
        return self.house.bots.owing(guest.id)

    def check_bot_turns(self, guest: Guest) -> None:
        """Refuses whoever has bots think at too many tables already."""
        most = self.house.settings.bot_turns_a_host
        if self.house.bots.owed[guest.id] >= most:
            raise TooMuch("too_many_bot_turns", most=most)

    def _check_host_is_away(self, table: Table) -> None:
        """Refuses to begin without a host who is here, or has only just left."""
        host, patience = table.row.host, self.house.settings.patience
        away = table.presence.away_for(host) if host is not None else 0.0
        if away > 0 and away >= patience:
            return
        if host is not None and table.presence.has_gone(host):
            raise NotNow("host_just_left", seconds=math.ceil(patience - away))
        raise NotAllowed("only_host")

    def _check_host(self, table: Table, guest: Guest) -> None:
        if table.row.host != guest.id or table.seat_of(guest) is None:
            raise NotAllowed("only_host")
        if table.row.phase != "open":
            raise NotNow("already_started")

    # ── Afterwards ───────────────────────────────────────────

    async def rematch(self, guest: Guest, id: str, wish: Rematch) -> TableInfo:
        """A new table for the same people, everybody one chair on; the first who asks is its host."""
        old = await self.seen_by(guest, id)
        return (await old.settled(lambda: self._rematch(old, guest, wish))).info(guest)

    async def _rematch(self, old: Table, guest: Guest, wish: Rematch) -> Table:
        if old.seat_of(guest) is None:
            raise NotAllowed("only_seated")
        if old.row.phase != "over":
            raise NotNow("not_over")
        return await self._rematch_of(old) or await self._open_rematch(old, guest, wish)

    async def _rematch_of(self, old: Table) -> Table | None:
        """The next table of the same people; none if it was not opened yet, or has been forgotten since."""
        if old.row.rematch is None:
            return None
        try:
            return await self.table(old.row.rematch)
        except NotFound:
            return None

    async def _open_rematch(self, old: Table, guest: Guest, wish: Rematch) -> Table:
        chairs, game = seats.rotated(old.row.chairs), old.game
        options = {o.key: old.row.options[o.key] for o in game.options if old.row.options.get(o.key) in o.values}
        options, name = game.full_options(options), old.row.name
        row, server_seed = self.new_row(guest.id, game, options, old.row.public, chairs, name)
        row.hot, row.quiet = old.row.hot, old.row.hot
        row.follows, row.clock, row.take_back, row.rated = old.row.id, old.row.clock, old.row.take_back, old.row.rated
        row.hints = old.row.hints
        await old.open_rematch(row, server_seed)
        new = self._add(row, server_seed, game)
        if not wish.wait and all(chair.guest in (None, guest.id) for chair in chairs):  # nobody else to wait for
            await new.settled(lambda: new.begin(chairs))
        return new

    async def record(self, guest: Guest | None, id: str, invite: str | None) -> Record:
        """A finished game, written down."""
        table = await self.seen_by(guest, id, invite)
        journal = table.journal()
        assert table.result is not None
        origin = origin_of(table.row.branch)
        return Record(
            journal.game, journal.version, journal.seats, journal.options, journal.seed,
            [list(decision) for decision in journal.decisions], journal.names, table.fair(), table.result,
            *table.told_with(), [None if chair.guest else chair.level for chair in table.row.chairs], table.row.rated,
            None if origin is None else origin.told(),
            journal.deck,
        )  # fmt: skip

    async def moments(
        self, guest: Guest | None, id: str, invite: str | None, first: int | None, seat: int | None
    ) -> Moments:
        """A game, looked back at."""
        table = await self.seen_by(guest, id, invite)
        return await look_back(table, eyes_of(table, guest, seat), first)

    async def changed_elsewhere(self, id: str) -> None:
        """Something about a table was stored by others than its referee: those who are there are told."""
        table = self.tables.get(id)
        if table is not None:
            with contextlib.suppress(NotNow):  # it cannot be followed, and is read anew
                await table.catch_up()
            self.house.neighbours.changed(id, table.row.revision)

    def forget(self, id: str) -> None:
        """A table was closed: whoever is there comes back and finds it as it is stored."""
        table = self.tables.pop(id, None)
        if table is not None:
            table.close()

    async def sight(self, guest: Guest, id: str) -> Sight:
        """The game as this guest's seat may see it."""
        return sight_of(await self.seen_by(guest, id, None), guest)

    def renamed(self, guest: Guest) -> None:
        """Tells the tables in memory."""
        for table in self.tables.values():
            table.renamed(guest)


def possible(id: str) -> bool:
    """Whether a table can have this name."""
    return len(id) <= LONGEST_ID and id.isascii() and id.isprintable()


def check_rated(rated: bool, seats: int, game: Game) -> None:
    """Refuses to rate somebody who plays alone, or with a deck of one's own."""
    if rated and seats < 2:
        raise BadRequest("rated_alone")
    if rated and game.variant:
        raise BadRequest("rated_deck")


def checked(level: str) -> str:
    """A level of bot that exists."""
    if level not in LEVELS:
        raise BadRequest("no_such_bot")
    return level


def next_host(chairs: seats.Chairs, host: str | None, leaver: Guest) -> str | None:
    """The host stays host; if it was they who left, the next person is."""
    if host != leaver.id:
        return host
    return next((chair.guest for chair in chairs if chair.guest is not None), None)
