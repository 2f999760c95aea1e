"""The referee of one table.

A decision goes one way: is it this seat's turn and is it legal (otherwise a sentence back) → what happens is worked out
on a copy of the game → the decision is stored → only then the copy becomes the game, the player is told «done», and
every viewer gets the facts, the view and the choices that are theirs. The game in memory is never ahead of the store,
and all of it can be forgotten at any time: the journal gives it back.

Another server may be the referee of the same table. What it has stored is followed here (`catch_up`) and told to those who
are here, and whoever is overtaken by it looks again and, if the decision still stands, goes on.

Beside the referee: `presence.py` who is here, `projections.py` what each may see, `chat.py`, `bot_seats.py`, `screens.py`,
`taking_back.py`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Raw

from ludoteca import catalogue
from ludoteca.core import traces
from ludoteca.core.engine import Engine
from ludoteca.core.errors import Refusal
from ludoteca.core.facts import Fact
from ludoteca.core.journal import Journal
from ludoteca.core.keyed import Keyed
from ludoteca.core.play import Decided, Play, back_to, taken_back_to
from ludoteca.core.record import SPECTATOR
from ludoteca.core.view_parts import Memory

from . import fair, queries
from .asking import Asking
from .bot_seats import BotSeats
from .chat import REMEMBERED, Chat
from .clocks import Row
from .guests import Guest
from .house import House
from .marks import Mark, Together, decider_of
from .one_screen import OneScreen
from .presence import Presence, Watcher
from .projections import SEATS_IN, Sights, may_see, outcome_of, promise_of, result_of, table_info, viewer_of
from .reading import must_end, read_back
from .refusals import BadRequest, NotAllowed, NotNow, Trouble
from .screens import Screens
from .seats import Chairs, names_on, not_ready, seat_of, with_entropy
from .taking_back import TakingBack
from .timing import Timing
from .wire import Done, Fair, Pong, Result, Revealed, TableInfo, TableMessage, encode

TRIES = 8  # of something that other servers get ahead of

T = TypeVar("T")

log = logging.getLogger("ludoteca.table")


class Table:
    """One table in memory. `load` brings it back from the store as it was."""

    def __init__(self, house: House, row: queries.TableRow, kept: queries.GameRow) -> None:
        self.house = house
        self.row = row
        self.game = catalogue.with_text(house.engines.game(row.game), kept.deck)
        self.lock = asyncio.Lock()  # one change at a time
        self.presence = Presence(house.ticks)
        self.chat = Chat(house, row.id, self.presence, lambda: self.row.phase == "playing", self._sits)
        self.bots = BotSeats(self)
        self.timing = Timing(self, kept.clock)
        self.back = TakingBack(self)
        self.screen = OneScreen(self)
        self.play: Play | None = None  # once the cards are dealt
        self.result: Result | None = None  # how it ended, if it has
        self.closed = False
        self._screens = self._nothing_hidden = Screens(self.game)
        self._server_seed = kept.server_seed
        self._seed = kept.seed  # of a game that began under an earlier server
        self._proof: Fair | None = None
        self._trace = b""  # of the game so far
        self._hash = kept.hash  # of the last decision's row
        self._marks = [Mark(*mark) for mark in kept.marks]  # of each step: when, and who decided
        self._said_here: tuple[list[str], int] = ([], 0)  # who is here, as other servers know it
        self._memory = Memory()  # what was last shown of the game
        self._eyes: dict[int, list[Watcher]] = {}  # who looks through whose, when ...
        self._eyes_of: tuple[int, Chairs] = (-1, [])  # ... so many had come and gone, and sat like this
        self._stored = 0.0  # when the last decision was stored, until it is published

    async def load(self, kept: queries.GameRow) -> Table:
        """Plays what is stored again; a game that today's rules do not give again ends where they part."""
        if self.row.phase == "open":
            return self
        row, found = self.row, await read_back(self.engine, self.row, kept)
        self.play, self._trace = found.play, found.trace
        del self._marks[found.play.seq if found.play is not None else 0 :]
        if row.ended or must_end(self.game.version, row, found):
            await self._end(found.reason)
        elif row.version != self.game.version:
            await self.house.store.write(queries.carry_over, row.id, row.seq, self.game.version)
            row.version = self.game.version
        if row.phase == "over" and not row.ended and self.play is not None:
            self.result = result_of(self.play)
            if row.result is None:
                row.result = outcome_of(self.play)
                await self.house.store.write(queries.keep_result, row.id, row.result)
        if row.phase == "playing" and self.play is not None:
            self._screens = self._screens_as_stored(self.play, row.drafts)
            row.waiting = as_bits(seat for seat in self.play.waiting() if not self._screens.sealed(seat))
        self.bots.wake()
        return self

    def _screens_as_stored(self, play: Play, drafts: str) -> Screens:
        """What is behind the screens, if it can be; otherwise nothing is, and everybody is asked again."""
        try:
            screens = Screens.read(self.game, drafts)
            screens.check(play)
            return screens
        except Exception as error:
            log.warning("Table %s: what is stored behind its screens is damaged: %r", self.row.id, error)
            return self._nothing_hidden

    async def _end(self, why: str) -> None:
        """The game cannot go on; what is known of it can be looked at."""
        row = self.row
        if row.phase == "playing":
            await self.house.store.write(queries.end_table, row.id, row.seq, why)
        row.phase, row.ended, row.waiting, row.drafts = "over", row.ended or why, 0, ""
        row.seq = self.play.seq if self.play is not None else 0
        self._screens = self._nothing_hidden

    # ── Reading ──────────────────────────────────────────────

    @property
    def engine(self) -> Engine:
        """The engine of this game, as fast as it is by now."""
        return self.house.engines.of_game(self.game)

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
        return bool(self.presence or self.bots or self.lock.locked() or self.timing.keeps_awake)

    def waiting(self) -> list[int]:
        """The seats that owe a decision."""
        return SEATS_IN[self.row.waiting]

    def sealed(self, seat: int) -> bool:
        """Whether this seat has sealed and others still think."""
        return self._screens.sealed(seat)

    def play_of(self, viewer: int) -> Play:
        """The game as it stands for this viewer: the same for all, but for what is behind the screens."""
        assert self.play is not None
        return self._screens.play_of(self.play, viewer)

    def name_of(self, seat: int) -> str:
        """What whoever sits there is called."""
        return names_on(self.row.chairs)[seat]

    def has_sealed(self, seat: int) -> bool:
        """Whether this seat waits behind its screen."""
        return self._screens.sealed(seat)

    def together(self, seq: int) -> Together:
        """The steps that were stored together with this one."""
        assert self.play is not None
        at, marks, first, last = self._marks[seq - 1].at, self._marks, seq - 1, seq
        while first and marks[first - 1].at == at:
            first -= 1
        while last < len(marks) and marks[last].at == at:
            last += 1
        steps = itertools.islice(self.play.decided(first), last - first)
        return Together(at, {seat: mark.decider for (seat, _, _), mark in zip(steps, marks[first:last], strict=False)})

    def seat_of(self, guest: Guest | None) -> int | None:
        """Where this guest sits."""
        return seat_of(self.row.chairs, guest.id if guest else None)

    def _sits(self, watcher: Watcher) -> bool:
        """Whether this one has a chair."""
        return self.seat_of(watcher.guest) is not None

    def viewer(self, watcher: Watcher) -> int:
        """Whose eyes this watcher has: a seat's, or a spectator's."""
        if self.row.hot:
            return self.screen.eyes(watcher)
        return viewer_of(self.row, watcher.guest)

    def may_see(self, guest: Guest | None, invite: str | None) -> bool:
        """Whether this guest may know of the table at all."""
        return may_see(self.row, guest, invite)

    def info(self, guest: Guest | None) -> TableInfo:
        """The table as this guest may see it."""
        return self._info(viewer_of(self.row, guest))

    def _info(self, viewer: int) -> TableInfo:
        online = {guest for guest in self._seated() if self.presence.is_online(guest)}
        spectators = self.spectators + self.presence.spectators_elsewhere
        return table_info(self.row, viewer, online, spectators, self.timing.due_in())

    def _seated(self) -> dict[str, int]:
        """Who sits where."""
        return {chair.guest: seat for seat, chair in enumerate(self.row.chairs) if chair.guest is not None}

    @property
    def spectators(self) -> int:
        """How many watch here without a chair."""
        return len(self.presence) - sum(map(self.presence.sockets_of, self._seated()))

    @property
    def crowd(self) -> int:
        """How many watch without a chair, or are about to: what the limit counts, so that a burst cannot pass it."""
        return self.spectators + self.presence.coming + self.presence.spectators_elsewhere

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

    def told_with(self) -> tuple[list[int], list[float], list[Any]]:
        """Of each decision in a record: which step of one it is, when, and who decided."""
        assert self.play is not None
        steps = [step for _, _, step in self.play.decided()]
        return steps, [mark.at for mark in self._marks], [mark.decider for mark in self._marks]

    def _journal(self, decisions: list[tuple[int, int]]) -> Journal:
        row, names = self.row, names_on(self.row.chairs)
        keyed = self._keyed(row.chairs) if self._seed is None else None
        deck = self.game.deck.text if self.game.deck is not None else None
        return Journal(row.game, row.version, self.seats, row.options, self._seed, decisions, names, keyed, deck)

    def _keyed(self, chairs: Chairs) -> Keyed:
        """This table's chance, with these people's entropy."""
        return fair.keyed(self.row, self._server_seed, chairs)

    # ── Deciding ─────────────────────────────────────────────

    async def decide(
        self, seat: int, actions: list[int], at: int | None, command: str | None, by: Watcher | None
    ) -> None:
        """A decision from parse to publication, all of its steps or none.

        A command that is stored already is only answered again.
        """
        await self.settled(lambda: self._decide(seat, actions, at, command, by))

    async def _decide(
        self, seat: int, actions: list[int], at: int | None, command: str | None, by: Watcher | None
    ) -> None:
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

    async def settled(self, change: Callable[[], Awaitable[T]]) -> T:
        """Makes a change, one at a time; once more, on what is stored by then, if another server got ahead of it."""
        async with self.lock:
            for _ in range(TRIES):
                try:
                    return await change()
                except queries.Overtaken:
                    await self._follow_others()
        raise NotNow("reloading")

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
        decider = decider_of(self.row.chairs[seat], command)
        more = left, self._hash, decider, outcome_of(after) if phase == "over" else None
        job = (queries.append, self.row.id, self.seq + 1, seat, actions, command, now, bits, phase, *more)
        if await self._written(seat, actions, command, by, *job):
            self._trace = left[-1]
            self.become(after, bits, phase, now, [decider] * len(actions))
            self._tell_all(happened, command, by, self.seq, Together(now, {seat: decider}))

    def _followed(self, after: Play, decided: list[Decided]) -> tuple[list[Fact], list[bytes]]:
        """What these steps bring about, and the trace of each."""
        happened, left = list[Fact](), [self._trace]
        for seat, action, step in decided:
            told = after.follow(seat, [action], step)
            happened += told
            left.append(traces.of_a_step(left[-1], after, told))
        return happened, left[1:]

    def become(self, play: Play, waiting: int, phase: str, now: float, deciders: Sequence[str | None] = ()) -> None:
        """What was worked out is stored: now it is the game. `deciders`: who decided, for each new step."""
        del self._marks[play.seq :]  # another game
        self._marks += [Mark(now, decider) for decider in deciders or [None] * (play.seq - len(self._marks))]
        row, self.play, self._screens = self.row, play, self._nothing_hidden
        row.seq, row.waiting, row.phase, row.moved, row.drafts = play.seq, waiting, phase, now, ""
        self.result = result_of(play) if phase == "over" else None
        row.result = outcome_of(play) if phase == "over" else None

    def _tell_all(
        self, happened: list[Fact], command: str | None, by: Watcher | None, done: int, together: Together | None = None
    ) -> None:
        self.presence.touch()
        self._done(command, by, done)
        self.publish(happened, together=together)
        self.bots.wake()
        self._tell_the_absent()

    def _done(self, command: str | None, by: Watcher | None, seq: int) -> None:
        if by is not None and command is not None:
            by.push(encode(Done(command, seq)))

    async def _written(
        self, seat: int, actions: list[int], command: str | None, by: Watcher | None,
        job: Callable[..., bytes | None], *arguments: Any,
    ) -> bool:  # fmt: skip
        """Stores a decision; false if it was stored before, which is then answered again."""
        try:
            written: bytes | None = await self._write(job, *arguments)
            self._hash = written or self._hash
            in_the_open = job is queries.append or taken_back_to(actions[0] if actions else 0) is not None
            self._stored = self.house.metrics.moved(self.row.game, not in_the_open)
            return True
        except queries.Repeated:
            await self._answer_from_store(seat, actions, command, by)
            return False
        except queries.Overtaken:
            raise
        except self.house.store.errors:
            log.exception("A decision could not be stored.")
            raise Trouble("not_stored") from None
        except BaseException:
            self.close()  # cancelled: stored or not, the store knows
            raise

    async def _write(self, job: Callable[..., T], *arguments: Any) -> T:
        """Changes what is stored of this table, and lets other servers know."""
        (change, values), row = self.timing.wrapped(job, arguments)
        written: T = await self.house.store.write(change, *values)
        self.row.revision += 1
        if row is not None:
            self.timing.add(row)
        self.house.neighbours.changed(self.row.id, self.row.revision)
        return written

    async def note_clock(self, row: Row) -> None:
        """Something that changes nothing but clocks is stored, then told. Call with the lock held."""
        job, arguments = self.timing.noted(row)
        await self._write(job, *arguments)
        self.timing.add(row)
        self._tell_clocks()

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
        else:
            before = self._screens
            if await self._keep_screens(screens, seat, actions, command, by):
                self._show_screens(before)
                self.bots.wake()

    def _show_screens(self, before: Screens) -> None:
        """Everybody can tell who has sealed; what else is behind a screen changes nothing for anybody but its seat."""
        changed = self._screens.changed(before)
        if any(self._screens.sealed(seat) != before.sealed(seat) for seat in changed):
            self.publish([])
        else:
            for seat in changed:
                self.publish([], seat)

    async def _open_screens(
        self, screens: Screens, seat: int, actions: list[int], command: str | None, by: Watcher | None
    ) -> None:
        deciders = {seat: decider_of(self.row.chairs[seat], screens.command_of(seat)) for seat in screens.steps}
        await self._decide_together(screens.decided(), deciders, seat, actions, command, by)

    async def _decide_together(
        self, decided: list[Decided], deciders: Mapping[int, str], seat: int, actions: list[int], command: str | None,
        by: Watcher | None,
    ) -> None:  # fmt: skip
        """Steps that become part of the game at once, if what is behind the screens has not changed; then nothing is."""
        assert self.play is not None
        after, now = self.play.copy(self.engine), self.house.clock()
        happened, left = self._followed(after, decided)
        bits, phase = standing(after)
        up, named = self.seq + 1, (command, seat, actions)
        more = left, self._hash, deciders, outcome_of(after) if phase == "over" else None
        job = (queries.append_screens, self.row.id, up, decided, self.row.drafts, now, bits, phase, *named, *more)
        if await self._written(seat, actions, command, by, *job):
            self._trace = left[-1]
            self.become(after, bits, phase, now, [deciders[other] for other, _, _ in decided])
            self._tell_all(happened, command, by, up)

    async def open_again(self, seat: int, at: int, command: str, by: Watcher) -> None:
        """Takes back what this seat has behind its screen."""
        await self.settled(lambda: self._open_again(seat, at, command, by))

    async def _open_again(self, seat: int, at: int, command: str, by: Watcher) -> None:
        try:
            self._check_chair(seat, by)
            self._check_screens(at)
        except Refusal:
            if not await self._answer_from_store(seat, [], command, by):
                raise
            return
        before = self._screens
        if await self._keep_screens(before.without(seat), seat, [], command, by):
            self._show_screens(before)

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

    # ── Taking back ──────────────────────────────────────────

    async def take_back(self, seat: int, to: int, command: str, by: Watcher | None) -> None:
        """This seat takes back what it has decided after step `to`, if it may."""
        await self.settled(lambda: self._take_back(seat, to, command, by))

    async def _take_back(self, seat: int, to: int, command: str, by: Watcher | None) -> None:
        actions = [back_to(to)]
        try:
            self._check_chair(seat, by)
            self.back.check(seat, to)
        except Refusal:
            if not await self._answer_from_store(seat, actions, command, by):
                raise
            return
        await self._go_back(seat, to, command, by)

    async def _go_back(self, seat: int, to: int, command: str | None, by: Watcher | None) -> None:
        action = back_to(to)
        await self._decide_together([(seat, action, 0)], {seat: "person"}, seat, [action], command, by)

    async def ask_back(self, seat: int, by: Watcher) -> None:
        """This seat asks the others to be let take its last decision back."""
        await self.settled(lambda: self._ask_back(seat, by))

    async def _ask_back(self, seat: int, by: Watcher) -> None:
        self._check_chair(seat, by)
        await self._keep_asking(self.back.question(seat))

    async def answer_back(self, seat: int, yes: bool, at: int, by: Watcher) -> None:
        """This seat lets whoever asked take back, or not; when all do, it is taken back."""
        await self.settled(lambda: self._answer_back(seat, yes, at, by))

    async def _answer_back(self, seat: int, yes: bool, at: int, by: Watcher) -> None:
        self._check_chair(seat, by)
        asking = self.back.answered(seat, yes, at)
        if asking.granted(self.row):
            await self._go_back(asking.seat, asking.to, None, None)
            self.announce()
        else:
            await self._keep_asking(asking)

    async def _keep_asking(self, asking: Asking) -> None:
        written = asking.written()
        if written != self.row.asking:
            await self._write(queries.keep_asking, dataclasses.replace(self.row, asking=written))
            self.row.asking = written
            self.announce()

    # ── Following other servers ──────────────────────────────

    async def catch_up(self, revision: int | None = None) -> None:
        """Follows what other servers have stored, unless this revision of the table (or a later one) is known."""
        if revision is not None and revision <= self.row.revision:
            return
        async with self.lock:
            if not self.closed and (revision is None or revision > self.row.revision):
                await self._follow_others()

    async def _follow_others(self) -> None:
        """Reads on and tells those who are here, as they would have been told by this server. Call with the lock held."""
        found = await self.house.store.read(queries.find_news, self.row.id, self.seq, REMEMBERED)
        if found is None or self.closed:
            self.close()
            raise NotNow("reloading")
        if found.row.revision == self.row.revision:
            return
        try:
            self._follow(found)
        except Exception as error:  # by other rules, say: come back and find it as it is stored
            log.warning("Table %s cannot be followed: %r", self.row.id, error)
            self.close()
            raise NotNow("reloading") from None

    def _follow(self, found: queries.News) -> None:
        row = found.row
        if self.play is None and row.phase != "open":
            self.row = dataclasses.replace(row, seq=0)
            self._trace = self._dealt(row)
        self.timing.load(found.clock)
        for _, steps in itertools.groupby(found.steps, key=lambda step: step.at):  # what was stored together
            self._follow_steps(list(steps))
        if row.ended and not self.row.ended:
            raise NotNow("game_over")
        before, screens, self.row = self.row, self._screens, row
        self._screens = Screens.read(self.game, row.drafts)
        self._drop_uninvited()
        self.chat.tell(found.chat)
        self.chat.forget(found.chat)
        self._show_screens(screens)
        self._tell_clocks()
        if _told_of(before) != _told_of(row):
            self.announce()
        for seat, (was, chair) in enumerate(zip(before.chairs, row.chairs, strict=False)):
            if self.play is not None and was.bot_plays != chair.bot_plays:
                self.show(seat)
        self.bots.wake()

    def _dealt(self, row: queries.TableRow) -> bytes:
        """Another server has dealt: so do we, with the same chance."""
        play = Play.deal(self.engine, len(row.chairs), row.options, self._keyed(row.chairs))
        self.become(play, *standing(play), row.moved)
        self.announce()
        self.show()
        return traces.of_the_deal(play)

    def _follow_steps(self, steps: list[queries.NewStep]) -> None:
        assert self.play is not None
        after = self.play.copy(self.engine)
        happened, left = self._followed(after, [(new.seat, new.action, new.step) for new in steps])
        if any(new.trace not in (None, mine) for mine, new in zip(left, steps, strict=True)):
            raise NotNow("reloading")  # the other server plays by other rules
        self._trace, self._hash = left[-1], bytes(steps[-1].hash)
        self.become(after, *standing(after), steps[-1].at, [new.decider for new in steps])
        self._tell_all(happened, None, None, self.seq)

    # ── Telling ──────────────────────────────────────────────

    def publish(self, happened: list[Fact], only: int | None = None, together: Together | None = None) -> None:
        """The new position for everybody, or for one seat; `together`: the steps of it, for whoever knows them."""
        assert self.play is not None
        told = (together or self.together(self.seq)) if happened else None
        sights = Sights(self.row, self.play, self._screens, self.result, happened, together=told, memory=self._memory)
        if only is None:
            sights.prepare([viewer for viewer, watchers in self.by_eyes().items() if watchers])
        self.tell_by_eyes(sights.written, only)
        if only is None:
            self._tell_clocks()
        if self.result is not None:
            self.announce()
            self.presence.tell(Revealed(self.fair()))
            self.chat.open_up()
            self.house.ledger.over(self.row)
        self._stored = self.house.metrics.published(self._stored)
        self.back.tell_soon(decided=bool(happened))

    def tell_by_eyes(self, written: Callable[[int], bytes], only: int | None = None) -> None:
        """To each their own message, made once for all who have the same eyes; spectators hear it after those who sit."""
        self.screen.cover_up()
        eyes = self.by_eyes()
        for viewer in eyes if only is None else (only,):
            if watchers := eyes.get(viewer):
                data, later = written(viewer), viewer == SPECTATOR
                for watcher in watchers:
                    watcher.push(data, later)

    def by_eyes(self) -> dict[int, list[Watcher]]:
        """Who looks through whose eyes: those of each seat, and last those of spectators."""
        if self.row.hot:
            shared: dict[int, list[Watcher]] = {viewer: [] for viewer in (*range(self.seats), SPECTATOR)}
            for watcher in self.presence:
                shared[self.screen.eyes(watcher)].append(watcher)
            return shared
        if self._eyes_of != (self.presence.changes, self.row.chairs):
            seats = self._seated()
            self._eyes = {viewer: [] for viewer in (*seats.values(), SPECTATOR)}
            for watcher in self.presence:
                viewer = seats.get(watcher.guest.id, SPECTATOR) if watcher.guest is not None else SPECTATOR
                self._eyes[viewer].append(watcher)
            self._eyes_of = self.presence.changes, list(self.row.chairs)
        return self._eyes

    def announce(self) -> None:
        """Chairs, names, phase: to each their own."""
        self.presence.not_soon()
        self.say_who_is_here()
        self.tell_by_eyes(self._announcement)
        self._tell_clocks()

    def _tell_clocks(self) -> None:
        """The same for everybody, whenever everybody is told something anyway."""
        clocks = self.timing.told()
        if clocks is not None:
            self.presence.tell(clocks)

    def say_who_is_here(self, again: bool = False) -> None:
        """Lets other servers know, if it is news, or they should hear it once more."""
        here = [guest for guest in self._seated() if self.presence.listens(guest)], self.spectators
        if again or here != self._said_here:
            self._said_here = here
            self.house.neighbours.here(self.row.id, *here)

    def heard_who_is_elsewhere(self, server: str, guests: list[str], spectators: int) -> None:
        """Another server has said who is at this table with it."""
        if self.presence.are_elsewhere(server, guests, spectators):
            self.announce_soon()

    def announce_soon(self) -> None:
        """As `announce`; several within a moment become one."""
        if self.presence and not self.closed:
            self.presence.soon(self.announce)

    def _announcement(self, viewer: int) -> bytes:
        return encode(TableMessage(self._info(viewer)))

    def show(self, seat: int | None = None) -> None:
        """A fresh position for everybody (the game has begun), or for one seat (its choices are its own again)."""
        if self.play is not None:
            self.tell_by_eyes(Sights(self.row, self.play, self._screens, self.result).written, seat)

    def _snapshot(self, viewer: int, missed: list[Raw]) -> bytes:
        assert self.play is not None
        return Sights(self.row, self.play, self._screens, self.result, missed=missed).written(viewer)

    def _tell_the_absent(self, started: bool = False) -> None:
        """Who is awaited and not here."""
        if self.house.notices is not None:
            self.house.notices.look(self, started)

    # ── Coming and going ─────────────────────────────────────

    async def join(self, watcher: Watcher, since: int) -> None:
        """Somebody comes to watch or play, having seen everything up to step `since`."""
        await self.chat.load()
        viewer, missed = await self._missed(watcher, since)
        if self.closed:  # while we were reading
            watcher.drop()
            return
        # Nothing awaits from here on, so that nothing can come between the position and what follows it.
        self.presence.come(watcher)
        self.screen.open_for(watcher)
        self.screen.cover_up()
        self.bots.watched()
        watcher.push(self._announcement(viewer))
        for line in self.chat.remembered(watcher):
            watcher.push(encode(line))
        if self.play is not None:
            watcher.push(self._snapshot(viewer, missed))
        if (clocks := self.timing.told()) is not None:
            watcher.push(encode(clocks))
        if self.result is not None:
            watcher.push(encode(Revealed(self.fair())))
        self.back.greet(viewer)
        self.announce_soon()

    async def fill_gap(self, watcher: Watcher, since: int) -> None:
        """A snapshot with the facts since then, for somebody who has lost something on the way."""
        viewer, missed = await self._missed(watcher, since)
        if watcher in self.presence and self.play is not None:
            watcher.push(self._snapshot(viewer, missed))

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
        if not self.presence:
            self.say_who_is_here()  # nobody here needs to be told, but others may

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
        self.house.past.forget(self.row.id)
        self.bots.close()
        self.back.close()
        self.presence.close()
        if self._said_here != ([], 0):
            self.house.neighbours.here(self.row.id, [], 0)

    # ── Chairs (the lobby decides who may) ───────────────────

    async def reseat(self, chairs: Chairs, host: str | None, seat: int | None = None) -> None:
        """Other people, or bots, on the chairs; `seat` has changed hands. Call with the lock held."""
        await self._keep(chairs=chairs, host=host)
        self._drop_uninvited()
        self.announce_soon()  # anybody may come and go at an open table, as often as they like
        if seat is not None:
            self.show(seat)
        self.bots.wake()

    async def invite_anew(self, invite: str) -> None:
        """From now on only this invitation opens the table; whoever watches with the old one leaves. Hold the lock."""
        await self._keep(invite=invite)
        self._drop_uninvited()
        self.announce()

    def _drop_uninvited(self) -> None:
        for watcher in self.presence:
            if not self.may_see(watcher.guest, watcher.invite):
                watcher.drop()  # sent from a private table

    async def arrange(
        self, chairs: Chairs, options: dict[str, str], clock: str, take_back: str, rated: bool, hints: bool
    ) -> None:
        """Other chairs, or something else is agreed on: nobody has said yes to that yet. Call with the lock held."""
        row = dataclasses.replace(
            self.row,
            chairs=not_ready(chairs),
            options=options,
            clock=clock,
            take_back=take_back,
            rated=rated,
            hints=hints,
        )
        await self._write(queries.arrange_table, row)
        self.row = dataclasses.replace(row, revision=self.row.revision)
        self.announce_soon()

    async def begin(self, chairs: Chairs) -> None:
        """The first deal; call with the lock held."""
        now = self.house.clock()
        play = Play.deal(self.engine, len(chairs), self.row.options, self._keyed(chairs))
        row = dataclasses.replace(self.row, chairs=not_ready(chairs), version=self.game.version)
        (bits, phase), dealt = standing(play), traces.of_the_deal(play)
        await self._write(queries.start_table, row, None, bits, now, dealt)
        self.row, self._trace = dataclasses.replace(row, revision=self.row.revision), dealt
        self.become(play, bits, phase, now)
        self.announce()
        self.show()
        self.bots.wake()
        self._tell_the_absent(started=True)

    async def add_entropy(self, guest: Guest | None, text: str) -> None:
        """A player's own share of chance."""
        fair.check_entropy(text)
        await self.settled(lambda: self._add_entropy(guest, text))

    async def _add_entropy(self, guest: Guest | None, text: str) -> None:
        seat = self.seat_of(guest)
        if seat is None:
            raise NotAllowed("only_seated")
        if self.row.phase != "open":
            raise NotNow("already_started")
        await self._keep(chairs=with_entropy(self.row.chairs, seat, text))
        self.announce_soon()

    async def say(self, guest: Guest | None, text: str, address: str) -> None:
        """Somebody says something; nobody waits for the lock for that."""
        if self.row.quiet:
            raise NotNow("chat_off")
        revision = await self.chat.say(guest, self.row.chairs, text, address)
        self.house.neighbours.changed(self.row.id, revision)

    async def hush(self, quiet: bool) -> None:
        """No chat here, or again. Call with the lock held."""
        await self._keep(quiet=quiet)
        self.announce()

    async def open_rematch(self, row: queries.TableRow, server_seed: bytes) -> None:
        """The same people go on to that table, which is new. Call with the lock held."""
        await self._write(queries.add_rematch, self.row.id, row, server_seed)
        self.link_rematch(row.id)

    def link_rematch(self, id: str | None) -> None:
        """The same people have gone on to another table, or that was forgotten."""
        self.row.rematch = id
        self.announce()

    async def _keep(self, **changed: Any) -> None:
        """Stores other chairs, another host or invitation."""
        await self._write(queries.save_table, dataclasses.replace(self.row, **changed))
        for name, value in changed.items():
            setattr(self.row, name, value)

    def renamed(self, guest: Guest) -> None:
        """Somebody at this table is called otherwise now, or has another sign."""
        seat = self.seat_of(guest)
        if seat is not None:
            self.row.chairs[seat].name, self.row.chairs[seat].sign = guest.name, guest.sign
            self.back.look_at_all()
            self.announce_soon()


def _told_of(row: queries.TableRow) -> object:
    """What everybody at a table is told of it."""
    agreed = row.options, row.clock, row.take_back, row.quiet, row.rated
    return row.chairs, row.host, agreed, row.invite, row.rematch, row.phase, row.ended, row.asking


def standing(play: Play) -> tuple[int, str]:
    """How a game stands, as a table's row has it: the bits of those who owe a decision, and the phase."""
    waiting = as_bits(play.waiting())
    return waiting, "over" if not waiting and play.is_over() else "playing"  # after the end nobody is asked


def as_bits(seats: Iterable[int]) -> int:
    """Seats as the store keeps them."""
    return sum(1 << seat for seat in seats)
