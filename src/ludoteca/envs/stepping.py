"""The environments' inner loops, compiled: decisions in, observations and masks out, in one call.

`turn` steps one table (`Turns` holds its arrays and calls it), `step_tables` many. Both are algorithms for any game
(core/rules.py). What a seat sees is made here too: the record is redacted in machine code before it is observed, from the
same declarations as in `core.record.Redactor`.
"""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.chance import MASK, mixed, stepped, times
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.game import Game
from ludoteca.core.kernel import kernel
from ludoteca.core.log import new_log
from ludoteca.core.record import See, States
from ludoteca.core.rules import apply, is_over, legal, observe, outlook, ranks, scores, setup

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]

REWARDS = ("rank", "win", "points", "margin")  # what the end may be worth; see `reward`
RANK, WIN, POINTS, MARGIN = range(4)

# The desk of a table: whole numbers that go in (the first two rows) and come out.
CHOSEN = 0  # eight places: the action of each seat, or -1
LOOKER = 8  # whose observation is wanted: a seat, or one of
ASKED, NOBODY, EVERYBODY = -1, -2, -3
OWN = 9  # the only seat that is not a uniform bot's; -1: no seat is
STREAM, GAMES, MADE = 10, 11, 12  # what the chance of those bots is made of; decisions they have made in this game
OVER, WAITING, FIRST, COUNT, REFUSED, TOLD = 13, 14, 15, 16, 17, 18
# ended; bits of the seats that are asked, and the first of them; how many actions the last looker has; the seat whose
# action was refused, or -1; how many facts there are in the log
STEPS = 19  # decisions made in this call; from here on pairs of seat and action
ROOM = 64  # such pairs
DESK = STEPS + 1 + 2 * ROOM
NOTHING = np.zeros(0, np.float32), np.zeros(0, np.int8)  # no room for observations or masks


class Turns:
    """One table's game in machine code: its record, what a seat sees of it, and the desk."""

    def __init__(self, engine: CompiledEngine, perfect: bool) -> None:
        self.engine, self.perfect = engine, perfect
        pair = engine.new(2)  # the game; room for it as a seat may see it
        raw = pair.view(np.uint8).reshape(2, -1)
        self.states, self._raw = pair[:1], raw[0]
        self.log = new_log(engine.game.log_rows)
        records, (hidden, marked) = self.log.records, redaction(engine.game, perfect)
        self._desk = numbers = np.full(DESK, -1, np.int64)
        self.desk = memoryview(self._desk)  # type: ignore[arg-type]  # numpy says so from Python 3.12 on
        self.listed = listed = np.zeros(len(engine.game.actions), np.int16)  # what the last looker may do
        self.lies: object = None  # whoever shares these arrays with others notes here whose position lies in them
        bound = engine.bind(turn, arguments=(pair, raw, records, hidden, marked, numbers, listed, *NOTHING))

        def step(observations: Floats, masks: Masks) -> None:  # a third less on the way than `functools.partial`
            bound(pair, raw, records, hidden, marked, numbers, listed, observations, masks)

        self._turn = step

    def begin_at(self, states: States) -> None:
        """Another game, or another position."""
        self._raw[:] = states.view(np.uint8)
        self.log.used = 0
        self.look(NOBODY, *NOTHING)

    def twin(self) -> Turns:
        """The same position, to go on by itself."""
        twin = Turns(self.engine, self.perfect)
        twin.begin_at(self.states)
        return twin

    def look(self, looker: int, observations: Floats, masks: Masks) -> None:
        """Nothing happens; `looker` (or everybody) sees."""
        desk = self.desk
        desk[LOOKER], desk[OWN] = looker, -1
        self._turn(observations, masks)

    def act(self, seat: int, action: int, looker: int, observations: Floats, masks: Masks) -> bool:
        """One seat decides, then `looker` sees; false, and nothing has happened, if the seat may not do that."""
        desk = self.desk
        desk[CHOSEN + seat], desk[LOOKER], desk[OWN] = action, looker, -1
        self._turn(observations, masks)
        return desk[REFUSED] < 0

    def go_on(self, looker: int, observations: Floats, masks: Masks) -> None:
        """As the desk says: seats have chosen there, or uniform bots go on."""
        self.desk[LOOKER] = looker
        self._turn(observations, masks)

    def data(self) -> bytes:
        """The record as bytes."""
        return bytes(self._raw)

    def steps(self) -> list[int]:
        """Seat and action of each decision of the last call, one after the other."""
        made = self.desk[STEPS]
        found: list[int] = self._desk[STEPS + 1 : STEPS + 1 + 2 * made].tolist()
        return found


