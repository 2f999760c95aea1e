"""The learned judgement: it begins as `outlook`, machine code and lessons compute the same, and a wrong file is refused."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

import numpy as np
import pytest

from ludoteca import catalogue
from ludoteca.bots import judgement, levels, search
from ludoteca.bots.judgement import room_for
from ludoteca.bots.search import judge
from ludoteca.core.engine import Engine, compiled, interpreted
from ludoteca.core.errors import BadData
from ludoteca.core.game import Game
from ludoteca.core.kernel import ChanceList, ChanceTable, NumberList, ScoreList
from ludoteca.core.record import Record, States
from ludoteca.lab.expert_iteration import Network, Plan, Positions, forward, log_odds, slopes_of

HOUSE = catalogue.keys(catalogue.HOUSE)


def trained(game: Game, seed: int = 3) -> Any:
    """A network that says something."""
    network = Network(game.feature_count, Plan(game.key, seed))
    luck = np.random.default_rng(seed)
    for name, array in network.parameters.items():
        network.parameters[name] = (array + luck.normal(0, 0.1, array.shape)).astype(np.float32)
    network.average = network.parameters
    return network


def in_play(engine: Engine, seats: int, decisions: int = 12) -> Any:
    states = engine.start(seats, {}, 7)
    for _ in range(decisions):
        seat = engine.waiting(states)[0]
        legal = engine.legal(states, 0, seat)
        engine.apply(states, 0, seat, legal[len(legal) // 2])
    return states


def corrected(engine: Engine, states: Any, weights: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What `correct`, run as plain Python, makes of the outlook."""
    monkeypatch.setattr(judgement, "features", engine.game.features)
    seats, value = int(states["seats"][0]), np.zeros(8)
    value[:seats] = engine.outlook(states)
    room = judgement.room_for(seats, weights)
    judgement.correct(Record(states), seats, weights, room, value)
    return value[:seats]


