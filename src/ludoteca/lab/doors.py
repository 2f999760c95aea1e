"""How fast games are through the libraries' own doors, ours and others' through the same one, in one run.

    python -m ludoteca.lab.doors                    # every game, every door that is installed
    python -m ludoteca.lab.doors pig --seconds 2

Random play in decisions (steps) a second of processor time, the best of many short rounds, so that other work on the machine
does the least harm; drawing an action is part of it, as it is for whoever uses the library. Nothing is left out of a step:
observation and mask are made and looked at. In OpenSpiel observations are made when they are asked for, so it is measured in
both ways.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import itertools
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ludoteca import catalogue, envs
from ludoteca.core.engine import compiled

from . import bench

ROUNDS = 15
MIXED = 200  # decisions after which the games of a vector are all at different places


def seats_at(key: str) -> int:
    """Two, or the fewest that the game has from there on: alone nobody plays against us."""
    return max(2, min(catalogue.game(key).seats))


def rate(step: Iterator[int], seconds: float) -> float:
    """Steps a second of processor time, the best of many rounds; `step` yields how many it made."""
    next(step)  # compiled and warm
    return max(round_of(step, seconds / ROUNDS, time.process_time) for _ in range(ROUNDS))


def round_of(step: Iterator[int], seconds: float, clock: Callable[[], float]) -> float:
    """Steps a second by this clock, for so long."""
    made, began = 0, clock()
    while (spent := clock() - began) < seconds:
        made += next(step)
    return made / spent


TRUTH = np.dtype(np.bool_)


def drawn(mask: np.ndarray[tuple[int], np.dtype[np.int8]], luck: random.Random) -> int:
    """Any legal action, as quickly as numpy has it: of 2997 truth values it finds the true ones six times as fast."""
    places = mask.view(TRUTH).nonzero()[0]
    return places.item(int(luck.random() * places.size))


def aec_steps(env: object) -> Iterator[int]:
    """Any AEC environment."""
    env_, luck = _any(env), random.Random(1)
    env_.reset(seed=1)  # only once, as the library has it
    while True:
        env_.reset()
        made = 0
        for _ in env_.agent_iter():
            observation, _, terminated, truncated, _ = env_.last()
            if terminated or truncated:
                env_.step(None)
            else:
                env_.step(drawn(observation["action_mask"], luck))
                made += 1
        yield made


def parallel_steps(env: object) -> Iterator[int]:
    """Any Parallel environment: steps in each of which every agent sees, and decides by its mask if it has one."""
    env_, luck = _any(env), random.Random(1)
    env_.reset(seed=1)
    while True:
        observations, _ = env_.reset()
        made = 0
        while env_.agents:
            actions = {}
            for agent, seen in observations.items():
                masked = isinstance(seen, dict)
                actions[agent] = drawn(seen["action_mask"], luck) if masked else env_.action_space(agent).sample()
            observations, *_ = env_.step(actions)
            made += 1
        yield made


def single_steps(key: str) -> Iterator[int]:
    """Our own decisions against `uniform`; the bots' are made on the way and not counted."""
    env, luck = envs.single(key, seats=seats_at(key), opponents="uniform"), random.Random(1)
    env.reset(seed=1)
    while True:
        observation, _ = env.reset()
        made, over = 0, False
        while not over:
            observation, _, over, _, _ = env.step(drawn(observation["action_mask"], luck))
            made += 1
        yield made


def openspiel_steps(game: object, observed: bool = False) -> Iterator[int]:
    """Any OpenSpiel game through its Python API; if so, whoever decides sees its observation first."""
    game_, luck = _any(game), random.Random(1)
    sight = observer(game_) if observed else None
    while True:
        state, made = game_.new_initial_state(), 0
        while not state.is_terminal():
            if sight is not None and not state.is_chance_node():
                sight.set_from(state, state.current_player())
            if state.is_simultaneous_node():
                state.apply_actions([luck.choice(state.legal_actions(p)) for p in range(game_.num_players())])
            else:
                state.apply_action(luck.choice(state.legal_actions()))
            made += 1
        yield made


def observer(game: Any) -> Any:
    """What OpenSpiel's own algorithms in Python see by."""
    from open_spiel.python.observation import make_observation

    return make_observation(game)


def vector_steps(key: str, threads: int = 1, games: int = 1024) -> Iterator[int]:
    """So many games at once, with observations and masks; at first they are played into their middle.

    At their beginning all do the same, and a short round would be of what is quick just then.
    """
    env = envs.vector(key, games, seats=seats_at(key), threads=threads)
    _, info = env.reset(seed=1)
    luck, rows = np.random.default_rng(1), np.arange(games) * env.single_action_space.n
    for made in itertools.count():
        _, _, _, _, info = env.step(info["legal"].take(rows + (luck.random(games) * info["count"]).astype(np.int64)))
        if made >= MIXED:
            yield games


def _any(thing: object) -> Any:
    return thing


# The table.

OBSERVED = "OpenSpiel, with observations"
Maker = Callable[[str], Iterator[int]]  # (game) → its steps


