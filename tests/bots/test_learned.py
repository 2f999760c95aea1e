"""The bot that plays from a file of learnt weights: legal, the same every time, and only for its own game."""

import pathlib
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.bots import learned, levels
from ludoteca.core.errors import BadData
from ludoteca.lab import arena


def layers_for(key: str, seed: int = 0, hidden: int = 8) -> Any:
    """A network that has learnt nothing."""
    game, luck = catalogue.game(key), np.random.default_rng(seed)
    sizes = (game.observation, hidden, len(game.actions) + 1)
    return [
        (luck.normal(size=(after, before)).astype(np.float32), luck.normal(size=after).astype(np.float32))
        for before, after in pairwise(sizes)
    ]


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_whole_games_are_legal(key: str, tmp_path: pathlib.Path) -> None:
    """`arena.play` refuses what the rules do not allow, and the network would like illegal actions as well as others."""
    path = tmp_path / "weights.npz"
    learned.save(path, key, layers_for(key))
    seats = max(2, min(catalogue.game(key).seats))
    table = arena.Table(key, [f"learned:{path}", *["uniform"] * (seats - 1)], {}, 3)
    assert sum(arena.play(table).shares) == pytest.approx(1.0)


def test_the_favourite_is_the_legal_action_liked_best(tmp_path: pathlib.Path) -> None:
    engine = levels.prepare(catalogue.game("splendor"))
    states = engine.start(2, {}, 1)
    redacted = engine.game.redact(states, 0, 0)
    network = learned.Network(layers_for("splendor"))
    liked = network.preferences(engine.observe(redacted, 0))
    legal = engine.legal(redacted, 0, 0)
    chosen = learned.choose(engine, redacted, 0, network)
    assert chosen in legal
    assert liked[chosen] == max(liked[action] for action in legal)
    assert liked.argmax() not in legal, "a scene in which the mask matters"


def test_a_layer_is_weights_biases_and_a_rectifier_between() -> None:
    first = (np.array([[1, -1], [2, 0]], np.float32), np.array([0, -10], np.float32))
    second = (np.array([[3, 1], [5, 1]], np.float32), np.array([1, 0], np.float32))
    liked = learned.Network([first, second]).preferences(np.array([4, 2], np.float32))
    assert liked.tolist() == [7.0], "(4-2, 8-10) rectified is (2, 0); 3·2+0+1 = 7; the last output is the outlook"


def test_a_file_that_has_changed_is_read_again(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "weights.npz"
    networks = []
    for seed in (1, 2):
        learned.save(path, "splendor", layers_for("splendor", seed))
        network = levels.read_bot("splendor", f"learned:{path}").network
        assert network is not None
        networks.append(network)
    assert not np.array_equal(networks[0].layers[0][0], networks[1].layers[0][0])
    assert levels.read_bot("splendor", f"learned:{path}").network is networks[1]
    assert [file.name for file in tmp_path.iterdir()] == ["weights.npz"]


def test_weights_of_another_game_are_refused(tmp_path: pathlib.Path) -> None:
    learned.save(tmp_path / "weights.npz", "loot", layers_for("loot"))
    with pytest.raises(BadData, match="has learnt loot, not splendor"):
        levels.read_bot("splendor", f"learned:{tmp_path / 'weights.npz'}")


@pytest.mark.parametrize("layers", [[], layers_for("loot")])
def test_weights_of_another_shape_are_refused(tmp_path: pathlib.Path, layers: Any) -> None:
    learned.save(tmp_path / "weights.npz", "splendor", layers)
    with pytest.raises(BadData, match="another version of Splendor"):
        levels.read_bot("splendor", f"learned:{tmp_path / 'weights.npz'}")


@pytest.mark.parametrize("data", [b"", b"not weights", b"PK\x03\x04 broken"])
def test_other_files_are_refused(tmp_path: pathlib.Path, data: bytes) -> None:
    (tmp_path / "weights.npz").write_bytes(data)
    with pytest.raises(BadData, match="is not a file of learnt weights"):
        levels.read_bot("splendor", f"learned:{tmp_path / 'weights.npz'}")


def test_no_file_no_bot(tmp_path: pathlib.Path) -> None:
    with pytest.raises(BadData, match="Name the file"):
        levels.read_bot("splendor", "learned")
    with pytest.raises(BadData, match=r"There is no file .*none\.npz of learnt weights\."):
        levels.read_bot("splendor", f"learned:{tmp_path / 'none.npz'}")
    with pytest.raises(BadData, match="cannot be read: Is a directory"):
        levels.read_bot("splendor", f"learned:{tmp_path}")
