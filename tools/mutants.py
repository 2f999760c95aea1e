"""Breaks the rules in one place at a time and sees whether any test notices: `make mutants`.

    python tools/mutants.py                                     170 mutants of each game, drawn with seed 1
    python tools/mutants.py --game GAME --sample 40 --seed 7
    python tools/mutants.py --game GAME --at decisions.py:447   every mutant of one line

A mutant is a game's `rules/*.py` with one small change: a comparison, a constant off by one, plus for minus, a statement
left out … Rules alone are broken: who sees what is declared in `state.py`, and what rules decide of it (audiences, marks)
stands in the rules; views, advice and beliefs only look at play. Three kinds of tests try to notice, in this order: the
scenes (`tests/games/<game>/test_<chapter>_….py`), the golden games and the fingerprints of random games. A mutant that
one of them notices has been killed, and so does change play.

Of those that nobody notices, the ones that change play are found with games of other seeds, recorded under the true
rules (chosen by chance, by kind of action, and by the game's own advice, in turn at the tables of the contract), and with
some steps onwards from positions of the scenes, where chance seldom gets. The mutant replays them and is compared after
each step: what might have been decided, what was told to whom, the whole record. Where it parts from them it changes play
and is «alive». Where nothing shows a difference it counts as equivalent; these are listed apart, since another game might
still show one, and a reader can judge better than chance. Mutants that cannot even be loaded are not counted, and those
for which there was no time are named.

The rules run interpreted, in forks of one process that has collected the tests; a mutant's functions get their broken
code there, in memory, so no file is ever touched. A mutant runs only the tests that call its function. mutmut does not
serve here because it leaves functions with a decorator alone, and every rule has one; cosmic-ray does not because it
writes into the tree and starts the tests anew for every mutant.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import hashlib
import importlib
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import random
import signal
import sys
import tempfile
import time
import traceback
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENOUGH = 0.95  # of the mutants that change play are killed
SLOW_SCENE = 2.0  # seconds; slower ones (statistics) are left out, and named
PATIENCE = 5.0  # a test that takes so many times its usual seconds, and this many more, has met an endless loop
RECORDED = 72  # games, spread over a game's tables
POSITIONS = 8  # of scenes, for each of these games
ONWARDS = 8  # steps from each position of a scene
FORK = multiprocessing.get_context("fork")


# ── Mutants ──────────────────────────────────────────────────

OTHER_OPERATORS: dict[type[ast.AST], list[type[Any]]] = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.FloorDiv],
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.FloorDiv],
    ast.LShift: [ast.RShift],
    ast.RShift: [ast.LShift],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
    ast.BitXor: [ast.BitOr],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
}
NOT_RULES = {"annotation", "returns", "decorator_list", "ctx"}  # fields of nodes in which nothing can be broken


@dataclass(frozen=True)
class Mutant:
    """Rules that are broken in one place."""

    module: str
    path: pathlib.Path
    line: int
    function: str  # in which it is; empty at the top of a module
    was: str
    becomes: str
    code: types.CodeType = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.path.parent.parent.name}/rules/{self.path.name}:{self.line}: {self.was}  →  {self.becomes}"


@dataclass(frozen=True, eq=False)
class Change:
    """One way to break a tree: another node in the place of one."""

    function: str
    statement: ast.AST  # the node's own, or the node itself
    parent: ast.AST
    field: str  # of the parent
    at: int | None  # where in the field, if it is a list
    node: Any
    other: ast.AST

    def mutant(self, module: str, path: pathlib.Path, tree: ast.Module) -> Mutant:
        """The mutant that this change makes of the tree, which is whole again afterwards."""
        was = excerpt(self.statement)
        self._put(ast.fix_missing_locations(ast.copy_location(self.other, self.node)))
        becomes = excerpt(self.other if self.node is self.statement else self.statement)
        code = compile(tree, str(path), "exec")
        self._put(self.node)
        return Mutant(module, path, self.node.lineno, self.function, was, becomes, code)

    def _put(self, node: ast.AST) -> None:
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


def changes(node: ast.AST, function: str = "", statement: ast.AST | None = None) -> Iterator[Change]:
    """Every way to break a tree, in the order of its lines."""
    for name, value in ast.iter_fields(node):
        if name in NOT_RULES:
            continue
        for at, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            around = child if isinstance(child, ast.stmt) else statement
            if around is not None and isinstance(child, (ast.stmt, ast.expr)):
                for other in replacements(child):
                    yield Change(function, around, node, name, at, child, other)
            if isinstance(child, ast.AST):
                yield from changes(child, child.name if isinstance(child, ast.FunctionDef) else function, around)


def excerpt(node: ast.AST) -> str:
    """The first line of a statement, as it would be written."""
    return "(left out)" if isinstance(node, ast.Pass) else ast.unparse(node).splitlines()[0]


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Other nodes that could stand by mistake where this one stands."""
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in OTHER_OPERATORS[type(operator)]:
                yield changed(node, ops=[*node.ops[:at], other(), *node.ops[at + 1 :]])
    elif isinstance(node, (ast.BinOp, ast.BoolOp)):
        for other in OTHER_OPERATORS[type(node.op)]:
            yield changed(node, op=other())
        if isinstance(node, ast.BoolOp):  # one condition too few
            for at in range(len(node.values)):
                rest = node.values[:at] + node.values[at + 1 :]
                yield rest[0] if len(rest) == 1 else changed(node, values=rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield changed(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, (ast.If, ast.While)):
        yield changed(node, test=ast.UnaryOp(ast.Not(), node.test))
        if isinstance(node, ast.If) and not node.orelse:
            yield changed(node, test=ast.Constant(True))
            yield ast.Pass()
    elif isinstance(node, ast.AugAssign):
        yield ast.Pass()
        for other in OTHER_OPERATORS[type(node.op)]:
            yield changed(node, op=other())
    elif is_left_out(node):
        yield ast.Pass()
    elif isinstance(node, ast.Return):
        if node.value is None:
            yield ast.Pass()
        elif not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(0))
            yield ast.Return(ast.Constant(1))
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        if len(node.args) == 1:  # the first or the last one is forgotten
            yield changed(node, args=[ast.Constant(1), node.args[0]])
            yield changed(node, args=[ast.BinOp(node.args[0], ast.Sub(), ast.Constant(1))])


