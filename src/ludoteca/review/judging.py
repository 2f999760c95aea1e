"""How a position, and the options of a decision, are judged: by the search of the strongest bot, in so many guesses.

Everything follows from the position and the number of its step: the same game is always judged alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from msgspec import structs

from ludoteca.bots import search
from ludoteca.bots.levels import LEVELS, read_bot
from ludoteca.bots.weigh import Scales
from ludoteca.core.chance import derive
from ludoteca.core.engine import CompiledEngine
from ludoteca.core.record import States

from .dealing import in_sight, spread
from .pieces import AS_GOOD, COSTLY, FORCED, ReviewDecision, ReviewOption, ReviewPoint, ReviewStroke

Table = npt.NDArray[np.float64]
Outcome = tuple[States, int]

JUDGE = LEVELS[-1]  # the strongest
ERRORS = 2.0  # a difference within so many standard errors is none
NOTHING = 1e-9  # a difference that is none, where there is no error


@dataclass(frozen=True)
class Effort:
    """How hard to look."""

    options: int = 8  # of a decision, at most
    block: int = 16  # guesses that are made in one go
    sketch: int = 4  # blocks in which all options are weighed
    refine: int = 32  # blocks at most, for those that may be the best
    enough: float = 0.01  # the standard error of a loss at which nobody looks further
    runs: int = 8  # independent looks at a position
    guesses: int = 128  # of each of them
    deals: int = 96  # how often a step is dealt again to see what could have come
    outcomes: int = 16  # of these, so many are judged where there are more than `few`
    few: int = 24


class Judge:
    """Judges positions of one game."""

    def __init__(self, engine: CompiledEngine, effort: Effort) -> None:
        self.engine, self.effort = engine, effort
        settings = read_bot(engine.game, JUDGE).settings
        self.settings = settings or search.Settings()

    # A position.

    def position(self, states: States, seed: int) -> ReviewPoint:
        """Everybody's chances, as those who are to decide can judge them."""
        seats = int(states["seats"][0])
        if self.engine.is_over(states):
            return ReviewPoint(self.result(states), [0.0] * seats)
        looks = np.array([self._look(states, seed, run) for run in range(self.effort.runs)])
        return ReviewPoint(looks.mean(0).tolist(), (looks.std(0, ddof=1) / math.sqrt(len(looks))).tolist())

    def result(self, states: States) -> list[float]:
        """Who has won, shared wins in parts; alone against the game's own rival, whether."""
        ranks = self.engine.result(states).ranks
        if len(ranks) == 1:
            out = np.zeros(self.engine.game.max_seats)
            self.engine.call("outlook", states, 0, out)
            return [float(out[0])]
        return [(rank == 1) / ranks.count(1) for rank in ranks]

    def _look(self, states: States, seed: int, run: int) -> list[float]:
        """One look at a position, through the eyes of one of those who are to decide."""
        if self.engine.is_over(states):
            return self.result(states)
        waiting = self.engine.waiting(states)
        seat, guesses = waiting[run % len(waiting)], self.effort.guesses
        redacted = self.engine.game.redact(states, 0, seat)
        scales = Scales(self.engine, redacted, seat, derive(seed, run), self.settings, [], guesses + guesses // 4)
        scales.weigh(guesses // 4)  # until the tree knows a little
        return [float(chance) for chance in scales.weigh(guesses)[0]]

    # A decision.

    def decision(self, states: States, seat: int, chosen: int, seed: int) -> ReviewDecision:
        """What each sensible option was worth to this seat, from what it could see, in the same guesses."""
        return self.options(self.engine.game.redact(states, 0, seat), seat, chosen, seed)

    def options(self, redacted: States, seat: int, chosen: int, seed: int) -> ReviewDecision:
        """As `decision`, from the record as the seat may see it."""
        nothing = [0.0] * int(redacted["seats"][0])
        legal = self.engine.legal(redacted, 0, seat)
        sealed = len(self.engine.waiting(redacted)) > 1
        if len(legal) == 1:
            return ReviewDecision(FORCED, [], 0, chosen, 0.0, 0.0, nothing, sealed)
        options = self.sensible(redacted, seat, legal, chosen, seed)
        if len(options) == 1:
            return ReviewDecision(AS_GOOD, [], len(legal) - 1, chosen, 0.0, 0.0, nothing, sealed)
        weighed = self._weighed(redacted, seat, options, chosen, seed)
        # Only what stayed to the last can be the best: what was left behind was seen too seldom to come first after all.
        longest = max(map(len, weighed.values()))
        stayed = [option for option in options if len(weighed[option]) == longest]
        best = max(stayed, key=lambda option: (weighed[option][:, seat].mean(), option == chosen))
        decided = verdict(weighed, seat, best, chosen, len(legal) - len(options), sealed)
        return structs.replace(decided, before=before_it([weighed[option] for option in stayed], seat))

    def sensible(self, redacted: States, seat: int, legal: list[int], chosen: int, seed: int) -> list[int]:
        """The chosen option, what the search would choose, and those that look best; nothing that is surely folly."""
        worth = {action: self.engine.appraise(redacted, seat, action) for action in legal}
        by_looks = sorted(legal, key=lambda action: -worth[action])
        good = [action for action in by_looks if worth[action] > search.FOLLY] or by_looks[:1]
        first = [chosen]
        if len(good) > self.effort.options:
            thinking = replace(self.settings, iterations=min(self.settings.iterations, 400))
            first.append(search.choose(self.engine, redacted, seat, seed, thinking))
        return list(dict.fromkeys((*first, *good)))[: max(self.effort.options, len(set(first)))]

    def _weighed(self, redacted: States, seat: int, options: list[int], chosen: int, seed: int) -> dict[int, Table]:
        """For each option, block by block, everybody's chances: all of them at first, then those that matter."""
        effort = self.effort
        scales = Scales(self.engine, redacted, seat, seed, self.settings, options, effort.block * (effort.refine + 1))
        scales.weigh(effort.block)  # until the tree knows a little
        blocks: dict[int, list[Table]] = {option: [] for option in options}
        matter = options
        for done in range(1, effort.refine + 1):
            for option, chances in zip(matter, scales.weigh(effort.block, matter), strict=True):
                blocks[option].append(chances)
            if done >= effort.sketch:
                matter = self._matter(blocks, seat, matter, chosen)
                if len(matter) == 1 or self._known(blocks, seat, matter, chosen):
                    break
        return {option: np.array(found) for option, found in blocks.items()}

    def _matter(self, blocks: dict[int, list[Table]], seat: int, options: list[int], chosen: int) -> list[int]:
        """The chosen option, and those that may be the best."""
        leader = max(options, key=lambda option: np.mean([block[seat] for block in blocks[option]]))
        stay = []
        for option in options:
            behind, error = difference(blocks[leader], blocks[option], seat)
            if option in (chosen, leader) or behind <= ERRORS * error:
                stay.append(option)
        return stay if len(stay) > 1 else [chosen]

    def _known(self, blocks: dict[int, list[Table]], seat: int, options: list[int], chosen: int) -> bool:
        """Whether the loss is known well enough: small and surely so, or as exactly as anybody wants to know."""
        leader = max(options, key=lambda option: np.mean([block[seat] for block in blocks[option]]))
        rival = (
            leader
            if leader != chosen
            else max(
                (option for option in options if option != chosen),
                key=lambda option: np.mean([block[seat] for block in blocks[option]]),
            )
        )
        return difference(blocks[rival], blocks[chosen], seat)[1] < self.effort.enough / 2

    # Chance.

    def outcomes(self, states: States, seat: int, action: int, after: States, seed: int) -> list[Outcome]:
        """What could have come of this step, and how often it would; nothing where chance had no part in it."""
        found = spread(self.engine, states, seat, action, seed, self.effort.deals)
        if len(found) == 1 and in_sight(self.engine, found[0][0]) == in_sight(self.engine, after):
            return []
        return found

    def stroke(self, outcomes: list[Outcome], point: ReviewPoint, seed: int) -> ReviewStroke:
        """What chance did with a step after which the chances are these."""
        every = len(outcomes) <= self.effort.few
        if not every:
            outcomes = outcomes[: self.effort.outcomes]  # each of them came about once
        looks = np.array([self._look(world, seed, run) for run, (world, _) in enumerate(outcomes)])
        weights = np.array([count for _, count in outcomes], np.float64)
        weights /= weights.sum()
        expected = weights @ looks
        # All outcomes known: only the looks at them are uncertain, each as much as one of those at what came.
        squares = np.square(point.errors) * self.effort.runs if every else weights @ np.square(looks - expected)
        errors = np.sqrt(np.square(point.errors) + squares * (weights @ weights))
        return ReviewStroke((np.array(point.chances) - expected).tolist(), errors.tolist(), len(outcomes), every)


def difference(one: Sequence[Table] | Table, other: Sequence[Table] | Table, seat: int) -> tuple[float, float]:
    """How much more the one brought in the blocks that both were in, and its standard error."""
    both = min(len(one), len(other))
    found = np.array([one[n][seat] - other[n][seat] for n in range(both)])
    return float(found.mean()), float(found.std(ddof=1) / math.sqrt(both)) if both > 1 else 1.0


def verdict(
    weighed: dict[int, Table], seat: int, best: int, chosen: int, left_out: int, sealed: bool
) -> ReviewDecision:
    """The decision as it is written down."""
    top = weighed[best]
    options = []
    for action, found in weighed.items():
        loss, error = difference(top, found, seat)
        chance = float(top[:, seat].mean()) - loss
        own = float(found[:, seat].std(ddof=1) / math.sqrt(len(found)))
        options.append(ReviewOption(action, chance, own, max(0.0, loss), error if action != best else 0.0))
    options.sort(key=lambda option: (option.loss, option.action != best))
    loss, error = difference(top, weighed[chosen], seat)
    both = min(len(top), len(weighed[chosen]))
    costly = chosen != best and loss > ERRORS * error + NOTHING
    change = (weighed[chosen][:both] - top[:both]).mean(0) if costly else np.zeros(top.shape[1])
    return ReviewDecision(
        COSTLY if costly else AS_GOOD, options, left_out, best, loss if costly else 0.0, error, change.tolist(), sealed
    )


def before_it(stayed: Sequence[Table], seat: int) -> ReviewPoint:
    """Everybody's chances before a decision, if the best is decided.

    Which option is the best is read from one half of the blocks, and what it brings from the other, both ways: the
    highest of several noisy figures is too high.
    """
    halves = []
    for half in (0, 1):
        best = max(stayed, key=lambda found: found[half::2, seat].mean())
        halves.append(best[1 - half :: 2])
    looks = np.concatenate(halves)
    return ReviewPoint(looks.mean(0).tolist(), (looks.std(0, ddof=1) / math.sqrt(len(looks))).tolist())
