"""The referee: one table's game, its chairs and those who watch.

A decision goes one way: is it this seat's turn and is it legal (otherwise a sentence back) → what happens is worked out
on a copy of the record → the decision is stored → only then the copy becomes the game, the player is told «done», and
every viewer gets the facts, the view and the choices that are theirs. The game in memory is never ahead of the store,
and all of it can be forgotten at any time: the journal gives it back.

Views, choices and events are made only from redacted records.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hmac
import itertools
import logging
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from ludoteca.catalogue import game as find_game
from ludoteca.core.engine import Engine
from ludoteca.core.errors import Refusal
from ludoteca.core.events import Fact
from ludoteca.core.game import Game, Json
from ludoteca.core.journal import Journal, check_version
from ludoteca.core.record import SPECTATOR, Plain, States, copied

from . import fair, store
from .bots import Bots
from .engines import Engines
from .guests import Guest, tidy
from .refusals import BadRequest, NotAllowed, NotNow, Trouble
from .screens import Decision, Screens
from .seats import Chairs, seat_of
from .settings import Settings
from .wire import (
    ChairInfo,
    Done,
    Fair,
    FromServer,
    Pong,
    Result,
    Revealed,
    Said,
    ShuffleInfo,
    TableInfo,
    TableMessage,
    Update,
    encode,
    packed,
)

AT_ONCE = 50  # decisions replayed before others get a turn of the event loop
REMEMBERED = 20  # things said, shown to those who come; with the rest of the greeting they must fit an outbox
MOST_TEXT = 500  # characters of chat
SEATS_IN = [[seat for seat in range(8) if bits >> seat & 1] for bits in range(256)]
SPREAD = 0.05  # seconds in which several people coming and going make one message

log = logging.getLogger("ludoteca.table")


@dataclass
class House:
    """What every table shares."""

    settings: Settings
    store: store.Store
    engines: Engines
    bots: Bots
    clock: Callable[[], float] = time.time


class Watcher(Protocol):
    """Somebody at the table, as the referee sees them; `sockets.py` has the real ones."""

    guest: Guest | None
    invite: str | None  # what it came with
    away: bool

    def push(self, message: bytes) -> None:
        """Sends it, now or soon; never waits."""

    def drop(self) -> None:
        """Ends the connection."""


class Table:
    """One table in memory. `load` brings it back from the store as it was."""

    def __init__(self, house: House, row: store.TableRow, kept: store.GameRow) -> None:
        self.house = house
        self.row = row
        self.game = find_game(row.game)
        self.lock = asyncio.Lock()  # one change at a time
        self.watchers: set[Watcher] = set()
        self.touched = house.clock()  # when somebody last wanted something here
        self.closed = False
        self._loaded = self.touched
        self._last_seen: dict[str, float] = {}  # guests who were here, and when
        self._server_seed = kept.server_seed
        self._seed = kept.seed
        self._decisions = array("h")  # seat and action, in turn
        self._states: States | None = None
        self._screens = Screens.read(self.game, row.drafts)
        self._told = 0  # facts so far
        self._ready: list[int] = []  # for each seat: the decision after which it has had its present choices
        self._result: Result | None = None
        self._shuffles: list[ShuffleInfo] | None = None
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._announcement: asyncio.TimerHandle | None = None

    async def load(self, decisions: list[tuple[int, int]]) -> Table:
        """Plays the stored decisions again."""
        if self._seed is None:
            return self
        check_version(self.game, self._journal())
        replay = Replay(self)
        for number, (seat, action) in enumerate(decisions, 1):
            replay.decide(seat, action)
            self._decisions.extend((seat, action))
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
        assert self.row.seq == replay.seq, f"table {self.row.id}: {replay.seq} decisions, but {self.row.seq} noted"
        self._states, self._told, self._ready = replay.states, replay.told, replay.ready
        self._finish_if_over()
        self.wake_bots()
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
        """The number of the last decision."""
        return self.row.seq

    @property
    def started(self) -> bool:
        """Whether the cards are dealt."""
        return self._states is not None

    def decisions(self) -> list[tuple[int, int]]:
        """Seat and action of every decision so far."""
        return list(zip(self._decisions[::2], self._decisions[1::2], strict=True))

    def waiting(self) -> list[int]:
        """The seats that owe a decision."""
        return SEATS_IN[self.row.waiting]

    def seat_of(self, guest: Guest | None) -> int | None:
        """Where this guest sits."""
        return seat_of(self.row.chairs, guest.id if guest else None)

    def viewer(self, watcher: Watcher) -> int:
        """Whose eyes this watcher has: a seat's, or a spectator's."""
        seat = self.seat_of(watcher.guest)
        return SPECTATOR if seat is None else seat

    def may_see(self, guest: Guest | None, invite: str | None) -> bool:
        """Whether this guest may know of the table at all."""
        return may_see(self.row, guest, invite)

    def info(self, guest: Guest | None) -> TableInfo:
        """The table as this guest may see it."""
        return table_info(self.row, guest, self._online(), self.spectators, self.fair())

    @property
    def spectators(self) -> int:
        """How many watch without a chair."""
        return sum(1 for w in self.watchers if self.seat_of(w.guest) is None)

    def _online(self) -> set[str]:
        return {w.guest.id for w in self.watchers if w.guest is not None and not w.away}

    def away_for(self, guest: str) -> float:
        """For how many seconds this guest has not been here."""
        if guest in self._online():
            return 0.0
        return self.house.clock() - self._last_seen.get(guest, self._loaded)

    def fair(self) -> Fair:
        """The promise; with its proof when the game is over."""
        promise = promise_of(self.row)
        if self._result is None:
            return promise
        assert self._seed is not None
        if self._shuffles is None:
            self._shuffles = fair.shuffles(self.game, self.engine, self._journal())
        return fair.reveal(promise, self._server_seed, self._seed, self._shuffles)

    def journal(self) -> Journal:
        """The finished game, written down."""
        if self._result is None:
            raise NotNow("not_over")
        return self._journal()

    @property
    def result(self) -> Result | None:
        """How it ended, if it has."""
        return self._result

    def _journal(self) -> Journal:
        assert self._seed is not None
        return Journal(
            self.row.game, self.row.version, self.seats, self.row.options, self._seed,
            self.decisions(), [c.name for c in self.row.chairs],
        )  # fmt: skip

    # ── Deciding ─────────────────────────────────────────────

    async def decide(
        self, seat: int, actions: list[int], at: int | None, command: str | None, by: Watcher | None
    ) -> None:
        """A decision from parse to publication; behind a screen it may be several steps at once.

        A command that is stored already is only answered again.
        """
        async with self.lock:
            if self._answer_from_screen(seat, command, by):
                return
            try:
                if by is not None and self.row.chairs[seat].bot_plays:
                    raise NotNow("stand_in")
                self._check(seat, actions, at)
            except Refusal:
                if command is None or not await self._is_stored(seat, actions[0], command, by):
                    raise
                return
            if self._screens.covers(actions[0]):
                await self._decide_behind_screen(seat, actions, command, by)
            else:
                await self._store_and_publish([(seat, actions[0], command)], command, by)

    def _check(self, seat: int, actions: list[int], at: int | None) -> None:
        """Refuses what this seat may not do now."""
        if self.closed:
            raise NotNow("reloading")
        if self._states is None:
            raise NotNow("not_started")
        states = self._position_of(seat)
        self.engine.check(states, 0, seat, actions[0])
        for before, action in itertools.pairwise(actions):
            if not self._screens.covers(before) or self._screens.seals(before):
                raise BadRequest("one_by_one")
            states = copied(states)
            self.engine.apply(states, 0, seat, before)
            self.engine.check(states, 0, seat, action)
        if at is not None and not self._ready[seat] <= at <= self.seq:
            raise NotNow("stale")  # decided on choices of an older position: the player should look again

    async def _is_stored(self, seat: int, action: int, command: str, by: Watcher | None) -> bool:
        found = await self.house.store.read(store.find_command, self.row.id, command)
        if found is None:
            return False
        self._answer_again(store.Repeated(*found), seat, action, command, by)
        return True

    def _answer_again(
        self, stored: store.Repeated, seat: int, action: int, command: str | None, by: Watcher | None
    ) -> None:
        if (stored.seat, stored.action) != (seat, action):
            raise BadRequest("id_used")
        if by is not None and command is not None:
            by.push(encode(Done(command, stored.seq)))

    async def _store_and_publish(self, decisions: list[Decision], command: str | None, by: Watcher | None) -> None:
        """The next decisions: one, or all that were behind the screens."""
        assert self._states is not None
        engine, first, now = self.engine, self.seq + 1, self.house.clock()
        after, ready, happened = copied(self._states), self._ready.copy(), list[Fact]()
        waiting = engine.waiting(after)
        for seq, (seat, action, _) in enumerate(decisions, first):
            before = waiting
            happened += engine.apply(after, 0, seat, action)
            waiting = engine.waiting(after)
            note_ready(ready, seq, seat, before, waiting)
        phase = "over" if engine.is_over(after) else "playing"
        bits = as_bits(waiting)
        if len(decisions) == 1 and not self._screens.steps:
            job: tuple[Any, ...] = (store.append, self.row.id, seq, seat, action, command, now, bits, phase)
        else:
            job = (store.append_all, self.row.id, first, decisions, self.row.drafts, now, bits, phase)
        if not await self._written(seat, action, command, by, *job):
            return
        self._states, self._ready, self._screens = after, ready, Screens(self.game)
        self.row.seq, self.row.waiting, self.row.phase, self.row.moved, self.row.drafts = seq, bits, phase, now, ""
        for seat, action, _ in decisions:
            self._decisions.extend((seat, action))
        self.touched = now
        self._finish_if_over()
        if by is not None and command is not None:
            by.push(encode(Done(command, seq)))
        self._publish(happened)
        self._told += len(happened)
        self.wake_bots()

    async def _written(
        self, seat: int, action: int, command: str | None, by: Watcher | None, job: Callable[..., None], *arguments: Any
    ) -> bool:
        """Stores a decision; false if it was stored before, which is then answered again."""
        try:
            await self.house.store.write(job, *arguments)
            return True
        except store.Repeated as stored:
            self._answer_again(stored, seat, action, command, by)
            return False
        except store.Overtaken:
            self.close()  # another server has gone on with this table: come back and read what it wrote
            raise NotNow("reloading") from None
        except sqlite3.Error:
            log.exception("A decision could not be stored.")
            raise Trouble("not_stored") from None
        except BaseException:
            self.close()  # cancelled: stored or not, the store knows
            raise

    def _finish_if_over(self) -> None:
        if self.row.phase == "over":
            assert self._states is not None
            found = self.engine.result(self._states)
            self._result = Result(found.ranks, found.scores, self.game.reasons(Plain(self._states)))

    # ── Deciding behind a screen ─────────────────────────────

    def _position_of(self, viewer: int) -> States:
        """The game as it stands for this viewer: the same for all, but for what is behind the screens."""
        assert self._states is not None
        return self._screens.position(self.engine, self._states, viewer) if self._screens.steps else self._states

    def _answer_from_screen(self, seat: int, command: str | None, by: Watcher | None) -> bool:
        """Whether this command is behind a screen already."""
        whose = self._screens.whose(command) if self._screens.steps else None
        if whose is None:
            return False
        if whose != seat:
            raise BadRequest("id_used")
        if by is not None and command is not None:
            by.push(encode(Done(command, self.seq)))
        return True

    async def _decide_behind_screen(
        self, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> None:
        """Steps that only their seat sees; with the last seal of all, the screens go up."""
        assert self._states is not None
        screens = self._screens.adding(seat, actions, command)
        if all(screens.sealed(asked) for asked in self.engine.waiting(self._states)):
            await self._store_and_publish(screens.decisions(), command, by)
        elif await self._keep_screens(screens, seat, actions[0], command, by):
            self._publish([], None if screens.sealed(seat) else seat)
            self.wake_bots()

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
                by.push(encode(Done(command, self.seq)))
            elif await self._keep_screens(self._screens.without(seat), seat, -1, command, by):
                self._publish([])

    async def _keep_screens(
        self, screens: Screens, seat: int, action: int, command: str | None, by: Watcher | None
    ) -> bool:
        """Stores what is behind the screens now."""
        assert self._states is not None
        bits = as_bits(asked for asked in self.engine.waiting(self._states) if not screens.sealed(asked))
        written = screens.written()
        job = (store.set_drafts, self.row.id, self.seq, self.row.drafts, written, command, bits)
        if not await self._written(seat, action, command, by, *job):
            return False
        self._screens, self.row.drafts, self.row.waiting = screens, written, bits
        self.touched = self.house.clock()
        if by is not None and command is not None:
            by.push(encode(Done(command, self.seq)))
        return True

    # ── Telling ──────────────────────────────────────────────

    def _publish(self, happened: list[Fact], only: int | None = None) -> None:
        """The new position for everybody, or for one seat; made once for each viewer, and once for all spectators."""
        messages: dict[int, bytes] = {}
        seats = {chair.guest: seat for seat, chair in enumerate(self.row.chairs) if chair.guest is not None}
        for watcher in list(self.watchers):
            viewer = seats.get(watcher.guest.id, SPECTATOR) if watcher.guest is not None else SPECTATOR
            if only is not None and viewer != only:
                continue
            if viewer not in messages:
                messages[viewer] = self._position(viewer, happened, self._told)
            watcher.push(messages[viewer])
        if self._result is not None:
            self.announce()
            self.tell(Revealed(self.fair()))

    def _position(self, viewer: int, happened: list[Fact], told: int, fresh: list[Json] | None = None) -> bytes:
        """The game as this viewer may see it, with what happened; `fresh`: what they have missed, for a snapshot."""
        assert self._states is not None
        redacted = self.game.redact(self._position_of(viewer), 0, viewer)
        plain = Plain(redacted)
        view = self.game.view(plain, viewer)
        events = named_facts(self.game, plain, viewer, happened, told) if fresh is None else fresh
        choices: list[Json] = []
        if viewer != SPECTATOR and self.row.waiting >> viewer & 1 and not self.row.chairs[viewer].bot_plays:
            choices = packed(self.engine.choices_from(redacted, viewer, plain))
        sealed = viewer in self._screens.steps and self._screens.sealed(viewer)
        return encode(
            Update(self.row.seq, view, choices, self.waiting(), events, fresh is not None, self._result, sealed)
        )

    def _snapshot(self, viewer: int, missed: list[Json]) -> bytes:
        return self._position(viewer, [], self._told, missed)

    def tell(self, message: FromServer) -> None:
        """The same for everybody."""
        data = encode(message)
        for watcher in list(self.watchers):
            watcher.push(data)

    def announce(self) -> None:
        """Chairs, names, phase: to each their own."""
        if self._announcement is not None:
            self._announcement.cancel()
            self._announcement = None
        for watcher in list(self.watchers):
            watcher.push(encode(TableMessage(self.info(watcher.guest))))

    def announce_soon(self) -> None:
        """As `announce`; several within a moment become one."""
        if self._announcement is None and not self.closed:
            self._announcement = asyncio.get_running_loop().call_later(SPREAD, self.announce)

    def show(self, seat: int | None = None) -> None:
        """A fresh position for everybody (the game has begun), or for one seat (its choices are its own again)."""
        if self._states is None:
            return
        for watcher in list(self.watchers):
            viewer = self.viewer(watcher)
            if seat is None or seat == viewer:
                watcher.push(self._snapshot(viewer, []))

    # ── Coming and going ─────────────────────────────────────

    async def join(self, watcher: Watcher, since: int) -> None:
        """Somebody comes to watch or play, having seen everything up to decision `since`."""
        said = await self.house.store.read(store.find_chat, self.row.id, REMEMBERED)
        missed = Missed(self, since)
        await missed.catch_up(watcher)
        if self.closed:  # while we were reading
            watcher.drop()
            return
        # Nothing awaits from here on, so that nothing can come between the position and what follows it.
        self.watchers.add(watcher)
        self.touched = self.house.clock()
        watcher.push(encode(TableMessage(self.info(watcher.guest))))
        for line in said:
            watcher.push(encode(Said(line.seat, line.name, line.text, line.at)))
        if self._states is not None:
            watcher.push(self._snapshot(self.viewer(watcher), missed.events))
        if self._result is not None:
            watcher.push(encode(Revealed(self.fair())))
        self.announce_soon()

    async def fill_gap(self, watcher: Watcher, since: int) -> None:
        """A snapshot with the facts since then, for somebody who has lost something on the way."""
        missed = Missed(self, since)
        await missed.catch_up(watcher)
        if self._states is not None and watcher in self.watchers:
            watcher.push(self._snapshot(self.viewer(watcher), missed.events))

    def leave(self, watcher: Watcher) -> None:
        """Somebody stops watching."""
        self.watchers.discard(watcher)
        self.touched = self.house.clock()
        self.gone_silent(watcher)

    def gone_silent(self, watcher: Watcher) -> None:
        """Somebody is not here any more, or does not seem to be."""
        if watcher.guest is not None:
            self._last_seen[watcher.guest.id] = self.house.clock()
        if self.watchers:
            self.announce_soon()

    def close(self) -> None:
        """Forgets the table; whoever is connected comes back and finds it as stored."""
        self.closed = True
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()
        if self._announcement is not None:
            self._announcement.cancel()
            self._announcement = None
        for watcher in list(self.watchers):
            watcher.drop()

    @property
    def busy(self) -> bool:
        """Whether anybody is here or anything is going on."""
        return bool(self.watchers or self._thinking or self.lock.locked())

    # ── Talking ──────────────────────────────────────────────

    async def say(self, guest: Guest | None, text: str) -> None:
        """Chat."""
        if guest is None:
            raise NotAllowed("only_guests")
        if len(text) > MOST_TEXT:
            raise BadRequest("text_too_long", most=MOST_TEXT)
        text = tidy(text, MOST_TEXT)
        if not text:
            raise BadRequest("no_text")
        said = store.ChatRow(self.seat_of(guest), guest.name, text, self.house.clock())
        await self.house.store.write(store.add_chat, self.row.id, said)
        self.tell(Said(said.seat, said.name, said.text, said.at))

    async def add_entropy(self, guest: Guest | None, text: str) -> None:
        """A player's own share of the shuffle."""
        if len(text) > fair.MOST_ENTROPY or "\0" in text:
            raise BadRequest("entropy_too_long", most=fair.MOST_ENTROPY)
        async with self.lock:
            seat = self.seat_of(guest)
            if seat is None:
                raise NotAllowed("only_seated")
            if self.row.phase != "open":
                raise NotNow("already_started")
            chairs = list(self.row.chairs)
            chairs[seat] = dataclasses.replace(chairs[seat], entropy=text)
            await self._keep(chairs, self.row.host)
            self.announce_soon()

    def pong(self, watcher: Watcher) -> None:
        """Answers a ping."""
        self.touched = self.house.clock()
        watcher.push(encode(Pong(self.seq)))

    # ── Chairs (the lobby decides who may) ───────────────────

    async def reseat(self, chairs: Chairs, host: str | None, seat: int | None = None) -> None:
        """Other people, or bots, on the chairs; `seat` has changed hands. Call with the lock held."""
        await self._keep(chairs, host)
        for watcher in list(self.watchers):
            if not self.may_see(watcher.guest, watcher.invite):
                watcher.drop()  # sent from a private table
        self.announce()
        if seat is not None:
            self.show(seat)
        self.wake_bots()

    async def begin(self, chairs: Chairs) -> None:
        """The first deal; call with the lock held."""
        row = dataclasses.replace(self.row, chairs=chairs, version=self.game.version)
        seed = fair.mix(self._server_seed, [chair.entropy for chair in chairs])
        now = self.house.clock()
        states = self.engine.start(len(chairs), row.options, seed)
        waiting = self.engine.waiting(states)
        bits = as_bits(waiting)
        try:
            await self.house.store.write(store.start_table, row, seed, bits, now)
        except store.Overtaken:
            self.close()
            raise NotNow("reloading") from None
        row.phase, row.waiting, row.moved = "playing", bits, now
        self.row, self._seed, self._states, self._told, self._ready = row, seed, states, 0, [0] * len(chairs)
        self.announce()
        self.show()
        self.wake_bots()

    def link_rematch(self, id: str) -> None:
        """The same people have gone on to another table."""
        self.row.rematch = id
        self.announce()

    async def _keep(self, chairs: Chairs, host: str | None) -> None:
        await self.house.store.write(store.save_table, dataclasses.replace(self.row, chairs=chairs, host=host))
        self.row.chairs, self.row.host = chairs, host

    def renamed(self, guest: Guest) -> None:
        """Somebody at this table is called otherwise now."""
        seat = self.seat_of(guest)
        if seat is not None:
            self.row.chairs[seat].name = guest.name
            self.announce_soon()

    # ── Bots ─────────────────────────────────────────────────

    def wake_bots(self) -> None:
        """Every bot that owes a decision and is not thinking yet starts to."""
        if self.closed or self.row.phase != "playing":
            return
        for seat in self.waiting():
            if self.row.chairs[seat].bot_plays and seat not in self._thinking:
                self._thinking[seat] = asyncio.get_running_loop().create_task(self._play_bot(seat))

    async def _play_bot(self, seat: int) -> None:
        """One decision of a bot."""
        try:
            await self._decide_for(seat)
        except Refusal as refusal:  # overtaken by events: whoever took over decides now
            log.info("A bot's decision was refused: %s", refusal.key)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("A bot's turn failed.")
            await asyncio.sleep(1)  # whatever it is, do not spin
        finally:
            self._thinking.pop(seat, None)
        self.wake_bots()

    async def _decide_for(self, seat: int) -> None:
        assert self._states is not None
        ready, level = self._ready[seat], self.row.chairs[seat].level or self.house.settings.standin_level
        redacted = self.game.redact(self._position_of(seat), 0, seat)
        action = await self.house.bots.choose(self.engine, level, redacted, seat)
        if not self.row.chairs[seat].bot_plays or self._ready[seat] != ready:
            return  # the chair was given back meanwhile
        await self.decide(seat, [action], None, None, None)