@pytest.mark.parametrize("key", HOUSE)
def test_an_untrained_network_leaves_the_outlook_as_it_is(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = interpreted(catalogue.game(key))
    states = in_play(engine, 3)
    weights = Network(engine.game.feature_count, Plan(key)).flat()
    assert len(weights) == judgement.size_of(engine.game.feature_count)
    assert corrected(engine, states, weights, monkeypatch) == pytest.approx(engine.outlook(states), abs=1e-3)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_kernel_says_what_the_lessons_taught(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = interpreted(catalogue.game("splendor"))
    states, network = in_play(engine, seats), trained(engine.game)
    chance = np.clip(engine.outlook(states), judgement.SURE, 1 - judgement.SURE)
    features = np.stack([engine.features(states, seat) for seat in range(seats)])[None]
    lot = Positions(features, np.log(chance / (1 - chance)).astype(np.float32)[None], chance[None])
    taught = forward(network.parameters, lot)[-1][0]
    said = corrected(engine, states, network.flat(), monkeypatch)
    assert said == pytest.approx(taught, abs=1e-4)
    assert abs(said - engine.outlook(states)).max() > 0.01


def judge_all(
    states: States, seats: int, weights: NumberList, values: ChanceTable, ranking: ScoreList, extremes: ChanceList
) -> int:
    """As the search judges where a play-out ends."""
    room = room_for(seats, weights)
    for k in range(states.shape[0]):
        judge(states[k], seats, 0, ranking, extremes, values[k], weights, room)
    return 0


@pytest.mark.parametrize("key", [key for key in HOUSE if judgement.own_file(catalogue.game(key)).is_file()])
def test_the_machine_code_judges_as_the_lessons_do_with_the_weights_a_game_comes_with(key: str) -> None:
    """Positions of random games, at the smallest and at the largest table, all of them in one compiled call."""
    engine = compiled(catalogue.game(key))
    weights = judgement.weights_of(engine.game)
    learned = Network(engine.game.feature_count, Plan(key, goes_on=True)).parameters
    for seats in (2, engine.game.seats[-1]):
        states = np.concatenate([positions_of_chance(engine, seats, seed) for seed in range(4)])
        values = np.zeros((len(states), 8))
        spare = np.zeros(8, np.int64), np.zeros(2)
        engine.bind(judge_all, records=search.RECORDS)(states, seats, weights, values, *spare)
        chances = np.stack([engine.outlook(states[k : k + 1]) for k in range(len(states))])
        features = np.stack(
            [[engine.features(states[k : k + 1], seat) for seat in range(seats)] for k in range(len(states))]
        )
        taught = forward(learned, Positions(features, log_odds(chances), chances.astype(np.float32)))[-1]
        assert values[:, :seats] == pytest.approx(taught, abs=1e-4)
        assert abs(taught - chances).max() > 0.05, "what was learned says something"


def positions_of_chance(engine: Engine, seats: int, seed: int) -> Any:
    """Every fifth position of a game that chance plays."""
    luck, states, found, number = np.random.default_rng(seed), engine.start(seats, {}, seed), [], 0
    while not engine.is_over(states):
        seat = engine.waiting(states)[0]
        if number % 5 == 0:
            found.append(states.copy())
        engine.decide(states, 0, seat, int(luck.choice(engine.legal(states, 0, seat))))
        number += 1
    return np.concatenate(found)


@pytest.mark.parametrize("seats", [2, 4])
def test_lessons_go_downhill(seats: int) -> None:
    """The slopes are those that tiny steps measure."""
    luck, network = np.random.default_rng(1), trained(catalogue.game("loot"))
    count = catalogue.game("loot").feature_count
    numbers = (luck.random((5, seats, count)), luck.normal(size=(5, seats)), luck.random((5, seats)))
    lot = Positions(*(array.astype(np.float32) for array in numbers))
    slopes = slopes_of(network.parameters, lot)
    for name, array in network.parameters.items():
        place = tuple(int(n) for n in np.unravel_index(np.abs(slopes[name]).argmax(), array.shape))
        losses = []
        for step in (0.002, -0.002):
            array[place] += step
            losses.append(network.loss(lot))
            array[place] -= step
        assert (losses[0] - losses[1]) / 0.004 == pytest.approx(slopes[name][place], rel=0.05, abs=1e-4), name


def test_what_was_learned_changes_what_is_chosen(tmp_path: pathlib.Path) -> None:
    """The search with weights is told apart from the search without, and only by them."""
    engine = levels.prepare(catalogue.game("splendor"))
    judgement.save(tmp_path / "w.npz", engine.game, trained(engine.game).flat())
    states = in_play(engine, 2)
    seat = engine.waiting(states)[0]
    redacted = engine.game.redact(states, 0, seat)

    def thought(weights: Any) -> Any:
        return search.think(engine, redacted, seat, 1, search.Settings(iterations=200, weights=weights)).tried

    assert thought("-") == thought("-")
    assert thought(str(tmp_path / "w.npz")) != thought("-")


def test_a_game_without_features_plays_by_its_outlook() -> None:
    bare = dataclasses.replace(catalogue.game("loot"), features=None, feature_names=())
    assert len(judgement.weights_of(bare)) == judgement.NOT_LEARNED


def test_files_of_another_game_or_none_are_refused(tmp_path: pathlib.Path) -> None:
    splendor, loot = catalogue.game("splendor"), catalogue.game("loot")
    path = tmp_path / "weights.npz"
    with pytest.raises(BadData, match="There is no file"):
        judgement.weights_of(splendor, str(path))
    path.write_bytes(b"nothing")
    with pytest.raises(BadData, match="is not a file of learned weights"):
        judgement.weights_of(splendor, str(path))
    judgement.save(path, loot, trained(loot).flat())
    with pytest.raises(BadData, match="has learned loot, not splendor"):
        judgement.weights_of(splendor, str(path))
    judgement.save(path, splendor, trained(loot).flat())
    with pytest.raises(BadData, match="another version"):
        judgement.weights_of(splendor, str(path))


@pytest.mark.parametrize("key", HOUSE)
def test_what_a_game_comes_with_can_be_read_and_says_how_it_came_about(key: str) -> None:
    game = catalogue.game(key)
    if judgement.own_file(game).is_file():
        assert len(judgement.weights_of(game)) > judgement.NOT_LEARNED
        assert judgement.own_file(game).stat().st_size < 500_000
        record = json.loads(judgement.own_file(game).with_name("record.json").read_text("utf-8"))
        assert (record["game"], record["rules"]) == (key, game.version), "rules have changed since: let it learn anew"
        plan = record["plan"]
        assert record["command"].startswith(
            f"ludoteca learn {key} --games {record['games']} --iterations {plan['iterations']}"
        )
        played = [row for row in record["curve"] if row["generation"] > 0]
        assert record["commit"] and len(played) * plan["generation"] == record["games_in_all"]
