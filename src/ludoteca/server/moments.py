"""Looking back: a game from its deal to where it stands, moment by moment, through one pair of eyes.

A moment is a position after which something could be told. What players did behind their screens is one moment: the one in
which the screens went up. While a game runs, people may look back only at what they saw themselves; when it is over, nothing
is secret any more, and anybody may look through anybody's eyes, but for what a game covers even then (`stays_secret`).
"""

from __future__ import annotations

import asyncio
import bisect
import itertools
from collections import OrderedDict
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Raw

from ludoteca.core.facts import Fact
from ludoteca.core.play import Play
from ludoteca.core.record import SPECTATOR

from . import seats
from .guests import Guest
from .missed import AT_ONCE
from .refusals import NotNow
from .screens import Screens
from .wire import Moments, Update, encode

if TYPE_CHECKING:
    from .table import Table

A_PAGE = 25  # moments in one answer
MOST_BYTES = 32 << 20  # of moments that are kept, over all tables
OF_A_MARK = 4096  # bytes that a game takes that was kept as it stood


class Eyes(NamedTuple):
    """Through whose eyes somebody looks, and whether they are somebody else's, which may not see all even at the end."""

    viewer: int
    lent: bool = False


class Moment(NamedTuple):
    """A moment as it is sent, with everybody's chances to win."""

    update: Raw
    chances: list[int]


def eyes_of(table: Table, guest: Guest | None, seat: int | None) -> Eyes:
    """Through whose eyes this guest looks: their own, or those of the seat they ask for."""
    own = None if table.row.hot else table.seat_of(guest)  # one screen has nobody's eyes
    if seat is None or seat == own:
        return Eyes(SPECTATOR if own is None else own)
    seats.check_seat(table.row.chairs, seat)
    if table.row.phase != "over":
        raise NotNow("not_over")
    return Eyes(seat, lent=True)


async def look_back(table: Table, eyes: Eyes, first: int | None) -> Moments:
    """A page of moments from number `first` on (0 is the deal), and how many there are in all.

    Without a number it is the last page, from one's own last decision on if that is on it.
    """
    if table.play is None:
        raise NotNow("not_started")
    story = table.house.past.of(table)
    await story.read_on()
    total = len(story)
    own = None if eyes.lent or eyes.viewer == SPECTATOR else story.last_of(eyes.viewer)
    if first is None:
        first = max(own or 0, total - A_PAGE)
    found = await table.house.past.moments(story, eyes, range(first, min(first + A_PAGE, total)))
    chances = [moment.chances for moment in found] if story.over else []  # before, they would tell what is hidden
    return Moments(first, total, [moment.update for moment in found], chances, own)  # type: ignore[misc]


