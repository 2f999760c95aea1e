"""The quickest way through a game from Python: the same game as any other way."""

import gc

import pytest

from ludoteca import catalogue
from ludoteca.core.chance import derive
from ludoteca.core.engine import compiled


@pytest.mark.parametrize("key", catalogue.keys(catalogue.HOUSE))
def test_the_quick_way_is_the_same_game(key: str) -> None:
    engine = compiled(catalogue.game(key))
    seats = max(engine.game.seats)
    slow = engine.start(seats, {}, 5)
    states = engine.new(3)
    engine.setup(states, 1, seats, {}, 5)
    quick = engine.quick(states, 1)
    steps = 0
    while quick.count:
        assert quick.seat == engine.waiting(slow)[0]
        legal = engine.legal(slow, 0, quick.seat)
        assert list(quick.actions[: quick.count]) == legal
        action = legal[derive(steps) % len(legal)]
        engine.decide(slow, 0, quick.seat, action)
        quick.step(action)
        assert states[1:2].tobytes() == slow.tobytes()
        steps += 1
    assert engine.is_over(slow)
    assert not states[[0, 2]].tobytes().strip(b"\0"), "the neighbours are not touched"


def test_it_looks_again_when_somebody_else_has_changed_the_game() -> None:
    engine = compiled(catalogue.game("splendor"))
    states = engine.start(2, {}, 1)
    quick = engine.quick(states)
    assert (quick.seat, quick.count) == (0, len(engine.legal(states, 0, 0)))
    engine.decide(states, 0, 0, engine.legal(states, 0, 0)[0])
    quick.look()
    assert (quick.seat, quick.count) == (1, len(engine.legal(states, 0, 1)))


def test_it_keeps_the_game_it_plays() -> None:
    engine = compiled(catalogue.game("loot"))
    quick = engine.quick(engine.start(2, {}, 3))
    decide, actions = quick.decide, quick.actions
    del quick
    gc.collect()
    count, steps = decide(-1), 0
    while count:
        count = decide(actions[steps % count])
        steps += 1
    assert steps > 20
