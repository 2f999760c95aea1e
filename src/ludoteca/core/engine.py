"""What can be done with a game: set it up, list what is legal, decide, see it as a player does.

There are two engines with the same methods. `interpreted(game)` runs the rules as plain Python and is ready at once;
`compiled(game)` runs them as machine code, some hundred times as fast, and binds algorithms written for any game (random
play-outs, search) to this one. The first time on a machine it compiles, which takes seconds; then it loads from a cache.

An engine works on arrays of records: `(states, i)` is game number i.
"""

from __future__ import annotations

import functools
import pathlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np

from . import decks, entries, playouts
from .compiler import Compiler, core_sources, data_files, imported_by, is_ready
from .errors import BadData, IllegalAction, NotYourTurn
from .facts import Fact
from .game import MOST_SEATS, Game, Json
from .kernel import PAGE, Page
from .keyed import Stream
from .log import new_log, no_log
from .record import SPECTATOR, Record, States
from .rules import RULES, no_experience, no_features


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    ranks: list[int]  # 1 is first; equal when shared
    scores: list[int]


class Sent(NamedTuple):
    """What one viewer is sent beside what is in common, as JSON."""

    own: bytes  # what a view has under `you`
    many: int  # choices
    choices: bytes  # empty for whoever is not asked


class _Described(dict[int, bytes]):
    """The descriptions of a game's actions as JSON, each written when it is first asked for."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._actions = game.actions

    def __missing__(self, action: int) -> bytes:
        self[action] = written = msgspec.json.encode(self._actions.described(action))
        return written


class Engine:
    """What can be done with a game in progress; the two kinds below differ only in how a kernel is called."""

    compiled = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self._actions = np.zeros(len(game.actions), np.int16)
        self._log = new_log(game.log_rows)
        self._out = np.zeros(game.max_seats, np.int64)
        self._page = Page()
        self._paper: Any = self._page  # as kernels are handed it
        self.in_json = _Described(game)  # the description of each action; it never changes

    # One call of a kernel on game i: what the two kinds of engine do in their own way.

    def call(self, name: str, states: States, i: int, *arguments: Any) -> Any:
        """Calls the game's kernel of that name."""
        state = Record(states, i)
        result = getattr(self.game, name)(state, *arguments)
        state.close()
        return result

    def _call_drawing(self, stream: Stream, name: str, states: States, i: int, *arguments: Any) -> None:
        """Calls a rule as plain Python, with its chance from this stream."""
        state = Record(states, i, stream)
        getattr(self.game, name)(state, *arguments)
        state.close()

    # A game from beginning to end.

    def new(self, count: int = 1) -> States:
        """Room for `count` games."""
        return np.zeros(count, self.game.dtype)

    def start(self, seats: int, options: Mapping[str, str] | None = None, seed: int = 0) -> States:
        """One game, set up."""
        states = self.new()
        self.setup(states, 0, seats, options or {}, seed)
        return states

    def setup(
        self, states: States, i: int, seats: int, options: Mapping[str, str], seed: int, stream: Stream | None = None
    ) -> None:
        """Sets up game i anew; from `stream` instead of the seed's, if there is one."""
        self.game.check_seats(seats)
        states[i : i + 1].view(np.uint8)[:] = 0
        arguments = seats, self.game.read_options(options), seed
        if stream is None:
            self.call("setup", states, i, *arguments)
        else:
            self._call_drawing(stream, "setup", states, i, *arguments)

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
        actions: list[int] = self._actions[:count].tolist()
        return actions

    def apply(self, states: States, i: int, seat: int, action: int) -> list[Fact]:
        """Does it, without asking whether it is legal; returns what happened."""
        self.call("apply", states, i, seat, action, self._log)
        return self.game.facts.read(self._log)

    def apply_drawing(self, stream: Stream, states: States, i: int, seat: int, action: int) -> list[Fact]:
        """As `apply`, with its chance from this stream."""
        self._call_drawing(stream, "apply", states, i, seat, action, self._log)
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
        if not states["waiting"][i, seat]:
            if self.is_over(states, i):  # then nobody is asked
                raise NotYourTurn("The game is over.", "game_over")
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
        return self.view_of(self.game.redact(states, i, viewer), viewer)

    def view_of(self, redacted: States, viewer: int, plain: Record | None = None) -> Json:
        """As `view`, from the record as this viewer may see it (opened already, if you have it)."""
        if self.game.write is None:
            return self.game.view(plain or Record(redacted), viewer)
        found: Json = msgspec.json.decode(self.written(redacted))
        return found | {"you": msgspec.json.decode(self.written_own(redacted, viewer))}

    def written(self, redacted: States) -> bytes:
        """A view without `you`, as JSON; for games that write it themselves."""
        return self._written("write", redacted)

    def written_own(self, redacted: States, viewer: int) -> bytes:
        """Likewise `you`."""
        return b"null" if viewer == SPECTATOR else self._written("write_own", redacted, viewer)

    def written_choices(self, redacted: States, seat: int) -> tuple[int, bytes]:
        """Likewise what this seat may do: how many actions, and all of them."""
        count = self.call("legal", redacted, 0, seat, self._actions) if redacted["waiting"][0, seat] else 0
        return count, self._written("offer", redacted, seat, self._actions, count)

    def written_for_all(self, records: Sequence[bytes], looks: Sequence[int]) -> tuple[list[bytes], list[Sent]]:
        """What `written` gives for each of these redacted records, and for each viewer what else they are sent.

        `looks` has three numbers for each viewer: the seat (`NOWHERE`: none), which of the records it sees, and whether it
        is offered choices.
        """
        opened = [np.frombuffer(bytearray(raw), self.game.dtype) for raw in records]
        sent = []
        for seat, of, asked in zip(looks[::3], looks[1::3], looks[2::3], strict=True):
            own = b"null" if seat == NOWHERE else self.written_own(opened[of], seat)
            sent.append(Sent(own, *(self.written_choices(opened[of], seat) if asked else (0, b""))))
        return [self.written(redacted) for redacted in opened], sent

    def _written(self, name: str, redacted: States, *arguments: Any) -> bytes:
        self.call(name, redacted, 0, *arguments, self._paper)
        return self._page.taken()

    def choices(self, states: States, i: int, seat: int) -> list[Json]:
        """What this seat may do, with the facts a page needs to offer it."""
        if seat == SPECTATOR:
            return []
        redacted = self.game.redact(states, i, seat)
        return self.choices_from(redacted, seat)

    def choices_from(self, redacted: States, seat: int, plain: Record | None = None) -> list[Json]:
        """As `choices`, from the record as the seat may see it (opened already, if you have it)."""
        if self.game.offer is not None:
            found: list[Json] = msgspec.json.decode(self.written_choices(redacted, seat)[1])
            return found
        described = self.game.actions.described
        return [described(action) | more for action, more in self.offers(redacted, seat, plain)]

    def offers(self, redacted: States, seat: int, plain: Record | None = None) -> list[tuple[int, Json]]:
        """As `choices_from`: the actions, each with what a page needs beside its description."""
        actions = self.legal(redacted, 0, seat)
        if not actions:
            return []
        offer = self.game.offers(plain or Record(redacted), seat)
        return [(action, offer(action)) for action in actions]

    def determinize(self, redacted: States, seat: int, seed: int, i: int = 0) -> None:
        """Fills in what the seat cannot see with a fair guess, in place."""
        self.call("determinize", redacted, i, seat, seed)

    def observe(self, redacted: States, seat: int, i: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The record as numbers for a network."""
        out = np.zeros(self.game.observation, np.float32)
        self.call("observe", redacted, i, seat, out)
        return out

    def outlook(self, states: States, i: int = 0) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Each seat's chance at a glance."""
        out = np.zeros(MOST_SEATS, np.float64)
        self.call("outlook", states, i, out)
        return out[: int(states["seats"][i])]

    def features(self, states: States, seat: int, i: int = 0) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a learned judgement looks at in a seat's position."""
        out = np.zeros(self.game.feature_count, np.float32)
        if self.game.features is not None:
            self.call("features", states, i, seat, out)
        return out

    def appraise(self, redacted: States, seat: int, action: int, i: int = 0) -> float:
        """How good an action looks."""
        return float(self.call("appraise", redacted, i, seat, action))


class CompiledEngine(Engine):
    """Calls machine code; some hundred times as fast, and algorithms for any game can be bound to it."""

    compiled = True

    def __init__(self, game: Game, progress: Callable[[str, int, int], None] | None = None) -> None:
        super().__init__(game)
        self.no_log = no_log(game.log_rows).records  # for algorithms, which want to know nothing
        self._paper = self._page.records
        self._compiler = self._new_compiler(cache_name(game), game_sources(game), {})
        self._rules: dict[str, Any] = {}
        self._entries: dict[str, Any] = {}
        self._bound: dict[Any, Any] = {}
        self._compilers: dict[str, Compiler] = {}
        self._ends = np.zeros(4 * (MOST_SEATS + 1), np.int64)  # of what `written_for_all` writes
        if not is_compiled(game):
            self._compile_all(progress)

    def _new_compiler(self, name: str, sources: list[pathlib.Path], records: Mapping[str, np.dtype[Any]]) -> Compiler:
        known = {"State": self.game.dtype, "Log": self.no_log.dtype, "Page": PAGE, **records}
        return Compiler(name, sources, known, self._rule, self.game.variant)

    def _compile_all(self, progress: Callable[[str, int, int], None] | None) -> None:
        """The first time on a machine; afterwards everything is loaded when it is first used."""
        names = [name for name in RULES if has_rule(self.game, name)]
        for done, name in enumerate(names):
            if progress:
                progress(name, done, len(names))
            self._rule(name)
            if name in ENTERED:
                self._entry(name)
        if self.game.write is not None:
            self._entry(WRITE_ALL)
        self._compiler.mark(ALL)
        if progress:
            progress("ready", len(names), len(names))

    def _rule(self, name: str) -> Any:
        """A compiled rule, for entries and algorithms."""
        if name == "imagine" and not has_rule(self.game, name):
            name = "determinize"
        if name not in self._rules:
            function = getattr(self.game, name) if has_rule(self.game, name) else MISSING[name]
            self._rules[name] = self._compiler.load(name, function, RULES[name])
        return self._rules[name]

    def _entry(self, name: str) -> Any:
        """How Python enters a rule: see entries.py."""
        if name not in self._entries:
            entry = getattr(entries, f"{name}_at")
            self._entries[name] = self._compiler.load(entry.__name__, entry)
        return self._entries[name]

    def call(self, name: str, states: States, i: int, *arguments: Any) -> Any:
        return (self._entries.get(name) or self._entry(name))(states, i, *arguments)

    def apply(self, states: States, i: int, seat: int, action: int) -> list[Fact]:
        self.call("apply", states, i, seat, action, self._log.records)
        return self.game.facts.read(self._log)

    def written_for_all(self, records: Sequence[bytes], looks: Sequence[int]) -> tuple[list[bytes], list[Sent]]:
        states, ends = np.frombuffer(bytearray().join(records), self.game.dtype), self._ends
        self.call(WRITE_ALL, states, 0, len(records), np.array(looks, np.int64), self._actions, self._paper, ends)
        page, found, begins, n = self._page.taken(), ends.tolist(), 0, len(records)
        views = []
        for end in found[:n]:
            views.append(page[begins:end])
            begins = end
        sent = []
        for seat in looks[::3]:
            own, end, count = found[n : n + 3]
            sent.append(Sent(b"null" if seat == NOWHERE else page[begins:own], count, page[own:end]))
            begins, n = end, n + 3
        return views, sent

    def quick(self, states: States, i: int = 0) -> Quick:
        """The quickest way from Python through game `i`, which must be set up."""
        return Quick(functools.partial(self._entry("decide"), states, i, self.no_log), len(self.game.actions))

    def bind(
        self, algorithm: Any, records: Mapping[str, np.dtype[Any]] | None = None, arguments: Sequence[Any] | None = None
    ) -> Any:
        """An algorithm for any game (see rules.py), compiled for this one.

        Its signature comes from its annotations, in which `records` are known besides the game's own, or from such arguments
        as it will be called with.
        """
        if algorithm not in self._bound:
            name, sources = algorithm_sources(self.game, algorithm)
            if name not in self._compilers:  # algorithms of one module share the kernels they both call
                self._compilers[name] = self._new_compiler(name, sources, records or {})
            self._bound[algorithm] = self._compilers[name].load(algorithm.__name__, algorithm, arguments=arguments)
        return self._bound[algorithm]

    def play_all(self, games: int, seats: int, options: Mapping[str, str], seed: int) -> int:
        """Random games in one compiled call; returns how many decisions were made."""
        numbers = self.game.read_options(options)
        return int(self.bind(playouts.play_all)(self.new(2), games, seats, numbers, seed, self._actions, self.no_log))

    def step_batch(self) -> Any:
        """Many games stepped in one compiled call: see `playouts.step_batch`."""
        return self.bind(playouts.step_batch)


class Quick:
    """One game played from Python with as little between as possible: for roll-outs, and for bots that think in Python.

        quick = engine.quick(states)
        while quick.count:
            quick.step(quick.actions[0])  # one of the first `quick.count` actions, all of the seat `quick.seat`

    Nothing is checked: an action that is not listed breaks the game.
    """

    def __init__(self, decide: Callable[..., int], actions: int) -> None:
        asked = np.zeros(actions + 1, np.int16)  # what may be done, and in the last place who is asked
        self.actions = memoryview(asked)  # type: ignore[arg-type]  # numpy says so from Python 3.12 on
        # (action) → how many actions there are next, 0 at the end; -1 only looks
        self.decide: Callable[[int], int] = functools.partial(decide, asked)
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


# What is compiled already.

MISSING = {"features": no_features, "experience": no_experience}  # what stands in for a rule that a game may lack
NOWHERE = -1  # the seat of a viewer who has none, where machine code counts seats
WRITE_ALL = "write_all"  # an entry that is no single rule's
ALL = "all"  # the mark of a game whose every rule is compiled
ENTERED = [name for name in RULES if hasattr(entries, f"{name}_at")]
_engines: dict[Game, CompiledEngine] = {}
_lock = threading.RLock()


def has_rule(game: Game, name: str) -> bool:
    """Whether the game has this rule of its own; only `imagine`, `features` and `experience` may be missing."""
    return getattr(game, name) is not None


def cache_name(game: Game) -> str:
    """What its machine code is kept under: of all decks of a game together only the newest are kept."""
    return f"{game.key}.deck" if game.variant else game.key


def game_sources(game: Game) -> list[pathlib.Path]:
    """Every file that a game's machine code is made of: its rules and what they import, and the printed facts."""
    rules = [getattr(game, name) for name in RULES if has_rule(game, name)]
    code = imported_by({pathlib.Path(rule.__code__.co_filename) for rule in rules}, game.folder)
    return [*core_sources(), *code, *data_files(game.folder)]


def algorithm_sources(game: Game, algorithm: Any) -> tuple[str, list[pathlib.Path]]:
    """The name and the files of an algorithm's machine code for a game: the game's rules are part of it."""
    path = pathlib.Path(algorithm.__code__.co_filename)
    rules = game_sources(game)
    return f"{path.stem}.{cache_name(game)}", [*rules, *(own for own in kernels_beside(path) if own not in rules)]


def kernels_beside(path: pathlib.Path) -> list[pathlib.Path]:
    """An algorithm's own module, and the modules beside it that it takes kernels from."""
    return [file for file in imported_by([path], path.parent) if file == path or "@kernel" in file.read_text("utf-8")]


def is_compiled(game: Game, *algorithms: Any) -> bool:
    """Whether the machine code of a game, and of these algorithms for it, is there to be loaded; quick to ask."""
    marks = [(cache_name(game), game_sources(game), ALL)]
    marks += [(*algorithm_sources(game, algorithm), algorithm.__name__) for algorithm in algorithms]
    return all(is_ready(*mark, game.variant) for mark in marks)


def interpreted(game: Game) -> Engine:
    """The engine that is ready at once."""
    return Engine(game)


def compiled(game: Game, progress: Callable[[str, int, int], None] | None = None) -> CompiledEngine:
    """The fast engine, one for each game and process; compiles the first time on a machine."""
    with _lock:
        if game not in _engines:
            _engines[game] = CompiledEngine(game, progress)
        return _engines[game]


def forget(game: Game) -> None:
    """Nobody will ask for this game again."""
    with _lock:
        _engines.pop(game, None)


decks.forgetting.append(forget)