async def moment_at(table: Table, viewer: int, number: int) -> Update:
    """One moment through this viewer's own eyes; the last there is, if there are not so many."""
    story = table.house.past.of(table)
    await story.read_on()
    last = min(number, len(story) - 1)
    return next(update for n, update, _ in story.page(Eyes(viewer), last // A_PAGE, {last}) if n == last)


class Story:
    """One game played again as far as it has come: after which steps a moment is told, whoever looks.

    The game is kept as it stood at the beginning of every page, so that no page takes longer than another.
    """

    def __init__(self, table: Table) -> None:
        assert table.play is not None
        self.table = table
        self.over = table.result is not None
        self.kept: dict[tuple[Eyes, int], Moment] = {}  # by the moment's last step: the last moment may still grow
        self.bytes = 0
        self._play = table.play.from_the_start(table.engine)
        self.ends = [0]  # the number of each moment's last step; the deal has none
        self._marks = [self._play.copy()]
        self._screens = Screens(table.game)
        self._happened = False  # something that can be told, since the last moment
        self._whole = True  # whether the last moment stands, whatever comes after it
        self._sealing = False  # the last step was made behind a screen
        self.reading = asyncio.Lock()  # one at a time: the others find it done

    def __len__(self) -> int:
        return len(self.ends)

    async def read_on(self) -> None:
        """Plays again what has been played since."""
        async with self.reading:
            play = self.table.play
            while play is not None and self._play.seq < play.seq:
                self._next(play)
                if self._play.seq % AT_ONCE == 0:
                    await asyncio.sleep(0)  # others get their turn

    def _next(self, play: Play) -> None:
        """The next step. A moment ends with a decision that told something, or where the screens go up; or with the story,
        for now: what comes next may belong to it.
        """
        seat, action, step = next(play.decided(self._play.seq))
        if not self._whole and self._goes_on(step):
            self.ends.pop()
        elif self._play.seq:
            self._happened = False
            self._mark()
        alone = self._play.waiting() == [seat]
        self._happened = bool(self._play.follow(seat, [action], step)) or self._happened
        self._sealing = self._screens.covers(action)
        self._whole = self._sealing and alone and self._screens.seals(action)  # the last one seals: the screens go up
        self.ends.append(self._play.seq)

    def _goes_on(self, step: int) -> bool:
        """Whether a step (its number in its decision) belongs to the moment that the last one was in."""
        return self._sealing or step > 0 or not self._happened

    def _mark(self) -> None:
        """Keeps the game as it stands at the beginning of a page."""
        page = len(self.ends) // A_PAGE
        if page == len(self._marks):
            self._marks.append(self._play.copy())
            self.bytes += OF_A_MARK

    def last_of(self, seat: int) -> int:
        """The moment in which this seat has last decided something; the deal, if it has not yet."""
        assert self.table.play is not None
        steps = itertools.islice(self.table.play.decided(), self.ends[-1])
        last = max((n for n, (decider, _, _) in enumerate(steps, 1) if decider == seat), default=0)
        return bisect.bisect_left(self.ends, last)

    def page(self, eyes: Eyes, page: int, wanted: Container[int]) -> Iterator[tuple[int, Update, list[int]]]:
        """Those of a page's moments that are wanted, as they were told at the table then: number, position, chances."""
        play, happened = self._marks[page].copy(self.table.engine), list[Fact]()
        assert self.table.play is not None
        steps = self.table.play.decided(play.seq)
        ends = self.ends[page * A_PAGE : (page + 1) * A_PAGE]  # as they are now: the game may go on while we tell it
        for number, end in enumerate(ends, page * A_PAGE):
            happened = []
            while play.seq < end:
                seat, action, step = next(steps)
                happened += play.follow(seat, [action], step)
            if number in wanted:
                yield number, self._update(play, eyes, happened), chances(play) if self.over else []

    def _update(self, play: Play, eyes: Eyes, happened: list[Fact]) -> Update:
        position = heard = play.position(eyes.viewer)
        if eyes.lent and eyes.viewer != SPECTATOR and play.game.stays_secret is not None:
            play.game.stays_secret(position.redacted, eyes.viewer)
            heard = play.position(SPECTATOR)
        facts = heard.facts(happened, play.told)
        if facts:
            facts = self.table.together(play.seq).marked(facts)
        return Update(
            play.seq, position.view(), [], play.waiting(), facts, False,
            self.table.result if play.is_over() else None,
        )  # fmt: skip


class Past:
    """What is kept of all tables: a moment is made once for all who have the same eyes. When there is too much, the table
    that nobody has asked for longest goes.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._stories: OrderedDict[str, Story] = OrderedDict()  # by table; the last asked for is last

    def of(self, table: Table) -> Story:
        """The story of a table; anew when it is over, because then more may be told."""
        story = self._stories.get(table.row.id)
        if story is None or story.table is not table or story.over != (table.result is not None):
            story = self._stories[table.row.id] = Story(table)
        self._stories.move_to_end(table.row.id)
        return story

    async def moments(self, story: Story, eyes: Eyes, numbers: range) -> list[Moment]:
        """These moments through these eyes."""
        async with story.reading:
            return await self._moments(story, eyes, numbers)

    async def _moments(self, story: Story, eyes: Eyes, numbers: range) -> list[Moment]:
        ends, kept = {number: story.ends[number] for number in numbers}, story.kept
        lacking = {number for number, end in ends.items() if (eyes, end) not in kept}
        found = {number: kept[eyes, end] for number, end in ends.items() if number not in lacking}
        for page in sorted({number // A_PAGE for number in lacking}):
            for number, update, chances in story.page(eyes, page, lacking):
                found[number] = kept[eyes, update.seq] = Moment(Raw(encode(update)), chances)
                story.bytes += len(bytes(found[number].update))
                await asyncio.sleep(0)  # others get their turn
        self._make_room()
        return [found[number] for number in numbers]

    def _make_room(self) -> None:
        while sum(story.bytes for story in self._stories.values()) > self._most and len(self._stories) > 1:
            self._stories.popitem(last=False)

    def forget(self, table: str) -> None:
        """A table leaves the memory."""
        self._stories.pop(table, None)


def chances(play: Play) -> list[int]:
    """Everybody's chance to win, at a glance; at the end, who has won."""
    if play.is_over():
        ranks = play.result().ranks
        return [100 * (rank == 1) // ranks.count(1) for rank in ranks]
    return [round(100 * chance) for chance in play.outlook()]
