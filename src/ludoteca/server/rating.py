"""Ratings: how strong somebody is in a game with so many seats, and how sure that is. Plain functions, no store.

The model is Bradley and Terry's with Gaussian beliefs (Weng and Lin 2011), as the library `openskill` has it, for two
to eight seats and with ties. It is set up in points: somebody new is 1500 ± 411, and about 400 points more are ten
times the strength, as on Elo's scale. A rating is a best guess and its standard deviation; what is shown as ± is where
the truth should lie nine times of ten. (Of the library's models it is the one that simulated players of known strength
agree with, once a ranking of many counts for what it tells: see `told_by`. Its Plackett-Luce stretches the scale while
many at a table are new.)

A rating is a function of the rated games in their order and of nothing else: `after_a_game` is the one step, taken live
when a game ends and by `ludoteca rate` for all of them. What it gives is rounded, so that another machine's last bit of
an exponential does not show.

What counts for a rating is said in `ranks_that_count`. Bots have measured ratings (`tools/rate_bots.py`) that do not
move.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from openskill.models import BradleyTerryFull

from ludoteca.core.game import Game

AVERAGE, SPREAD = 1500.0, 250.0  # of somebody new
NINE_OF_TEN = 1.645  # standard deviations
ENOUGH = 10  # rated games before somebody stands on a leaderboard
DECIMALS = 6
MEASURED = "bot_ratings.json"  # in a game's folder


class Strength(NamedTuple):
    """A best guess, and its standard deviation."""

    points: float = AVERAGE
    spread: float = SPREAD

    @property
    def margin(self) -> float:
        """Nine times of ten the truth is within so many points."""
        return NINE_OF_TEN * self.spread


NEW = Strength()


@functools.cache
def _model() -> BradleyTerryFull:
    """`beta`: how much luck there is in a game; `tau`: how much somebody may have changed from one to the next."""
    return BradleyTerryFull(mu=AVERAGE, sigma=SPREAD, beta=SPREAD / 2, tau=6.0)


@functools.cache
def told_by(seats: int) -> float:
    """What one comparison counts in a ranking of so many: the library takes each pair for a game of its own.

    A ranking drawn by strength tells of each one of n equals 1 − (1 + 1/2 + … + 1/n) / n, their n − 1 comparisons as games
    would tell (n − 1) / 4: at two seats the same, at eight not four tenths of it.
    """
    return 4 * (1 - sum(1 / n for n in range(1, seats + 1)) / seats) / (seats - 1)


def after_a_game(before: Sequence[Strength], ranks: Sequence[int]) -> list[Strength]:
    """Everybody's strength after a game with these ranks (1 is first; equal when shared), by seat."""
    model = _model()
    teams = [[model.rating(mu=strength.points, sigma=strength.spread)] for strength in before]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    share = told_by(len(before))
    return [_moved(was, Strength(one.mu, one.sigma), share) for was, [one] in zip(before, rated, strict=True)]


def _moved(before: Strength, after: Strength, share: float) -> Strength:
    """So much of the way from one belief to another."""
    points = before.points + share * (after.points - before.points)
    variance = before.spread**2 + share * (after.spread**2 - before.spread**2)
    return Strength(round(points, DECIMALS), round(math.sqrt(variance), DECIMALS))


# ── What counts ──────────────────────────────────────────────


@dataclass(frozen=True)
class Share:
    """How a seat was played: decisions of its person, of whoever stood in, and whether the last one was the person's own."""

    own: int = 0
    others: int = 0
    own_last: bool = True

    @property
    def left(self) -> bool:
        """Whether the person counts as having left."""
        return not self.own_last or self.others > self.own


def ranks_that_count(ranks: Sequence[int], left: Sequence[bool]) -> list[int]:
    """The ranks by which a game is rated: who left is last, behind all who stayed; several who left share that place.

    Those who stayed keep their order among themselves.
    """
    stayed = sorted({rank for rank, gone in zip(ranks, left, strict=True) if not gone})
    return [len(stayed) + 1 if gone else stayed.index(rank) + 1 for rank, gone in zip(ranks, left, strict=True)]


# ── Bots ─────────────────────────────────────────────────────


class Measured(msgspec.Struct, frozen=True):
    """What the arena has said of the levels at one number of seats."""

    rules: str  # the version they were measured with
    games: int
    seed: int
    levels: dict[str, tuple[float, float]]

    def strength(self, level: str) -> Strength | None:
        """Of one level, if it was measured."""
        found = self.levels.get(level)
        return None if found is None else Strength(*found)


@functools.cache
def measured(game: Game) -> Mapping[int, Measured]:
    """How strong the bots are in this game, by the number of seats; empty for a game that nobody has measured."""
    path = game.folder / MEASURED
    if not path.is_file():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[int, Measured])


def strength_of_bot(game: Game | None, seats: int, level: str) -> Strength:
    """A bot's; one that was never measured could be anybody."""
    found = measured(game).get(seats) if game is not None else None
    return (found.strength(level) if found else None) or NEW
