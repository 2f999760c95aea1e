"""How strong players are, from games of any number of seats: ratings on Elo's scale with their 95 % intervals.

The model is Plackett and Luce's (with two seats Bradley and Terry's, which is Elo's): who comes first is drawn with chances
in proportion to strength, then who comes second of the rest, and so on. A tie counts as all its orders in equal parts. The
ratings are those that make the results most likely; every player is given one drawn game against an average stranger, so
that whoever has lost nothing yet is not infinitely strong.

People's ratings are a library's (`openskill`, in server/rating.py), which knows how to go on from game to game. For a
batch of games that are all there, its guess depends on their order and is rougher than this one; a test says so.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

POINTS = 400 / math.log(10)  # of Elo's scale: 400 points more are ten times the strength
AVERAGE = 1500.0  # of all who are rated together
CONFIDENCE = 1.959964  # standard deviations of a 95 % interval
Floats = npt.NDArray[np.float64]
Choices = defaultdict[tuple[int, ...], float]


@dataclass(frozen=True)
class Rating:
    """A strength and its 95 % interval, on Elo's scale."""

    points: float
    low: float
    high: float


def ratings(players: int, games: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[Rating]:
    """The players' ratings; a game is who sat where (player numbers by seat) and the ranks by seat."""
    won = np.full(players, 0.5)  # against the stranger
    choices: Choices = defaultdict(float)  # from which multiset of players somebody came next, how often
    for seated, ranks in games:
        count_game(seated, ranks, won, choices)
    sets = np.zeros((len(choices), players))
    for row, members in zip(sets, choices, strict=True):
        for player in members:
            row[player] += 1
    strength, spread = most_likely(won, sets, np.array(list(choices.values()), np.float64))
    return [
        Rating(AVERAGE + POINTS * s, AVERAGE + POINTS * (s - CONFIDENCE * d), AVERAGE + POINTS * (s + CONFIDENCE * d))
        for s, d in zip(strength.tolist(), spread.tolist(), strict=True)
    ]


def count_game(seated: Sequence[int], ranks: Sequence[int], won: Floats, choices: Choices) -> None:
    """Notes who came next out of whom."""
    for rank in sorted(set(ranks)):
        tied = [player for player, own in zip(seated, ranks, strict=True) if own == rank]
        behind = [player for player, own in zip(seated, ranks, strict=True) if own > rank]
        for player in tied:
            won[player] += 1
        for left in range(1, len(tied) + 1):  # of those who tie, so many are still to be placed
            for some in combinations(tied, left):
                choices[tuple(sorted([*some, *behind]))] += 1 / math.comb(len(tied), left)


def most_likely(won: Floats, sets: Floats, times: Floats) -> tuple[Floats, Floats]:
    """The logarithms of the strengths, their mean 0, and the standard deviation of each (Newton's method)."""
    players = len(won)
    strength = np.zeros(players)
    for _ in range(100):
        slope, bend = derivatives(strength, won, sets, times)
        step = np.clip(np.linalg.solve(bend, slope), -1, 1)  # the likelihood is concave: small steps always arrive
        strength += step
        if np.abs(step).max() < 1e-10:
            break
    _, bend = derivatives(strength, won, sets, times)
    centred = np.eye(players) - 1 / players
    return strength - strength.mean(), np.sqrt(np.diag(centred @ np.linalg.inv(bend) @ centred))


def derivatives(strength: Floats, won: Floats, sets: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Of the logarithm of the likelihood: the first and, with its sign changed, the second."""
    weight = sets * np.exp(strength - strength.max())
    chance = weight / weight.sum(axis=1, keepdims=True)
    stranger = 1 / (1 + np.exp(-strength))  # the chance to beat a stranger of strength 0
    slope = won - times @ chance - stranger
    bend = np.diag(times @ chance + stranger * (1 - stranger)) - chance.T @ (times[:, None] * chance)
    return slope, bend