def is_left_out(node: ast.AST) -> bool:
    """Statements that can be forgotten: a call, or a field of the record that is set."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], (ast.Attribute, ast.Subscript))
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def changed(node: ast.AST, **fields: Any) -> ast.AST:
    """A copy of the node, with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def plant(mutant: Mutant) -> None:
    """Breaks the rules of this process: functions stay the same objects, wherever they were imported, with broken code."""
    module = sys.modules[mutant.module]
    fresh = {name: vars(module)[name] for name in ("__name__", "__package__", "__file__", "__spec__")}
    exec(mutant.code, fresh)
    for name, new in fresh.items():
        old: Any = vars(module).get(name)
        if isinstance(old, types.FunctionType) and old.__module__ == mutant.module:
            old.__code__, old.__defaults__ = new.__code__, new.__defaults__
        elif not name.startswith("__") and new is not old and not np.array_equal(new, old):
            for other in list(sys.modules.values()):
                if getattr(other, "__dict__", {}).get(name) is old:
                    setattr(other, name, new)


# ── Games under the true rules ───────────────────────────────


@dataclass
class Recorded:
    """A game as it went under the true rules, or some steps from a position on."""

    name: str
    beginning: tuple[int, dict[str, str], int] | bytes  # seats, options and seed; or the record
    most: int  # steps to be played
    steps: list[tuple[int, int, bytes]] = field(default_factory=list)  # seat, action, digest

    def start(self, engine: Any) -> Any:
        """The record at the beginning, under the rules of this process."""
        if isinstance(self.beginning, bytes):
            return np.frombuffer(bytearray(self.beginning), engine.game.dtype)
        return engine.start(*self.beginning)

    def record(self, engine: Any, luck: Any, choose: Callable[..., int]) -> Recorded:
        """Plays, and writes down what is to be known of each step."""
        from games.fingerprint import steps

        with contextlib.suppress(Exception):  # in arranged positions even the true rules may run out of things
            for seat, action, known in steps(engine, self.start(engine), luck.one_of, choose, self.most):
                self.steps.append((seat, action, digest(known)))
        return self

    def parts_at(self, engine: Any) -> int | None:
        """The step at which it goes another way under the rules of this process, if there is one."""
        from games.fingerprint import steps

        step = 0

        def who(waiting: list[int]) -> int:
            return self.steps[step][0]

        def choose(engine: Any, states: Any, seat: int, legal: list[int]) -> int:
            return self.steps[step][1]

        with contextlib.suppress(Exception):  # whatever broken rules raise, before the end of what was recorded
            for _, _, known in steps(engine, self.start(engine), who, choose, self.most):
                if digest(known) != self.steps[step][2]:
                    return step
                step += 1
        return None if step == len(self.steps) else step


