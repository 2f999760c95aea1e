"""Guests: a name and a random secret. Nobody signs up; the secret lives in a cookie, and only its hash in the store."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections import deque
from collections.abc import Callable
from weakref import WeakValueDictionary

from . import queries
from .limits import Limit, household
from .refusals import BadRequest, TooMuch
from .store import Store

SECRET_BYTES = 16
LONGEST_NAME = 32
SPACES = ("Cc", "Zl", "Zp", "Zs")  # kinds of character, by Unicode: control characters and line ends count as spaces
LOOK_ALIKES = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")  # alphabets whose letters look like each other's
INVISIBLE = ("Cf", "Cs", "Co", "Cn")  # marks that turn text around, halves of characters, unknown ones
MARKS = 2  # signs above and below a letter; a tower of them would cover its neighbours
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


def tidy(name: str, longest: int = LONGEST_NAME) -> str:
    """A name in plain letters: no control characters, doubled spaces or towers of accents; cut to size."""
    kinds = [(c, unicodedata.category(c)) for c in unicodedata.normalize("NFKC", name)]
    spaced = (" " if kind in SPACES else c for c, kind in kinds if kind not in INVISIBLE)
    return without_towers(" ".join("".join(spaced).split()))[:longest].strip()


def without_towers(name: str) -> str:
    """At most two marks on a letter."""
    kept, marks = [], 0
    for c in name:
        marks = marks + 1 if unicodedata.combining(c) else 0
        if marks <= MARKS:
            kept.append(c)
    return "".join(kept)


def alphabets(name: str) -> set[str]:
    """Which of the alphabets that have letters in common a name is written in."""
    names = (unicodedata.name(c, "").partition(" ")[0] for c in name if c.isalpha())
    return {alphabet for alphabet in names if alphabet in LOOK_ALIKES}


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
        if guest is None:
            row = await self._store.read(queries.find_guest, key)
            if row is None:
                return None
            guest = self._known.get(key) or Guest(row.id, row.name)  # another request may have been quicker
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
        if not name:
            raise BadRequest("no_name")
        if len(alphabets(name)) > 1:
            raise BadRequest("mixed_alphabets")
        await self._store.write(queries.rename_guest, guest.id, name)
        guest.name = name

    def _remember(self, key: bytes, guest: Guest) -> None:
        self._known[key] = guest
        self._recent.append(guest)