@functools.cache
def redaction(game: Game, perfect: bool) -> tuple[Bytes, npt.NDArray[np.int64]]:
    """What hides: for each viewer all bits of the bytes it may never see, and the rows of bytes that marks decide about.

    A row is: first byte, how many; first byte of the marks, distance to the next.
    """
    hidden = np.concatenate([game.redact.hidden_bytes(viewer).reshape(1, -1) for viewer in range(16)])
    rows: list[tuple[int, ...]] = []
    fields = game.dtype.fields
    assert fields is not None
    for field in game.fields:
        if field.see is See.MARKED and not perfect:
            count = int(np.prod(field.shape or (1,)))
            (_, start), (mark_kind, mark_start) = fields[field.name][:2], fields[field.marks][:2]
            rows.append((start, count, mark_start, mark_kind.itemsize // count))
    return hidden * np.uint8(not perfect), np.array(rows, np.int64).reshape(-1, 4)


@kernel
def redact(record: Any, sight: Any, hidden: Any, marked: Any, seat: Any) -> None:
    """As `core.record.Redactor`: `sight` becomes a copy of a record's bytes in which all that is hidden has all bits set.

    Written so that the machine takes 32 bytes at a time: every index counts from 0, every number is a byte. As a loop over
    the spans that are hidden it took fifteen times as long.
    """
    covered = hidden[seat]
    for b in range(record.shape[0]):
        sight[b] = record[b] | covered[b]
    bit, one = np.uint8(seat), np.uint8(1)
    for row in range(marked.shape[0]):
        place, count, mark, distance = marked[row, 0], marked[row, 1], marked[row, 2], marked[row, 3]
        values, marks = sight[place : place + count], sight[mark : mark + count * distance]
        if distance == 2:
            for k in range(count):
                values[k] = values[k] | np.uint8(np.uint8(np.uint8(marks[2 * k] >> bit) & one) - one)
        else:
            for k in range(count):
                values[k] = values[k] | np.uint8(np.uint8(np.uint8(marks[4 * k] >> bit) & one) - one)


# One table.


def turn(
    states: Any, raw: Any, logs: Any, hidden: Any, marked: Any, desk: Any, listed: Any, observations: Any, masks: Any,
) -> int:  # fmt: skip
    """Decisions as the desk has them, those of uniform bots that follow, and what the looker sees then.

    What several see stands in `observations` and `masks` one after the other.
    """
    state, sight, log = states[0], states[1], logs[0]
    seats = int(state.seats)
    desk[REFUSED], desk[STEPS] = -1, 0
    for seat in range(seats):
        if desk[CHOSEN + seat] >= 0 and desk[REFUSED] < 0:
            count = legal(state, seat, listed) if state.waiting[seat] != 0 and not is_over(state) else 0
            if not among(listed, count, desk[CHOSEN + seat]):
                desk[REFUSED] = seat
    for seat in range(seats):
        if desk[CHOSEN + seat] >= 0 and desk[REFUSED] < 0:
            made(state, seat, desk[CHOSEN + seat], log, desk)
        desk[CHOSEN + seat] = -1
    over = is_over(state)
    if desk[OWN] >= 0 and desk[REFUSED] < 0:
        while not over and state.waiting[desk[OWN]] == 0 and desk[STEPS] < ROOM:
            seat = first_waiting(state)
            count = legal(state, seat, listed)
            desk[MADE] += 1
            seed = derived(derived(derived(derived(0, desk[STREAM]), desk[GAMES]), desk[MADE]), seat)
            made(state, seat, listed[derived(0, seed) % count], log, desk)
            over = is_over(state)
    desk[OVER] = over
    desk[FIRST], desk[WAITING] = -1, 0
    if not over:
        desk[FIRST] = first_waiting(state)
        for seat in range(seats):
            if state.waiting[seat] != 0:
                desk[WAITING] |= 1 << seat
    desk[TOLD] = log.used
    if desk[LOOKER] == EVERYBODY:
        numbers, places = observations.shape[0] // seats, masks.shape[0] // seats
        for seat in range(seats):
            observation = observations[seat * numbers : (seat + 1) * numbers]
            mask = masks[seat * places : (seat + 1) * places]
            look(sight, raw, hidden, marked, desk, seat, listed, observation, mask)
    elif desk[LOOKER] != NOBODY:
        seat = desk[LOOKER] if desk[LOOKER] >= 0 else max(desk[FIRST], 0)
        look(sight, raw, hidden, marked, desk, seat, listed, observations, masks)
    return int(over)


@kernel
def made(state: Any, seat: Any, action: Any, log: Any, desk: Any) -> None:
    """One decision; the log holds what it told, the desk that it was made."""
    log.used = 0
    apply(state, seat, action, log)
    place = STEPS + 1 + 2 * desk[STEPS]
    desk[place], desk[place + 1] = seat, action
    desk[STEPS] += 1


@kernel
def look(
    sight: Any, raw: Any, hidden: Any, marked: Any, desk: Any, seat: Any, listed: Any, observation: Any, mask: Any,
) -> None:  # fmt: skip
    """What a seat sees, as numbers, and what it may do; each if there is room for it, all zero."""
    redact(raw[0], raw[1], hidden, marked, seat)
    if observation.shape[0] > 0:
        observe(sight, seat, observation)
    desk[COUNT] = 0
    if desk[WAITING] >> seat & 1:
        desk[COUNT] = legal(sight, seat, listed)
        if mask.shape[0] > 0:
            for k in range(desk[COUNT]):
                mask[listed[k]] = 1
    elif mask.shape[0] > listed.shape[0]:
        mask[listed.shape[0]] = 1  # not asked: it may wait


@kernel
def among(listed: Any, count: Any, action: Any) -> bool:
    for k in range(count):
        if listed[k] == action:
            return True
    return False


@kernel
def first_waiting(state: Any) -> int:
    seat = 0
    while state.waiting[seat] == 0:
        seat += 1
    return seat


@kernel
def derived(z: int, part: int) -> int:
    """One step of `core.chance.derive`."""
    product = times(z, 0x2545F491, 0x4F6CDD1D)
    total = product + part if product <= MASK - part else product - (MASK - part) - 1
    return mixed(stepped(total))


# Many tables.


def shares(games: int, threads: int) -> list[tuple[int, int]]:
    """The games of each thread: from, to."""
    bounds = [games * k // threads for k in range(threads + 1)]
    return [(first, last) for first, last in pairwise(bounds) if first < last]


def step_tables(
    states: Any, raw: Any, seen: Any, seen_raw: Any, hidden: Any, marked: Any, chosen: Any, asked: Any,
    options: Any, listed: Any, counts: Any, observations: Any, masks: Any, ended: Any, points: Any,
    rewards: Any, mine: Any, refused: Any, logs: Any, rival_alone: int, worth: int, start: int, worker: int,
    first: int, last: int,
) -> int:  # fmt: skip
    """One decision in the games from `first` to `last` (or, with `start` seats, a first deal from each game's stream)."""
    log = logs[0]
    over = 0
    sight, sight_raw = seen[worker], seen_raw[worker]
    chances = np.zeros(8, np.float64)
    for i in range(first, last):
        state, record = states[i], raw[i]
        for seat in range(ended.shape[1]):
            ended[i, seat] = 0
        refused[i] = 0
        fresh = start > 0
        seats = start
        mask, actions = masks[i], listed[i]
        if start == 0:
            if chosen[i] < 0 or chosen[i] >= masks.shape[1] or mask[chosen[i]] == 0:
                refused[i] = 1
                continue
            apply(state, asked[i], chosen[i], log)
            if is_over(state):
                over += 1
                fresh = True
                seats = int(state.seats)
                ranks(state, ended[i])
                scores(state, points[i])
                if seats == 1 and rival_alone and worth <= WIN:
                    outlook(state, chances)
                    rewards[i, 0] = chances[0] if worth == WIN else 2.0 * chances[0] - 1.0
                else:
                    reward(ended[i], points[i], worth, rewards[i])
                mine[i] = rewards[i, asked[i]]
        if fresh:
            stream = mixed(state.rng)
            record[:] = 0
            setup(state, seats, options, stream)
        seat = first_waiting(state)
        asked[i] = seat
        redact(record, sight_raw, hidden, marked, seat)
        observe(sight, seat, observations[i])
        for k in range(counts[i]):  # all that is set: quicker than to clear thousands of places
            mask[actions[k]] = 0
        counts[i] = legal(sight, seat, actions)
        for k in range(counts[i]):
            mask[actions[k]] = 1
    return over


@kernel
def reward(ranks: Any, points: Any, worth: Any, out: Any) -> None:
    """As `table.rewards_of`."""
    seats = out.shape[0]
    for seat in range(seats):
        shared, best = 0, -(1 << 62)
        for other in range(seats):
            shared += ranks[other] == ranks[seat]
            if other != seat and points[other] > best:
                best = points[other]
        if worth == POINTS or (seats == 1 and worth != WIN):
            out[seat] = points[seat]
        elif worth == WIN:
            out[seat] = 1.0 / shared if ranks[seat] == 1 else 0.0
        elif worth == MARGIN:
            out[seat] = points[seat] - best
        else:
            mean = ranks[seat] + (shared - 1) / 2.0
            out[seat] = 1.0 - 2.0 * (mean - 1.0) / (seats - 1)