def recorded_games(engine: Any, count: int) -> Iterator[Recorded]:
    """Games at every table in turn; a third is chosen by each of chance, kind of action, and advice."""
    from games.fingerprint import Luck
    from ludoteca.core.contract import tables

    places = tables(engine.game)
    for number in range(count):
        seats, options = places[number % len(places)]
        luck = Luck(31, number)
        choose = (luck.any_action, luck.any_kind, advised(luck))[(number + number // len(places)) % 3]
        game = Recorded(f"{seats} seats, {options}, seed {number}", (seats, options, number), engine.game.longest)
        yield game.record(engine, luck, choose)


def recorded_positions(engine: Any, positions: dict[bytes, str], count: int) -> Iterator[Recorded]:
    """Some steps onwards from each position that the scenes have arranged: chance rarely gets there."""
    from games.fingerprint import Luck

    some = random.Random(1).sample(sorted(positions.items()), min(count, len(positions)))
    for number, (position, scene) in enumerate(some):
        luck = Luck(37, number)
        yield Recorded(f"in {scene}", position, ONWARDS).record(engine, luck, luck.any_kind)


def advised(luck: Any) -> Callable[..., int]:
    """Chooses what looks best to the game's own advice among some actions, so that games get somewhere."""

    def choose(engine: Any, states: Any, seat: int, legal: list[int]) -> int:
        redacted = engine.game.redact(states, 0, seat)
        some: list[int] = [luck.one_of(legal) for _ in range(6)]
        return max(some, key=lambda action: engine.appraise(redacted, seat, action))

    return choose


def digest(known: bytes) -> bytes:
    return hashlib.blake2b(known, digest_size=8).digest()


class Calls:
    """Which functions of the rules are called while it is entered."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = str(folder)
        self._called: set[tuple[str, str]] = set()

    def __enter__(self) -> None:
        sys.settrace(self._note)

    def __exit__(self, *problem: object) -> None:
        sys.settrace(None)

    def _note(self, frame: types.FrameType, event: str, argument: object) -> None:
        if frame.f_code.co_filename.startswith(self._folder):
            self._called.add((frame.f_code.co_filename, frame.f_code.co_name))

    def taken(self) -> set[tuple[str, str]]:
        """The functions since the last time."""
        called, self._called = self._called, set()
        return called


# ── Judging ──────────────────────────────────────────────────


@dataclass
class Tried:
    """How a test does under the true rules."""

    seconds: float
    passed: bool
    called: set[tuple[str, str]]  # file and name of functions of the rules; of scenes only, since whole games call all


@dataclass
class Verdict:
    """What became of a mutant."""

    mutant: str
    fate: str  # scenes, golden, fingerprints: who killed it; alive, equivalent, unjudged (no time), stillborn
    where: str = ""  # the test that killed it; the game in which it was seen alive


class TooLong(Exception):
    """A test met an endless loop."""


class Jury:
    """A pytest plugin that runs the collected tests once for every mutant, instead of once."""

    def __init__(self, key: str, mutants: list[Mutant], jobs: int, games: int, until: float) -> None:
        self.key, self.mutants, self.jobs, self.games, self.until = key, mutants, jobs, games, until
        self.verdicts: list[Verdict] = []
        self.left_out: list[str] = []  # scenes that are too slow
        self.problem = ""
        self._failed = False

    # What pytest calls.

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of the whole games only those of this game, in one language."""
        items[:] = [i for i in items if kind_of(i) == "scenes" or (f"[{self.key}" in i.name and "-it]" not in i.name)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            self.problem = "the tests cannot be collected"
            return True
        self.items = sorted(session.items, key=lambda item: KINDS.index(kind_of(item)))
        self.folder = rules_of(self.key)
        if not self._learn():
            return True
        started = time.monotonic()
        for verdict in self._judged():
            self.verdicts.append(verdict)
            done = len(self.verdicts)
            if done % 10 == 0 or done == len(self.mutants):
                fates = ", ".join(f"{count} {fate}" for fate, count in Counter(v.fate for v in self.verdicts).items())
                say(f"{self.key}: {done} of {len(self.mutants)} in {time.monotonic() - started:.0f} s: {fates}")
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    # The true rules.

    def _learn(self) -> bool:
        """Runs everything once under the true rules: how long a test takes, and what it calls."""
        say(f"{self.key}: {len(self.items)} tests and {self.games} games under the true rules")
        [(_, learnt, problem)] = in_forks([None], self._true_rules, 1, self.until)
        if learnt is None:
            self.problem = f"the tests cannot be run under the true rules: {problem}"
            return False
        self.tried, self.recorded = learnt
        failing = [test for test, tried in self.tried.items() if not tried.passed]
        if failing:
            self.problem = f"these fail under the true rules: {' '.join(failing)}"
            return False
        slow = [i for i in self.items if kind_of(i) == "scenes" and self.tried[i.nodeid].seconds > SLOW_SCENE]
        self.left_out = [item.nodeid for item in slow]
        self.items = [item for item in self.items if item not in slow]
        self.items.sort(key=lambda item: (KINDS.index(kind_of(item)), self.tried[item.nodeid].seconds))
        return True

    def _true_rules(self, _: None) -> tuple[dict[str, Tried], list[Recorded]]:
        calls = Calls(self.folder)
        engine = engine_of(self.key)
        tried = {}
        positions: dict[bytes, str] = {}  # before each decision of a scene, and the scene
        for item in self.items:
            started = time.process_time()
            with contextlib.ExitStack() as noting:
                if kind_of(item) == "scenes":
                    noting.enter_context(calls)
                    noting.enter_context(noted_positions(engine.game, positions, item.name))
                passed = self._passes(item, 300)
            tried[item.nodeid] = Tried(time.process_time() - started, passed, calls.taken())
        games = recorded_games(engine, self.games)
        return tried, [*games, *recorded_positions(engine, positions, POSITIONS * self.games)]

    # Mutants.

    def _judged(self) -> Iterator[Verdict]:
        for mutant, verdict, problem in in_forks(self.mutants, self._judge, self.jobs, self.until):
            yield verdict or Verdict(str(mutant), "unjudged", problem)

    def _judge(self, mutant: Mutant) -> Verdict:
        """What becomes of a mutant; runs in a fork of its own."""
        name = str(mutant)
        try:
            plant(mutant)
        except Exception as problem:
            return Verdict(name, "stillborn", str(problem))
        concerned = (str(mutant.path), mutant.function)
        for item in self.items:
            tried = self.tried[item.nodeid]
            if kind_of(item) == "scenes" and mutant.function and concerned not in tried.called:
                continue
            if not self._passes(item, PATIENCE * (1 + tried.seconds)):
                return Verdict(name, kind_of(item), item.nodeid)
        engine = engine_of(self.key)
        for game in self.recorded:
            with limited(PATIENCE * 3):
                step = game.parts_at(engine)
            if step is not None:
                return Verdict(name, "alive", f"{game.name}, step {step}")
        return Verdict(name, "equivalent")

    def _passes(self, item: pytest.Item, seconds: float) -> bool:
        self._failed = False
        try:
            with limited(seconds):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        except Exception:  # too long, or so broken that pytest cannot even report it
            return False
        return not self._failed


@contextlib.contextmanager
def noted_positions(game: Any, positions: dict[bytes, str], scene: str) -> Iterator[None]:
    """Notes every position in which an interpreted engine decides meanwhile."""
    from ludoteca.core.engine import Engine

    apply = Engine.apply

    def noting(engine: Any, states: Any, i: int, seat: int, action: int) -> Any:
        if engine.game is game:
            positions.setdefault(states[i : i + 1].tobytes(), scene)
        return apply(engine, states, i, seat, action)

    Engine.apply = noting  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        Engine.apply = apply  # type: ignore[method-assign]


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupts what takes longer than so many seconds of this processor."""

    def interrupt(*signalled: object) -> None:
        raise TooLong

    signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def in_forks(
    things: list[Any], work: Callable[[Any], Any], jobs: int, until: float
) -> Iterator[tuple[Any, Any | None, str]]:
    """(thing, work(thing), problem), each in a fork of this process, as they come; None if it failed or it is late."""
    waiting = list(reversed(things))
    running: dict[Any, tuple[Any, Any]] = {}
    while waiting or running:
        while waiting and len(running) < jobs and time.monotonic() < until:
            thing = waiting.pop()
            ours, theirs = FORK.Pipe(duplex=False)
            process = FORK.Process(target=answer, args=(theirs, work, thing))
            process.start()
            theirs.close()
            running[ours] = (thing, process)
        ready = multiprocessing.connection.wait(list(running), max(0, until - time.monotonic()))
        for pipe in ready or list(running):  # nobody is ready: it is late
            thing, process = running.pop(pipe)
            found, problem = received(pipe) if ready else (None, "no time")
            process.kill()
            process.join()
            yield thing, found, problem
        if time.monotonic() >= until:
            yield from ((thing, None, "no time") for thing in reversed(waiting))
            waiting = []


def received(pipe: Any) -> tuple[Any | None, str]:
    """What a fork has to say."""
    try:
        found: tuple[Any | None, str] = pipe.recv()
    except EOFError:
        return None, "its process died"
    return found


def answer(theirs: Any, work: Callable[[Any], Any], thing: Any) -> None:
    """What a fork does; whatever tests print goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        theirs.send((work(thing), ""))
    except Exception:
        theirs.send((None, traceback.format_exc()))
    os._exit(0)  # nothing of the parent's is tidied up here


# ── One game ─────────────────────────────────────────────────

KINDS = ["scenes", "golden", "fingerprints"]
KEYS = sorted(path.parent.name for path in (ROOT / "src" / "ludoteca" / "games").glob("*/rules"))


def kind_of(item: pytest.Item) -> str:
    """What a test is among those that may notice."""
    return {"test_golden.py": "golden", "test_fingerprints.py": "fingerprints"}.get(item.path.name, "scenes")


def rules_of(key: str) -> pathlib.Path:
    """Where the rules of a game are."""
    return pathlib.Path(importlib.import_module(f"ludoteca.games.{key}").__file__ or "").parent / "rules"


def engine_of(key: str) -> Any:
    from ludoteca.core.engine import interpreted

    return interpreted(importlib.import_module(f"ludoteca.games.{key}").GAME)


def chosen_mutants(key: str, sample: int, seed: int, line: str) -> list[Mutant]:
    """Those of one line, or a sample that is the same for the same seed and sources."""
    everything = [
        (change, f"ludoteca.games.{key}.rules.{path.stem}", path, tree)
        for path in sorted(rules_of(key).glob("*.py"))
        if path.name != "__init__.py"
        for tree in [ast.parse(path.read_text("utf-8"))]
        for change in changes(tree)
    ]
    if line:
        chosen = [one for one in everything if f"{one[2].name}:{one[0].node.lineno}" == line]
    else:
        chosen = random.Random(f"{key} {seed}").sample(everything, min(sample, len(everything)))
    return [change.mutant(module, path, tree) for change, module, path, tree in chosen]


def judge(key: str, arguments: argparse.Namespace, until: float) -> Jury:
    """Everything about one game."""
    folder = ROOT / "tests" / "games"
    scenes = sorted(str(path) for path in (folder / key).glob("test_[0-9]*.py"))
    mutants = chosen_mutants(key, arguments.sample, arguments.seed, arguments.at)
    jury = Jury(key, mutants, arguments.jobs, arguments.games, until)
    whole_games = [str(folder / "test_golden.py"), str(folder / "test_fingerprints.py")]
    without = [option for plugin in ("terminal", "cacheprovider", "xdist") for option in ("-p", f"no:{plugin}")]
    quiet = ["-s", "-o", "addopts=--import-mode=importlib", *without]
    code = pytest.main([*quiet, *scenes, *whole_games, "--rootdir", str(ROOT)], plugins=[jury])
    if not jury.verdicts and not jury.problem:
        jury.problem = f"pytest ends with {code}"
    return jury


def report(jury: Jury, verbose: bool) -> bool:
    """Says how it went; whether enough were killed."""
    if jury.problem:
        print(f"\n{jury.key}: {jury.problem}")
        return False
    fates = Counter(verdict.fate for verdict in jury.verdicts)
    killed = sum(fates[kind] for kind in KINDS)
    changing = killed + fates["alive"]
    share = killed / changing if changing else 0.0
    print(f"\n{jury.key}: {len(jury.verdicts)} mutants, {changing} change play, {killed} of these killed ({share:.1%})")
    print(
        f"  by scenes {fates['scenes']} ({fates['scenes'] / max(1, changing):.0%}), by golden games {fates['golden']}, by "
        f"fingerprints {fates['fingerprints']}; alive {fates['alive']}; no difference found in {fates['equivalent']}; "
        f"cannot be loaded {fates['stillborn']}; no time for {fates['unjudged']}"
    )
    for test in jury.left_out:
        print(f"  too slow to take part: {test}")
    for fate in [*KINDS, "stillborn"] * verbose + ["unjudged", "alive", "equivalent"]:
        for verdict in sorted((v for v in jury.verdicts if v.fate == fate), key=lambda v: v.mutant):
            print(f"  {fate}: {verdict.mutant}" + (f"   ({verdict.where})" if verdict.where else ""))
    return share >= ENOUGH


def say(line: str) -> None:
    """Progress."""
    print(line, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Judges the games one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", choices=KEYS, action="append", help="one game, or several; all if not given")
    parser.add_argument("--sample", type=int, default=170, help="mutants of each game")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample")
    parser.add_argument("--at", default="", help="every mutant of one line instead: decisions.py:447")
    parser.add_argument("--games", type=int, default=RECORDED, help="recorded games that look for a difference")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--minutes", type=float, default=60, help="at most so long in all; the rest stays unjudged")
    parser.add_argument("--verbose", action="store_true", help="says of each mutant who killed it")
    chosen = parser.parse_args(arguments)
    until = time.monotonic() + 60 * chosen.minutes
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    enough = True
    engine: Any = importlib.import_module("ludoteca.core.engine")
    engine.compiled = engine.interpreted  # before any test imports it
    with tempfile.TemporaryDirectory(prefix="mutants") as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder  # whatever tests write goes with it
        for key in chosen.game or KEYS:
            jury = judge(key, chosen, until)
            enough &= report(jury, chosen.verbose)
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
