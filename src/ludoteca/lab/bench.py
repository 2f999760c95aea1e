"""How fast the house is, on this machine, now.

    ludoteca bench                 every game, in words
    ludoteca bench GAME --json     figures for machines
    ludoteca bench --peers         other libraries in the same run: see `peers`

Random play is measured three ways: a compiled driver (whole games in one call), one call from Python for each decision,
and a batch of 1024 games in one call. Rates are for one core's time, so they hold on a busy machine too; starts are by
the clock on the wall.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from statistics import median

import numpy as np

from ludoteca import catalogue
from ludoteca.bots import levels, search
from ludoteca.bots.judgement import NOT_LEARNED, weights_of
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game, Json
from ludoteca.core.record import States

from .peers import BATCH, PEERS

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
        "full_table_games_per_minute": 60 * best(lambda: game_rate(engine, game.max_seats, seconds)),
        "state_bytes": game.dtype.itemsize,
        "copy_ns": copy_nanoseconds(engine),
        "mcts_1000_ms": search_milliseconds(engine, seats, "-"),
        "mcts_1000_learned_ms": search_milliseconds(engine, seats, "") if learned(game) else None,
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


def game_rate(engine: CompiledEngine, seats: int, seconds: float) -> float:
    """Whole random games, from the deal to the end."""

    def play(seed: int) -> int:
        engine.play_all(20, seats, {}, derive(seed))
        return 20

    return timed_rate(play, seconds)


def call_rate(engine: CompiledEngine, seats: int, seconds: float) -> float:
    """Random games from Python: one call decides and says what may be done next."""
    chance = random.Random(0).random
    states = engine.start(seats, {}, 0)
    quick = engine.quick(states)
    decide, actions = quick.decide, quick.actions

    def play(seed: int) -> int:
        engine.setup(states, 0, seats, {}, seed)
        count, steps = decide(-1), 0
        while count:
            count = decide(actions[int(chance() * count)])
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
        step(states, blank, chosen, turns, counts, actions, options, ended, engine.no_log)
        return BATCH

    return timed_rate(play, seconds)


def vector_player(game: Game, seats: int) -> Callable[[int], int] | None:
    """The vector environment as its user calls it: a random legal action for each of 1024 games, chosen with numpy, then
    one `step` that decides in all of them, deals ended ones anew and writes every observation, mask, reward and legal list.
    """
    try:
        from ludoteca import envs

        env = envs.vector(game, BATCH, seats=seats)
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


def copy_many(states: States, times: int) -> int:
    """Copies a state again and again, alternating so that nothing can be left out."""
    for k in range(times):
        states[1 + (k & 1)] = states[2 - (k & 1)]
    return times


def copy_nanoseconds(engine: CompiledEngine) -> float:
    """Copying one state."""
    run = engine.bind(copy_many)
    states = engine.new(3)
    return 1e9 / best(lambda: timed_rate(lambda _seed: int(run(states, 100_000)), 0.1))


def learned(game: Game) -> bool:
    """Whether the game ships weights that its search judges with."""
    return len(weights_of(game)) > NOT_LEARNED


def search_milliseconds(engine: CompiledEngine, seats: int, weights: str) -> float:
    """A decision of 1000 iterations: the mean over the positions of one random game that offer a choice."""
    settings = search.Settings(iterations=1000, weights=weights)
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
    subprocess.run([sys.executable, "-c", FIRST_MOVE.format(game=game.place, seats=seats)], env=environment, check=True)
    return time.perf_counter() - began


# Peers.


def measure_peers(seconds: float, say: Callable[[str], None]) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Decisions per second of each peer's games, and what could not be measured, in sentences."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    found: dict[str, dict[str, float]] = {}
    missing: list[str] = []
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):  # what others print is not our report
        warnings.simplefilter("ignore")
        for peer in PEERS:
            for game in peer.games:
                say(f"{peer.name}: {game}")
                try:
                    play = peer.player(game)
                except ImportError as error:
                    missing.append(f"{peer.name}, {game}: not measured ({error}).")
                else:
                    # the best of a few tries, as ours; together they take the time of one
                    found.setdefault(peer.name, {})[game] = best(functools.partial(timed_rate, play, seconds / TRIES))
    return found, missing


WAYS = {"call_steps_per_s": "one call", "batch_steps_per_s": "batch", "compiled_steps_per_s": "compiled"}


def compare(games: Json, peers: dict[str, dict[str, float]]) -> list[Json]:
    """How many times as fast as each peer we are, in each of our three ways to play at random; medians over games."""
    ours = {way: median(figures[way] for figures in games.values()) for way in WAYS}
    rows = []
    for peer in PEERS:
        if rates := peers.get(peer.name):
            theirs = median(rates.values())
            extremes = {"slowest": min(rates.values()), "fastest": max(rates.values())}
            times = {way: rate / theirs for way, rate in ours.items()}
            rows.append(
                {"peer": peer.name, "theirs": theirs, **extremes, "times": times, "like": peer.ours}
                | {"target": peer.target}
            )
    return rows


def report_peers(rows: list[Json], peers: dict[str, dict[str, float]], missing: list[str]) -> str:
    """The peers in words."""
    heads = "".join(f" {'× ' + name:>11}" for name in WAYS.values())
    lines = [
        "Peers: decisions/s of processor time (the median of their games, the slowest, the fastest), and how many times",
        f"as fast ours are, each way (medians too); * marks the way that is most like theirs.\n\n  {'':40} {'median':>11} "
        f"{'slowest':>11} {'fastest':>11}{heads}",
    ]
    for row in rows:
        numbers = " ".join(f"{number(row[key]):>11}" for key in ("theirs", "slowest", "fastest"))
        times = "".join(f" {number(row['times'][way]) + ('*' if way == row['like'] else ' '):>11}" for way in WAYS)
        wanted = f"  (target {row['target']:g})" if row["target"] else ""
        lines.append(f"  {row['peer']:40} {numbers}{times}{wanted}")
    lines.append("")
    for name, rates in peers.items():
        lines.append(f"  {name}: " + ", ".join(f"{game} {number(rate)}" for game, rate in rates.items()))
    if missing:
        lines += ["", *missing, "pip install 'ludoteca[peers]' installs them all."]
    return "\n".join(lines)


# The command.

ROWS = (
    ("compiled_steps_per_s", "random play, compiled driver", "decisions/s"),
    ("call_steps_per_s", "random play, one call at a time", "decisions/s"),
    ("batch_steps_per_s", f"random play, batch of {BATCH}", "decisions/s"),
    ("vector_steps_per_s", f"vector of {BATCH}, observations and masks", "decisions/s"),
    ("full_table_games_per_minute", "random play, all seats taken", "games/min"),
    ("state_bytes", "size of a state", "bytes"),
    ("copy_ns", "copy of a state", "ns"),
    ("mcts_1000_ms", "search of 1000 iterations, nothing learned", "ms"),
    ("mcts_1000_learned_ms", "search of 1000 iterations, as learned", "ms"),
    ("cold_start_s", "first start on a machine (compiles)", "s"),
    ("warm_start_s", "start of a process to its first move", "s"),
)


def number(value: float | None) -> str:
    """A figure as people write it."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def report(name: str, figures: Json) -> str:
    """One game in words."""
    lines = [f"{name} · {figures['seats']} seats"]
    lines += [f"  {label:38} {number(figures[key]):>12} {unit}" for key, label, unit in ROWS]
    return "\n".join(lines)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`ludoteca bench GAME --json`"""
    parser.add_argument("games", nargs="*", metavar="GAME", help="what to measure (default: every installed game)")
    parser.add_argument("--deck", type=pathlib.Path, metavar="FILE", help=catalogue.DECK_HELP)
    parser.add_argument("--no-cold", action="store_true", help="skip the start with an empty cache, which compiles")
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=False, help="measure other libraries in the same run"
    )
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

    found: Json = {}
    if args.deck and len(args.games) != 1:
        raise BadData("A deck is of one game: name it.", "no_such_game")
    for game in [catalogue.typed(args.games[0], args.deck)] if args.deck else catalogue.typed_games(args.games):
        say(f"measuring {game.key}")
        found[game.key] = measure(game, cold=not args.no_cold, seconds=seconds)
    peers, missing = measure_peers(seconds, say) if args.peers else ({}, [])
    rows = compare(found, peers)
    if show:
        sys.stderr.write("\r\x1b[K")
    if args.json:
        said = {"games": found, "peers_steps_per_s": peers, "times_peers": rows, "missing": missing}
        sys.stdout.write(json.dumps(said, indent=1) + "\n")
        return 0
    parts = [report(key, figures) for key, figures in found.items()]
    parts += [report_peers(rows, peers, missing)] if args.peers else []
    sys.stdout.write("\n\n".join(parts) + "\n")
    return 0
