"""The clocks to choose from before a game, and what they mean for its length, as far as games here have shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludoteca.core.game import Game

from .clock_rows import find_lengths
from .clocks import A_DAY, Terms, write_terms
from .refusals import BadRequest
from .store import Store
from .wire import ClockPreset, Length

BANKS = {"quick": 0.5, "easy": 1.0, "long": 2.0}  # shares of the usual bank
BANK_A_MINUTE = 12  # seconds of the usual bank for each minute on the box
BANK_STEP, INCREMENT_STEP = 30, 5  # seconds to which they are rounded
TURNS_A_BANK = 18  # increments that make a bank
DAYS = (1, 3, 7)
LEAST_BANK, MOST_BANK, MOST_INCREMENT = 5, 4 * 3600, 600  # seconds of a live clock
KNOWN_FOR = 300.0  # seconds
REMEMBERED = 300  # finished games from which the length of the next is told
NINE_IN_TEN = (0.05, 0.5, 0.95)


def checked(wish: Terms | None, chairs: int) -> str:
    """A clock that somebody would like, as it is stored; refuses one that makes no sense."""
    if wish is None or wish.kind == "none":
        return ""
    if chairs < 2:
        raise BadRequest("clock_alone")
    live = LEAST_BANK <= wish.bank <= MOST_BANK and wish.increment <= MOST_INCREMENT
    if not (live if wish.kind == "live" else wish.bank in [day * A_DAY for day in DAYS] and not wish.increment):
        raise BadRequest("no_such_clock")
    return write_terms(wish)


def presets(game: Game) -> dict[str, Terms]:
    """The clocks that a game's box suggests: the longer the game, the larger the bank."""
    usual = game.minutes * BANK_A_MINUTE
    found = {}
    for name, share in BANKS.items():
        bank = max(BANK_STEP, round(usual * share / BANK_STEP) * BANK_STEP)
        increment = max(INCREMENT_STEP, round(bank / TURNS_A_BANK / INCREMENT_STEP) * INCREMENT_STEP)
        found[name] = Terms("live", bank, increment)
    return found


def by_name(game: Game) -> dict[str, Terms]:
    """All clocks to choose for a game, live or by days."""
    return presets(game) | {f"days_{day}": Terms("days", int(day * A_DAY)) for day in DAYS}


class ClockChoice:
    """The clocks to choose for each game, with how long games with them have taken here; looked up now and then."""

    def __init__(self, store: Store, ticks: Callable[[], float]) -> None:
        self._store, self._ticks = store, ticks
        self._known: dict[str, tuple[float, list[ClockPreset]]] = {}

    async def of(self, game: Game) -> list[ClockPreset]:
        """Those of one game."""
        until, known = self._known.get(game.key, (0.0, []))
        if not known or self._ticks() > until:
            played = await self._store.read(find_lengths, game.key, REMEMBERED)
            known = [ClockPreset(name, terms, lengths(terms, played)) for name, terms in by_name(game).items()]
            self._known[game.key] = self._ticks() + KNOWN_FOR, known
        return known


def lengths(terms: Terms, played: Sequence[tuple[str, int, float]]) -> list[Length]:
    """How long the games with this clock have taken, for each number of seats."""
    alike = [write_terms(Terms(terms.kind, terms.bank, terms.increment, when)) for when in ("standin", "out")]
    by_seats: dict[int, list[float]] = {}
    for clock, number, seconds in played:
        if clock in alike:
            by_seats.setdefault(number, []).append(seconds)
    return [length_of(number, sorted(taken)) for number, taken in sorted(by_seats.items())]


def length_of(number: int, taken: Sequence[float]) -> Length:
    """Where nine in ten of these games lie, in minutes."""
    low, middle, high = (taken[round(share * (len(taken) - 1))] for share in NINE_IN_TEN)
    return Length(number, len(taken), *(max(1, round(seconds / 60)) for seconds in (low, middle, high)))
