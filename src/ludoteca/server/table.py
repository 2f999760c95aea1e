"""The referee of one table.

A decision goes one way: is it this seat's turn and is it legal (otherwise a sentence back) → what happens is worked out
on a copy of the game → the decision is stored → only then the copy becomes the game, the player is told «done», and
every viewer gets the facts, the view and the choices that are theirs. The game in memory is never ahead of the store,
and all of it can be forgotten at any time: the journal gives it back.

Beside the referee: `presence.py` who is here, `projections.py` what each may see, `chat.py`, `bot_seats.py`, `screens.py`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from ludoteca.core.engine import Engine
from ludoteca.core.errors import Refusal
from ludoteca.core.facts import Fact
from ludoteca.core.journal import Journal, opened
from ludoteca.core.keyed import Keyed
from ludoteca.core.play import Decided, Play
from ludoteca.core.record import SPECTATOR

from . import fair, queries
from .bot_seats import BotSeats
from .chat import Chat
from .guests import Guest
from .house import House
from .missed import AT_ONCE, missed_facts
from .presence import Presence, Watcher
from .projections import SEATS_IN, may_see, news, promise_of, result_of, snapshot, table_info, viewer_of
from .refusals import BadRequest, NotAllowed, NotNow, Trouble
from .screens import Screens
from .seats import Chairs, seat_of, with_entropy
from .wire import Done, Fair, Pong, Result, Revealed, TableInfo, TableMessage, encode

log = logging.getLogger("ludoteca.table")


class Table:
    """One table in memory. `load` brings it back from the store as it was."""

    def __init__(self, house: House, row: queries.TableRow, kept: queries.GameRow) -> None:
        self.house = house
        self.row = row
        self.game = house.engines.game(row.game)
        self.lock = asyncio.Lock()  # one change at a time
        self.presence = Presence(house.clock)
        self.chat = Chat(house, row.id, self.presence)
        self.bots = BotSeats(self)
        self.play: Play | None = None  # once the cards are dealt
        self.result: Result | None = None  # how it ended, if it has
        self.closed = False
        self._screens = Screens.read(self.game, row.drafts)
        self._server_seed = kept.server_seed
        self._seed = kept.seed  # of a game that began under an earlier server
        self._proof: Fair | None = None

    async def load(self, decided: list[Decided]) -> Table:
        """Plays what is stored again."""
        if self.row.phase == "open":
            return self
        play = opened(self.engine, self._journal([]))
        for seat, action, step in decided:
            play.follow(seat, [action], step)
            if play.seq % AT_ONCE == 0:
                await asyncio.sleep(0)
        assert self.row.seq == play.seq, f"table {self.row.id}: {play.seq} decisions, but {self.row.seq} noted"
        self.play = play
        self.result = result_of(play) if self.row.phase == "over" else None
        self.bots.wake()
        return self

    # ── Reading ──────────────────────────────────────────────

    @property
    def engine(self) -> Engine:
        """The engine of this game, as fast as it is by now."""
        return self.house.engines.of(self.row.game)

    @property
    def seats(self) -> int:
        """How many chairs there are."""
        return len(self.row.chairs)

    @property
    def seq(self) -> int:
        """The number of the last step of the game."""
        return self.row.seq

    @property
    def busy(self) -> bool:
        """Whether anybody is here or anything is going on."""
        return bool(self.presence or self.bots or self.lock.locked())

    def waiting(self) -> list[int]:
        """The seats that owe a decision."""
        return SEATS_IN[self.row.waiting]

    def play_of(self, viewer: int) -> Play:
        """The game as it stands for this viewer: the same for all, but for what is behind the screens."""
        assert self.play is not None
        return self._screens.play_of(self.play, viewer)

    def seat_of(self, guest: Guest | None) -> int | None:
        """Where this guest sits."""
        return seat_of(self.row.chairs, guest.id if guest else None)

    def viewer(self, watcher: Watcher) -> int:
        """Whose eyes this watcher has: a seat's, or a spectator's."""
        return viewer_of(self.row, watcher.guest)

    def may_see(self, guest: Guest | None, invite: str | None) -> bool:
        """Whether this guest may know of the table at all."""
        return may_see(self.row, guest, invite)

    def info(self, guest: Guest | None) -> TableInfo:
        """The table as this guest may see it."""
        return table_info(self.row, guest, self.presence.online(), self.spectators, promise_of(self.row))

    @property
    def spectators(self) -> int:
        """How many watch without a chair."""
        return sum(self.seat_of(watcher.guest) is None for watcher in self.presence)

    def fair(self) -> Fair:
        """The promise with its proof, when the game is over."""
        if self.result is None:
            raise NotNow("not_over")
        assert self.play is not None
        if self._proof is None:
            self._proof = fair.reveal(promise_of(self.row), self._server_seed, self._seed, self.row.options, self.play)
        return self._proof

    def journal(self) -> Journal:
        """The finished game, written down."""
        if self.result is None:
            raise NotNow("not_over")
        assert self.play is not None
        return self._journal(self.play.decisions())

    def _journal(self, decisions: list[tuple[int, int]]) -> Journal:
        row, names = self.row, [chair.name for chair in self.row.chairs]
        keyed = self._keyed(row.chairs) if self._seed is None else None
        return Journal(row.game, row.version, self.seats, row.options, self._seed, decisions, names, keyed)

    def _keyed(self, chairs: Chairs) -> Keyed:
        """This table's chance, with these people's entropy."""
        return Keyed(self._server_seed, tuple(chair.entropy for chair in chairs))

    # ── Deciding ─────────────────────────────────────────────

    async def decide(
        self, seat: int, actions: list[int], at: int | None, command: str | None, by: Watcher | None
    ) -> None:
        """A decision from parse to publication, all of its steps or none.

        A command that is stored already is only answered again.
        """
        async with self.lock:
            if self._answer_from_screen(seat, command, by):
                return
            try:
                if by is not None and self.row.chairs[seat].bot_plays:
                    raise NotNow("stand_in")
                self.check(seat, actions, at)
            except Refusal:
                if not await self._answer_from_store(seat, actions, command, by):
                    raise
                return
            if self._screens.covers(actions[0]):
                await self._decide_behind_screen(seat, actions, command, by)
            else:
                await self._decide_in_the_open(seat, actions, command, by)

    def check(self, seat: int, actions: list[int], at: int | None) -> None:
        """Refuses what this seat may not decide now."""
        if self.closed:
            raise NotNow("reloading")
        if self.play is None:
            raise NotNow("not_started")
        self.play_of(seat).check(seat, actions)
        if at is not None and not self.play.asked_at(seat) <= at <= self.seq:
            raise NotNow("stale")  # decided on choices of an older position: the player should look again

    async def _decide_in_the_open(self, seat: int, actions: list[int], command: str | None, by: Watcher | None) -> None:
        assert self.play is not None
        after, now = self.play.copy(self.engine), self.house.clock()
        happened = after.follow(seat, actions)
        bits, phase = standing(after)
        job = (queries.append, self.row.id, self.seq + 1, seat, actions, command, now, bits, phase)
        if await self._written(seat, actions, command, by, *job):
            self.become(after, bits, phase, now)
            self._tell_all(happened, command, by)

    def become(self, play: Play, waiting: int, phase: str, now: float) -> None:
        """What was worked out is stored: now it is the game."""
        row, self.play, self._screens = self.row, play, Screens(self.game)
        row.seq, row.waiting, row.phase, row.moved, row.drafts = play.seq, waiting, phase, now, ""
        self.result = result_of(play) if phase == "over" else None

    def _tell_all(self, happened: list[Fact], command: str | None, by: Watcher | None) -> None:
        self.presence.touch()
        self._done(command, by)
        self.publish(happened)
        self.bots.wake()

    def _done(self, command: str | None, by: Watcher | None) -> None:
        if by is not None and command is not None:
            by.push(encode(Done(command, self.seq)))

    async def _written(
        self, seat: int, actions: list[int], command: str | None, by: Watcher | None,
        job: Callable[..., None], *arguments: Any,
    ) -> bool:  # fmt: skip
        """Stores a decision; false if it was stored before, which is then answered again."""
        try:
            await self.house.store.write(job, *arguments)
            return True
        except queries.Repeated:
            await self._answer_from_store(seat, actions, command, by)
            return False
        except queries.Overtaken:
            self.close()  # another server has gone on with this table: come back and read what it wrote
            raise NotNow("reloading") from None
        except sqlite3.Error:
            log.exception("A decision could not be stored.")
            raise Trouble("not_stored") from None
        except BaseException:
            self.close()  # cancelled: stored or not, the store knows
            raise

    async def _answer_from_store(self, seat: int, actions: list[int], command: str | None, by: Watcher | None) -> bool:
        """Answers a command that is stored already as it was answered then; false if it is new."""
        if command is None:
            return False
        found = await self.house.store.read(queries.find_command, self.row.id, command)
        if found is None:
            return False
        if (found.seat, found.actions) != (seat, actions):
            raise BadRequest("id_used")
        if by is not None:
            by.push(encode(Done(command, found.seq + len(actions) - 1)))
        return True

    # ── Deciding behind a screen ─────────────────────────────

    def _answer_from_screen(self, seat: int, command: str | None, by: Watcher | None) -> bool:
        """Whether this command is behind a screen already."""
        whose = self._screens.whose(command) if self._screens.steps else None
        if whose is None:
            return False
        if whose != seat:
            raise BadRequest("id_used")
        self._done(command, by)
        return True

    async def _decide_behind_screen(
        self, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> None:
        """Steps that only their seat sees; with the last seal of all, the screens go up."""
        assert self.play is not None
        screens = self._screens.adding(seat, actions, command)
        if all(screens.sealed(asked) for asked in self.play.waiting()):
            await self._open_screens(screens, seat, actions, command, by)
        elif await self._keep_screens(screens, seat, actions, command, by):
            self.publish([], None if screens.sealed(seat) else seat)
            self.bots.wake()

    async def _open_screens(
        self, screens: Screens, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> None:
        assert self.play is not None
        after, now, happened, decided = self.play.copy(self.engine), self.house.clock(), list[Fact](), screens.decided()
        for who, action, step, _ in decided:
            happened += after.follow(who, [action], step)
        bits, phase = standing(after)
        job = (queries.append_screens, self.row.id, self.seq + 1, decided, self.row.drafts, now, bits, phase)
        if await self._written(seat, actions, command, by, *job):
            self.become(after, bits, phase, now)
            self._tell_all(happened, command, by)

    async def open_again(self, seat: int, at: int, command: str, by: Watcher) -> None:
        """Takes back what this seat has behind its screen."""
        async with self.lock:
            if self.row.chairs[seat].bot_plays:
                raise NotNow("stand_in")
            if self.closed:
                raise NotNow("reloading")
            if at != self.seq:
                raise NotNow("screens_up")
            if seat not in self._screens.steps:  # taken back before: said again
                self._done(command, by)
            elif await self._keep_screens(self._screens.without(seat), seat, [], command, by):
                self.publish([])

    async def _keep_screens(
        self, screens: Screens, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> bool:
        """Stores what is behind the screens now."""
        assert self.play is not None
        bits = as_bits(asked for asked in self.play.waiting() if not screens.sealed(asked))
        written = screens.written()
        job = (queries.set_drafts, self.row.id, self.seq, self.row.drafts, written, command, bits)
        if not await self._written(seat, actions, command, by, *job):
            return False
        self._screens, self.row.drafts, self.row.waiting = screens, written, bits
        self.presence.touch()
        self._done(command, by)
        return True

    # ── Telling ──────────────────────────────────────────────

    def publish(self, happened: list[Fact], only: int | None = None) -> None:
        """The new position for everybody, or for one seat; made once for each viewer, and once for all spectators."""
        assert self.play is not None
        messages: dict[int, bytes] = {}
        seats = {chair.guest: seat for seat, chair in enumerate(self.row.chairs) if chair.guest is not None}
        for watcher in self.presence:
            viewer = seats.get(watcher.guest.id, SPECTATOR) if watcher.guest is not None else SPECTATOR
            if only is not None and viewer != only:
                continue
            if viewer not in messages:
                messages[viewer] = encode(news(self.row, self.play, self._screens, self.result, viewer, happened))
            watcher.push(messages[viewer])
        if self.result is not None:
            self.announce()
            self.presence.tell(Revealed(self.fair()))

    def announce(self) -> None:
        """Chairs, names, phase: to each their own."""
        self.presence.tell_each(self._announcement)

    def announce_soon(self) -> None:
        """As `announce`; several within a moment become one."""
        if self.presence and not self.closed:
            self.presence.tell_each_soon(self._announcement)

    def _announcement(self, guest: Guest | None) -> TableMessage:
        return TableMessage(self.info(guest))

    def show(self, seat: int | None = None) -> None:
        """A fresh position for everybody (the game has begun), or for one seat (its choices are its own again)."""
        for watcher in self.presence:
            if seat is None or seat == self.viewer(watcher):
                self._show_to(watcher, [])

    def _show_to(self, watcher: Watcher, missed: list[Any]) -> None:
        if self.play is not None:
            viewer = self.viewer(watcher)
            watcher.push(encode(snapshot(self.row, self.play, self._screens, self.result, viewer, missed)))

    # ── Coming and going ─────────────────────────────────────

    async def join(self, watcher: Watcher, since: int) -> None:
        """Somebody comes to watch or play, having seen everything up to step `since`."""
        said = await self.chat.remembered()
        missed = await missed_facts(self, watcher, since)
        if self.closed:  # while we were reading
            watcher.drop()
            return
        # Nothing awaits from here on, so that nothing can come between the position and what follows it.
        self.presence.come(watcher)
        watcher.push(encode(self._announcement(watcher.guest)))
        for line in said:
            watcher.push(encode(line))
        self._show_to(watcher, missed)
        if self.result is not None:
            watcher.push(encode(Revealed(self.fair())))
        self.announce_soon()

    async def fill_gap(self, watcher: Watcher, since: int) -> None:
        """A snapshot with the facts since then, for somebody who has lost something on the way."""
        missed = await missed_facts(self, watcher, since)
        if watcher in self.presence:
            self._show_to(watcher, missed)

    def leave(self, watcher: Watcher) -> None:
        """Somebody stops watching."""
        self.presence.go(watcher)
        self.announce_soon()

    def gone_silent(self, watcher: Watcher) -> None:
        """Somebody does not seem to be here any more."""
        self.presence.fall_silent(watcher)
        self.announce_soon()

    def pong(self, watcher: Watcher) -> None:
        """Answers a ping."""
        self.presence.touch()
        watcher.push(encode(Pong(self.seq)))

    def close(self) -> None:
        """Forgets the table; whoever is connected comes back and finds it as stored."""
        self.closed = True
        self.bots.close()
        self.presence.close()

    # ── Chairs (the lobby decides who may) ───────────────────

    async def reseat(self, chairs: Chairs, host: str | None, seat: int | None = None) -> None:
        """Other people, or bots, on the chairs; `seat` has changed hands. Call with the lock held."""
        await self._keep(chairs, host)
        for watcher in self.presence:
            if not self.may_see(watcher.guest, watcher.invite):
                watcher.drop()  # sent from a private table
        self.announce()
        if seat is not None:
            self.show(seat)
        self.bots.wake()

    async def begin(self, chairs: Chairs) -> None:
        """The first deal; call with the lock held."""
        now = self.house.clock()
        play = Play.deal(self.engine, len(chairs), self.row.options, self._keyed(chairs))
        row = dataclasses.replace(self.row, chairs=chairs, version=self.game.version)
        bits, phase = standing(play)
        try:
            await self.house.store.write(queries.start_table, row, None, bits, now)
        except queries.Overtaken:
            self.close()
            raise NotNow("reloading") from None
        self.row = row
        self.become(play, bits, phase, now)
        self.announce()
        self.show()
        self.bots.wake()

    async def add_entropy(self, guest: Guest | None, text: str) -> None:
        """A player's own share of chance."""
        fair.check_entropy(text)
        async with self.lock:
            seat = self.seat_of(guest)
            if seat is None:
                raise NotAllowed("only_seated")
            if self.row.phase != "open":
                raise NotNow("already_started")
            await self._keep(with_entropy(self.row.chairs, seat, text), self.row.host)
            self.announce_soon()

    def link_rematch(self, id: str) -> None:
        """The same people have gone on to another table."""
        self.row.rematch = id
        self.announce()

    async def _keep(self, chairs: Chairs, host: str | None) -> None:
        await self.house.store.write(queries.save_table, dataclasses.replace(self.row, chairs=chairs, host=host))
        self.row.chairs, self.row.host = chairs, host

    def renamed(self, guest: Guest) -> None:
        """Somebody at this table is called otherwise now."""
        seat = self.seat_of(guest)
        if seat is not None:
            self.row.chairs[seat].name = guest.name
            self.announce_soon()


def standing(play: Play) -> tuple[int, str]:
    """How a game stands, as a table's row has it: the bits of those who owe a decision, and the phase."""
    return as_bits(play.waiting()), "over" if play.is_over() else "playing"


def as_bits(seats: Iterable[int]) -> int:
    """Seats as the store keeps them."""
    return sum(1 << seat for seat in seats)
