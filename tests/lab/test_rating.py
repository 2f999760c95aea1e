"""Ratings: what is known by calculation, what a simulation put in, and results that say little."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from openskill.models import PlackettLuce

from ludoteca.lab.rating import POINTS, ratings

Game = tuple[Sequence[int], Sequence[int]]  # who sat where, and the ranks by seat


def duels(wins: int, losses: int) -> Sequence[Game]:
    return [((0, 1), (1, 2))] * wins + [((1, 0), (1, 2))] * losses


def test_two_players_are_as_far_apart_as_elo_says() -> None:
    strong, weak = ratings(2, duels(7500, 2500))
    assert strong.points - weak.points == pytest.approx(400 * math.log10(3), abs=0.5)
    assert strong.points + weak.points == pytest.approx(3000)
    spread = POINTS / math.sqrt(10000 * 0.75 * 0.25) / 2  # of half the difference
    assert strong.high - strong.points == pytest.approx(1.96 * spread, rel=0.01)


def test_more_games_know_more() -> None:
    few, many = ratings(2, duels(6, 4))[0], ratings(2, duels(600, 400))[0]
    assert few.points == pytest.approx(many.points, abs=12)
    assert few.high - few.low == pytest.approx(10 * (many.high - many.low), rel=0.1)


def test_who_has_lost_nothing_is_not_infinitely_strong() -> None:
    strong, weak = ratings(2, duels(10, 0))
    assert 1600 < strong.points < 2300
    assert strong.low > weak.high


def test_ties_are_half_of_each() -> None:
    tied = ratings(2, [((0, 1), (1, 1))] * 10)
    halves = ratings(2, duels(5, 5))
    assert [r.points for r in tied] == pytest.approx([r.points for r in halves])
    three = ratings(3, [((0, 1, 2), (1, 1, 3))] * 12)
    orders = ratings(3, [((0, 1, 2), (1, 2, 3)), ((1, 0, 2), (1, 2, 3))] * 6)
    assert [r.points for r in three] == pytest.approx([r.points for r in orders])


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_nineteen_of_twenty_intervals_hold_the_truth(seats: int) -> None:
    """Games drawn from the model itself, in thirty tournaments of ten players."""
    luck = np.random.default_rng(seats)
    true = np.linspace(-1.5, 1.5, 10)
    inside = 0
    for _ in range(30):
        games = []
        for _ in range(600 // seats):
            seated = luck.choice(10, seats, replace=False)
            order = np.argsort(-(true[seated] + luck.gumbel(size=seats)))  # Plackett and Luce's draw, all at once
            games.append((seated.tolist(), (1 + np.argsort(order)).tolist()))
        for found, strength in zip(ratings(10, games), true, strict=True):
            inside += found.low <= 1500 + POINTS * strength <= found.high
            assert abs(found.points - 1500 - POINTS * strength) < 400
    assert 0.9 < inside / 300 < 0.99


def test_the_same_bot_on_two_seats() -> None:
    """Two bots at a table of four: who is better is found as well."""
    strong, weak = ratings(2, [((0, 1, 0, 1), (1, 3, 2, 4)), ((1, 0, 1, 0), (2, 1, 4, 3))] * 20)
    assert strong.low > weak.high


def test_nobody_met_anybody() -> None:
    assert [r.points for r in ratings(2, [((0,), (1,))])] == [1500.0, 1500.0]


def test_the_library_of_the_field_is_no_better_at_this() -> None:
    """OpenSkill rates people, game after game; of a batch of games it makes a rougher guess, which depends on their order.

    Eight players of known strength, tables for four: both are asked for differences, on one scale.
    """
    true = [1500 + 60 * n for n in range(-4, 4)]
    luck, games = random.Random(5), list[Game]()
    for _ in range(400):
        seated = luck.sample(range(8), 4)
        drawn = {player: true[player] / POINTS - math.log(-math.log(luck.random())) for player in seated}
        order = sorted(seated, key=lambda player: -drawn[player])
        games.append((seated, [order.index(player) + 1 for player in seated]))

    def error(found: list[float]) -> float:
        mean = sum(found) / len(found)
        return math.sqrt(sum((a - mean - (b - sum(true) / 8)) ** 2 for a, b in zip(found, true, strict=True)) / 8)

    def by_openskill(games: list[Game]) -> list[float]:
        model = PlackettLuce(mu=1500.0, sigma=250.0, beta=125.0, tau=0.0)
        players = [model.rating() for _ in true]
        for seated, ranks in games:
            rated = model.rate([[players[player]] for player in seated], ranks=[float(rank) for rank in ranks])
            for player, [one] in zip(seated, rated, strict=True):
                players[player] = one
        return [one.mu for one in players]

    ours, theirs = [rating.points for rating in ratings(8, games)], by_openskill(games)
    assert error(ours) < 25.0 and error(ours) <= error(theirs)
    assert [rating.points for rating in ratings(8, games[::-1])] == pytest.approx(ours)
    assert max(abs(a - b) for a, b in zip(by_openskill(games[::-1]), theirs, strict=True)) > 1.0
