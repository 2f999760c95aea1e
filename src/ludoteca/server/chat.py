"""Chat: what people say at a table."""

from __future__ import annotations

from . import queries
from .guests import Guest, tidy
from .house import House
from .limits import Limit, household
from .presence import Presence
from .refusals import BadRequest, NotAllowed, TooMuch
from .wire import Said

REMEMBERED = 20  # things said, shown to those who come; with the rest of the greeting they must fit an outbox
MOST_TEXT = 500  # characters
A_GUEST = (5, 10.0)  # messages in so many seconds, at all tables and by all connections together
AN_ADDRESS = (50, 10.0)


class Chat:
    """The talk at one table: stored first, then heard by everybody."""

    def __init__(self, house: House, table: str, presence: Presence) -> None:
        self._house, self._table, self._presence = house, table, presence

    async def say(self, guest: Guest | None, seat: int | None, text: str, address: str) -> None:
        """A guest says something; `seat` is where they sit, if they do."""
        if guest is None:
            raise NotAllowed("only_guests")
        if len(text) > MOST_TEXT:
            raise BadRequest("text_too_long", most=MOST_TEXT)
        text = tidy(text, MOST_TEXT)
        if not text:
            raise BadRequest("no_text")
        said = queries.ChatRow(seat, guest.name, text, self._house.clock())
        limits = [Limit("say", guest.id, *A_GUEST), Limit("say", household(address), *AN_ADDRESS)]
        try:
            await self._house.store.write(queries.add_chat, self._table, said, limits)
        except queries.Exceeded:
            raise TooMuch("chat_too_fast") from None
        self._presence.tell(_message(said))

    async def remembered(self) -> list[Said]:
        """The last things said, oldest first."""
        rows = await self._house.store.read(queries.find_chat, self._table, REMEMBERED)
        return [_message(row) for row in rows]


def _message(row: queries.ChatRow) -> Said:
    return Said(row.seat, row.name, row.text, row.at)
