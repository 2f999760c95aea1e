"""Presence: who is at a table now, who was, and how a message reaches them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Protocol

from .guests import Guest
from .wire import FromServer, encode

SPREAD = 0.05  # seconds in which several people coming and going make one message
AGAIN = 0.25  # likewise, when the last message was less than that ago
ELSEWHERE = 12.0  # seconds that another server's word about who is there holds
SPREAD_EACH = 0.002  # for each who hears it: a crowd hears less often of its own coming and going


class Watcher(Protocol):
    """Somebody at the table, as the referee sees them; `sockets.py` has the real ones."""

    guest: Guest | None
    invite: str | None  # what it came with
    away: bool
    eyes: int | None  # where a screen is passed around: the seat it was uncovered for

    def push(self, message: bytes, later: bool = False) -> None:
        """Sends it, now or soon; never waits. `later`: after those whose turn it may be."""

    def drop(self) -> None:
        """Ends the connection."""

    def cover(self) -> None:
        """Ends the connection, after what is on its way: the screen is another's."""


class Presence:
    """Those who watch one table, players and spectators; iterating over it is safe while people come and go."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._here: set[Watcher] = set()
        self._coming: set[Watcher] = set()  # let in, not yet greeted
        self._of: dict[str, set[Watcher]] = {}  # by guest
        self._since = clock()
        self._last_seen: dict[str, float] = {}  # guests who were here, and when
        self._elsewhere: dict[str, tuple[float, set[str], int]] = {}  # by server: until when, guests, spectators
        self._soon: asyncio.TimerHandle | None = None
        self._told = -AGAIN  # when all were last told
        self.touched = self._since  # when somebody last wanted something here
        self.changes = 0  # how often somebody has come or gone

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

    @property
    def coming(self) -> int:
        """How many are let in and not yet greeted."""
        return len(self._coming)

    def expect(self, watcher: Watcher) -> None:
        """Somebody is let in, and counts from now on."""
        self._coming.add(watcher)

    def come(self, watcher: Watcher) -> None:
        """Somebody begins to watch."""
        self._coming.discard(watcher)
        self._here.add(watcher)
        self.changes += 1
        if watcher.guest is not None:
            self._of.setdefault(watcher.guest.id, set()).add(watcher)
        self.touch()

    def go(self, watcher: Watcher) -> None:
        """Somebody stops watching."""
        self._coming.discard(watcher)
        self._here.discard(watcher)
        self.changes += 1
        if watcher.guest is not None and watcher.guest.id in self._of:
            self._of[watcher.guest.id].discard(watcher)
            if not self._of[watcher.guest.id]:
                del self._of[watcher.guest.id]
        self.touch()
        self.fall_silent(watcher)

    def fall_silent(self, watcher: Watcher) -> None:
        """Somebody is not here any more, or does not seem to be."""
        if watcher.guest is not None:
            self._last_seen[watcher.guest.id] = self._clock()

    def close(self) -> None:
        """The table is forgotten: whoever is connected comes back and finds it as stored."""
        self.not_soon()
        for watcher in self:
            watcher.drop()

    # ── With other servers ───────────────────────────────────

    def are_elsewhere(self, server: str, guests: list[str], spectators: int) -> bool:
        """Who is at this table with another server; whether that is news."""
        before = self._elsewhere.get(server, (0.0, set[str](), 0))
        now = self._clock()
        for guest in before[1].difference(guests):
            self._last_seen[guest] = now
        if guests or spectators:
            self._elsewhere[server] = (now + ELSEWHERE, set(guests), spectators)
        else:
            self._elsewhere.pop(server, None)
        return before[1:] != (set(guests), spectators)

    def forget_elsewhere(self) -> bool:
        """Drops what other servers have not said again for a while; whether there was any."""
        silent = [server for server, (until, _, _) in self._elsewhere.items() if until < self._clock()]
        for server in silent:
            self.are_elsewhere(server, [], 0)
        return bool(silent)

    @property
    def spectators_elsewhere(self) -> int:
        """How many watch with other servers."""
        return sum(spectators for _, _, spectators in self._elsewhere.values())

    @property
    def watched(self) -> bool:
        """Whether anybody looks on, here or with another server."""
        return bool(self._here or self._elsewhere)

    # ── Who is here ──────────────────────────────────────────

    def sockets_of(self, guest: str) -> int:
        """With how many windows this guest is here."""
        return len(self._of.get(guest, ()))

    def is_online(self, guest: str) -> bool:
        """Whether this guest is here, or with another server, and listens."""
        return self.listens(guest) or any(guest in guests for _, guests, _ in self._elsewhere.values())

    def listens(self, guest: str) -> bool:
        """Whether this guest is here and listens."""
        for watcher in self._of.get(guest, ()):
            if not watcher.away:
                return True
        return False

    def guests(self) -> list[str]:
        """Everybody who is here and listens."""
        return [guest for guest in self._of if self.listens(guest)]

    def away_for(self, guest: str) -> float:
        """For how many seconds this guest has not been here."""
        if self.is_online(guest):
            return 0.0
        return self._clock() - self._last_seen.get(guest, self._since)

    def has_gone(self, guest: str) -> bool:
        """Whether this guest was here, since the table is in memory, and is not any more."""
        return guest in self._last_seen and not self.is_online(guest)

    # ── Telling them ─────────────────────────────────────────

    def tell(self, message: FromServer, to: Callable[[Watcher], bool] = lambda _: True) -> None:
        """The same for everybody, or for those it is for."""
        data = encode(message)
        for watcher in self:
            if to(watcher):
                watcher.push(data)

    def soon(self, tell: Callable[[], None]) -> None:
        """Calls it in a moment; several within that moment become one."""
        if self._soon is None:
            least = SPREAD if self._clock() - self._told >= AGAIN else AGAIN
            wait = max(least, SPREAD_EACH * len(self._here))
            self._soon = asyncio.get_running_loop().call_later(wait, tell)

    def not_soon(self) -> None:
        """What was to be told soon is being told."""
        self._told = self._clock()
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
