"""How fast the house is, on this machine, now.

    ludoteca bench                 every game, in words
    ludoteca bench splendor --json figures for machines

Random play is measured three ways: a compiled driver (whole games in one call), one call from Python for each decision,
and a batch of 1024 games in one call. Peers are measured in the same run, when they are installed (`pip install
ludoteca[peers]`). Rates are for one core's time, so they hold on a busy machine too; starts are by the clock on the wall.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludoteca import catalogue
from ludoteca.bots import levels, search
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.events import NO_LOG
from ludoteca.core.game import Game, Json

BATCH = 1024
SECONDS = 1.0  # each rate is the best of a few tries of this length
TRIES = 3

# What a process that plays does, from its start to the first move made by machine code.
FIRST_MOVE = """
from ludoteca import catalogue
from ludoteca.core.engine import compiled
game = catalogue.game({game!r})
engine = compiled(game)
states = engine.start({seats}, {{}}, 1)
seat = engine.waiting(states)[0]
engine.decide(states, 0, seat, engine.legal(states, 0, seat)[0])
"""


def measure(game: Game, cold: bool = True, seconds: float = SECONDS) -> Json:
    """Every figure of one game."""
    engine = levels.prepare(game)
    seats = max(2, min(game.seats))
    vector = vector_player(game, seats)
    figures: Json = {
        "seats": seats,
        "compiled_steps_per_s": best(lambda: compiled_rate(engine, seats, seconds)),
        "call_steps_per_s": best(lambda: call_rate(engine, seats, seconds)),
        "batch_steps_per_s": best(lambda: batch_rate(engine, seats, seconds)),
        "vector_steps_per_s": best(lambda: timed_rate(vector, seconds)) if vector else None,
        "state_bytes": game.dtype.itemsize,
        "copy_ns": copy_nanoseconds(engine),
        "mcts_1000_ms": search_milliseconds(engine, seats),
    }
    with tempfile.TemporaryDirectory() as fresh:
        figures["cold_start_s"] = start_seconds(game, seats, fresh) if cold else None
        figures["warm_start_s"] = min(start_seconds(game, seats, fresh if cold else None) for _ in range(TRIES))
    return figures


def best(rate: Callable[[], float]) -> float:
    """The highest of a few tries: others may be using the machine."""
    return max(rate() for _ in range(TRIES))


def timed_rate(play: Callable[[int], int], seconds: float) -> float:
    """Decisions per second of one core; `play(seed)` plays some and says how many."""
    steps, seed = 0, 0
    play(seed)
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        seed += 1
        steps += play(seed)
    return steps / spent


def compiled_rate(engine: CompiledEngine, seats: int, seconds: float) -> float:
    """Whole random games in one compiled call."""
    return timed_rate(lambda seed: engine.play_all(200, seats, {}, derive(seed)), seconds)


def call_rate(engine: CompiledEngine, seats: int, seconds: float) -> float:
    """Random games from Python: one call decides and says what may be done next."""
    actions = np.zeros(len(engine.game.actions), np.int16)
    turn = np.zeros(1, np.int64)
    chance = random.Random(0).random
    step = engine.step

    def play(seed: int) -> int:
        states = engine.start(seats, {}, seed)
        seat = engine.waiting(states)[0]
        legal = engine.legal(states, 0, seat)
        action, count, steps = legal[0], len(legal), 0
        turn[0] = seat
        while count:
            count = step(states, 0, turn.item(0), action, actions, turn)
            action = actions.item(int(chance() * count))
            steps += 1
        return steps

    return timed_rate(play, seconds)


def batch_rate(engine: CompiledEngine, seats: int, seconds: float) -> float:
    """A decision in each of 1024 games in one call; the actions are chosen with numpy."""
    step = engine.step_batch()
    states, blank = engine.new(BATCH), engine.new()
    turns, counts, chosen = (np.zeros(BATCH, np.int64) for _ in range(3))
    actions = np.zeros((BATCH, len(engine.game.actions)), np.int16)
    ended = np.zeros((BATCH, engine.game.max_seats), np.int64)
    options = engine.game.read_options({})
    for i in range(BATCH):
        engine.setup(states, i, seats, {}, derive(i))
        turns[i] = engine.waiting(states, i)[0]
        counts[i] = engine.call("legal", states, i, int(turns[i]), actions[i])
    chance = np.random.default_rng(0)
    rows = np.arange(BATCH)

    def play(_seed: int) -> int:
        chosen[:] = actions[rows, (chance.random(BATCH) * counts).astype(np.int64)]
        step(states, blank, chosen, turns, counts, actions, options, ended, NO_LOG)
        return BATCH

    return timed_rate(play, seconds)


def vector_player(game: Game, seats: int) -> Callable[[int], int] | None:
    """The vector environment as its user calls it: a random legal action for each of 1024 games, chosen with numpy, then
    one `step` that decides in all of them, deals ended ones anew and writes every observation, mask, reward and legal list.
    """
    try:
        from ludoteca import envs

        env = envs.vector(game.key, BATCH, seats=seats)
    except ImportError:  # Gymnasium is an extra
        return None
    _, info = env.reset(seed=0)
    chance = np.random.default_rng(0)
    rows = np.arange(BATCH)

    def play(_seed: int) -> int:
        env.step(info["legal"][rows, (chance.random(BATCH) * info["count"]).astype(np.int64)])
        return BATCH

    for warm in range(100):  # into the middle of the games: at first all are at their beginning
        play(warm)
    return play


def copy_many(states: Any, times: int) -> int:
    """Copies a state again and again, alternating so that nothing can be left out."""
    for k in range(times):
        states[1 + (k & 1)] = states[2 - (k & 1)]
    return times


def copy_nanoseconds(engine: CompiledEngine) -> float:
    """Copying one state."""
    from numba import types

    run = engine.bind(copy_many, types.int64, (), (engine.states_type, types.int64))
    states = engine.new(3)
    return 1e9 / best(lambda: timed_rate(lambda _seed: int(run(states, 100_000)), 0.1))


def search_milliseconds(engine: CompiledEngine, seats: int) -> float:
    """A decision of 1000 iterations: the mean over the positions of one random game that offer a choice."""
    settings = search.Settings(iterations=1000)
    chance = random.Random(0)
    spent: list[float] = []
    states = engine.start(seats, {}, 1)
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        legal = engine.legal(states, 0, seat)
        if len(legal) > 1 and len(spent) < 40:
            redacted = engine.game.redact(states, 0, seat)
            began = time.process_time()
            search.choose(engine, redacted, seat, len(spent), settings)
            spent.append(time.process_time() - began)
        engine.apply(states, 0, seat, chance.choice(legal))
    return 1000 * sum(spent) / len(spent)


def start_seconds(game: Game, seats: int, cache: str | None) -> float:
    """A new process, from its start to its first compiled move; with an empty cache directory it compiles first."""
    environment = {**os.environ, **({"LUDOTECA_CACHE": cache} if cache else {})}
    home = str(pathlib.Path(catalogue.__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_MOVE.format(game=game.key, seats=seats)], env=environment, check=True)
    return time.perf_counter() - began


# Peers: random play of card and board games of about the same kind, one call from Python for each decision.

OPEN_SPIEL = ("gin_rummy", "hearts", "backgammon")
PETTINGZOO = ("hanabi_v5", "texas_holdem_no_limit_v6")


def measure_peers(seconds: float = SECONDS) -> dict[str, float]:
    """Decisions per second of the peers that are installed."""
    found: dict[str, float] = {}
    for name in OPEN_SPIEL:
        if (play := open_spiel_game(name)) is not None:
            found[f"open_spiel {name}"] = timed_rate(play, seconds)
    for name in PETTINGZOO:
        if (play := pettingzoo_game(name)) is not None:
            found[f"pettingzoo {name}"] = timed_rate(play, seconds)
    return found


def open_spiel_game(name: str) -> Callable[[int], int] | None:
    """Plays one random game of OpenSpiel; chance counts as no decision."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def play(seed: int) -> int:
        chance = random.Random(seed)
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if not state.is_chance_node():
                steps += 1
            state.apply_action(chance.choice(state.legal_actions()))
        return steps

    return play


