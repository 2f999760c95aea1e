"""Why a bot plays what it plays: the choice is among the alternatives, chances are chances, and nothing secret is used."""

import json
from typing import Any

import pytest

from ludoteca import catalogue
from ludoteca.bots import levels, reasons, search
from ludoteca.core.chance import derive

SETTINGS = search.Settings(iterations=300)


@pytest.fixture(scope="module")
def engine() -> Any:
    return levels.prepare(catalogue.game("splendor"))


def test_the_choice_is_the_bots_own_and_stands_among_the_alternatives(engine: Any) -> None:
    states = engine.start(2, {}, 5)
    redacted = engine.game.redact(states, 0, 0)
    found = reasons.why(engine, redacted, 0, 9, SETTINGS)
    assert found.choice == search.choose(engine, redacted, 0, 9, SETTINGS)
    assert found.alternatives[0].visits == max(one.visits for one in found.alternatives)
    assert sum(one.share for one in found.alternatives) == pytest.approx(1.0)
    assert all(0.0 <= one.chance <= 1.0 and one.error > 0.0 for one in found.alternatives)
    assert found.loss(found.choice) == 0.0
    assert found.of(found.choice) in found.as_good()
    said = json.loads(json.dumps(found.as_json(engine.game.actions, most=3)))
    assert said["choice"] == said["alternatives"][0]["action"] or len(said["alternatives"]) == 3


def test_another_secret_world_gives_the_same_reasons(engine: Any) -> None:
    states = engine.start(2, {}, 5)
    other = states.copy()
    engine.determinize(other, 0, derive(1))
    assert other.tobytes() != states.tobytes()
    found = [reasons.why(engine, engine.game.redact(world, 0, 0), 0, 3, SETTINGS) for world in (states, other)]
    assert found[0] == found[1]


def test_where_there_is_nothing_to_choose_there_are_no_reasons(engine: Any) -> None:
    states = engine.start(2)
    states["bank"][0, :5] = 0
    states["bank"][0, 0] = 1
    states["in_hand"][0, 0] = 3
    found = reasons.why(engine, engine.game.redact(states, 0, 0), 0, 1)
    assert found.alternatives == () and found.loss(found.choice) is None and found.as_good() == ()


def test_without_a_tree_candidates_have_their_chances_too(engine: Any) -> None:
    states = engine.start(2, {}, 5)
    settings = search.Settings(iterations=200, candidates=4, rounds=1)
    found = reasons.why(engine, engine.game.redact(states, 0, 0), 0, 9, settings)
    assert len(found.alternatives) == 4 and found.of(found.choice) is not None
