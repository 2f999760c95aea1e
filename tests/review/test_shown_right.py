"""Reviews against what is known: planted blunders and planted luck are found, and a bot finds little to blame in itself.

Long: `make soak`, or `-m long`.
"""

import numpy as np
import pytest

from ludoteca.review.dealing import spread
from ludoteca.review.judging import JUDGE, Effort, Judge
from ludoteca.review.pieces import COSTLY
from ludoteca.review.reviewing import reviewed, story_of
from review.games import engine, journal, played, positions

GAMES = ("splendor", "king_of_con", "loot", "challengers")
ENOUGH = 0.95  # of what was planted
CLEAR = 0.10  # a blunder or stroke that another judge, with other guesses, finds this large is one
THOROUGH = Effort(refine=40, runs=16, guesses=96)
pytestmark = pytest.mark.long


def some(key, every):
    for seed in (1, 2, 3):
        yield from list(positions(played(key, seed, "club")))[3::every]


@pytest.mark.parametrize("key", GAMES)
def test_planted_blunders_are_found(key):
    judge, other = Judge(engine(key), Effort()), Judge(engine(key), THOROUGH)
    planted = found = 0
    for states, seat, action in some(key, 7):
        seen = other.decision(states, seat, action, 1001)
        if not seen.options or seen.options[-1].loss < CLEAR or seen.options[-1].loss < 4 * seen.options[-1].loss_error:
            continue
        planted += 1
        found += judge.decision(states, seat, seen.options[-1].action, 7).verdict == COSTLY
    assert planted >= 3
    assert found >= ENOUGH * planted, f"{found} of {planted}"


@pytest.mark.parametrize("key", GAMES)
def test_planted_luck_is_found(key):
    judge, other = Judge(engine(key), Effort()), Judge(engine(key), THOROUGH)
    planted = found = 0
    for states, seat, action in some(key, 7):
        worlds = [world for world, _ in spread(engine(key), states, seat, action, 5, 12)]
        if len(worlds) < 2:
            continue
        chances = np.array([other.position(world, 1001).chances[seat] for world in worlds])
        best = int(chances.argmax())
        if chances[best] - chances.mean() < CLEAR:
            continue
        planted += 1
        outcomes = judge.outcomes(states, seat, action, worlds[best], 7)
        found += judge.stroke(outcomes, judge.position(worlds[best], 7), 7).luck[seat] > 0.02
    if planted:
        assert found >= ENOUGH * planted, f"{found} of {planted}"


@pytest.mark.parametrize("key", GAMES)
def test_a_bot_that_is_reviewed_by_itself_loses_next_to_nothing(key):
    review = reviewed(story_of(engine(key), journal(played(key, 4, f"{JUDGE}:seconds=0,iterations=2000"), 4)))
    for total in review.totals:
        assert -total.own / max(1, total.decisions) < 0.01, "a hundredth for each decision"