def pettingzoo_game(name: str) -> Callable[[int], int] | None:
    """Plays one random game of PettingZoo's classic ones."""
    try:
        environment = importlib.import_module(f"pettingzoo.classic.{name}").env()
    except ImportError:
        return None

    def play(seed: int) -> int:
        chance = random.Random(seed)
        environment.reset(seed=seed)
        steps = 0
        for _agent in environment.agent_iter():
            observation, _reward, ended, cut, _info = environment.last()
            if ended or cut:
                environment.step(None)
            else:
                environment.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                steps += 1
        return steps

    return play


# The command.

ROWS = (
    ("compiled_steps_per_s", "random play, compiled driver", "decisions/s"),
    ("call_steps_per_s", "random play, one call at a time", "decisions/s"),
    ("batch_steps_per_s", f"random play, batch of {BATCH}", "decisions/s"),
    ("vector_steps_per_s", f"vector of {BATCH}, observations and masks", "decisions/s"),
    ("state_bytes", "size of a state", "bytes"),
    ("copy_ns", "copy of a state", "ns"),
    ("mcts_1000_ms", "search of 1000 iterations", "ms"),
    ("cold_start_s", "first start on a machine (compiles)", "s"),
    ("warm_start_s", "start of a process to its first move", "s"),
)


def number(value: float | None) -> str:
    """A figure as people write it."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def report(name: str, figures: Json, peers: dict[str, float]) -> str:
    """One game in words."""
    lines = [f"{name} · {figures['seats']} seats"]
    lines += [f"  {label:38} {number(figures[key]):>12} {unit}" for key, label, unit in ROWS]
    for peer, rate in peers.items():
        by_call, driver = figures["call_steps_per_s"] / rate, figures["compiled_steps_per_s"] / rate
        lines.append(f"  against {peer:30} {number(by_call):>12} × one call at a time, {number(driver)} × compiled")
    return "\n".join(lines)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca bench splendor --json`"""
    parser.add_argument("games", nargs="*", help="games to measure (default: all)")
    parser.add_argument("--no-cold", action="store_true", help="skip the start with an empty cache, which compiles")
    parser.add_argument("--no-peers", action="store_true", help="skip the peers")
    parser.add_argument("--quick", action="store_true", help="short measurements, less exact")
    parser.add_argument("--json", action="store_true", help="figures for machines")


