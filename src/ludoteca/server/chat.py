"""Chat: what people say at a table."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable

from . import queries
from .guests import Guest
from .house import House
from .limits import Limit, household
from .names import heard_as, tidy
from .presence import Presence, Watcher
from .refusals import BadRequest, NotAllowed, NotNow, TooMuch
from .seats import Chairs, seat_of
from .wire import Said

REMEMBERED = 20  # things said, shown to those who come; with the rest of the greeting they must fit an outbox
MOST_TEXT = 500  # characters
A_GUEST = (5, 10.0)  # messages in so many seconds, at all tables and by all connections together
AN_ADDRESS = (50, 10.0)
KNOWN = 500  # numbers of lines that are not told twice


class Chat:
    """The talk at one table: stored first, then heard by those it is for, once.

    Those who only watch see what a player must not be told (how others fare, what they would do): while a game is played,
    what they say is for spectators alone. When it is over, everybody may read it.
    """

    def __init__(
        self,
        house: House,
        table: str,
        presence: Presence,
        playing: Callable[[], bool],
        seated: Callable[[Watcher], bool],
    ) -> None:
        self._house, self._table, self._presence = house, table, presence
        self._playing, self._seated = playing, seated  # whether a game is played; whether somebody sits there
        self._kept_back: list[queries.ChatRow] = []  # what spectators have said while it is
        self._lines: deque[queries.ChatRow] | None = None  # the last ones, once somebody has come
        self._known: deque[int] = deque(maxlen=KNOWN)

    async def load(self) -> None:
        """Remembers what was said before; call before somebody is greeted."""
        if self._lines is None:
            rows = await self._house.store.read(queries.find_chat, self._table, REMEMBERED)
            if self._lines is None:  # nobody else has done so meanwhile
                self._lines = deque(rows, maxlen=REMEMBERED)
                self._known.extend(row.n for row in rows)
                if self._playing():
                    self._kept_back = [row for row in rows if row.seat is None]

    def remembered(self, watcher: Watcher) -> list[Said]:
        """The last things said that this one may read, oldest first."""
        apart = self._playing() and self._seated(watcher)
        lines = [row for row in self._lines or () if row.seat is not None or not apart]
        return [_message(row) for row in lines if _hears(watcher, row)]

    def open_up(self) -> None:
        """The game is over: what spectators have said meanwhile, to those who played."""
        for row in self._kept_back[-REMEMBERED:]:
            self._tell(row, self._seated)
        self._kept_back.clear()

    async def say(self, guest: Guest | None, chairs: Chairs, text: str, address: str) -> int:
        """A guest says something at the table with these chairs. Returns the table's revision."""
        if guest is None:
            raise NotAllowed("only_guests")
        if not guest.chat:
            raise NotNow("own_chat_off")
        if len(text) > MOST_TEXT:
            raise BadRequest("text_too_long", most=MOST_TEXT)
        text = tidy(text, MOST_TEXT)
        if not text:
            raise BadRequest("no_text")
        seat = seat_of(chairs, guest.id)
        name = heard_as([chair.name for chair in chairs], seat, guest.name)
        said = queries.ChatRow(seat, name, text, self._house.clock(), guest=guest.id)
        limits = [Limit("say", guest.id, *A_GUEST), Limit("say", household(address), *AN_ADDRESS)]
        try:
            number, revision = await self._house.store.write(queries.add_chat, self._table, said, limits)
        except queries.Exceeded:
            raise TooMuch("chat_too_fast") from None
        self.tell([dataclasses.replace(said, n=number)])
        return revision

    def forget(self, stored: list[queries.ChatRow]) -> None:
        """These are the last things said, as they are stored: what is missing among them, its guest has taken along."""
        numbers = {row.n for row in stored}
        first = min(numbers, default=0) if len(stored) == REMEMBERED else 0
        last = max(numbers, default=0)

        def stays(row: queries.ChatRow) -> bool:
            return row.n in numbers or not first <= row.n <= last

        self._kept_back = [row for row in self._kept_back if stays(row)]
        if self._lines is not None:
            self._lines = deque(filter(stays, self._lines), maxlen=REMEMBERED)

    def tell(self, rows: Iterable[queries.ChatRow]) -> None:
        """What was said, here or with another server: to those it is for, unless they have heard it."""
        if self._lines is None:
            return  # nobody has come yet
        for row in rows:
            if row.n not in self._known:
                self._known.append(row.n)
                self._lines.append(row)
                if row.seat is None and self._playing():
                    self._kept_back.append(row)
                    self._tell(row, lambda watcher: not self._seated(watcher))
                else:
                    self._tell(row)

    def _tell(self, row: queries.ChatRow, to: Callable[[Watcher], bool] = lambda _: True) -> None:
        """To those it is for and who want to hear it."""
        self._presence.tell(_message(row), lambda watcher: to(watcher) and _hears(watcher, row))


def _hears(watcher: Watcher, row: queries.ChatRow) -> bool:
    return watcher.guest is None or watcher.guest.hears(row.guest)


def _message(row: queries.ChatRow) -> Said:
    return Said(row.seat, row.name, row.text, row.at)
