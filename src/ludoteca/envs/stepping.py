"""The environments' inner loops, compiled: decisions in, observations and masks out, in one call.

`take_turn` steps one table (`Turns` holds its arrays and calls it), `step_tables` many. Both are algorithms for any game
(core/rules.py). What a seat sees is made here too, from a record in which all that it may not know is covered (sights.py).

Where all decide at once and some of it takes several steps behind a screen, each seat has a record of its own there, in
which only its own steps are made; when the last has sealed, the steps of all are made at the table, in the order of seats.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca.core.chance import MASK, mixed, stepped, times
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.game import Game
from ludoteca.core.kernel import Log, kernel, log_dtype
from ludoteca.core.log import COLUMNS
from ludoteca.core.record import States
from ludoteca.core.rules import apply, is_over, legal, observe, outlook, ranks, scores, setup

from .sights import cover, covers, uncover

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]

REWARDS = ("rank", "win", "points", "margin")  # what the end may be worth; see `reward`
RANK, WIN, POINTS, MARGIN = range(4)

# The desk of a table: whole numbers that go in and come out. What goes in is cleared by the call, to what most calls want.
CHOSEN = 0  # eight places: the action of each seat, or -1
LOOKER = 8  # whose observation is wanted: a seat, or one of
ASKED, NOBODY, EVERYBODY = -1, -2, -3
OWN = 9  # the only seat that is not a uniform bot's; -1: no seat is
STREAM, GAMES, MADE = 10, 11, 12  # what the chance of those bots is made of; decisions they have made in this game
DEAL, SEED = 13, 14  # the seats of a game that is to be dealt first, or 0; its seed, or -1: made of the stream too
BARE = 15  # 1: what the looker may do is listed, no observation and no mask is made; never cleared
OVER, WAITING, FIRST, COUNT, REFUSED, TOLD, SEEN = 16, 17, 18, 19, 20, 21, 22
# ended; bits of the seats that are asked, and the first of them; how many actions the last looker has; the seat whose
# action was refused, or -1; how many facts were told in this call; who has looked: a seat, nobody or everybody
BEHIND, SEALED = 23, 24  # bits of the seats that have decided behind their screens, and of those that have sealed there
STEPS = 25  # decisions made in this call
DESK = 26
ROOM = 64  # decisions of each of eight seats in one call: as many as one may make behind a screen
STEP = 3 * np.dtype(np.intc).itemsize  # bytes of one
STAYS, SEALS = 1, 2  # what an action does behind a screen


class Turns:
    """One table's game in machine code, in a tray: its record, what a seat sees of it, and the desk.

    A call is handed the tray's bytes and nothing else. With an array for each part of it the way into machine code took
    four times as long, more than the rules take; with an array of records nearly twice as long.
    """

    def __init__(self, engine: CompiledEngine, seats: int, perfect: bool = False) -> None:
        self.engine, self.seats, self.perfect = engine, seats, perfect
        self._tray = tray = np.zeros(1, tray_dtype(engine.game))
        part = {name: tray[name][0] for name in tray.dtype.names or ()}  # views of it
        self.states, self._raw, self.options = tray["game"], memoryview(part["game_bytes"]), part["options"]
        self.log = LogInTray(tray["log"])
        hidden = covers(engine.game, seats, perfect)
        part["covers"][:seats, : hidden.shape[1]] = hidden
        part["screened"][:] = screened(engine.game)
        self._behind = part["behind"]
        self.desk, self._listed = memoryview(part["desk"]), memoryview(part["listed"])
        self._steps = memoryview(part["steps"]).cast("B")
        part["desk"][: LOOKER + 2], part["desk"][SEEN] = -1, NOBODY
        self.numbers, self.masks = part["numbers"], part["masks"]  # a row for each looker; a single one has the first
        self.lies: object = None  # whoever shares a tray with others notes here whose position lies in it …
        self.watched = False  # … and whether anybody has looked since the last decision
        raw = tray.view(np.uint8)
        self.go = functools.partial(engine.bind(turn_in(engine.game), arguments=(raw,)), raw)  # as the desk says

    def begin_at(self, states: States) -> None:
        """Another game, or another position."""
        self.place(states.tobytes())
        self.look(NOBODY)

    def place(self, data: bytes) -> None:
        """As `begin_at`, from a record as bytes; who is asked stands on the desk after the next call."""
        self._raw[:] = data
        self.log.used, self.desk[SEEN] = 0, NOBODY
        self.desk[BEHIND] = self.desk[SEALED] = 0

    def twin(self) -> Turns:
        """The same position, to go on by itself."""
        twin = Turns(self.engine, self.seats, self.perfect)
        twin._tray[:] = self._tray
        return twin

    def look(self, looker: int) -> None:
        """Nothing happens; `looker` (or everybody) sees."""
        self.desk[LOOKER] = looker
        self.go()

    def act(self, seat: int, action: int, looker: int) -> bool:
        """One seat decides, then `looker` sees; false, and nothing has happened, if the seat may not do that."""
        desk = self.desk
        desk[CHOSEN + seat], desk[LOOKER] = action, looker
        self.go()
        return desk[REFUSED] < 0

    def states_of(self, seat: int) -> States:
        """The game as it stands for this seat: its own behind its screen, if it has decided there."""
        own: States = self._behind[seat].view(self.states.dtype) if self.desk[BEHIND] >> seat & 1 else self.states
        return own

    def data(self) -> bytes:
        """The record as bytes."""
        return self._raw.tobytes()

    def listed(self) -> list[int]:
        """What the last looker may do."""
        return self._listed[: self.desk[COUNT]].tolist()

    def steps(self) -> memoryview:
        """Seat, action and 0 of each decision of the last call, one after the other, as `Play.note` takes them."""
        return self._steps[: STEP * self.desk[STEPS]]


class LogInTray(Log):
    """A log whose record lies in a tray."""

    def __init__(self, records: npt.NDArray[Any]) -> None:
        self.records, self.rows, self._used = records, records["rows"][0], records["used"]
        self.room = records["room"][0] = len(self.rows)


@functools.cache
def screened(game: Game) -> npt.NDArray[np.int8]:
    """What each action does behind a screen: it stays there, it seals, or (0) it is no such action."""
    kinds = [game.behind_screen.get(game.actions.decode(number).kind) for number in range(len(game.actions))]
    return np.array([0 if seals is None else SEALS if seals else STAYS for seals in kinds], np.int8)


@functools.cache
def tray_dtype(game: Game) -> np.dtype[Any]:
    """The record of a tray: the game, also as bytes in the same place, and all that goes with it."""
    size, actions, seats = game.dtype.itemsize, len(game.actions), game.max_seats
    behind = seats if STAYS in screened(game) else 1  # where nothing stays there, nobody needs a record of their own
    parts: dict[str, Any] = {
        "game": game.dtype,
        "kept": (np.uint8, size),
        "desk": (np.int64, DESK),
        "steps": (np.intc, (8 * ROOM, 3)),  # seat, action and 0 of each decision of a call, as `Play` keeps them
        "options": (np.int64, max(1, len(game.options))),
        "covers": (np.uint64, covers(game, seats, False).shape),
        "numbers": (np.float32, (seats, game.observation)),
        "listed": (np.int16, actions),
        "masks": (np.int8, (seats, actions + 1)),
        "log": log_dtype(game.log_rows, COLUMNS),
        "screened": (np.int8, actions),
        "behind": (np.uint8, (behind, size)),
        "drafts": (np.int16, (behind, 1 + ROOM)),  # how many steps, and which
        "untold": log_dtype(game.log_rows, COLUMNS),  # without room: behind a screen nobody is told anything
    }
    places, end = dict[str, int](), 0
    for name, kind in parts.items():
        places[name], end = end, end + -(-np.dtype(kind).itemsize // 64) * 64
    parts["game_bytes"], places["game_bytes"] = (np.uint8, size), places["game"]
    fields = {"names": [*parts], "formats": [*parts.values()], "offsets": [*places.values()], "itemsize": end}
    return np.dtype((np.record, fields))


# One table.


@functools.cache
def turn_in(game: Game) -> Callable[[Bytes], int]:
    """`take_turn` in a tray of this game, which is handed over as bytes."""
    kind = tray_dtype(game)

    def turn(tray: Any) -> int:
        return take_turn(tray.view(kind)[0])

    return turn


@kernel
def take_turn(tray: Any) -> int:
    """What the desk asks for: a deal, decisions, those of uniform bots that follow, and what is seen then."""
    state, log, desk, listed = tray.game, tray.log, tray.desk[:], tray.listed[:]
    desk[REFUSED], desk[STEPS], desk[TOLD] = -1, 0, 0
    if desk[DEAL] > 0:
        for k in range(tray.game_bytes.shape[0]):
            tray.game_bytes[k] = 0
        if desk[SEED] < 0:
            desk[SEED] = derived(derived(0, desk[STREAM]), desk[GAMES])
        setup(state, desk[DEAL], tray.options[:], desk[SEED])
        log.used, desk[DEAL], desk[SEEN] = 0, 0, NOBODY
        desk[BEHIND], desk[SEALED] = 0, 0
    seats = int(state.seats)
    hide = desk[BEHIND] != 0
    for seat in range(seats):
        action = desk[CHOSEN + seat]
        if action >= 0 and desk[REFUSED] < 0:
            if not may(tray, desk, seat, action):
                desk[REFUSED] = seat
            elif desk[LOOKER] == EVERYBODY and tray.screened[action] == STAYS:
                hide = True  # where all seal with their first action the screens go up at once
    for seat in range(seats):
        if desk[CHOSEN + seat] >= 0 and desk[REFUSED] < 0:
            if hide:
                decide_behind(tray, desk, seat, desk[CHOSEN + seat])
            else:
                made(tray, desk, seat, desk[CHOSEN + seat])
        desk[CHOSEN + seat] = -1
    if desk[BEHIND] != 0 and all_sealed(state, desk):
        open_screens(tray, desk, seats)
    over = is_over(state)
    if desk[OWN] >= 0 and desk[REFUSED] < 0:
        while not over and state.waiting[desk[OWN]] == 0 and desk[STEPS] < ROOM:
            seat = first_waiting(state)
            count = legal(state, seat, listed)
            desk[MADE] += 1
            seed = derived(derived(derived(derived(0, desk[STREAM]), desk[GAMES]), desk[MADE]), seat)
            made(tray, desk, seat, listed[derived(0, seed) % count])
            over = is_over(state)
    desk[OVER] = over
    desk[FIRST], desk[WAITING] = -1, 0
    if not over:
        desk[FIRST] = first_waiting(state)
        for seat in range(seats):
            if state.waiting[seat] != 0 and desk[SEALED] >> seat & 1 == 0:
                desk[WAITING] |= 1 << seat
    looker = desk[LOOKER] if desk[LOOKER] != ASKED else max(desk[FIRST], 0)
    if looker == EVERYBODY:
        for seat in range(seats):
            look(tray, desk, seat, seat)
    elif looker >= 0:
        look(tray, desk, looker, 0)
    desk[SEEN], desk[LOOKER], desk[OWN] = looker, ASKED, -1
    return int(over)


@kernel
def made(tray: Any, desk: Any, seat: Any, action: Any) -> None:
    """One decision; the log holds what it told, the tray that it was made."""
    tray.log.used = 0
    apply(tray.game, seat, action, tray.log)
    desk[TOLD] += tray.log.used
    step = tray.steps[desk[STEPS]]
    step[0], step[1], step[2] = seat, action, 0
    desk[STEPS] += 1


@kernel
def look(tray: Any, desk: Any, seat: Any, row: Any) -> None:
    """What a seat sees, as numbers, and what it may do, in a row of the tray."""
    state, listed = tray.game, tray.listed[:]
    change_sides(tray, desk, seat)
    cover(tray.game_bytes[:], tray.covers, tray.kept[:], seat)
    asked = desk[WAITING] >> seat & 1
    desk[COUNT] = legal(state, seat, listed) if asked else 0
    if desk[BARE] == 0:
        observe(state, seat, tray.numbers[row])
        mask = tray.masks[row]
        for k in range(mask.shape[0]):
            mask[k] = 0
        for k in range(desk[COUNT]):
            mask[listed[k]] = 1
        mask[listed.shape[0]] = 1 - asked  # not asked: it may wait
    uncover(tray.game_bytes[:], tray.covers, tray.kept[:], seat)
    change_sides(tray, desk, seat)


@kernel
def may(tray: Any, desk: Any, seat: Any, action: Any) -> bool:
    """Whether the seat may do that; if it has looked since the last decision, what it may do is known already."""
    state, listed = tray.game, tray.listed[:]
    if desk[SEEN] == EVERYBODY and desk[BARE] == 0:
        return bool(action < listed.shape[0] and tray.masks[seat, action] != 0)
    if desk[SEEN] != seat:
        desk[SEEN] = NOBODY  # the list is another's now
        change_sides(tray, desk, seat)
        desk[COUNT] = legal(state, seat, listed) if state.waiting[seat] != 0 and not is_over(state) else 0
        change_sides(tray, desk, seat)
    return among(listed, desk[COUNT], action)


@kernel
def among(listed: Any, count: Any, action: Any) -> bool:
    for k in range(count):
        if listed[k] == action:
            return True
    return False


# Behind screens.


@kernel
def decide_behind(tray: Any, desk: Any, seat: Any, action: Any) -> None:
    """A step that nobody else sees: in the seat's own record, which is the table's until its first one."""
    table, own, steps = tray.game_bytes[:], tray.behind[seat], tray.drafts[seat]
    if desk[BEHIND] >> seat & 1 == 0:
        desk[BEHIND] |= 1 << seat
        steps[0] = 0
        for k in range(own.shape[0]):
            own[k] = table[k]
    change_sides(tray, desk, seat)
    apply(tray.game, seat, action, tray.untold)
    change_sides(tray, desk, seat)
    assert steps[0] < ROOM, "so many steps behind a screen are not foreseen"
    steps[0] += 1
    steps[steps[0]] = action
    if tray.screened[action] == SEALS:
        desk[SEALED] |= 1 << seat


@kernel
def change_sides(tray: Any, desk: Any, seat: Any) -> None:
    """The seat's own record and the table's change places, if it has decided behind its screen."""
    if desk[BEHIND] >> seat & 1:
        table, own = tray.game_bytes[:], tray.behind[seat]
        for k in range(own.shape[0]):
            table[k], own[k] = own[k], table[k]


@kernel
def all_sealed(state: Any, desk: Any) -> bool:
    """Whether nobody is left who decides behind a screen."""
    for seat in range(state.seats):
        if state.waiting[seat] != 0 and desk[SEALED] >> seat & 1 == 0:
            return False
    return True


@kernel
def open_screens(tray: Any, desk: Any, seats: Any) -> None:
    """What was decided behind them happens, in the order of the seats."""
    for seat in range(seats):
        if desk[BEHIND] >> seat & 1:
            for k in range(tray.drafts[seat, 0]):
                made(tray, desk, seat, tray.drafts[seat, 1 + k])
    desk[BEHIND], desk[SEALED] = 0, 0


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

TOGETHER = 256  # games whose masks are looked at and cleared before they are played
ANY = (1 << 15) - 1  # all bits of an action: whatever has no sign is a quicker index


def by_row(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers as records with one field, `row`: machine code need not count who has a row of these."""
    return table.view(np.dtype((np.record, [("row", table.dtype, table.shape[1:])]))).reshape(len(table))


