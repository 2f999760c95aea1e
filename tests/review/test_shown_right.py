"""Reviews against what is known: planted blunders and planted luck are found, and a bot finds little to blame in itself.

What is planted was measured twice by looks that have nothing in common with each other nor with the review: once to pick
it, once to make sure of it. Long: `make soak`, or `-m long`.
"""

import itertools
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from ludoteca import catalogue
from ludoteca.bots.weigh import Scales
from ludoteca.core.chance import derive
from ludoteca.core.record import States, copied
from ludoteca.review.dealing import spread
from ludoteca.review.judging import JUDGE, Effort, Judge
from ludoteca.review.pieces import COSTLY
from ludoteca.review.reviewing import reviewed, story_of
from ludoteca.review.summing import CERTAIN
from review.games import engine, journal, played, positions

GAMES = catalogue.keys(of=catalogue.HOUSE)
ENOUGH = 0.95  # of what was planted
CLEAR = 0.10  # of the chance to win: what is planted is at least so large
SURE = 4.0  # standard errors
DEALS = 24  # of a step, to see what could have come
MANY, FEW = 40, 20  # planted cases: as many as one looks for, and as must be found to speak of it
BLOCK = 8  # guesses
LOOKS = 8
MOST_GAMES = 200
EFFORT = Effort()
pytestmark = pytest.mark.long


def some(key: str) -> Iterator[tuple[States, int, int]]:
    """Decisions of many games, a few of each."""
    for seed in range(1, MOST_GAMES + 1):
        yield from list(positions(played(key, seed, "club")))[seed % 4 :: 4]


def brought(key: str, seen: States, seat: int, options: list[int], seed: int, guesses: int) -> npt.NDArray[np.float64]:
    """What each option brought to the seat, block by block."""
    settings = Judge(engine(key), EFFORT).settings
    scales = Scales(engine(key), seen, seat, seed, settings, options, guesses + 2 * BLOCK)
    scales.weigh(2 * BLOCK)
    return np.array([scales.weigh(BLOCK)[:, seat] for _ in range(guesses // BLOCK)])


def blunders(key: str) -> Iterator[tuple[States, int, int]]:
    """Positions with a decision that costs much, wherever it comes from."""
    for number, (states, seat, _) in enumerate(some(key)):
        seen = engine(key).game.redact(states, 0, seat)
        by_looks = sorted(
            engine(key).legal(seen, 0, seat), key=lambda action: -engine(key).appraise(seen, seat, action)
        )
        options = list(dict.fromkeys((*by_looks[:5], *by_looks[-3:])))
        if len(options) == 1:
            continue
        means = brought(key, seen, seat, options, derive(1001, number), 32).mean(0)
        if means.max() - means.min() < CLEAR:
            continue
        pair = [options[int(means.argmax())], options[int(means.argmin())]]
        again = np.array(  # trees of their own: what is found within one hangs together
            [brought(key, seen, seat, pair, derive(2002, number, look), 48).mean(0) for look in range(LOOKS)]
        )
        lost = again[:, 0] - again[:, 1]
        if lost.mean() >= max(CLEAR, SURE * lost.std(ddof=1) / math.sqrt(len(lost))):
            yield states, seat, pair[1]


@pytest.mark.parametrize("key", GAMES)
def test_planted_blunders_are_found(key: str) -> None:
    judge = Judge(engine(key), EFFORT)
    verdicts = [
        judge.decision(states, seat, action, derive(7, number)).verdict
        for number, (states, seat, action) in enumerate(itertools.islice(blunders(key), MANY))
    ]
    print(f"{key}: {verdicts.count(COSTLY)} of {len(verdicts)} planted blunders are found")
    assert len(verdicts) >= FEW
    assert verdicts.count(COSTLY) >= ENOUGH * len(verdicts)


def dealt(key: str) -> Iterator[tuple[States, int, int, list[tuple[States, int]]]]:
    """Steps of many games in which chance had a part, and what could have come of them: some eight of each game.

    In King of Con cards come up once a round, so every fourth decision of a game would seldom be one that turns them up.
    """
    for seed in range(1, MOST_GAMES + 1):
        steps = []
        for number, (states, seat, action) in enumerate(positions(played(key, seed, "club"))):
            outcomes = spread(engine(key), states, seat, action, derive(5, seed, number), DEALS)
            if len(outcomes) > 1:
                steps.append((states, seat, action, outcomes))
        every = max(1, len(steps) // 8)
        yield from steps[seed % every :: every]


def strokes(key: str) -> Iterator[tuple[States, int, int, States, float]]:
    """Steps after which chance did much for whoever decided, or against them."""
    glance, other = (Judge(engine(key), Effort(runs=runs, guesses=64)) for runs in (3, 12))  # alike: trees of one size
    for number, (states, seat, action, outcomes) in enumerate(dealt(key)):
        worlds, often = [world for world, _ in outcomes], [count for _, count in outcomes]
        first = np.array([glance.position(world, derive(1001, number)).chances[seat] for world in worlds])
        picked = int(np.abs(first - np.average(first, weights=often)).argmax())
        if abs(first[picked] - np.average(first, weights=often)) < CLEAR:
            continue
        again = np.array([glance.position(world, derive(2002, number)).chances[seat] for world in worlds])
        expected = float(np.average(again, weights=often))
        spread_out = math.sqrt(float(np.average((again - expected) ** 2, weights=often)) / DEALS)
        came = other.position(worlds[picked], derive(3003, number))
        luck, error = came.chances[seat] - expected, math.hypot(spread_out, came.errors[seat])
        if abs(luck) >= max(CLEAR, SURE * error):
            yield states, seat, action, worlds[picked], math.copysign(1.0, luck)


@pytest.mark.parametrize("key", GAMES)
def test_planted_luck_is_found(key: str) -> None:
    judge, found = Judge(engine(key), EFFORT), []
    for number, (states, seat, action, after, sign) in enumerate(itertools.islice(strokes(key), MANY)):
        outcomes = judge.outcomes(states, seat, action, after, derive(7, number))
        stroke = judge.stroke(outcomes, copied(after), derive(7, number))
        found.append(sign * stroke.luck[seat] > CERTAIN * stroke.errors[seat])
    print(f"{key}: {sum(found)} of {len(found)} planted strokes of luck are found")
    assert len(found) >= FEW
    assert sum(found) >= ENOUGH * len(found)


@pytest.mark.parametrize("key", GAMES)
def test_a_bot_that_is_reviewed_by_itself_loses_next_to_nothing(key: str) -> None:
    lost = decisions = 0.0
    for seed in (4, 5):
        play = played(key, seed, f"{JUDGE}:seconds=0,iterations=2000")
        for total in reviewed(story_of(engine(key), journal(play, seed))).totals:
            lost, decisions = lost - total.own, decisions + total.decisions
    print(f"{key}: {100 * lost / decisions:.2f} hundredths are lost in each of {decisions:.0f} decisions")
    assert lost / decisions < 0.01, "a hundredth for each decision"
