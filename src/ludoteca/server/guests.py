"""Guests: a name, and a random secret on each of their devices. Nobody signs up.

A secret lives in a cookie, and only its hash in the store. Further devices: `devices.py`, `passkeys.py`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from weakref import WeakValueDictionary

from . import queries
from .limits import Limit, household
from .names import alphabets, tidy, visible
from .refusals import BadRequest, NotAllowed, TooMuch
from .signs import sign_of
from .store import Store
from .wire import Symbol

SECRET_BYTES = 16
RECENT = 1000  # guests kept in memory though they are not at a table; the others are a read away


class Guest:
    """A person, for the time they are known here; one object for each, so a new name is seen everywhere."""

    __slots__ = ("__weakref__", "blocked", "chat", "id", "name", "sign")

    def __init__(self, id: str, name: str) -> None:
        self.id = id
        self.name = name
        self.sign = sign_of(id)
        self.chat = True  # whether they take part in chats
        self.blocked: frozenset[str] = frozenset()  # whom they would rather not meet

    def hears(self, other: str | None) -> bool:
        """Whether they want to read what somebody says; nobody knows who has said something long ago."""
        return self.chat and other not in self.blocked

    def become(self, row: queries.GuestRow) -> None:
        """As they are stored now."""
        self.name, self.chat, self.blocked = row.name, row.chat, row.blocked
        self.sign = sign_of(self.id, row.symbol, row.colour)

    @property
    def symbol(self) -> Symbol:
        """Of their sign."""
        return self.sign.symbol

    @property
    def colour(self) -> int:
        """Of their sign."""
        return self.sign.colour


def known(id: str, name: str, symbol: str | None, colour: int | None) -> Guest:
    """Somebody of whom the store has said this much: for what others see of them."""
    guest = Guest(id, name)
    guest.become(queries.GuestRow(id, name, symbol, colour))
    return guest


def hashed(secret: str) -> bytes:
    """What is stored of a secret; it is random and long, so a plain hash does."""
    return hashlib.sha256(secret.encode()).digest()


class Guests:
    """Everybody who has come by."""

    def __init__(self, kept: Store, clock: Callable[[], float], a_minute: int) -> None:
        self._store = kept
        self._clock = clock
        self._known: WeakValueDictionary[bytes, Guest] = WeakValueDictionary()  # by secret, while anybody needs them
        self._people: WeakValueDictionary[str, Guest] = WeakValueDictionary()  # the same, by name: one with two devices
        self._recent: deque[Guest] = deque(maxlen=RECENT)
        self._signed_out: set[bytes] = set()  # since the start: a question on its way must not bring them back
        self._a_minute = a_minute  # new guests, from one address

    async def find(self, secret: str | None) -> Guest | None:
        """The guest with this secret."""
        if not secret or len(secret) > 200:
            return None
        key = hashed(secret)
        if key in self._signed_out:
            return None
        guest = self._known.get(key)
        if guest is None or self._store.shared:  # with another server they may have got another name, or signed out
            row = await self._store.read(queries.find_guest, key)
            if row is None or key in self._signed_out:
                self._known.pop(key, None)
                return None
            if row.banned:
                self._known.pop(key, None)
                raise NotAllowed("banned")
            guest = self._people.get(row.id) or Guest(row.id, row.name)  # here by another device, or a request before
            guest.become(row)
            self._remember(key, guest)
            if row.long_ago:
                await self._store.write(queries.greet, guest.id, key, self._clock())
        return guest

    def sign_out(self, keys: Iterable[bytes]) -> None:
        """These devices are nobody's any more."""
        for key in keys:
            self._signed_out.add(key)
            self._known.pop(key, None)

    def ask_again(self, keys: Iterable[bytes]) -> None:
        """Something about these devices' guest was changed elsewhere."""
        for key in keys:
            self._known.pop(key, None)

    def here(self) -> list[str]:
        """The guests in memory."""
        return list(self._people)

    async def welcome(self, address: str) -> tuple[Guest, str]:
        """A new guest and their secret."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        guest = Guest(secrets.token_hex(8), f"Guest {secrets.randbelow(9000) + 1000}")
        limits = [Limit("guest", household(address), self._a_minute, 60.0)]
        try:
            await self._store.write(queries.add_guest, guest.id, hashed(secret), guest.name, self._clock(), limits)
        except queries.Exceeded:
            raise TooMuch("too_many_guests") from None
        self._remember(hashed(secret), guest)
        return guest, secret

    async def rename(self, guest: Guest, name: str) -> None:
        """Gives a guest another name."""
        name = tidy(name)
        if not visible(name):
            raise BadRequest("no_name")
        if len(alphabets(name)) > 1:
            raise BadRequest("mixed_alphabets")
        await self._store.write(queries.rename_guest, guest.id, name)
        guest.name = name

    def _remember(self, key: bytes, guest: Guest) -> None:
        self._known[key] = guest
        self._people[guest.id] = guest
        self._recent.append(guest)