def with_bytes(states: States) -> npt.NDArray[Any]:
    """The same games, each as its `state` and as its `bytes`."""
    size = states.dtype.itemsize
    parts = {
        "names": ["state", "bytes"],
        "formats": [states.dtype, (np.uint8, size)],
        "offsets": [0, 0],
        "itemsize": size,
    }
    return states.view(np.dtype((np.record, parts)))


def shares(games: int, threads: int) -> list[tuple[int, int]]:
    """The games of each thread: from, to."""
    bounds = [games * k // threads for k in range(threads + 1)]
    return [(first, last) for first, last in pairwise(bounds) if first < last]


def step_tables(
    games: Any, covers: Any, kept: Any, asked: Any, options: Any, listed: Any, counts: Any, observations: Any,
    masks: Any, ended: Any, points: Any, refused: Any, logs: Any, rival_alone: int, worth: int, first: int, last: int,
    chosen: Any, rewards: Any, mine: Any, start: int, backwards: int,
) -> int:  # fmt: skip
    """One decision in the games from `first` to `last` (or, with `start` seats, a first deal from each game's stream).

    What lies far apart is looked up for many games before they are played: the machine fetches it for several at a time.
    Who calls with `backwards` by turns finds the games that were last in the cache.
    """
    log = logs[0]
    over = 0
    chances = np.zeros(8, np.float64)
    blocks = (last - first + TOGETHER - 1) // TOGETHER
    for block in range(blocks):
        begin = first + TOGETHER * (blocks - 1 - block if backwards else block)
        end = min(begin + TOGETHER, last)
        for i in range(begin, end):
            mask = masks[i].row
            known = 0 <= chosen[i] < mask.shape[0]
            refused[i] = 0 if start > 0 or (known and mask[chosen[i]] != 0) else 1
        for i in range(begin, end):
            if refused[i] == 0:
                mask, actions = masks[i].row, listed[i].row
                for k in range(counts[i]):  # all that is set: quicker than to clear thousands of places
                    mask[actions[k] & ANY] = 0
        for k in range(end - begin):
            i = end - 1 - k if backwards else begin + k
            for seat in range(ended.shape[1]):
                ended[i, seat] = 0
            if refused[i] != 0:
                continue
            state, record = games[i].state, games[i].bytes
            fresh = start > 0
            seats = start
            mask, actions = masks[i].row, listed[i].row
            if start == 0:
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
                for k in range(record.shape[0]):
                    record[k] = 0
                setup(state, seats, options, stream)
            seat = first_waiting(state)
            asked[i] = seat
            cover(record, covers, kept, seat)
            observe(state, seat, observations[i].row[:])
            counts[i] = legal(state, seat, actions[:])
            for k in range(counts[i]):
                mask[actions[k] & ANY] = 1
            uncover(record, covers, kept, seat)
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
