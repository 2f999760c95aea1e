"""The games for people who write bots and train agents, in the interfaces they already use.

    from ludoteca import envs
    env = envs.aec("pig", seats=2)                 # PettingZoo, one agent after the other
    env = envs.parallel("pig", seats=4)            # PettingZoo, all who are asked at once
    env = envs.single("pig", opponents="club")     # Gymnasium, one seat against bots
    env = envs.vector("pig", count=1024)           # Gymnasium, many games in one compiled call
    game = envs.openspiel("pig", seats=2)          # OpenSpiel

A game is given by its key, by its place (`"my_package.my_game:GAME"`) or as the `Game` itself. An observation is
`{"observation": numbers, "action_mask": 0/1 for each action}`, always in these two places.
"""

from __future__ import annotations

from typing import Any

from ludoteca import catalogue
from ludoteca.catalogue import Which

VERSION = "v1"


def aec(game: Which, **settings: Any) -> Any:
    """A PettingZoo AEC environment."""
    from .aec_env import TableAEC

    return TableAEC(catalogue.game(game), **settings)


def parallel(game: Which, **settings: Any) -> Any:
    """A PettingZoo Parallel environment."""
    from .parallel_env import TableParallel

    return TableParallel(catalogue.game(game), **settings)


def single(game: Which, **settings: Any) -> Any:
    """A Gymnasium environment: one seat, the others are bots."""
    from .single_env import SeatEnv

    return SeatEnv(game, **settings)


def vector(game: Which, count: int = 1024, **settings: Any) -> Any:
    """A Gymnasium vector environment: many games in one compiled call."""
    from .vector_env import TablesEnv

    return TablesEnv(game, num_envs=count, **settings)


def openspiel(game: Which, **settings: Any) -> Any:
    """An OpenSpiel game."""
    from .openspiel_game import load

    return load(game, **settings)


def register() -> list[str]:
    """Registers every installed game with Gymnasium: `gymnasium.make("ludoteca/pig-v1")`; returns the ids."""
    import gymnasium

    ids = []
    for key in catalogue.games():
        name = f"ludoteca/{key}-{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="ludoteca.envs.single_env:SeatEnv",
                vector_entry_point="ludoteca.envs.vector_env:TablesEnv",
                kwargs={"game": key},
                disable_env_checker=True,  # it samples actions without looking at the mask
            )
        ids.append(name)
    return ids
