"""Pig: a scene for each paragraph of the rules, and the contract."""

from collections.abc import Sequence

import pytest
from ludoteca_pig import GAME, rules

from ludoteca.core.contract import GameContract
from ludoteca.core.engine import interpreted
from ludoteca.core.errors import IllegalAction
from ludoteca.core.record import States

ENGINE = interpreted(GAME)


def table(score: Sequence[int] = (0, 0), pot: int = 0, goal: str = "100") -> States:
    states = ENGINE.start(len(score), {"goal": goal}, seed=1)
    states["score"][0, : len(score)], states["pot"][0] = score, pot
    return states


def roll(states: States, wanted: int) -> States:
    while True:  # another stream until the die falls as the scene needs it
        trial = states.copy()
        ENGINE.decide(trial, 0, ENGINE.waiting(trial)[0], rules.ROLL)
        if trial["die"][0] == wanted:
            return trial
        states["rng"][0] += 1


def test_the_first_player_begins_and_rolls_at_least_once() -> None:  # §1.1 §2.1
    assert ENGINE.waiting(table()) == [0]
    with pytest.raises(IllegalAction, match="at least once"):
        ENGINE.decide(table(), 0, 0, rules.HOLD)


def test_the_goal_is_chosen() -> None:  # §1.2
    assert [int(table(goal=goal)["goal"][0]) for goal in ("100", "50")] == [100, 50]


def test_a_roll_collects_and_a_one_takes_it_back() -> None:  # §2.2 §2.3
    assert roll(table(pot=7), wanted=5)["pot"][0] == 12
    lost = roll(table(pot=7), wanted=1)
    assert lost["pot"][0] == lost["score"][0, 0] == 0 and ENGINE.waiting(lost) == [1]


def test_holding_keeps_the_points_and_may_win() -> None:  # §2.4 §3.1 §3.2
    states = table(score=(80, 95, 90), pot=19)
    ENGINE.decide(states, 0, 0, rules.HOLD)
    assert ENGINE.waiting(states) == [1] and not ENGINE.is_over(states)
    states["pot"][0] = 5
    ENGINE.decide(states, 0, 1, rules.HOLD)
    assert ENGINE.is_over(states) and ENGINE.result(states).ranks == [2, 1, 3]


class TestPig(GameContract):
    where = "ludoteca_pig:GAME"
