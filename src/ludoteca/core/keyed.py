"""Chance that nobody can foretell, for tables where people play; environments and bots keep the plain stream of chance.py.

The plain stream has 63 bits, and a player sees many of its numbers: with enough machines the rest could be reckoned out. So
at a table no number comes from it. The deal (number 0) and every step of the game (number 1, 2, …; steps that were taken
back do not count, so nobody takes back in order to draw again) has a key of its own,
made with HMAC-SHA256 from the server's secret, the players' entropy and that number, and every number drawn in it is a
piece of an HMAC-SHA256 under that key:

    root     = HMAC(secret, "ludoteca chance 1" ‖ 0x00 ‖ entropy of chair 0 ‖ 0x00 ‖ entropy of chair 1 …)
    key(n)   = HMAC(root, n)                        n and b are 8 bytes, the highest first
    block(b) = HMAC(key(n), b)                      four numbers of 64 bits, the highest byte first
    draw     = number mod bound                     numbers of the last, incomplete round of the bound are thrown away

Whoever has seen any number of draws, in this step or others, knows nothing of the next one without the secret. The same
lines stand in `docs/verify_chance.py` and in `web/src/fair.ts`.

Rules know nothing of it. They run as plain Python on a record that was opened with the step's stream (`chance.below` asks
it), so even the full record holds nothing of what is still to be drawn: between two steps its `rng`, and every other field
that is declared as a `stream`, is 0. Machine code cannot ask: it runs first, and its outcome counts if it drew nothing, as
in most steps.
"""

from __future__ import annotations

import abc
import functools
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .chance import MASK, below_from
from .record import States, copied

if TYPE_CHECKING:
    from .engine import Engine
    from .facts import Fact

LABEL = b"ludoteca chance 1"
NUMBERS = 1 << 64  # how many there are to draw from
MOST_KNOWN = 64  # steps that drew are remembered, for each table in memory
DEAL = 0  # the number of the deal; steps count from 1

Draw = tuple[int, int]  # what was drawn, and the bound it is below


@dataclass(frozen=True)
class Draws:
    """What chance said in one step, in order."""

    number: int  # of the step; 0 is the deal
    drawn: tuple[Draw, ...]


@dataclass(frozen=True)
class Known:
    """A step that drew, and what came of it."""

    decided: tuple[int, int, bytes]  # seat, action, and the record before
    after: States
    happened: tuple[Fact, ...]
    draws: Draws


class Stream(abc.ABC):
    """Where rules draw from on a record that was opened with it. It remembers what was drawn."""

    def __init__(self) -> None:
        self.drawn: list[Draw] = []

    def below(self, n: int) -> int:
        """A fair number from 0 to n - 1."""
        value = self._drawn_below(n)
        self.drawn.append((value, n))
        return value

    @abc.abstractmethod
    def _drawn_below(self, n: int) -> int:
        """The next number of this stream from 0 to n - 1."""


class SeededStream(Stream):
    """The plain stream from its beginning, to learn what a deal drew from it."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._place = np.array([seed & MASK], np.int64)

    def _drawn_below(self, n: int) -> int:
        return below_from(self._place, n)


class KeyedStream(Stream):
    """The numbers of one step."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key
        self._block = b""
        self._next = 0  # how many numbers were taken

    @property
    def seed(self) -> int:
        """For rules that do not draw with `below` but from `rng` itself: 63 bits of this step."""
        return int.from_bytes(_hmac(self._key, b"rng")[:8], "big") & MASK

    def _drawn_below(self, n: int) -> int:
        while True:
            number = self._number()
            low = number % n
            if number - low <= NUMBERS - n:
                return low

    def _number(self) -> int:
        block, place = divmod(self._next, 4)
        if place == 0:
            self._block = _hmac(self._key, _eight(block))
        self._next += 1
        return int.from_bytes(self._block[8 * place : 8 * place + 8], "big")


@dataclass(frozen=True)
class Keyed:
    """The chance of one table: what its keys are made of."""

    secret: bytes  # the server's; its SHA-256 was shown before the deal
    entropy: tuple[str, ...]  # of each chair; empty for bots
    beginning: bytes = b""  # the record that the game begins with, where it is not dealt: a branch of another game

    @functools.cached_property
    def _root(self) -> bytes:
        return _hmac(self.secret, LABEL + b"".join(b"\0" + share.encode() for share in self.entropy))

    def stream(self, number: int) -> KeyedStream:
        """The numbers of that step."""
        return KeyedStream(_hmac(self._root, _eight(number)))

    def deal(self, engine: Engine, seats: int, options: Mapping[str, str]) -> tuple[States, Draws]:
        """A game set up, and what was drawn for it."""
        if self.beginning:
            return np.frombuffer(bytearray(self.beginning), engine.game.dtype), Draws(DEAL, ())
        stream = self.stream(DEAL)
        states = engine.new()
        engine.setup(states, 0, seats, options, stream.seed, stream)
        _empty_streams(engine, states)
        return states, Draws(DEAL, tuple(stream.drawn))

    def apply(
        self, engine: Engine, states: States, number: int, seat: int, action: int, before: States
    ) -> tuple[list[Fact], Draws | None]:
        """One step, in place: what happened, and what was drawn for it, if anything. `before`: a copy of the record."""
        known = self._known.get(number)
        if known is not None and known.decided == (seat, action, states.tobytes()):
            states[:] = known.after
            return list(known.happened), known.draws
        if engine.compiled:
            happened = engine.apply(states, 0, seat, action)
            if not any(any(states[name].tobytes()) for name in engine.game.streams):  # 2^63 draws would lead back there
                return happened, None
            states[:] = before
        stream = self.stream(number)
        decided = seat, action, states.tobytes()
        states["rng"] = stream.seed
        happened = engine.apply_drawing(stream, states, 0, seat, action)
        _empty_streams(engine, states)
        if not stream.drawn:
            return happened, None
        draws = Draws(number, tuple(stream.drawn))
        self._remember(Known(decided, copied(states), tuple(happened), draws))
        return happened, draws

    @functools.cached_property
    def _known(self) -> dict[int, Known]:
        """The last steps that drew, by number: plain Python is slow, and whoever looks back has them played again."""
        return {}

    def _remember(self, known: Known) -> None:
        self._known[known.draws.number] = known
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]


def _empty_streams(engine: Engine, states: States) -> None:
    for name in engine.game.streams:
        states[name] = 0


def orders(shuffles: Sequence[tuple[str, int]], drawn: Sequence[Draw]) -> list[tuple[str, list[int]]]:
    """The named shuffles that a deal begins with, from what it drew: `order[i]` is the piece that came to place i."""
    found, values = list[tuple[str, list[int]]](), iter(drawn)
    for name, size in shuffles:
        order = list(range(size))
        for i in range(size - 1, 0, -1):
            value, bound = next(values)
            assert bound == i + 1, f"{name} was not shuffled as announced"
            order[i], order[value] = order[value], order[i]
        found.append((name, order))
    return found


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _eight(number: int) -> bytes:
    return number.to_bytes(8, "big")
