"""Games that are looked on at before the search plays its own."""

import dataclasses
import pathlib
from typing import Any

import numpy as np
import pytest

from bots import hide_and_seek as toy
from ludoteca.bots import at_sight, judgement, levels
from ludoteca.core.kernel import NumberList, kernel
from ludoteca.lab import expert_iteration
from ludoteca.lab.expert_iteration import Learner, Network, Plan
from ludoteca.lab.pools import Workers


@kernel
def where(state: toy.State, seat: int, out: NumberList) -> None:
    out[0] = 1.0 if state.waiting[seat] == 1 else 0.0
    out[1] = seat


@pytest.fixture(scope="module")
def engine() -> Any:
    return levels.prepare(dataclasses.replace(toy.GAME, features=where, feature_names=(("waits, seat", 2),)))


def test_positions_are_kept_with_what_came_of_them(engine: Any) -> None:
    features, chances, came = at_sight.watch(engine, 30, 2, {}, 1, 0.5, "", judgement.nothing())
    assert features.shape == (60, 2, 2) and np.all(chances == 0.5)
    assert features[0::2, :, 0].tolist() == [[1.0, 1.0]] * 30, "first nobody has decided"
    assert features[1::2, :, 0].tolist() == [[0.0, 1.0]] * 30, "then the first seat has"
    assert (came[0::2] == came[1::2]).all() and {tuple(row) for row in came.tolist()} <= {(0.5, 0.5), (1, 0), (0, 1)}
    again, _, results = at_sight.watch(engine, 30, 2, {}, 1, 0.5, "", judgement.nothing())
    assert np.array_equal(features, again) and np.array_equal(came, results)


def test_what_is_thought_on_the_way_counts_too(engine: Any) -> None:
    """With a lookahead of 0.75 a quarter of what came of a position is what the next one was thought to be worth."""
    untrained = Network(2, Plan("splendor")).flat()  # thinks what `outlook` does: both have a half
    ends, way = (at_sight.watch(engine, 30, 2, {}, 1, 0.0, "", untrained, ahead)[2] for ahead in (1.0, 0.75))
    assert np.allclose(way[1::2], ends[1::2]), "nothing is thought between the last decision and the end"
    assert np.allclose(way[0::2], 0.75 * ends[0::2] + 0.25 * 0.5, atol=1e-3)


def test_positions_may_be_kept_only_where_a_turn_ends_or_a_round_begins(engine: Any) -> None:
    features, _, _ = at_sight.watch(engine, 30, 2, {}, 1, 0.5, "place 0", judgement.nothing())
    assert len(features) == 30 and (features[:, :, 0] == 1.0).all()
    begun, _, _ = at_sight.watch(engine, 30, 2, {}, 1, 0.5, "", judgement.nothing(), by_rounds=True)
    assert len(begun) == 30 and (begun[:, :, 0] == 1.0).all()


def test_what_was_seen_is_learned(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """A seat with more of the first feature has won: afterwards it is thought to be ahead."""
    chance = np.random.default_rng(1)

    def seen(engine: Any, games: int, seats: int, *_: Any) -> Any:
        features = np.zeros((games, seats, learner.game.feature_count), np.float32)
        features[:, :, 0] = 10.0 * chance.random((games, seats))
        behind = np.argsort(np.argsort(features[:, :, 0], axis=1), axis=1)
        return features, np.full((games, seats), 1.0 / seats), behind / (seats - 1.0)

    monkeypatch.setattr(at_sight, "watch", seen)
    monkeypatch.setattr(levels, "prepare", lambda game: None)  # nothing is played: no machine code is needed
    learner = Learner(Plan("splendor", at_sight=20_000), tmp_path)
    before = learner.network.flat()
    with Workers(1) as workers:
        learner.look_on(workers)
    assert (
        learner.looks == learner.plan.looks == 1
        and learner.network.steps > 0
        and (learner.network.flat() != before).any()
    )
    lot = expert_iteration.watch_games(expert_iteration.Job(learner.plan, 7, 200, before))
    for positions in lot.values():
        assert learner.network.loss(positions) < 0.95 * expert_iteration.cross_entropy(
            1.0 / (1.0 + np.exp(-positions.odds)), positions.target
        )
