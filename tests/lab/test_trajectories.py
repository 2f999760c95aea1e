"""Games kept for learning: what is read is what was played, from the arena and from environments."""

import pathlib
import re
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue, cli, envs
from ludoteca.core.errors import BadData
from ludoteca.lab import arena, trajectories

GAME = catalogue.game("loot")


def test_the_arena_keeps_its_games(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "games.npz"
    assert (
        cli.main(["arena", "loot", "uniform", "greedy", "--games", "4", "--keep", str(file), "--processes", "1"]) == 0
    )
    kept = trajectories.load(file)
    assert len(kept) == 4 and kept.episodes[0].bots == ["uniform", "greedy"]
    numbers = kept.arrays()
    assert len(numbers["action"]) == sum(len(episode.decisions) // 2 for episode in kept.episodes)
    assert (numbers["mask"][np.arange(len(numbers["action"])), numbers["action"]] == 1).all(), "every action was legal"
    assert numbers["last"].sum() == 8, "each seat of each game has one last decision"
    ends = numbers["reward"][numbers["last"]].reshape(4, 2)
    assert np.allclose(ends.sum(axis=1), 0) and (numbers["reward"][~numbers["last"]] == 0).all()
    assert kept.arrays(form="integer", reward="points")["observation"].dtype == np.int32


@pytest.mark.parametrize("make", [envs.aec, envs.parallel, envs.single])
def test_an_environment_keeps_its_games(make: Any, tmp_path: pathlib.Path) -> None:
    env = make("loot", seats=2)
    kept = trajectories.Trajectories(GAME)
    env.reset(seed=3)
    while not env.table.over:
        seat = env.table.asked[0]
        env.table.act(seat, env.table.legal(seat)[0])
    kept.add(env.table)
    kept.save(tmp_path / "one.npz")
    again = trajectories.load(tmp_path / "one.npz")
    assert again.episodes == kept.episodes
    table = again._dealt(again.episodes[0], "float")
    for step in again.steps(0):
        table.act(step.seat, step.action)
    assert table.serialise() == env.table.serialise()


@pytest.mark.parametrize("reward", ["rank", "win", "points", "margin"])
def test_kept_rewards_are_those_of_the_environment_also_alone_against_the_robot(reward: str) -> None:
    """There they were the points, whatever had been asked for by rank."""
    env = envs.aec("challengers", seats=1, reward=reward)
    kept = trajectories.Trajectories(env.table.game)
    for seed in range(3):
        env.reset(seed=seed)
        while not env.table.over:
            env.step(env.table.legal(0)[0])
        kept.add(env.table)
        assert kept.rewards(seed, reward) == list(env.rewards.values())
    numbers = kept.arrays(reward=reward)
    assert numbers["reward"][numbers["last"]].tolist() == [kept.rewards(number, reward)[0] for number in range(3)]


def test_what_cannot_be_read_is_said(tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "wrong.npz"
    wrong.write_bytes(b"no")
    with pytest.raises(BadData, match="is no file of trajectories"):
        trajectories.load(wrong)
    absent = tmp_path / "absent.npz"
    with pytest.raises(BadData, match=re.escape(f"There is no file {absent} of trajectories.")):
        trajectories.load(absent)
    with pytest.raises(BadData, match=re.escape(f"{tmp_path} cannot be read: Is a directory.")):
        trajectories.load(tmp_path)
    with pytest.raises(BadData, match="of another game"):
        arena.run("splendor", ["uniform"], 1, keep=trajectories.Trajectories(GAME))
