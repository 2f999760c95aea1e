"""The games of the house: the only module that names them."""

from __future__ import annotations

import importlib

from .core.errors import Unknown
from .core.game import Game

TITLES = {
    "splendor": "Splendor: Marvel",
    "king_of_con": "King of Con",
    "loot": "Loot",
    "challengers": "Challengers!",
}
BUILT = ("splendor", "king_of_con", "loot", "challengers")


def game(key: str) -> Game:
    """The game of that name."""
    if key not in BUILT:
        raise Unknown(f"There is no game called «{key}»; there is {', '.join(BUILT)}.", "no_such_game", game=key[:40])
    loaded: Game = importlib.import_module(f"ludoteca.games.{key}").GAME
    return loaded
