"""Whole games of bots that only look at what they may do now, in one call of machine code: what a report watches.

The games are those that plain Python plays (`balance.followed`): the same deals, the same chance, and each decision is made
from the record as its seat may see it, which is made anew before every decision. Only the rules that such a game needs are
compiled, so a new deck is ready in half the time that all of its machine code takes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ludoteca.bots.levels import Bot
from ludoteca.bots.own import Chooser
from ludoteca.bots.search import FOLLY
from ludoteca.core.chance import MASK, STEP, mixed, times
from ludoteca.core.compiler import is_ready
from ludoteca.core.engine import CompiledEngine, algorithm_sources
from ludoteca.core.facts import Fact
from ludoteca.core.game import Game, game_at
from ludoteca.core.kernel import kernel
from ludoteca.core.log import KIND, new_log
from ludoteca.core.record import See, States, bytes_of
from ludoteca.core.rules import apply, appraise, is_over, legal, scores

UNIFORM, GREEDY = -1, 0  # how a seat plays; above 0: the best of so many actions that it looks at
MOST = 4096  # decisions of a game, and facts that are noted of it; a longer game is watched in plain Python
LINK = (0x2545F491, 0x4F6CDD1D)  # by what `derive` links its parts: high and low 32 bits
NOBODY_LEADS = -1
GAVE_UP = -1


@kernel
def plus(a: int, b: int) -> int:
    """The lowest 63 bits of a sum."""
    return a + b if a <= MASK - b else a - (MASK - b) - 1


@kernel
def linked(z: int, part: int) -> int:
    """A step of `derive`, in machine code."""
    return mixed(plus(plus(times(z, LINK[0], LINK[1]), part), STEP))


@kernel
def hide(raw: Any, hidden: Any, values: Any, marks: Any, seat: int) -> None:
    """Row 1 becomes row 0 as the seat may see it."""
    for byte in range(raw.shape[1]):
        raw[1, byte] = raw[0, byte] | hidden[seat, byte]
    for k in range(values.shape[0]):
        if raw[0, marks[k] + seat // 8] >> (seat % 8) & 1 == 0:
            raw[1, values[k]] = 255


@kernel
def ahead(points: Any, seats: int) -> int:
    """Who has more points than all others."""
    first = 0
    shared = False
    for seat in range(1, seats):
        if points[seat] > points[first]:
            first = seat
            shared = False
        elif points[seat] == points[first]:
            shared = True
    return NOBODY_LEADS if shared else first


@kernel
def nth_best(worth: Any, count: int, chance: int) -> int:
    """The place of the greatest of these numbers; by chance, where several are."""
    top = worth[0]
    for k in range(1, count):
        if worth[k] > top:
            top = worth[k]
    equals = 0
    for k in range(count):
        if worth[k] == top:
            equals += 1
    left = chance % equals
    for k in range(count):
        if worth[k] == top:
            if left == 0:
                return k
            left -= 1
    return 0


@kernel
def glanced(state: Any, seat: int, actions: Any, count: int, looks: int, chance: int) -> int:
    """Draws the actions that somebody looks at to the front, as `greedy.glance` does; returns how many."""
    for k in range(count - 1):
        drawn = k + linked(chance, k) % (count - k)
        kept = actions[k]
        actions[k] = actions[drawn]
        actions[drawn] = kept
        if k + 1 >= looks and appraise(state, seat, actions[k]) > FOLLY:
            return k + 1
    return count


@kernel
def note_down(log: Any, noted: Any, told: Any, sums: Any) -> bool:
    """Copies the facts that are wanted and empties the log; False if there is no room left."""
    for row in range(log.used):
        if noted[log.rows[row, KIND]] != 0:
            if sums[1] == told.shape[0]:
                return False
            for column in range(told.shape[1]):
                told[sums[1], column] = log.rows[row, column]
            sums[1] += 1
    log.used = 0
    return True


def drive(
    states: States, raw: Any, hidden: Any, values: Any, marks: Any, ways: Any, seed: int, actions: Any, worth: Any,
    logs: Any, noted: Any, told: Any, leaders: Any, points: Any, sums: Any,
) -> int:  # fmt: skip
    """Plays states[0] to its end; states[1] is what the seat that decides may see, and `raw` the bytes of both.

    `ways[seat]` says how it plays. Facts of the kinds in `noted` are copied to `told`; `leaders` has for each decision who
    led after it; sums[0] counts the possibilities, sums[1] the facts. Returns the number of decisions.
    """
    state, seen, log = states[0], states[1], logs[0]
    number = 0
    while not is_over(state):
        if number == leaders.shape[0]:
            return GAVE_UP
        seat = 0
        while state.waiting[seat] == 0:
            seat += 1
        hide(raw, hidden, values, marks, seat)
        count = legal(seen, seat, actions)
        chance = linked(linked(linked(0, seed), number), seat)
        looked = count
        if ways[seat] > 0:
            looked = glanced(seen, seat, actions, count, ways[seat], linked(0, chance))
        if ways[seat] == UNIFORM:
            place = linked(0, chance) % count
        elif looked == 1:
            place = 0
        else:
            for k in range(looked):
                worth[k] = appraise(seen, seat, actions[k])
            place = nth_best(worth, looked, linked(0, chance))
        apply(state, seat, actions[place], log)
        if not note_down(log, noted, told, sums):
            return GAVE_UP
        scores(state, points)
        leaders[number] = ahead(points, state.seats)
        sums[0] += count
        number += 1
    return number


@dataclass(frozen=True)
class Course:
    """How a game went: the possibilities of each decision on average, who led after it, and the facts that were noted."""

    widths: float
    leaders: list[int | None]
    facts: list[Fact]


class Driver:
    """What the machine code of one game works on."""

    def __init__(self, game: Game) -> None:
        redactor, size = game.redact, game.dtype.itemsize
        self.states = np.zeros(2, game.dtype)
        self.raw = self.states.view(np.uint8).reshape(2, size)
        self.hidden = np.concatenate([redactor.hidden_bytes(seat).reshape(1, size) for seat in range(16)])
        marked = [field for field in game.fields if field.see is See.MARKED]
        self.values = self._places([(bytes_of(game.dtype, field.name), 1) for field in marked])
        wide = [game.dtype[field.marks].base.itemsize for field in marked]
        self.marks = self._places([(bytes_of(game.dtype, f.marks), w) for f, w in zip(marked, wide, strict=True)])
        self.noted = np.array([int(kind in game.things) for kind in game.events], np.int8)
        self.actions, self.worth = np.zeros(len(game.actions), np.int16), np.zeros(len(game.actions), np.float64)
        self.log = new_log(game.log_rows)
        self.told = new_log(MOST)
        self.leaders, self.points = np.zeros(MOST, np.int8), np.zeros(game.max_seats, np.int64)

    @staticmethod
    def _places(found: Sequence[tuple[slice, int]]) -> Any:
        return np.array([at for part, step in found for at in range(part.start, part.stop, step)], np.int64)

    def play(self, engine: CompiledEngine, states: States, ways: Sequence[int], seed: int) -> Course | None:
        """Plays a game that is set up to its end, there; None if it is too long for that, and nothing is done."""
        sums = np.zeros(2, np.int64)
        self.states[0] = states[0]
        arguments = (
            self.states, self.raw, self.hidden, self.values, self.marks, np.array(ways, np.int64), seed, self.actions,
            self.worth, self.log.records, self.noted, self.told.rows, self.leaders, self.points, sums,
        )  # fmt: skip
        number = engine.bind(drive, arguments=arguments)(*arguments)
        if number == GAVE_UP:
            self.log.used = 0
            return None
        states[0] = self.states[0]
        leaders = [None if who == NOBODY_LEADS else who for who in self.leaders[:number].tolist()]
        self.told.used = int(sums[1])
        return Course(int(sums[0]) / max(number, 1), leaders, engine.game.facts.read(self.told))


HALVES = (("apply",), ("legal", "appraise", "is_over", "scores"))  # the rules that `drive` calls, as long as each other


class DrivenEngine(CompiledEngine):
    """Machine code of nothing but what is asked for."""

    def make(self, names: Sequence[str]) -> None:
        """Makes the code of these rules, to be loaded by whoever puts them together."""
        for name in names:
            self._rule(name)

    def _compile_all(self, progress: Callable[[str, int, int], None] | None) -> None:
        pass


_drivers: WeakKeyDictionary[Game, tuple[Driver, DrivenEngine]] = WeakKeyDictionary()


def can_drive(bots: Sequence[Chooser]) -> bool:
    """Whether machine code can play whole games for these bots."""
    return sys.byteorder == "little" and all(way_of(bot) is not None for bot in bots)


def way_of(bot: Chooser) -> int | None:
    """How a bot plays; None if only it knows."""
    if type(bot) is not Bot or bot.noise:
        return None
    return {"uniform": UNIFORM, "greedy": GREEDY, "glance": bot.looks}.get(bot.kind)


def is_made(game: Game) -> bool:
    """Whether the machine code is there to be loaded."""
    return is_ready(*algorithm_sources(game, drive), drive.__name__, game.variant)


def make_half(place: str, half: int) -> None:
    """Makes one half of what `drive` calls; the two can be made at the same time."""
    DrivenEngine(game_at(place)).make(HALVES[half])


def driven(game: Game, bots: Sequence[Chooser], states: States, seed: int) -> Course | None:
    """Plays a game that is set up to its end, there; None, and nothing is done, if it is too long for that."""
    if game not in _drivers:
        _drivers[game] = Driver(game), DrivenEngine(game)
    driver, engine = _drivers[game]
    return driver.play(engine, states, [way for way in map(way_of, bots) if way is not None], seed)
