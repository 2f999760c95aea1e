"""Guests: a name and a random secret. Nobody signs up; the secret lives in a cookie, and only its hash in the store."""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable
from weakref import WeakValueDictionary

from . import queries
from .limits import Limit, household
from .names import alphabets, tidy, visible
from .refusals import BadRequest, TooMuch
from .store import Store

SECRET_BYTES = 16
RECENT = 1000  # guests kept in memory though they are not at a table; the others are a read away


class Guest:
    """A person, for the time they are known here; one object for each, so a new name is seen everywhere."""

    __slots__ = ("__weakref__", "id", "name")

    def __init__(self, id: str, name: str) -> None:
        self.id = id
        self.name = name


def hashed(secret: str) -> bytes:
    """What is stored of a secret; it is random and long, so a plain hash does."""
    return hashlib.sha256(secret.encode()).digest()


class Guests:
    """Everybody who has come by."""

    def __init__(self, kept: Store, clock: Callable[[], float], a_minute: int) -> None:
        self._store = kept
        self._clock = clock
        self._known: WeakValueDictionary[bytes, Guest] = WeakValueDictionary()  # by secret, while anybody needs them
        self._recent: deque[Guest] = deque(maxlen=RECENT)
        self._a_minute = a_minute  # new guests, from one address

    async def find(self, secret: str | None) -> Guest | None:
        """The guest with this secret."""
        if not secret or len(secret) > 200:
            return None
        key = hashed(secret)
        guest = self._known.get(key)
        if guest is None or self._store.shared:  # with another server they may have got another name
            row = await self._store.read(queries.find_guest, key)
            if row is None:
                return None
            guest = self._known.get(key) or Guest(row.id, row.name)  # another request may have been quicker
            guest.name = row.name
            self._remember(key, guest)
            if row.long_ago:
                await self._store.write(queries.greet, guest.id)
        return guest

    def here(self) -> list[str]:
        """The guests in memory."""
        return [guest.id for guest in self._known.values()]

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
        self._recent.append(guest)