class Replay:
    """A game being played again from its set-up."""

    def __init__(self, table: Table) -> None:
        self.engine = table.engine
        assert table._seed is not None
        self.states = self.engine.start(table.seats, table.row.options, table._seed)
        self.seq = 0
        self.told = 0
        self.ready = [0] * table.seats

    def waiting(self) -> list[int]:
        """The seats that owe a decision."""
        return self.engine.waiting(self.states)

    def decide(self, seat: int, action: int) -> list[Fact]:
        """The next decision."""
        before = self.waiting()
        happened = self.engine.apply(self.states, 0, seat, action)
        self.seq += 1
        self.told += len(happened)
        note_ready(self.ready, self.seq, seat, before, self.waiting())
        return happened


class Missed:
    """The facts a watcher has missed, found by playing the game again from the start."""

    def __init__(self, table: Table, since: int) -> None:
        self._table = table
        self._since = since
        self.events: list[Json] = []

    async def catch_up(self, watcher: Watcher) -> None:
        """Plays on until there is nothing newer; others get their turn now and then."""
        table = self._table
        if table._states is None or self._since >= table.seq:
            return
        replay = Replay(table)
        while replay.seq < table.seq:
            told = replay.told
            happened = replay.decide(*table._decisions[2 * replay.seq : 2 * replay.seq + 2])
            if replay.seq > self._since:
                viewer = table.viewer(watcher)
                plain = Plain(table.game.redact(replay.states, 0, viewer))
                self.events += named_facts(table.game, plain, viewer, happened, told)
            if replay.seq % AT_ONCE == 0:
                await asyncio.sleep(0)


