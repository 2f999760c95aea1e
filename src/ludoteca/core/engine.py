"""Runs a game: the same functions, as plain Python (at once) or as machine code (fast).

An engine works on arrays of records, `(states, i)` being game number i. `interpreted(game)` is ready immediately;
`compiled(game)` compiles on the first use on a machine and is loaded from the cache afterwards.
"""

from __future__ import annotations

import functools
import pathlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import playouts
from .entrance import entrance
from .errors import BadData, IllegalAction, NotYourTurn
from .facts import Fact
from .game import Game, Json
from .kernel import READY, Compiler, address_of, cache_directory, core_sources, found_at, imported_by, sources_of
from .log import COLUMNS, NO_LOG, new_log
from .record import SPECTATOR, Record, States


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    ranks: list[int]  # 1 is first; equal when shared
    scores: list[int]


class Engine:
    """What can be done with a game in progress; the two kinds below differ only in how a kernel is called."""

    compiled = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self._actions = np.zeros(len(game.actions), np.int16)
        self._log = new_log(game.log_rows)
        self._out = np.zeros(game.max_seats, np.int64)

    # One call of a kernel on game i: what the two kinds of engine do in their own way.

    def call(self, name: str, states: States, i: int, *arguments: Any) -> Any:
        """Calls the game's kernel of that name."""
        state = Record(states, i)
        result = getattr(self.game, name)(state, *arguments)
        state.close()
        return result

    # A game from beginning to end.

    def new(self, count: int = 1) -> States:
        """Room for `count` games."""
        return np.zeros(count, self.game.dtype)

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int = 0) -> States:
        """One game, set up."""
        states = self.new()
        self.setup(states, 0, seats, options or {}, seed)
        return states

    def setup(self, states: States, i: int, seats: int, options: Mapping[str, str], seed: int) -> None:
        """Sets up game i anew."""
        self.game.check_seats(seats)
        states[i : i + 1].view(np.uint8)[:] = 0
        self.call("setup", states, i, seats, self.game.read_options(options), seed)

    def waiting(self, states: States, i: int = 0) -> list[int]:
        """The seats that owe a decision."""
        return [seat for seat, owes in enumerate(states["waiting"][i].tolist()) if owes]

    def is_over(self, states: States, i: int = 0) -> bool:
        """Whether the game has ended."""
        return bool(self.call("is_over", states, i))

    def legal(self, states: States, i: int, seat: int) -> list[int]:
        """What this seat may do; nothing when it is not waiting."""
        if not states["waiting"][i, seat]:
            return []
        count = self.call("legal", states, i, seat, self._actions)
        return self._actions[:count].tolist()

    def apply(self, states: States, i: int, seat: int, action: int) -> list[Fact]:
        """Does it, without asking whether it is legal; returns what happened."""
        self.call("apply", states, i, seat, action, self._log)
        return self.game.facts.read(self._log)

    def decide(self, states: States, i: int, seat: int, action: int) -> list[Fact]:
        """Does it if the rules allow it; otherwise raises a sentence and changes nothing."""
        self.check(states, i, seat, action)
        return self.apply(states, i, seat, action)

    def check(self, states: States, i: int, seat: int, action: int) -> None:
        """Raises a sentence if this seat may not do this now."""
        game = self.game
        game.actions.decode(action)
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < int(states["seats"][i]):
            raise BadData("There is no such seat at this table.", "no_such_seat")
        if self.is_over(states, i):
            raise NotYourTurn("The game is over.", "game_over")
        if not states["waiting"][i, seat]:
            raise NotYourTurn("It is not your turn.", "not_your_turn")
        if action not in self.legal(states, i, seat):
            key, named = "not_legal", dict[str, Any]()
            if game.explain is not None:  # explained from what the seat may see, so that a refusal tells no secret
                key, named = game.explain(Record(game.redact(states, i, seat)), seat, action)
            from .words import sentence  # here, because most runs refuse nothing

            raise IllegalAction(sentence(game, "en", f"why.{key}", named), key, **named)

    def result(self, states: States, i: int = 0) -> Result:
        """Ranks and points at the end (or as they would be now)."""
        seats = int(states["seats"][i])
        self.call("ranks", states, i, self._out)
        ranks = self._out[:seats].tolist()
        self.call("scores", states, i, self._out)
        return Result(ranks, self._out[:seats].tolist())

    # What a viewer may know.

    def view(self, states: States, i: int, viewer: int) -> Json:
        """The game as this viewer may see it."""
        return self.game.view(Record(self.game.redact(states, i, viewer)), viewer)

    def choices(self, states: States, i: int, seat: int) -> list[Json]:
        """What this seat may do, with the facts a page needs to offer it."""
        if seat == SPECTATOR:
            return []
        redacted = self.game.redact(states, i, seat)
        return self.choices_from(redacted, seat)

    def choices_from(self, redacted: States, seat: int, plain: Record | None = None) -> list[Json]:
        """As `choices`, from the record as the seat may see it (opened already, if you have it)."""
        actions = self.legal(redacted, 0, seat)
        if not actions:
            return []
        plain = plain or Record(redacted)
        described, choice = self.game.actions.described, self.game.choice
        return [described(action) | choice(plain, seat, action) for action in actions]

    def determinize(self, redacted: States, seat: int, seed: int, i: int = 0) -> None:
        """Fills in what the seat cannot see with a fair guess, in place."""
        self.call("determinize", redacted, i, seat, seed)

    def observe(self, redacted: States, seat: int, i: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The record as numbers for a network."""
        out = np.zeros(self.game.observation, np.float32)
        self.call("observe", redacted, i, seat, out)
        return out

    def appraise(self, redacted: States, seat: int, action: int, i: int = 0) -> float:
        """How good an action looks."""
        return float(self.call("appraise", redacted, i, seat, action))


class CompiledEngine(Engine):
    """Calls machine code; about sixty times as fast, and generic algorithms can be bound to it."""

    compiled = True

    def __init__(self, game: Game, progress: Callable[[str, int, int], None] | None = None) -> None:
        super().__init__(game)
        from numba import from_dtype, types

        state = from_dtype(game.dtype)
        self._compiler = compiler = Compiler(game.key, game_sources(game), {"State": state})
        i8, f8, void, flag = types.int64, types.float64, types.void, types.boolean
        actions, log, options = compiler.types["ActionList"], compiler.types["Log"], compiler.types["OptionList"]
        scores, numbers = compiler.types["ScoreList"], compiler.types["NumberList"]
        self.signatures = {
            "setup": void(state, i8, options, i8),
            "legal": i8(state, i8, actions),
            "apply": void(state, i8, i8, log),
            "is_over": flag(state),
            "scores": void(state, scores),
            "ranks": void(state, scores),
            "determinize": void(state, i8, i8),
            "observe": void(state, i8, numbers),
            "appraise": f8(state, i8, i8),
            "outlook": void(state, compiler.types["ChanceList"]),
        }
        if game.imagine is not None:
            self.signatures["imagine"] = self.signatures["determinize"]
        self.states_type = types.Array(state, 1, "C")
        self._kernels: dict[str, Any] = {}
        self._doors: dict[str, Any] = {}
        self._bound: dict[Any, Any] = {}
        if not is_compiled(game):
            self._compile_all(progress)

    def _compile_all(self, progress: Callable[[str, int, int], None] | None) -> None:
        """The first time on a machine; afterwards everything is loaded when it is first used."""
        total = len(self.signatures) + 1
        for done, name in enumerate([*self.signatures, "quick"]):
            if progress:
                progress(name, done, total)
            if name == "quick":
                self._quick_door()
            else:
                self._door(name)
        (self._compiler.directory / ALL_READY).touch()
        if progress:
            progress("ready", total, total)

    def _kernel(self, name: str) -> Any:
        """A rule as machine code, for doors and algorithms."""
        if name not in self._kernels:
            self._kernels[name] = self._compiler.rule(name, getattr(self.game, name), self.signatures[name])
        return self._kernels[name]

    def _door(self, name: str) -> Any:
        """A kernel entered as (states, i, …): from Python that is 0.7 µs, with a record scalar it would be 5 µs."""
        from numba import types

        if name not in self._doors:
            signature = self.signatures[name]
            result, arguments = signature.return_type, signature.args[1:]
            function, rules = _DOORS[len(arguments)], {"rule": self._kernel(name)}
            full = result(self.states_type, types.int64, *arguments)
            self._doors[name] = self._compiler.load(f"{name}_at", function, full, rules)
        return self._doors[name]

    def call(self, name: str, states: States, i: int, *arguments: Any) -> Any:
        return (self._doors.get(name) or self._door(name))(states, i, *arguments)

    def quick(self, states: States, i: int = 0) -> Quick:
        """The quickest way from Python through game `i`, which must be set up."""
        return Quick(self._quick_door(), states, i, len(self.game.actions))

    def _quick_door(self) -> Any:
        from numba import carray, types

        if "quick" not in self._doors:
            pointer: Any = types.CPointer
            places = {
                "list_at": pointer(types.int16),
                "log_at": pointer(types.int32),
                "state_at": self.states_type.dtype,
            }
            names = {rule: self._kernel(rule) for rule in ("apply", "is_over", "legal")} | {"carray": carray}
            names |= {name: found_at(kind) for name, kind in places.items()}
            self._doors["quick"] = self._compiler.load("quick", _quick_step, types.int64(*[types.int64] * 4), names)
        return self._doors["quick"]

    def bind(self, algorithm: Any, result: Any, kernels: tuple[str, ...], arguments: tuple[Any, ...]) -> Any:
        """A generic algorithm for this game: its first arguments are the kernels named."""
        key = (algorithm, kernels)
        if key not in self._bound:
            rules = [self._kernel(name) for name in kernels]
            mark = _mark(algorithm, self._compiler.directory)
            home = _algorithms(algorithm.__code__.co_filename)
            ready = home.load_algorithm(mark, algorithm, result, rules, arguments)
            self._bound[key] = lambda *given: ready(given)
        return self._bound[key]

    def play_all(self, games: int, seats: int, options: Mapping[str, str], seed: int) -> int:
        """Random games in one compiled call; returns how many decisions were made."""
        from numba import types

        run = self.bind(
            playouts.play_all, types.int64, ("setup", "legal", "apply", "is_over"),
            (self.states_type, types.int64, types.int64, types.Array(types.int64, 1, "C"), types.int64,
             types.Array(types.int16, 1, "C"), types.Array(types.int32, 2, "C")),
        )  # fmt: skip
        states = self.new(2)
        return int(run(states, games, seats, self.game.read_options(options), seed, self._actions, NO_LOG))

    def step_batch(self) -> Any:
        """Many games stepped in one compiled call: see `playouts.step_batch`."""
        from numba import types

        i8, i2 = types.Array(types.int64, 1, "C"), types.Array(types.int16, 2, "C")
        return self.bind(
            playouts.step_batch, types.int64, ("setup", "legal", "apply", "is_over", "ranks"),
            (self.states_type, self.states_type, i8, i8, i8, i2, i8, types.Array(types.int64, 2, "C"),
             types.Array(types.int32, 2, "C")),
        )  # fmt: skip


class Quick:
    """One game played from Python with as little between as possible: for roll-outs, and for bots that think in Python.

        quick = engine.quick(states)
        while quick.count:
            quick.step(quick.actions[0])  # one of the first `quick.count` actions, all of the seat `quick.seat`

    Nothing is checked: an action that is not listed breaks the game.
    """

    def __init__(self, door: Any, states: States, i: int, actions: int) -> None:
        room = np.zeros(actions + 1, np.int16)  # what may be done, and in the last place who is asked
        self.states, self.actions = states, memoryview(room)
        bound = states[i : i + 1].ctypes.data, room.ctypes.data, actions
        # (action) → how many actions there are next, 0 at the end; -1 only looks
        self.decide = entrance(address_of(door), bound, keep=(door, states, room))
        self.count = self.decide(-1)

    @property
    def seat(self) -> int:
        """Who is asked."""
        return self.actions[-1]

    def look(self) -> None:
        """Sees who is asked now: for when somebody else has changed the game."""
        self.count = self.decide(-1)

    def step(self, action: int) -> None:
        """The seat that is asked does it; then `seat`, `count` and `actions` are those of the next one."""
        self.count = self.decide(action)


# Doors by number of arguments after the state; `rule` is replaced by the game's kernel before compiling.

rule: Any = None


def _door_0(states, i):  # type: ignore[no-untyped-def]
    return rule(states[i])


def _door_1(states, i, a):  # type: ignore[no-untyped-def]
    return rule(states[i], a)


def _door_2(states, i, a, b):  # type: ignore[no-untyped-def]
    return rule(states[i], a, b)


def _door_3(states, i, a, b, c):  # type: ignore[no-untyped-def]
    return rule(states[i], a, b, c)


_DOORS = (_door_0, _door_1, _door_2, _door_3)

apply = is_over = legal = state_at = list_at = log_at = carray = rule


def _quick_step(address, room, size, action):  # type: ignore[no-untyped-def]
    state, actions = state_at(address), carray(list_at(room), (size + 1,))
    if action >= 0:
        apply(state, actions[size], action, carray(log_at(room), (0, COLUMNS)))
    if is_over(state):
        return 0
    seat = 0
    while state.waiting[seat] == 0:
        seat += 1
    count = legal(state, seat, actions)
    actions[size] = seat
    return count


_HERE = pathlib.Path(__file__)
ALL_READY = f"all{READY}"
_engines: dict[str, CompiledEngine] = {}
_lock = threading.RLock()


RULES = (
    "setup",
    "legal",
    "apply",
    "is_over",
    "scores",
    "ranks",
    "determinize",
    "imagine",
    "observe",
    "appraise",
    "outlook",
)


def game_sources(game: Game) -> list[pathlib.Path]:
    """Every file that a game's machine code is made of: its rules and what they import, and the printed facts."""
    rules = [rule for rule in (getattr(game, name) for name in RULES) if rule is not None]
    code = imported_by({pathlib.Path(rule.__code__.co_filename) for rule in rules}, game.folder)
    facts = [path for path in sources_of(game.folder) if path.suffix != ".py"]
    return [*core_sources(), *code, *facts, _HERE]


def algorithm_sources(filename: str) -> tuple[str, list[pathlib.Path]]:
    """The name and the files of the machine code of one module of algorithms: the core and that module, no game."""
    path = pathlib.Path(filename)
    return f"algorithm-{path.stem}", [*core_sources(), path]


@functools.cache
def _algorithms(filename: str) -> Compiler:
    return Compiler(*algorithm_sources(filename))


def is_compiled(game: Game, *algorithms: Any) -> bool:
    """Whether the machine code of a game, and of these algorithms for it, is there to be loaded; quick to ask."""
    directory = cache_directory(game.key, game_sources(game))
    if not (directory / ALL_READY).exists():
        return False
    marks = [
        cache_directory(*algorithm_sources(algorithm.__code__.co_filename)) / f"{_mark(algorithm, directory)}{READY}"
        for algorithm in algorithms
    ]
    return all(mark.exists() for mark in marks)


def _mark(algorithm: Any, directory: pathlib.Path) -> str:
    """The name of an algorithm compiled for the game whose machine code is in that directory."""
    return f"{algorithm.__name__}_{directory.name.replace('-', '_')}"


def interpreted(game: Game) -> Engine:
    """The engine that is ready at once."""
    return Engine(game)


def compiled(game: Game, progress: Callable[[str, int, int], None] | None = None) -> CompiledEngine:
    """The fast engine, one for each game and process; compiles the first time on a machine."""
    with _lock:
        if game.key not in _engines:
            _engines[game.key] = CompiledEngine(game, progress)
        return _engines[game.key]