def ours() -> dict[str, Maker]:
    """Every door of ours that is installed, from the nearest to the engine outwards."""
    found: dict[str, Maker] = {
        "vector of 1024": vector_steps,
        "PettingZoo AEC": lambda key: aec_steps(envs.aec(key, seats=seats_at(key))),
        "PettingZoo Parallel": lambda key: parallel_steps(envs.parallel(key, seats=seats_at(key))),
        "Gymnasium, against `uniform`": single_steps,
    }
    if importlib.util.find_spec("pyspiel"):
        found["OpenSpiel"] = lambda key: openspiel_steps(envs.openspiel(key, seats=seats_at(key)))
        found[OBSERVED] = lambda key: openspiel_steps(envs.openspiel(key, seats=seats_at(key)), observed=True)
    return found


def theirs() -> dict[str, dict[str, Iterator[int]]]:
    """Others' games through the same doors, as far as they are installed."""
    found: dict[str, dict[str, Iterator[int]]] = {"PettingZoo AEC": {}, "PettingZoo Parallel": {}, "OpenSpiel": {}}
    found[OBSERVED] = {}
    if importlib.util.find_spec("pyspiel"):
        import open_spiel.python.games  # noqa: F401  # makes them known
        import pyspiel

        for name in ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "connect_four", "backgammon"):
            if name in pyspiel.registered_names():
                found["OpenSpiel"][name] = openspiel_steps(pyspiel.load_game(name))
                found[OBSERVED][name] = openspiel_steps(pyspiel.load_game(name), observed=True)
    for name in ("connect_four_v3", "tictactoe_v3", "leduc_holdem_v4"):
        with contextlib.suppress(ImportError):
            found["PettingZoo AEC"][name] = aec_steps(importlib.import_module(f"pettingzoo.classic.{name}").env())
    with contextlib.suppress(ImportError):
        rps = importlib.import_module("pettingzoo.classic.rps_v2")
        found["PettingZoo Parallel"]["rps_v2"] = parallel_steps(rps.parallel_env())
    return found


def engine_rates(key: str, seconds: float) -> dict[str, float]:
    """Without any library: whole games in machine code, and a call from Python for each decision."""
    engine, seats = compiled(catalogue.game(key)), seats_at(key)
    return {
        "engine, whole games in machine code": bench.best(lambda: bench.compiled_rate(engine, seats, seconds / ROUNDS)),
        "engine, a call for each decision": bench.best(lambda: bench.call_rate(engine, seats, seconds / ROUNDS)),
    }


def threads_gain(key: str, threads: int, games: int, seconds: float) -> str:
    """Steps a second on the clock by one thread and by this many, in turns, the best of several rounds; and their ratio."""
    both = vector_steps(key, 1, games), vector_steps(key, threads, games)
    for steps in both:
        next(steps)
    rates = [[round_of(steps, seconds / ROUNDS, time.perf_counter) for steps in both] for _ in range(ROUNDS)]
    alone, together = (max(column) for column in zip(*rates, strict=True))
    return f"{short(alone)} → {short(together)} ({together / alone:.2f} ×)"


def measured(keys: Sequence[str], seconds: float) -> Iterator[tuple[str, list[str]]]:
    """The rows of the table: a way to play, our games by it, and others' through the same door."""
    rates = [engine_rates(key, seconds) for key in keys]
    for way in rates[0]:
        yield way, [*(short(found[way]) for found in rates), "–"]
    others = theirs()
    for door, steps in ours().items():
        mine = [short(rate(steps(key), seconds)) for key in keys]
        found = [f"{name} {short(rate(peer, seconds))}" for name, peer in others.get(door, {}).items()]
        yield door, [*mine, ", ".join(found) or "–"]
    threads = os.cpu_count() or 1
    for games in (1024, 4096):
        gains = [threads_gain(key, threads, games, seconds) for key in keys]
        yield f"vector of {games} on the clock, 1 thread → {threads}", [*gains, "–"]


def short(figure: float) -> str:
    """`1.42 M`, `105 k`."""
    return f"{figure / 1e6:.2f} M" if figure >= 999_500 else f"{figure / 1e3:.3g} k"


def main() -> None:
    """Prints the table, row by row, and how busy the machine was with other work."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="which (default: every installed one)")
    parser.add_argument("--seconds", type=float, default=1.5, help="of processor time for each figure (default 1.5)")
    args = parser.parse_args()
    keys = args.games or catalogue.keys()
    before = os.getloadavg()[0]
    print("| | " + " | ".join(catalogue.game(key).title for key in keys) + " | others' games through the same door |")
    print("|---" * (len(keys) + 2) + "|")
    for way, figures in measured(keys, args.seconds):
        print(f"| {way} | " + " | ".join(figures) + " |", flush=True)
    print(f"\n{os.cpu_count()} cores; load average {before:.0f} at the beginning, {os.getloadavg()[0]:.0f} at the end")


if __name__ == "__main__":
    main()