def named_facts(game: Game, plain: Plain, viewer: int, happened: list[Fact], told: int) -> list[Json]:
    """Facts as this viewer may know them, numbered on from `told`."""
    return [{"n": n, **game.event(plain, fact.seen_by(viewer))} for n, fact in enumerate(happened, told + 1)]


def as_bits(seats: Iterable[int]) -> int:
    """Seats as the store keeps them."""
    return sum(1 << seat for seat in seats)


def note_ready(ready: list[int], seq: int, seat: int, before: list[int], after: list[int]) -> None:
    """A seat has new choices when it has just decided, or when it was not waiting before."""
    for waiting in after:
        if waiting == seat or waiting not in before:
            ready[waiting] = seq


def may_see(row: store.TableRow, guest: Guest | None, invite: str | None) -> bool:
    """Public tables are for everybody; private ones for those who sit there or have the invitation."""
    if row.public or seat_of(row.chairs, guest.id if guest else None) is not None:
        return True
    return invite is not None and hmac.compare_digest(invite.encode(), row.invite.encode())


def promise_of(row: store.TableRow) -> Fair:
    """What is shown of the shuffle before the end."""
    return Fair(row.commitment, [chair.entropy for chair in row.chairs])


def table_info(row: store.TableRow, guest: Guest | None, online: set[str], spectators: int, promise: Fair) -> TableInfo:
    """A table as this guest may see it."""
    you = seat_of(row.chairs, guest.id if guest else None)
    chairs = [
        ChairInfo(
            seat, "empty" if chair.empty else "bot" if chair.guest is None else "person", chair.name, chair.level,
            chair.guest in online if chair.guest else chair.bot_plays, chair.standin,
        )
        for seat, chair in enumerate(row.chairs)
    ]  # fmt: skip
    return TableInfo(
        row.id, row.game, row.name, row.options, row.public, row.phase, chairs, you,  # type: ignore[arg-type]
        guest is not None and row.host == guest.id, row.invite if you is not None else None, spectators,
        [seat for seat in range(len(row.chairs)) if row.waiting >> seat & 1], row.seq, row.created, row.moved, promise,
        row.rematch,
    )  # fmt: skip
