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

from msgspec import Raw

from ludoteca.core import traces
from ludoteca.core.engine import Engine
from ludoteca.core.errors import Refusal
from ludoteca.core.facts import Fact
from ludoteca.core.journal import Journal
from ludoteca.core.keyed import Keyed
from ludoteca.core.play import Decided, Play
from ludoteca.core.record import SPECTATOR

from . import fair, queries
from .bot_seats import BotSeats
from .chat import Chat
from .guests import Guest
from .house import House
from .presence import Presence, Watcher
from .projections import SEATS_IN, may_see, news, promise_of, result_of, snapshot, table_info, viewer_of
from .reading import must_end, read_back
from .refusals import BadRequest, NotAllowed, NotNow, Trouble
from .screens import Screens
from .seats import Chairs, seat_of, with_entropy
from .wire import Done, Fair, FromServer, Pong, Result, Revealed, TableInfo, TableMessage, Update, encode

log = logging.getLogger("ludoteca.table")


class Table:
    """One table in memory. `load` brings it back from the store as it was."""

    def __init__(self, house: House, row: queries.TableRow, kept: queries.GameRow) -> None:
        self.house = house
        self.row = row
        self.game = house.engines.game(row.game)
        self.lock = asyncio.Lock()  # one change at a time
        self.presence = Presence(house.ticks)
        self.chat = Chat(house, row.id, self.presence)
        self.bots = BotSeats(self)
        self.play: Play | None = None  # once the cards are dealt
        self.result: Result | None = None  # how it ended, if it has
        self.closed = False
        self._ready = set[str]()  # guests who would like to begin; not stored: after a restart they are asked again
        self._screens = Screens.read(self.game, row.drafts)
        self._server_seed = kept.server_seed
        self._seed = kept.seed  # of a game that began under an earlier server
        self._proof: Fair | None = None
        self._trace = b""  # of the game so far

    async def load(self, kept: queries.GameRow) -> Table:
        """Plays what is stored again; a game that today's rules do not give again ends where they part."""
        if self.row.phase == "open":
            return self
        row, found = self.row, await read_back(self.engine, self.row, kept)
        self.play, self._trace = found.play, found.trace
        if row.ended or must_end(self.game.version, row, found):
            await self._end(found.reason)
        elif row.version != self.game.version:
            await self.house.store.write(queries.carry_over, row.id, row.seq, self.game.version)
            row.version = self.game.version
        if row.phase == "over" and not row.ended and self.play is not None:
            self.result = result_of(self.play)
        self.bots.wake()
        return self

    async def _end(self, why: str) -> None:
        """The game cannot go on; what is known of it can be looked at."""
        row = self.row
        if row.phase == "playing":
            await self.house.store.write(queries.end_table, row.id, row.seq, why)
        row.phase, row.ended, row.waiting, row.drafts = "over", row.ended or why, 0, ""
        row.seq = self.play.seq if self.play is not None else 0
        self._screens = Screens(self.game)

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
        return self._info(viewer_of(self.row, guest))

    def _info(self, viewer: int) -> TableInfo:
        online = {guest for guest in self._seated() if self.presence.is_online(guest)}
        return table_info(self.row, viewer, online, self._ready, self.spectators)

    def _seated(self) -> dict[str, int]:
        """Who sits where."""
        return {chair.guest: seat for seat, chair in enumerate(self.row.chairs) if chair.guest is not None}

    @property
    def spectators(self) -> int:
        """How many watch without a chair."""
        return len(self.presence) - sum(map(self.presence.sockets_of, self._seated()))

    @property
    def crowd(self) -> int:
        """How many watch without a chair, or are about to: what the limit counts, so that a burst cannot pass it."""
        return self.spectators + self.presence.coming

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
            try:
                self._check_chair(seat, by)
                self.check(seat, actions, at)
            except Refusal:
                if not await self._answer_from_store(seat, actions, command, by):
                    raise
                return
            if self._screens.covers(actions[0]):
                await self._decide_behind_screen(seat, actions, command, by)
            else:
                await self._decide_in_the_open(seat, actions, command, by)

    def _check_chair(self, seat: int, by: Watcher | None) -> None:
        """Refuses people for whom a bot plays, and everybody when the table is forgotten."""
        if by is not None and self.row.chairs[seat].bot_plays:
            raise NotNow("stand_in")
        if self.closed:
            raise NotNow("reloading")

    def check(self, seat: int, actions: list[int], at: int | None) -> None:
        """Refuses what this seat may not decide now."""
        if self.play is None:
            raise NotNow("not_started")
        self.play_of(seat).check(seat, actions)
        if at is not None and not self.play.asked_at(seat) <= at <= self.seq:
            raise NotNow("stale")  # decided on choices of an older position: the player should look again

    async def _decide_in_the_open(self, seat: int, actions: list[int], command: str | None, by: Watcher | None) -> None:
        assert self.play is not None
        after, now = self.play.copy(self.engine), self.house.clock()
        happened, left = self._followed(after, [(seat, action, step) for step, action in enumerate(actions)])
        bits, phase = standing(after)
        job = (queries.append, self.row.id, self.seq + 1, seat, actions, command, now, bits, phase, left)
        if await self._written(seat, actions, command, by, *job):
            self._trace = left[-1]
            self.become(after, bits, phase, now)
            self._tell_all(happened, command, by, self.seq)

    def _followed(self, after: Play, decided: list[Decided]) -> tuple[list[Fact], list[bytes]]:
        """What these steps bring about, and the trace of each."""
        happened, left = list[Fact](), [self._trace]
        for seat, action, step in decided:
            told = after.follow(seat, [action], step)
            happened += told
            left.append(traces.of_a_step(left[-1], after, told))
        return happened, left[1:]

    def become(self, play: Play, waiting: int, phase: str, now: float) -> None:
        """What was worked out is stored: now it is the game."""
        row, self.play, self._screens = self.row, play, Screens(self.game)
        row.seq, row.waiting, row.phase, row.moved, row.drafts = play.seq, waiting, phase, now, ""
        self.result = result_of(play) if phase == "over" else None

    def _tell_all(self, happened: list[Fact], command: str | None, by: Watcher | None, done: int) -> None:
        self.presence.touch()
        self._done(command, by, done)
        self.publish(happened)
        self.bots.wake()

    def _done(self, command: str | None, by: Watcher | None, seq: int) -> None:
        if by is not None and command is not None:
            by.push(encode(Done(command, seq)))

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
        self._done(command, by, found.done)
        return True

    # ── Deciding behind a screen ─────────────────────────────

    async def _decide_behind_screen(
        self, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> None:
        """Steps that only their seat sees; with the last seal of all, the screens go up.

        Such a command is answered with the number with which the screens will go up: its own is not known before.
        """
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
        after, now, decided = self.play.copy(self.engine), self.house.clock(), screens.decided()
        happened, left = self._followed(after, decided)
        bits, phase = standing(after)
        up, named = self.seq + 1, (command, seat, actions)
        job = (queries.append_screens, self.row.id, up, decided, self.row.drafts, now, bits, phase, *named, left)
        if await self._written(seat, actions, command, by, *job):
            self._trace = left[-1]
            self.become(after, bits, phase, now)
            self._tell_all(happened, command, by, up)

    async def open_again(self, seat: int, at: int, command: str, by: Watcher) -> None:
        """Takes back what this seat has behind its screen."""
        async with self.lock:
            try:
                self._check_chair(seat, by)
                self._check_screens(at)
            except Refusal:
                if not await self._answer_from_store(seat, [], command, by):
                    raise
                return
            hid = seat in self._screens.steps
            if await self._keep_screens(self._screens.without(seat), seat, [], command, by) and hid:
                self.publish([])

    def _check_screens(self, at: int) -> None:
        """Refuses to open what is open."""
        if self.play is None:
            raise NotNow("not_started")
        if at != self.seq or self.result is not None:
            raise NotNow("screens_up")

    async def _keep_screens(
        self, screens: Screens, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> bool:
        """Stores what is behind the screens now."""
        assert self.play is not None
        bits = as_bits(asked for asked in self.play.waiting() if not screens.sealed(asked))
        written = screens.written()
        job = (queries.set_drafts, self.row.id, self.seq, self.row.drafts, written, bits, command, seat, actions)
        if not await self._written(seat, actions, command, by, *job):
            return False
        self._screens, self.row.drafts, self.row.waiting = screens, written, bits
        self.presence.touch()
        self._done(command, by, self.seq + 1)
        return True

    # ── Telling ──────────────────────────────────────────────

    def publish(self, happened: list[Fact], only: int | None = None) -> None:
        """The new position for everybody, or for one seat."""
        play, row = self.play, self.row
        assert play is not None
        self._tell_by_eyes(lambda viewer: news(row, play, self._screens, self.result, viewer, happened), only)
        if self.result is not None:
            self.announce()
            self.presence.tell(Revealed(self.fair()))

    def _tell_by_eyes(self, message: Callable[[int], FromServer], only: int | None = None) -> None:
        """To each their own, made once for all who have the same eyes; spectators hear it after those who sit."""
        for viewer, watchers in self._by_eyes().items():
            if only in (None, viewer) and watchers:
                data = encode(message(viewer))
                for watcher in watchers:
                    watcher.push(data, later=viewer == SPECTATOR)

    def _by_eyes(self) -> dict[int, list[Watcher]]:
        """Who looks through whose eyes: those of each seat, and last those of spectators."""
        seats = self._seated()
        found: dict[int, list[Watcher]] = {viewer: [] for viewer in (*seats.values(), SPECTATOR)}
        for watcher in self.presence:
            viewer = seats.get(watcher.guest.id, SPECTATOR) if watcher.guest is not None else SPECTATOR
            found[viewer].append(watcher)
        return found

    def announce(self) -> None:
        """Chairs, names, phase: to each their own."""
        self.presence.not_soon()
        self._tell_by_eyes(self._announcement)

    def announce_soon(self) -> None:
        """As `announce`; several within a moment become one."""
        if self.presence and not self.closed:
            self.presence.soon(self.announce)

    def _announcement(self, viewer: int) -> TableMessage:
        return TableMessage(self._info(viewer))

    def show(self, seat: int | None = None) -> None:
        """A fresh position for everybody (the game has begun), or for one seat (its choices are its own again)."""
        if self.play is not None:
            self._tell_by_eyes(lambda viewer: self._snapshot(viewer, []), seat)

    def _snapshot(self, viewer: int, missed: list[Raw]) -> Update:
        assert self.play is not None
        return snapshot(self.row, self.play, self._screens, self.result, viewer, missed)

    # ── Coming and going ─────────────────────────────────────

    async def join(self, watcher: Watcher, since: int) -> None:
        """Somebody comes to watch or play, having seen everything up to step `since`."""
        said = await self.chat.remembered()
        viewer, missed = await self._missed(watcher, since)
        if self.closed:  # while we were reading
            watcher.drop()
            return
        # Nothing awaits from here on, so that nothing can come between the position and what follows it.
        self.presence.come(watcher)
        self.bots.watched()
        watcher.push(encode(self._announcement(viewer)))
        for line in said:
            watcher.push(encode(line))
        if self.play is not None:
            watcher.push(encode(self._snapshot(viewer, missed)))
        if self.result is not None:
            watcher.push(encode(Revealed(self.fair())))
        self.announce_soon()

    async def fill_gap(self, watcher: Watcher, since: int) -> None:
        """A snapshot with the facts since then, for somebody who has lost something on the way."""
        viewer, missed = await self._missed(watcher, since)
        if watcher in self.presence and self.play is not None:
            watcher.push(encode(self._snapshot(viewer, missed)))

    async def _missed(self, watcher: Watcher, since: int) -> tuple[int, list[Raw]]:
        """Whose eyes a watcher has, and what was told to them after step `since`; nobody awaits after that."""
        while True:
            viewer = self.viewer(watcher)
            missed = await self.house.missed.facts(self, viewer, since)
            if viewer == self.viewer(watcher):
                return viewer, missed

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
        self.house.missed.forget(self.row.id)
        self.bots.close()
        self.presence.close()

    # ── Chairs (the lobby decides who may) ───────────────────

    async def reseat(self, chairs: Chairs, host: str | None, seat: int | None = None) -> None:
        """Other people, or bots, on the chairs; `seat` has changed hands. Call with the lock held."""
        await self._keep(chairs, host)
        self._ready &= {chair.guest for chair in chairs if chair.guest is not None}
        self._drop_uninvited()
        self.announce()
        if seat is not None:
            self.show(seat)
        self.bots.wake()

    async def invite_anew(self, invite: str) -> None:
        """From now on only this invitation opens the table; whoever watches with the old one leaves. Hold the lock."""
        await self.house.store.write(queries.set_invite, self.row.id, invite)
        self.row.invite = invite
        self._drop_uninvited()
        self.announce()

    def _drop_uninvited(self) -> None:
        for watcher in self.presence:
            if not self.may_see(watcher.guest, watcher.invite):
                watcher.drop()  # sent from a private table

    async def arrange(self, chairs: Chairs, options: dict[str, str]) -> None:
        """Another number of chairs, or other options: nobody has said yes to that yet. Call with the lock held."""
        try:
            row = dataclasses.replace(self.row, chairs=chairs, options=options)
            await self.house.store.write(queries.arrange_table, row)
        except queries.Overtaken:
            self.close()
            raise NotNow("reloading") from None
        self.row.chairs, self.row.options = chairs, options
        self._ready.clear()
        self.announce()

    def say_ready(self, guest: Guest, ready: bool) -> None:
        """Somebody would like to begin, or not yet."""
        (self._ready.add if ready else self._ready.discard)(guest.id)
        self.announce_soon()

    async def begin(self, chairs: Chairs) -> None:
        """The first deal; call with the lock held."""
        now = self.house.clock()
        play = Play.deal(self.engine, len(chairs), self.row.options, self._keyed(chairs))
        row = dataclasses.replace(self.row, chairs=chairs, version=self.game.version)
        (bits, phase), dealt = standing(play), traces.of_the_deal(play)
        try:
            await self.house.store.write(queries.start_table, row, None, bits, now, dealt)
        except queries.Overtaken:
            self.close()
            raise NotNow("reloading") from None
        self.row, self._trace = row, dealt
        self._ready.clear()
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

    def link_rematch(self, id: str | None) -> None:
        """The same people have gone on to another table, or that was forgotten."""
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
