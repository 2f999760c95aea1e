"""Allowances: so much at once, and so much a second for long (a token bucket), of one connection, guest or household."""

from __future__ import annotations

ROOM = 1024  # allowances kept before those that are whole again are dropped


class Allowance:
    """What one of them may still spend; it grows back with time."""

    __slots__ = ("_at", "_left", "a_second", "most")

    def __init__(self, most: float, a_second: float, now: float) -> None:
        self.most, self.a_second = most, a_second
        self._left, self._at = most, now

    def wait(self, cost: float, now: float) -> float:
        """Seconds until that much can be spent; none: at once."""
        self._fill(now)
        missing = (cost if cost < self.most else self.most) - self._left
        return missing / self.a_second if missing > 0 else 0.0

    def spend(self, cost: float) -> None:
        """Takes it away; ask `wait` first."""
        self._left -= cost

    def whole(self, now: float) -> bool:
        """Whether it is as a new one would be."""
        self._fill(now)
        return self._left >= self.most

    def _fill(self, now: float) -> None:
        left = self._left + (now - self._at) * self.a_second
        self._left, self._at = left if left < self.most else self.most, now


class Allowances:
    """Equal ones, by name. Whoever has spent nothing for a while is forgotten, which changes nothing for them."""

    def __init__(self, most: float, a_second: float) -> None:
        self._most, self._a_second = most, a_second
        self._of: dict[str, Allowance] = {}
        self._room = ROOM

    def of(self, name: str, now: float) -> Allowance:
        """The allowance of that name."""
        found = self._of.get(name)
        if found is None:
            self._make_room(now)
            found = self._of[name] = Allowance(self._most, self._a_second, now)
        return found

    def _make_room(self, now: float) -> None:
        if len(self._of) >= self._room:
            self._of = {name: kept for name, kept in self._of.items() if not kept.whole(now)}
            self._room = max(ROOM, 2 * len(self._of))  # looked through seldom enough, however many there are

    def __len__(self) -> int:
        return len(self._of)
