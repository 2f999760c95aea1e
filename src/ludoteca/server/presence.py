"""Presence: who is at a table now, who was, and how a message reaches them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Protocol

from .guests import Guest
from .wire import FromServer, encode

SPREAD = 0.05  # seconds in which several people coming and going make one message


class Watcher(Protocol):
    """Somebody at the table, as the referee sees them; `sockets.py` has the real ones."""

    guest: Guest | None
    invite: str | None  # what it came with
    away: bool

    def push(self, message: bytes) -> None:
        """Sends it, now or soon; never waits."""

    def drop(self) -> None:
        """Ends the connection."""


class Presence:
    """Those who watch one table, players and spectators; iterating over it is safe while people come and go."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._here: set[Watcher] = set()
        self._since = clock()
        self._last_seen: dict[str, float] = {}  # guests who were here, and when
        self._soon: asyncio.TimerHandle | None = None
        self.touched = self._since  # when somebody last wanted something here

    def __iter__(self) -> Iterator[Watcher]:
        return iter(list(self._here))

    def __contains__(self, watcher: Watcher) -> bool:
        return watcher in self._here

    def __len__(self) -> int:
        return len(self._here)

    # ── Coming and going ─────────────────────────────────────

    @property
    def was_touched(self) -> bool:
        """Whether anybody has wanted anything since the table came into memory."""
        return self.touched != self._since

    def touch(self) -> None:
        """Somebody wants something of this table."""
        self.touched = self._clock()

    def come(self, watcher: Watcher) -> None:
        """Somebody begins to watch."""
        self._here.add(watcher)
        self.touch()

    def go(self, watcher: Watcher) -> None:
        """Somebody stops watching."""
        self._here.discard(watcher)
        self.touch()
        self.fall_silent(watcher)

    def fall_silent(self, watcher: Watcher) -> None:
        """Somebody is not here any more, or does not seem to be."""
        if watcher.guest is not None:
            self._last_seen[watcher.guest.id] = self._clock()

    def close(self) -> None:
        """The table is forgotten: whoever is connected comes back and finds it as stored."""
        self._cancel_soon()
        for watcher in self:
            watcher.drop()

    # ── Who is here ──────────────────────────────────────────

    def online(self) -> set[str]:
        """The guests who are here and listen."""
        return {watcher.guest.id for watcher in self._here if watcher.guest is not None and not watcher.away}

    def away_for(self, guest: str) -> float:
        """For how many seconds this guest has not been here."""
        if guest in self.online():
            return 0.0
        return self._clock() - self._last_seen.get(guest, self._since)

    # ── Telling them ─────────────────────────────────────────

    def tell(self, message: FromServer) -> None:
        """The same for everybody."""
        data = encode(message)
        for watcher in self:
            watcher.push(data)

    def tell_each(self, message: Callable[[Guest | None], FromServer]) -> None:
        """To each their own, at once."""
        self._cancel_soon()
        for watcher in self:
            watcher.push(encode(message(watcher.guest)))

    def tell_each_soon(self, message: Callable[[Guest | None], FromServer]) -> None:
        """As `tell_each`; several within a moment become one."""
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(SPREAD, self.tell_each, message)

    def _cancel_soon(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
