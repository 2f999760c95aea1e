"""Random play in other libraries, measured beside ours: decisions per second of processor time, so about one core.

Their games are not ours, so no comparison is exact. To be fair: each peer is driven in the quickest way it offers for the
purpose, games are of a similar kind and chosen beforehand, only decisions of players count on both sides (a peer's
chance nodes cost it time and count nothing, as our shuffles and dice do), and every game of a peer is in the table.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Play = Callable[[int], int]  # (seed) → decisions made

CARDS = (
    "crazy_eights",
    "cribbage",
    "dou_dizhu",
    "euchre",
    "gin_rummy",
    "go_fish",
    "hearts",
    "oh_hell",
    "skat",
    "spades",
)
DEALT = tuple(name for name in CARDS if name != "cribbage")  # its rewards come on the way: the evaluator refuses it
BOARDS = ("backgammon", "checkers", "chess", "connect_four")
CLASSIC = (
    "chess_v6",
    "connect_four_v3",
    "go_v5",
    "hanabi_v5",
    "leduc_holdem_v4",
    "texas_holdem_no_limit_v6",
    "texas_holdem_v4",
)
RLCARD = ("bridge", "doudizhu", "gin-rummy", "limit-holdem", "mahjong", "no-limit-holdem", "uno")
PGX = ("backgammon", "connect_four", "leduc_holdem", "sparrow_mahjong")
BATCH = 1024
ROLL_OUTS = 100


@dataclass(frozen=True)
class Peer:
    """A library driven in one way, and which of our figures is like it."""

    name: str
    games: tuple[str, ...]
    player: Callable[[str], Play]  # raises ImportError where the library is missing
    ours: str  # a key of `bench.measure`
    target: float | None = None  # how many times as fast we mean to be


# OpenSpiel from Python: a call for each decision and each event of chance.


def spiel_player(name: str) -> Play:
    """Whole games from Python."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(seed: int) -> int:
        chance = random.Random(seed).random
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            steps += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])  # drawn as ours are: `choice` is slower
        return steps

    return play


# OpenSpiel in C++. Neither way says how many decisions were made, so the mean length of a game is counted beforehand.


def spiel_length(start: Any, games: int = 300) -> float:
    """How many decisions a random game has from this state on."""
    choice, steps = random.Random(0).choices, 0
    for _ in range(games):
        state = start.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choice(actions, chances)[0])
            else:
                steps += 1
                state.apply_action(choice(state.legal_actions())[0])
    return steps / games


def counted(play: Callable[[int], int], length: float) -> Play:
    """A way to play whole games as one that says how many decisions they have; parts of one are carried over."""
    owed = 0.0

    def decisions(seed: int) -> int:
        nonlocal owed
        owed += play(seed) * length
        whole = int(owed)
        owed -= whole
        return whole

    return decisions


def spiel_bots_player(name: str) -> Play:
    """Whole games, with the deal, of its random bots in C++: `evaluate_bots`."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]

    def play(seed: int) -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return 1

    return counted(play, spiel_length(game.new_initial_state()))


def spiel_roll_outs_player(name: str) -> Play:
    """Roll-outs of its C++ evaluator from a position after the deal: a search of two visits that rolls out often."""
    import pyspiel

    game = pyspiel.load_game(name)
    state, chance = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    evaluator = pyspiel.RandomRolloutEvaluator(ROLL_OUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 2, 10, False, 1, False)

    def play(_seed: int) -> int:
        bot.step(state)
        return 2 * ROLL_OUTS

    return counted(play, spiel_length(state))


def pettingzoo_player(name: str) -> Play:
    """Whole games of a classic environment."""
    environment = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def play(seed: int) -> int:
        choice = random.Random(seed).choice
        environment.reset(seed=seed)
        steps = 0
        for _agent in environment.agent_iter():
            observation, _reward, ended, cut, _info = environment.last()
            if ended or cut:
                environment.step(None)
            else:
                environment.step(choice(np.flatnonzero(observation["action_mask"]).tolist()))
                steps += 1
        return steps

    return play


def rlcard_player(name: str) -> Play:
    """Whole games."""
    import rlcard

    environment = rlcard.make(name, config={"seed": 1})

    def play(seed: int) -> int:
        choice = random.Random(seed).choice
        state, _player = environment.reset()
        steps = 0
        while not environment.is_over():
            state, _player = environment.step(choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play


def pgx_player(name: str) -> Play:
    """A step in each of 1024 games in one compiled call, ended ones dealt anew; actions are drawn inside."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    environment = pgx.make(name)
    step = auto_reset(environment.step, environment.init)

    def decide(state: Any, key: Any) -> Any:
        drawing, stepping = jax.random.split(key)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(drawing, odds), stepping)

    together = jax.jit(jax.vmap(decide))
    keys = jax.jit(lambda seed: jax.random.split(jax.random.PRNGKey(seed), BATCH))
    states = jax.jit(jax.vmap(environment.init))(keys(0))

    def play(seed: int) -> int:
        nonlocal states
        states = together(states, keys(seed))
        states.terminated.block_until_ready()
        return BATCH

    return play


PEERS = (
    Peer("OpenSpiel, Python", CARDS + BOARDS, spiel_player, "call_steps_per_s", 10),
    Peer("OpenSpiel, C++ games of random bots", CARDS, spiel_bots_player, "compiled_steps_per_s", 1),
    Peer("OpenSpiel, C++ roll-outs after the deal", DEALT, spiel_roll_outs_player, "compiled_steps_per_s", 1),
    Peer("PettingZoo classic", CLASSIC, pettingzoo_player, "call_steps_per_s", 200),
    Peer("RLCard", RLCARD, rlcard_player, "call_steps_per_s"),
    Peer("Pgx on the CPU, 1024 games", PGX, pgx_player, "batch_steps_per_s"),
)
