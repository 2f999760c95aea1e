"""The games for people who write bots and train agents, in the interfaces they already use.

    from ludoteca import envs
    env = envs.aec("pig", seats=2)                 # PettingZoo, one agent after the other
    env = envs.parallel("pig", seats=4)            # PettingZoo, all who are asked at once
    env = envs.single("pig", opponents="club")     # Gymnasium, one seat against bots
    env = envs.vector("pig", count=1024)           # Gymnasium, many games in one compiled call
    game = envs.openspiel("pig", seats=2)          # OpenSpiel

A game is given by its key, by its place (`"my_package.my_game:GAME"`) or as the `Game` itself; `options={"deck": "my.csv"}`
plays it with a deck of one's own. An observation is
`{"observation": numbers, "action_mask": 0/1 for each action}`, always in these two places.
"""

from __future__ import annotations

import contextlib
from typing import Any

from ludoteca import catalogue
from ludoteca.catalogue import Which

VERSION = "v1"


def with_deck(game: Which, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of an environment, with the game that its options ask for: `options={"deck": "my.csv"}`."""
    found, options = catalogue.with_options(game, settings.get("options"))
    return {**settings, "game": found, "options": options}


def aec(game: Which, **settings: Any) -> Any:
    """A PettingZoo AEC environment."""
    from .aec_env import TableAEC

    return TableAEC(**with_deck(game, settings))


def parallel(game: Which, **settings: Any) -> Any:
    """A PettingZoo Parallel environment."""
    from .parallel_env import TableParallel

    return TableParallel(**with_deck(game, settings))


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
    """Makes every installed game known to Gymnasium, as importing this module does; returns the ids.

    `ludoteca/pig-v1` is one seat against bots, by `make` and by `make_vec`; `ludoteca/pig-selfplay-v1`, by `make_vec` alone,
    is many games in one compiled call, in which the agent plays every seat.
    """
    import gymnasium

    ids = []
    for key in catalogue.announced():
        name, selfplay = f"ludoteca/{key}-{VERSION}", f"ludoteca/{key}-selfplay-{VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="ludoteca.envs.single_env:SeatEnv",
                kwargs={"game": key},
                disable_env_checker=True,  # it samples actions without looking at the mask
            )
            gymnasium.register(selfplay, vector_entry_point="ludoteca.envs.vector_env:TablesEnv", kwargs={"game": key})
        ids += [name, selfplay]
    return ids


# So that `import ludoteca.envs`, or `gymnasium.make("ludoteca.envs:ludoteca/pig-v1")`, is enough. (Gymnasium has not looked
# for plug-ins by itself since 1.0.) Whoever uses OpenSpiel alone may not have it.
with contextlib.suppress(ImportError):
    register()
