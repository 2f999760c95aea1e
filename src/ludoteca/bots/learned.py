"""The bot that has learnt: a small network in a file, as `ludoteca learn` writes it; numpy alone is enough to play.

The file (.npz) holds the layers as arrays `weight_0`, `bias_0`, `weight_1`, …, each layer but the last followed by a
rectifier, and the name of the game. The last layer's outputs are a preference for each action and the outlook.
"""

from __future__ import annotations

import functools
import os
import pathlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ludoteca import catalogue
from ludoteca.catalogue import Which
from ludoteca.core.engine import Engine
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.core.record import States

Numbers = npt.NDArray[np.float32]
Layer = tuple[Numbers, Numbers]  # weights (to, from) and biases


@dataclass(frozen=True, eq=False)
class Network:
    """What was learnt."""

    layers: Sequence[Layer]

    def preferences(self, observation: Numbers) -> Numbers:
        """How much it likes each action, legal or not."""
        numbers = observation
        for n, (weight, bias) in enumerate(self.layers):
            if n > 0:
                numbers = np.maximum(numbers, 0.0)
            # Not `@`: its sums depend on how many threads there are, and the same file has to play the same everywhere.
            numbers = np.einsum("ij,j->i", weight, numbers) + bias
        return numbers[:-1]


def choose(engine: Engine, redacted: States, seat: int, network: Network) -> int:
    """The legal action it likes best."""
    actions = engine.legal(redacted, 0, seat)
    if len(actions) == 1:
        return actions[0]
    liked = network.preferences(engine.observe(redacted, seat))[actions]
    return actions[int(liked.argmax())]


def save(path: pathlib.Path, game: Which, layers: Sequence[Layer]) -> None:
    """Writes a network down; whoever reads meanwhile finds the old one or the new one, never a half."""
    arrays: dict[str, Any] = {"game": np.array(catalogue.game(game).key)}
    for n, (weight, bias) in enumerate(layers):
        arrays |= {f"weight_{n}": weight, f"bias_{n}": bias}
    half = path.with_suffix(".half.npz")
    np.savez(half, **arrays)
    os.replace(half, path)


def load(game: Game, path: str) -> Network:
    """The network in a file, read again only when the file has changed."""
    if not path:
        raise BadData("Name the file of what was learnt: learned:weights.npz", "no_such_bot")
    try:
        found = os.stat(path)
        return _read(game, path, (found.st_ino, found.st_mtime_ns))
    except FileNotFoundError:
        raise BadData(f"There is no file {path} of learnt weights.", "no_such_bot") from None
    except OSError as error:
        raise BadData(f"{path} cannot be read: {error.strerror}.", "no_such_bot") from None


@functools.lru_cache(maxsize=16)
def _read(game: Game, path: str, _version: tuple[int, int]) -> Network:
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as found:
            made_for = str(found["game"])
            count = len(found.files) // 2
            layers = [(found[f"weight_{n}"], found[f"bias_{n}"]) for n in range(count)]
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadData(f"{path} is not a file of learnt weights.", "no_such_bot") from None
    if made_for != game.key:
        raise BadData(f"{path} has learnt {made_for}, not {game.key}.", "no_such_bot")
    sizes = [weight.shape[1] for weight, _ in layers] + [layers[-1][0].shape[0]] if layers else []
    if not layers or sizes[0] != game.observation or sizes[-1] != len(game.actions) + 1:
        raise BadData(f"{path} has learnt another version of {game.title}; let it learn anew.", "no_such_bot")
    return Network(layers)
