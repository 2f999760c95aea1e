"""Learning from games of one's own search: what is written down, the same from the same seed, whole after a stop."""

import csv
import dataclasses
import json
import pathlib
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.bots import judgement
from ludoteca.core.errors import BadData
from ludoteca.lab import expert_iteration
from ludoteca.lab.expert_iteration import Plan, returns, table_for, worth_of

TINY = Plan("splendor", iterations=4, generation=4, remembered=2, batch=64, measure_every=2, measure_games=2)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("whole")
    return folder, expert_iteration.run(TINY, folder, games=12, workers=1)


def test_a_run_leaves_weights_record_and_curve(whole: Any) -> None:
    folder, learner = whole
    assert learner.games == 12
    weights = judgement.weights_of(learner.game, str(folder / "weights.npz"))
    assert np.isfinite(weights).all() and np.abs(weights[-25:-9]).max() > 0.0, "the last layer began as nothing"
    record = json.loads((folder / "record.json").read_text())
    asked = f"ludoteca learn splendor --games {record['games']} --iterations 4 --cut 1 --seed 1 --remembered 2"
    assert record["command"] == asked
    assert (record["games_in_all"], record["plan"]["seed"], len(record["curve"])) == (12, 1, 3)
    with (folder / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["win_rate"] != "" for row in rows] == [True, True, False]
    assert all(float(row["loss_learned"]) > 0.0 and float(row["loss_outlook"]) > 0.0 for row in rows)
    assert "<svg" in (folder / "curve.svg").read_text()


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(whole: Any, tmp_path: pathlib.Path) -> None:
    expert_iteration.run(TINY, tmp_path, games=8, workers=1)
    with pytest.raises(BadData, match="--resume"):
        expert_iteration.run(TINY, tmp_path, games=12, workers=1)
    with pytest.raises(BadData, match=f"other settings: seed {TINY.seed}. With these"):
        expert_iteration.run(dataclasses.replace(TINY, seed=2), tmp_path, games=12, resume=True, workers=1)
    again = expert_iteration.run(TINY, tmp_path, games=12, resume=True, workers=1)
    assert (again.network.flat() == whole[1].network.flat()).all()


def test_a_run_goes_on_from_the_weights_that_a_game_comes_with(tmp_path: pathlib.Path) -> None:
    game = catalogue.game("splendor")
    learner = expert_iteration.Learner(dataclasses.replace(TINY, goes_on=True), tmp_path)
    assert (learner.network.flat() == judgement.weights_of(game)).all()
    record = learner.record()
    assert record["command"].endswith("--remembered 2 --go-on")
    assert record["goes_on_from"]["command"].startswith("ludoteca learn splendor")
    with pytest.raises(BadData, match="without weights"):
        expert_iteration.Network(4, Plan("challengers", goes_on=True))


def test_without_a_ladder_what_was_learned_last_is_kept(whole: Any, tmp_path: pathlib.Path) -> None:
    learner = expert_iteration.run(dataclasses.replace(TINY, ladder=0), tmp_path, games=8, workers=1)
    kept = judgement.weights_of(learner.game, str(tmp_path / "weights.npz"))
    assert (kept == learner.network.flat()).all() and "win_rate" not in learner.curve[-1]
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["games"] == 8 and record["command"].endswith("--remembered 2 --ladder 0")


def test_on_the_ladder_both_may_think_longer_than_in_the_games() -> None:
    assert TINY.on_the_ladder == 4 and "iterations=4," in TINY.rival
    longer = dataclasses.replace(TINY, ladder=30)
    assert longer.on_the_ladder == 30 and "iterations=30," in longer.rival


def test_what_plays_is_the_average_of_the_last_steps() -> None:
    network = expert_iteration.Network(3, Plan("splendor"))
    chance = np.random.default_rng(1)
    lot = expert_iteration.Positions(
        chance.random((8, 2, 3)), np.zeros((8, 2), np.float32), chance.random((8, 2)).astype(np.float32)
    )
    passed = [network.parameters["last"].copy()]
    for _ in range(40):
        network.learn(lot, 1e-2, 0.0)
        passed.append(network.parameters["last"].copy())
    low, high = np.min(passed[1:], axis=0), np.max(passed[1:], axis=0)
    assert ((low <= network.average["last"]) & (network.average["last"] <= high)).all()
    assert np.abs(network.average["last"] - passed[-1]).max() > 0.0


def test_a_cluster_learns_the_same(whole: Any, tmp_path: pathlib.Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        there = expert_iteration.run(TINY, tmp_path, games=12, workers=1, cluster=cluster.scheduler_address)
    assert (there.network.flat() == whole[1].network.flat()).all()
    assert (tmp_path / "weights.npz").read_bytes() == (whole[0] / "weights.npz").read_bytes()


def test_tables_are_for_all_numbers_of_seats_and_options() -> None:
    game = catalogue.game("splendor")
    tables = [table_for(game, seed) for seed in range(300)]
    assert {seats for seats, _ in tables} == {2, 3, 4}
    assert {options.get("edition", "marvel") for _, options in tables} == {"marvel", "base"}


def test_the_end_is_worth_what_the_search_thinks_it_is() -> None:
    assert worth_of([1, 2]).tolist() == [1.0, 0.0]
    assert worth_of([2, 1, 3]).tolist() == [0.25, 1.0, 0.0]


def test_what_came_of_a_position_is_what_was_thought_from_there_on_and_the_end() -> None:
    two = returns(worth_of([1, 2]), [0, 1], [0.6, 0.2], 0.5)
    assert np.allclose(two, [[0.75, 0.25], [0.9, 0.1]])
    three = returns(worth_of([2, 1, 3]), [0, 1], [0.6, 0.2], 0.5)
    assert np.allclose(three, [[0.425, 0.6, 0.0], [0.25, 0.6, 0.0]])


def test_a_game_without_features_cannot_be_learned(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    bare = dataclasses.replace(catalogue.game("loot"), features=None, feature_names=())
    monkeypatch.setattr(catalogue, "game", lambda which: bare)
    with pytest.raises(BadData, match="has no features"):
        expert_iteration.Learner(Plan("loot"), tmp_path)