def run_command(args: argparse.Namespace) -> int:
    """Measures and prints."""
    seconds = 0.1 if args.quick else SECONDS
    show = sys.stderr.isatty()

    def say(what: str) -> None:
        if show:
            sys.stderr.write(f"\r{what} …\x1b[K")
            sys.stderr.flush()

    peers: dict[str, float] = {}
    if not args.no_peers:
        say("measuring peers")
        peers = measure_peers(seconds)
    found: Json = {}
    for key in args.games or catalogue.BUILT:
        say(f"measuring {key}")
        found[key] = measure(catalogue.game(key), cold=not args.no_cold, seconds=seconds)
    if show:
        sys.stderr.write("\r\x1b[K")
    if args.json:
        for figures in found.values():
            figures["times_peers"] = {peer: figures["call_steps_per_s"] / rate for peer, rate in peers.items()}
        sys.stdout.write(json.dumps({"games": found, "peers_steps_per_s": peers}, indent=1) + "\n")
        return 0
    sys.stdout.write("\n\n".join(report(key, figures, peers) for key, figures in found.items()) + "\n")
    if peers:
        sys.stdout.write(
            "\nPeers, one call at a time: " + ", ".join(f"{p} {number(r)}/s" for p, r in peers.items()) + "\n"
        )
    elif not args.no_peers:
        sys.stdout.write("\nNo peers installed: pip install 'ludoteca[peers]' adds open_spiel and pettingzoo.\n")
    return 0
